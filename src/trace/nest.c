/* SPDX-License-Identifier: MIT */
/*
 * Parents, depths and lanes. Spans of a track are taken by start, the longer first, then in stored
 * order. The parent of a span is the latest one before it that holds it; its depth is one more.
 * Spans of one depth share a lane as long as they do not overlap; where they do, the lowest extra
 * lane that is free takes the later one. Nothing is dropped.
 */
#include "base/alloc.h"
#include "trace/build.h"

/* Deeper nesting than this is refused; stored depths are believed up to STORED_DEPTH_MAX. */
enum { DEPTH_MAX = 1 << 24, STORED_DEPTH_MAX = 65535 };

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

/* One depth of the track at hand: which of its lanes are in use until when, which are free. */
struct level {
    struct heap busy;    /* by end; value = overlap number */
    struct heap free;    /* by overlap number (in key) */
    uint32_t lane_count; /* ever used */
    uint32_t last_row;   /* latest span of this depth, for tracks that store depths */
    int64_t last_end;
    FGI_TABLE(uint32_t) counts; /* spans by overlap number */
    uint32_t first_lane;        /* set when the track is done */
};

struct open_span {
    int64_t end;
    uint32_t row;
    uint32_t depth;
};

struct nesting {
    struct fgi_builder *builder;
    struct fg_trace *trace;
    struct fgi_cursor cursor, other;
    uint32_t *order;             /* rows by track; inside a track sorted */
    FGI_TABLE(uint32_t) overlap; /* by position in the track: overlap number */
    FGI_TABLE(uint32_t) depth;   /* by position in the track */
    FGI_TABLE(struct level) levels;
    size_t used;                       /* levels that the track at hand has */
    FGI_TABLE(struct open_span) stack; /* ends fall from bottom to top */
};

static bool row_before(void *context, uint32_t a, uint32_t b)
{
    struct nesting *n = context;
    if (!fgi_cursor_at(&n->cursor, a) || !fgi_cursor_at(&n->other, b)) {
        return a < b;
    }
    int64_t start_a = fgi_cursor_start(&n->cursor, a);
    int64_t start_b = fgi_cursor_start(&n->other, b);
    if (start_a != start_b) {
        return start_a < start_b;
    }
    int64_t end_a = fgi_cursor_end(&n->cursor, a);
    int64_t end_b = fgi_cursor_end(&n->other, b);
    return end_a != end_b ? end_a > end_b : a < b;
}

static void forget_levels(struct nesting *n)
{
    for (size_t i = 0; i < n->used; i++) {
        struct level *level = &n->levels.items[i];
        level->busy.table.count = level->free.table.count = 0;
        level->lane_count = 0;
        level->last_row = FG_NONE;
        level->counts.count = 0;
    }
    n->used = 0;
    n->stack.count = 0;
}

static enum fg_result need_level(struct nesting *n, uint32_t depth)
{
    enum fg_result result = FGI_GROW(n->trace->allocator, n->levels.items, n->levels.capacity,
                                     (size_t)depth + 1, DEPTH_MAX);
    while (result == FG_OK && n->levels.count <= depth) {
        n->levels.items[n->levels.count++] = (struct level){ .last_row = FG_NONE };
    }
    n->used = n->used > depth ? n->used : (size_t)depth + 1;
    return result;
}

/* The lowest lane of its depth that is free at `start`. */
static enum fg_result take_lane(struct nesting *n, uint32_t depth, int64_t start, int64_t end,
                                uint32_t *out_overlap)
{
    const struct fg_allocator *allocator = n->trace->allocator;
    enum fg_result result = need_level(n, depth);
    if (result != FG_OK) {
        return result;
    }
    struct level *level = &n->levels.items[depth];
    while (level->busy.table.count > 0 && level->busy.table.items[0].key <= start) {
        struct heap_item item = heap_pop(&level->busy);
        result = heap_push(allocator, &level->free, (struct heap_item){ .key = item.value });
        if (result != FG_OK) {
            return result;
        }
    }
    uint32_t overlap =
        level->free.table.count > 0 ? (uint32_t)heap_pop(&level->free).key : level->lane_count++;
    result = FGI_GROW(allocator, level->counts.items, level->counts.capacity,
                      (size_t)level->lane_count, UINT32_MAX);
    if (result != FG_OK) {
        return result;
    }
    while (level->counts.count < level->lane_count) {
        level->counts.items[level->counts.count++] = 0;
    }
    level->counts.items[overlap]++;
    *out_overlap = overlap;
    return heap_push(allocator, &level->busy, (struct heap_item){ .key = end, .value = overlap });
}

/* Parent and depth by time: the latest span before this one that holds it. */
static enum fg_result place_by_time(struct nesting *n, uint32_t row, int64_t start, int64_t end,
                                    uint32_t *out_parent, uint32_t *out_depth)
{
    struct open_span *stack = n->stack.items;
    /* One that ends where a span of no length lies does not hold it. */
    while (n->stack.count > 0 &&
           (stack[n->stack.count - 1].end < end || stack[n->stack.count - 1].end <= start)) {
        n->stack.count--;
    }
    bool has = n->stack.count > 0;
    *out_parent = has ? stack[n->stack.count - 1].row : FG_NONE;
    *out_depth = has ? stack[n->stack.count - 1].depth + 1 : 0;
    enum fg_result result = FGI_GROW(n->trace->allocator, n->stack.items, n->stack.capacity,
                                     n->stack.count + 1, UINT32_MAX);
    if (result == FG_OK) {
        n->stack.items[n->stack.count++] =
            (struct open_span){ .end = end, .row = row, .depth = *out_depth };
    }
    return result;
}

/* Parent as the source gives it, or the latest span one depth above that is still open. */
static enum fg_result place_as_stored(struct nesting *n, uint32_t row, int64_t start, int64_t end,
                                      uint32_t *parent, uint32_t *out_depth)
{
    uint32_t depth = n->builder->depths.items[row];
    if (depth > STORED_DEPTH_MAX) {
        depth = STORED_DEPTH_MAX;
        fgi_builder_repair(n->builder, "clamped_depth", 1, UINT64_MAX);
    }
    enum fg_result result = need_level(n, depth);
    if (result != FG_OK) {
        return result;
    }
    if (*parent == FGI_FIND) {
        const struct level *above = depth > 0 ? &n->levels.items[depth - 1] : NULL;
        bool open = above && above->last_row != FG_NONE &&
                    (above->last_end > start || above->last_end >= end);
        *parent = open ? above->last_row : FG_NONE;
    }
    n->levels.items[depth].last_row = row;
    n->levels.items[depth].last_end = end;
    *out_depth = depth;
    return FG_OK;
}

static enum fg_result place_track(struct nesting *n, uint32_t track, size_t first, size_t count)
{
    bool stored = n->builder->track_stored_depth.items[track] != 0;
    forget_levels(n);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = n->order[first + i];
        if (!fgi_cursor_at(&n->cursor, row)) {
            return n->cursor.result;
        }
        uint32_t at = row - n->cursor.first_row;
        int64_t start = n->cursor.block->start_ns[at];
        int64_t end = n->cursor.block->end_ns[at];
        uint32_t *parent = &n->cursor.block->parent[at];
        uint32_t depth = 0;
        enum fg_result result = stored ? place_as_stored(n, row, start, end, parent, &depth)
                                       : place_by_time(n, row, start, end, parent, &depth);
        if (result == FG_OK) {
            result = take_lane(n, depth, start, end, &n->overlap.items[i]);
        }
        if (result != FG_OK) {
            return result;
        }
        n->depth.items[i] = depth;
    }
    return FG_OK;
}

/* Lanes of the track in order of depth, then overlap; then each span learns its lane. */
static enum fg_result number_lanes(struct nesting *n, uint32_t track, size_t first, size_t count)
{
    struct fg_trace *trace = n->trace;
    struct fg_trace_track *out = &trace->tracks.items[track];
    out->first_lane = (uint32_t)trace->lanes.count;
    for (uint32_t d = 0; d < n->used; d++) {
        struct level *level = &n->levels.items[d];
        level->first_lane = (uint32_t)trace->lanes.count;
        for (uint32_t k = 0; k < level->lane_count; k++) {
            enum fg_result result =
                FGI_GROW(trace->allocator, trace->lanes.items, trace->lanes.capacity,
                         trace->lanes.count + 1, FG_NONE - 1);
            if (result != FG_OK) {
                return result;
            }
            trace->lanes.items[trace->lanes.count++] = (struct fg_trace_lane){
                .track = track, .depth = d, .overlap = k, .span_count = level->counts.items[k]
            };
        }
    }
    out->lane_count = (uint32_t)trace->lanes.count - out->first_lane;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = n->order[first + i];
        if (!fgi_cursor_at(&n->cursor, row)) {
            return n->cursor.result;
        }
        n->cursor.block->lane[row - n->cursor.first_row] =
            n->levels.items[n->depth.items[i]].first_lane + n->overlap.items[i];
    }
    return FG_OK;
}

/* Rows by track, in stored order: a counting sort. */
static enum fg_result gather_tracks(struct nesting *n, size_t *first)
{
    for (size_t t = 0; t < n->trace->tracks.count; t++) {
        first[t + 1] = first[t] + n->trace->tracks.items[t].span_count;
    }
    for (uint32_t row = 0; row < fgi_trace_rows(n->trace); row++) {
        if (!fgi_cursor_at(&n->cursor, row)) {
            return n->cursor.result;
        }
        n->order[first[n->cursor.block->lane[row - n->cursor.first_row]]++] = row;
    }
    for (size_t t = n->trace->tracks.count; t > 0; t--) {
        first[t] = first[t - 1];
    }
    first[0] = 0;
    return FG_OK;
}

/* Rows by lane: the order inside the track is the order inside each of its lanes. */
static enum fg_result fill_lane_rows(struct nesting *n)
{
    struct fg_trace *trace = n->trace;
    uint32_t lanes = (uint32_t)trace->lanes.count;
    uint32_t rows = fgi_trace_rows(trace);
    trace->lane_first = fgi_calloc(trace->allocator, (size_t)lanes + 2, sizeof(uint32_t));
    trace->lane_rows = fgi_malloc(trace->allocator, ((size_t)rows + 1) * sizeof(uint32_t));
    if (!trace->lane_first || !trace->lane_rows) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t *next = trace->lane_first + 1; /* while filling: where the lane's next row goes */
    for (uint32_t l = 0, at = 0; l < lanes; l++) {
        next[l] = at;
        at += trace->lanes.items[l].span_count;
    }
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t row = n->order[i];
        if (!fgi_cursor_at(&n->cursor, row)) {
            return n->cursor.result;
        }
        trace->lane_rows[next[n->cursor.block->lane[row - n->cursor.first_row]]++] = row;
    }
    return FG_OK;
}

static enum fg_result nest_track(struct nesting *n, uint32_t track, size_t first, size_t count)
{
    const struct fg_allocator *allocator = n->trace->allocator;
    enum fg_result result =
        FGI_GROW(allocator, n->overlap.items, n->overlap.capacity, count, UINT32_MAX);
    if (result == FG_OK) {
        result = FGI_GROW(allocator, n->depth.items, n->depth.capacity, count, UINT32_MAX);
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(allocator, n->order + first, count, row_before, n);
    }
    if (result == FG_OK && (n->cursor.result != FG_OK || n->other.result != FG_OK)) {
        result = n->cursor.result != FG_OK ? n->cursor.result : n->other.result;
    }
    if (result == FG_OK) {
        result = place_track(n, track, first, count);
    }
    return result == FG_OK ? number_lanes(n, track, first, count) : result;
}

#define FREE_TABLE(allocator, table)                                                               \
    fgi_free((allocator), (table).items, (table).capacity * sizeof *(table).items)

enum fg_result fgi_nest(struct fgi_builder *builder)
{
    struct fg_trace *trace = builder->trace;
    const struct fg_allocator *allocator = trace->allocator;
    size_t rows = fgi_trace_rows(trace);
    size_t track_count = trace->tracks.count;
    struct nesting n = { .builder = builder,
                         .trace = trace,
                         .cursor = fgi_trace_cursor(trace),
                         .other = fgi_trace_cursor(trace) };
    size_t *first = fgi_calloc(allocator, track_count + 1, sizeof *first);
    n.order = fgi_malloc(allocator, (rows + 1) * sizeof *n.order);
    enum fg_result result = first && n.order ? gather_tracks(&n, first) : FG_ERR_NO_MEMORY;
    for (uint32_t t = 0; result == FG_OK && t < track_count; t++) {
        result = nest_track(&n, t, first[t], first[t + 1] - first[t]);
    }
    if (result == FG_OK) {
        result = fill_lane_rows(&n);
    }
    fgi_cursor_finish(&n.cursor);
    fgi_cursor_finish(&n.other);
    for (size_t i = 0; i < n.levels.count; i++) {
        FREE_TABLE(allocator, n.levels.items[i].busy.table);
        FREE_TABLE(allocator, n.levels.items[i].free.table);
        FREE_TABLE(allocator, n.levels.items[i].counts);
    }
    FREE_TABLE(allocator, n.levels);
    FREE_TABLE(allocator, n.stack);
    FREE_TABLE(allocator, n.overlap);
    FREE_TABLE(allocator, n.depth);
    fgi_free(allocator, n.order, (rows + 1) * sizeof *n.order);
    fgi_free(allocator, first, (track_count + 1) * sizeof *first);
    return result;
}
