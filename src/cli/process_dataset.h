/* SPDX-License-Identifier: MIT */
/*
 * The data set that luma.gl measures its trace operations with: 16 processes of 4 threads of 4
 * lanes, three groups, a fixed seed. Every number follows from the count of spans alone.
 */
#ifndef FGI_PROCESS_DATASET_H
#define FGI_PROCESS_DATASET_H
#include <frameglass/base.h>

enum {
    FGI_DATASET_PROCESSES = 16,
    FGI_DATASET_THREADS = 64,
    FGI_DATASET_LANES = 256,
    FGI_DATASET_GROUPS = 3
};
#define FGI_DATASET_NONE UINT32_MAX

/** One row. Times are in milliseconds; `start` is what the 32-bit float is made from. */
struct fgi_dataset_span {
    double start, duration;
    uint32_t classes; /**< status, and the annotations of parents */
    uint8_t lane;     /**< process * 16 + thread * 4 + depth */
    uint8_t group;
};
struct fgi_dataset_link {
    uint32_t source, target, family, flags;
};
struct fgi_dataset {
    const struct fg_allocator *allocator;
    uint32_t span_count, link_count;
    struct fgi_dataset_span *spans;
    struct fgi_dataset_link *links;
    size_t link_capacity;
    uint32_t *parents;                         /**< FGI_DATASET_NONE: a root */
    uint32_t group_first[FGI_DATASET_GROUPS];  /**< first row */
    uint32_t group_counts[FGI_DATASET_GROUPS]; /**< rows */
    double duration;                           /**< largest end */
};

/** At most `link_limit` links. FG_OK, FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_dataset_make(const struct fg_allocator *allocator,
                                            uint32_t span_count, uint32_t link_limit,
                                            struct fgi_dataset *out_dataset);
void fgi_dataset_finish(struct fgi_dataset *dataset);
/** A row as luma.gl stores it: 8 words of 32 bits. */
void fgi_dataset_words(const struct fgi_dataset *dataset, uint32_t row, uint32_t words[8]);

#endif
