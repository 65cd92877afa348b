/* SPDX-License-Identifier: MIT */
/* What the files of the CPU engine share. */
#ifndef FGI_ENGINE_CPU_PRIV_H
#define FGI_ENGINE_CPU_PRIV_H
#include "base/hash.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/index.h"

/** A row set with the indexes that were asked of it. */
struct fgi_population {
    struct fgi_row_set set;
    struct fgi_index *lanes; /**< by lane; NULL: they are made one by one, as those of groups */
    struct fgi_map64 map;    /**< kind << 32 | index to a position in indexes */
    FGI_TABLE(struct fgi_index *) indexes;
    struct fgi_link_index *links;   /**< NULL: nobody has asked for dependencies (graph_cpu.h) */
    struct fgi_link_making *making; /**< `links` on its way */
};

struct fgi_cpu_filter {
    uint32_t id;
    uint32_t uses; /**< times made, less times destroyed */
    uint32_t row_count;
    uint8_t *key; /**< its terms, in one normal form */
    size_t key_size;
    uint64_t *bits; /**< by row */
    uint32_t *rows, *lane_first;
    struct fgi_population population;
};

/** Time that direct children cover, for rows that have children. */
struct fgi_child_cover {
    bool is_ready;
    uint64_t *parent_bits;  /**< by row */
    uint32_t *parent_ranks; /**< parents before each word of parent_bits */
    uint64_t *covered_ns;   /**< by rank */
    size_t parent_count;
};

/** Dependencies that follow from frame graphs (derived.c). */
struct fgi_derived {
    bool is_made;
    struct fgi_links links;
    struct fgi_deriving *making; /**< on the way; NULL */
};

struct fgi_score_set;
struct fgi_engine_cpu {
    struct fg_engine engine;
    const struct fg_allocator *allocator;
    struct fgi_population all;
    unsigned coarsest;         /**< level of detail: at most 512 bins for the trace */
    int64_t first_ns, last_ns; /**< smallest start, largest end; last < first: there is no span */
    uint32_t *process_lanes;   /**< lanes by process */
    uint32_t *process_first;   /**< processes + 1 positions */
    FGI_TABLE(struct fgi_cpu_filter *) filters;
    uint32_t next_filter;
    FGI_TABLE(struct fgi_score_set *) scores; /**< kept ones: scores.h */
    uint32_t next_scores;
    struct fg_frame_row *frame_rows;
    struct fgi_child_cover cover;
    struct fgi_derived derived;
};

static inline struct fgi_engine_cpu *fgi_cpu(struct fg_engine *engine)
{
    return (struct fgi_engine_cpu *)engine;
}

/* targets.c */
struct fgi_lanes fgi_target_lanes(const struct fgi_engine_cpu *cpu, uint32_t kind, uint32_t index);
/** The indexes of all lanes of the trace at once, and the coarsest level. */
FG_MUST_USE enum fg_result fgi_lane_indexes_make(struct fgi_engine_cpu *cpu);
/** The index of a target, made when it is first asked for. Lent while the population lives. */
FG_MUST_USE enum fg_result fgi_index_get(struct fgi_engine_cpu *cpu,
                                         struct fgi_population *population, uint32_t kind,
                                         uint32_t index, const struct fgi_index **out_index);
void fgi_population_finish(struct fgi_engine_cpu *cpu, struct fgi_population *population);
uint64_t fgi_population_bytes(const struct fgi_engine_cpu *cpu,
                              const struct fgi_population *population);
/** Level of a window: the largest k with width * 2^k <= end - start; 0 below that. */
unsigned fgi_view_level(int64_t start, int64_t end, uint32_t width_px);

/* filters.c */
/** NULL for an unknown id; FG_OK and NULL bits for 0: everything. */
FG_MUST_USE enum fg_result fgi_filter_find(struct fgi_engine_cpu *cpu, uint32_t id,
                                           struct fgi_population **out_population,
                                           const uint64_t **out_bits);
/** The same as an object that stays until fgi_cpu_filter_destroy(); NULL for 0. */
FG_MUST_USE enum fg_result fgi_filter_hold(struct fgi_engine_cpu *cpu, uint32_t id,
                                           struct fgi_cpu_filter **out_filter);
void fgi_filters_finish(struct fgi_engine_cpu *cpu);
/** Bit per text id: those that contain `text`, ASCII letters without case. NULL when refused. */
uint64_t *fgi_matching_names(const struct fg_trace *trace, struct fgi_arena *arena,
                             const char *text);
static inline bool fgi_has_bit(const uint64_t *bits, uint32_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}
static inline void fgi_set_bit(uint64_t *bits, uint32_t i)
{
    bits[i / 64] |= UINT64_C(1) << (i % 64);
}

/* cover.c */
FG_MUST_USE enum fg_result fgi_cover_make(struct fgi_engine_cpu *cpu);
/** Time that direct children cover of a row. fgi_cover_make() was done. */
uint64_t fgi_cover_of(const struct fgi_engine_cpu *cpu, uint32_t row);
void fgi_cover_finish(struct fgi_engine_cpu *cpu);

/* frames_view.c */
FG_MUST_USE enum fg_result fgi_frame_rows_make(struct fgi_engine_cpu *cpu);

/** An interval; many are sorted by start: fewer than 2^32, with spare ones sooner. */
struct fgi_interval {
    int64_t start, end;
};
void fgi_sort_intervals(struct fgi_interval *items, size_t count, struct fgi_interval *spare,
                        size_t spare_count);
/** Length of the union of intervals sorted by start; saturates. */
uint64_t fgi_union_length(const struct fgi_interval *items, size_t count);
/** The same of two lists that are sorted each. */
uint64_t fgi_union_of_two(const struct fgi_interval *a, size_t a_count,
                          const struct fgi_interval *b, size_t b_count);

/* The operations, one or a few per file. */
enum fg_result fgi_cpu_filter_begin(struct fg_engine *, const struct fgi_question *,
                                    const struct fg_filter_terms *, struct fgi_filter_work **);
enum fg_result fgi_cpu_filter_destroy(struct fg_engine *, uint32_t);
enum fg_result fgi_cpu_view(struct fg_engine *, const struct fgi_question *,
                            const struct fg_view_request *, struct fg_view_reply *);
enum fg_result fgi_cpu_stats_begin(struct fg_engine *, const struct fgi_question *,
                                   const struct fg_stats_request *, struct fgi_stats_work **);
enum fg_result fgi_cpu_frames(struct fg_engine *, const struct fgi_question *, uint32_t, uint32_t,
                              const struct fg_frame_row **, uint32_t *);
enum fg_result fgi_cpu_series(struct fg_engine *, const struct fgi_question *, uint32_t, uint32_t,
                              uint32_t, const struct fg_series_item **, uint32_t *);
enum fg_result fgi_cpu_counters(struct fg_engine *, const struct fgi_question *,
                                const struct fg_counters_request *, struct fg_counters_reply *);
enum fg_result fgi_cpu_marks(struct fg_engine *, const struct fgi_question *,
                             const struct fg_marks_request *, struct fg_marks_reply *);
enum fg_result fgi_cpu_search_begin(struct fg_engine *, const struct fgi_question *,
                                    const struct fg_search_request *, struct fgi_search_work **);
enum fg_result fgi_cpu_pick(struct fg_engine *, const struct fgi_question *,
                            const struct fg_pick_request *, uint32_t *);
enum fg_result fgi_cpu_span(struct fg_engine *, const struct fgi_question *, uint32_t,
                            struct fg_span_detail *);

enum fg_result fgi_cpu_minimap(struct fg_engine *, const struct fgi_question *,
                               const struct fg_minimap_request *, struct fg_minimap_reply *);
enum fg_result fgi_cpu_visible_rows(struct fg_engine *, const struct fgi_question *,
                                    const struct fgi_rows_request *, struct fgi_rows *);
enum fg_result fgi_cpu_aggregate_begin(struct fg_engine *, const struct fgi_question *,
                                       const struct fg_aggregate_request *,
                                       struct fgi_aggregate_work **);
enum fg_result fgi_cpu_histogram_begin(struct fg_engine *, const struct fgi_question *,
                                       const struct fg_histogram_request *,
                                       struct fgi_histogram_work **);
enum fg_result fgi_cpu_buckets_begin(struct fg_engine *, const struct fgi_question *,
                                     const struct fg_buckets_request *, struct fgi_buckets_work **);
enum fg_result fgi_cpu_anomalies_begin(struct fg_engine *, const struct fgi_question *,
                                       const struct fg_anomaly_request *,
                                       struct fgi_anomaly_work **);
enum fg_result fgi_cpu_scores(struct fg_engine *, uint32_t, const uint32_t *, uint32_t, uint8_t *,
                              uint8_t *);
enum fg_result fgi_cpu_tints(struct fg_engine *, const struct fgi_question *,
                             const struct fg_tints_request *, struct fg_tints_reply *);
enum fg_result fgi_cpu_scores_destroy(struct fg_engine *, uint32_t);

#endif
