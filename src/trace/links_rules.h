/* SPDX-License-Identifier: MIT */
/* Rules of dependencies that are the same in every engine: what an order of clocks allows to say,
 * which line crosses a view, where hubs lie, and which figures follow from parents alone. */
#ifndef FGI_LINKS_RULES_H
#define FGI_LINKS_RULES_H
#include "trace/engine.h"

/**
 * The gap from the end of one span to the start of another, when it may be told: the end was
 * observed, the clocks can be compared, and the gap is larger than their error. False: it may not.
 */
bool fgi_gap_is_told(const struct fg_trace *trace, const struct fg_trace_span *from,
                     const struct fg_trace_span *to, int64_t *out_gap_ns);

static inline bool fgi_family_is_in(uint32_t families, uint32_t family)
{
    return (families & FG_FAMILY(family)) != 0;
}

/** Of a cell, 4 times as many lines as it may show and these are looked at. Tests: also 2. */
#ifndef FGI_LINK_LOOKS
#define FGI_LINK_LOOKS 1024u
#endif

/** Times and y of a view, its edges included. */
struct fgi_view_box {
    int64_t start_ns, end_ns;
    int32_t top_y, bottom_y;
};
/** Does the straight line meet the box? Exact. */
bool fgi_line_crosses(const struct fgi_view_box *box, int64_t from_ns, int32_t from_y,
                      int64_t to_ns, int32_t to_y);

/** The grid of hubs: cells of 2^time_bits ns by 2^y_bits units. */
struct fgi_hub_grid {
    unsigned time_bits, y_bits;
};
struct fgi_hub_grid fgi_hub_grid(const struct fg_links_request *request);
int64_t fgi_hub_ns(const struct fgi_hub_grid *grid, int64_t time_ns);
int32_t fgi_hub_y(const struct fgi_hub_grid *grid, int32_t y);
/**
 * Give every line of a reply that is not exact a bundle; `lines` are the reply's, still writable.
 */
FG_MUST_USE enum fg_result fgi_bundle_lines(const struct fgi_question *question,
                                            const struct fg_links_request *request,
                                            const struct fg_allocator *allocator,
                                            struct fg_link_line *lines,
                                            struct fg_links_reply *reply);

/** What is known of a row on a path; all of it in one line of the cache. */
struct fgi_path_node {
    uint64_t length; /**< of the longest path that ends with it */
    uint32_t predecessor;
    uint32_t hops;
};
/**
 * Paths of a forest, in steps. Nodes are numbers below `count`; a parent is one of them, FG_NONE,
 * or anything else: invalid. Zero plus nodes and roots is valid.
 */
struct fgi_forest {
    uint32_t count;
    /**
     * length: in, the row's own; out, of the path from its root. predecessor: the parent, left as
     * it is. hops: FGI_FOREST_OPEN at first; out, steps to the root.
     */
    struct fgi_path_node *nodes;
    uint32_t *roots; /**< out */
    uint32_t next;   /**< nodes before it are done */
    uint32_t flags, invalid, left_out, max_hops;
    uint32_t cycle_node; /**< on the first circle that was found; meant with FG_PATH_CYCLIC */
};
#define FGI_FOREST_OPEN UINT32_MAX
/** Nodes that were left out have these for `hops` until the caller puts 0 there; roots FG_NONE. */
#define FGI_FOREST_LEFT_OUT (UINT32_MAX - 1) /**< on a circle, or hanging on one */
#define FGI_FOREST_INVALID  (UINT32_MAX - 2) /**< hanging on a parent that is none */
/** Go on with nodes from `next` until `max_rows` were walked over; returns how many were. */
uint64_t fgi_forest_step(struct fgi_forest *forest, uint64_t max_rows);

#endif
