#version 460
/* SPDX-License-Identifier: MIT */
/* Position as in depth.vert, and what the surface needs. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "geometry.glsl"

invariant gl_Position;

layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;

layout(location = 0) out vec3 out_world;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_uv;
layout(location = 3) flat out uvec2 out_material; /* material, tint */

void main()
{
    Instance instance = instances[visible_instance()];
    vec3 world = to_world(instance, position);
    out_world = world;
    out_normal = to_world_direction(instance, normal);
    out_uv = uv;
    out_material = instance.kind.yw;
    gl_Position = frame.view_proj * vec4(world, 1.0);
}
