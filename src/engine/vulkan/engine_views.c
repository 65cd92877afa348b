/* SPDX-License-Identifier: MIT */
/* What views keep on the device, and how they are run. */
#include "base/alloc.h"
#include "engine/vulkan/engine_view.h"

/* Sizes are powers of two from these on, so that a little more does not mean new memory. */
enum { LEAST_TARGETS = 64, LEAST_SLOTS = 4096, LEAST_SPANS = 4096, MOST_TARGETS = 1024 };
/* Spans of all targets, if each has more than there is room for: they are counted in 32 bits. */
#define MOST_COUNTED (UINT32_C(1) << 30)

static uint32_t power_of(uint32_t least, uint32_t wanted)
{
    uint32_t size = least;
    while (size < wanted && size < UINT32_C(1) << 30) {
        size *= 2;
    }
    return size;
}

/** Lanes by process: how many, and one of them. */
static enum fg_result count_processes(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_views *views)
{
    const struct fg_trace *trace = vulkan->engine.trace;
    views->process_count = trace->processes.count;
    const size_t room = views->process_count + 1;
    views->process_lanes = fgi_calloc(vulkan->allocator, room, sizeof *views->process_lanes);
    views->process_lane = fgi_calloc(vulkan->allocator, room, sizeof *views->process_lane);
    if (!views->process_lanes || !views->process_lane) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t t = 0; t < trace->tracks.count; t++) {
        const struct fg_trace_track *track = &trace->tracks.items[t];
        if (track->process < views->process_count && track->lane_count > 0) {
            views->process_lanes[track->process] += track->lane_count;
            views->process_lane[track->process] = track->first_lane;
        }
    }
    return FG_OK;
}

static enum fg_result open_views(struct fgi_engine_vulkan *vulkan)
{
    struct fgi_gpu_views *views = fgi_calloc(vulkan->allocator, 1, sizeof *views);
    if (!views) {
        return FG_ERR_NO_MEMORY;
    }
    vulkan->views = views;
    const enum fg_result result = count_processes(vulkan, views);
    return result == FG_OK ? fg_compute_graph_create(vulkan->runner.compute, NULL, &views->graph)
                           : result;
}

/** Spans that there is room for when so many are wanted: it does not shrink. */
static uint32_t spans_of(const struct fgi_gpu_views *views, uint32_t wanted)
{
    const uint32_t had = views && views->view ? views->view->sizes.spans : 0;
    const uint32_t spans = power_of(LEAST_SPANS, wanted);
    return spans > had ? spans : had;
}

uint32_t fgi_gpu_views_targets(const struct fgi_engine_vulkan *vulkan, uint32_t spans)
{
    const uint32_t most = MOST_COUNTED / spans_of(vulkan->views, spans);
    return most < MOST_TARGETS ? most : MOST_TARGETS;
}

/** A view with at least so much room, and with as much as there was. */
static enum fg_result make_view(struct fgi_engine_vulkan *vulkan,
                                const struct fg_gpu_view_sizes *wanted)
{
    struct fgi_gpu_views *views = vulkan->views;
    const struct fg_gpu_view_sizes *had = views->view ? &views->view->sizes : wanted;
    const uint32_t most = fgi_gpu_views_targets(vulkan, wanted->spans);
    struct fg_gpu_view_sizes sizes = { .gpu = wanted->gpu,
                                       .targets = power_of(LEAST_TARGETS, wanted->targets),
                                       .slots = power_of(LEAST_SLOTS, wanted->slots),
                                       .spans = spans_of(views, wanted->spans) };
    sizes.targets = sizes.targets < most ? sizes.targets : most;
    if (views->view && had->targets >= wanted->targets && had->slots >= wanted->slots &&
        had->spans >= wanted->spans) {
        return FG_OK;
    }
    sizes.slots = sizes.slots > had->slots ? sizes.slots : had->slots;
    fg_compute_graph_clear(views->graph);
    views->population = NULL;
    fg_gpu_view_destroy(views->view);
    views->view = NULL;
    return fg_gpu_view_create(&sizes, &views->view);
}

enum fg_result fgi_gpu_views_of(struct fgi_engine_vulkan *vulkan, uint32_t targets, uint32_t slots,
                                uint32_t spans, struct fgi_gpu_views **out_views)
{
    struct fg_gpu_view_sizes sizes = { .targets = targets, .slots = slots, .spans = spans };
    enum fg_result result = fgi_gpu_trace_of(vulkan, &sizes.gpu);
    if (result != FG_OK) {
        return result;
    }
    result = vulkan->views ? FG_OK : open_views(vulkan);
    result = result == FG_OK ? make_view(vulkan, &sizes) : result;
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, "memory for views");
    }
    *out_views = vulkan->views;
    return FG_OK;
}

enum fg_result fgi_gpu_views_keep(struct fgi_engine_vulkan *vulkan,
                                  const struct fg_gpu_population *population)
{
    struct fgi_gpu_views *views = vulkan->views;
    if (views->population == population) {
        return FG_OK;
    }
    views->population = NULL;
    fg_compute_graph_clear(views->graph);
    const struct fg_compute_sink sink = fg_compute_graph_sink(views->graph);
    const enum fg_result result = fg_gpu_view_add(views->view, population, &sink);
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, "nodes of a view");
    }
    views->population = population;
    return FG_OK;
}

enum fg_result fgi_gpu_views_run(struct fgi_engine_vulkan *vulkan,
                                 struct fg_gpu_view_answer *answers, uint32_t target_count,
                                 const char *what)
{
    const struct fgi_gpu_views *views = vulkan->views;
    struct fg_gpu_view_results results;
    fg_gpu_view_get_results(views->view, &results);
    const struct fgi_gpu_read read = {
        fg_compute_view_part(results.answers, 0, target_count * sizeof *answers), answers
    };
    return fgi_gpu_run(vulkan, views->graph, &read, 1, what);
}

/** The first bytes of a column, chunk by chunk. Returns how many reads there are now. */
static uint32_t put_reads(struct fgi_gpu_read *reads, uint32_t count,
                          const struct fgi_gpu_column *column, uint64_t bytes, void *into)
{
    char *to = into;
    for (uint32_t i = 0; i < column->chunk_count && bytes > 0; i++) {
        const uint64_t there = column->chunks[i].size_bytes;
        const uint64_t size = bytes < there ? bytes : there;
        reads[count++] =
            (struct fgi_gpu_read){ fg_compute_view_part(column->chunks[i], 0, size), to };
        to += size;
        bytes -= size;
    }
    return count;
}

enum fg_result fgi_gpu_views_read(struct fgi_engine_vulkan *vulkan,
                                  const struct fgi_question *question,
                                  struct fg_gpu_view_bins *bins, uint32_t bins_count,
                                  uint32_t *rows, uint32_t row_count, const char *what)
{
    const struct fg_gpu_view *view = vulkan->views->view;
    const struct fgi_gpu_column *columns[] = { &view->bins.column, &view->rows.column };
    struct fgi_gpu_read *reads = fgi_arena_alloc(
        question->arena, (size_t)columns[0]->chunk_count + columns[1]->chunk_count, sizeof *reads);
    if (!reads) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t count = put_reads(reads, 0, columns[0], (uint64_t)bins_count * sizeof *bins, bins);
    count = put_reads(reads, count, columns[1], (uint64_t)row_count * sizeof *rows, rows);
    return count > 0 ? fgi_gpu_run(vulkan, NULL, reads, count, what) : FG_OK;
}

void fgi_gpu_views_forget(struct fgi_engine_vulkan *vulkan,
                          const struct fg_gpu_population *population)
{
    struct fgi_gpu_views *views = vulkan->views;
    if (views && population && views->population == population) {
        fg_compute_graph_clear(views->graph);
        views->population = NULL;
    }
}

void fgi_gpu_views_end(struct fgi_engine_vulkan *vulkan)
{
    struct fgi_gpu_views *views = vulkan->views;
    if (!views) {
        return;
    }
    const size_t room = views->process_count + 1;
    fg_compute_graph_destroy(views->graph);
    fg_gpu_view_destroy(views->view);
    fgi_free(vulkan->allocator, views->process_lanes, room * sizeof *views->process_lanes);
    fgi_free(vulkan->allocator, views->process_lane, room * sizeof *views->process_lane);
    fgi_free(vulkan->allocator, views, sizeof *views);
    vulkan->views = NULL;
}
