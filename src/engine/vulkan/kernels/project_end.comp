/* SPDX-License-Identifier: MIT */
/* Rows point past all that can be on the way: who still points to a hidden one is on a circle, or
 * behind one. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "project.glsl"

void main()
{
    uint row = fg_invocation_index();
    uint kind = PROJECT_KINDS;
    if (row < args.count) {
        uint next = fg_u32_at(args.rows, row);
        kind = PROJECT_INVALID;
        if (next == FG_NO_ROW) {
            kind = PROJECT_UNRESOLVED;
        } else if (next < args.count && is_in_sight(next)) {
            kind = next == row ? PROJECT_SELF : PROJECT_ANCESTOR;
        }
        fg_u32_put(args.target, row, kind <= PROJECT_ANCESTOR ? next : FG_NO_ROW);
    }
    count_kind(kind);
}
