/* SPDX-License-Identifier: MIT */
/*
 * Rows point past all that can be above them: to a root, to one whose parent is none, or, on a circle
 * or behind one, to a row that still has a parent. Of the first kind are the rows that count.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "forest.glsl"

shared uint left_out;
shared uint invalid;
shared uint max_hops;
shared uint is_saturated;
shared uint circle;

/** Its root and steps; the time to its end. */
uvec2 judge(uint row, out u64 time)
{
    uvec2 up = fg_pair_at(args.up, row);
    uint above = forest_parent(up.x);
    time = u64_zero();
    if (above == FG_NO_ROW) {
        u64 before = fg_u64_at(args.times, row);
        u64 own = forest_own(up.x);
        time = u64_add_saturated(before, own);
        if ((up.y & FOREST_SATURATED) != 0u || u64_less(u64_add(before, own), before)) {
            atomicOr(is_saturated, 1u);
        }
        up.y &= FOREST_HOPS;
        atomicMax(max_hops, up.y);
        return up;
    }
    if (above == FOREST_NO_PARENT) {
        atomicAdd(invalid, 1u);
    } else {
        atomicAdd(left_out, 1u);
        atomicMax(circle, ~row);
    }
    return uvec2(FG_NO_ROW, 0u);
}

void main()
{
    uint row = fg_invocation_index();
    if (gl_LocalInvocationIndex == 0u) {
        left_out = 0u;
        invalid = 0u;
        max_hops = 0u;
        is_saturated = 0u;
        circle = 0u;
    }
    barrier();
    if (row < args.trace.row_count) {
        uvec2 root = uvec2(FG_NO_ROW, 0u);
        u64 time = u64_zero();
        if (forest_is_part(row)) {
            root = judge(row, time);
        }
        fg_u64_put(args.new_up, row, u64_of(root));
        fg_u64_put(args.new_times, row, time);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        atomicAdd(args.counts.left_out, left_out);
        atomicAdd(args.counts.invalid, invalid);
        atomicMax(args.counts.max_hops, max_hops);
        atomicOr(args.counts.is_saturated, is_saturated);
        atomicMax(args.counts.circle, circle);
    }
}
