/* SPDX-License-Identifier: MIT */
/* Statistics: arguments are checked, tasks made, answers read. */
#include "trace/task.h"

static enum fg_result check(struct fg_stats_request *r)
{
    if (r->start_ns == 0 && r->end_ns == 0) {
        r->start_ns = FG_TIME_MIN;
        r->end_ns = INT64_MAX;
    }
    bool is_legal = r->by <= FG_STATS_BY_FRAME && r->figures <= FG_STATS_TOTALS &&
                    r->start_ns < r->end_ns && !(r->has_frames && r->first_frame > r->end_frame);
    return is_legal ? FG_OK : FG_ERR_ARGUMENT;
}

enum fg_result fg_query_stats(struct fg_query *query, const struct fg_stats_request *request,
                              struct fg_stats_reply *out_reply)
{
    struct fg_stats_request r = *request;
    struct fgi_stats_work *work = NULL;
    enum fg_result result = check(&r);
    if (result == FG_OK) {
        result = query->engine->ops->stats_begin(query->engine, &query->question, &r, &work);
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

enum fg_result fg_task_stats(struct fg_query *query, const struct fg_stats_request *request,
                             uint32_t scheduling, struct fg_task **out_task)
{
    struct fg_stats_request r = *request;
    struct fgi_stats_work *work = NULL;
    struct fg_task *task = NULL;
    enum fg_result result = check(&r);
    if (result == FG_OK) {
        result = fgi_task_create(query, scheduling, &task);
    }
    if (result != FG_OK) {
        return result;
    }
    result = query->engine->ops->stats_begin(query->engine, fgi_task_question(task), &r, &work);
    return fgi_task_set(task, result, work ? &work->work : NULL, out_task);
}

enum fg_result fg_task_result_stats(struct fg_task *task, struct fg_stats_reply *out_reply)
{
    const struct fgi_stats_work *work =
        (const struct fgi_stats_work *)fgi_task_work(task, FGI_WORK_STATS);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (work->work.stage < 1) {
        return FG_ERR_STATE;
    }
    *out_reply = work->reply;
    return FG_OK;
}
