/* SPDX-License-Identifier: MIT */
/* What every shader knows of the frame. Depth is reversed: 1 at the near plane, 0 at infinity. */

layout(set = 0, binding = 0, std140) uniform Frame {
    mat4 view;
    mat4 view_proj;           /* with this frame's sub-pixel offset */
    mat4 inverse_view_proj;
    mat4 plain_view_proj;     /* without the offset */
    mat4 previous_view_proj;  /* of the frame before, without the offset */
    mat4 cascade_view_proj[4];
    vec4 cascade_far;         /* view distance where each cascade ends */
    vec4 cascade_texel;       /* metres per texel of each cascade */
    vec4 eye;                 /* xyz position, w near plane */
    vec4 sun;                 /* xyz towards the sun, w seconds */
    vec4 sun_radiance;        /* rgb, w density of the haze */
    vec4 size;                /* width, height and their inverses */
    vec4 projection;          /* tangents of half the field of view, sub-pixel offset in clip space */
    uvec4 counts;             /* instances, lights, frame, particles */
    uvec4 effort;             /* samples: occlusion, haze, reflections, shadow */
} frame;

const float PI = 3.14159265;

float view_distance(float depth)
{
    return frame.eye.w / max(depth, 1e-7);
}

vec3 world_position(vec2 uv, float depth)
{
    vec4 p = frame.inverse_view_proj * vec4(uv * 2.0 - 1.0, max(depth, 1e-6), 1.0);
    return p.xyz / p.w;
}

struct Instance {
    vec4 row0;
    vec4 row1;
    vec4 row2;
    vec4 sphere;    /* world centre and radius */
    uvec4 kind;     /* mesh, material, casts a shadow, packed tint */
};

vec3 to_world(Instance instance, vec3 p)
{
    vec4 q = vec4(p, 1.0);
    return vec3(dot(instance.row0, q), dot(instance.row1, q), dot(instance.row2, q));
}

/* Normals shrink where positions stretch. */
vec3 to_world_direction(Instance instance, vec3 n)
{
    vec3 x = vec3(instance.row0.x, instance.row1.x, instance.row2.x);
    vec3 y = vec3(instance.row0.y, instance.row1.y, instance.row2.y);
    vec3 z = vec3(instance.row0.z, instance.row1.z, instance.row2.z);
    return x * (n.x / dot(x, x)) + y * (n.y / dot(y, y)) + z * (n.z / dot(z, z));
}

struct DrawCommand {
    uint index_count;
    uint instance_count;
    uint first_index;
    int vertex_offset;
    uint first_instance;
    uint base;      /* where this mesh's list of visible instances begins */
    uint padding0;
    uint padding1;
};

const uint MESH_COUNT = 256;

struct Light {
    vec4 position;  /* xyz, w reach */
    vec4 color;     /* rgb intensity, w unused */
};
