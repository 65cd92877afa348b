#version 460
/* SPDX-License-Identifier: MIT */
/* Blend with the frames before: what was there moves along, and stays within what is there now. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler2D color_map;
layout(set = 0, binding = 3) uniform sampler2D history_map;
layout(set = 0, binding = 4, rgba16f) uniform writeonly image2D target;

layout(push_constant) uniform Push {
    float history_weight;
};

vec3 compress(vec3 c)
{
    return c / (1.0 + max(c.r, max(c.g, c.b)));
}

vec3 expand(vec3 c)
{
    return c / max(1.0 - max(c.r, max(c.g, c.b)), 1e-3);
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 limit = ivec2(frame.size.xy) - 1;
    if (any(greaterThan(at, limit))) {
        return;
    }
    vec3 mean = vec3(0.0);
    vec3 square = vec3(0.0);
    float nearest = 0.0;
    for (int i = 0; i < 9; i++) {
        ivec2 q = clamp(at + ivec2(i % 3 - 1, i / 3 - 1), ivec2(0), limit);
        vec3 c = compress(texelFetch(color_map, q, 0).rgb);
        mean += c;
        square += c * c;
        nearest = max(nearest, texelFetch(depth_map, q, 0).r);
    }
    mean /= 9.0;
    vec3 deviation = sqrt(max(square / 9.0 - mean * mean, 0.0));
    vec3 current = compress(texelFetch(color_map, at, 0).rgb);

    vec2 uv = (vec2(at) + 0.5) * frame.size.zw;
    vec4 before = frame.previous_view_proj * vec4(world_position(uv, nearest), 1.0);
    /* This frame's offset moved the pixel; the history was stored without. */
    vec2 from = before.xy / before.w * 0.5 + 0.5;
    vec4 now = frame.plain_view_proj * vec4(world_position(uv, nearest), 1.0);
    from += uv - (now.xy / now.w * 0.5 + 0.5);
    bool inside = all(greaterThanEqual(from, vec2(0.0))) && all(lessThanEqual(from, vec2(1.0)));
    vec3 history = compress(textureLod(history_map, from, 0.0).rgb);
    history = clamp(history, mean - deviation * 1.25, mean + deviation * 1.25);
    float weight = inside ? history_weight : 0.0;
    imageStore(target, at, vec4(expand(mix(current, history, weight)), 1.0));
}
