/* SPDX-License-Identifier: MIT */
/* What the files about dependencies share: rows of a graph, and the index over its lines. */
#ifndef FGI_GRAPH_CPU_H
#define FGI_GRAPH_CPU_H
#include "engine/cpu/engine_cpu_priv.h"
#include "trace/dependencies.h"
#include "trace/links_rules.h"

/* ---- dependencies with those that are derived (derived.c) ------------------------------------ */

/** Rows that are still to be looked at before fgi_cpu_graph() has all of these families. */
uint64_t fgi_derived_rows(const struct fgi_engine_cpu *cpu, uint32_t families);
/** Go on with at most `max_rows` rows, or the smallest piece. */
FG_MUST_USE enum fg_result fgi_derived_step(struct fgi_engine_cpu *cpu,
                                            const struct fgi_question *question, uint32_t families,
                                            uint64_t max_rows, uint64_t *done, bool *is_over);
/** What has been made so far. */
struct fgi_graph fgi_cpu_graph(const struct fgi_engine_cpu *cpu, uint32_t families);
/** Makes what is missing. */
FG_MUST_USE enum fg_result fgi_cpu_graph_get(struct fgi_engine_cpu *cpu,
                                             const struct fgi_question *question, uint32_t families,
                                             struct fgi_graph *out_graph);
void fgi_derived_finish(struct fgi_engine_cpu *cpu);

/* ---- dependencies of one row after the other ------------------------------------------------- */

/** Where the dependencies out of the row at hand lie in one part of a graph; zero is valid. */
struct fgi_links_walk {
    uint32_t first, end;
};
/** Goes there, without a search when the row lies near the last one that was asked for. */
static inline void fgi_links_walk(struct fgi_links_walk *walk, const struct fgi_rising *sources,
                                  uint32_t row)
{
    uint32_t count = sources->count;
    uint32_t at = walk->end;
    if ((at == 0 || fgi_rising_at(sources, at - 1) < row) &&
        (at == count || fgi_rising_at(sources, at) >= row)) {
        walk->first = at; /* behind the last one */
        while (at < count && fgi_rising_at(sources, at) == row) {
            at++;
        }
        walk->end = at;
    } else if (walk->first > 0 && fgi_rising_at(sources, walk->first - 1) <= row &&
               (walk->first == count || fgi_rising_at(sources, walk->first) > row)) {
        walk->end = at = walk->first; /* before it */
        while (at > 0 && fgi_rising_at(sources, at - 1) == row) {
            at--;
        }
        walk->first = at;
    } else {
        walk->first = fgi_rising_find(sources, row);
        walk->end = fgi_rising_find(sources, row + 1);
    }
}

/* ---- which row stands for another (project.c) ------------------------------------------------ */

/** Rows that may stand for others. NULL bits: all. */
struct fgi_sight {
    const uint64_t *filter, *mask;
    uint32_t mask_rows;
};
static inline bool fgi_is_in_sight(const struct fgi_sight *sight, uint32_t row)
{
    return (!sight->filter || fgi_has_bit(sight->filter, row)) &&
           (!sight->mask || (row < sight->mask_rows && fgi_has_bit(sight->mask, row)));
}

enum fgi_projection { FGI_SELF, FGI_ANCESTOR, FGI_UNRESOLVED, FGI_CUT, FGI_INVALID };
/** Who may stand for a row. */
struct fgi_projecting {
    bool (*is_seen)(const void *context, struct fgi_cursor *cursor, uint32_t row);
    const void *context;
    uint32_t rows;      /**< of the trace */
    uint32_t max_depth; /**< parents up; UINT32_MAX: any */
    uint64_t *visited;  /**< added to */
};
/**
 * The row itself or its nearest ancestor that is seen; circles of parents end. *out_row is FG_NONE
 * unless it is FGI_SELF or FGI_ANCESTOR.
 */
enum fgi_projection fgi_project(const struct fgi_projecting *how, struct fgi_cursor *cursor,
                                uint32_t row, uint32_t *out_row);

/* ---- lines by time (link_index.c, link_index_make.c) ----------------------------------------- */

enum { FGI_LINK_CLASSES = 64 };
/** Lines of a leaf of the tree. Tests are also compiled with 2. */
#ifndef FGI_LINK_LEAF
#define FGI_LINK_LEAF 16u
#endif

/**
 * Lines between rows that stand for the ends under a filter; ordered by class of length, then by
 * their lesser time. A line of class e is at most 2^e ns long (63: any). Over each 16 of them lies
 * the least hash, over two of those the lesser, and so on.
 */
struct fgi_link_index {
    uint64_t hidden, same; /**< dependencies that have no line, by reason */
    uint64_t typical_ns;   /**< mean duration of the sources */
    uint32_t count;        /**< lines */
    uint32_t *links;       /**< count numbers of dependencies */
    int64_t *leaf_times;   /**< lesser time of each leaf's first line */
    uint32_t *least;       /**< 2 * leaf_room: a tree, 1 = top, leaves from leaf_room on */
    uint32_t leaf_count, leaf_room;
    uint32_t class_first[FGI_LINK_CLASSES + 1];
};
/** What reading lines takes. */
struct fgi_link_reading {
    const struct fg_trace *trace;
    const struct fgi_graph *graph;
    const uint64_t *bits; /**< rows that pass; NULL: all */
    struct fgi_cursor *cursor;
    uint64_t *visited; /**< added to */
};
/** Ends of a line and the rows that stand for them under the filter alone. */
struct fgi_link_ends {
    uint32_t source, target;             /**< of the dependency */
    uint32_t shown_source, shown_target; /**< themselves where nothing else is visible */
    int64_t from_ns, to_ns;
    uint32_t marks; /**< PROJECTED and HIDDEN of enum fg_link_mark */
};
/** Rows between two looks at whether to stop. */
#define FGI_LINK_LOOK_ROWS 262144u
/**
 * Go on with the index of a row set, with at most `max_rows` rows or the smallest piece; adds what
 * was done. It lives as long as the population; so does what there is of it when nobody goes on.
 */
FG_MUST_USE enum fg_result fgi_link_index_step(struct fgi_engine_cpu *cpu,
                                               const struct fgi_question *question,
                                               struct fgi_population *population,
                                               const uint64_t *bits, uint64_t max_rows,
                                               uint64_t *done, bool *is_over);
/** An estimate of what is still to be done; 0: it is there. */
uint64_t fgi_link_index_rows(const struct fgi_engine_cpu *cpu,
                             const struct fgi_population *population);
uint64_t fgi_link_making_bytes(const struct fgi_link_making *making);
/** NULL is legal. */
void fgi_link_making_destroy(struct fgi_link_making *making);
uint64_t fgi_link_index_bytes(const struct fgi_link_index *index);
/** NULL is legal. */
void fgi_link_index_destroy(const struct fg_allocator *allocator, struct fgi_link_index *index);
/** Positions of a class whose lesser time is in [low, high]: [*out_first, returned end). */
uint32_t fgi_link_index_range(const struct fgi_link_index *index,
                              const struct fgi_link_reading *reading, unsigned length_class,
                              int64_t low, int64_t high, uint32_t *out_first);
/** Calls `take` for each position of [first, end) with low <= hash <= high. False ends it early. */
bool fgi_link_index_scan(const struct fgi_link_index *index, uint32_t first, uint32_t end,
                         uint32_t low, uint32_t high,
                         bool (*take)(void *context, uint32_t link, uint32_t hash), void *context);
/** Which rows stand for the ends of a dependency under a filter. False: see the cursor. */
bool fgi_link_ends(const struct fgi_link_reading *reading, uint32_t source, uint32_t target,
                   struct fgi_link_ends *out_ends);

/* ---- operations ------------------------------------------------------------------------------ */

enum fg_result fgi_cpu_dependency(struct fg_engine *, const struct fgi_question *, uint32_t link,
                                  struct fg_trace_dependency *);
enum fg_result fgi_cpu_focus_begin(struct fg_engine *, const struct fgi_question *,
                                   const struct fg_focus_request *, struct fgi_focus_work **);
enum fg_result fgi_cpu_project(struct fg_engine *, const struct fgi_question *,
                               const struct fg_project_request *, struct fg_project_reply *);
enum fg_result fgi_cpu_links_begin(struct fg_engine *, const struct fgi_question *,
                                   const struct fg_links_request *, struct fgi_links_work **);
uint64_t fgi_cpu_links_bytes(const struct fg_engine *);
enum fg_result fgi_cpu_slice_begin(struct fg_engine *, const struct fgi_question *,
                                   const struct fg_slice_request *, struct fgi_slice_work **);
enum fg_result fgi_cpu_path_begin(struct fg_engine *, const struct fgi_question *,
                                  const struct fg_path_request *, struct fgi_path_work **);
uint64_t fgi_cpu_path_bytes(const struct fg_engine *, const struct fg_path_request *);

#endif
