/* SPDX-License-Identifier: MIT */
/* Parts of answers on the device alone: nothing is brought back. The first ones are the floor. */
#include "gpu_trace_bench.h"

#include <frameglass/gpu_trace_views.h>

/* What the entry that is measured has made. */
static struct {
    struct fgi_gpu_column_memory column;
    struct fg_gpu_filter *filter;
    struct fg_gpu_population *population;
    struct fg_gpu_view *view;
} made;

static void end_made(struct bench *bench)
{
    fgi_gpu_column_free(bench->bed.compute, &made.column);
    fg_gpu_view_destroy(made.view);
    fg_gpu_population_destroy(made.population);
    fg_gpu_filter_destroy(made.filter);
    made.view = NULL;
    made.population = NULL;
    made.filter = NULL;
}

static const struct fg_gpu_trace *gpu_of(const struct bench *bench)
{
    return fgi_vulkan(bench->vulkan.engine)->gpu;
}

static enum fg_result take_column(struct bench *bench)
{
    return fgi_gpu_column_take(bench->bed.compute, NULL, bench->info.spans, 8, 0, &made.column);
}

static enum fg_result add_copy(struct bench *bench, struct fg_compute_graph *graph)
{
    const struct fgi_gpu_column *source = fgi_gpu_column(gpu_of(bench), FG_GPU_COLUMN_START);
    enum fg_result result = take_column(bench);
    for (uint32_t i = 0; result == FG_OK && i < source->chunk_count; i++) {
        const struct fg_compute_view target = made.column.column.chunks[i];
        result = fg_compute_graph_add(
            graph,
            FG_COMPUTE_NODE(.name = "copy", .kind = FG_COMPUTE_COPY,
                            .source = fg_compute_view_part(source->chunks[i], 0, target.size_bytes),
                            .target = target));
    }
    return result;
}

static enum fg_result add_copy_kernel(struct bench *bench, struct fg_compute_graph *graph)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    const struct fgi_gpu_work work = fgi_gpu_work_of(gpu_of(bench), &sink);
    const uint32_t rows = (uint32_t)bench->info.spans;
    const enum fg_result result = take_column(bench);
    return result == FG_OK
               ? fgi_gather(&work, fgi_gpu_column(gpu_of(bench), FG_GPU_COLUMN_START), rows, NULL,
                            (struct fgi_count){ .limit = rows }, 0, &made.column.column)
               : result;
}

static enum fg_result add_filter(struct bench *bench, struct fg_compute_graph *graph,
                                 const struct fg_filter_terms *terms)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    const enum fg_result result =
        fg_gpu_filter_create(fgi_vulkan(bench->vulkan.engine)->gpu, terms, NULL, &made.filter);
    return result == FG_OK ? fg_gpu_filter_judge(made.filter, &sink) : result;
}

static enum fg_result add_filter_status(struct bench *bench, struct fg_compute_graph *graph)
{
    const struct fg_filter_terms terms = { .status_mask = 1u << FG_SPAN_ERROR };
    return add_filter(bench, graph, &terms);
}

static enum fg_result add_filter_duration(struct bench *bench, struct fg_compute_graph *graph)
{
    const struct fg_filter_terms terms = { .min_duration_ns = 1000000 };
    return add_filter(bench, graph, &terms);
}

static enum fg_result add_population(struct bench *bench, struct fg_compute_graph *graph,
                                     uint32_t flags)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    const enum fg_result result =
        fg_gpu_population_create(fgi_vulkan(bench->vulkan.engine)->gpu, NULL,
                                 (uint32_t)bench->info.spans, flags, &made.population);
    return result == FG_OK ? fg_gpu_population_build(made.population, &sink) : result;
}

static enum fg_result add_population_compact(struct bench *bench, struct fg_compute_graph *graph)
{
    return add_population(bench, graph, 0);
}

static enum fg_result add_population_whole(struct bench *bench, struct fg_compute_graph *graph)
{
    return add_population(bench, graph, FG_GPU_POPULATION_RANGE_MAX);
}

static enum fg_result add_view(struct bench *bench, struct fg_compute_graph *graph,
                               unsigned per_mille, uint32_t detail)
{
    enum { LANES = 1024 };
    struct fg_gpu_view_target targets[LANES];
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    const uint32_t lanes = bench->info.lanes < LANES ? (uint32_t)bench->info.lanes : LANES;
    const struct fg_gpu_view_sizes sizes = {
        .gpu = fgi_vulkan(bench->vulkan.engine)->gpu,
        .targets = lanes,
        .slots = lanes * (2 * WIDTH_PX + 4),
        .spans = UINT32_C(1) << 22,
    };
    struct fg_gpu_view_window window = { .width_px = WIDTH_PX, .detail = detail };
    bench_window(bench, per_mille, &window.start_ns, &window.end_ns);
    for (uint32_t i = 0; i < lanes; i++) {
        targets[i] = (struct fg_gpu_view_target){ .lane = i, .previous_mode = FG_VIEW_NONE };
    }
    enum fg_result result = fg_gpu_view_create(&sizes, &made.view);
    result = result == FG_OK ? fg_gpu_view_ask(made.view, &window, targets, lanes) : result;
    return result == FG_OK
               ? fg_gpu_view_add(made.view, fgi_vulkan(bench->vulkan.engine)->all, &sink)
               : result;
}

static enum fg_result add_view_exact(struct bench *bench, struct fg_compute_graph *graph)
{
    return add_view(bench, graph, 25, FG_DETAIL_EXACT);
}

static enum fg_result add_view_density(struct bench *bench, struct fg_compute_graph *graph)
{
    return add_view(bench, graph, 1000, FG_DETAIL_DENSITY);
}

static enum fg_result add_view_representative(struct bench *bench, struct fg_compute_graph *graph)
{
    return add_view(bench, graph, 1000, FG_DETAIL_REPRESENTATIVE);
}

static enum fg_result add_view_near(struct bench *bench, struct fg_compute_graph *graph)
{
    return add_view(bench, graph, 10, FG_DETAIL_REPRESENTATIVE);
}

/*
 * Bytes of a row. A population reads rows, start, end and lane by lane order and writes start, end,
 * prefix and, with a range maximum, durations and a sixteenth of 16 bytes of nodes and what they
 * are made from. A view reads what its bins cross: nothing of every row.
 */
const struct bench_nodes bench_nodes[] = {
    { "copy 8 bytes", add_copy, end_made, 16, 0, NULL },
    { "copy 8 bytes, kernel", add_copy_kernel, end_made, 16, 0, NULL },
    { "filter by status", add_filter_status, end_made, 4.125, 0, NULL },
    { "filter by duration", add_filter_duration, end_made, 16.125, 0, NULL },
    { "population, compact", add_population_compact, end_made, 4 + 20 + 24, 178, "lane index" },
    { "population, range maximum", add_population_whole, end_made, 4 + 20 + 32 + 9, 205,
      "lane index and range maximum" },
    { "view, exact 2.5 %", add_view_exact, end_made, 0, 23, "exact visibility" },
    { "view, density, whole", add_view_density, end_made, 0, 8, "density" },
    { "view, representative, whole", add_view_representative, end_made, 0, 29,
      "representative with tree" },
    { "view, representative, 1 %", add_view_near, end_made, 0, 14, "representative, 1 % window" },
};
const unsigned bench_nodes_count = sizeof bench_nodes / sizeof *bench_nodes;
