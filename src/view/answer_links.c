/* SPDX-License-Identifier: MIT */
/* LINKS: dependencies as lines of a window. */
#include "view/view_priv.h"
#include <frameglass/trace_links.h>

enum {
    TAG_WINDOW = 0x1D01,
    TAG_WIDTH = 0x1D02,
    TAG_LANES = 0x1D03,
    TAG_GROUPS = 0x1D04,
    TAG_PLACE_Y = 0x1D05,
    TAG_IN_VIEW = 0x1D06,
    TAG_FILTER = 0x1D07,
    TAG_FAMILIES = 0x1D08,
    TAG_BUDGET = 0x1D09,
    TAG_BUNDLING = 0x1D0A,
    TAG_SELECTED = 0x1D0B,
    TAG_ROWS = 0x1D0C,
    TAG_LINK = 0x1D40,
    TAG_SOURCE = 0x1D41,
    TAG_TARGET = 0x1D42,
    TAG_SHOWN_SOURCE = 0x1D43,
    TAG_SHOWN_TARGET = 0x1D44,
    TAG_SOURCE_PLACE = 0x1D45,
    TAG_TARGET_PLACE = 0x1D46,
    TAG_FROM = 0x1D47,
    TAG_TO = 0x1D48,
    TAG_FAMILY = 0x1D49,
    TAG_MARKS = 0x1D4A,
    TAG_BUNDLE = 0x1D4B,
    TAG_SOURCE_HUB = 0x1D50,
    TAG_TARGET_HUB = 0x1D51,
    TAG_SOURCE_HUB_Y = 0x1D52,
    TAG_TARGET_HUB_Y = 0x1D53,
    TAG_BUNDLE_LINES = 0x1D54,
    TAG_COUNTS = 0x1D58,
    TAG_LEFT_OUT = 0x1D59,
};

enum { FAMILY_MOST = 31, PLACE_MOST = 1 << 30 };

/* The places: targets with the middle of their lines. */
static enum fg_result read_places(struct fgi_ask *ask, struct fg_links_request *out)
{
    const struct fg_view_target *targets = NULL;
    enum fg_result result =
        fgi_ask_targets(ask, TAG_LANES, TAG_GROUPS, NULL, &targets, &out->place_count);
    const struct fgi_section *y = fgi_request_section(ask->request, TAG_PLACE_Y, FGI_TYPE_I32);
    if (result != FG_OK) {
        return result;
    }
    if ((y == NULL ? 0 : y->count) != out->place_count) {
        return fgi_ask_fail(ask, FG_ERR_FORMAT,
                            "PLACE_Y must have one item for each lane and group");
    }
    struct fg_link_place *places =
        fgi_arena_alloc(ask->arena, (size_t)out->place_count + 1, sizeof *places);
    if (places == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < out->place_count; i++) {
        int32_t at = (int32_t)fgi_section_u32(y, i);
        if (at < -PLACE_MOST || at > PLACE_MOST) {
            return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a place is too far away");
        }
        places[i] = (struct fg_link_place){ targets[i].kind, targets[i].index, at };
    }
    out->places = places;
    return FG_OK;
}

static enum fg_result read_numbers(struct fgi_ask *ask, struct fg_links_request *out)
{
    struct fgi_request *request = ask->request;
    const struct fgi_section *in_view = fgi_request_exact(request, TAG_IN_VIEW, FGI_TYPE_I32, 2);
    const struct fgi_section *budget = fgi_request_exact(request, TAG_BUDGET, FGI_TYPE_U32, 2);
    out->width_px = fgi_request_u32(request, TAG_WIDTH, 0);
    out->families = fgi_request_u32(request, TAG_FAMILIES, 0);
    out->bundling = fgi_request_u32(request, TAG_BUNDLING, FG_BUNDLE_AUTO);
    out->max_lines = budget == NULL ? 0 : fgi_section_u32(budget, 0);
    out->max_exact = budget == NULL ? 0 : fgi_section_u32(budget, 1);
    if (in_view != NULL) {
        out->top_y = (int32_t)fgi_section_u32(in_view, 0);
        out->bottom_y = (int32_t)fgi_section_u32(in_view, 1);
    }
    if (request->result != FG_OK) {
        return request->result;
    }
    if (out->width_px == 0 || out->width_px > FGI_MAX_WIDTH_PX) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the width must be 1 to 16384 pixels");
    }
    if (in_view == NULL || out->top_y > out->bottom_y || out->top_y < -PLACE_MOST ||
        out->bottom_y > PLACE_MOST) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "IN_VIEW must go from top to bottom");
    }
    if (out->max_lines > FG_LINKS_BUDGET_MAX || out->max_exact > FG_LINKS_BUDGET_MAX) {
        return fgi_ask_fail(ask, FG_ERR_LIMIT, "at most 65536 lines can be asked for");
    }
    if (out->bundling > FG_BUNDLE_NEVER) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "bundling is by width, always or never");
    }
    return FG_OK;
}

static enum fg_result read_links(struct fgi_ask *ask, struct fg_links_request *out)
{
    struct fgi_range window;
    *out = (struct fg_links_request){ 0 };
    enum fg_result result = fgi_ask_window(ask, TAG_WINDOW, &window);
    if (result == FG_OK) {
        out->start_ns = window.start_ns;
        out->end_ns = window.end_ns;
        result = read_numbers(ask, out);
    }
    if (result == FG_OK) {
        result = read_places(ask, out);
    }
    if (result == FG_OK) {
        result = fgi_ask_rows(ask, TAG_SELECTED, &out->selected, &out->selected_count);
    }
    if (result == FG_OK) {
        result = fgi_ask_rows(ask, TAG_ROWS, &out->rows, &out->row_count);
    }
    return result == FG_OK ? fgi_ask_filter(ask, TAG_FILTER, &out->filter) : result;
}

static void put_lines(struct fgi_ask *ask, int64_t t0_ns, const struct fg_links_reply *answer)
{
    uint32_t count = answer->line_count;
    uint32_t *ids[8];
    for (unsigned i = 0; i < 7; i++) {
        ids[i] = fgi_u32s(ask, (uint16_t)(TAG_LINK + i), count);
    }
    double *begin = fgi_f64s(ask, TAG_FROM, count);
    double *end = fgi_f64s(ask, TAG_TO, count);
    uint8_t *family = fgi_u8s(ask, TAG_FAMILY, count);
    uint8_t *marks = fgi_u8s(ask, TAG_MARKS, count);
    ids[7] = fgi_u32s(ask, TAG_BUNDLE, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_link_line *line = &answer->lines[i];
        const uint32_t values[8] = { line->link,         line->source,       line->target,
                                     line->shown_source, line->shown_target, line->source_place,
                                     line->target_place, line->bundle };
        for (unsigned k = 0; k < 8; k++) {
            ids[k][i] = values[k];
        }
        fgi_relative(line->from_ns, t0_ns, &begin[i]);
        fgi_relative(line->to_ns, t0_ns, &end[i]);
        family[i] = (uint8_t)(line->family > FAMILY_MOST ? FAMILY_MOST : line->family);
        marks[i] = (uint8_t)line->marks;
    }
}

static void put_bundles(struct fgi_ask *ask, int64_t t0_ns, const struct fg_links_reply *answer)
{
    uint32_t count = answer->bundle_count;
    double *source = fgi_f64s(ask, TAG_SOURCE_HUB, count);
    double *target = fgi_f64s(ask, TAG_TARGET_HUB, count);
    int32_t *source_y = fgi_i32s(ask, TAG_SOURCE_HUB_Y, count);
    int32_t *target_y = fgi_i32s(ask, TAG_TARGET_HUB_Y, count);
    uint32_t *lines = fgi_u32s(ask, TAG_BUNDLE_LINES, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_link_bundle *bundle = &answer->bundles[i];
        fgi_relative(bundle->source_hub_ns, t0_ns, &source[i]);
        fgi_relative(bundle->target_hub_ns, t0_ns, &target[i]);
        source_y[i] = bundle->source_hub_y;
        target_y[i] = bundle->target_hub_y;
        lines[i] = bundle->lines;
    }
}

static void put_counts(struct fgi_ask *ask, const struct fg_links_reply *answer)
{
    const struct fg_links_left_out *left = &answer->left_out;
    const uint64_t counts[4] = { answer->budget, answer->exact_count, answer->exact_overflow,
                                 answer->extra_lines };
    const uint64_t out[7] = { left->outside,   left->hidden, left->same,       left->families,
                              left->placeless, left->culled, left->over_budget };
    uint64_t *to_counts = fgi_u64s(ask, TAG_COUNTS, 4);
    uint64_t *to_left = fgi_u64s(ask, TAG_LEFT_OUT, 7);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        to_counts[i] = counts[i];
    }
    for (unsigned i = 0; i < 7; i++) {
        to_left[i] = out[i];
    }
    if (left->over_budget != 0 || answer->exact_overflow != 0) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
}

static enum fg_result begin(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fg_links_request from;
    enum fg_result result = read_links(ask, &from);
    result = result == FG_OK ? ask->request->result : result;
    return result == FG_OK ? fg_task_links(job->query, &from, scheduling, &job->task) : result;
}

static enum fg_result put(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fgi_range window;
    struct fg_links_reply answer;
    enum fg_result result = fgi_ask_window(ask, TAG_WINDOW, &window);
    if (result == FG_OK) {
        result = fg_task_result_links(job->task, &answer);
    }
    if (result != FG_OK) {
        return result;
    }
    put_lines(ask, window.start_ns, &answer);
    put_bundles(ask, window.start_ns, &answer);
    put_counts(ask, &answer);
    return ask->reply->result;
}

const struct fgi_job_ops fgi_links_job = { .begin = begin,
                                           .put = put,
                                           .stages = { "index", "lines" } };

enum fg_result fgi_answer_LINKS(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_links_job);
}
