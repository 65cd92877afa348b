/* SPDX-License-Identifier: MIT */
/* A bit for each dependency of a hop: the row that it leads to has its number. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reach_hop.glsl"

const uint WORDS = REACH_EDGES / 32u;
shared uint bits[WORDS];

void main()
{
    uint first = fg_group_index() * REACH_EDGES;
    uint lane = gl_LocalInvocationIndex;
    if (first >= args.state.edges) {
        return;
    }
    for (uint i = lane; i < WORDS; i += FG_GROUP) {
        bits[i] = 0u;
    }
    barrier();
    for (uint i = lane; i < REACH_EDGES; i += FG_GROUP) {
        uint edge = first + i;
        if (edge < args.state.edges) {
            uint row = reach_hop_edge(edge).row;
            if (row < args.trace.row_count &&
                fg_u32_at(args.words.best, row) == args.state.edge_base + edge) {
                atomicOr(bits[i >> 5], 1u << (i & 31u));
            }
        }
    }
    barrier();
    for (uint i = lane; i < WORDS; i += FG_GROUP) {
        if (first + i * 32u < args.state.edges) {
            fg_u32_put(args.words.edges, (first >> 5) + i, bits[i]);
        }
    }
}
