/* SPDX-License-Identifier: MIT */
/* FOCUS and SLICE: what is connected to spans by dependencies. */
#include "view/view_priv.h"
#include <frameglass/trace_path.h>

enum {
    TAG_SEEDS = 0x1E01,
    TAG_REACH = 0x1E02,
    TAG_FOCUS_FIRST = 0x1E03,
    TAG_FOCUS_LIMIT = 0x1E04,
    TAG_FOCUS_ALL = 0x1E40,
    TAG_SEED_COUNTS = 0x1E41,
    TAG_HOP_ROWS = 0x1E42,
    TAG_HOP_FOLLOWED = 0x1E43,
    TAG_HOP_OVERFLOW = 0x1E44,
    TAG_FOCUS_LEFT = 0x1E45,
    TAG_FOCUS_ROW = 0x1E48,
    TAG_FOCUS_NAME = 0x1E49,
    TAG_FOCUS_TRACK = 0x1E4A,
    TAG_SLICE_OF = 0x2001,
    TAG_DIRECTION = 0x2002,
    TAG_WINDOW = 0x2003,
    TAG_FILTER = 0x2004,
    TAG_FAMILIES = 0x2005,
    TAG_MOST_HOPS = 0x2006,
    TAG_SLICE_LIMIT = 0x2007,
    TAG_SLICE_ROW = 0x2040,
    TAG_SLICE_HOPS = 0x2041,
    TAG_SLICE_LINK = 0x2042,
    TAG_SLICE_CLAIMED = 0x2043,
    TAG_SLICE_NAME = 0x2044,
    TAG_SLICE_TRACK = 0x2045,
    TAG_SLICE_START = 0x2046,
    TAG_SLICE_END = 0x2047,
    TAG_SLICE_LEFT = 0x2048,
    TAG_SLICE_VIA = 0x2049,
    TAG_SLICE_FAMILY = 0x204A,
    TAG_SLICE_GAP = 0x204B,
    TAG_SLICE_DERIVED = 0x204C,
};

enum { MOST_FAMILY = 31 };

static void put_hops(struct fgi_ask *ask, const struct fg_focus_reply *answer)
{
    uint32_t *rows = fgi_u32s(ask, TAG_HOP_ROWS, answer->hop_count);
    uint32_t *followed = fgi_u32s(ask, TAG_HOP_FOLLOWED, answer->hop_count);
    uint32_t *overflow = fgi_u32s(ask, TAG_HOP_OVERFLOW, answer->hop_count);
    uint32_t *seeds = fgi_u32s(ask, TAG_SEED_COUNTS, 3);
    uint32_t *left = fgi_u32s(ask, TAG_FOCUS_LEFT, 2);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < answer->hop_count; i++) {
        rows[i] = answer->hops[i].count;
        followed[i] = answer->hops[i].expanded;
        overflow[i] = answer->hops[i].overflow;
    }
    seeds[0] = answer->seeds;
    seeds[1] = answer->repeated_seeds;
    seeds[2] = answer->invalid_seeds;
    left[0] = answer->overflow;
    left[1] = answer->frontier;
}

static enum fg_result begin_focus(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fg_focus_request from = { .hops = 2 };
    const struct fgi_section *reach = fgi_request_exact(ask->request, TAG_REACH, FGI_TYPE_U32, 4);
    enum fg_result result = fgi_ask_rows(ask, TAG_SEEDS, &from.seeds, &from.seed_count);
    if (reach != NULL) {
        from.direction = fgi_section_u32(reach, 0);
        from.hops = fgi_section_u32(reach, 1);
        from.families = fgi_section_u32(reach, 2);
        from.capacity = fgi_section_u32(reach, 3);
    }
    result = result == FG_OK ? ask->request->result : result;
    if (result == FG_OK && from.direction > FG_LINKS_IN) {
        result = fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a direction is both, out or in");
    }
    return result == FG_OK ? fg_task_focus(job->query, &from, scheduling, &job->task) : result;
}

static enum fg_result put_focus(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_focus_reply answer;
    struct fgi_page page = fgi_ask_page(ask, TAG_FOCUS_FIRST, TAG_FOCUS_LIMIT);
    enum fg_result result = fg_task_result_focus(job->task, &answer);
    if (result != FG_OK) {
        return result;
    }
    page = fgi_page_of(ask, page, answer.count);
    fgi_reply_u32(ask->reply, TAG_FOCUS_ALL, answer.count);
    put_hops(ask, &answer);
    uint32_t *row = fgi_u32s(ask, TAG_FOCUS_ROW, page.limit);
    uint32_t *name = fgi_u32s(ask, TAG_FOCUS_NAME, page.limit);
    uint32_t *track = fgi_u32s(ask, TAG_FOCUS_TRACK, page.limit);
    result = ask->reply->result;
    for (uint32_t i = 0; result == FG_OK && i < page.limit; i++) {
        row[i] = answer.rows[page.first + i];
        result = fgi_put_row(ask, row[i], &name[i], &track[i]);
    }
    if (answer.overflow != 0) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return result;
}

const struct fgi_job_ops fgi_focus_job = { .begin = begin_focus,
                                           .put = put_focus,
                                           .stages = { "reach" } };

enum fg_result fgi_answer_FOCUS(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_focus_job);
}

/* ---- slices ---------------------------------------------------------------------------------- */

static enum fg_result read_slice(struct fgi_ask *ask, struct fg_slice_request *out)
{
    struct fgi_range window;
    enum fg_result result = fgi_ask_range(ask, TAG_WINDOW, &window);
    *out = (struct fg_slice_request){
        .row = fgi_request_u32(ask->request, TAG_SLICE_OF, FG_NONE),
        .direction = fgi_request_u32(ask->request, TAG_DIRECTION, FG_SLICE_BACKWARD),
        .families = fgi_request_u32(ask->request, TAG_FAMILIES, 0),
        .start_ns = window.start_ns,
        .end_ns = window.end_ns,
        .max_hops = fgi_request_u32(ask->request, TAG_MOST_HOPS, 0),
        .max_rows = fgi_request_u32(ask->request, TAG_SLICE_LIMIT, 0),
    };
    if (out->max_rows == 0 || out->max_rows > FGI_MAX_ROWS) {
        out->max_rows = FGI_MAX_ROWS;
    }
    if (result == FG_OK && out->direction > FG_SLICE_BOTH) {
        result = fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a direction is backward, forward or both");
    }
    if (result == FG_OK) {
        result = fgi_ask_filter(ask, TAG_FILTER, &out->filter);
    }
    return result == FG_OK ? ask->request->result : result;
}

struct slice_columns {
    uint32_t *row, *link, *name, *track, *via;
    int32_t *hops;
    uint8_t *is_claimed, *family, *is_derived;
    int64_t *start, *end, *gap;
};

/* By what an item was reached: the row that is one hop nearer, and how long was waited there. */
static enum fg_result put_link(struct fgi_ask *ask, const struct slice_columns *to, uint32_t at,
                               const struct fg_slice_item *item)
{
    struct fg_trace_dependency link;
    struct fg_gap gap;
    to->via[at] = FG_NONE;
    if (item->link == FG_NONE) {
        return FG_OK;
    }
    enum fg_result result = fg_query_dependency(ask->query, item->link, &link);
    if (result != FG_OK) {
        return result;
    }
    to->via[at] = link.source == item->row ? link.target : link.source;
    to->family[at] = (uint8_t)(link.family > MOST_FAMILY ? MOST_FAMILY : link.family);
    to->is_derived[at] = (link.flags & FG_DEPENDENCY_DERIVED) != 0;
    if (!item->is_claimed) {
        return FG_OK;
    }
    result = fg_query_gap(ask->query, link.source, link.target, &gap);
    to->gap[at] = result == FG_OK ? gap.gap_ns : 0;
    return result;
}

static enum fg_result put_items(struct fgi_ask *ask, const struct fg_slice_reply *answer)
{
    uint32_t count = answer->count;
    const struct slice_columns to = {
        .row = fgi_u32s(ask, TAG_SLICE_ROW, count),
        .hops = fgi_i32s(ask, TAG_SLICE_HOPS, count),
        .link = fgi_u32s(ask, TAG_SLICE_LINK, count),
        .is_claimed = fgi_u8s(ask, TAG_SLICE_CLAIMED, count),
        .name = fgi_u32s(ask, TAG_SLICE_NAME, count),
        .track = fgi_u32s(ask, TAG_SLICE_TRACK, count),
        .start = fgi_i64s(ask, TAG_SLICE_START, count),
        .end = fgi_i64s(ask, TAG_SLICE_END, count),
        .via = fgi_u32s(ask, TAG_SLICE_VIA, count),
        .family = fgi_u8s(ask, TAG_SLICE_FAMILY, count),
        .gap = fgi_i64s(ask, TAG_SLICE_GAP, count),
        .is_derived = fgi_u8s(ask, TAG_SLICE_DERIVED, count),
    };
    enum fg_result result = ask->reply->result;
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        struct fg_trace_span span;
        result = fgi_span_at(ask, answer->items[i].row, &span);
        if (result == FG_OK) {
            to.row[i] = span.row;
            to.hops[i] = answer->items[i].hops;
            to.link[i] = answer->items[i].link;
            to.is_claimed[i] = answer->items[i].is_claimed;
            to.name[i] = fgi_name(ask, span.name);
            to.track[i] = span.track;
            to.start[i] = span.start_ns;
            to.end[i] = span.end_ns;
            result = put_link(ask, &to, i, &answer->items[i]);
        }
    }
    return result;
}

static enum fg_result begin_slice(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fg_slice_request from;
    enum fg_result result = read_slice(ask, &from);
    return result == FG_OK ? fg_task_slice(job->query, &from, scheduling, &job->task) : result;
}

static enum fg_result put_slice(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_slice_reply answer;
    enum fg_result result = fg_task_result_slice(job->task, &answer);
    if (result != FG_OK) {
        return result;
    }
    uint32_t *left = fgi_u32s(ask, TAG_SLICE_LEFT, 4);
    if (left != NULL) {
        left[0] = answer.overflow;
        left[1] = answer.outside;
        left[2] = answer.hidden;
        left[3] = answer.is_hop_limited;
    }
    if (answer.overflow != 0) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return put_items(ask, &answer);
}

const struct fgi_job_ops fgi_slice_job = { .begin = begin_slice,
                                           .put = put_slice,
                                           .stages = { "slice" } };

enum fg_result fgi_answer_SLICE(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_slice_job);
}
