/* SPDX-License-Identifier: MIT */
/*
 * Sum, least and greatest of a column, exact. First each group's rows (FG_REDUCE_U32: a word each, else
 * two), then with FG_REDUCE_PARTS one group over what those came to. Equal numbers: the lowest row.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"

const uint FG_ROUNDS = 32u; /* rows of an invocation, as in prim_reduce.c */
const uint FG_AT_ONCE = 8u; /* of these are loaded before any is looked at */

/* struct reduce_push of prim_reduce.c */
layout(push_constant, std430) uniform fg_args {
    fg_column source;
    fg_column rows; /* what a place's row is; none = the place itself */
    fg_column mask; /* none = every row */
    uvec2 parts;
    uvec2 count_address;
    uvec2 result_address;
    uint count;
} args;

/* struct fgi_reduction of primitives.h: 64 bytes in memory. */
struct part {
    u128 sum;
    u64 least;
    u64 greatest;
    uint least_row;
    uint greatest_row;
    uint count;
};

part part_of_nothing()
{
    return part(u128(0u), u64_all(), u64_zero(), FG_NO_ROW, FG_NO_ROW, 0u);
}
part combine(part a, part b)
{
    a.sum = u128_add(a.sum, b.sum);
    if (u64_less(b.least, a.least) || (u64_equal(b.least, a.least) && b.least_row < a.least_row)) {
        a.least = b.least;
        a.least_row = b.least_row;
    }
    if (u64_less(a.greatest, b.greatest) ||
        (u64_equal(b.greatest, a.greatest) && b.greatest_row < a.greatest_row)) {
        a.greatest = b.greatest;
        a.greatest_row = b.greatest_row;
    }
    a.count += b.count;
    return a;
}
part part_at(uint at)
{
    fg_quads quads = fg_quads(args.parts);
    uvec4 sum = quads.at[at * 4u];
    uvec4 ends = quads.at[at * 4u + 1u];
    uvec4 rows = quads.at[at * 4u + 2u];
    return part(sum, u64_of(ends.xy), u64_of(ends.zw), rows.x, rows.y, rows.z);
}
void part_put(uvec2 address, uint at, part value)
{
    fg_quads quads = fg_quads(address);
    quads.at[at * 4u] = value.sum;
    quads.at[at * 4u + 1u] = uvec4(u64_words(value.least), u64_words(value.greatest));
    quads.at[at * 4u + 2u] = uvec4(value.least_row, value.greatest_row, value.count, 0u);
    quads.at[at * 4u + 3u] = uvec4(0u);
}

shared uvec4 sums[FG_GROUP];
shared uvec4 ends[FG_GROUP];
shared uvec4 places[FG_GROUP];

part combine_group(part mine)
{
    uint lane = gl_LocalInvocationIndex;
    for (uint width = FG_GROUP / 2u; width > 0u; width >>= 1u) {
        if (lane >= width && lane < width * 2u) {
            sums[lane] = mine.sum;
            ends[lane] = uvec4(u64_words(mine.least), u64_words(mine.greatest));
            places[lane] = uvec4(mine.least_row, mine.greatest_row, mine.count, 0u);
        }
        barrier();
        if (lane < width) {
            uint at = lane + width;
            mine = combine(mine, part(sums[at], u64_of(ends[at].xy), u64_of(ends[at].zw), places[at].x,
                                      places[at].y, places[at].z));
        }
    }
    return mine;
}

#ifdef FG_REDUCE_PARTS
void main()
{
    if (fg_group_index() != 0u) {
        return;
    }
    uint rows = fg_count(args.count, args.count_address);
    uint each = FG_GROUP * FG_ROUNDS;
    uint count = rows / each + uint(rows % each != 0u);
    part mine = part_of_nothing();
    for (uint at = gl_LocalInvocationIndex; at < count; at += FG_GROUP) {
        mine = combine(mine, part_at(at));
    }
    mine = combine_group(mine);
    if (gl_LocalInvocationIndex == 0u) {
        part_put(args.result_address, 0u, mine);
    }
}
#else
void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint group = fg_group_index();
    uint each = FG_GROUP * FG_ROUNDS;
    if (group >= count / each + uint(count % each != 0u)) {
        return;
    }
    uint first = group * each;
    fg_span source = fg_span_of(args.source, first, min(count - first, each));
    part mine = part_of_nothing();
    for (uint i = 0u; i < FG_ROUNDS; i += FG_AT_ONCE) {
        uvec2 values[FG_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < FG_AT_ONCE; k++) {
            uint at = first + (i + k) * FG_GROUP + gl_LocalInvocationIndex;
            values[k] = uvec2(0u);
            if (at < count) {
#ifdef FG_REDUCE_U32
                values[k].x = fg_u32_at(source, at);
#else
                values[k] = fg_pair_at(source, at);
#endif
            }
        }
        [[unroll]] for (uint k = 0u; k < FG_AT_ONCE; k++) {
            uint at = first + (i + k) * FG_GROUP + gl_LocalInvocationIndex;
            if (at < count && (!fg_is_there(args.mask) || fg_mask_bit(args.mask, at))) {
                u64 value = u64_of(values[k]);
                uint row = fg_is_there(args.rows) ? fg_u32_at(args.rows, at) : at;
                mine = combine(mine, part(u128_from(value), value, value, row, row, 1u));
            }
        }
    }
    mine = combine_group(mine);
    if (gl_LocalInvocationIndex == 0u) {
        part_put(args.parts, group, mine);
    }
}
#endif
