#version 460
/* SPDX-License-Identifier: MIT */
/* Test everything against the depth of the early draws; draw what they missed, remember for the next frame. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "cull.glsl"

layout(set = 0, binding = 3, std430) buffer Visibility {
    uint was_visible[];
};
layout(set = 0, binding = 4) uniform sampler2D pyramid;

/* True when the sphere's box on the screen lies behind all depth stored there. */
bool is_hidden(vec4 sphere)
{
    vec3 center = (frame.view * vec4(sphere.xyz, 1.0)).xyz;
    float nearest = -center.z - sphere.w;
    if (nearest <= frame.eye.w) {
        return false;
    }
    /* A box that surely contains the projected sphere: project its extent at its nearest depth. */
    vec2 tangent = frame.projection.xy;
    vec2 extent = vec2(sphere.w);
    vec2 low = (center.xy - extent);
    vec2 high = (center.xy + extent);
    vec2 scale_low = vec2(low.x < 0.0 ? nearest : -center.z + sphere.w, low.y < 0.0 ? nearest : -center.z + sphere.w);
    vec2 scale_high = vec2(high.x > 0.0 ? nearest : -center.z + sphere.w, high.y > 0.0 ? nearest : -center.z + sphere.w);
    vec2 ndc_low = low / (scale_low * tangent);
    vec2 ndc_high = high / (scale_high * tangent);
    vec2 uv_low = clamp(vec2(ndc_low.x, -ndc_high.y) * 0.5 + 0.5, 0.0, 1.0);
    vec2 uv_high = clamp(vec2(ndc_high.x, -ndc_low.y) * 0.5 + 0.5, 0.0, 1.0);

    /* A pixel of margin for the sub-pixel offset; then the level where the box meets four texels. */
    ivec2 low_px = ivec2(max(uv_low * frame.size.xy - 1.0, 0.0));
    ivec2 high_px = ivec2(min(uv_high * frame.size.xy + 1.0, frame.size.xy - 1.0));
    int extent_px = max(high_px.x - low_px.x, high_px.y - low_px.y);
    int level = min(findMSB(uint(max(extent_px, 1))), textureQueryLevels(pyramid) - 1);
    ivec2 limit = textureSize(pyramid, level) - 1;
    ivec2 a = min(low_px >> (level + 1), limit);
    ivec2 b = min(high_px >> (level + 1), limit);
    float farthest = min(min(texelFetch(pyramid, a, level).r, texelFetch(pyramid, b, level).r),
                         min(texelFetch(pyramid, ivec2(a.x, b.y), level).r,
                             texelFetch(pyramid, ivec2(b.x, a.y), level).r));
    return frame.eye.w / nearest < farthest;
}

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= frame.counts.x) {
        return;
    }
    vec4 sphere = instances[index].sphere;
    bool visible_now = in_frustum(frame.view_proj, sphere, true) && !is_hidden(sphere);
    if (visible_now && was_visible[index] == 0u) {
        append(instances[index].kind.x, index);
    }
    was_visible[index] = visible_now ? 1u : 0u;
}
