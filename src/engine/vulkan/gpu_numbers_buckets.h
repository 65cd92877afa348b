/* SPDX-License-Identifier: MIT */
/*
 * Time buckets of selected rows: one look at each row, two sorts of times, and one look at each
 * start in order, from which the union and the most spans at one time follow.
 */
#ifndef FGI_GPU_NUMBERS_BUCKETS_H
#define FGI_GPU_NUMBERS_BUCKETS_H
#include "base/wide.h"
#include "engine/vulkan/gpu_numbers.h"

enum { FGI_GPU_BUCKET_ROW_BYTES = 48 }; /**< of memory for each row, about */

/** Zero is nothing. */
struct fgi_gpu_buckets {
    const struct fgi_gpu_numbers *numbers;
    struct fg_compute_memory args; /**< struct fgi_gpu_bucket_args */
    struct fg_compute_memory firsts, totals, sums;
    struct fgi_gpu_column_memory cells;
    struct fgi_gpu_column_memory records;  /**< quads, three each: fgi_gpu_bucket() */
    struct fgi_gpu_column_memory times[4]; /**< starts and ends by row, starts in order, spare */
    struct fgi_gpu_column_memory rows[2], digits;
    uint64_t width_ns;
    uint32_t count;
};
/** Where bucket i begins, as a distance: i * width / count, rounded down. */
static inline uint64_t fgi_gpu_bucket_begin(uint64_t width_ns, uint32_t count, uint32_t i)
{
    return width_ns / count * i + width_ns % count * i / count;
}
/**
 * Divide the range of a selection, [start_ns, end_ns).
 *
 * @param numbers of that selection, lent until the end; figures are not needed
 * @param count   1 to FG_BUCKETS_MAX, at most as many as there are nanoseconds
 * @return FG_OK; of fg_compute_memory_take(). Ended by fgi_gpu_buckets_end() in any case.
 */
FG_MUST_USE enum fg_result fgi_gpu_buckets_begin(struct fgi_gpu_buckets *buckets,
                                                 const struct fgi_gpu_numbers *numbers,
                                                 int64_t start_ns, int64_t end_ns, uint32_t count,
                                                 struct fgi_arena *arena);
void fgi_gpu_buckets_end(struct fgi_gpu_buckets *buckets);
FG_MUST_USE enum fg_result fgi_gpu_buckets_add(const struct fgi_gpu_buckets *buckets,
                                               const struct fg_compute_sink *sink);

#endif
