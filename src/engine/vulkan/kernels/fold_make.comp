/* SPDX-License-Identifier: MIT */
/*
 * How a fold is made. FG_FOLD_KEYS: the group of each row of an order by time. Sorted by these,
 * FG_FOLD_ENDS: starts, and of each position group and rank of its end in one number: the greatest
 * before a position is that of its group's spans, as groups ascend. FG_FOLD_SUMS: that as a time, and
 * what a span adds to the union of those before. FG_FOLD_FIRST: where each group begins.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_fold.glsl"

/* struct fold_push of gpu_view_fold.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_fold_table fold;
    fg_column rows;   /* by time */
    fg_column keys;   /* groups of these */
    fg_column by_end; /* rows */
    fg_column ranks;  /* by row, the place in by_end */
} args;

#ifdef FG_FOLD_FIRST
void main()
{
    uint group = fg_invocation_index();
    uint groups = args.fold.group_count;
    if (fg_group_index() > groups / FG_GROUP || group > groups) {
        return;
    }
    uint first = 0u;
    uint last = args.fold.count;
    while (first < last) {
        uint middle = first + (last - first) / 2u;
        if (fg_fold_group(args.trace, args.fold, fg_u32_at(args.fold.rows, middle)) < group) {
            first = middle + 1u;
        } else {
            last = middle;
        }
    }
    fg_u32_put(args.fold.first, group, first);
}
#else
#ifdef FG_FOLD_KEYS
void make(uint at)
{
    if (at < args.fold.count) {
        fg_u32_put(args.keys, at, fg_fold_group(args.trace, args.fold, fg_u32_at(args.rows, at)));
    }
}
#endif
#ifdef FG_FOLD_ENDS
void make(uint at)
{
    u64 end = u64_zero();
    if (at < args.fold.count) {
        uint row = fg_u32_at(args.fold.rows, at);
        fg_u64_put(args.fold.start, at, fg_u64_at(args.trace.start, row));
        end = u64_make(fg_u32_at(args.ranks, row), fg_fold_group(args.trace, args.fold, row));
    }
    fg_u64_put(args.fold.reach, at, end);
}
#endif
#ifdef FG_FOLD_SUMS
void make(uint at)
{
    uvec2 before = fg_pair_at(args.fold.reach, at);
    u64 reach = at > 0u ? fg_u64_at(args.trace.end, fg_u32_at(args.by_end, before.x)) : u64_zero();
    u64 more = u64_zero();
    if (at < args.fold.count) {
        uint row = fg_u32_at(args.fold.rows, at);
        u64 from = fg_u64_at(args.trace.start, row);
        u64 to = fg_u64_at(args.trace.end, row);
        if (at > 0u && before.y == fg_fold_group(args.trace, args.fold, row)) {
            from = u64_max_signed(from, reach);
        }
        more = u64_less_signed(from, to) ? u64_sub(to, from) : more;
    }
    fg_u64_put(args.fold.sums, at, more);
    fg_u64_put(args.fold.reach, at, reach);
}
#endif
void main()
{
    uint at = fg_invocation_index();
    if (fg_group_index() <= args.fold.count / FG_GROUP && at <= args.fold.count) {
        make(at);
    }
}
#endif
