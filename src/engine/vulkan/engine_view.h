/* SPDX-License-Identifier: MIT */
/* Views by the device: lanes, and groups of lanes where there is memory to fold them. */
#ifndef FGI_ENGINE_VIEW_H
#define FGI_ENGINE_VIEW_H
#include "engine/vulkan/engine_filter.h"
#include "engine/vulkan/gpu_view.h"
#include "engine/vulkan/gpu_view_fold.h"

enum fg_result fgi_vulkan_view(struct fg_engine *, const struct fgi_question *,
                               const struct fg_view_request *, struct fg_view_reply *);

enum fg_result fgi_vulkan_minimap(struct fg_engine *, const struct fgi_question *,
                                  const struct fg_minimap_request *, struct fg_minimap_reply *);

/** Groups of a population, as lines. */
struct fgi_gpu_views_fold {
    const struct fg_gpu_population *population;
    uint32_t kind;
    struct fg_gpu_fold *fold;
};
/** What views keep on the device, and what they brought back last. */
struct fgi_gpu_views {
    struct fg_gpu_view *view;
    struct fg_compute_graph *graph;
    const struct fg_gpu_population *population; /**< of the graph; NULL: there are no nodes */
    bool has_folds;                             /**< the graph's nodes answer groups */
    struct fg_gpu_order *order;                 /**< for folds; NULL until it is needed */
    FGI_TABLE(struct fgi_gpu_views_fold) folds;
    bool is_current; /**< what follows answers what is asked: nothing is to be submitted */
    FGI_TABLE(struct fg_gpu_view_answer) answers;
    FGI_TABLE(struct fg_gpu_view_bins) bins; /**< the first ones of all answers */
    FGI_TABLE(uint32_t) rows;
    uint32_t bins_guess, rows_guess; /**< as many are brought back with the answers */
    uint32_t *process_lanes;         /**< how many each process has */
    uint32_t *process_lane;          /**< one of them */
    size_t process_count;
    bool has_coarsest;         /**< the next ones are known (engine_minimap.c) */
    unsigned coarsest;         /**< level of the minimap */
    int64_t first_ns, last_ns; /**< of the trace; last < first: there is no span */
};
/** Targets that are asked at once at most, with room for so many spans. */
uint32_t fgi_gpu_views_targets(const struct fgi_engine_vulkan *vulkan, uint32_t spans);
/** Lanes of groups that are asked at once at most. */
uint32_t fgi_gpu_views_members(const struct fgi_engine_vulkan *vulkan);
/** What views keep, with room for so much (its trace is filled in); nothing else is asked of it
 *  meanwhile. */
FG_MUST_USE enum fg_result fgi_gpu_views_of(struct fgi_engine_vulkan *vulkan,
                                            const struct fg_gpu_view_sizes *wanted,
                                            struct fgi_gpu_views **out_views);
/**
 * Groups of a kind as lines: made when they are first asked.
 *
 * @param out_fold NULL: there is no memory for it, and the host is to be asked
 * @return FG_OK; what the device failed at
 */
FG_MUST_USE enum fg_result fgi_gpu_views_fold(struct fgi_engine_vulkan *vulkan,
                                              const struct fg_gpu_population *population,
                                              uint32_t kind, struct fg_gpu_fold **out_fold);
/** Nodes over this population, unless they are there; with all its folds. */
FG_MUST_USE enum fg_result fgi_gpu_views_keep(struct fgi_engine_vulkan *vulkan,
                                              const struct fg_gpu_population *population,
                                              bool has_folds);
/** Run them, unless what they answer is there. Brings back all answers of so many targets and, as
 *  far as was guessed, bins and rows. */
FG_MUST_USE enum fg_result fgi_gpu_views_run(struct fgi_engine_vulkan *vulkan,
                                             const struct fgi_question *question,
                                             uint32_t target_count, const char *what);
/** After a run: so many bins and rows at least are there. */
FG_MUST_USE enum fg_result fgi_gpu_views_read(struct fgi_engine_vulkan *vulkan,
                                              const struct fgi_question *question,
                                              uint32_t bins_count, uint32_t row_count,
                                              const char *what);
/** A population is about to go. */
void fgi_gpu_views_forget(struct fgi_engine_vulkan *vulkan,
                          const struct fg_gpu_population *population);
void fgi_gpu_views_end(struct fgi_engine_vulkan *vulkan);

#endif
