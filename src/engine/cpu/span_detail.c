/* SPDX-License-Identifier: MIT */
/* All that is known of one span. */
#include "base/alloc.h"
#include "engine/cpu/engine_cpu_priv.h"

enum { CHILDREN_SHOWN_MAX = 1024 };

/* ---- one span -------------------------------------------------------------------------------- */

static enum fg_result read_args(const struct fg_trace *trace, const struct fgi_question *question,
                                uint32_t row, struct fg_span_detail *detail)
{
    uint32_t count = 0;
    enum fg_result result = fg_trace_span_args(trace, row, NULL, 0, &count);
    if (result != FG_OK || count == 0) {
        return result;
    }
    struct fg_trace_arg *args = fgi_arena_alloc(question->arena, count, sizeof *args);
    if (!args) {
        return FG_ERR_NO_MEMORY;
    }
    detail->args = args;
    return fg_trace_span_args(trace, row, args, count, &detail->arg_count);
}

static enum fg_result read_fragments(const struct fg_trace *trace,
                                     const struct fgi_question *question,
                                     struct fg_span_detail *detail)
{
    uint32_t logical = detail->span.logical;
    size_t low = 0, high = trace->fragments.count;
    if (logical == FG_NONE) {
        return FG_OK;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (trace->fragments.items[middle].first < logical) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t end = low;
    while (end < trace->fragments.count && trace->fragments.items[end].first == logical) {
        end++;
    }
    if (end == low) {
        return FG_OK;
    }
    uint32_t *rows = fgi_arena_alloc(question->arena, end - low, sizeof *rows);
    if (!rows) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = low; i < end; i++) {
        rows[i - low] = trace->fragments.items[i].row;
    }
    detail->fragments = rows;
    detail->fragment_count = (uint32_t)(end - low);
    return FG_OK;
}

/* Children lie one depth below, inside of the span or, where the source says so, beside it. */
static enum fg_result read_children(struct fgi_engine_cpu *cpu, const struct fgi_question *question,
                                    struct fg_span_detail *detail)
{
    const struct fg_trace *trace = cpu->engine.trace;
    const struct fg_trace_track *track = &trace->tracks.items[detail->span.track];
    struct fgi_lanes lanes = { .first = track->first_lane };
    while (lanes.count < track->lane_count &&
           trace->lanes.items[lanes.first].depth <= detail->span.depth) {
        lanes.first++;
        lanes.count++; /* how many were passed over, for now */
    }
    uint32_t left = track->lane_count - lanes.count;
    lanes.count = 0;
    while (lanes.count < left &&
           trace->lanes.items[lanes.first + lanes.count].depth == detail->span.depth + 1) {
        lanes.count++;
    }
    uint32_t *rows = fgi_arena_alloc(question->arena, CHILDREN_SHOWN_MAX, sizeof *rows);
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    struct fgi_row_stream stream;
    struct fgi_stream_head head;
    if (!rows) {
        return FG_ERR_NO_MEMORY;
    }
    const struct fgi_row_source source = { cpu->allocator, trace, &cpu->all.set };
    enum fg_result result =
        fgi_row_stream_open(&stream, &source, &lanes, detail->span.start_ns, NULL);
    while (result == FG_OK && fgi_row_stream_next(&stream, &head) &&
           head.start <= detail->span.end_ns) {
        if (!fgi_cursor_at(&cursor, head.row)) {
            result = cursor.result;
        } else if (cursor.block->parent[head.row - cursor.first_row] == detail->span.row) {
            if (detail->child_count < CHILDREN_SHOWN_MAX) {
                rows[detail->child_count] = head.row;
            }
            detail->child_count++;
        }
    }
    fgi_cursor_finish(&cursor);
    enum fg_result closed = fgi_row_stream_close(&stream);
    detail->children = rows;
    return result != FG_OK ? result : closed;
}

static bool is_nominal(const struct fg_trace *trace, const struct fg_trace_span *span)
{
    return trace->clocks.items[trace->tracks.items[span->track].clock].kind == FG_CLOCK_NOMINAL;
}

static enum fg_result fill_link(const struct fg_trace *trace, const struct fg_trace_span *span,
                                bool is_wait, struct fg_span_link *link)
{
    struct fg_trace_span other;
    struct fg_gap gap;
    uint32_t count = 0;
    enum fg_result result = fg_trace_spans(trace, link->row, &other, 1, &count);
    if (result != FG_OK || count == 0) {
        return result;
    }
    const struct fg_trace_span *from = is_wait ? &other : span;
    const struct fg_trace_span *to = is_wait ? span : &other;
    /* From an end that nobody saw no gap can be told; nor between frames that a nominal clock has
     * placed each for itself. */
    bool is_told =
        from->status == FG_SPAN_COMPLETE && (from->frame == to->frame || !is_nominal(trace, from));
    if (is_told && fgi_gap_between(trace, from, to, &gap) == FG_OK && gap.is_ordered) {
        link->is_claimed = true;
        link->gap_ns = gap.gap_ns;
    }
    return FG_OK;
}

/* What follows from the frame graph is left out where it was recorded. */
static bool is_recorded(const struct fg_span_link *links, uint32_t count,
                        const struct fgi_graph_link *link)
{
    for (uint32_t i = 0; i < count; i++) {
        if (links[i].row == link->row &&
            (links[i].family == link->family ||
             (links[i].family == FG_DEPENDENCY_DATA && link->family == FG_DEPENDENCY_GRAPH))) {
            return true;
        }
    }
    return false;
}

/* One direction: what was recorded, then what follows from the frame graph and the queue. */
static enum fg_result read_links(const struct fg_trace *trace, const struct fgi_question *question,
                                 const struct fg_trace_span *span, bool is_wait,
                                 const struct fg_span_link **out_links, uint32_t *out_count)
{
    const struct fgi_graph_link *derived = NULL;
    uint32_t derived_count = 0;
    uint32_t first = 0;
    uint32_t end =
        is_wait ? fgi_links_in(trace, span->row, &first) : fgi_links_out(trace, span->row, &first);
    enum fg_result result =
        fgi_graph_links(trace, question, span, is_wait, &derived, &derived_count);
    size_t most = (size_t)end - first + derived_count;
    if (result != FG_OK || most == 0) {
        return result;
    }
    struct fg_span_link *links = fgi_arena_alloc(question->arena, most, sizeof *links);
    if (!links) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t link = is_wait ? fgi_link_in(trace, i) : i;
        links[count++] = (struct fg_span_link){
            .row = is_wait ? fgi_link_source(trace, link) : fgi_link_target(trace, link),
            .family = fgi_link_family(trace, link),
            .flags = fgi_link_flags(trace, link),
        };
    }
    uint32_t recorded = count;
    for (uint32_t i = 0; i < derived_count; i++) {
        if (!is_recorded(links, recorded, &derived[i])) {
            links[count++] = (struct fg_span_link){ .row = derived[i].row,
                                                    .family = derived[i].family,
                                                    .flags = FG_DEPENDENCY_DERIVED };
        }
    }
    for (uint32_t i = 0; i < count && result == FG_OK; i++) {
        result = fill_link(trace, span, is_wait, &links[i]);
    }
    *out_links = links;
    *out_count = count;
    return result;
}

enum fg_result fgi_cpu_span(struct fg_engine *engine, const struct fgi_question *question,
                            uint32_t row, struct fg_span_detail *out_detail)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    const struct fg_trace *trace = engine->trace;
    uint32_t count = 0;
    *out_detail = (struct fg_span_detail){ 0 };
    enum fg_result result = fg_trace_spans(trace, row, &out_detail->span, 1, &count);
    if (result == FG_OK) {
        result = fgi_cover_make(cpu);
    }
    if (result != FG_OK) {
        return result;
    }
    const struct fg_trace_clock *clock =
        &trace->clocks.items[trace->tracks.items[out_detail->span.track].clock];
    out_detail->clock_kind = clock->kind;
    out_detail->bound_ns = clock->bound_ns;
    out_detail->self_ns =
        fgi_duration(out_detail->span.start_ns, out_detail->span.end_ns) - fgi_cover_of(cpu, row);
    result = read_args(trace, question, row, out_detail);
    if (result == FG_OK) {
        result = read_fragments(trace, question, out_detail);
    }
    if (result == FG_OK) {
        result = read_children(cpu, question, out_detail);
    }
    if (result == FG_OK) {
        result = read_links(trace, question, &out_detail->span, true, &out_detail->waits,
                            &out_detail->wait_count);
    }
    return result == FG_OK ? read_links(trace, question, &out_detail->span, false,
                                        &out_detail->wakes, &out_detail->wake_count)
                           : result;
}
