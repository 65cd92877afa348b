/* SPDX-License-Identifier: MIT */
/* How long at least one span of a group ran: the length of the union of its spans. */
#ifndef FGI_GPU_BUSY_H
#define FGI_GPU_BUSY_H
#include "engine/vulkan/gpu_numbers.h"

enum { FGI_GPU_BUSY_BYTES = 80 }; /**< of memory for each row, about */
enum { FGI_GPU_BUSY_WIDE = 4, FGI_GPU_BUSY_WORDS = 9 };

/** Zero is nothing. */
struct fgi_gpu_busy {
    const struct fgi_gpu_numbers *numbers;
    struct fgi_gpu_column_memory wide[FGI_GPU_BUSY_WIDE];   /**< 8 bytes, by row */
    struct fgi_gpu_column_memory words[FGI_GPU_BUSY_WORDS]; /**< 4 bytes, by row */
    struct fgi_gpu_column_memory digits;
    struct fg_compute_memory sums;
};
/** @return FG_OK; of fg_compute_memory_take(). Ended by fgi_gpu_busy_end() in any case. */
FG_MUST_USE enum fg_result fgi_gpu_busy_begin(struct fgi_gpu_busy *busy,
                                              const struct fgi_gpu_numbers *numbers);
void fgi_gpu_busy_end(struct fgi_gpu_busy *busy);
/** After the passes of groups, and without that of squares: cells have it then. */
FG_MUST_USE enum fg_result fgi_gpu_busy_add(const struct fgi_gpu_busy *busy,
                                            const struct fg_compute_sink *sink);
uint64_t fgi_gpu_busy_of(const uint32_t *words);

#endif
