#version 460
/* SPDX-License-Identifier: MIT */
/* One direction of a blur that stops at edges. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler2D source;
layout(set = 0, binding = 3, rgba8) uniform writeonly image2D target;

layout(push_constant) uniform Push {
    ivec2 direction;
};

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 limit = ivec2(frame.size.xy) - 1;
    if (any(greaterThan(at, limit))) {
        return;
    }
    float center = view_distance(texelFetch(depth_map, at, 0).r);
    float sum = 0.0;
    float weights = 0.0;
    for (int i = -3; i <= 3; i++) {
        ivec2 q = clamp(at + direction * i, ivec2(0), limit);
        float there = view_distance(texelFetch(depth_map, q, 0).r);
        float weight = exp(-float(i * i) * 0.16) * max(1.0 - abs(there - center) / (0.06 * center), 0.0);
        sum += texelFetch(source, q, 0).r * weight;
        weights += weight;
    }
    imageStore(target, at, vec4(sum / max(weights, 1e-4)));
}
