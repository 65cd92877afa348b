#version 460
/* SPDX-License-Identifier: MIT */
/* The dots of a glyph; all of the box where there is no glyph. */
layout(location = 0) in vec2 in_at;
layout(location = 1) flat in vec4 in_color;
layout(location = 2) flat in uvec2 in_glyph;
layout(location = 0) out vec4 out_color;

void main()
{
    uvec2 cell = min(uvec2(in_at * vec2(5.0, 7.0)), uvec2(4, 6));
    uint bit = cell.y * 5u + cell.x;
    uint word = bit < 32u ? in_glyph.x >> bit : in_glyph.y >> (bit - 32u);
    if (in_glyph != uvec2(0) && (word & 1u) == 0u) {
        discard;
    }
    out_color = in_color;
}
