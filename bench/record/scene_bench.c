/* SPDX-License-Identifier: MIT */
/*
 * The demo renderer over one scene, not recorded and at each level: what the capture holds, how
 * large it is, what recording it cost. JSON on standard output.
 *
 *     bench_scene [--scene FILE] [--frames N] [--size WxH] [--repeats N] [--keep PREFIX]
 *
 * --keep leaves the last captures as PREFIX-LEVEL.sgpt.
 */
#include <frameglass/capture.h>
#include <renderer.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LEVELS = 5, MAX_REPEATS = 15, TIMER_SLOTS = 1024, WARM_UP_FRAMES = 5 };

static const struct {
    const char *name;
    enum rd_level level;
} levels[LEVELS] = {
    { "not recorded", RD_LEVEL_TIMING }, { "timing", RD_LEVEL_TIMING },
    { "structure", RD_LEVEL_STRUCTURE }, { "workload", RD_LEVEL_WORKLOAD },
    { "verbose", RD_LEVEL_VERBOSE },
};

struct arguments {
    const char *scene;
    const char *keep;
    uint32_t frames;
    uint32_t width_px;
    uint32_t height_px;
    uint32_t repeats;
};

struct measured {
    double seconds[MAX_REPEATS];
    struct rd_summary summary; /**< of the last run */
    uint64_t gzip_bytes;
    uint64_t frames;
    uint64_t topologies;
    uint64_t passes_least; /**< GPU passes of a frame */
    uint64_t passes_most;
};

static bool parse(int argc, char **argv, struct arguments *out)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--scene") == 0) {
            out->scene = value;
        } else if (strcmp(argv[i], "--keep") == 0) {
            out->keep = value;
        } else if (strcmp(argv[i], "--frames") == 0) {
            out->frames = (uint32_t)strtoul(value, NULL, 10);
        } else if (strcmp(argv[i], "--repeats") == 0) {
            out->repeats = (uint32_t)strtoul(value, NULL, 10);
        } else if (strcmp(argv[i], "--size") != 0 ||
                   sscanf(value, "%ux%u", &out->width_px, &out->height_px) != 2) {
            return false;
        }
    }
    return argc % 2 == 1 && out->frames > 0 && out->repeats > 0 && out->repeats <= MAX_REPEATS;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(const double *values, uint32_t count)
{
    double sorted[MAX_REPEATS];
    memcpy(sorted, values, count * sizeof(values[0]));
    qsort(sorted, count, sizeof(sorted[0]), compare);
    return sorted[(count - 1) / 2];
}

/** How large a file becomes with gzip -6; 0 when it cannot be read. */
static uint64_t packed_size(const char *path)
{
    unsigned char in[65536];
    unsigned char out[65536];
    z_stream zip = { 0 };
    uint64_t size = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return 0;
    }
    if (deflateInit2(&zip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK) {
        bool last = false;
        while (!last) {
            zip.next_in = in;
            zip.avail_in = (unsigned)fread(in, 1, sizeof(in), file);
            last = zip.avail_in < sizeof(in);
            do {
                zip.next_out = out;
                zip.avail_out = sizeof(out);
                (void)deflate(&zip, last ? Z_FINISH : Z_NO_FLUSH);
                size += sizeof(out) - zip.avail_out;
            } while (zip.avail_out == 0);
        }
        (void)deflateEnd(&zip);
    }
    (void)fclose(file);
    return size;
}

static void count_record(const struct fg_capture_record *record, struct measured *out)
{
    if (record->type == FG_CAPTURE_TOPO && !record->restated) {
        out->topologies++;
    } else if (record->type == FG_CAPTURE_FRAM) {
        const uint64_t count = record->frame->gpu_pass_count;
        out->passes_least =
            out->frames == 0 || count < out->passes_least ? count : out->passes_least;
        out->passes_most = count > out->passes_most ? count : out->passes_most;
        out->frames++;
    }
}

/** What a reader finds in the capture. */
static bool look_into(const char *path, struct measured *out)
{
    struct fg_file_source *file;
    struct fg_source source;
    struct fg_capture *capture;
    struct fg_capture_record record;
    if (fg_file_source_open(path, &file, &source) != FG_OK) {
        return false;
    }
    enum fg_result result = fg_capture_open(&source, NULL, NULL, &capture);
    if (result == FG_OK) {
        while ((result = fg_capture_next(capture, &record)) == FG_OK) {
            count_record(&record, out);
        }
        fg_capture_close(capture);
    }
    fg_file_source_close(file);
    return result == FG_ERR_NOT_FOUND;
}

static bool run(const struct arguments *arguments, int level, uint32_t repeat, struct measured *out)
{
    char path[4096];
    (void)snprintf(path, sizeof(path), "%s-%s.sgpt",
                   arguments->keep != NULL ? arguments->keep : "bench_scene", levels[level].name);
    const struct rd_options options = {
        .scene_path = arguments->scene,
        .frame_count = arguments->frames,
        .width_px = arguments->width_px,
        .height_px = arguments->height_px,
        .level = levels[level].level,
        .capture_path = level > 0 ? path : NULL,
    };
    if (!rd_run(&options, &out->summary)) {
        (void)fprintf(stderr, "bench_scene: %s\n", out->summary.error);
        return false;
    }
    out->seconds[repeat] = out->summary.seconds;
    if (level == 0) {
        return true;
    }
    bool ok = true;
    if (repeat + 1 == arguments->repeats) {
        out->gzip_bytes = packed_size(path);
        ok = look_into(path, out) && out->frames == arguments->frames;
    }
    if (arguments->keep == NULL) {
        (void)remove(path);
    }
    return ok;
}

static void print_level(const struct arguments *arguments, int level,
                        const struct measured *measured, const struct measured *bare)
{
    const double seconds = median(measured->seconds, arguments->repeats);
    const double base = median(bare->seconds, arguments->repeats);
    const uint64_t bytes = measured->summary.capture_bytes;
    printf("    { \"level\": \"%s\", \"us_per_frame\": %.1f", levels[level].name,
           seconds * 1e6 / arguments->frames);
    if (level > 0) {
        printf(", \"over_not_recorded_percent\": %.1f, \"recorder_ns_per_frame\": %" PRId64
               ",\n      \"bytes\": %" PRIu64 ", \"bytes_per_frame\": %" PRIu64
               ", \"gzip_bytes\": %" PRIu64 ", \"gzip_bytes_per_frame\": %" PRIu64
               ",\n      \"topologies\": %" PRIu64 ", \"gpu_passes_per_frame\": [%" PRIu64
               ", %" PRIu64 "], \"timer_slots\": %d",
               (seconds / base - 1.0) * 100.0,
               measured->summary.capture_overhead_ns / arguments->frames, bytes,
               bytes / arguments->frames, measured->gzip_bytes,
               measured->gzip_bytes / arguments->frames, measured->topologies,
               measured->passes_least, measured->passes_most, TIMER_SLOTS);
    }
    printf(" }%s\n", level + 1 < LEVELS ? "," : "");
}

int main(int argc, char **argv)
{
    static struct measured all[LEVELS];
    struct arguments arguments = { .frames = 600, .width_px = 320, .height_px = 180, .repeats = 1 };
    if (!parse(argc, argv, &arguments)) {
        (void)fputs("usage: bench_scene [--scene FILE] [--frames N] [--size WxH] [--repeats N] "
                    "[--keep PREFIX]\n",
                    stderr);
        return 2;
    }
    /* Once for nothing: drivers compile shaders when they first see them. */
    struct measured warm_up = { .frames = 0 };
    if (!run(&(struct arguments){ arguments.scene, NULL, WARM_UP_FRAMES, arguments.width_px,
                                  arguments.height_px, 1 },
             0, 0, &warm_up)) {
        return 1;
    }
    /* Levels take turns, so that what else the machine does meets all of them. */
    for (uint32_t repeat = 0; repeat < arguments.repeats; repeat++) {
        for (int level = 0; level < LEVELS; level++) {
            if (!run(&arguments, level, repeat, &all[level])) {
                return 1;
            }
        }
    }
    const char *name = arguments.scene != NULL ? strrchr(arguments.scene, '/') : NULL;
    printf("{ \"bench\": \"scene\", \"commit\": \"%s\", \"device\": \"%s\", \"scene\": \"%s\",\n"
           "  \"frames\": %u, \"size\": \"%ux%u\", \"repeats\": %u, \"levels\": [\n",
           FG_COMMIT, all[0].summary.device_name,
           arguments.scene == NULL ? "courtyard" : (name != NULL ? name + 1 : arguments.scene),
           arguments.frames, arguments.width_px, arguments.height_px, arguments.repeats);
    for (int level = 0; level < LEVELS; level++) {
        print_level(&arguments, level, &all[level], &all[0]);
    }
    printf("  ] }\n");
    return 0;
}
