/* SPDX-License-Identifier: MIT */
/* Search: arguments are checked, tasks made, answers read. */
#include "trace/task.h"
#include <frameglass/trace_find.h>

enum { DEFAULT_PAGE = 1000 };

static enum fg_result check(struct fg_search_request *r)
{
    r->limit = r->limit ? r->limit : DEFAULT_PAGE;
    return r->text && r->text[0] ? FG_OK : FG_ERR_ARGUMENT;
}

enum fg_result fg_query_search(struct fg_query *query, const struct fg_search_request *request,
                               struct fg_search_reply *out_reply)
{
    struct fg_search_request r = *request;
    struct fgi_search_work *work = NULL;
    enum fg_result result = check(&r);
    if (result == FG_OK) {
        result = query->engine->ops->search_begin(query->engine, &query->question, &r, &work);
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

enum fg_result fg_task_search(struct fg_query *query, const struct fg_search_request *request,
                              uint32_t scheduling, struct fg_task **out_task)
{
    struct fg_search_request r = *request;
    struct fgi_search_work *work = NULL;
    struct fg_task *task = NULL;
    enum fg_result result = check(&r);
    if (result == FG_OK) {
        result = fgi_task_create(query, scheduling, &task);
    }
    if (result != FG_OK) {
        return result;
    }
    result = query->engine->ops->search_begin(query->engine, fgi_task_question(task), &r, &work);
    return fgi_task_set(task, result, work ? &work->work : NULL, out_task);
}

enum fg_result fg_task_result_search(struct fg_task *task, struct fg_search_reply *out_reply)
{
    const struct fgi_search_work *work =
        (const struct fgi_search_work *)fgi_task_work(task, FGI_WORK_SEARCH);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (!work->work.is_done) {
        return FG_ERR_STATE;
    }
    *out_reply = work->reply;
    return FG_OK;
}
