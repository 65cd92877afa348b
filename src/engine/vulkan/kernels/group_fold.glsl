/* SPDX-License-Identifier: MIT */
/* Lines that merge the lanes of a track or of a process. */
#ifndef FG_GROUP_FOLD_GLSL
#define FG_GROUP_FOLD_GLSL
#include "gpu_table.glsl"

/* struct fgi_gpu_fold_table of gpu_view_fold.h */
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer fg_fold_table {
    fg_column rows;  /* by group; start, longer first, row */
    fg_column start; /* by position */
    fg_column reach; /* greatest end of the group's spans before each position, and behind the last */
    fg_column sums;  /* how much time those before each position cover */
    fg_column first; /* first position of each group, and the end */
    uint count;
    uint group_count;
    uint kind; /* enum fg_view_kind */
    uint reserved;
};

const uint FG_KIND_LANE = 0u;
const uint FG_KIND_TRACK = 1u;
const uint FG_KIND_PROCESS = 2u;

/** The group of a row; those of no group come behind all others. */
uint fg_fold_group(fg_trace_table trace, fg_fold_table fold, uint row)
{
    uint lane = fg_u32_at(trace.lane, row);
    if (lane >= trace.lane_count) {
        return fold.group_count;
    }
    uvec4 of = fg_quad_at(trace.lanes, lane);
    return min(fold.kind == FG_KIND_TRACK ? of.x : of.y, fold.group_count);
}

/** Time before `time` that spans at positions [first, at) of one group cover: these start before it, so
 *  that what the furthest reaches beyond it is covered from there on. */
u64 fg_fold_covered(fg_fold_table fold, uint first, uint at, u64 time)
{
    u64 sum = fg_u64_at(fold.sums, at);
    if (at > first) {
        u64 reach = fg_u64_at(fold.reach, at);
        if (u64_less_signed(time, reach)) {
            sum = u64_sub(sum, u64_sub(reach, time));
        }
    }
    return sum;
}

/** Position in [first, last) of a row that is there. */
uint fg_fold_place(fg_trace_table trace, fg_fold_table fold, uint first, uint last, uint row)
{
    u64 start = fg_u64_at(trace.start, row);
    u64 end = fg_u64_at(trace.end, row);
    while (first < last) {
        uint middle = first + (last - first) / 2u;
        u64 other = fg_u64_at(fold.start, middle);
        bool is_before = u64_less_signed(other, start);
        if (u64_equal(other, start)) {
            uint other_row = fg_u32_at(fold.rows, middle);
            u64 other_end = fg_u64_at(trace.end, other_row);
            is_before = u64_equal(other_end, end) ? other_row < row : u64_less_signed(end, other_end);
        }
        if (is_before) {
            first = middle + 1u;
        } else {
            last = middle;
        }
    }
    return first;
}

#endif
