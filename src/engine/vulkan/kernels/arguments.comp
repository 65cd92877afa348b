/* SPDX-License-Identifier: MIT */
/* Indirect arguments from a count. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "fold.glsl"

/* struct arguments_push of prim_compact.c */
layout(push_constant, std430) uniform fg_args {
    uvec2 count_address;
    uvec2 dispatch_address; /* 0 = none */
    uvec2 draw_address;     /* 0 = none: VkDrawIndirectCommand, an instance for each */
    uint limit;             /* never more than these */
    uint each;              /* rows of a group */
    uint vertex_count;
} args;

void main()
{
    if (fg_invocation_index() != 0u) {
        return;
    }
    uint count = fg_count(args.limit, args.count_address);
    if (fg_is_there(args.dispatch_address)) {
        fg_fold(count / args.each + uint(count % args.each != 0u), args.dispatch_address);
    }
    if (fg_is_there(args.draw_address)) {
        fg_words words = fg_words(args.draw_address);
        words.at[0] = args.vertex_count;
        words.at[1] = count;
        words.at[2] = 0u;
        words.at[3] = 0u;
    }
}
