/* SPDX-License-Identifier: MIT */
/* Which rows take part; of none of them anything is known yet. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "path.glsl"

const uint WORDS = PATH_ROWS / 32u;
shared uint bits[WORDS];

bool is_wanted(uint row)
{
    return (!fg_is_there(args.words.passing) || fg_mask_bit(args.words.passing, row)) &&
           fg_meets(fg_u64_at(args.trace.start, row), fg_u64_at(args.trace.end, row),
                    u64_of(args.words.start_ns), u64_of(args.words.end_ns));
}

void main()
{
    uint first = fg_group_index() * PATH_ROWS;
    uint lane = gl_LocalInvocationIndex;
    if (first >= args.trace.row_count) {
        return;
    }
    for (uint i = lane; i < WORDS; i += FG_GROUP) {
        bits[i] = 0u;
    }
    barrier();
    for (uint i = lane; i < PATH_ROWS; i += FG_GROUP) {
        uint row = first + i;
        if (row < args.trace.row_count) {
            fg_quad_put(args.words.nodes, row, uvec4(0u, 0u, FG_NO_ROW, 0u));
            if (fg_is_there(args.words.roots)) {
                fg_u32_put(args.words.roots, row, FG_NO_ROW);
            }
            if (fg_is_there(args.words.tails)) {
                fg_u64_put(args.words.tails, row, u64_zero());
            }
            if (fg_is_there(args.words.part) && is_wanted(row)) {
                atomicOr(bits[i >> 5], 1u << (i & 31u));
            }
        }
    }
    barrier();
    for (uint i = lane; i < WORDS && fg_is_there(args.words.part); i += FG_GROUP) {
        if (first + i * 32u < args.trace.row_count) {
            fg_u32_put(args.words.part, (first >> 5) + i, bits[i]);
        }
    }
}
