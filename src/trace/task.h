/* SPDX-License-Identifier: MIT */
/*
 * Long work from inside. Whoever does it makes a struct that begins with a fgi_work;
 * src/trace/task.c makes a public task of it, or runs it to its end at once.
 */
#ifndef FGI_TASK_H
#define FGI_TASK_H
#include "trace/query_priv.h"
#include <frameglass/trace_anomaly.h>
#include <frameglass/trace_compare.h>
#include <frameglass/trace_find.h>
#include <frameglass/trace_path.h>
#include <frameglass/trace_task.h>

/** What its answer is. */
enum fgi_work_kind {
    FGI_WORK_FILTER,
    FGI_WORK_STATS,
    FGI_WORK_AGGREGATE,
    FGI_WORK_HISTOGRAM,
    FGI_WORK_BUCKETS,
    FGI_WORK_PROFILE,
    FGI_WORK_ANOMALIES,
    FGI_WORK_GROUPS,
    FGI_WORK_PATH,
    FGI_WORK_FOCUS,
    FGI_WORK_SLICE,
    FGI_WORK_LINKS,
    FGI_WORK_SEARCH,
    FGI_WORK_COMPARE,
};
struct fgi_work;
struct fgi_task_ops {
    /**
     * Look at rows until `max_rows` are reached or the next piece is larger than what is left (the
     * first piece of a step is always done). Adds to done_rows; raises `stage` only when what
     * belongs to it is in the answer; sets is_done. Memory of the answer is the question's arena,
     * the same in every step.
     */
    enum fg_result (*step)(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows);
    /** In any state. */
    void (*destroy)(struct fgi_work *work);
};
struct fgi_work {
    const struct fgi_task_ops *ops;
    enum fgi_work_kind kind;
    uint64_t done_rows, total_rows;
    uint32_t stage, stage_count;
    bool is_done;
};

/** Answers of the kinds of work; an answer is there by stages. */
struct fgi_filter_work {
    struct fgi_work work;
    uint32_t filter; /**< 0 until it is made */
    uint32_t rows;
    bool is_taken; /**< it stays when the work ends */
};
struct fgi_stats_work {
    struct fgi_work work;
    struct fg_stats_reply reply;
};
struct fgi_aggregate_work {
    struct fgi_work work;
    struct fg_aggregate_reply reply;
};
struct fgi_histogram_work {
    struct fgi_work work;
    struct fg_histogram_reply reply;
};
struct fgi_buckets_work {
    struct fgi_work work;
    struct fg_buckets_reply reply;
};
struct fgi_anomaly_work {
    struct fgi_work work;
    struct fg_anomaly_reply reply; /**< `scores` 0 until they are kept */
    bool is_taken;                 /**< they stay when the work ends */
};
struct fgi_groups_work {
    struct fgi_work work;
    struct fg_groups_reply reply;
};
struct fgi_path_work {
    struct fgi_work work;
    struct fg_path_reply reply;
};
struct fgi_focus_work {
    struct fgi_work work;
    struct fg_focus_reply reply;
};
struct fgi_slice_work {
    struct fgi_work work;
    struct fg_slice_reply reply;
};
struct fgi_links_work {
    struct fgi_work work;
    struct fg_links_reply reply;
};
struct fgi_search_work {
    struct fgi_work work;
    struct fg_search_reply reply;
};

struct fgi_compare_work {
    struct fgi_work work;
    struct fg_compare_reply reply;
};

/** Rows of one step when nobody counts them: between two looks at whether to stop. */
#define FGI_WORK_RUN_ROWS (UINT64_C(1) << 22)

/** Step until it is done or fails; the work stays the caller's. */
FG_MUST_USE enum fg_result fgi_work_run(struct fgi_work *work, const struct fgi_question *question);
/** NULL is legal. */
void fgi_work_destroy(struct fgi_work *work);

/**
 * A task without its work: fg_task_<what>() makes it, begins the work with its question, and hands
 * the work over by fgi_task_set().
 */
FG_MUST_USE enum fg_result fgi_task_create(struct fg_query *query, uint32_t scheduling,
                                           struct fg_task **out_task);
/** Whose memory is the task's. */
const struct fgi_question *fgi_task_question(const struct fg_task *task);
/**
 * @param begun the result of beginning the work; a failure ends the task
 * @param work  transferred
 */
FG_MUST_USE enum fg_result fgi_task_set(struct fg_task *task, enum fg_result begun,
                                        struct fgi_work *work, struct fg_task **out_task);
/** The task's work when it is of this kind, else NULL. */
struct fgi_work *fgi_task_work(struct fg_task *task, enum fgi_work_kind kind);

#endif
