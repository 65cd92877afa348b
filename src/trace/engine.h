/* SPDX-License-Identifier: MIT */
/*
 * The interface that every trace engine implements. An engine is made over one finished trace and
 * never changes it; all engines give identical answers, which tests/contract checks with one table.
 */
#ifndef FGI_ENGINE_H
#define FGI_ENGINE_H
#include "base/arena.h"
#include <frameglass/trace_anomaly.h>
#include <frameglass/trace_engine.h>
#include <frameglass/trace_find.h>
#include <frameglass/trace_links.h>
#include <frameglass/trace_minimap.h>
#include <frameglass/trace_path.h>
#include <frameglass/trace_query.h>

/** What a question may use while it is answered. */
struct fgi_question {
    struct fgi_arena *arena;          /**< memory of the answer */
    bool (*cancelled)(void *context); /**< NULL = never */
    void *context;
    struct fg_visits *visits; /**< what answering looks at is added here; never NULL */
};

/** True when the work is to end with FG_ERR_CANCELLED. */
bool fgi_question_cancelled(const struct fgi_question *question);
/** More room in the answer's memory: doubles, copies. False when refused. */
bool fgi_answer_grow(struct fgi_arena *arena, void **items, size_t *capacity, size_t item_size,
                     size_t needed);
#define FGI_ANSWER_GROW(arena, items, capacity, needed)                                            \
    fgi_answer_grow((arena), (void **)&(items), &(capacity), sizeof *(items), (needed))

/** Which rows are in a view. */
struct fgi_rows_request {
    int64_t start_ns, end_ns;
    uint32_t filter;
    const struct fg_view_target *targets; /**< NULL = every lane */
    uint32_t target_count;
};
struct fgi_rows {
    uint64_t *bits; /**< by row */
    uint32_t count; /**< of bits that are set */
};

struct fgi_filter_work; /* these are in src/trace/task.h */
struct fgi_stats_work;
struct fgi_aggregate_work;
struct fgi_histogram_work;
struct fgi_buckets_work;
struct fgi_anomaly_work;
struct fgi_path_work;
struct fgi_focus_work;
struct fgi_slice_work;
struct fgi_search_work;
struct fgi_links_work;

/**
 * All functions are required but one. Requests have been checked by src/trace/query.c: ranges are
 * in order, counts within limits, rows, lanes and counters exist, defaults are filled in (a range
 * of 0, 0 is [FG_TIME_MIN, INT64_MAX]). Filters are the engine's own: it answers FG_ERR_NOT_FOUND
 * for an id that it does not know.
 */
struct fgi_engine_ops {
    const char *name; /**< "cpu" */
    /** More than the name, which is filled in; NULL: there is no more. */
    void (*about)(const struct fg_engine *engine, struct fg_engine_info *info);
    void (*destroy)(struct fg_engine *engine);
    /* Those that end in _begin make work that is done in steps (src/trace/task.h). What a request
       lends is lent for the call only; a caller's column of values alone until the work ends. */
    enum fg_result (*filter_begin)(struct fg_engine *, const struct fgi_question *,
                                   const struct fg_filter_terms *, struct fgi_filter_work **);
    enum fg_result (*filter_destroy)(struct fg_engine *, uint32_t filter);
    enum fg_result (*view)(struct fg_engine *, const struct fgi_question *,
                           const struct fg_view_request *, struct fg_view_reply *);
    enum fg_result (*stats_begin)(struct fg_engine *, const struct fgi_question *,
                                  const struct fg_stats_request *, struct fgi_stats_work **);
    enum fg_result (*frames)(struct fg_engine *, const struct fgi_question *, uint32_t first,
                             uint32_t end, const struct fg_frame_row **out_rows,
                             uint32_t *out_count);
    enum fg_result (*series)(struct fg_engine *, const struct fgi_question *, uint32_t row,
                             uint32_t first_frame, uint32_t end_frame,
                             const struct fg_series_item **out_items, uint32_t *out_count);
    enum fg_result (*counters)(struct fg_engine *, const struct fgi_question *,
                               const struct fg_counters_request *, struct fg_counters_reply *);
    enum fg_result (*marks)(struct fg_engine *, const struct fgi_question *,
                            const struct fg_marks_request *, struct fg_marks_reply *);
    enum fg_result (*search_begin)(struct fg_engine *, const struct fgi_question *,
                                   const struct fg_search_request *, struct fgi_search_work **);
    enum fg_result (*pick)(struct fg_engine *, const struct fgi_question *,
                           const struct fg_pick_request *, uint32_t *out_row);
    enum fg_result (*span)(struct fg_engine *, const struct fgi_question *, uint32_t row,
                           struct fg_span_detail *);

    /* Numbers over many spans. Their reading of the selection holds its filter until they end. */
    enum fg_result (*aggregate_begin)(struct fg_engine *, const struct fgi_question *,
                                      const struct fg_aggregate_request *,
                                      struct fgi_aggregate_work **);
    enum fg_result (*histogram_begin)(struct fg_engine *, const struct fgi_question *,
                                      const struct fg_histogram_request *,
                                      struct fgi_histogram_work **);
    enum fg_result (*buckets_begin)(struct fg_engine *, const struct fgi_question *,
                                    const struct fg_buckets_request *, struct fgi_buckets_work **);
    /** The baselines are given: src/trace makes them, by aggregates. */
    enum fg_result (*anomalies_begin)(struct fg_engine *, const struct fgi_question *,
                                      const struct fg_anomaly_request *,
                                      struct fgi_anomaly_work **);
    enum fg_result (*scores)(struct fg_engine *, uint32_t scores, const uint32_t *rows,
                             uint32_t count, uint8_t *out_tints, uint8_t *out_reasons);
    enum fg_result (*tints)(struct fg_engine *, const struct fgi_question *,
                            const struct fg_tints_request *, struct fg_tints_reply *);
    enum fg_result (*scores_destroy)(struct fg_engine *, uint32_t scores);
    enum fg_result (*minimap)(struct fg_engine *, const struct fgi_question *,
                              const struct fg_minimap_request *, struct fg_minimap_reply *);
    /**
     * Rows that pass a filter and meet a window in one of a view's targets, as bits by row, in the
     * question's memory: what projections and links of a view stand on.
     */
    enum fg_result (*visible_rows)(struct fg_engine *, const struct fgi_question *,
                                   const struct fgi_rows_request *, struct fgi_rows *out_rows);

    /* Dependencies, with those that follow from frame graphs where the families have them
       (src/trace/dependencies.h). Families are filled in (0 is all), rows that are asked for by
       name exist; numbers of dependencies and a capacity of 0 are left to the engine. */
    enum fg_result (*dependency)(struct fg_engine *, const struct fgi_question *, uint32_t link,
                                 struct fg_trace_dependency *);
    enum fg_result (*focus_begin)(struct fg_engine *, const struct fgi_question *,
                                  const struct fg_focus_request *, struct fgi_focus_work **);
    enum fg_result (*project)(struct fg_engine *, const struct fgi_question *,
                              const struct fg_project_request *, struct fg_project_reply *);
    /** What is made for all questions of links stays when this one ends before it is done. */
    enum fg_result (*links_begin)(struct fg_engine *, const struct fgi_question *,
                                  const struct fg_links_request *, struct fgi_links_work **);
    uint64_t (*links_bytes)(const struct fg_engine *);
    enum fg_result (*slice_begin)(struct fg_engine *, const struct fgi_question *,
                                  const struct fg_slice_request *, struct fgi_slice_work **);
    enum fg_result (*path_begin)(struct fg_engine *, const struct fgi_question *,
                                 const struct fg_path_request *, struct fgi_path_work **);
    /** Bytes that a path takes at most, the chain and its pieces excepted. */
    uint64_t (*path_bytes)(const struct fg_engine *, const struct fg_path_request *);
};

/** First member of every engine. */
struct fg_engine {
    const struct fgi_engine_ops *ops;
    const struct fg_trace *trace; /**< borrowed: it outlives the engine */
    /* Set by who chose it, where another one had been asked for; lent as long as the engine. */
    const char *wanted; /**< NULL: this one is what was asked for */
    const char *reason; /**< why that one cannot answer */
};

/** The rows of a view; `request` is checked by who asks. Cost: the rows that are found. */
FG_MUST_USE enum fg_result fgi_visible_rows(struct fg_engine *engine,
                                            const struct fgi_question *question,
                                            const struct fgi_rows_request *request,
                                            struct fgi_rows *out_rows);

/** fg_query_gap() over spans that are at hand: one implementation for all engines. */
enum fg_result fgi_gap_between(const struct fg_trace *trace, const struct fg_trace_span *first,
                               const struct fg_trace_span *second, struct fg_gap *out_gap);

/** A span that another one waits for, or wakes, although nobody recorded it. */
struct fgi_graph_link {
    uint32_t row;
    uint32_t family; /**< FG_DEPENDENCY_GRAPH or _QUEUE */
};
/**
 * What a GPU pass waits for (or wakes) by its frame graph and by the order of its queue: one
 * implementation for all engines (graph_links.c). The rules are in docs/PROTOCOL.md, SPAN.
 *
 * @param out_links in the question's memory; data by pass, then queue order
 */
FG_MUST_USE enum fg_result fgi_graph_links(const struct fg_trace *trace,
                                           const struct fgi_question *question,
                                           const struct fg_trace_span *span, bool is_wait,
                                           const struct fgi_graph_link **out_links,
                                           uint32_t *out_count);

/** Ends an engine, its filters and its indexes; NULL is legal. The trace stays. */
void fgi_engine_destroy(struct fg_engine *engine);

#endif
