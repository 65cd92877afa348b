/* SPDX-License-Identifier: MIT */
/* Which rows a view shows, and what is under a pointer: asked of the device. */
#include "base/alloc.h"
#include "engine/vulkan/engine_filter.h"
#include "engine/vulkan/gpu_rows.h"
#include <string.h>

/** One question's nodes, kept for as long as the same population is asked. */
struct kept_graph {
    struct fg_compute_graph *graph;
    const struct fg_gpu_population *population; /**< NULL: there are no nodes */
};

/** What both questions keep on the device. */
struct fgi_gpu_rows {
    struct kept_graph visible, pick;
    struct fg_compute_memory window;     /**< struct fgi_gpu_window */
    struct fg_compute_memory lanes;      /**< a bit for each lane */
    struct fg_compute_memory words;      /**< struct fgi_gpu_pick_words */
    struct fg_compute_memory by_process; /**< numbers of lanes */
    struct fg_compute_memory counts;     /**< struct fgi_gpu_visible_counts */
    struct fg_compute_memory list;       /**< of parts of the population */
    struct fg_compute_memory picked;     /**< two words */
    struct fgi_gpu_column_memory mask;
    uint32_t *lane_bits;
    uint32_t *process_first; /**< of by_process, and the end */
    uint32_t lane_words, process_count;
};

/* ---- what is kept ---------------------------------------------------------------------------- */

/** Lanes by process, as the host lists them for targets. */
static enum fg_result put_processes(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_rows *rows)
{
    const struct fg_trace *trace = vulkan->engine.trace;
    const uint32_t lanes = (uint32_t)trace->lanes.count;
    uint32_t *list = fgi_calloc(vulkan->allocator, (size_t)lanes + 1, sizeof *list);
    if (!list) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t process = 0; process < rows->process_count; process++) {
        rows->process_first[process] = count;
        for (size_t t = 0; t < trace->tracks.count; t++) {
            const struct fg_trace_track *track = &trace->tracks.items[t];
            for (uint32_t i = 0; track->process == process && i < track->lane_count; i++) {
                list[count++] = track->first_lane + i;
            }
        }
    }
    rows->process_first[rows->process_count] = count;
    const size_t bytes = ((size_t)lanes + 1) * sizeof *list;
    const enum fg_result result = fg_compute_memory_take(vulkan->runner.compute, FG_COMPUTE_CONTROL,
                                                         bytes, &rows->by_process);
    if (result == FG_OK) {
        fg_compute_write(vulkan->runner.compute, &rows->by_process, 0, list, bytes);
    }
    fgi_free(vulkan->allocator, list, ((size_t)lanes + 1) * sizeof *list);
    return result;
}

static enum fg_result take_memory(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_rows *rows)
{
    struct fg_compute *compute = vulkan->runner.compute;
    const struct {
        enum fg_compute_memory_kind kind;
        uint64_t size_bytes;
        struct fg_compute_memory *memory;
    } wanted[] = {
        { FG_COMPUTE_CONTROL, sizeof(struct fgi_gpu_window), &rows->window },
        { FG_COMPUTE_CONTROL, (uint64_t)rows->lane_words * sizeof(uint32_t), &rows->lanes },
        { FG_COMPUTE_CONTROL, sizeof(struct fgi_gpu_pick_words), &rows->words },
        { FG_COMPUTE_DEVICE, sizeof(struct fgi_gpu_visible_counts), &rows->counts },
        { FG_COMPUTE_DEVICE, fgi_gpu_visible_list_bytes(fgi_trace_rows(vulkan->engine.trace)),
          &rows->list },
        { FG_COMPUTE_DEVICE, 2 * sizeof(uint32_t), &rows->picked },
    };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == FG_OK; i++) {
        result =
            fg_compute_memory_take(compute, wanted[i].kind, wanted[i].size_bytes, wanted[i].memory);
    }
    if (result == FG_OK) {
        const uint32_t words = fgi_mask_words(fgi_trace_rows(vulkan->engine.trace));
        result = fgi_gpu_column_take(compute, vulkan->allocator, words, 4, 0, &rows->mask);
    }
    result =
        result == FG_OK ? fg_compute_graph_create(compute, NULL, &rows->visible.graph) : result;
    return result == FG_OK ? fg_compute_graph_create(compute, NULL, &rows->pick.graph) : result;
}

static enum fg_result rows_of(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_rows **out_rows)
{
    const struct fg_trace *trace = vulkan->engine.trace;
    if (vulkan->rows) {
        *out_rows = vulkan->rows;
        return FG_OK;
    }
    struct fgi_gpu_rows *rows = fgi_calloc(vulkan->allocator, 1, sizeof *rows);
    if (!rows) {
        return fgi_gpu_fall_back(vulkan, FG_ERR_NO_MEMORY, "rows of a view");
    }
    vulkan->rows = rows;
    rows->lane_words = (uint32_t)trace->lanes.count / 32 + 1;
    rows->process_count = (uint32_t)trace->processes.count;
    rows->lane_bits = fgi_calloc(vulkan->allocator, rows->lane_words, sizeof *rows->lane_bits);
    rows->process_first =
        fgi_calloc(vulkan->allocator, (size_t)rows->process_count + 1, sizeof *rows->process_first);
    enum fg_result result =
        rows->lane_bits && rows->process_first ? take_memory(vulkan, rows) : FG_ERR_NO_MEMORY;
    result = result == FG_OK ? put_processes(vulkan, rows) : result;
    if (result != FG_OK) {
        fgi_gpu_rows_end(vulkan);
        return fgi_gpu_fall_back(vulkan, result, "rows of a view");
    }
    *out_rows = rows;
    return FG_OK;
}

void fgi_gpu_rows_end(struct fgi_engine_vulkan *vulkan)
{
    struct fgi_gpu_rows *rows = vulkan->rows;
    struct fg_compute *compute = vulkan->runner.compute;
    if (!rows) {
        return;
    }
    fg_compute_graph_destroy(rows->visible.graph);
    fg_compute_graph_destroy(rows->pick.graph);
    fgi_gpu_memory_end(compute, &rows->window);
    fgi_gpu_memory_end(compute, &rows->lanes);
    fgi_gpu_memory_end(compute, &rows->words);
    fgi_gpu_memory_end(compute, &rows->by_process);
    fgi_gpu_memory_end(compute, &rows->counts);
    fgi_gpu_memory_end(compute, &rows->list);
    fgi_gpu_memory_end(compute, &rows->picked);
    fgi_gpu_column_free(compute, &rows->mask);
    fgi_free(vulkan->allocator, rows->lane_bits, rows->lane_words * sizeof *rows->lane_bits);
    fgi_free(vulkan->allocator, rows->process_first,
             ((size_t)rows->process_count + 1) * sizeof *rows->process_first);
    fgi_free(vulkan->allocator, rows, sizeof *rows);
    vulkan->rows = NULL;
}

void fgi_gpu_rows_forget(struct fgi_engine_vulkan *vulkan,
                         const struct fg_gpu_population *population)
{
    struct fgi_gpu_rows *rows = vulkan->rows;
    if (!rows || !population) {
        return;
    }
    struct kept_graph *kept[] = { &rows->visible, &rows->pick };
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (kept[i]->population == population) {
            fg_compute_graph_clear(kept[i]->graph);
            kept[i]->population = NULL;
        }
    }
}

/* ---- rows of a view -------------------------------------------------------------------------- */

static void choose_lanes(const struct fg_trace *trace, const struct fg_view_target *target,
                         uint32_t *bits)
{
    uint32_t first = target->index;
    uint32_t end = target->index + 1;
    if (target->kind == FG_VIEW_TRACK) {
        first = trace->tracks.items[target->index].first_lane;
        end = first + trace->tracks.items[target->index].lane_count;
    } else if (target->kind == FG_VIEW_PROCESS) {
        first = 0;
        end = (uint32_t)trace->lanes.count;
    }
    for (uint32_t lane = first; lane < end; lane++) {
        if (target->kind != FG_VIEW_PROCESS ||
            trace->tracks.items[trace->lanes.items[lane].track].process == target->index) {
            bits[lane / 32] |= UINT32_C(1) << (lane % 32);
        }
    }
}

static void write_window(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_rows *rows,
                         const struct fgi_rows_request *request)
{
    struct fg_compute *compute = vulkan->runner.compute;
    struct fgi_gpu_window window = { .start_ns = request->start_ns, .end_ns = request->end_ns };
    const size_t bytes = rows->lane_words * sizeof *rows->lane_bits;
    if (request->targets) {
        memset(rows->lane_bits, 0, bytes);
        for (uint32_t i = 0; i < request->target_count; i++) {
            choose_lanes(vulkan->engine.trace, &request->targets[i], rows->lane_bits);
        }
        fg_compute_write(compute, &rows->lanes, 0, rows->lane_bits, bytes);
        const struct fgi_gpu_column lanes = fgi_gpu_column_of(&rows->lanes.view, 4);
        window.lanes = fgi_gpu_column_push(&lanes);
    }
    fg_compute_write(compute, &rows->window, 0, &window, sizeof window);
}

static enum fg_result keep_visible(struct fgi_gpu_rows *rows,
                                   const struct fg_gpu_population *population)
{
    struct kept_graph *kept = &rows->visible;
    if (kept->population == population) {
        return FG_OK;
    }
    kept->population = NULL;
    fg_compute_graph_clear(kept->graph);
    const struct fg_compute_sink sink = fg_compute_graph_sink(kept->graph);
    const struct fgi_gpu_visible visible = { .population = population,
                                             .window = rows->window.view,
                                             .lanes = rows->lanes.view,
                                             .mask = rows->mask.column,
                                             .counts = rows->counts.view,
                                             .list = rows->list.view };
    const enum fg_result result = fgi_gpu_visible(&sink, &visible);
    kept->population = result == FG_OK ? population : NULL;
    return result;
}

/** Run, and bring the mask to the answer's memory. */
static enum fg_result read_visible(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_rows *rows,
                                   const struct fgi_question *question, uint64_t *bits,
                                   struct fgi_gpu_visible_counts *out_counts)
{
    const struct fgi_gpu_column *mask = &rows->mask.column;
    uint64_t left = (uint64_t)fgi_mask_words(fgi_trace_rows(vulkan->engine.trace)) * 4;
    struct fgi_gpu_read *reads =
        fgi_arena_alloc(question->arena, (size_t)mask->chunk_count + 1, sizeof *reads);
    char *into = (char *)bits;
    if (!reads) {
        return FG_ERR_NO_MEMORY;
    }
    reads[0] = (struct fgi_gpu_read){ rows->counts.view, out_counts };
    reads[0].view.size_bytes = sizeof *out_counts;
    uint32_t count = 1;
    for (uint32_t i = 0; i < mask->chunk_count && left > 0; i++) {
        const uint64_t there = mask->chunks[i].size_bytes;
        const uint64_t size = left < there ? left : there;
        reads[count++] =
            (struct fgi_gpu_read){ fg_compute_view_part(mask->chunks[i], 0, size), into };
        into += size;
        left -= size;
    }
    return fgi_gpu_run(vulkan, rows->visible.graph, reads, count, "rows of a view");
}

static enum fg_result visible_on_device(struct fgi_engine_vulkan *vulkan,
                                        const struct fgi_question *question,
                                        const struct fgi_rows_request *request,
                                        struct fgi_rows *out_rows)
{
    struct fg_gpu_population *population = NULL;
    struct fgi_gpu_rows *rows = NULL;
    struct fgi_gpu_visible_counts counts = { 0 };
    enum fg_result result = fgi_gpu_population_of(vulkan, request->filter, &population);
    result = result == FG_OK ? rows_of(vulkan, &rows) : result;
    if (result != FG_OK) {
        return result;
    }
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    uint64_t *bits = fgi_arena_alloc(question->arena, fgi_trace_rows(vulkan->engine.trace) / 64 + 1,
                                     sizeof *bits);
    if (!bits) {
        return FG_ERR_NO_MEMORY;
    }
    write_window(vulkan, rows, request);
    result = keep_visible(rows, population);
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, "rows of a view");
    }
    result = read_visible(vulkan, rows, question, bits, &counts);
    if (result == FG_OK) {
        question->visits->bins += counts.looked;
        question->visits->spans += counts.spans;
        *out_rows = (struct fgi_rows){ .bits = bits, .count = counts.rows };
    }
    return result;
}

enum fg_result fgi_vulkan_visible_rows(struct fg_engine *engine,
                                       const struct fgi_question *question,
                                       const struct fgi_rows_request *request,
                                       struct fgi_rows *out_rows)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    enum fg_result result = FG_ERR_STATE;
    *out_rows = (struct fgi_rows){ 0 };
    if (fgi_gpu_ready(vulkan)) {
        result = visible_on_device(vulkan, question, request, out_rows);
    }
    return fgi_gpu_answered(vulkan, result)
               ? result
               : fgi_host_visible_rows(engine, question, request, out_rows);
}

/* ---- picks ----------------------------------------------------------------------------------- */

static void write_pick(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_rows *rows,
                       const struct fg_pick_request *request)
{
    const struct fg_trace *trace = vulkan->engine.trace;
    const uint32_t index = request->target.index;
    struct fgi_gpu_pick_words words = { .first_lane = index,
                                        .lane_count = 1,
                                        .time_ns = request->time_ns,
                                        .tolerance_ns = request->tolerance_ns };
    if (request->target.kind == FG_VIEW_TRACK) {
        words.first_lane = trace->tracks.items[index].first_lane;
        words.lane_count = trace->tracks.items[index].lane_count;
    } else if (request->target.kind == FG_VIEW_PROCESS) {
        const uint32_t first = rows->process_first[index];
        words.lanes = rows->by_process.view.address + first * sizeof(uint32_t);
        words.first_lane = 0;
        words.lane_count = rows->process_first[index + 1] - first;
    }
    fg_compute_write(vulkan->runner.compute, &rows->words, 0, &words, sizeof words);
}

static enum fg_result keep_pick(struct fgi_gpu_rows *rows,
                                const struct fg_gpu_population *population)
{
    struct kept_graph *kept = &rows->pick;
    if (kept->population == population) {
        return FG_OK;
    }
    kept->population = NULL;
    fg_compute_graph_clear(kept->graph);
    const struct fg_compute_sink sink = fg_compute_graph_sink(kept->graph);
    const struct fgi_gpu_pick pick = { .population = population,
                                       .words = rows->words.view,
                                       .lanes = rows->by_process.view,
                                       .result = rows->picked.view };
    const enum fg_result result = fgi_gpu_pick(&sink, &pick);
    kept->population = result == FG_OK ? population : NULL;
    return result;
}

static enum fg_result pick_on_device(struct fgi_engine_vulkan *vulkan,
                                     const struct fgi_question *question,
                                     const struct fg_pick_request *request, uint32_t *out_row)
{
    struct fg_gpu_population *population = NULL;
    struct fgi_gpu_rows *rows = NULL;
    uint32_t found[2] = { FG_NONE, 0 };
    enum fg_result result = fgi_gpu_population_of(vulkan, request->filter, &population);
    result = result == FG_OK ? rows_of(vulkan, &rows) : result;
    if (result != FG_OK) {
        return result;
    }
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    write_pick(vulkan, rows, request);
    result = keep_pick(rows, population);
    if (result != FG_OK) {
        return fgi_gpu_fall_back(vulkan, result, "a pick");
    }
    const struct fgi_gpu_read read = { fg_compute_view_part(rows->picked.view, 0, sizeof found),
                                       found };
    result = fgi_gpu_run(vulkan, rows->pick.graph, &read, 1, "a pick");
    if (result == FG_OK) {
        question->visits->steps += found[1];
        *out_row = found[0];
    }
    return result;
}

enum fg_result fgi_vulkan_pick(struct fg_engine *engine, const struct fgi_question *question,
                               const struct fg_pick_request *request, uint32_t *out_row)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    enum fg_result result = FG_ERR_STATE;
    if (fgi_gpu_ready(vulkan)) {
        result = pick_on_device(vulkan, question, request, out_row);
    }
    return fgi_gpu_answered(vulkan, result) ? result
                                            : fgi_host_pick(engine, question, request, out_row);
}
