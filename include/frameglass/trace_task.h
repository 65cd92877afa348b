/* SPDX-License-Identifier: MIT */
/*
 * Long work in steps: the caller says how many rows a step may look at, sees how far the work is,
 * and stops it by not going on. Work that is not finished leaves nothing behind.
 */
#ifndef FG_TRACE_TASK_H
#define FG_TRACE_TASK_H
#include <frameglass/trace_query.h>

FG_BEGIN_DECLS

/**
 * Work on its way. It is made by fg_task_<what>(), advanced by fg_task_step(), and read by
 * fg_task_result_<what>(). Its answer is lent until the task is destroyed; a reset of the query
 * does not touch it. It ends before its query. fg_query_<what>() is the same work run to its end.
 */
struct fg_task;

/** Who waits for it. */
enum fg_task_class {
    FG_TASK_INTERACTIVE = 0, /**< somebody asked for it: paths, anomalies, what is in view */
    FG_TASK_NORMAL = 1,
    FG_TASK_BACKGROUND = 2, /**< indexes, profiles of a whole trace */
};

struct fg_task_progress {
    uint64_t done_rows;   /**< looked at so far; a row may be looked at more than once */
    uint64_t total_rows;  /**< estimate of all; known before the first step, never less than done */
    uint32_t stage;       /**< stages of which the answer is there and will not change */
    uint32_t stage_count; /**< at the end stage == stage_count */
    bool is_done;
    uint32_t steps;           /**< taken */
    uint32_t oversized_steps; /**< had to look at more rows than they were allowed */
    uint64_t largest_step_rows;
    uint32_t scheduling; /**< enum fg_task_class */
};

FG_API void fg_task_progress(const struct fg_task *task, struct fg_task_progress *out_progress);
/**
 * Go on. A step does at least the smallest piece of work there is, and otherwise no more than it
 * may; one that had to do more is counted.
 *
 * @param max_rows     0 = without a limit
 * @param out_progress NULL is legal
 * @return FG_OK; FG_ERR_CANCELLED when the query's generation has moved on or its `cancelled` said
 *         so; FG_ERR_NO_MEMORY, or what reading a block again met. After a failure every further
 *         step says the same.
 */
FG_API FG_MUST_USE enum fg_result fg_task_step(struct fg_task *task, uint64_t max_rows,
                                               struct fg_task_progress *out_progress);
/** Ends the work, finished or not. NULL is legal. */
FG_API void fg_task_destroy(struct fg_task *task);
/** Cancel every task that was made of this query so far: their next step says so. */
FG_API void fg_query_next_generation(struct fg_query *query);

/** Making a filter: FG_FILTER terms as in fg_query_filter_create(). One stage. */
FG_API FG_MUST_USE enum fg_result fg_task_filter(struct fg_query *query,
                                                 const struct fg_filter_terms *terms,
                                                 uint32_t scheduling, struct fg_task **out_task);
/** The filter is the caller's from now on. FG_ERR_STATE while it is not made, and a second time. */
FG_API FG_MUST_USE enum fg_result fg_task_result_filter(struct fg_task *task, uint32_t *out_filter,
                                                        uint32_t *out_rows);

/**
 * Statistics as in fg_query_stats(). The lists of the request are copied. Two stages when all
 * figures are asked for: counts, sums and extremes first, then busy times and percentiles, which
 * are 0 until then.
 */
FG_API FG_MUST_USE enum fg_result fg_task_stats(struct fg_query *query,
                                                const struct fg_stats_request *request,
                                                uint32_t scheduling, struct fg_task **out_task);
/** FG_ERR_STATE before the first stage is complete. */
FG_API FG_MUST_USE enum fg_result fg_task_result_stats(struct fg_task *task,
                                                       struct fg_stats_reply *out_reply);

/**
 * How many rows a step may have, learned from what steps took. Zero plus `rows` is valid: `rows` is
 * the step at scale 1. The target is 4, 8 or 16 ms by class; the scale moves a quarter of the way
 * towards target / elapsed (held in [1/2, 2], and not raised by a step that used less than its
 * budget), and stays in [1/8, 4].
 */
struct fg_task_budget {
    uint64_t rows;       /**< at scale 1 */
    uint32_t scheduling; /**< enum fg_task_class */
    uint32_t scale_q16;  /**< 65,536 = 1; 0 = not adjusted yet: 1 */
};
/** Rows that the next step may have: rows * scale, to the nearest, at least 1. */
FG_API uint64_t fg_task_budget_rows(const struct fg_task_budget *budget);
/** A step of the budget's size looked at `done_rows` in `elapsed_ns`. */
FG_API void fg_task_budget_adjust(struct fg_task_budget *budget, uint64_t done_rows,
                                  uint64_t elapsed_ns);

FG_END_DECLS
#endif
