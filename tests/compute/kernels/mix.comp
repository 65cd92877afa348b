/* SPDX-License-Identifier: MIT */
/* Mixes words of `source` into those of `target`, or puts them there: the order of such steps shows. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../../../src/engine/vulkan/kernels/prelude.glsl"

/* struct mix_push of compute_programs.c */
layout(push_constant, std430) uniform fg_args {
    uvec2 source;
    uvec2 target;
    uint count;
    uint salt;
    uint keeps; /* what is in the target already counts */
} args;

void main()
{
    uint at = fg_invocation_index();
    if (at >= args.count) {
        return;
    }
    uint kept = args.keeps != 0u ? fg_words(args.target).at[at] * 1664525u : 0u;
    fg_words(args.target).at[at] = kept + fg_words(args.source).at[at] + args.salt + at;
}
