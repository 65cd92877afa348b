/* SPDX-License-Identifier: MIT */
/* From the end of a path back along predecessors: a piece of the chain. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "path.glsl"

void main()
{
    if (fg_invocation_index() != 0u) {
        return;
    }
    uint row = args.words.chain_row;
    uint left = args.words.chain_left;
    uint stop = left - min(left, args.words.chain_step);
    for (; left > stop && row < args.trace.row_count; left--) {
        fg_u32_put(args.words.chain, left - 1u, row);
        row = fg_quad_at(args.words.nodes, row).z;
    }
    args.state.chain_row = row;
}
