/* SPDX-License-Identifier: MIT */
/*
 * bench_trace [SPANS [SHAPE] | FILE]: the CPU engine on generated traces (1,000,000 spans unless
 * said otherwise; shapes 0 to 2, all unless said otherwise) or on a capture: making, memory, views
 * at every zoom of lanes and of what is folded, the minimap, picking, statistics. Views are
 * answered on two threads: their times are those of the clock, so that the machine should have
 * nothing else to do. Of minimaps and picks it is the thread's own processor time. JSON on standard
 * output.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/rank.h"
#include "engine/cpu/engine_cpu.h"
#include "generated_trace.h"
#include <frameglass/open.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WIDTH_PX = 1920,
    LANES_MAX = 64,
    WARM_UP = 3,
    VIEWS_A_ZOOM = 40,
    PICKS = 200,
    ZOOMS = 25,
    STATS_REPEATS = 6,
    BUCKETS = 24
};

/* Counts what is held and the most that was. */
struct counting {
    uint64_t bytes, peak_bytes;
};

static void *counting_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct counting *counting = context;
    const struct fg_allocator *libc = fgi_allocator(NULL);
    void *grown = libc->resize(libc->context, block, old_size, size);
    if (grown || size == 0) {
        counting->bytes += size - (block ? old_size : 0);
        counting->peak_bytes =
            counting->bytes > counting->peak_bytes ? counting->bytes : counting->peak_bytes;
    }
    return grown;
}

static enum fg_result write_out(void *context, const void *bytes, size_t size)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? FG_OK : FG_ERR_IO;
}

static void put_times(struct fgi_json *json, const char *key, int64_t *times, size_t count)
{
    uint64_t buckets[BUCKETS] = { 0 };
    int64_t median = fgi_rank_ns(times, count, 50); /* and sorted from here on */
    for (size_t i = 0; i < count; i++) {
        unsigned bucket = 0;
        while (bucket + 1 < BUCKETS && times[i] / 1000 >> (bucket + 1) != 0) {
            bucket++;
        }
        buckets[bucket]++;
    }
    fgi_json_key(json, key);
    fgi_json_inline_object_begin(json);
    fgi_json_key_uint(json, "runs", count);
    fgi_json_key_int(json, "p50_ns", median);
    fgi_json_key_int(json, "p95_ns", fgi_rank_ns(times, count, 95));
    fgi_json_key_int(json, "max_ns", times[count - 1]);
    fgi_json_key(json, "runs_by_power_of_two_us");
    fgi_json_inline_array_begin(json);
    for (unsigned i = 0; i < BUCKETS; i++) {
        fgi_json_uint(json, buckets[i]);
    }
    fgi_json_array_end(json);
    fgi_json_object_end(json);
}

static int64_t processor_ns(void)
{
    struct timespec now = { 0 };
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* What is shown: so many targets of one kind. */
struct scene {
    const struct fg_trace *trace;
    struct fg_query *query;
    struct fg_trace_info info;
    uint8_t kind;
    uint32_t targets;
};

/* What the views of one zoom looked at, at most. */
struct visited {
    struct fg_visits most;
    uint64_t bins_sent, spans_sent; /* at most, too */
};

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void see_visits(struct visited *visited, const struct fg_query *query,
                       const struct fg_view_reply *reply)
{
    struct fg_visits visits;
    fg_query_visits(query, &visits);
    visited->most.bins = larger(visited->most.bins, visits.bins);
    visited->most.spans = larger(visited->most.spans, visits.spans);
    visited->most.steps = larger(visited->most.steps, visits.steps);
    visited->bins_sent = larger(visited->bins_sent, reply->bins_count);
    visited->spans_sent = larger(visited->spans_sent, reply->span_count);
}

static void put_visits(struct fgi_json *json, const char *key, const struct visited *visited)
{
    fgi_json_key(json, key);
    fgi_json_inline_object_begin(json);
    fgi_json_key_uint(json, "bins", visited->most.bins);
    fgi_json_key_uint(json, "spans", visited->most.spans);
    fgi_json_key_uint(json, "steps", visited->most.steps);
    fgi_json_key_uint(json, "bins_sent", visited->bins_sent);
    fgi_json_key_uint(json, "spans_sent", visited->spans_sent);
    fgi_json_object_end(json);
}

/* One zoom: windows of one size around random spans. */
static bool bench_zoom(struct fgi_json *json, const struct scene *scene, unsigned shift,
                       int64_t *worst_p95_ns)
{
    struct fg_view_target targets[LANES_MAX];
    int64_t times[VIEWS_A_ZOOM];
    struct visited visited = { 0 };
    uint64_t random = shift;
    uint64_t extent = (uint64_t)scene->info.last_ns - (uint64_t)scene->info.first_ns;
    uint64_t window = (extent >> shift) + 1;
    struct fg_view_request request = { .width_px = WIDTH_PX,
                                       .targets = targets,
                                       .target_count = scene->targets,
                                       .max_spans = 1u << 20,
                                       .max_bins = 1u << 22 };
    for (uint32_t i = 0; i < scene->targets; i++) {
        targets[i] = (struct fg_view_target){ scene->kind, FG_VIEW_NONE, i };
    }
    for (int i = -WARM_UP; i < VIEWS_A_ZOOM; i++) {
        struct fg_view_reply reply;
        struct fg_trace_span span;
        uint32_t count = 0;
        uint32_t row = (uint32_t)(generated_random(&random) % scene->info.spans);
        if (fg_trace_spans(scene->trace, row, &span, 1, &count) != FG_OK) {
            return false;
        }
        request.start_ns =
            shift == 0 ? scene->info.first_ns : span.start_ns - (int64_t)(window / 2);
        request.end_ns = request.start_ns + (int64_t)window;
        int64_t before = fgi_clock_monotonic_ns();
        if (fg_query_view(scene->query, &request, &reply) != FG_OK) {
            return false;
        }
        if (i >= 0) {
            times[i] = fgi_clock_monotonic_ns() - before;
            see_visits(&visited, scene->query, &reply);
        }
        fg_query_reset(scene->query);
    }
    char key[32];
    snprintf(key, sizeof key, "1/%u", 1u << shift);
    put_times(json, key, times, VIEWS_A_ZOOM);
    snprintf(key, sizeof key, "visits 1/%u", 1u << shift);
    put_visits(json, key, &visited);
    int64_t p95_ns = fgi_rank_ns(times, VIEWS_A_ZOOM, 95);
    *worst_p95_ns = p95_ns > *worst_p95_ns ? p95_ns : *worst_p95_ns;
    return true;
}

static bool bench_views(struct fgi_json *json, const char *key, const struct fg_trace *trace,
                        struct fg_query *query, uint8_t kind)
{
    struct scene scene = { .trace = trace, .query = query, .kind = kind };
    int64_t worst_p95_ns = 0;
    bool ok = true;
    fg_trace_get_info(trace, &scene.info);
    uint64_t targets = kind == FG_VIEW_LANE    ? scene.info.lanes
                       : kind == FG_VIEW_TRACK ? scene.info.tracks
                                               : scene.info.processes;
    scene.targets = targets < LANES_MAX ? (uint32_t)targets : LANES_MAX;
    fgi_json_key(json, key);
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "targets", scene.targets);
    for (unsigned shift = 0; shift < ZOOMS && ok; shift++) {
        ok = bench_zoom(json, &scene, shift, &worst_p95_ns);
    }
    fgi_json_key_int(json, "worst_p95_ns", worst_p95_ns);
    fgi_json_object_end(json);
    return ok;
}

static bool bench_minimap(struct fgi_json *json, struct fg_query *query)
{
    int64_t times[VIEWS_A_ZOOM];
    struct fg_visits visits = { 0 };
    for (int i = -WARM_UP; i < VIEWS_A_ZOOM; i++) {
        struct fg_minimap_reply reply;
        int64_t before = processor_ns();
        if (fg_query_minimap(query, &(struct fg_minimap_request){ .kind = FG_VIEW_TRACK },
                             &reply) != FG_OK) {
            return false;
        }
        if (i >= 0) {
            times[i] = processor_ns() - before;
            fg_query_visits(query, &visits);
        }
        fg_query_reset(query);
    }
    put_times(json, "minimap_of_tracks", times, VIEWS_A_ZOOM);
    fgi_json_key_uint(json, "minimap_bins", visits.bins);
    fgi_json_key_uint(json, "minimap_spans", visits.spans);
    return true;
}

static bool bench_picks(struct fgi_json *json, const struct fg_trace *trace, struct fg_query *query)
{
    int64_t times[PICKS];
    uint64_t random = 1;
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    for (int i = 0; i < PICKS; i++) {
        struct fg_trace_span span;
        uint32_t count = 0;
        uint32_t found = 0;
        uint32_t row = (uint32_t)(generated_random(&random) % info.spans);
        if (fg_trace_spans(trace, row, &span, 1, &count) != FG_OK) {
            return false;
        }
        struct fg_pick_request request = { .target = { .kind = FG_VIEW_TRACK, .index = span.track },
                                           .time_ns = span.start_ns,
                                           .tolerance_ns = 1000 };
        int64_t before = processor_ns();
        if (fg_query_pick(query, &request, &found) != FG_OK) {
            return false;
        }
        times[i] = processor_ns() - before;
        fg_query_reset(query);
    }
    put_times(json, "pick_in_folded_tracks", times, PICKS);
    return true;
}

static bool bench_stats(struct fgi_json *json, struct fg_query *query)
{
    int64_t times[1 + STATS_REPEATS]; /* the first has nothing in its caches */
    for (int i = 0; i < 1 + STATS_REPEATS; i++) {
        struct fg_stats_reply reply;
        int64_t before = fgi_clock_monotonic_ns();
        if (fg_query_stats(query, &(struct fg_stats_request){ .by = FG_STATS_BY_NAME }, &reply) !=
            FG_OK) {
            return false;
        }
        times[i] = fgi_clock_monotonic_ns() - before;
        fg_query_reset(query);
    }
    fgi_json_key_int(json, "stats_by_name_first_ns", times[0]);
    put_times(json, "stats_by_name", times + 1, STATS_REPEATS);
    return true;
}

/* Everything that is asked of one engine. */
static bool bench_engine(struct fgi_json *json, const struct fg_trace *trace,
                         struct fg_query *query, const struct counting *counting)
{
    bool ok = bench_views(json, "view_1920_px_lanes", trace, query, FG_VIEW_LANE) &&
              bench_minimap(json, query) && bench_picks(json, trace, query) &&
              bench_stats(json, query);
    uint64_t before_folded = counting->bytes;
    ok = ok && bench_views(json, "view_1920_px_tracks", trace, query, FG_VIEW_TRACK) &&
         bench_views(json, "view_1920_px_processes", trace, query, FG_VIEW_PROCESS);
    fgi_json_key_uint(json, "folded_bytes", counting->bytes - before_folded);
    return ok;
}

static void put_size(struct fgi_json *json, const struct fg_trace *trace, uint64_t bytes)
{
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    fgi_json_key_uint(json, "spans", info.spans);
    fgi_json_key_uint(json, "lanes", info.lanes);
    fgi_json_key(json, "bytes_per_span");
    fgi_json_thousandths(json, (int64_t)(bytes * 1000 / (info.spans + 1)));
}

static bool bench_shape(struct fgi_json *json, enum generated_shape shape, const char *name,
                        uint32_t span_count)
{
    struct counting counting = { 0 };
    struct fg_allocator allocator = { counting_resize, &counting };
    struct fg_trace *trace = NULL;
    struct fg_engine *engine = NULL;
    struct fg_query *query = NULL;
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "shape", name);
    int64_t before = fgi_clock_monotonic_ns();
    bool ok = generated_trace(&allocator, shape, span_count, &trace) == FG_OK;
    fgi_json_key_int(json, "make_trace_ns", fgi_clock_monotonic_ns() - before);
    uint64_t trace_bytes = counting.bytes;
    before = fgi_clock_monotonic_ns();
    ok = ok && fgi_engine_cpu_create(&allocator, trace, &engine) == FG_OK &&
         fg_query_create(engine, &allocator, NULL, NULL, &query) == FG_OK;
    if (ok) {
        fgi_json_key_int(json, "make_indexes_ns", fgi_clock_monotonic_ns() - before);
        fgi_json_key_uint(json, "index_bytes", counting.bytes - trace_bytes);
        put_size(json, trace, counting.bytes);
        ok = bench_engine(json, trace, query, &counting);
    }
    fgi_json_key_uint(json, "peak_bytes", counting.peak_bytes);
    fgi_json_object_end(json);
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
    fgi_trace_destroy(trace);
    return ok && counting.bytes == 0;
}

/* A capture: its trace and its engine are made together. */
static bool bench_file(struct fgi_json *json, const char *path)
{
    struct counting counting = { 0 };
    struct fg_allocator allocator = { counting_resize, &counting };
    struct fg_open_options options = { .allocator = &allocator };
    struct fg_document *document = NULL;
    struct fg_query *query = NULL;
    struct fg_diag diag = { 0 };
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "shape", path);
    int64_t before = fgi_clock_monotonic_ns();
    bool ok =
        fg_open_path(path, &options, &diag, &document) == FG_OK &&
        fg_document_load(document, &diag) == FG_OK &&
        fg_query_create(fg_document_engine(document), &allocator, NULL, NULL, &query) == FG_OK;
    fgi_json_key_int(json, "load_and_index_ns", fgi_clock_monotonic_ns() - before);
    if (ok) {
        put_size(json, fg_document_trace(document), counting.bytes);
        ok = bench_engine(json, fg_document_trace(document), query, &counting);
    }
    fgi_json_key_uint(json, "peak_bytes", counting.peak_bytes);
    fgi_json_object_end(json);
    fg_query_destroy(query);
    fg_document_close(document);
    return ok && counting.bytes == 0;
}

int main(int argc, char **argv)
{
    struct fg_sink sink = { .write = write_out };
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    char *end = NULL;
    unsigned long spans = argc > 1 ? strtoul(argv[1], &end, 10) : 1000000;
    const char *path = argc == 2 && *end ? argv[1] : NULL;
    int shape = argc > 2 ? argv[2][0] - '0' : -1;
    bool is_sound = argc <= 3 && (path || (spans > 0 && spans <= 1u << 31));
    if (!is_sound || (argc > 2 && (*end || shape < 0 || shape > 2 || argv[2][1]))) {
        fputs("usage: bench_trace [SPANS [SHAPE] | FILE]\n", stderr);
        return 2;
    }
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "benchmark", "trace engine, cpu");
    fgi_json_key_text(&json, "commit", FG_COMMIT);
    fgi_json_key_text(&json, "version", fg_version());
    fgi_json_key_uint(&json, "warm_up", WARM_UP);
    fgi_json_key_uint(&json, "repeats_per_zoom", VIEWS_A_ZOOM);
    fgi_json_key_uint(&json, "repeats_of_stats", STATS_REPEATS);
    fgi_json_key(&json, "shapes");
    fgi_json_array_begin(&json);
    static const char *const names[] = { "frames", "256 lanes", "bursts" };
    bool ok = !path || bench_file(&json, path);
    for (int i = 0; i < 3 && ok && !path; i++) {
        if (shape < 0 || shape == i) {
            ok = bench_shape(&json, (enum generated_shape)i, names[i], (uint32_t)spans);
        }
    }
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json) == FG_OK && ok ? 0 : 1;
}
