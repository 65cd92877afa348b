/* SPDX-License-Identifier: MIT */
#include "engine/cpu/row_stream.h"
#include "base/alloc.h"

static bool head_before(const struct fgi_stream_head *a, const struct fgi_stream_head *b)
{
    if (a->start != b->start) {
        return a->start < b->start;
    }
    return a->end != b->end ? a->end > b->end : a->row < b->row;
}

static bool is_dense(const struct fgi_row_stream *stream, int64_t bin)
{
    uint32_t low = stream->dense.first, high = stream->dense.bins->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fgi_level_index(stream->dense.bins, middle) < bin) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < stream->dense.bins->count && fgi_level_index(stream->dense.bins, low) == bin;
}

/* First position after `low` whose span starts in a later bin: steps that double, then halves. */
static uint32_t skip_bin(struct fgi_row_stream *stream, uint32_t low, uint32_t limit, int64_t bin)
{
    uint32_t step = 1;
    uint32_t high = limit;
    uint64_t *steps = &stream->steps;
    while (low + step < limit && step < limit) {
        ++*steps;
        if (!fgi_cursor_at(&stream->cursor, stream->set->rows[low + step])) {
            return limit;
        }
        int64_t start = fgi_cursor_start(&stream->cursor, stream->set->rows[low + step]);
        if (fgi_first_bin(start, stream->dense.level) > bin) {
            high = low + step;
            break;
        }
        low += step;
        step *= 2;
    }
    low++;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        ++*steps;
        if (!fgi_cursor_at(&stream->cursor, stream->set->rows[middle])) {
            return limit;
        }
        int64_t start = fgi_cursor_start(&stream->cursor, stream->set->rows[middle]);
        if (fgi_first_bin(start, stream->dense.level) > bin) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Read the span at the head's position; in a dense bin, the last one of the bin. */
static bool load_head(struct fgi_row_stream *stream, struct fgi_stream_head *head)
{
    if (head->position >= head->limit) {
        return false;
    }
    head->row = stream->set->rows[head->position];
    if (!fgi_cursor_at(&stream->cursor, head->row)) {
        return false;
    }
    stream->spans++;
    head->start = fgi_cursor_start(&stream->cursor, head->row);
    if (stream->dense.bins) {
        int64_t bin = fgi_first_bin(head->start, stream->dense.level);
        if (is_dense(stream, bin)) {
            head->position = skip_bin(stream, head->position, head->limit, bin) - 1;
            head->row = stream->set->rows[head->position];
            if (!fgi_cursor_at(&stream->cursor, head->row)) {
                return false;
            }
            head->start = fgi_cursor_start(&stream->cursor, head->row);
        }
    }
    head->end = fgi_cursor_end(&stream->cursor, head->row);
    return true;
}

static void sift_down(struct fgi_row_stream *stream, size_t i)
{
    struct fgi_stream_head *heads = stream->heads;
    struct fgi_stream_head item = heads[i];
    size_t count = stream->head_count;
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && head_before(&heads[child + 1], &heads[child])) {
            child++;
        }
        if (!head_before(&heads[child], &item)) {
            break;
        }
        heads[i] = heads[child];
        i = child;
    }
    heads[i] = item;
}

enum fg_result fgi_row_stream_open(struct fgi_row_stream *stream,
                                   const struct fgi_row_source *source,
                                   const struct fgi_lanes *lanes, int64_t from_ns,
                                   const struct fgi_dense_bins *dense)
{
    const struct fgi_row_set *set = source->set;
    *stream = (struct fgi_row_stream){
        .allocator = source->allocator,
        .cursor = fgi_trace_cursor(source->trace),
        .set = set,
        .dense = dense ? *dense : (struct fgi_dense_bins){ 0 },
    };
    if (lanes->count == 0) {
        return FG_OK;
    }
    enum fg_result result =
        FGI_GROW(stream->allocator, stream->heads, stream->head_capacity, lanes->count, UINT32_MAX);
    if (result != FG_OK) {
        return result;
    }
    for (uint32_t i = 0; i < lanes->count && stream->cursor.result == FG_OK; i++) {
        uint32_t lane = fgi_lane_at(lanes, i);
        uint32_t first = set->lane_first[lane];
        struct fgi_stream_head head = { .position = first, .limit = set->lane_first[lane + 1] };
        if (from_ns != FG_TIME_MIN) {
            head.position = fgi_lower_bound_steps(&stream->cursor, set->rows, first, head.limit,
                                                  from_ns, &stream->steps);
            head.position -= head.position > first; /* it may reach into the window */
        }
        if (load_head(stream, &head)) {
            stream->heads[stream->head_count++] = head;
        }
    }
    for (size_t i = stream->head_count / 2; i-- > 0;) {
        sift_down(stream, i);
    }
    return stream->cursor.result;
}

bool fgi_row_stream_next(struct fgi_row_stream *stream, struct fgi_stream_head *out_head)
{
    if (stream->head_count == 0) {
        return false;
    }
    struct fgi_stream_head *top = &stream->heads[0];
    *out_head = *top;
    top->position++;
    if (!load_head(stream, top)) {
        stream->heads[0] = stream->heads[--stream->head_count];
    }
    if (stream->head_count > 1) {
        sift_down(stream, 0);
    }
    return stream->cursor.result == FG_OK;
}

enum fg_result fgi_row_stream_close(struct fgi_row_stream *stream)
{
    fgi_cursor_finish(&stream->cursor);
    fgi_free(stream->allocator, stream->heads, stream->head_capacity * sizeof *stream->heads);
    stream->heads = NULL;
    stream->head_count = 0;
    return stream->cursor.result;
}
