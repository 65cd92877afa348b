/* SPDX-License-Identifier: MIT */
/* Paths by parents on the device: lengths, roots and steps of all rows, however deep they lie. */
#ifndef FGI_GPU_FOREST_H
#define FGI_GPU_FOREST_H
#include "engine/vulkan/gpu_columns.h"

#include <frameglass/trace_path.h>

/** Control words: struct forest_words of kernels/forest.glsl. */
struct fgi_gpu_forest_words {
    struct fgi_gpu_column_push passing;
    struct fgi_gpu_column_push slacks, earliest, latest, predecessors;
    int64_t start_ns, end_ns; /**< rows that meet it take part */
    uint64_t length_ns;       /**< of the path; for figures */
    uint64_t length_at;       /**< an address where that is; 0 = it is told */
};
/** struct forest_counts of kernels/forest.glsl; as struct fg_gpu_path_state. */
struct fgi_gpu_forest_counts {
    uint32_t rows, links, left_out, invalid, max_hops, is_saturated;
    uint32_t circle; /**< inverse of the lowest row that was left out; 0: none was */
    uint32_t reserved[7];
};

struct fgi_gpu_forest {
    const struct fg_gpu_trace *gpu;
    /** Bits by row, borrowed; none = all. Set before the words are written and nodes are added. */
    struct fgi_gpu_column passing;
    struct fg_compute_memory words, counts, longest, parts;
    struct fgi_gpu_column_memory up[2], times[2], flags, mask;
    unsigned last; /**< which of the two has what was found: root and steps; lengths */
    /** By row; those that were asked for. */
    struct fgi_gpu_column_memory roots, hops, predecessors, slacks, earliest, latest;
};
/**
 * Take memory.
 *
 * @param figures enum fg_path_figure
 * @param forest  zero; fgi_gpu_forest_end() also after a failure
 */
FG_MUST_USE enum fg_result fgi_gpu_forest_take(const struct fg_gpu_trace *gpu, uint32_t figures,
                                               struct fgi_gpu_forest *forest);
void fgi_gpu_forest_end(struct fgi_gpu_forest *forest);
/** Fill in the columns, and write the words: not while work is in flight. */
void fgi_gpu_forest_write(struct fgi_gpu_forest *forest, struct fgi_gpu_forest_words *words);
/** Add the nodes that find lengths, roots, steps, counts, and the longest: struct fgi_reduction. */
FG_MUST_USE enum fg_result fgi_gpu_forest_climb(struct fgi_gpu_forest *forest,
                                                const struct fg_compute_sink *sink);
/** Add the nodes of the figures that follow from these, with length_ns in the words. */
FG_MUST_USE enum fg_result fgi_gpu_forest_figures(const struct fgi_gpu_forest *forest,
                                                  const struct fg_compute_sink *sink);

#endif
