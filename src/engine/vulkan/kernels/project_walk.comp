/* SPDX-License-Identifier: MIT */
/*
 * The row itself or its nearest ancestor in sight, by walking up. A circle of parents is found as Brent
 * does it: one row of the way is kept and looked for, and replaced after 1, 2, 4, 8... steps.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "project.glsl"

uint walk(inout uint row)
{
    uint kept = row;
    uint next_kept = 1u;
    for (uint depth = 0u; row < args.trace.row_count; depth++) {
        if (is_in_sight(row)) {
            return depth == 0u ? PROJECT_SELF : PROJECT_ANCESTOR;
        }
        uint parent = fg_u32_at(args.trace.parent, row);
        if (parent == FG_NO_ROW) {
            return PROJECT_UNRESOLVED;
        }
        if (depth == args.max_depth) {
            return PROJECT_CUT;
        }
        if (parent == kept) {
            return PROJECT_INVALID;
        }
        if (depth + 1u == next_kept) {
            kept = parent;
            next_kept *= 2u;
        }
        row = parent;
    }
    return PROJECT_INVALID;
}

void main()
{
    uint i = fg_invocation_index();
    uint kind = PROJECT_KINDS;
    if (i < args.count) {
        uint row = fg_is_there(args.rows) ? fg_u32_at(args.rows, i) : i;
        kind = walk(row);
        fg_u32_put(args.target, i, kind <= PROJECT_ANCESTOR ? row : FG_NO_ROW);
    }
    count_kind(kind);
}
