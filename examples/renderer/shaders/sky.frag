#version 460
/* SPDX-License-Identifier: MIT */
/* The sky, where nothing was drawn. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "noise.glsl"
#include "sky.glsl"

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main()
{
    vec3 direction = normalize(world_position(in_uv, 1e-4) - frame.eye.xyz);
    vec3 color = sky_radiance(direction);
    color += sun_disk(direction) * smoothstep(0.02, 0.06, direction.y);
    out_color = vec4(color, 1.0);
}
