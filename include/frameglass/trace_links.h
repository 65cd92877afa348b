/* SPDX-License-Identifier: MIT */
/*
 * Dependencies between spans: what is connected to a span (focus), which visible span stands for a
 * hidden one (projection), which lines a window shows (display), and which line is under a pointer.
 * Dependencies are numbered as in fg_trace_dependency(); a number never changes. Behind those are
 * numbered the ones that follow from the graphs of frames, of family FG_DEPENDENCY_GRAPH and with
 * the flag FG_DEPENDENCY_DERIVED: of each frame, from the GPU span of a pass that ends last to
 * every one of each pass that reads what it made, and from every one of a pass to the one of each
 * reader that begins first; not those that were recorded as FG_DEPENDENCY_DATA. They take part
 * wherever their family is asked for, and are made when that is the case for the first time.
 */
#ifndef FG_TRACE_LINKS_H
#define FG_TRACE_LINKS_H
#include <frameglass/trace_query.h>
#include <frameglass/trace_task.h>

FG_BEGIN_DECLS

/**
 * A set of families: bit (1 << enum fg_dependency_family); 0 = all. Those over 31 are bit 31.
 */
#define FG_FAMILY(family) (1u << ((family) < 31u ? (family) : 31u))

/** The dependency of a number, derived ones among them. FG_ERR_NOT_FOUND: there is none. */
FG_API FG_MUST_USE enum fg_result fg_query_dependency(struct fg_query *query, uint32_t link,
                                                      struct fg_trace_dependency *out_dependency);

/* ---- focus ----------------------------------------------------------------------------------- */

enum fg_link_direction {
    FG_LINKS_BOTH = 0, /**< either way at every hop */
    FG_LINKS_OUT = 1,  /**< from sources to targets: what a span woke */
    FG_LINKS_IN = 2,   /**< from targets to sources: what a span waited for */
};
struct fg_focus_request {
    const uint32_t *seeds; /**< rows; borrowed for the call */
    uint32_t seed_count;
    uint32_t hops;      /**< 0 = the seeds alone; UINT32_MAX = as far as it goes */
    uint32_t direction; /**< enum fg_link_direction */
    uint32_t families;
    uint32_t capacity; /**< rows that one hop may expand; 0 = fg_focus_capacity() */
};
struct fg_focus_hop {
    uint32_t first, count; /**< into `rows`: first reached by so many hops; hop 0: the seeds */
    uint32_t expanded;     /**< of these, rows whose dependencies were followed */
    uint32_t overflow;     /**< of these, rows that were not, because the capacity was reached */
};
struct fg_focus_reply {
    /**
     * Bit by row: reached. It goes into fg_filter_terms.mask as it is. NULL when no seed is a row:
     * then there is nothing to focus on, and such a mask hides nothing.
     */
    const uint64_t *mask;
    uint32_t mask_rows;
    /**
     * Every reached row once, by hop; inside a hop as found: by row that was expanded, dependencies
     * out of it before those into it, by number. A row that overflowed is reached all the same.
     */
    const uint32_t *rows;
    uint32_t count;
    const struct fg_focus_hop *hops; /**< hop 0 first; hops that reach nothing new are not there */
    uint32_t hop_count;
    uint32_t seeds;          /**< distinct seeds that are rows */
    uint32_t repeated_seeds; /**< given more than once */
    uint32_t invalid_seeds;  /**< no such row */
    uint32_t overflow;       /**< rows that were not expanded: behind `expanded` in their hop */
    uint32_t frontier;       /**< rows of the last hop: there may be more behind them */
};
/** What is connected to the seeds. Cost: the rows that are expanded and their dependencies. */
FG_API FG_MUST_USE enum fg_result fg_query_focus(struct fg_query *query,
                                                 const struct fg_focus_request *request,
                                                 struct fg_focus_reply *out_reply);
/** The same in steps: fg_task_step(). One stage. */
FG_API FG_MUST_USE enum fg_result fg_task_focus(struct fg_query *query,
                                                const struct fg_focus_request *request,
                                                uint32_t scheduling, struct fg_task **out_task);
/** FG_ERR_STATE while it is not done. Lent until the task is destroyed. */
FG_API FG_MUST_USE enum fg_result fg_task_result_focus(struct fg_task *task,
                                                       struct fg_focus_reply *out_reply);
/**
 * min(rows, dependencies + 1, 2^20), at least 1. Where a request leaves it out, derived ones count
 * as dependencies if their family is asked for.
 */
FG_API uint32_t fg_focus_capacity(uint32_t rows, uint32_t dependencies);

/* ---- projection ------------------------------------------------------------------------------ */

struct fg_project_request {
    uint32_t filter;      /**< rows that pass are visible */
    const uint64_t *mask; /**< bit by row, all of them: visible as well as it passes; NULL = all */
    const uint32_t *rows; /**< NULL: every row of the trace, in order */
    uint32_t row_count;   /**< meant with `rows` */
    uint32_t max_depth;   /**< parents to look at; 0 = no limit */
};
struct fg_project_reply {
    const uint32_t *rows; /**< by request: the row itself, its nearest visible ancestor, FG_NONE */
    uint32_t count;
    uint32_t visible;    /**< stand for themselves */
    uint32_t projected;  /**< an ancestor stands for them */
    uint32_t unresolved; /**< no ancestor is visible */
    uint32_t cut;        /**< max_depth was reached first */
    uint32_t invalid;    /**< no such row, or a parent that is none, or parents in a circle */
};
/**
 * Which visible row stands for each; the answer is lent. Rows that do not exist are counted as
 * invalid. Cost: the rows and their parents up to the visible one; of every row of a trace without
 * a limit of depth one step each where parents are stored before their children.
 */
FG_API FG_MUST_USE enum fg_result fg_query_project(struct fg_query *query,
                                                   const struct fg_project_request *request,
                                                   struct fg_project_reply *out_reply);

/* ---- display --------------------------------------------------------------------------------- */

/** Where spans are drawn: y counts downwards from anywhere, in pixels or any unit, and does not
 * change when the page is scrolled. */
struct fg_link_place {
    uint8_t kind; /**< enum fg_view_kind: a lane, or a folded track or process */
    uint32_t index;
    int32_t y; /**< middle of its line; within +-2^30 */
};
enum fg_link_bundling {
    FG_BUNDLE_AUTO = 0, /**< fg_links_are_bundled() */
    FG_BUNDLE_ALWAYS = 1,
    FG_BUNDLE_NEVER = 2,
};
struct fg_links_request {
    int64_t start_ns, end_ns; /**< the window, start < end */
    uint32_t width_px;
    int32_t top_y, bottom_y; /**< the part of the places that is in view, top <= bottom */
    const struct fg_link_place *places;
    uint32_t place_count;
    uint32_t filter;
    uint32_t families;
    uint32_t max_lines;       /**< the budget when zoomed in wholly; 0 = 2,048; at most 65,536 */
    uint32_t bundling;        /**< enum fg_link_bundling */
    const uint32_t *selected; /**< dependencies to be shown exactly, whatever hides others */
    uint32_t selected_count;
    const uint32_t *rows; /**< rows whose dependencies (of the families) are shown exactly */
    uint32_t row_count;
    uint32_t max_exact; /**< lines for `selected` and `rows`; 0 = 4,096 */
};
#define FG_LINKS_BUDGET_MAX 65536

enum fg_link_mark {
    FG_LINK_EXACT = 1,            /**< selected: its own ends, straight, outside of the budget */
    FG_LINK_SOURCE_PROJECTED = 2, /**< drawn from an ancestor of its source */
    FG_LINK_TARGET_PROJECTED = 4,
    FG_LINK_SOURCE_HIDDEN = 8, /**< drawn where its source would be; no ancestor is visible */
    FG_LINK_TARGET_HIDDEN = 16,
    FG_LINK_UNCLAIMED =
        32, /**< the order of its ends is not certain: their clocks do not allow it */
};
struct fg_link_line {
    uint32_t link;                       /**< number of the dependency */
    uint32_t source, target;             /**< its rows */
    uint32_t shown_source, shown_target; /**< rows that stand for them */
    uint32_t source_place, target_place; /**< into the request's places */
    int64_t from_ns, to_ns;              /**< end of shown_source, start of shown_target */
    uint32_t family, flags;              /**< of the dependency */
    uint32_t marks;                      /**< enum fg_link_mark */
    uint32_t bundle;                     /**< FG_NONE: straight */
};
/**
 * Lines that run source, hub, hub, target. A hub is the middle of a cell of a grid that lies fixed
 * in time and y: cells of 2^j ns, the largest with 16 * 2^j <= the window, by 2^i units, the
 * largest with 10 * 2^i <= bottom - top, at least 1; cell c is [c * 2^j, (c + 1) * 2^j).
 */
struct fg_link_bundle {
    int64_t source_hub_ns, target_hub_ns;
    int32_t source_hub_y, target_hub_y;
    uint32_t lines;
};
/** Every dependency of the trace is counted once: all of these and `lines` less extra_lines. */
struct fg_links_left_out {
    uint64_t outside;     /**< its line is not near the window */
    uint64_t hidden;      /**< the filter hides both ends with all their ancestors */
    uint64_t same;        /**< one row stands for both ends */
    uint64_t families;    /**< near the window, of a family that was not asked for */
    uint64_t placeless;   /**< near the window; an end and all its ancestors have no place */
    uint64_t culled;      /**< admitted, and its line does not cross the view */
    uint64_t over_budget; /**< near the window; others went before it */
};
struct fg_links_reply {
    const struct fg_link_line *lines; /**< exact ones first, by number; the others by number */
    uint32_t line_count;
    uint32_t exact_count;    /**< of them, exact ones */
    uint32_t exact_overflow; /**< selected ones that max_exact left out, or without a place */
    uint32_t extra_lines;    /**< exact ones that are among the numbers left out as well */
    const struct fg_link_bundle *bundles; /**< by first line */
    uint32_t bundle_count;
    uint32_t budget; /**< fg_links_budget() of this window */
    struct fg_links_left_out left_out;
};
/**
 * The dependencies that a window shows.
 *
 * Ends: a row that passes the filter and has a place stands for itself; else its nearest ancestor
 * that does; else the row itself, marked hidden, if its place is there. A row has a place by its
 * lane, its track or its process, whichever is given, in this order.
 *
 * Which: a line of length (from to to) in (2^(e-1), 2^e] ns belongs to the cell of max(e, k) that
 * its lesser time lies in, where 2^k is the least power not below the window. Of each cell the
 * first budget / 4 lines (at least one) by fg_links_hash() of their number are admitted, at most 16
 * times as many + 1,024 of a cell are looked at; of what then crosses the view at most `budget`,
 * shorter classes first, then by hash. So panning and scrolling change nothing that stays in view
 * while the last bound is not met, and a line that is shown stays when the view is zoomed in.
 *
 * Cost: cells near the window times the budget; the first call with a filter makes an index over
 * all dependencies (5 bytes each, fg_query_links_bytes()), which lives as long as the filter.
 */
FG_API FG_MUST_USE enum fg_result fg_query_links(struct fg_query *query,
                                                 const struct fg_links_request *request,
                                                 struct fg_links_reply *out_reply);
/**
 * The same in steps. Stages: 1 the index over all dependencies, 2 the reply. What there is of the
 * index stays with the engine when the task ends before it is done: the next one goes on with it.
 * Once it is there, one step is enough.
 */
FG_API FG_MUST_USE enum fg_result fg_task_links(struct fg_query *query,
                                                const struct fg_links_request *request,
                                                uint32_t scheduling, struct fg_task **out_task);
/** FG_ERR_STATE while it is not done. Lent until the task is destroyed. */
FG_API FG_MUST_USE enum fg_result fg_task_result_links(struct fg_task *task,
                                                       struct fg_links_reply *out_reply);
/** Bytes of the indexes over dependencies, and of derived ones, that were made so far. */
FG_API uint64_t fg_query_links_bytes(const struct fg_query *query);

/**
 * Lines for a window of a trace: max * (1/32 + 31/32 * s), to the nearest, at least 1; s is the
 * smooth step (3x^2 - 2x^3) of log2(trace / window) / 5. Integers all the way.
 */
FG_API uint32_t fg_links_budget(uint32_t max_lines, uint64_t trace_ns, uint64_t window_ns);
/** A number that has nothing to do with the order of its argument. */
FG_API uint32_t fg_links_hash(uint32_t link);
/** A span of `typical_ns` is narrower than 400 pixels. */
FG_API bool fg_links_are_bundled(uint64_t typical_ns, uint64_t window_ns, uint32_t width_px);
/** Where somebody points, in pixels from the window's start and from top_y. */
struct fg_links_pointer {
    double x_px, y_px;
    double px_per_y; /**< of one unit of y */
    double tolerance_px;
};
/**
 * The line under a pointer: the nearest within the tolerance along the way that it is drawn (over
 * its hubs), distances told in sixteenths of a pixel; ties: the lower number. FG_NONE: none.
 *
 * @param out_line       index into the reply's lines
 * @param out_sixteenths NULL is legal
 */
FG_API void fg_links_pick(const struct fg_links_request *request,
                          const struct fg_links_reply *reply,
                          const struct fg_links_pointer *pointer, uint32_t *out_line,
                          uint32_t *out_sixteenths);

/* ---- layout ---------------------------------------------------------------------------------- */

/** One byte for each; not zero = folded. NULL = none is. */
struct fg_layout_request {
    const uint8_t *processes, *tracks;
    uint32_t gap;         /**< lines left free behind each track that has any */
    uint32_t process_gap; /**< and before each process but the first */
};
struct fg_layout_item {
    struct fg_view_target target; /**< ready for a view: previous_mode is FG_VIEW_NONE */
    uint32_t line;                /**< from 0, downwards */
};
/**
 * Lines of processes, tracks and depths: a folded process is one line that merges all its lanes, at
 * its first track with spans; a folded track is one; any other has a line for each lane. Tracks
 * without a process come last. FG_ERR_LIMIT when there are more than 2^30 lines.
 */
FG_API FG_MUST_USE enum fg_result fg_query_layout(struct fg_query *query,
                                                  const struct fg_layout_request *request,
                                                  const struct fg_layout_item **out_items,
                                                  uint32_t *out_count, uint32_t *out_lines);

FG_END_DECLS
#endif
