/* SPDX-License-Identifier: MIT */
/* A series is an aggregate by frame, of one pass or name on one clock. */
#include "engine/vulkan/engine_numbers.h"

/** What spans of the series have in common with that of a row. */
struct series {
    struct fgi_gpu_number_rule rule;
    uint32_t clock;
};

static enum fg_result find_series(const struct fg_trace *trace, uint32_t row,
                                  struct series *out_series)
{
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    if (fgi_cursor_at(&cursor, row)) {
        const uint32_t i = row - cursor.first_row;
        const uint32_t pass = fgi_block_extra(cursor.block, FGI_COLUMN_PASS, i);
        const uint32_t track = trace->lanes.items[cursor.block->lane[i]].track;
        *out_series = (struct series){
            .rule = { .by = FG_AGGREGATE_FRAME,
                      .measure = FG_MEASURE_DURATION,
                      .has_pass = true,
                      .pass = pass,
                      .has_name = pass == FG_NONE,
                      .name = fgi_block_name(cursor.block, i) },
            .clock = trace->tracks.items[track].clock,
        };
    }
    const enum fg_result result = cursor.result;
    fgi_cursor_finish(&cursor);
    return result;
}

static enum fg_result series_on_device(struct fgi_gpu_counting *c,
                                       const struct fgi_question *question, uint32_t clock,
                                       const struct fg_series_item **out_items, uint32_t *out_count)
{
    struct fgi_work work = { 0 };
    const enum fg_result result = fgi_gpu_counting_groups(c, question, 1, UINT64_MAX, &work);
    if (result != FG_OK) {
        return result;
    }
    struct fg_series_item *items =
        fgi_arena_alloc(question->arena, (size_t)c->group_count + 1, sizeof *items);
    if (!items) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->group_count; i++) {
        const struct fgi_gpu_group *group = &c->groups[i];
        if (group->clock == clock && group->count > 0) {
            items[count++] = (struct fg_series_item){ .frame = group->key,
                                                      .count = (uint32_t)group->count,
                                                      .total_ns = fgi_wide_saturated(group->sum) };
        }
    }
    *out_items = items;
    *out_count = count;
    return FG_OK;
}

enum fg_result fgi_vulkan_series(struct fg_engine *engine, const struct fgi_question *question,
                                 uint32_t row, uint32_t first_frame, uint32_t end_frame,
                                 const struct fg_series_item **out_items, uint32_t *out_count)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    struct fgi_gpu_counting counting = { 0 };
    struct series series = { 0 };
    if (!fgi_gpu_counting_fits(vulkan, FG_AGGREGATE_FRAME, FG_MEASURE_DURATION)) {
        return fgi_host_series(engine, question, row, first_frame, end_frame, out_items, out_count);
    }
    const struct fg_selection selection = { .start_ns = FG_TIME_MIN,
                                            .end_ns = INT64_MAX,
                                            .has_frames = true,
                                            .first_frame = first_frame,
                                            .end_frame = end_frame };
    enum fg_result result = find_series(engine->trace, row, &series);
    if (result != FG_OK) {
        return result;
    }
    result = fgi_gpu_counting_begin(&counting, vulkan, question, &selection, &series.rule);
    if (result == FG_OK) {
        result = series_on_device(&counting, question, series.clock, out_items, out_count);
    }
    fgi_gpu_counting_end(&counting);
    return fgi_gpu_answered(vulkan, result) ? result
                                            : fgi_host_series(engine, question, row, first_frame,
                                                              end_frame, out_items, out_count);
}
