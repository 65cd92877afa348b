/* SPDX-License-Identifier: MIT */
/*
 * What all trace operations are built of: scans, masks, compaction, sort, reduction, counting,
 * lists of links, the longest of a range. Each function adds nodes to a sink and does nothing by
 * itself. Results are exact and the same on every device: order comes from scans and stable sorts
 * only.
 *
 * Columns have any number of chunks. Source and target may be the same only where it is said.
 * Scratch is the caller's, its sizes are told by the function beside, and it may be shared by
 * primitives of one graph. What lies in a column behind its last row is never read as a row;
 * targets are not written there.
 */
#ifndef FGI_PRIMITIVES_H
#define FGI_PRIMITIVES_H
#include "engine/vulkan/compute_column.h"

#include <frameglass/compute_graph.h>

/** Where nodes go. */
struct fgi_gpu_work {
    struct fg_compute *compute;
    const struct fg_compute_sink *sink;
    const struct fg_allocator *allocator; /**< for lists that end with the call */
};

/** How many rows: a number that the host knows, and one that only the device knows. */
struct fgi_count {
    uint32_t limit; /**< at most FGI_GPU_COLUMN_MAX_ROWS */
    /** One uint32_t; the smaller number counts. Zero = there are `limit`. */
    struct fg_compute_view device;
};

/* Scans. Source and target may be the same column. */

enum fgi_scan_kind {
    FGI_SCAN_SUM_U32, /**< modulo 2^32 */
    FGI_SCAN_SUM_U64, /**< modulo 2^64 */
    FGI_SCAN_MAX_U64, /**< what is before the first row is 0 */
};
struct fgi_scan {
    enum fgi_scan_kind kind;
    bool inclusive;
    struct fgi_gpu_column source;
    struct fgi_gpu_column target;
    struct fgi_count count;
    struct fg_compute_view total; /**< one number; zero = nobody wants it */
    struct fg_compute_view sums;  /**< scratch: fgi_scan_sums_bytes() */
};
uint64_t fgi_scan_sums_bytes(const struct fg_compute *compute, uint32_t limit);
FG_MUST_USE enum fg_result fgi_scan(const struct fgi_gpu_work *work, const struct fgi_scan *scan);

/* Masks: a bit for each row, in uint32_t words; bits behind the last row are 0. */

static inline uint32_t fgi_mask_words(uint32_t rows)
{
    return rows / 32 + (rows % 32 != 0);
}
/** Rows whose word is not 0. */
FG_MUST_USE enum fg_result fgi_mask_of_flags(const struct fgi_gpu_work *work,
                                             const struct fgi_gpu_column *flags,
                                             struct fgi_count count,
                                             const struct fgi_gpu_column *mask);
/** Bit i of `target` is bit order[i] of `source`, which has `source_rows`; 0 where order[i] has
 * none. */
FG_MUST_USE enum fg_result fgi_mask_gather(const struct fgi_gpu_work *work,
                                           const struct fgi_gpu_column *source,
                                           uint32_t source_rows, const struct fgi_gpu_column *order,
                                           struct fgi_count count,
                                           const struct fgi_gpu_column *target);
/** Bit order[i] of `target`, which has `target_rows` and is cleared, is bit i of `source`; 1 for
 * all rows of `order` where `source` is NULL. */
FG_MUST_USE enum fg_result fgi_mask_scatter(const struct fgi_gpu_work *work,
                                            const struct fgi_gpu_column *source,
                                            const struct fgi_gpu_column *order,
                                            struct fgi_count count,
                                            const struct fgi_gpu_column *target,
                                            uint32_t target_rows);
enum fgi_mask_logic { FGI_MASK_AND, FGI_MASK_OR, FGI_MASK_AND_NOT, FGI_MASK_XOR };
/** `target` may be one of the others. */
FG_MUST_USE enum fg_result fgi_mask_combine(const struct fgi_gpu_work *work,
                                            enum fgi_mask_logic logic,
                                            const struct fgi_gpu_column *left,
                                            const struct fgi_gpu_column *right, uint32_t rows,
                                            const struct fgi_gpu_column *target);
/** Transpose: bit p of each row's word becomes its bit in plane p, which begins at word
 *  p * plane_words of `planes`; of the planes in `wanted` only. */
FG_MUST_USE enum fg_result fgi_mask_planes(const struct fgi_gpu_work *work,
                                           const struct fgi_gpu_column *words, uint32_t rows,
                                           uint32_t wanted, uint32_t plane_words,
                                           const struct fgi_gpu_column *planes);

/* Compaction: the rows of a mask's bits, ascending. */

struct fgi_compact {
    struct fgi_gpu_column mask;
    struct fgi_count count;        /**< rows of the mask */
    struct fgi_gpu_column payload; /**< what is written of a row; none = its number */
    struct fgi_gpu_column target;
    uint32_t capacity;            /**< of `target`: what does not fit is counted and not written */
    struct fg_compute_view total; /**< one uint32_t: how many there are; zero = nobody wants it */
    struct fg_compute_view sums;  /**< scratch: fgi_compact_sums_bytes() */
};
uint64_t fgi_compact_sums_bytes(const struct fg_compute *compute, uint32_t limit);
FG_MUST_USE enum fg_result fgi_compact(const struct fgi_gpu_work *work,
                                       const struct fgi_compact *compact);

/** Indirect arguments from a count, which is not more than the limit. */
struct fgi_arguments {
    struct fgi_count count;
    uint32_t rows_of_group;          /**< of the dispatch */
    struct fg_compute_view dispatch; /**< VkDispatchIndirectCommand, folded; zero = none */
    uint32_t vertex_count;
    struct fg_compute_view draw; /**< VkDrawIndirectCommand, an instance a row; zero = none */
};
FG_MUST_USE enum fg_result fgi_arguments(const struct fgi_gpu_work *work,
                                         const struct fgi_arguments *arguments);

/* Stable sort by key, ascending, of a row number (or any other word) with each. */

struct fgi_sort {
    uint32_t key_bytes;            /**< 4 or 8 */
    uint32_t key_bits;             /**< that may be set in a key; 1 to 8 * key_bytes */
    uint32_t highest;              /**< keys of 4 bytes above it count as it; 0 = none is above */
    struct fgi_gpu_column keys;    /**< not changed */
    struct fgi_gpu_column payload; /**< none = the rows' numbers; not changed */
    struct fgi_count count;
    struct fgi_gpu_column out_keys; /**< none = nobody wants them */
    struct fgi_gpu_column out_payload;
    struct fgi_gpu_column
        spare_keys[2]; /**< scratch: `limit` keys; the second one only without out_keys */
    struct fgi_gpu_column spare_payload; /**< scratch: `limit` words */
    struct fgi_gpu_column digits;        /**< scratch: fgi_sort_digits() words */
    struct fg_compute_view sums;         /**< scratch: fgi_scan_sums_bytes() of these */
};
/** Words for how often each digit is in each tile. */
uint32_t fgi_sort_digits(const struct fg_compute *compute, uint32_t limit, uint32_t key_bytes,
                         uint32_t key_bits);
/** How often all rows are moved. */
uint32_t fgi_sort_passes(const struct fg_compute *compute, uint32_t key_bytes, uint32_t key_bits);
FG_MUST_USE enum fg_result fgi_sort(const struct fgi_gpu_work *work, const struct fgi_sort *sort);

/* Reduction. */

/** What a column comes to. */
struct fgi_reduction {
    uint32_t sum[4];    /**< 128 bits, lowest first */
    uint64_t least;     /**< UINT64_MAX if there is none */
    uint64_t greatest;  /**< 0 if there is none */
    uint32_t least_row; /**< the lowest row that has it; UINT32_MAX */
    uint32_t greatest_row;
    uint32_t count; /**< rows that were looked at */
    uint32_t reserved[5];
};
struct fgi_reduce {
    struct fgi_gpu_column source; /**< of 4 or 8 bytes */
    struct fgi_gpu_column rows;   /**< of each place its row; none = the place */
    struct fgi_gpu_column mask;   /**< by place; none = all */
    struct fgi_count count;
    struct fg_compute_view result; /**< struct fgi_reduction */
    struct fg_compute_view parts;  /**< scratch: fgi_reduce_parts_bytes() */
};
uint64_t fgi_reduce_parts_bytes(const struct fg_compute *compute, uint32_t limit);
FG_MUST_USE enum fg_result fgi_reduce(const struct fgi_gpu_work *work,
                                      const struct fgi_reduce *reduce);

/* Counting: how many rows have each key below key_count. */

struct fgi_count_keys {
    struct fgi_gpu_column keys;
    struct fgi_gpu_column mask; /**< none = all rows */
    struct fgi_count count;
    struct fgi_gpu_column counts;
    uint32_t key_count;
    /** One uint32_t: rows with other keys; zero = nobody wants it. */
    struct fg_compute_view others;
};
FG_MUST_USE enum fg_result fgi_count_keys(const struct fgi_gpu_work *work,
                                          const struct fgi_count_keys *counting);

/* Adjacency: for each row its links, in the links' order. */

struct fgi_adjacency {
    struct fgi_gpu_column ends;   /**< of each link, the row that it is listed at */
    struct fgi_gpu_column others; /**< of each link, its other row */
    uint32_t link_count;
    uint32_t row_count;            /**< links whose end is no row are listed nowhere */
    struct fgi_gpu_column offsets; /**< row_count + 1 */
    struct fgi_gpu_column links;   /**< link_count: numbers of links */
    /** link_count: `others` of these; none = nobody wants them. */
    struct fgi_gpu_column neighbours;
    struct fgi_gpu_column spare_keys[2]; /**< scratch: link_count words each */
    struct fgi_gpu_column spare_payload; /**< scratch: link_count words */
    struct fgi_gpu_column digits;        /**< scratch: fgi_adjacency_digits() words */
    struct fg_compute_view sums;         /**< scratch: fgi_adjacency_sums_bytes() */
};
uint32_t fgi_adjacency_digits(const struct fg_compute *compute, uint32_t link_count,
                              uint32_t row_count);
uint64_t fgi_adjacency_sums_bytes(const struct fg_compute *compute, uint32_t link_count,
                                  uint32_t row_count);
FG_MUST_USE enum fg_result fgi_adjacency(const struct fgi_gpu_work *work,
                                         const struct fgi_adjacency *adjacency);

/* The longest of a range of places: kernels/range_max.glsl. */

enum { FGI_RANGE_MAX_BITS = 3 };
struct fgi_range_max {
    struct fgi_gpu_column durations; /**< by place, 8 bytes */
    struct fgi_gpu_column rows;      /**< by place; none = the places */
    uint32_t count;
    struct fgi_gpu_column nodes; /**< fgi_range_max_nodes(), 16 bytes each */
};
/** struct fg_range_max of range_max.glsl. */
struct fgi_range_max_push {
    struct fgi_gpu_column_push durations, rows, nodes;
};
struct fgi_range_max_push fgi_range_max_push(const struct fgi_range_max *tree);
uint32_t fgi_range_max_nodes(uint32_t count);
FG_MUST_USE enum fg_result fgi_range_max_build(const struct fgi_gpu_work *work,
                                               const struct fgi_range_max *tree);
/** Of each pair [first, last) of places: duration (8 bytes), row, place; rows of UINT32_MAX are
 * none. */
FG_MUST_USE enum fg_result fgi_range_max_query(const struct fgi_gpu_work *work,
                                               const struct fgi_range_max *tree,
                                               const struct fgi_gpu_column *ranges,
                                               struct fgi_count count,
                                               const struct fgi_gpu_column *target);

/* By row. */

/** target[i] = source[order[i]], of 4 or 8 bytes; words of `missing` where order[i] is not below
 *  source_rows. Without an order (NULL) a copy. */
FG_MUST_USE enum fg_result fgi_gather(const struct fgi_gpu_work *work,
                                      const struct fgi_gpu_column *source, uint32_t source_rows,
                                      const struct fgi_gpu_column *order, struct fgi_count count,
                                      uint32_t missing, const struct fgi_gpu_column *target);
/** First place in [first, last) of a column that does not fall where it is not less than a value,
 * or with `upper` is greater than it; of each value. Columns of 4 or 8 bytes. */
struct fgi_search {
    struct fgi_gpu_column column;
    uint32_t first;
    uint32_t last;
    bool upper;
    struct fgi_gpu_column values;
    struct fgi_count count;
    struct fgi_gpu_column target;
};
FG_MUST_USE enum fg_result fgi_search(const struct fgi_gpu_work *work,
                                      const struct fgi_search *search);

#endif
