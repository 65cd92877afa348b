/* SPDX-License-Identifier: MIT */
/* Rows of a window, and what is under a pointer: operations on a population. */
#ifndef FGI_GPU_ROWS_H
#define FGI_GPU_ROWS_H
#include "engine/vulkan/gpu_columns.h"

/** Control words of a question about a window; written by the host, read by kernels. */
struct fgi_gpu_window {
    struct fgi_gpu_column_push lanes; /**< a bit for each lane that is asked; address 0: all */
    int64_t start_ns, end_ns;
};
/** What was found: words of fgi_gpu_visible.counts. */
struct fgi_gpu_visible_counts {
    uint32_t rows;    /**< that are visible */
    uint32_t batches; /**< of which rows were read */
    uint32_t spans;   /**< that were read */
    uint32_t looked;  /**< batches of all levels that were looked at */
};
struct fgi_gpu_visible {
    const struct fg_gpu_population *population; /**< built */
    struct fg_compute_view window;              /**< struct fgi_gpu_window */
    struct fg_compute_view lanes;               /**< what its column points to; zero: none */
    struct fgi_gpu_column mask;                 /**< a bit for each row of the trace */
    struct fg_compute_view counts;              /**< struct fgi_gpu_visible_counts */
    struct fg_compute_view list; /**< scratch: fgi_gpu_visible_list_bytes() of the trace's rows */
};
uint64_t fgi_gpu_visible_list_bytes(uint32_t rows);
/** Rows that meet the window, as a mask. Cost: a batch for each 65,536 rows, those below the ones
 *  that meet the window, and the rows of the smallest of these. */
FG_MUST_USE enum fg_result fgi_gpu_visible(const struct fg_compute_sink *sink,
                                           const struct fgi_gpu_visible *visible);

/** Control words of a pick. */
struct fgi_gpu_pick_words {
    uint64_t lanes; /**< address of numbers; 0: those from first_lane on */
    uint32_t first_lane, lane_count;
    int64_t time_ns;
    uint64_t tolerance_ns;
};
struct fgi_gpu_pick {
    const struct fg_gpu_population *population; /**< built */
    struct fg_compute_view words;               /**< struct fgi_gpu_pick_words */
    struct fg_compute_view lanes;               /**< what it points to; zero: none */
    struct fg_compute_view result;              /**< two words: row or FG_NONE; lanes looked at */
};
/** The row under a pointer. Cost: two searches in each lane. */
FG_MUST_USE enum fg_result fgi_gpu_pick(const struct fg_compute_sink *sink,
                                        const struct fgi_gpu_pick *pick);

#endif
