/* SPDX-License-Identifier: MIT */
/*
 * Dependencies of a trace on the device: lists by row, what is reached along them, which row in
 * sight stands for another, and critical paths; by the rules of fg_query_focus(),
 * fg_query_project() and fg_query_path(). Every function adds nodes to a sink and leaves submitting
 * to the caller; every result is a view that the caller may bind, as a mask for a filter too.
 *
 *     fg_gpu_links_create(gpu, &links);
 *     while (fg_gpu_links_upload(links, &sink, ring, serial, 0) == FG_OK) { encode, submit }
 *     fg_gpu_links_build(links, &sink);
 *     fg_gpu_focus_create(links, &focus);
 *     fg_gpu_focus_ask(focus, &request);            as often as it likes: writes control words
 *     fg_gpu_focus_begin(focus, &sink); fg_gpu_focus_hops(focus, &sink);    once, likewise
 *
 * Threads: as gpu_trace.h. Nothing is asked or destroyed while work that uses it is in flight.
 */
#ifndef FG_GPU_TRACE_LINKS_H
#define FG_GPU_TRACE_LINKS_H
#include <frameglass/gpu_trace.h>
#include <frameglass/trace_links.h>
#include <frameglass/trace_path.h>
FG_BEGIN_DECLS

/* ---- lists by row ---------------------------------------------------------------------------- */

/** The recorded dependencies of a trace, by their numbers. */
struct fg_gpu_links;

enum fg_gpu_links_column {
    FG_GPU_LINKS_OUT_FIRST =
        0,                /**< by row, and the end: those out of it begin here in the next two */
    FG_GPU_LINKS_OUT = 1, /**< numbers of dependencies, ascending in each row */
    FG_GPU_LINKS_OUT_ROWS = 2, /**< where each leads */
    FG_GPU_LINKS_IN_FIRST = 3, /**< the same of those into a row */
    FG_GPU_LINKS_IN = 4,
    FG_GPU_LINKS_IN_ROWS = 5,  /**< where each comes from */
    FG_GPU_LINKS_FAMILIES = 6, /**< by number: FG_FAMILY() */
};
/**
 * Take the memory of the lists; nothing is uploaded.
 *
 * @param gpu       outlives them
 * @param out_links owned: fg_gpu_links_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; FG_ERR_LIMIT (2^30 and more of them); of
 *         fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_links_create(struct fg_gpu_trace *gpu,
                                                      struct fg_gpu_links **out_links);
/** What stands on them is destroyed before. NULL is legal. */
FG_API void fg_gpu_links_destroy(struct fg_gpu_links *links);
/** As fg_gpu_trace_upload(): FG_ERR_NOT_FOUND when all is there. FG_ERR_STATE: they are built. */
FG_API FG_MUST_USE enum fg_result fg_gpu_links_upload(struct fg_gpu_links *links,
                                                      const struct fg_compute_sink *sink,
                                                      struct fg_compute_ring *ring, uint64_t serial,
                                                      uint64_t max_bytes);
/** Add the nodes that make the lists, when all is uploaded; else FG_ERR_STATE. */
FG_API FG_MUST_USE enum fg_result fg_gpu_links_build(struct fg_gpu_links *links,
                                                     const struct fg_compute_sink *sink);
/** That work has completed: gives the memory back that was needed for it alone. */
FG_API void fg_gpu_links_built(struct fg_gpu_links *links);
FG_API uint32_t fg_gpu_links_count(const struct fg_gpu_links *links);
FG_API uint32_t fg_gpu_links_chunk_count(const struct fg_gpu_links *links,
                                         enum fg_gpu_links_column column);
/** chunk < fg_gpu_links_chunk_count(). */
FG_API struct fg_compute_view fg_gpu_links_chunk(const struct fg_gpu_links *links,
                                                 enum fg_gpu_links_column column, uint32_t chunk);

/* ---- focus ----------------------------------------------------------------------------------- */

struct fg_gpu_focus;
enum { FG_GPU_FOCUS_SEEDS = 4096 /**< the most of one request */ };

/**
 * Take memory: 29 bytes a row, and a bit for each dependency and direction.
 *
 * @param links     built; outlive it
 * @param out_focus owned: fg_gpu_focus_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; of fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_focus_create(struct fg_gpu_links *links,
                                                      struct fg_gpu_focus **out_focus);
FG_API void fg_gpu_focus_destroy(struct fg_gpu_focus *focus);
/**
 * Write control words.
 *
 * @param request borrowed; seeds that are no rows and those that are there already are left out
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_LIMIT (more than FG_GPU_FOCUS_SEEDS); FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_focus_ask(struct fg_gpu_focus *focus,
                                                   const struct fg_focus_request *request);
/** Add the nodes that begin with the seeds. */
FG_API FG_MUST_USE enum fg_result fg_gpu_focus_begin(const struct fg_gpu_focus *focus,
                                                     const struct fg_compute_sink *sink);
/** Add the nodes of many small hops and then a large one. To be added, or run, as often as there
 *  are hops, or until the state is done; behind the last hop they do nothing. */
FG_API FG_MUST_USE enum fg_result fg_gpu_focus_hops(const struct fg_gpu_focus *focus,
                                                    const struct fg_compute_sink *sink);
struct fg_gpu_focus_state {
    uint32_t first, count; /**< reached rows are those before `first`, and `count` more */
    uint32_t hop;          /**< that comes next */
    uint32_t dependencies; /**< followed, and one */
    uint32_t is_done;
    uint32_t reserved[8];
    uint32_t overflow; /**< rows that were reached and not expanded, as a hop was at its capacity */
    uint32_t reserved2[2];
};
/** One struct fg_gpu_focus_state. */
FG_API struct fg_compute_view fg_gpu_focus_get_state(const struct fg_gpu_focus *focus);
enum fg_gpu_focus_column {
    FG_GPU_FOCUS_MASK = 0, /**< a bit for each row of the trace that was reached */
    FG_GPU_FOCUS_ROWS = 1, /**< hop by hop, as found */
    FG_GPU_FOCUS_VIA = 2,  /**< of each the dependency that found it; FG_NONE: a seed */
};
FG_API uint32_t fg_gpu_focus_chunk_count(const struct fg_gpu_focus *focus,
                                         enum fg_gpu_focus_column column);
FG_API struct fg_compute_view fg_gpu_focus_chunk(const struct fg_gpu_focus *focus,
                                                 enum fg_gpu_focus_column column, uint32_t chunk);

/* ---- projection ------------------------------------------------------------------------------ */

struct fg_gpu_projection;
/** Zero is the default of every field but `gpu`. Filter and views outlive the projection. */
struct fg_gpu_projection_options {
    struct fg_gpu_trace *gpu;
    const struct fg_gpu_filter *filter; /**< rows that pass are in sight; NULL = all */
    struct fg_compute_view mask;        /**< and have their bit here; zero = all */
    struct fg_compute_view rows;        /**< `row_count` uint32_t; zero = all rows of the trace */
    uint32_t row_count;
    uint32_t max_depth; /**< parents up; 0 = any */
};
/** @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; of fg_compute_memory_take() */
FG_API FG_MUST_USE enum fg_result fg_gpu_projection_create(
    const struct fg_gpu_projection_options *options, struct fg_gpu_projection **out_projection);
FG_API void fg_gpu_projection_destroy(struct fg_gpu_projection *projection);
FG_API FG_MUST_USE enum fg_result fg_gpu_projection_add(const struct fg_gpu_projection *projection,
                                                        const struct fg_compute_sink *sink);
struct fg_gpu_projection_counts {
    uint32_t visible, projected, unresolved, cut, invalid;
};
/** One struct fg_gpu_projection_counts. */
FG_API struct fg_compute_view fg_gpu_projection_get_counts(
    const struct fg_gpu_projection *projection);
FG_API uint32_t fg_gpu_projection_chunk_count(const struct fg_gpu_projection *projection);
/** By row, or by place in `rows`: who stands for it; FG_NONE. */
FG_API struct fg_compute_view fg_gpu_projection_chunk(const struct fg_gpu_projection *projection,
                                                      uint32_t chunk);

/* ---- lines of a window ----------------------------------------------------------------------- */

/**
 * Dependencies that a window shows, as lines from the end of one row to the start of another. Those
 * that cross the window share a budget: by cells of time, of the window's length for lines up to
 * that and of their own for longer ones, each may have a quarter of it, and shows those whose
 * numbers have the least fg_links_hash(). So a cell keeps its lines when others come or go. Short
 * lines take theirs first. Every dependency is looked at, whatever the window is.
 */
struct fg_gpu_lines;
/** Zero is the default of every field but the first two. What it points to outlives the lines. */
struct fg_gpu_lines_options {
    const struct fg_gpu_links *links;      /**< built */
    uint32_t max_lines;                    /**< that there is memory for, 1 to 2^24 */
    const struct fg_gpu_projection *shown; /**< of all rows: who stands for each; its nodes run
                                                before. NULL: each row for itself */
    uint32_t vertices;                     /**< of an instance; 0 = 2 */
};
/** @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_LIMIT; FG_ERR_NO_MEMORY; of fg_compute_memory_take() */
FG_API FG_MUST_USE enum fg_result fg_gpu_lines_create(const struct fg_gpu_lines_options *options,
                                                      struct fg_gpu_lines **out_lines);
FG_API void fg_gpu_lines_destroy(struct fg_gpu_lines *lines);
struct fg_gpu_lines_request {
    int64_t start_ns, end_ns; /**< lines that touch it */
    uint32_t first_lane,
        end_lane;      /**< a lane lies in the middle of [lane, lane + 1); end 0 = all */
    uint32_t families; /**< FG_FAMILY(); 0 = all */
    uint32_t budget;   /**< 0, or more than max_lines = these */
};
/** Write control words. @return FG_OK; FG_ERR_ARGUMENT (an end before its start) */
FG_API FG_MUST_USE enum fg_result fg_gpu_lines_ask(struct fg_gpu_lines *lines,
                                                   const struct fg_gpu_lines_request *request);
FG_API FG_MUST_USE enum fg_result fg_gpu_lines_add(const struct fg_gpu_lines *lines,
                                                   const struct fg_compute_sink *sink);
/** Every dependency is counted once, by the first reason that holds. */
struct fg_gpu_lines_counts {
    uint32_t lines;       /**< that are shown */
    uint32_t families;    /**< of a family that was not asked for */
    uint32_t hidden;      /**< nobody stands for either end */
    uint32_t same;        /**< the same row stands for both */
    uint32_t outside;     /**< before or behind the window */
    uint32_t culled;      /**< above or below it */
    uint32_t over_budget; /**< others of its cell, or shorter ones, are shown */
    uint32_t reserved;
};
/** 48 bytes. */
struct fg_gpu_line {
    int64_t from_ns, to_ns;
    uint32_t shown_source, shown_target; /**< from the end of the one to the start of the other */
    uint32_t source_lane, target_lane;
    uint32_t source, target, link;
    uint32_t marks; /**< enum fg_link_mark */
};
struct fg_gpu_lines_results {
    struct fg_compute_view counts; /**< struct fg_gpu_lines_counts */
    struct fg_compute_view draw;   /**< VkDrawIndirectCommand: an instance a line */
    uint32_t chunks;
};
FG_API void fg_gpu_lines_get_results(const struct fg_gpu_lines *lines,
                                     struct fg_gpu_lines_results *out_results);
/** struct fg_gpu_line by source, then number; quads of 16 bytes, three a line, a chunk after the
 *  other. */
FG_API struct fg_compute_view fg_gpu_lines_chunk(const struct fg_gpu_lines *lines, uint32_t chunk);

/* ---- critical paths -------------------------------------------------------------------------- */

struct fg_gpu_path;
/** Zero is the default of every field but `gpu`. What it points to outlives the path. */
struct fg_gpu_path_options {
    struct fg_gpu_trace *gpu;
    const struct fg_gpu_links *links;   /**< built: over dependencies; NULL = by parents */
    const struct fg_gpu_filter *filter; /**< only rows that pass take part; NULL = all */
    uint32_t families;                  /**< 0 = all */
    uint32_t figures;                   /**< enum fg_path_figure */
    int64_t start_ns, end_ns;           /**< only rows that meet it; 0, 0 = all */
};
/** @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; of fg_compute_memory_take() */
FG_API FG_MUST_USE enum fg_result fg_gpu_path_create(const struct fg_gpu_path_options *options,
                                                     struct fg_gpu_path **out_path);
FG_API void fg_gpu_path_destroy(struct fg_gpu_path *path);

/** What is done in this order. By parents the first and the last stage do all. */
enum fg_gpu_path_stage {
    FG_GPU_PATH_BEGIN = 0,
    FG_GPU_PATH_TURNS = 1,  /**< run until is_done: each time some layers of rows that depend on no
                                 row without a turn */
    FG_GPU_PATH_ENDS = 2,   /**< lengths, the longest, rows that were left out */
    FG_GPU_PATH_TAILS = 3,  /**< only for slacks and times; run until `layers` is 0 */
    FG_GPU_PATH_FIGURES = 4 /**< slacks, times, predecessors and hops, where asked for */
};
/**
 * Add the nodes of a stage. What goes before has run, or was added before; the filter was judged,
 * or its judging was added before.
 *
 * @return FG_OK; FG_ERR_NOT_FOUND: the stage has nothing to do in this path and added no nodes
 *         (tails that no figure needs; all but the first and the last stage by parents);
 *         FG_ERR_ARGUMENT; of the sink
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_path_add(struct fg_gpu_path *path,
                                                  enum fg_gpu_path_stage stage,
                                                  const struct fg_compute_sink *sink);
/** Counts as in struct fg_path_reply. */
struct fg_gpu_path_state {
    uint32_t rows, links, left_out, invalid, max_hops;
    uint32_t is_saturated;
    uint32_t lowest; /**< inverse of the lowest row that was left out; 0: none was */
    uint32_t is_done;
    uint32_t layers; /**< that had their turns; backwards those that have no tails yet */
    uint32_t reserved[5];
};
struct fg_gpu_path_results {
    struct fg_compute_view state;    /**< struct fg_gpu_path_state */
    struct fg_compute_view length;   /**< one uint64_t: of the longest */
    struct fg_compute_view endpoint; /**< one uint32_t: its last row; FG_NONE */
};
FG_API void fg_gpu_path_get_results(const struct fg_gpu_path *path,
                                    struct fg_gpu_path_results *out_results);
/** By row; there are no chunks of what was not asked for, lengths excepted. */
enum fg_gpu_path_column {
    FG_GPU_PATH_LENGTHS = 0, /**< this and the next three: 64 bits */
    FG_GPU_PATH_SLACKS = 1,
    FG_GPU_PATH_EARLIEST = 2,
    FG_GPU_PATH_LATEST = 3,
    FG_GPU_PATH_PREDECESSORS = 4,
    FG_GPU_PATH_HOPS = 5,
    FG_GPU_PATH_ROOTS = 6,
};
FG_API uint32_t fg_gpu_path_chunk_count(const struct fg_gpu_path *path,
                                        enum fg_gpu_path_column column);
FG_API struct fg_compute_view fg_gpu_path_chunk(const struct fg_gpu_path *path,
                                                enum fg_gpu_path_column column, uint32_t chunk);

FG_END_DECLS
#endif
