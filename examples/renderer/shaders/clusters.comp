#version 460
/* SPDX-License-Identifier: MIT */
/* Which lights reach which block of the view's volume. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "clusters.glsl"

layout(local_size_x = 64) in;

layout(set = 0, binding = 1, std430) readonly buffer Lights {
    Light lights[];
};
layout(set = 0, binding = 2, std430) writeonly buffer Clusters {
    Cluster clusters[];
};

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= CLUSTERS.x * CLUSTERS.y * CLUSTERS.z) {
        return;
    }
    uvec3 at = uvec3(index % CLUSTERS.x, index / CLUSTERS.x % CLUSTERS.y, index / (CLUSTERS.x * CLUSTERS.y));
    float near = slice_begin(at.z);
    float far = at.z + 1u == CLUSTERS.z ? 1e4 : slice_begin(at.z + 1u);
    vec2 low = (vec2(at.xy) / vec2(CLUSTERS.xy) * 2.0 - 1.0) * frame.projection.xy;
    vec2 high = (vec2(at.xy + 1u) / vec2(CLUSTERS.xy) * 2.0 - 1.0) * frame.projection.xy;
    vec3 box_low = vec3(min(low * near, low * far), near);
    vec3 box_high = vec3(max(high * near, high * far), far);

    uint count = 0u;
    for (uint i = 0u; i < frame.counts.y && count < CLUSTER_LIGHTS; i++) {
        vec3 p = (frame.view * vec4(lights[i].position.xyz, 1.0)).xyz * vec3(1.0, -1.0, -1.0);
        vec3 gap = p - clamp(p, box_low, box_high);
        float reach = lights[i].position.w;
        if (dot(gap, gap) < reach * reach) {
            clusters[index].lights[count++] = i;
        }
    }
    clusters[index].count = count;
}
