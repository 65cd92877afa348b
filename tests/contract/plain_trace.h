/* SPDX-License-Identifier: MIT */
/* A trace as plain arrays, made at random: what the brute-force oracle looks at. */
#ifndef PLAIN_TRACE_H
#define PLAIN_TRACE_H
#include "plain_graph.h"
#include "trace/build.h"

enum {
    PLAIN_SPANS_MAX = 1001,  /* one inside the other, a thousand deep */
    PLAIN_SPANS_USUAL = 400, /* at most, of other traces */
    PLAIN_SMALL_MAX = 64,
    PLAIN_FRAMES_MAX = 16,
    PLAIN_GRAPHS_MAX = 3,
    PLAIN_FLAGS = 100
};

struct plain_span {
    int64_t start, end;
    uint32_t track, name, category, classes, status, frame, pass, scope, depth;
    bool open_end;
    /* Worked out by brute force: */
    uint32_t parent, overlap;
    uint64_t self;
};
struct plain_sample {
    int64_t time;
    int64_t value;
};
struct plain_trace {
    uint64_t random; /**< state of the generator */
    bool is_deepest; /**< PLAIN_SPANS_MAX spans, each inside the one before */
    struct plain_span spans[PLAIN_SPANS_MAX];
    uint32_t span_count;
    uint32_t track_count, process_count, clock_count, name_count, pass_count, scope_count;
    uint32_t track_process[PLAIN_SMALL_MAX], track_clock[PLAIN_SMALL_MAX];
    bool track_stored[PLAIN_SMALL_MAX];
    enum fg_clock_kind clock_kind[4];
    uint32_t names[PLAIN_SMALL_MAX]; /**< text ids */
    uint32_t scopes[4];
    uint32_t passes[3 + PLAIN_PASSES_MAX]; /**< the last ones are those of graphs, by position */
    struct fg_trace_frame frames[PLAIN_FRAMES_MAX];
    struct fg_frame_pass frame_passes[PLAIN_FRAMES_MAX][PLAIN_PASSES_MAX];
    bool frame_has_passes[PLAIN_FRAMES_MAX];
    uint32_t frame_count;
    struct plain_graph graphs[PLAIN_GRAPHS_MAX];
    uint32_t graph_count;
    struct plain_sample samples[256];
    uint32_t sample_count;
    struct fg_trace_instant instants[32];
    uint32_t instant_count;
    struct fg_trace_dependency dependencies[64];
    uint32_t dependency_count;
    struct fg_trace *trace;
};

uint64_t plain_random(struct plain_trace *plain);
/** A number below `limit` (> 0). */
uint32_t plain_below(struct plain_trace *plain, uint32_t limit);
/** A random trace: the seed decides its shape as well. Nesting is worked out by brute force. */
void plain_make(struct plain_trace *plain, uint64_t seed);
void plain_finish(struct plain_trace *plain);
/** Make blocks evictable under a budget of about two of them. */
void plain_evict(struct plain_trace *plain);

#endif
