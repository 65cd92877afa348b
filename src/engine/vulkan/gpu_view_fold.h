/* SPDX-License-Identifier: MIT */
/* Folded groups on the device: rows in the order of times, and lines that merge lanes. */
#ifndef FGI_GPU_VIEW_FOLD_H
#define FGI_GPU_VIEW_FOLD_H
#include "engine/vulkan/gpu_columns.h"

#include <frameglass/gpu_trace_views.h>

/** Scratch of an order: keys, and rows on their way. */
enum { FGI_GPU_ORDER_KEYS = 3, FGI_GPU_ORDER_WORDS = 2 };

struct fg_gpu_order {
    struct fg_gpu_trace *gpu;
    struct fgi_gpu_column_memory by_start; /**< rows: start, longer first, row */
    struct fgi_gpu_column_memory by_end;   /**< rows: end, row */
    struct fgi_gpu_column_memory ranks;    /**< by row, its place in by_end */
    struct fgi_gpu_column_memory keys[FGI_GPU_ORDER_KEYS], words[FGI_GPU_ORDER_WORDS], digits;
    struct fg_compute_memory sums;
};

/** struct fg_fold_table of kernels/group_fold.glsl. */
struct fgi_gpu_fold_table {
    struct fgi_gpu_column_push rows, start, reach, sums, first;
    uint32_t count, group_count, kind, reserved;
};

enum { FGI_GPU_FOLD_WORDS = 5 };

struct fg_gpu_fold {
    const struct fg_gpu_population *population;
    const struct fg_gpu_order *order;
    uint32_t kind; /**< enum fg_view_kind */
    uint32_t count, group_count;
    struct fgi_gpu_column_memory rows;  /**< by group, then as an order's by_start */
    struct fgi_gpu_column_memory start; /**< by position, 64 bits */
    struct fgi_gpu_column_memory reach; /**< greatest end of the group's before, 64 bits */
    struct fgi_gpu_column_memory sums;  /**< how much the ones before cover, 64 bits */
    struct fgi_gpu_column_memory first; /**< first position of each group, and the end */
    struct fg_compute_memory table;     /**< struct fgi_gpu_fold_table, control memory */
    struct fgi_gpu_column_memory words[FGI_GPU_FOLD_WORDS], digits, by_row, by_time;
    struct fg_compute_memory scratch;
};

/** What an order and a fold take of the device while they are made, about. */
uint64_t fgi_gpu_order_bytes(const struct fg_gpu_trace *gpu);
uint64_t fgi_gpu_fold_bytes(const struct fg_gpu_population *population);
/** What is read of a fold. NULL is no use. */
void fgi_gpu_use_fold(struct fgi_prim_node *node, const struct fg_gpu_fold *fold);

#endif
