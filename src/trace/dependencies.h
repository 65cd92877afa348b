/* SPDX-License-Identifier: MIT */
/*
 * Dependencies as a graph: recorded ones, and numbered behind them those that follow from the frame
 * graphs of a trace. The latter are made when somebody asks for them, and are nowhere kept in the
 * trace: who asks owns them.
 */
#ifndef FGI_DEPENDENCIES_H
#define FGI_DEPENDENCIES_H
#include "base/bytes.h"
#include "trace/engine.h"
#include "trace/model.h"

/** Families that hold what follows from frame graphs. */
static inline bool fgi_families_are_derived(uint32_t families)
{
    return (families & FG_FAMILY(FG_DEPENDENCY_GRAPH)) != 0;
}

/** Zero has no dependencies. */
struct fgi_graph {
    const struct fgi_links *recorded;
    const struct fgi_links *derived; /**< NULL: none take part */
    uint32_t recorded_count;         /**< numbers below are recorded */
    uint32_t count;                  /**< of both together; below FG_NONE */
};
/** @param derived borrowed; NULL or empty: none */
static inline struct fgi_graph fgi_graph_of(const struct fg_trace *trace,
                                            const struct fgi_links *derived)
{
    struct fgi_graph graph = { .recorded = &trace->links,
                               .recorded_count = trace->links.count,
                               .count = trace->links.count };
    if (derived && derived->count > 0) {
        graph.derived = derived;
        graph.count += derived->count;
    }
    return graph;
}

/* ---- one dependency -------------------------------------------------------------------------- */

static inline const struct fgi_links *fgi_graph_part(const struct fgi_graph *graph, uint32_t *link)
{
    if (*link < graph->recorded_count) {
        return graph->recorded;
    }
    *link -= graph->recorded_count;
    return graph->derived;
}
static inline uint32_t fgi_graph_source(const struct fgi_graph *graph, uint32_t link)
{
    const struct fgi_links *part = fgi_graph_part(graph, &link);
    return fgi_rising_at(&part->sources, link);
}
static inline uint32_t fgi_graph_target(const struct fgi_graph *graph, uint32_t link)
{
    const struct fgi_links *part = fgi_graph_part(graph, &link);
    return part->targets[link];
}
static inline const struct fgi_link_kind *fgi_links_kind(const struct fgi_links *links,
                                                         uint32_t link)
{
    uint64_t bit = (uint64_t)link * links->kind_bits;
    uint64_t word = fgi_load_u64(links->kinds + bit / 8) >> bit % 8;
    return &links->kind_list.items[word & ((UINT64_C(1) << links->kind_bits) - 1)];
}
static inline const struct fgi_link_kind *fgi_graph_kind(const struct fgi_graph *graph,
                                                         uint32_t link)
{
    const struct fgi_links *part = fgi_graph_part(graph, &link);
    return fgi_links_kind(part, link);
}
static inline uint32_t fgi_graph_family(const struct fgi_graph *graph, uint32_t link)
{
    return fgi_graph_kind(graph, link)->family;
}
/** False past the end. */
bool fgi_graph_dependency(const struct fgi_graph *graph, uint32_t link,
                          struct fg_trace_dependency *out_dependency);

/* ---- those of one row ------------------------------------------------------------------------ */

/** Numbers (or positions) of recorded ones, then of derived ones. */
struct fgi_link_ranges {
    uint32_t next[2], end[2];
};
static inline uint32_t fgi_link_ranges_count(const struct fgi_link_ranges *ranges)
{
    return ranges->end[0] - ranges->next[0] + (ranges->end[1] - ranges->next[1]);
}
/** The next one; false: there is none. */
static inline bool fgi_link_ranges_next(struct fgi_link_ranges *ranges, uint32_t *out_number)
{
    unsigned part = ranges->next[0] == ranges->end[0];
    if (ranges->next[part] == ranges->end[part]) {
        return false;
    }
    *out_number = ranges->next[part]++;
    return true;
}
/** Numbers of the dependencies whose source is `row`. */
struct fgi_link_ranges fgi_graph_out(const struct fgi_graph *graph, uint32_t row);
/** Positions, in the order by target, of those whose target is `row`; by number. */
struct fgi_link_ranges fgi_graph_in(const struct fgi_graph *graph, uint32_t row);
/** Number of the dependency at such a position. */
static inline uint32_t fgi_graph_at(const struct fgi_graph *graph, uint32_t position)
{
    return position < graph->recorded_count
               ? graph->recorded->by_target[position]
               : graph->recorded_count +
                     graph->derived->by_target[position - graph->recorded_count];
}

/* ---- deriving (graph_derive.c) --------------------------------------------------------------- */

/**
 * On the way to the dependencies that follow from frame graphs: of each frame, from the GPU span of
 * a pass that ends last to every one of each pass that reads what it made, and from every one of a
 * pass to the one of each reader that begins first; those that were recorded as data are left out.
 * So it is all that SPAN tells of the frame graph, from either end.
 */
struct fgi_deriving;
FG_MUST_USE enum fg_result fgi_deriving_create(const struct fg_allocator *allocator,
                                               const struct fg_trace *trace,
                                               struct fgi_deriving **out_deriving);
/** NULL is legal. */
void fgi_deriving_destroy(struct fgi_deriving *deriving);
/** Rows that it will look at; 0: nothing follows from frame graphs here. */
uint64_t fgi_deriving_rows(const struct fg_trace *trace);
/**
 * Go on with frames of at most `max_rows` rows, but at least one frame; adds the rows to *done.
 *
 * @param out_links by source, then target, when *is_over; fgi_links_finish() ends it
 * @return FG_ERR_LIMIT when there are more dependencies than numbers; FG_ERR_CANCELLED,
 *         FG_ERR_NO_MEMORY, or what reading a block again met
 */
FG_MUST_USE enum fg_result fgi_deriving_step(struct fgi_deriving *deriving,
                                             const struct fgi_question *question, uint64_t max_rows,
                                             uint64_t *done, bool *is_over,
                                             struct fgi_links *out_links);

/* ---- making (links.c) ------------------------------------------------------------------------ */

/**
 * Sources and orders of dependencies of which count, targets and kinds are there.
 *
 * @param sources by number, rising
 */
FG_MUST_USE enum fg_result fgi_links_order(const struct fg_allocator *allocator,
                                           struct fgi_links *links, const uint32_t *sources,
                                           uint32_t rows);
uint64_t fgi_links_bytes(const struct fgi_links *links);

#endif
