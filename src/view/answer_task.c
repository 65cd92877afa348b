/* SPDX-License-Identifier: MIT */
/* TASK: long work in steps, and the same work answered at once. */
#include "view/view_priv.h"
#include <string.h>

enum {
    TAG_START = 0x2501,
    TAG_STEP = 0x2502,
    TAG_END = 0x2503,
    TAG_STEP_ROWS = 0x2504,
    TAG_CLASS = 0x2505,
    TAG_TASK = 0x2540,
    TAG_PROGRESS = 0x2541,
};

static void job_finish(struct fgi_job *job)
{
    fg_task_destroy(job->task);
    fg_query_destroy(job->other);
    job->task = NULL;
    job->other = NULL;
}

enum fg_result fgi_job_answer(struct fgi_ask *ask, const struct fgi_job_ops *ops)
{
    struct fgi_job job = { .query = ask->query };
    struct fg_task_progress progress = { 0 };
    enum fg_result result = ops->begin(ask, &job, FG_TASK_INTERACTIVE);
    /* A step ends where a stage does, whatever it may look at. */
    while (result == FG_OK && !progress.is_done) {
        result = fg_task_step(job.task, 0, &progress);
    }
    if (result == FG_OK) {
        result = ops->put(ask, &job);
    }
    job_finish(&job);
    return result;
}

static const struct fgi_job_ops *ops_of(uint32_t kind)
{
    switch (kind) {
    case FGI_KIND_FILTER_CREATE:
        return &fgi_filter_job;
    case FGI_KIND_STATS:
        return &fgi_stats_job;
    case FGI_KIND_LINKS:
        return &fgi_links_job;
    case FGI_KIND_FOCUS:
        return &fgi_focus_job;
    case FGI_KIND_SLICE:
        return &fgi_slice_job;
    case FGI_KIND_PATH:
        return &fgi_path_job;
    case FGI_KIND_AGGREGATE:
        return &fgi_aggregate_job;
    case FGI_KIND_HISTOGRAM:
        return &fgi_histogram_job;
    case FGI_KIND_BUCKETS:
        return &fgi_buckets_job;
    case FGI_KIND_ANOMALIES:
        return &fgi_anomalies_job;
    case FGI_KIND_GROUP_SCORES:
        return &fgi_groups_job;
    default:
        return NULL;
    }
}

/* ---- the tasks of a trace -------------------------------------------------------------------- */

static void end_task(struct fgi_view_task *task)
{
    job_finish(&task->job);
    fg_query_destroy(task->job.query);
    memset(task, 0, sizeof *task);
}

void fgi_view_tasks_end(struct fgi_view *view)
{
    for (size_t i = 0; i < FGI_VIEW_TRACES; i++) {
        for (size_t k = 0; k < FGI_MAX_TASKS; k++) {
            end_task(&view->traces[i].tasks[k]);
        }
    }
}

static bool is_past(void *context)
{
    const struct fgi_view_task *task = context;
    return fgi_view_is_past(task->view, task->client, task->channel, task->generation);
}

/* Tasks whose generation is over would hold their memory for nothing. */
static void end_past_tasks(struct fgi_view_trace *entry)
{
    for (size_t i = 0; i < FGI_MAX_TASKS; i++) {
        if (entry->tasks[i].number != 0 && is_past(&entry->tasks[i])) {
            end_task(&entry->tasks[i]);
        }
    }
}

static struct fgi_view_task *find_task(struct fgi_view_trace *entry, uint32_t number)
{
    for (size_t i = 0; number != 0 && i < FGI_MAX_TASKS; i++) {
        if (entry->tasks[i].number == number) {
            return &entry->tasks[i];
        }
    }
    return NULL;
}

static struct fgi_view_task *free_slot(struct fgi_view_trace *entry)
{
    struct fgi_view_task *oldest = &entry->tasks[0];
    for (size_t i = 1; i < FGI_MAX_TASKS; i++) {
        if (entry->tasks[i].last_used < oldest->last_used) {
            oldest = &entry->tasks[i];
        }
    }
    end_task(oldest);
    return oldest;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void put_progress(struct fgi_ask *ask, uint32_t number, const struct fg_task *task)
{
    struct fg_task_progress progress;
    fg_task_progress(task, &progress);
    fgi_reply_u32(ask->reply, TAG_TASK, number);
    uint64_t *to = fgi_u64s(ask, TAG_PROGRESS, 7);
    if (to != NULL) {
        to[0] = progress.done_rows;
        to[1] = progress.total_rows;
        to[2] = progress.stage;
        to[3] = progress.stage_count;
        to[4] = progress.steps;
        to[5] = progress.oversized_steps;
        to[6] = progress.largest_step_rows;
    }
}

static enum fg_result step(struct fgi_ask *ask, struct fgi_view_task *task, uint64_t rows)
{
    struct fg_task_progress progress;
    enum fg_result result = fg_task_step(task->job.task, rows, &progress);
    if (result == FG_OK && !progress.is_done) {
        put_progress(ask, task->number, task->job.task);
        return FG_OK;
    }
    if (result == FG_OK) {
        put_progress(ask, 0, task->job.task);
        result = ops_of(task->kind)->put(ask, &task->job);
    }
    end_task(task);
    return result;
}

static enum fg_result read_rows(struct fgi_ask *ask, bool *out_given, uint64_t *out_rows)
{
    const struct fgi_section *section =
        fgi_request_exact(ask->request, TAG_STEP_ROWS, FGI_TYPE_U64, 1);
    *out_given = section != NULL;
    *out_rows = section == NULL ? 0 : fgi_section_u64(section, 0);
    *out_rows = *out_rows == 0 ? FGI_STEP_ROWS : *out_rows;
    return ask->request->result;
}

static enum fg_result start(struct fgi_ask *ask, uint32_t kind, bool has_rows, uint64_t rows)
{
    const struct fgi_job_ops *ops = ops_of(kind);
    uint32_t scheduling = fgi_request_u32(ask->request, TAG_CLASS, FG_TASK_INTERACTIVE);
    if (ops == NULL) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "requests of this kind are not done in steps");
    }
    if (scheduling > FG_TASK_BACKGROUND) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a class is interactive, normal or background");
    }
    struct fgi_view_task *task = free_slot(ask->entry);
    *task = (struct fgi_view_task){
        .kind = (uint16_t)kind,
        .channel = ask->request->channel,
        .client = ask->request->client,
        .generation = ask->request->generation,
        .view = ask->view,
    };
    enum fg_result result = fg_query_create(ask->entry->engine, ask->view->options.allocator,
                                            is_past, task, &task->job.query);
    if (result == FG_OK) {
        result = ops->begin(ask, &task->job, scheduling);
    }
    if (result != FG_OK) {
        end_task(task);
        return result;
    }
    task->number = ++ask->entry->last_task;
    task->last_used = ++ask->entry->task_clock;
    if (has_rows) {
        return step(ask, task, rows);
    }
    put_progress(ask, task->number, task->job.task);
    return FG_OK;
}

enum fg_result fgi_answer_TASK(struct fgi_ask *ask)
{
    uint32_t kind = fgi_request_u32(ask->request, TAG_START, 0);
    uint32_t go_on = fgi_request_u32(ask->request, TAG_STEP, 0);
    uint32_t end = fgi_request_u32(ask->request, TAG_END, 0);
    bool has_rows;
    uint64_t rows;
    enum fg_result result = read_rows(ask, &has_rows, &rows);
    if (result != FG_OK) {
        return result;
    }
    if ((kind != 0) + (go_on != 0) + (end != 0) != 1) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a task is started, gone on with, or ended");
    }
    end_past_tasks(ask->entry);
    if (kind != 0) {
        return start(ask, kind, has_rows, rows);
    }
    struct fgi_view_task *task = find_task(ask->entry, go_on != 0 ? go_on : end);
    if (task == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "there is no task of this number (any more)");
    }
    if (end != 0) {
        end_task(task);
        return FG_OK;
    }
    task->last_used = ++ask->entry->task_clock;
    return step(ask, task, rows);
}
