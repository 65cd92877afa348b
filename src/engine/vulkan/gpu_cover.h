/* SPDX-License-Identifier: MIT */
/* What direct children cover of their parents: what own times are made of. */
#ifndef FGI_GPU_COVER_H
#define FGI_GPU_COVER_H
#include "engine/vulkan/gpu_columns.h"

struct fgi_gpu_cover {
    struct fg_gpu_trace *gpu;
    struct fgi_gpu_column_memory covered; /**< by row, 8 bytes */
    struct fgi_gpu_column_memory most, least;
    /** One word: some parent has children in several lanes; then `covered` is not to be used. */
    struct fg_compute_memory several;
    bool is_several; /**< it said so */
};
/** @return FG_OK; of fg_compute_memory_take(). Ended by fgi_gpu_cover_end() in any case. */
FG_MUST_USE enum fg_result fgi_gpu_cover_begin(struct fgi_gpu_cover *cover,
                                               struct fg_gpu_trace *gpu);
FG_MUST_USE enum fg_result fgi_gpu_cover_add(const struct fgi_gpu_cover *cover,
                                             const struct fg_compute_sink *sink);
/** What only the making needs is given back. */
void fgi_gpu_cover_made(struct fgi_gpu_cover *cover);
void fgi_gpu_cover_end(struct fgi_gpu_cover *cover);

#endif
