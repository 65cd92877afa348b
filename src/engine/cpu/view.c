/* SPDX-License-Identifier: MIT */
/*
 * What a window shows: for each target the bins of one level, or the spans themselves. Targets are
 * answered on two threads, so many at a time; each has a part of the answer's memory of its own.
 */
#include "base/parallel.h"
#include "base/thread.h"
#include "engine/cpu/viewing.h"
#include <stdatomic.h>
#include <string.h>

enum { WORKERS = 2, TARGETS_AT_ONCE = 64 };
/* Fewer bins are put together sooner than a thread is made. */
#define BINS_TO_SHARE UINT64_C(16384)

/* A target while it is answered, and what came of it. */
struct piece {
    const struct fgi_index *index;
    unsigned worker;
    uint32_t bins_count, span_count;
    size_t first_span; /* in the worker's list */
    bool is_full;
};
struct viewing {
    struct fgi_engine_cpu *cpu;
    const struct fgi_question *question;
    const struct fg_view_request *request;
    struct fgi_population *population;
    struct fgi_shared_allocator shared; /* when there are several workers */
    unsigned worker_count;
    struct fgi_viewing workers[WORKERS];
    struct fg_view_answer *answers;
    uint32_t stride; /* bins of a target: at most one for each of the window, or all there may be */
    /* All bins, each target's with a stride before the next's while they are made. */
    struct fg_view_bins *bins;
    size_t bins_capacity, bins_end;
    struct fg_trace_span *spans;
    size_t spans_capacity;
    uint64_t bins_count, span_count;     /* of what is answered so far */
    uint32_t first_target, target_count; /* at hand */
    struct piece pieces[TARGETS_AT_ONCE];
    _Atomic uint32_t taken; /* of these */
    _Atomic uint32_t full;  /* the first of which is known that a budget does not suffice */
};

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

/* ---- one target ------------------------------------------------------------------------------ */

bool fgi_viewing_grow(struct fgi_viewing *v, void **items, size_t *capacity, size_t item_size,
                      size_t needed)
{
    if (needed <= *capacity) {
        return true;
    }
    if (v->mutex) {
        fgi_mutex_lock(v->mutex);
    }
    bool grown = fgi_answer_grow(v->arena, items, capacity, item_size, needed);
    if (v->mutex) {
        fgi_mutex_unlock(v->mutex);
    }
    v->result = grown ? v->result : FG_ERR_NO_MEMORY;
    return grown;
}

static void answer_target(struct fgi_viewing *v, const struct fg_view_target *target,
                          struct fg_view_answer *answer)
{
    bool is_lane = target->kind == FG_VIEW_LANE;
    v->lanes = fgi_target_lanes(v->cpu, target->kind, target->index);
    v->bins_count = 0;
    if (is_lane) {
        v->starts = count_starts(v);
        v->result = v->cursor.result;
    } else if (v->request->detail != FG_DETAIL_EXACT) {
        fgi_viewing_put_bins(v); /* which count the starts */
    }
    if (v->result != FG_OK || v->is_full) {
        return;
    }
    choose(v->request, v->starts, target->previous_mode, answer);
    if (answer->blend == 0) {
        v->bins_count = 0;
    } else if (is_lane) {
        fgi_viewing_put_bins(v);
    }
    if (v->result == FG_OK && !v->is_full && answer->blend < UINT8_MAX) {
        fgi_viewing_put_spans(v);
    } else if (v->result == FG_OK && !v->is_full && v->has_wide) {
        fgi_viewing_put_wide(v);
    }
}

/* ---- targets at hand ------------------------------------------------------------------------- */

static void lower(_Atomic uint32_t *least, uint32_t value)
{
    /* relaxed: only saves work; what is answered follows from the counts */
    uint32_t seen = atomic_load_explicit(least, memory_order_relaxed);
    while (value < seen && !atomic_compare_exchange_weak_explicit(
                               least, &seen, value, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void run_worker(void *context, unsigned number)
{
    struct viewing *job = context;
    struct fgi_viewing *v = &job->workers[number];
    while (v->result == FG_OK && !v->is_full) {
        /* relaxed: starting and joining the threads orders everything else */
        uint32_t i = atomic_fetch_add_explicit(&job->taken, 1, memory_order_relaxed);
        if (i >= job->target_count || i > atomic_load_explicit(&job->full, memory_order_relaxed)) {
            break;
        }
        if (fgi_question_cancelled(job->question)) {
            v->result = FG_ERR_CANCELLED;
            break;
        }
        struct piece *piece = &job->pieces[i];
        uint32_t target = job->first_target + i;
        v->index = piece->index;
        v->bins = job->bins + job->bins_end + (size_t)i * job->stride;
        v->bins_capacity = job->stride;
        piece->worker = number;
        piece->first_span = v->span_count;
        answer_target(v, &job->request->targets[target], &job->answers[target]);
        piece->bins_count = v->bins_count;
        piece->span_count = (uint32_t)(v->span_count - piece->first_span);
        piece->is_full = v->is_full;
        if (v->is_full) {
            lower(&job->full, i);
        }
    }
}

/* Bins of a window that the spans of the targets at hand may be in, about. */
static uint64_t guess_bins(const struct viewing *job)
{
    const struct fgi_viewing *v = &job->workers[0];
    uint64_t window = (uint64_t)v->last_bin - (uint64_t)v->first_bin + 1;
    uint64_t bins = 0;
    for (uint32_t i = 0; i < job->target_count; i++) {
        const struct fgi_index *index = job->pieces[i].index;
        if (index->span_count > 0) {
            uint64_t extent = (fgi_duration(index->first_ns, index->last_ns) >> v->level) + 1;
            uint64_t spans = index->span_count * (window < extent ? window : extent) / extent;
            bins += spans < window ? spans : window;
        }
    }
    return bins;
}

static enum fg_result have_indexes(struct viewing *job)
{
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < job->target_count && result == FG_OK; i++) {
        const struct fg_view_target *target = &job->request->targets[job->first_target + i];
        result = fgi_question_cancelled(job->question)
                     ? FG_ERR_CANCELLED
                     : fgi_index_get(job->cpu, job->population, target->kind, target->index,
                                     &job->pieces[i].index);
    }
    return result;
}

static enum fg_result have_room(struct viewing *job)
{
    size_t wanted = job->bins_end + (size_t)job->target_count * job->stride;
    if (wanted <= job->bins_capacity) {
        return FG_OK;
    }
    wanted += job->bins_end; /* so that what is there is copied a few times at most */
    struct fg_view_bins *bins = fgi_arena_take(job->question->arena, wanted, sizeof *bins);
    if (!bins) {
        return FG_ERR_NO_MEMORY;
    }
    if (job->bins_end > 0) {
        memcpy(bins, job->bins, job->bins_end * sizeof *bins);
    }
    job->bins = bins;
    job->bins_capacity = wanted;
    return FG_OK;
}

/* Budgets are of all answers in their order, whoever made them. Returns how many targets fit. */
static uint32_t close_up(struct viewing *job)
{
    const struct fg_view_request *request = job->request;
    bool more_come = job->first_target + job->target_count < request->target_count;
    size_t end = job->bins_end;
    for (uint32_t i = 0; i < job->target_count; i++) {
        const struct piece *piece = &job->pieces[i];
        struct fg_view_answer *answer = &job->answers[job->first_target + i];
        if (piece->is_full || job->bins_count + piece->bins_count > request->max_bins ||
            job->span_count + piece->span_count > request->max_spans) {
            return i;
        }
        size_t from = job->bins_end + (size_t)i * job->stride;
        if (more_come && piece->bins_count > 0) {
            memmove(job->bins + end, job->bins + from, piece->bins_count * sizeof *job->bins);
            from = end;
        }
        end = from + piece->bins_count;
        answer->first_bins = (uint32_t)from;
        answer->bins_count = piece->bins_count;
        answer->first_span = (uint32_t)piece->first_span; /* of its worker's, for now */
        answer->span_count = piece->span_count;
        job->bins_count += piece->bins_count;
        job->span_count += piece->span_count;
    }
    job->bins_end = end;
    return job->target_count;
}

/* Spans of the targets that fit go behind those that are there, unless one worker has them all. */
static enum fg_result gather_spans(struct viewing *job, uint32_t fitting, size_t before)
{
    struct fgi_viewing *first = &job->workers[0];
    if (job->worker_count == 1) {
        job->spans = first->spans;
        return FG_OK;
    }
    if (job->span_count > job->spans_capacity &&
        !FGI_VIEWING_GROW(first, job->spans, job->spans_capacity, (size_t)job->span_count)) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < fitting; i++) {
        const struct piece *piece = &job->pieces[i];
        if (piece->span_count > 0) {
            memcpy(job->spans + before, job->workers[piece->worker].spans + piece->first_span,
                   piece->span_count * sizeof *job->spans);
        }
        job->answers[job->first_target + i].first_span = (uint32_t)before;
        before += piece->span_count;
    }
    for (unsigned w = 0; w < job->worker_count; w++) {
        job->workers[w].span_count = 0;
    }
    return FG_OK;
}

/* ---- the view -------------------------------------------------------------------------------- */

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

static void open_worker(struct viewing *job, unsigned number)
{
    const struct fg_view_request *request = job->request;
    struct fgi_viewing *v = &job->workers[number];
    *v = (struct fgi_viewing){ .cpu = job->cpu,
                               .request = request,
                               .population = job->population,
                               .arena = job->question->arena,
                               .allocator = job->cpu->allocator,
                               .cursor = fgi_trace_cursor(job->cpu->engine.trace),
                               .level = fgi_view_level(request->start_ns, request->end_ns,
                                                       request->width_px) };
    v->first_bin = request->start_ns >> v->level;
    v->last_bin = (request->end_ns - 1) >> v->level;
    v->has_wide = wide_duration(request, &v->wide_ns);
    v->reader = (struct fgi_index_reader){ v->allocator, job->cpu->engine.trace,
                                           &job->population->set, &v->cursor, &v->visits };
}

/* Another thread helps where there is enough to do. Blocks that are made again are for one. */
static enum fg_result choose_workers(struct viewing *job)
{
    job->worker_count = 1;
    if (job->target_count < 2 || job->cpu->engine.trace->store->loader.load ||
        guess_bins(job) < BINS_TO_SHARE) {
        return FG_OK;
    }
    enum fg_result result = fgi_shared_allocator_init(&job->shared, job->cpu->allocator);
    if (result != FG_OK) {
        return result;
    }
    job->worker_count = WORKERS;
    for (unsigned w = 0; w < WORKERS; w++) {
        struct fgi_viewing *v = &job->workers[w];
        if (w > 0) {
            open_worker(job, w);
        }
        v->allocator = v->reader.allocator = &job->shared.allocator;
        v->mutex = job->shared.mutex;
    }
    return FG_OK;
}

/* Returns how many of the targets at hand are answered; fewer than all: a budget was reached. */
static enum fg_result answer_some(struct viewing *job, uint32_t *out_fitting)
{
    size_t spans_before = (size_t)job->span_count;
    *out_fitting = 0;
    enum fg_result result = have_indexes(job);
    if (result == FG_OK) {
        result = have_room(job);
    }
    if (result == FG_OK && job->first_target == 0) {
        result = choose_workers(job);
    }
    if (result != FG_OK) {
        return result;
    }
    for (uint32_t i = 0; i < job->target_count; i++) {
        job->pieces[i] = (struct piece){ .index = job->pieces[i].index, .is_full = true };
    }
    atomic_store_explicit(&job->taken, 0, memory_order_relaxed);
    atomic_store_explicit(&job->full, UINT32_MAX, memory_order_relaxed);
    fgi_parallel(job->cpu->allocator, job->worker_count, run_worker, job);
    for (unsigned w = 0; w < job->worker_count; w++) {
        if (job->workers[w].result != FG_OK) {
            return job->workers[w].result;
        }
    }
    *out_fitting = close_up(job);
    return gather_spans(job, *out_fitting, spans_before);
}

static enum fg_result answer_targets(struct viewing *job, struct fg_view_reply *out_reply)
{
    uint32_t count = job->request->target_count;
    uint32_t answered = 0;
    uint32_t fitting = 0;
    enum fg_result result = FG_OK;
    while (answered < count && result == FG_OK && fitting == job->target_count) {
        job->first_target = answered;
        job->target_count = count - answered < TARGETS_AT_ONCE ? count - answered : TARGETS_AT_ONCE;
        result = answer_some(job, &fitting);
        answered += fitting;
    }
    if (result == FG_OK && answered == 0 && count > 0) {
        result = FG_ERR_LIMIT;
    }
    for (uint32_t i = answered; i < count; i++) {
        job->answers[i] = (struct fg_view_answer){ .mode = FG_VIEW_NONE,
                                                   .bins_mode = FG_VIEW_NONE,
                                                   .first_span = (uint32_t)job->span_count,
                                                   .first_bins = (uint32_t)job->bins_end };
    }
    *out_reply = (struct fg_view_reply){ .level = job->workers[0].level,
                                         .answers = job->answers,
                                         .spans = job->spans,
                                         .span_count = (uint32_t)job->span_count,
                                         .bins = job->bins,
                                         .bins_count = (uint32_t)job->bins_count,
                                         .unanswered = count - answered };
    return result;
}

static enum fg_result open_view(struct viewing *job)
{
    const struct fg_view_request *request = job->request;
    const uint64_t *bits;
    enum fg_result result = fgi_filter_find(job->cpu, request->filter, &job->population, &bits);
    if (result == FG_OK && request->target_count > 0) {
        job->answers =
            fgi_arena_alloc(job->question->arena, request->target_count, sizeof *job->answers);
        result = job->answers ? FG_OK : FG_ERR_NO_MEMORY;
    }
    if (result == FG_OK) {
        open_worker(job, 0);
        job->worker_count = 1;
        uint64_t window =
            (uint64_t)job->workers[0].last_bin - (uint64_t)job->workers[0].first_bin + 1;
        job->stride = window < request->max_bins ? (uint32_t)window : request->max_bins;
    }
    return result;
}

enum fg_result fgi_cpu_view(struct fg_engine *engine, const struct fgi_question *question,
                            const struct fg_view_request *request, struct fg_view_reply *out_reply)
{
    struct viewing job = { .cpu = fgi_cpu(engine), .question = question, .request = request };
    enum fg_result result = open_view(&job);
    if (result != FG_OK) {
        return result;
    }
    result = answer_targets(&job, out_reply);
    for (unsigned w = 0; w < job.worker_count; w++) {
        const struct fg_visits *own = &job.workers[w].visits;
        question->visits->bins += own->bins;
        question->visits->spans += own->spans;
        question->visits->steps += own->steps;
        fgi_cursor_finish(&job.workers[w].cursor);
    }
    fgi_shared_allocator_finish(&job.shared);
    return result;
}
