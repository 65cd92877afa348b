/* SPDX-License-Identifier: MIT */
/* Filters: made once, named by number, the least recently used one goes first. */
#include "view/view_priv.h"

enum {
    TAG_TEXT = 0x0A01,
    TAG_NAMES = 0x0A02,
    TAG_CATEGORIES = 0x0A03,
    TAG_TRACKS = 0x0A04,
    TAG_FRAMES = 0x0A05,
    TAG_TIME = 0x0A06,
    TAG_DURATION = 0x0A07,
    TAG_FLAGS = 0x0A08,
    TAG_STATUS = 0x0A09,
    TAG_FILTER = 0x0A40,
    TAG_ROWS = 0x0A41,
    TAG_DESTROY = 0x0B01,
};

static enum fg_result read_durations(struct fgi_ask *ask, struct fg_filter_terms *out)
{
    const struct fgi_section *section =
        fgi_request_exact(ask->request, TAG_DURATION, FGI_TYPE_I64, 2);
    if (section == NULL) {
        return FG_OK;
    }
    int64_t least = fgi_section_i64(section, 0);
    int64_t most = fgi_section_i64(section, 1);
    if (least < 0 || most < 0 || (most != 0 && most < least)) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "durations must be from least to most, from 0");
    }
    out->min_duration_ns = (uint64_t)least;
    out->max_duration_ns = (uint64_t)most;
    return FG_OK;
}

static enum fg_result read_terms(struct fgi_ask *ask, struct fg_filter_terms *out)
{
    struct fgi_request *request = ask->request;
    size_t names = 0;
    size_t categories = 0;
    size_t tracks = 0;
    *out = (struct fg_filter_terms){
        .text = fgi_ask_text(ask, TAG_TEXT),
        .names = fgi_request_u32s(request, TAG_NAMES, ask->arena, &names),
        .categories = fgi_request_u32s(request, TAG_CATEGORIES, ask->arena, &categories),
        .tracks = fgi_request_u32s(request, TAG_TRACKS, ask->arena, &tracks),
        .status_mask = fgi_request_u32(request, TAG_STATUS, 0),
    };
    out->name_count = (uint32_t)names;
    out->category_count = (uint32_t)categories;
    out->track_count = (uint32_t)tracks;
    const struct fgi_section *flags = fgi_request_exact(request, TAG_FLAGS, FGI_TYPE_U32, 2);
    if (flags != NULL) {
        out->required_classes = fgi_section_u32(flags, 0);
        out->excluded_classes = fgi_section_u32(flags, 1);
    }
    struct fgi_frames frames;
    struct fgi_range range;
    enum fg_result result = fgi_ask_frames(ask, TAG_FRAMES, &frames);
    if (result == FG_OK) {
        result = fgi_ask_range(ask, TAG_TIME, &range);
    }
    if (result == FG_OK) {
        result = read_durations(ask, out);
    }
    if (result != FG_OK) {
        return result;
    }
    out->has_frames = frames.is_given;
    out->first_frame = frames.first;
    out->end_frame = frames.end;
    out->has_range = range.is_given;
    out->start_ns = range.start_ns;
    out->end_ns = range.end_ns;
    return request->result;
}

static struct fgi_view_filter *slot_of_number(struct fgi_view_trace *entry, uint32_t number)
{
    for (size_t i = 0; number != 0 && i < FGI_MAX_FILTERS; i++) {
        if (entry->filters[i].number == number) {
            return &entry->filters[i];
        }
    }
    return NULL;
}

/* Give up the engine's filter as often as it was made. */
static void drop(struct fgi_ask *ask, struct fgi_view_filter *filter)
{
    for (; filter->uses != 0; filter->uses--) {
        (void)fg_query_filter_destroy(ask->query, filter->engine_filter);
    }
    *filter = (struct fgi_view_filter){ 0 };
}

/* The slot of an engine's filter: the one it has, or a new one in the place of the oldest. */
static struct fgi_view_filter *slot_for(struct fgi_ask *ask, uint32_t engine_filter)
{
    struct fgi_view_trace *entry = ask->entry;
    struct fgi_view_filter *oldest = &entry->filters[0];
    for (size_t i = 0; i < FGI_MAX_FILTERS; i++) {
        struct fgi_view_filter *filter = &entry->filters[i];
        if (filter->number != 0 && filter->engine_filter == engine_filter) {
            return filter;
        }
        if (filter->last_used < oldest->last_used) {
            oldest = filter;
        }
    }
    drop(ask, oldest);
    oldest->number = ++entry->last_filter;
    oldest->engine_filter = engine_filter;
    return oldest;
}

enum fg_result fgi_answer_FILTER_CREATE(struct fgi_ask *ask)
{
    struct fg_filter_terms terms;
    uint32_t engine_filter = 0;
    uint32_t rows = 0;
    enum fg_result result = read_terms(ask, &terms);
    if (result == FG_OK) {
        result = fg_query_filter_create(ask->query, &terms, &engine_filter, &rows);
    }
    if (result != FG_OK) {
        return result;
    }
    struct fgi_view_filter *filter = slot_for(ask, engine_filter);
    filter->uses++;
    filter->rows = rows;
    filter->last_used = ++ask->entry->filter_clock;
    fgi_reply_u32(ask->reply, TAG_FILTER, filter->number);
    fgi_reply_u32(ask->reply, TAG_ROWS, rows);
    return FG_OK;
}

enum fg_result fgi_answer_FILTER_DESTROY(struct fgi_ask *ask)
{
    struct fgi_view_filter *filter =
        slot_of_number(ask->entry, fgi_request_u32(ask->request, TAG_DESTROY, 0));
    if (filter == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "there is no filter of this number (any more)");
    }
    (void)fg_query_filter_destroy(ask->query, filter->engine_filter);
    if (--filter->uses == 0) {
        *filter = (struct fgi_view_filter){ 0 };
    }
    return FG_OK;
}

enum fg_result fgi_ask_filter(struct fgi_ask *ask, uint16_t tag, uint32_t *out_filter)
{
    uint32_t number = fgi_request_u32(ask->request, tag, 0);
    *out_filter = 0;
    if (number == 0) {
        return FG_OK;
    }
    struct fgi_view_filter *filter = slot_of_number(ask->entry, number);
    if (filter == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "the filter is gone: make it again");
    }
    filter->last_used = ++ask->entry->filter_clock;
    *out_filter = filter->engine_filter;
    return FG_OK;
}
