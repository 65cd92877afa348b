/* SPDX-License-Identifier: MIT */
/* A critical path on its way: which rows take part, what is known of each, and how far it is. */
#ifndef FGI_PATH_PRIV_H
#define FGI_PATH_PRIV_H
#include "engine/cpu/graph_cpu.h"
#include "trace/path_pieces.h"
#include "trace/task.h"

enum fgi_path_phase {
    FGI_PATH_GRAPH,  /**< dependencies that follow from frame graphs */
    FGI_PATH_SELECT, /**< which rows take part */
    FGI_PATH_NUMBER, /**< numbers for them, unless all do */
    FGI_PATH_SCAN,   /**< in-degrees, parents; are all targets behind their sources? */
    FGI_PATH_OWN,    /**< when not: what rows are asked for out of order is kept */
    FGI_PATH_FORWARD,
    FGI_PATH_BACKWARD,
    FGI_PATH_FIGURES,
    FGI_PATH_CHAIN,
    FGI_PATH_DONE,
};

/** Items are numbers of rows that take part, in order; the rows themselves when all do. */
struct fgi_path {
    struct fgi_path_work face;
    struct fgi_engine_cpu *cpu;
    const struct fg_trace *trace;
    struct fg_path_request request;
    uint32_t filter; /**< held; 0 = none */
    const uint64_t *passing;
    enum fgi_path_phase phase;
    uint64_t next;   /**< item (or row) of the phase at hand */
    bool is_whole;   /**< every row takes part */
    bool is_ordered; /**< every dependency leads to a later row */
    uint32_t count;  /**< items */
    uint32_t trace_rows;
    struct fgi_cursor cursor;
    struct fgi_graph graph;        /**< by parents: without dependencies */
    struct fgi_links_walk walk[2]; /**< through its parts */
    struct fgi_links_walk walk_in[2];
    uint64_t *bits;  /**< rows that take part */
    uint32_t *ranks; /**< items before each word of bits */
    uint32_t *rows;  /**< by item; while rows are selected by what they depend on: those found */
    size_t rows_capacity;
    struct fgi_path_node *nodes; /**< predecessors are items; hops: in-degree until its turn */
    uint64_t *tails;
    uint32_t *roots; /**< items */
    /* When rows do not have their turns in order: */
    uint64_t *own;   /**< durations */
    uint32_t *first; /**< count + 1: where the recorded dependencies out of each begin */
    uint32_t *order; /**< items by turn */
    uint64_t *done;  /**< bit by item: its turn has come */
    uint32_t ready;  /**< items in `order` */
    size_t made;     /**< items that the arrays were made for */
    /** Those that are asked for, by row, in the question's memory. */
    struct {
        uint64_t *lengths, *slacks, *earliest, *latest;
        uint32_t *predecessors, *hops, *roots;
    } figures;
    struct fgi_forest forest;
    uint32_t best;       /**< item that ends the path; FG_NONE */
    uint64_t links_seen; /**< not counted yet */
    struct fgi_pieces pieces;
};

static inline bool fgi_path_is_forest(const struct fgi_path *path)
{
    return path->request.by == FG_PATH_BY_PARENTS;
}
static inline bool fgi_path_needs_tails(const struct fg_path_request *request)
{
    return (request->figures & (FG_PATH_SLACKS | FG_PATH_TIMES)) != 0;
}

static inline uint32_t fgi_path_row(const struct fgi_path *path, uint32_t item)
{
    return path->is_whole ? item : path->rows[item];
}
/** FG_NONE: the row takes no part. */
static inline uint32_t fgi_path_item(const struct fgi_path *path, uint32_t row)
{
    if (path->is_whole) {
        return row;
    }
    uint64_t word = path->bits[row / 64];
    uint64_t bit = UINT64_C(1) << (row % 64);
    if (!(word & bit)) {
        return FG_NONE;
    }
    return path->ranks[row / 64] + (uint32_t)__builtin_popcountll(word & (bit - 1));
}
static inline bool fgi_path_follows(const struct fgi_path *path, uint32_t link)
{
    return path->request.families == UINT32_MAX ||
           fgi_family_is_in(path->request.families, fgi_graph_family(&path->graph, link));
}
/** Its duration; reads the row unless durations are kept. False: see the cursor. */
static inline bool fgi_path_own(struct fgi_path *path, uint32_t item, uint64_t *out_own)
{
    if (path->own) {
        *out_own = path->own[item];
        return true;
    }
    uint32_t row = fgi_path_row(path, item);
    if (!fgi_cursor_at(&path->cursor, row)) {
        return false;
    }
    *out_own =
        fgi_duration(fgi_cursor_start(&path->cursor, row), fgi_cursor_end(&path->cursor, row));
    return true;
}
/** Numbers of the dependencies out of an item's row. */
static inline struct fgi_link_ranges fgi_path_links(struct fgi_path *path, uint32_t item)
{
    const struct fgi_graph *graph = &path->graph;
    const struct fgi_rising *sources = &graph->recorded->sources;
    struct fgi_link_ranges ranges = { { 0 }, { 0 } };
    uint32_t row = fgi_path_row(path, item);
    if (path->first) {
        uint32_t end = ranges.next[0] = path->first[item];
        if (path->is_whole) {
            end = path->first[item + 1];
        }
        while (!path->is_whole && end < sources->count && fgi_rising_at(sources, end) == row) {
            end++;
        }
        ranges.end[0] = end;
    } else {
        fgi_links_walk(&path->walk[0], sources, row);
        ranges.next[0] = path->walk[0].first;
        ranges.end[0] = path->walk[0].end;
    }
    if (graph->derived) {
        fgi_links_walk(&path->walk[1], &graph->derived->sources, row);
        ranges.next[1] = graph->recorded_count + path->walk[1].first;
        ranges.end[1] = graph->recorded_count + path->walk[1].end;
    }
    path->links_seen += fgi_link_ranges_count(&ranges);
    return ranges;
}
/** The item that a dependency leads to; FG_NONE: it is not followed. */
static inline uint32_t fgi_path_target(const struct fgi_path *path, uint32_t link)
{
    return fgi_path_follows(path, link) ? fgi_path_item(path, fgi_graph_target(&path->graph, link))
                                        : FG_NONE;
}
/** The item that it comes from, likewise. */
static inline uint32_t fgi_path_source(const struct fgi_path *path, uint32_t link)
{
    return fgi_path_follows(path, link) ? fgi_path_item(path, fgi_graph_source(&path->graph, link))
                                        : FG_NONE;
}
static inline uint64_t fgi_path_add(struct fgi_path *path, uint64_t a, uint64_t b)
{
    if (a > UINT64_MAX - b) {
        path->face.reply.flags |= FG_PATH_SATURATED;
        return UINT64_MAX;
    }
    return a + b;
}

/** Rows of items, not items, stand in the answer. */
static inline uint32_t fgi_path_row_of(const struct fgi_path *path, uint32_t item)
{
    return item == FG_NONE ? FG_NONE : fgi_path_row(path, item);
}
static inline bool fgi_path_is_left_out(const struct fgi_path *path, uint32_t item)
{
    return fgi_path_is_forest(path) ? path->roots[item] == FG_NONE
                                    : path->done && !fgi_has_bit(path->done, item);
}
static inline void fgi_path_count(struct fgi_path *path, const struct fgi_question *question,
                                  uint64_t rows)
{
    question->visits->spans += rows;
    question->visits->dependencies += path->links_seen;
    path->links_seen = 0;
}

/* Each goes on from `next` with at most `max` rows, adds how many to *done, and sets *is_over. */

/** path_select.c */
enum fg_result fgi_path_select(struct fgi_path *path, const struct fgi_question *question,
                               uint64_t max, uint64_t *done, bool *is_over);
enum fg_result fgi_path_number(struct fgi_path *path);
/** path_order.c: all dependencies */
enum fg_result fgi_path_scan_links(struct fgi_path *path, const struct fgi_question *question,
                                   uint64_t max, uint64_t *done, bool *is_over);
enum fg_result fgi_path_forward(struct fgi_path *path, const struct fgi_question *question,
                                uint64_t max, uint64_t *done, bool *is_over);
enum fg_result fgi_path_backward(struct fgi_path *path, const struct fgi_question *question,
                                 uint64_t max, uint64_t *done, bool *is_over);
/** After the last turn: rows that never had one, and a circle among them. */
enum fg_result fgi_path_leave_out(struct fgi_path *path, const struct fgi_question *question);
/** path_figures.c: what was asked for by row. */
enum fg_result fgi_path_fill_figures(struct fgi_path *path, const struct fgi_question *question,
                                     uint64_t max, uint64_t *done, bool *is_over);

#endif
