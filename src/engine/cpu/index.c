/* SPDX-License-Identifier: MIT */
/* Making an index. Reading one is in index_read.c. */
#include "engine/cpu/index.h"
#include "base/alloc.h"
#include <string.h>

/*
 * A coarser level is stored when it has at most 5/8 of the bins of the last one, so that reading
 * what is not stored looks at less than two bins for each (of several lanes 3/8, and less than
 * three). Or, where the bins lie very unevenly, four levels after the last when it has at most 3/4.
 * The level after the base is the largest of them: it is left out where that allows a finer base.
 */
enum { LEVEL_STRIDE_MAX = 4 };
/* A bin is dense when so many times the entries start in it. */
#define DENSE 3u

struct making {
    const struct fgi_index_maker *maker;
    struct fgi_lanes lanes;
    struct fgi_index *index;
    uint32_t entries; /* spans for each bin of the base, at least */
};

static uint32_t entries_of(const struct fgi_lanes *lanes)
{
    /* What is folded comes on top of the lanes, and may be all of them twice: it takes less. */
    return lanes->count == 1 ? FGI_BIN_ENTRIES : 4 * FGI_BIN_ENTRIES;
}

/* ---- survey ---------------------------------------------------------------------------------- */

/* Two neighbours are in different bins of level k when their starts differ in bit k or above. */
static void see_start(int64_t start, int64_t *previous, bool *has_previous, uint64_t differing[64])
{
    uint64_t difference = (uint64_t)start ^ (uint64_t)*previous;
    if (*has_previous && difference != 0) {
        differing[63 - __builtin_clzll(difference)]++;
    }
    *has_previous = true;
    *previous = start;
}

static enum fg_result survey_lane(const struct fgi_index_maker *maker, uint32_t lane,
                                  uint64_t differing[64])
{
    struct fgi_cursor cursor = fgi_trace_cursor(maker->trace);
    const uint32_t *rows = maker->set->rows;
    bool has_previous = false;
    int64_t previous = 0;
    for (uint32_t i = maker->set->lane_first[lane]; i < maker->set->lane_first[lane + 1]; i++) {
        if (!fgi_cursor_at(&cursor, rows[i])) {
            break;
        }
        see_start(fgi_cursor_start(&cursor, rows[i]), &previous, &has_previous, differing);
    }
    fgi_cursor_finish(&cursor);
    return cursor.result;
}

static enum fg_result survey_lanes(const struct fgi_index_maker *maker,
                                   const struct fgi_lanes *lanes, uint64_t differing[64])
{
    struct fgi_row_stream stream;
    struct fgi_stream_head head;
    bool has_previous = false;
    int64_t previous = 0;
    const struct fgi_row_source source = { maker->allocator, maker->trace, maker->set };
    enum fg_result result = fgi_row_stream_open(&stream, &source, lanes, FG_TIME_MIN, NULL);
    while (result == FG_OK && fgi_row_stream_next(&stream, &head)) {
        see_start(head.start, &previous, &has_previous, differing);
    }
    enum fg_result closed = fgi_row_stream_close(&stream);
    return result != FG_OK ? result : closed;
}

/* Count and extent: the first and the last span of each lane decide. */
static enum fg_result measure(const struct fgi_index_maker *maker, const struct fgi_lanes *lanes,
                              struct fgi_index *index)
{
    struct fgi_cursor cursor = fgi_trace_cursor(maker->trace);
    index->first_ns = INT64_MAX;
    index->last_ns = INT64_MIN;
    for (uint32_t i = 0; i < lanes->count; i++) {
        uint32_t lane = fgi_lane_at(lanes, i);
        uint32_t first = maker->set->lane_first[lane];
        uint32_t end = maker->set->lane_first[lane + 1];
        if (first == end) {
            continue;
        }
        index->span_count += end - first;
        if (!fgi_cursor_at(&cursor, maker->set->rows[first])) {
            break;
        }
        int64_t start_ns = fgi_cursor_start(&cursor, maker->set->rows[first]);
        if (!fgi_cursor_at(&cursor, maker->set->rows[end - 1])) {
            break;
        }
        int64_t end_ns = fgi_cursor_end(&cursor, maker->set->rows[end - 1]);
        index->first_ns = start_ns < index->first_ns ? start_ns : index->first_ns;
        index->last_ns = end_ns > index->last_ns ? end_ns : index->last_ns;
    }
    fgi_cursor_finish(&cursor);
    return cursor.result;
}

static bool is_worth_storing(bool has_one_lane, uint64_t merged, uint64_t count, unsigned stride)
{
    return merged <= count * (has_one_lane ? 5 : 3) / 8 ||
           (stride >= LEVEL_STRIDE_MAX && merged <= count * 3 / 4);
}

/* Bins of all levels from a base on, by the bins of each in which spans start. */
static uint64_t count_levels(const uint64_t bins[64], unsigned base, bool has_one_lane,
                             bool skips_one)
{
    uint64_t sum = bins[base];
    unsigned last = base;
    for (unsigned k = base + 1; k < 64; k++) {
        bool may = !(skips_one && k == base + 1);
        if (may && is_worth_storing(has_one_lane, bins[k], bins[last], k - last)) {
            sum += bins[k];
            last = k;
        }
    }
    return sum;
}

/* The finest base that the room for bins allows. */
static void choose_base(struct fgi_index *index, const struct fgi_lanes *lanes,
                        const uint64_t differing[64])
{
    bool has_one_lane = lanes->count == 1;
    uint64_t bins[64];
    for (unsigned k = 64; k-- > 0;) {
        bins[k] = (k == 63 ? 1 : bins[k + 1]) + differing[k];
    }
    index->base = 63;
    while (index->base > 0) {
        unsigned finer = index->base - 1;
        bool skips_one = false;
        uint64_t room = index->span_count / entries_of(lanes);
        if (has_one_lane && bins[finer] <= room) {
            room = index->span_count * UINT64_C(7) / 12;
            skips_one = count_levels(bins, finer, true, false) > room;
            if (skips_one && count_levels(bins, finer, true, true) > room) {
                return;
            }
        } else if (bins[finer] > room) {
            return;
        }
        index->base = finer;
        index->skips_one = skips_one;
    }
}

enum fg_result fgi_index_survey(const struct fgi_index_maker *maker, const struct fgi_lanes *lanes,
                                struct fgi_index *index, uint64_t *out_differing)
{
    uint64_t differing[64] = { 0 };
    *index = (struct fgi_index){ .base = 64 };
    enum fg_result result = measure(maker, lanes, index);
    if (result != FG_OK || index->span_count == 0) {
        return result;
    }
    if (lanes->count == 1) {
        uint32_t lane = fgi_lane_at(lanes, 0);
        index->source.lane_rows = maker->set->rows + maker->set->lane_first[lane];
        result = survey_lane(maker, lane, differing);
    } else {
        result = survey_lanes(maker, lanes, differing);
    }
    choose_base(index, lanes, differing);
    for (unsigned k = 0; k < 64 && out_differing; k++) {
        out_differing[k] += differing[k];
    }
    return result;
}

/* ---- collecting bins into a level ------------------------------------------------------------ */

struct collector {
    struct making *making;
    struct fgi_level_builder builder;
    struct fgi_cursor cursor; /* to see what the longest are */
    bool only_dense;
    int64_t first, last; /* with only_dense: the bins that are meant */
};

static bool collect(void *context, const struct fgi_bin *bin)
{
    struct collector *c = context;
    struct fgi_bin known = *bin;
    if (c->only_dense) {
        if (bin->index > c->last) {
            return false;
        }
        if (bin->index < c->first || bin->starts <= DENSE * c->making->entries) {
            return true;
        }
    }
    if (known.kind == FGI_KIND_NONE) {
        if (!fgi_cursor_at(&c->cursor, known.row)) {
            c->builder.result = c->cursor.result;
            return false;
        }
        known.kind = c->cursor.block->kind[known.row - c->cursor.first_row];
    }
    return c->builder.result == FG_OK && fgi_level_builder_put(&c->builder, &known);
}

static struct collector collector_make(struct making *m, unsigned k, bool only_dense)
{
    return (struct collector){
        .making = m,
        .builder = { .allocator = m->maker->allocator,
                     .is_complete = !only_dense,
                     .has_one_lane = m->lanes.count == 1,
                     .is_small = fgi_level_is_small(k, m->index->first_ns, m->index->last_ns),
                     .origin = m->index->first_ns >> k },
        .cursor = fgi_trace_cursor(m->maker->trace),
        .only_dense = only_dense,
    };
}

/* Levels come in any order: each has its place among those that are there. */
static enum fg_result store_level(struct making *m, unsigned k, struct collector *c,
                                  enum fg_result result)
{
    struct fgi_index *index = m->index;
    struct fgi_level level = { 0 };
    fgi_cursor_finish(&c->cursor);
    if (result == FG_OK) {
        result = fgi_level_builder_finish(&c->builder, index->span_count, &level);
    } else {
        fgi_level_builder_abandon(&c->builder);
    }
    if (result != FG_OK || level.count == 0) {
        return result;
    }
    size_t count = fgi_index_level_count(index);
    size_t at = (size_t)__builtin_popcountll(index->stored_levels & ((UINT64_C(1) << k) - 1));
    struct fgi_level *levels = fgi_malloc(m->maker->allocator, (count + 1) * sizeof *levels);
    if (!levels) {
        fgi_level_finish(&level, m->maker->allocator);
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i <= count; i++) {
        levels[i] = i < at ? index->levels[i] : i == at ? level : index->levels[i - 1];
    }
    fgi_free(m->maker->allocator, index->levels, count * sizeof *levels);
    index->levels = levels;
    index->stored_levels |= UINT64_C(1) << k;
    return FG_OK;
}

/* ---- the base -------------------------------------------------------------------------------- */

struct long_spans {
    const struct fg_allocator *allocator;
    FGI_TABLE(struct fgi_long_span) table;
    enum fg_result result;
};

static void see_length(struct long_spans *found, uint32_t row, uint64_t ns)
{
    if (ns < UINT32_MAX || found->result != FG_OK) {
        return;
    }
    found->result = FGI_GROW(found->allocator, found->table.items, found->table.capacity,
                             found->table.count + 1, FG_NONE);
    if (found->result == FG_OK) {
        found->table.items[found->table.count++] = (struct fgi_long_span){ row, ns };
    }
}

/* Insertion: they are few, and mostly come by row. */
static enum fg_result keep_long_spans(struct making *m, struct long_spans *found)
{
    struct fgi_long_span *items = found->table.items;
    for (size_t i = 1; i < found->table.count; i++) {
        struct fgi_long_span item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].row > item.row; at--) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
    if (found->result == FG_OK && found->table.count > 0) {
        found->result = FGI_SHRINK(found->allocator, found->table.items, found->table.capacity,
                                   found->table.count);
    }
    if (found->result != FG_OK) {
        fgi_free(found->allocator, found->table.items,
                 found->table.capacity * sizeof *found->table.items);
        return found->result;
    }
    m->index->source.long_spans = found->table.items;
    m->index->source.long_count = found->table.count;
    return FG_OK;
}

static enum fg_result read_lane(struct making *m, struct fgi_bin_sink *sink,
                                struct long_spans *found)
{
    const struct fgi_row_set *set = m->maker->set;
    uint32_t lane = fgi_lane_at(&m->lanes, 0);
    uint32_t first = set->lane_first[lane];
    struct fgi_cursor cursor = fgi_trace_cursor(m->maker->trace);
    struct fgi_lane_maker maker = { .level = m->index->base, .sink = *sink };
    for (uint32_t i = 0; i < m->index->span_count && !maker.stopped; i++) {
        uint32_t row = set->rows[first + i];
        if (!fgi_cursor_at(&cursor, row)) {
            break;
        }
        int64_t start = fgi_cursor_start(&cursor, row);
        int64_t end = fgi_cursor_end(&cursor, row);
        see_length(found, row, fgi_duration(start, end));
        fgi_lane_maker_add(&maker, i, row, start, end);
    }
    fgi_cursor_finish(&cursor);
    fgi_lane_maker_finish(&maker);
    return cursor.result;
}

static enum fg_result read_lanes(struct making *m, struct fgi_bin_sink *sink,
                                 struct long_spans *found)
{
    struct fgi_row_stream stream;
    struct fgi_stream_head head;
    struct fgi_bin_maker maker;
    fgi_bin_maker_init(&maker, m->maker->allocator, m->index->base, sink);
    const struct fgi_row_source source = { m->maker->allocator, m->maker->trace, m->maker->set };
    enum fg_result result = fgi_row_stream_open(&stream, &source, &m->lanes, FG_TIME_MIN, NULL);
    while (result == FG_OK && !maker.stopped && fgi_row_stream_next(&stream, &head)) {
        see_length(found, head.row, fgi_duration(head.start, head.end));
        fgi_bin_maker_add(&maker, head.row, head.start, head.end);
    }
    enum fg_result made = fgi_bin_maker_finish(&maker);
    enum fg_result closed = fgi_row_stream_close(&stream);
    result = result != FG_OK ? result : made;
    return result != FG_OK ? result : closed;
}

static enum fg_result make_base(struct making *m)
{
    struct collector c = collector_make(m, m->index->base, false);
    struct fgi_bin_sink sink = { collect, &c };
    struct long_spans found = { .allocator = m->maker->allocator };
    enum fg_result result =
        m->lanes.count == 1 ? read_lane(m, &sink, &found) : read_lanes(m, &sink, &found);
    enum fg_result kept = keep_long_spans(m, &found);
    return store_level(m, m->index->base, &c, result != FG_OK ? result : kept);
}

/* ---- coarser and finer levels ---------------------------------------------------------------- */

static uint32_t count_merged(const struct fgi_level *level, unsigned shift)
{
    uint32_t merged = level->count > 0;
    int64_t before = fgi_level_index(level, 0) >> shift;
    for (uint32_t i = 1; i < level->count; i++) {
        int64_t at = fgi_level_index(level, i) >> shift;
        merged += at != before;
        before = at;
    }
    return merged;
}

static enum fg_result make_coarser(struct making *m)
{
    struct fgi_index *index = m->index;
    unsigned last = index->base;
    for (unsigned k = last + 1; k <= m->maker->coarsest; k++) {
        const struct fgi_level *from = fgi_index_level(index, last);
        uint32_t merged = count_merged(from, k - last);
        if (merged == from->count ||
            (k < m->maker->coarsest &&
             ((index->skips_one && k == index->base + 1) ||
              !is_worth_storing(m->lanes.count == 1, merged, from->count, k - last)))) {
            continue;
        }
        struct collector c = collector_make(m, k, false);
        struct fgi_level_cursor cursor = {
            .level = from, .source = &index->source, .k = last, .shift = k - last, .run = FG_NONE
        };
        struct fgi_bin bin;
        fgi_level_builder_reserve(&c.builder, merged);
        while (c.builder.result == FG_OK && fgi_level_next(&cursor, &bin)) {
            (void)collect(&c, &bin);
        }
        enum fg_result result = store_level(m, k, &c, FG_OK);
        if (result != FG_OK) {
            return result;
        }
        last = k;
    }
    return FG_OK;
}

/* The two halves of a dense bin. */
static enum fg_result make_halves(struct making *m, unsigned k, const struct fgi_bin *parent,
                                  struct collector *c)
{
    struct fgi_bin_sink sink = { collect, c };
    struct fg_visits ignored = { 0 };
    struct fgi_cursor cursor = fgi_trace_cursor(m->maker->trace);
    struct fgi_index_reader reader = { m->maker->allocator, m->maker->trace, m->maker->set, &cursor,
                                       &ignored };
    c->first = parent->index * 2; /* not << 1: a shift of a negative number is not defined */
    c->last = c->first + 1;
    enum fg_result result =
        fgi_index_read(&reader, m->index, &m->lanes, k, c->first, c->last, &sink);
    fgi_cursor_finish(&cursor);
    return result;
}

/* Below the base: the halves of dense bins, as far as they are dense themselves. */
static enum fg_result make_finer(struct making *m)
{
    struct fgi_index *index = m->index;
    for (unsigned k = index->base; k-- > 0 && index->stored_levels >> (k + 1) & 1;) {
        struct collector c = collector_make(m, k, true);
        enum fg_result result = FG_OK;
        const struct fgi_level *parents = fgi_index_level(index, k + 1);
        for (uint32_t i = 0; i < parents->count && result == FG_OK; i++) {
            if (fgi_level_starts(parents, i) > DENSE * m->entries) {
                struct fgi_bin parent;
                fgi_level_get(parents, &index->source, i, &parent);
                result = make_halves(m, k, &parent, &c);
            }
        }
        result = store_level(m, k, &c, result);
        if (result != FG_OK) {
            return result;
        }
    }
    return FG_OK;
}

enum fg_result fgi_index_fill(const struct fgi_index_maker *maker, const struct fgi_lanes *lanes,
                              struct fgi_index *index)
{
    if (index->span_count == 0) {
        return FG_OK;
    }
    struct making m = {
        .maker = maker, .lanes = *lanes, .index = index, .entries = entries_of(lanes)
    };
    index->base = index->base < maker->coarsest ? index->base : maker->coarsest;
    enum fg_result result = make_base(&m);
    if (result == FG_OK) {
        result = make_coarser(&m);
    }
    return result == FG_OK ? make_finer(&m) : result;
}

void fgi_index_finish(struct fgi_index *index, const struct fg_allocator *allocator)
{
    size_t count = fgi_index_level_count(index);
    for (size_t i = 0; i < count; i++) {
        fgi_level_finish(&index->levels[i], allocator);
    }
    fgi_free(allocator, index->levels, count * sizeof *index->levels);
    fgi_free(allocator, (void *)index->source.long_spans,
             index->source.long_count * sizeof *index->source.long_spans);
}

uint64_t fgi_index_bytes(const struct fgi_index *index)
{
    size_t count = fgi_index_level_count(index);
    uint64_t bytes = sizeof *index + count * sizeof *index->levels +
                     index->source.long_count * sizeof *index->source.long_spans;
    for (size_t i = 0; i < count; i++) {
        bytes += fgi_level_bytes(&index->levels[i]);
    }
    return bytes;
}
