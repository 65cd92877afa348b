#version 460
/* SPDX-License-Identifier: MIT */
/* Sun, sky and the point lights of each pixel's cluster. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "noise.glsl"
#include "sky.glsl"
#include "gbuffer.glsl"
#include "clusters.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler2D albedo_map;
layout(set = 0, binding = 3) uniform sampler2D shape_map;
layout(set = 0, binding = 4) uniform sampler2D occlusion_map;
layout(set = 0, binding = 5) uniform sampler2DArrayShadow shadow_atlas;
layout(set = 0, binding = 6, std430) readonly buffer Lights {
    Light lights[];
};
layout(set = 0, binding = 7, std430) readonly buffer Clusters {
    Cluster clusters[];
};
layout(set = 0, binding = 8, rgba16f) uniform writeonly image2D target;

#include "shadow.glsl"

/* One light's share: Lambert, and the usual microfacet lobe. */
vec3 shade(Surface s, vec3 v, vec3 l)
{
    float nl = max(dot(s.normal, l), 0.0);
    if (nl <= 0.0) {
        return vec3(0.0);
    }
    vec3 h = normalize(v + l);
    float nh = max(dot(s.normal, h), 0.0);
    float nv = max(dot(s.normal, v), 1e-3);
    float vh = max(dot(v, h), 0.0);
    float a = max(s.roughness * s.roughness, 0.004);
    float d = nh * nh * (a * a - 1.0) + 1.0;
    float distribution = a * a / (PI * d * d);
    float k = (s.roughness + 1.0) * (s.roughness + 1.0) / 8.0;
    float visibility = 0.25 / ((nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
    vec3 f0 = mix(vec3(0.04), s.albedo, s.metal);
    vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - vh, 5.0);
    vec3 diffuse = s.albedo * (1.0 - s.metal) * (1.0 - fresnel) / PI;
    return (diffuse + fresnel * min(distribution * visibility, 40.0)) * nl;
}

vec3 point_lights(Surface s, vec3 p, vec3 v, vec2 uv, float distance_m)
{
    vec3 sum = vec3(0.0);
    uvec2 tile = min(uvec2(uv * vec2(CLUSTERS.xy)), CLUSTERS.xy - 1u);
    uint cluster = cluster_index(uvec3(tile, slice_of(distance_m)));
    uint count = clusters[cluster].count;
    for (uint i = 0u; i < count; i++) {
        Light light = lights[clusters[cluster].lights[i]];
        vec3 to = light.position.xyz - p;
        float d2 = dot(to, to);
        float ratio = d2 / (light.position.w * light.position.w);
        float window = max(1.0 - ratio * ratio, 0.0);
        sum += shade(s, v, to * inversesqrt(max(d2, 1e-6))) * light.color.rgb * (window * window / (d2 + 0.06));
    }
    return sum;
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, ivec2(frame.size.xy)))) {
        return;
    }
    float depth = texelFetch(depth_map, at, 0).r;
    if (depth <= 0.0) {
        imageStore(target, at, vec4(0.0, 0.0, 0.0, 1.0));
        return;
    }
    vec2 uv = (vec2(at) + 0.5) * frame.size.zw;
    vec3 p = world_position(uv, depth);
    vec3 v = normalize(frame.eye.xyz - p);
    float distance_m = view_distance(depth);
    Surface s = unpack_surface(texelFetch(albedo_map, at, 0), texelFetch(shape_map, at, 0));

    float occlusion = texelFetch(occlusion_map, at, 0).r;
    vec3 color = s.albedo * (1.0 - s.metal) * sky_irradiance(s.normal) * occlusion;
    if (dot(s.normal, frame.sun.xyz) > 0.0) {
        float lit = sun_visibility(p, s.normal, distance_m, dither(vec2(at), frame.counts.z));
        color += shade(s, v, frame.sun.xyz) * frame.sun_radiance.rgb * lit;
    }
    color += point_lights(s, p, v, uv, distance_m) * mix(occlusion, 1.0, 0.5);
    color += s.albedo * s.emission;
    imageStore(target, at, vec4(color, 1.0));
}
