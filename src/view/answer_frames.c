/* SPDX-License-Identifier: MIT */
/* The table of frames. */
#include "view/view_priv.h"

#include <string.h>

enum {
    TAG_FIRST = 0x0D01,
    TAG_LIMIT = 0x0D02,
    TAG_WINDOW = 0x0D03,
    TAG_ALL = 0x0D40,
    TAG_FRAME = 0x0D41,
    TAG_NUMBER = 0x0D42,
    TAG_START = 0x0D43,
    TAG_END = 0x0D44,
    TAG_CPU = 0x0D45,
    TAG_GPU = 0x0D46,
    TAG_GPU_BUSY = 0x0D47,
    TAG_GPU_START = 0x0D48,
    TAG_GPU_END = 0x0D49,
    TAG_SPANS = 0x0D4A,
    TAG_DROPPED = 0x0D4B,
    TAG_TOPOLOGY = 0x0D4C,
    TAG_VERDICT = 0x0D4D,
    TAG_FLAGS = 0x0D4E,
    TAG_MISSING = 0x0D50,
    TAG_SUBMIT = 0x0D51,
    TAG_LATENCY = 0x0D52,
    TAG_OVERHEAD = 0x0D53,
    TAG_PRESENT_WAIT = 0x0D54,
    TAG_LEVEL = 0x0D55,
    TAG_FRAME_NS = 0x0D56,
    TAG_CPU_WORK = 0x0D57,
    TAG_WINDOW_VERDICT = 0x0D58,
    TAG_WINDOW_COUNTS = 0x0D59,
    TAG_WINDOW_INFERRED = 0x0D5A,
};

/* What the trace stores of a frame. */
static void put_stored(struct fgi_ask *ask, const struct fg_frame_row *rows, uint32_t count)
{
    uint64_t *number = fgi_u64s(ask, TAG_NUMBER, count);
    int64_t *start = fgi_i64s(ask, TAG_START, count);
    int64_t *end = fgi_i64s(ask, TAG_END, count);
    uint32_t *dropped = fgi_u32s(ask, TAG_DROPPED, count);
    uint32_t *topology = fgi_u32s(ask, TAG_TOPOLOGY, count);
    uint32_t *missing = fgi_u32s(ask, TAG_MISSING, count);
    int64_t *submit = fgi_i64s(ask, TAG_SUBMIT, count);
    int64_t *latency = fgi_i64s(ask, TAG_LATENCY, count);
    int64_t *overhead = fgi_i64s(ask, TAG_OVERHEAD, count);
    int64_t *wait = fgi_i64s(ask, TAG_PRESENT_WAIT, count);
    uint8_t *level = fgi_u8s(ask, TAG_LEVEL, count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_trace_frame *frame = fg_trace_frame(ask->trace, rows[i].frame);
        number[i] = frame->id;
        start[i] = frame->start_ns;
        end[i] = frame->cpu_end_ns;
        dropped[i] = frame->dropped;
        topology[i] = frame->topology;
        missing[i] = frame->missing;
        submit[i] = frame->has_submit ? frame->submit_ns : frame->start_ns;
        latency[i] = frame->latency_ns;
        overhead[i] = frame->overhead_ns;
        wait[i] = frame->present_wait_ns;
        level[i] = frame->level > 255 ? 255 : (uint8_t)frame->level;
    }
}

/* What the engine found out. */
static void put_found(struct fgi_ask *ask, const struct fg_frame_row *rows, uint32_t count)
{
    uint32_t *frame = fgi_u32s(ask, TAG_FRAME, count);
    int64_t *cpu = fgi_i64s(ask, TAG_CPU, count);
    int64_t *work = fgi_i64s(ask, TAG_CPU_WORK, count);
    int64_t *gpu = fgi_i64s(ask, TAG_GPU, count);
    int64_t *busy = fgi_i64s(ask, TAG_GPU_BUSY, count);
    int64_t *gpu_start = fgi_i64s(ask, TAG_GPU_START, count);
    int64_t *gpu_end = fgi_i64s(ask, TAG_GPU_END, count);
    uint32_t *spans = fgi_u32s(ask, TAG_SPANS, count);
    uint8_t *verdict = fgi_u8s(ask, TAG_VERDICT, count);
    uint16_t *flags = fgi_u16s(ask, TAG_FLAGS, count);
    int64_t *frame_ns = fgi_i64s(ask, TAG_FRAME_NS, count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        frame[i] = rows[i].frame;
        cpu[i] = rows[i].cpu_ns;
        work[i] = rows[i].cpu_work_ns;
        gpu[i] = rows[i].gpu_ns;
        busy[i] = rows[i].gpu_busy_ns;
        gpu_start[i] = rows[i].gpu_start_ns;
        gpu_end[i] = rows[i].gpu_end_ns;
        spans[i] = rows[i].spans;
        verdict[i] = (uint8_t)rows[i].verdict;
        flags[i] = (uint16_t)rows[i].flags;
        frame_ns[i] = rows[i].frame_ns;
    }
}

/* What bounds the frames of the window, where one is asked for. */
static enum fg_result put_window(struct fgi_ask *ask)
{
    struct fgi_frames window;
    struct fg_verdict_window found = { 0 };
    enum fg_result result = fgi_ask_frames(ask, TAG_WINDOW, &window);
    if (result != FG_OK || !window.is_given) {
        return result;
    }
    result = fg_query_verdict(ask->query, window.first, window.end, &found);
    if (result != FG_OK) {
        return result;
    }
    uint32_t *counts = fgi_u32s(ask, TAG_WINDOW_COUNTS, FG_VERDICTS);
    if (counts != NULL) {
        memcpy(counts, found.counts, sizeof found.counts);
    }
    fgi_reply_u32(ask->reply, TAG_WINDOW_VERDICT, found.verdict);
    fgi_reply_u32(ask->reply, TAG_WINDOW_INFERRED, found.inferred_count);
    return FG_OK;
}

enum fg_result fgi_answer_FRAMES(struct fgi_ask *ask)
{
    struct fgi_page page = fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT);
    struct fg_trace_info info;
    const struct fg_frame_row *rows = NULL;
    uint32_t count = 0;
    fg_trace_get_info(ask->trace, &info);
    uint32_t all = (uint32_t)info.frames;
    uint32_t first = page.first < all ? page.first : all;
    uint32_t end = all - first > page.limit ? first + page.limit : all;
    if (ask->request->result != FG_OK) {
        return ask->request->result;
    }
    if (first < end) {
        enum fg_result result = fg_query_frames(ask->query, first, end, &rows, &count);
        if (result != FG_OK) {
            return result;
        }
    }
    fgi_reply_u32(ask->reply, TAG_ALL, all);
    put_stored(ask, rows, count);
    put_found(ask, rows, count);
    enum fg_result result = put_window(ask);
    if (result != FG_OK) {
        return result;
    }
    if (end < all) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return FG_OK;
}
