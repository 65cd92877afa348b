/* SPDX-License-Identifier: MIT */
/* Rows that were found stand behind those of the hop, in the order of the dependencies. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reach_hop.glsl"

void main()
{
    uint place = fg_invocation_index();
    if (place < args.state.won) {
        reach_take(reach_hop_edge(fg_u32_at(args.words.won, place)), place,
                   args.state.first + args.state.count);
    }
}
