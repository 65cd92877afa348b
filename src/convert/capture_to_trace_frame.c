/* SPDX-License-Identifier: MIT */
/* The two sides of a frame are brought together: FRAM opens it, GSPN fills in times. */
#include "base/alloc.h"
#include "convert/capture_to_trace_priv.h"
#include <string.h>

static int64_t known_ns(uint64_t ns)
{
    return ns == FG_CAP_UNKNOWN || ns > INT64_MAX ? -1 : (int64_t)ns;
}

static int64_t known_ticks(const struct fgi_clock_map *clock, uint64_t ticks)
{
    return ticks == FG_CAP_UNKNOWN ? -1 : fgi_clock_span_ns(clock, 0, ticks);
}

/* What the frame did with the passes of its graph. */
static struct fg_frame_pass *frame_passes(struct fgi_conversion *c, struct fgi_arena *arena,
                                          uint32_t topology, const struct fg_cap_frame *frame,
                                          uint32_t *out_count)
{
    const struct fg_topology *graph = fg_trace_topology(c->backing->trace, topology);
    if (!graph || graph->pass_count == 0 || frame->pass_count == 0) {
        return NULL;
    }
    struct fg_frame_pass *passes = fgi_arena_alloc(arena, graph->pass_count, sizeof *passes);
    if (!passes) {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
        return NULL;
    }
    for (size_t i = 0; i < frame->pass_count; i++) {
        const struct fg_cap_cpu_pass *pass = &frame->passes[i];
        if (pass->graph_pass < graph->pass_count) {
            passes[pass->graph_pass].is_known = true;
            passes[pass->graph_pass].culled = pass->flags & FG_CAP_CPU_PASS_CULLED;
            passes[pass->graph_pass].failed = pass->flags & FG_CAP_CPU_PASS_FAILED;
            passes[pass->graph_pass].ref_count = pass->ref_count;
        }
    }
    *out_count = graph->pass_count;
    return passes;
}

static uint64_t count_drops(struct fgi_conversion *c, const struct fg_cap_frame *frame)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < frame->drop_count; i++) {
        uint64_t count = frame->drops[i].count;
        sum = count < UINT64_MAX - sum ? sum + count : UINT64_MAX;
    }
    fgi_convert_drops(&c->frame_drops, frame->drops, frame->drop_count);
    return sum;
}

static void copy_instances(struct fgi_conversion *c, struct fgi_pending_frame *pending,
                           const struct fg_cap_frame *frame)
{
    if (frame->gpu_pass_count > 0) {
        pending->instances =
            fgi_arena_alloc(&pending->arena, frame->gpu_pass_count, sizeof *pending->instances);
    }
    if (frame->pass_count > 0) {
        pending->passes =
            fgi_arena_alloc(&pending->arena, frame->pass_count, sizeof *pending->passes);
    }
    if ((frame->gpu_pass_count > 0 && !pending->instances) ||
        (frame->pass_count > 0 && !pending->passes)) {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
        return;
    }
    for (size_t i = 0; i < frame->gpu_pass_count; i++) {
        const struct fg_cap_gpu_pass *pass = &frame->gpu_passes[i];
        pending->instances[i] = (struct fgi_instance){
            .graph_pass = pass->graph_pass,
            .kind = pass->kind,
            .label = fgi_convert_symbol(c, pass->label),
            .track = pass->track,
            .submission = pass->submission,
            .parent = pass->parent < i ? pass->parent : FG_CAP_NONE,
            .logical = pass->logical < frame->gpu_pass_count ? pass->logical : FG_CAP_NONE,
            .status = FGI_INSTANCE_WAITING,
        };
    }
    pending->instance_count = (uint32_t)frame->gpu_pass_count;
    if (frame->pass_count > 0) {
        memcpy(pending->passes, frame->passes, frame->pass_count * sizeof *pending->passes);
    }
    pending->pass_count = frame->pass_count;
    pending->submission_count = frame->submission_count;
}

static void keep_semaphores(struct fgi_conversion *c, uint32_t index,
                            const struct fg_cap_frame *frame)
{
    for (uint32_t s = 0; s < frame->submission_count; s++) {
        const struct fg_cap_submission *submission = &frame->submissions[s];
        for (size_t i = 0; i < submission->wait_count; i++) {
            (void)FGI_PUT(c, c->semaphores,
                          (struct fgi_semaphore_use){ submission->waits[i].id,
                                                      submission->waits[i].value, index, s,
                                                      false });
        }
        for (size_t i = 0; i < submission->signal_count; i++) {
            (void)FGI_PUT(c, c->semaphores,
                          (struct fgi_semaphore_use){ submission->signals[i].id,
                                                      submission->signals[i].value, index, s,
                                                      true });
        }
    }
}

/* ---- frames by time -------------------------------------------------------------------------- */

static bool begins_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_frame_time *times = context;
    return times[a].begin_ns < times[b].begin_ns;
}

void fgi_convert_frame_times(struct fgi_conversion *c)
{
    size_t count = c->seen_frames.count;
    uint32_t *order = fgi_malloc(c->allocator, (count + 1) * sizeof *order);
    struct fgi_frame_time *times = fgi_malloc(c->allocator, (count + 1) * sizeof *times);
    enum fg_result result = order && times ? FG_OK : FG_ERR_NO_MEMORY;
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        const struct fgi_seen_frame *seen = &c->seen_frames.items[i];
        const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, seen->clock);
        times[i] =
            (struct fgi_frame_time){ fgi_clock_axis_ns(clock, seen->begin_ticks),
                                     fgi_clock_axis_ns(clock, seen->end_ticks), seen->frame };
        order[i] = i;
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(c->allocator, order, count, begins_before, times);
    }
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        if (!FGI_PUT(c, c->frame_times, times[order[i]])) {
            break;
        }
    }
    fgi_free(c->allocator, order, (count + 1) * sizeof *order);
    fgi_free(c->allocator, times, (count + 1) * sizeof *times);
    fgi_builder_fail(c->builder, result);
}

uint32_t fgi_convert_frame_at(struct fgi_conversion *c, int64_t time_ns)
{
    const struct fgi_frame_time *times = c->frame_times.items;
    size_t low = 0, high = c->frame_times.count;
    /* Mostly it is the frame of the question before, or the next one. */
    size_t last = c->last_frame_time;
    if (last < high && times[last].begin_ns <= time_ns) {
        low = last;
        high = last + 2 < high && times[last + 2].begin_ns > time_ns ? last + 2 : high;
    }
    while (low < high) { /* the first that begins later */
        size_t middle = low + (high - low) / 2;
        if (times[middle].begin_ns <= time_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return FG_NONE;
    }
    c->last_frame_time = low - 1;
    return time_ns < times[low - 1].end_ns ? times[low - 1].frame : FG_NONE;
}

/* ---- the two sides --------------------------------------------------------------------------- */

void fgi_convert_frame(struct fgi_conversion *c, const struct fg_cap_frame *frame, uint64_t offset)
{
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, frame->clock);
    struct fgi_pending_frame pending = { .is_open = true,
                                         .arena = { .allocator = c->allocator },
                                         .topology = FG_NONE,
                                         .cap_topology = frame->topology,
                                         .cpu_clock = frame->clock,
                                         .cpu_track = frame->track };
    (void)fgi_map64_get(&c->topology_of, frame->topology, &pending.topology);
    pending.begin_ns = fgi_clock_axis_ns(clock, frame->begin_ticks);
    pending.end_ns = fgi_clock_axis_ns(clock, frame->end_ticks);
    bool has_submit = frame->submit_ticks != FG_CAP_UNKNOWN;
    pending.submit_ns = has_submit ? fgi_clock_axis_ns(clock, frame->submit_ticks) : pending.end_ns;
    copy_instances(c, &pending, frame);
    uint64_t dropped = count_drops(c, frame);
    struct fg_trace_frame row = {
        .id = frame->frame,
        .start_ns = pending.begin_ns,
        .cpu_end_ns = pending.end_ns > pending.begin_ns ? pending.end_ns : pending.begin_ns,
        .submit_ns = pending.submit_ns,
        .has_submit = has_submit,
        .topology = pending.topology,
        .level = frame->level,
        .track = fgi_convert_track(c, frame->track, frame->clock, FG_TRACK_THREAD),
        .dropped = dropped > UINT32_MAX ? UINT32_MAX : (uint32_t)dropped,
        .overhead_ns = known_ns(frame->recorder_ns),
        .latency_ns = -1,
        .wait_ns = known_ticks(clock, frame->wait_ticks),
        .present_wait_ns = known_ticks(clock, frame->present_wait_ticks),
    };
    uint32_t pass_count = 0;
    struct fg_frame_pass *passes =
        frame_passes(c, &pending.arena, pending.topology, frame, &pass_count);
    uint32_t index = fgi_builder_frame(c->builder, &row, passes, pass_count);
    if (index == FG_NONE || !FGI_PUT(c, c->pending, pending)) {
        fgi_arena_finish(&pending.arena);
        return;
    }
    (void)FGI_PUT(
        c, c->backing->frames,
        (struct fgi_frame_source){ .offset = offset, .frame_row = FG_NONE, .first_gpu = FG_NONE });
    keep_semaphores(c, index, frame);
    for (size_t i = 0; i < frame->counter_count; i++) {
        const struct fg_cap_counter *counter = &frame->counters[i];
        uint32_t name = fgi_convert_symbol(c, counter->name);
        uint32_t unit = fgi_convert_symbol(c, counter->unit);
        fgi_convert_counter(c, name, unit, FG_CAP_NONE, pending.begin_ns, &counter->value);
    }
}

void fgi_convert_gpu_frame(struct fgi_conversion *c, const struct fg_cap_gpu_frame *gpu,
                           uint64_t offset)
{
    uint32_t index = fgi_convert_frame_index(c, gpu->frame);
    if (index >= c->pending.count) {
        fgi_builder_repair(c->builder, "gpu_times_without_frame", 1, offset);
        return;
    }
    struct fgi_pending_frame *pending = &c->pending.items[index];
    struct fg_trace_frame *frame = &c->backing->trace->frames.items[index];
    if (!pending->is_open) {
        fgi_builder_repair(c->builder, "gpu_times_after_last", 1, offset);
        return;
    }
    int64_t latency = known_ns(gpu->latency_ns);
    frame->has_gpu = true;
    frame->latency_ns = latency > frame->latency_ns ? latency : frame->latency_ns;
    struct fgi_frame_source *source = &c->backing->frames.items[index];
    if (FGI_PUT(c, c->backing->gpu_sources, (struct fgi_gpu_source){ offset, source->first_gpu })) {
        source->first_gpu = (uint32_t)c->backing->gpu_sources.count - 1;
    }
    for (size_t i = 0; i < gpu->span_count; i++) {
        const struct fg_cap_gpu_span *span = &gpu->spans[i];
        if (span->instance >= pending->instance_count) {
            fgi_builder_repair(c->builder, "gpu_span_without_pass", 1, offset);
            continue;
        }
        struct fgi_instance *instance = &pending->instances[span->instance];
        if (instance->status == FG_CAP_SPAN_OK || instance->status == FG_CAP_SPAN_INVALID) {
            fgi_builder_repair(c->builder, "gpu_span_repeated", 1, offset);
            continue;
        }
        instance->status = span->status;
        instance->origin = span->origin;
        instance->clock = gpu->clock;
        instance->begin_ticks = span->begin_ticks;
        instance->end_ticks = span->end_ticks;
    }
    if (gpu->flags & FG_CAP_GPU_FRAME_LAST) {
        fgi_convert_emit_frame(c, index);
    }
}
