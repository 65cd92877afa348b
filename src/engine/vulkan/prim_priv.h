/* SPDX-License-Identifier: MIT */
/* Inside of primitives: nodes with all that they touch. */
#ifndef FGI_PRIM_PRIV_H
#define FGI_PRIM_PRIV_H
#include "engine/vulkan/primitives.h"

/** A dispatch that is being put together: fails once, at the end. */
struct fgi_prim_node {
    const struct fgi_gpu_work *work;
    struct fg_compute_node node;
    struct fg_compute_use first_uses[24];
    struct fg_compute_use *uses; /**< `first_uses`, or more from the allocator */
    size_t use_count;
    size_t use_room;
    enum fg_result result;
};
/** `node` is used where it is until fgi_prim_add(). */
void fgi_prim_begin(struct fgi_prim_node *node, const struct fgi_gpu_work *work,
                    const struct fg_compute_kernel *kernel, const void *push, uint64_t groups);
/** A number of the kernel's own, in their order. */
void fgi_prim_constant(struct fgi_prim_node *node, uint32_t value);
/** The chunks that have the first `rows` rows, and the table. No column is no use. */
void fgi_prim_column(struct fgi_prim_node *node, const struct fgi_gpu_column *column, uint64_t rows,
                     uint32_t access);
/** The first bytes of a view, at most all. No view is no use. */
void fgi_prim_view(struct fgi_prim_node *node, struct fg_compute_view view, uint64_t bytes,
                   uint32_t access);
/** Put it into the sink. */
FG_MUST_USE enum fg_result fgi_prim_add(struct fgi_prim_node *node);

/** Zero the first words of a column. */
FG_MUST_USE enum fg_result fgi_prim_clear(const struct fgi_gpu_work *work,
                                          const struct fgi_gpu_column *column, uint64_t words);

/** Invocations of a group of this kernel. */
uint32_t fgi_prim_group(const struct fg_compute *compute, const struct fg_compute_kernel *kernel);
/** Quotient, rounded up. */
static inline uint32_t fgi_prim_over(uint64_t count, uint64_t each)
{
    return (uint32_t)(count / each + (count % each != 0));
}
/** Whether a column has memory for so many rows of this size. */
bool fgi_prim_holds(const struct fgi_gpu_column *column, uint64_t rows, uint32_t row_bytes);

/** The second of a scan's passes, over what tiles came to: also of compaction. Layout and kernel
 * are those of scans of words. */
struct fgi_prim_sums {
    struct fgi_count count;
    uint32_t rows_of_tile;
    struct fg_compute_view sums;
    struct fg_compute_view total;
};
FG_MUST_USE enum fg_result fgi_prim_scan_sums(const struct fgi_gpu_work *work,
                                              const struct fgi_prim_sums *sums);

#endif
