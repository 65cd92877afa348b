/* SPDX-License-Identifier: MIT */
/* Transposes bits: bit p of each row's word becomes the row's bit in plane p, for each of 32 planes. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"

/* struct planes_push of prim_mask.c */
layout(push_constant, std430) uniform fg_args {
    fg_column words;
    fg_column target;
    uint count;
    uint plane_words; /* from the beginning of one plane to that of the next */
    uint wanted;      /* a bit for each plane */
} args;

shared uint rows[FG_GROUP];

void main()
{
    uint first = fg_group_index() * FG_GROUP;
    if (fg_group_index() > args.count / FG_GROUP || first >= args.count) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    rows[lane] = first + lane < args.count ? fg_u32_at(args.words, first + lane) : 0u;
    barrier();
    uint plane = lane & 31u;
    uint row = lane & ~31u;
    if (first + row >= args.count || ((args.wanted >> plane) & 1u) == 0u) {
        return;
    }
    uint word = 0u;
    for (uint i = 0u; i < 32u; i++) {
        word |= ((rows[row + i] >> plane) & 1u) << i;
    }
    fg_u32_put(args.target, plane * args.plane_words + ((first + row) >> 5), word);
}
