#version 460
/* SPDX-License-Identifier: MIT */
/* What was visible in the frame before and is still in view is drawn first: it hides the rest. */
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "cull.glsl"

layout(set = 0, binding = 3, std430) readonly buffer Visibility {
    uint was_visible[];
};

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= frame.counts.x || was_visible[index] == 0u) {
        return;
    }
    if (in_frustum(frame.view_proj, instances[index].sphere, true)) {
        append(instances[index].kind.x, index);
    }
}
