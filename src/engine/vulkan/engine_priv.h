/* SPDX-License-Identifier: MIT */
/*
 * What the files of the Vulkan engine share.
 *
 * An operation on the device is a function of the table in engine_vulkan.c that looks like
 *
 *     enum fg_result fgi_vulkan_pick(engine, question, request, out_row)
 *     {
 *         struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
 *         enum fg_result result = FG_ERR_STATE;
 *         if (fgi_gpu_ready(vulkan)) {
 *             result = pick_on_device(vulkan, question, request, out_row);
 *         }
 *         return fgi_gpu_answered(vulkan, result) ? result : fgi_host_pick(engine, ...);
 *     }
 *
 * where everything that fails because of the device goes through fgi_gpu_fall_back(). What the
 * request itself is wrong in, what was cancelled, and host memory for the answer are answers.
 */
#ifndef FGI_ENGINE_VULKAN_PRIV_H
#define FGI_ENGINE_VULKAN_PRIV_H
#include "engine/vulkan/engine_vulkan.h"
#include "trace/model.h"
#include "trace/task.h"
#include <frameglass/compute_plan.h>

struct fgi_engine_vulkan;

/**
 * A filter under this engine's own id. Its terms are kept, so that it can be made again on the host
 * when that is first asked with it.
 */
struct fgi_gpu_filter {
    uint32_t id;
    uint32_t uses; /**< times made and held, less times destroyed and let go */
    uint32_t rows;
    struct fgi_arena arena; /**< of what `terms` point to */
    struct fg_filter_terms terms;
    uint8_t *key; /**< the terms in one normal form */
    size_t key_size;
    uint32_t host; /**< its id there; 0: not made there */
    /** What the device has of it, and how that ends; NULL: nothing. */
    void *device;
    void (*device_end)(struct fgi_engine_vulkan *vulkan, void *device);
};

/** Kept scores under this engine's own id, with the request that makes them again. */
struct fgi_gpu_scores {
    uint32_t id;
    uint32_t host; /**< as of a filter */
    struct fgi_arena arena;
    struct fg_anomaly_request request; /**< its filter is held */
    void *device;
    void (*device_end)(struct fgi_engine_vulkan *vulkan, void *device);
};

struct fg_gpu_trace;
struct fg_gpu_population;
struct fgi_gpu_rows;
struct fgi_gpu_cover;
struct fgi_gpu_linked;
struct fgi_gpu_views;

struct fgi_engine_vulkan {
    struct fg_engine engine;
    const struct fg_allocator *allocator;
    struct fg_compute_runner runner;
    struct fg_engine *host; /**< NULL until it is needed */
    enum fg_result (*make_host)(void *context, const struct fg_allocator *allocator,
                                const struct fg_trace *trace, struct fg_engine **out_engine);
    void *host_context;
    FGI_TABLE(struct fgi_gpu_filter *) filters;
    uint32_t next_filter;
    FGI_TABLE(struct fgi_gpu_scores *) scores;
    uint32_t next_scores;
    struct fg_gpu_trace *gpu;      /**< the trace on the device; NULL until it is needed */
    struct fg_gpu_population *all; /**< of all rows; likewise (engine_filter.c) */
    struct fgi_gpu_rows *rows;     /**< of windows and picks; likewise (engine_rows.c) */
    struct fgi_gpu_linked *links;  /**< dependencies; likewise (engine_links.c) */
    struct fgi_gpu_views *views;   /**< likewise (engine_views.c) */
    struct fgi_gpu_cover *cover;   /**< by children; likewise (engine_numbers_cover.c) */

    bool is_fallen;                    /**< for good */
    char reason[200];                  /**< why; "" before */
    struct fg_compute_graph *copies;   /**< what brings results back; NULL before the first */
    struct fg_compute_memory readback; /**< where they arrive; grows */
    struct fg_compute_pace pace;       /**< what one submission may cost, by measured time */
    uint64_t submissions;
    uint64_t own_questions, other_questions;
};

static inline struct fgi_engine_vulkan *fgi_vulkan(struct fg_engine *engine)
{
    return (struct fgi_engine_vulkan *)engine;
}

/* ---- the device (engine_run.c) --------------------------------------------------------------- */

/** Is there any sense in asking the device? Sees a loss that others met. */
bool fgi_gpu_ready(struct fgi_engine_vulkan *vulkan);
/**
 * The device has failed at something: from now on the host answers. The first reason stays.
 *
 * @param what what was tried, in words: "bins of a view"
 * @return `result`
 */
enum fg_result fgi_gpu_fall_back(struct fgi_engine_vulkan *vulkan, enum fg_result result,
                                 const char *what);
/** True when `result` is the answer, false when the host is to be asked. Counts the former. */
bool fgi_gpu_answered(struct fgi_engine_vulkan *vulkan, enum fg_result result);

/** What is wanted from the device after a run. */
struct fgi_gpu_read {
    struct fg_compute_view view; /**< of any size; offset and size are multiples of 4 */
    void *bytes;                 /**< where it goes */
};
/**
 * Compile the graph unless it is compiled, encode, submit, wait, and bring back what was asked for.
 * More than one submission may cost by the pace is submitted in steps.
 *
 * @param graph NULL = only bring back
 * @return FG_OK; what went wrong, after fgi_gpu_fall_back()
 */
FG_MUST_USE enum fg_result fgi_gpu_run(struct fgi_engine_vulkan *vulkan,
                                       struct fg_compute_graph *graph,
                                       const struct fgi_gpu_read *reads, uint32_t read_count,
                                       const char *what);
/** What engine_run.c keeps; `step` as in the engine's options. */
void fgi_gpu_run_init(struct fgi_engine_vulkan *vulkan, const struct fg_compute_budget *step);
void fgi_gpu_run_finish(struct fgi_engine_vulkan *vulkan);

/* ---- the host (engine_host.c) ---------------------------------------------------------------- */

/** The host engine; made by the first call. */
FG_MUST_USE enum fg_result fgi_gpu_host(struct fgi_engine_vulkan *vulkan,
                                        struct fg_engine **out_host);
/** The host's id of a filter, which is made there if it is not there. FG_ERR_NOT_FOUND. */
FG_MUST_USE enum fg_result fgi_gpu_host_filter(struct fgi_engine_vulkan *vulkan,
                                               const struct fgi_question *question, uint32_t filter,
                                               uint32_t *out_filter);
/** The same of scores. `question` NULL: they are made whatever it takes. */
FG_MUST_USE enum fg_result fgi_gpu_host_scores(struct fgi_engine_vulkan *vulkan,
                                               const struct fgi_question *question, uint32_t scores,
                                               uint32_t *out_scores);
/**
 * One step of work that began on the device and goes on at the host, whose reply is brought over.
 *
 * @param work  the caller's: a fgi_..._work
 * @param host  the host's work of the same kind, begun anew; stays the caller's
 * @param bytes size of the fgi_..._work
 */
FG_MUST_USE enum fg_result fgi_gpu_host_step(struct fgi_work *work, struct fgi_work *host,
                                             size_t bytes, const struct fgi_question *question,
                                             uint64_t max_rows);

/* ---- filters and scores by id (engine_filters.c, engine_scores.c) ---------------------------- */

/** NULL for 0 and for an unknown id. */
struct fgi_gpu_filter *fgi_gpu_filter_find(const struct fgi_engine_vulkan *vulkan, uint32_t id);
/**
 * A filter with terms that are kept, and no rows yet; or one more use of one that has equal terms.
 * It has an id and is in the engine's list only after fgi_gpu_filter_add().
 *
 * @param out_filter owned: fgi_gpu_filter_drop(), or _add()
 */
FG_MUST_USE enum fg_result fgi_gpu_filter_make(struct fgi_engine_vulkan *vulkan,
                                               const struct fg_filter_terms *terms,
                                               struct fgi_gpu_filter **out_filter);
/**
 * It is made: puts it into the list, or, where equal terms came first, gives it up for those.
 *
 * @param filter transferred, also on failure; NULL afterwards
 */
FG_MUST_USE enum fg_result fgi_gpu_filter_add(struct fgi_engine_vulkan *vulkan,
                                              struct fgi_gpu_filter **filter,
                                              struct fgi_gpu_filter **out_filter);
/** One use less; the last one ends it. NULL is legal. */
void fgi_gpu_filter_drop(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_filter *filter);
void fgi_gpu_filters_finish(struct fgi_engine_vulkan *vulkan);

/** NULL for an unknown id. */
struct fgi_gpu_scores *fgi_gpu_scores_find(const struct fgi_engine_vulkan *vulkan, uint32_t id);
/**
 * Scores on their way, with a copy of the request. They have an id and are in the engine's list
 * only after fgi_gpu_scores_add().
 */
FG_MUST_USE enum fg_result fgi_gpu_scores_make(struct fgi_engine_vulkan *vulkan,
                                               const struct fg_anomaly_request *request,
                                               struct fgi_gpu_scores **out_scores);
/** They are made, by the device or by the host. Stays the caller's on failure. */
FG_MUST_USE enum fg_result fgi_gpu_scores_add(struct fgi_engine_vulkan *vulkan,
                                              struct fgi_gpu_scores *scores);
/** Ends them. NULL is legal. */
void fgi_gpu_scores_drop(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_scores *scores);
void fgi_gpu_scores_finish(struct fgi_engine_vulkan *vulkan);
/** Copy what a request points to into the arena. False when refused. */
bool fgi_gpu_keep_selection(struct fgi_arena *arena, struct fg_selection *selection);

/* ---- operations that are the host's ---------------------------------------------------------- */

enum fg_result fgi_vulkan_filter_begin(struct fg_engine *, const struct fgi_question *,
                                       const struct fg_filter_terms *, struct fgi_filter_work **);
enum fg_result fgi_vulkan_filter_destroy(struct fg_engine *, uint32_t);
enum fg_result fgi_host_view(struct fg_engine *, const struct fgi_question *,
                             const struct fg_view_request *, struct fg_view_reply *);
enum fg_result fgi_host_stats_begin(struct fg_engine *, const struct fgi_question *,
                                    const struct fg_stats_request *, struct fgi_stats_work **);
enum fg_result fgi_host_frames(struct fg_engine *, const struct fgi_question *, uint32_t, uint32_t,
                               const struct fg_frame_row **, uint32_t *);
enum fg_result fgi_host_series(struct fg_engine *, const struct fgi_question *, uint32_t, uint32_t,
                               uint32_t, const struct fg_series_item **, uint32_t *);
enum fg_result fgi_host_counters(struct fg_engine *, const struct fgi_question *,
                                 const struct fg_counters_request *, struct fg_counters_reply *);
enum fg_result fgi_host_marks(struct fg_engine *, const struct fgi_question *,
                              const struct fg_marks_request *, struct fg_marks_reply *);
enum fg_result fgi_host_search_begin(struct fg_engine *, const struct fgi_question *,
                                     const struct fg_search_request *, struct fgi_search_work **);
enum fg_result fgi_host_pick(struct fg_engine *, const struct fgi_question *,
                             const struct fg_pick_request *, uint32_t *);
enum fg_result fgi_host_span(struct fg_engine *, const struct fgi_question *, uint32_t,
                             struct fg_span_detail *);
enum fg_result fgi_host_aggregate_begin(struct fg_engine *, const struct fgi_question *,
                                        const struct fg_aggregate_request *,
                                        struct fgi_aggregate_work **);
enum fg_result fgi_host_histogram_begin(struct fg_engine *, const struct fgi_question *,
                                        const struct fg_histogram_request *,
                                        struct fgi_histogram_work **);
enum fg_result fgi_host_buckets_begin(struct fg_engine *, const struct fgi_question *,
                                      const struct fg_buckets_request *,
                                      struct fgi_buckets_work **);
enum fg_result fgi_host_anomalies_begin(struct fg_engine *, const struct fgi_question *,
                                        const struct fg_anomaly_request *,
                                        struct fgi_anomaly_work **);
enum fg_result fgi_host_scores(struct fg_engine *, uint32_t, const uint32_t *, uint32_t, uint8_t *,
                               uint8_t *);
enum fg_result fgi_host_tints(struct fg_engine *, const struct fgi_question *,
                              const struct fg_tints_request *, struct fg_tints_reply *);
enum fg_result fgi_vulkan_scores_destroy(struct fg_engine *, uint32_t);
enum fg_result fgi_host_minimap(struct fg_engine *, const struct fgi_question *,
                                const struct fg_minimap_request *, struct fg_minimap_reply *);
enum fg_result fgi_host_visible_rows(struct fg_engine *, const struct fgi_question *,
                                     const struct fgi_rows_request *, struct fgi_rows *);
enum fg_result fgi_host_dependency(struct fg_engine *, const struct fgi_question *, uint32_t,
                                   struct fg_trace_dependency *);
enum fg_result fgi_host_focus_begin(struct fg_engine *, const struct fgi_question *,
                                    const struct fg_focus_request *, struct fgi_focus_work **);
enum fg_result fgi_host_project(struct fg_engine *, const struct fgi_question *,
                                const struct fg_project_request *, struct fg_project_reply *);
enum fg_result fgi_host_links_begin(struct fg_engine *, const struct fgi_question *,
                                    const struct fg_links_request *, struct fgi_links_work **);
uint64_t fgi_host_links_bytes(const struct fg_engine *);
enum fg_result fgi_host_slice_begin(struct fg_engine *, const struct fgi_question *,
                                    const struct fg_slice_request *, struct fgi_slice_work **);
enum fg_result fgi_host_path_begin(struct fg_engine *, const struct fgi_question *,
                                   const struct fg_path_request *, struct fgi_path_work **);
uint64_t fgi_host_path_bytes(const struct fg_engine *, const struct fg_path_request *);

#endif
