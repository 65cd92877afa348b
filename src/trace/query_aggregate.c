/* SPDX-License-Identifier: MIT */
/* Aggregates, histograms, buckets and profiles: arguments are checked, tasks made, answers read. */
#include "base/alloc.h"
#include "trace/model.h"
#include "trace/task.h"

#define DEFAULT_BINS    64u
#define DEFAULT_BUCKETS 64u

static const struct fg_trace *trace_of(const struct fg_query *query)
{
    return query->engine->trace;
}

enum fg_result fgi_selection_check(struct fg_selection *selection)
{
    if (selection->start_ns == 0 && selection->end_ns == 0) {
        selection->start_ns = FG_TIME_MIN;
        selection->end_ns = INT64_MAX;
    }
    bool is_legal = selection->start_ns < selection->end_ns &&
                    !(selection->has_frames && selection->first_frame > selection->end_frame);
    return is_legal ? FG_OK : FG_ERR_ARGUMENT;
}

static bool is_measure_legal(uint32_t measure, const struct fg_measure_values *values)
{
    return measure < FG_MEASURE_VALUES ||
           (measure == FG_MEASURE_VALUES && (values->items || values->count == 0));
}

enum fg_result fgi_aggregate_check(struct fg_aggregate_request *r)
{
    static const uint32_t listed = 1u << FG_AGGREGATE_LANE | 1u << FG_AGGREGATE_TRACK |
                                   1u << FG_AGGREGATE_PROCESS | 1u << FG_AGGREGATE_STATUS |
                                   1u << FG_AGGREGATE_FRAME | 1u << FG_AGGREGATE_PASS;
    if (r->by >= FG_AGGREGATE_BY_COUNT || r->order > FG_ORDER_KEY ||
        !is_measure_legal(r->measure, &r->values) ||
        (r->figures &
         ~(uint32_t)(FG_FIGURES_PERCENTILES | FG_FIGURES_DEVIATION | FG_FIGURES_EMPTY)) != 0 ||
        ((r->figures & FG_FIGURES_EMPTY) && !(listed >> r->by & 1))) {
        return FG_ERR_ARGUMENT;
    }
    r->class_mask = r->class_mask ? r->class_mask : UINT32_MAX;
    return fgi_selection_check(&r->selection);
}

static enum fg_result check_histogram(struct fg_histogram_request *r)
{
    if (r->scale > FG_HISTOGRAM_EDGES || r->bins > FG_HISTOGRAM_BINS_MAX ||
        !is_measure_legal(r->measure, &r->values) || (r->has_domain && r->low > r->high)) {
        return FG_ERR_ARGUMENT;
    }
    if (r->scale == FG_HISTOGRAM_EDGES &&
        (!r->edges || r->edge_count < 2 || r->edge_count - 1 > FG_HISTOGRAM_BINS_MAX)) {
        return FG_ERR_ARGUMENT;
    }
    for (uint32_t i = 1; r->scale == FG_HISTOGRAM_EDGES && i < r->edge_count; i++) {
        if (r->edges[i - 1] >= r->edges[i]) {
            return FG_ERR_ARGUMENT;
        }
    }
    r->bins = r->bins ? r->bins : DEFAULT_BINS;
    return fgi_selection_check(&r->selection);
}

/* All spans lie inside the extent; what starts at its last nanosecond, too. */
static enum fg_result check_buckets(const struct fg_trace *trace, struct fg_buckets_request *r)
{
    struct fg_selection *s = &r->selection;
    if (r->count > FG_BUCKETS_MAX) {
        return FG_ERR_ARGUMENT;
    }
    r->count = r->count ? r->count : DEFAULT_BUCKETS;
    if (s->start_ns == 0 && s->end_ns == 0) {
        struct fg_trace_info info;
        fg_trace_get_info(trace, &info);
        s->start_ns = info.has_extent ? info.first_ns : 0;
        s->end_ns = (info.has_extent ? info.last_ns : 0) + 1;
    }
    return fgi_selection_check(s);
}

/* ---- run to their end ------------------------------------------------------------------------ */

enum fg_result fg_query_aggregate(struct fg_query *query,
                                  const struct fg_aggregate_request *request,
                                  struct fg_aggregate_reply *out_reply)
{
    struct fg_aggregate_request r = *request;
    struct fgi_aggregate_work *work = NULL;
    enum fg_result result = fgi_aggregate_check(&r);
    if (result == FG_OK) {
        result = query->engine->ops->aggregate_begin(query->engine, &query->question, &r, &work);
    }
    if (result == FG_OK) {
        result = fgi_work_run(&work->work, &query->question);
    }
    if (result == FG_OK) {
        *out_reply = work->reply;
    }
    fgi_work_destroy(work ? &work->work : NULL);
    return result;
}

enum fg_result fg_query_histogram(struct fg_query *query,
                                  const struct fg_histogram_request *request,
                                  struct fg_histogram_reply *out_reply)
{
    struct fg_histogram_request r = *request;
    struct fgi_histogram_work *work = NULL;
    enum fg_result result = check_histogram(&r);
    if (result == FG_OK) {
        result = query->engine->ops->histogram_begin(query->engine, &query->question, &r, &work);
    }
    if (result == FG_OK) {
        result = fgi_work_run(&work->work, &query->question);
    }
    if (result == FG_OK) {
        *out_reply = work->reply;
    }
    fgi_work_destroy(work ? &work->work : NULL);
    return result;
}

enum fg_result fg_query_buckets(struct fg_query *query, const struct fg_buckets_request *request,
                                struct fg_buckets_reply *out_reply)
{
    struct fg_buckets_request r = *request;
    struct fgi_buckets_work *work = NULL;
    enum fg_result result = check_buckets(trace_of(query), &r);
    if (result == FG_OK) {
        result = query->engine->ops->buckets_begin(query->engine, &query->question, &r, &work);
    }
    if (result == FG_OK) {
        result = fgi_work_run(&work->work, &query->question);
    }
    if (result == FG_OK) {
        *out_reply = work->reply;
    }
    fgi_work_destroy(work ? &work->work : NULL);
    return result;
}

/* ---- in steps -------------------------------------------------------------------------------- */

enum fg_result fg_task_aggregate(struct fg_query *query, const struct fg_aggregate_request *request,
                                 uint32_t scheduling, struct fg_task **out_task)
{
    struct fg_aggregate_request r = *request;
    struct fgi_aggregate_work *work = NULL;
    struct fg_task *task = NULL;
    enum fg_result result = fgi_aggregate_check(&r);
    if (result == FG_OK) {
        result = fgi_task_create(query, scheduling, &task);
    }
    if (result != FG_OK) {
        return result;
    }
    result = query->engine->ops->aggregate_begin(query->engine, fgi_task_question(task), &r, &work);
    return fgi_task_set(task, result, work ? &work->work : NULL, out_task);
}

enum fg_result fg_task_result_aggregate(struct fg_task *task, struct fg_aggregate_reply *out_reply)
{
    const struct fgi_aggregate_work *work =
        (const struct fgi_aggregate_work *)fgi_task_work(task, FGI_WORK_AGGREGATE);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (work->work.stage == 0) {
        return FG_ERR_STATE;
    }
    *out_reply = work->reply;
    return FG_OK;
}

enum fg_result fg_task_histogram(struct fg_query *query, const struct fg_histogram_request *request,
                                 uint32_t scheduling, struct fg_task **out_task)
{
    struct fg_histogram_request r = *request;
    struct fgi_histogram_work *work = NULL;
    struct fg_task *task = NULL;
    enum fg_result result = check_histogram(&r);
    if (result == FG_OK) {
        result = fgi_task_create(query, scheduling, &task);
    }
    if (result != FG_OK) {
        return result;
    }
    result = query->engine->ops->histogram_begin(query->engine, fgi_task_question(task), &r, &work);
    return fgi_task_set(task, result, work ? &work->work : NULL, out_task);
}

enum fg_result fg_task_result_histogram(struct fg_task *task, struct fg_histogram_reply *out_reply)
{
    const struct fgi_histogram_work *work =
        (const struct fgi_histogram_work *)fgi_task_work(task, FGI_WORK_HISTOGRAM);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (work->work.stage == 0) {
        return FG_ERR_STATE;
    }
    *out_reply = work->reply;
    return FG_OK;
}

enum fg_result fg_task_buckets(struct fg_query *query, const struct fg_buckets_request *request,
                               uint32_t scheduling, struct fg_task **out_task)
{
    struct fg_buckets_request r = *request;
    struct fgi_buckets_work *work = NULL;
    struct fg_task *task = NULL;
    enum fg_result result = check_buckets(trace_of(query), &r);
    if (result == FG_OK) {
        result = fgi_task_create(query, scheduling, &task);
    }
    if (result != FG_OK) {
        return result;
    }
    result = query->engine->ops->buckets_begin(query->engine, fgi_task_question(task), &r, &work);
    return fgi_task_set(task, result, work ? &work->work : NULL, out_task);
}

enum fg_result fg_task_result_buckets(struct fg_task *task, struct fg_buckets_reply *out_reply)
{
    const struct fgi_buckets_work *work =
        (const struct fgi_buckets_work *)fgi_task_work(task, FGI_WORK_BUCKETS);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (work->work.stage == 0) {
        return FG_ERR_STATE;
    }
    *out_reply = work->reply;
    return FG_OK;
}

/* ---- profiles: one after the other ----------------------------------------------------------- */

struct profile {
    struct fgi_work work;
    const struct fg_allocator *allocator;
    struct fgi_aggregate_work *aggregate;
    struct fgi_histogram_work *histogram;
    struct fgi_buckets_work *buckets;
};

static struct fgi_work *part_of(const struct profile *p, uint32_t part)
{
    switch (part) {
    case 0:
        return p->aggregate ? &p->aggregate->work : NULL;
    case 1:
        return p->histogram ? &p->histogram->work : NULL;
    default:
        return p->buckets ? &p->buckets->work : NULL;
    }
}

static void add_up(struct profile *p)
{
    p->work.done_rows = p->work.total_rows = 0;
    for (uint32_t i = 0; i < FG_PROFILE_COMPLETE; i++) {
        p->work.done_rows += part_of(p, i)->done_rows;
        p->work.total_rows += part_of(p, i)->total_rows;
    }
}

static enum fg_result step_profile(struct fgi_work *work, const struct fgi_question *question,
                                   uint64_t max_rows)
{
    struct profile *p = (struct profile *)work;
    struct fgi_work *part = part_of(p, work->stage);
    enum fg_result result = part->ops->step(part, question, max_rows);
    add_up(p);
    if (result == FG_OK && part->is_done) {
        work->stage++;
        work->is_done = work->stage == work->stage_count;
    }
    return result;
}

static void destroy_profile(struct fgi_work *work)
{
    struct profile *p = (struct profile *)work;
    for (uint32_t i = 0; i < FG_PROFILE_COMPLETE; i++) {
        fgi_work_destroy(part_of(p, i));
    }
    fgi_free(p->allocator, p, sizeof *p);
}

static const struct fgi_task_ops profile_ops = { step_profile, destroy_profile };

static enum fg_result begin_profile(struct profile *p, struct fg_query *query,
                                    const struct fgi_question *question,
                                    struct fg_profile_request *r)
{
    struct fg_engine *engine = query->engine;
    enum fg_result result =
        engine->ops->aggregate_begin(engine, question, &r->aggregate, &p->aggregate);
    if (result == FG_OK) {
        result = engine->ops->histogram_begin(engine, question, &r->histogram, &p->histogram);
    }
    if (result == FG_OK) {
        result = engine->ops->buckets_begin(engine, question, &r->buckets, &p->buckets);
    }
    if (result == FG_OK) {
        add_up(p);
    }
    return result;
}

enum fg_result fg_task_profile(struct fg_query *query, const struct fg_profile_request *request,
                               uint32_t scheduling, struct fg_task **out_task)
{
    struct fg_profile_request r = *request;
    struct fg_task *task = NULL;
    enum fg_result result = fgi_aggregate_check(&r.aggregate);
    result = result == FG_OK ? check_histogram(&r.histogram) : result;
    result = result == FG_OK ? check_buckets(trace_of(query), &r.buckets) : result;
    result = result == FG_OK ? fgi_task_create(query, scheduling, &task) : result;
    if (result != FG_OK) {
        return result;
    }
    struct profile *p = fgi_calloc(query->allocator, 1, sizeof *p);
    if (!p) {
        return fgi_task_set(task, FG_ERR_NO_MEMORY, NULL, out_task);
    }
    p->allocator = query->allocator;
    p->work = (struct fgi_work){ .ops = &profile_ops,
                                 .kind = FGI_WORK_PROFILE,
                                 .stage_count = FG_PROFILE_COMPLETE };
    result = begin_profile(p, query, fgi_task_question(task), &r);
    if (result != FG_OK) {
        destroy_profile(&p->work);
        return fgi_task_set(task, result, NULL, out_task);
    }
    return fgi_task_set(task, FG_OK, &p->work, out_task);
}

enum fg_result fg_task_result_profile(struct fg_task *task, struct fg_profile_reply *out_reply)
{
    const struct profile *p = (const struct profile *)fgi_task_work(task, FGI_WORK_PROFILE);
    if (!p) {
        return FG_ERR_ARGUMENT;
    }
    *out_reply = (struct fg_profile_reply){ .stage = p->work.stage };
    if (p->work.stage >= FG_PROFILE_SUMMARY) {
        out_reply->aggregate = p->aggregate->reply;
    }
    if (p->work.stage >= FG_PROFILE_HISTOGRAM) {
        out_reply->histogram = p->histogram->reply;
    }
    if (p->work.stage >= FG_PROFILE_COMPLETE) {
        out_reply->buckets = p->buckets->reply;
    }
    return FG_OK;
}
