#version 460
/* SPDX-License-Identifier: MIT */
/* The materials of the courtyard, made of noise; and those of files, from a table and textures. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "noise.glsl"
#include "gbuffer.glsl"

layout(location = 0) in vec3 in_world;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 3) flat in uvec2 in_material;

struct TableSurface {
    vec4 color;
    float roughness;
    float metal;
    float emission;
    uint texture_layer;
};

layout(set = 0, binding = 3, std430) readonly buffer Surfaces {
    TableSurface surfaces[];
};
layout(set = 0, binding = 4) uniform sampler2DArray textures;

layout(location = 0) out vec4 out_albedo_metal;
layout(location = 1) out vec4 out_shape;

const uint FLOOR = 0, LIMESTONE = 1, MARBLE = 2, GOLD = 3, BRONZE = 4, GLOW = 5, LEAVES = 6, WATER = 7, TILES = 8,
           GRASS = 9, SURFACE = 10;

float veins(vec3 p)
{
    float warp = fbm3(p * 1.3, 3);
    float line = abs(sin(p.x * 1.7 + p.y * 2.3 + p.z * 1.1 + warp * 7.0));
    return smoothstep(0.0, 0.22, line);
}

Surface floor_surface(vec3 p, vec3 n)
{
    vec2 cell = floor(p.xz / 1.5);
    vec2 inside = abs(fract(p.xz / 1.5) - 0.5) * 1.5;
    float grout = smoothstep(0.715, 0.742, max(inside.x, inside.y));
    float dark = mod(cell.x + cell.y, 2.0);
    vec3 turned = p + vec3(hash2(cell) * 17.0, 0.0).xzy;
    float vein = veins(turned * 0.9);
    vec3 pale = mix(vec3(0.42, 0.36, 0.29), vec3(0.66, 0.59, 0.49), vein);
    vec3 deep = mix(vec3(0.24, 0.12, 0.075), vec3(0.34, 0.175, 0.105), vein);
    /* A diamond is inlaid where four slabs meet, and a border follows the pool. */
    vec2 corner = abs(fract(p.xz / 1.5 + 0.5) - 0.5) * 1.5;
    float diamond = 1.0 - smoothstep(0.25, 0.262, corner.x + corner.y);
    vec3 albedo = mix(mix(pale, deep, dark), vec3(0.055, 0.075, 0.085), diamond);
    float worn = fbm2(p.xz * 0.55, 4);
    albedo *= 0.72 + 0.5 * worn;
    albedo = mix(albedo, vec3(0.12, 0.105, 0.09), grout * (1.0 - diamond));
    float roughness = mix(0.10, 0.42, smoothstep(0.30, 0.66, worn)) + grout * 0.4;
    return Surface(albedo, 0.0, n, clamp(roughness, 0.06, 0.95), 0.0);
}

Surface limestone(vec3 p, vec3 n)
{
    float large = fbm3(p * vec3(0.8, 0.35, 0.8), 3);
    float fine = noise3(p * 21.0);
    float streak = smoothstep(0.45, 0.8, fbm3(p * vec3(3.0, 0.25, 3.0) + 5.0, 3));
    vec3 albedo = mix(vec3(0.60, 0.50, 0.37), vec3(0.80, 0.72, 0.58), large);
    albedo *= 0.9 + 0.14 * fine;
    albedo = mix(albedo, albedo * vec3(0.62, 0.56, 0.50), streak * 0.55);
    return Surface(albedo, 0.0, n, 0.78 - 0.12 * fine, 0.0);
}

Surface water(vec3 p, vec3 n)
{
    float t = frame.sun.w;
    vec2 q = p.xz * 2.6;
    vec2 slope = vec2(noise2(q + vec2(t * 0.7, 0.0)) - noise2(q + vec2(0.3 + t * 0.7, 0.0)),
                      noise2(q * 1.3 - vec2(0.0, t * 0.6)) - noise2(q * 1.3 + vec2(0.0, 0.3 - t * 0.6)));
    n = normalize(n + vec3(slope.x, 0.0, slope.y) * 0.055);
    return Surface(vec3(0.012, 0.035, 0.045), 0.0, n, 0.03, 0.0);
}

Surface roof_tiles(vec3 p, vec3 n)
{
    vec2 q = vec2(p.x + p.z, p.y * 1.2 + p.z) * 3.0;
    float row = fract(q.y);
    float shade = 0.7 + 0.3 * smoothstep(0.0, 0.35, row) + 0.15 * (hash1(floor(q)) - 0.5);
    return Surface(vec3(0.47, 0.19, 0.10) * shade, 0.0, n, 0.8, 0.0);
}

Surface leaves(vec3 p, vec3 n)
{
    float clump = fbm3(p * 3.1, 3);
    float fine = noise3(p * 19.0);
    vec3 bump = vec3(noise3(p * 11.0), noise3(p * 11.0 + 31.0), noise3(p * 11.0 + 57.0)) - 0.5;
    vec3 albedo = mix(vec3(0.025, 0.06, 0.022), vec3(0.11, 0.18, 0.05), clump * (0.5 + 0.7 * fine));
    return Surface(albedo, 0.0, normalize(n + bump * 1.3), 0.85, 0.0);
}

Surface grass(vec3 p, vec3 n)
{
    float clump = fbm2(p.xz * 0.7, 4);
    float fine = noise2(p.xz * 14.0);
    vec3 albedo = mix(vec3(0.06, 0.10, 0.03), vec3(0.22, 0.23, 0.08), clump * (0.5 + fine));
    return Surface(albedo, 0.0, n, 0.9, 0.0);
}

Surface surface_of(uint material, vec3 tint, vec3 p, vec3 n)
{
    switch (material) {
    case FLOOR:
        return floor_surface(p, n);
    case MARBLE:
        return Surface(mix(vec3(0.42, 0.42, 0.44), vec3(0.88, 0.86, 0.82), veins(p * 1.4 + 3.0)), 0.0, n, 0.28, 0.0);
    case GOLD:
        return Surface(vec3(1.0, 0.70, 0.28), 1.0, n, 0.16 + 0.14 * noise3(p * 9.0), 0.0);
    case BRONZE:
        return Surface(mix(vec3(0.32, 0.20, 0.10), vec3(0.13, 0.26, 0.20), smoothstep(0.45, 0.75, fbm3(p * 4.0, 3))),
                       0.8, n, 0.42, 0.0);
    case GLOW:
        return Surface(tint, 0.0, n, 0.5, 9.0);
    case LEAVES:
        return leaves(p, n);
    case WATER:
        return water(p, n);
    case TILES:
        return roof_tiles(p, n);
    case GRASS:
        return grass(p, n);
    default:
        return limestone(p, n);
    }
}

Surface from_table(uint index, vec2 uv, vec3 n)
{
    TableSurface s = surfaces[index];
    vec3 albedo = s.color.rgb * texture(textures, vec3(uv, float(s.texture_layer))).rgb;
    return Surface(albedo, s.metal, n, max(s.roughness, 0.03), s.emission);
}

void main()
{
    vec3 n = normalize(in_normal);
    Surface s = in_material.x >= SURFACE
                    ? from_table(in_material.x - SURFACE, in_uv, n)
                    : surface_of(in_material.x, unpackUnorm4x8(in_material.y).rgb, in_world, n);
    out_albedo_metal = vec4(clamp(s.albedo, 0.0, 1.0), s.metal);
    out_shape = vec4(encode_normal(s.normal), s.roughness, s.emission);
}
