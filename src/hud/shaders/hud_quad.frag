#version 450
/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform textureBuffer atlas;

layout(location = 0) in vec2 in_texel;
layout(location = 1) flat in vec4 in_color;
layout(location = 0) out vec4 out_color;

const int ATLAS_WIDTH = 128;

void main()
{
    ivec2 texel = ivec2(floor(in_texel));
    float coverage = texelFetch(atlas, texel.y * ATLAS_WIDTH + texel.x).r;
    out_color = vec4(in_color.rgb, in_color.a * coverage);
}
