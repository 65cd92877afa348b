/* SPDX-License-Identifier: MIT */
/* Everything of a trace that is not a span. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/strings.h"
#include "trace/build.h"
#include <string.h>

/* Add one item to a table of the trace; FG_NONE once something has failed. */
#define ADD(builder, table, ...)                                                                   \
    (grow((builder), (void **)&(table).items, &(table).capacity, sizeof *(table).items,            \
          (table).count)                                                                           \
         ? ((table).items[(table).count] = (__VA_ARGS__), (uint32_t)(table).count++)               \
         : FG_NONE)

static bool grow(struct fgi_builder *builder, void **items, size_t *capacity, size_t item_size,
                 size_t count)
{
    if (builder->result == FG_OK) {
        builder->result =
            fgi_grow(builder->allocator, items, capacity, item_size, count + 1, FGI_FIND);
    }
    return builder->result == FG_OK;
}

/* Bad UTF-8 is repaired where it comes in, so that nothing that goes out has to. */
enum fg_result fgi_trace_add_text(struct fg_trace *trace, const char *text, size_t size,
                                  uint32_t *out_id)
{
    if (fgi_utf8_valid(text, size)) {
        return fgi_strings_add(&trace->strings, text, size, out_id);
    }
    struct fgi_bytes repaired = { .allocator = trace->allocator };
    if (size <= SIZE_MAX / 3 && fgi_bytes_reserve(&repaired, 3 * size)) {
        size = fgi_utf8_repair(text, size, (char *)repaired.data, 3 * size);
        repaired.result =
            fgi_strings_add(&trace->strings, (const char *)repaired.data, size, out_id);
    }
    enum fg_result result = repaired.result;
    fgi_bytes_finish(&repaired);
    return result;
}

uint32_t fgi_builder_text(struct fgi_builder *builder, const char *text, size_t size)
{
    uint32_t id = 0;
    if (builder->result == FG_OK && size > 0) {
        builder->result = fgi_trace_add_text(builder->trace, text, size, &id);
    }
    return builder->result == FG_OK ? id : 0;
}

uint32_t fgi_builder_cstr(struct fgi_builder *builder, const char *text)
{
    return fgi_builder_text(builder, text, text ? strlen(text) : 0);
}

uint32_t fgi_builder_process(struct fgi_builder *builder, uint32_t name, int64_t id)
{
    return ADD(builder, builder->trace->processes,
               (struct fg_trace_process){ .name = name, .id = id });
}

uint32_t fgi_builder_clock(struct fgi_builder *builder, const struct fg_trace_clock *clock)
{
    return ADD(builder, builder->trace->clocks, *clock);
}

uint32_t fgi_builder_track(struct fgi_builder *builder, const struct fg_trace_track *track,
                           bool stored_depth)
{
    struct fg_trace_track copy = *track;
    copy.first_lane = copy.lane_count = copy.span_count = 0;
    if (copy.clock >= builder->trace->clocks.count) {
        fgi_builder_fail(builder, FG_ERR_ARGUMENT);
    }
    uint32_t index = ADD(builder, builder->trace->tracks, copy);
    uint32_t mark = ADD(builder, builder->track_stored_depth, stored_depth ? 1 : 0);
    return mark == FG_NONE ? FG_NONE : index;
}

/* Text ids are dense and below 2^32. The ordinal goes into a chain of keys, so that keys are exact:
 * the identity with ordinal n is found through the one with ordinal n - 1. */
static uint32_t find_pass(struct fgi_builder *builder, uint64_t key,
                          const struct fg_trace_pass *pass)
{
    uint32_t index = FG_NONE;
    if (builder->result != FG_OK || fgi_map64_get(&builder->pass_map, key, &index)) {
        return builder->result == FG_OK ? index : FG_NONE;
    }
    index = ADD(builder, builder->trace->passes, *pass);
    if (index != FG_NONE) {
        fgi_builder_fail(builder, fgi_map64_put(&builder->pass_map, key, index));
    }
    return builder->result == FG_OK ? index : FG_NONE;
}

uint32_t fgi_builder_pass_after(struct fgi_builder *builder, uint32_t before)
{
    if (before >= builder->trace->passes.count) {
        return FG_NONE;
    }
    struct fg_trace_pass pass = builder->trace->passes.items[before];
    pass.ordinal++;
    return find_pass(builder, UINT64_MAX - before, &pass); /* no name has ids near 2^32 */
}

uint32_t fgi_builder_pass(struct fgi_builder *builder, uint32_t name, uint32_t scope,
                          uint32_t ordinal)
{
    uint32_t index = find_pass(builder, (uint64_t)name << 32 | scope,
                               &(struct fg_trace_pass){ .name = name, .scope = scope });
    for (uint32_t n = 0; n < ordinal && index != FG_NONE; n++) {
        index = fgi_builder_pass_after(builder, index);
    }
    return index;
}

uint32_t fgi_builder_frame(struct fgi_builder *builder, const struct fg_trace_frame *frame,
                           const struct fg_frame_pass *passes, uint32_t pass_count)
{
    struct fg_trace *trace = builder->trace;
    struct fg_trace_frame copy = *frame;
    copy.start_ns = fgi_builder_legal_time(builder, copy.start_ns);
    copy.cpu_end_ns = fgi_builder_legal_time(builder, copy.cpu_end_ns);
    fgi_builder_saw_time(builder, copy.start_ns);
    if (copy.topology >= trace->topologies.count) {
        copy.topology = FG_NONE;
    }
    struct fg_frame_pass *kept = NULL;
    if (passes && copy.topology != FG_NONE && builder->result == FG_OK) {
        struct fg_topology *topology = &trace->topologies.items[copy.topology];
        size_t bytes = (size_t)topology->pass_count * sizeof *kept;
        /* Frames mostly do with their graph what the frame before did: they share it. */
        struct fg_frame_pass *last =
            trace->frames.count > 0 ? trace->frame_passes.items[trace->frames.count - 1] : NULL;
        if (last && trace->frames.items[trace->frames.count - 1].topology == copy.topology &&
            pass_count == topology->pass_count && memcmp(last, passes, bytes) == 0) {
            kept = last;
        } else if (pass_count == topology->pass_count && pass_count > 0) {
            kept = fgi_arena_alloc(&trace->arena, pass_count, sizeof *kept);
            if (kept) {
                memcpy(kept, passes, bytes);
            } else {
                fgi_builder_fail(builder, FG_ERR_NO_MEMORY);
            }
        }
    }
    uint32_t index = ADD(builder, trace->frames, copy);
    uint32_t mark = ADD(builder, trace->frame_passes, kept);
    if (mark == FG_NONE) {
        return FG_NONE;
    }
    if (copy.topology != FG_NONE) {
        struct fg_topology *topology = &trace->topologies.items[copy.topology];
        topology->first_frame = topology->frame_count++ == 0 ? index : topology->first_frame;
    }
    return index;
}

uint32_t fgi_builder_instant(struct fgi_builder *builder, const struct fg_trace_instant *instant)
{
    struct fg_trace_instant copy = *instant;
    copy.time_ns = fgi_builder_legal_time(builder, copy.time_ns);
    fgi_builder_saw_time(builder, copy.time_ns);
    builder->trace->info.notes += copy.is_note;
    return ADD(builder, builder->trace->instants, copy);
}

uint32_t fgi_builder_counter(struct fgi_builder *builder, const struct fg_trace_counter *counter)
{
    struct fg_trace_counter copy = *counter;
    copy.sample_count = 0;
    if (copy.track >= builder->trace->tracks.count) {
        fgi_builder_fail(builder, FG_ERR_ARGUMENT);
    }
    uint32_t index = ADD(builder, builder->trace->counters, copy);
    uint32_t data = ADD(builder, builder->trace->counter_data, (struct fgi_counter_data){ 0 });
    return data == FG_NONE ? FG_NONE : index;
}

void fgi_builder_sample(struct fgi_builder *builder, uint32_t counter,
                        const struct fg_trace_sample *sample)
{
    if (builder->result != FG_OK || counter >= builder->trace->counters.count) {
        fgi_builder_fail(builder, FG_ERR_ARGUMENT);
        return;
    }
    struct fgi_counter_data *data = &builder->trace->counter_data.items[counter];
    int64_t time_ns = fgi_builder_legal_time(builder, sample->time_ns);
    uint64_t bits;
    memcpy(&bits, &sample->value, sizeof bits);
    fgi_builder_saw_time(builder, time_ns);
    if (ADD(builder, data->times, time_ns) != FG_NONE &&
        ADD(builder, data->values, bits) != FG_NONE) {
        builder->trace->counters.items[counter].sample_count++;
        builder->trace->info.counter_samples++;
    }
}

static bool sample_before(void *context, uint32_t a, uint32_t b)
{
    const int64_t *times = context;
    return times[a] < times[b];
}

static enum fg_result order_counter(const struct fg_allocator *allocator,
                                    struct fgi_counter_data *data)
{
    size_t count = data->times.count;
    bool sorted = true;
    for (size_t i = 1; i < count; i++) {
        sorted &= data->times.items[i - 1] <= data->times.items[i];
    }
    if (sorted) {
        return FG_OK;
    }
    uint32_t *order = fgi_malloc(allocator, count * sizeof *order);
    uint64_t *spare = fgi_malloc(allocator, count * sizeof *spare);
    enum fg_result result = order && spare ? FG_OK : FG_ERR_NO_MEMORY;
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        order[i] = (uint32_t)i;
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(allocator, order, count, sample_before, data->times.items);
    }
    if (result == FG_OK) {
        for (size_t i = 0; i < count; i++) {
            spare[i] = data->values.items[order[i]];
        }
        memcpy(data->values.items, spare, count * sizeof *spare);
        for (size_t i = 0; i < count; i++) {
            spare[i] = (uint64_t)data->times.items[order[i]];
        }
        memcpy(data->times.items, spare, count * sizeof *spare);
    }
    fgi_free(allocator, order, count * sizeof *order);
    fgi_free(allocator, spare, count * sizeof *spare);
    return result;
}

static bool is_less(bool is_double, uint64_t a, uint64_t b)
{
    union {
        uint64_t bits;
        int64_t integer;
        double real;
    } x = { a }, y = { b };
    return is_double ? x.real < y.real : x.integer < y.integer;
}

/* Its range is asked for with every window. */
static void measure_counter(struct fgi_counter_data *data, bool is_double)
{
    for (size_t i = 0; i < data->values.count; i++) {
        uint64_t value = data->values.items[i];
        data->low = i == 0 || is_less(is_double, value, data->low) ? value : data->low;
        data->high = i == 0 || is_less(is_double, data->high, value) ? value : data->high;
    }
}

enum fg_result fgi_builder_order_counters(struct fgi_builder *builder)
{
    enum fg_result result = FG_OK;
    for (size_t i = 0; result == FG_OK && i < builder->trace->counters.count; i++) {
        result = order_counter(builder->allocator, &builder->trace->counter_data.items[i]);
        measure_counter(&builder->trace->counter_data.items[i],
                        builder->trace->counters.items[i].is_double);
    }
    return result;
}

void fgi_builder_stack(struct fgi_builder *builder, int64_t time_ns, uint32_t track,
                       uint64_t weight, const uint32_t *frames, uint32_t frame_count)
{
    struct fg_trace *trace = builder->trace;
    struct fg_trace_stack stack = {
        .time_ns = fgi_builder_legal_time(builder, time_ns),
        .track = track,
        .first_frame = (uint32_t)trace->stack_frames.count,
        .frame_count = frame_count,
        .weight = weight,
    };
    fgi_builder_saw_time(builder, stack.time_ns);
    for (uint32_t i = 0; i < frame_count; i++) {
        (void)ADD(builder, trace->stack_frames, frames[i]);
    }
    (void)ADD(builder, trace->stacks, stack);
}

void fgi_builder_meta(struct fgi_builder *builder, uint32_t key, uint32_t value)
{
    (void)ADD(builder, builder->trace->metas, (struct fg_trace_meta){ key, value });
}

void fgi_builder_loss(struct fgi_builder *builder, uint32_t reason, uint64_t count)
{
    struct fg_trace *trace = builder->trace;
    for (size_t i = 0; i < trace->losses.count; i++) {
        if (trace->losses.items[i].name == reason) {
            trace->losses.items[i].count += count;
            return;
        }
    }
    (void)ADD(builder, trace->losses, (struct fg_trace_tally){ reason, count });
}

void fgi_builder_skipped(struct fgi_builder *builder, uint32_t name, uint64_t count)
{
    struct fg_trace *trace = builder->trace;
    trace->info.skipped_records += count;
    for (size_t i = 0; i < trace->skipped.count; i++) {
        if (trace->skipped.items[i].name == name) {
            trace->skipped.items[i].count += count;
            return;
        }
    }
    (void)ADD(builder, trace->skipped, (struct fg_trace_tally){ name, count });
}

void fgi_builder_repair(struct fgi_builder *builder, const char *kind, uint64_t count,
                        uint64_t offset)
{
    struct fg_trace *trace = builder->trace;
    for (size_t i = 0; i < trace->repairs.count; i++) {
        if (strcmp(trace->repairs.items[i].kind, kind) == 0) {
            trace->repairs.items[i].count += count;
            return;
        }
    }
    (void)ADD(builder, trace->repairs,
              (struct fg_trace_repair){ .kind = kind, .count = count, .first_offset = offset });
}

void fgi_builder_defect(struct fgi_builder *builder, const char *kind, uint64_t offset,
                        uint32_t text)
{
    (void)ADD(builder, builder->trace->defects,
              (struct fg_trace_defect){ .kind = kind, .offset = offset, .text = text });
}
