/* SPDX-License-Identifier: MIT */
/* How many lines each cell may show: short ones first, until there is no room. One group. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lines.glsl"

shared uint found[LINES_CELLS];
shared uint share[LINES_CELLS];

void main()
{
    uint lane = gl_LocalInvocationIndex;
    if (fg_group_index() != 0u) {
        return;
    }
    for (uint i = lane; i < LINES_CELLS; i += FG_GROUP) {
        found[i] = args.state.found[i];
    }
    barrier();
    if (lane == 0u) {
        uint room = args.block.most;
        uint choosing = 0u;
        uint over = 0u;
        for (uint i = 0u; i < LINES_CELLS; i++) {
            share[i] = min(min(found[i], args.block.most_of_cell), room);
            room -= share[i];
            over += found[i] - share[i];
            choosing += share[i] > 0u && share[i] < found[i] ? 1u : 0u;
        }
        args.state.choosing = choosing;
        args.state.counts[LINES_OVER_BUDGET] = over;
    }
    barrier();
    for (uint i = lane; i < LINES_CELLS; i += FG_GROUP) {
        args.state.share[i] = share[i];
        args.state.left[i] = share[i];
        args.state.hash[i] = 0u;
    }
}
