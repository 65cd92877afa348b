#version 460
/* SPDX-License-Identifier: MIT */
/* From the internal resolution to the picture's, a little sharper. */
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main()
{
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec3 center = textureLod(source, in_uv, 0.0).rgb;
    vec3 around = textureLod(source, in_uv + vec2(texel.x, 0.0), 0.0).rgb +
                  textureLod(source, in_uv - vec2(texel.x, 0.0), 0.0).rgb +
                  textureLod(source, in_uv + vec2(0.0, texel.y), 0.0).rgb +
                  textureLod(source, in_uv - vec2(0.0, texel.y), 0.0).rgb;
    out_color = vec4(clamp(center + (center - around * 0.25) * 0.35, 0.0, 1.0), 1.0);
}
