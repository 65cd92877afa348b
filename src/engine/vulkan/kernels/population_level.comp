/* SPDX-License-Identifier: MIT */
/* One level of batches of the one before it. What has no part that was made stays as it is. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "gpu_table.glsl"

/* struct level_push of gpu_population.c */
layout(push_constant, std430) uniform fg_args {
    fg_population_table population;
    fg_column dirty;
    uvec2 state;
    uint from_first; /* batches of the level before */
    uint from_count;
    uint first;
    uint count;
} args;

void main()
{
    uint at = fg_invocation_index();
    if (fg_group_index() > args.count / FG_GROUP || at >= args.count) {
        return;
    }
    uint begin = at * FG_BATCH_FAN;
    uint end = min(begin + FG_BATCH_FAN, args.from_count);
    uint made = 0u;
    for (uint i = begin; i < end; i++) {
        made |= fg_u32_at(args.dirty, args.from_first + i);
    }
    fg_u32_put(args.dirty, args.first + at, made);
    if (made == 0u) {
        return;
    }
    fg_batch whole = fg_batch_at(args.population.batches, args.from_first + begin);
    for (uint i = begin + 1u; i < end; i++) {
        fg_batch b = fg_batch_at(args.population.batches, args.from_first + i);
        whole.least_start = u64_min_signed(whole.least_start, b.least_start);
        whole.greatest_end = u64_max_signed(whole.greatest_end, b.greatest_end);
        whole.longest = u64_max(whole.longest, b.longest);
        whole.any_classes |= b.any_classes;
        whole.all_classes &= b.all_classes;
        whole.first_lane = min(whole.first_lane, b.first_lane);
        whole.end_lane = max(whole.end_lane, b.end_lane);
        whole.statuses |= b.statuses;
        whole.faults |= b.faults;
    }
    fg_batch_put(args.population.batches, args.first + at, whole);
    atomicAdd(fg_words(args.state).at[1], 1u);
}
