/* SPDX-License-Identifier: MIT */
/* A set of rows that the renderer's own shader computes: spans without a parent, or that take at
 * least a quarter of theirs. Filters of Frameglass take it as it is. */
#ifndef FOREIGN_MASK_H
#define FOREIGN_MASK_H
#include "foreign_columns.h"
#include "foreign_nodes.h"
#include "foreign_pipeline.h"

struct foreign_mask {
    struct foreign_pipeline pipeline;
    struct fg_compute_memory bits;
    struct {
        uint64_t table, mask;
        uint32_t row_count, reserved;
    } push; /**< as in quarter.comp */
};
/** `table` is of foreign_columns_create(). */
bool foreign_mask_create(struct foreign_device *device, const struct fg_gpu_trace *gpu,
                         const struct fg_compute_memory *table, struct foreign_mask *out_mask);
/** Add the pass that computes it. */
enum fg_result foreign_mask_add(struct foreign_mask *mask, const struct fg_gpu_trace *gpu,
                                struct foreign_nodes *nodes);
void foreign_mask_destroy(struct foreign_device *device, struct foreign_mask *mask);

#endif
