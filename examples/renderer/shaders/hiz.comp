#version 460
/* SPDX-License-Identifier: MIT */
/* One level of the depth pyramid: the farthest depth of the texels below, the odd row and column included. */
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1, r32f) uniform writeonly image2D target;

void main()
{
    ivec2 size = imageSize(target);
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, size))) {
        return;
    }
    ivec2 limit = textureSize(source, 0) - 1;
    ivec2 first = at * 2;
    ivec2 reach = ivec2(at.x == size.x - 1 ? limit.x - first.x : 1, at.y == size.y - 1 ? limit.y - first.y : 1);
    reach = clamp(reach, ivec2(0), ivec2(2));
    float farthest = 1.0;
    for (int y = 0; y <= reach.y; y++) {
        for (int x = 0; x <= reach.x; x++) {
            farthest = min(farthest, texelFetch(source, min(first + ivec2(x, y), limit), 0).r);
        }
    }
    imageStore(target, at, vec4(farthest));
}
