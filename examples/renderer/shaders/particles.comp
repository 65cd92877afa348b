#version 460
/* SPDX-License-Identifier: MIT */
/* Fireflies: each wanders around its own place over the pool and the floor. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "noise.glsl"
#include "particles.glsl"

layout(local_size_x = 64) in;
layout(set = 0, binding = 1, std430) buffer Particles {
    Particle particles[];
};

const float STEP = 1.0 / 30.0;

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= frame.counts.w) {
        return;
    }
    Particle p = particles[index];
    float seed = p.velocity.w;
    vec3 home = vec3(mix(-8.0, 8.0, hash1(vec2(seed, 1.0))), mix(0.3, 3.4, pow(hash1(vec2(seed, 2.0)), 1.6)),
                     mix(-14.0, 12.0, hash1(vec2(seed, 3.0))));
    vec3 flow = vec3(noise3(p.position.xyz * 0.7 + seed), noise3(p.position.yzx * 0.9 + seed * 1.7),
                     noise3(p.position.zxy * 0.8 + seed * 2.3)) - 0.5;
    vec3 velocity = p.velocity.xyz + (flow * 2.4 + (home - p.position.xyz) * 0.35) * STEP;
    velocity *= 0.97;
    float blink = smoothstep(0.25, 0.9, 0.5 + 0.5 * sin(frame.sun.w * (1.2 + seed * 0.01) + seed * 9.0));
    particles[index].position = vec4(p.position.xyz + velocity * STEP, blink);
    particles[index].velocity = vec4(velocity, seed);
}
