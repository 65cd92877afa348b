#version 460
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec2 in_corner;
layout(location = 1) in vec3 in_color;
layout(location = 0) out vec4 out_color;

void main()
{
    float fade = max(1.0 - dot(in_corner, in_corner), 0.0);
    out_color = vec4(in_color * fade * fade, 0.0);
}
