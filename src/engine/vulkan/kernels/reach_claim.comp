/* SPDX-License-Identifier: MIT */
/* Every dependency of a hop claims the row that it leads to: the lowest number stays. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reach_hop.glsl"

void main()
{
    uint first = fg_group_index() * REACH_EDGES;
    bool is_behind = args.state.hop == args.words.max_hops;
    for (uint i = gl_LocalInvocationIndex; i < REACH_EDGES; i += FG_GROUP) {
        uint edge = first + i;
        if (edge < args.state.edges) {
            reach_claim(reach_hop_edge(edge), args.state.edge_base + edge, is_behind);
        }
    }
}
