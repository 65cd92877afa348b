/* SPDX-License-Identifier: MIT */
/* Compaction: tiles' bits are counted, the counts scanned, the rows written. */
#include "engine/vulkan/prim_priv.h"

#include <kernels/arguments.h>
#include <kernels/compact_count.h>
#include <kernels/compact_rows.h>

enum { ROWS_OF_INVOCATION = 128 };

/** As in compact_args.glsl. */
struct compact_push {
    struct fgi_gpu_column_push mask, target, payload;
    uint64_t sums, count_address;
    uint32_t count, capacity;
};
/** As in arguments.comp. */
struct arguments_push {
    uint64_t count_address, dispatch_address, draw_address;
    uint32_t limit, each, vertex_count;
};

static const struct fg_compute_kernel count_kernel = { "compact_count", FGI_CODE_compact_count,
                                                       sizeof(struct compact_push), 0 };
static const struct fg_compute_kernel rows_kernel = { "compact_rows", FGI_CODE_compact_rows,
                                                      sizeof(struct compact_push), 0 };
static const struct fg_compute_kernel arguments_kernel = { "arguments", FGI_CODE_arguments,
                                                           sizeof(struct arguments_push), 0 };

static uint32_t tile_rows(const struct fg_compute *compute)
{
    return fgi_prim_group(compute, &rows_kernel) * ROWS_OF_INVOCATION;
}

uint64_t fgi_compact_sums_bytes(const struct fg_compute *compute, uint32_t limit)
{
    const uint64_t tiles = fgi_prim_over(limit, tile_rows(compute));
    return (tiles == 0 ? 1 : tiles) * sizeof(uint32_t);
}

static bool is_valid(const struct fg_compute *compute, const struct fgi_compact *compact)
{
    const uint32_t limit = compact->count.limit;
    return limit <= FGI_GPU_COLUMN_MAX_ROWS &&
           fgi_prim_holds(&compact->mask, fgi_mask_words(limit), 4) &&
           fgi_prim_holds(&compact->target, compact->capacity, 4) &&
           (!fgi_gpu_column_is_there(&compact->payload) ||
            fgi_prim_holds(&compact->payload, limit, 4)) &&
           compact->sums.size_bytes >= fgi_compact_sums_bytes(compute, limit);
}

enum fg_result fgi_compact(const struct fgi_gpu_work *work, const struct fgi_compact *compact)
{
    if (!is_valid(work->compute, compact)) {
        return FG_ERR_ARGUMENT;
    }
    const uint32_t limit = compact->count.limit;
    const uint32_t tiles = fgi_prim_over(limit, tile_rows(work->compute));
    const struct compact_push push = {
        .mask = fgi_gpu_column_push(&compact->mask),
        .target = fgi_gpu_column_push(&compact->target),
        .payload = fgi_gpu_column_push(&compact->payload),
        .sums = compact->sums.address,
        .count_address = compact->count.device.address,
        .count = limit,
        .capacity = compact->capacity,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &count_kernel, &push, tiles);
    fgi_prim_column(&node, &compact->mask, fgi_mask_words(limit), FG_COMPUTE_READ);
    fgi_prim_view(&node, compact->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    fgi_prim_view(&node, compact->sums, tiles * sizeof(uint32_t), FG_COMPUTE_WRITE);
    enum fg_result result = fgi_prim_add(&node);
    if (result == FG_OK) {
        const struct fgi_prim_sums sums = { .count = compact->count,
                                            .rows_of_tile = tile_rows(work->compute),
                                            .sums = compact->sums,
                                            .total = compact->total };
        result = fgi_prim_scan_sums(work, &sums);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_prim_begin(&node, work, &rows_kernel, &push, tiles);
    fgi_prim_column(&node, &compact->mask, fgi_mask_words(limit), FG_COMPUTE_READ);
    fgi_prim_column(&node, &compact->payload, limit, FG_COMPUTE_READ);
    fgi_prim_column(&node, &compact->target, compact->capacity, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, compact->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    fgi_prim_view(&node, compact->sums, tiles * sizeof(uint32_t), FG_COMPUTE_READ);
    return fgi_prim_add(&node);
}

enum fg_result fgi_arguments(const struct fgi_gpu_work *work, const struct fgi_arguments *arguments)
{
    const bool has_dispatch = arguments->dispatch.size_bytes != 0;
    const bool has_draw = arguments->draw.size_bytes != 0;
    if ((has_dispatch && (arguments->rows_of_group == 0 ||
                          arguments->dispatch.size_bytes < sizeof(VkDispatchIndirectCommand))) ||
        (has_draw && arguments->draw.size_bytes < sizeof(VkDrawIndirectCommand))) {
        return FG_ERR_ARGUMENT;
    }
    const struct arguments_push push = {
        .count_address = arguments->count.device.address,
        .dispatch_address = arguments->dispatch.address,
        .draw_address = arguments->draw.address,
        .limit = arguments->count.limit,
        .each = arguments->rows_of_group,
        .vertex_count = arguments->vertex_count,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &arguments_kernel, &push, 1);
    fgi_prim_view(&node, arguments->count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    fgi_prim_view(&node, arguments->dispatch, sizeof(VkDispatchIndirectCommand), FG_COMPUTE_WRITE);
    fgi_prim_view(&node, arguments->draw, sizeof(VkDrawIndirectCommand), FG_COMPUTE_WRITE);
    return fgi_prim_add(&node);
}
