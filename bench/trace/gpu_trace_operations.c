/* SPDX-License-Identifier: MIT */
/* The questions that bench_gpu_trace asks of both engines. */
#include "gpu_trace_bench.h"

#include <frameglass/trace_aggregate.h>
#include <frameglass/trace_anomaly.h>
#include <frameglass/trace_find.h>
#include <frameglass/trace_links.h>
#include <frameglass/trace_minimap.h>
#include <frameglass/trace_path.h>

void bench_window(const struct bench *bench, unsigned per_mille, int64_t *out_start_ns,
                  int64_t *out_end_ns)
{
    const int64_t extent = bench->info.last_ns - bench->info.first_ns;
    const int64_t length = extent / 1000 * per_mille;
    *out_start_ns = bench->info.first_ns + (extent - length) / 2;
    *out_end_ns = *out_start_ns + (length > 0 ? length : 1);
}

/* ---- views ----------------------------------------------------------------------------------- */

static enum fg_result ask_view(struct bench *bench, struct bench_side *side,
                               struct fg_view_request *request, unsigned per_mille, bool is_folded,
                               uint64_t *out_answer)
{
    struct fg_view_reply reply;
    bench_window(bench, per_mille, &request->start_ns, &request->end_ns);
    const int64_t pixel_ns = (request->end_ns - request->start_ns) / WIDTH_PX + 1;
    request->start_ns += bench->turn % 2 * pixel_ns;
    request->end_ns += bench->turn % 2 * pixel_ns;
    request->width_px = WIDTH_PX;
    request->targets = bench->targets + (is_folded ? bench->info.lanes : 0);
    request->target_count = (uint32_t)(is_folded ? bench->info.processes : bench->info.lanes);
    request->max_spans = UINT32_MAX;
    request->max_bins = UINT32_MAX;
    const enum fg_result result = fg_query_view(side->query, request, &reply);
    *out_answer = result == FG_OK ? (uint64_t)reply.span_count + reply.bins_count : 0;
    return result;
}

static enum fg_result view_density(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    struct fg_view_request request = { .detail = FG_DETAIL_DENSITY };
    return ask_view(bench, side, &request, 1000, false, out);
}
static enum fg_result view_representative(struct bench *bench, struct bench_side *side,
                                          uint64_t *out)
{
    struct fg_view_request request = { .detail = FG_DETAIL_REPRESENTATIVE };
    return ask_view(bench, side, &request, 1000, false, out);
}
static enum fg_result view_filtered(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    struct fg_view_request request = { .detail = FG_DETAIL_REPRESENTATIVE, .filter = side->errors };
    return ask_view(bench, side, &request, 1000, false, out);
}
static enum fg_result view_near(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    struct fg_view_request request = { .detail = FG_DETAIL_REPRESENTATIVE };
    return ask_view(bench, side, &request, 10, false, out);
}
static enum fg_result view_exact(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    struct fg_view_request request = { .detail = FG_DETAIL_EXACT };
    return ask_view(bench, side, &request, 1, false, out);
}
static enum fg_result view_folded(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    struct fg_view_request request = { .detail = FG_DETAIL_AUTO };
    return ask_view(bench, side, &request, 1000, true, out);
}

static enum fg_result minimap(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    const struct fg_minimap_request request = { .kind = FG_VIEW_PROCESS };
    struct fg_minimap_reply reply;
    const enum fg_result result = fg_query_minimap(side->query, &request, &reply);
    *out = result == FG_OK ? reply.cell_count : 0;
    return result;
}

static enum fg_result pick(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    struct fg_pick_request request = { .target = bench->targets[bench->info.lanes / 2] };
    uint32_t row = 0;
    bench_window(bench, 1, &request.time_ns, &(int64_t){ 0 });
    request.tolerance_ns = 1000;
    const enum fg_result result = fg_query_pick(side->query, &request, &row);
    *out = row;
    return result;
}

/* ---- filters and numbers --------------------------------------------------------------------- */

static enum fg_result ask_filter(struct bench_side *side, const struct fg_filter_terms *terms,
                                 uint64_t *out)
{
    uint32_t filter = 0, rows = 0;
    enum fg_result result = fg_query_filter_create(side->query, terms, &filter, &rows);
    *out = rows;
    return result == FG_OK ? fg_query_filter_destroy(side->query, filter) : result;
}
static enum fg_result filter(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    const struct fg_filter_terms terms = { .min_duration_ns = 1000000 };
    return ask_filter(side, &terms, out);
}

static enum fg_result ask_stats(struct bench_side *side, uint32_t figures, uint32_t filter_id,
                                uint64_t *out)
{
    const struct fg_stats_request request = { .by = FG_STATS_BY_NAME,
                                              .figures = figures,
                                              .filter = filter_id };
    struct fg_stats_reply reply;
    const enum fg_result result = fg_query_stats(side->query, &request, &reply);
    *out = result == FG_OK ? reply.sum_ns : 0;
    return result;
}
static enum fg_result stats_totals(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    return ask_stats(side, FG_STATS_TOTALS, 0, out);
}
static enum fg_result stats_filtered(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    return ask_stats(side, FG_STATS_TOTALS, side->errors, out);
}
static enum fg_result stats_all(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    return ask_stats(side, FG_STATS_ALL, 0, out);
}

static enum fg_result ask_aggregate(struct bench_side *side, uint32_t by, uint32_t figures,
                                    uint64_t *out)
{
    const struct fg_aggregate_request request = { .by = by, .figures = figures };
    struct fg_aggregate_reply reply;
    const enum fg_result result = fg_query_aggregate(side->query, &request, &reply);
    *out = 0;
    for (uint32_t i = 0; result == FG_OK && i < reply.count; i++) {
        *out += reply.rows[i].sum + reply.rows[i].median + reply.rows[i].max;
    }
    return result;
}
static enum fg_result sums_category(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    return ask_aggregate(side, FG_AGGREGATE_CATEGORY, 0, out);
}
static enum fg_result sums_process(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    return ask_aggregate(side, FG_AGGREGATE_PROCESS, 0, out);
}
static enum fg_result sums_track(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    return ask_aggregate(side, FG_AGGREGATE_TRACK, 0, out);
}
static enum fg_result percentiles(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    return ask_aggregate(side, FG_AGGREGATE_NAME, FG_FIGURES_PERCENTILES, out);
}

static enum fg_result histogram(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    const struct fg_histogram_request request = { .bins = 12 };
    struct fg_histogram_reply reply;
    const enum fg_result result = fg_query_histogram(side->query, &request, &reply);
    *out = result == FG_OK ? reply.bins[0].count : 0;
    return result;
}
static enum fg_result buckets(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    const struct fg_buckets_request request = { .count = 32 };
    struct fg_buckets_reply reply;
    const enum fg_result result = fg_query_buckets(side->query, &request, &reply);
    *out = result == FG_OK ? reply.buckets[reply.count / 2].sum_ns : 0;
    return result;
}
static enum fg_result anomalies(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    const struct fg_anomaly_request request = { .by = FG_AGGREGATE_NAME };
    struct fg_anomaly_reply reply;
    const enum fg_result result = fg_query_anomalies(side->query, &request, &reply);
    *out = result == FG_OK ? reply.anomalous : 0;
    return result;
}

/* ---- dependencies ---------------------------------------------------------------------------- */

static enum fg_result focus(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    const uint32_t middle = (uint32_t)(bench->info.spans / 2);
    const struct fg_focus_request request = { .seeds = &middle, .seed_count = 1, .hops = 4 };
    struct fg_focus_reply reply;
    const enum fg_result result = fg_query_focus(side->query, &request, &reply);
    *out = result == FG_OK ? reply.count : 0;
    return result;
}
static enum fg_result project(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    const struct fg_project_request request = { .filter = side->errors };
    struct fg_project_reply reply;
    const enum fg_result result = fg_query_project(side->query, &request, &reply);
    *out = result == FG_OK ? reply.projected : 0;
    return result;
}
static enum fg_result ask_path(struct bench_side *side, uint32_t by, uint64_t *out)
{
    const struct fg_path_request request = { .by = by };
    struct fg_path_reply reply;
    const enum fg_result result = fg_query_path(side->query, &request, &reply);
    *out = result == FG_OK ? reply.length_ns : 0;
    return result;
}
static enum fg_result path_parents(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    return ask_path(side, FG_PATH_BY_PARENTS, out);
}
static enum fg_result path_dependencies(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    (void)bench;
    return ask_path(side, FG_PATH_BY_DEPENDENCIES, out);
}
static enum fg_result slice(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    const struct fg_slice_request request = { .row = (uint32_t)(bench->info.spans / 2),
                                              .direction = FG_SLICE_BOTH,
                                              .max_hops = 4 };
    struct fg_slice_reply reply;
    const enum fg_result result = fg_query_slice(side->query, &request, &reply);
    *out = result == FG_OK ? reply.count : 0;
    return result;
}
static enum fg_result links(struct bench *bench, struct bench_side *side, uint64_t *out)
{
    struct fg_links_request request = { .width_px = WIDTH_PX,
                                        .bottom_y = (int32_t)bench->info.lanes * 16,
                                        .places = bench->places,
                                        .place_count = (uint32_t)bench->info.lanes };
    struct fg_links_reply reply;
    bench_window(bench, 25, &request.start_ns, &request.end_ns);
    const enum fg_result result = fg_query_links(side->query, &request, &reply);
    *out = result == FG_OK ? reply.line_count : 0;
    return result;
}

/*
 * Bytes of a row: its times where durations count (16), its kind where names, categories or status
 * do (4), its lane where tracks and processes do (4), and what is written for it. Percentiles sort
 * keys of 12 bytes in 8 passes. Where the answer's size counts, bytes of an item of it.
 */
const struct bench_operation bench_operations[] = {
    { "view, density, whole", view_density, 0, sizeof(struct fg_view_bins), 8, "density" },
    { "view, representative, whole", view_representative, 0, sizeof(struct fg_view_bins), 29,
      "representative with tree" },
    { "view, representative, filtered", view_filtered, 0, sizeof(struct fg_view_bins), 40,
      "representative, filtered" },
    { "view, representative, 1 %", view_near, 0, sizeof(struct fg_view_bins), 14,
      "representative, 1 % window" },
    { "view, exact, 0.1 %", view_exact, 0, sizeof(struct fg_trace_span), 23, "exact visibility" },
    { "view, by process", view_folded, 0, sizeof(struct fg_view_bins), 0, NULL },
    { "minimap", minimap, 0, sizeof(struct fg_minimap_cell), 0, NULL },
    { "pick", pick, 0, 0, 0, NULL },
    { "filter by duration", filter, 16.125, 0, 0, NULL },
    { "totals by name", stats_totals, 24, 0, 0, NULL },
    { "totals by name, filtered", stats_filtered, 24.125, 0, 0, NULL },
    { "sums by category", sums_category, 24, 0, 2652, "duration sums by group" },
    { "sums by process", sums_process, 24, 0, 1325, "duration sums by process" },
    { "sums by track", sums_track, 24, 0, 10458, "duration sums by thread" },
    { "histogram", histogram, 16, 0, 2.0, "histogram" },
    { "32 time buckets", buckets, 16, 0, 1750, "32 time buckets of 1 M spans" },
    { "percentiles by name", percentiles, 24 + 8 * 24, 0, 0, NULL },
    { "table by name", stats_all, 24 + 8 * 24, 0, 0, NULL },
    { "anomalies by name", anomalies, 24, 0, 0, NULL },
    { "focus, 4 hops", focus, 0, 12, 0, NULL },
    { "projection of all rows", project, 8.125, 0, 0, NULL },
    { "path by parents", path_parents, 20, 0, 0, NULL },
    { "path by dependencies", path_dependencies, 36, 0, 0, NULL },
    { "slice, 4 hops", slice, 0, 12, 0, NULL },
    { "dependencies in view, 2.5 %", links, 0, sizeof(struct fg_link_line), 0, NULL },
};
const unsigned bench_operation_count = sizeof bench_operations / sizeof *bench_operations;
