/* SPDX-License-Identifier: MIT */
/*
 * Numbers over many spans, answered by the device: aggregates, statistics, histograms and series,
 * of durations, their parts in a range, own times and depths. A caller's own column of values,
 * spans whose children lie in several lanes where own times are asked for, and more groups than a
 * table takes are the host's from the beginning.
 */
#ifndef FGI_ENGINE_NUMBERS_H
#define FGI_ENGINE_NUMBERS_H
#include "base/sort.h"
#include "engine/vulkan/engine_filter.h"
#include "engine/vulkan/gpu_numbers.h"

struct fgi_gpu_scoring;

enum fg_result fgi_vulkan_aggregate_begin(struct fg_engine *, const struct fgi_question *,
                                          const struct fg_aggregate_request *,
                                          struct fgi_aggregate_work **);
enum fg_result fgi_vulkan_stats_begin(struct fg_engine *, const struct fgi_question *,
                                      const struct fg_stats_request *, struct fgi_stats_work **);
enum fg_result fgi_vulkan_histogram_begin(struct fg_engine *, const struct fgi_question *,
                                          const struct fg_histogram_request *,
                                          struct fgi_histogram_work **);
enum fg_result fgi_vulkan_series(struct fg_engine *, const struct fgi_question *, uint32_t,
                                 uint32_t, uint32_t, const struct fg_series_item **, uint32_t *);

enum fg_result fgi_vulkan_buckets_begin(struct fg_engine *, const struct fgi_question *,
                                        const struct fg_buckets_request *,
                                        struct fgi_buckets_work **);
enum fg_result fgi_vulkan_anomalies_begin(struct fg_engine *, const struct fgi_question *,
                                          const struct fg_anomaly_request *,
                                          struct fgi_anomaly_work **);
enum fg_result fgi_vulkan_scores(struct fg_engine *, uint32_t, const uint32_t *, uint32_t,
                                 uint8_t *, uint8_t *);
enum fg_result fgi_vulkan_tints(struct fg_engine *, const struct fgi_question *,
                                const struct fg_tints_request *, struct fg_tints_reply *);

/* ---- what they share (engine_numbers.c) ------------------------------------------------------ */

/** Selected rows on their way through the device. Zero is nothing. */
struct fgi_gpu_counting {
    struct fgi_engine_vulkan *vulkan;
    struct fg_selection selection; /**< its lists are kept in the question's memory */
    struct fgi_gpu_filter *filter; /**< held; NULL: none */
    struct fgi_gpu_number_rule rule;
    struct fgi_gpu_numbers numbers;
    struct fgi_arena arena;       /**< of tables and of what is brought back */
    bool is_begun;                /**< `numbers` are */
    uint32_t pass;                /**< of groups, that comes next */
    uint64_t device_rows;         /**< looked at here, before the host went on */
    struct fgi_work *host;        /**< NULL until the device has failed */
    struct fgi_gpu_group *groups; /**< after the last pass; in `arena` */
    uint32_t group_count;
    struct fgi_gpu_group_totals totals;
};

/** Is the device to be asked about such groups, and do their tables have room in its blocks? Own
 times are made ready. */
bool fgi_gpu_counting_fits(struct fgi_engine_vulkan *vulkan, uint32_t by, uint32_t measure);
/** FG_OK; FG_ERR_NOT_FOUND (filter, lane); FG_ERR_NO_MEMORY. Nothing is asked of the device yet. */
FG_MUST_USE enum fg_result fgi_gpu_counting_begin(struct fgi_gpu_counting *counting,
                                                  struct fgi_engine_vulkan *vulkan,
                                                  const struct fgi_question *question,
                                                  const struct fg_selection *selection,
                                                  const struct fgi_gpu_number_rule *rule);
void fgi_gpu_counting_end(struct fgi_gpu_counting *counting);
/**
 * Go on with the passes of groups, the first of `passes`, as many as max_rows allow but one at
 * least; after the last one the groups are there, those of the fewest slots first.
 *
 * @return FG_OK; FG_ERR_CANCELLED; what the device failed at, after fgi_gpu_fall_back()
 */
FG_MUST_USE enum fg_result fgi_gpu_counting_groups(struct fgi_gpu_counting *counting,
                                                   const struct fgi_question *question,
                                                   uint32_t passes, uint64_t max_rows,
                                                   struct fgi_work *work);
/** The tables are there: made by the first call. */
FG_MUST_USE enum fg_result fgi_gpu_counting_ready(struct fgi_gpu_counting *counting);
/** Run a graph that has these nodes only, and count its rows. */
FG_MUST_USE enum fg_result fgi_gpu_counting_run(struct fgi_gpu_counting *counting,
                                                const struct fgi_question *question,
                                                struct fg_compute_graph *graph,
                                                const struct fgi_gpu_read *reads, uint32_t count,
                                                uint64_t rows, struct fgi_work *work);
/** Read the first words of a column: reads that bring them to `words`, in the counting's arena. */
FG_MUST_USE enum fg_result fgi_gpu_counting_reads(
    struct fgi_gpu_counting *counting, const struct fgi_gpu_column *column, uint64_t words,
    uint32_t spare, uint32_t **out_words, struct fgi_gpu_read **out_reads, uint32_t *out_count);
/** The same into words that there are, with reads in an arena. */
FG_MUST_USE enum fg_result fgi_gpu_reads_of(struct fgi_arena *arena,
                                            const struct fgi_gpu_column *column, uint64_t words,
                                            uint32_t spare, uint32_t *into,
                                            struct fgi_gpu_read **out_reads, uint32_t *out_count);
/**
 * What a scoring has of rows goes over to kept scores, which are put into the engine's list.
 *
 * @param scores stay the caller's on failure
 */
FG_MUST_USE enum fg_result fgi_gpu_scores_keep(struct fgi_engine_vulkan *vulkan,
                                               struct fgi_gpu_scores *scores,
                                               struct fgi_gpu_scoring *scoring);

/* What children cover (engine_numbers_cover.c): made once, on the device. */

/**
 * NULL where it is not so simple: some span has children in several lanes. Lent while the engine
 * lives.
 */
FG_MUST_USE enum fg_result fgi_gpu_cover_of(struct fgi_engine_vulkan *vulkan,
                                            const struct fgi_gpu_column **out_covered);

/* Percentiles, deviations and unions (engine_numbers_ranks.c): after the groups, which are as they
 * came. */

/** Is there memory for them? */
bool fgi_gpu_counting_fits_values(struct fgi_engine_vulkan *vulkan, uint32_t by);
/** Of each group, in their order; left alone where a group has no values. */
FG_MUST_USE enum fg_result fgi_gpu_counting_deviations(struct fgi_gpu_counting *counting,
                                                       const struct fgi_question *question,
                                                       uint64_t *out_deviations,
                                                       struct fgi_work *work);
/** Median and p95 of each group that has values, in their order: two numbers each. */
FG_MUST_USE enum fg_result fgi_gpu_counting_ranks(struct fgi_gpu_counting *counting,
                                                  const struct fgi_question *question,
                                                  uint64_t *out_values, struct fgi_work *work);

/** Length of the union of the spans of each group, in their order. */
FG_MUST_USE enum fg_result fgi_gpu_counting_busy(struct fgi_gpu_counting *counting,
                                                 const struct fgi_question *question,
                                                 uint64_t *out_busy_ns, struct fgi_work *work);

/** Text id of a group's lane's or track's track, process, pass, scope, ...; 0 = none. */
uint32_t fgi_gpu_group_name(const struct fg_trace *trace, uint32_t by, uint32_t key);
/** Numbers of the groups, in an order; in the counting's arena. */
FG_MUST_USE enum fg_result fgi_gpu_counting_order(struct fgi_gpu_counting *counting,
                                                  fgi_before *before, void *context,
                                                  uint32_t **out_order);
/** All is there: so says the work. */
void fgi_gpu_counting_end_work(struct fgi_work *work);

/** Did the device do this step? False: the host is to be asked, from the beginning. */
bool fgi_gpu_counting_did(struct fgi_gpu_counting *counting, const struct fgi_work *work,
                          enum fg_result result);
/** One step at the host, whose rows come after those that the device has looked at. */
FG_MUST_USE enum fg_result fgi_gpu_counting_host_step(struct fgi_gpu_counting *counting,
                                                      struct fgi_work *work, size_t bytes,
                                                      const struct fgi_question *question,
                                                      uint64_t max_rows);

#endif
