/* SPDX-License-Identifier: MIT */
/* Roots and steps by row, each in a column of its own; which rows count as words that are not 0. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"

/* struct split_push of gpu_forest.c */
layout(push_constant, std430) uniform fg_args {
    fg_column pairs;
    fg_column roots; /* none = nobody wants them */
    fg_column hops;  /* likewise */
    fg_column flags;
    uint count;
} args;

void main()
{
    uint row = fg_invocation_index();
    if (row >= args.count) {
        return;
    }
    uvec2 pair = fg_pair_at(args.pairs, row);
    if (fg_is_there(args.roots)) {
        fg_u32_put(args.roots, row, pair.x);
    }
    if (fg_is_there(args.hops)) {
        fg_u32_put(args.hops, row, pair.y);
    }
    if (fg_is_there(args.flags)) {
        fg_u32_put(args.flags, row, uint(pair.x != FG_NO_ROW));
    }
}
