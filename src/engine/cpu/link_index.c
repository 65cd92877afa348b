/* SPDX-License-Identifier: MIT */
/*
 * The index over the lines of dependencies. Lines are ordered by class of length, then by their
 * lesser time: so the lines near a window are one stretch of each class, found by two searches.
 * Over them lies a tree of least hashes, by which the first few of a stretch are found without
 * reading the others.
 */
#include "base/alloc.h"
#include "engine/cpu/graph_cpu.h"

/* ---- which rows stand for the ends ----------------------------------------------------------- */

static bool passes(const void *context, struct fgi_cursor *cursor, uint32_t row)
{
    (void)cursor;
    return fgi_has_bit(context, row);
}

/* Leaves the cursor at the row that was found. */
static uint32_t stand_in(const struct fgi_link_reading *r, uint32_t row, uint32_t projected,
                         uint32_t hidden, uint32_t *marks)
{
    if (!r->bits || fgi_has_bit(r->bits, row)) {
        ++*r->visited;
        return row;
    }
    const struct fgi_projecting how = { passes, r->bits, fgi_trace_rows(r->trace), UINT32_MAX,
                                        r->visited };
    uint32_t shown;
    enum fgi_projection found = fgi_project(&how, r->cursor, row, &shown);
    *marks |= found == FGI_ANCESTOR ? projected : hidden;
    return found == FGI_ANCESTOR ? shown : row;
}

bool fgi_link_ends(const struct fgi_link_reading *reading, uint32_t source, uint32_t target,
                   struct fgi_link_ends *out_ends)
{
    struct fgi_cursor *cursor = reading->cursor;
    struct fgi_link_ends ends = { .source = source, .target = target };
    ends.shown_source =
        stand_in(reading, source, FG_LINK_SOURCE_PROJECTED, FG_LINK_SOURCE_HIDDEN, &ends.marks);
    if (!fgi_cursor_at(cursor, ends.shown_source)) {
        return false;
    }
    ends.from_ns = fgi_cursor_end(cursor, ends.shown_source);
    ends.shown_target =
        stand_in(reading, target, FG_LINK_TARGET_PROJECTED, FG_LINK_TARGET_HIDDEN, &ends.marks);
    if (!fgi_cursor_at(cursor, ends.shown_target)) {
        return false;
    }
    ends.to_ns = fgi_cursor_start(cursor, ends.shown_target);
    *out_ends = ends;
    return true;
}

uint64_t fgi_link_index_bytes(const struct fgi_link_index *index)
{
    return index ? sizeof *index + ((uint64_t)index->count + 1) * sizeof *index->links +
                       ((uint64_t)index->leaf_count + 1) * sizeof *index->leaf_times +
                       (uint64_t)index->leaf_room * 2 * sizeof *index->least
                 : 0;
}

void fgi_link_index_destroy(const struct fg_allocator *allocator, struct fgi_link_index *index)
{
    if (index) {
        fgi_free(allocator, index->links, ((size_t)index->count + 1) * sizeof *index->links);
        fgi_free(allocator, index->leaf_times,
                 ((size_t)index->leaf_count + 1) * sizeof *index->leaf_times);
        fgi_free(allocator, index->least, (size_t)index->leaf_room * 2 * sizeof *index->least);
        fgi_free(allocator, index, sizeof *index);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* First position of [low, high) whose lesser time is not below `time`. */
static uint32_t lower_bound(const struct fgi_link_index *index,
                            const struct fgi_link_reading *reading, uint32_t low, uint32_t high,
                            int64_t time)
{
    uint32_t leaf = low / FGI_LINK_LEAF + (low % FGI_LINK_LEAF > 0);
    uint32_t end = high / FGI_LINK_LEAF + (high % FGI_LINK_LEAF > 0);
    uint32_t first_leaf = leaf;
    uint32_t limit = end;
    while (leaf < end) {
        uint32_t middle = leaf + (end - leaf) / 2;
        ++*reading->visited;
        if (index->leaf_times[middle] < time) {
            leaf = middle + 1;
        } else {
            end = middle;
        }
    }
    high = leaf < limit && leaf * FGI_LINK_LEAF < high ? leaf * FGI_LINK_LEAF : high;
    low = leaf > first_leaf ? (leaf - 1) * FGI_LINK_LEAF : low;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct fgi_link_ends ends;
        uint32_t link = index->links[middle];
        ++*reading->visited;
        if (!fgi_link_ends(reading, fgi_graph_source(reading->graph, link),
                           fgi_graph_target(reading->graph, link), &ends)) {
            return low;
        }
        if ((ends.from_ns < ends.to_ns ? ends.from_ns : ends.to_ns) < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t fgi_link_index_range(const struct fgi_link_index *index,
                              const struct fgi_link_reading *reading, unsigned length_class,
                              int64_t low, int64_t high, uint32_t *out_first)
{
    uint32_t first = index->class_first[length_class];
    uint32_t end = index->class_first[length_class + 1];
    first = lower_bound(index, reading, first, end, low);
    *out_first = first;
    return high == INT64_MAX ? end : lower_bound(index, reading, first, end, high + 1);
}

bool fgi_link_index_scan(const struct fgi_link_index *index, uint32_t first, uint32_t end,
                         uint32_t low, uint32_t high,
                         bool (*take)(void *context, uint32_t link, uint32_t hash), void *context)
{
    struct {
        uint32_t node, first_leaf, count;
    } stack[64], at;
    size_t depth = 0;
    if (first >= end) {
        return true;
    }
    uint32_t first_leaf = first / FGI_LINK_LEAF;
    uint32_t last_leaf = (end - 1) / FGI_LINK_LEAF;
    stack[depth].node = 1;
    stack[depth].first_leaf = 0;
    stack[depth++].count = index->leaf_room;
    while (depth > 0) {
        at = stack[--depth];
        if (index->least[at.node] > high || at.first_leaf > last_leaf ||
            at.first_leaf + (at.count - 1) < first_leaf) {
            continue;
        }
        if (at.count > 1) {
            uint32_t half = at.count / 2;
            stack[depth].node = 2 * at.node + 1;
            stack[depth].first_leaf = at.first_leaf + half;
            stack[depth++].count = half;
            stack[depth].node = 2 * at.node;
            stack[depth].first_leaf = at.first_leaf;
            stack[depth++].count = half;
            continue;
        }
        uint32_t from = at.first_leaf * FGI_LINK_LEAF;
        uint32_t to = from + FGI_LINK_LEAF < end ? from + FGI_LINK_LEAF : end;
        for (uint32_t i = from > first ? from : first; i < to; i++) {
            uint32_t hash = fg_links_hash(index->links[i]);
            if (hash >= low && hash <= high && !take(context, index->links[i], hash)) {
                return false;
            }
        }
    }
    return true;
}
