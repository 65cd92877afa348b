/* SPDX-License-Identifier: MIT */
/*
 * bench_stats [SPANS [SHAPE]]: numbers over many spans on generated traces (1,000,000 spans unless
 * said otherwise; shapes 0 to 2, all unless said otherwise): totals and full rows by name,
 * aggregates, histograms, time buckets, filters, anomaly scores and tints. Wall-clock times in
 * nanoseconds, the smallest, the median and the largest of a few; JSON on standard output.
 */
#include "base/clock.h"
#include "base/json.h"
#include "base/rank.h"
#include "engine/cpu/engine_cpu.h"
#include "generated_trace.h"
#include "trace/engine.h"
#include "trace/model.h"
#include <frameglass/trace_anomaly.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 5, WIDTH_PX = 1920, LANES_MAX = 64 };

struct bed {
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_query *query;
    uint32_t scores;
};

static enum fg_result write_out(void *context, const void *bytes, size_t size)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? FG_OK : FG_ERR_IO;
}

static enum fg_result totals(struct bed *bed)
{
    struct fg_stats_reply reply;
    return fg_query_stats(bed->query, &(struct fg_stats_request){ .figures = FG_STATS_TOTALS },
                          &reply);
}

static enum fg_result full_rows(struct bed *bed)
{
    struct fg_stats_reply reply;
    return fg_query_stats(bed->query, &(struct fg_stats_request){ .by = FG_STATS_BY_NAME }, &reply);
}

static enum fg_result percentiles(struct bed *bed)
{
    struct fg_aggregate_reply reply;
    return fg_query_aggregate(bed->query,
                              &(struct fg_aggregate_request){
                                  .by = FG_AGGREGATE_NAME,
                                  .figures = FG_FIGURES_PERCENTILES,
                              },
                              &reply);
}

static enum fg_result by_lane(struct bed *bed)
{
    struct fg_aggregate_reply reply;
    return fg_query_aggregate(bed->query, &(struct fg_aggregate_request){ .by = FG_AGGREGATE_LANE },
                              &reply);
}

static enum fg_result histogram(struct bed *bed)
{
    struct fg_histogram_reply reply;
    return fg_query_histogram(bed->query,
                              &(struct fg_histogram_request){ .scale = FG_HISTOGRAM_LOG2 }, &reply);
}

static enum fg_result buckets(struct bed *bed)
{
    struct fg_buckets_reply reply;
    return fg_query_buckets(bed->query, &(struct fg_buckets_request){ .count = 1024 }, &reply);
}

static enum fg_result filter(struct bed *bed)
{
    uint32_t id = 0;
    uint32_t rows = 0;
    enum fg_result result = fg_query_filter_create(
        bed->query,
        &(struct fg_filter_terms){ .min_duration_ns = 100, .similar_parent_percent = 20 }, &id,
        &rows);
    return result == FG_OK ? fg_query_filter_destroy(bed->query, id) : result;
}

static enum fg_result anomalies(struct bed *bed)
{
    struct fg_anomaly_reply reply;
    if (bed->scores) {
        (void)fg_query_scores_destroy(bed->query, bed->scores);
        bed->scores = 0;
    }
    enum fg_result result = fg_query_anomalies(
        bed->query, &(struct fg_anomaly_request){ .by = FG_AGGREGATE_NAME, .keep = true }, &reply);
    bed->scores = result == FG_OK ? reply.scores : 0;
    return result;
}

static enum fg_result tints(struct bed *bed)
{
    struct fg_view_target targets[LANES_MAX];
    struct fg_trace_info info;
    struct fg_tints_reply reply;
    fg_trace_get_info(bed->trace, &info);
    uint32_t count = info.lanes < LANES_MAX ? (uint32_t)info.lanes : LANES_MAX;
    for (uint32_t i = 0; i < count; i++) {
        targets[i] = (struct fg_view_target){ .kind = FG_VIEW_LANE, .index = i };
    }
    return fg_query_tints(bed->query,
                          &(struct fg_tints_request){ .scores = bed->scores,
                                                      .start_ns = info.first_ns,
                                                      .end_ns = info.last_ns + 1,
                                                      .width_px = WIDTH_PX,
                                                      .targets = targets,
                                                      .target_count = count },
                          &reply);
}

static const struct {
    const char *name;
    enum fg_result (*run)(struct bed *bed);
} subjects[] = {
    { "totals_by_name", totals },
    { "full_rows_by_name", full_rows },
    { "percentiles_by_name", percentiles },
    { "sums_by_lane", by_lane },
    { "histogram_log2", histogram },
    { "buckets_1024", buckets },
    { "filter_with_relations", filter },
    { "anomalies_by_name", anomalies },
    { "tints_64_lanes", tints },
};

/* The first call is apart: it makes what later ones find. */
static enum fg_result measure(struct bed *bed, struct fgi_json *json)
{
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        int64_t times[REPEATS + 1];
        for (int k = 0; k <= REPEATS; k++) {
            int64_t begin = fgi_clock_monotonic_ns();
            enum fg_result result = subjects[i].run(bed);
            times[k] = fgi_clock_monotonic_ns() - begin;
            fg_query_reset(bed->query);
            if (result != FG_OK) {
                return result;
            }
        }
        fgi_json_key(json, subjects[i].name);
        fgi_json_inline_object_begin(json);
        fgi_json_key_int(json, "first_ns", times[0]);
        fgi_json_key_int(json, "min_ns", fgi_rank_ns(times + 1, REPEATS, 0));
        fgi_json_key_int(json, "median_ns", fgi_rank_ns(times + 1, REPEATS, 50));
        fgi_json_key_int(json, "max_ns", fgi_rank_ns(times + 1, REPEATS, 100));
        fgi_json_object_end(json);
    }
    return FG_OK;
}

static enum fg_result bench(enum generated_shape shape, uint32_t spans, struct fgi_json *json)
{
    struct bed bed = { 0 };
    enum fg_result result = generated_trace(NULL, shape, spans, &bed.trace);
    if (result == FG_OK) {
        result = fgi_engine_cpu_create(NULL, bed.trace, &bed.engine);
    }
    if (result == FG_OK) {
        result = fg_query_create(bed.engine, NULL, NULL, NULL, &bed.query);
    }
    if (result == FG_OK) {
        fgi_json_object_begin(json);
        fgi_json_key_int(json, "shape", shape);
        fgi_json_key_int(json, "spans", spans);
        result = measure(&bed, json);
        fgi_json_object_end(json);
    }
    fg_query_destroy(bed.query);
    fgi_engine_destroy(bed.engine);
    fgi_trace_destroy(bed.trace);
    return result;
}

int main(int argc, char **argv)
{
    uint32_t spans = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    int first = argc > 2 ? atoi(argv[2]) : GENERATED_FRAMES;
    int last = argc > 2 ? first : GENERATED_BURSTS;
    struct fg_sink sink = { .write = write_out };
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    enum fg_result result = FG_OK;
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "benchmark", "numbers over many spans, cpu");
    fgi_json_key_text(&json, "commit", FG_COMMIT);
    fgi_json_key_uint(&json, "repeats", REPEATS);
    fgi_json_key(&json, "shapes");
    fgi_json_array_begin(&json);
    for (int shape = first; shape <= last && result == FG_OK; shape++) {
        result = bench((enum generated_shape)shape, spans, &json);
    }
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    result = result == FG_OK ? fgi_json_finish(&json) : result;
    if (result != FG_OK) {
        fprintf(stderr, "bench_stats: %s\n", fg_result_text(result));
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
