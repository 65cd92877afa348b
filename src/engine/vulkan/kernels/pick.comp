/* SPDX-License-Identifier: MIT */
/*
 * What is under a pointer: of each lane the neighbours of the time, and the best of all lanes. One
 * group goes through the lanes, so that the best is found without an order of its own: nearest, then
 * shortest, then the lowest row.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "gpu_table.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer pick_request {
    uvec2 lanes; /* numbers of lanes; none = those from first_lane on */
    uint first_lane;
    uint lane_count;
    uvec2 time_ns;
    uvec2 tolerance_ns;
};

/* struct pick_push of gpu_rows.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_population_table population;
    pick_request request;
    uvec2 result; /* row; positions looked at */
} args;

struct best {
    uint row;
    u64 distance;
    u64 duration;
};
shared best bests[FG_GROUP];

bool is_better(best a, best b)
{
    if (a.row == FG_NO_ROW || b.row == FG_NO_ROW) {
        return a.row != FG_NO_ROW;
    }
    if (!u64_equal(a.distance, b.distance)) {
        return u64_less(a.distance, b.distance);
    }
    return u64_equal(a.duration, b.duration) ? a.row < b.row : u64_less(a.duration, b.duration);
}

/** From a time to the nearest one that a span holds; 0: it holds it. */
u64 distance_to(u64 time, u64 start, u64 end)
{
    if (u64_less_signed(time, start)) {
        return u64_sub(start, time);
    }
    u64 last = u64_less_signed(start, end) ? u64_sub(end, u64_from(1u)) : start;
    return u64_less_signed(last, time) ? u64_sub(time, last) : u64_zero();
}

best consider(best so_far, uint position)
{
    u64 start = fg_u64_at(args.population.start, position);
    u64 end = fg_u64_at(args.population.end, position);
    best one;
    one.row = fg_u32_at(args.population.rows, position);
    one.distance = distance_to(u64_of(args.request.time_ns), start, end);
    one.duration = u64_equal(one.distance, u64_zero()) ? u64_sub(end, start) : u64_zero();
    if (u64_less(u64_of(args.request.tolerance_ns), one.distance) || !is_better(one, so_far)) {
        return so_far;
    }
    return one;
}

best pick_in_lane(best found, uint lane)
{
    uint first = fg_u32_at(args.population.lane_first, lane);
    uint end = fg_u32_at(args.population.lane_first, lane + 1u);
    uint at = fg_population_lower(args.population, first, end, u64_of(args.request.time_ns));
    if (at < end) {
        found = consider(found, at);
    }
    if (at == first) {
        return found;
    }
    found = consider(found, at - 1u);
    /* Of several without length at one time the first has the lowest row. */
    uint same = fg_population_lower(args.population, first, at, fg_u64_at(args.population.start, at - 1u));
    found = consider(found, same);
    /* One that ends where those begin is as near as they are when they have no length. */
    return same > first ? consider(found, same - 1u) : found;
}

void main()
{
    uint lane = gl_LocalInvocationIndex;
    if (fg_group_index() != 0u) {
        return;
    }
    best found = best(FG_NO_ROW, u64_zero(), u64_zero());
    for (uint i = lane; i < args.request.lane_count; i += FG_GROUP) {
        uint number = fg_is_there(args.request.lanes) ? fg_words(args.request.lanes).at[i]
                                                      : args.request.first_lane + i;
        found = pick_in_lane(found, number);
    }
    bests[lane] = found;
    for (uint width = FG_GROUP / 2u; width > 0u; width /= 2u) {
        barrier();
        if (lane < width && is_better(bests[lane + width], bests[lane])) {
            bests[lane] = bests[lane + width];
        }
    }
    if (lane == 0u) {
        fg_words(args.result).at[0] = bests[0].row;
        fg_words(args.result).at[1] = args.request.lane_count;
    }
}
