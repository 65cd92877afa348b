#version 460
/* SPDX-License-Identifier: MIT */
/* What smooth surfaces mirror: marched on the screen, the sky where the march leaves it. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "noise.glsl"
#include "sky.glsl"
#include "gbuffer.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler2D albedo_map;
layout(set = 0, binding = 3) uniform sampler2D shape_map;
layout(set = 0, binding = 4) uniform sampler2D occlusion_map;
layout(set = 0, binding = 5) uniform sampler2D color_map;
layout(set = 0, binding = 6, rgba16f) uniform writeonly image2D target;

/* Where p lies behind the stored depth, and by how much. */
float behind(vec3 p, out vec2 uv)
{
    vec4 q = frame.view_proj * vec4(p, 1.0);
    uv = q.xy / q.w * 0.5 + 0.5;
    return q.w - view_distance(textureLod(depth_map, uv, 0.0).r);
}

/* rgb and how far to believe it */
vec4 march(vec3 origin, vec3 direction, float random)
{
    uint steps = frame.effort.z;
    float stride = 0.18;
    float t = stride * (0.4 + random);
    float previous = 0.0;
    for (uint i = 0u; i < steps; i++) {
        vec2 uv;
        float gap = behind(origin + direction * t, uv);
        if (any(lessThan(uv, vec2(0.0))) || any(greaterThan(uv, vec2(1.0)))) {
            break;
        }
        if (gap > 0.0 && gap < 0.6 + stride * 1.6) {
            float low = previous;
            float high = t;
            for (int refine = 0; refine < 5; refine++) {
                float middle = (low + high) * 0.5;
                if (behind(origin + direction * middle, uv) > 0.0) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            if (behind(origin + direction * high, uv) < 0.25 + 0.03 * high) {
                vec2 edge = smoothstep(vec2(0.0), vec2(0.06), uv) * smoothstep(vec2(0.0), vec2(0.06), 1.0 - uv);
                return vec4(textureLod(color_map, uv, 0.0).rgb, edge.x * edge.y);
            }
        }
        previous = t;
        stride *= 1.16;
        t += stride;
    }
    return vec4(0.0);
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, ivec2(frame.size.xy)))) {
        return;
    }
    float depth = texelFetch(depth_map, at, 0).r;
    if (depth <= 0.0) {
        imageStore(target, at, vec4(0.0));
        return;
    }
    vec2 uv = (vec2(at) + 0.5) * frame.size.zw;
    vec3 p = world_position(uv, depth);
    vec3 v = normalize(p - frame.eye.xyz);
    Surface s = unpack_surface(texelFetch(albedo_map, at, 0), texelFetch(shape_map, at, 0));
    float random = dither(vec2(at), frame.counts.z);
    vec2 jitter = hash2(vec2(at) + float(frame.counts.z & 63u) * 7.3) - 0.5;
    vec3 n = normalize(s.normal + vec3(jitter.x, random - 0.5, jitter.y) * s.roughness * s.roughness * 0.7);
    vec3 r = reflect(v, n);
    r.y = max(r.y, 0.012);
    r = normalize(r);

    float smoothness = 1.0 - smoothstep(0.30, 0.62, s.roughness);
    vec3 sky = s.roughness < 0.3 ? sky_radiance(r) : sky_gradient(r);
    float occlusion = texelFetch(occlusion_map, at, 0).r;
    vec3 color = sky * occlusion * mix(0.35, 1.0, smoothness);
    if (smoothness > 0.0) {
        vec4 hit = march(p + s.normal * 0.03, r, random);
        color = mix(color, min(hit.rgb, vec3(24.0)), hit.a * smoothness);
    }
    vec3 f0 = mix(vec3(0.04), s.albedo, s.metal);
    float facing = pow(1.0 - max(dot(-v, s.normal), 0.0), 5.0);
    vec3 fresnel = f0 + max(vec3(1.0 - s.roughness) - f0, 0.0) * facing;
    imageStore(target, at, vec4(color * fresnel, 1.0));
}
