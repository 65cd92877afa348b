#version 450
/* SPDX-License-Identifier: MIT */
/* A rectangle on whole pixels: left, top, right, bottom. */
layout(push_constant) uniform Push {
    vec4 corners_px;
    vec2 target_px;
    float depth;
};

void main()
{
    vec2 pixel = vec2((gl_VertexIndex & 1) != 0 ? corners_px.z : corners_px.x,
                      gl_VertexIndex > 1 ? corners_px.w : corners_px.y);
    gl_Position = vec4(pixel / target_px * 2.0 - 1.0, depth, 1.0);
}
