#version 460
/* SPDX-License-Identifier: MIT */
/* Double the picture and add it to the level above. */
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main()
{
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 9; i++) {
        vec2 offset = vec2(i % 3 - 1, i / 3 - 1);
        float weight = (2.0 - abs(offset.x)) * (2.0 - abs(offset.y)) / 16.0;
        sum += textureLod(source, in_uv + offset * texel, 0.0).rgb * weight;
    }
    out_color = vec4(sum, 1.0);
}
