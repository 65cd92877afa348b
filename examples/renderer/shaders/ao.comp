#version 460
/* SPDX-License-Identifier: MIT */
/* How much of the sky each pixel's neighbourhood hides, from depth alone. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "noise.glsl"
#include "gbuffer.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler2D shape_map;
layout(set = 0, binding = 3, rgba8) uniform writeonly image2D target;

const float RADIUS = 1.1;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, ivec2(frame.size.xy)))) {
        return;
    }
    float depth = texelFetch(depth_map, at, 0).r;
    if (depth <= 0.0) {
        imageStore(target, at, vec4(1.0));
        return;
    }
    vec2 uv = (vec2(at) + 0.5) * frame.size.zw;
    vec3 p = world_position(uv, depth);
    vec3 n = decode_normal(texelFetch(shape_map, at, 0).xy);
    float distance_m = view_distance(depth);
    vec2 radius = RADIUS / (distance_m * frame.projection.xy * 2.0);
    radius = min(radius, vec2(0.20, 0.30));
    float turn = dither(vec2(at), frame.counts.z) * 2.0 * PI;
    float sum = 0.0;
    uint samples = frame.effort.x;
    for (uint i = 0u; i < samples; i++) {
        float reach = (float(i) + 0.5) / float(samples);
        float angle = float(i) * 2.399963 + turn;
        vec2 q = uv + vec2(cos(angle), sin(angle)) * radius * reach;
        ivec2 texel = clamp(ivec2(q * frame.size.xy), ivec2(0), ivec2(frame.size.xy) - 1);
        float other = texelFetch(depth_map, texel, 0).r;
        vec3 to = world_position((vec2(texel) + 0.5) * frame.size.zw, other) - p;
        float d2 = dot(to, to);
        float falloff = max(1.0 - d2 / (RADIUS * RADIUS), 0.0);
        sum += max(dot(to, n) - 0.004 * distance_m, 0.0) * inversesqrt(d2 + 1e-4) * falloff;
    }
    float occlusion = clamp(1.0 - 2.1 * sum / float(samples), 0.0, 1.0);
    imageStore(target, at, vec4(occlusion * occlusion));
}
