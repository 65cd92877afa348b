/* SPDX-License-Identifier: MIT */
/* Vertex fetch of instanced meshes whose visible instances a compute pass listed. */

layout(location = 0) in vec3 position;

layout(set = 0, binding = 1, std430) readonly buffer Instances {
    Instance instances[];
};

layout(set = 0, binding = 2, std430) readonly buffer Draws {
    DrawCommand commands[MESH_COUNT];
    uint visible[];
};

layout(push_constant) uniform Push {
    uint mesh;
    uint cascade;
};

uint visible_instance()
{
    return visible[commands[mesh].base + gl_InstanceIndex];
}
