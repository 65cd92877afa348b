/* SPDX-License-Identifier: MIT */
#include "convert/track_rows.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "trace/model.h"

struct order {
    const struct fgi_track_row *rows;
};

static bool row_before(void *context, uint32_t a, uint32_t b)
{
    const struct order *order = context;
    const struct fgi_track_row *x = &order->rows[a], *y = &order->rows[b];
    if (x->start_ns != y->start_ns) {
        return x->start_ns < y->start_ns;
    }
    if (x->end_ns != y->end_ns) {
        return x->end_ns > y->end_ns;
    }
    return x->depth != y->depth ? x->depth < y->depth : x->row < y->row;
}

static enum fg_result read_rows(const struct fg_trace *trace, const struct fg_trace_track *track,
                                struct fgi_track_row *rows)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < track->lane_count; i++) {
        uint32_t lane = track->first_lane + i;
        for (uint32_t at = trace->lane_first[lane]; at < trace->lane_first[lane + 1]; at++) {
            struct fg_trace_span span;
            uint32_t got = 0;
            enum fg_result result = fg_trace_spans(trace, trace->lane_rows[at], &span, 1, &got);
            if (result != FG_OK) {
                return result;
            }
            rows[count++] = (struct fgi_track_row){
                .start_ns = span.start_ns,
                .end_ns = span.end_ns,
                .row = span.row,
                .name = span.name,
                .parent = span.parent, /* a row so far */
                .depth = span.depth,
                .is_complete = !fgi_is_unfinished((uint8_t)span.status),
            };
        }
    }
    return FG_OK;
}

/* Rows in their order, and parents as positions in it. */
static enum fg_result arrange(const struct fg_allocator *allocator,
                              const struct fgi_track_row *rows, uint32_t count, uint32_t *order,
                              struct fgi_track_row *out)
{
    struct fgi_map64 position_of = { .allocator = allocator };
    struct order context = { rows };
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    enum fg_result result = fgi_sort_u32(allocator, order, count, row_before, &context);
    for (uint32_t i = 0; i < count && result == FG_OK; i++) {
        uint32_t parent = FG_NONE;
        out[i] = rows[order[i]];
        (void)fgi_map64_get(&position_of, out[i].parent, &parent);
        out[i].parent = parent;
        result = fgi_map64_put(&position_of, out[i].row, i);
    }
    fgi_map64_finish(&position_of);
    return result;
}

enum fg_result fgi_track_rows(const struct fgi_export *work, uint32_t track,
                              struct fgi_track_row **out_rows, uint32_t *out_count)
{
    const struct fg_trace_track *about = fg_trace_track(work->trace, track);
    size_t room = about->span_count + (size_t)1;
    struct fgi_track_row *rows = fgi_malloc(work->allocator, room * sizeof *rows);
    struct fgi_track_row *out = fgi_malloc(work->allocator, room * sizeof *out);
    uint32_t *order = fgi_malloc(work->allocator, room * sizeof *order);
    enum fg_result result = rows != NULL && out != NULL && order != NULL ? FG_OK : FG_ERR_NO_MEMORY;
    if (result == FG_OK) {
        result = read_rows(work->trace, about, rows);
    }
    if (result == FG_OK) {
        result = arrange(work->allocator, rows, about->span_count, order, out);
    }
    fgi_free(work->allocator, order, room * sizeof *order);
    fgi_free(work->allocator, rows, room * sizeof *rows);
    if (result != FG_OK) {
        fgi_free(work->allocator, out, room * sizeof *out);
        return result;
    }
    *out_rows = out;
    *out_count = about->span_count;
    return FG_OK;
}
