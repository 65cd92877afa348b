/* SPDX-License-Identifier: MIT */
/*
 * How unusual spans and groups are, against baselines that the caller names. Scores and weights are
 * in millionths ("micro"), rates of errors in parts per million; all is integer arithmetic. The
 * formulas are in docs/ENGINE.md.
 */
#ifndef FG_TRACE_ANOMALY_H
#define FG_TRACE_ANOMALY_H
#include <frameglass/trace_aggregate.h>

FG_BEGIN_DECLS

#define FG_MICRO UINT64_C(1000000)

/* ---- spans ----------------------------------------------------------------------------------- */

/** What is usual for spans of one group. */
struct fg_baseline {
    uint32_t key;          /**< of the dimension, in the trace that is scored */
    uint32_t clock;        /**< FG_NONE: whatever the clock */
    uint64_t count;        /**< spans that it was made of */
    uint64_t mean_ns;      /**< rounded down */
    uint64_t deviation_ns; /**< population's, around the exact mean; to the nearest */
    uint32_t error_ppm;    /**< at most 1,000,000 */
    bool is_saturated;     /**< the deviation does not fit */
};

/** Why a row has no score, or how it has. Every row of the trace has exactly one. */
enum fg_score_reason {
    FG_SCORE_SCORED = 0,
    FG_SCORE_SATURATED = 1,    /**< scored: more than fits */
    FG_SCORE_NOT_SELECTED = 2, /**< the selection leaves it out */
    FG_SCORE_UNFINISHED = 3,   /**< its duration is not known */
    FG_SCORE_NO_KEY = 4,       /**< it belongs to no group */
    FG_SCORE_NO_BASELINE = 5,  /**< its group has none */
    FG_SCORE_OTHER_CLOCK = 6,  /**< its group has one, under other clocks */
    FG_SCORE_FEW = 7,          /**< its baseline was made of too few spans */
    FG_SCORE_BAD_BASELINE = 8, /**< a given baseline that cannot be: more than a million ppm */
};
#define FG_SCORE_REASONS 9
/** Stable word: "no_baseline"; "" for others. */
FG_API const char *fg_score_reason_text(uint32_t reason);

struct fg_score_rule {
    uint64_t duration_weight_micro; /**< both weights 0: 1 and 1 */
    uint64_t error_weight_micro;
    uint64_t threshold_micro;  /**< a score of at least this is an anomaly; 0 = 3 */
    uint64_t min_deviation_ns; /**< smaller ones are taken for it; 0 = 1 */
    uint64_t min_count; /**< of spans in a baseline; 0 = 2. Given ones of count 0 need none */
    bool is_two_sided;  /**< shorter than usual is unusual, too */
};
/**
 * weight * (duration - mean) / deviation + error weight * |error - rate|, in micro, each rounded
 * down; the first 0 when it is negative, unless two-sided.
 *
 * @return a reason: scored, saturated, few or bad baseline
 */
FG_API enum fg_score_reason fg_score_span(const struct fg_baseline *baseline,
                                          const struct fg_score_rule *rule, uint64_t duration_ns,
                                          bool is_error, uint64_t *out_score_micro);

struct fg_anomaly_request {
    struct fg_selection selection; /**< what is scored */
    uint32_t by;                   /**< enum fg_aggregate_by: the peers */
    uint32_t class_mask;           /**< of that dimension */
    struct fg_score_rule rule;
    /** Baselines are either given (count > 0), or made of these spans, whole ones. */
    const struct fg_baseline *baselines;
    uint32_t baseline_count;
    struct fg_query *baseline_query; /**< another trace, matched by texts; NULL = this one */
    struct fg_selection baseline_selection;
    uint32_t limit; /**< rows in the answer; 0 = 100 */
    bool keep;      /**< keep the scores of all rows for tinting */
};
struct fg_anomaly_row {
    uint32_t row, key, clock;
    uint32_t baseline; /**< index in the answer's baselines */
    uint64_t duration_ns;
    uint64_t score_micro; /**< UINT64_MAX when saturated */
    bool is_error, is_saturated;
};
struct fg_anomaly_reply {
    /** Scores of at least the threshold: highest first, then row. */
    const struct fg_anomaly_row *rows;
    uint32_t count;
    uint64_t anomalous;                   /**< without the limit */
    uint64_t by_reason[FG_SCORE_REASONS]; /**< together all rows of the trace */
    uint32_t highest; /**< row of the highest score, lowest of equals; FG_NONE: no score above 0 */
    uint64_t highest_micro;
    const struct fg_baseline *baselines; /**< by key, then clock */
    uint32_t baseline_count;
    uint32_t scores; /**< id of the kept ones; 0 = not kept */
};
/** Two stages when baselines are made: these, then scores. */
FG_API FG_MUST_USE enum fg_result fg_query_anomalies(struct fg_query *query,
                                                     const struct fg_anomaly_request *request,
                                                     struct fg_anomaly_reply *out_reply);
FG_API FG_MUST_USE enum fg_result fg_task_anomalies(struct fg_query *query,
                                                    const struct fg_anomaly_request *request,
                                                    uint32_t scheduling, struct fg_task **out_task);
/** FG_ERR_STATE before the end. Kept scores belong to the caller from then on. */
FG_API FG_MUST_USE enum fg_result fg_task_result_anomalies(struct fg_task *task,
                                                           struct fg_anomaly_reply *out_reply);

/* ---- tinting --------------------------------------------------------------------------------- */

/**
 * A tint is a score in a byte: 0 = no score; 1 to 127 below the threshold, in proportion; 128 to
 * 255 from the threshold to twice of it, and above.
 */
FG_API uint8_t fg_score_tint(uint64_t score_micro, uint64_t threshold_micro);
/** Tints and reasons of rows, from kept scores; each array may be NULL. FG_ERR_NOT_FOUND. */
FG_API FG_MUST_USE enum fg_result fg_query_scores(struct fg_query *query, uint32_t scores,
                                                  const uint32_t *rows, uint32_t count,
                                                  uint8_t *out_tints, uint8_t *out_reasons);
struct fg_tints_request {
    uint32_t scores;
    int64_t start_ns, end_ns; /**< window, start < end */
    uint32_t width_px;        /**< bins are those that a view of this width has */
    const struct fg_view_target *targets;
    uint32_t target_count;
};
struct fg_tints_reply {
    unsigned level; /**< k: bin b covers [b * 2^k, (b + 1) * 2^k) */
    int64_t first_bin;
    uint32_t bin_count;
    const uint8_t *tints; /**< by target, then bin: the highest of the spans that meet it */
};
/** Cost: lanes and bins, not spans. */
FG_API FG_MUST_USE enum fg_result fg_query_tints(struct fg_query *query,
                                                 const struct fg_tints_request *request,
                                                 struct fg_tints_reply *out_reply);
FG_API enum fg_result fg_query_scores_destroy(struct fg_query *query, uint32_t scores);

/* ---- groups ---------------------------------------------------------------------------------- */

/** One side of a group. */
struct fg_group_figures {
    uint64_t count; /**< complete spans */
    uint64_t mean_ns;
    uint32_t error_ppm; /**< at most 1,000,000 */
    bool is_known;      /**< false: the group has no complete span on this side */
};
/** The threshold that is meant by 0. */
#define FG_GROUP_THRESHOLD (FG_MICRO / 4)
struct fg_group_rule {
    uint64_t duration_weight_micro; /**< all weights 0: 1, 1 and 0 */
    uint64_t error_weight_micro, count_weight_micro;
    uint64_t threshold_micro; /**< 0 = FG_GROUP_THRESHOLD */
    uint64_t min_baseline_ns; /**< shorter means are taken for it in the ratio; 0 = 1 */
};
enum fg_group_flags {
    FG_GROUP_ONLY_NEW = 1,  /**< nothing on the base's side: no score */
    FG_GROUP_ONLY_BASE = 2, /**< nothing on the new side: no score */
    FG_GROUP_BAD_NEW = 4,   /**< more than a million ppm */
    FG_GROUP_BAD_BASE = 8,
    FG_GROUP_SATURATED = 16, /**< a figure does not fit; the score is the largest there is */
    FG_GROUP_REGRESSION = 32,
};
/**
 * wd * max(ratio - 1, 0) + we * max(error delta, 0) + wc * |count delta| / max(base count, 1), each
 * rounded down to micro. Improvement never lowers it.
 */
struct fg_group_score {
    uint32_t flags; /**< enum fg_group_flags; score and deltas are 0 with the first four */
    int64_t count_delta, mean_delta_ns; /**< new less base; saturate */
    int32_t error_delta_ppm;
    uint64_t ratio_micro; /**< new mean / base mean; rounded down */
    uint64_t score_micro;
};
FG_API void fg_score_group(const struct fg_group_figures *base,
                           const struct fg_group_figures *other, const struct fg_group_rule *rule,
                           struct fg_group_score *out_score);

/** Either side: both may be of one query. */
struct fg_group_side {
    struct fg_query *query;
    struct fg_selection selection;
};
struct fg_groups_request {
    struct fg_group_side sides[2]; /**< base, new */
    uint32_t by;                   /**< enum fg_aggregate_by */
    uint32_t class_mask;
    struct fg_group_rule rule;
    uint32_t limit; /**< rows; 0 = all */
};
/** Groups of two traces are paired by texts: of the name, path or track, and of the clock. */
struct fg_groups_row {
    const char *name; /**< lent with the answer; "" where the dimension is a number */
    uint32_t key[2];  /**< on either side; FG_NONE */
    uint32_t clock[2];
    struct fg_group_figures figures[2];
    struct fg_group_score score;
};
struct fg_groups_reply {
    const struct fg_groups_row *rows; /**< score descending, then name, then key */
    uint32_t count;
    uint32_t group_count; /**< without the limit */
    uint32_t regressed, only_base, only_new, invalid, saturated;
    uint32_t highest; /**< index of the highest score in rows; FG_NONE: no score above 0 */
};
/** @param out_reply lent by the base's query */
FG_API FG_MUST_USE enum fg_result fg_score_groups(const struct fg_groups_request *request,
                                                  struct fg_groups_reply *out_reply);
/** In steps; one stage. The task is of the new side's query, and ends before the base's, too. */
FG_API FG_MUST_USE enum fg_result fg_task_groups(const struct fg_groups_request *request,
                                                 uint32_t scheduling, struct fg_task **out_task);
FG_API FG_MUST_USE enum fg_result fg_task_result_groups(struct fg_task *task,
                                                        struct fg_groups_reply *out_reply);

FG_END_DECLS
#endif
