/* SPDX-License-Identifier: MIT */
/* Whether each line is shown, in place of its cell. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lines.glsl"

void main()
{
    uint place = fg_invocation_index();
    if (place >= args.block.link_count) {
        return;
    }
    uint cell = fg_u32_at(args.block.cells, place);
    bool is_kept = cell < LINES_CELLS && args.state.share[cell] > 0u;
    if (is_kept && lines_is_choosing(cell)) {
        is_kept = lines_hash(fg_u32_at(args.block.links, place)) <= args.state.hash[cell];
    }
    fg_u32_put(args.block.cells, place, is_kept ? 1u : 0u);
}
