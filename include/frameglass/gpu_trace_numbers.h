/* SPDX-License-Identifier: MIT */
/*
 * Numbers over many spans, on the device: figures of groups, histograms, time buckets, scores and
 * reductions, by the rules of trace_aggregate.h and trace_anomaly.h. Sums are exact. Each function
 * adds nodes to a sink; each result is a view that the caller may bind or read.
 *
 *     fg_gpu_numbers_create(&options, &numbers);    takes memory, and writes what is asked
 *     fg_gpu_numbers_add_groups(numbers, &sink);    and histogram, buckets: once
 *     fg_gpu_numbers_get_results(numbers, &results);
 *
 * Rows that count are those of the filter, with their bit in the caller's mask, of the selection.
 * What is coherent is published as "summary" when the groups are there, "histogram", and
 * "complete" with the buckets.
 *
 * Threads: as gpu_trace.h.
 */
#ifndef FG_GPU_TRACE_NUMBERS_H
#define FG_GPU_TRACE_NUMBERS_H
#include <frameglass/gpu_trace.h>
#include <frameglass/trace_anomaly.h>
FG_BEGIN_DECLS

/* ---- which rows, and by what ----------------------------------------------------------------- */

struct fg_gpu_numbers;

/** Zero is the default of every field that is not said to be required. */
struct fg_gpu_numbers_options {
    struct fg_gpu_trace *gpu;           /**< required; outlives the numbers */
    const struct fg_gpu_filter *filter; /**< NULL = all rows; judged before, and outlives them */
    /** NULL, or bits by row that the caller computes: rows count only with theirs. Outlives. */
    const struct fg_compute_view *mask;
    /** NULL = all. Borrowed for the call; its `filter` is 0: that above counts. */
    const struct fg_selection *selection;
    uint32_t by; /**< enum fg_aggregate_by */
    /** enum fg_measure, but FG_MEASURE_SELF; FG_MEASURE_VALUES: of `values`. */
    uint32_t measure;
    const struct fg_compute_view *values; /**< 8 bytes by row, the caller's; outlives the numbers */
    uint32_t class_mask;                  /**< of FG_AGGREGATE_CLASSES; 0 = all bits */
    /** Of a histogram: first value of each bin, ascending; NULL = powers of two. Borrowed. */
    const uint64_t *bins;
    uint32_t bin_count;
    uint64_t last_value;   /**< of the last of `bins`, that still belongs to it */
    uint32_t bucket_count; /**< of time buckets of the selection's range; 0 = none */
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_GPU_NUMBERS_OPTIONS(...) (&(const struct fg_gpu_numbers_options){ __VA_ARGS__ })
/**
 * @param out_numbers owned: fg_gpu_numbers_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_LIMIT (more groups, bins or lanes than one table takes);
 *         FG_ERR_NO_MEMORY; of fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_numbers_create(
    const struct fg_gpu_numbers_options *options, struct fg_gpu_numbers **out_numbers);
/** NULL is legal. */
FG_API void fg_gpu_numbers_destroy(struct fg_gpu_numbers *numbers);

/* ---- groups, histogram, buckets -------------------------------------------------------------- */

/** What spans of one group come to. All but `unfinished` is of complete ones. */
struct fg_gpu_group {
    uint32_t key;   /**< of the dimension; a text id of names */
    uint32_t clock; /**< groups never mix clocks */
    uint32_t count; /**< that were measured */
    uint32_t unfinished;
    uint32_t errors;
    uint32_t unmeasured; /**< without a value: of a caller's column only */
    uint32_t largest;    /**< the lowest row of the greatest; FG_NONE: nothing was measured */
    uint32_t reserved;
    uint32_t sum[4]; /**< 128 bits, lowest first */
    uint64_t min;    /**< 0, like the next one, where nothing was measured */
    uint64_t max;
};
/** Add the nodes of the groups. */
FG_API FG_MUST_USE enum fg_result fg_gpu_numbers_add_groups(const struct fg_gpu_numbers *numbers,
                                                            const struct fg_compute_sink *sink);
/** Add those of the histogram: bins that were given, or 65 of powers of two. */
FG_API FG_MUST_USE enum fg_result fg_gpu_numbers_add_histogram(const struct fg_gpu_numbers *numbers,
                                                               const struct fg_compute_sink *sink);

/** As struct fg_bucket. */
struct fg_gpu_bucket {
    int64_t start_ns, end_ns;
    uint64_t covered_ns;
    uint32_t sum[3]; /**< of their parts in it, in ns: 96 bits, lowest first */
    uint32_t count;
    uint32_t starts;
    uint32_t peak;
};
/** Add those of the buckets. FG_ERR_STATE: there are none. */
FG_API FG_MUST_USE enum fg_result fg_gpu_numbers_add_buckets(const struct fg_gpu_numbers *numbers,
                                                             const struct fg_compute_sink *sink);

/** Where the results are, after the nodes have run. */
struct fg_gpu_numbers_results {
    /** uint32_t: rows selected, those of no group, groups in the table, 0. */
    struct fg_compute_view totals;
    uint32_t group_chunks; /**< struct fg_gpu_group, ascending by key and clock as numbered */
    /** uint32_t: below the first bin, above the last, measured, unfinished, unmeasured. */
    struct fg_compute_view bin_totals;
    uint32_t bin_chunks;    /**< uint32_t by bin */
    uint32_t bucket_chunks; /**< struct fg_gpu_bucket */
};
FG_API void fg_gpu_numbers_get_results(const struct fg_gpu_numbers *numbers,
                                       struct fg_gpu_numbers_results *out_results);
/** One chunk of a result after the other, of a whole number of quads of 16 bytes: a bucket may
 * begin in one and end in the next. */
FG_API struct fg_compute_view fg_gpu_numbers_group_chunk(const struct fg_gpu_numbers *numbers,
                                                         uint32_t chunk);
FG_API struct fg_compute_view fg_gpu_numbers_bin_chunk(const struct fg_gpu_numbers *numbers,
                                                       uint32_t chunk);
FG_API struct fg_compute_view fg_gpu_numbers_bucket_chunk(const struct fg_gpu_numbers *numbers,
                                                          uint32_t chunk);

/* ---- scores ---------------------------------------------------------------------------------- */

/** Scores of the rows of some numbers against baselines, keyed by their groups. */
struct fg_gpu_scores;

/**
 * @param numbers        outlive the scores
 * @param rule           NULL = all defaults; borrowed, like the baselines
 * @param out_scores     owned: fg_gpu_scores_destroy(); untouched on failure
 * @return of fg_gpu_numbers_create(); FG_ERR_ARGUMENT (also: two baselines for one group)
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_scores_create(const struct fg_gpu_numbers *numbers,
                                                       const struct fg_score_rule *rule,
                                                       const struct fg_baseline *baselines,
                                                       uint32_t baseline_count,
                                                       struct fg_gpu_scores **out_scores);
FG_API void fg_gpu_scores_destroy(struct fg_gpu_scores *scores);
/**
 * Add nodes that score rows [first, end): multiples of 256, or the end of the trace. The mask is
 * made where it is looked at: a piece at a time, as windows need it. Totals are of the last piece.
 * Pieces may be added one behind the other, and while earlier ones are in flight.
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_scores_add(struct fg_gpu_scores *scores,
                                                    const struct fg_compute_sink *sink,
                                                    uint32_t first, uint32_t end);
/** Words of the totals. */
struct fg_gpu_score_totals {
    uint32_t by_reason[FG_SCORE_REASONS]; /**< rows */
    uint32_t anomalous;                   /**< of at least the threshold */
    uint32_t unused[2];
    uint32_t highest_score[2]; /**< in micro, low and high word */
    uint32_t highest_row;      /**< the lowest that has it; FG_NONE: no score is above 0 */
    uint32_t reserved;
};
struct fg_gpu_scores_results {
    struct fg_compute_view totals; /**< struct fg_gpu_score_totals */
    uint32_t mask_chunks;          /**< bits by row: anomalies */
    uint32_t tint_chunks;          /**< bytes by row, four a word: fg_score_tint(); 0 = no score */
    uint32_t reason_chunks;        /**< likewise: enum fg_score_reason */
};
FG_API void fg_gpu_scores_get_results(const struct fg_gpu_scores *scores,
                                      struct fg_gpu_scores_results *out_results);
FG_API struct fg_compute_view fg_gpu_scores_mask_chunk(const struct fg_gpu_scores *scores,
                                                       uint32_t chunk);
FG_API struct fg_compute_view fg_gpu_scores_tint_chunk(const struct fg_gpu_scores *scores,
                                                       uint32_t chunk);
FG_API struct fg_compute_view fg_gpu_scores_reason_chunk(const struct fg_gpu_scores *scores,
                                                         uint32_t chunk);

/* ---- reductions ------------------------------------------------------------------------------ */

/** What a column comes to. */
struct fg_gpu_reduction {
    uint32_t sum[4];    /**< 128 bits, lowest first */
    uint64_t least;     /**< UINT64_MAX if there is none */
    uint64_t greatest;  /**< 0 if there is none */
    uint32_t least_row; /**< the lowest row that has it; FG_NONE */
    uint32_t greatest_row;
    uint32_t count; /**< rows that were looked at */
    uint32_t reserved[5];
};
/** Bytes of scratch for so many rows. */
FG_API uint64_t fg_gpu_reduce_scratch_bytes(const struct fg_compute *compute, uint32_t row_count);
/** Any column of naturals, and any mask. */
struct fg_gpu_reduce {
    struct fg_compute *compute;         /**< required */
    const struct fg_compute_view *rows; /**< required: the column, at a multiple of 16 */
    uint32_t row_bytes;                 /**< 4 or 8 */
    uint32_t row_count;
    const struct fg_compute_view *mask;    /**< NULL = all; bits by row */
    const struct fg_compute_view *scratch; /**< required */
    const struct fg_compute_view *result;  /**< required: struct fg_gpu_reduction */
};
/** Add the nodes. FG_OK; FG_ERR_ARGUMENT; of the sink. */
FG_API FG_MUST_USE enum fg_result fg_gpu_reduce_add(const struct fg_gpu_reduce *reduce,
                                                    const struct fg_compute_sink *sink);

FG_END_DECLS
#endif
