/* SPDX-License-Identifier: MIT */
/* What all numbers over selected rows share: tables, passes, and going on at the host. */
#include "engine/vulkan/engine_numbers.h"

#include "base/alloc.h"
#include <string.h>

static const char what[] = "numbers over spans";

bool fgi_gpu_counting_fits(struct fgi_engine_vulkan *vulkan, uint32_t by, uint32_t measure)
{
    const struct fg_trace *trace = vulkan->engine.trace;
    const uint64_t block_bytes = fg_compute_get_facts(vulkan->runner.compute)->block_bytes;
    const uint64_t kinds = (trace->store->kinds.count + 1) * 2 * sizeof(uint32_t);
    const uint64_t lanes = (trace->lanes.count + 1) * 2 * sizeof(uint32_t);
    if (!fgi_gpu_ready(vulkan) || measure == FG_MEASURE_VALUES || kinds > block_bytes ||
        lanes > block_bytes || fgi_gpu_numbers_slots(trace, by) > FGI_GPU_NUMBER_SLOTS_MAX) {
        return false;
    }
    const struct fgi_gpu_column *covered = NULL;
    return measure != FG_MEASURE_SELF || (fgi_gpu_cover_of(vulkan, &covered) == FG_OK && covered);
}

enum fg_result fgi_gpu_counting_begin(struct fgi_gpu_counting *c, struct fgi_engine_vulkan *vulkan,
                                      const struct fgi_question *question,
                                      const struct fg_selection *selection,
                                      const struct fgi_gpu_number_rule *rule)
{
    const size_t lanes = vulkan->engine.trace->lanes.count;
    *c = (struct fgi_gpu_counting){ .vulkan = vulkan, .selection = *selection, .rule = *rule };
    c->arena.allocator = vulkan->allocator;
    for (uint32_t i = 0; selection->lanes && i < selection->lane_count; i++) {
        if (selection->lanes[i] >= lanes) {
            return FG_ERR_NOT_FOUND;
        }
    }
    struct fgi_gpu_filter *filter = fgi_gpu_filter_find(vulkan, selection->filter);
    if (selection->filter != 0 && !filter) {
        return FG_ERR_NOT_FOUND;
    }
    if (!fgi_gpu_keep_selection(question->arena, &c->selection)) {
        return FG_ERR_NO_MEMORY;
    }
    if (filter) {
        filter->uses++;
        c->filter = filter;
    }
    return FG_OK;
}

void fgi_gpu_counting_end(struct fgi_gpu_counting *c)
{
    if (!c->vulkan) {
        return;
    }
    fgi_gpu_numbers_end(&c->numbers);
    fgi_work_destroy(c->host);
    fgi_gpu_filter_drop(c->vulkan, c->filter);
    fgi_arena_finish(&c->arena);
}

enum fg_result fgi_gpu_counting_ready(struct fgi_gpu_counting *c)
{
    struct fg_gpu_trace *gpu = NULL;
    const struct fgi_gpu_column *mask = NULL;
    const struct fgi_gpu_column *covered = NULL;
    if (c->is_begun) {
        return FG_OK;
    }
    enum fg_result result = fgi_gpu_trace_of(c->vulkan, &gpu);
    result = result == FG_OK ? fgi_gpu_mask_of(c->vulkan, c->selection.filter, &mask) : result;
    if (result == FG_OK && c->rule.measure == FG_MEASURE_SELF) {
        result = fgi_gpu_cover_of(c->vulkan, &covered);
    }
    if (result != FG_OK) {
        return result;
    }
    result =
        fgi_gpu_numbers_begin(&c->numbers, gpu, mask, covered, &c->selection, &c->rule, &c->arena);
    c->is_begun = result == FG_OK;
    return result == FG_OK ? FG_OK : fgi_gpu_fall_back(c->vulkan, result, what);
}

enum fg_result fgi_gpu_counting_run(struct fgi_gpu_counting *c, const struct fgi_question *question,
                                    struct fg_compute_graph *graph,
                                    const struct fgi_gpu_read *reads, uint32_t count, uint64_t rows,
                                    struct fgi_work *work)
{
    const enum fg_result result = fgi_gpu_run(c->vulkan, graph, reads, count, what);
    if (result == FG_OK) {
        question->visits->spans += rows;
        work->done_rows += rows;
        c->device_rows += rows;
    }
    return result;
}

enum fg_result fgi_gpu_reads_of(struct fgi_arena *arena, const struct fgi_gpu_column *column,
                                uint64_t words, uint32_t spare, uint32_t *into,
                                struct fgi_gpu_read **out_reads, uint32_t *out_count)
{
    struct fgi_gpu_read *reads =
        fgi_arena_alloc(arena, (size_t)column->chunk_count + spare, sizeof *reads);
    if (!reads) {
        return FG_ERR_NO_MEMORY;
    }
    uint64_t left = words * sizeof *into;
    uint32_t count = 0;
    for (uint32_t i = 0; i < column->chunk_count && left > 0; i++) {
        const uint64_t there = column->chunks[i].size_bytes;
        const uint64_t size = left < there ? left : there;
        reads[count++] =
            (struct fgi_gpu_read){ fg_compute_view_part(column->chunks[i], 0, size), into };
        into += size / sizeof *into;
        left -= size;
    }
    *out_reads = reads;
    *out_count = count;
    return FG_OK;
}

enum fg_result fgi_gpu_counting_reads(struct fgi_gpu_counting *c,
                                      const struct fgi_gpu_column *column, uint64_t words,
                                      uint32_t spare, uint32_t **out_words,
                                      struct fgi_gpu_read **out_reads, uint32_t *out_count)
{
    *out_words = fgi_arena_take(&c->arena, (size_t)words + 1, sizeof **out_words);
    return *out_words
               ? fgi_gpu_reads_of(&c->arena, column, words, spare, *out_words, out_reads, out_count)
               : FG_ERR_NO_MEMORY;
}

/** Groups that have rows, from the words of all slots. */
static enum fg_result make_groups(struct fgi_gpu_counting *c, const uint32_t *words)
{
    const uint32_t slots = c->numbers.slots;
    struct fgi_gpu_group group;
    c->groups = fgi_arena_take(&c->arena, (size_t)slots + 1, sizeof *c->groups);
    if (!c->groups) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t slot = 0; slot < slots; slot++) {
        if (fgi_gpu_numbers_group(&c->numbers, words + (size_t)slot * FGI_GPU_CELL_WORDS, slot,
                                  c->rule.has_spans, &group)) {
            c->groups[c->group_count++] = group;
        }
    }
    return FG_OK;
}

/** The passes [c->pass, end), and what they came to when these are the last ones. */
static enum fg_result run_passes(struct fgi_gpu_counting *c, const struct fgi_question *question,
                                 struct fg_compute_graph *graph, uint32_t end, bool is_last,
                                 struct fgi_work *work)
{
    const uint64_t rows = c->numbers.gpu->counts.rows;
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    struct fgi_gpu_read *reads = NULL;
    uint32_t *words = NULL;
    uint32_t count = 0;
    enum fg_result result = fgi_gpu_numbers_groups(&c->numbers, &sink, c->pass, end);
    if (result == FG_OK && is_last) {
        result = fgi_gpu_counting_reads(c, &c->numbers.cells.column,
                                        (uint64_t)c->numbers.slots * FGI_GPU_CELL_WORDS, 1, &words,
                                        &reads, &count);
    }
    if (result != FG_OK) {
        return fgi_gpu_fall_back(c->vulkan, result, what);
    }
    if (is_last) {
        reads[count] = (struct fgi_gpu_read){ c->numbers.totals.view, &c->totals };
        reads[count++].view.size_bytes = sizeof c->totals;
    }
    result = fgi_gpu_counting_run(c, question, graph, reads, count, rows * (end - c->pass), work);
    c->pass = result == FG_OK ? end : c->pass;
    return result == FG_OK && is_last ? make_groups(c, words) : result;
}

enum fg_result fgi_gpu_counting_groups(struct fgi_gpu_counting *c,
                                       const struct fgi_question *question, uint32_t passes,
                                       uint64_t max_rows, struct fgi_work *work)
{
    struct fg_compute_graph *graph = NULL;
    enum fg_result result = fgi_gpu_counting_ready(c);
    if (result != FG_OK) {
        return result;
    }
    if (fgi_question_cancelled(question)) {
        return FG_ERR_CANCELLED;
    }
    result = fg_compute_graph_create(c->vulkan->runner.compute, NULL, &graph);
    if (result != FG_OK) {
        return fgi_gpu_fall_back(c->vulkan, result, what);
    }
    const uint64_t rows = c->numbers.gpu->counts.rows;
    uint32_t end = c->pass + 1;
    while (end < passes && (uint64_t)(end + 1 - c->pass) * rows <= max_rows) {
        end++;
    }
    result = run_passes(c, question, graph, end, end == passes, work);
    fg_compute_graph_destroy(graph);
    return result;
}

uint32_t fgi_gpu_group_name(const struct fg_trace *trace, uint32_t by, uint32_t key)
{
    switch (by) {
    case FG_AGGREGATE_NAME:
    case FG_AGGREGATE_CATEGORY:
    case FG_AGGREGATE_SCOPE:
        return key;
    case FG_AGGREGATE_LANE:
        return trace->tracks.items[trace->lanes.items[key].track].name;
    case FG_AGGREGATE_TRACK:
        return trace->tracks.items[key].name;
    case FG_AGGREGATE_PROCESS:
        return trace->processes.items[key].name;
    case FG_AGGREGATE_PASS:
        return trace->passes.items[key].name;
    default:
        return 0;
    }
}

enum fg_result fgi_gpu_counting_order(struct fgi_gpu_counting *c, fgi_before *before, void *context,
                                      uint32_t **out_order)
{
    uint32_t *order = fgi_arena_take(&c->arena, (size_t)c->group_count + 1, sizeof *order);
    if (!order) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < c->group_count; i++) {
        order[i] = i;
    }
    *out_order = order;
    return fgi_sort_u32(c->vulkan->allocator, order, c->group_count, before, context);
}

void fgi_gpu_counting_end_work(struct fgi_work *work)
{
    work->stage = work->stage_count;
    work->total_rows = work->done_rows;
    work->is_done = true;
}

bool fgi_gpu_counting_did(struct fgi_gpu_counting *c, const struct fgi_work *work,
                          enum fg_result result)
{
    /* A question is counted once, by its last step. */
    return c->vulkan->is_fallen || work->is_done ? fgi_gpu_answered(c->vulkan, result) : true;
}

enum fg_result fgi_gpu_counting_host_step(struct fgi_gpu_counting *c, struct fgi_work *work,
                                          size_t bytes, const struct fgi_question *question,
                                          uint64_t max_rows)
{
    struct fgi_work *host = c->host;
    const uint64_t before = host->done_rows;
    const enum fg_result result = host->ops->step(host, question, max_rows);
    work->done_rows += host->done_rows - before;
    work->total_rows = host->total_rows + c->device_rows;
    work->stage_count = host->stage_count;
    work->is_done = host->is_done;
    if (host->stage >= work->stage) { /* what the device has published stays until then */
        work->stage = host->stage;
        memcpy(work + 1, host + 1, bytes - sizeof *work);
    }
    return result;
}
