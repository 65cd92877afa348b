/* SPDX-License-Identifier: MIT */
/*
 * Paths by parents: every row points upwards, and knows the time and the steps from it to where it
 * points, that row's own time left out. What it points to then points twice as far.
 */
#ifndef FG_FOREST_GLSL
#define FG_FOREST_GLSL
#include "gpu_table.glsl"

const uint FOREST_NO_PARENT = 0xfffffffeu;  /* a parent that is no row */
const uint FOREST_SATURATED = 0x80000000u;  /* of hops: the time has reached its limit */
const uint FOREST_HOPS = 0x7fffffffu;

/** struct fgi_gpu_forest_words. */
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer forest_words {
    fg_column passing; /* a bit for each row; none = all */
    fg_column figure_slacks;
    fg_column figure_earliest;
    fg_column figure_latest;
    fg_column figure_predecessors;
    uvec2 start_ns;
    uvec2 end_ns;
    uvec2 length_ns; /* of the longest path: for figures */
    uvec2 length_at; /* where that is; 0 = it is told */
};

/** struct fgi_gpu_forest_counts. */
layout(buffer_reference, std430, buffer_reference_align = 4) buffer forest_counts {
    uint rows;
    uint links;
    uint left_out;
    uint invalid;
    uint max_hops;
    uint is_saturated;
    uint circle; /* inverse of the lowest row that is on a circle or hangs on one */
};

/* struct forest_push of gpu_forest.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    forest_words words;
    forest_counts counts;
    uvec2 reserved;
    fg_column up; /* by row, a pair: where it points, and the steps to there */
    fg_column times;
    fg_column new_up;
    fg_column new_times;
} args;

bool forest_is_part(uint row)
{
    return (!fg_is_there(args.words.passing) || fg_mask_bit(args.words.passing, row)) &&
           fg_meets(fg_u64_at(args.trace.start, row), fg_u64_at(args.trace.end, row),
                    u64_of(args.words.start_ns), u64_of(args.words.end_ns));
}
u64 forest_own(uint row)
{
    return u64_sub(fg_u64_at(args.trace.end, row), fg_u64_at(args.trace.start, row));
}
/** Of a row that takes part: a parent that does not is none. */
uint forest_parent(uint row)
{
    uint parent = fg_u32_at(args.trace.parent, row);
    if (parent >= args.trace.row_count) {
        return parent == FG_NO_ROW ? FG_NO_ROW : FOREST_NO_PARENT;
    }
    return forest_is_part(parent) ? parent : FG_NO_ROW;
}

#endif
