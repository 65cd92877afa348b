/* SPDX-License-Identifier: MIT */
/* Indirect arguments from a count. A dispatch is folded so that no dimension exceeds the limit. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"

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
        uint groups = count / args.each + uint(count % args.each != 0u);
        uint y = groups / FG_GROUP_LIMIT + uint(groups % FG_GROUP_LIMIT != 0u);
        uint x = y == 0u ? 0u : groups / y + uint(groups % y != 0u);
        /* A limit so low that two dimensions do not do: the third one takes the rest. */
        uint z = y / FG_GROUP_LIMIT + uint(y % FG_GROUP_LIMIT != 0u);
        if (z > 1u) {
            y = y / z + uint(y % z != 0u);
            uint lines = y * z;
            x = groups / lines + uint(groups % lines != 0u);
        }
        fg_words words = fg_words(args.dispatch_address);
        words.at[0] = x;
        words.at[1] = max(y, 1u);
        words.at[2] = max(z, 1u);
    }
    if (fg_is_there(args.draw_address)) {
        fg_words words = fg_words(args.draw_address);
        words.at[0] = args.vertex_count;
        words.at[1] = count;
        words.at[2] = 0u;
        words.at[3] = 0u;
    }
}
