/* SPDX-License-Identifier: MIT */
/* What a window shows: for each target the bins of one level, or the spans themselves. */
#include "engine/cpu/viewing.h"

/* Room for so many bins is taken at once, more as they come. */
#define GUESSED_BINS_MAX (UINT32_C(1) << 18)

/* ---- which representation -------------------------------------------------------------------- */

/* What is on screen stays a little longer than it would newly appear: it does not flicker. */
static uint8_t choose_bins(const struct fg_view_request *r, uint64_t spans, uint8_t previous)
{
    if (r->detail == FG_DETAIL_REPRESENTATIVE || r->detail == FG_DETAIL_DENSITY) {
        return r->detail == FG_DETAIL_DENSITY ? FG_VIEW_DENSITY : FG_VIEW_REPRESENTATIVE;
    }
    uint64_t most_a_px = previous == FG_VIEW_REPRESENTATIVE ? 5
                         : previous == FG_VIEW_DENSITY      ? 3
                                                            : 4;
    return spans <= r->width_px * most_a_px ? FG_VIEW_REPRESENTATIVE : FG_VIEW_DENSITY;
}

/*
 * From 5 pixels per span (0) to 3 (255), smooth at both ends: x * x * (3 - 2 * x), x = n / d. At 4
 * it is 127, so that the two handoffs agree on which counts more.
 */
static uint8_t smooth_blend(uint64_t spans, uint64_t width_px)
{
    if (spans * 5 <= width_px) {
        return 0;
    }
    if (spans * 3 >= width_px) {
        return UINT8_MAX;
    }
    uint64_t n = spans * 5 - width_px;
    uint64_t d = spans * 2;
    return (uint8_t)(UINT8_MAX * n * n * (3 * d - 2 * n) / (d * d * d));
}

static void choose(const struct fg_view_request *r, uint64_t spans, uint8_t previous,
                   struct fg_view_answer *answer)
{
    bool was_exact = previous == FG_VIEW_EXACT;
    bool was_bins = previous == FG_VIEW_REPRESENTATIVE || previous == FG_VIEW_DENSITY;
    uint64_t exact_px = was_exact ? 3 : was_bins ? 5 : 4;
    if (r->detail == FG_DETAIL_EXACT) {
        answer->blend = 0;
    } else if (r->handoff == FG_HANDOFF_SMOOTH) {
        answer->blend = smooth_blend(spans, r->width_px);
    } else {
        answer->blend = spans <= r->width_px / exact_px ? 0 : UINT8_MAX;
    }
    answer->bins_mode = answer->blend > 0 ? choose_bins(r, spans, previous) : FG_VIEW_NONE;
    answer->mode = answer->blend <= UINT8_MAX / 2 ? FG_VIEW_EXACT : answer->bins_mode;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Spans of a lane that start in the bins of the window, without a look at the bins. */
static uint64_t count_starts(struct fgi_viewing *v)
{
    uint32_t lane = fgi_lane_at(&v->lanes, 0);
    int64_t from = (int64_t)((uint64_t)v->first_bin << v->level);
    int64_t last = (int64_t)((uint64_t)v->last_bin << v->level | (fgi_bin_width(v->level) - 1));
    uint32_t first = fgi_index_position(&v->reader, v->index, lane, from);
    uint32_t end = last < INT64_MAX ? fgi_index_position(&v->reader, v->index, lane, last + 1)
                                    : v->index->span_count;
    return end - first;
}

static void answer_target(struct fgi_viewing *v, const struct fg_view_target *target,
                          struct fg_view_answer *answer)
{
    size_t first_span = v->span_count;
    size_t first_bins = v->bins_count;
    bool is_lane = target->kind == FG_VIEW_LANE;
    v->lanes = fgi_target_lanes(v->cpu, target->kind, target->index);
    v->result = fgi_index_get(v->cpu, v->population, target->kind, target->index, &v->index);
    if (v->result != FG_OK) {
        return;
    }
    if (is_lane) {
        v->starts = count_starts(v);
        v->result = v->cursor.result;
    } else if (v->request->detail != FG_DETAIL_EXACT) {
        fgi_viewing_put_bins(v); /* which count the starts */
    }
    if (v->result == FG_OK && !v->is_full) {
        choose(v->request, v->starts, target->previous_mode, answer);
        if (answer->blend == 0) {
            v->bins_count = first_bins;
        } else if (is_lane) {
            fgi_viewing_put_bins(v);
        }
        if (v->result == FG_OK && !v->is_full && answer->blend < UINT8_MAX) {
            fgi_viewing_put_spans(v);
        } else if (v->result == FG_OK && !v->is_full && v->has_wide) {
            fgi_viewing_put_wide(v, first_bins);
        }
    }
    if (v->is_full) {
        v->span_count = first_span;
        v->bins_count = first_bins;
        *answer = (struct fg_view_answer){ .mode = FG_VIEW_NONE, .bins_mode = FG_VIEW_NONE };
    }
    answer->first_span = (uint32_t)first_span;
    answer->span_count = (uint32_t)(v->span_count - first_span);
    answer->first_bins = (uint32_t)first_bins;
    answer->bins_count = (uint32_t)(v->bins_count - first_bins);
}

/* The duration from which a span is `wide_px` pixels wide, rounded up; false: none is that long. */
static bool wide_duration(const struct fg_view_request *request, uint64_t *out_ns)
{
    uint64_t window = fgi_duration(request->start_ns, request->end_ns);
    uint64_t whole = window / request->width_px;
    uint64_t rest = window % request->width_px * request->wide_px;
    uint64_t rounded = (rest + request->width_px - 1) / request->width_px;
    if (whole > (UINT64_MAX - rounded) / request->wide_px) {
        return false;
    }
    *out_ns = whole * request->wide_px + rounded;
    return true;
}

static void answer_targets(struct fgi_viewing *v, struct fg_view_answer *answers,
                           struct fg_view_reply *out_reply)
{
    for (uint32_t i = 0; i < v->request->target_count; i++) {
        if (fgi_question_cancelled(v->question)) {
            v->result = FG_ERR_CANCELLED;
        }
        if (v->is_full) {
            answers[i] = (struct fg_view_answer){ .mode = FG_VIEW_NONE,
                                                  .bins_mode = FG_VIEW_NONE,
                                                  .first_span = (uint32_t)v->span_count,
                                                  .first_bins = (uint32_t)v->bins_count };
        } else if (v->result == FG_OK) {
            answer_target(v, &v->request->targets[i], &answers[i]);
        }
        out_reply->unanswered += answers[i].mode == FG_VIEW_NONE;
        if (v->is_full && i == 0) {
            v->result = FG_ERR_LIMIT;
        }
        if (v->result != FG_OK) {
            break;
        }
    }
}

static enum fg_result open_view(struct fgi_viewing *v)
{
    const struct fg_view_request *request = v->request;
    v->reader = (struct fgi_index_reader){ v->cpu->allocator, v->cpu->engine.trace,
                                           &v->population->set, &v->cursor, v->question->visits };
    v->level = fgi_view_level(request->start_ns, request->end_ns, request->width_px);
    v->first_bin = request->start_ns >> v->level;
    v->last_bin = (request->end_ns - 1) >> v->level;
    v->has_wide = wide_duration(request, &v->wide_ns);
    uint64_t guess = (uint64_t)request->target_count * request->width_px * 2 + 64;
    guess = guess < request->max_bins ? guess : request->max_bins;
    guess = guess < GUESSED_BINS_MAX ? guess : GUESSED_BINS_MAX;
    v->bins = fgi_arena_take(v->question->arena, (size_t)guess, sizeof *v->bins);
    v->bins_capacity = v->bins ? (size_t)guess : 0;
    return v->bins ? FG_OK : FG_ERR_NO_MEMORY;
}

enum fg_result fgi_cpu_view(struct fg_engine *engine, const struct fgi_question *question,
                            const struct fg_view_request *request, struct fg_view_reply *out_reply)
{
    struct fgi_viewing v = { .cpu = fgi_cpu(engine),
                             .question = question,
                             .request = request,
                             .cursor = fgi_trace_cursor(engine->trace) };
    const uint64_t *bits;
    enum fg_result result = fgi_filter_find(v.cpu, request->filter, &v.population, &bits);
    struct fg_view_answer *answers = NULL;
    if (result == FG_OK && request->target_count > 0) {
        answers = fgi_arena_alloc(question->arena, request->target_count, sizeof *answers);
        result = answers ? FG_OK : FG_ERR_NO_MEMORY;
    }
    if (result == FG_OK) {
        result = open_view(&v);
    }
    if (result != FG_OK) {
        return result;
    }
    *out_reply = (struct fg_view_reply){ .level = v.level, .answers = answers };
    answer_targets(&v, answers, out_reply);
    fgi_cursor_finish(&v.cursor);
    out_reply->spans = v.spans;
    out_reply->span_count = (uint32_t)v.span_count;
    out_reply->bins = v.bins;
    out_reply->bins_count = (uint32_t)v.bins_count;
    return v.result;
}
