/* SPDX-License-Identifier: MIT */
/*
 * Numbers over many spans: groups by any dimension, histograms, time buckets. All arithmetic is on
 * integers and exact; a sum that does not fit says so. Groups never mix clocks.
 */
#ifndef FG_TRACE_AGGREGATE_H
#define FG_TRACE_AGGREGATE_H
#include <frameglass/trace_task.h>

FG_BEGIN_DECLS

/** Which spans are meant: all terms together. Zero: all. Arrays are borrowed for the call. */
struct fg_selection {
    uint32_t filter;
    int64_t start_ns, end_ns; /**< meet it (a viewport, a measured range); 0, 0 = the whole trace */
    bool has_frames;
    uint32_t first_frame, end_frame; /**< frame indices, end exclusive */
    const uint32_t *tracks;          /**< only these; NULL = all */
    uint32_t track_count;
    const uint32_t *lanes; /**< only these; NULL = all */
    uint32_t lane_count;
};

/** What is measured of a span, as a natural number. */
enum fg_measure {
    FG_MEASURE_DURATION = 0, /**< the whole span, also where it only meets the range */
    FG_MEASURE_CLIPPED = 1,  /**< the part of it inside the range */
    FG_MEASURE_SELF = 2,     /**< duration less what direct children on its track cover of it */
    FG_MEASURE_DEPTH = 3,
    FG_MEASURE_VALUES = 4, /**< a column of the caller, by row */
};
/** A column of the caller: rows past its end have no value, and neither have those in `absent`. */
struct fg_measure_values {
    const uint64_t *items;
    const uint64_t *absent; /**< bit per row, in words of 64; NULL = none */
    uint32_t count;
};

/* ---- groups ---------------------------------------------------------------------------------- */

enum fg_aggregate_by {
    FG_AGGREGATE_ALL = 0, /**< one group per clock, key 0 */
    FG_AGGREGATE_NAME = 1,
    FG_AGGREGATE_CATEGORY = 2, /**< 0: those without one */
    FG_AGGREGATE_LANE = 3,
    FG_AGGREGATE_TRACK = 4,
    FG_AGGREGATE_PROCESS = 5,
    FG_AGGREGATE_CLASSES = 6, /**< the classification bits in `class_mask`, as a number */
    FG_AGGREGATE_STATUS = 7,
    FG_AGGREGATE_FRAME = 8, /**< spans of no frame have no key, likewise below */
    FG_AGGREGATE_PASS = 9,
    FG_AGGREGATE_SCOPE = 10, /**< text id of the scope path */
    FG_AGGREGATE_DEPTH = 11,
};
#define FG_AGGREGATE_BY_COUNT 12

enum fg_aggregate_figures {
    FG_FIGURES_PERCENTILES = 1, /**< median and p95: more work than the rest together */
    /** A row for every lane, track, process, status, frame or pass there is. */
    FG_FIGURES_EMPTY = 2,
    FG_FIGURES_DEVIATION = 4, /**< as much work as percentiles */
};
enum fg_aggregate_order {
    FG_ORDER_SUM = 0, /**< sum descending, then count descending, then key, clock */
    FG_ORDER_KEY = 1, /**< key, clock */
};
struct fg_aggregate_request {
    struct fg_selection selection;
    uint32_t by;      /**< enum fg_aggregate_by */
    uint32_t measure; /**< enum fg_measure */
    struct fg_measure_values values;
    uint32_t class_mask; /**< 0 = all bits */
    uint32_t figures;    /**< enum fg_aggregate_figures bits */
    uint32_t order;      /**< enum fg_aggregate_order */
    uint32_t limit;      /**< rows of the answer; 0 = all. The answer says how many there are */
};
/** Spans of one group. Unfinished ones are counted apart and are in no other figure. */
struct fg_aggregate_row {
    uint32_t key;
    uint32_t name;   /**< text id of lane's or track's track, process, pass, scope, ...; 0 = none */
    uint32_t clock;  /**< FG_NONE: an empty group */
    bool has_values; /**< false: nothing was measured; min to p95 are 0 and mean nothing */
    bool is_saturated; /**< the sum does not fit: UINT64_MAX. The mean is right all the same */
    uint64_t count;    /**< complete spans */
    uint64_t errors;   /**< of them, those that the source marks as failed */
    uint64_t unfinished;
    uint64_t unmeasured; /**< complete, without a value: of a caller's column only */
    uint64_t sum;
    uint64_t mean; /**< floor of exact sum / measured */
    uint64_t min, max;
    uint64_t median, p95; /**< nearest rank; only with FG_FIGURES_PERCENTILES */
    /** Of the population, to the nearest; only with FG_FIGURES_DEVIATION. UINT64_MAX: the squares
       do not fit 128 bits. */
    uint64_t deviation;
    uint32_t largest; /**< row of the maximum; ties: the lowest */
};
struct fg_aggregate_reply {
    const struct fg_aggregate_row *rows;
    uint32_t count;
    uint32_t group_count; /**< without the limit */
    bool is_clipped;      /**< parts of spans were measured; otherwise whole spans */
    uint64_t keyless;     /**< selected spans of no group */
    uint64_t selected;    /**< spans selected, unfinished and keyless ones included */
};
/**
 * Figures by group, in the unit of what is measured (ns, a depth, the caller's); lent. Cost: all
 * rows, once, or, where lanes and a range leave less than a quarter of them, these alone;
 * percentiles and deviations sort the values.
 */
FG_API FG_MUST_USE enum fg_result fg_query_aggregate(struct fg_query *query,
                                                     const struct fg_aggregate_request *request,
                                                     struct fg_aggregate_reply *out_reply);
/** Two stages when percentiles or deviations are asked for: all else, then these. */
FG_API FG_MUST_USE enum fg_result fg_task_aggregate(struct fg_query *query,
                                                    const struct fg_aggregate_request *request,
                                                    uint32_t scheduling, struct fg_task **out_task);
FG_API FG_MUST_USE enum fg_result fg_task_result_aggregate(struct fg_task *task,
                                                           struct fg_aggregate_reply *out_reply);

/* ---- histograms ------------------------------------------------------------------------------ */

enum fg_histogram_scale {
    FG_HISTOGRAM_LINEAR = 0, /**< equal widths over the domain, both ends inside */
    FG_HISTOGRAM_LOG2 = 1,   /**< 0, 1, 2 to 3, 4 to 7, ...: bin k > 0 is [2^(k-1), 2^k) */
    FG_HISTOGRAM_EDGES = 2,  /**< as given, strictly ascending, the last one inside */
};
#define FG_HISTOGRAM_BINS_MAX 65536
struct fg_histogram_request {
    struct fg_selection selection;
    uint32_t measure; /**< enum fg_measure */
    struct fg_measure_values values;
    uint32_t scale;     /**< enum fg_histogram_scale */
    uint32_t bins;      /**< linear only; 0 = 64 */
    bool has_domain;    /**< linear; false: smallest to largest value of the selected spans */
    uint64_t low, high; /**< low <= high */
    const uint64_t *edges;
    uint32_t edge_count; /**< at least 2 */
};
struct fg_histogram_bin {
    uint64_t first, last; /**< smallest and largest value that belongs to it */
    uint64_t count;
};
struct fg_histogram_reply {
    const struct fg_histogram_bin *bins;
    uint32_t count;        /**< log2: up to the last bin that is not empty */
    bool has_domain;       /**< false: there is no value */
    uint64_t low, high;    /**< domain */
    uint64_t below, above; /**< values outside of it */
    uint64_t measured;     /**< values, those outside included */
    uint64_t unfinished, unmeasured;
    bool is_clipped;
};
/** Complete spans, all clocks together: it says nothing that compares them. */
FG_API FG_MUST_USE enum fg_result fg_query_histogram(struct fg_query *query,
                                                     const struct fg_histogram_request *request,
                                                     struct fg_histogram_reply *out_reply);
FG_API FG_MUST_USE enum fg_result fg_task_histogram(struct fg_query *query,
                                                    const struct fg_histogram_request *request,
                                                    uint32_t scheduling, struct fg_task **out_task);
FG_API FG_MUST_USE enum fg_result fg_task_result_histogram(struct fg_task *task,
                                                           struct fg_histogram_reply *out_reply);

/* ---- time buckets ---------------------------------------------------------------------------- */

#define FG_BUCKETS_MAX 65536
struct fg_buckets_request {
    struct fg_selection selection; /**< its range is what is divided; 0, 0 = the trace's extent */
    uint32_t count;                /**< 0 = 64; no more than there are nanoseconds */
    uint32_t lanes;                /**< that idle time is counted over; 0 = the selected lanes */
};
/** Unfinished spans count like others: their end is when the trace, or their parent, ended. */
struct fg_bucket {
    int64_t start_ns, end_ns; /**< i * range / count, rounded down */
    uint64_t starts;          /**< spans that start in it */
    uint64_t count;           /**< spans that meet it, those of zero length by the one rule */
    uint64_t covered_ns;      /**< length of their union in it */
    uint64_t sum_ns;          /**< of their parts in it; / (end - start) is the mean concurrency */
    uint64_t capacity_ns;     /**< (end - start) * lanes; sum / capacity is the utilisation */
    uint64_t idle_ns;         /**< capacity less sum; 0 when sum is more */
    uint32_t peak;            /**< most spans at one time; those of zero length take no time */
    bool is_saturated;        /**< sum or capacity does not fit: UINT64_MAX */
};
struct fg_buckets_reply {
    const struct fg_bucket *buckets;
    uint32_t count;
    uint32_t lanes;
    int64_t start_ns, end_ns; /**< what was divided */
};
/** FG_ERR_CLOCK: the selected lanes are on clocks that cannot be compared. */
FG_API FG_MUST_USE enum fg_result fg_query_buckets(struct fg_query *query,
                                                   const struct fg_buckets_request *request,
                                                   struct fg_buckets_reply *out_reply);
FG_API FG_MUST_USE enum fg_result fg_task_buckets(struct fg_query *query,
                                                  const struct fg_buckets_request *request,
                                                  uint32_t scheduling, struct fg_task **out_task);
FG_API FG_MUST_USE enum fg_result fg_task_result_buckets(struct fg_task *task,
                                                         struct fg_buckets_reply *out_reply);

/* ---- a profile: all three, one after the other ----------------------------------------------- */

enum fg_profile_stage {
    FG_PROFILE_SUMMARY = 1,   /**< `stage` from which the groups are there */
    FG_PROFILE_HISTOGRAM = 2, /**< and the histogram */
    FG_PROFILE_COMPLETE = 3,  /**< and the buckets */
};
struct fg_profile_request {
    struct fg_aggregate_request aggregate;
    struct fg_histogram_request histogram;
    struct fg_buckets_request buckets;
};
struct fg_profile_reply {
    uint32_t stage; /**< enum fg_profile_stage; 0: nothing yet. Later parts are zero */
    struct fg_aggregate_reply aggregate;
    struct fg_histogram_reply histogram;
    struct fg_buckets_reply buckets;
};
FG_API FG_MUST_USE enum fg_result fg_task_profile(struct fg_query *query,
                                                  const struct fg_profile_request *request,
                                                  uint32_t scheduling, struct fg_task **out_task);
/** What is coherent by now. */
FG_API FG_MUST_USE enum fg_result fg_task_result_profile(struct fg_task *task,
                                                         struct fg_profile_reply *out_reply);

FG_END_DECLS
#endif
