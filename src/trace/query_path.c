/* SPDX-License-Identifier: MIT */
/* Questions about paths: arguments are checked here, once for all engines. */
#include "trace/model.h"
#include "trace/query_priv.h"
#include "trace/task.h"

#define DEFAULT_CHAIN  (1u << 20)
#define DEFAULT_QUEUED 16u
#define QUEUED_MAX     4096u
#define DEFAULT_SLICE  65536u
#define ALL_FIGURES                                                                                \
    (FG_PATH_LENGTHS | FG_PATH_SLACKS | FG_PATH_PREDECESSORS | FG_PATH_HOPS | FG_PATH_ROOTS |      \
     FG_PATH_TIMES)

static bool fill_range(int64_t *start, int64_t *end)
{
    if (*start == 0 && *end == 0) {
        *start = FG_TIME_MIN;
        *end = INT64_MAX;
    }
    return *start < *end;
}

static enum fg_result check_path(const struct fg_query *query,
                                 const struct fg_path_request *request,
                                 struct fg_path_request *out_request)
{
    struct fg_path_request r = *request;
    if (r.by > FG_PATH_BY_PARENTS || (r.figures & ~(uint32_t)ALL_FIGURES) ||
        !fill_range(&r.start_ns, &r.end_ns) || r.max_queued > QUEUED_MAX) {
        return FG_ERR_ARGUMENT;
    }
    if (r.has_row && r.row >= fgi_trace_rows(query->engine->trace)) {
        return FG_ERR_NOT_FOUND;
    }
    r.families = r.families ? r.families : UINT32_MAX;
    r.max_chain = r.max_chain ? r.max_chain : DEFAULT_CHAIN;
    r.max_queued = r.max_queued ? r.max_queued : DEFAULT_QUEUED;
    *out_request = r;
    return FG_OK;
}

enum fg_result fg_query_path(struct fg_query *query, const struct fg_path_request *request,
                             struct fg_path_reply *out_reply)
{
    struct fg_path_request r;
    struct fgi_path_work *path = NULL;
    enum fg_result result = check_path(query, request, &r);
    if (result == FG_OK) {
        result = query->engine->ops->path_begin(query->engine, &query->question, &r, &path);
    }
    if (result != FG_OK) {
        return result;
    }
    result = fgi_work_run(&path->work, &query->question);
    if (result == FG_OK) {
        *out_reply = path->reply;
    }
    fgi_work_destroy(&path->work);
    return result;
}

uint64_t fg_query_path_bytes(const struct fg_query *query, const struct fg_path_request *request)
{
    struct fg_path_request r;
    return check_path(query, request, &r) == FG_OK
               ? query->engine->ops->path_bytes(query->engine, &r)
               : 0;
}

enum fg_result fg_task_path(struct fg_query *query, const struct fg_path_request *request,
                            uint32_t scheduling, struct fg_task **out_task)
{
    struct fg_path_request r;
    struct fgi_path_work *path = NULL;
    struct fg_task *task = NULL;
    enum fg_result result = check_path(query, request, &r);
    if (result == FG_OK) {
        result = fgi_task_create(query, scheduling, &task);
    }
    if (result != FG_OK) {
        return result;
    }
    result = query->engine->ops->path_begin(query->engine, fgi_task_question(task), &r, &path);
    return fgi_task_set(task, result, result == FG_OK ? &path->work : NULL, out_task);
}

enum fg_result fg_task_result_path(struct fg_task *task, struct fg_path_reply *out_reply)
{
    struct fgi_work *work = fgi_task_work(task, FGI_WORK_PATH);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (!work->is_done) {
        return FG_ERR_STATE;
    }
    *out_reply = ((struct fgi_path_work *)work)->reply;
    return FG_OK;
}

/* ---- slices ---------------------------------------------------------------------------------- */

static enum fg_result begin_slice(struct fg_query *query, const struct fgi_question *question,
                                  const struct fg_slice_request *request,
                                  struct fgi_slice_work **out_slice)
{
    struct fg_slice_request r = *request;
    if (r.direction > FG_SLICE_BOTH || !fill_range(&r.start_ns, &r.end_ns)) {
        return FG_ERR_ARGUMENT;
    }
    if (r.row >= fgi_trace_rows(query->engine->trace)) {
        return FG_ERR_NOT_FOUND;
    }
    r.families = r.families ? r.families : UINT32_MAX;
    r.max_hops = r.max_hops ? r.max_hops : UINT32_MAX;
    r.max_rows = r.max_rows ? r.max_rows : DEFAULT_SLICE;
    return query->engine->ops->slice_begin(query->engine, question, &r, out_slice);
}

enum fg_result fg_query_slice(struct fg_query *query, const struct fg_slice_request *request,
                              struct fg_slice_reply *out_reply)
{
    struct fgi_slice_work *slice = NULL;
    enum fg_result result = begin_slice(query, &query->question, request, &slice);
    if (result != FG_OK) {
        return result;
    }
    result = fgi_work_run(&slice->work, &query->question);
    if (result == FG_OK) {
        *out_reply = slice->reply;
    }
    fgi_work_destroy(&slice->work);
    return result;
}

enum fg_result fg_task_slice(struct fg_query *query, const struct fg_slice_request *request,
                             uint32_t scheduling, struct fg_task **out_task)
{
    struct fgi_slice_work *slice = NULL;
    struct fg_task *task = NULL;
    enum fg_result result = fgi_task_create(query, scheduling, &task);
    if (result != FG_OK) {
        return result;
    }
    result = begin_slice(query, fgi_task_question(task), request, &slice);
    return fgi_task_set(task, result, result == FG_OK ? &slice->work : NULL, out_task);
}

enum fg_result fg_task_result_slice(struct fg_task *task, struct fg_slice_reply *out_reply)
{
    struct fgi_work *work = fgi_task_work(task, FGI_WORK_SLICE);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (!work->is_done) {
        return FG_ERR_STATE;
    }
    *out_reply = ((struct fgi_slice_work *)work)->reply;
    return FG_OK;
}
