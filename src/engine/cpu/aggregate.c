/* SPDX-License-Identifier: MIT */
/* Aggregates: one reading for the sums, a second one and a selection for the percentiles. */
#include "base/alloc.h"
#include "base/parallel.h"
#include "engine/cpu/groups.h"
#include "base/wide.h"
#include "trace/task.h"

/* Those that need all values of a group side by side. */
#define VALUE_FIGURES ((uint32_t)(FG_FIGURES_PERCENTILES | FG_FIGURES_DEVIATION))

enum phase { PHASE_ADD, PHASE_COLLECT, PHASE_SELECT, PHASE_DONE };

struct aggregating {
    struct fgi_aggregate_work base;
    struct fgi_engine_cpu *cpu;
    struct fg_aggregate_request request; /* its lists were the caller's */
    struct fgi_chosen chosen;
    struct fgi_grouping grouping;
    struct fgi_reading reading;
    enum phase phase;
    struct fg_aggregate_row *rows; /* of the answer, in order */
    uint32_t *groups;              /* by row: its group; FG_NONE: empty */
    uint32_t count, next;          /* next: row whose percentiles are to be found */
    uint32_t selected_end;         /* rows up to it are selected in this step */
};

static uint32_t name_of(const struct fg_trace *trace, uint32_t by, uint32_t key)
{
    switch (by) {
    case FG_AGGREGATE_NAME:
    case FG_AGGREGATE_CATEGORY:
    case FG_AGGREGATE_SCOPE:
        return key;
    case FG_AGGREGATE_LANE:
        return trace->tracks.items[trace->lanes.items[key].track].name;
    case FG_AGGREGATE_TRACK:
        return trace->tracks.items[key].name;
    case FG_AGGREGATE_PROCESS:
        return trace->processes.items[key].name;
    case FG_AGGREGATE_PASS:
        return trace->passes.items[key].name;
    default:
        return 0;
    }
}

static void fill_row(const struct aggregating *a, const struct fgi_group *group,
                     struct fg_aggregate_row *row)
{
    *row = (struct fg_aggregate_row){
        .key = group->key,
        .name = name_of(a->cpu->engine.trace, a->request.by, group->key),
        .clock = group->clock,
        .has_values = group->measured > 0,
        .is_saturated = group->sum.high > 0,
        .count = group->count,
        .errors = group->errors,
        .unfinished = group->unfinished,
        .unmeasured = group->count - group->measured,
        .sum = fgi_sum_saturated(&group->sum),
        .mean = group->measured > 0 ? fgi_sum_divide(&group->sum, group->measured) : 0,
        .min = group->min,
        .max = group->max,
        .largest = group->largest,
    };
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool before(void *context, uint32_t x, uint32_t y)
{
    const struct aggregating *a = context;
    const struct fgi_group *groups = a->grouping.tables[0].groups;
    const struct fgi_group *p = &groups[x];
    const struct fgi_group *q = &groups[y];
    if (a->request.order == FG_ORDER_SUM) {
        if (p->sum.high != q->sum.high) {
            return p->sum.high > q->sum.high;
        }
        if (p->sum.low != q->sum.low) {
            return p->sum.low > q->sum.low;
        }
        if (p->count != q->count) {
            return p->count > q->count;
        }
    }
    return p->key != q->key ? p->key < q->key : p->clock < q->clock;
}

static enum fg_result make_rows(struct aggregating *a, const struct fgi_question *question)
{
    const struct fgi_group_table *t = &a->grouping.tables[0];
    struct fg_aggregate_reply *reply = &a->base.reply;
    uint32_t *order = fgi_arena_alloc(question->arena, t->count + 1, sizeof *order);
    if (!order) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        order[i] = i;
    }
    enum fg_result result = fgi_sort_u32(a->cpu->allocator, order, t->count, before, a);
    uint32_t limit = a->request.limit;
    a->count = limit > 0 && limit < t->count ? limit : (uint32_t)t->count;
    a->groups = order;
    a->rows = fgi_arena_alloc(question->arena, (size_t)a->count + 1, sizeof *a->rows);
    if (!a->rows) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        fill_row(a, &t->groups[order[i]], &a->rows[i]);
    }
    *reply = (struct fg_aggregate_reply){
        .rows = a->rows,
        .count = a->count,
        .group_count = (uint32_t)t->count,
        .is_clipped = a->request.measure == FG_MEASURE_CLIPPED,
        .keyless = t->keyless,
        .selected = t->selected,
    };
    return result;
}

/* ---- percentiles ----------------------------------------------------------------------------- */

/* Of the values around the mean, which is the floor of the true one. */
static uint64_t deviation_of(const uint64_t *values, size_t count, uint64_t mean)
{
    fgi_wide squares = 0;
    fgi_wide rest = 0; /* of the true mean: what the floor left out, in all values together */
    for (size_t i = 0; i < count; i++) {
        uint64_t off = values[i] > mean ? values[i] - mean : mean - values[i];
        fgi_wide square = (fgi_wide)off * off;
        if (squares + square < squares) {
            return UINT64_MAX;
        }
        squares += square;
        rest +=
            values[i] - mean; /* wraps below the mean, and comes back: the sum is less than count */
    }
    fgi_wide shift = (uint64_t)rest;
    squares -= shift * shift / count;
    fgi_wide variance = squares / count;
    uint64_t root = fgi_wide_root(variance);
    return variance - (fgi_wide)root * root > root ? root + 1 : root;
}

static void select_share(void *context, unsigned reader)
{
    struct aggregating *a = context;
    const struct fgi_grouping *g = &a->grouping;
    for (uint32_t i = a->next; i < a->selected_end; i++) {
        uint32_t group = a->groups[i];
        struct fg_aggregate_row *row = &a->rows[i];
        uint64_t *values = g->values + g->first[group];
        size_t count = (size_t)(g->first[group + 1] - g->first[group]);
        if (i % FGI_READERS != reader || count == 0) {
            continue;
        }
        if (a->request.figures & FG_FIGURES_DEVIATION) {
            row->deviation = deviation_of(values, count, row->mean);
        }
        if (a->request.figures & FG_FIGURES_PERCENTILES) {
            fgi_select_ranks(values, count, &row->median, &row->p95);
        }
    }
}

static void select_some(struct aggregating *a, uint64_t max_rows, uint64_t *done)
{
    const struct fgi_group *groups = a->grouping.tables[0].groups;
    uint64_t before_step = *done;
    a->selected_end = a->next;
    while (a->selected_end < a->count &&
           (*done == before_step ||
            *done - before_step + groups[a->groups[a->selected_end]].measured <= max_rows)) {
        *done += groups[a->groups[a->selected_end++]].measured;
    }
    if (a->selected_end - a->next > 1 && *done - before_step > 4 * FGI_BLOCK_SPANS) {
        fgi_parallel(a->cpu->allocator, FGI_READERS, select_share, a);
    } else {
        select_share(a, 0);
        select_share(a, 1);
    }
    a->next = a->selected_end;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static enum fg_result end_reading(struct aggregating *a, const struct fgi_question *question)
{
    bool has_values = (a->request.figures & VALUE_FIGURES) != 0;
    enum fg_result result = FG_OK;
    if (a->phase == PHASE_ADD) {
        if (a->request.figures & FG_FIGURES_EMPTY) {
            result = fgi_grouping_add_empty(&a->grouping);
        }
        if (result == FG_OK) {
            result = fgi_grouping_join(&a->grouping);
        }
        if (result == FG_OK) {
            result = make_rows(a, question);
        }
        if (result == FG_OK && has_values) {
            result = fgi_grouping_make_room(&a->grouping, false);
        }
        a->base.work.stage = result == FG_OK;
        a->phase = has_values ? PHASE_COLLECT : PHASE_DONE;
    } else {
        a->phase = PHASE_SELECT;
    }
    a->reading = (struct fgi_reading){ .chosen = &a->chosen };
    return result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct aggregating *a = (struct aggregating *)work;
    uint64_t end = work->done_rows + max_rows < max_rows ? UINT64_MAX : work->done_rows + max_rows;
    enum fg_result result = FG_OK;
    bool is_first = true;
    while (result == FG_OK && a->phase != PHASE_DONE && (is_first || work->done_rows < end)) {
        is_first = false;
        if (a->phase == PHASE_SELECT) {
            select_some(a, end - work->done_rows, &work->done_rows);
            a->phase = a->next == a->count ? PHASE_DONE : PHASE_SELECT;
            continue;
        }
        fgi_consume consume = a->phase == PHASE_ADD ? fgi_grouping_add : fgi_grouping_collect;
        result = fgi_read_on(&a->reading, question, end - work->done_rows, consume, &a->grouping,
                             &work->done_rows);
        if (result == FG_OK && a->reading.is_done) {
            result = end_reading(a, question);
        }
    }
    if (result == FG_OK && a->phase == PHASE_DONE) {
        work->stage = work->stage_count;
        work->total_rows = work->done_rows;
        work->is_done = true;
    }
    return result;
}

static void aggregating_destroy(struct fgi_work *work)
{
    struct aggregating *a = (struct aggregating *)work;
    fgi_grouping_finish(&a->grouping);
    fgi_chosen_finish(&a->chosen);
    fgi_free(a->cpu->allocator, a, sizeof *a);
}

static const struct fgi_task_ops ops = { step, aggregating_destroy };

enum fg_result fgi_cpu_aggregate_begin(struct fg_engine *engine,
                                       const struct fgi_question *question,
                                       const struct fg_aggregate_request *request,
                                       struct fgi_aggregate_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct aggregating *a = fgi_calloc(cpu->allocator, 1, sizeof *a);
    if (!a) {
        return FG_ERR_NO_MEMORY;
    }
    a->cpu = cpu;
    a->request = *request;
    enum fg_result result = fgi_choose(cpu, question, &request->selection, &a->chosen);
    if (result == FG_OK) {
        result = fgi_grouping_begin(&a->grouping,
                                    &(struct fgi_grouping_rule){
                                        .by = request->by,
                                        .measure = request->measure,
                                        .values = request->values,
                                        .class_mask = request->class_mask,
                                    },
                                    &a->chosen);
    }
    if (result != FG_OK) {
        aggregating_destroy(&a->base.work);
        return result;
    }
    bool has_values = (request->figures & VALUE_FIGURES) != 0;
    a->reading.chosen = &a->chosen;
    a->base.work = (struct fgi_work){
        .ops = &ops,
        .kind = FGI_WORK_AGGREGATE,
        .total_rows = a->chosen.candidates * (has_values ? 3 : 1),
        .stage_count = has_values ? 2 : 1,
    };
    *out_work = &a->base;
    return FG_OK;
}
