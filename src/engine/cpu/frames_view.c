/* SPDX-License-Identifier: MIT */
/* The table of frames, and one pass over the frames. */
#include "base/alloc.h"
#include "base/wide.h"
#include "base/hitch.h"
#include "base/verdict.h"
#include "engine/cpu/engine_cpu_priv.h"

static bool is_finished(uint8_t status)
{
    return status == FG_SPAN_COMPLETE || status == FG_SPAN_ERROR;
}

/* GPU passes with both times; markers inside of passes are not counted beside them. */
static bool is_timed_pass(const struct fgi_block *block, uint32_t i)
{
    return (fgi_block_classes(block, i) & FG_CLASS_GPU_PASS) &&
           !(fgi_block_classes(block, i) & FG_CLASS_SUBPASS) &&
           is_finished(fgi_block_status(block, i));
}

static int64_t saturated(uint64_t ns)
{
    return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

struct gathering {
    struct fgi_engine_cpu *cpu;
    size_t frame_count;
    size_t *first;   /* frame_count + 1: where each frame's GPU passes lie */
    uint32_t *clock; /* by frame: of its GPU passes; FG_NONE: none yet; FG_NONE - 1: several */
    struct fgi_interval *intervals;
    size_t interval_count;
    bool has_gpu, is_closed;
    bool not_of_execution; /* GPU times say nothing of how long the device worked */
};

/*
 * Count rows and GPU passes by frame; a second time, put the passes' intervals where they belong.
 */
static enum fg_result look_at_spans(struct gathering *g, bool is_second)
{
    const struct fg_trace *trace = g->cpu->engine.trace;
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    for (uint32_t row = 0; row < fgi_trace_rows(trace); row++) {
        if (!fgi_cursor_at(&cursor, row)) {
            break;
        }
        const struct fgi_block *block = cursor.block;
        if (!block->extra[FGI_COLUMN_FRAME]) {
            row = block->first_row + (block->count - 1);
            continue;
        }
        uint32_t i = row - cursor.first_row;
        uint32_t frame = block->extra[FGI_COLUMN_FRAME][i];
        if (frame >= g->frame_count) {
            continue;
        }
        g->cpu->frame_rows[frame].spans += !is_second;
        if (!is_timed_pass(block, i)) {
            continue;
        }
        if (is_second) {
            g->intervals[g->first[frame]++] =
                (struct fgi_interval){ block->start_ns[i], block->end_ns[i] };
            continue;
        }
        g->first[frame + 1]++;
        g->interval_count++;
        uint32_t clock = trace->tracks.items[trace->lanes.items[block->lane[i]].track].clock;
        g->clock[frame] =
            g->clock[frame] == FG_NONE || g->clock[frame] == clock ? clock : FG_NONE - 1;
    }
    fgi_cursor_finish(&cursor);
    return cursor.result;
}

/* Last end less first begin has no meaning across clocks that are not related. */
static bool are_comparable(const struct gathering *g, size_t frame)
{
    const struct fg_trace *trace = g->cpu->engine.trace;
    if (g->clock[frame] != FG_NONE - 1) {
        return true;
    }
    for (size_t i = 0; i < trace->clocks.count; i++) {
        if (trace->clocks.items[i].kind == FG_CLOCK_NOMINAL) {
            return false;
        }
    }
    return true;
}

static enum fg_result measure_gpu(struct gathering *g, size_t frame)
{
    struct fg_frame_row *row = &g->cpu->frame_rows[frame];
    size_t first = frame == 0 ? 0 : g->first[frame - 1];
    size_t count = g->first[frame] - first; /* after filling, each first is the next one's */
    row->gpu_ns = row->gpu_busy_ns = -1;
    if (count == 0 || !are_comparable(g, frame)) {
        return FG_OK;
    }
    struct fgi_interval *intervals = g->intervals + first;
    fgi_sort_intervals(intervals, count, NULL, 0);
    row->gpu_start_ns = intervals[0].start;
    row->gpu_end_ns = intervals[0].end;
    for (size_t i = 1; i < count; i++) {
        row->gpu_end_ns = intervals[i].end > row->gpu_end_ns ? intervals[i].end : row->gpu_end_ns;
    }
    row->gpu_ns = saturated(fgi_duration(row->gpu_start_ns, row->gpu_end_ns));
    row->gpu_busy_ns = saturated(fgi_union_length(intervals, count));
    return FG_OK;
}

/* A program without a device has no GPU times that could be missing. */
static bool has_gpu(const struct fg_trace *trace)
{
    for (size_t i = 0; i < trace->tracks.count; i++) {
        if (trace->tracks.items[i].kind == FG_TRACK_GPU_QUEUE) {
            return true;
        }
    }
    return false;
}

/*
 * A program without a device cannot be bound by one, so nothing is guessed of it. While the capture
 * has no end, times of the last frames may still come.
 */
static enum fgi_gpu_time gpu_time_of(const struct gathering *g, const struct fg_frame_row *row,
                                     size_t i)
{
    const struct fg_trace *trace = g->cpu->engine.trace;
    const bool is_late = g->is_closed || trace->frames.count - i > FGI_VERDICT_LATE_FRAMES;
    if (row->gpu_busy_ns >= 0 && g->not_of_execution) {
        return FGI_GPU_TIME_MISSING;
    }
    if (row->gpu_busy_ns >= 0) {
        return trace->frames.items[i].missing > 0 ? FGI_GPU_TIME_PART : FGI_GPU_TIME_WHOLE;
    }
    return g->has_gpu && is_late && !trace->frames.items[i].is_lost ? FGI_GPU_TIME_MISSING
                                                                    : FGI_GPU_TIME_PENDING;
}

static void judge_frame(const struct gathering *g, struct fg_frame_row *row, size_t i)
{
    const struct fg_trace *trace = g->cpu->engine.trace;
    const struct fg_trace_frame *frame = &trace->frames.items[i];
    const struct fg_trace_frame *next = i + 1 < trace->frames.count ? frame + 1 : NULL;
    row->frame = (uint32_t)i;
    row->cpu_ns = frame->cpu_end_ns >= frame->start_ns
                      ? saturated(fgi_duration(frame->start_ns, frame->cpu_end_ns))
                      : -1;
    row->frame_ns = next && next->start_ns > frame->start_ns
                        ? saturated(fgi_duration(frame->start_ns, next->start_ns))
                        : -1;
    row->cpu_work_ns = row->cpu_ns >= 0 && frame->wait_ns > 0 && frame->wait_ns <= row->cpu_ns
                           ? row->cpu_ns - frame->wait_ns
                           : row->cpu_ns;
    const int64_t gpu_ns = g->not_of_execution ? -1 : row->gpu_busy_ns;
    const int64_t done_ns = row->cpu_ns > gpu_ns ? row->cpu_ns : gpu_ns;
    const bool is_pause =
        done_ns >= 0 && row->frame_ns >= 0 && row->frame_ns - done_ns > FGI_VERDICT_GAP_NS;
    const struct fgi_verdict_input input = {
        .frame_ns = is_pause ? -1 : row->frame_ns,
        .cpu_work_ns = row->cpu_work_ns,
        .gpu_ns = gpu_ns,
        .present_wait_ns = frame->present_wait_ns,
    };
    const struct fgi_judgement judged = fgi_verdict_judge(&input, gpu_time_of(g, row, i));
    row->verdict = (enum fg_verdict)judged.verdict;
    row->verdict_name = fgi_verdict_name(judged.verdict);
    row->flags |= judged.is_inferred ? FG_FRAME_INFERRED : 0;
    row->flags |= is_pause ? FG_FRAME_PAUSE : 0;
    row->flags |= frame->dropped > 0 ? FG_FRAME_DROPPED : 0;
    row->flags |= g->has_gpu && row->gpu_ns < 0 ? FG_FRAME_NO_GPU : 0;
    row->flags |= i > 0 && frame[-1].topology != frame->topology ? FG_FRAME_NEW_TOPOLOGY : 0;
    row->flags |= frame->is_lost ? FG_FRAME_LOST : 0;
}

static int64_t gpu_time(const void *context, size_t i)
{
    return ((const struct fg_frame_row *)context)[i].gpu_ns;
}
static int64_t cpu_time(const void *context, size_t i)
{
    return ((const struct fg_frame_row *)context)[i].cpu_ns;
}

static enum fg_result mark_frames(struct fgi_engine_cpu *cpu)
{
    const struct fg_trace *trace = cpu->engine.trace;
    size_t count = trace->frames.count;
    uint8_t *marks = fgi_calloc(cpu->allocator, count, 1);
    if (!marks) {
        return FG_ERR_NO_MEMORY;
    }
    static const fgi_hitch_time times[] = { cpu_time, gpu_time };
    static const uint8_t flags[] = { FG_FRAME_CPU_HITCH, FG_FRAME_GPU_HITCH };
    fgi_hitch_mark(times, cpu->frame_rows, count, flags, marks);
    for (size_t i = 0; i < count; i++) {
        cpu->frame_rows[i].flags |= marks[i];
    }
    fgi_free(cpu->allocator, marks, count);
    for (size_t i = 0; i < trace->instants.count; i++) {
        const struct fg_trace_instant *instant = &trace->instants.items[i];
        if (instant->is_note && instant->frame < count) {
            cpu->frame_rows[instant->frame].flags |= FG_FRAME_NOTE;
        }
    }
    return FG_OK;
}

enum fg_result fgi_frame_rows_make(struct fgi_engine_cpu *cpu)
{
    const struct fg_trace *trace = cpu->engine.trace;
    size_t count = trace->frames.count;
    if (count == 0) {
        return FG_OK;
    }
    struct gathering g = {
        .cpu = cpu,
        .frame_count = count,
        .first = fgi_calloc(cpu->allocator, count + 1, sizeof *g.first),
        .clock = fgi_malloc(cpu->allocator, count * sizeof *g.clock),
        .has_gpu = has_gpu(trace),
        .not_of_execution = !fgi_trace_times_are_of_execution(trace),
        .is_closed = !trace->info.is_growing,
    };
    cpu->frame_rows = fgi_calloc(cpu->allocator, count, sizeof *cpu->frame_rows);
    enum fg_result result = g.first && g.clock && cpu->frame_rows ? FG_OK : FG_ERR_NO_MEMORY;
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        g.clock[i] = FG_NONE;
    }
    result = result == FG_OK ? look_at_spans(&g, false) : result;
    if (result == FG_OK) {
        for (size_t i = 0; i < count; i++) {
            g.first[i + 1] += g.first[i];
        }
        g.intervals = fgi_malloc(cpu->allocator, (g.interval_count + 1) * sizeof *g.intervals);
        result = g.intervals ? look_at_spans(&g, true) : FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < count && result == FG_OK; i++) {
        result = measure_gpu(&g, i);
        judge_frame(&g, &cpu->frame_rows[i], i);
    }
    if (result == FG_OK) {
        result = mark_frames(cpu);
    }
    fgi_free(cpu->allocator, g.first, (count + 1) * sizeof *g.first);
    fgi_free(cpu->allocator, g.clock, count * sizeof *g.clock);
    fgi_free(cpu->allocator, g.intervals, (g.interval_count + 1) * sizeof *g.intervals);
    return result;
}

enum fg_result fgi_cpu_frames(struct fg_engine *engine, const struct fgi_question *question,
                              uint32_t first, uint32_t end, const struct fg_frame_row **out_rows,
                              uint32_t *out_count)
{
    (void)question; /* the table is made with the engine */
    *out_rows = fgi_cpu(engine)->frame_rows + first;
    *out_count = end - first;
    return FG_OK;
}

/* ---- series ---------------------------------------------------------------------------------- */

struct series_key {
    uint32_t pass, name, clock;
};

static struct series_key series_key_of(const struct fg_trace *trace, const struct fgi_block *block,
                                       uint32_t i)
{
    uint32_t pass = fgi_block_extra(block, FGI_COLUMN_PASS, i);
    return (struct series_key){
        .pass = pass,
        .name = pass == FG_NONE ? fgi_block_name(block, i) : 0,
        .clock = trace->tracks.items[trace->lanes.items[block->lane[i]].track].clock,
    };
}

enum fg_result fgi_cpu_series(struct fg_engine *engine, const struct fgi_question *question,
                              uint32_t row, uint32_t first_frame, uint32_t end_frame,
                              const struct fg_series_item **out_items, uint32_t *out_count)
{
    const struct fg_trace *trace = engine->trace;
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    uint32_t frames = end_frame - first_frame;
    struct fg_series_item *items = fgi_arena_alloc(question->arena, frames, sizeof *items);
    if (!items || !fgi_cursor_at(&cursor, row)) {
        fgi_cursor_finish(&cursor);
        return items ? cursor.result : FG_ERR_NO_MEMORY;
    }
    struct series_key wanted = series_key_of(trace, cursor.block, row - cursor.first_row);
    enum fg_result result = FG_OK;
    for (uint32_t r = 0; r < fgi_trace_rows(trace) && result == FG_OK; r++) {
        if (r % 65536 == 0 && fgi_question_cancelled(question)) {
            result = FG_ERR_CANCELLED;
        }
        if (!fgi_cursor_at(&cursor, r)) {
            break;
        }
        const struct fgi_block *block = cursor.block;
        uint32_t i = r - cursor.first_row;
        uint32_t frame = fgi_block_extra(block, FGI_COLUMN_FRAME, i);
        struct series_key key = series_key_of(trace, block, i);
        if (frame < first_frame || frame >= end_frame || key.pass != wanted.pass ||
            key.name != wanted.name || key.clock != wanted.clock ||
            !is_finished(fgi_block_status(block, i))) {
            continue;
        }
        struct fg_series_item *item = &items[frame - first_frame];
        uint64_t duration = fgi_duration(block->start_ns[i], block->end_ns[i]);
        item->count++;
        item->total_ns = fgi_add_saturated(item->total_ns, duration);
    }
    fgi_cursor_finish(&cursor);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < frames; i++) {
        if (items[i].count > 0) {
            items[kept] = items[i];
            items[kept++].frame = first_frame + i;
        }
    }
    *out_items = items;
    *out_count = kept;
    return result != FG_OK ? result : cursor.result;
}
