/* SPDX-License-Identifier: MIT */
/* Which spans, and where on screen: what the kinds from 28 on have in common. */
#include "view/view_priv.h"
#include <frameglass/trace_aggregate.h>

/* Numbers of the selection's sections inside each kind. */
enum {
    SELECTION_WINDOW = 0x01,
    SELECTION_FRAMES = 0x02,
    SELECTION_TRACKS = 0x03,
    SELECTION_LANES = 0x04,
    SELECTION_FILTER = 0x05,
};

bool fgi_is_text_key(uint32_t by)
{
    return by == FG_AGGREGATE_NAME || by == FG_AGGREGATE_CATEGORY || by == FG_AGGREGATE_SCOPE;
}

enum fg_result fgi_ask_selection(struct fgi_ask *ask, uint16_t base, struct fg_selection *out)
{
    struct fgi_range range;
    struct fgi_frames frames;
    size_t tracks = 0, lanes = 0;
    *out = (struct fg_selection){ 0 };
    enum fg_result result = fgi_ask_range(ask, (uint16_t)(base + SELECTION_WINDOW), &range);
    if (result == FG_OK) {
        result = fgi_ask_frames(ask, (uint16_t)(base + SELECTION_FRAMES), &frames);
    }
    if (result == FG_OK) {
        result = fgi_ask_filter(ask, (uint16_t)(base + SELECTION_FILTER), &out->filter);
    }
    if (result != FG_OK) {
        return result;
    }
    out->start_ns = range.start_ns;
    out->end_ns = range.end_ns;
    out->has_frames = frames.is_given;
    out->first_frame = frames.first;
    out->end_frame = frames.end;
    out->tracks =
        fgi_request_u32s(ask->request, (uint16_t)(base + SELECTION_TRACKS), ask->arena, &tracks);
    out->lanes =
        fgi_request_u32s(ask->request, (uint16_t)(base + SELECTION_LANES), ask->arena, &lanes);
    out->track_count = (uint32_t)tracks;
    out->lane_count = (uint32_t)lanes;
    return ask->request->result;
}

/* The trace that a base is of, over a query of its own; `asking` is held, so it stays. */
static enum fg_result find_base(struct fgi_ask *ask, uint32_t number, struct fgi_ask *of_base,
                                struct fgi_job *job)
{
    struct fgi_view *view = ask->view;
    fgi_mutex_lock(view->state);
    struct fgi_view_trace *entry = fgi_view_find(view, number);
    bool is_there = entry != NULL && entry->state == FGI_STATE_LOADED && entry->engine != NULL;
    fgi_mutex_unlock(view->state);
    if (!is_there) {
        return fgi_ask_fail(ask, entry == NULL ? FG_ERR_NOT_FOUND : FG_ERR_STATE,
                            "the trace of the base is not loaded: ask LOAD first");
    }
    of_base->entry = entry;
    of_base->trace = entry->trace;
    enum fg_result result =
        fg_query_create(entry->engine, view->options.allocator, NULL, NULL, &job->other);
    of_base->query = job->other;
    return result;
}

enum fg_result fgi_ask_base(struct fgi_ask *ask, const struct fgi_base_tags *tags,
                            struct fgi_job *job, struct fg_selection *out,
                            const struct fg_trace **out_trace)
{
    struct fgi_range range;
    struct fgi_frames frames;
    struct fgi_ask of_base = *ask;
    uint32_t number = fgi_request_u32(ask->request, tags->trace, 0);
    enum fg_result result = fgi_ask_range(ask, tags->window, &range);
    if (result == FG_OK) {
        result = fgi_ask_frames(ask, tags->frames, &frames);
    }
    if (result == FG_OK && number != 0 && number != ask->entry->number) {
        result = find_base(ask, number, &of_base, job);
    }
    if (result != FG_OK) {
        return result;
    }
    *out = (struct fg_selection){
        .start_ns = range.start_ns,
        .end_ns = range.end_ns,
        .has_frames = frames.is_given,
        .first_frame = frames.first,
        .end_frame = frames.end,
    };
    if (out_trace != NULL) {
        *out_trace = of_base.trace;
    }
    result = fgi_ask_filter(&of_base, tags->filter, &out->filter);
    ask->text = of_base.text;
    return result;
}

enum fg_result fgi_ask_targets(struct fgi_ask *ask, uint16_t lanes_tag, uint16_t groups_tag,
                               const struct fgi_section *modes,
                               const struct fg_view_target **out_targets, uint32_t *out_count)
{
    struct fgi_request *request = ask->request;
    const struct fgi_section *lanes = fgi_request_section(request, lanes_tag, FGI_TYPE_U32);
    const struct fgi_section *groups = fgi_request_section(request, groups_tag, FGI_TYPE_U32);
    uint32_t lane_count = lanes == NULL ? 0 : lanes->count;
    uint32_t count = lane_count + (groups == NULL ? 0 : groups->count);
    if (count > FGI_MAX_LANES) {
        return fgi_ask_fail(ask, FG_ERR_LIMIT, "too many lanes and groups: ask in parts");
    }
    if (modes != NULL && modes->count != count) {
        return fgi_ask_fail(ask, FG_ERR_FORMAT, "MODES must have one item for each lane and group");
    }
    struct fg_view_target *targets =
        fgi_arena_alloc(ask->arena, (size_t)count + 1, sizeof *targets);
    if (targets == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index =
            i < lane_count ? fgi_section_u32(lanes, i) : fgi_section_u32(groups, i - lane_count);
        uint8_t kind = FG_VIEW_LANE;
        if (i >= lane_count) {
            kind = index >= FGI_GROUP_PROCESS ? FG_VIEW_PROCESS : FG_VIEW_TRACK;
            index &= ~FGI_GROUP_PROCESS;
        }
        uint8_t mode = modes == NULL ? FG_VIEW_NONE : modes->data[i];
        targets[i] = (struct fg_view_target){
            .kind = kind,
            .previous_mode = mode <= FG_VIEW_DENSITY ? mode : FG_VIEW_NONE,
            .index = index,
        };
    }
    *out_targets = targets;
    *out_count = count;
    return FG_OK;
}

enum fg_result fgi_ask_scores(struct fgi_ask *ask, uint16_t tag, uint32_t *out_scores)
{
    uint32_t number = fgi_request_u32(ask->request, tag, 0);
    *out_scores = 0;
    if (number == 0) {
        return FG_OK;
    }
    for (size_t i = 0; i < FGI_MAX_SCORES; i++) {
        if (ask->entry->scores[i].number == number) {
            *out_scores = ask->entry->scores[i].engine_scores;
            return FG_OK;
        }
    }
    return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "these scores are gone: ask ANOMALIES again");
}
