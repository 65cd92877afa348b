/* SPDX-License-Identifier: MIT */
/* How often each digit is in each tile. Tiles past the last row write zeros: all counts are scanned. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"
#include "radix_args.glsl"

shared uint digits[FG_DIGITS];

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
    for (uint i = 0u; i < uint(FG_ITEMS); i++) {
        uint row = tile * fg_tile_items() + i * FG_GROUP + gl_LocalInvocationIndex;
        bool is_row = row < count;
        uint digit = 0u;
        if (is_row) {
            digit = digit_of(key_at(row));
        }
#ifdef FG_SUBGROUP
        /* Equal digits beside each other are common, and would wait for each other. */
        uvec4 ballot = subgroupBallot(is_row);
        uint rows = subgroupBallotBitCount(ballot);
        if (rows == 0u) {
            continue;
        }
        uint chosen = subgroupBallotFindLSB(ballot);
        uint first_digit = subgroupShuffle(digit, chosen);
        if (subgroupAll(!is_row || digit == first_digit)) {
            if (gl_SubgroupInvocationID == chosen) {
                atomicAdd(digits[digit], rows);
            }
            continue;
        }
#endif
        if (is_row) {
            atomicAdd(digits[digit], 1u);
        }
    }
    barrier();
    for (uint digit = gl_LocalInvocationIndex; digit < FG_DIGITS; digit += FG_GROUP) {
        fg_u32_put(args.counts, digit * args.tiles + tile, digits[digit]);
    }
}
