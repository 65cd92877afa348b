/* SPDX-License-Identifier: MIT */
/*
 * Scores of selected rows against baselines, on the device: how many have which reason, the mask of
 * those that are anomalies, these in the order of their scores; and, where they are kept, a byte of
 * reason and one of tint for each row, with what makes tints of any window cheap.
 */
#ifndef FGI_GPU_NUMBERS_SCORES_H
#define FGI_GPU_NUMBERS_SCORES_H
#include "base/hash.h"
#include "engine/vulkan/gpu_numbers.h"
#include <frameglass/gpu_trace_numbers.h>

enum {
    FGI_GPU_SCORE_BYTES = 48,    /**< of memory for each row, at most and about */
    FGI_GPU_BASELINE_BYTES = 48, /**< for each baseline */
};

/** What rows are measured by. */
struct fgi_gpu_score_terms {
    const struct fg_score_rule *rule; /**< filled in */
    const struct fg_baseline *baselines;
    uint32_t baseline_count;
    bool keeps; /**< reasons and tints are wanted */
};
/** Which baseline is whose. Zero, but for an allocator, is none. */
struct fgi_gpu_peers {
    struct fgi_map64 by_key; /**< key << 32 | clock to a baseline */
    struct fgi_map64 keys;   /**< keys that have one under some clock */
};
/** FG_ERR_ARGUMENT: two for one group; FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_gpu_peers_make(struct fgi_gpu_peers *peers,
                                              const struct fg_baseline *baselines, uint32_t count);
void fgi_gpu_peers_finish(struct fgi_gpu_peers *peers);

/** Zero is nothing. */
struct fgi_gpu_scoring {
    const struct fgi_gpu_numbers *numbers;
    struct fg_compute_memory args; /**< struct fgi_gpu_score_args */
    struct fg_compute_memory slots, baselines;
    struct fg_compute_memory totals;             /**< struct fg_gpu_score_totals */
    struct fgi_gpu_column_memory reasons, tints; /**< four rows a word; empty: not kept */
    struct fgi_gpu_column_memory mask, parts;
};
/**
 * @param numbers lent until the end; figures are not needed
 * @param arena   for the call
 * @return FG_OK; of fg_compute_memory_take(). Ended by fgi_gpu_scoring_end() in any case.
 */
FG_MUST_USE enum fg_result fgi_gpu_scoring_begin(struct fgi_gpu_scoring *scoring,
                                                 const struct fgi_gpu_numbers *numbers,
                                                 const struct fgi_gpu_peers *peers,
                                                 const struct fgi_gpu_score_terms *terms,
                                                 struct fgi_arena *arena);
void fgi_gpu_scoring_end(struct fgi_gpu_scoring *scoring);
/** Score rows [first, end): multiples of 256, or the end of the trace. Totals are of these. */
FG_MUST_USE enum fg_result fgi_gpu_scoring_add(struct fgi_gpu_scoring *scoring,
                                               const struct fg_compute_sink *sink, uint32_t first,
                                               uint32_t end);

/* ---- the highest ones, after the totals are known -------------------------------------------- */

enum { FGI_GPU_ANOMALY_WORDS = 8 };
/** Zero is nothing. */
struct fgi_gpu_anomalies {
    const struct fgi_gpu_scoring *scoring;
    struct fgi_gpu_column_memory rows, sorted_rows, spare_rows;
    struct fgi_gpu_column_memory keys, spare_keys[2], digits;
    struct fg_compute_memory sums;
    struct fgi_gpu_column_memory top; /**< quads, two each: fgi_gpu_anomaly() */
    uint32_t count, limit;
};
/** `count` > 0 anomalies, of which the `limit` highest are told. As fgi_gpu_scoring_begin(). */
FG_MUST_USE enum fg_result fgi_gpu_anomalies_begin(struct fgi_gpu_anomalies *anomalies,
                                                   const struct fgi_gpu_scoring *scoring,
                                                   uint32_t count, uint32_t limit);
void fgi_gpu_anomalies_end(struct fgi_gpu_anomalies *anomalies);
FG_MUST_USE enum fg_result fgi_gpu_anomalies_add(const struct fgi_gpu_anomalies *anomalies,
                                                 const struct fg_compute_sink *sink);
/** From its words. */
struct fg_anomaly_row fgi_gpu_anomaly(const struct fgi_gpu_numbers *numbers, const uint32_t *words);

/* ---- tints (gpu_numbers_tints.c) ------------------------------------------------------------- */

enum { FGI_GPU_TINT_LEVELS = 8 };
/** Kept scores. Zero is nothing. */
struct fgi_gpu_tints {
    struct fg_gpu_trace *gpu;
    struct fgi_gpu_column_memory reasons, tints;
    struct fgi_gpu_column_memory levels; /**< the highest of so many, by level */
    uint32_t level_count;
    uint32_t level_first[FGI_GPU_TINT_LEVELS], level_size[FGI_GPU_TINT_LEVELS];
};
/** Take reasons and tints over from a scoring, which has them no longer. */
void fgi_gpu_tints_take(struct fgi_gpu_tints *tints, struct fgi_gpu_scoring *scoring);
void fgi_gpu_tints_end(struct fgi_gpu_tints *tints);
/** Levels, once: memory, and the nodes that make them. */
FG_MUST_USE enum fg_result fgi_gpu_tints_make_levels(struct fgi_gpu_tints *tints,
                                                     const struct fg_compute_sink *sink);

/** What is asked: bins of 1 << level ns from first_bin on, of lanes. */
struct fgi_gpu_tint_window {
    int64_t first_bin;
    uint32_t bin_count, level;
    const uint32_t *lanes; /**< pairs: lane, target */
    uint32_t lane_count, target_count;
};
/** Zero is nothing. */
struct fgi_gpu_tinting {
    struct fg_compute *compute;
    struct fg_compute_memory args, lanes;
    struct fgi_gpu_column_memory target; /**< words by target, then bin */
};
/** The levels are made before. As fgi_gpu_scoring_begin(). */
FG_MUST_USE enum fg_result fgi_gpu_tinting_begin(struct fgi_gpu_tinting *tinting,
                                                 const struct fgi_gpu_tints *tints,
                                                 const struct fgi_gpu_tint_window *window);
void fgi_gpu_tinting_end(struct fgi_gpu_tinting *tinting);
/** `all`: of all rows, built. */
FG_MUST_USE enum fg_result fgi_gpu_tinting_add(const struct fgi_gpu_tinting *tinting,
                                               const struct fgi_gpu_tints *tints,
                                               const struct fgi_gpu_tint_window *window,
                                               const struct fg_gpu_population *all,
                                               const struct fg_compute_sink *sink);

#endif
