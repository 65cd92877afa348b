/* SPDX-License-Identifier: MIT */
/* The hop that many groups have expanded is over. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reach.glsl"

void main()
{
    if (fg_invocation_index() != 0u || args.state.expand == 0u) {
        return;
    }
    uint found = args.state.first + args.state.count;
    uint taken = reach_room(found, args.state.won);
    reach_record(args.state.record_count, args.state.expand, taken, args.state.edges);
    args.state.record_count++;
    args.state.overflow += args.state.won - taken;
    args.state.behind += args.state.count - args.state.expand;
    args.state.first = found;
    args.state.count = taken;
    args.state.edge_base += args.state.edges;
    args.state.hop++;
    args.state.is_done = uint(taken == 0u);
}
