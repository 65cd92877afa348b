/* SPDX-License-Identifier: MIT */
/* Which row in sight stands for another: itself or its nearest ancestor. */
#ifndef FGI_GPU_PROJECT_H
#define FGI_GPU_PROJECT_H
#include "engine/vulkan/gpu_columns.h"

enum fgi_gpu_projection {
    FGI_GPU_SELF,
    FGI_GPU_ANCESTOR,
    FGI_GPU_UNRESOLVED, /**< no ancestor is in sight */
    FGI_GPU_CUT,        /**< max_depth was reached */
    FGI_GPU_INVALID,    /**< no row, or a circle of parents */
};
enum { FGI_GPU_PROJECTIONS = 5 };

struct fgi_gpu_project {
    const struct fg_gpu_trace *gpu;
    struct fgi_gpu_column passing; /**< bits by row; none = all */
    struct fgi_gpu_column mask;    /**< likewise: both hold */
    struct fgi_gpu_column rows;    /**< `count` of them; none = every row, in order */
    uint32_t count;
    uint32_t max_depth; /**< parents up; UINT32_MAX = any */
    /** By place: who stands for it, or FG_NONE. */
    struct fgi_gpu_column target;
    struct fg_compute_view counts; /**< a word for each enum fgi_gpu_projection */
    /** Scratch, `count` words, where `rows` is none and max_depth any: then pointers jump, and the
     *  depth of parents does not matter. */
    struct fgi_gpu_column spare;
};
/** Add the nodes. Cost: each row's depth; of all rows the logarithm of their number. */
FG_MUST_USE enum fg_result fgi_gpu_project(const struct fg_compute_sink *sink,
                                           const struct fgi_gpu_project *project);

struct fg_gpu_projection;
/** What the public projections stand on. */
const struct fgi_gpu_project *fgi_gpu_projection_inside(const struct fg_gpu_projection *projection);

#endif
