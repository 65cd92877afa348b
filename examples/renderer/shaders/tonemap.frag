#version 460
/* SPDX-License-Identifier: MIT */
/* From light to picture: bloom, exposure, a filmic curve, a darker rim, and the display's encoding. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "noise.glsl"

layout(set = 0, binding = 1) uniform sampler2D color_map;
layout(set = 0, binding = 2) uniform sampler2D bloom_map;
layout(set = 0, binding = 3, std430) readonly buffer Exposure {
    float exposure;
};
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

vec3 filmic(vec3 x)
{
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

vec3 encode(vec3 c)
{
    return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

void main()
{
    vec3 color = textureLod(color_map, in_uv, 0.0).rgb + textureLod(bloom_map, in_uv, 0.0).rgb * 0.055;
    vec2 rim = (in_uv - 0.5) * vec2(1.0, 0.8);
    color *= exposure * (1.0 - 0.75 * dot(rim, rim));
    color = filmic(color * 0.85);
    float gray = dot(color, vec3(0.2126, 0.7152, 0.0722));
    color = mix(vec3(gray), color, 1.08);
    color = encode(clamp(color, 0.0, 1.0));
    color += (hash1(gl_FragCoord.xy + float(frame.counts.z)) - 0.5) / 255.0;
    out_color = vec4(color, 1.0);
}
