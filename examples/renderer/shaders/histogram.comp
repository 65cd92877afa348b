#version 460
/* SPDX-License-Identifier: MIT */
/* Count pixels by brightness. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "exposure.glsl"

layout(local_size_x = 16, local_size_y = 8) in;
layout(set = 0, binding = 2) uniform sampler2D color_map;

shared uint local_bins[BIN_COUNT];

void main()
{
    local_bins[gl_LocalInvocationIndex] = 0u;
    barrier();
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) * 2;
    if (all(lessThan(at, ivec2(frame.size.xy)))) {
        float y = dot(texelFetch(color_map, at, 0).rgb, vec3(0.2126, 0.7152, 0.0722));
        float bin = (log2(max(y, 1e-6)) - DARKEST) * BINS_PER_STOP;
        atomicAdd(local_bins[uint(clamp(bin, 0.0, float(BIN_COUNT - 1u)))], 1u);
    }
    barrier();
    if (local_bins[gl_LocalInvocationIndex] > 0u) {
        atomicAdd(bins[gl_LocalInvocationIndex], local_bins[gl_LocalInvocationIndex]);
    }
}
