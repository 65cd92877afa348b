#version 460
/* SPDX-License-Identifier: MIT */
/* Halve the picture; the first step keeps the bright parts. */
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

layout(push_constant) uniform Push {
    float threshold;
};

vec3 tap(vec2 offset)
{
    vec3 c = textureLod(source, in_uv + offset / vec2(textureSize(source, 0)), 0.0).rgb;
    float brightest = max(c.r, max(c.g, c.b));
    float keep = max(brightest - threshold, 0.0) / max(brightest, 1e-4);
    return min(c * keep, vec3(48.0));
}

void main()
{
    vec3 sum = tap(vec2(0.0)) * 0.25;
    sum += (tap(vec2(-1, -1)) + tap(vec2(1, -1)) + tap(vec2(-1, 1)) + tap(vec2(1, 1))) * 0.125;
    sum += (tap(vec2(-2, 0)) + tap(vec2(2, 0)) + tap(vec2(0, -2)) + tap(vec2(0, 2))) * 0.0625;
    out_color = vec4(sum, 1.0);
}
