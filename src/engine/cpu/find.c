/* SPDX-License-Identifier: MIT */
/* Search and picking. */
#include "base/alloc.h"
#include "engine/cpu/engine_cpu_priv.h"
#include "trace/task.h"

/* Rows between two looks at whether to stop. */
enum { CHUNK_ROWS = 65536 };

struct searching {
    struct fgi_search_work base;
    struct fgi_engine_cpu *cpu;
    struct fg_search_request request; /* its text is in `names` */
    const uint64_t *names;
    const uint64_t *filter; /* bits; NULL: everything passes */
    struct fg_trace_span *spans;
    size_t capacity;
    uint32_t row; /* the next one */
};

static enum fg_result take_match(struct searching *s, const struct fgi_question *question,
                                 const struct fgi_cursor *cursor)
{
    struct fg_search_reply *reply = &s->base.reply;
    reply->total++;
    if (s->request.has_after && s->row <= s->request.after) {
        return FG_OK;
    }
    if (reply->count == s->request.limit) {
        reply->next = s->spans[reply->count - 1].row;
        return FG_OK;
    }
    if (!FGI_ANSWER_GROW(question->arena, s->spans, s->capacity, reply->count + 1u)) {
        return FG_ERR_NO_MEMORY;
    }
    fgi_trace_fill_span(s->cpu->engine.trace, cursor->block, s->row - cursor->first_row,
                        &s->spans[reply->count++]);
    reply->spans = s->spans;
    return FG_OK;
}

static enum fg_result search_rows(struct searching *s, const struct fgi_question *question,
                                  struct fgi_cursor *cursor, uint32_t end)
{
    enum fg_result result = FG_OK;
    for (; s->row < end && result == FG_OK; s->row++) {
        if (!fgi_cursor_at(cursor, s->row)) {
            return cursor->result;
        }
        question->visits->spans++;
        if (fgi_has_bit(s->names, fgi_block_name(cursor->block, s->row - cursor->first_row)) &&
            (!s->filter || fgi_has_bit(s->filter, s->row))) {
            result = take_match(s, question, cursor);
        }
    }
    return result;
}

static enum fg_result search_step(struct fgi_work *work, const struct fgi_question *question,
                                  uint64_t max_rows)
{
    struct searching *s = (struct searching *)work;
    struct fgi_cursor cursor = fgi_trace_cursor(s->cpu->engine.trace);
    uint32_t rows = fgi_trace_rows(s->cpu->engine.trace);
    uint32_t end = max_rows < rows - s->row ? s->row + (uint32_t)max_rows : rows;
    enum fg_result result = FG_OK;
    while (result == FG_OK && s->row < end) {
        uint32_t first = s->row;
        uint32_t chunk = end - first < CHUNK_ROWS ? end - first : CHUNK_ROWS;
        result = fgi_question_cancelled(question)
                     ? FG_ERR_CANCELLED
                     : search_rows(s, question, &cursor, first + chunk);
        work->done_rows += s->row - first;
    }
    fgi_cursor_finish(&cursor);
    work->is_done = result == FG_OK && s->row == rows;
    work->stage = work->is_done;
    return result;
}

static void searching_destroy(struct fgi_work *work)
{
    struct searching *s = (struct searching *)work;
    if (s->request.filter) {
        (void)fgi_cpu_filter_destroy(&s->cpu->engine, s->request.filter);
    }
    fgi_free(s->cpu->allocator, s, sizeof *s);
}

static const struct fgi_task_ops search_ops = { search_step, searching_destroy };

enum fg_result fgi_cpu_search_begin(struct fg_engine *engine, const struct fgi_question *question,
                                    const struct fg_search_request *request,
                                    struct fgi_search_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct fgi_cpu_filter *filter = NULL;
    enum fg_result result = fgi_filter_hold(cpu, request->filter, &filter);
    if (result != FG_OK) {
        return result;
    }
    struct searching *s = fgi_calloc(cpu->allocator, 1, sizeof *s);
    if (!s) {
        (void)fgi_cpu_filter_destroy(engine, request->filter);
        return FG_ERR_NO_MEMORY;
    }
    s->cpu = cpu;
    s->request = *request;
    s->filter = filter ? filter->bits : NULL;
    s->base.reply.next = FG_NONE;
    s->base.work = (struct fgi_work){ .ops = &search_ops,
                                      .kind = FGI_WORK_SEARCH,
                                      .total_rows = fgi_trace_rows(engine->trace),
                                      .stage_count = 1 };
    s->names = fgi_matching_names(engine->trace, question->arena, request->text);
    if (!s->names) {
        searching_destroy(&s->base.work);
        return FG_ERR_NO_MEMORY;
    }
    s->request.text = NULL;
    *out_work = &s->base;
    return FG_OK;
}

/* ---- picking --------------------------------------------------------------------------------- */

struct picking {
    struct fgi_cursor cursor;
    const struct fg_pick_request *request;
    struct fg_visits *visits;
    uint32_t row; /* the best so far */
    uint64_t distance_ns;
    uint64_t duration_ns;
};

/* Distance from a time to the nearest one that the span holds; 0: it holds it. */
static uint64_t distance_to(int64_t time, int64_t start, int64_t end)
{
    if (time < start) {
        return (uint64_t)start - (uint64_t)time;
    }
    int64_t last = end > start ? end - 1 : start;
    return time > last ? (uint64_t)time - (uint64_t)last : 0;
}

static void consider(struct picking *p, uint32_t row)
{
    if (!fgi_cursor_at(&p->cursor, row)) {
        return;
    }
    p->visits->spans++;
    int64_t start = fgi_cursor_start(&p->cursor, row);
    int64_t end = fgi_cursor_end(&p->cursor, row);
    uint64_t distance = distance_to(p->request->time_ns, start, end);
    uint64_t duration = distance == 0 ? fgi_duration(start, end) : 0;
    if (distance > p->request->tolerance_ns) {
        return;
    }
    bool better = p->row == FG_NONE || distance < p->distance_ns ||
                  (distance == p->distance_ns &&
                   (duration < p->duration_ns || (duration == p->duration_ns && row < p->row)));
    if (better) {
        p->row = row;
        p->distance_ns = distance;
        p->duration_ns = duration;
    }
}

/*
 * In a lane only neighbours of the time matter: the first span that starts at or after it, and the
 * last ones before it. Of several without length at one time the first has the lowest row.
 */
static void pick_in_lane(struct picking *p, const struct fgi_row_set *set, uint32_t lane)
{
    uint32_t first = set->lane_first[lane];
    uint32_t end = set->lane_first[lane + 1];
    uint32_t at = fgi_lower_bound_steps(&p->cursor, set->rows, first, end, p->request->time_ns,
                                        &p->visits->steps);
    if (at < end) {
        consider(p, set->rows[at]);
    }
    if (at == first || !fgi_cursor_at(&p->cursor, set->rows[at - 1])) {
        return;
    }
    consider(p, set->rows[at - 1]);
    if (!fgi_cursor_at(&p->cursor, set->rows[at - 1])) {
        return;
    }
    int64_t start = fgi_cursor_start(&p->cursor, set->rows[at - 1]);
    uint32_t same =
        fgi_lower_bound_steps(&p->cursor, set->rows, first, at, start, &p->visits->steps);
    if (same < at) {
        consider(p, set->rows[same]);
    }
    /* One that ends where those begin is as near as they are when they have no length. */
    if (same > first) {
        consider(p, set->rows[same - 1]);
    }
}

enum fg_result fgi_cpu_pick(struct fg_engine *engine, const struct fgi_question *question,
                            const struct fg_pick_request *request, uint32_t *out_row)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct fgi_population *population;
    const uint64_t *bits;
    enum fg_result result = fgi_filter_find(cpu, request->filter, &population, &bits);
    if (result != FG_OK) {
        return result;
    }
    struct picking p = { .cursor = fgi_trace_cursor(engine->trace),
                         .request = request,
                         .visits = question->visits,
                         .row = FG_NONE };
    struct fgi_lanes lanes = fgi_target_lanes(cpu, request->target.kind, request->target.index);
    for (uint32_t i = 0; i < lanes.count && p.cursor.result == FG_OK; i++) {
        if (i % 1024 == 0 && fgi_question_cancelled(question)) {
            fgi_cursor_finish(&p.cursor);
            return FG_ERR_CANCELLED;
        }
        pick_in_lane(&p, &population->set, fgi_lane_at(&lanes, i));
    }
    fgi_cursor_finish(&p.cursor);
    *out_row = p.row;
    return p.cursor.result;
}
