/* SPDX-License-Identifier: MIT */
/* Public tasks: work with memory of its own, a generation, and counts of its steps. */
#include "trace/task.h"
#include "base/alloc.h"

struct fg_task {
    struct fg_query *query;
    struct fgi_work *work;
    struct fgi_arena arena;
    struct fgi_question question;
    uint64_t generation;
    uint64_t largest_step_rows;
    uint32_t steps, oversized_steps, scheduling;
    enum fg_result result; /* the first failure: it is the last word */
};

void fgi_work_destroy(struct fgi_work *work)
{
    if (work) {
        work->ops->destroy(work);
    }
}

enum fg_result fgi_work_run(struct fgi_work *work, const struct fgi_question *question)
{
    enum fg_result result = FG_OK;
    while (result == FG_OK && !work->is_done) {
        result = fgi_question_cancelled(question)
                     ? FG_ERR_CANCELLED
                     : work->ops->step(work, question, FGI_WORK_RUN_ROWS);
    }
    return result;
}

enum fg_result fgi_task_create(struct fg_query *query, uint32_t scheduling,
                               struct fg_task **out_task)
{
    if (!query || !out_task || scheduling > FG_TASK_BACKGROUND) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_task *task = fgi_calloc(query->allocator, 1, sizeof *task);
    if (!task) {
        return FG_ERR_NO_MEMORY;
    }
    task->query = query;
    task->arena.allocator = query->allocator;
    task->question = query->question;
    task->question.arena = &task->arena;
    task->generation = query->generation;
    task->scheduling = scheduling;
    *out_task = task;
    return FG_OK;
}

const struct fgi_question *fgi_task_question(const struct fg_task *task)
{
    return &task->question;
}

enum fg_result fgi_task_set(struct fg_task *task, enum fg_result begun, struct fgi_work *work,
                            struct fg_task **out_task)
{
    if (begun != FG_OK) {
        fg_task_destroy(task);
        return begun;
    }
    task->work = work;
    *out_task = task;
    return FG_OK;
}

struct fgi_work *fgi_task_work(struct fg_task *task, enum fgi_work_kind kind)
{
    return task && task->work->kind == kind ? task->work : NULL;
}

void fg_task_progress(const struct fg_task *task, struct fg_task_progress *out_progress)
{
    const struct fgi_work *work = task->work;
    *out_progress = (struct fg_task_progress){
        .done_rows = work->done_rows,
        .total_rows = work->done_rows > work->total_rows ? work->done_rows : work->total_rows,
        .stage = work->stage,
        .stage_count = work->stage_count,
        .is_done = work->is_done,
        .steps = task->steps,
        .oversized_steps = task->oversized_steps,
        .largest_step_rows = task->largest_step_rows,
        .scheduling = task->scheduling,
    };
}

enum fg_result fg_task_step(struct fg_task *task, uint64_t max_rows,
                            struct fg_task_progress *out_progress)
{
    struct fgi_work *work = task->work;
    if (task->result == FG_OK && !work->is_done) {
        uint64_t before = work->done_rows;
        bool is_over =
            task->generation != task->query->generation || fgi_question_cancelled(&task->question);
        task->result =
            is_over ? FG_ERR_CANCELLED
                    : work->ops->step(work, &task->question, max_rows ? max_rows : UINT64_MAX);
        uint64_t rows = work->done_rows - before;
        task->steps += !is_over;
        task->oversized_steps += max_rows > 0 && rows > max_rows;
        task->largest_step_rows = rows > task->largest_step_rows ? rows : task->largest_step_rows;
    }
    if (out_progress) {
        fg_task_progress(task, out_progress);
    }
    return task->result;
}

void fg_task_destroy(struct fg_task *task)
{
    if (task) {
        fgi_work_destroy(task->work);
        fgi_arena_finish(&task->arena);
        fgi_free(task->query->allocator, task, sizeof *task);
    }
}

void fg_query_next_generation(struct fg_query *query)
{
    query->generation++;
}

/* ---- budgets --------------------------------------------------------------------------------- */

#define SCALE_ONE UINT64_C(65536)

static uint64_t scale_of(const struct fg_task_budget *budget)
{
    return budget->scale_q16 ? budget->scale_q16 : SCALE_ONE;
}

uint64_t fg_task_budget_rows(const struct fg_task_budget *budget)
{
    uint64_t scale = scale_of(budget);
    uint64_t whole = budget->rows / SCALE_ONE;
    uint64_t part = budget->rows % SCALE_ONE;
    if (whole > (UINT64_MAX >> 1) / scale) {
        return UINT64_MAX >> 1;
    }
    uint64_t rows = whole * scale + (part * scale + SCALE_ONE / 2) / SCALE_ONE;
    return rows > 0 ? rows : 1;
}

void fg_task_budget_adjust(struct fg_task_budget *budget, uint64_t done_rows, uint64_t elapsed_ns)
{
    static const uint64_t targets_ns[] = { 4000000, 8000000, 16000000 };
    uint32_t scheduling =
        budget->scheduling <= FG_TASK_BACKGROUND ? budget->scheduling : FG_TASK_BACKGROUND;
    uint64_t allowed = fg_task_budget_rows(budget);
    uint64_t scale = scale_of(budget);
    double saturation = done_rows < allowed ? (double)done_rows / (double)allowed : 1;
    double wanted =
        (double)targets_ns[scheduling] * saturation / (double)(elapsed_ns > 0 ? elapsed_ns : 1);
    wanted = wanted < 0.5 ? 0.5 : wanted > 2 ? 2 : wanted;
    scale = (uint64_t)((double)scale * (1 + (wanted - 1) / 4) + 0.5);
    scale = scale < SCALE_ONE / 8 ? SCALE_ONE / 8 : scale;
    budget->scale_q16 = (uint32_t)(scale > 4 * SCALE_ONE ? 4 * SCALE_ONE : scale);
}

/* ---- filters, which are made in steps -------------------------------------------------------- */

static bool are_terms_legal(const struct fg_filter_terms *terms)
{
    return terms && !(terms->has_range && terms->start_ns >= terms->end_ns) &&
           !(terms->has_frames && terms->first_frame > terms->end_frame) &&
           terms->similar_parent_percent <= 100;
}

static void take_filter(struct fgi_filter_work *work, uint32_t *out_filter, uint32_t *out_rows)
{
    work->is_taken = true;
    *out_filter = work->filter;
    *out_rows = work->rows;
}

enum fg_result fg_query_filter_create(struct fg_query *query, const struct fg_filter_terms *terms,
                                      uint32_t *out_filter, uint32_t *out_rows)
{
    struct fgi_filter_work *work = NULL;
    if (!are_terms_legal(terms)) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result =
        query->engine->ops->filter_begin(query->engine, &query->question, terms, &work);
    if (result == FG_OK) {
        result = fgi_work_run(&work->work, &query->question);
        if (result == FG_OK) {
            take_filter(work, out_filter, out_rows);
        }
        fgi_work_destroy(&work->work);
    }
    return result;
}

enum fg_result fg_query_filter_destroy(struct fg_query *query, uint32_t filter)
{
    return query->engine->ops->filter_destroy(query->engine, filter);
}

enum fg_result fg_task_filter(struct fg_query *query, const struct fg_filter_terms *terms,
                              uint32_t scheduling, struct fg_task **out_task)
{
    struct fg_task *task = NULL;
    struct fgi_filter_work *work = NULL;
    if (!are_terms_legal(terms)) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_task_create(query, scheduling, &task);
    if (result != FG_OK) {
        return result;
    }
    result = query->engine->ops->filter_begin(query->engine, &task->question, terms, &work);
    return fgi_task_set(task, result, work ? &work->work : NULL, out_task);
}

enum fg_result fg_task_result_filter(struct fg_task *task, uint32_t *out_filter, uint32_t *out_rows)
{
    struct fgi_filter_work *work = (struct fgi_filter_work *)fgi_task_work(task, FGI_WORK_FILTER);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (!work->work.is_done || work->is_taken) {
        return FG_ERR_STATE;
    }
    take_filter(work, out_filter, out_rows);
    return FG_OK;
}
