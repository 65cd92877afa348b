/* SPDX-License-Identifier: MIT */
/*
 * Puts each row behind those of lower digits, and behind those of its own digit that were before it:
 * counts have been scanned to the places of each digit's first row of each tile.
 *
 * With subgroups an invocation finds those of its subgroup with the same digit by ballots; rows are
 * put in order within the group's memory first, so that what is written together lies together.
 * Without, each invocation counts the digits of neighbouring rows by itself.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"
#include "radix_args.glsl"

#ifdef FG_SUBGROUP
const uint FG_SUBGROUPS = (FG_GROUP + FG_SUBGROUP_SIZE - 1u) / FG_SUBGROUP_SIZE;
shared uint seen[FG_SUBGROUPS * FG_DIGITS]; /* by subgroup, then digit */
shared uint place_of[FG_DIGITS];            /* in the target, less the place in the tile */
shared uint widths[FG_DIGITS];
shared K staged_keys[FG_GROUP * uint(FG_ITEMS)];

/** Rows of this digit in the subgroup so far, and then this invocation's place among those. */
uint rank_in_subgroup(uint digit, bool is_row)
{
    uvec4 same = subgroupBallot(is_row);
    for (uint bit = 0u; bit < FG_DIGIT_BITS; bit++) {
        bool set = ((digit >> bit) & 1u) != 0u;
        uvec4 ballot = subgroupBallot(set);
        same &= set ? ballot : ~ballot;
    }
    uint chosen = subgroupBallotFindLSB(same);
    uint before = 0u;
    if (is_row && gl_SubgroupInvocationID == chosen) {
        before = atomicAdd(seen[gl_SubgroupID * FG_DIGITS + digit], subgroupBallotBitCount(same));
    }
    before = subgroupShuffle(before, is_row ? chosen : 0u);
    return before + subgroupBallotExclusiveBitCount(same);
}

/** What each subgroup has seen becomes where its rows of each digit begin in the tile. */
void place_digits(uint tile)
{
    uint lane = fg_lane();
    for (uint digit = lane; digit < FG_DIGITS; digit += FG_GROUP) {
        uint sum = 0u;
        for (uint i = 0u; i < gl_NumSubgroups; i++) {
            uint rows = seen[i * FG_DIGITS + digit];
            seen[i * FG_DIGITS + digit] = sum;
            sum += rows;
        }
        widths[digit] = sum;
    }
    barrier();
    if (gl_SubgroupID == 0u) {
        uint carry = 0u;
        for (uint first = 0u; first < FG_DIGITS; first += gl_SubgroupSize) {
            uint digit = first + gl_SubgroupInvocationID;
            uint width = digit < FG_DIGITS ? widths[digit] : 0u;
            uint before = subgroupExclusiveAdd(width);
            if (digit < FG_DIGITS) {
                widths[digit] = carry + before;
            }
            carry += subgroupAdd(width);
        }
    }
    barrier();
    for (uint digit = lane; digit < FG_DIGITS; digit += FG_GROUP) {
        place_of[digit] = fg_u32_at(args.counts, digit * args.tiles + tile) - widths[digit];
    }
    for (uint i = lane; i < gl_NumSubgroups * FG_DIGITS; i += FG_GROUP) {
        seen[i] += widths[i % FG_DIGITS];
    }
    barrier();
}

void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint tile = fg_group_index();
    uint first = tile * fg_tile_items();
    if (tile >= args.tiles || first >= count) {
        return;
    }
    uint lane = fg_lane();
    for (uint i = lane; i < gl_NumSubgroups * FG_DIGITS; i += FG_GROUP) {
        seen[i] = 0u;
    }
    barrier();
    fg_span span = fg_span_of(args.keys, first, min(count - first, fg_tile_items()));
    fg_span payload = fg_span_of(args.payload, first, min(count - first, fg_tile_items()));
    K keys[FG_ITEMS];
    uint payloads[FG_ITEMS];
    uint places[FG_ITEMS];
    uint mine = first + gl_SubgroupID * gl_SubgroupSize * uint(FG_ITEMS) + gl_SubgroupInvocationID;
    [[unroll]] for (int i = 0; i < FG_ITEMS; i++) {
        uint row = mine + uint(i) * gl_SubgroupSize;
        keys[i] = K(0u);
        payloads[i] = row;
        if (row < count) {
            keys[i] = key_in(span, row);
            if (fg_is_there(args.payload)) {
                payloads[i] = fg_u32_at(payload, row);
            }
        }
    }
    [[unroll]] for (int i = 0; i < FG_ITEMS; i++) {
        places[i] = rank_in_subgroup(digit_of(keys[i]), mine + uint(i) * gl_SubgroupSize < count);
    }
    barrier();
    place_digits(tile);
    [[unroll]] for (int i = 0; i < FG_ITEMS; i++) {
        if (mine + uint(i) * gl_SubgroupSize < count) {
            places[i] += seen[gl_SubgroupID * FG_DIGITS + digit_of(keys[i])];
            staged_keys[places[i]] = keys[i];
        }
    }
    barrier();
    uint rows = min(count - first, fg_tile_items());
    uint targets[FG_ITEMS];
    [[unroll]] for (int i = 0; i < FG_ITEMS; i++) {
        uint at = uint(i) * FG_GROUP + lane;
        if (at < rows) {
            K key = staged_keys[at];
            targets[i] = place_of[digit_of(key)] + at;
            if (fg_is_there(args.out_keys)) {
                key_put(targets[i], key);
            }
        }
    }
    barrier();
    [[unroll]] for (int i = 0; i < FG_ITEMS; i++) {
        uint row = mine + uint(i) * gl_SubgroupSize;
        if (row < count) {
            staged_keys[places[i]] = K(payloads[i]);
        }
    }
    barrier();
    [[unroll]] for (int i = 0; i < FG_ITEMS; i++) {
        uint at = uint(i) * FG_GROUP + lane;
        if (at < rows) {
#ifdef FG_KEYS_U64
            fg_u32_put(args.out_payload, targets[i], staged_keys[at].x);
#else
            fg_u32_put(args.out_payload, targets[i], staged_keys[at]);
#endif
        }
    }
}
#else
const uint FG_LINES = 16u;
shared uint seen[FG_DIGITS * FG_GROUP]; /* by digit, then invocation */
shared uint lines[FG_DIGITS * FG_LINES];

/** What each invocation has seen becomes what those before it have seen. */
void place_digits(uint lane)
{
    uint width = FG_GROUP / FG_LINES;
    for (uint i = lane; i < FG_DIGITS * FG_LINES; i += FG_GROUP) {
        uint sum = 0u;
        for (uint at = i * width; at < (i + 1u) * width; at++) {
            uint rows = seen[at];
            seen[at] = sum;
            sum += rows;
        }
        lines[i] = sum;
    }
    barrier();
    for (uint digit = lane; digit < FG_DIGITS; digit += FG_GROUP) {
        uint sum = 0u;
        for (uint i = digit * FG_LINES; i < (digit + 1u) * FG_LINES; i++) {
            uint rows = lines[i];
            lines[i] = sum;
            sum += rows;
        }
    }
    barrier();
}

void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint tile = fg_group_index();
    if (tile >= args.tiles || tile * fg_tile_items() >= count) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint first = tile * fg_tile_items() + lane * uint(FG_ITEMS);
    uint last = min(first + uint(FG_ITEMS), count);
    uint tile_first = tile * fg_tile_items();
    fg_span keys = fg_span_of(args.keys, tile_first, min(count - tile_first, fg_tile_items()));
    for (uint digit = 0u; digit < FG_DIGITS; digit++) {
        seen[digit * FG_GROUP + lane] = 0u;
    }
    for (uint row = first; row < last; row++) {
        seen[digit_of(key_in(keys, row)) * FG_GROUP + lane]++;
    }
    barrier();
    place_digits(lane);
    uint line = lane / (FG_GROUP / FG_LINES);
    for (uint row = first; row < last; row++) {
        K key = key_in(keys, row);
        uint digit = digit_of(key);
        uint target = fg_u32_at(args.counts, digit * args.tiles + tile) + lines[digit * FG_LINES + line] +
                      seen[digit * FG_GROUP + lane]++;
        if (fg_is_there(args.out_keys)) {
            key_put(target, key);
        }
        fg_u32_put(args.out_payload, target, fg_is_there(args.payload) ? fg_u32_at(args.payload, row) : row);
    }
}
#endif
