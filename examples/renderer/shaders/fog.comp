#version 460
/* SPDX-License-Identifier: MIT */
/* Sunlight scattered by haze between the eye and the surface, at half resolution. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "noise.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler2DArrayShadow shadow_atlas;
layout(set = 0, binding = 3, rgba16f) uniform writeonly image2D target;

#include "shadow.glsl"

const float FARTHEST = 42.0;

float density_at(vec3 p)
{
    return frame.sun_radiance.w * exp(-max(p.y, 0.0) * 0.16) * (p.y < 14.0 ? 1.0 : 0.0);
}

float phase(float cosine)
{
    const float g = 0.62;
    return (1.0 - g * g) / (4.0 * PI * pow(1.0 + g * g - 2.0 * g * cosine, 1.5));
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(target);
    if (any(greaterThanEqual(at, size))) {
        return;
    }
    ivec2 full = min(at * 2, ivec2(frame.size.xy) - 1);
    float depth = texelFetch(depth_map, full, 0).r;
    vec2 uv = (vec2(full) + 0.5) * frame.size.zw;
    vec3 direction = normalize(world_position(uv, 1e-3) - frame.eye.xyz);
    vec3 forward = -vec3(frame.view[0].z, frame.view[1].z, frame.view[2].z);
    float slant = dot(direction, forward);
    float end = min(view_distance(depth) / slant, FARTHEST);
    uint steps = frame.effort.y;
    float stride = end / float(steps);
    float t = stride * dither(vec2(at), frame.counts.z);
    float transmittance = 1.0;
    vec3 scattered = vec3(0.0);
    vec3 sun = frame.sun_radiance.rgb * phase(dot(direction, frame.sun.xyz));
    vec3 ambient = vec3(0.10, 0.11, 0.15);
    for (uint i = 0u; i < steps; i++) {
        vec3 p = frame.eye.xyz + direction * t;
        float density = density_at(p);
        float lit = shadow_tap(cascade_of(t * slant), p);
        float survive = exp(-density * stride);
        scattered += transmittance * (1.0 - survive) * (sun * lit + ambient);
        transmittance *= survive;
        t += stride;
    }
    imageStore(target, at, vec4(scattered, transmittance));
}
