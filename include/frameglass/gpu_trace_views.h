/* SPDX-License-Identifier: MIT */
/*
 * What a window shows, on the device: bins, spans and how each lane is shown, by the rules of
 * fg_query_view(), with commands that draw them. Nothing is stored for it: bins of any level follow
 * from a population. A change of the window writes control words and nothing else; nodes and
 * encoded commands stay as they are.
 *
 *     fg_gpu_view_create(&sizes, &view);
 *     fg_gpu_view_ask(view, &window, targets, count);
 *     fg_gpu_view_add(view, population, &sink);    once; the caller submits as often as it likes
 *
 * A folded track or process is one line that merges all its lanes. It stands on what is made once
 * for a population:
 *
 *     fg_gpu_order_create(gpu, &order);            once for a trace
 *     fg_gpu_order_build(order, &sink);
 *     fg_gpu_fold_create(population, order, FG_VIEW_TRACK, &tracks);
 *     fg_gpu_fold_build(tracks, &sink);
 *     fg_gpu_view_add_folded(view, population, tracks, NULL, &sink);
 *
 * Threads: as gpu_trace.h.
 */
#ifndef FG_GPU_TRACE_VIEWS_H
#define FG_GPU_TRACE_VIEWS_H
#include <frameglass/gpu_trace.h>
FG_BEGIN_DECLS

/* ---- folded groups --------------------------------------------------------------------------- */

/** The rows of a trace in the order of their times, for all its folds: 12 bytes a row, and about 40
 *  more until it is settled. */
struct fg_gpu_order;

/** @return FG_OK; FG_ERR_NO_MEMORY; of fg_compute_memory_take() */
FG_API FG_MUST_USE enum fg_result fg_gpu_order_create(struct fg_gpu_trace *gpu,
                                                      struct fg_gpu_order **out_order);
/** Its folds are destroyed before. NULL is legal. */
FG_API void fg_gpu_order_destroy(struct fg_gpu_order *order);
/** Add the nodes that make it; rows are all there. @return FG_OK; FG_ERR_STATE; of the sink */
FG_API FG_MUST_USE enum fg_result fg_gpu_order_build(struct fg_gpu_order *order,
                                                     const struct fg_compute_sink *sink);
/** What was added has completed: memory that only making it needs is given back. */
FG_API void fg_gpu_order_settle(struct fg_gpu_order *order);

/** The spans of each track, or of each process, of a population as one line: in the order of start,
 *  longer first, row; with how much of the time before each some span covers. 28 bytes a row, and
 *  about 24 more until it is settled. */
struct fg_gpu_fold;

/**
 * @param population outlives it
 * @param order      of the same trace; outlives fg_gpu_fold_build()
 * @param kind       FG_VIEW_TRACK or FG_VIEW_PROCESS
 * @param out_fold   owned: fg_gpu_fold_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; of fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_fold_create(const struct fg_gpu_population *population,
                                                     const struct fg_gpu_order *order,
                                                     uint32_t kind, struct fg_gpu_fold **out_fold);
/** NULL is legal. */
FG_API void fg_gpu_fold_destroy(struct fg_gpu_fold *fold);
/** Add the nodes that make it. The population and the order are built before they run. */
FG_API FG_MUST_USE enum fg_result fg_gpu_fold_build(struct fg_gpu_fold *fold,
                                                    const struct fg_compute_sink *sink);
/** As fg_gpu_order_settle(). */
FG_API void fg_gpu_fold_settle(struct fg_gpu_fold *fold);

/* ---- views ----------------------------------------------------------------------------------- */

struct fg_gpu_view;

/** How much one asking may be. All are required but the last two. */
struct fg_gpu_view_sizes {
    struct fg_gpu_trace *gpu; /**< outlives the view */
    uint32_t targets;
    uint32_t slots;   /**< of all targets: each has two more than the window has bins */
    uint32_t spans;   /**< what does not fit is counted and not written; up to 2^31 / targets - 1 */
    uint32_t members; /**< lanes of all folded targets; 0 = none is folded */
    uint32_t member_slots; /**< of these: as many for each as a target has */
};
/**
 * Take the memory of a view.
 *
 * @param out_view owned: fg_gpu_view_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; of fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_view_create(const struct fg_gpu_view_sizes *sizes,
                                                     struct fg_gpu_view **out_view);
/** NULL is legal. */
FG_API void fg_gpu_view_destroy(struct fg_gpu_view *view);

/** What is asked of all targets; as in struct fg_view_request. */
struct fg_gpu_view_window {
    int64_t start_ns, end_ns; /**< start < end */
    uint32_t width_px;        /**< 1 to FG_VIEW_WIDTH_MAX */
    uint32_t wide_px;         /**< 0 = 24; at least 4 */
    uint32_t detail;          /**< enum fg_view_detail */
    uint32_t handoff;         /**< enum fg_view_handoff */
};
struct fg_gpu_view_target {
    uint32_t lane;          /**< or the track or process; FG_NONE: one without spans */
    uint32_t previous_mode; /**< enum fg_view_mode: what is on screen now */
    uint32_t kind;          /**< enum fg_view_kind */
};
/** The level of a window's bins, and how many there are. */
FG_API void fg_gpu_view_bins_of(const struct fg_gpu_view_window *window, unsigned *out_level,
                                uint32_t *out_bins);
/**
 * Write control words. No work that reads them is in flight.
 *
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_LIMIT (more targets, slots or members than the sizes say)
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_view_ask(struct fg_gpu_view *view,
                                                  const struct fg_gpu_view_window *window,
                                                  const struct fg_gpu_view_target *targets,
                                                  uint32_t target_count);
/** Bytes of control words that the last asking wrote. 0: what was asked before is asked again, and
 *  once that has run there is nothing to submit. */
FG_API uint64_t fg_gpu_view_written_bytes(const struct fg_gpu_view *view);
/** Lanes of a target: how many members it counts as when it is folded. */
FG_API uint32_t fg_gpu_view_lanes_of(const struct fg_gpu_view *view,
                                     const struct fg_gpu_view_target *target);
/** Add the nodes that answer what control words ask. The population is built before they run. */
FG_API FG_MUST_USE enum fg_result fg_gpu_view_add(const struct fg_gpu_view *view,
                                                  const struct fg_gpu_population *population,
                                                  const struct fg_compute_sink *sink);
/**
 * The same with folded targets.
 *
 * @param tracks, processes folds of the population, built before the nodes run; NULL: targets of
 *                          that kind are not asked
 * @return of the sink; FG_ERR_ARGUMENT (a fold of something else)
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_view_add_folded(const struct fg_gpu_view *view,
                                                         const struct fg_gpu_population *population,
                                                         const struct fg_gpu_fold *tracks,
                                                         const struct fg_gpu_fold *processes,
                                                         const struct fg_compute_sink *sink);

/** Of each target. All fit that begin and end within what there is memory for. */
struct fg_gpu_view_answer {
    uint8_t mode, bins_mode, blend; /**< as in struct fg_view_answer */
    uint8_t reserved;
    uint32_t first_span, span_count;
    uint32_t first_bins, bins_count;
    uint32_t starts; /**< spans that start in the bins of the window */
    uint32_t reserved2[2];
};
/** As struct fg_view_bins. */
struct fg_gpu_view_bins {
    int64_t first;
    uint64_t covered_ns;
    uint64_t longest_ns;
    uint32_t count;
    uint32_t starts;
    uint32_t row;
    uint32_t name, category;
    uint16_t classes;
    uint16_t status;
};
/** Where the results are. */
struct fg_gpu_view_results {
    struct fg_compute_view answers;    /**< struct fg_gpu_view_answer by target */
    struct fg_compute_view totals;     /**< two uint32_t: bins, spans, also those without room */
    struct fg_compute_view draw_bins;  /**< VkDrawIndirectCommand: 6 vertices, an instance each */
    struct fg_compute_view draw_spans; /**< the same of spans */
    uint32_t bins_chunks, spans_chunks;
    uint32_t spans_shift; /**< a chunk has 1 << shift rows */
};
FG_API void fg_gpu_view_get_results(const struct fg_gpu_view *view,
                                    struct fg_gpu_view_results *out_results);
/** struct fg_gpu_view_bins by target, ascending; quads of 16 bytes, three an item, a chunk after
 *  the other. */
FG_API struct fg_compute_view fg_gpu_view_bins_chunk(const struct fg_gpu_view *view,
                                                     uint32_t chunk);
/** uint32_t, rows by target, then start. */
FG_API struct fg_compute_view fg_gpu_view_spans_chunk(const struct fg_gpu_view *view,
                                                      uint32_t chunk);

/* ---- rows of a window ------------------------------------------------------------------------ */

/** The rows that meet a window in chosen lanes, exactly: as a mask, and one after the other. */
struct fg_gpu_rows;

/**
 * Take their memory: a bit for each row of the trace, and the list.
 *
 * @param gpu      outlives it
 * @param capacity of the list: what does not fit is counted and not listed; > 0
 * @param out_rows owned: fg_gpu_rows_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; of fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_rows_create(struct fg_gpu_trace *gpu, uint32_t capacity,
                                                     struct fg_gpu_rows **out_rows);
/** NULL is legal. */
FG_API void fg_gpu_rows_destroy(struct fg_gpu_rows *rows);
/**
 * Write control words. No work that reads them is in flight.
 *
 * @param targets NULL = all lanes; `previous_mode` is not looked at
 * @return FG_OK; FG_ERR_ARGUMENT
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_rows_ask(struct fg_gpu_rows *rows, int64_t start_ns,
                                                  int64_t end_ns,
                                                  const struct fg_gpu_view_target *targets,
                                                  uint32_t target_count);
/** As fg_gpu_view_written_bytes(). */
FG_API uint64_t fg_gpu_rows_written_bytes(const struct fg_gpu_rows *rows);
/** Add the nodes that answer what control words ask. The population is built before they run; what
 *  they look at follows the window, by the levels of batches. */
FG_API FG_MUST_USE enum fg_result fg_gpu_rows_add(const struct fg_gpu_rows *rows,
                                                  const struct fg_gpu_population *population,
                                                  const struct fg_compute_sink *sink);
struct fg_gpu_rows_results {
    /** uint32_t: rows; batches and spans that were read; batches that were looked at. */
    struct fg_compute_view counts;
    struct fg_compute_view draw; /**< VkDrawIndirectCommand: 6 vertices, an instance a listed row */
    uint32_t mask_chunks;        /**< a bit for each row: bit row % 32 of word row / 32 */
    uint32_t list_chunks;        /**< uint32_t, ascending */
};
FG_API void fg_gpu_rows_get_results(const struct fg_gpu_rows *rows,
                                    struct fg_gpu_rows_results *out_results);
/** One after the other, all but the last one of the same size. */
FG_API struct fg_compute_view fg_gpu_rows_mask_chunk(const struct fg_gpu_rows *rows,
                                                     uint32_t chunk);
FG_API struct fg_compute_view fg_gpu_rows_list_chunk(const struct fg_gpu_rows *rows,
                                                     uint32_t chunk);

FG_END_DECLS
#endif
