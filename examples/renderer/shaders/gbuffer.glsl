/* SPDX-License-Identifier: MIT */
/* How surfaces are stored: albedo and metalness; octahedral normal, roughness, emission. */

struct Surface {
    vec3 albedo;
    float metal;
    vec3 normal;
    float roughness;
    float emission;
};

vec2 encode_normal(vec3 n)
{
    n /= abs(n.x) + abs(n.y) + abs(n.z);
    vec2 folded = (1.0 - abs(n.yx)) * vec2(n.x >= 0.0 ? 1.0 : -1.0, n.y >= 0.0 ? 1.0 : -1.0);
    return n.z >= 0.0 ? n.xy : folded;
}

vec3 decode_normal(vec2 e)
{
    vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    float t = max(-n.z, 0.0);
    n.x += n.x >= 0.0 ? -t : t;
    n.y += n.y >= 0.0 ? -t : t;
    return normalize(n);
}

Surface unpack_surface(vec4 albedo_metal, vec4 shape)
{
    return Surface(albedo_metal.rgb, albedo_metal.a, decode_normal(shape.xy), shape.z, shape.w);
}
