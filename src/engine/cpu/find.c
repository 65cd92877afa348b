/* SPDX-License-Identifier: MIT */
/* Search and picking. */
#include "base/alloc.h"
#include "engine/cpu/engine_cpu_priv.h"

enum fg_result fgi_cpu_search(struct fg_engine *engine, const struct fgi_question *question,
                              const struct fg_search_request *request,
                              struct fg_search_reply *out_reply)
{
    const struct fg_trace *trace = engine->trace;
    struct fgi_population *population;
    const uint64_t *filter;
    enum fg_result result = fgi_filter_find(fgi_cpu(engine), request->filter, &population, &filter);
    if (result != FG_OK) {
        return result;
    }
    const uint64_t *names = fgi_matching_names(trace, question->arena, request->text);
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    struct fg_trace_span *spans = NULL;
    size_t capacity = 0;
    result = names ? FG_OK : FG_ERR_NO_MEMORY;
    *out_reply = (struct fg_search_reply){ .next = FG_NONE };
    for (uint32_t row = 0; row < fgi_trace_rows(trace) && result == FG_OK; row++) {
        if (row % 65536 == 0 && fgi_question_cancelled(question)) {
            result = FG_ERR_CANCELLED;
            break;
        }
        if (!fgi_cursor_at(&cursor, row)) {
            result = cursor.result;
            break;
        }
        uint32_t i = row - cursor.first_row;
        question->visits->spans++;
        if (!fgi_has_bit(names, fgi_block_name(cursor.block, i)) ||
            (filter && !fgi_has_bit(filter, row))) {
            continue;
        }
        out_reply->total++;
        if (request->has_after && row <= request->after) {
            continue;
        }
        if (out_reply->count == request->limit) {
            out_reply->next = spans[out_reply->count - 1].row;
        } else if (!FGI_ANSWER_GROW(question->arena, spans, capacity, out_reply->count + 1u)) {
            result = FG_ERR_NO_MEMORY;
        } else {
            fgi_trace_fill_span(trace, cursor.block, i, &spans[out_reply->count++]);
        }
    }
    fgi_cursor_finish(&cursor);
    out_reply->spans = spans;
    return result;
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
