/* SPDX-License-Identifier: MIT */
/* Sets the bits of the rows that words name, of those whose own bit is set if there is a mask of
 * them. Or by atomics: the order does not matter. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"

/* struct mask_push of prim_mask.c */
layout(push_constant, std430) uniform fg_args {
    fg_column words;
    fg_column target;
    fg_column source;
    uvec2 count_address;
    uint count;
    uint target_count;
} args;

void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint at = fg_invocation_index();
    if (fg_group_index() > count / FG_GROUP || at >= count) {
        return;
    }
    uint row = fg_u32_at(args.words, at);
    if (row >= args.target_count || (fg_is_there(args.source) && !fg_mask_bit(args.source, at))) {
        return;
    }
    uint word = row >> 5;
    atomicOr(fg_words(fg_chunk(args.target, word)).at[word & args.target.row_mask], 1u << (row & 31u));
}
