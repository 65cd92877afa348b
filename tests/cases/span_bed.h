/* SPDX-License-Identifier: MIT */
/* A trace of a case's few spans, and what its views show. */
#ifndef FGT_SPAN_BED_H
#define FGT_SPAN_BED_H
#include "trace/build.h"
#include "trace/model.h"
#include <frameglass/trace_find.h>
#include <frameglass/trace_links.h>
#include <frameglass/trace_minimap.h>

enum { FGT_BED_SPANS_MAX = 1024 };

/** Row i of the trace is span i. */
struct fgt_bed_span {
    int64_t start_ns, end_ns;
    uint32_t thread, depth;
    uint32_t category, classes;
    uint32_t parent; /**< row + 1; 0 = none */
};
struct fgt_bed {
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_query *query;
    uint32_t rows;
};
/** Threads per process. Thread t is track t. False: nothing is open. */
bool fgt_bed_open(struct fgt_bed *bed, const struct fgt_bed_span *spans, uint32_t count,
                  uint32_t threads, uint32_t threads_per_process);
/** The same, and dependencies: pairs of rows. */
bool fgt_bed_open_linked(struct fgt_bed *bed, const struct fgt_bed_span *spans, uint32_t count,
                         uint32_t threads, uint32_t threads_per_process, const uint32_t (*links)[2],
                         size_t link_count);
void fgt_bed_close(struct fgt_bed *bed);

/** The lane of a depth of a thread; `overlap` as in the trace; FG_NONE. */
uint32_t fgt_bed_lane(const struct fgt_bed *bed, uint32_t thread, uint32_t depth, uint32_t overlap);
/** Text id of a row's category. */
uint32_t fgt_bed_category(const struct fgt_bed *bed, uint32_t row);
struct fg_view_target fgt_bed_target(uint32_t kind, uint32_t index);
/** Adds the rows that a view with every span shows in the targets, in their order; rows it has. */
uint32_t fgt_bed_shown(const struct fgt_bed *bed, const struct fg_view_target *targets,
                       uint32_t target_count, int64_t start_ns, int64_t end_ns, uint32_t filter,
                       uint32_t *rows);
/** A filter of these terms; FG_NONE. */
uint32_t fgt_bed_filter(const struct fgt_bed *bed, const struct fg_filter_terms *terms);
/**
 * Row of the longest span of every pixel; FG_NONE: there is none. Pixels are 2^level ns wide and
 * the first begins at pixel `first`. False: it was not answered by bins of that level.
 */
bool fgt_bed_longest(const struct fgt_bed *bed, struct fg_view_target target, uint32_t filter,
                     unsigned level, int64_t first, uint32_t pixels, uint32_t *rows);

#endif
