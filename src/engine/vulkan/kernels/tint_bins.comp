/* SPDX-License-Identifier: MIT */
/*
 * The highest tint of the spans that meet each bin of a window, lane by lane. Spans of a lane do not
 * overlap: they are those that start in the bin, and the one before if it reaches into it.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tint.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer fg_tint_args {
    fg_column tints;
    fg_column levels;
    fg_column lanes;   /* pairs: lane, target */
    fg_column target;  /* words by target, then bin; cleared before */
    uvec2 first_bin;
    uint bin_level; /* a bin is 1 << bin_level ns long */
    uint bin_count;
    uint lane_count;
    uint level_count;
    uint level_first[8];
    uint level_size[8];
};

/* struct bins_push of gpu_numbers_tints.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_population_table population;
    fg_tint_args tinting;
} args;

/** Where a bin begins, or the first or last time there is. */
u64 bin_start(uint index)
{
    uint level = args.tinting.bin_level;
    u64 least = u64_make(0u, 0x80000000u);
    u64 most = u64_make(0xffffffffu, 0x7fffffffu);
    u64 bin = u64_add(u64_of(args.tinting.first_bin), u64_from(index));
    if (u64_less_signed(bin, u64_shift_right_signed(least, level))) {
        return least;
    }
    return u64_less_signed(u64_shift_right_signed(most, level), bin) ? most : u64_shift_left(bin, level);
}

/** Of positions [first, end). */
uint highest_of(uint first, uint end)
{
    uint highest = 0u;
    while (first < end && first % FG_TINT_FAN != 0u) {
        highest = max(highest, fg_tint_at(args.trace, args.tinting.tints, first++));
    }
    while (first < end && end % FG_TINT_FAN != 0u) {
        highest = max(highest, fg_tint_at(args.trace, args.tinting.tints, --end));
    }
    for (uint level = 0u; first < end && level < args.tinting.level_count; level++) {
        bool is_last = level + 1u == args.tinting.level_count;
        uint base = args.tinting.level_first[level];
        first /= FG_TINT_FAN;
        end /= FG_TINT_FAN;
        while (first < end && (is_last || first % FG_TINT_FAN != 0u)) {
            highest = max(highest, fg_u32_at(args.tinting.levels, base + first++));
        }
        while (first < end && end % FG_TINT_FAN != 0u) {
            highest = max(highest, fg_u32_at(args.tinting.levels, base + --end));
        }
    }
    return highest;
}

void main()
{
    uint bins = args.tinting.bin_count;
    uint index = fg_invocation_index();
    if (index / bins >= args.tinting.lane_count) {
        return;
    }
    uint bin = index % bins;
    uvec2 lane = fg_pair_at(args.tinting.lanes, index / bins);
    uint first = fg_u32_at(args.population.lane_first, lane.x);
    uint limit = fg_u32_at(args.population.lane_first, lane.x + 1u);
    u64 start = bin_start(bin);
    uint at = fg_population_lower(args.population, first, limit, start);
    uint end = fg_population_lower(args.population, at, limit, bin_start(bin + 1u));
    if (at > first && u64_less_signed(start, fg_u64_at(args.population.end, at - 1u))) {
        at--;
    }
    uint highest = highest_of(at, end);
    if (highest != 0u) {
        uint place = lane.y * bins + bin;
        atomicMax(fg_words(fg_chunk(args.tinting.target, place)).at[place & args.tinting.target.row_mask], highest);
    }
}
