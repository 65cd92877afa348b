/* SPDX-License-Identifier: MIT */
#include "generated_trace.h"

#include <stdio.h>
#include <string.h>

enum { FRAME_NS = 16666667, SPANS_A_FRAME = 300, NAMES = 300 };

struct generation {
    struct fgi_builder *builder;
    uint64_t random;
    uint32_t names[NAMES];
    uint32_t left; /* spans still to make */
    uint32_t frame;
};

uint64_t generated_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return fgi_mix64(*state);
}

static int64_t below(struct generation *g, int64_t limit)
{
    return (int64_t)(generated_random(&g->random) % (uint64_t)limit);
}

static void add(struct generation *g, uint32_t track, uint32_t name, int64_t start, int64_t length)
{
    struct fgi_span_in span =
        fgi_span_in_make(track, g->names[name % NAMES], start, start + length);
    if (g->left > 0) {
        g->left--;
        span.frame = g->frame;
        span.classes = track % 2 == 0 ? FG_CLASS_GPU_PASS : FG_CLASS_ZONE;
        (void)fgi_builder_span(g->builder, &span);
    }
}

/* A span and what it holds: a scope of a few groups, each of a few passes, some with parts. */
static void add_tree(struct generation *g, uint32_t track, uint32_t name, int64_t start,
                     int64_t length, uint32_t depth)
{
    add(g, track, name, start, length);
    if (depth == 3) {
        return;
    }
    uint32_t children = depth == 0 ? 4 : depth == 1 ? 5 : 1;
    int64_t room = length / (int64_t)children;
    for (uint32_t i = 0; i < children && room > 4; i++) {
        int64_t from = start + room * i + below(g, room / 4);
        add_tree(g, track, name * 7 + i + 1, from, room / 2 + below(g, room / 4), depth + 1);
    }
}

static void make_frames(struct generation *g)
{
    for (int64_t at = 0; g->left > 0 && fgi_builder_result(g->builder) == FG_OK; at += FRAME_NS) {
        struct fg_trace_frame frame = { .id = g->frame,
                                        .start_ns = at,
                                        .cpu_end_ns = at + 4000000,
                                        .topology = FG_NONE,
                                        .track = FG_NONE };
        g->frame = fgi_builder_frame(g->builder, &frame, NULL, 0);
        uint32_t before = g->left;
        for (uint32_t track = 0; track < 8 && before - g->left < SPANS_A_FRAME; track++) {
            int64_t busy = 6000000 + below(g, 8000000);
            add_tree(g, track, track * 31, at + below(g, 1000000), busy, 0);
        }
        g->frame++;
    }
}

static void make_lanes(struct generation *g)
{
    int64_t at[64] = { 0 };
    while (g->left > 0 && fgi_builder_result(g->builder) == FG_OK) {
        for (uint32_t track = 0; track < 64; track++) {
            int64_t length = 500 + below(g, 1500);
            for (uint32_t depth = 0; depth < 4; depth++) {
                add(g, track, track + depth * 64, at[track] + depth * 10, length - depth * 100);
            }
            at[track] += length + below(g, 400);
        }
    }
}

static void make_bursts(struct generation *g)
{
    int64_t at = 0;
    while (g->left > 0 && fgi_builder_result(g->builder) == FG_OK) {
        for (uint32_t i = 0; i < 20000; i++) {
            add(g, 0, i, at, 3);
            at += 4 + below(g, 3);
        }
        at += INT64_C(1000000000) * (1 + below(g, 100));
    }
}

enum fg_result generated_trace(const struct fg_allocator *allocator, enum generated_shape shape,
                               uint32_t span_count, struct fg_trace **out_trace)
{
    struct generation g = { .random = 1, .left = span_count };
    enum fg_result result = fgi_builder_create(allocator, 0, &g.builder);
    if (result != FG_OK) {
        return result;
    }
    for (uint32_t i = 0; i < NAMES; i++) {
        char name[32];
        snprintf(name, sizeof name, "pass %u", i);
        g.names[i] = fgi_builder_cstr(g.builder, name);
    }
    (void)fgi_builder_process(g.builder, g.names[0], 1);
    (void)fgi_builder_clock(g.builder, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    uint32_t tracks = shape == GENERATED_FRAMES ? 8 : shape == GENERATED_LANES ? 64 : 1;
    for (uint32_t i = 0; i < tracks; i++) {
        struct fg_trace_track track = { .name = g.names[i] };
        (void)fgi_builder_track(g.builder, &track, false);
    }
    if (shape == GENERATED_FRAMES) {
        make_frames(&g);
    } else if (shape == GENERATED_LANES) {
        g.frame = FG_NONE;
        make_lanes(&g);
    } else {
        g.frame = FG_NONE;
        make_bursts(&g);
    }
    result = fgi_builder_finish(g.builder, out_trace);
    fgi_builder_destroy(g.builder);
    return result;
}
