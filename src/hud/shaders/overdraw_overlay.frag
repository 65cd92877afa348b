#version 450
/* SPDX-License-Identifier: MIT */
/* The colour of a value, by the rule of struct fg_overdraw_scale. */
#extension GL_EXT_samplerless_texture_functions : require
layout(constant_id = 0) const bool IS_LINEAR = false;

layout(set = 0, binding = 0) uniform texture2D map;
layout(set = 0, binding = 1) uniform textureBuffer colors;

layout(push_constant) uniform Push {
    vec2 texels_per_pixel;
    float bottom;
    float top;
    float opacity;
    uint is_log;
};

layout(location = 0) out vec4 out_color;

const int COLORS = 256; /* then the one of pixels that nothing was drawn in */

int index_of(float value)
{
    if (value <= 0.0) {
        return COLORS;
    }
    float part = is_log != 0u ? log2(max(value, bottom) / bottom) / log2(top / bottom)
                              : (value - bottom) / (top - bottom);
    return int(floor(clamp(part, 0.0, 1.0) * float(COLORS - 1) + 0.5));
}

vec3 decode(vec3 encoded)
{
    vec3 low = encoded / 12.92;
    vec3 high = pow((encoded + 0.055) / 1.055, vec3(2.4));
    return mix(high, low, lessThanEqual(encoded, vec3(0.04045)));
}

void main()
{
    ivec2 last = textureSize(map, 0) - 1;
    ivec2 texel = min(ivec2(gl_FragCoord.xy * texels_per_pixel), last);
    vec3 color = texelFetch(colors, index_of(texelFetch(map, texel, 0).r)).rgb;
    out_color = vec4(IS_LINEAR ? decode(color) : color, opacity);
}
