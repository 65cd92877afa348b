/* SPDX-License-Identifier: MIT */
/* Anomalies: baselines are made by an aggregate, spans scored by the engine; tints are read. */
#include "base/alloc.h"
#include "trace/group_match.h"
#include "trace/model.h"
#include "trace/score.h"
#include "trace/task.h"
#include <string.h>

#define DEFAULT_ROWS 100u

/* Baselines, where they are to be made, then scores. */
struct judging {
    struct fgi_anomaly_work base;
    const struct fg_allocator *allocator;
    struct fg_engine *engine;
    const struct fg_trace *baseline_trace;
    struct fg_anomaly_request request; /* its lists are the question's */
    struct fgi_aggregate_work *baselines;
    struct fgi_anomaly_work *scores;
    uint64_t baseline_rows;
};

static bool baseline_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_baseline *items = context;
    return items[a].key != items[b].key ? items[a].key < items[b].key
                                        : items[a].clock < items[b].clock;
}

/* By key, then clock; groups that this trace has not are left out, later ones of equal name too. */
static enum fg_result make_baselines(struct judging *j, const struct fgi_question *question)
{
    const struct fg_aggregate_reply *made = &j->baselines->reply;
    const struct fg_trace *trace = j->engine->trace;
    struct fg_baseline *found =
        fgi_arena_alloc(question->arena, (size_t)made->count + 1, sizeof *found);
    struct fg_baseline *sorted =
        fgi_arena_alloc(question->arena, (size_t)made->count + 1, sizeof *sorted);
    uint32_t *order = fgi_arena_alloc(question->arena, (size_t)made->count + 1, sizeof *order);
    if (!found || !sorted || !order) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < made->count; i++) {
        const struct fg_aggregate_row *row = &made->rows[i];
        uint32_t key = fgi_group_find(trace, j->request.by, j->baseline_trace, row->key);
        uint32_t clock = fgi_clock_find(trace, j->baseline_trace, row->clock);
        if (row->count > 0 && key != FG_NONE && clock != FG_NONE) {
            order[count] = count;
            found[count++] = (struct fg_baseline){
                .key = key,
                .clock = clock,
                .count = row->count,
                .mean_ns = row->mean,
                .deviation_ns = row->deviation,
                .error_ppm = fgi_error_ppm(row->errors, row->count),
                .is_saturated = row->deviation == UINT64_MAX,
            };
        }
    }
    enum fg_result result = fgi_sort_u32(j->allocator, order, count, baseline_before, found);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_baseline *b = &found[order[i]];
        if (kept == 0 || sorted[kept - 1].key != b->key || sorted[kept - 1].clock != b->clock) {
            sorted[kept++] = *b;
        }
    }
    j->request.baselines = sorted;
    j->request.baseline_count = kept;
    return result;
}

static enum fg_result begin_scores(struct judging *j, const struct fgi_question *question)
{
    return j->engine->ops->anomalies_begin(j->engine, question, &j->request, &j->scores);
}

static enum fg_result step_baselines(struct judging *j, const struct fgi_question *question,
                                     uint64_t max_rows)
{
    struct fgi_work *part = &j->baselines->work;
    enum fg_result result = part->ops->step(part, question, max_rows);
    j->baseline_rows = part->done_rows;
    j->base.work.done_rows = part->done_rows;
    if (result != FG_OK || !part->is_done) {
        return result;
    }
    result = make_baselines(j, question);
    fgi_work_destroy(part);
    j->baselines = NULL;
    if (result == FG_OK) {
        result = begin_scores(j, question);
    }
    j->base.work.stage = result == FG_OK;
    return result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct judging *j = (struct judging *)work;
    if (j->baselines) {
        return step_baselines(j, question, max_rows);
    }
    struct fgi_work *part = &j->scores->work;
    enum fg_result result = part->ops->step(part, question, max_rows);
    work->done_rows = j->baseline_rows + part->done_rows;
    work->total_rows = j->baseline_rows + part->total_rows;
    if (result == FG_OK && part->is_done) {
        j->base.reply = j->scores->reply;
        work->stage = work->stage_count;
        work->is_done = true;
    }
    return result;
}

static void destroy(struct fgi_work *work)
{
    struct judging *j = (struct judging *)work;
    if (j->scores) {
        j->scores->is_taken = j->base.is_taken;
    }
    fgi_work_destroy(j->baselines ? &j->baselines->work : NULL);
    fgi_work_destroy(j->scores ? &j->scores->work : NULL);
    fgi_free(j->allocator, j, sizeof *j);
}

static const struct fgi_task_ops ops = { step, destroy };

static bool copy_list(struct fgi_arena *arena, const uint32_t **items, uint32_t count)
{
    if (!*items) {
        return true;
    }
    uint32_t *copy = fgi_arena_alloc(arena, (size_t)count + 1, sizeof *copy);
    if (copy) {
        memcpy(copy, *items, count * sizeof *copy);
    }
    *items = copy;
    return copy != NULL;
}

static enum fg_result begin_baselines(struct judging *j, struct fg_query *query,
                                      const struct fgi_question *question)
{
    struct fg_selection *s = &j->request.selection;
    struct fg_query *from = j->request.baseline_query ? j->request.baseline_query : query;
    if (!copy_list(question->arena, &s->tracks, s->track_count) ||
        !copy_list(question->arena, &s->lanes, s->lane_count)) {
        return FG_ERR_NO_MEMORY;
    }
    struct fg_aggregate_request r = {
        .selection = j->request.baseline_selection,
        .by = j->request.by,
        .class_mask = j->request.class_mask,
        .figures = FG_FIGURES_DEVIATION,
        .order = FG_ORDER_KEY,
    };
    j->baseline_trace = from->engine->trace;
    enum fg_result result = fgi_aggregate_check(&r);
    return result == FG_OK
               ? from->engine->ops->aggregate_begin(from->engine, question, &r, &j->baselines)
               : result;
}

static enum fg_result begin(struct fg_query *query, const struct fgi_question *question,
                            const struct fg_anomaly_request *request, struct judging **out)
{
    struct judging *j = fgi_calloc(query->allocator, 1, sizeof *j);
    if (!j) {
        return FG_ERR_NO_MEMORY;
    }
    j->allocator = query->allocator;
    j->engine = query->engine;
    j->request = *request;
    j->request.limit = request->limit ? request->limit : DEFAULT_ROWS;
    j->request.class_mask = request->class_mask ? request->class_mask : UINT32_MAX;
    fgi_score_rule_fill(&j->request.rule);
    bool is_given = request->baseline_count > 0;
    j->base.work = (struct fgi_work){ .ops = &ops,
                                      .kind = FGI_WORK_ANOMALIES,
                                      .stage_count = is_given ? 1 : 2 };
    enum fg_result result = request->by < FG_AGGREGATE_BY_COUNT ? FG_OK : FG_ERR_ARGUMENT;
    result = result == FG_OK ? fgi_selection_check(&j->request.selection) : result;
    if (result == FG_OK) {
        result = is_given ? begin_scores(j, question) : begin_baselines(j, query, question);
    }
    if (result != FG_OK) {
        destroy(&j->base.work);
        return result;
    }
    j->base.work.total_rows =
        is_given ? j->scores->work.total_rows
                 : j->baselines->work.total_rows + fgi_trace_rows(query->engine->trace);
    *out = j;
    return FG_OK;
}

static void take(struct judging *j, struct fg_anomaly_reply *out_reply)
{
    j->base.is_taken = true;
    *out_reply = j->base.reply;
}

enum fg_result fg_query_anomalies(struct fg_query *query, const struct fg_anomaly_request *request,
                                  struct fg_anomaly_reply *out_reply)
{
    struct judging *j = NULL;
    enum fg_result result = begin(query, &query->question, request, &j);
    if (result == FG_OK) {
        result = fgi_work_run(&j->base.work, &query->question);
        if (result == FG_OK) {
            take(j, out_reply);
        }
        destroy(&j->base.work);
    }
    return result;
}

enum fg_result fg_task_anomalies(struct fg_query *query, const struct fg_anomaly_request *request,
                                 uint32_t scheduling, struct fg_task **out_task)
{
    struct judging *j = NULL;
    struct fg_task *task = NULL;
    enum fg_result result = fgi_task_create(query, scheduling, &task);
    if (result != FG_OK) {
        return result;
    }
    result = begin(query, fgi_task_question(task), request, &j);
    return fgi_task_set(task, result, j ? &j->base.work : NULL, out_task);
}

enum fg_result fg_task_result_anomalies(struct fg_task *task, struct fg_anomaly_reply *out_reply)
{
    struct judging *j = (struct judging *)fgi_task_work(task, FGI_WORK_ANOMALIES);
    if (!j) {
        return FG_ERR_ARGUMENT;
    }
    if (!j->base.work.is_done) {
        return FG_ERR_STATE;
    }
    take(j, out_reply);
    return FG_OK;
}

/* ---- tints ----------------------------------------------------------------------------------- */

enum fg_result fg_query_scores(struct fg_query *query, uint32_t scores, const uint32_t *rows,
                               uint32_t count, uint8_t *out_tints, uint8_t *out_reasons)
{
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i] >= fgi_trace_rows(query->engine->trace)) {
            return FG_ERR_NOT_FOUND;
        }
    }
    return query->engine->ops->scores(query->engine, scores, rows, count, out_tints, out_reasons);
}

enum fg_result fg_query_tints(struct fg_query *query, const struct fg_tints_request *request,
                              struct fg_tints_reply *out_reply)
{
    if (request->start_ns >= request->end_ns || request->width_px == 0 ||
        request->width_px > FG_VIEW_WIDTH_MAX || request->target_count > FG_VIEW_TARGETS_MAX) {
        return FG_ERR_ARGUMENT;
    }
    for (uint32_t i = 0; i < request->target_count; i++) {
        enum fg_result result = fgi_target_check(query->engine->trace, &request->targets[i]);
        if (result != FG_OK) {
            return result;
        }
    }
    return query->engine->ops->tints(query->engine, &query->question, request, out_reply);
}

enum fg_result fg_query_scores_destroy(struct fg_query *query, uint32_t scores)
{
    return query->engine->ops->scores_destroy(query->engine, scores);
}
