/* SPDX-License-Identifier: MIT */
/* A view of lanes on the device: its control words, and asking for a level of one's own. */
#ifndef FGI_GPU_VIEW_H
#define FGI_GPU_VIEW_H
#include "engine/vulkan/gpu_lanes.h"
#include "engine/vulkan/gpu_view_fold.h"

/** What a pass of a view goes over. */
enum fgi_gpu_view_extent {
    FGI_GPU_VIEW_TARGETS,
    FGI_GPU_VIEW_MEMBERS,
    FGI_GPU_VIEW_SLOTS,
    FGI_GPU_VIEW_ALL_SLOTS,
    FGI_GPU_VIEW_SPANS, /**< known on the device alone */
};
/** struct view_words of kernels/view.glsl: what never changes, then what is asked. */
struct fgi_gpu_view_words {
    struct fgi_gpu_column_push places, best, marks, bins, rows;
    uint64_t targets, records, answers, totals;
    int64_t start_ns, end_ns, first_bin;
    uint64_t wide_ns;
    uint32_t level, bin_count, width_px, has_wide;
    uint32_t detail, handoff, target_count, slot_count;
    uint32_t span_limit, member_count, all_slots, reserved;
    VkDispatchIndirectCommand
        groups[FGI_GPU_VIEW_SPANS]; /**< of what is asked, not of what may be */
};

/** view_asked of view.glsl, as it is stored. */
struct fgi_gpu_view_asked {
    uint32_t index; /**< lane or group */
    uint32_t mode;  /**< previous one, and kind << 8 */
    uint32_t first; /**< member, as a target; of a member the target that it belongs to */
    uint32_t members;
};

struct fg_gpu_view {
    struct fg_gpu_view_sizes sizes;
    struct fgi_gpu_view_words words; /**< as they were last written */
    struct fg_compute_memory control, targets, records, answers, totals, draws, sums;
    struct fgi_gpu_column_memory places, best, marks, bins, rows;
    struct fgi_gpu_view_asked *asked; /**< targets, then their members */
    struct fgi_gpu_lanes by_process;  /**< zero: nothing is folded */
    uint64_t written_bytes;           /**< by the last asking */
};

/** Invocations of a group of every pass of a view. */
uint32_t fgi_gpu_view_group(const struct fg_compute *compute);

/** Bins of a level from one on, whatever the window: no spans beside them. */
struct fgi_gpu_view_level {
    unsigned level;
    int64_t first_bin;
    uint32_t bin_count;
};
/** As fg_gpu_view_ask(), density of these bins for every target. */
FG_MUST_USE enum fg_result fgi_gpu_view_ask_level(struct fg_gpu_view *view,
                                                  const struct fgi_gpu_view_level *level,
                                                  const struct fg_gpu_view_target *targets,
                                                  uint32_t target_count);

enum { FGI_GPU_SURVEY_LEVELS = 64 };
/** How many neighbours of a lane start in different bins of each level but not of the next: a
 *  uint32_t for each of FGI_GPU_SURVEY_LEVELS. */
FG_MUST_USE enum fg_result fgi_gpu_survey(const struct fg_compute_sink *sink,
                                          const struct fg_gpu_population *population,
                                          struct fg_compute_view counts);
/** Where a population that has rows keeps its smallest start and largest end. */
struct fg_compute_view fgi_gpu_extent(const struct fg_gpu_population *population);

#endif
