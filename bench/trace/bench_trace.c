/* SPDX-License-Identifier: MIT */
/*
 * bench_trace [SPANS]: the CPU engine on generated traces (1,000,000 spans unless said otherwise):
 * making, memory, views at every zoom, statistics. JSON on standard output.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/rank.h"
#include "engine/cpu/engine_cpu.h"
#include "generated_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH_PX = 1920,
    LANES_MAX = 64,
    WARM_UP = 3,
    VIEWS_A_ZOOM = 60,
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

/* One zoom: windows of one size around random spans, all lanes (64 at most). */
static bool bench_zoom(struct fgi_json *json, const struct fg_trace *trace, struct fg_query *query,
                       const struct fg_trace_info *info, unsigned shift, const char *key)
{
    struct fg_view_target targets[LANES_MAX];
    int64_t times[VIEWS_A_ZOOM];
    uint64_t random = shift;
    uint64_t extent = (uint64_t)info->last_ns - (uint64_t)info->first_ns;
    uint64_t window = (extent >> shift) + 1;
    struct fg_view_request request = {
        .width_px = WIDTH_PX, .targets = targets, .max_spans = 1u << 20, .max_bins = 1u << 22
    };
    while (request.target_count < LANES_MAX && request.target_count < info->lanes) {
        targets[request.target_count] =
            (struct fg_view_target){ FG_VIEW_LANE, FG_VIEW_NONE, request.target_count };
        request.target_count++;
    }
    for (int i = -WARM_UP; i < VIEWS_A_ZOOM; i++) {
        struct fg_view_reply reply;
        struct fg_trace_span span;
        uint32_t count = 0;
        uint32_t row = (uint32_t)(generated_random(&random) % info->spans);
        if (fg_trace_spans(trace, row, &span, 1, &count) != FG_OK) {
            return false;
        }
        request.start_ns = shift == 0 ? info->first_ns : span.start_ns - (int64_t)(window / 2);
        request.end_ns = request.start_ns + (int64_t)window;
        int64_t before = fgi_clock_monotonic_ns();
        if (fg_query_view(query, &request, &reply) != FG_OK) {
            return false;
        }
        if (i >= 0) {
            times[i] = fgi_clock_monotonic_ns() - before;
        }
        fg_query_reset(query);
    }
    put_times(json, key, times, VIEWS_A_ZOOM);
    return true;
}

static bool bench_views(struct fgi_json *json, const struct fg_trace *trace, struct fg_query *query,
                        const struct fg_trace_info *info)
{
    bool ok = true;
    fgi_json_key(json, "view_1920_px");
    fgi_json_object_begin(json);
    for (unsigned shift = 0; shift <= 24 && ok; shift += 3) {
        char key[32];
        snprintf(key, sizeof key, "1/%u", 1u << shift);
        ok = bench_zoom(json, trace, query, info, shift, key);
    }
    fgi_json_object_end(json);
    return ok;
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

static bool bench_shape(struct fgi_json *json, enum generated_shape shape, const char *name,
                        uint32_t span_count)
{
    struct counting counting = { 0 };
    struct fg_allocator allocator = { counting_resize, &counting };
    struct fg_trace *trace = NULL;
    struct fg_engine *engine = NULL;
    struct fg_query *query = NULL;
    struct fg_trace_info info;
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
        fg_trace_get_info(trace, &info);
        fgi_json_key_int(json, "make_indexes_ns", fgi_clock_monotonic_ns() - before);
        fgi_json_key_uint(json, "spans", info.spans);
        fgi_json_key_uint(json, "lanes", info.lanes);
        fgi_json_key_uint(json, "trace_bytes", trace_bytes);
        fgi_json_key_uint(json, "index_bytes", counting.bytes - trace_bytes);
        fgi_json_key(json, "bytes_per_span");
        fgi_json_thousandths(json, (int64_t)(counting.bytes * 1000 / info.spans));
        ok = bench_views(json, trace, query, &info) && bench_stats(json, query);
    }
    fgi_json_key_uint(json, "peak_bytes", counting.peak_bytes);
    fgi_json_object_end(json);
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
    fgi_trace_destroy(trace);
    return ok && counting.bytes == 0;
}

int main(int argc, char **argv)
{
    struct fg_sink sink = { .write = write_out };
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    char *end = NULL;
    unsigned long spans = argc > 1 ? strtoul(argv[1], &end, 10) : 1000000;
    if (argc > 2 || (argc == 2 && (*end || end == argv[1] || spans == 0 || spans > 1u << 31))) {
        fputs("usage: bench_trace [SPANS]\n", stderr);
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
    bool ok = bench_shape(&json, GENERATED_FRAMES, "frames", (uint32_t)spans) &&
              bench_shape(&json, GENERATED_LANES, "256 lanes", (uint32_t)spans) &&
              bench_shape(&json, GENERATED_BURSTS, "bursts", (uint32_t)spans);
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json) == FG_OK && ok ? 0 : 1;
}
