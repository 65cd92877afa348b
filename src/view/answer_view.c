/* SPDX-License-Identifier: MIT */
/* VIEW: what the pixels of a window can show. */
#include "view/view_priv.h"
#include <frameglass/trace_anomaly.h>

enum {
    TAG_WINDOW = 0x0701,
    TAG_WIDTH = 0x0702,
    TAG_LANES = 0x0703,
    TAG_GROUPS = 0x0704,
    TAG_FILTER = 0x0705,
    TAG_BUDGET = 0x0706,
    TAG_MODES = 0x0707,
    TAG_READABLE = 0x0708,
    TAG_FIELDS = 0x0709,
    TAG_SCORES = 0x070A,
    TAG_DETAIL = 0x070B,
    TAG_OUT_WINDOW = 0x0740,
    TAG_LEVEL = 0x0741,
    TAG_ORIGIN = 0x0742,
    TAG_LANE = 0x0748,
    TAG_LANE_MODE = 0x0749,
    TAG_LANE_SPANS = 0x074A,
    TAG_LANE_BINS = 0x074B,
    TAG_LANE_BINS_MODE = 0x074C,
    TAG_LANE_BLEND = 0x074D,
    TAG_SPAN_ROW = 0x0750,
    TAG_SPAN_BEGIN = 0x0751,
    TAG_SPAN_END = 0x0752,
    TAG_SPAN_NAME = 0x0753,
    TAG_SPAN_CATEGORY = 0x0754,
    TAG_SPAN_FLAGS = 0x0755,
    TAG_SPAN_FRAME = 0x0756,
    TAG_SPAN_ORIGIN = 0x0757,
    TAG_SPAN_LANE = 0x0758,
    TAG_SPAN_SCOPE = 0x0759,
    TAG_SPAN_TINT = 0x075A,
    TAG_BIN_OFFSET = 0x0760,
    TAG_BIN_ROW = 0x0761,
    TAG_BIN_NAME = 0x0762,
    TAG_BIN_CATEGORY = 0x0763,
    TAG_BIN_COUNT = 0x0764,
    TAG_BIN_COVER = 0x0765,
    TAG_BIN_FLAGS = 0x0766,
    TAG_BIN_RUN = 0x0767,
    TAG_BIN_ORIGIN = 0x0768,
    TAG_BIN_SCOPE = 0x0769,
    TAG_BIN_LONGEST = 0x076A,
    TAG_BIN_TINT = 0x076B,
};

enum { FIELD_FRAME = 1, FIELD_ORIGIN = 2, FIELD_LANE = 4, FIELD_SCOPE = 8, FIELD_LONGEST = 16 };
enum { FLAG_CLIPPED_BEGIN = 0x1000000, FLAG_CLIPPED_END = 0x2000000 };

static enum fg_result read_targets(struct fgi_ask *ask, struct fg_view_request *out)
{
    const struct fgi_section *modes = fgi_request_section(ask->request, TAG_MODES, FGI_TYPE_U8);
    return fgi_ask_targets(ask, TAG_LANES, TAG_GROUPS, modes, &out->targets, &out->target_count);
}

static enum fg_result read_view(struct fgi_ask *ask, struct fg_view_request *out)
{
    struct fgi_range window;
    enum fg_result result = fgi_ask_window(ask, TAG_WINDOW, &window);
    if (result != FG_OK) {
        return result;
    }
    const struct fgi_section *budget = fgi_request_exact(ask->request, TAG_BUDGET, FGI_TYPE_U32, 2);
    const struct fgi_section *detail = fgi_request_exact(ask->request, TAG_DETAIL, FGI_TYPE_U32, 2);
    uint32_t details[2] = { detail == NULL ? 0 : fgi_section_u32(detail, 0),
                            detail == NULL ? 0 : fgi_section_u32(detail, 1) };
    *out = (struct fg_view_request){
        .start_ns = window.start_ns,
        .end_ns = window.end_ns,
        .width_px = fgi_request_u32(ask->request, TAG_WIDTH, 0),
        .max_spans = budget == NULL ? 0 : fgi_section_u32(budget, 0),
        .max_bins = budget == NULL ? 0 : fgi_section_u32(budget, 1),
        .wide_px = fgi_request_u32(ask->request, TAG_READABLE, 0),
        .detail = (uint8_t)details[0],
        .handoff = (uint8_t)details[1],
    };
    if (details[0] > FG_DETAIL_DENSITY || details[1] > FG_HANDOFF_SMOOTH) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "there is no such representation or handoff");
    }
    if (out->width_px == 0 || out->width_px > FGI_MAX_WIDTH_PX) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the width must be 1 to 16384 pixels");
    }
    if (out->max_spans > FGI_MAX_SPANS || out->max_bins > FGI_MAX_BINS) {
        return fgi_ask_fail(ask, FG_ERR_LIMIT, "the budget is over the limit that HELLO names");
    }
    out->wide_px = out->wide_px != 0 && out->wide_px < 4 ? 4 : out->wide_px;
    result = fgi_ask_filter(ask, TAG_FILTER, &out->filter);
    return result == FG_OK ? read_targets(ask, out) : result;
}

static void put_answers(struct fgi_ask *ask, const struct fg_view_request *view,
                        const struct fg_view_reply *answer)
{
    uint32_t count = view->target_count;
    uint32_t *lane = fgi_u32s(ask, TAG_LANE, count);
    uint8_t *mode = fgi_u8s(ask, TAG_LANE_MODE, count);
    uint32_t *spans = fgi_u32s(ask, TAG_LANE_SPANS, (size_t)count + 1);
    uint32_t *bins = fgi_u32s(ask, TAG_LANE_BINS, (size_t)count + 1);
    uint8_t *bins_mode = fgi_u8s(ask, TAG_LANE_BINS_MODE, count);
    uint8_t *blend = fgi_u8s(ask, TAG_LANE_BLEND, count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_view_answer *one = &answer->answers[i];
        const struct fg_view_target *target = &view->targets[i];
        lane[i] = target->index | (target->kind == FG_VIEW_PROCESS ? FGI_GROUP_PROCESS : 0);
        mode[i] = one->mode;
        bins_mode[i] = one->bins_mode;
        blend[i] = one->blend;
        bool is_answered = one->mode != FG_VIEW_NONE;
        spans[i + 1] = spans[i] + (is_answered ? one->span_count : 0);
        bins[i + 1] = bins[i] + (is_answered ? one->bins_count : 0);
    }
}

struct span_columns {
    uint32_t *row, *name, *category, *flags, *frame, *origin, *lane, *scope;
    double *begin, *end;
};

static void put_span(struct fgi_ask *ask, const struct span_columns *to, uint32_t at,
                     const struct fg_trace_span *span, int64_t t0)
{
    to->row[at] = span->row;
    to->name[at] = fgi_name(ask, span->name);
    to->category[at] = fgi_name(ask, span->category);
    uint32_t flags = fgi_span_flags(ask, span);
    flags |= fgi_relative(span->start_ns, t0, &to->begin[at]) ? 0 : FLAG_CLIPPED_BEGIN;
    flags |= fgi_relative(span->end_ns, t0, &to->end[at]) ? 0 : FLAG_CLIPPED_END;
    to->flags[at] = flags;
    if (to->frame != NULL) {
        to->frame[at] = span->frame;
    }
    if (to->origin != NULL) {
        to->origin[at] = span->origin;
    }
    if (to->lane != NULL) {
        to->lane[at] = span->lane;
    }
    if (to->scope != NULL) {
        to->scope[at] = fgi_name(ask, span->scope);
    }
}

/* By answer, in the order of the answers, so that the ranges of put_answers() hold. */
static void put_spans(struct fgi_ask *ask, const struct fg_view_request *view,
                      const struct fg_view_reply *answer, uint32_t fields)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->target_count; i++) {
        count += answer->answers[i].mode == FG_VIEW_NONE ? 0 : answer->answers[i].span_count;
    }
    struct span_columns to = {
        .row = fgi_u32s(ask, TAG_SPAN_ROW, count),
        .begin = fgi_f64s(ask, TAG_SPAN_BEGIN, count),
        .end = fgi_f64s(ask, TAG_SPAN_END, count),
        .name = fgi_u32s(ask, TAG_SPAN_NAME, count),
        .category = fgi_u32s(ask, TAG_SPAN_CATEGORY, count),
        .flags = fgi_u32s(ask, TAG_SPAN_FLAGS, count),
        .frame = (fields & FIELD_FRAME) != 0 ? fgi_u32s(ask, TAG_SPAN_FRAME, count) : NULL,
        .origin = (fields & FIELD_ORIGIN) != 0 ? fgi_u32s(ask, TAG_SPAN_ORIGIN, count) : NULL,
        .lane = (fields & FIELD_LANE) != 0 ? fgi_u32s(ask, TAG_SPAN_LANE, count) : NULL,
        .scope = (fields & FIELD_SCOPE) != 0 ? fgi_u32s(ask, TAG_SPAN_SCOPE, count) : NULL,
    };
    if (ask->reply->result != FG_OK) {
        return;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < view->target_count; i++) {
        const struct fg_view_answer *one = &answer->answers[i];
        for (uint32_t k = 0; one->mode != FG_VIEW_NONE && k < one->span_count; k++) {
            put_span(ask, &to, at++, &answer->spans[one->first_span + k], view->start_ns);
        }
    }
}

struct bin_columns {
    uint32_t *offset, *run, *row, *name, *category, *count, *flags, *origin, *scope;
    double *cover, *longest;
};

/* What bins do not carry is looked up at their row, for those who colour by it. */
static enum fg_result put_bin_row(struct fgi_ask *ask, const struct bin_columns *to, uint32_t at,
                                  uint32_t row)
{
    struct fg_trace_span span;
    uint32_t count = 0;
    if (to->origin == NULL && to->scope == NULL) {
        return FG_OK;
    }
    enum fg_result result = fg_trace_spans(ask->trace, row, &span, 1, &count);
    if (result != FG_OK || count != 1) {
        return result;
    }
    if (to->origin != NULL) {
        to->origin[at] = span.origin;
    }
    if (to->scope != NULL) {
        to->scope[at] = fgi_name(ask, span.scope);
    }
    return FG_OK;
}

/* Runs are cut to the window, so that offsets and lengths fit in 32 bits. */
static void put_bin(struct fgi_ask *ask, const struct bin_columns *to, uint32_t at,
                    const struct fg_view_bins *bins, int64_t origin, int64_t last)
{
    uint64_t from = bins->first > origin ? (uint64_t)bins->first - (uint64_t)origin : 0;
    uint64_t skipped = bins->first < origin ? (uint64_t)origin - (uint64_t)bins->first : 0;
    uint64_t run = bins->count > skipped ? bins->count - skipped : 1;
    uint64_t room = (uint64_t)last - (uint64_t)origin + 1 - from;
    const uint64_t most_cover = UINT64_C(1) << 53;
    to->offset[at] = (uint32_t)from;
    to->run[at] = (uint32_t)(run > room ? room : run);
    to->row[at] = bins->row;
    to->name[at] = fgi_name(ask, bins->name);
    to->category[at] = fgi_name(ask, bins->category);
    to->count[at] = bins->starts;
    to->flags[at] = fgi_status_flags(bins->classes, bins->status);
    to->cover[at] = (double)(bins->covered_ns > most_cover ? most_cover : bins->covered_ns);
    if (to->longest != NULL) {
        to->longest[at] = (double)(bins->longest_ns > most_cover ? most_cover : bins->longest_ns);
    }
}

static enum fg_result put_bins(struct fgi_ask *ask, const struct fg_view_request *view,
                               const struct fg_view_reply *answer, uint32_t fields)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->target_count; i++) {
        count += answer->answers[i].mode == FG_VIEW_NONE ? 0 : answer->answers[i].bins_count;
    }
    struct bin_columns to = {
        .offset = fgi_u32s(ask, TAG_BIN_OFFSET, count),
        .run = fgi_u32s(ask, TAG_BIN_RUN, count),
        .row = fgi_u32s(ask, TAG_BIN_ROW, count),
        .name = fgi_u32s(ask, TAG_BIN_NAME, count),
        .category = fgi_u32s(ask, TAG_BIN_CATEGORY, count),
        .count = fgi_u32s(ask, TAG_BIN_COUNT, count),
        .cover = fgi_f64s(ask, TAG_BIN_COVER, count),
        .flags = fgi_u32s(ask, TAG_BIN_FLAGS, count),
        .origin = (fields & FIELD_ORIGIN) != 0 ? fgi_u32s(ask, TAG_BIN_ORIGIN, count) : NULL,
        .scope = (fields & FIELD_SCOPE) != 0 ? fgi_u32s(ask, TAG_BIN_SCOPE, count) : NULL,
        .longest = (fields & FIELD_LONGEST) != 0 ? fgi_f64s(ask, TAG_BIN_LONGEST, count) : NULL,
    };
    if (ask->reply->result != FG_OK) {
        return FG_OK;
    }
    int64_t origin = fgi_bin_of(view->start_ns, answer->level);
    int64_t last = fgi_bin_of(view->end_ns - 1, answer->level);
    uint32_t at = 0;
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < view->target_count && result == FG_OK; i++) {
        const struct fg_view_answer *one = &answer->answers[i];
        uint32_t bins_count = one->mode != FG_VIEW_NONE ? one->bins_count : 0;
        for (uint32_t k = 0; k < bins_count && result == FG_OK; k++, at++) {
            const struct fg_view_bins *bins = &answer->bins[one->first_bins + k];
            put_bin(ask, &to, at, bins, origin, last);
            result = put_bin_row(ask, &to, at, bins->row);
        }
    }
    return result;
}

/* ---- tints ----------------------------------------------------------------------------------- */

static enum fg_result put_span_tints(struct fgi_ask *ask, const struct fg_view_request *view,
                                     const struct fg_view_reply *answer, uint32_t scores)
{
    uint32_t *rows = fgi_arena_alloc(ask->arena, (size_t)answer->span_count + 1, sizeof *rows);
    if (rows == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->target_count; i++) {
        const struct fg_view_answer *one = &answer->answers[i];
        for (uint32_t k = 0; one->mode != FG_VIEW_NONE && k < one->span_count; k++) {
            rows[count++] = answer->spans[one->first_span + k].row;
        }
    }
    uint8_t *tints = fgi_u8s(ask, TAG_SPAN_TINT, count);
    return tints == NULL ? ask->reply->result
                         : fg_query_scores(ask->query, scores, rows, count, tints, NULL);
}

static uint8_t highest_of(const uint8_t *tints, int64_t first, uint64_t count, int64_t base,
                          uint32_t bin_count)
{
    uint8_t highest = 0;
    uint64_t skipped = first < base ? (uint64_t)base - (uint64_t)first : 0;
    uint64_t from = first > base ? (uint64_t)first - (uint64_t)base : 0;
    uint64_t run = count > skipped ? count - skipped : 0;
    for (uint64_t i = from; i < bin_count && i - from < run; i++) {
        highest = tints[i] > highest ? tints[i] : highest;
    }
    return highest;
}

static enum fg_result put_bin_tints(struct fgi_ask *ask, const struct fg_view_request *view,
                                    const struct fg_view_reply *answer, uint32_t scores)
{
    struct fg_tints_reply tints;
    const struct fg_tints_request request = { .scores = scores,
                                              .start_ns = view->start_ns,
                                              .end_ns = view->end_ns,
                                              .width_px = view->width_px,
                                              .targets = view->targets,
                                              .target_count = view->target_count };
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->target_count; i++) {
        count += answer->answers[i].mode == FG_VIEW_NONE ? 0 : answer->answers[i].bins_count;
    }
    uint8_t *to = fgi_u8s(ask, TAG_BIN_TINT, count);
    if (to == NULL || count == 0) {
        return ask->reply->result;
    }
    enum fg_result result = fg_query_tints(ask->query, &request, &tints);
    for (uint32_t i = 0, at = 0; result == FG_OK && i < view->target_count; i++) {
        const struct fg_view_answer *one = &answer->answers[i];
        const uint8_t *of_target = tints.tints + (size_t)i * tints.bin_count;
        for (uint32_t k = 0; one->mode != FG_VIEW_NONE && k < one->bins_count; k++) {
            const struct fg_view_bins *bins = &answer->bins[one->first_bins + k];
            to[at++] =
                highest_of(of_target, bins->first, bins->count, tints.first_bin, tints.bin_count);
        }
    }
    return result;
}

enum fg_result fgi_answer_VIEW(struct fgi_ask *ask)
{
    struct fg_view_request view;
    struct fg_view_reply answer;
    uint32_t fields = fgi_request_u32(ask->request, TAG_FIELDS, 0);
    uint32_t scores = 0;
    enum fg_result result = read_view(ask, &view);
    if (result == FG_OK) {
        result = fgi_ask_scores(ask, TAG_SCORES, &scores);
    }
    result = result == FG_OK ? ask->request->result : result;
    if (result == FG_OK) {
        result = fg_query_view(ask->query, &view, &answer);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_put_window(ask, TAG_OUT_WINDOW, view.start_ns, view.end_ns, answer.level);
    put_answers(ask, &view, &answer);
    put_spans(ask, &view, &answer, fields);
    result = put_bins(ask, &view, &answer, fields);
    if (result == FG_OK && scores != 0) {
        result = put_span_tints(ask, &view, &answer, scores);
        result = result == FG_OK ? put_bin_tints(ask, &view, &answer, scores) : result;
    }
    if (answer.unanswered != 0) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return result;
}
