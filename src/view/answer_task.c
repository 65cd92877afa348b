/* SPDX-License-Identifier: MIT */
/*
 * TASK: long work in steps, and the same work answered at once. A step has as many rows as its
 * client says, or as its class may take the time for; work in the background makes way for work
 * that somebody waits for.
 */
#include "base/clock.h"
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
    TAG_STAGE = 0x2542,
    TAG_WAITS = 0x2543,
};

static void job_finish(struct fgi_job *job)
{
    fg_task_destroy(job->task);
    fg_query_destroy(job->other);
    job->task = NULL;
    job->other = NULL;
}

static enum fg_result explain(struct fgi_ask *ask, const struct fgi_job_ops *ops,
                              enum fg_result result)
{
    return result == FG_ERR_LIMIT && ops->too_much != NULL
               ? fgi_ask_fail(ask, result, ops->too_much)
               : result;
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
    return explain(ask, ops, result);
}

static const struct fgi_job_ops *ops_of(uint32_t kind)
{
    switch (kind) {
    case FGI_KIND_FILTER_CREATE:
        return &fgi_filter_job;
    case FGI_KIND_SEARCH:
        return &fgi_search_job;
    case FGI_KIND_STATS:
        return &fgi_stats_job;
    case FGI_KIND_COMPARE:
        return &fgi_compare_job;
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

/* Of the stage that is worked at. */
static const char *stage_name(const struct fgi_job_ops *ops, const struct fg_task_progress *at)
{
    size_t known = 0;
    while (known < sizeof ops->stages / sizeof *ops->stages && ops->stages[known] != NULL) {
        known++;
    }
    return ops->stages[at->stage + (ops->has_parts ? 0 : known - at->stage_count)];
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

static int64_t now_ns(const struct fgi_view *view)
{
    return view->options.now_ns != NULL ? view->options.now_ns(view->options.context)
                                        : fgi_clock_monotonic_ns();
}

/*
 * Tasks whose generation is over, or whose client went away without a word, would hold their memory
 * for nothing.
 */
static void end_left_tasks(struct fgi_view *view)
{
    int64_t now = now_ns(view);
    for (size_t i = 0; i < FGI_VIEW_TRACES * FGI_MAX_TASKS; i++) {
        struct fgi_view_task *task = &view->traces[i / FGI_MAX_TASKS].tasks[i % FGI_MAX_TASKS];
        if (task->number != 0 &&
            (is_past(task) || now - task->asked_ns > INT64_C(1000000000) * FGI_TASK_IDLE_S)) {
            end_task(task);
        }
    }
}

static void note_use(struct fgi_view_task *task)
{
    task->last_used = ++task->view->task_clock;
    task->asked_ns = now_ns(task->view);
}

/*
 * May a more urgent task go first? One that was asked for since this one had a turn is on its way;
 * but of four turns one is this one's, so that it comes to an end all the same.
 */
static bool is_held(struct fgi_view_task *task)
{
    const struct fgi_view *view = task->view;
    bool is_urgent = false;
    for (size_t i = 0; i < FGI_VIEW_TRACES * FGI_MAX_TASKS && !is_urgent; i++) {
        const struct fgi_view_task *other =
            &view->traces[i / FGI_MAX_TASKS].tasks[i % FGI_MAX_TASKS];
        is_urgent = other->number != 0 && other->last_used > task->last_turn &&
                    other->budget.scheduling < task->budget.scheduling;
    }
    task->steps_held = is_urgent && task->steps_held < FGI_STEPS_HELD ? task->steps_held + 1 : 0;
    return task->steps_held > 0;
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

/* `number` 0: the answer is in the same reply. */
static void put_progress(struct fgi_ask *ask, const struct fgi_view_task *task, uint32_t number,
                         bool is_held)
{
    struct fg_task_progress progress;
    fg_task_progress(task->job.task, &progress);
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
    if (!progress.is_done) {
        fgi_reply_text(ask->reply, TAG_STAGE, stage_name(ops_of(task->kind), &progress));
    }
    if (is_held) {
        fgi_reply_u32(ask->reply, TAG_WAITS, 1);
    }
}

/* `rows` 0: as many as the class of the task has the time for. */
static enum fg_result advance(struct fgi_view_task *task, uint64_t rows,
                              struct fg_task_progress *out_progress)
{
    int64_t began = now_ns(task->view);
    uint64_t before = out_progress->done_rows;
    enum fg_result result = fg_task_step(
        task->job.task, rows != 0 ? rows : fg_task_budget_rows(&task->budget), out_progress);
    int64_t took = now_ns(task->view) - began;
    if (rows == 0 && took > 0) { /* the clock of a module stands still */
        fg_task_budget_adjust(&task->budget, out_progress->done_rows - before, (uint64_t)took);
    }
    task->last_turn = ++task->view->task_clock;
    return result;
}

static enum fg_result step(struct fgi_ask *ask, struct fgi_view_task *task, uint64_t rows)
{
    const struct fgi_job_ops *ops = ops_of(task->kind);
    struct fg_task_progress progress;
    note_use(task);
    if (is_held(task)) {
        put_progress(ask, task, task->number, true);
        return FG_OK;
    }
    fg_task_progress(task->job.task, &progress);
    uint32_t stage = progress.stage;
    enum fg_result result = advance(task, rows, &progress);
    if (result == FG_OK) {
        put_progress(ask, task, progress.is_done ? 0 : task->number, false);
        if (progress.is_done || (ops->has_parts && progress.stage > stage)) {
            result = ops->put(ask, &task->job);
        }
    }
    if (result != FG_OK || progress.is_done) {
        end_task(task);
    }
    return explain(ask, ops, result);
}

static enum fg_result read_rows(struct fgi_ask *ask, bool *out_given, uint64_t *out_rows)
{
    const struct fgi_section *section =
        fgi_request_exact(ask->request, TAG_STEP_ROWS, FGI_TYPE_U64, 1);
    *out_given = section != NULL;
    *out_rows = section == NULL ? 0 : fgi_section_u64(section, 0);
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
    uint64_t step_rows = ask->view->options.step_rows;
    struct fgi_view_task *task = free_slot(ask->entry);
    *task = (struct fgi_view_task){
        .kind = (uint16_t)kind,
        .channel = ask->request->channel,
        .client = ask->request->client,
        .generation = ask->request->generation,
        .budget = { .rows = step_rows != 0 ? step_rows : FGI_STEP_ROWS, .scheduling = scheduling },
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
    note_use(task);
    task->last_turn = task->last_used;
    if (has_rows) {
        return step(ask, task, rows);
    }
    put_progress(ask, task, task->number, false);
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
    end_left_tasks(ask->view);
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
    return step(ask, task, rows);
}
