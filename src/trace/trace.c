/* SPDX-License-Identifier: MIT */
/* What a trace is asked without an engine. */
#include "base/alloc.h"
#include "base/verdict.h"
#include "trace/model.h"
#include <string.h>

void fg_trace_get_info(const struct fg_trace *trace, struct fg_trace_info *out_info)
{
    struct fg_trace_info info = trace->info;
    info.spans = trace->store->row_count;
    info.instants = trace->instants.count;
    info.counters = trace->counters.count;
    info.samples = trace->stacks.count;
    info.dependencies = fgi_link_count(trace);
    info.names = fg_trace_text_count(trace);
    info.processes = trace->processes.count;
    info.tracks = trace->tracks.count;
    info.lanes = trace->lanes.count;
    info.frames = trace->frames.count;
    info.topologies = trace->topologies.count;
    info.passes = trace->passes.count;
    info.resources = 0;
    for (size_t i = 0; i < trace->topologies.count; i++) {
        info.resources += trace->topologies.items[i].resource_count;
    }
    info.metrics = (uint32_t)trace->metrics.count;
    info.objects = trace->objects.count;
    info.gaps = (uint32_t)trace->gaps.count;
    info.track_losses = (uint32_t)trace->track_losses.count;
    info.losses = (uint32_t)trace->losses.count;
    info.repairs = (uint32_t)trace->repairs.count;
    info.defects = (uint32_t)trace->defects.count;
    info.metas = (uint32_t)trace->metas.count;
    info.skipped = (uint32_t)trace->skipped.count;
    info.clocks = (uint32_t)trace->clocks.count;
    *out_info = info;
}

const char *fg_trace_text(const struct fg_trace *trace, uint32_t id)
{
    return fgi_strings_get(&trace->strings, id, NULL);
}

uint32_t fg_trace_text_count(const struct fg_trace *trace)
{
    return fgi_strings_count(&trace->strings);
}

uint32_t fg_trace_text_find(const struct fg_trace *trace, const char *text)
{
    uint32_t id = 0;
    if (!text || !text[0]) {
        return 0;
    }
    return fgi_strings_find(&trace->strings, text, strlen(text), &id) ? id : FG_NONE;
}

bool fgi_text_contains(const char *text, const char *part)
{
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && fgi_ascii_lower(text[i]) == fgi_ascii_lower(part[i])) {
            i++;
        }
        if (!part[i]) {
            return true;
        }
    }
    return !*part;
}

/* Every table that is handed out item by item: X(singular, item type, table). */
#define TABLES(X)                                                                                  \
    X(process, fg_trace_process, processes)                                                        \
    X(track, fg_trace_track, tracks)                                                               \
    X(lane, fg_trace_lane, lanes)                                                                  \
    X(clock, fg_trace_clock, clocks)                                                               \
    X(frame, fg_trace_frame, frames)                                                               \
    X(pass, fg_trace_pass, passes)                                                                 \
    X(instant, fg_trace_instant, instants)                                                         \
    X(counter, fg_trace_counter, counters)                                                         \
    X(metric, fg_trace_metric, metrics)                                                            \
    X(object, fg_trace_object, objects)                                                            \
    X(object_event, fg_trace_object_event, object_events)                                          \
    X(gap, fg_trace_gap, gaps)                                                                     \
    X(track_loss, fg_trace_track_loss, track_losses)                                               \
    X(repair, fg_trace_repair, repairs)                                                            \
    X(defect, fg_trace_defect, defects)                                                            \
    X(meta, fg_trace_meta, metas)                                                                  \
    X(stack, fg_trace_stack, stacks)                                                               \
    X(loss, fg_trace_tally, losses)                                                                \
    X(skipped, fg_trace_tally, skipped)                                                            \
    X(topology, fg_topology, topologies)
#define TABLE_GETTER(singular, type, table)                                                        \
    const struct type *fg_trace_##singular(const struct fg_trace *trace, uint32_t i)               \
    {                                                                                              \
        return i < trace->table.count ? &trace->table.items[i] : NULL;                             \
    }
TABLES(TABLE_GETTER)
#undef TABLE_GETTER

uint32_t fg_trace_stack_frame(const struct fg_trace *trace, uint32_t i)
{
    return i < trace->stack_frames.count ? trace->stack_frames.items[i] : 0;
}

const struct fg_frame_pass *fg_trace_frame_passes(const struct fg_trace *trace, uint32_t frame)
{
    return frame < trace->frame_passes.count ? trace->frame_passes.items[frame] : NULL;
}

uint32_t fg_trace_frame_find(const struct fg_trace *trace, uint64_t id)
{
    /* Numbers rise in a sound capture; a damaged one is looked through. */
    size_t low = 0;
    size_t high = trace->frames.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (trace->frames.items[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < trace->frames.count && trace->frames.items[low].id == id) {
        return (uint32_t)low;
    }
    for (size_t i = 0; i < trace->frames.count; i++) {
        if (trace->frames.items[i].id == id) {
            return (uint32_t)i;
        }
    }
    return FG_NONE;
}

void fgi_trace_fill_span(const struct fg_trace *trace, const struct fgi_block *block, uint32_t i,
                         struct fg_trace_span *out_span)
{
    const struct fg_trace_lane *lane = &trace->lanes.items[block->lane[i]];
    const struct fgi_kind *kind = fgi_block_kind(block, i);
    *out_span = (struct fg_trace_span){
        .row = block->first_row + i,
        .track = lane->track,
        .lane = block->lane[i],
        .depth = lane->depth,
        .parent = block->parent[i],
        .name = kind->name,
        .category = kind->category,
        .classes = kind->classes,
        .status = (enum fg_span_status)kind->status,
        .frame = fgi_block_extra(block, FGI_COLUMN_FRAME, i),
        .pass = fgi_block_extra(block, FGI_COLUMN_PASS, i),
        .scope = fgi_block_extra(block, FGI_COLUMN_SCOPE, i),
        .origin = fgi_block_extra(block, FGI_COLUMN_ORIGIN, i),
        .logical = fgi_block_extra(block, FGI_COLUMN_LOGICAL, i),
        .object = block->object ? block->object[i] : 0,
        .start_ns = block->start_ns[i],
        .end_ns = block->end_ns[i],
    };
}

enum fg_result fg_trace_spans(const struct fg_trace *trace, uint32_t first_row,
                              struct fg_trace_span *out_spans, uint32_t capacity,
                              uint32_t *out_count)
{
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    uint32_t rows = fgi_trace_rows(trace);
    uint32_t count = 0;
    while (count < capacity && first_row < rows && count < rows - first_row) {
        uint32_t row = first_row + count;
        if (!fgi_cursor_at(&cursor, row)) {
            break;
        }
        fgi_trace_fill_span(trace, cursor.block, row - cursor.first_row, &out_spans[count++]);
    }
    fgi_cursor_finish(&cursor);
    *out_count = count;
    return cursor.result;
}

struct args_out {
    struct fg_trace_arg *items;
    uint32_t capacity;
    uint32_t count; /* how many there are, also beyond capacity */
};

static void put_kept_args(const struct fg_trace *trace, uint32_t header, struct args_out *out)
{
    if (header >= trace->args.count) {
        return;
    }
    uint32_t count = (uint32_t)trace->args.items[header].value.natural;
    for (uint32_t i = 0; i < count; i++, out->count++) {
        if (out->count < out->capacity) {
            out->items[out->count] = trace->args.items[header + 1 + i];
        }
    }
}

enum fg_result fg_trace_span_args(const struct fg_trace *trace, uint32_t row,
                                  struct fg_trace_arg *out_args, uint32_t capacity,
                                  uint32_t *out_count)
{
    struct args_out out = { out_args, capacity, 0 };
    enum fg_result result = FG_OK;
    *out_count = 0;
    if (row >= fgi_trace_rows(trace)) {
        return FG_ERR_NOT_FOUND;
    }
    if (trace->args_loader.load) {
        result = trace->args_loader.load(trace->args_loader.context, row, out_args, capacity,
                                         &out.count);
    }
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    if (result == FG_OK && fgi_cursor_at(&cursor, row)) {
        put_kept_args(trace, fgi_block_extra(cursor.block, FGI_COLUMN_ARGS, row - cursor.first_row),
                      &out);
    }
    fgi_cursor_finish(&cursor);
    *out_count = out.count;
    return result != FG_OK ? result : cursor.result;
}

uint32_t fg_trace_samples(const struct fg_trace *trace, uint32_t counter, uint32_t first,
                          struct fg_trace_sample *out_samples, uint32_t capacity)
{
    if (counter >= trace->counters.count) {
        return 0;
    }
    const struct fgi_counter_data *data = &trace->counter_data.items[counter];
    uint32_t count = 0;
    for (; count < capacity && first + (size_t)count < data->times.count; count++) {
        out_samples[count].time_ns = data->times.items[first + count];
        memcpy(&out_samples[count].value, &data->values.items[first + count], 8);
    }
    return count;
}

#define FREE_TABLE(trace, table)                                                                   \
    fgi_free((trace)->allocator, (trace)->table.items,                                             \
             (trace)->table.capacity * sizeof *(trace)->table.items)

void fgi_trace_destroy(struct fg_trace *trace)
{
    if (!trace) {
        return;
    }
    const struct fg_allocator *allocator = trace->allocator;
    size_t rows = trace->store->row_count;
    fgi_free(allocator, trace->lane_first, (trace->lanes.count + 2) * sizeof(uint32_t));
    fgi_free(allocator, trace->lane_rows, (rows + 1) * sizeof(uint32_t));
    fgi_free(allocator, trace->frame_rows, trace->frames.count * sizeof *trace->frame_rows);
    fgi_blocks_finish(trace->store);
    fgi_free(allocator, trace->store, sizeof *trace->store);
    if (trace->backing_destroy) {
        trace->backing_destroy(trace->backing);
    }
    for (size_t i = 0; i < trace->counter_data.count; i++) {
        FREE_TABLE(trace, counter_data.items[i].times);
        FREE_TABLE(trace, counter_data.items[i].values);
    }
#define FREE_GETTER_TABLE(singular, type, table) FREE_TABLE(trace, table);
    TABLES(FREE_GETTER_TABLE)
#undef FREE_GETTER_TABLE
    FREE_TABLE(trace, counter_data);
    FREE_TABLE(trace, frame_passes);
    FREE_TABLE(trace, instant_order);
    FREE_TABLE(trace, object_event_order);
    fgi_links_finish(trace->allocator, &trace->links);
    FREE_TABLE(trace, fragments);
    FREE_TABLE(trace, stack_frames);
    FREE_TABLE(trace, args);
    fgi_strings_finish(&trace->strings);
    fgi_arena_finish(&trace->arena);
    fgi_free(allocator, trace, sizeof *trace);
}

bool fgi_trace_times_are_of_execution(const struct fg_trace *trace)
{
    for (size_t i = 0; i < trace->metas.count; i++) {
        const struct fg_trace_meta *meta = &trace->metas.items[i];
        if (strcmp(fg_trace_text(trace, meta->key), "setting." FGI_META_TIMES) == 0) {
            return strcmp(fg_trace_text(trace, meta->value), FGI_META_TIMES_NOT_OF_EXECUTION) != 0;
        }
    }
    return true;
}

uint32_t fgi_lower_bound_steps(struct fgi_cursor *cursor, const uint32_t *rows, uint32_t low,
                               uint32_t high, int64_t time, uint64_t *steps)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        ++*steps;
        if (!fgi_cursor_at(cursor, rows[middle])) {
            return low;
        }
        if (fgi_cursor_start(cursor, rows[middle]) < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t fgi_lower_bound(struct fgi_cursor *cursor, const uint32_t *rows, uint32_t low,
                         uint32_t high, int64_t time)
{
    uint64_t ignored = 0;
    return fgi_lower_bound_steps(cursor, rows, low, high, time, &ignored);
}
