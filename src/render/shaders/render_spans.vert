/* SPDX-License-Identifier: MIT */
/* A span is an instance: its row, then all else. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "render_extent.glsl"

layout(location = 0) flat out uvec4 box; /* first and end pixel, top, height */
layout(location = 1) flat out uvec4 look; /* color, status, first glyph, glyphs */

const uint ON_TOP = 15u;

void main()
{
    uint row = word_at(COLUMN_ROWS, gl_InstanceIndex);
    uint slot = render_words(args.scene.slots).at[word_at(COLUMN_LANE, row)];
    uvec4 lane = render_quads(args.scene.lanes).at[slot];
    uvec4 kind = render_quads(args.scene.kinds).at[word_at(COLUMN_KIND, row)];
    uvec2 extent = span_extent(time_at(COLUMN_START, row), time_at(COLUMN_END, row));
    box = uvec4(extent, lane.y, lane.z);
    look = uvec4(render_words(args.scene.colors).at[kind.z * 5u + lane.w], kind.w, kind.x, kind.y);
    gl_Position = corner_of(extent, lane.y, lane.z, ON_TOP);
}
