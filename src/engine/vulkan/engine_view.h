/* SPDX-License-Identifier: MIT */
/* Views by the device: lanes are answered there, groups of several lanes by the host. */
#ifndef FGI_ENGINE_VIEW_H
#define FGI_ENGINE_VIEW_H
#include "engine/vulkan/engine_filter.h"
#include "engine/vulkan/gpu_view.h"

enum fg_result fgi_vulkan_view(struct fg_engine *, const struct fgi_question *,
                               const struct fg_view_request *, struct fg_view_reply *);

enum fg_result fgi_vulkan_minimap(struct fg_engine *, const struct fgi_question *,
                                  const struct fg_minimap_request *, struct fg_minimap_reply *);

/** What views keep on the device. */
struct fgi_gpu_views {
    struct fg_gpu_view *view;
    struct fg_compute_graph *graph;
    const struct fg_gpu_population *population; /**< of the graph; NULL: there are no nodes */
    uint32_t *process_lanes;                    /**< how many each process has */
    uint32_t *process_lane;                     /**< one of them */
    size_t process_count;
    bool has_coarsest;         /**< the next ones are known (engine_minimap.c) */
    unsigned coarsest;         /**< level of the minimap */
    int64_t first_ns, last_ns; /**< of the trace; last < first: there is no span */
};
/** Targets that are asked at once at most, with room for so many spans. */
uint32_t fgi_gpu_views_targets(const struct fgi_engine_vulkan *vulkan, uint32_t spans);
/** What views keep, with room for so much; nothing else is asked of it meanwhile. */
FG_MUST_USE enum fg_result fgi_gpu_views_of(struct fgi_engine_vulkan *vulkan, uint32_t targets,
                                            uint32_t slots, uint32_t spans,
                                            struct fgi_gpu_views **out_views);
/** Nodes over this population, unless they are there. */
FG_MUST_USE enum fg_result fgi_gpu_views_keep(struct fgi_engine_vulkan *vulkan,
                                              const struct fg_gpu_population *population);
/** Run them; answers of so many targets. */
FG_MUST_USE enum fg_result fgi_gpu_views_run(struct fgi_engine_vulkan *vulkan,
                                             struct fg_gpu_view_answer *answers,
                                             uint32_t target_count, const char *what);
/** Bring the first bins and rows back, after a run. */
FG_MUST_USE enum fg_result fgi_gpu_views_read(struct fgi_engine_vulkan *vulkan,
                                              const struct fgi_question *question,
                                              struct fg_gpu_view_bins *bins, uint32_t bins_count,
                                              uint32_t *rows, uint32_t row_count, const char *what);
/** A population is about to go. */
void fgi_gpu_views_forget(struct fgi_engine_vulkan *vulkan,
                          const struct fg_gpu_population *population);
void fgi_gpu_views_end(struct fgi_engine_vulkan *vulkan);

#endif
