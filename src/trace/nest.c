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
#include "trace/build.h"
#include <stdatomic.h>
#include <string.h>

/* Deeper nesting than this is refused. */
enum { DEPTH_MAX = 1 << 24, WORKERS_MAX = 4, ROWS_FOR_THREADS = 1 << 16 };

/* A small binary heap of (key, value), least key first, then least value. */
struct heap_item {
    int64_t key;
    uint32_t value;
};
struct heap {
    FGI_TABLE(struct heap_item) table;
};

static bool item_before(const struct heap_item *a, const struct heap_item *b)
{
    return a->key != b->key ? a->key < b->key : a->value < b->value;
}

static enum fg_result heap_push(const struct fg_allocator *allocator, struct heap *heap,
                                struct heap_item item)
{
    enum fg_result result = FGI_GROW(allocator, heap->table.items, heap->table.capacity,
                                     heap->table.count + 1, UINT32_MAX);
    if (result != FG_OK) {
        return result;
    }
    size_t i = heap->table.count++;
    while (i > 0 && item_before(&item, &heap->table.items[(i - 1) / 2])) {
        heap->table.items[i] = heap->table.items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap->table.items[i] = item;
    return FG_OK;
}

static struct heap_item heap_pop(struct heap *heap)
{
    struct heap_item *items = heap->table.items;
    struct heap_item top = items[0];
    struct heap_item last = items[--heap->table.count];
    size_t count = heap->table.count;
    size_t i = 0;
    for (size_t child = 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && item_before(&items[child + 1], &items[child])) {
            child++;
        }
        if (!item_before(&items[child], &last)) {
            break;
        }
        items[i] = items[child];
        i = child;
    }
    if (count > 0) {
        items[i] = last;
    }
    return top;
}

/* A lane of the track at hand, as it came to be needed. */
struct slot {
    uint32_t depth, overlap;
    uint32_t count; /* spans */
};

/* One depth of the track at hand. */
struct level {
    struct heap busy;          /* by end; value = overlap number */
    struct heap free;          /* by overlap number (in key) */
    FGI_TABLE(uint32_t) slots; /* by overlap number */
    uint32_t last_row;         /* latest span of this depth, for tracks that store depths */
    int64_t last_end;
};

struct open_span {
    int64_t end;
    uint32_t row;
    uint32_t depth;
};

/* What is left of a track when it is nested. */
struct nested_track {
    size_t first, count;         /* its rows in `order` */
    FGI_TABLE(uint32_t) slots;   /* by slot: the number of its lane among those of the track */
    struct fg_trace_lane *lanes; /* as many, in order */
};

struct nesting {
    struct fgi_builder *builder;
    struct fg_trace *trace;
    struct fgi_shared_allocator shared;
    uint32_t *order; /* rows by track; inside a track sorted */
    struct nested_track *tracks;
    uint32_t *next;    /* by lane: where its next row goes */
    atomic_uint taken; /* tracks that somebody works on, or did */
    enum fg_result results[WORKERS_MAX];
    bool is_placing; /* second round: lanes are numbered */
};

/* A thread that nests tracks, one after the other. */
struct worker {
    struct nesting *n;
    const struct fg_allocator *allocator;
    struct fgi_cursor cursor, other;
    FGI_TABLE(struct slot) slots;
    FGI_TABLE(struct level) levels;
    size_t used;                       /* levels that the track at hand has */
    FGI_TABLE(struct open_span) stack; /* ends fall from bottom to top */
};

#define FREE_TABLE(allocator, table)                                                               \
    fgi_free((allocator), (table).items, (table).capacity * sizeof *(table).items)

static void worker_finish(struct worker *w)
{
    fgi_cursor_finish(&w->cursor);
    fgi_cursor_finish(&w->other);
    for (size_t i = 0; i < w->levels.count; i++) {
        FREE_TABLE(w->allocator, w->levels.items[i].busy.table);
        FREE_TABLE(w->allocator, w->levels.items[i].free.table);
        FREE_TABLE(w->allocator, w->levels.items[i].slots);
    }
    FREE_TABLE(w->allocator, w->levels);
    FREE_TABLE(w->allocator, w->slots);
    FREE_TABLE(w->allocator, w->stack);
}

static void forget_track(struct worker *w)
{
    for (size_t i = 0; i < w->used; i++) {
        struct level *level = &w->levels.items[i];
        level->busy.table.count = level->free.table.count = 0;
        level->slots.count = 0;
        level->last_row = FG_NONE;
    }
    w->used = 0;
    w->stack.count = 0;
    w->slots.count = 0;
}

/* ---- one span -------------------------------------------------------------------------------- */

static enum fg_result need_level(struct worker *w, uint32_t depth)
{
    if (depth < w->used) {
        return FG_OK;
    }
    enum fg_result result =
        FGI_GROW(w->allocator, w->levels.items, w->levels.capacity, (size_t)depth + 1, DEPTH_MAX);
    while (result == FG_OK && w->levels.count <= depth) {
        w->levels.items[w->levels.count++] = (struct level){ .last_row = FG_NONE };
    }
    w->used = result == FG_OK ? (size_t)depth + 1 : w->used;
    return result;
}

static enum fg_result add_slot(struct worker *w, struct level *level, uint32_t depth)
{
    enum fg_result result =
        FGI_GROW(w->allocator, w->slots.items, w->slots.capacity, w->slots.count + 1, FG_NONE - 1);
    if (result == FG_OK) {
        result = FGI_GROW(w->allocator, level->slots.items, level->slots.capacity,
                          level->slots.count + 1, FG_NONE - 1);
    }
    if (result == FG_OK) {
        w->slots.items[w->slots.count] =
            (struct slot){ .depth = depth, .overlap = (uint32_t)level->slots.count };
        level->slots.items[level->slots.count++] = (uint32_t)w->slots.count++;
    }
    return result;
}

/* The lowest lane of its depth that is free at `start`. */
static enum fg_result take_lane(struct worker *w, uint32_t depth, int64_t start, int64_t end,
                                uint32_t *out_slot)
{
    struct level *level = &w->levels.items[depth];
    if (level->slots.count == 1 && level->busy.table.items[0].key <= start) {
        level->busy.table.items[0].key = end; /* as almost always */
        *out_slot = level->slots.items[0];
        return FG_OK;
    }
    while (level->busy.table.count > 0 && level->busy.table.items[0].key <= start) {
        struct heap_item item = heap_pop(&level->busy);
        enum fg_result result =
            heap_push(w->allocator, &level->free, (struct heap_item){ .key = item.value });
        if (result != FG_OK) {
            return result;
        }
    }
    uint32_t overlap = (uint32_t)level->slots.count;
    if (level->free.table.count > 0) {
        overlap = (uint32_t)heap_pop(&level->free).key;
    } else {
        enum fg_result result = add_slot(w, level, depth);
        if (result != FG_OK) {
            return result;
        }
    }
    *out_slot = level->slots.items[overlap];
    return heap_push(w->allocator, &level->busy,
                     (struct heap_item){ .key = end, .value = overlap });
}

/* Parent and depth by time: the latest span before this one that holds it. */
static enum fg_result place_by_time(struct worker *w, uint32_t row, int64_t start, int64_t end,
                                    uint32_t *out_parent, uint32_t *out_depth)
{
    struct open_span *stack = w->stack.items;
    size_t count = w->stack.count;
    /* One that ends where a span of no length lies does not hold it. */
    while (count > 0 && (stack[count - 1].end < end || stack[count - 1].end <= start)) {
        count--;
    }
    *out_parent = count > 0 ? stack[count - 1].row : FG_NONE;
    *out_depth = count > 0 ? stack[count - 1].depth + 1 : 0;
    enum fg_result result =
        FGI_GROW(w->allocator, w->stack.items, w->stack.capacity, count + 1, UINT32_MAX);
    if (result == FG_OK) {
        w->stack.items[count] = (struct open_span){ .end = end, .row = row, .depth = *out_depth };
        w->stack.count = count + 1;
        result = need_level(w, *out_depth);
    }
    return result;
}

/* Parent as the source gives it, or the latest span one depth above that is still open. */
static enum fg_result place_as_stored(struct worker *w, uint32_t row, int64_t start, int64_t end,
                                      uint32_t *parent, uint32_t *out_depth)
{
    uint32_t depth = fgi_builder_depth(w->n->builder, row);
    enum fg_result result = need_level(w, depth);
    if (result != FG_OK) {
        return result;
    }
    if (*parent == FGI_FIND) {
        const struct level *above = depth > 0 ? &w->levels.items[depth - 1] : NULL;
        bool open = above && above->last_row != FG_NONE &&
                    (above->last_end > start || above->last_end >= end);
        *parent = open ? above->last_row : FG_NONE;
    }
    w->levels.items[depth].last_row = row;
    w->levels.items[depth].last_end = end;
    *out_depth = depth;
    return FG_OK;
}

/* ---- one track ------------------------------------------------------------------------------- */

static bool row_before(void *context, uint32_t a, uint32_t b)
{
    struct worker *w = context;
    if (!fgi_cursor_at(&w->cursor, a) || !fgi_cursor_at(&w->other, b)) {
        return a < b;
    }
    int64_t start_a = fgi_cursor_start(&w->cursor, a);
    int64_t start_b = fgi_cursor_start(&w->other, b);
    if (start_a != start_b) {
        return start_a < start_b;
    }
    int64_t end_a = fgi_cursor_end(&w->cursor, a);
    int64_t end_b = fgi_cursor_end(&w->other, b);
    return end_a != end_b ? end_a > end_b : a < b;
}

/* Stored order is mostly the order: a look that costs little, where sorting costs much. */
static bool is_sorted(struct worker *w, const uint32_t *rows, size_t count)
{
    int64_t last_start = INT64_MIN, last_end = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!fgi_cursor_at(&w->cursor, rows[i])) {
            return false; /* sorting meets the same, and says so */
        }
        int64_t start = fgi_cursor_start(&w->cursor, rows[i]);
        int64_t end = fgi_cursor_end(&w->cursor, rows[i]);
        if (start < last_start || (start == last_start && end > last_end)) {
            return false;
        }
        last_start = start;
        last_end = end;
    }
    return true;
}

static enum fg_result sort_rows(struct worker *w, uint32_t *rows, size_t count)
{
    if (is_sorted(w, rows, count)) {
        return FG_OK;
    }
    enum fg_result result = fgi_sort_u32(w->allocator, rows, count, row_before, w);
    if (result == FG_OK) {
        result = w->cursor.result != FG_OK ? w->cursor.result : w->other.result;
    }
    return result;
}

static enum fg_result nest_rows(struct worker *w, bool stored, const uint32_t *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!fgi_cursor_at(&w->cursor, rows[i])) {
            return w->cursor.result;
        }
        const struct fgi_block *block = w->cursor.block;
        uint32_t at = rows[i] - w->cursor.first_row;
        int64_t start = block->start_ns[at];
        int64_t end = block->end_ns[at];
        uint32_t depth = 0, slot = 0;
        enum fg_result result =
            stored ? place_as_stored(w, rows[i], start, end, &block->parent[at], &depth)
                   : place_by_time(w, rows[i], start, end, &block->parent[at], &depth);
        if (result == FG_OK) {
            result = take_lane(w, depth, start, end, &slot);
        }
        if (result != FG_OK) {
            return result;
        }
        w->slots.items[slot].count++;
        block->lane[at] = slot;
    }
    return FG_OK;
}

/* The lanes of the track in order of depth, then overlap. */
static enum fg_result keep_lanes(struct worker *w, uint32_t track)
{
    struct nested_track *nested = &w->n->tracks[track];
    size_t count = w->slots.count;
    if (count == 0) {
        return FG_OK;
    }
    nested->lanes = fgi_calloc(w->allocator, count, sizeof *nested->lanes);
    if (!nested->lanes) {
        return FG_ERR_NO_MEMORY;
    }
    nested->slots.count = count;
    enum fg_result result =
        FGI_GROW(w->allocator, nested->slots.items, nested->slots.capacity, count, FG_NONE);
    if (result != FG_OK) {
        return result;
    }
    uint32_t number = 0;
    for (uint32_t d = 0; d < w->used; d++) {
        const struct level *level = &w->levels.items[d];
        for (uint32_t k = 0; k < level->slots.count; k++) {
            uint32_t slot = level->slots.items[k];
            nested->slots.items[slot] = number;
            nested->lanes[number++] = (struct fg_trace_lane){
                .track = track, .depth = d, .overlap = k, .span_count = w->slots.items[slot].count
            };
        }
    }
    return FG_OK;
}

static enum fg_result nest_track(struct worker *w, uint32_t track)
{
    const struct nested_track *nested = &w->n->tracks[track];
    uint32_t *rows = w->n->order + nested->first;
    bool stored = w->n->builder->track_stored_depth.items[track] != 0;
    forget_track(w);
    enum fg_result result = sort_rows(w, rows, nested->count);
    if (result == FG_OK) {
        result = nest_rows(w, stored, rows, nested->count);
    }
    return result == FG_OK ? keep_lanes(w, track) : result;
}

/* Each span learns its lane, each lane its rows: the order of a track is that of its lanes. */
static enum fg_result place_track(struct worker *w, uint32_t track)
{
    const struct nested_track *nested = &w->n->tracks[track];
    const uint32_t *rows = w->n->order + nested->first;
    uint32_t first_lane = w->n->trace->tracks.items[track].first_lane;
    for (size_t i = 0; i < nested->count; i++) {
        if (!fgi_cursor_at(&w->cursor, rows[i])) {
            return w->cursor.result;
        }
        uint32_t *lane = &w->cursor.block->lane[rows[i] - w->cursor.first_row];
        *lane = first_lane + nested->slots.items[*lane];
        w->n->trace->lane_rows[w->n->next[*lane]++] = rows[i];
    }
    return FG_OK;
}

/* ---- all tracks ------------------------------------------------------------------------------ */

static void run_worker(void *context, unsigned number)
{
    struct nesting *n = context;
    struct worker w = { .n = n,
                        .allocator = &n->shared.allocator,
                        .cursor = fgi_trace_cursor(n->trace),
                        .other = fgi_trace_cursor(n->trace) };
    enum fg_result result = n->results[number];
    while (result == FG_OK) {
        /* relaxed: starting and joining the threads orders everything else */
        unsigned track = atomic_fetch_add_explicit(&n->taken, 1, memory_order_relaxed);
        if (track >= n->trace->tracks.count) {
            break;
        }
        result = n->is_placing ? place_track(&w, track) : nest_track(&w, track);
    }
    worker_finish(&w);
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
            struct nested_track *nested = &n->tracks[track[i]];
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
        const struct nested_track *nested = &n->tracks[t];
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
        FREE_TABLE(allocator, n.tracks[t].slots);
    }
    fgi_shared_allocator_finish(&n.shared);
    fgi_free(allocator, n.tracks, (track_count + 1) * sizeof *n.tracks);
    fgi_free(allocator, n.order, (rows + 1) * sizeof *n.order);
    return result;
}
