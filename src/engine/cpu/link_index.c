/* SPDX-License-Identifier: MIT */
/*
 * The index over the lines of dependencies. Lines are ordered by class of length, then by their
 * lesser time: so the lines near a window are one stretch of each class, found by two searches.
 * Over them lies a tree of least hashes, by which the first few of a stretch are found without
 * reading the others.
 */
#include "base/alloc.h"
#include "base/wide.h"
#include "engine/cpu/graph_cpu.h"

/* ---- which rows stand for the ends ----------------------------------------------------------- */

static bool passes(const void *context, struct fgi_cursor *cursor, uint32_t row)
{
    (void)cursor;
    return fgi_has_bit(context, row);
}

/* Leaves the cursor at the row that was found. */
static uint32_t stand_in(const struct fg_trace *trace, struct fgi_cursor *cursor,
                         const uint64_t *bits, uint32_t row, uint32_t projected, uint32_t hidden,
                         uint32_t *marks, uint64_t *visited)
{
    if (!bits || fgi_has_bit(bits, row)) {
        ++*visited;
        return row;
    }
    uint32_t shown;
    enum fgi_projection found =
        fgi_project(cursor, row, fgi_trace_rows(trace), UINT32_MAX, passes, bits, &shown, visited);
    *marks |= found == FGI_ANCESTOR ? projected : hidden;
    return found == FGI_ANCESTOR ? shown : row;
}

bool fgi_link_ends(const struct fg_trace *trace, struct fgi_cursor *cursor, const uint64_t *bits,
                   uint32_t source, uint32_t target, struct fgi_link_ends *out_ends,
                   uint64_t *visited)
{
    struct fgi_link_ends ends = { .source = source, .target = target };
    ends.shown_source = stand_in(trace, cursor, bits, source, FG_LINK_SOURCE_PROJECTED,
                                 FG_LINK_SOURCE_HIDDEN, &ends.marks, visited);
    if (!fgi_cursor_at(cursor, ends.shown_source)) {
        return false;
    }
    ends.from_ns = fgi_cursor_end(cursor, ends.shown_source);
    ends.shown_target = stand_in(trace, cursor, bits, target, FG_LINK_TARGET_PROJECTED,
                                 FG_LINK_TARGET_HIDDEN, &ends.marks, visited);
    if (!fgi_cursor_at(cursor, ends.shown_target)) {
        return false;
    }
    ends.to_ns = fgi_cursor_start(cursor, ends.shown_target);
    *out_ends = ends;
    return true;
}

/* ---- making ---------------------------------------------------------------------------------- */

struct making {
    const struct fg_trace *trace;
    const struct fgi_question *question;
    const struct fg_allocator *allocator;
    const uint64_t *bits;
    struct fgi_link_index *index;
    /* Two of each: from one to the other and back. */
    int64_t *times[2];
    uint32_t *links[2];
    uint8_t *classes;
    uint32_t total;
};

static unsigned class_of(int64_t from, int64_t to)
{
    uint64_t length = from < to ? fgi_duration(from, to) : fgi_duration(to, from);
    unsigned class = 0;
    while (class < FGI_LINK_CLASSES - 1 && length > UINT64_C(1) << class) {
        class ++;
    }
    return class;
}

static void add_line(struct making *m, uint32_t link, const struct fgi_link_ends *ends)
{
    struct fgi_link_index *index = m->index;
    const uint32_t hidden = FG_LINK_SOURCE_HIDDEN | FG_LINK_TARGET_HIDDEN;
    if ((ends->marks & hidden) == hidden) {
        index->hidden++;
    } else if (ends->shown_source == ends->shown_target) {
        index->same++;
    } else {
        uint32_t at = index->count++;
        m->times[0][at] = ends->from_ns < ends->to_ns ? ends->from_ns : ends->to_ns;
        m->links[0][at] = link;
        m->classes[at] = (uint8_t)class_of(ends->from_ns, ends->to_ns);
        index->class_first[m->classes[at] + 1]++;
    }
}

/* By number, that is by source: sources are read in order. */
static enum fg_result gather(struct making *m)
{
    const struct fg_trace *trace = m->trace;
    struct fgi_cursor near = fgi_trace_cursor(trace);
    struct fgi_cursor far = fgi_trace_cursor(trace);
    enum fg_result result = FG_OK;
    uint64_t durations = 0;
    uint64_t visited = 0;
    for (uint32_t link = 0; link < m->total && result == FG_OK; link++) {
        uint32_t source = fgi_link_source(trace, link);
        struct fgi_link_ends ends;
        if (link % 65536 == 65535 && fgi_question_cancelled(m->question)) {
            result = FG_ERR_CANCELLED;
        } else if (!fgi_cursor_at(&near, source)) {
            result = near.result;
        } else if (!fgi_link_ends(trace, &far, m->bits, source, fgi_link_target(trace, link), &ends,
                                  &visited)) {
            result = far.result;
        } else {
            uint64_t duration =
                fgi_duration(fgi_cursor_start(&near, source), fgi_cursor_end(&near, source));
            durations = fgi_add_saturated(durations, duration);
            add_line(m, link, &ends);
        }
    }
    fgi_cursor_finish(&near);
    fgi_cursor_finish(&far);
    m->index->typical_ns = m->total > 0 ? durations / m->total : 0;
    m->question->visits->spans += visited;
    m->question->visits->dependencies += m->total;
    return result;
}

/* Into stretches of classes, which keep the order by number. */
static void split_classes(struct making *m)
{
    uint32_t next[FGI_LINK_CLASSES];
    uint32_t *first = m->index->class_first;
    for (unsigned c = 0; c < FGI_LINK_CLASSES; c++) {
        first[c + 1] += first[c];
        next[c] = first[c];
    }
    for (uint32_t i = 0; i < m->index->count; i++) {
        uint32_t at = next[m->classes[i]]++;
        m->times[1][at] = m->times[0][i];
        m->links[1][at] = m->links[0][i];
    }
}

/* Sort [first, end) of side 1 by time, keeping the order of equal ones; it ends in side 1. */
static void sort_class(struct making *m, uint32_t first, uint32_t end)
{
    enum { DIGIT = 11, DIGITS = 1 << DIGIT };
    uint32_t next[DIGITS];
    unsigned from = 1;
    int64_t low = INT64_MAX;
    int64_t high = INT64_MIN;
    for (uint32_t i = first; i < end; i++) {
        low = m->times[1][i] < low ? m->times[1][i] : low;
        high = m->times[1][i] > high ? m->times[1][i] : high;
    }
    uint64_t range = first < end ? fgi_duration(low, high) : 0;
    for (unsigned shift = 0; shift < 64 && range >> shift > 0; shift += DIGIT) {
        for (unsigned d = 0; d < DIGITS; d++) {
            next[d] = 0;
        }
        for (uint32_t i = first; i < end; i++) {
            next[fgi_duration(low, m->times[from][i]) >> shift & (DIGITS - 1)]++;
        }
        uint32_t sum = first;
        for (unsigned d = 0; d < DIGITS; d++) {
            uint32_t count = next[d];
            next[d] = sum;
            sum += count;
        }
        for (uint32_t i = first; i < end; i++) {
            uint32_t at = next[fgi_duration(low, m->times[from][i]) >> shift & (DIGITS - 1)]++;
            m->times[1 - from][at] = m->times[from][i];
            m->links[1 - from][at] = m->links[from][i];
        }
        from = 1 - from;
    }
    for (uint32_t i = first; i < end && from == 0; i++) {
        m->times[1][i] = m->times[0][i];
        m->links[1][i] = m->links[0][i];
    }
}

static enum fg_result make_tree(struct making *m)
{
    struct fgi_link_index *index = m->index;
    index->leaf_count = (uint32_t)(((uint64_t)index->count + FGI_LINK_LEAF - 1) / FGI_LINK_LEAF);
    index->leaf_room = 1;
    while (index->leaf_room < index->leaf_count) {
        index->leaf_room *= 2;
    }
    index->links = fgi_malloc(m->allocator, ((size_t)index->count + 1) * sizeof *index->links);
    index->leaf_times =
        fgi_malloc(m->allocator, ((size_t)index->leaf_count + 1) * sizeof *index->leaf_times);
    index->least = fgi_malloc(m->allocator, (size_t)index->leaf_room * 2 * sizeof *index->least);
    if (!index->links || !index->leaf_times || !index->least) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < index->leaf_room * 2; i++) {
        index->least[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < index->count; i++) {
        uint32_t hash = fg_links_hash(m->links[1][i]);
        uint32_t *least = &index->least[index->leaf_room + i / FGI_LINK_LEAF];
        index->links[i] = m->links[1][i];
        *least = hash < *least ? hash : *least;
        if (i % FGI_LINK_LEAF == 0) {
            index->leaf_times[i / FGI_LINK_LEAF] = m->times[1][i];
        }
    }
    for (uint32_t i = index->leaf_room; i-- > 1;) {
        uint32_t a = index->least[2 * i];
        uint32_t b = index->least[2 * i + 1];
        index->least[i] = a < b ? a : b;
    }
    return FG_OK;
}

static enum fg_result make(struct making *m)
{
    size_t count = (size_t)m->total + 1;
    for (int side = 0; side < 2; side++) {
        m->times[side] = fgi_malloc(m->allocator, count * sizeof *m->times[side]);
        m->links[side] = fgi_malloc(m->allocator, count * sizeof *m->links[side]);
    }
    m->classes = fgi_malloc(m->allocator, count);
    bool has_memory = m->times[0] && m->times[1] && m->links[0] && m->links[1] && m->classes;
    enum fg_result result = has_memory ? gather(m) : FG_ERR_NO_MEMORY;
    if (result == FG_OK) {
        split_classes(m);
        for (unsigned c = 0; c < FGI_LINK_CLASSES; c++) {
            sort_class(m, m->index->class_first[c], m->index->class_first[c + 1]);
        }
        result = make_tree(m);
    }
    for (int side = 0; side < 2; side++) {
        fgi_free(m->allocator, m->times[side], count * sizeof *m->times[side]);
        fgi_free(m->allocator, m->links[side], count * sizeof *m->links[side]);
    }
    fgi_free(m->allocator, m->classes, count);
    return result;
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

enum fg_result fgi_link_index_get(struct fgi_engine_cpu *cpu, const struct fgi_question *question,
                                  struct fgi_population *population, const uint64_t *bits,
                                  const struct fgi_link_index **out_index)
{
    if (!population->links) {
        struct making m = {
            .trace = cpu->engine.trace,
            .question = question,
            .allocator = cpu->allocator,
            .bits = bits,
            .index = fgi_calloc(cpu->allocator, 1, sizeof *m.index),
            .total = fgi_link_count(cpu->engine.trace),
        };
        enum fg_result result = m.index ? make(&m) : FG_ERR_NO_MEMORY;
        if (result != FG_OK) {
            fgi_link_index_destroy(cpu->allocator, m.index);
            return result;
        }
        population->links = m.index;
    }
    *out_index = population->links;
    return FG_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* First position of [low, high) whose lesser time is not below `time`. */
static uint32_t lower_bound(const struct fgi_link_index *index, struct fgi_cursor *cursor,
                            const struct fg_trace *trace, const uint64_t *bits, uint32_t low,
                            uint32_t high, int64_t time, uint64_t *steps)
{
    uint32_t leaf = low / FGI_LINK_LEAF + (low % FGI_LINK_LEAF > 0);
    uint32_t end = high / FGI_LINK_LEAF + (high % FGI_LINK_LEAF > 0);
    uint32_t first_leaf = leaf;
    uint32_t limit = end;
    while (leaf < end) {
        uint32_t middle = leaf + (end - leaf) / 2;
        ++*steps;
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
        ++*steps;
        if (!fgi_link_ends(trace, cursor, bits, fgi_link_source(trace, link),
                           fgi_link_target(trace, link), &ends, steps)) {
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

uint32_t fgi_link_index_range(const struct fgi_link_index *index, struct fgi_cursor *cursor,
                              const struct fg_trace *trace, const uint64_t *bits, unsigned class,
                              int64_t low, int64_t high, uint32_t *out_first, uint64_t *steps)
{
    uint32_t first = index->class_first[class];
    uint32_t end = index->class_first[class + 1];
    first = lower_bound(index, cursor, trace, bits, first, end, low, steps);
    *out_first = first;
    return high == INT64_MAX ? end
                             : lower_bound(index, cursor, trace, bits, first, end, high + 1, steps);
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
