/* SPDX-License-Identifier: MIT */
/* target[i] = source[order[i]]; what names no row gives `missing`. FG_GATHER_U64: of pairs of words. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"

/* struct gather_push of prim_gather.c */
layout(push_constant, std430) uniform fg_args {
    fg_column source;
    fg_column order; /* none = the rows themselves */
    fg_column target;
    uvec2 count_address;
    uint count;
    uint source_count;
    uint missing;
} args;

void main()
{
    uint count = fg_count(args.count, args.count_address);
    /* Four rows of an invocation, a group apart. */
    uint group = fg_group_index();
    if (group > count / (FG_GROUP * 4u)) {
        return;
    }
    for (uint i = 0u; i < 4u; i++) {
        uint at = (group * 4u + i) * FG_GROUP + gl_LocalInvocationIndex;
        if (at >= count) {
            return;
        }
        uint row = fg_is_there(args.order) ? fg_u32_at(args.order, at) : at;
        bool is_row = row < args.source_count;
#ifdef FG_GATHER_U64
        fg_pairs target = fg_pairs(fg_chunk(args.target, at));
        target.at[at & args.target.row_mask] = is_row ? fg_pair_at(args.source, row) : uvec2(args.missing);
#else
        fg_u32_put(args.target, at, is_row ? fg_u32_at(args.source, row) : args.missing);
#endif
    }
}
