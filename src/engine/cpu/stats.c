/* SPDX-License-Identifier: MIT */
/*
 * Statistics by group: exact integers, nearest-rank percentiles, unions of intervals. In steps: the
 * sums first, then, group by group, what needs all spans of a group side by side.
 */
#include "base/alloc.h"
#include "base/wide.h"
#include "base/parallel.h"
#include "engine/cpu/groups.h"
#include "trace/task.h"
#include <stdatomic.h>
#include <string.h>

/* Intervals that are sorted by way of spare memory, at most. */
#define SPARE_MAX ((size_t)1 << 21)
/* Groups that a thread takes at a time, when there are many. */
#define GROUPS_AT_ONCE 64u
#define MANY_GROUPS    4096u

enum phase { PHASE_COVER, PHASE_ADD, PHASE_COLLECT, PHASE_MEASURE, PHASE_DONE };

struct measuring {
    struct fgi_stats_work base;
    struct fgi_engine_cpu *cpu;
    uint32_t by;
    bool has_all; /* figures */
    struct fgi_chosen chosen;
    struct fgi_grouping grouping;
    struct fgi_reading reading;
    enum phase phase;
    struct fg_stats_row *rows; /* in the order of the answer */
    uint32_t *groups;          /* of each row */
    uint32_t count;
    struct fgi_interval *spare[FGI_READERS]; /* to sort with; the same for all groups */
    size_t spare_count;
    uint32_t next, end;     /* rows that are measured next */
    _Atomic uint32_t taken; /* the first of these that nobody has taken yet */
};

static struct fgi_grouping_rule rule_of(const struct fg_stats_request *request)
{
    static const struct {
        uint32_t by;
        enum fgi_group_scopes scopes;
    } kinds[] = {
        [FG_STATS_BY_NAME] = { FG_AGGREGATE_NAME, FGI_SCOPES_NEVER },
        [FG_STATS_BY_PASS] = { FG_AGGREGATE_PASS, FGI_SCOPES_ALL },
        [FG_STATS_BY_TRACK] = { FG_AGGREGATE_TRACK, FGI_SCOPES_ALL },
        [FG_STATS_BY_SCOPE] = { FG_AGGREGATE_SCOPE, FGI_SCOPES_ALONE },
        [FG_STATS_BY_CATEGORY] = { FG_AGGREGATE_CATEGORY, FGI_SCOPES_NEVER },
        [FG_STATS_BY_ALL] = { FG_AGGREGATE_ALL, FGI_SCOPES_ALL },
        [FG_STATS_BY_PROCESS] = { FG_AGGREGATE_PROCESS, FGI_SCOPES_ALL },
        [FG_STATS_BY_LANE] = { FG_AGGREGATE_LANE, FGI_SCOPES_ALL },
        [FG_STATS_BY_DEPTH] = { FG_AGGREGATE_DEPTH, FGI_SCOPES_ALL },
        [FG_STATS_BY_STATUS] = { FG_AGGREGATE_STATUS, FGI_SCOPES_ALL },
        [FG_STATS_BY_CLASSES] = { FG_AGGREGATE_CLASSES, FGI_SCOPES_ALL },
        [FG_STATS_BY_FRAME] = { FG_AGGREGATE_FRAME, FGI_SCOPES_ALL },
    };
    return (struct fgi_grouping_rule){
        .by = kinds[request->by].by,
        .scopes = kinds[request->by].scopes,
        .measure = FG_MEASURE_DURATION,
        .class_mask = UINT32_MAX,
        .has_self = request->figures == FG_STATS_ALL,
        .has_spans = true,
    };
}

static uint32_t name_of(const struct measuring *m, uint32_t key)
{
    const struct fg_trace *trace = m->cpu->engine.trace;
    switch (m->by) {
    case FG_STATS_BY_PASS:
        return trace->passes.items[key].name;
    case FG_STATS_BY_TRACK:
        return trace->tracks.items[key].name;
    case FG_STATS_BY_LANE:
        return trace->tracks.items[trace->lanes.items[key].track].name;
    case FG_STATS_BY_PROCESS:
        return trace->processes.items[key].name;
    case FG_STATS_BY_NAME:
    case FG_STATS_BY_SCOPE:
    case FG_STATS_BY_CATEGORY:
        return key;
    default:
        return 0;
    }
}

static struct fg_stats_row row_of(const struct measuring *m, const struct fgi_group *group)
{
    bool has_spans = group->count > 0;
    return (struct fg_stats_row){
        .key = group->key,
        .name = name_of(m, group->key),
        .track = group->track,
        .clock = group->clock,
        .count = group->count,
        .total_ns = fgi_sum_saturated(&group->sum),
        .self_ns = fgi_sum_saturated(&group->self),
        .min_ns = group->min,
        .max_ns = group->max,
        .start_ns = has_spans ? group->start_ns : 0,
        .end_ns = has_spans ? group->end_ns : 0,
        .unfinished = group->unfinished,
        .zeroes = group->zeroes,
        .longest = group->largest,
    };
}

/* ---- order ----------------------------------------------------------------------------------- */

struct ordering {
    const struct fg_trace *trace;
    struct fg_stats_row *unordered; /* by group */
};

static bool row_before(void *context, uint32_t a, uint32_t b)
{
    const struct ordering *o = context;
    const struct fg_stats_row *x = &o->unordered[a];
    const struct fg_stats_row *y = &o->unordered[b];
    if (x->total_ns != y->total_ns) {
        return x->total_ns > y->total_ns;
    }
    int order = strcmp(fg_trace_text(o->trace, x->name), fg_trace_text(o->trace, y->name));
    if (order != 0) {
        return order < 0;
    }
    if (x->track != y->track) {
        return x->track < y->track;
    }
    return x->clock != y->clock ? x->clock < y->clock : x->key < y->key;
}

static enum fg_result make_rows(struct measuring *m, const struct fgi_question *question)
{
    const struct fgi_group_table *t = &m->grouping.tables[0];
    struct fg_stats_reply *reply = &m->base.reply;
    struct ordering o = { .trace = m->cpu->engine.trace };
    m->count = (uint32_t)t->count;
    m->rows = fgi_arena_alloc(question->arena, t->count + 1, sizeof *m->rows);
    m->groups = fgi_arena_alloc(question->arena, t->count + 1, sizeof *m->groups);
    o.unordered = fgi_malloc(m->cpu->allocator, (t->count + 1) * sizeof *o.unordered);
    enum fg_result result = m->rows && m->groups && o.unordered ? FG_OK : FG_ERR_NO_MEMORY;
    for (uint32_t i = 0; result == FG_OK && i < m->count; i++) {
        m->groups[i] = i;
        o.unordered[i] = row_of(m, &t->groups[i]);
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(m->cpu->allocator, m->groups, m->count, row_before, &o);
    }
    if (result == FG_OK) {
        *reply =
            (struct fg_stats_reply){ .rows = m->count > 0 ? m->rows : NULL, .count = m->count };
    }
    for (uint32_t i = 0; result == FG_OK && i < m->count; i++) {
        m->rows[i] = o.unordered[m->groups[i]];
        reply->sum_ns = fgi_add_saturated(reply->sum_ns, m->rows[i].total_ns);
    }
    fgi_free(m->cpu->allocator, o.unordered, (t->count + 1) * sizeof *o.unordered);
    return result;
}

/* ---- spans side by side ---------------------------------------------------------------------- */

/* What needs all spans of a group side by side. Durations then take the place of the intervals. */
static void measure_row(struct measuring *m, unsigned reader, uint32_t i)
{
    const struct fgi_grouping *g = &m->grouping;
    struct fg_stats_row *row = &m->rows[i];
    uint32_t group = m->groups[i];
    struct fgi_interval *intervals = g->intervals + g->first[group];
    size_t count = (size_t)(g->first[group + 1] - g->first[group]);
    if (count == 0) {
        return;
    }
    /* Each reader's part by itself: it is often in order as it is. */
    size_t middle = (size_t)(g->next[0][group] - g->first[group]);
    struct fgi_interval *spare = m->spare[reader];
    fgi_sort_intervals(intervals, middle, spare, m->spare_count);
    fgi_sort_intervals(intervals + middle, count - middle, spare, m->spare_count);
    row->busy_ns = fgi_union_of_two(intervals, middle, intervals + middle, count - middle);
    uint64_t *durations = (uint64_t *)(void *)intervals;
    for (size_t k = 0; k < count; k++) {
        durations[k] = fgi_duration(intervals[k].start, intervals[k].end);
    }
    fgi_select_ranks(durations, count, &row->median_ns, &row->p95_ns);
}

static void measure_share(void *context, unsigned reader)
{
    struct measuring *m = context;
    uint32_t step = m->end - m->next > MANY_GROUPS ? GROUPS_AT_ONCE : 1;
    for (;;) {
        /* only shares the work out: what is written is seen after the threads have been joined */
        uint32_t first = atomic_fetch_add_explicit(&m->taken, step, memory_order_relaxed);
        if (first >= m->end) {
            return;
        }
        for (uint32_t i = first; i < first + step && i < m->end; i++) {
            measure_row(m, reader, i);
        }
    }
}

static void measure_some(struct measuring *m, uint64_t max_rows, uint64_t *done)
{
    const struct fgi_group *groups = m->grouping.tables[0].groups;
    uint64_t rows = 0;
    m->end = m->next;
    while (m->end < m->count &&
           (m->end == m->next || rows + groups[m->groups[m->end]].measured <= max_rows)) {
        rows += groups[m->groups[m->end++]].measured;
    }
    bool is_much = m->end - m->next > 1 && rows > 4 * FGI_BLOCK_SPANS;
    atomic_store_explicit(&m->taken, m->next, memory_order_relaxed);
    fgi_parallel(m->cpu->allocator, is_much ? FGI_READERS : 1, measure_share, m);
    m->next = m->end;
    *done += rows;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static enum fg_result make_room(struct measuring *m)
{
    const struct fgi_grouping *g = &m->grouping;
    enum fg_result result = fgi_grouping_make_room(&m->grouping, true);
    for (uint32_t i = 0; i < m->count; i++) {
        size_t count = (size_t)(g->first[i + 1] - g->first[i]);
        m->spare_count = count > m->spare_count ? count : m->spare_count;
    }
    m->spare_count = m->spare_count < SPARE_MAX ? m->spare_count : SPARE_MAX;
    for (unsigned r = 0; r < FGI_READERS && result == FG_OK; r++) {
        m->spare[r] = fgi_malloc(m->cpu->allocator, (m->spare_count + 1) * sizeof *m->spare[r]);
        result = m->spare[r] ? FG_OK : FG_ERR_NO_MEMORY;
    }
    return result;
}

/* A reading has come to its end. */
static enum fg_result end_reading(struct measuring *m, const struct fgi_question *question)
{
    enum fg_result result = FG_OK;
    m->reading = (struct fgi_reading){ .chosen = &m->chosen };
    if (m->phase == PHASE_COLLECT) {
        m->phase = PHASE_MEASURE;
        return FG_OK;
    }
    result = fgi_grouping_join(&m->grouping);
    if (result == FG_OK) {
        result = make_rows(m, question);
    }
    if (result == FG_OK && m->has_all) {
        result = make_room(m);
    }
    m->base.work.stage = result == FG_OK;
    m->phase = m->has_all ? PHASE_COLLECT : PHASE_DONE;
    return result;
}

static enum fg_result go_on(struct measuring *m, const struct fgi_question *question,
                            uint64_t max_rows)
{
    struct fgi_work *work = &m->base.work;
    enum fg_result result = FG_OK;
    switch (m->phase) {
    case PHASE_COVER: /* in one piece, and once for all questions */
        work->done_rows += m->cpu->cover.is_ready ? 0 : fgi_trace_rows(m->cpu->engine.trace);
        m->phase = PHASE_ADD;
        return fgi_cover_make(m->cpu);
    case PHASE_MEASURE:
        measure_some(m, max_rows, &work->done_rows);
        m->phase = m->next == m->count ? PHASE_DONE : PHASE_MEASURE;
        return FG_OK;
    default:
        result = fgi_read_on(&m->reading, question, max_rows,
                             m->phase == PHASE_ADD ? fgi_grouping_add : fgi_grouping_collect,
                             &m->grouping, &work->done_rows);
        return result == FG_OK && m->reading.is_done ? end_reading(m, question) : result;
    }
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct measuring *m = (struct measuring *)work;
    uint64_t end = work->done_rows + max_rows < max_rows ? UINT64_MAX : work->done_rows + max_rows;
    enum fg_result result = FG_OK;
    bool is_first = true;
    while (result == FG_OK && m->phase != PHASE_DONE && (is_first || work->done_rows < end)) {
        is_first = false;
        result = go_on(m, question, end - work->done_rows);
    }
    if (result == FG_OK && m->phase == PHASE_DONE) {
        work->stage = work->stage_count;
        work->total_rows = work->done_rows;
        work->is_done = true;
    }
    return result;
}

static void measuring_destroy(struct fgi_work *work)
{
    struct measuring *m = (struct measuring *)work;
    for (unsigned r = 0; r < FGI_READERS; r++) {
        fgi_free(m->cpu->allocator, m->spare[r], (m->spare_count + 1) * sizeof *m->spare[r]);
    }
    fgi_grouping_finish(&m->grouping);
    fgi_chosen_finish(&m->chosen);
    fgi_free(m->cpu->allocator, m, sizeof *m);
}

static const struct fgi_task_ops ops = { step, measuring_destroy };

static enum fg_result begin(struct measuring *m, const struct fgi_question *question,
                            const struct fg_stats_request *request)
{
    struct fgi_grouping_rule rule = rule_of(request);
    enum fg_result result = fgi_choose(m->cpu, question,
                                       &(struct fg_selection){
                                           .filter = request->filter,
                                           .start_ns = request->start_ns,
                                           .end_ns = request->end_ns,
                                           .has_frames = request->has_frames,
                                           .first_frame = request->first_frame,
                                           .end_frame = request->end_frame,
                                           .tracks = request->tracks,
                                           .track_count = request->track_count,
                                       },
                                       &m->chosen);
    return result == FG_OK ? fgi_grouping_begin(&m->grouping, &rule, &m->chosen) : result;
}

enum fg_result fgi_cpu_stats_begin(struct fg_engine *engine, const struct fgi_question *question,
                                   const struct fg_stats_request *request,
                                   struct fgi_stats_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct measuring *m = fgi_calloc(cpu->allocator, 1, sizeof *m);
    if (!m) {
        return FG_ERR_NO_MEMORY;
    }
    m->cpu = cpu;
    m->by = request->by;
    m->has_all = request->figures == FG_STATS_ALL;
    m->phase = m->has_all ? PHASE_COVER : PHASE_ADD;
    enum fg_result result = begin(m, question, request);
    if (result != FG_OK) {
        measuring_destroy(&m->base.work);
        return result;
    }
    uint64_t cover_rows = cpu->cover.is_ready ? 0 : fgi_trace_rows(engine->trace);
    m->reading.chosen = &m->chosen;
    m->base.work = (struct fgi_work){
        .ops = &ops,
        .kind = FGI_WORK_STATS,
        .total_rows = m->has_all ? cover_rows + m->chosen.candidates * 3 : m->chosen.candidates,
        .stage_count = m->has_all ? 2 : 1,
    };
    *out_work = &m->base;
    return FG_OK;
}
