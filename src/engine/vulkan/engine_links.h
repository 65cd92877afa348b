/* SPDX-License-Identifier: MIT */
/*
 * Dependencies of a Vulkan engine: those that follow from frame graphs, made by the host in steps
 * when a question first asks for their family; lists by row on the device; and what is reached
 * along them. What the device fails at has gone through fgi_gpu_fall_back().
 */
#ifndef FGI_ENGINE_LINKS_H
#define FGI_ENGINE_LINKS_H
#include "engine/vulkan/engine_filter.h"
#include "engine/vulkan/gpu_reach.h"
#include "trace/dependencies.h"

/* Hops up to so many rows, and four times as many dependencies, are one group's work on the device.
   Tests are also compiled with 2. */
#ifndef FGI_GPU_ALONE_ROWS
#define FGI_GPU_ALONE_ROWS FGI_GPU_REACH_ALONE
#endif

/* ---- dependencies (engine_links.c) ----------------------------------------------------------- */

/** Can the device number them at all? */
bool fgi_gpu_links_fit(const struct fgi_engine_vulkan *vulkan);
/** Rows that are still to be looked at before fgi_gpu_graph() has all of these families. */
uint64_t fgi_gpu_derived_rows(const struct fgi_engine_vulkan *vulkan, uint32_t families);
/** Go on with at most `max_rows` rows, or the smallest piece. What fails here is an answer. */
FG_MUST_USE enum fg_result fgi_gpu_derive(struct fgi_engine_vulkan *vulkan,
                                          const struct fgi_question *question, uint32_t families,
                                          uint64_t max_rows, uint64_t *done, bool *is_over);
/** What has been made so far. */
struct fgi_graph fgi_gpu_graph(const struct fgi_engine_vulkan *vulkan, uint32_t families);
/** What has been made is made at the host as well, which goes on: it was counted here. */
FG_MUST_USE enum fg_result fgi_gpu_host_derive(struct fgi_engine_vulkan *vulkan,
                                               const struct fgi_question *question);
void fgi_gpu_linked_end(struct fgi_engine_vulkan *vulkan);

/** Rows of a column from a host's list, in pieces. */
struct fgi_gpu_sending {
    const struct fgi_gpu_column *column;
    uint64_t rows;
    /** Writes rows [first, first + count). */
    void (*fill)(const void *context, uint64_t first, uint32_t count, void *out_rows);
    const void *context;
    const char *what; /**< for fgi_gpu_fall_back() */
};
FG_MUST_USE enum fg_result fgi_gpu_send(struct fgi_engine_vulkan *vulkan,
                                        const struct fgi_gpu_sending *sending);
/** A `fill` for columns of words: `context` is a list of them. */
void fgi_gpu_fill_words(const void *context, uint64_t first, uint32_t count, void *out_rows);
/** The first words of a column, brought to the host. */
FG_MUST_USE enum fg_result fgi_gpu_fetch(struct fgi_engine_vulkan *vulkan,
                                         const struct fgi_question *question,
                                         const struct fgi_gpu_column *column, uint32_t words,
                                         void *out_words, const char *what);

/** The words of one row. */
struct fg_compute_view fgi_gpu_row_view(const struct fgi_gpu_column *column, uint32_t row);
/** A whole column by row, in the question's memory. */
FG_MUST_USE enum fg_result fgi_gpu_fetch_rows(struct fgi_engine_vulkan *vulkan,
                                              const struct fgi_question *question,
                                              const struct fgi_gpu_column *column, const char *what,
                                              const void **out_rows);

/* ---- paths (engine_path.c, engine_path_links.c) ---------------------------------------------- */

/**
 * The circle that a row is on or hangs on: each one's source before it, the lowest row first.
 *
 * @param to_source goes from a row to what it depends on; false: that cannot be read
 */
FG_MUST_USE enum fg_result fgi_gpu_tell_circle(const struct fgi_question *question,
                                               bool (*to_source)(void *context, uint32_t *row),
                                               void *context, uint32_t row,
                                               struct fg_path_reply *reply);
/** A path over dependencies. @param filter NULL = all rows; one more use of it */
FG_MUST_USE enum fg_result fgi_gpu_path_links_begin(struct fgi_engine_vulkan *vulkan,
                                                    const struct fg_path_request *request,
                                                    struct fgi_gpu_filter *filter,
                                                    struct fgi_path_work **out_work);

/* ---- what is reached along them (engine_reach.c) --------------------------------------------- */

/** What there is on the device; kept as long as the engine asks it. */
struct fgi_gpu_linked {
    struct fgi_deriving *deriving;
    struct fgi_links derived;
    bool is_derived;
    struct fg_compute_memory upload; /**< for fgi_gpu_send() */
    struct fg_compute_graph *sends;
    struct fgi_gpu_links links; /**< lists by row; gpu NULL: not made */
    struct fgi_gpu_reach reach;
    struct fg_compute_graph *begin, *go_on; /**< a question's beginning, and some hops of it */
};
/** Zero until it is first asked for. */
FG_MUST_USE enum fg_result fgi_gpu_linked_of(struct fgi_engine_vulkan *vulkan,
                                             struct fgi_gpu_linked **out_linked);
/** The lists by row go, and what stands on them. */
void fgi_gpu_linked_drop(struct fgi_gpu_linked *linked);
/** Lists by row that have these families; made when they are not there. */
FG_MUST_USE enum fg_result fgi_gpu_links_of(struct fgi_engine_vulkan *vulkan, uint32_t families,
                                            struct fgi_gpu_linked **out_linked);

/** What a question has reached; rows, dependencies and mask lie in `linked->reach`. */
struct fgi_gpu_reached {
    const struct fgi_gpu_linked *linked;
    uint32_t count;                       /**< rows, the seeds included */
    struct fgi_gpu_reach_record *records; /**< of each hop that was expanded, from the seeds on */
    uint32_t record_count, record_room;
    struct fgi_gpu_reach_state state; /**< at the end */
};
/**
 * Ask and wait for all of it.
 *
 * @param words what the question is; columns but `passing` are filled in
 * @param seeds words->seed_count rows, each once
 */
FG_MUST_USE enum fg_result fgi_gpu_reach_all(struct fgi_engine_vulkan *vulkan,
                                             const struct fgi_question *question,
                                             struct fgi_gpu_reach_words *words,
                                             const uint32_t *seeds,
                                             struct fgi_gpu_reached *out_reached);

/** It is an answer: count what was looked at for it. */
void fgi_gpu_reached_visits(const struct fgi_gpu_reached *reached, struct fg_visits *visits);

/* ---- operations ------------------------------------------------------------------------------ */

enum fg_result fgi_vulkan_dependency(struct fg_engine *, const struct fgi_question *, uint32_t,
                                     struct fg_trace_dependency *);
uint64_t fgi_vulkan_links_bytes(const struct fg_engine *);
enum fg_result fgi_vulkan_focus_begin(struct fg_engine *, const struct fgi_question *,
                                      const struct fg_focus_request *, struct fgi_focus_work **);
enum fg_result fgi_vulkan_slice_begin(struct fg_engine *, const struct fgi_question *,
                                      const struct fg_slice_request *, struct fgi_slice_work **);
enum fg_result fgi_vulkan_path_begin(struct fg_engine *, const struct fgi_question *,
                                     const struct fg_path_request *, struct fgi_path_work **);
enum fg_result fgi_vulkan_project(struct fg_engine *, const struct fgi_question *,
                                  const struct fg_project_request *, struct fg_project_reply *);

#endif
