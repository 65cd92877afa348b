/* SPDX-License-Identifier: MIT */
/*
 * Scans in three passes: what each tile comes to, what is before each tile, the rows. Three times
 * the column is moved, where a copy moves it twice. One pass would need groups that wait for
 * others, which no Vulkan device promises to run.
 */
#include "engine/vulkan/prim_priv.h"

#include <kernels/scan_reduce_u32.h>
#include <kernels/scan_reduce_u64.h>
#include <kernels/scan_reduce_u64_max.h>
#include <kernels/scan_rows_u32.h>
#include <kernels/scan_rows_u64.h>
#include <kernels/scan_rows_u64_max.h>
#include <kernels/scan_sums_u32.h>
#include <kernels/scan_sums_u64.h>
#include <kernels/scan_sums_u64_max.h>

enum { ROWS_OF_INVOCATION = 16 };

/** As in scan_args.glsl. */
struct scan_push {
    struct fgi_gpu_column_push source, target;
    uint64_t sums, count_address, total_address;
    uint32_t count, inclusive;
};

static const struct fg_compute_kernel reduce_kernels[] = {
    { "scan_reduce_u32", FGI_CODE_scan_reduce_u32, sizeof(struct scan_push), 0 },
    { "scan_reduce_u64", FGI_CODE_scan_reduce_u64, sizeof(struct scan_push), 0 },
    { "scan_reduce_u64_max", FGI_CODE_scan_reduce_u64_max, sizeof(struct scan_push), 0 },
};
static const struct fg_compute_kernel sums_kernels[] = {
    { "scan_sums_u32", FGI_CODE_scan_sums_u32, sizeof(struct scan_push), 0 },
    { "scan_sums_u64", FGI_CODE_scan_sums_u64, sizeof(struct scan_push), 0 },
    { "scan_sums_u64_max", FGI_CODE_scan_sums_u64_max, sizeof(struct scan_push), 0 },
};
static const struct fg_compute_kernel rows_kernels[] = {
    { "scan_rows_u32", FGI_CODE_scan_rows_u32, sizeof(struct scan_push), 0 },
    { "scan_rows_u64", FGI_CODE_scan_rows_u64, sizeof(struct scan_push), 0 },
    { "scan_rows_u64_max", FGI_CODE_scan_rows_u64_max, sizeof(struct scan_push), 0 },
};

static uint32_t tile_count(const struct fg_compute *compute, uint32_t limit)
{
    return fgi_prim_over(limit,
                         (uint64_t)fgi_prim_group(compute, &rows_kernels[0]) * ROWS_OF_INVOCATION);
}

uint64_t fgi_scan_sums_bytes(const struct fg_compute *compute, uint32_t limit)
{
    const uint64_t tiles = tile_count(compute, limit);
    return (tiles == 0 ? 1 : tiles) * sizeof(uint64_t);
}

static uint32_t row_bytes(const struct fgi_scan *scan)
{
    return scan->kind == FGI_SCAN_SUM_U32 ? sizeof(uint32_t) : sizeof(uint64_t);
}

static bool is_valid(const struct fg_compute *compute, const struct fgi_scan *scan)
{
    const uint32_t limit = scan->count.limit;
    return scan->kind <= FGI_SCAN_MAX_U64 && limit <= FGI_GPU_COLUMN_MAX_ROWS &&
           fgi_prim_holds(&scan->source, limit, row_bytes(scan)) &&
           fgi_prim_holds(&scan->target, limit, row_bytes(scan)) &&
           scan->sums.size_bytes >= fgi_scan_sums_bytes(compute, limit);
}

static enum fg_result add_sums(const struct fgi_gpu_work *work, const struct fgi_scan *scan,
                               const struct scan_push *push, uint32_t rows_of_tile)
{
    const uint32_t tiles = fgi_prim_over(scan->count.limit, rows_of_tile);
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &sums_kernels[scan->kind], push, 1);
    fgi_prim_constant(&node, rows_of_tile);
    fgi_prim_view(&node, scan->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    fgi_prim_view(&node, scan->sums, (uint64_t)tiles * row_bytes(scan), FG_COMPUTE_READ_WRITE);
    fgi_prim_view(&node, scan->total, row_bytes(scan), FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}

enum fg_result fgi_prim_scan_sums(const struct fgi_gpu_work *work, const struct fgi_prim_sums *sums)
{
    const struct fgi_scan scan = {
        .kind = FGI_SCAN_SUM_U32, .count = sums->count, .sums = sums->sums, .total = sums->total
    };
    const struct scan_push push = { .sums = sums->sums.address,
                                    .count_address = sums->count.device.address,
                                    .total_address = sums->total.address,
                                    .count = sums->count.limit };
    return add_sums(work, &scan, &push, sums->rows_of_tile);
}

enum fg_result fgi_scan(const struct fgi_gpu_work *work, const struct fgi_scan *scan)
{
    if (!is_valid(work->compute, scan)) {
        return FG_ERR_ARGUMENT;
    }
    const uint32_t limit = scan->count.limit;
    const uint32_t tiles = tile_count(work->compute, limit);
    const uint64_t sums_bytes = (uint64_t)tiles * row_bytes(scan);
    const struct scan_push push = {
        .source = fgi_gpu_column_push(&scan->source),
        .target = fgi_gpu_column_push(&scan->target),
        .sums = scan->sums.address,
        .count_address = scan->count.device.address,
        .total_address = scan->total.address,
        .count = limit,
        .inclusive = scan->inclusive,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &reduce_kernels[scan->kind], &push, tiles);
    fgi_prim_column(&node, &scan->source, limit, FG_COMPUTE_READ);
    fgi_prim_view(&node, scan->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    fgi_prim_view(&node, scan->sums, sums_bytes, FG_COMPUTE_WRITE);
    enum fg_result result = fgi_prim_add(&node);
    if (result == FG_OK) {
        result =
            add_sums(work, scan, &push,
                     fgi_prim_group(work->compute, &rows_kernels[scan->kind]) * ROWS_OF_INVOCATION);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_prim_begin(&node, work, &rows_kernels[scan->kind], &push, tiles);
    fgi_prim_column(&node, &scan->source, limit, FG_COMPUTE_READ);
    fgi_prim_column(&node, &scan->target, limit, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, scan->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    fgi_prim_view(&node, scan->sums, sums_bytes, FG_COMPUTE_READ);
    return fgi_prim_add(&node);
}
