/* SPDX-License-Identifier: MIT */
/* The public questions: arguments are checked here, once for all engines, then passed on. */
#include "base/alloc.h"
#include "base/verdict.h"
#include "base/wide.h"
#include "trace/model.h"
#include "trace/query_priv.h"
#include "trace/frame_work.h"
#include <string.h>

#define DEFAULT_SPANS   65536u
#define DEFAULT_BINS    262144u
#define DEFAULT_PAGE    1000u
#define DEFAULT_WIDE_PX 24u
#define SMALLEST_WIDE_PX                                                                           \
    4u /* narrower ones need not cover a whole bin, by which they are found                        \
        */

bool fgi_question_cancelled(const struct fgi_question *question)
{
    return question->cancelled && question->cancelled(question->context);
}

bool fgi_answer_grow(struct fgi_arena *arena, void **items, size_t *capacity, size_t item_size,
                     size_t needed)
{
    if (needed <= *capacity) {
        return true;
    }
    size_t wanted = *capacity * 2 > needed ? *capacity * 2 : needed;
    wanted = wanted < 16 ? 16 : wanted;
    void *more = fgi_arena_alloc(arena, wanted, item_size);
    if (!more) {
        return false;
    }
    if (*items) {
        memcpy(more, *items, *capacity * item_size);
    }
    *items = more;
    *capacity = wanted;
    return true;
}

void fgi_engine_destroy(struct fg_engine *engine)
{
    if (engine) {
        engine->ops->destroy(engine);
    }
}

void fg_engine_get_info(const struct fg_engine *engine, struct fg_engine_info *out_info)
{
    *out_info =
        (struct fg_engine_info){ .name = engine->wanted ? engine->wanted : engine->ops->name,
                                 .answers = engine->ops->name,
                                 .reason = engine->reason };
    if (engine->ops->about) {
        engine->ops->about(engine, out_info);
    }
}

enum fg_result fg_query_create(struct fg_engine *engine, const struct fg_allocator *allocator,
                               bool (*cancelled)(void *context), void *context,
                               struct fg_query **out_query)
{
    if (!engine) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_query *query = fgi_calloc(allocator, 1, sizeof *query);
    if (!query) {
        return FG_ERR_NO_MEMORY;
    }
    query->allocator = allocator;
    query->engine = engine;
    query->arena.allocator = allocator;
    query->question = (struct fgi_question){ &query->arena, cancelled, context, &query->visits };
    *out_query = query;
    return FG_OK;
}

void fg_query_reset(struct fg_query *query)
{
    if (query) {
        fgi_arena_reset(&query->arena);
        query->visits = (struct fg_visits){ 0 };
    }
}

void fg_query_destroy(struct fg_query *query)
{
    if (query) {
        fgi_arena_finish(&query->arena);
        fgi_free(query->allocator, query, sizeof *query);
    }
}

void fg_query_visits(const struct fg_query *query, struct fg_visits *out_visits)
{
    *out_visits = query->visits;
}

static const struct fg_trace *trace_of(const struct fg_query *query)
{
    return query->engine->trace;
}

enum fg_result fgi_target_check(const struct fg_trace *trace, const struct fg_view_target *target)
{
    switch (target->kind) {
    case FG_VIEW_LANE:
        return target->index < trace->lanes.count ? FG_OK : FG_ERR_NOT_FOUND;
    case FG_VIEW_TRACK:
        return target->index < trace->tracks.count ? FG_OK : FG_ERR_NOT_FOUND;
    case FG_VIEW_PROCESS:
        return target->index < trace->processes.count ? FG_OK : FG_ERR_NOT_FOUND;
    default:
        return FG_ERR_ARGUMENT;
    }
}

/* A range of 0, 0 means everything. */
static bool fill_range(int64_t *start, int64_t *end)
{
    if (*start == 0 && *end == 0) {
        *start = FG_TIME_MIN;
        *end = INT64_MAX;
    }
    return *start < *end;
}

enum fg_result fg_query_view(struct fg_query *query, const struct fg_view_request *request,
                             struct fg_view_reply *out_reply)
{
    struct fg_view_request r = *request;
    if (r.start_ns >= r.end_ns || r.width_px == 0 || r.width_px > FG_VIEW_WIDTH_MAX ||
        r.target_count > FG_VIEW_TARGETS_MAX || (r.wide_px > 0 && r.wide_px < SMALLEST_WIDE_PX) ||
        r.detail > FG_DETAIL_DENSITY || r.handoff > FG_HANDOFF_SMOOTH) {
        return FG_ERR_ARGUMENT;
    }
    for (uint32_t i = 0; i < r.target_count; i++) {
        enum fg_result result = fgi_target_check(trace_of(query), &r.targets[i]);
        if (result != FG_OK) {
            return result;
        }
    }
    r.max_spans = r.max_spans ? r.max_spans : DEFAULT_SPANS;
    r.max_bins = r.max_bins ? r.max_bins : DEFAULT_BINS;
    r.wide_px = r.wide_px ? r.wide_px : DEFAULT_WIDE_PX;
    query->visits.control_bytes += sizeof r + r.target_count * sizeof *r.targets;
    return query->engine->ops->view(query->engine, &query->question, &r, out_reply);
}

enum fg_result fg_query_frames(struct fg_query *query, uint32_t first, uint32_t end,
                               const struct fg_frame_row **out_rows, uint32_t *out_count)
{
    uint32_t count = (uint32_t)trace_of(query)->frames.count;
    end = end < count ? end : count;
    if (first >= end) {
        *out_rows = NULL;
        *out_count = 0;
        return FG_OK;
    }
    return query->engine->ops->frames(query->engine, &query->question, first, end, out_rows,
                                      out_count);
}

_Static_assert((int)FG_VERDICT_UNKNOWN == (int)FGI_VERDICT_UNKNOWN &&
                   (int)FG_VERDICT_CPU == (int)FGI_VERDICT_CPU &&
                   (int)FG_VERDICT_GPU == (int)FGI_VERDICT_GPU &&
                   (int)FG_VERDICT_PRESENT == (int)FGI_VERDICT_PRESENT &&
                   (int)FG_VERDICT_BALANCED == (int)FGI_VERDICT_BALANCED &&
                   (int)FG_VERDICT_MIXED == (int)FGI_VERDICT_MIXED && FG_VERDICTS == FGI_VERDICTS,
               "the rule is of the base; what it says is public here");

enum fg_result fg_query_verdict(struct fg_query *query, uint32_t first, uint32_t end,
                                struct fg_verdict_window *out_window)
{
    const struct fg_frame_row *rows = NULL;
    struct fg_verdict_window window = { 0 };
    enum fg_result result = fg_query_frames(query, first, end, &rows, &window.frame_count);
    if (result != FG_OK) {
        return result;
    }
    for (uint32_t i = 0; i < window.frame_count; i++) {
        window.counts[rows[i].verdict]++;
        window.inferred_count += (rows[i].flags & FG_FRAME_INFERRED) != 0;
    }
    const enum fgi_verdict verdict = fgi_verdict_of_window(window.counts);
    window.verdict = (enum fg_verdict)verdict;
    window.verdict_name = fgi_verdict_name(verdict);
    *out_window = window;
    return FG_OK;
}

enum fg_result fg_query_series(struct fg_query *query, uint32_t row, uint32_t first_frame,
                               uint32_t end_frame, const struct fg_series_item **out_items,
                               uint32_t *out_count)
{
    uint32_t count = (uint32_t)trace_of(query)->frames.count;
    if (row >= fgi_trace_rows(trace_of(query))) {
        return FG_ERR_NOT_FOUND;
    }
    end_frame = end_frame < count ? end_frame : count;
    if (first_frame >= end_frame) {
        *out_items = NULL;
        *out_count = 0;
        return FG_OK;
    }
    return query->engine->ops->series(query->engine, &query->question, row, first_frame, end_frame,
                                      out_items, out_count);
}

enum fg_result fg_query_counters(struct fg_query *query, const struct fg_counters_request *request,
                                 struct fg_counters_reply *out_reply)
{
    struct fg_counters_request r = *request;
    if (r.start_ns >= r.end_ns || r.width_px == 0 || r.width_px > FG_VIEW_WIDTH_MAX ||
        r.counter_count > FG_VIEW_TARGETS_MAX) {
        return FG_ERR_ARGUMENT;
    }
    for (uint32_t i = 0; i < r.counter_count; i++) {
        if (r.counters[i] >= trace_of(query)->counters.count) {
            return FG_ERR_NOT_FOUND;
        }
    }
    r.max_items = r.max_items ? r.max_items : DEFAULT_BINS;
    return query->engine->ops->counters(query->engine, &query->question, &r, out_reply);
}

enum fg_result fg_query_marks(struct fg_query *query, const struct fg_marks_request *request,
                              struct fg_marks_reply *out_reply)
{
    struct fg_marks_request r = *request;
    bool has_window = r.start_ns != 0 || r.end_ns != 0;
    if (!fill_range(&r.start_ns, &r.end_ns) || r.width_px > FG_VIEW_WIDTH_MAX ||
        (r.width_px > 0 && !has_window)) {
        return FG_ERR_ARGUMENT;
    }
    r.limit = r.limit ? r.limit : DEFAULT_PAGE;
    return query->engine->ops->marks(query->engine, &query->question, &r, out_reply);
}

enum fg_result fg_query_pick(struct fg_query *query, const struct fg_pick_request *request,
                             uint32_t *out_row)
{
    enum fg_result result = fgi_target_check(trace_of(query), &request->target);
    if (result != FG_OK) {
        return result;
    }
    return query->engine->ops->pick(query->engine, &query->question, request, out_row);
}

enum fg_result fg_query_events(struct fg_query *query, uint32_t frame,
                               struct fg_events_reply *out_reply)
{
    if (frame >= trace_of(query)->frames.count) {
        return FG_ERR_NOT_FOUND;
    }
    return fgi_events_make(trace_of(query), &query->question, frame, out_reply);
}

enum fg_result fg_query_span(struct fg_query *query, uint32_t row,
                             struct fg_span_detail *out_detail)
{
    if (row >= fgi_trace_rows(trace_of(query))) {
        return FG_ERR_NOT_FOUND;
    }
    return query->engine->ops->span(query->engine, &query->question, row, out_detail);
}

/* b - a, at the ends of int64 where it does not fit. */
static int64_t saturated_difference(int64_t b, int64_t a)
{
    if (b >= a) {
        uint64_t d = (uint64_t)b - (uint64_t)a;
        return d > INT64_MAX ? INT64_MAX : (int64_t)d;
    }
    uint64_t d = (uint64_t)a - (uint64_t)b;
    return d > INT64_MAX ? INT64_MIN : -(int64_t)d;
}

enum fg_result fgi_gap_between(const struct fg_trace *trace, const struct fg_trace_span *first,
                               const struct fg_trace_span *second, struct fg_gap *out_gap)
{
    uint32_t clock_a = trace->tracks.items[first->track].clock;
    uint32_t clock_b = trace->tracks.items[second->track].clock;
    const struct fg_trace_clock *a = &trace->clocks.items[clock_a];
    const struct fg_trace_clock *b = &trace->clocks.items[clock_b];
    uint64_t bound = 0;
    if (clock_a != clock_b) {
        if (a->kind == FG_CLOCK_NOMINAL || b->kind == FG_CLOCK_NOMINAL) {
            return FG_ERR_CLOCK;
        }
        bound = fgi_add_saturated(a->bound_ns, b->bound_ns);
    }
    int64_t gap = saturated_difference(second->start_ns, first->end_ns);
    uint64_t size = gap < 0 ? 0 - (uint64_t)gap : (uint64_t)gap;
    *out_gap = (struct fg_gap){
        .gap_ns = gap,
        .bound_ns = bound,
        .is_ordered = size > bound || (bound == 0 && size == 0),
    };
    return FG_OK;
}

enum fg_result fg_query_gap(struct fg_query *query, uint32_t first_row, uint32_t second_row,
                            struct fg_gap *out_gap)
{
    const struct fg_trace *trace = trace_of(query);
    struct fg_trace_span spans[2];
    uint32_t rows[2] = { first_row, second_row };
    for (int i = 0; i < 2; i++) {
        uint32_t count = 0;
        enum fg_result result = fg_trace_spans(trace, rows[i], &spans[i], 1, &count);
        if (result != FG_OK || count == 0) {
            return result != FG_OK ? result : FG_ERR_NOT_FOUND;
        }
    }
    return fgi_gap_between(trace, &spans[0], &spans[1], out_gap);
}
