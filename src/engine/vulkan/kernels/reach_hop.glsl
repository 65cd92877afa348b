/* SPDX-License-Identifier: MIT */
/* Dependencies of a hop that many groups expand: rows' offsets are scanned. */
#ifndef FG_REACH_HOP_GLSL
#define FG_REACH_HOP_GLSL
#include "reach.glsl"

/** The row that has it is the last one whose dependencies begin at it or before. */
reach_edge reach_hop_edge(uint edge)
{
    uint low = 0u;
    uint high = args.state.expand - 1u;
    while (low < high) {
        uint middle = high - (high - low) / 2u;
        if (fg_u32_at(args.words.offsets, middle) <= edge) {
            low = middle;
        } else {
            high = middle - 1u;
        }
    }
    return reach_edge_at(fg_u32_at(args.words.rows, args.state.first + low),
                         edge - fg_u32_at(args.words.offsets, low));
}

#endif
