/* SPDX-License-Identifier: MIT */
/*
 * A trace on a Vulkan device: its columns, sets of rows as masks, and populations in lane order
 * that views, numbers and picks are computed from. Every function adds nodes to a sink
 * (compute_graph.h) and leaves submitting to the caller; every result is a view that the caller may
 * bind.
 *
 *     fg_gpu_trace_create(FG_GPU_TRACE_OPTIONS(.compute = compute, .trace = trace), &gpu);
 *
 *     while (fg_gpu_trace_upload(gpu, &sink, ring, ++serial, 0) == FG_OK) {
 *         ... encode and submit what the sink has; fg_compute_ring_complete() when it is over ...
 *     }
 *
 *     fg_gpu_population_create(gpu, NULL, rows, 0, &all);
 *
 *     fg_gpu_population_build(all, &sink);
 *
 * What is computed is the same on every device, and the same as what fg_query_...() answers.
 *
 * Threads: one at a time with all that is made of one compute. Memory that work in flight uses is
 * not to be destroyed.
 */
#ifndef FG_GPU_TRACE_H
#define FG_GPU_TRACE_H
#include <frameglass/compute_graph.h>
#include <frameglass/trace_query.h>
FG_BEGIN_DECLS

struct fg_gpu_trace;

enum { FG_GPU_BATCH_ROWS = 256 };

/** Zero is the default of every field that is not said to be required. */
struct fg_gpu_trace_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the trace on the device */
    struct fg_compute *compute;           /**< required; outlives it */
    const struct fg_trace *trace;         /**< required; outlives it */
    uint32_t chunk_rows;  /**< of a column, a power of two >= 256; 0 = as many as a view takes */
    uint32_t upload_rows; /**< of one piece of an upload, likewise; 0 = 65,536 */
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_GPU_TRACE_OPTIONS(...) (&(const struct fg_gpu_trace_options){ __VA_ARGS__ })

/** What memory is needed, before it is taken. */
struct fg_gpu_trace_memory {
    uint64_t columns_bytes;    /**< of the trace: columns by row, lane order, tables */
    uint64_t population_bytes; /**< of all rows; one of a filter has that share of it */
    uint64_t range_max_bytes;  /**< more for a population with FG_GPU_POPULATION_RANGE_MAX */
    uint64_t mask_bytes;       /**< of a filter */
    uint64_t largest_bytes;    /**< of one view */
    uint64_t left_bytes;       /**< that can be taken; UINT64_MAX = not known */
};
/** @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_LIMIT (more rows than are numbered: INT32_MAX); what
 *  reading a block again met */
FG_API FG_MUST_USE enum fg_result fg_gpu_trace_preflight(const struct fg_gpu_trace_options *options,
                                                         struct fg_gpu_trace_memory *out_memory);
/**
 * Take the memory of the columns; nothing is uploaded.
 *
 * @param out_gpu owned: fg_gpu_trace_destroy(); untouched on failure
 * @return of fg_gpu_trace_preflight(), and of fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_trace_create(const struct fg_gpu_trace_options *options,
                                                      struct fg_gpu_trace **out_gpu);
/** Its filters and populations are destroyed before. NULL is legal in every _destroy(). */
FG_API void fg_gpu_trace_destroy(struct fg_gpu_trace *gpu);

/* ---- upload ---------------------------------------------------------------------------------- */

/**
 * Add copies of what is not on the device yet: tables and lane order first, then rows in ascending
 * pieces. What was added is there for all nodes that come behind it; rows that are not there yet
 * pass no filter.
 *
 * @param ring      of uploads; pieces of it are taken with `serial`
 * @param max_bytes ends before it would be exceeded, but adds one piece at least; 0 = what the ring
 *                  takes
 * @return FG_OK (something was added); FG_ERR_NOT_FOUND (all is there); FG_ERR_BUSY (the ring has
 *         no room yet); FG_ERR_LIMIT (not even one piece fits the ring); of the sink; what reading
 *         a block again met
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_trace_upload(struct fg_gpu_trace *gpu,
                                                      const struct fg_compute_sink *sink,
                                                      struct fg_compute_ring *ring, uint64_t serial,
                                                      uint64_t max_bytes);
/**
 * What the host has of these rows is to be uploaded again: their pieces alone are, and populations
 * that are refreshed make only the batches of these rows anew. Start, length and lane keep their
 * order.
 *
 * @return FG_OK; FG_ERR_ARGUMENT
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_trace_touch(struct fg_gpu_trace *gpu, uint32_t first_row,
                                                     uint32_t row_count);

struct fg_gpu_trace_counts {
    uint32_t rows, lanes, tracks, kinds;
    uint32_t resident_rows; /**< from row 0, that copies have been added of */
    uint32_t pieces;        /**< uploaded */
    uint64_t uploaded_bytes;
    bool is_complete;
};
FG_API void fg_gpu_trace_get_counts(const struct fg_gpu_trace *gpu,
                                    struct fg_gpu_trace_counts *out_counts);

/** Columns by row. Times are 64-bit, low word first; all else is a uint32_t. */
enum fg_gpu_column {
    FG_GPU_COLUMN_START = 0,
    FG_GPU_COLUMN_END = 1,
    FG_GPU_COLUMN_LANE = 2,
    FG_GPU_COLUMN_KIND = 3, /**< into the kinds: name, category, classes and status */
    FG_GPU_COLUMN_PARENT = 4,
    FG_GPU_COLUMN_FRAME = 5, /**< this and the next two: no chunks where no row has one */
    FG_GPU_COLUMN_PASS = 6,
    FG_GPU_COLUMN_SCOPE = 7,
};
enum { FG_GPU_COLUMNS = 8 };
FG_API uint32_t fg_gpu_trace_chunk_count(const struct fg_gpu_trace *gpu, enum fg_gpu_column column);
/** Rows of every chunk of a column but the last. */
FG_API uint32_t fg_gpu_trace_chunk_rows(const struct fg_gpu_trace *gpu, enum fg_gpu_column column);
/** chunk < fg_gpu_trace_chunk_count(). */
FG_API struct fg_compute_view fg_gpu_trace_chunk(const struct fg_gpu_trace *gpu,
                                                 enum fg_gpu_column column, uint32_t chunk);

/* ---- filters --------------------------------------------------------------------------------- */

/** A set of rows: a bit for each, bit row % 32 of word row / 32. */
struct fg_gpu_filter;

/**
 * Turn terms into sets that the device reads, and take the memory of the mask.
 *
 * @param terms borrowed for the call, with its lists
 * @param mask  NULL, or a mask on the device which the caller computes: rows pass only with its
 *              bit. It is of all rows of the trace and lives as long as the filter; zero = none
 * @param out_filter owned: fg_gpu_filter_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; of fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_filter_create(struct fg_gpu_trace *gpu,
                                                       const struct fg_filter_terms *terms,
                                                       const struct fg_compute_view *mask,
                                                       struct fg_gpu_filter **out_filter);
FG_API void fg_gpu_filter_destroy(struct fg_gpu_filter *filter);
/** Add the nodes that judge all rows by it. @return FG_OK; of the sink */
FG_API FG_MUST_USE enum fg_result fg_gpu_filter_judge(struct fg_gpu_filter *filter,
                                                      const struct fg_compute_sink *sink);
FG_API uint32_t fg_gpu_filter_chunk_count(const struct fg_gpu_filter *filter);
FG_API struct fg_compute_view fg_gpu_filter_chunk(const struct fg_gpu_filter *filter,
                                                  uint32_t chunk);
/** One uint32_t: rows that pass. */
FG_API struct fg_compute_view fg_gpu_filter_count(const struct fg_gpu_filter *filter);

/* ---- populations ----------------------------------------------------------------------------- */

/** Rows in lane order (lane; start; longer first; row), with what makes questions about any window
 *  cheap. */
struct fg_gpu_population;

enum fg_gpu_population_flags {
    /** With the longest of any range in a few steps: fg_gpu_trace_memory.range_max_bytes. */
    FG_GPU_POPULATION_RANGE_MAX = 1u << 0,
};

enum fg_gpu_population_column {
    FG_GPU_POPULATION_ROWS = 0,       /**< row at each position */
    FG_GPU_POPULATION_START = 1,      /**< by position, 64 bits */
    FG_GPU_POPULATION_END = 2,        /**< by position, 64 bits */
    FG_GPU_POPULATION_PREFIX = 3,     /**< durations before each position, and of all; 64 bits */
    FG_GPU_POPULATION_LANE_FIRST = 4, /**< first position of each lane, and the end */
    FG_GPU_POPULATION_BATCHES = 5,    /**< struct fg_gpu_batch, by level */
    FG_GPU_POPULATION_DURATIONS = 6,  /**< by position, 64 bits; with a range maximum */
    FG_GPU_POPULATION_NODES = 7,      /**< of the range maximum */
};
enum { FG_GPU_POPULATION_COLUMNS = 8 };

/**
 * What a run of positions comes to. The first level has one for each FG_GPU_BATCH_ROWS positions,
 * every other one for each FG_GPU_BATCH_FAN of the level before, until there is one.
 */
struct fg_gpu_batch {
    int64_t least_start_ns;
    int64_t greatest_end_ns;
    uint64_t longest_ns;
    uint32_t any_classes; /**< bits that some span has */
    uint32_t all_classes; /**< bits that all have */
    uint32_t first_lane;
    uint32_t end_lane; /**< after the last one */
    uint32_t statuses; /**< bit (1 << status) of each that occurs */
    uint32_t faults;   /**< enum fg_gpu_batch_faults */
};
enum { FG_GPU_BATCH_FAN = 16, FG_GPU_BATCH_LEVELS = 8 };
/** What is wrong with a batch, which then meets every window: nothing is hidden by a fault. The
 *  population's own word has those of all batches. */
enum fg_gpu_batch_faults {
    FG_GPU_BATCH_ROW = 1u << 0,     /**< a position names no row of the trace */
    FG_GPU_BATCH_LANE = 1u << 1,    /**< a row's lane falls, or is none of the trace */
    FG_GPU_BATCH_ORDER = 1u << 2,   /**< a start falls within a lane */
    FG_GPU_BATCH_LENGTH = 1u << 3,  /**< an end before the start */
    FG_GPU_BATCH_OVERLAP = 1u << 4, /**< a span ends after the next of its lane starts */
};

/**
 * Take the memory of a population.
 *
 * @param filter NULL = all rows; else it was judged, and outlives fg_gpu_population_build()
 * @param count  rows that pass the filter, as fg_gpu_filter_count() said; of NULL all rows
 * @param flags  enum fg_gpu_population_flags
 * @param out_population owned: fg_gpu_population_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; of fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_population_create(
    struct fg_gpu_trace *gpu, const struct fg_gpu_filter *filter, uint32_t count, uint32_t flags,
    struct fg_gpu_population **out_population);
FG_API void fg_gpu_population_destroy(struct fg_gpu_population *population);
/**
 * Add all nodes that make it.
 *
 * @return FG_OK; FG_ERR_STATE (rows have not been uploaded yet); of the sink
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_population_build(struct fg_gpu_population *population,
                                                          const struct fg_compute_sink *sink);
/**
 * Add the nodes that make anew what fg_gpu_trace_touch() and an upload have changed since it was
 * built or refreshed: times and batches of those rows, and the sums. The rows stay the same.
 *
 * @return FG_OK; FG_ERR_STATE (it was not built); of the sink
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_population_refresh(struct fg_gpu_population *population,
                                                            const struct fg_compute_sink *sink);
FG_API uint32_t fg_gpu_population_count(const struct fg_gpu_population *population);
FG_API uint32_t fg_gpu_population_chunk_count(const struct fg_gpu_population *population,
                                              enum fg_gpu_population_column column);
/** chunk < fg_gpu_population_chunk_count(). */
FG_API struct fg_compute_view fg_gpu_population_chunk(const struct fg_gpu_population *population,
                                                      enum fg_gpu_population_column column,
                                                      uint32_t chunk);
/** Two uint32_t: faults of all batches; batches that were made by the last build or refresh. */
FG_API struct fg_compute_view fg_gpu_population_state(const struct fg_gpu_population *population);

FG_END_DECLS
#endif
