/* SPDX-License-Identifier: MIT */
/* What follows from lengths for the rows that count: predecessors, slack, earliest and latest start. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "forest.glsl"

u64 length_of_path()
{
    uvec2 at = args.words.length_at;
    return u64_of(fg_is_there(at) ? fg_pairs(at).at[0] : args.words.length_ns);
}

void main()
{
    uint row = fg_invocation_index();
    if (row >= args.trace.row_count) {
        return;
    }
    bool counts = fg_pair_at(args.up, row).x != FG_NO_ROW;
    u64 length = fg_u64_at(args.times, row);
    u64 slack = u64_zero();
    u64 before = u64_zero();
    uint parent = FG_NO_ROW;
    if (counts) {
        u64 own = forest_own(row);
        before = u64_sub(length, own);
        slack = u64_sub_saturated(length_of_path(), u64_add_saturated(before, own));
        parent = forest_parent(row);
    }
    if (fg_is_there(args.words.figure_slacks)) {
        fg_u64_put(args.words.figure_slacks, row, slack);
    }
    if (fg_is_there(args.words.figure_earliest)) {
        fg_u64_put(args.words.figure_earliest, row, before);
        fg_u64_put(args.words.figure_latest, row, u64_add_saturated(before, slack));
    }
    if (fg_is_there(args.words.figure_predecessors)) {
        fg_u32_put(args.words.figure_predecessors, row, parent);
    }
}
