/* SPDX-License-Identifier: MIT */
/* Who had a turn and who never had; lengths in a column of their own. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "path.glsl"

const uint WORDS = PATH_ROWS / 32u;
shared uint turned[WORDS];
shared uint stuck[WORDS];
shared uint left_out;
shared uint lowest;
shared uint max_hops;

void judge(uint row, uint i)
{
    uvec4 node = fg_quad_at(args.words.nodes, row);
    fg_u64_put(args.words.lengths, row, u64_of(node.xy));
    if (!path_takes_part(row)) {
        return;
    }
    if (fg_u32_at(args.words.open, row) == 0u) {
        atomicOr(turned[i >> 5], 1u << (i & 31u));
        atomicMax(max_hops, node.w);
    } else {
        atomicOr(stuck[i >> 5], 1u << (i & 31u));
        atomicAdd(left_out, 1u);
        atomicMax(lowest, ~row);
    }
}

void main()
{
    uint first = fg_group_index() * PATH_ROWS;
    uint lane = gl_LocalInvocationIndex;
    if (first >= args.trace.row_count) {
        return;
    }
    for (uint i = lane; i < WORDS; i += FG_GROUP) {
        turned[i] = 0u;
        stuck[i] = 0u;
    }
    if (lane == 0u) {
        left_out = 0u;
        lowest = 0u;
        max_hops = 0u;
    }
    barrier();
    for (uint i = lane; i < PATH_ROWS && first + i < args.trace.row_count; i += FG_GROUP) {
        judge(first + i, i);
    }
    barrier();
    for (uint i = lane; i < WORDS; i += FG_GROUP) {
        if (first + i * 32u < args.trace.row_count) {
            fg_u32_put(args.words.turned, (first >> 5) + i, turned[i]);
            fg_u32_put(args.words.stuck, (first >> 5) + i, stuck[i]);
        }
    }
    if (lane == 0u) {
        atomicAdd(args.state.left_out, left_out);
        atomicMax(args.state.stuck, lowest);
        atomicMax(args.state.max_hops, max_hops);
    }
}
