/* SPDX-License-Identifier: MIT */
/* Where each row points at first: to itself if it is in sight, else to its parent. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "project.glsl"

void main()
{
    uint row = fg_invocation_index();
    if (row >= args.count) {
        return;
    }
    uint next = row;
    if (!is_in_sight(row)) {
        next = fg_u32_at(args.trace.parent, row);
        if (next != FG_NO_ROW && next >= args.trace.row_count) {
            next = PROJECT_NO_PARENT;
        }
    }
    fg_u32_put(args.target, row, next);
}
