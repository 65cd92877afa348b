/* SPDX-License-Identifier: MIT */
/*
 * What views keep on the device, and how they are run: one submission brings back the answers and
 * as many bins and rows as the last one needed, which mostly is all.
 */
#include "base/alloc.h"
#include "engine/vulkan/engine_view.h"

/* Sizes are powers of two from these on, so that a little more does not mean new memory. */
enum {
    LEAST_TARGETS = 64,
    LEAST_SLOTS = 4096,
    LEAST_SPANS = 4096,
    LEAST_MEMBERS = 16,
    MOST_TARGETS = 1024,
    LEAST_GUESS = 1024,
    RECORD_BYTES = 48, /* of a target: view_record of view.glsl */
};
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

uint32_t fgi_gpu_views_members(const struct fgi_engine_vulkan *vulkan)
{
    /* What is found out of each target lies in one view. */
    const uint64_t most = fg_compute_get_facts(vulkan->runner.compute)->block_bytes / RECORD_BYTES;
    uint32_t members = 1;
    while ((uint64_t)members * 2 <= most - (most > MOST_TARGETS ? MOST_TARGETS : 0) &&
           members < UINT32_C(1) << 30) {
        members *= 2;
    }
    return members;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/** There are no nodes, and nothing that was brought back answers anything. */
static void drop_nodes(struct fgi_gpu_views *views)
{
    fg_compute_graph_clear(views->graph);
    views->population = NULL;
    views->is_current = false;
}

/** A view with at least so much room, and with as much as there was. */
static enum fg_result make_view(struct fgi_engine_vulkan *vulkan,
                                const struct fg_gpu_view_sizes *wanted)
{
    struct fgi_gpu_views *views = vulkan->views;
    const struct fg_gpu_view_sizes *had = views->view ? &views->view->sizes : wanted;
    const uint32_t most = fgi_gpu_views_targets(vulkan, wanted->spans);
    if (views->view && had->targets >= wanted->targets && had->slots >= wanted->slots &&
        had->spans >= wanted->spans && had->members >= wanted->members &&
        had->member_slots >= wanted->member_slots) {
        return FG_OK;
    }
    struct fg_gpu_view_sizes sizes = { .gpu = wanted->gpu,
                                       .targets = power_of(LEAST_TARGETS, wanted->targets),
                                       .slots = power_of(LEAST_SLOTS, wanted->slots),
                                       .spans = spans_of(views, wanted->spans) };
    sizes.targets = sizes.targets < most ? sizes.targets : most;
    sizes.slots = greater(sizes.slots, had->slots);
    if (wanted->members > 0) {
        sizes.members = power_of(LEAST_MEMBERS, wanted->members);
        sizes.member_slots = power_of(LEAST_SLOTS, wanted->member_slots);
    }
    sizes.members = greater(sizes.members, had->members);
    sizes.member_slots = greater(sizes.member_slots, had->member_slots);
    drop_nodes(views);
    fg_gpu_view_destroy(views->view);
    views->view = NULL;
    return fg_gpu_view_create(&sizes, &views->view);
}

enum fg_result fgi_gpu_views_of(struct fgi_engine_vulkan *vulkan,
                                const struct fg_gpu_view_sizes *wanted,
                                struct fgi_gpu_views **out_views)
{
    struct fg_gpu_view_sizes sizes = *wanted;
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

/* ---- nodes ----------------------------------------------------------------------------------- */

static struct fg_gpu_fold *find_fold(const struct fgi_gpu_views *views,
                                     const struct fg_gpu_population *population, uint32_t kind)
{
    for (size_t i = 0; i < views->folds.count; i++) {
        const struct fgi_gpu_views_fold *one = &views->folds.items[i];
        if (one->population == population && one->kind == kind) {
            return one->fold;
        }
    }
    return NULL;
}

enum fg_result fgi_gpu_views_keep(struct fgi_engine_vulkan *vulkan,
                                  const struct fg_gpu_population *population, bool has_folds)
{
    struct fgi_gpu_views *views = vulkan->views;
    if (views->population == population && views->has_folds == has_folds) {
        return FG_OK;
    }
    drop_nodes(views);
    const struct fg_compute_sink sink = fg_compute_graph_sink(views->graph);
    const enum fg_result result = fg_gpu_view_add_folded(
        views->view, population, has_folds ? find_fold(views, population, FG_VIEW_TRACK) : NULL,
        has_folds ? find_fold(views, population, FG_VIEW_PROCESS) : NULL, &sink);
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, "nodes of a view");
    }
    views->population = population;
    views->has_folds = has_folds;
    return FG_OK;
}

/* ---- folds ----------------------------------------------------------------------------------- */

/** The order of the trace, once, and the fold: made and run. */
static enum fg_result make_fold(struct fgi_engine_vulkan *vulkan,
                                const struct fg_gpu_population *population, uint32_t kind,
                                struct fg_gpu_fold **out_fold)
{
    struct fgi_gpu_views *views = vulkan->views;
    struct fg_compute_graph *graph = NULL;
    struct fg_gpu_order *order = NULL;
    struct fg_gpu_fold *fold = NULL;
    enum fg_result result = fg_compute_graph_create(vulkan->runner.compute, NULL, &graph);
    const struct fg_compute_sink sink =
        graph ? fg_compute_graph_sink(graph) : (struct fg_compute_sink){ 0 };
    if (result == FG_OK && !views->order) {
        result = fg_gpu_order_create(population->gpu, &order);
        result = result == FG_OK ? fg_gpu_order_build(order, &sink) : result;
        result = result == FG_OK ? fgi_gpu_run(vulkan, graph, NULL, 0, "rows by time") : result;
        if (result == FG_OK) {
            fg_gpu_order_settle(order);
            fg_compute_graph_clear(graph);
            views->order = order;
        } else {
            fg_gpu_order_destroy(order);
        }
    }
    result = result == FG_OK ? fg_gpu_fold_create(population, views->order, kind, &fold) : result;
    result = result == FG_OK ? fg_gpu_fold_build(fold, &sink) : result;
    result = result == FG_OK ? fgi_gpu_run(vulkan, graph, NULL, 0, "folded groups") : result;
    fg_compute_graph_destroy(graph);
    if (result != FG_OK) {
        fg_gpu_fold_destroy(fold);
        return result;
    }
    fg_gpu_fold_settle(fold);
    *out_fold = fold;
    return FG_OK;
}

enum fg_result fgi_gpu_views_fold(struct fgi_engine_vulkan *vulkan,
                                  const struct fg_gpu_population *population, uint32_t kind,
                                  struct fg_gpu_fold **out_fold)
{
    struct fgi_gpu_views *views = vulkan->views;
    *out_fold = find_fold(views, population, kind);
    const uint64_t bytes =
        fgi_gpu_fold_bytes(population) + (views->order ? 0 : fgi_gpu_order_bytes(population->gpu));
    if (*out_fold || bytes > fg_compute_memory_left(vulkan->runner.compute) / 2) {
        return FG_OK;
    }
    struct fg_gpu_fold *fold = NULL;
    enum fg_result result = FGI_GROW(vulkan->allocator, views->folds.items, views->folds.capacity,
                                     views->folds.count + 1, SIZE_MAX / sizeof *views->folds.items);
    result = result == FG_OK ? make_fold(vulkan, population, kind, &fold) : result;
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, "folded groups");
    }
    views->folds.items[views->folds.count++] =
        (struct fgi_gpu_views_fold){ population, kind, fold };
    drop_nodes(views); /* which may stand on fewer */
    *out_fold = fold;
    return FG_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

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

/** Run the nodes, if any, and bring back so much. */
static enum fg_result bring(struct fgi_engine_vulkan *vulkan, const struct fgi_question *question,
                            struct fg_compute_graph *graph, uint32_t target_count,
                            uint32_t bins_count, uint32_t row_count, const char *what)
{
    struct fgi_gpu_views *views = vulkan->views;
    const struct fg_allocator *allocator = vulkan->allocator;
    const struct fgi_gpu_column *bins = &views->view->bins.column;
    const struct fgi_gpu_column *rows = &views->view->rows.column;
    const size_t room = (size_t)bins->chunk_count + rows->chunk_count + 1;
    struct fg_gpu_view_results results;
    struct fgi_gpu_read *reads = fgi_arena_alloc(question->arena, room, sizeof *reads);
    if (!reads ||
        FGI_GROW(allocator, views->answers.items, views->answers.capacity, (size_t)target_count + 1,
                 SIZE_MAX / sizeof *views->answers.items) != FG_OK ||
        FGI_GROW(allocator, views->bins.items, views->bins.capacity, (size_t)bins_count + 1,
                 SIZE_MAX / sizeof *views->bins.items) != FG_OK ||
        FGI_GROW(allocator, views->rows.items, views->rows.capacity, (size_t)row_count + 1,
                 SIZE_MAX / sizeof *views->rows.items) != FG_OK) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    fg_gpu_view_get_results(views->view, &results);
    if (graph && target_count > 0) {
        reads[count++] = (struct fgi_gpu_read){
            fg_compute_view_part(results.answers, 0, target_count * sizeof *views->answers.items),
            views->answers.items
        };
    }
    count = put_reads(reads, count, bins, (uint64_t)bins_count * sizeof *views->bins.items,
                      views->bins.items);
    count = put_reads(reads, count, rows, (uint64_t)row_count * sizeof *views->rows.items,
                      views->rows.items);
    const enum fg_result result =
        graph || count > 0 ? fgi_gpu_run(vulkan, graph, reads, count, what) : FG_OK;
    views->bins.count = result == FG_OK ? bins_count : 0;
    views->rows.count = result == FG_OK ? row_count : 0;
    return result;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

enum fg_result fgi_gpu_views_run(struct fgi_engine_vulkan *vulkan,
                                 const struct fgi_question *question, uint32_t target_count,
                                 const char *what)
{
    struct fgi_gpu_views *views = vulkan->views;
    const struct fg_gpu_view_sizes *sizes = &views->view->sizes;
    if (views->is_current && fg_gpu_view_written_bytes(views->view) == 0) {
        return FG_OK;
    }
    views->is_current = false;
    const enum fg_result result =
        bring(vulkan, question, views->graph, target_count,
              least(greater(views->bins_guess, LEAST_GUESS), sizes->slots),
              least(greater(views->rows_guess, LEAST_GUESS), sizes->spans), what);
    views->is_current = result == FG_OK;
    return result;
}

enum fg_result fgi_gpu_views_read(struct fgi_engine_vulkan *vulkan,
                                  const struct fgi_question *question, uint32_t bins_count,
                                  uint32_t row_count, const char *what)
{
    struct fgi_gpu_views *views = vulkan->views;
    views->bins_guess = power_of(LEAST_GUESS, bins_count);
    views->rows_guess = power_of(LEAST_GUESS, row_count);
    if (bins_count <= views->bins.count && row_count <= views->rows.count) {
        return FG_OK;
    }
    const enum fg_result result = bring(vulkan, question, NULL, 0, bins_count, row_count, what);
    views->is_current = views->is_current && result == FG_OK;
    return result;
}

/* ---- its end --------------------------------------------------------------------------------- */

void fgi_gpu_views_forget(struct fgi_engine_vulkan *vulkan,
                          const struct fg_gpu_population *population)
{
    struct fgi_gpu_views *views = vulkan->views;
    if (!views || !population) {
        return;
    }
    if (views->population == population) {
        drop_nodes(views);
    }
    size_t kept = 0;
    for (size_t i = 0; i < views->folds.count; i++) {
        const struct fgi_gpu_views_fold one = views->folds.items[i];
        if (one.population == population) {
            fg_gpu_fold_destroy(one.fold);
        } else {
            views->folds.items[kept++] = one;
        }
    }
    views->folds.count = kept;
}

void fgi_gpu_views_end(struct fgi_engine_vulkan *vulkan)
{
    struct fgi_gpu_views *views = vulkan->views;
    const struct fg_allocator *allocator = vulkan->allocator;
    if (!views) {
        return;
    }
    const size_t room = views->process_count + 1;
    fg_compute_graph_destroy(views->graph);
    fg_gpu_view_destroy(views->view);
    for (size_t i = 0; i < views->folds.count; i++) {
        fg_gpu_fold_destroy(views->folds.items[i].fold);
    }
    fg_gpu_order_destroy(views->order);
    fgi_free(allocator, views->folds.items, views->folds.capacity * sizeof *views->folds.items);
    fgi_free(allocator, views->answers.items,
             views->answers.capacity * sizeof *views->answers.items);
    fgi_free(allocator, views->bins.items, views->bins.capacity * sizeof *views->bins.items);
    fgi_free(allocator, views->rows.items, views->rows.capacity * sizeof *views->rows.items);
    fgi_free(allocator, views->process_lanes, room * sizeof *views->process_lanes);
    fgi_free(allocator, views->process_lane, room * sizeof *views->process_lane);
    fgi_free(allocator, views, sizeof *views);
    vulkan->views = NULL;
}
