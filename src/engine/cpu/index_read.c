/* SPDX-License-Identifier: MIT */
/* Reading an index: from stored bins, or from the spans where bins are not worth storing. */
#include "engine/cpu/index.h"

uint32_t fgi_index_position(const struct fgi_index_reader *reader, const struct fgi_index *index,
                            uint32_t lane, int64_t time)
{
    if (index->span_count == 0) {
        return 0;
    }
    const struct fgi_level *level = fgi_index_level(index, index->base);
    int64_t bin = time >> index->base;
    uint32_t i = fgi_level_find(level, bin, &reader->visits->steps);
    if (i == level->count) {
        return index->span_count;
    }
    uint32_t low = fgi_level_position(level, i);
    if (fgi_level_index(level, i) != bin) {
        return low;
    }
    uint32_t first = reader->set->lane_first[lane];
    uint32_t high = low + fgi_level_starts(level, i);
    return fgi_lower_bound_steps(reader->cursor, reader->set->rows, first + low, first + high, time,
                                 &reader->visits->steps) -
           first;
}

/* ---- one lane, below the base ---------------------------------------------------------------- */

/* Stored dense bins, as they come up. */
struct dense_bins {
    const struct fgi_level *level; /* NULL: none */
    uint32_t at;
};

static struct dense_bins dense_from(const struct fgi_index_reader *reader,
                                    const struct fgi_index *index, unsigned level, int64_t first)
{
    struct dense_bins dense = { 0 };
    if (index->stored_levels >> level & 1) {
        dense.level = fgi_index_level(index, level);
        dense.at = fgi_level_find(dense.level, first, &reader->visits->steps);
    }
    return dense;
}

static bool is_dense(struct dense_bins *dense, int64_t bin)
{
    if (!dense->level) {
        return false;
    }
    while (dense->at < dense->level->count && fgi_level_index(dense->level, dense->at) < bin) {
        dense->at++;
    }
    return dense->at < dense->level->count && fgi_level_index(dense->level, dense->at) == bin;
}

/* A dense bin in the place of its spans, of which only the last is looked at; false: failure. */
static bool put_dense(const struct fgi_index_reader *reader, const struct fgi_index *index,
                      const struct dense_bins *dense, struct fgi_lane_maker *maker, uint32_t *i)
{
    struct fgi_bin bin;
    fgi_level_get(dense->level, &index->source, dense->at, &bin);
    *i = bin.position + bin.starts;
    uint32_t row = index->source.lane_rows[*i - 1];
    if (!fgi_cursor_at(reader->cursor, row)) {
        return false;
    }
    fgi_lane_maker_put(maker, &bin, row, fgi_cursor_start(reader->cursor, row),
                       fgi_cursor_end(reader->cursor, row));
    reader->visits->bins++;
    reader->visits->spans++;
    return true;
}

enum { AHEAD = 12 };

/* Rows of a lane lie apart: what is read next is on its way while others are looked at. */
static inline void fetch_ahead(const struct fgi_cursor *cursor, uint32_t row)
{
    uint32_t at = row - cursor->first_row;
    if (at < cursor->count) {
        const struct fgi_block *block = cursor->block;
        __builtin_prefetch(&block->start_ns[at]);
        __builtin_prefetch(&block->end_ns[at]);
    }
}

static enum fg_result read_lane(const struct fgi_index_reader *reader,
                                const struct fgi_index *index, uint32_t lane, unsigned level,
                                int64_t first, int64_t last, const struct fgi_bin_sink *sink)
{
    struct fgi_cursor *cursor = reader->cursor;
    const uint32_t *rows = index->source.lane_rows;
    struct fgi_lane_maker maker = { .level = level, .sink = *sink };
    struct dense_bins dense = dense_from(reader, index, level, first);
    int64_t from = (int64_t)((uint64_t)first << level); /* a bin in use: it fits */
    uint32_t i = fgi_index_position(reader, index, lane, from);
    uint32_t began = i;
    i -= i > 0; /* the one before may reach into the window */
    while (i < index->span_count && !maker.stopped) {
        uint32_t row = rows[i];
        if (!fgi_cursor_at(cursor, row)) {
            return cursor->result;
        }
        if (i + AHEAD < index->span_count) {
            fetch_ahead(cursor, rows[i + AHEAD]);
        }
        int64_t start = fgi_cursor_start(cursor, row);
        int64_t bin = fgi_first_bin(start, level);
        if (bin > last) {
            break;
        }
        if (i >= began && is_dense(&dense, bin)) {
            if (!put_dense(reader, index, &dense, &maker, &i)) {
                return cursor->result;
            }
            continue;
        }
        fgi_lane_maker_add(&maker, i++, row, start, fgi_cursor_end(cursor, row));
        reader->visits->spans++;
    }
    if (cursor->result == FG_OK) {
        fgi_lane_maker_finish(&maker);
    }
    return cursor->result;
}

/* ---- several lanes, below the base ----------------------------------------------------------- */

/* Between spans and their reader: bins that are stored as dense take the place of made ones. */
struct replacing {
    const struct fgi_index *index;
    struct dense_bins dense;
    const struct fgi_bin_sink *sink;
    struct fg_visits *visits;
    int64_t last;
};

static bool replace_dense(void *context, const struct fgi_bin *bin)
{
    struct replacing *r = context;
    struct fgi_bin known = *bin;
    if (is_dense(&r->dense, bin->index)) {
        fgi_level_get(r->dense.level, &r->index->source, r->dense.at, &known);
        known.run = bin->run;
        r->visits->bins++;
    }
    return r->sink->put(r->sink->context, &known) && bin->index <= r->last;
}

static enum fg_result read_lanes(const struct fgi_index_reader *reader,
                                 const struct fgi_index *index, const struct fgi_lanes *lanes,
                                 unsigned level, int64_t first, int64_t last,
                                 const struct fgi_bin_sink *sink)
{
    struct replacing r = { .index = index,
                           .dense = dense_from(reader, index, level, first),
                           .sink = sink,
                           .visits = reader->visits,
                           .last = last };
    struct fgi_bin_sink replaced = { replace_dense, &r };
    struct fgi_bin_maker maker;
    struct fgi_row_stream stream;
    struct fgi_stream_head head;
    fgi_bin_maker_init(&maker, reader->allocator, level, &replaced);
    int64_t from = (int64_t)((uint64_t)first << level); /* a bin in use: it fits */
    const struct fgi_row_source source = { reader->allocator, reader->trace, reader->set };
    const struct fgi_dense_bins dense = { r.dense.level, r.dense.at, level };
    enum fg_result result = fgi_row_stream_open(&stream, &source, lanes, from, &dense);
    while (result == FG_OK && !maker.stopped && fgi_row_stream_next(&stream, &head)) {
        fgi_bin_maker_add(&maker, head.row, head.start, head.end);
    }
    enum fg_result made = fgi_bin_maker_finish(&maker);
    enum fg_result closed = fgi_row_stream_close(&stream);
    reader->visits->spans += stream.spans;
    reader->visits->steps += stream.steps;
    result = result != FG_OK ? result : made;
    return result != FG_OK ? result : closed;
}

/* ---- stored bins ----------------------------------------------------------------------------- */

static void read_stored(const struct fgi_index_reader *reader, const struct fgi_index *index,
                        unsigned level, int64_t first, int64_t last,
                        const struct fgi_bin_sink *sink)
{
    unsigned stored = fgi_index_stored(index, level);
    struct fgi_level_cursor cursor = { .level = fgi_index_level(index, stored),
                                       .source = &index->source,
                                       .k = stored,
                                       .shift = level - stored,
                                       .run = FG_NONE };
    int64_t from = (int64_t)((uint64_t)first << cursor.shift);
    struct fgi_bin bin;
    cursor.at = fgi_level_find(cursor.level, from, &reader->visits->steps);
    uint32_t began = cursor.at;
    bool goes_on = true;
    if (began > 0) { /* its run may reach into the range; its other values are not complete */
        fgi_level_get(cursor.level, &index->source, --began, &bin);
        cursor.run = bin.run;
        bin.index >>= cursor.shift;
        goes_on = sink->put(sink->context, &bin);
    }
    while (goes_on && fgi_level_next(&cursor, &bin)) {
        goes_on = sink->put(sink->context, &bin) && bin.index <= last;
    }
    reader->visits->bins += cursor.at - began;
}

enum fg_result fgi_index_read(const struct fgi_index_reader *reader, const struct fgi_index *index,
                              const struct fgi_lanes *lanes, unsigned level, int64_t first,
                              int64_t last, const struct fgi_bin_sink *sink)
{
    if (index->span_count == 0) {
        return FG_OK;
    }
    if (level >= index->base) {
        read_stored(reader, index, level, first, last, sink);
        return FG_OK;
    }
    if (lanes->count == 1) {
        return read_lane(reader, index, fgi_lane_at(lanes, 0), level, first, last, sink);
    }
    return read_lanes(reader, index, lanes, level, first, last, sink);
}
