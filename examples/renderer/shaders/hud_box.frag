#version 460
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec2 in_at;
layout(location = 1) flat in vec4 in_color;
layout(location = 0) out vec4 out_color;

void main()
{
    out_color = in_color;
}
