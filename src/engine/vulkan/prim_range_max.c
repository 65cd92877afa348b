/* SPDX-License-Identifier: MIT */
/* The tree that finds the longest of a range. */
#include "engine/vulkan/prim_priv.h"

#include <kernels/range_max_build.h>
#include <kernels/range_max_query.h>

/** As in range_max_build.comp. */
struct range_max_build_push {
    struct fgi_range_max_push tree;
    uint32_t below, below_count, first, node_count;
};
/** As in range_max_query.comp. */
struct range_max_query_push {
    struct fgi_range_max_push tree;
    struct fgi_gpu_column_push ranges, target;
    uint64_t count_address;
    uint32_t count, place_count;
};

static const struct fg_compute_kernel build_kernel = { "range_max_build", FGI_CODE_range_max_build,
                                                       sizeof(struct range_max_build_push), 0 };
static const struct fg_compute_kernel query_kernel = { "range_max_query", FGI_CODE_range_max_query,
                                                       sizeof(struct range_max_query_push), 0 };

struct fgi_range_max_push fgi_range_max_push(const struct fgi_range_max *tree)
{
    return (struct fgi_range_max_push){ fgi_gpu_column_push(&tree->durations),
                                        fgi_gpu_column_push(&tree->rows),
                                        fgi_gpu_column_push(&tree->nodes) };
}

uint32_t fgi_range_max_nodes(uint32_t count)
{
    uint32_t nodes = 0;
    while (count > 1) {
        count = fgi_prim_over(count, 1u << FGI_RANGE_MAX_BITS);
        nodes += count;
    }
    return nodes;
}

static bool is_valid(const struct fgi_range_max *tree)
{
    const uint32_t nodes = fgi_range_max_nodes(tree->count);
    return tree->count <= FGI_GPU_COLUMN_MAX_ROWS &&
           fgi_prim_holds(&tree->durations, tree->count, 8) &&
           (!fgi_gpu_column_is_there(&tree->rows) || fgi_prim_holds(&tree->rows, tree->count, 4)) &&
           (nodes == 0 || fgi_prim_holds(&tree->nodes, nodes, 16));
}

/** A level reads what the level below wrote: they lie in one column, and share chunks. */
static enum fg_result add_level(const struct fgi_gpu_work *work, const struct fgi_range_max *tree,
                                const struct range_max_build_push *push)
{
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &build_kernel, push,
                   fgi_prim_over(push->node_count, fgi_prim_group(work->compute, &build_kernel)));
    if (push->below == UINT32_MAX) {
        fgi_prim_column(&node, &tree->durations, tree->count, FG_COMPUTE_READ);
        fgi_prim_column(&node, &tree->rows, tree->count, FG_COMPUTE_READ);
    }
    fgi_prim_column(&node, &tree->nodes, (uint64_t)push->first + push->node_count,
                    FG_COMPUTE_READ_WRITE);
    return fgi_prim_add(&node);
}

enum fg_result fgi_range_max_build(const struct fgi_gpu_work *work,
                                   const struct fgi_range_max *tree)
{
    if (!is_valid(tree)) {
        return FG_ERR_ARGUMENT;
    }
    struct range_max_build_push push = { .tree = fgi_range_max_push(tree),
                                         .below = UINT32_MAX,
                                         .below_count = tree->count };
    while (push.below_count > 1) {
        push.node_count = fgi_prim_over(push.below_count, 1u << FGI_RANGE_MAX_BITS);
        const enum fg_result result = add_level(work, tree, &push);
        if (result != FG_OK) {
            return result;
        }
        push.below = push.first;
        push.below_count = push.node_count;
        push.first += push.node_count;
    }
    return FG_OK;
}

enum fg_result fgi_range_max_query(const struct fgi_gpu_work *work,
                                   const struct fgi_range_max *tree,
                                   const struct fgi_gpu_column *ranges, struct fgi_count count,
                                   const struct fgi_gpu_column *target)
{
    if (!is_valid(tree) || count.limit > FGI_GPU_COLUMN_MAX_ROWS ||
        !fgi_prim_holds(ranges, count.limit, 8) || !fgi_prim_holds(target, count.limit, 16)) {
        return FG_ERR_ARGUMENT;
    }
    const struct range_max_query_push push = {
        .tree = fgi_range_max_push(tree),
        .ranges = fgi_gpu_column_push(ranges),
        .target = fgi_gpu_column_push(target),
        .count_address = count.device.address,
        .count = count.limit,
        .place_count = tree->count,
    };
    struct fgi_prim_node node;
    fgi_prim_begin(&node, work, &query_kernel, &push,
                   fgi_prim_over(count.limit, fgi_prim_group(work->compute, &query_kernel)));
    fgi_prim_column(&node, &tree->durations, tree->count, FG_COMPUTE_READ);
    fgi_prim_column(&node, &tree->rows, tree->count, FG_COMPUTE_READ);
    fgi_prim_column(&node, &tree->nodes, fgi_range_max_nodes(tree->count), FG_COMPUTE_READ);
    fgi_prim_column(&node, ranges, count.limit, FG_COMPUTE_READ);
    fgi_prim_column(&node, target, count.limit, FG_COMPUTE_WRITE);
    fgi_prim_view(&node, count.device, sizeof(uint32_t), FG_COMPUTE_READ);
    return fgi_prim_add(&node);
}
