/* SPDX-License-Identifier: MIT */
/* Questions about single things: counters, marks, search, picking, one span, gaps between spans. */
#ifndef FG_TRACE_FIND_H
#define FG_TRACE_FIND_H
#include <frameglass/trace_query.h>

FG_BEGIN_DECLS

/* ---- counters -------------------------------------------------------------------------------- */

struct fg_counters_request {
    int64_t start_ns, end_ns; /**< the window, start < end */
    uint32_t width_px;
    const uint32_t *counters;
    uint32_t counter_count;
    uint32_t max_items; /**< samples and bins together; 0 = 262,144 */
};
union fg_counter_value {
    int64_t integer;
    double real; /**< where the counter is_double */
};
struct fg_counter_bin {
    int64_t bin;
    uint32_t count; /**< samples in it, at least 1 */
    union fg_counter_value low, high, last;
};
struct fg_counter_answer {
    bool answered;  /**< false: the budget was reached */
    bool has_bins;  /**< false: samples, the one before the window included */
    bool has_range; /**< there is a sample: low and high of the whole counter are meant */
    union fg_counter_value low, high;
    uint32_t first, count; /**< into samples or bins */
};
struct fg_counters_reply {
    unsigned level; /**< as in a view */
    const struct fg_counter_answer *answers;
    const struct fg_trace_sample *samples;
    const struct fg_counter_bin *bins; /**< only bins with samples; ascending */
    uint32_t sample_count, bin_count, unanswered;
};
/**
 * Samples of the window, or bins of them where there are more than pixels; lent. Counters keep
 * their order; when the budget does not suffice the later ones are not answered. Cost: a search in
 * each counter, and its samples in the window.
 */
FG_API FG_MUST_USE enum fg_result fg_query_counters(struct fg_query *query,
                                                    const struct fg_counters_request *request,
                                                    struct fg_counters_reply *out_reply);

/* ---- marks ----------------------------------------------------------------------------------- */

struct fg_marks_request {
    int64_t start_ns, end_ns; /**< 0, 0 = everything */
    bool skip_instants, skip_notes, with_losses;
    uint32_t first, limit; /**< page; limit 0 = 1,000 */
    uint32_t width_px;     /**< when more than `limit` meet the window: bins as wide; 0 = never */
};
/** Marks of one track in one bin of the reply's level. */
struct fg_mark_bin {
    int64_t bin;
    uint32_t track;   /**< FG_NONE: of the whole trace */
    uint32_t count;   /**< at least 1 */
    uint32_t instant; /**< index of the first of them */
    bool has_instants, has_notes, has_losses;
};
#define FG_MARK_BINS_MAX 1048576
struct fg_marks_reply {
    uint32_t total;           /**< in the window */
    const uint32_t *instants; /**< indices, by time, then index */
    uint32_t count;
    bool has_bins;                  /**< instead of instants */
    unsigned level;                 /**< as in a view; 0 without bins */
    const struct fg_mark_bin *bins; /**< by their first instant, as instants are ordered */
    uint32_t bin_count;             /**< the first FG_MARK_BINS_MAX of them */
    bool is_cut;                    /**< there were more */
};
/**
 * Instants, notes and losses with start_ns <= time < end_ns, as indices for fg_trace_instant();
 * lent. With a width, and more of them than `limit`: bins, of the level that a view of this window
 * and width has. Cost: a search for the window, then the marks in it.
 */
FG_API FG_MUST_USE enum fg_result fg_query_marks(struct fg_query *query,
                                                 const struct fg_marks_request *request,
                                                 struct fg_marks_reply *out_reply);

/* ---- search and picking ---------------------------------------------------------------------- */

struct fg_search_request {
    const char *text; /**< contained in the name, ASCII letters without case; not empty */
    bool has_after;
    uint32_t after; /**< continue behind this row */
    uint32_t limit; /**< 0 = 1,000 */
    uint32_t filter;
};
struct fg_search_reply {
    uint32_t total;                    /**< rows that match in all */
    uint32_t next;                     /**< `after` of the next page; FG_NONE at the end */
    const struct fg_trace_span *spans; /**< by row */
    uint32_t count;
};
/**
 * Spans whose name contains a text, a page of them in stored order; lent. The same request with
 * `after` = next gives the next page. Cost: every row once, for each page.
 */
FG_API FG_MUST_USE enum fg_result fg_query_search(struct fg_query *query,
                                                  const struct fg_search_request *request,
                                                  struct fg_search_reply *out_reply);
struct fg_task;
/** The same in steps (trace_task.h); one stage. The text is lent for this call only. */
FG_API FG_MUST_USE enum fg_result fg_task_search(struct fg_query *query,
                                                 const struct fg_search_request *request,
                                                 uint32_t scheduling, struct fg_task **out_task);
/** FG_ERR_STATE before it is done. */
FG_API FG_MUST_USE enum fg_result fg_task_result_search(struct fg_task *task,
                                                        struct fg_search_reply *out_reply);

struct fg_pick_request {
    struct fg_view_target target;
    int64_t time_ns;
    uint64_t tolerance_ns; /**< on either side */
    uint32_t filter;
};
/**
 * What is under a pointer: the shortest span that holds the time (one of zero length at that time
 * does); else the nearest within the tolerance; ties: the lowest row. FG_NONE: nothing.
 */
FG_API FG_MUST_USE enum fg_result fg_query_pick(struct fg_query *query,
                                                const struct fg_pick_request *request,
                                                uint32_t *out_row);

/* ---- one span -------------------------------------------------------------------------------- */

struct fg_span_link {
    uint32_t row; /**< the other end */
    uint32_t family, flags;
    bool is_claimed; /**< false: the gap is smaller than the clocks' bounds, or they are nominal */
    int64_t gap_ns;  /**< end of the source to start of the target; 0 when not claimed */
};
struct fg_span_detail {
    struct fg_trace_span span;
    uint64_t self_ns; /**< duration less the union of its direct children */
    enum fg_clock_kind clock_kind;
    uint64_t bound_ns; /**< error of each end; meant when calibrated */
    const struct fg_trace_arg *args;
    uint32_t arg_count;
    const uint32_t *fragments; /**< rows of all fragments of its pass, itself among them */
    uint32_t fragment_count;
    const uint32_t *children;                 /**< direct ones, by start; at most 1,024 */
    uint32_t child_count;                     /**< how many there are in all */
    const struct fg_span_link *waits, *wakes; /**< what it depended on; what depended on it */
    uint32_t wait_count, wake_count;
};
/**
 * Everything about one span; arguments and lists are lent. FG_ERR_NOT_FOUND when there is no such
 * row. Cost: its children and what else lies one depth below it in its time; its arguments (which
 * may be read from the file), fragments and dependencies. The first question looks at all rows, for
 * what self times stand on.
 */
FG_API FG_MUST_USE enum fg_result fg_query_span(struct fg_query *query, uint32_t row,
                                                struct fg_span_detail *out_detail);

struct fg_gap {
    int64_t gap_ns;    /**< start of the second less end of the first; saturates */
    uint64_t bound_ns; /**< largest error of it */
    bool is_ordered;   /**< the order is certain: the gap is larger than the bound */
};
/**
 * Time between two spans. FG_ERR_CLOCK when they are on different clocks of which one is nominal:
 * such a difference has no meaning.
 */
FG_API FG_MUST_USE enum fg_result fg_query_gap(struct fg_query *query, uint32_t first_row,
                                               uint32_t second_row, struct fg_gap *out_gap);

FG_END_DECLS
#endif
