/* SPDX-License-Identifier: MIT */
/*
 * The data set that the trace operations' sources are measured with: 16 processes of 4 threads of 4
 * lanes, three groups, a fixed seed. Every number follows from the count of spans alone.
 */
#ifndef SOURCES_DATASET_H
#define SOURCES_DATASET_H
#include <frameglass/base.h>

enum { SOURCES_PROCESSES = 16, SOURCES_THREADS = 64, SOURCES_LANES = 256, SOURCES_GROUPS = 3 };
#define SOURCES_NONE UINT32_MAX

/** One row. Times are in the sources' units; `start` is what the 32-bit float is made from. */
struct sources_span {
    double start, duration;
    uint32_t classes; /**< status, and the annotations of parents */
    uint8_t lane;     /**< process * 16 + thread * 4 + depth */
    uint8_t group;
};
struct sources_link {
    uint32_t source, target, family, flags;
};
struct sources_dataset {
    const struct fg_allocator *allocator;
    uint32_t span_count, link_count;
    struct sources_span *spans;
    struct sources_link *links;
    size_t link_capacity;
    uint32_t *parents;                     /**< SOURCES_NONE: a root */
    uint32_t group_first[SOURCES_GROUPS];  /**< first row */
    uint32_t group_counts[SOURCES_GROUPS]; /**< rows */
    double duration;                       /**< largest end */
};

/** At most `link_limit` links. FG_OK, FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result sources_dataset_make(const struct fg_allocator *allocator,
                                                uint32_t span_count, uint32_t link_limit,
                                                struct sources_dataset *out_dataset);
void sources_dataset_finish(struct sources_dataset *dataset);
/** A row as the sources store it: 8 words of 32 bits. */
void sources_dataset_words(const struct sources_dataset *dataset, uint32_t row, uint32_t words[8]);

#endif
