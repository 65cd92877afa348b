/* SPDX-License-Identifier: MIT */
/* What is missing, and where: LOSSES. */
#include "view/view_priv.h"
#include <frameglass/trace_state.h>

enum {
    TAG_WINDOW = 0x1B01,
    TAG_FIRST = 0x1B02,
    TAG_LIMIT = 0x1B03,
    TAG_ALL = 0x1B40,
    TAG_COUNTERS = 0x1B41,
    TAG_TRACK = 0x1B48,
    TAG_TIME = 0x1B49,
    TAG_SINCE = 0x1B4A,
    TAG_LOST = 0x1B4B,
    TAG_FRAME = 0x1B4C,
    TAG_SUM_TRACK = 0x1B50,
    TAG_SUM_LOST = 0x1B51,
    TAG_SUM_GAPS = 0x1B52,
    TAG_SUM_FIRST = 0x1B53,
    TAG_SUM_LAST = 0x1B54,
};

static void put_counters(struct fgi_ask *ask)
{
    uint64_t *counters = fgi_u64s(ask, TAG_COUNTERS, FG_TRACE_LOSS_COUNTERS);
    for (unsigned i = 0; counters != NULL && i < FG_TRACE_LOSS_COUNTERS; i++) {
        counters[i] = fg_trace_loss_counter(ask->trace, i);
    }
}

/* The lost events lie between the gap before and the time: a stretch that a window may meet. */
static bool is_met(const struct fgi_range *window, const struct fg_trace_gap *gap)
{
    return !window->is_given ||
           (gap->since_ns < window->end_ns && gap->time_ns >= window->start_ns);
}

static void put_gaps(struct fgi_ask *ask, const uint32_t *gaps, uint32_t count)
{
    uint32_t *track = fgi_u32s(ask, TAG_TRACK, count);
    int64_t *time = fgi_i64s(ask, TAG_TIME, count);
    int64_t *since = fgi_i64s(ask, TAG_SINCE, count);
    uint64_t *lost = fgi_u64s(ask, TAG_LOST, count);
    uint32_t *frame = fgi_u32s(ask, TAG_FRAME, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_trace_gap *gap = fg_trace_gap(ask->trace, gaps[i]);
        track[i] = gap->track;
        time[i] = gap->time_ns;
        since[i] = gap->since_ns;
        lost[i] = gap->count;
        frame[i] = gap->frame;
    }
}

static void put_sums(struct fgi_ask *ask, uint32_t count)
{
    uint32_t *track = fgi_u32s(ask, TAG_SUM_TRACK, count);
    uint64_t *lost = fgi_u64s(ask, TAG_SUM_LOST, count);
    uint32_t *gaps = fgi_u32s(ask, TAG_SUM_GAPS, count);
    int64_t *first = fgi_i64s(ask, TAG_SUM_FIRST, count);
    int64_t *last = fgi_i64s(ask, TAG_SUM_LAST, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_trace_track_loss *sum = fg_trace_track_loss(ask->trace, i);
        track[i] = sum->track;
        lost[i] = sum->count;
        gaps[i] = sum->gap_count;
        first[i] = sum->first_ns;
        last[i] = sum->last_ns;
    }
}

enum fg_result fgi_answer_LOSSES(struct fgi_ask *ask)
{
    struct fgi_range window;
    struct fg_trace_info info;
    enum fg_result result = fgi_ask_range(ask, TAG_WINDOW, &window);
    struct fgi_page page = fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT);
    result = result == FG_OK ? ask->request->result : result;
    if (result != FG_OK) {
        return result;
    }
    fg_trace_get_info(ask->trace, &info);
    uint32_t most = info.gaps < page.limit ? info.gaps : page.limit;
    uint32_t *gaps = fgi_arena_alloc(ask->arena, (size_t)most + 1, sizeof *gaps);
    uint32_t all = 0, count = 0;
    if (gaps == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < info.gaps; i++) {
        if (!is_met(&window, fg_trace_gap(ask->trace, i))) {
            continue;
        }
        if (all++ >= page.first && count < most) {
            gaps[count++] = i;
        }
    }
    fgi_reply_u32(ask->reply, TAG_ALL, all);
    put_counters(ask);
    put_gaps(ask, gaps, count);
    put_sums(ask, info.track_losses);
    if ((uint64_t)page.first + count < all) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return ask->reply->result;
}
