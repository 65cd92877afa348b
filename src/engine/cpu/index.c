/* SPDX-License-Identifier: MIT */
/*
 * The levels of bins of a target. The base is the finest level that is stored whole; coarser ones
 * are stored where they save something (reading merges up exactly); of finer ones only the bins in
 * which many spans start, so that a burst in a long lane is cheap at every zoom. What is not stored
 * is made from the spans, few of which lie in any bin that is not.
 */
#include "base/alloc.h"
#include "engine/cpu/engine_cpu_priv.h"
#include <string.h>

/* A coarser level is stored when it has at most 3/4 of the bins, or four levels after the last. */
enum { LEVEL_STRIDE_MAX = 4 };

struct fgi_lanes fgi_target_lanes(const struct fgi_engine_cpu *cpu, uint32_t kind, uint32_t index)
{
    const struct fg_trace *trace = cpu->engine.trace;
    if (kind == FG_VIEW_PROCESS) {
        return (struct fgi_lanes){
            .list = cpu->process_lanes + cpu->process_first[index],
            .count = cpu->process_first[index + 1] - cpu->process_first[index],
        };
    }
    if (kind == FG_VIEW_TRACK) {
        return (struct fgi_lanes){ .first = trace->tracks.items[index].first_lane,
                                   .count = trace->tracks.items[index].lane_count };
    }
    return (struct fgi_lanes){ .first = index, .count = 1 };
}

unsigned fgi_view_level(int64_t start, int64_t end, uint32_t width_px)
{
    uint64_t ns_per_px = fgi_duration(start, end) / width_px;
    unsigned level = 0;
    while (level < 63 && ns_per_px >> (level + 1) != 0) {
        level++;
    }
    return level;
}

/* ---- collecting bins into a level ------------------------------------------------------------ */

struct collector {
    const struct fg_allocator *allocator;
    FGI_TABLE(struct fgi_bin) table;
    bool only_dense;
    int64_t first, last; /* with only_dense: the bins that are meant */
    enum fg_result result;
};

static bool collect(void *context, const struct fgi_bin *bin)
{
    struct collector *c = context;
    if (c->only_dense) {
        if (bin->index > c->last) {
            return false;
        }
        if (bin->index < c->first || bin->starts <= FGI_BIN_ENTRIES) {
            return true;
        }
    }
    c->result =
        FGI_GROW(c->allocator, c->table.items, c->table.capacity, c->table.count + 1, FG_NONE);
    if (c->result != FG_OK) {
        return false;
    }
    c->table.items[c->table.count++] = *bin;
    return true;
}

/* What a view shows of a bin's row, beside the bin, so that views need not touch the spans. */
static enum fg_result describe(const struct fg_trace *trace, struct fgi_bin *bins, size_t count)
{
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    for (size_t i = 0; i < count; i++) {
        struct fgi_bin *bin = &bins[i];
        if (bin->is_described) {
            continue;
        }
        if (!fgi_cursor_at(&cursor, bin->row)) {
            break;
        }
        uint32_t at = bin->row - cursor.first_row;
        bin->name = cursor.block->name[at];
        bin->category = fgi_block_extra(cursor.block, FGI_COLUMN_CATEGORY, at);
        bin->classes = cursor.block->classes[at];
        bin->status = cursor.block->status[at];
        bin->is_described = 1;
    }
    fgi_cursor_finish(&cursor);
    return cursor.result;
}

/* Keep what was collected, in the memory that it needs. */
static enum fg_result store_level(const struct fg_trace *trace, struct fgi_index *index,
                                  unsigned level, struct collector *c)
{
    enum fg_result result = c->result;
    if (result == FG_OK) {
        result = describe(trace, c->table.items, c->table.count);
    }
    if (result == FG_OK && c->table.count > 0) {
        struct fgi_bin *bins = fgi_malloc(c->allocator, c->table.count * sizeof *bins);
        if (bins) {
            memcpy(bins, c->table.items, c->table.count * sizeof *bins);
            index->levels[level].bins = bins;
            index->levels[level].count = c->table.count;
            index->stored_levels |= UINT64_C(1) << level;
        } else {
            result = FG_ERR_NO_MEMORY;
        }
    }
    fgi_free(c->allocator, c->table.items, c->table.capacity * sizeof *c->table.items);
    return result;
}

static void index_destroy(const struct fg_allocator *allocator, struct fgi_index *index)
{
    for (unsigned k = 0; k < 64; k++) {
        fgi_free(allocator, index->levels[k].bins,
                 index->levels[k].count * sizeof *index->levels[k].bins);
    }
    fgi_free(allocator, index, sizeof *index);
}

/* ---- making an index ------------------------------------------------------------------------- */

struct making {
    const struct fgi_engine_cpu *cpu;
    const struct fgi_row_set *set;
    struct fgi_lanes lanes;
    struct fgi_index *index;
};

/*
 * The finest level at which the spans start in at most one bin for FGI_BIN_ENTRIES of them: two
 * neighbours are in different bins of level k when their starts differ in bit k or above.
 */
static enum fg_result choose_base(struct making *m)
{
    struct fgi_row_stream stream;
    struct fgi_stream_head head;
    uint64_t differing[64] = { 0 };
    bool has_previous = false;
    int64_t previous = 0;
    enum fg_result result = fgi_row_stream_open(&stream, m->cpu->allocator, m->cpu->engine.trace,
                                                m->set, &m->lanes, FG_TIME_MIN, NULL, 0, 0);
    while (result == FG_OK && fgi_row_stream_next(&stream, &head)) {
        uint64_t difference = (uint64_t)head.start ^ (uint64_t)previous;
        if (has_previous && difference != 0) {
            unsigned bit = 63;
            while (!(difference >> bit)) {
                bit--;
            }
            differing[bit]++;
        }
        has_previous = true;
        previous = head.start;
    }
    enum fg_result closed = fgi_row_stream_close(&stream);
    uint64_t bins = 1;
    unsigned base = 63;
    while (base > 0 && (bins + differing[base] + differing[base - 1]) <=
                           m->index->span_count / FGI_BIN_ENTRIES) {
        bins += differing[base];
        base--;
    }
    m->index->base = base;
    return result != FG_OK ? result : closed;
}

static enum fg_result make_base(struct making *m)
{
    struct collector c = { .allocator = m->cpu->allocator };
    struct fgi_bin_sink sink = { collect, &c };
    struct fgi_bin_maker maker;
    struct fgi_row_stream stream;
    struct fgi_stream_head head;
    fgi_bin_maker_init(&maker, m->cpu->allocator, m->index->base, &sink);
    enum fg_result result = fgi_row_stream_open(&stream, m->cpu->allocator, m->cpu->engine.trace,
                                                m->set, &m->lanes, FG_TIME_MIN, NULL, 0, 0);
    while (result == FG_OK && !maker.stopped && fgi_row_stream_next(&stream, &head)) {
        fgi_bin_maker_add(&maker, head.row, head.start, head.end);
    }
    enum fg_result made = fgi_bin_maker_finish(&maker);
    enum fg_result closed = fgi_row_stream_close(&stream);
    c.result = c.result != FG_OK ? c.result : result;
    c.result = c.result != FG_OK ? c.result : made;
    c.result = c.result != FG_OK ? c.result : closed;
    return store_level(m->cpu->engine.trace, m->index, m->index->base, &c);
}

static size_t count_merged(const struct fgi_bin *bins, size_t count, unsigned shift)
{
    size_t merged = count > 0;
    for (size_t i = 1; i < count; i++) {
        merged += bins[i].index >> shift != bins[i - 1].index >> shift;
    }
    return merged;
}

static enum fg_result make_coarser(struct making *m)
{
    struct fgi_index *index = m->index;
    unsigned last = index->base;
    for (unsigned k = index->base + 1; k < 64 && index->levels[last].count > 1; k++) {
        const struct fgi_bin *bins = index->levels[last].bins;
        size_t count = index->levels[last].count;
        size_t merged = count_merged(bins, count, k - last);
        if (merged > count / 4 * 3 && k - last < LEVEL_STRIDE_MAX) {
            continue;
        }
        struct collector c = { .allocator = m->cpu->allocator };
        c.result = FGI_GROW(c.allocator, c.table.items, c.table.capacity, merged, FG_NONE);
        const struct fgi_bin *previous;
        struct fgi_bin bin;
        struct fgi_bin_cursor cursor =
            fgi_bin_cursor_make(bins, count, last, k - last, INT64_MIN, &previous);
        while (c.result == FG_OK && fgi_bin_cursor_next(&cursor, &bin)) {
            (void)collect(&c, &bin);
        }
        enum fg_result result = store_level(m->cpu->engine.trace, index, k, &c);
        if (result != FG_OK) {
            return result;
        }
        last = k;
    }
    return FG_OK;
}

/* Below the base: the halves of dense bins, as far as they are dense themselves. */
static enum fg_result make_finer(struct making *m)
{
    struct fgi_index *index = m->index;
    for (unsigned k = index->base; k-- > 0;) {
        struct collector c = { .allocator = m->cpu->allocator, .only_dense = true };
        struct fgi_bin_sink sink = { collect, &c };
        for (size_t i = 0; i < index->levels[k + 1].count && c.result == FG_OK; i++) {
            const struct fgi_bin *parent = &index->levels[k + 1].bins[i];
            if (parent->starts > FGI_BIN_ENTRIES) {
                /* Not parent->index << 1: a shift of a negative number is not defined. */
                c.first = parent->index * 2;
                c.last = c.first + 1;
                enum fg_result result =
                    fgi_index_read(m->cpu, index, m->set, &m->lanes, k, c.first, c.last, &sink);
                c.result = c.result != FG_OK ? c.result : result;
            }
        }
        size_t count = c.table.count;
        enum fg_result result = store_level(m->cpu->engine.trace, index, k, &c);
        if (result != FG_OK || count == 0) {
            return result;
        }
    }
    return FG_OK;
}

static enum fg_result index_make(const struct fgi_engine_cpu *cpu, const struct fgi_row_set *set,
                                 const struct fgi_lanes *lanes, struct fgi_index **out_index)
{
    struct fgi_index *index = fgi_calloc(cpu->allocator, 1, sizeof *index);
    if (!index) {
        return FG_ERR_NO_MEMORY;
    }
    struct making m = { .cpu = cpu, .set = set, .lanes = *lanes, .index = index };
    for (uint32_t i = 0; i < lanes->count; i++) {
        uint32_t lane = fgi_lane_at(lanes, i);
        index->span_count += set->lane_first[lane + 1] - set->lane_first[lane];
    }
    index->base = 64;
    if (index->span_count > FGI_BIN_ENTRIES) {
        enum fg_result (*const steps[])(struct making *) = { choose_base, make_base, make_coarser,
                                                             make_finer };
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            enum fg_result result = steps[i](&m);
            if (result != FG_OK) {
                index_destroy(cpu->allocator, index);
                return result;
            }
        }
    }
    *out_index = index;
    return FG_OK;
}

enum fg_result fgi_index_get(struct fgi_engine_cpu *cpu, struct fgi_population *population,
                             uint32_t kind, uint32_t index, const struct fgi_index **out_index)
{
    uint64_t key = (uint64_t)kind << 32 | index;
    uint32_t position = 0;
    if (fgi_map64_get(&population->map, key, &position)) {
        *out_index = population->indexes.items[position];
        return FG_OK;
    }
    struct fgi_lanes lanes = fgi_target_lanes(cpu, kind, index);
    struct fgi_index *made = NULL;
    enum fg_result result =
        FGI_GROW(cpu->allocator, population->indexes.items, population->indexes.capacity,
                 population->indexes.count + 1, FG_NONE - 1);
    if (result == FG_OK) {
        result = index_make(cpu, &population->set, &lanes, &made);
    }
    if (result == FG_OK) {
        population->map.allocator = cpu->allocator;
        result = fgi_map64_put(&population->map, key, (uint32_t)population->indexes.count);
    }
    if (result != FG_OK) {
        if (made) {
            index_destroy(cpu->allocator, made);
        }
        return result;
    }
    population->indexes.items[population->indexes.count++] = made;
    *out_index = made;
    return FG_OK;
}

void fgi_population_finish(struct fgi_engine_cpu *cpu, struct fgi_population *population)
{
    for (size_t i = 0; i < population->indexes.count; i++) {
        index_destroy(cpu->allocator, population->indexes.items[i]);
    }
    fgi_free(cpu->allocator, population->indexes.items,
             population->indexes.capacity * sizeof *population->indexes.items);
    fgi_map64_finish(&population->map);
}

/* ---- reading a level ------------------------------------------------------------------------- */

/* Between spans and their reader: bins that are stored as dense take the place of made ones. */
struct replacing {
    const struct fgi_bin *dense;
    size_t dense_count;
    size_t at;
    const struct fgi_bin_sink *sink;
    int64_t last;
};

static bool replace_dense(void *context, const struct fgi_bin *bin)
{
    struct replacing *r = context;
    struct fgi_bin copy = *bin;
    while (r->at < r->dense_count && r->dense[r->at].index < bin->index) {
        r->at++;
    }
    if (r->at < r->dense_count && r->dense[r->at].index == bin->index) {
        copy = r->dense[r->at];
        copy.run = bin->run;
    }
    return r->sink->put(r->sink->context, &copy) && bin->index <= r->last;
}

static enum fg_result read_spans(const struct fgi_engine_cpu *cpu, const struct fgi_index *index,
                                 const struct fgi_row_set *set, const struct fgi_lanes *lanes,
                                 unsigned level, int64_t first, int64_t last,
                                 const struct fgi_bin_sink *sink)
{
    const struct fgi_bin *dense = index->levels[level].bins;
    size_t dense_count = level < index->base ? index->levels[level].count : 0;
    if (dense_count > 0) {
        const struct fgi_bin *previous;
        struct fgi_bin_cursor cursor =
            fgi_bin_cursor_make(dense, dense_count, level, 0, first, &previous);
        dense = cursor.at;
        dense_count = (size_t)(cursor.end - dense);
    }
    struct replacing r = { dense, dense_count, 0, sink, last };
    struct fgi_bin_sink replaced = { replace_dense, &r };
    struct fgi_bin_maker maker;
    struct fgi_row_stream stream;
    struct fgi_stream_head head;
    fgi_bin_maker_init(&maker, cpu->allocator, level, &replaced);
    int64_t from = (int64_t)((uint64_t)first << level); /* a bin in use: it fits */
    enum fg_result result = fgi_row_stream_open(&stream, cpu->allocator, cpu->engine.trace, set,
                                                lanes, from, dense, dense_count, level);
    while (result == FG_OK && !maker.stopped && fgi_row_stream_next(&stream, &head)) {
        fgi_bin_maker_add(&maker, head.row, head.start, head.end);
    }
    enum fg_result made = fgi_bin_maker_finish(&maker);
    enum fg_result closed = fgi_row_stream_close(&stream);
    result = result != FG_OK ? result : made;
    return result != FG_OK ? result : closed;
}

enum fg_result fgi_index_read(const struct fgi_engine_cpu *cpu, const struct fgi_index *index,
                              const struct fgi_row_set *set, const struct fgi_lanes *lanes,
                              unsigned level, int64_t first, int64_t last,
                              const struct fgi_bin_sink *sink)
{
    if (index->span_count == 0) {
        return FG_OK;
    }
    if (level < index->base) {
        return read_spans(cpu, index, set, lanes, level, first, last, sink);
    }
    unsigned stored = level;
    while (!(index->stored_levels >> stored & 1)) {
        stored--; /* ends at the base */
    }
    const struct fgi_bin *previous;
    struct fgi_bin bin;
    struct fgi_bin_cursor cursor =
        fgi_bin_cursor_make(index->levels[stored].bins, index->levels[stored].count, stored,
                            level - stored, first, &previous);
    if (previous) { /* its run may reach into the range; its other values are not complete */
        bin = *previous;
        bin.index >>= level - stored;
        if (!sink->put(sink->context, &bin)) {
            return FG_OK;
        }
    }
    while (fgi_bin_cursor_next(&cursor, &bin)) {
        if (!sink->put(sink->context, &bin) || bin.index > last) {
            return FG_OK;
        }
    }
    return FG_OK;
}
