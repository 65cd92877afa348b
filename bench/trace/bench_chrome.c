/* SPDX-License-Identifier: MIT */
/*
 * How fast Chrome JSON is read: tokens only, and to a whole trace. Without a file a trace of GPU
 * frames is made, the same every time: 300 spans a frame, 300 names, 8 tracks, depth 4, 143 bytes
 * a span.
 *
 *     bench_chrome [SPANS | FILE]     (1,000,000; the file is not packed)
 *     bench_chrome --write SPANS      the JSON itself, to standard output
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/json_read.h"
#include "convert/import_chrome.h"
#include "trace/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5, FRAME_SPANS = 300, TRACKS = 8, PIECE_BYTES = 1 << 20 };

/* ---- the file -------------------------------------------------------------------------------- */

static uint64_t random_next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* The event of one span. Four of a track lie inside each other, then the next four follow. */
static int put_span(char *out, size_t size, uint64_t i, uint64_t *random)
{
    uint64_t in_frame = i % FRAME_SPANS, frame = i / FRAME_SPANS;
    uint64_t depth = in_frame / TRACKS % 4, block = in_frame / TRACKS / 4;
    uint64_t start = frame * 16666667 + block * 1600000 + depth * 20000;
    uint64_t length = 1500000 - depth * 300000 - random_next(random) % 100000;
    return snprintf(
        out, size,
        "%s{\"ph\":\"X\",\"name\":\"render pass %03u\",\"cat\":\"gpu\",\"pid\":1,\"tid\":%u,"
        "\"ts\":%" PRIu64 ".%03u,\"dur\":%" PRIu64 ".%03u,\"args\":{\"frame\":%" PRIu64
        ",\"draws\":%u}}",
        i == 0 ? "{\"traceEvents\":[\n" : ",\n", (unsigned)in_frame, (unsigned)(in_frame % TRACKS),
        start / 1000, (unsigned)(start % 1000), length / 1000, (unsigned)(length % 1000), frame,
        (unsigned)(random_next(random) % 5000));
}

static bool generate(uint64_t spans, struct fgi_bytes *bytes, FILE *file)
{
    char event[300];
    uint64_t random = 1;
    for (uint64_t i = 0; i < spans; i++) {
        int size = put_span(event, sizeof event, i, &random);
        if (file != NULL) {
            fwrite(event, 1, (size_t)size, file);
        } else {
            fgi_put_raw(bytes, event, (size_t)size);
        }
    }
    if (file != NULL) {
        return fputs("\n]}\n", file) >= 0;
    }
    fgi_put_raw(bytes, "\n]}\n", 4);
    return bytes->result == FG_OK;
}

static bool read_file(const char *path, struct fgi_bytes *bytes)
{
    FILE *file = fopen(path, "rb");
    static char piece[PIECE_BYTES];
    size_t got;
    if (file == NULL) {
        return false;
    }
    while ((got = fread(piece, 1, sizeof piece, file)) > 0) {
        fgi_put_raw(bytes, piece, got);
    }
    fclose(file);
    return bytes->result == FG_OK;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static uint64_t read_tokens(const struct fgi_bytes *bytes)
{
    struct fgi_json_reader reader;
    struct fgi_json_item item;
    uint64_t tokens = 0;
    fgi_json_start(&reader, NULL);
    for (size_t at = 0; at < bytes->size; at += PIECE_BYTES) {
        enum fgi_json_token token;
        size_t size = bytes->size - at < PIECE_BYTES ? bytes->size - at : PIECE_BYTES;
        fgi_json_feed(&reader, bytes->data + at, size);
        while ((token = fgi_json_next(&reader, &item)) != FGI_JSON_MORE &&
               token != FGI_JSON_BROKEN) {
            tokens++;
        }
    }
    fgi_json_finish_reading(&reader);
    return tokens;
}

static uint64_t import_all(const struct fgi_bytes *bytes)
{
    struct fg_memory_view view = { bytes->data, bytes->size };
    const struct fg_source source = fg_memory_source(&view);
    struct fg_diag diag = { 0 };
    struct fg_trace *trace = NULL;
    struct fg_trace_info info = { 0 };
    if (fgi_import_chrome(&source, NULL, &diag, &trace) != FG_OK) {
        fprintf(stderr, "%s\n", diag.message);
        return 0;
    }
    fg_trace_get_info(trace, &info);
    fgi_trace_destroy(trace);
    return info.spans;
}

static int compare_times(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

/* Time of the processor, not of the wall: machines are shared. */
static int64_t cpu_ns(void)
{
    return (int64_t)clock() * (INT64_C(1000000000) / CLOCKS_PER_SEC);
}

/* All repeats, sorted: "[a, b, ...]" in ns. The median is returned. */
static int64_t measure(const char *what, const struct fgi_bytes *bytes,
                       uint64_t (*run)(const struct fgi_bytes *), uint64_t *out_count)
{
    int64_t times[REPEATS];
    *out_count = run(bytes); /* warm-up */
    for (int i = 0; i < REPEATS; i++) {
        int64_t begin = cpu_ns();
        *out_count = run(bytes);
        times[i] = cpu_ns() - begin;
    }
    qsort(times, REPEATS, sizeof *times, compare_times);
    printf("  \"%s_ns\": [", what);
    for (int i = 0; i < REPEATS; i++) {
        printf("%s%" PRId64, i > 0 ? ", " : "", times[i]);
    }
    printf("],\n");
    return times[REPEATS / 2];
}

static double mb_per_s(size_t bytes, int64_t ns)
{
    return ns > 0 ? (double)bytes * 1000.0 / (double)ns : 0.0;
}

int main(int argc, char **argv)
{
    struct fgi_bytes bytes = { 0 };
    uint64_t tokens, spans;
    if (argc > 2 && strcmp(argv[1], "--write") == 0) {
        return generate(strtoull(argv[2], NULL, 10), NULL, stdout) ? 0 : 1;
    }
    uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    if (wanted > 0 ? !generate(wanted, &bytes, NULL) : !read_file(argv[1], &bytes)) {
        fprintf(stderr, "the input cannot be had\n");
        return 1;
    }
    printf("{\n  \"bench\": \"chrome\", \"commit\": \"%s\", \"repeats\": %d, \"bytes\": %zu,\n",
           FG_COMMIT, REPEATS, bytes.size);
    int64_t parse_ns = measure("parse", &bytes, read_tokens, &tokens);
    int64_t import_ns = measure("import", &bytes, import_all, &spans);
    printf("  \"tokens\": %" PRIu64 ", \"spans\": %" PRIu64 ",\n", tokens, spans);
    printf("  \"parse_mb_per_s\": %.0f, \"import_mb_per_s\": %.0f\n}\n",
           mb_per_s(bytes.size, parse_ns), mb_per_s(bytes.size, import_ns));
    fgi_bytes_finish(&bytes);
    return spans > 0 ? 0 : 1;
}
