/* SPDX-License-Identifier: MIT */
/*
 * How many rows have each key. The counts were cleared before; sums of integers do not depend on the
 * order. FG_COUNT_LOCAL: for few keys, counted in the group's memory first.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"

const uint FG_LOCAL_KEYS = 2048u; /* as in prim_count.c */
const uint FG_ROUNDS = 32u;       /* rows of an invocation, as in prim_count.c */
const uint FG_AT_ONCE = 8u;       /* of these are loaded before any is looked at */

/* struct count_push of prim_count.c */
layout(push_constant, std430) uniform fg_args {
    fg_column keys;
    fg_column counts;
    fg_column mask;      /* none = every row */
    uvec2 other_address; /* rows whose key is none of these; 0 = nobody wants them */
    uvec2 count_address;
    uint count;
    uint key_count;
} args;

#ifdef FG_COUNT_LOCAL
shared uint local_counts[FG_LOCAL_KEYS];
#endif

void add_to(uint key, uint rows)
{
    if (key >= args.key_count) {
        if (fg_is_there(args.other_address)) {
            atomicAdd(fg_words(args.other_address).at[0], rows);
        }
        return;
    }
#ifdef FG_COUNT_LOCAL
    atomicAdd(local_counts[key], rows);
#else
    atomicAdd(fg_words(fg_chunk(args.counts, key)).at[key & args.counts.row_mask], rows);
#endif
}

/** One row, or none, of each invocation. */
void count_row(uint key, bool counts)
{
#ifdef FG_SUBGROUP
    /* Equal keys beside each other are common, and would wait for each other. */
    uvec4 ballot = subgroupBallot(counts);
    uint rows = subgroupBallotBitCount(ballot);
    if (rows == 0u) {
        return;
    }
    uint chosen = subgroupBallotFindLSB(ballot);
    uint first_key = subgroupShuffle(key, chosen);
    if (subgroupAll(!counts || key == first_key)) {
        if (gl_SubgroupInvocationID == chosen) {
            add_to(key, rows);
        }
        return;
    }
#endif
    if (counts) {
        add_to(key, 1u);
    }
}

void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint group = fg_group_index();
    uint each = FG_GROUP * FG_ROUNDS;
    if (group >= count / each + uint(count % each != 0u)) {
        return;
    }
#ifdef FG_COUNT_LOCAL
    for (uint key = gl_LocalInvocationIndex; key < args.key_count; key += FG_GROUP) {
        local_counts[key] = 0u;
    }
    barrier();
#endif
    fg_span keys = fg_span_of(args.keys, group * each, min(count - group * each, each));
    for (uint i = 0u; i < FG_ROUNDS; i += FG_AT_ONCE) {
        uint row = group * each + i * FG_GROUP + gl_LocalInvocationIndex;
        uint loaded[FG_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < FG_AT_ONCE; k++) {
            loaded[k] = 0u;
            if (row + k * FG_GROUP < count) {
                loaded[k] = fg_u32_at(keys, row + k * FG_GROUP);
            }
        }
        [[unroll]] for (uint k = 0u; k < FG_AT_ONCE; k++) {
            uint at = row + k * FG_GROUP;
            count_row(loaded[k], at < count && (!fg_is_there(args.mask) || fg_mask_bit(args.mask, at)));
        }
    }
#ifdef FG_COUNT_LOCAL
    barrier();
    for (uint key = gl_LocalInvocationIndex; key < args.key_count; key += FG_GROUP) {
        uint rows = local_counts[key];
        if (rows != 0u) {
            atomicAdd(fg_words(fg_chunk(args.counts, key)).at[key & args.counts.row_mask], rows);
        }
    }
#endif
}
