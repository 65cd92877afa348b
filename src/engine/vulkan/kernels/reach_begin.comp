/* SPDX-License-Identifier: MIT */
/* The first hop: rows that are given, each once. All else has been cleared. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reach.glsl"

void main()
{
    uint i = fg_invocation_index();
    if (i == 0u) {
        args.state.count = args.words.seed_count;
        args.state.edge_base = 1u;
    }
    if (i < args.words.seed_count) {
        reach_edge seed = reach_edge(fg_u32_at(args.words.rows, i), FG_NO_ROW);
        reach_lower(seed.row, 0u);
        reach_take(seed, i, 0u);
    }
}
