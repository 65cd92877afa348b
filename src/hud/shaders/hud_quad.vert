#version 450
/* SPDX-License-Identifier: MIT */
/* A quad of the draw list from its instance data: a strip of four corners. */
layout(constant_id = 0) const bool IS_LINEAR = false;

layout(push_constant) uniform Push {
    vec2 target_size;
};

layout(location = 0) in ivec4 in_rectangle; /* x, y, width, height in pixels */
layout(location = 1) in uvec4 in_texels;    /* u, v, their sizes */
layout(location = 2) in vec4 in_color;

layout(location = 0) out vec2 out_texel;
layout(location = 1) flat out vec4 out_color;

vec3 decode(vec3 encoded)
{
    vec3 low = encoded / 12.92;
    vec3 high = pow((encoded + 0.055) / 1.055, vec3(2.4));
    return mix(high, low, lessThanEqual(encoded, vec3(0.04045)));
}

void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    vec2 pixel = vec2(in_rectangle.xy) + corner * vec2(in_rectangle.zw);
    gl_Position = vec4(pixel / target_size * 2.0 - 1.0, 0.0, 1.0);
    out_texel = vec2(in_texels.xy) + corner * vec2(in_texels.zw);
    out_color = IS_LINEAR ? vec4(decode(in_color.rgb), in_color.a) : in_color;
}
