/* SPDX-License-Identifier: MIT */
/* Rows of several lanes in one order: by start, longer first, then row. */
#ifndef FGI_ROW_STREAM_H
#define FGI_ROW_STREAM_H
#include "engine/cpu/levels.h"

/** Which rows there are, by lane: all of a trace, or those that pass a filter. */
struct fgi_row_set {
    const uint32_t *rows;       /**< by lane; inside by start, longer first, row */
    const uint32_t *lane_first; /**< lanes + 1 positions */
};
/** The lanes of a target: `list`, or where it is NULL the lanes from `first` on. */
struct fgi_lanes {
    const uint32_t *list;
    uint32_t first, count;
};
static inline uint32_t fgi_lane_at(const struct fgi_lanes *lanes, uint32_t i)
{
    return lanes->list ? lanes->list[i] : lanes->first + i;
}

/** What rows are read of. */
struct fgi_row_source {
    const struct fg_allocator *allocator;
    const struct fg_trace *trace;
    const struct fgi_row_set *set;
};
/**
 * Bins whose spans need not be seen one by one: of each lane only the last one that starts in such
 * a bin comes, as it may reach beyond.
 */
struct fgi_dense_bins {
    const struct fgi_level *bins; /**< NULL: every span is seen */
    uint32_t first;               /**< no earlier bin matters */
    unsigned level;               /**< theirs */
};

struct fgi_stream_head {
    int64_t start, end;
    uint32_t row;
    uint32_t position, limit; /**< in the row set */
};
struct fgi_row_stream {
    const struct fg_allocator *allocator;
    struct fgi_cursor cursor;
    const struct fgi_row_set *set;
    struct fgi_stream_head *heads; /**< a heap */
    size_t head_count, head_capacity;
    struct fgi_dense_bins dense;
    uint64_t spans, steps; /**< looked at so far */
};

/**
 * Everything from the last span that starts before `from_ns` on; FG_TIME_MIN: all. The row set is
 * borrowed until the stream is closed; so are dense bins (NULL: none).
 */
FG_MUST_USE enum fg_result fgi_row_stream_open(struct fgi_row_stream *stream,
                                               const struct fgi_row_source *source,
                                               const struct fgi_lanes *lanes, int64_t from_ns,
                                               const struct fgi_dense_bins *dense);
/** False at the end, or on failure: see fgi_row_stream_close(). */
bool fgi_row_stream_next(struct fgi_row_stream *stream, struct fgi_stream_head *out_head);
/** Returns the first failure. */
enum fg_result fgi_row_stream_close(struct fgi_row_stream *stream);

#endif
