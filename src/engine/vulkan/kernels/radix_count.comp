/* SPDX-License-Identifier: MIT */
/* How often each digit is in each tile. Tiles past the last row write zeros: all counts are scanned. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"
#include "radix_args.glsl"

shared uint digits[FG_DIGITS];

/** One row, or none, of each invocation. */
void count_digit(uint digit, bool is_row)
{
#ifdef FG_SUBGROUP
    /* Equal digits beside each other are common, and would wait for each other. */
    uvec4 ballot = subgroupBallot(is_row);
    uint rows = subgroupBallotBitCount(ballot);
    if (rows == 0u) {
        return;
    }
    uint chosen = subgroupBallotFindLSB(ballot);
    uint first_digit = subgroupShuffle(digit, chosen);
    if (subgroupAll(!is_row || digit == first_digit)) {
        if (gl_SubgroupInvocationID == chosen) {
            atomicAdd(digits[digit], rows);
        }
        return;
    }
#endif
    if (is_row) {
        atomicAdd(digits[digit], 1u);
    }
}

void main()
{
    uint tile = fg_group_index();
    if (tile >= args.tiles) {
        return;
    }
    uint count = fg_count(args.count, args.count_address);
    for (uint digit = gl_LocalInvocationIndex; digit < FG_DIGITS; digit += FG_GROUP) {
        digits[digit] = 0u;
    }
    barrier();
    uint first = tile * fg_tile_items();
    if (first < count) {
        fg_span keys = fg_span_of(args.keys, first, min(count - first, fg_tile_items()));
        K loaded[FG_ITEMS];
        [[unroll]] for (int i = 0; i < FG_ITEMS; i++) {
            uint row = first + uint(i) * FG_GROUP + gl_LocalInvocationIndex;
            loaded[i] = K(0u);
            if (row < count) {
                loaded[i] = key_in(keys, row);
            }
        }
        [[unroll]] for (int i = 0; i < FG_ITEMS; i++) {
            uint row = first + uint(i) * FG_GROUP + gl_LocalInvocationIndex;
            count_digit(digit_of(loaded[i]), row < count);
        }
    }
    barrier();
    for (uint digit = gl_LocalInvocationIndex; digit < FG_DIGITS; digit += FG_GROUP) {
        fg_u32_put(args.counts, digit * args.tiles + tile, digits[digit]);
    }
}
