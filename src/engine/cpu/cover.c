/* SPDX-License-Identifier: MIT */
/*
 * What direct children cover of their parents, worked out once.
 *
 * Spans of a lane do not overlap: where all children of a span are in one lane, as almost always,
 * what they cover is the sum of their parts inside of it, in whatever order they come. So rows are
 * read as they are stored, on two threads. Children of several lanes are read again by time.
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "engine/cpu/engine_cpu_priv.h"
#include <stdatomic.h>

/* Stands for a lane: there are children in several. */
#define SEVERAL_LANES (FG_NONE - 1)
enum { WORKERS = 2 };
/* Fewer are read sooner than a thread is made. */
#define ROWS_TO_SHARE (2 * FGI_BLOCK_SPANS)

struct covering {
    struct fgi_engine_cpu *cpu;
    uint32_t rows;
    unsigned workers;
    /* By row and by rank; several threads write: */
    _Atomic uint64_t *parent_bits;
    _Atomic uint64_t *covered_ns;
    _Atomic uint32_t *lanes; /* of the children of each parent; FG_NONE: none has been seen */
    atomic_bool has_several; /* some have children in several lanes */
    enum fg_result results[WORKERS];
};

static size_t word_count(const struct fgi_engine_cpu *cpu)
{
    return fgi_trace_rows(cpu->engine.trace) / 64 + 1;
}

static uint32_t count_bits(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

static size_t rank_of(const struct fgi_child_cover *cover, uint32_t row)
{
    uint64_t below = cover->parent_bits[row / 64] & ((UINT64_C(1) << (row % 64)) - 1);
    return cover->parent_ranks[row / 64] + count_bits(below);
}

uint64_t fgi_cover_of(const struct fgi_engine_cpu *cpu, uint32_t row)
{
    const struct fgi_child_cover *cover = &cpu->cover;
    return fgi_has_bit(cover->parent_bits, row) ? cover->covered_ns[rank_of(cover, row)] : 0;
}

void fgi_cover_finish(struct fgi_engine_cpu *cpu)
{
    struct fgi_child_cover *cover = &cpu->cover;
    fgi_free(cpu->allocator, cover->parent_bits, word_count(cpu) * sizeof(uint64_t));
    fgi_free(cpu->allocator, cover->parent_ranks, word_count(cpu) * sizeof(uint32_t));
    fgi_free(cpu->allocator, cover->covered_ns, (cover->parent_count + 1) * sizeof(uint64_t));
    *cover = (struct fgi_child_cover){ 0 };
}

/* ---- in stored order ------------------------------------------------------------------------- */

/* relaxed throughout: starting and joining the threads orders what they leave. */

static uint32_t share_begin(const struct covering *c, unsigned worker)
{
    return (uint32_t)((uint64_t)c->rows * worker / c->workers);
}

static void find_parents(void *context, unsigned worker)
{
    struct covering *c = context;
    struct fgi_cursor cursor = fgi_trace_cursor(c->cpu->engine.trace);
    uint32_t end = share_begin(c, worker + 1);
    for (uint32_t row = share_begin(c, worker); row < end && fgi_cursor_at(&cursor, row); row++) {
        uint32_t parent = cursor.block->parent[row - cursor.first_row];
        if (parent < c->rows) {
            _Atomic uint64_t *word = &c->parent_bits[parent / 64];
            uint64_t bit = UINT64_C(1) << (parent % 64);
            if (!(atomic_load_explicit(word, memory_order_relaxed) & bit)) {
                atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
            }
        }
    }
    fgi_cursor_finish(&cursor);
    c->results[worker] = cursor.result;
}

/* Whether all children of a parent that were seen so far are in this lane. */
static bool is_only_lane(struct covering *c, size_t rank, uint32_t lane)
{
    uint32_t seen = atomic_load_explicit(&c->lanes[rank], memory_order_relaxed);
    if (seen == FG_NONE &&
        atomic_compare_exchange_strong_explicit(&c->lanes[rank], &seen, lane, memory_order_relaxed,
                                                memory_order_relaxed)) {
        return true;
    }
    if (seen == lane) {
        return true;
    }
    if (seen != SEVERAL_LANES) {
        atomic_store_explicit(&c->lanes[rank], SEVERAL_LANES, memory_order_relaxed);
        atomic_store_explicit(&c->has_several, true, memory_order_relaxed);
    }
    return false;
}

static void add_children(void *context, unsigned worker)
{
    struct covering *c = context;
    struct fgi_cursor child = fgi_trace_cursor(c->cpu->engine.trace);
    struct fgi_cursor parents = fgi_trace_cursor(c->cpu->engine.trace);
    uint32_t end = share_begin(c, worker + 1);
    for (uint32_t row = share_begin(c, worker); row < end && fgi_cursor_at(&child, row); row++) {
        uint32_t i = row - child.first_row;
        uint32_t parent = child.block->parent[i];
        if (parent >= c->rows) {
            continue;
        }
        if (!fgi_cursor_at(&parents, parent)) {
            break;
        }
        size_t rank = rank_of(&c->cpu->cover, parent);
        int64_t from = fgi_cursor_start(&parents, parent);
        int64_t to = fgi_cursor_end(&parents, parent);
        from = child.block->start_ns[i] > from ? child.block->start_ns[i] : from;
        to = child.block->end_ns[i] < to ? child.block->end_ns[i] : to;
        if (is_only_lane(c, rank, child.block->lane[i]) && to > from) {
            atomic_fetch_add_explicit(&c->covered_ns[rank], fgi_duration(from, to),
                                      memory_order_relaxed);
        }
    }
    fgi_cursor_finish(&child);
    fgi_cursor_finish(&parents);
    c->results[worker] = child.result != FG_OK ? child.result : parents.result;
}

static enum fg_result run(struct covering *c, void (*work)(void *context, unsigned worker))
{
    fgi_parallel(c->cpu->allocator, c->workers, work, c);
    return c->results[0] != FG_OK ? c->results[0] : c->results[c->workers - 1];
}

/* ---- by time --------------------------------------------------------------------------------- */

static bool has_several(const struct covering *c, uint32_t parent)
{
    return parent < c->rows && atomic_load_explicit(&c->lanes[rank_of(&c->cpu->cover, parent)],
                                                    memory_order_relaxed) == SEVERAL_LANES;
}

/* Tracks that have such children. */
static enum fg_result mark_tracks(const struct covering *c, uint64_t *tracks)
{
    const struct fg_trace *trace = c->cpu->engine.trace;
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    for (uint32_t row = 0; row < c->rows && fgi_cursor_at(&cursor, row); row++) {
        uint32_t i = row - cursor.first_row;
        if (has_several(c, cursor.block->parent[i])) {
            fgi_set_bit(tracks, trace->lanes.items[cursor.block->lane[i]].track);
        }
    }
    fgi_cursor_finish(&cursor);
    return cursor.result;
}

/* Children of a track come by start: of each the part counts that no earlier one has covered. */
static enum fg_result cover_track(struct covering *c, uint32_t track, int64_t *until)
{
    struct fgi_engine_cpu *cpu = c->cpu;
    const struct fg_trace *trace = cpu->engine.trace;
    struct fgi_lanes lanes = fgi_target_lanes(cpu, FG_VIEW_TRACK, track);
    struct fgi_cursor child = fgi_trace_cursor(trace);
    struct fgi_cursor parents = fgi_trace_cursor(trace);
    struct fgi_row_stream stream;
    struct fgi_stream_head head;
    const struct fgi_row_source source = { cpu->allocator, trace, &cpu->all.set };
    enum fg_result result = fgi_row_stream_open(&stream, &source, &lanes, FG_TIME_MIN, NULL);
    while (result == FG_OK && fgi_row_stream_next(&stream, &head)) {
        if (!fgi_cursor_at(&child, head.row)) {
            result = child.result;
            break;
        }
        uint32_t parent = child.block->parent[head.row - child.first_row];
        if (!has_several(c, parent)) {
            continue;
        }
        if (!fgi_cursor_at(&parents, parent)) {
            result = parents.result;
            break;
        }
        size_t rank = rank_of(&cpu->cover, parent);
        int64_t from = fgi_cursor_start(&parents, parent);
        int64_t to = fgi_cursor_end(&parents, parent);
        from = head.start > from ? head.start : from;
        from = until[rank] > from ? until[rank] : from;
        to = head.end < to ? head.end : to;
        if (to > from) {
            atomic_fetch_add_explicit(&c->covered_ns[rank], fgi_duration(from, to),
                                      memory_order_relaxed);
            until[rank] = to;
        }
    }
    fgi_cursor_finish(&child);
    fgi_cursor_finish(&parents);
    enum fg_result closed = fgi_row_stream_close(&stream);
    return result != FG_OK ? result : closed;
}

static enum fg_result cover_by_time(struct covering *c)
{
    const struct fg_allocator *allocator = c->cpu->allocator;
    size_t count = c->cpu->cover.parent_count + 1;
    size_t tracks = c->cpu->engine.trace->tracks.count;
    uint64_t *marked = fgi_calloc(allocator, tracks / 64 + 1, sizeof *marked);
    int64_t *until = fgi_malloc(allocator, count * sizeof *until);
    enum fg_result result = marked && until ? mark_tracks(c, marked) : FG_ERR_NO_MEMORY;
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        until[i] = INT64_MIN;
        if (atomic_load_explicit(&c->lanes[i], memory_order_relaxed) == SEVERAL_LANES) {
            atomic_store_explicit(&c->covered_ns[i], 0, memory_order_relaxed);
        }
    }
    for (uint32_t t = 0; t < tracks && result == FG_OK; t++) {
        result = fgi_has_bit(marked, t) ? cover_track(c, t, until) : FG_OK;
    }
    fgi_free(allocator, marked, (tracks / 64 + 1) * sizeof *marked);
    fgi_free(allocator, until, count * sizeof *until);
    return result;
}

/* ---- all ------------------------------------------------------------------------------------- */

static enum fg_result rank_parents(struct covering *c)
{
    struct fgi_child_cover *cover = &c->cpu->cover;
    cover->parent_bits = fgi_calloc(c->cpu->allocator, word_count(c->cpu), sizeof(uint64_t));
    cover->parent_ranks = fgi_malloc(c->cpu->allocator, word_count(c->cpu) * sizeof(uint32_t));
    if (!cover->parent_bits || !cover->parent_ranks) {
        return FG_ERR_NO_MEMORY;
    }
    c->parent_bits = (_Atomic uint64_t *)cover->parent_bits;
    enum fg_result result = run(c, find_parents);
    for (size_t i = 0; i < word_count(c->cpu); i++) {
        cover->parent_ranks[i] = (uint32_t)cover->parent_count;
        cover->parent_count += count_bits(cover->parent_bits[i]);
    }
    return result;
}

static enum fg_result cover_parents(struct covering *c)
{
    struct fgi_child_cover *cover = &c->cpu->cover;
    size_t count = cover->parent_count + 1;
    cover->covered_ns = fgi_calloc(c->cpu->allocator, count, sizeof(uint64_t));
    c->lanes = fgi_malloc(c->cpu->allocator, count * sizeof *c->lanes);
    enum fg_result result = cover->covered_ns && c->lanes ? FG_OK : FG_ERR_NO_MEMORY;
    for (size_t i = 0; result == FG_OK && i < count; i++) {
        atomic_init(&c->lanes[i], FG_NONE);
    }
    c->covered_ns = (_Atomic uint64_t *)cover->covered_ns;
    if (result == FG_OK) {
        result = run(c, add_children);
    }
    if (result == FG_OK && atomic_load_explicit(&c->has_several, memory_order_relaxed)) {
        result = cover_by_time(c);
    }
    fgi_free(c->cpu->allocator, (void *)c->lanes, count * sizeof *c->lanes);
    return result;
}

enum fg_result fgi_cover_make(struct fgi_engine_cpu *cpu)
{
    const struct fg_trace *trace = cpu->engine.trace;
    struct covering c = { .cpu = cpu, .rows = fgi_trace_rows(trace), .workers = 1 };
    if (cpu->cover.is_ready) {
        return FG_OK;
    }
    /* Blocks that are made again are for one thread. */
    if (c.rows >= ROWS_TO_SHARE && !trace->store->loader.load) {
        c.workers = WORKERS;
    }
    enum fg_result result = rank_parents(&c);
    if (result == FG_OK) {
        result = cover_parents(&c);
    }
    if (result != FG_OK) {
        fgi_cover_finish(cpu);
        return result;
    }
    cpu->cover.is_ready = true;
    return FG_OK;
}
