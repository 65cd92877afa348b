/* SPDX-License-Identifier: MIT */
/* What happened at a time: MARKS. */
#include "view/view_priv.h"

enum {
    TAG_WINDOW = 0x0901,
    TAG_KINDS = 0x0902,
    TAG_FIRST = 0x0903,
    TAG_LIMIT = 0x0904,
    TAG_WIDTH = 0x0905,
    TAG_ALL = 0x0940,
    TAG_KIND = 0x0941,
    TAG_TIME = 0x0942,
    TAG_TRACK = 0x0943,
    TAG_NAME = 0x0944,
    TAG_FRAME = 0x0945,
    TAG_HAS_VALUE = 0x0946,
    TAG_VALUE = 0x0947,
    TAG_CATEGORY = 0x0948,
    TAG_BIN_WINDOW = 0x0950,
    TAG_BIN_OFFSET = 0x0958,
    TAG_BIN_TRACK = 0x0959,
    TAG_BIN_KINDS = 0x095A,
    TAG_BIN_COUNT = 0x095B,
    TAG_BIN_TIME = 0x095C,
    TAG_BIN_NAME = 0x095D,
};

enum { KIND_INSTANT = 1, KIND_NOTE = 2, KIND_LOSS = 3 };
enum { BIT_INSTANT = 1, BIT_NOTE = 2, BIT_LOSS = 4 };

static enum fg_result read_marks(struct fgi_ask *ask, struct fg_marks_request *out)
{
    struct fgi_range window;
    enum fg_result result = fgi_ask_range(ask, TAG_WINDOW, &window);
    struct fgi_page page = fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT);
    uint32_t kinds = fgi_request_u32(ask->request, TAG_KINDS, 0);
    kinds = kinds == 0 ? BIT_INSTANT | BIT_NOTE : kinds;
    if (result != FG_OK) {
        return result;
    }
    *out = (struct fg_marks_request){
        .start_ns = window.start_ns,
        .end_ns = window.end_ns,
        .skip_instants = (kinds & BIT_INSTANT) == 0,
        .skip_notes = (kinds & BIT_NOTE) == 0,
        .with_losses = (kinds & BIT_LOSS) != 0,
        .first = page.first,
        .limit = page.limit,
        .width_px = fgi_request_u32(ask->request, TAG_WIDTH, 0),
    };
    if (out->width_px > FGI_MAX_WIDTH_PX) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the width must be 1 to 16384 pixels");
    }
    if (out->width_px > 0 && !window.is_given) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a width needs a window");
    }
    return ask->request->result;
}

static void put_marks(struct fgi_ask *ask, const struct fg_marks_reply *answer)
{
    uint8_t *kind = fgi_u8s(ask, TAG_KIND, answer->count);
    int64_t *time = fgi_i64s(ask, TAG_TIME, answer->count);
    uint32_t *track = fgi_u32s(ask, TAG_TRACK, answer->count);
    uint32_t *name = fgi_u32s(ask, TAG_NAME, answer->count);
    uint32_t *frame = fgi_u32s(ask, TAG_FRAME, answer->count);
    uint8_t *has_value = fgi_u8s(ask, TAG_HAS_VALUE, answer->count);
    int64_t *value = fgi_i64s(ask, TAG_VALUE, answer->count);
    uint32_t *category = fgi_u32s(ask, TAG_CATEGORY, answer->count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < answer->count; i++) {
        const struct fg_trace_instant *mark = fg_trace_instant(ask->trace, answer->instants[i]);
        kind[i] = mark->is_loss ? KIND_LOSS : mark->is_note ? KIND_NOTE : KIND_INSTANT;
        time[i] = mark->time_ns;
        track[i] = mark->track;
        name[i] = fgi_name(ask, mark->name);
        frame[i] = mark->frame;
        has_value[i] = mark->has_value;
        value[i] = mark->has_value ? mark->value : 0;
        category[i] = fgi_name(ask, mark->category);
    }
}

static void put_bins(struct fgi_ask *ask, const struct fg_marks_request *from,
                     const struct fg_marks_reply *answer)
{
    fgi_put_window(ask, TAG_BIN_WINDOW, from->start_ns, from->end_ns, answer->level);
    uint32_t *offset = fgi_u32s(ask, TAG_BIN_OFFSET, answer->bin_count);
    uint32_t *track = fgi_u32s(ask, TAG_BIN_TRACK, answer->bin_count);
    uint8_t *kinds = fgi_u8s(ask, TAG_BIN_KINDS, answer->bin_count);
    uint32_t *count = fgi_u32s(ask, TAG_BIN_COUNT, answer->bin_count);
    int64_t *time = fgi_i64s(ask, TAG_BIN_TIME, answer->bin_count);
    uint32_t *name = fgi_u32s(ask, TAG_BIN_NAME, answer->bin_count);
    int64_t origin = fgi_bin_of(from->start_ns, answer->level);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < answer->bin_count; i++) {
        const struct fg_mark_bin *bin = &answer->bins[i];
        const struct fg_trace_instant *first = fg_trace_instant(ask->trace, bin->instant);
        offset[i] = (uint32_t)((uint64_t)bin->bin - (uint64_t)origin);
        track[i] = bin->track;
        kinds[i] = (uint8_t)((bin->has_instants ? BIT_INSTANT : 0) |
                             (bin->has_notes ? BIT_NOTE : 0) | (bin->has_losses ? BIT_LOSS : 0));
        count[i] = bin->count;
        time[i] = first->time_ns;
        name[i] = fgi_name(ask, first->name);
    }
}

enum fg_result fgi_answer_MARKS(struct fgi_ask *ask)
{
    struct fg_marks_request from;
    struct fg_marks_reply answer;
    enum fg_result result = read_marks(ask, &from);
    if (result == FG_OK) {
        result = fg_query_marks(ask->query, &from, &answer);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_reply_u32(ask->reply, TAG_ALL, answer.total);
    if (answer.has_bins) {
        put_bins(ask, &from, &answer);
    } else {
        put_marks(ask, &answer);
    }
    bool is_part =
        answer.has_bins ? answer.is_cut : (uint64_t)from.first + answer.count < answer.total;
    if (is_part) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return ask->reply->result;
}
