/* SPDX-License-Identifier: MIT */
/* What goes row by row: gathering, and searches. */
#include "engine/vulkan/prim_priv.h"

#include <kernels/gather_u32.h>
#include <kernels/gather_u64.h>
#include <kernels/search_u32.h>
#include <kernels/search_u64.h>

enum { GATHERED_OF_INVOCATION = 4 };

/** As in gather.comp. */
struct gather_push {
    struct fgi_gpu_column_push source, order, target;
    uint64_t count_address;
    uint32_t count, source_count, missing;
};
/** As in search.comp. */
struct search_push {
    struct fgi_gpu_column_push column, values, target;
    uint64_t count_address;
    uint32_t count, first, last, upper;
};

static const struct fg_compute_kernel gather_kernels[] = {
    { "gather_u32", FGI_CODE_gather_u32, sizeof(struct gather_push), 0 },
    { "gather_u64", FGI_CODE_gather_u64, sizeof(struct gather_push), 0 },
};
static const struct fg_compute_kernel search_kernels[] = {
    { "search_u32", FGI_CODE_search_u32, sizeof(struct search_push), 0 },
    { "search_u64", FGI_CODE_search_u64, sizeof(struct search_push), 0 },
};

enum fg_result fgi_gather(const struct fgi_gpu_work *work, const struct fgi_gpu_column *source,
                          uint32_t source_rows, const struct fgi_gpu_column *order,
                          struct fgi_count count, uint32_t missing,
                          const struct fgi_gpu_column *target)
{
    const uint32_t row_bytes = source->row_bytes;
    if ((row_bytes != 4 && row_bytes != 8) || count.limit > FGI_GPU_COLUMN_MAX_ROWS ||
        !fgi_prim_holds(source, source_rows, row_bytes) ||
        (order != NULL && !fgi_prim_holds(order, count.limit, 4)) ||
        !fgi_prim_holds(target, count.limit, row_bytes)) {
        return FG_ERR_ARGUMENT;
    }
    struct gather_push push = {
        .source = fgi_gpu_column_push(source),
        .target = fgi_gpu_column_push(target),
        .count_address = count.device.address,
        .count = count.limit,
        .source_count = source_rows,
        .missing = missing,
    };
    const struct fg_compute_kernel *kernel = &gather_kernels[row_bytes == 8];
    const uint64_t each = (uint64_t)fgi_prim_group(work->compute, kernel) * GATHERED_OF_INVOCATION;
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push, fgi_prim_over(count.limit, each));
    fgi_prim_column(&node, source, source_rows, FG_COMPUTE_READ);
    if (order != NULL) {
        push.order = fgi_gpu_column_push(order);
        fgi_prim_column(&node, order, count.limit, FG_COMPUTE_READ);
    }
    fgi_prim_column(&node, target, count.limit, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    return fgi_prim_add(&node);
}

enum fg_result fgi_search(const struct fgi_gpu_work *work, const struct fgi_search *search)
{
    const uint32_t row_bytes = search->column.row_bytes;
    const uint32_t limit = search->count.limit;
    if ((row_bytes != 4 && row_bytes != 8) || limit > FGI_GPU_COLUMN_MAX_ROWS ||
        search->first > search->last || !fgi_prim_holds(&search->column, search->last, row_bytes) ||
        !fgi_prim_holds(&search->values, limit, row_bytes) ||
        !fgi_prim_holds(&search->target, limit, 4)) {
        return FG_ERR_ARGUMENT;
    }
    const struct search_push push = {
        .column = fgi_gpu_column_push(&search->column),
        .values = fgi_gpu_column_push(&search->values),
        .target = fgi_gpu_column_push(&search->target),
        .count_address = search->count.device.address,
        .count = limit,
        .first = search->first,
        .last = search->last,
        .upper = search->upper,
    };
    const struct fg_compute_kernel *kernel = &search_kernels[row_bytes == 8];
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, kernel, &push,
                   fgi_prim_over(limit, fgi_prim_group(work->compute, kernel)));
    fgi_prim_column(&node, &search->column, search->last, FG_COMPUTE_READ);
    fgi_prim_column(&node, &search->values, limit, FG_COMPUTE_READ);
    fgi_prim_column(&node, &search->target, limit, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, search->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    return fgi_prim_add(&node);
}
