/* SPDX-License-Identifier: MIT */
/*
 * Parents, depths and lanes. Spans of a track are taken by start, the longer first, then in stored
 * order. The parent of a span is the latest one before it that holds it; its depth is one more.
 * Spans of one depth share a lane as long as they do not overlap; where they do, the lowest extra
 * lane that is free takes the later one. Nothing is dropped.
 *
 * Tracks know nothing of each other: each is nested by one of a few threads. While that goes on the
 * lane of a span is a number of its track alone, in the order in which the lanes came to be needed;
 * when all tracks are done they are numbered by track, depth and overlap.
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "trace/nest_priv.h"
#include <stdatomic.h>

enum { WORKERS_MAX = 4, ROWS_FOR_THREADS = 1 << 16 };

struct nesting {
    struct fgi_builder *builder;
    struct fg_trace *trace;
    struct fgi_shared_allocator shared;
    uint32_t *order; /* rows by track; inside a track sorted */
    struct fgi_nest_track *tracks;
    uint32_t *next;    /* by lane: where its next row goes */
    atomic_uint taken; /* tracks that somebody works on, or did */
    enum fg_result results[WORKERS_MAX];
    bool is_placing; /* second round: lanes are numbered */
};

/* Each span learns its lane, each lane its rows: the order of a track is that of its lanes. */
static enum fg_result place_track(struct nesting *n, struct fgi_nester *w, uint32_t track)
{
    const struct fgi_nest_track *nested = &n->tracks[track];
    const uint32_t *rows = n->order + nested->first;
    uint32_t first_lane = n->trace->tracks.items[track].first_lane;
    for (size_t i = 0; i < nested->count; i++) {
        if (!fgi_cursor_at(&w->cursor, rows[i])) {
            return w->cursor.result;
        }
        uint32_t *lane = &w->cursor.block->lane[rows[i] - w->cursor.first_row];
        *lane = first_lane + nested->slots.items[*lane];
        n->trace->lane_rows[n->next[*lane]++] = rows[i];
    }
    return FG_OK;
}

/* ---- all tracks ------------------------------------------------------------------------------ */

static void run_worker(void *context, unsigned number)
{
    struct nesting *n = context;
    struct fgi_nester w = { .allocator = &n->shared.allocator,
                            .builder = n->builder,
                            .cursor = fgi_trace_cursor(n->trace),
                            .other = fgi_trace_cursor(n->trace) };
    enum fg_result result = n->results[number];
    while (result == FG_OK) {
        /* relaxed: starting and joining the threads orders everything else */
        unsigned track = atomic_fetch_add_explicit(&n->taken, 1, memory_order_relaxed);
        if (track >= n->trace->tracks.count) {
            break;
        }
        struct fgi_nest_track *nested = &n->tracks[track];
        result = n->is_placing ? place_track(n, &w, track)
                               : fgi_nest_track(&w, track, n->order + nested->first, nested);
    }
    fgi_nester_finish(&w);
    n->results[number] = result;
}

/* One round over all tracks. Blocks that may be given up are for one thread alone. */
static enum fg_result run_workers(struct nesting *n, bool is_placing)
{
    unsigned workers = fgi_processor_count();
    workers = workers < WORKERS_MAX ? workers : WORKERS_MAX;
    if (fgi_trace_rows(n->trace) < ROWS_FOR_THREADS || n->trace->store->loader.load) {
        workers = 1;
    }
    n->is_placing = is_placing;
    atomic_store_explicit(&n->taken, 0, memory_order_relaxed);
    fgi_parallel(n->trace->allocator, workers, run_worker, n);
    enum fg_result result = FG_OK;
    for (unsigned i = 0; i < workers; i++) {
        result = result == FG_OK ? n->results[i] : result;
    }
    return result;
}

static enum fg_result nest_tracks(struct nesting *n)
{
    return run_workers(n, false);
}

static enum fg_result place_tracks(struct nesting *n)
{
    return run_workers(n, true);
}

/* Rows by track, in stored order: a counting sort. */
static enum fg_result gather_tracks(struct nesting *n)
{
    struct fgi_cursor cursor = fgi_trace_cursor(n->trace);
    uint32_t rows = fgi_trace_rows(n->trace);
    size_t first = 0;
    for (size_t t = 0; t < n->trace->tracks.count; t++) {
        n->tracks[t].first = first;
        first += n->trace->tracks.items[t].span_count;
    }
    for (uint32_t row = 0; row < rows;) {
        if (!fgi_cursor_at(&cursor, row)) {
            break;
        }
        const uint32_t *track = cursor.block->lane;
        for (uint32_t i = 0; i < cursor.count; i++, row++) {
            struct fgi_nest_track *nested = &n->tracks[track[i]];
            n->order[nested->first + nested->count++] = row;
        }
    }
    fgi_cursor_finish(&cursor);
    return cursor.result;
}

/* Lanes by track, and where the rows of each begin. */
static enum fg_result number_lanes(struct nesting *n)
{
    struct fg_trace *trace = n->trace;
    size_t count = 0;
    for (size_t t = 0; t < trace->tracks.count; t++) {
        count += n->tracks[t].slots.count;
    }
    enum fg_result result =
        FGI_GROW(trace->allocator, trace->lanes.items, trace->lanes.capacity, count, FG_NONE - 1);
    if (result != FG_OK) {
        return result;
    }
    for (size_t t = 0; t < trace->tracks.count; t++) {
        const struct fgi_nest_track *nested = &n->tracks[t];
        trace->tracks.items[t].first_lane = (uint32_t)trace->lanes.count;
        trace->tracks.items[t].lane_count = (uint32_t)nested->slots.count;
        for (size_t i = 0; i < nested->slots.count; i++) {
            trace->lanes.items[trace->lanes.count++] = nested->lanes[i];
        }
    }
    trace->lane_first = fgi_calloc(trace->allocator, count + 2, sizeof(uint32_t));
    trace->lane_rows =
        fgi_malloc(trace->allocator, ((size_t)fgi_trace_rows(trace) + 1) * sizeof(uint32_t));
    if (!trace->lane_first || !trace->lane_rows) {
        return FG_ERR_NO_MEMORY;
    }
    n->next = trace->lane_first + 1; /* when all are placed: the end of each is the next one's */
    for (size_t l = 0, at = 0; l < count; l++) {
        n->next[l] = (uint32_t)at;
        at += trace->lanes.items[l].span_count;
    }
    return FG_OK;
}

enum fg_result fgi_nest(struct fgi_builder *builder)
{
    struct fg_trace *trace = builder->trace;
    const struct fg_allocator *allocator = trace->allocator;
    size_t rows = fgi_trace_rows(trace);
    size_t track_count = trace->tracks.count;
    struct nesting n = { .builder = builder, .trace = trace };
    if (builder->clamped_depths > 0) {
        fgi_builder_repair(builder, "clamped_depth", builder->clamped_depths, UINT64_MAX);
    }
    n.tracks = fgi_calloc(allocator, track_count + 1, sizeof *n.tracks);
    n.order = fgi_malloc(allocator, (rows + 1) * sizeof *n.order);
    enum fg_result result = fgi_shared_allocator_init(&n.shared, allocator);
    if (!n.tracks || !n.order) {
        result = FG_ERR_NO_MEMORY;
    }
    enum fg_result (*const steps[])(struct nesting *) = { gather_tracks, nest_tracks, number_lanes,
                                                          place_tracks };
    for (size_t i = 0; i < sizeof steps / sizeof *steps && result == FG_OK; i++) {
        result = steps[i](&n);
    }
    for (size_t t = 0; n.tracks && t < track_count; t++) {
        fgi_free(allocator, n.tracks[t].lanes, n.tracks[t].slots.count * sizeof *n.tracks[t].lanes);
        FGI_FREE_NESTED(allocator, n.tracks[t].slots);
    }
    fgi_shared_allocator_finish(&n.shared);
    fgi_free(allocator, n.tracks, (track_count + 1) * sizeof *n.tracks);
    fgi_free(allocator, n.order, (rows + 1) * sizeof *n.order);
    return result;
}
