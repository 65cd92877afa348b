/* SPDX-License-Identifier: MIT */
/*
 * The life of a builder and the end of building. Spans are in build_spans.c, tables in
 * build_tables.c, nesting in nest.c.
 */
#include "trace/build.h"
#include "base/alloc.h"
#include "base/sort.h"
#include <string.h>

enum fg_result fgi_builder_create(const struct fg_allocator *allocator, uint64_t budget_bytes,
                                  struct fgi_builder **out_builder)
{
    struct fgi_builder *builder = fgi_calloc(allocator, 1, sizeof *builder);
    struct fg_trace *trace = fgi_calloc(allocator, 1, sizeof *trace);
    struct fgi_block_store *store = fgi_calloc(allocator, 1, sizeof *store);
    if (!builder || !trace || !store) {
        fgi_free(allocator, builder, sizeof *builder);
        fgi_free(allocator, trace, sizeof *trace);
        fgi_free(allocator, store, sizeof *store);
        return FG_ERR_NO_MEMORY;
    }
    fgi_blocks_init(store, allocator, budget_bytes);
    trace->allocator = allocator;
    trace->strings.allocator = allocator;
    trace->arena.allocator = allocator;
    trace->store = store;
    trace->info.format = "";
    trace->info.level = FG_NONE;
    trace->info.overhead_ns = -1;
    trace->info.firm_rows = FG_NONE;
    memset(trace->loss_counters, 0xff, sizeof trace->loss_counters);
    builder->allocator = allocator;
    builder->trace = trace;
    builder->links.kind_of.allocator = allocator;
    builder->pass_map.allocator = allocator;
    builder->object_of.allocator = allocator;
    *out_builder = builder;
    return FG_OK;
}

void fgi_builder_destroy(struct fgi_builder *builder)
{
    if (!builder) {
        return;
    }
    struct fg_trace *trace = builder->trace;
    const struct fg_allocator *allocator = builder->allocator;
    fgi_builder_finish_spans(builder);
    fgi_builder_finish_links(builder);
    fgi_free(allocator, builder->track_stored_depth.items, builder->track_stored_depth.capacity);
    fgi_free(allocator, builder->open_ends.items,
             builder->open_ends.capacity * sizeof *builder->open_ends.items);
    fgi_free(allocator, builder->object_latest.items,
             builder->object_latest.capacity * sizeof *builder->object_latest.items);
    fgi_map64_finish(&builder->object_of);
    fgi_map64_finish(&builder->pass_map);
    fgi_trace_destroy(trace);
    fgi_free(allocator, builder, sizeof *builder);
}

enum fg_result fgi_builder_result(const struct fgi_builder *builder)
{
    return builder->result;
}

void fgi_builder_fail(struct fgi_builder *builder, enum fg_result result)
{
    if (builder->result == FG_OK) {
        builder->result = result;
    }
}

uint32_t fgi_builder_rows(const struct fgi_builder *builder)
{
    return (uint32_t)(builder->trace->store->row_count + builder->open.count);
}

struct fg_trace *fgi_builder_trace(struct fgi_builder *builder)
{
    return builder->trace;
}

void fgi_builder_saw_time(struct fgi_builder *builder, int64_t time_ns)
{
    if (!builder->has_time || time_ns < builder->first_ns) {
        builder->first_ns = time_ns;
    }
    if (!builder->has_time || time_ns > builder->last_ns) {
        builder->last_ns = time_ns;
    }
    builder->has_time = true;
}

int64_t fgi_builder_legal_time(struct fgi_builder *builder, int64_t time_ns)
{
    if (time_ns > FG_TIME_MAX) {
        fgi_builder_repair(builder, "clamped_time", 1, UINT64_MAX);
        return FG_TIME_MAX;
    }
    return time_ns;
}

/* Spans without an end end with the trace. */
static enum fg_result close_open_ends(struct fgi_builder *builder)
{
    struct fgi_cursor cursor = fgi_trace_cursor(builder->trace);
    for (size_t i = 0; i < builder->open_ends.count; i++) {
        uint32_t row = builder->open_ends.items[i];
        if (!fgi_cursor_at(&cursor, row)) {
            break;
        }
        cursor.block->end_ns[row - cursor.first_row] = builder->last_ns;
    }
    fgi_cursor_finish(&cursor);
    return cursor.result;
}

static bool instant_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_trace *trace = context;
    return trace->instants.items[a].time_ns < trace->instants.items[b].time_ns;
}

static enum fg_result order_instants(struct fg_trace *trace)
{
    size_t count = trace->instants.count;
    enum fg_result result = FGI_GROW(trace->allocator, trace->instant_order.items,
                                     trace->instant_order.capacity, count, FG_NONE);
    if (result != FG_OK) {
        return result;
    }
    for (size_t i = 0; i < count; i++) {
        trace->instant_order.items[i] = (uint32_t)i;
    }
    trace->instant_order.count = count;
    return fgi_sort_u32(trace->allocator, trace->instant_order.items, count, instant_before, trace);
}

/* By the first row, then the second. */
static bool fragment_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_fragment *x = (const struct fgi_fragment *)context + a;
    const struct fgi_fragment *y = (const struct fgi_fragment *)context + b;
    return x->first != y->first ? x->first < y->first : x->row < y->row;
}

static enum fg_result order_small_tables(struct fgi_builder *builder)
{
    struct fg_trace *trace = builder->trace;
    enum fg_result result = order_instants(trace);
    if (result == FG_OK) {
        result = fgi_sort_table(trace->allocator, trace->fragments.items, trace->fragments.count,
                                sizeof *trace->fragments.items, fragment_before);
    }
    return result;
}

/* Widen the range of the frame that a GPU pass belongs to. */
static void see_frame_row(struct fg_trace *trace, const struct fgi_block *block, uint32_t i)
{
    uint32_t frame = fgi_block_extra(block, FGI_COLUMN_FRAME, i);
    if (frame < trace->frames.count && (fgi_block_classes(block, i) & FG_CLASS_GPU_PASS)) {
        struct fgi_row_range *range = &trace->frame_rows[frame];
        uint32_t row = block->first_row + i;
        range->first = range->end == 0 ? row : range->first;
        range->end = row + 1;
    }
}

/* Ranges and the number of unfinished rows, in one look at everything. */
static enum fg_result measure(struct fgi_builder *builder)
{
    struct fg_trace *trace = builder->trace;
    struct fg_trace_info *info = &trace->info;
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    if (trace->frames.count > 0) {
        trace->frame_rows =
            fgi_calloc(trace->allocator, trace->frames.count, sizeof *trace->frame_rows);
        if (!trace->frame_rows) {
            return FG_ERR_NO_MEMORY;
        }
    }
    for (uint32_t row = 0; row < fgi_trace_rows(trace); row++) {
        if (!fgi_cursor_at(&cursor, row)) {
            break;
        }
        uint32_t i = row - cursor.first_row;
        see_frame_row(trace, cursor.block, i);
        uint8_t status = fgi_block_status(cursor.block, i);
        if (fgi_is_unfinished(status)) {
            info->unfinished++;
            continue;
        }
        int64_t start = cursor.block->start_ns[i];
        int64_t end = cursor.block->end_ns[i];
        info->start_ns = !info->has_range || start < info->start_ns ? start : info->start_ns;
        info->end_ns = !info->has_range || end > info->end_ns ? end : info->end_ns;
        info->has_range = true;
    }
    fgi_cursor_finish(&cursor);
    info->has_extent = builder->has_time;
    info->first_ns = builder->first_ns;
    info->last_ns = builder->last_ns;
    return cursor.result;
}

enum fg_result fgi_builder_finish(struct fgi_builder *builder, struct fg_trace **out_trace)
{
    struct fg_trace *trace = builder->trace;
    fgi_builder_seal(builder);
    enum fg_result (*const steps[])(struct fgi_builder *) = {
        close_open_ends, fgi_nest,           fgi_builder_order_links,  fgi_builder_order_counters,
        measure,         order_small_tables, fgi_builder_finish_state,
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps && builder->result == FG_OK; i++) {
        fgi_builder_fail(builder, steps[i](builder));
    }
    if (builder->result != FG_OK) {
        return builder->result;
    }
    builder->trace = NULL;
    builder->result = FG_ERR_STATE;
    *out_trace = trace;
    return FG_OK;
}
