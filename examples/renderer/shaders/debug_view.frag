#version 460
/* SPDX-License-Identifier: MIT */
/* One intermediate result as a picture: normals, occlusion, or which cascade casts the shadow. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "gbuffer.glsl"

layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler2D source;
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

layout(push_constant) uniform Push {
    uint kind;
};

const vec3 CASCADE_COLORS[4] = vec3[4](vec3(0.9, 0.3, 0.2), vec3(0.9, 0.7, 0.2), vec3(0.3, 0.7, 0.3), vec3(0.2, 0.4, 0.9));

void main()
{
    float depth = textureLod(depth_map, in_uv, 0.0).r;
    vec4 value = textureLod(source, in_uv, 0.0);
    vec3 color = vec3(0.0);
    if (kind == 0u) {
        color = decode_normal(value.xy) * 0.5 + 0.5;
    } else if (kind == 1u) {
        color = value.rrr;
    } else {
        int cascade = 0;
        for (int i = 0; i < 3; i++) {
            cascade += view_distance(depth) > frame.cascade_far[i] ? 1 : 0;
        }
        color = CASCADE_COLORS[cascade] * (0.4 + 0.6 * value.r);
    }
    out_color = vec4(depth > 0.0 ? color : vec3(0.1), 1.0);
}
