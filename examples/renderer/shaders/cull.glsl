/* SPDX-License-Identifier: MIT */
/* Shared by the culling shaders: tests of a bounding sphere, and the list of what passed. */

layout(local_size_x = 64) in;

layout(set = 0, binding = 1, std430) readonly buffer Instances {
    Instance instances[];
};

layout(set = 0, binding = 2, std430) buffer Draws {
    DrawCommand commands[MESH_COUNT];
    uint visible[];
};

bool in_frustum(mat4 m, vec4 sphere, bool has_near)
{
    vec4 x = vec4(m[0].x, m[1].x, m[2].x, m[3].x);
    vec4 y = vec4(m[0].y, m[1].y, m[2].y, m[3].y);
    vec4 w = vec4(m[0].w, m[1].w, m[2].w, m[3].w);
    vec4 center = vec4(sphere.xyz, 1.0);
    vec4 planes[4] = vec4[4](w + x, w - x, w + y, w - y);
    for (int i = 0; i < 4; i++) {
        if (dot(planes[i], center) < -sphere.w * length(planes[i].xyz)) {
            return false;
        }
    }
    return !has_near || dot(w, center) > -sphere.w * length(w.xyz);
}

void append(uint mesh, uint index)
{
    uint slot = atomicAdd(commands[mesh].instance_count, 1u);
    visible[commands[mesh].base + slot] = index;
}
