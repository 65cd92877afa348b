#version 460
/* SPDX-License-Identifier: MIT */
/* Surfaces, what they mirror, and the haze in front of them. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler2D color_map;
layout(set = 0, binding = 3) uniform sampler2D reflection_map;
layout(set = 0, binding = 4) uniform sampler2D fog_map;
layout(set = 0, binding = 5, rgba16f) uniform writeonly image2D target;

/* The haze is coarser than the picture: of its four neighbours, believe those at a like depth. */
vec4 haze_at(ivec2 at)
{
    ivec2 limit = textureSize(fog_map, 0) - 1;
    float center = view_distance(texelFetch(depth_map, at, 0).r);
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int i = 0; i < 9; i++) {
        ivec2 q = clamp(at / 2 + ivec2(i % 3 - 1, i / 3 - 1), ivec2(0), limit);
        ivec2 full = min(q * 2, ivec2(frame.size.xy) - 1);
        float there = view_distance(texelFetch(depth_map, full, 0).r);
        float weight = 1.0 / (0.02 + abs(min(there, 60.0) - min(center, 60.0)) / min(center, 60.0));
        sum += texelFetch(fog_map, q, 0) * weight;
        weights += weight;
    }
    return sum / weights;
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, ivec2(frame.size.xy)))) {
        return;
    }
    vec3 color = texelFetch(color_map, at, 0).rgb + texelFetch(reflection_map, at, 0).rgb;
    vec4 haze = haze_at(at);
    imageStore(target, at, vec4(color * haze.a + haze.rgb, 1.0));
}
