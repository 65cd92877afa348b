/* SPDX-License-Identifier: MIT */
/*
 * A trace on the device: what kernels get the address of. The layouts are those of gpu_columns.h.
 */
#ifndef FG_GPU_TABLE_GLSL
#define FG_GPU_TABLE_GLSL
#include "prelude.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer fg_trace_table {
    /* by row */
    fg_column start;
    fg_column end;
    fg_column lane;
    fg_column kind;
    fg_column parent;
    fg_column frame; /* this and the next two may be absent: FG_NO_ROW in each row */
    fg_column pass;
    fg_column scope;
    fg_column lane_rows; /* rows in lane order */
    fg_column kinds;     /* name, category, classes | status << 16, 0 */
    fg_column lanes;     /* track, process, clock, depth */
    fg_column tracks;    /* process, clock, first lane, lanes */
    uint row_count;
    uint lane_count;
    uint track_count;
    uint kind_count;
    uint process_count;
    uint clock_count;
    uint resident_rows; /* from row 0 */
    uint reserved;
};

/** Of a column that may be absent. */
uint fg_optional_at(fg_column column, uint row)
{
    return fg_is_there(column) ? fg_u32_at(column, row) : FG_NO_ROW;
}

const uint FG_BATCH_ROWS = 256u;
const uint FG_BATCH_FAN = 16u;
const uint FG_BATCH_QUADS = 3u;

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer fg_population_table {
    fg_column rows;       /* row at each position */
    fg_column start;      /* by position */
    fg_column end;        /* by position */
    fg_column prefix;     /* durations before each position, and of all */
    fg_column lane_first; /* first position of each lane, and the end */
    fg_column batches;    /* three quads each */
    fg_column durations;  /* by position; with a range maximum only */
    fg_column nodes;      /* of the range maximum */
    uint count;
    uint batch_count;
    uint level_count;
    uint reserved;
    uint level_first[8];
};

/** struct fg_gpu_batch. */
struct fg_batch {
    u64 least_start;
    u64 greatest_end;
    u64 longest;
    uint any_classes;
    uint all_classes;
    uint first_lane;
    uint end_lane;
    uint statuses;
    uint faults;
};
fg_batch fg_batch_at(fg_column batches, uint batch)
{
    uvec4 a = fg_quad_at(batches, batch * FG_BATCH_QUADS);
    uvec4 b = fg_quad_at(batches, batch * FG_BATCH_QUADS + 1u);
    uvec4 c = fg_quad_at(batches, batch * FG_BATCH_QUADS + 2u);
    return fg_batch(u64_of(a.xy), u64_of(a.zw), u64_of(b.xy), b.z, b.w, c.x, c.y, c.z, c.w);
}
void fg_batch_put(fg_column batches, uint batch, fg_batch value)
{
    fg_quad_put(batches, batch * FG_BATCH_QUADS,
                uvec4(u64_words(value.least_start), u64_words(value.greatest_end)));
    fg_quad_put(batches, batch * FG_BATCH_QUADS + 1u,
                uvec4(u64_words(value.longest), value.any_classes, value.all_classes));
    fg_quad_put(batches, batch * FG_BATCH_QUADS + 2u,
                uvec4(value.first_lane, value.end_lane, value.statuses, value.faults));
}

/** The one rule of all windows: a span meets [a, b). */
bool fg_meets(u64 start, u64 end, u64 a, u64 b)
{
    if (u64_equal(start, end)) {
        return !u64_less_signed(start, a) && u64_less_signed(start, b);
    }
    return u64_less_signed(start, b) && u64_less_signed(a, end);
}
/** Whether some span of a batch may meet [a, b): one without length may lie at `a`. */
bool fg_batch_meets(fg_batch batch, u64 a, u64 b)
{
    return u64_less_signed(batch.least_start, b) && !u64_less_signed(batch.greatest_end, a);
}

/** First place in [first, last) of times that ascend which is not before a time. */
uint fg_lower(fg_column times, uint first, uint last, u64 time)
{
    while (first < last) {
        uint middle = first + (last - first) / 2u;
        if (u64_less_signed(fg_u64_at(times, middle), time)) {
            first = middle + 1u;
        } else {
            last = middle;
        }
    }
    return first;
}
/** First position in [first, last) of a population that does not start before a time. */
uint fg_population_lower(fg_population_table population, uint first, uint last, u64 time)
{
    return fg_lower(population.start, first, last, time);
}

#endif
