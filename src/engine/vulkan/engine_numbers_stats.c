/* SPDX-License-Identifier: MIT */
/* Statistics: totals from the device's groups, own times from groups of these, and, where they are
 * asked for, unions and percentiles. */
#include "base/alloc.h"
#include "engine/vulkan/engine_numbers.h"
#include <string.h>

struct measuring {
    struct fgi_stats_work base;
    struct fgi_gpu_counting counting;
    struct fgi_gpu_counting own; /* of own times: the same groups in the same order */
    struct fg_stats_request request;
    struct fg_stats_row *unordered; /* by group */
    struct fg_stats_row *rows;      /* of the answer */
    uint32_t *order;                /* of each row its group */
    bool has_all, has_busy;         /* all figures are asked for; the unions are there */
};

static struct fgi_gpu_number_rule stats_rule(const struct fg_stats_request *request)
{
    static const struct {
        uint32_t by;
        enum fgi_gpu_number_scopes scopes;
    } kinds[] = {
        [FG_STATS_BY_NAME] = { FG_AGGREGATE_NAME, FGI_GPU_SCOPES_NEVER },
        [FG_STATS_BY_PASS] = { FG_AGGREGATE_PASS, FGI_GPU_SCOPES_ALL },
        [FG_STATS_BY_TRACK] = { FG_AGGREGATE_TRACK, FGI_GPU_SCOPES_ALL },
        [FG_STATS_BY_SCOPE] = { FG_AGGREGATE_SCOPE, FGI_GPU_SCOPES_ALONE },
        [FG_STATS_BY_CATEGORY] = { FG_AGGREGATE_CATEGORY, FGI_GPU_SCOPES_NEVER },
        [FG_STATS_BY_ALL] = { FG_AGGREGATE_ALL, FGI_GPU_SCOPES_ALL },
        [FG_STATS_BY_PROCESS] = { FG_AGGREGATE_PROCESS, FGI_GPU_SCOPES_ALL },
        [FG_STATS_BY_LANE] = { FG_AGGREGATE_LANE, FGI_GPU_SCOPES_ALL },
        [FG_STATS_BY_DEPTH] = { FG_AGGREGATE_DEPTH, FGI_GPU_SCOPES_ALL },
        [FG_STATS_BY_STATUS] = { FG_AGGREGATE_STATUS, FGI_GPU_SCOPES_ALL },
        [FG_STATS_BY_CLASSES] = { FG_AGGREGATE_CLASSES, FGI_GPU_SCOPES_ALL },
        [FG_STATS_BY_FRAME] = { FG_AGGREGATE_FRAME, FGI_GPU_SCOPES_ALL },
    };
    return (struct fgi_gpu_number_rule){ .by = kinds[request->by].by,
                                         .measure = FG_MEASURE_DURATION,
                                         .class_mask = UINT32_MAX,
                                         .scopes = kinds[request->by].scopes,
                                         .has_spans = true };
}

static bool stats_before(void *context, uint32_t a, uint32_t b)
{
    const struct measuring *m = context;
    const struct fg_trace *trace = m->counting.vulkan->engine.trace;
    const struct fg_stats_row *x = &m->unordered[a];
    const struct fg_stats_row *y = &m->unordered[b];
    if (x->total_ns != y->total_ns) {
        return x->total_ns > y->total_ns;
    }
    const int order = strcmp(fg_trace_text(trace, x->name), fg_trace_text(trace, y->name));
    if (order != 0) {
        return order < 0;
    }
    if (x->track != y->track) {
        return x->track < y->track;
    }
    return x->clock != y->clock ? x->clock < y->clock : x->key < y->key;
}

static enum fg_result make_stats(struct measuring *m, const struct fgi_question *question)
{
    struct fgi_gpu_counting *c = &m->counting;
    const uint32_t count = c->group_count;
    struct fg_stats_row *rows = fgi_arena_alloc(question->arena, (size_t)count + 1, sizeof *rows);
    m->unordered = fgi_arena_alloc(&c->arena, (size_t)count + 1, sizeof *m->unordered);
    if (!rows || !m->unordered) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fgi_gpu_group *group = &c->groups[i];
        m->unordered[i] = (struct fg_stats_row){
            .key = group->key,
            .name = fgi_gpu_group_name(c->vulkan->engine.trace, c->rule.by, group->key),
            .track = group->track,
            .clock = group->clock,
            .count = group->count,
            .total_ns = fgi_wide_saturated(group->sum),
            .self_ns = m->has_all ? fgi_wide_saturated(m->own.groups[i].sum) : 0,
            .min_ns = group->min,
            .max_ns = group->max,
            .start_ns = group->start_ns,
            .end_ns = group->end_ns,
            .unfinished = group->unfinished,
            .zeroes = group->zeroes,
            .longest = group->largest,
        };
    }
    const enum fg_result result = fgi_gpu_counting_order(c, stats_before, m, &m->order);
    uint64_t sum = 0;
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        rows[i] = m->unordered[m->order[i]];
        sum = fgi_add_saturated(sum, rows[i].total_ns);
    }
    if (result == FG_OK) {
        m->rows = rows;
        m->base.work.stage = 1;
        m->base.reply = (struct fg_stats_reply){ .rows = count > 0 ? rows : NULL,
                                                 .count = count,
                                                 .sum_ns = sum };
    }
    return result;
}

/** Unions, then percentiles. */
static enum fg_result find_figures(struct measuring *m, const struct fgi_question *question)
{
    struct fgi_gpu_counting *c = &m->counting;
    uint64_t *found = fgi_arena_alloc(&c->arena, (size_t)c->group_count + 1, 2 * sizeof *found);
    uint32_t *place = fgi_arena_alloc(&c->arena, (size_t)c->group_count + 1, sizeof *place);
    if (!found || !place) {
        return FG_ERR_NO_MEMORY;
    }
    const enum fg_result result = m->has_busy
                                      ? fgi_gpu_counting_ranks(c, question, found, &m->base.work)
                                      : fgi_gpu_counting_busy(c, question, found, &m->base.work);
    if (result != FG_OK) {
        return result;
    }
    for (uint32_t i = 0, next = 0; i < c->group_count; i++) {
        place[i] = next;
        next += c->groups[i].count > 0;
    }
    for (uint32_t i = 0; i < c->group_count; i++) {
        const uint32_t group = m->order[i];
        struct fg_stats_row *row = &m->rows[i];
        if (!m->has_busy) {
            row->busy_ns = found[group];
        } else if (row->count > 0) {
            row->median_ns = found[2 * place[group]];
            row->p95_ns = found[2 * place[group] + 1];
        }
    }
    if (m->has_busy) {
        fgi_gpu_counting_end_work(&m->base.work);
    }
    m->has_busy = true;
    return FG_OK;
}

static enum fg_result stats_on_device(struct measuring *m, const struct fgi_question *question,
                                      uint64_t max_rows)
{
    struct fgi_gpu_counting *c = &m->counting;
    struct fgi_work *work = &m->base.work;
    if (m->has_all && m->own.pass == 0) {
        return fgi_gpu_counting_groups(&m->own, question, 1, max_rows, work);
    }
    if (c->pass == FGI_GPU_NUMBER_PASSES) {
        return find_figures(m, question);
    }
    enum fg_result result =
        fgi_gpu_counting_groups(c, question, FGI_GPU_NUMBER_PASSES, max_rows, work);
    if (result == FG_OK && c->pass == FGI_GPU_NUMBER_PASSES) {
        result = make_stats(m, question);
        if (result == FG_OK && !m->has_all) {
            fgi_gpu_counting_end_work(work);
        }
    }
    return result;
}

static enum fg_result stats_step(struct fgi_work *work, const struct fgi_question *question,
                                 uint64_t max_rows)
{
    struct measuring *m = (struct measuring *)work;
    struct fgi_gpu_counting *c = &m->counting;
    enum fg_result result = FG_ERR_STATE;
    if (!c->host) {
        if (fgi_gpu_ready(c->vulkan)) {
            result = stats_on_device(m, question, max_rows);
        }
        if (fgi_gpu_counting_did(c, work, result)) {
            return result;
        }
        struct fgi_stats_work *host = NULL;
        result = fgi_host_stats_begin(&c->vulkan->engine, question, &m->request, &host);
        if (result != FG_OK) {
            return result;
        }
        c->host = &host->work;
        c->device_rows += m->own.device_rows;
    }
    return fgi_gpu_counting_host_step(c, work, sizeof m->base, question, max_rows);
}

static void stats_destroy(struct fgi_work *work)
{
    struct measuring *m = (struct measuring *)work;
    const struct fg_allocator *allocator = m->counting.vulkan->allocator;
    fgi_gpu_counting_end(&m->own);
    fgi_gpu_counting_end(&m->counting);
    fgi_free(allocator, m, sizeof *m);
}

static const struct fgi_task_ops stats_ops = { stats_step, stats_destroy };

enum fg_result fgi_vulkan_stats_begin(struct fg_engine *engine, const struct fgi_question *question,
                                      const struct fg_stats_request *request,
                                      struct fgi_stats_work **out_work)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    const struct fgi_gpu_number_rule rule = stats_rule(request);
    const bool has_all = request->figures == FG_STATS_ALL;
    if (!fgi_gpu_counting_fits(vulkan, rule.by, has_all ? FG_MEASURE_SELF : rule.measure) ||
        (has_all && !fgi_gpu_counting_fits_values(vulkan, rule.by))) {
        return fgi_host_stats_begin(engine, question, request, out_work);
    }
    struct measuring *m = fgi_calloc(vulkan->allocator, 1, sizeof *m);
    if (!m) {
        return FG_ERR_NO_MEMORY;
    }
    const struct fg_selection selection = {
        .filter = request->filter,
        .start_ns = request->start_ns,
        .end_ns = request->end_ns,
        .has_frames = request->has_frames,
        .first_frame = request->first_frame,
        .end_frame = request->end_frame,
        .tracks = request->tracks,
        .track_count = request->track_count,
    };
    enum fg_result result =
        fgi_gpu_counting_begin(&m->counting, vulkan, question, &selection, &rule);
    if (result == FG_OK && has_all) {
        struct fgi_gpu_number_rule own = rule;
        own.measure = FG_MEASURE_SELF;
        result = fgi_gpu_counting_begin(&m->own, vulkan, question, &m->counting.selection, &own);
    }
    if (result != FG_OK) {
        stats_destroy(&m->base.work);
        return result;
    }
    m->has_all = has_all;
    m->request = *request;
    m->request.tracks = m->counting.selection.tracks;
    m->base.work = (struct fgi_work){
        .ops = &stats_ops,
        .kind = FGI_WORK_STATS,
        .total_rows = (uint64_t)fgi_trace_rows(engine->trace) *
                      (has_all ? FGI_GPU_NUMBER_PASSES + 3 : FGI_GPU_NUMBER_PASSES),
        .stage_count = has_all ? 2 : 1,
    };
    *out_work = &m->base;
    return FG_OK;
}
