/* SPDX-License-Identifier: MIT */
/* The lines that are shown, one behind the other: struct fg_gpu_line. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lines.glsl"

void main()
{
    uint i = fg_invocation_index();
    if (i >= min(args.state.counts[0], args.block.most)) {
        return;
    }
    uint place = fg_u32_at(args.block.kept, i);
    lines_line line;
    if (!lines_ends(place, lines_source(0u, args.trace.row_count, place), line)) {
        return;
    }
    lines_times(line);
    fg_quad_put(args.block.target, i * LINES_QUADS, uvec4(u64_words(line.from_ns), u64_words(line.to_ns)));
    fg_quad_put(args.block.target, i * LINES_QUADS + 1u,
                uvec4(line.shown_source, line.shown_target, fg_u32_at(args.trace.lane, line.shown_source),
                      fg_u32_at(args.trace.lane, line.shown_target)));
    fg_quad_put(args.block.target, i * LINES_QUADS + 2u, uvec4(line.source, line.target, line.link, line.marks));
}
