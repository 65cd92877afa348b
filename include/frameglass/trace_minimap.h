/* SPDX-License-Identifier: MIT */
/* The whole trace in a few pixels, from the coarsest level of detail. */
#ifndef FG_TRACE_MINIMAP_H
#define FG_TRACE_MINIMAP_H
#include <frameglass/trace_query.h>

FG_BEGIN_DECLS

struct fg_minimap_request {
    uint32_t kind; /**< FG_VIEW_TRACK or FG_VIEW_PROCESS: what has an answer of its own */
    uint32_t filter;
    uint32_t max_cells; /**< 0 = 262,144 */
};
/**
 * Bins of the lanes of one track or process that are at the same time and whose longest spans have
 * the same category: a sub-band of its envelope, so that no category hides another.
 */
struct fg_minimap_cell {
    int64_t bin; /**< covers [bin * 2^level, (bin + 1) * 2^level) */
    uint32_t category;
    uint32_t lanes;      /**< how many lanes it stands for, at least 1 */
    uint32_t starts;     /**< spans that start in it, in these lanes */
    uint32_t row;        /**< longest span that meets it in these lanes; ties: lowest row */
    uint64_t longest_ns; /**< whole duration of `row` */
    uint64_t covered_ns; /**< sum over the lanes of what spans cover of it */
};
struct fg_minimap_answer {
    uint32_t first_cell, cell_count;
    bool is_answered; /**< false: the budget was reached */
};
struct fg_minimap_reply {
    /** The coarsest level that is stored: at most 512 bins for the trace, fewer with many lanes. */
    unsigned level;
    int64_t first_bin, last_bin;             /**< of the trace; last < first: there is no span */
    const struct fg_minimap_answer *answers; /**< by track or process */
    uint32_t answer_count;
    const struct fg_minimap_cell *cells; /**< by answer, then bin, then category */
    uint32_t cell_count;
    uint32_t unanswered;
};
/**
 * Cost: lanes and cells. No span is looked at once a filter's bins have been made.
 * FG_ERR_LIMIT: not even the first answer fits.
 */
FG_API FG_MUST_USE enum fg_result fg_query_minimap(struct fg_query *query,
                                                   const struct fg_minimap_request *request,
                                                   struct fg_minimap_reply *out_reply);

FG_END_DECLS
#endif
