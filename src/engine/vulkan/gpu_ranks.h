/* SPDX-License-Identifier: MIT */
/* Values of a question in order, group by group, and those at chosen places: percentiles. */
#ifndef FGI_GPU_RANKS_H
#define FGI_GPU_RANKS_H
#include "engine/vulkan/gpu_numbers.h"

/** Zero is nothing. */
struct fgi_gpu_ranks {
    const struct fgi_gpu_numbers *numbers;
    struct fgi_gpu_column_memory values, slots;
    struct fgi_gpu_column_memory sorted_values, sorted_slots, order;
    struct fgi_gpu_column_memory spare_values, spare_slots, spare_payload, digits;
    struct fg_compute_memory sums;
    struct fg_compute_memory places;          /**< that are asked for */
    struct fgi_gpu_column_memory rows, found; /**< of these: place by value, and value */
    uint32_t place_count;
};

/**
 * Take memory.
 *
 * @param places of all values, in the order of slots and, in a slot, of values; not empty
 * @return FG_OK; of fg_compute_memory_take(). Ended by fgi_gpu_ranks_end() in any case.
 */
FG_MUST_USE enum fg_result fgi_gpu_ranks_begin(struct fgi_gpu_ranks *ranks,
                                               const struct fgi_gpu_numbers *numbers,
                                               const uint32_t *places, uint32_t count);
void fgi_gpu_ranks_end(struct fgi_gpu_ranks *ranks);
/** Sort, and put what is at the places into `found`. No value is above `greatest`. */
FG_MUST_USE enum fg_result fgi_gpu_ranks_add(const struct fgi_gpu_ranks *ranks,
                                             const struct fg_compute_sink *sink, uint64_t greatest);

#endif
