/* SPDX-License-Identifier: MIT */
/* Every row points to where the one that it points to does. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "forest.glsl"

void main()
{
    uint row = fg_invocation_index();
    if (row >= args.trace.row_count) {
        return;
    }
    uvec2 up = fg_pair_at(args.up, row);
    uvec2 next = fg_pair_at(args.up, up.x);
    u64 time = fg_u64_at(args.times, row);
    u64 sum = u64_add_saturated(time, fg_u64_at(args.times, up.x));
    /* A sum that wraps around is less than its parts. */
    bool wraps = u64_less(u64_add(time, fg_u64_at(args.times, up.x)), time);
    uint hops = ((up.y + next.y) & FOREST_HOPS) | ((up.y | next.y) & FOREST_SATURATED) |
                (wraps ? FOREST_SATURATED : 0u);
    fg_u64_put(args.new_up, row, u64_of(uvec2(next.x, hops)));
    fg_u64_put(args.new_times, row, sum);
}
