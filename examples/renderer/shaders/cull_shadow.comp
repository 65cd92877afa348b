#version 460
/* SPDX-License-Identifier: MIT */
/* What casts a shadow into one cascade. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "cull.glsl"

layout(push_constant) uniform Push {
    uint cascade;
};

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= frame.counts.x || instances[index].kind.z == 0u) {
        return;
    }
    if (in_frustum(frame.cascade_view_proj[cascade], instances[index].sphere, false)) {
        append(instances[index].kind.x, index);
    }
}
