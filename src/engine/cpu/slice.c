/* SPDX-License-Identifier: MIT */
/* What led to a row and what followed from it, by dependencies, within a window and limits. */
#include "engine/cpu/graph_cpu.h"

struct slice {
    const struct fg_trace *trace;
    const struct fgi_question *question;
    const struct fg_slice_request *request;
    const uint64_t *passing; /* rows that pass the filter; NULL: all */
    struct fgi_cursor cursor;
    uint64_t *seen; /* reached, left out, or next in line: judged once */
    struct fg_slice_item *items;
    size_t count, capacity;
    uint32_t direction_rows; /* taken in the direction at hand, the row itself included */
    struct fg_slice_reply reply;
};

/* Judge the other end of a link; take it when it belongs to the slice. */
static enum fg_result reach(struct slice *s, uint32_t row, uint32_t link, int32_t hops)
{
    const struct fg_slice_request *r = s->request;
    if (fgi_has_bit(s->seen, row)) {
        return FG_OK;
    }
    if (s->passing && !fgi_has_bit(s->passing, row)) {
        s->reply.hidden++;
        return FG_OK;
    }
    if (!fgi_cursor_at(&s->cursor, row)) {
        return s->cursor.result;
    }
    s->question->visits->spans++;
    if (!fgi_meets(fgi_cursor_start(&s->cursor, row), fgi_cursor_end(&s->cursor, row), r->start_ns,
                   r->end_ns)) {
        s->reply.outside++;
        return FG_OK;
    }
    fgi_set_bit(s->seen, row);
    if (s->direction_rows >= r->max_rows) {
        s->reply.overflow++;
        return FG_OK;
    }
    if (!FGI_ANSWER_GROW(s->question->arena, s->items, s->capacity, s->count + 1)) {
        return FG_ERR_NO_MEMORY;
    }
    s->items[s->count++] = (struct fg_slice_item){ .row = row, .hops = hops, .link = link };
    s->direction_rows++;
    return FG_OK;
}

static enum fg_result expand(struct slice *s, uint32_t row, bool is_forward, int32_t hops)
{
    const struct fg_trace *trace = s->trace;
    uint32_t first;
    uint32_t end =
        is_forward ? fgi_links_out(trace, row, &first) : fgi_links_in(trace, row, &first);
    s->question->visits->dependencies += end - first;
    for (uint32_t i = first; i < end; i++) {
        uint32_t link = is_forward ? i : fgi_link_in(trace, i);
        if (fgi_family_is_in(s->request->families, fgi_link_family(trace, link))) {
            uint32_t other =
                is_forward ? fgi_link_target(trace, link) : fgi_link_source(trace, link);
            enum fg_result result = reach(s, other, link, hops);
            if (result != FG_OK) {
                return result;
            }
        }
    }
    return FG_OK;
}

/* Is there a row behind this one that nobody has judged yet? */
static enum fg_result look_behind(struct slice *s, uint32_t row, bool is_forward)
{
    struct fg_slice_reply before = s->reply;
    size_t count = s->count;
    uint32_t taken = s->direction_rows;
    s->direction_rows = s->request->max_rows; /* nothing is taken, only counted */
    enum fg_result result = expand(s, row, is_forward, 0);
    s->reply.is_hop_limited = before.is_hop_limited || s->reply.overflow > before.overflow;
    s->reply.overflow = before.overflow;
    s->reply.outside = before.outside;
    s->reply.hidden = before.hidden;
    s->direction_rows = taken;
    s->count = count;
    return result;
}

/*
 * One direction: items from `first` on are its rows by hops, the row itself standing before them.
 */
static enum fg_result run(struct slice *s, bool is_forward)
{
    size_t next = s->count; /* not expanded yet */
    uint32_t words = fgi_trace_rows(s->trace) / 64 + 1;
    for (uint32_t i = 0; i < words; i++) {
        s->seen[i] = 0;
    }
    fgi_set_bit(s->seen, s->request->row);
    s->direction_rows = 1;
    uint32_t row = s->request->row;
    uint32_t hops = 0;
    for (uint32_t done = 0;; done++) {
        enum fg_result result =
            hops == s->request->max_hops
                ? look_behind(s, row, is_forward)
                : expand(s, row, is_forward, is_forward ? (int32_t)hops + 1 : -(int32_t)hops - 1);
        if (result != FG_OK) {
            return result;
        }
        if (done % 4096 == 4095 && fgi_question_cancelled(s->question)) {
            return FG_ERR_CANCELLED;
        }
        if (next == s->count) {
            return FG_OK;
        }
        row = s->items[next].row;
        hops = (uint32_t)(is_forward ? s->items[next].hops : -s->items[next].hops);
        next++;
    }
}

static enum fg_result claim(struct slice *s)
{
    for (size_t i = 1; i < s->count; i++) {
        struct fg_slice_item *item = &s->items[i];
        struct fg_trace_span from, to;
        uint32_t count;
        int64_t gap;
        enum fg_result result =
            fg_trace_spans(s->trace, fgi_link_source(s->trace, item->link), &from, 1, &count);
        if (result == FG_OK) {
            result =
                fg_trace_spans(s->trace, fgi_link_target(s->trace, item->link), &to, 1, &count);
        }
        if (result != FG_OK) {
            return result;
        }
        item->is_claimed = fgi_gap_is_told(s->trace, &from, &to, &gap) && gap >= 0;
    }
    return FG_OK;
}

enum fg_result fgi_cpu_slice(struct fg_engine *engine, const struct fgi_question *question,
                             const struct fg_slice_request *request,
                             struct fg_slice_reply *out_reply)
{
    const struct fg_trace *trace = engine->trace;
    struct slice s = {
        .trace = trace, .question = question, .request = request, .cursor = fgi_trace_cursor(trace)
    };
    struct fgi_population *population;
    enum fg_result result =
        fgi_filter_find(fgi_cpu(engine), request->filter, &population, &s.passing);
    if (result != FG_OK) {
        return result;
    }
    s.seen = fgi_arena_alloc(question->arena, fgi_trace_rows(trace) / 64 + 1, sizeof *s.seen);
    if (!s.seen || !FGI_ANSWER_GROW(question->arena, s.items, s.capacity, 1)) {
        return FG_ERR_NO_MEMORY;
    }
    s.items[s.count++] = (struct fg_slice_item){ .row = request->row, .link = FG_NONE };
    if (request->direction != FG_SLICE_FORWARD) {
        result = run(&s, false);
    }
    if (result == FG_OK && request->direction != FG_SLICE_BACKWARD) {
        result = run(&s, true);
    }
    fgi_cursor_finish(&s.cursor);
    if (result == FG_OK) {
        result = claim(&s);
    }
    s.reply.items = s.items;
    s.reply.count = (uint32_t)s.count;
    if (result == FG_OK) {
        *out_reply = s.reply;
    }
    return result;
}
