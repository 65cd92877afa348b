/* SPDX-License-Identifier: MIT */
/* Two masks word by word. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"

/* struct logic_push of prim_mask.c */
layout(push_constant, std430) uniform fg_args {
    fg_column left;
    fg_column right;
    fg_column target;
    uint word_count;
    uint logic; /* enum fgi_mask_logic */
} args;

void main()
{
    uint at = fg_invocation_index();
    if (fg_group_index() > args.word_count / FG_GROUP || at >= args.word_count) {
        return;
    }
    uint left = fg_u32_at(args.left, at);
    uint right = fg_u32_at(args.right, at);
    uint word = left & right;
    if (args.logic == 1u) {
        word = left | right;
    } else if (args.logic == 2u) {
        word = left & ~right;
    } else if (args.logic == 3u) {
        word = left ^ right;
    }
    fg_u32_put(args.target, at, word);
}
