// SPDX-License-Identifier: MIT
// As much work per invocation as is asked for; the workgroup's width is specialized.
#version 450

layout(local_size_x_id = 3, local_size_y = 2, local_size_z = 1) in;
layout(push_constant) uniform Push
{
    uint loops;
};
layout(set = 0, binding = 0) buffer Values
{
    float values[];
};

void main()
{
    uint index = (gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x +
                  gl_GlobalInvocationID.x) % values.length();
    float x = float(index) * 0.0031;
    for (uint i = 0; i < loops; i++) {
        x = fract(x * 1.73 + 0.31);
    }
    values[index] = x;
}
