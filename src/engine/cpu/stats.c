/* SPDX-License-Identifier: MIT */
/* Statistics by group: exact integers, nearest-rank percentiles, unions of intervals. */
#include "base/alloc.h"
#include "base/wide.h"
#include "base/parallel.h"
#include "engine/cpu/groups.h"
#include <stdatomic.h>
#include <string.h>

/* Groups that a thread takes at a time, when there are many. */
#define GROUPS_AT_ONCE 64u
#define MANY_GROUPS    4096u

struct measuring {
    struct fgi_engine_cpu *cpu;
    const struct fgi_question *question;
    const struct fg_stats_request *request;
    struct fgi_chosen chosen;
    struct fgi_grouping grouping;
    struct fg_stats_row *rows; /* by group */
    size_t count;
    _Atomic uint32_t next; /* group that nobody has taken yet */
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

static enum fg_result read_all(struct measuring *m, fgi_consume consume)
{
    struct fgi_reading reading = { .chosen = &m->chosen };
    uint64_t done = 0;
    enum fg_result result = FG_OK;
    while (result == FG_OK && !reading.is_done) {
        result = fgi_read_on(&reading, m->question, UINT64_MAX, consume, &m->grouping, &done);
    }
    return result;
}

static uint32_t name_of(const struct measuring *m, uint32_t key)
{
    const struct fg_trace *trace = m->cpu->engine.trace;
    switch (m->request->by) {
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

static enum fg_result make_rows(struct measuring *m)
{
    const struct fgi_group_table *t = &m->grouping.tables[0];
    m->count = t->count;
    m->rows = fgi_arena_alloc(m->question->arena, m->count + 1, sizeof *m->rows);
    for (size_t i = 0; m->rows && i < m->count; i++) {
        const struct fgi_group *group = &t->groups[i];
        bool has_spans = group->count > 0;
        m->rows[i] = (struct fg_stats_row){
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
    return m->rows ? FG_OK : FG_ERR_NO_MEMORY;
}

/* What needs all spans of a group side by side. Durations then take the place of the intervals. */
static void measure_group(struct measuring *m, uint32_t group)
{
    const struct fgi_grouping *g = &m->grouping;
    struct fgi_interval *intervals = g->intervals + g->first[group];
    size_t count = (size_t)(g->first[group + 1] - g->first[group]);
    if (count == 0) {
        return;
    }
    /* Each reader's part by itself: it is often in order as it is. */
    size_t middle = (size_t)(g->next[0][group] - g->first[group]);
    fgi_sort_intervals(intervals, middle);
    fgi_sort_intervals(intervals + middle, count - middle);
    m->rows[group].busy_ns =
        fgi_union_of_two(intervals, middle, intervals + middle, count - middle);
    uint64_t *durations = (uint64_t *)(void *)intervals;
    for (size_t i = 0; i < count; i++) {
        durations[i] = fgi_duration(intervals[i].start, intervals[i].end);
    }
    fgi_select_ranks(durations, count, &m->rows[group].median_ns, &m->rows[group].p95_ns);
}

static void measure_share(void *context, unsigned reader)
{
    struct measuring *m = context;
    uint32_t step = m->count > MANY_GROUPS ? GROUPS_AT_ONCE : 1;
    (void)reader;
    for (;;) {
        /* only shares the work out: what is written is seen after the threads have been joined */
        uint32_t first = atomic_fetch_add_explicit(&m->next, step, memory_order_relaxed);
        if (first >= m->count) {
            return;
        }
        for (uint32_t i = first; i < first + step && i < m->count; i++) {
            measure_group(m, i);
        }
    }
}

static enum fg_result measure(struct measuring *m)
{
    enum fg_result result = fgi_grouping_make_room(&m->grouping, true);
    if (result == FG_OK) {
        result = read_all(m, fgi_grouping_collect);
    }
    if (result == FG_OK && fgi_question_cancelled(m->question)) {
        result = FG_ERR_CANCELLED;
    }
    if (result == FG_OK) {
        bool is_much = m->count > 1 && m->grouping.value_count > 4 * FGI_BLOCK_SPANS;
        fgi_parallel(m->cpu->allocator, is_much ? FGI_READERS : 1, measure_share, m);
    }
    return result;
}

static bool row_before(void *context, uint32_t a, uint32_t b)
{
    const struct measuring *m = context;
    const struct fg_stats_row *x = &m->rows[a];
    const struct fg_stats_row *y = &m->rows[b];
    if (x->total_ns != y->total_ns) {
        return x->total_ns > y->total_ns;
    }
    const struct fg_trace *trace = m->cpu->engine.trace;
    int order = strcmp(fg_trace_text(trace, x->name), fg_trace_text(trace, y->name));
    if (order != 0) {
        return order < 0;
    }
    if (x->track != y->track) {
        return x->track < y->track;
    }
    return x->clock != y->clock ? x->clock < y->clock : x->key < y->key;
}

static enum fg_result put_in_order(struct measuring *m, struct fg_stats_reply *out_reply)
{
    uint32_t *order = fgi_arena_alloc(m->question->arena, m->count + 1, sizeof *order);
    struct fg_stats_row *rows = fgi_arena_alloc(m->question->arena, m->count + 1, sizeof *rows);
    if (!order || !rows) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < m->count; i++) {
        order[i] = (uint32_t)i;
    }
    enum fg_result result = fgi_sort_u32(m->cpu->allocator, order, m->count, row_before, m);
    *out_reply =
        (struct fg_stats_reply){ .rows = m->count > 0 ? rows : NULL, .count = (uint32_t)m->count };
    for (size_t i = 0; i < m->count; i++) {
        rows[i] = m->rows[order[i]];
        out_reply->sum_ns = fgi_add_saturated(out_reply->sum_ns, rows[i].total_ns);
    }
    return result;
}

static enum fg_result answer(struct measuring *m, struct fg_stats_reply *out_reply)
{
    struct fgi_grouping_rule rule = rule_of(m->request);
    enum fg_result result = fgi_grouping_begin(&m->grouping, &rule, &m->chosen);
    if (result == FG_OK) {
        result = read_all(m, fgi_grouping_add);
    }
    if (result == FG_OK) {
        result = fgi_grouping_join(&m->grouping);
    }
    if (result == FG_OK) {
        result = make_rows(m);
    }
    if (result == FG_OK && m->request->figures == FG_STATS_ALL) {
        result = measure(m);
    }
    return result == FG_OK ? put_in_order(m, out_reply) : result;
}

enum fg_result fgi_cpu_stats(struct fg_engine *engine, const struct fgi_question *question,
                             const struct fg_stats_request *request,
                             struct fg_stats_reply *out_reply)
{
    struct measuring m = { .cpu = fgi_cpu(engine), .question = question, .request = request };
    enum fg_result result = fgi_choose(m.cpu, question,
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
                                       &m.chosen);
    if (result == FG_OK) {
        result = answer(&m, out_reply);
    }
    fgi_grouping_finish(&m.grouping);
    fgi_chosen_finish(&m.chosen);
    return result;
}
