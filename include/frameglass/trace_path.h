/* SPDX-License-Identifier: MIT */
/*
 * What a span waited for: the critical path by parents or over all dependencies, with slack for
 * every row and the waits along the chain; and causal slices.
 */
#ifndef FG_TRACE_PATH_H
#define FG_TRACE_PATH_H
#include <frameglass/trace_links.h>
#include <frameglass/trace_task.h>

FG_BEGIN_DECLS

/* ---- critical path --------------------------------------------------------------------------- */

enum fg_path_by {
    FG_PATH_BY_DEPENDENCIES = 0, /**< any number of sources to a target */
    FG_PATH_BY_PARENTS = 1,      /**< a forest: each row hangs on its parent */
};
/** Figures by row that a path may be asked for, combined. */
enum fg_path_figure {
    FG_PATH_LENGTHS = 1,
    FG_PATH_SLACKS = 2,
    FG_PATH_PREDECESSORS = 4,
    FG_PATH_HOPS = 8,
    FG_PATH_ROOTS = 16,
    FG_PATH_TIMES = 32, /**< earliest and latest start */
};
struct fg_path_request {
    uint32_t by; /**< enum fg_path_by */
    bool has_row;
    uint32_t row; /**< the path that ends here, over what it depends on; else the longest of all */
    uint32_t filter; /**< only rows that pass take part */
    uint32_t families;
    int64_t start_ns, end_ns; /**< only rows that meet it, with their whole durations; 0, 0 = all */
    uint32_t figures;         /**< enum fg_path_figure */
    uint32_t max_chain;       /**< rows of the chain; 0 = 1,048,576 */
    uint32_t max_queued;      /**< spans told for one wait in a queue; 0 = 16 */
};
enum fg_path_flag {
    FG_PATH_INVALID_PARENT = 1, /**< a parent is no row */
    FG_PATH_CYCLIC = 4,
    FG_PATH_CHAIN_CUT = 8,  /**< max_chain: the chain is the end of the path only */
    FG_PATH_SATURATED = 16, /**< a length reached UINT64_MAX and stays there */
};
enum fg_path_piece_kind {
    FG_PIECE_WORK = 0,  /**< a row of the chain, its whole duration */
    FG_PIECE_WAIT = 1,  /**< after the row before it had ended, another dependency ran on */
    FG_PIECE_QUEUE = 2, /**< all it depended on had ended; another span was on its track */
    FG_PIECE_UNKNOWN = 3,
};
/**
 * One piece of the time along the chain. Between a row's end and the next one's start there are
 * pieces only where the clocks let the gap be told (fg_query_gap(): both comparable, the gap larger
 * than the bound, the end observed); else one FG_PIECE_UNKNOWN with is_claimed false and no time.
 */
struct fg_path_piece {
    uint32_t kind; /**< enum fg_path_piece_kind */
    uint32_t row; /**< work: the row; wait: what was waited for; queue: who was there; or FG_NONE */
    uint32_t link; /**< wait: the dependency; work: the one from the row before; or FG_NONE */
    uint32_t family, flags; /**< of `link`: derived ones have FG_DEPENDENCY_DERIVED; 0 without */
    bool is_claimed;
    int64_t start_ns, end_ns; /**< 0, 0 when it is not claimed */
};
/** Sums over the pieces; saturate. */
struct fg_path_sums {
    uint64_t work_ns;
    uint64_t wait_ns, queue_ns, unknown_ns; /**< between rows, claimed */
    uint64_t overlap_ns; /**< by how much rows began before the one they depend on had ended */
    uint32_t unclaimed;  /**< gaps that the clocks do not let be told */
};
/**
 * length(r)   = duration(r) + the largest length of what it depends on (0 where there is nothing)
 * tail(r)     = duration(r) + the largest tail of what depends on it; by parents: duration(r)
 * length_ns   = the largest of all; with has_row: length(row)
 * slack(r)    = length_ns - (length(r) + tail(r) - duration(r)), not below 0
 * earliest(r) = length(r) - duration(r);  latest(r) = earliest(r) + slack(r)
 *
 * Ties: the lowest row, the lowest number of a dependency. Sums are exact; at UINT64_MAX they stay
 * there, and it is flagged. Rows in a circle (of parents or dependencies; one to itself is a
 * circle), and all that depend on such rows, are left out: length, slack, hops and times 0,
 * root and predecessor FG_NONE. So are rows whose parent is none, with all that hang on them.
 * A parent that does not take part is no parent.
 */
struct fg_path_reply {
    uint64_t length_ns;
    uint32_t endpoint;     /**< last row of the chain; FG_NONE: no row takes part */
    uint32_t flags;        /**< enum fg_path_flag */
    uint32_t rows;         /**< that take part, left-out ones included */
    uint32_t links;        /**< dependencies (by parents: parents) that were followed */
    uint32_t left_out;     /**< rows in circles and what depends on them */
    uint32_t invalid;      /**< rows left out because of a parent that is no row */
    uint32_t max_hops;     /**< the largest number of steps to a root, over all rows that count */
    const uint32_t *chain; /**< first to last */
    uint32_t chain_count;
    const uint32_t *cycle; /**< one circle as an example: each depends on the one before it, and the
                                first on the last */
    uint32_t cycle_count;
    const struct fg_path_piece *pieces; /**< along the chain; WORK is there for each row */
    uint32_t piece_count;
    uint32_t untold_queued; /**< spans on the track that max_queued left out: unknown there */
    struct fg_path_sums sums;
    /* By row of the trace, NULL where not asked for; rows that take no part: as left out. */
    uint32_t figure_rows;
    const uint64_t *lengths, *slacks, *earliest, *latest;
    const uint32_t *predecessors, *hops, *roots;
};
/** Cost: rows that take part and their dependencies, once forwards and once backwards. */
FG_API FG_MUST_USE enum fg_result fg_query_path(struct fg_query *query,
                                                const struct fg_path_request *request,
                                                struct fg_path_reply *out_reply);
/**
 * Bytes that answering will take at most, chain, pieces and derived dependencies
 * (fg_query_links_bytes()) excepted: 0 for a bad request.
 */
FG_API uint64_t fg_query_path_bytes(const struct fg_query *query,
                                    const struct fg_path_request *request);
/**
 * The same in steps. Stages: 1 lengths and endpoint, 2 slack, 3 chain with its pieces. The reply
 * may be read when the task is done.
 */
FG_API FG_MUST_USE enum fg_result fg_task_path(struct fg_query *query,
                                               const struct fg_path_request *request,
                                               uint32_t scheduling, struct fg_task **out_task);
/** FG_ERR_STATE while it is not done. Lent until the task is destroyed. */
FG_API FG_MUST_USE enum fg_result fg_task_result_path(struct fg_task *task,
                                                      struct fg_path_reply *out_reply);

/* ---- causal slice ---------------------------------------------------------------------------- */

enum fg_slice_direction {
    FG_SLICE_BACKWARD = 0, /**< what led to the row */
    FG_SLICE_FORWARD = 1,  /**< what followed from it */
    FG_SLICE_BOTH = 2,     /**< the two together, not mixed: nothing sideways */
};
struct fg_slice_request {
    uint32_t row;
    uint32_t direction; /**< enum fg_slice_direction */
    uint32_t families;
    uint32_t filter;          /**< rows that do not pass are neither told nor gone through */
    int64_t start_ns, end_ns; /**< rows that do not meet it neither; 0, 0 = everything */
    uint32_t max_hops;        /**< 0 = as far as it goes */
    uint32_t max_rows;        /**< 0 = 65,536 */
};
struct fg_slice_item {
    uint32_t row;
    int32_t hops;           /**< the least; negative: before the row */
    uint32_t link;          /**< by which it was reached first; FG_NONE: the row itself */
    uint32_t family, flags; /**< of `link`; 0 without */
    bool is_claimed; /**< the clocks say that the source of `link` ended before its target began */
};
struct fg_slice_reply {
    const struct fg_slice_item *items; /**< by hops, then as found; the row itself is at hops 0 */
    uint32_t count;
    uint32_t overflow;   /**< rows next in line that max_rows left out */
    uint32_t outside;    /**< dependencies that led to rows outside of the window */
    uint32_t hidden;     /**< and to rows that do not pass the filter */
    bool is_hop_limited; /**< there is more behind max_hops */
};
/**
 * FG_ERR_NOT_FOUND: no such row. The row itself is in the slice, whatever window and filter say.
 */
FG_API FG_MUST_USE enum fg_result fg_query_slice(struct fg_query *query,
                                                 const struct fg_slice_request *request,
                                                 struct fg_slice_reply *out_reply);
/** The same in steps. One stage. */
FG_API FG_MUST_USE enum fg_result fg_task_slice(struct fg_query *query,
                                                const struct fg_slice_request *request,
                                                uint32_t scheduling, struct fg_task **out_task);
/** FG_ERR_STATE while it is not done. Lent until the task is destroyed. */
FG_API FG_MUST_USE enum fg_result fg_task_result_slice(struct fg_task *task,
                                                       struct fg_slice_reply *out_reply);

FG_END_DECLS
#endif
