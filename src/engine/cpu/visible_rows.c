/* SPDX-License-Identifier: MIT */
/* Which rows are in a view, as bits. */
#include "engine/cpu/engine_cpu_priv.h"

struct showing {
    const struct fgi_question *question;
    const struct fgi_rows_request *request;
    const struct fgi_row_set *set;
    struct fgi_cursor cursor;
    struct fgi_rows *rows;
};

/* Spans of a lane do not overlap: of those that start before the window only the last meets it. */
static void show_lane(struct showing *s, uint32_t lane)
{
    int64_t a = s->request->start_ns;
    int64_t b = s->request->end_ns;
    const uint32_t *rows = s->set->rows;
    uint32_t first = s->set->lane_first[lane];
    uint32_t end = s->set->lane_first[lane + 1];
    uint32_t i =
        fgi_lower_bound_steps(&s->cursor, rows, first, end, a, &s->question->visits->steps);
    i -= i > first;
    for (; i < end && fgi_cursor_at(&s->cursor, rows[i]); i++) {
        int64_t start = fgi_cursor_start(&s->cursor, rows[i]);
        s->question->visits->spans++;
        if (start >= b) {
            break;
        }
        if (fgi_meets(start, fgi_cursor_end(&s->cursor, rows[i]), a, b) &&
            !fgi_has_bit(s->rows->bits, rows[i])) {
            fgi_set_bit(s->rows->bits, rows[i]);
            s->rows->count++;
        }
    }
}

enum fg_result fgi_cpu_visible_rows(struct fg_engine *engine, const struct fgi_question *question,
                                    const struct fgi_rows_request *request,
                                    struct fgi_rows *out_rows)
{
    const struct fg_trace *trace = engine->trace;
    struct fgi_population *population;
    const uint64_t *bits;
    enum fg_result result = fgi_filter_find(fgi_cpu(engine), request->filter, &population, &bits);
    *out_rows = (struct fgi_rows){ 0 };
    if (result != FG_OK) {
        return result;
    }
    out_rows->bits =
        fgi_arena_alloc(question->arena, fgi_trace_rows(trace) / 64 + 1, sizeof *out_rows->bits);
    if (!out_rows->bits) {
        return FG_ERR_NO_MEMORY;
    }
    struct showing s = { .question = question,
                         .request = request,
                         .set = &population->set,
                         .cursor = fgi_trace_cursor(trace),
                         .rows = out_rows };
    uint32_t targets = request->targets ? request->target_count : (uint32_t)trace->lanes.count;
    for (uint32_t i = 0; i < targets && s.cursor.result == FG_OK; i++) {
        struct fgi_lanes lanes = { .first = i, .count = 1 };
        if (request->targets) {
            lanes = fgi_target_lanes(fgi_cpu(engine), request->targets[i].kind,
                                     request->targets[i].index);
        }
        if (fgi_question_cancelled(question)) {
            fgi_cursor_finish(&s.cursor);
            return FG_ERR_CANCELLED;
        }
        for (uint32_t l = 0; l < lanes.count && s.cursor.result == FG_OK; l++) {
            show_lane(&s, fgi_lane_at(&lanes, l));
        }
    }
    fgi_cursor_finish(&s.cursor);
    return s.cursor.result;
}
