/* SPDX-License-Identifier: MIT */
/* Where the ends of dependencies are drawn, and the lines that are shown whatever hides others. */
#include "engine/cpu/links_priv.h"
#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */

static void put_lanes(struct fgi_display *d, uint32_t place, enum fg_view_kind kind)
{
    const struct fg_link_place *p = &d->request.places[place];
    if (p->kind == kind) {
        struct fgi_lanes lanes = fgi_target_lanes(d->cpu, kind, p->index);
        for (uint32_t i = 0; i < lanes.count; i++) {
            uint32_t *of = &d->place_of[fgi_lane_at(&lanes, i)];
            *of = *of == FG_NONE ? place : *of;
        }
    }
}

enum fg_result fgi_display_find_places(struct fgi_display *d)
{
    static const enum fg_view_kind order[] = { FG_VIEW_LANE, FG_VIEW_TRACK, FG_VIEW_PROCESS };
    size_t lanes = d->trace->lanes.count;
    d->place_of = fgi_arena_alloc(d->question->arena, lanes + 1, sizeof *d->place_of);
    if (!d->place_of) {
        return FG_ERR_NO_MEMORY;
    }
    memset(d->place_of, 0xff, lanes * sizeof *d->place_of);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        for (uint32_t i = 0; i < d->request.place_count; i++) {
            put_lanes(d, i, order[k]);
        }
    }
    return FG_OK;
}

/* FG_NONE also when the row cannot be read: see the cursor. */
static uint32_t place_of(const struct fgi_display *d, struct fgi_cursor *cursor, uint32_t row)
{
    return fgi_cursor_at(cursor, row) ? d->place_of[cursor->block->lane[row - cursor->first_row]]
                                      : FG_NONE;
}

static bool is_placed(const void *context, struct fgi_cursor *cursor, uint32_t row)
{
    return place_of(context, cursor, row) != FG_NONE;
}

static bool is_shown(const void *context, struct fgi_cursor *cursor, uint32_t row)
{
    const struct fgi_display *d = context;
    return (!d->bits || fgi_has_bit(d->bits, row)) && is_placed(d, cursor, row);
}

/*
 * Place and time of a row: where it ends, or where it starts. FG_NONE: no place, or see the cursor.
 */
static uint32_t look_at(struct fgi_display *d, uint32_t row, bool is_end, int64_t *out_ns)
{
    uint32_t place = place_of(d, &d->cursor, row);
    d->question->visits->spans++;
    if (place != FG_NONE) {
        *out_ns = is_end ? fgi_cursor_end(&d->cursor, row) : fgi_cursor_start(&d->cursor, row);
    }
    return place;
}

/* The row or its nearest ancestor that `is_seen`. */
static enum fgi_projection project(struct fgi_display *d,
                                   bool (*is_seen)(const void *, struct fgi_cursor *, uint32_t),
                                   uint32_t row, uint32_t *out_row)
{
    const struct fgi_projecting how = { is_seen, d, fgi_trace_rows(d->trace), UINT32_MAX,
                                        &d->question->visits->spans };
    return fgi_project(&how, &d->cursor, row, out_row);
}

bool fgi_display_settle(struct fgi_display *d, struct fg_link_line *line, bool is_source)
{
    uint32_t projected = is_source ? FG_LINK_SOURCE_PROJECTED : FG_LINK_TARGET_PROJECTED;
    uint32_t hidden = is_source ? FG_LINK_SOURCE_HIDDEN : FG_LINK_TARGET_HIDDEN;
    uint32_t *shown = is_source ? &line->shown_source : &line->shown_target;
    uint32_t *place = is_source ? &line->source_place : &line->target_place;
    int64_t *ns = is_source ? &line->from_ns : &line->to_ns;
    uint32_t found;
    if (!(line->marks & hidden)) {
        *place = look_at(d, *shown, is_source, ns);
        if (*place != FG_NONE) {
            return true;
        }
        if (project(d, is_shown, *shown, &found) == FGI_ANCESTOR) {
            line->marks |= projected;
            *shown = found;
            *place = look_at(d, found, is_source, ns);
            return true;
        }
    }
    line->marks = (line->marks & ~projected) | hidden;
    *shown = is_source ? line->source : line->target;
    *place = look_at(d, *shown, is_source, ns);
    return *place != FG_NONE;
}

/* ---- lines ----------------------------------------------------------------------------------- */

enum fg_result fgi_display_finish_line(struct fgi_display *d, struct fg_link_line *line)
{
    struct fg_trace_span from, to;
    uint32_t count;
    int64_t gap;
    enum fg_result result = fg_trace_spans(d->trace, line->source, &from, 1, &count);
    if (result == FG_OK) {
        result = fg_trace_spans(d->trace, line->target, &to, 1, &count);
    }
    if (result == FG_OK && !fgi_gap_is_told(d->trace, &from, &to, &gap)) {
        line->marks |= FG_LINK_UNCLAIMED;
    }
    line->family = fgi_graph_family(&d->graph, line->link);
    line->flags = fgi_graph_kind(&d->graph, line->link)->flags;
    line->bundle = FG_NONE;
    return result;
}

static bool number_before(void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return a < b;
}

/* ---- exact lines ----------------------------------------------------------------------------- */

static enum fg_result add_exact(struct fgi_display *d, uint32_t link)
{
    if (!FGI_ANSWER_GROW(d->question->arena, d->exact, d->exact_capacity, d->exact_count + 1)) {
        return FG_ERR_NO_MEMORY;
    }
    d->exact[d->exact_count++] = link;
    return FG_OK;
}

static enum fg_result add_exact_of_row(struct fgi_display *d, uint32_t row)
{
    enum fg_result result = FG_OK;
    for (int is_in = 0; is_in < 2 && result == FG_OK; is_in++) {
        struct fgi_link_ranges ranges =
            is_in ? fgi_graph_in(&d->graph, row) : fgi_graph_out(&d->graph, row);
        uint32_t number;
        d->question->visits->dependencies += fgi_link_ranges_count(&ranges);
        while (result == FG_OK && fgi_link_ranges_next(&ranges, &number)) {
            uint32_t link = is_in ? fgi_graph_at(&d->graph, number) : number;
            if (fgi_family_is_in(d->request.families, fgi_graph_family(&d->graph, link))) {
                result = add_exact(d, link);
            }
        }
    }
    return result;
}

enum fg_result fgi_display_choose_exact(struct fgi_display *d)
{
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < d->request.selected_count && result == FG_OK; i++) {
        uint32_t link = d->request.selected[i];
        result = link < d->graph.count ? add_exact(d, link) : FG_ERR_NOT_FOUND;
    }
    for (uint32_t i = 0; i < d->request.row_count && result == FG_OK; i++) {
        result = add_exact_of_row(d, d->request.rows[i]);
    }
    if (result == FG_OK && d->exact_count > 0) {
        result = fgi_sort_u32(d->cpu->allocator, d->exact, d->exact_count, number_before, NULL);
    }
    size_t count = 0;
    for (size_t i = 0; i < d->exact_count; i++) {
        if (i == 0 || d->exact[i] != d->exact[i - 1]) {
            d->exact[count++] = d->exact[i];
        }
    }
    if (count > d->request.max_exact) {
        d->reply->exact_overflow += (uint32_t)(count - d->request.max_exact);
        count = d->request.max_exact;
    }
    d->exact_count = count;
    return result;
}

enum fg_result fgi_display_make_exact(struct fgi_display *d, uint32_t link,
                                      struct fg_link_line *line, bool *out_is_placed)
{
    *line = (struct fg_link_line){ .link = link,
                                   .source = fgi_graph_source(&d->graph, link),
                                   .target = fgi_graph_target(&d->graph, link),
                                   .marks = FG_LINK_EXACT };
    enum fgi_projection source = project(d, is_placed, line->source, &line->shown_source);
    enum fgi_projection target = project(d, is_placed, line->target, &line->shown_target);
    *out_is_placed = line->shown_source != FG_NONE && line->shown_target != FG_NONE;
    if (!*out_is_placed) {
        return d->cursor.result;
    }
    line->marks |= source == FGI_ANCESTOR ? FG_LINK_SOURCE_PROJECTED : 0u;
    line->marks |= target == FGI_ANCESTOR ? FG_LINK_TARGET_PROJECTED : 0u;
    line->source_place = look_at(d, line->shown_source, true, &line->from_ns);
    line->target_place = look_at(d, line->shown_target, false, &line->to_ns);
    return d->cursor.result == FG_OK ? fgi_display_finish_line(d, line) : d->cursor.result;
}
