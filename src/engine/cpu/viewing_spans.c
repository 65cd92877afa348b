/* SPDX-License-Identifier: MIT */
/* Spans of a view: all that meet the window, or the wide ones. */
#include "base/alloc.h"
#include "engine/cpu/viewing.h"

static bool put_span(struct fgi_viewing *v, uint32_t row)
{
    if (v->span_count >= v->request->max_spans) {
        v->is_full = true;
        return false;
    }
    if (v->span_count == v->span_capacity &&
        !FGI_VIEWING_GROW(v, v->spans, v->span_capacity, v->span_count + 1)) {
        return false;
    }
    if (!fgi_cursor_at(&v->cursor, row)) {
        v->result = v->cursor.result;
        return false;
    }
    fgi_trace_fill_span(v->cpu->engine.trace, v->cursor.block, row - v->cursor.first_row,
                        &v->spans[v->span_count++]);
    v->visits.spans++;
    return true;
}

/* Spans of a lane do not overlap: of those that start before the window only the last meets it. */
static void put_lane(struct fgi_viewing *v)
{
    int64_t a = v->request->start_ns;
    int64_t b = v->request->end_ns;
    uint32_t lane = fgi_lane_at(&v->lanes, 0);
    const uint32_t *rows = v->population->set.rows + v->population->set.lane_first[lane];
    uint32_t i = fgi_index_position(&v->reader, v->index, lane, a);
    i -= i > 0;
    for (; i < v->index->span_count && v->cursor.result == FG_OK; i++) {
        if (!fgi_cursor_at(&v->cursor, rows[i])) {
            break;
        }
        int64_t start = fgi_cursor_start(&v->cursor, rows[i]);
        v->visits.spans++;
        if (start >= b) {
            break;
        }
        if (fgi_meets(start, fgi_cursor_end(&v->cursor, rows[i]), a, b) && !put_span(v, rows[i])) {
            return;
        }
    }
    v->result = v->result != FG_OK ? v->result : v->cursor.result;
}

static void put_lanes(struct fgi_viewing *v)
{
    int64_t a = v->request->start_ns;
    int64_t b = v->request->end_ns;
    struct fgi_row_stream stream;
    struct fgi_stream_head head;
    const struct fgi_row_source source = { v->allocator, v->cpu->engine.trace,
                                           &v->population->set };
    v->result = fgi_row_stream_open(&stream, &source, &v->lanes, a, NULL);
    while (v->result == FG_OK && fgi_row_stream_next(&stream, &head) && head.start < b) {
        if (fgi_meets(head.start, head.end, a, b) && !put_span(v, head.row)) {
            break;
        }
    }
    enum fg_result closed = fgi_row_stream_close(&stream);
    v->visits.spans += stream.spans;
    v->visits.steps += stream.steps;
    v->result = v->result != FG_OK ? v->result : closed;
}

void fgi_viewing_put_spans(struct fgi_viewing *v)
{
    if (v->index->span_count == 0) {
        return;
    }
    if (v->lanes.count == 1) {
        put_lane(v);
    } else {
        put_lanes(v);
    }
}

/* ---- wide spans ------------------------------------------------------------------------------ */

/* Remember a row that is wide and meets the window. */
static void see_wide(struct fgi_viewing *v, uint32_t row)
{
    if (v->result != FG_OK || (v->wide_count > 0 && v->wide[v->wide_count - 1] == row)) {
        return;
    }
    if (!fgi_cursor_at(&v->cursor, row)) {
        v->result = v->cursor.result;
        return;
    }
    int64_t start = fgi_cursor_start(&v->cursor, row);
    int64_t end = fgi_cursor_end(&v->cursor, row);
    v->visits.spans++;
    if (fgi_duration(start, end) < v->wide_ns ||
        !fgi_meets(start, end, v->request->start_ns, v->request->end_ns)) {
        return;
    }
    if (!FGI_VIEWING_GROW(v, v->wide, v->wide_capacity, v->wide_count + 1)) {
        return;
    }
    v->wide[v->wide_count++] = row;
}

static void see_wide_bins(struct fgi_viewing *v)
{
    for (uint32_t i = 0; i < v->bins_count; i++) {
        if (v->bins[i].longest_ns >= v->wide_ns) {
            see_wide(v, v->bins[i].row);
        }
    }
}

/*
 * Wide spans are at least four pixels, so more than two bins wide: a lane's is the longest of a bin
 * of the window, unless it only reaches into the window's first or last bin. They come in order.
 */
static void see_wide_of_lane(struct fgi_viewing *v)
{
    uint32_t lane = fgi_lane_at(&v->lanes, 0);
    const uint32_t *rows = v->population->set.rows + v->population->set.lane_first[lane];
    uint32_t at = fgi_index_position(&v->reader, v->index, lane, v->request->start_ns);
    uint32_t to = fgi_index_position(&v->reader, v->index, lane, v->request->end_ns);
    if (v->cursor.result == FG_OK && at > 0) {
        see_wide(v, rows[at - 1]);
    }
    see_wide_bins(v);
    if (v->cursor.result == FG_OK && to > at) {
        see_wide(v, rows[to - 1]);
    }
}

static bool wide_before(void *context, uint32_t a, uint32_t b)
{
    struct fgi_viewing *v = context;
    int64_t start[2], end[2];
    uint32_t rows[2] = { a, b };
    for (int i = 0; i < 2; i++) {
        if (!fgi_cursor_at(&v->cursor, rows[i])) {
            return false;
        }
        start[i] = fgi_cursor_start(&v->cursor, rows[i]);
        end[i] = fgi_cursor_end(&v->cursor, rows[i]);
    }
    if (start[0] != start[1]) {
        return start[0] < start[1];
    }
    return end[0] != end[1] ? end[0] > end[1] : a < b;
}

void fgi_viewing_put_wide(struct fgi_viewing *v)
{
    v->wide_count = 0;
    if (v->index->span_count == 0) {
        return;
    }
    if (v->lanes.count == 1) {
        see_wide_of_lane(v);
    } else {
        see_wide_bins(v);
        if (v->result == FG_OK) {
            v->result = fgi_sort_u32(v->allocator, v->wide, v->wide_count, wide_before, v);
        }
    }
    if (v->result == FG_OK) {
        v->result = v->cursor.result;
    }
    for (size_t i = 0; i < v->wide_count && v->result == FG_OK; i++) {
        if ((i == 0 || v->wide[i] != v->wide[i - 1]) && !put_span(v, v->wide[i])) {
            return;
        }
    }
}
