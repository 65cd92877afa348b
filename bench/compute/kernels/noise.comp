/* SPDX-License-Identifier: MIT */
/* Words that look random, below a limit if there is one. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../../../src/engine/vulkan/kernels/prelude.glsl"

/* struct noise_push of compute_bench.c */
layout(push_constant, std430) uniform fg_args {
    fg_column target;
    uint count;
    uint salt;
    uint limit; /* 0 = any word */
} args;

void main()
{
    uint at = fg_invocation_index();
    if (fg_group_index() > args.count / FG_GROUP || at >= args.count) {
        return;
    }
    uint word = at ^ args.salt;
    word = (word ^ (word >> 16)) * 0x7feb352du;
    word = (word ^ (word >> 15)) * 0x846ca68bu;
    word ^= word >> 16;
    fg_u32_put(args.target, at, args.limit != 0u ? word % args.limit : word);
}
