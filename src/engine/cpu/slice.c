/* SPDX-License-Identifier: MIT */
/* What led to a row and what followed from it, by dependencies, within a window and limits. */
#include "base/alloc.h"
#include "engine/cpu/graph_cpu.h"
#include "trace/task.h"
#include <string.h>

enum phase { PHASE_GRAPH, PHASE_BACKWARD, PHASE_FORWARD, PHASE_CLAIM };

struct slice {
    struct fgi_slice_work face;
    struct fgi_engine_cpu *cpu;
    const struct fg_trace *trace;
    struct fg_slice_request request;
    uint32_t filter;         /* held; 0 = none */
    const uint64_t *passing; /* rows that pass the filter; NULL: all */
    enum phase phase;
    struct fgi_graph graph;
    struct fgi_cursor cursor;
    uint64_t *seen; /* reached, left out, or next in line: judged once */
    struct fg_slice_item *items;
    size_t count, capacity;
    uint32_t direction_rows; /* taken in the direction at hand, the row itself included; 0: none */
    size_t next;             /* item: of the direction, not expanded yet; of all, not judged yet */
    uint32_t row, hops;      /* to be expanded next */
    struct fg_slice_reply *reply;
};

/* Judge the other end of a link; take it when it belongs to the slice. */
static enum fg_result reach(struct slice *s, const struct fgi_question *question, uint32_t row,
                            uint32_t link, int32_t hops)
{
    const struct fg_slice_request *r = &s->request;
    if (fgi_has_bit(s->seen, row)) {
        return FG_OK;
    }
    if (s->passing && !fgi_has_bit(s->passing, row)) {
        s->reply->hidden++;
        return FG_OK;
    }
    if (!fgi_cursor_at(&s->cursor, row)) {
        return s->cursor.result;
    }
    question->visits->spans++;
    if (!fgi_meets(fgi_cursor_start(&s->cursor, row), fgi_cursor_end(&s->cursor, row), r->start_ns,
                   r->end_ns)) {
        s->reply->outside++;
        return FG_OK;
    }
    fgi_set_bit(s->seen, row);
    if (s->direction_rows >= r->max_rows) {
        s->reply->overflow++;
        return FG_OK;
    }
    if (!FGI_ANSWER_GROW(question->arena, s->items, s->capacity, s->count + 1)) {
        return FG_ERR_NO_MEMORY;
    }
    s->items[s->count++] = (struct fg_slice_item){ .row = row, .hops = hops, .link = link };
    s->direction_rows++;
    return FG_OK;
}

static enum fg_result expand(struct slice *s, const struct fgi_question *question, uint32_t row,
                             bool is_forward, int32_t hops)
{
    struct fgi_link_ranges ranges =
        is_forward ? fgi_graph_out(&s->graph, row) : fgi_graph_in(&s->graph, row);
    uint32_t number;
    question->visits->dependencies += fgi_link_ranges_count(&ranges);
    while (fgi_link_ranges_next(&ranges, &number)) {
        uint32_t link = is_forward ? number : fgi_graph_at(&s->graph, number);
        if (fgi_family_is_in(s->request.families, fgi_graph_family(&s->graph, link))) {
            uint32_t other =
                is_forward ? fgi_graph_target(&s->graph, link) : fgi_graph_source(&s->graph, link);
            enum fg_result result = reach(s, question, other, link, hops);
            if (result != FG_OK) {
                return result;
            }
        }
    }
    return FG_OK;
}

/* Is there a row behind this one that nobody has judged yet? */
static enum fg_result look_behind(struct slice *s, const struct fgi_question *question,
                                  uint32_t row, bool is_forward)
{
    struct fg_slice_reply before = *s->reply;
    size_t count = s->count;
    uint32_t taken = s->direction_rows;
    s->direction_rows = s->request.max_rows; /* nothing is taken, only counted */
    enum fg_result result = expand(s, question, row, is_forward, 0);
    s->reply->is_hop_limited = before.is_hop_limited || s->reply->overflow > before.overflow;
    s->reply->overflow = before.overflow;
    s->reply->outside = before.outside;
    s->reply->hidden = before.hidden;
    s->direction_rows = taken;
    s->count = count;
    return result;
}

/* A direction begins with the row itself. */
static void begin_direction(struct slice *s)
{
    memset(s->seen, 0, (fgi_trace_rows(s->trace) / 64 + 1) * sizeof *s->seen);
    fgi_set_bit(s->seen, s->request.row);
    s->direction_rows = 1;
    s->next = s->count;
    s->row = s->request.row;
    s->hops = 0;
}

/* One direction: its rows stand by hops behind what was there. */
static enum fg_result run(struct slice *s, const struct fgi_question *question, bool is_forward,
                          uint64_t max, uint64_t *done, bool *is_over)
{
    if (s->direction_rows == 0) {
        begin_direction(s);
    }
    for (; *done < max; ++*done) {
        int32_t hops = is_forward ? (int32_t)s->hops + 1 : -(int32_t)s->hops - 1;
        enum fg_result result = s->hops == s->request.max_hops
                                    ? look_behind(s, question, s->row, is_forward)
                                    : expand(s, question, s->row, is_forward, hops);
        if (result == FG_OK && *done % 4096 == 4095 && fgi_question_cancelled(question)) {
            result = FG_ERR_CANCELLED;
        }
        if (result != FG_OK) {
            return result;
        }
        if (s->next == s->count) {
            ++*done;
            s->direction_rows = 0;
            *is_over = true;
            return FG_OK;
        }
        const struct fg_slice_item *item = &s->items[s->next++];
        s->row = item->row;
        s->hops = (uint32_t)(is_forward ? item->hops : -item->hops);
    }
    return FG_OK;
}

/* What is known of the dependencies by which rows were reached. */
static enum fg_result claim(struct slice *s, uint64_t max, uint64_t *done, bool *is_over)
{
    for (; s->next < s->count && *done < max; s->next++, ++*done) {
        struct fg_slice_item *item = &s->items[s->next];
        struct fg_trace_dependency link;
        struct fg_trace_span from, to;
        uint32_t count;
        int64_t gap;
        (void)fgi_graph_dependency(&s->graph, item->link, &link);
        enum fg_result result = fg_trace_spans(s->trace, link.source, &from, 1, &count);
        if (result == FG_OK) {
            result = fg_trace_spans(s->trace, link.target, &to, 1, &count);
        }
        if (result != FG_OK) {
            return result;
        }
        item->family = link.family;
        item->flags = link.flags;
        item->is_claimed = fgi_gap_is_told(s->trace, &from, &to, &gap) && gap >= 0;
    }
    *is_over = s->next == s->count;
    return FG_OK;
}

static void enter_next(struct slice *s)
{
    const uint32_t direction = s->request.direction;
    switch (s->phase) {
    case PHASE_GRAPH:
        s->graph = fgi_cpu_graph(s->cpu, s->request.families);
        s->phase = direction == FG_SLICE_FORWARD ? PHASE_FORWARD : PHASE_BACKWARD;
        break;
    case PHASE_BACKWARD:
        s->phase = direction == FG_SLICE_BACKWARD ? PHASE_CLAIM : PHASE_FORWARD;
        break;
    case PHASE_FORWARD:
        s->phase = PHASE_CLAIM;
        break;
    default:
        s->reply->items = s->items;
        s->reply->count = (uint32_t)s->count;
        s->face.work.stage = 1;
        s->face.work.is_done = true;
        break;
    }
    s->next = 1; /* of all items, without the row itself */
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct slice *s = (struct slice *)work;
    enum fg_result result = FG_OK;
    uint64_t done = 0;
    do {
        bool is_over = false;
        result = s->phase == PHASE_GRAPH ? fgi_derived_step(s->cpu, question, s->request.families,
                                                            max_rows - done, &done, &is_over)
                 : s->phase == PHASE_CLAIM
                     ? claim(s, max_rows, &done, &is_over)
                     : run(s, question, s->phase == PHASE_FORWARD, max_rows, &done, &is_over);
        if (result == FG_OK && is_over) {
            enter_next(s);
        }
    } while (result == FG_OK && !work->is_done && done < max_rows);
    work->done_rows += done;
    work->total_rows = work->total_rows < work->done_rows ? work->done_rows : work->total_rows;
    fgi_cursor_finish(&s->cursor);
    return result;
}

static void destroy(struct fgi_work *work)
{
    struct slice *s = (struct slice *)work;
    fgi_cursor_finish(&s->cursor);
    if (s->filter) {
        (void)fgi_cpu_filter_destroy(&s->cpu->engine, s->filter);
    }
    fgi_free(s->cpu->allocator, s, sizeof *s);
}

static const struct fgi_task_ops slice_ops = { step, destroy };

enum fg_result fgi_cpu_slice_begin(struct fg_engine *engine, const struct fgi_question *question,
                                   const struct fg_slice_request *request,
                                   struct fgi_slice_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    const struct fg_trace *trace = engine->trace;
    struct fgi_cpu_filter *filter = NULL;
    enum fg_result result = fgi_filter_hold(cpu, request->filter, &filter);
    if (result != FG_OK) {
        return result;
    }
    struct slice *s = fgi_calloc(cpu->allocator, 1, sizeof *s);
    if (!s) {
        (void)fgi_cpu_filter_destroy(engine, request->filter);
        return FG_ERR_NO_MEMORY;
    }
    s->face.work = (struct fgi_work){ .ops = &slice_ops,
                                      .kind = FGI_WORK_SLICE,
                                      .total_rows = fgi_derived_rows(cpu, request->families) + 1,
                                      .stage_count = 1 };
    s->cpu = cpu;
    s->trace = trace;
    s->request = *request;
    s->filter = request->filter;
    s->passing = filter ? filter->bits : NULL;
    s->cursor = fgi_trace_cursor(trace);
    s->reply = &s->face.reply;
    s->seen = fgi_arena_alloc(question->arena, fgi_trace_rows(trace) / 64 + 1, sizeof *s->seen);
    if (!s->seen || !FGI_ANSWER_GROW(question->arena, s->items, s->capacity, 1)) {
        destroy(&s->face.work);
        return FG_ERR_NO_MEMORY;
    }
    s->items[s->count++] = (struct fg_slice_item){ .row = request->row, .link = FG_NONE };
    *out_work = &s->face;
    return FG_OK;
}
