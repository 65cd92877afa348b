/* SPDX-License-Identifier: MIT */
/* How many dependencies each row of a hop has. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reach.glsl"

void main()
{
    uint i = fg_invocation_index();
    if (i < args.state.expand) {
        fg_u32_put(args.words.offsets, i,
                   reach_degree(fg_u32_at(args.words.rows, args.state.first + i)));
    }
}
