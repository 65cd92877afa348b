#version 460
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require
#include "hud.glsl"

layout(location = 0) out vec2 out_at;
layout(location = 1) flat out vec4 out_color;
layout(location = 2) flat out uvec2 out_glyph;

void main()
{
    Box box = boxes[first + gl_InstanceIndex];
    vec2 corner = CORNERS[gl_VertexIndex];
    vec2 p = (box.rectangle.xy + corner * box.rectangle.zw) / target_size * 2.0 - 1.0;
    gl_Position = vec4(p, 0.0, 1.0);
    out_at = corner;
    out_color = box.color;
    out_glyph = box.glyph.xy;
}
