/* SPDX-License-Identifier: MIT */
/* One track, nested: its spans in order, each with its parent, its depth and a lane. */
#include "base/alloc.h"
#include "trace/nest_priv.h"

/* Deeper nesting than this is refused. */
enum { DEPTH_MAX = 1 << 24 };

/* ---- heaps ----------------------------------------------------------------------------------- */

static bool item_before(const struct fgi_nest_item *a, const struct fgi_nest_item *b)
{
    return a->key != b->key ? a->key < b->key : a->value < b->value;
}

static enum fg_result heap_push(const struct fg_allocator *allocator, struct fgi_nest_heap *heap,
                                struct fgi_nest_item item)
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

static struct fgi_nest_item heap_pop(struct fgi_nest_heap *heap)
{
    struct fgi_nest_item *items = heap->table.items;
    struct fgi_nest_item top = items[0];
    struct fgi_nest_item last = items[--heap->table.count];
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

/* ---- memory ---------------------------------------------------------------------------------- */

void fgi_nester_finish(struct fgi_nester *w)
{
    fgi_cursor_finish(&w->cursor);
    fgi_cursor_finish(&w->other);
    for (size_t i = 0; i < w->levels.count; i++) {
        FGI_FREE_NESTED(w->allocator, w->levels.items[i].busy.table);
        FGI_FREE_NESTED(w->allocator, w->levels.items[i].free.table);
        FGI_FREE_NESTED(w->allocator, w->levels.items[i].slots);
    }
    FGI_FREE_NESTED(w->allocator, w->levels);
    FGI_FREE_NESTED(w->allocator, w->slots);
    FGI_FREE_NESTED(w->allocator, w->stack);
}

static void forget_track(struct fgi_nester *w)
{
    for (size_t i = 0; i < w->used; i++) {
        struct fgi_nest_level *level = &w->levels.items[i];
        level->busy.table.count = level->free.table.count = 0;
        level->slots.count = 0;
        level->last_row = FG_NONE;
    }
    w->used = 0;
    w->stack.count = 0;
    w->slots.count = 0;
}

/* ---- one span -------------------------------------------------------------------------------- */

static enum fg_result need_level(struct fgi_nester *w, uint32_t depth)
{
    if (depth < w->used) {
        return FG_OK;
    }
    enum fg_result result =
        FGI_GROW(w->allocator, w->levels.items, w->levels.capacity, (size_t)depth + 1, DEPTH_MAX);
    while (result == FG_OK && w->levels.count <= depth) {
        w->levels.items[w->levels.count++] = (struct fgi_nest_level){ .last_row = FG_NONE };
    }
    w->used = result == FG_OK ? (size_t)depth + 1 : w->used;
    return result;
}

static enum fg_result add_slot(struct fgi_nester *w, struct fgi_nest_level *level, uint32_t depth)
{
    enum fg_result result =
        FGI_GROW(w->allocator, w->slots.items, w->slots.capacity, w->slots.count + 1, FG_NONE - 1);
    if (result == FG_OK) {
        result = FGI_GROW(w->allocator, level->slots.items, level->slots.capacity,
                          level->slots.count + 1, FG_NONE - 1);
    }
    if (result == FG_OK) {
        w->slots.items[w->slots.count] =
            (struct fgi_nest_slot){ .depth = depth, .overlap = (uint32_t)level->slots.count };
        level->slots.items[level->slots.count++] = (uint32_t)w->slots.count++;
    }
    return result;
}

/* The lowest lane of its depth that is free at `start`. */
static enum fg_result take_lane(struct fgi_nester *w, uint32_t depth, int64_t start, int64_t end,
                                uint32_t *out_slot)
{
    struct fgi_nest_level *level = &w->levels.items[depth];
    if (level->slots.count == 1 && level->busy.table.items[0].key <= start) {
        level->busy.table.items[0].key = end; /* as almost always */
        *out_slot = level->slots.items[0];
        return FG_OK;
    }
    while (level->busy.table.count > 0 && level->busy.table.items[0].key <= start) {
        struct fgi_nest_item item = heap_pop(&level->busy);
        enum fg_result result =
            heap_push(w->allocator, &level->free, (struct fgi_nest_item){ .key = item.value });
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
                     (struct fgi_nest_item){ .key = end, .value = overlap });
}

/* Parent and depth by time: the latest span before this one that holds it. */
static enum fg_result place_by_time(struct fgi_nester *w, uint32_t row, int64_t start, int64_t end,
                                    uint32_t *out_parent, uint32_t *out_depth)
{
    struct fgi_nest_open *stack = w->stack.items;
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
        w->stack.items[count] =
            (struct fgi_nest_open){ .end = end, .row = row, .depth = *out_depth };
        w->stack.count = count + 1;
        result = need_level(w, *out_depth);
    }
    return result;
}

/* Parent as the source gives it, or the latest span one depth above that is still open. */
static enum fg_result place_as_stored(struct fgi_nester *w, uint32_t row, int64_t start,
                                      int64_t end, uint32_t *parent, uint32_t *out_depth)
{
    uint32_t depth = fgi_builder_depth(w->builder, row);
    enum fg_result result = need_level(w, depth);
    if (result != FG_OK) {
        return result;
    }
    if (*parent == FGI_FIND) {
        const struct fgi_nest_level *above = depth > 0 ? &w->levels.items[depth - 1] : NULL;
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
    struct fgi_nester *w = context;
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
static bool is_sorted(struct fgi_nester *w, const uint32_t *rows, size_t count)
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

static enum fg_result sort_rows(struct fgi_nester *w, uint32_t *rows, size_t count)
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

static enum fg_result nest_rows(struct fgi_nester *w, bool stored, const uint32_t *rows,
                                size_t count)
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
static enum fg_result keep_lanes(struct fgi_nester *w, uint32_t track,
                                 struct fgi_nest_track *nested)
{
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
        const struct fgi_nest_level *level = &w->levels.items[d];
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

enum fg_result fgi_nest_track(struct fgi_nester *w, uint32_t track, uint32_t *rows,
                              struct fgi_nest_track *nested)
{
    bool stored = w->builder->track_stored_depth.items[track] != 0;
    forget_track(w);
    enum fg_result result = sort_rows(w, rows, nested->count);
    if (result == FG_OK) {
        result = nest_rows(w, stored, rows, nested->count);
    }
    return result == FG_OK ? keep_lanes(w, track, nested) : result;
}
