/* SPDX-License-Identifier: MIT */
/*
 * What every engine must answer, checked against brute force over plain arrays. To hold another
 * engine to it, add a line to the table in engine_contract_table.c.
 */
#ifndef ENGINE_CONTRACT_H
#define ENGINE_CONTRACT_H
#include "plain_trace.h"
#include "trace/engine.h"

struct contract_engine {
    const char *name;
    enum fg_result (*create)(const struct fg_allocator *, const struct fg_trace *,
                             struct fg_engine **);
    uint32_t every; /**< it is held to one of so many traces; 0 = to all */
    /** What must be true of one when all has been asked of it; NULL = nothing more. */
    void (*check_end)(const struct fg_engine *engine);
};
/** Whether an engine is held to the n-th trace of a run. */
static inline bool contract_is_held(const struct contract_engine *engine, uint64_t n)
{
    return engine->every == 0 || n % engine->every == 0;
}
extern const struct contract_engine contract_engines[];
extern const size_t contract_engine_count;
/** What the engines stand on ends; a group's teardown. */
int contract_engines_end(void **state);

struct contract {
    struct plain_trace *plain;
    const struct contract_engine *kind;
    struct fg_engine *engine;
    struct fg_query *query;
    /** The filter at hand: terms, id, and which rows pass by brute force. */
    struct fg_filter_terms terms;
    uint32_t filter;
    bool passes[PLAIN_SPANS_MAX];
    uint32_t term_numbers[3][4];
    uint64_t mask[PLAIN_SPANS_MAX / 64 + 1];
};

void contract_open(struct contract *c, struct plain_trace *plain,
                   const struct contract_engine *engine);
void contract_close(struct contract *c);
/** A random filter (or none) for the questions that follow. */
void contract_take_filter(struct contract *c);
void contract_drop_filter(struct contract *c);

void contract_check_rows(struct contract *c);
void contract_check_view(struct contract *c);
void contract_check_minimap(struct contract *c);
void contract_check_visible_rows(struct contract *c);
void contract_check_stats(struct contract *c);
void contract_check_structure(struct contract *c);
void contract_check_frames(struct contract *c);
void contract_check_series(struct contract *c);
void contract_check_counters(struct contract *c);
void contract_check_marks(struct contract *c);
void contract_check_search(struct contract *c);
void contract_check_pick(struct contract *c);
void contract_check_span(struct contract *c);
/** Against itself and against another random trace, over an engine of the same kind. */
void contract_check_compare(struct contract *c, const struct contract_engine *engine);
void contract_check_events(struct contract *c);
/** Aggregates, histograms, buckets, in random steps. */
void contract_check_numbers(struct contract *c);
/** Scores of spans and of groups, tints. */
void contract_check_scores(struct contract *c);
/** Links that nobody recorded, behind the recorded ones of which there are so many. */
void contract_check_graph_links(struct contract *c, const struct fg_span_detail *detail,
                                uint32_t waits, uint32_t wakes);
/** Who makes a version: who is said to, or else the first that writes it; FG_NONE. */
uint32_t contract_producer(const struct plain_graph *graph, uint32_t resource);
bool contract_list_has(const struct plain_list *list, uint32_t item);

bool contract_meets(int64_t start, int64_t end, int64_t a, int64_t b);
/** By start, longer first, row. */
bool contract_before(const struct plain_trace *plain, uint32_t a, uint32_t b);
/** Length of the union of intervals (at most PLAIN_SPANS_MAX), clipped to [a, b]. */
uint64_t contract_union(const int64_t (*intervals)[2], uint32_t count, int64_t a, int64_t b);
bool contract_in_target(const struct contract *c, const struct fg_view_target *target,
                        uint32_t row);
/** A random target that exists; false when there is none. */
bool contract_target(struct contract *c, struct fg_view_target *out_target);

#endif
