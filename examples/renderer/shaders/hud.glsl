/* SPDX-License-Identifier: MIT */
/* Boxes and glyphs in pixels of the picture. */

struct Box {
    vec4 rectangle; /* x, y, width, height */
    vec4 color;
    uvec4 glyph;    /* 35 bits of a 5 x 7 glyph, row by row from the top */
};

layout(set = 0, binding = 0, std430) readonly buffer Boxes {
    Box boxes[];
};

layout(push_constant) uniform Push {
    vec2 target_size;
    uint first;
};

const vec2 CORNERS[6] = vec2[6](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(0, 1));
