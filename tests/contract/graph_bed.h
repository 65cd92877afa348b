/* SPDX-License-Identifier: MIT */
/*
 * Small random traces for questions about dependencies: parents and links of every kind, circles
 * and orphans among them, with what the finished trace says as plain arrays.
 */
#ifndef GRAPH_BED_H
#define GRAPH_BED_H
#include "base/hash.h"
#include "engine_contract.h"
#include "trace/links_rules.h"

enum { BED_ROWS_MAX = 1200, BED_LINKS_MAX = 4000, BED_PASSES = 5, BED_FRAMES = 2 };

/* A frame graph: which pass makes something that another one reads. */
struct bed_graph {
    uint32_t identities[BED_PASSES]; /* of a pass; some positions have that of another one */
    bool is_handed[BED_PASSES][BED_PASSES];
    uint32_t count;
};

struct bed {
    uint64_t random;
    struct fg_trace *trace;
    const struct contract_engine *kind;
    struct fg_engine *engine;
    struct fg_query *query;
    uint32_t rows;
    uint32_t recorded, links; /* dependencies; behind the recorded ones stand those of the graphs */
    struct fg_trace_span spans[BED_ROWS_MAX];
    struct fg_trace_dependency dependencies[BED_LINKS_MAX];
    struct bed_graph graphs[BED_FRAMES]; /* by frame */
    /** A filter, which rows pass it, and its id; 0: all pass. */
    uint32_t filter;
    bool passes[BED_ROWS_MAX];
};

uint64_t bed_random(struct bed *bed);
/** Below `limit` (> 0). */
uint32_t bed_below(struct bed *bed, uint32_t limit);
void bed_open(struct bed *bed, const struct contract_engine *engine, uint64_t seed);
void bed_close(struct bed *bed);
/** A random filter by mask, or none. */
void bed_take_filter(struct bed *bed);
void bed_drop_filter(struct bed *bed);
/** A random range that things lie in, or 0, 0. */
void bed_range(struct bed *bed, int64_t *out_start, int64_t *out_end);
uint64_t bed_duration(const struct bed *bed, uint32_t row);
bool bed_meets(int64_t start, int64_t end, int64_t a, int64_t b);
bool bed_family(uint32_t families, uint32_t family);

/** A frame with a random graph, or without one. */
void bed_add_frame(struct bed *bed, struct fgi_builder *builder, uint32_t frame);
/** Dependencies of the graphs, behind the recorded ones, by brute force. */
void bed_derive(struct bed *bed);
/** Every number is told, by the query; and what a span is told of its frame's graph is there. */
void bed_check_numbers(struct bed *bed);
/** Work in steps ends as the same work at once, also when it is broken off and asked for anew. */
void bed_check_steps(struct bed *bed);

void bed_check_focus(struct bed *bed);
void bed_check_slice(struct bed *bed);
void bed_check_project(struct bed *bed);
void bed_check_layout(struct bed *bed);
void bed_check_path(struct bed *bed);
void bed_check_links(struct bed *bed);
/** What stays in view while the view is moved or zoomed in stays shown. */
void bed_check_links_stay(struct bed *bed);

#endif
