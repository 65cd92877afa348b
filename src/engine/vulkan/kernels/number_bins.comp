/* SPDX-License-Identifier: MIT */
/* A histogram of selected rows: how many values are in each bin, below and above all of them. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "number_args.glsl"

const uint FG_LOCAL_BINS = 2048u; /* counted in the group's memory first */
const uint FG_TOTALS = 5u;        /* below, above, measured, unfinished, unmeasured: as in gpu_numbers.h */

/* struct number_push of gpu_numbers.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_number_args numbers;
} args;

shared uint local_counts[FG_LOCAL_BINS];
shared uint local_totals[FG_TOTALS];

/** The last bin that begins at or below the value. */
uint bin_of(u64 value)
{
    if (args.numbers.is_log != 0u) {
        uvec2 words = u64_words(value);
        return words.y != 0u ? 33u + uint(findMSB(words.y)) : words.x != 0u ? 1u + uint(findMSB(words.x)) : 0u;
    }
    uint low = 0u;
    uint high = args.numbers.bins;
    while (high - low > 1u) {
        uint middle = low + (high - low) / 2u;
        if (u64_less(value, fg_u64_at(args.numbers.firsts, middle))) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low;
}

void add_to(uint bin, uint rows)
{
    atomicAdd(fg_words(fg_chunk(args.numbers.counts, bin)).at[bin & args.numbers.counts.row_mask], rows);
}

/** One row; adds to below, above, measured, unfinished, and to unmeasured. */
void see(uint row, inout uvec4 totals, inout uint unmeasured)
{
    u64 start = fg_u64_at(args.trace.start, row);
    u64 end = fg_u64_at(args.trace.end, row);
    uint lane = 0u;
    if ((args.numbers.flags & FG_NUMBER_LANES) != 0u) {
        lane = fg_u32_at(args.trace.lane, row);
    }
    if (!fg_is_chosen(args.trace, args.numbers, row, lane, start, end)) {
        return;
    }
    if ((fg_pair_at(args.numbers.kinds, fg_u32_at(args.trace.kind, row)).y & FG_KIND_OPEN) != 0u) {
        totals.w++;
        return;
    }
    if (!fg_has_value(args.numbers, row)) {
        unmeasured++;
        return;
    }
    u64 value = fg_measured(args.trace, args.numbers, row, lane, start, end);
    totals.z++;
    if (u64_less(value, u64_of(args.numbers.low))) {
        totals.x++;
    } else if (u64_less(u64_of(args.numbers.high), value)) {
        totals.y++;
    } else if (args.numbers.bins <= FG_LOCAL_BINS) {
        atomicAdd(local_counts[bin_of(value)], 1u);
    } else {
        add_to(bin_of(value), 1u);
    }
}

void main()
{
    uint count = args.trace.row_count;
    uint group = fg_group_index();
    uint each = FG_GROUP * FG_NUMBER_ROUNDS;
    if (group >= count / each + uint(count % each != 0u)) {
        return;
    }
    uint local_bins = args.numbers.bins <= FG_LOCAL_BINS ? args.numbers.bins : 0u;
    for (uint bin = gl_LocalInvocationIndex; bin < local_bins; bin += FG_GROUP) {
        local_counts[bin] = 0u;
    }
    for (uint i = gl_LocalInvocationIndex; i < FG_TOTALS; i += FG_GROUP) {
        local_totals[i] = 0u;
    }
    barrier();
    uvec4 totals = uvec4(0u);
    uint unmeasured = 0u;
    for (uint i = 0u; i < FG_NUMBER_ROUNDS; i++) {
        uint row = group * each + i * FG_GROUP + gl_LocalInvocationIndex;
        if (row < count) {
            see(row, totals, unmeasured);
        }
    }
    for (uint i = 0u; i < 4u; i++) {
        if (totals[i] != 0u) {
            atomicAdd(local_totals[i], totals[i]);
        }
    }
    if (unmeasured != 0u) {
        atomicAdd(local_totals[4], unmeasured);
    }
    barrier();
    for (uint bin = gl_LocalInvocationIndex; bin < local_bins; bin += FG_GROUP) {
        if (local_counts[bin] != 0u) {
            add_to(bin, local_counts[bin]);
        }
    }
    for (uint i = gl_LocalInvocationIndex; i < FG_TOTALS; i += FG_GROUP) {
        atomicAdd(fg_words(args.numbers.bin_totals).at[i], local_totals[i]);
    }
}
