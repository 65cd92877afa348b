/* SPDX-License-Identifier: MIT */
/* The longest of each of many ranges: pairs of places in, (duration, row, place) out. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "range_max.glsl"

/* struct range_max_query_push of prim_range_max.c */
layout(push_constant, std430) uniform fg_args {
    fg_range_max tree;
    fg_column ranges;
    fg_column target;
    uvec2 count_address;
    uint count;
    uint place_count;
} args;

void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint at = fg_invocation_index();
    if (fg_group_index() > count / FG_GROUP || at >= count) {
        return;
    }
    uvec2 range = fg_pair_at(args.ranges, at);
    fg_longest best = fg_range_max_query(args.tree, args.place_count, range.x, range.y);
    fg_quad_put(args.target, at, uvec4(u64_words(best.duration), best.row, best.place));
}
