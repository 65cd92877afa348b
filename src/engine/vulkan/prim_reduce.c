/* SPDX-License-Identifier: MIT */
/* Reduction in two passes: groups' rows, then what these came to. */
#include "engine/vulkan/prim_priv.h"

#include <kernels/reduce_parts.h>
#include <kernels/reduce_u32.h>
#include <kernels/reduce_u64.h>

#include <assert.h>

enum { ROWS_OF_INVOCATION = 32 };

/** As in reduce.comp. */
struct reduce_push {
    struct fgi_gpu_column_push source, rows, mask;
    uint64_t parts, count_address, result_address;
    uint32_t count;
};
static_assert(sizeof(struct fgi_reduction) == 64, "four vectors of reduce.comp");

static const struct fg_compute_kernel u32_kernel = { "reduce_u32", FGI_CODE_reduce_u32,
                                                     sizeof(struct reduce_push), 0 };
static const struct fg_compute_kernel u64_kernel = { "reduce_u64", FGI_CODE_reduce_u64,
                                                     sizeof(struct reduce_push), 0 };
static const struct fg_compute_kernel parts_kernel = { "reduce_parts", FGI_CODE_reduce_parts,
                                                       sizeof(struct reduce_push), 0 };

static uint32_t part_count(const struct fg_compute *compute, uint32_t limit)
{
    return fgi_prim_over(limit,
                         (uint64_t)fgi_prim_group(compute, &u64_kernel) * ROWS_OF_INVOCATION);
}

uint64_t fgi_reduce_parts_bytes(const struct fg_compute *compute, uint32_t limit)
{
    const uint64_t parts = part_count(compute, limit);
    return (parts == 0 ? 1 : parts) * sizeof(struct fgi_reduction);
}

static bool is_valid(const struct fg_compute *compute, const struct fgi_reduce *reduce)
{
    const uint32_t limit = reduce->count.limit;
    return limit <= FGI_GPU_COLUMN_MAX_ROWS &&
           (fgi_prim_holds(&reduce->source, limit, 4) ||
            fgi_prim_holds(&reduce->source, limit, 8)) &&
           (!fgi_gpu_column_is_there(&reduce->rows) || fgi_prim_holds(&reduce->rows, limit, 4)) &&
           (!fgi_gpu_column_is_there(&reduce->mask) ||
            fgi_prim_holds(&reduce->mask, fgi_mask_words(limit), 4)) &&
           reduce->result.size_bytes >= sizeof(struct fgi_reduction) &&
           reduce->parts.size_bytes >= fgi_reduce_parts_bytes(compute, limit);
}

enum fg_result fgi_reduce(const struct fgi_gpu_work *work, const struct fgi_reduce *reduce)
{
    if (!is_valid(work->compute, reduce)) {
        return FG_ERR_ARGUMENT;
    }
    const uint32_t limit = reduce->count.limit;
    const uint32_t parts = part_count(work->compute, limit);
    const uint64_t parts_bytes = parts * sizeof(struct fgi_reduction);
    const struct reduce_push push = {
        .source = fgi_gpu_column_push(&reduce->source),
        .rows = fgi_gpu_column_push(&reduce->rows),
        .mask = fgi_gpu_column_push(&reduce->mask),
        .parts = reduce->parts.address,
        .count_address = reduce->count.device.address,
        .result_address = reduce->result.address,
        .count = limit,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, reduce->source.row_bytes == 4 ? &u32_kernel : &u64_kernel, &push,
                   parts);
    fgi_prim_column(&node, &reduce->source, limit, FG_COMPUTE_READ);
    fgi_prim_column(&node, &reduce->rows, limit, FG_COMPUTE_READ);
    fgi_prim_column(&node, &reduce->mask, fgi_mask_words(limit), FG_COMPUTE_READ);
    fgi_prim_view(&node, reduce->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    fgi_prim_view(&node, reduce->parts, parts_bytes, FG_COMPUTE_WRITE);
    const enum fg_result result = fgi_prim_add(&node);
    if (result != FG_OK) {
        return result;
    }
    fgi_prim_begin(&node, work, &parts_kernel, &push, 1);
    fgi_prim_view(&node, reduce->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    fgi_prim_view(&node, reduce->parts, parts_bytes, FG_COMPUTE_READ);
    fgi_prim_view(&node, reduce->result, sizeof(struct fgi_reduction), FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}
