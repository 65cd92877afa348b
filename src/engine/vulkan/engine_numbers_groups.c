/* SPDX-License-Identifier: MIT */
/* Aggregates: the device's groups in the order of the answer. */
#include "base/alloc.h"
#include "engine/vulkan/engine_numbers.h"

struct aggregating {
    struct fgi_aggregate_work base;
    struct fgi_gpu_counting counting;
    struct fg_aggregate_request request; /* its lists are kept */
    uint32_t figures;                    /* that are still to be found */
    struct fg_aggregate_row *rows;       /* of the answer */
    uint32_t *order;                     /* of each row its group */
    uint32_t count;
};

static struct fg_aggregate_row row_of(const struct aggregating *a,
                                      const struct fgi_gpu_group *group)
{
    return (struct fg_aggregate_row){
        .key = group->key,
        .name = fgi_gpu_group_name(a->counting.vulkan->engine.trace, a->request.by, group->key),
        .clock = group->clock,
        .has_values = group->count > 0,
        .is_saturated = group->sum > UINT64_MAX,
        .count = group->count + group->unmeasured,
        .unmeasured = group->unmeasured,
        .errors = group->errors,
        .unfinished = group->unfinished,
        .sum = fgi_wide_saturated(group->sum),
        .mean = group->count > 0 ? (uint64_t)(group->sum / group->count) : 0,
        .min = group->min,
        .max = group->max,
        .largest = group->largest,
    };
}

/** A group for every key of the dimension's list that has none: behind the others. */
static enum fg_result add_empty(struct aggregating *a)
{
    struct fgi_gpu_counting *c = &a->counting;
    const uint32_t limit = fgi_gpu_number_keys(c->vulkan->engine.trace, a->request.by);
    uint8_t *seen = fgi_arena_alloc(&c->arena, (size_t)limit + 1, 1);
    struct fgi_gpu_group *groups =
        fgi_arena_alloc(&c->arena, (size_t)c->group_count + limit + 1, sizeof *groups);
    if (!seen || !groups) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < c->group_count; i++) {
        seen[c->groups[i].key] = 1;
        groups[i] = c->groups[i];
    }
    c->groups = groups;
    for (uint32_t key = 0; key < limit; key++) {
        if (!seen[key]) {
            groups[c->group_count++] =
                (struct fgi_gpu_group){ .key = key, .clock = FG_NONE, .largest = FG_NONE };
        }
    }
    return FG_OK;
}

static bool aggregate_before(void *context, uint32_t x, uint32_t y)
{
    const struct aggregating *a = context;
    const struct fgi_gpu_group *p = &a->counting.groups[x];
    const struct fgi_gpu_group *q = &a->counting.groups[y];
    if (a->request.order == FG_ORDER_SUM) {
        if (p->sum != q->sum) {
            return p->sum > q->sum;
        }
        if (p->count != q->count) {
            return p->count > q->count;
        }
    }
    return p->key != q->key ? p->key < q->key : p->clock < q->clock;
}

static enum fg_result make_aggregate(struct aggregating *a, const struct fgi_question *question)
{
    struct fgi_gpu_counting *c = &a->counting;
    enum fg_result result = a->request.figures & FG_FIGURES_EMPTY ? add_empty(a) : FG_OK;
    result = result == FG_OK ? fgi_gpu_counting_order(c, aggregate_before, a, &a->order) : result;
    if (result != FG_OK) {
        return result;
    }
    const uint32_t limit = a->request.limit;
    const uint32_t count = limit > 0 && limit < c->group_count ? limit : c->group_count;
    struct fg_aggregate_row *rows =
        fgi_arena_alloc(question->arena, (size_t)count + 1, sizeof *rows);
    if (!rows) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = row_of(a, &c->groups[a->order[i]]);
    }
    a->rows = rows;
    a->count = count;
    a->base.work.stage = 1;
    a->base.reply = (struct fg_aggregate_reply){
        .rows = rows,
        .count = count,
        .group_count = c->group_count,
        .is_clipped = a->request.measure == FG_MEASURE_CLIPPED,
        .keyless = c->totals.keyless,
        .selected = c->totals.selected,
    };
    return FG_OK;
}

/** What needs all values: the deviations first. */
static enum fg_result find_figures(struct aggregating *a, const struct fgi_question *question)
{
    struct fgi_gpu_counting *c = &a->counting;
    const bool is_deviation = (a->figures & FG_FIGURES_DEVIATION) != 0;
    uint64_t *found = fgi_arena_alloc(&c->arena, (size_t)c->group_count + 1, 2 * sizeof *found);
    uint32_t *place = fgi_arena_alloc(&c->arena, (size_t)c->group_count + 1, sizeof *place);
    if (!found || !place) {
        return FG_ERR_NO_MEMORY;
    }
    const enum fg_result result =
        is_deviation ? fgi_gpu_counting_deviations(c, question, found, &a->base.work)
                     : fgi_gpu_counting_ranks(c, question, found, &a->base.work);
    if (result != FG_OK) {
        return result;
    }
    for (uint32_t i = 0, next = 0; i < c->group_count; i++) {
        place[i] = next;
        next += c->groups[i].count > 0;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        const uint32_t group = a->order[i];
        struct fg_aggregate_row *row = &a->rows[i];
        if (is_deviation) {
            row->deviation = found[group];
        } else if (row->has_values) {
            row->median = found[2 * place[group]];
            row->p95 = found[2 * place[group] + 1];
        }
    }
    a->figures &=
        is_deviation ? ~(uint32_t)FG_FIGURES_DEVIATION : ~(uint32_t)FG_FIGURES_PERCENTILES;
    return FG_OK;
}

static enum fg_result aggregate_on_device(struct aggregating *a,
                                          const struct fgi_question *question, uint64_t max_rows)
{
    struct fgi_gpu_counting *c = &a->counting;
    struct fgi_work *work = &a->base.work;
    enum fg_result result = FG_OK;
    if (c->pass < FGI_GPU_NUMBER_PASSES) {
        result = fgi_gpu_counting_groups(c, question, FGI_GPU_NUMBER_PASSES, max_rows, work);
        if (result == FG_OK && c->pass == FGI_GPU_NUMBER_PASSES) {
            result = make_aggregate(a, question);
        }
    } else {
        result = find_figures(a, question);
    }
    if (result == FG_OK && c->pass == FGI_GPU_NUMBER_PASSES && a->figures == 0) {
        fgi_gpu_counting_end_work(work);
    }
    return result;
}

static enum fg_result aggregate_step(struct fgi_work *work, const struct fgi_question *question,
                                     uint64_t max_rows)
{
    struct aggregating *a = (struct aggregating *)work;
    struct fgi_gpu_counting *c = &a->counting;
    enum fg_result result = FG_ERR_STATE;
    if (!c->host) {
        if (fgi_gpu_ready(c->vulkan)) {
            result = aggregate_on_device(a, question, max_rows);
        }
        if (fgi_gpu_counting_did(c, work, result)) {
            return result;
        }
        struct fgi_aggregate_work *host = NULL;
        result = fgi_host_aggregate_begin(&c->vulkan->engine, question, &a->request, &host);
        if (result != FG_OK) {
            return result;
        }
        c->host = &host->work;
    }
    return fgi_gpu_counting_host_step(c, work, sizeof a->base, question, max_rows);
}

static void aggregate_destroy(struct fgi_work *work)
{
    struct aggregating *a = (struct aggregating *)work;
    const struct fg_allocator *allocator = a->counting.vulkan->allocator;
    fgi_gpu_counting_end(&a->counting);
    fgi_free(allocator, a, sizeof *a);
}

static const struct fgi_task_ops aggregate_ops = { aggregate_step, aggregate_destroy };

enum fg_result fgi_vulkan_aggregate_begin(struct fg_engine *engine,
                                          const struct fgi_question *question,
                                          const struct fg_aggregate_request *request,
                                          struct fgi_aggregate_work **out_work)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    const uint32_t figures =
        request->figures & (uint32_t)(FG_FIGURES_PERCENTILES | FG_FIGURES_DEVIATION);
    if (!fgi_gpu_counting_fits(vulkan, request->by, request->measure) ||
        (figures != 0 && !fgi_gpu_counting_fits_values(vulkan, request->by))) {
        return fgi_host_aggregate_begin(engine, question, request, out_work);
    }
    struct aggregating *a = fgi_calloc(vulkan->allocator, 1, sizeof *a);
    if (!a) {
        return FG_ERR_NO_MEMORY;
    }
    const struct fgi_gpu_number_rule rule = { .by = request->by,
                                              .measure = request->measure,
                                              .class_mask = request->class_mask };
    const enum fg_result result =
        fgi_gpu_counting_begin(&a->counting, vulkan, question, &request->selection, &rule);
    if (result != FG_OK) {
        aggregate_destroy(&a->base.work);
        return result;
    }
    a->request = *request;
    a->request.selection = a->counting.selection;
    a->figures = figures;
    const uint32_t more =
        ((figures & FG_FIGURES_DEVIATION) != 0) + ((figures & FG_FIGURES_PERCENTILES) != 0);
    a->base.work = (struct fgi_work){
        .ops = &aggregate_ops,
        .kind = FGI_WORK_AGGREGATE,
        .total_rows = (uint64_t)fgi_trace_rows(engine->trace) * (FGI_GPU_NUMBER_PASSES + more),
        .stage_count = figures != 0 ? 2 : 1,
    };
    *out_work = &a->base;
    return FG_OK;
}
