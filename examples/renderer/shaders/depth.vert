#version 460
/* SPDX-License-Identifier: MIT */
/* Depth only. The G-buffer compares for equality, so both must compute the position alike. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "geometry.glsl"

invariant gl_Position;

void main()
{
    Instance instance = instances[visible_instance()];
    gl_Position = frame.view_proj * vec4(to_world(instance, position), 1.0);
}
