/* SPDX-License-Identifier: MIT */
/*
 * Critical paths over dependencies on the device: rows have their turns layer by layer. A graph of
 * turns does as many small layers as it can, and a number of large ones; it is run until all are
 * over. What is found does not depend on the order of rows within a layer.
 */
#ifndef FGI_GPU_PATH_H
#define FGI_GPU_PATH_H
#include "engine/vulkan/gpu_links.h"

#include <frameglass/trace_path.h>

enum {
    FGI_GPU_PATH_ALONE = 1024,  /**< a layer of so many rows is one group's work */
    FGI_GPU_PATH_LARGE = 16,    /**< layers of more rows that one run does at most */
    FGI_GPU_PATH_CHAIN = 65536, /**< rows of a chain that one run tells */
};

/** Control words: struct path_words of kernels/path.glsl. */
struct fgi_gpu_path_words {
    struct fgi_gpu_column_push out_offsets, out_links, out_others;
    struct fgi_gpu_column_push in_offsets, in_links, in_others;
    struct fgi_gpu_column_push families;
    struct fgi_gpu_column_push passing;
    struct fgi_gpu_column_push part, open, nodes, order, layers, turned, stuck, lengths;
    struct fgi_gpu_column_push roots, tails, slacks, earliest, latest, predecessors, hops, chain;
    int64_t start_ns, end_ns; /**< rows that meet it take part */
    uint64_t length_ns;       /**< of the path; for figures */
    uint64_t length_at;       /**< an address where that is; 0 = it is told */
    uint32_t wanted;          /**< families */
    uint32_t alone_rows, group_rows, back_rows;
    uint32_t chain_row, chain_left, chain_step;
    uint32_t reserved[3];
};
/** struct path_state of kernels/path.glsl; begins as struct fg_gpu_path_state. */
struct fgi_gpu_path_state {
    uint32_t rows, links, left_out, invalid, max_hops, is_saturated;
    uint32_t stuck; /**< inverse of the lowest row that was left out; 0: none was */
    uint32_t is_done;
    uint32_t layer; /**< layers that are over; backwards: that are still to come */
    uint32_t ready, first, many;
    uint32_t chain_row; /**< the row that the chain goes on with */
    uint32_t reserved;
};

struct fgi_gpu_path {
    const struct fgi_gpu_links *links;
    /** Bits by row, borrowed; none = all. Set before the words are written and nodes are added. */
    struct fgi_gpu_column passing;
    struct fg_compute_memory words, state, arguments, longest, parts;
    struct fgi_gpu_column_memory part; /**< empty: all rows take part */
    struct fgi_gpu_column_memory open, nodes, order, layers, turned, stuck, lengths;
    /** Those that were asked for. */
    struct fgi_gpu_column_memory roots, tails, slacks, earliest, latest, predecessors, hops;
    struct fgi_gpu_column_memory chain;
};
struct fgi_gpu_path_sizes {
    uint32_t figures; /**< enum fg_path_figure */
    bool is_whole;    /**< every row takes part, whatever the words say */
};

/**
 * Take memory.
 *
 * @param links borrowed
 * @param path  zero; fgi_gpu_path_end() also after a failure
 */
FG_MUST_USE enum fg_result fgi_gpu_path_take(const struct fgi_gpu_links *links,
                                             const struct fgi_gpu_path_sizes *sizes,
                                             struct fgi_gpu_path *path);
/** Memory of a chain of so many rows; once. */
FG_MUST_USE enum fg_result fgi_gpu_path_take_chain(struct fgi_gpu_path *path, uint32_t rows);
void fgi_gpu_path_end(struct fgi_gpu_path *path);
/** Fill in columns and sizes, and write the words: not while work is in flight. */
void fgi_gpu_path_write(struct fgi_gpu_path *path, struct fgi_gpu_path_words *words);

/* Each adds nodes; they are run in this order, and each is over before the next is added. */

/** Who takes part, and the first layer. */
FG_MUST_USE enum fg_result fgi_gpu_path_begin(const struct fgi_gpu_path *path,
                                              const struct fg_compute_sink *sink);
/** Layers: to be run until the state is done. */
FG_MUST_USE enum fg_result fgi_gpu_path_turns(const struct fgi_gpu_path *path,
                                              const struct fg_compute_sink *sink);
/** Who never had a turn, and the longest of the others: struct fgi_reduction. */
FG_MUST_USE enum fg_result fgi_gpu_path_longest(const struct fgi_gpu_path *path,
                                                const struct fg_compute_sink *sink);
/** Tails, layer by layer backwards: to be run until the state has no more layers. */
FG_MUST_USE enum fg_result fgi_gpu_path_tails(const struct fgi_gpu_path *path,
                                              const struct fg_compute_sink *sink);
/** Figures by row, with length_ns in the words. */
FG_MUST_USE enum fg_result fgi_gpu_path_figures(const struct fgi_gpu_path *path,
                                                const struct fg_compute_sink *sink);
/** Up to chain_step rows of the chain that ends with chain_row, which is its row chain_left - 1. */
FG_MUST_USE enum fg_result fgi_gpu_path_chain(const struct fgi_gpu_path *path,
                                              const struct fg_compute_sink *sink);

#endif
