/* SPDX-License-Identifier: MIT */
/* Every row points to where the one that it points to does: twice as far. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "project.glsl"

void main()
{
    uint row = fg_invocation_index();
    if (row < args.count) {
        uint next = fg_u32_at(args.rows, row);
        fg_u32_put(args.target, row, next < args.count ? fg_u32_at(args.rows, next) : next);
    }
}
