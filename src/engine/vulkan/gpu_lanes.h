/* SPDX-License-Identifier: MIT */
/* Lanes of tracks and processes, as operations on groups of them go through them. */
#ifndef FGI_GPU_LANES_H
#define FGI_GPU_LANES_H
#include "engine/vulkan/gpu_columns.h"

/** Lanes by process. Zero is none. */
struct fgi_gpu_lanes {
    uint32_t *first; /**< of each process in `lanes`, and the end */
    uint32_t *lanes;
};
/** What was taken is ended by fgi_gpu_lanes_finish() on failure as well. */
FG_MUST_USE enum fg_result fgi_gpu_lanes_list(const struct fg_gpu_trace *gpu,
                                              struct fgi_gpu_lanes *out_lanes);
void fgi_gpu_lanes_finish(const struct fg_gpu_trace *gpu, struct fgi_gpu_lanes *lanes);

/** Lanes of a lane, track or process; 0 where there is none of that number. */
uint32_t fgi_gpu_lanes_of(const struct fg_gpu_trace *gpu, const struct fgi_gpu_lanes *lanes,
                          uint32_t kind, uint32_t index);
/** One of them; member < fgi_gpu_lanes_of(). */
uint32_t fgi_gpu_lanes_at(const struct fg_gpu_trace *gpu, const struct fgi_gpu_lanes *lanes,
                          uint32_t kind, uint32_t index, uint32_t member);

#endif
