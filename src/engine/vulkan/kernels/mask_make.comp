/* SPDX-License-Identifier: MIT */
/*
 * A bit for each row. Of FG_MASK_FLAGS: whether the row's word is not 0. Of FG_MASK_GATHER: the bit of
 * another mask at the row that this row's word names. Bits past the last row are 0.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#define FG_SCAN_U32
#include "scan_values.glsl"

/* struct mask_push of prim_mask.c */
layout(push_constant, std430) uniform fg_args {
    fg_column words;
    fg_column target;
    fg_column source;
    uvec2 count_address;
    uint count;
    uint source_count;
} args;

shared uint nibbles[FG_GROUP];

bool is_set(uint word)
{
#ifdef FG_MASK_GATHER
    return word < args.source_count && fg_mask_bit(args.source, word);
#else
    return word != 0u;
#endif
}

void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint tile = fg_group_index();
    uint first = tile * fg_tile_rows();
    if (tile >= (count + fg_tile_rows() - 1u) / fg_tile_rows()) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint values[FG_TILE_STRIPS][FG_VECTOR];
    load_tile(fg_span_of(args.words, first, min(count - first, fg_tile_rows())), first, count, values);
    uint bits = 0u;
    [[unroll]] for (int k = 0; k < FG_TILE_STRIPS; k++) {
        uint row = first + (uint(k) * FG_GROUP + lane) * uint(FG_VECTOR);
        [[unroll]] for (int i = 0; i < FG_VECTOR; i++) {
            if (row + uint(i) < count && is_set(values[k][i])) {
                bits |= 1u << (k * FG_VECTOR + i);
            }
        }
    }
    nibbles[lane] = bits;
    barrier();
    /* Eight invocations' bits of one strip are a word. */
    uint words_of_strip = FG_GROUP / 8u;
    for (uint at = lane; at < uint(FG_TILE_STRIPS) * words_of_strip; at += FG_GROUP) {
        uint strip = at / words_of_strip;
        uint word = 0u;
        for (uint i = 0u; i < 8u; i++) {
            word |= ((nibbles[(at % words_of_strip) * 8u + i] >> (strip * 4u)) & 15u) << (i * 4u);
        }
        uint row = first + at * 32u;
        if (row < count) {
            fg_u32_put(args.target, row >> 5, word);
        }
    }
}
