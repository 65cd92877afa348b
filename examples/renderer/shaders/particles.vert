#version 460
/* SPDX-License-Identifier: MIT */
/* A square facing the eye for each firefly. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "particles.glsl"

layout(set = 0, binding = 1, std430) readonly buffer Particles {
    Particle particles[];
};

layout(location = 0) out vec2 out_corner;
layout(location = 1) out vec3 out_color;

const vec2 CORNERS[6] = vec2[6](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));

void main()
{
    Particle p = particles[gl_InstanceIndex];
    vec2 corner = CORNERS[gl_VertexIndex];
    vec4 center = frame.view_proj * vec4(p.position.xyz, 1.0);
    /* Never smaller than a pixel and a half, so that far ones do not flicker. */
    float radius = max(0.035 / frame.projection.y, 1.5 * frame.size.w * center.w);
    float dim = 0.035 / frame.projection.y / radius;
    gl_Position = center + vec4(corner * vec2(radius * frame.size.y * frame.size.z, radius), 0.0, 0.0);
    out_corner = corner;
    float seed = fract(p.velocity.w * 0.137);
    out_color = mix(vec3(3.6, 2.0, 0.55), vec3(1.5, 3.0, 0.8), seed) * p.position.w * dim * dim * 2.4;
}
