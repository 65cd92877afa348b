#version 460
/* SPDX-License-Identifier: MIT */
/* Geometry into one shadow cascade. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "geometry.glsl"

void main()
{
    Instance instance = instances[visible_instance()];
    gl_Position = frame.cascade_view_proj[cascade] * vec4(to_world(instance, position), 1.0);
}
