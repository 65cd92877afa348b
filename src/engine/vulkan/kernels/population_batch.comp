/* SPDX-License-Identifier: MIT */
/*
 * A group makes one batch of positions: their times, brought from the rows, and what they come to.
 * With a list of pieces that have changed, only batches that have rows of those are made again; of
 * the others only the durations are written, as the sums have taken their place.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "gpu_table.glsl"

/* struct batch_push of gpu_population.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_population_table population;
    uvec2 changed; /* a bit for each piece of rows; none = all have */
    uint piece_shift;
    uint reserved;
    fg_column dirty; /* a word for each batch: whether it was made */
    uvec2 state;     /* faults; batches that were made */
} args;

const uint FAULT_ROW = 1u;
const uint FAULT_LANE = 2u;
const uint FAULT_ORDER = 4u;
const uint FAULT_LENGTH = 8u;
const uint FAULT_OVERLAP = 16u;

shared fg_batch parts[FG_GROUP];
shared uint is_dirty;

fg_batch join(fg_batch a, fg_batch b)
{
    return fg_batch(u64_min_signed(a.least_start, b.least_start), u64_max_signed(a.greatest_end, b.greatest_end),
                    u64_max(a.longest, b.longest), a.any_classes | b.any_classes, a.all_classes & b.all_classes,
                    min(a.first_lane, b.first_lane), max(a.end_lane, b.end_lane), a.statuses | b.statuses,
                    a.faults | b.faults);
}

bool has_changed(uint row)
{
    uint piece = row >> args.piece_shift;
    return row >= args.trace.row_count ||
           ((fg_words(args.changed).at[piece >> 5] >> (piece & 31u)) & 1u) != 0u;
}

/** What is wrong between a position and the next one. */
uint faults_of_pair(uint position, uint lane, u64 start, u64 end)
{
    if (position + 1u >= args.population.count) {
        return 0u;
    }
    uint row = fg_u32_at(args.population.rows, position + 1u);
    if (row >= args.trace.row_count) {
        return FAULT_ROW;
    }
    uint next_lane = fg_u32_at(args.trace.lane, row);
    if (next_lane != lane) {
        return next_lane < lane ? FAULT_LANE : 0u;
    }
    u64 next = fg_u64_at(args.trace.start, row);
    return (u64_less_signed(next, start) ? FAULT_ORDER : 0u) | (u64_less_signed(next, end) ? FAULT_OVERLAP : 0u);
}

fg_batch batch_of(uint position)
{
    u64 zero = u64_zero();
    uint row = fg_u32_at(args.population.rows, position);
    u64 start = zero;
    u64 end = zero;
    fg_batch batch = fg_batch(zero, zero, zero, 0u, 0u, 0u, 0u, 0u, FAULT_ROW);
    if (row < args.trace.row_count) {
        start = fg_u64_at(args.trace.start, row);
        end = fg_u64_at(args.trace.end, row);
        uint lane = fg_u32_at(args.trace.lane, row);
        uvec4 kind = fg_quad_at(args.trace.kinds, min(fg_u32_at(args.trace.kind, row), args.trace.kind_count - 1u));
        uint classes = kind.z & 0xffffu;
        uint faults = faults_of_pair(position, lane, start, end);
        faults |= lane < args.trace.lane_count ? 0u : FAULT_LANE;
        faults |= u64_less_signed(end, start) ? FAULT_LENGTH : 0u;
        batch = fg_batch(start, end, u64_sub(end, start), classes, classes, lane, lane + 1u,
                         1u << ((kind.z >> 16) & 31u), faults);
    }
    fg_u64_put(args.population.start, position, start);
    fg_u64_put(args.population.end, position, end);
    return batch;
}

void put_duration(uint position)
{
    u64 duration = u64_sub(fg_u64_at(args.population.end, position), fg_u64_at(args.population.start, position));
    fg_u64_put(args.population.prefix, position, duration);
    if (fg_is_there(args.population.durations)) {
        fg_u64_put(args.population.durations, position, duration);
    }
}

void main()
{
    uint batch = fg_group_index();
    uint count = args.population.count;
    uint lane = gl_LocalInvocationIndex;
    if (batch >= args.population.batch_count) {
        return;
    }
    uint first = batch * FG_BATCH_ROWS;
    uint end = min(first + FG_BATCH_ROWS, count);
    if (lane == 0u) {
        is_dirty = fg_is_there(args.changed) ? 0u : 1u;
    }
    barrier();
    if (fg_is_there(args.changed)) {
        for (uint p = first + lane; p < end; p += FG_GROUP) {
            if (has_changed(fg_u32_at(args.population.rows, p))) {
                atomicOr(is_dirty, 1u);
            }
        }
    }
    barrier();
    bool makes = is_dirty != 0u;
    fg_batch whole = fg_batch(u64_make(0xffffffffu, 0x7fffffffu), u64_make(0u, 0x80000000u), u64_zero(), 0u,
                              0xffffffffu, 0xffffffffu, 0u, 0u, 0u);
    for (uint p = first + lane; p < end; p += FG_GROUP) {
        if (makes) {
            whole = join(whole, batch_of(p));
        }
        put_duration(p);
    }
    parts[lane] = whole;
    for (uint width = FG_GROUP / 2u; width > 0u; width /= 2u) {
        barrier();
        if (lane < width) {
            parts[lane] = join(parts[lane], parts[lane + width]);
        }
    }
    if (lane != 0u) {
        return;
    }
    fg_u32_put(args.dirty, batch, makes ? 1u : 0u);
    if (end == count) {
        fg_u64_put(args.population.prefix, count, u64_zero());
    }
    if (makes) {
        whole = parts[0];
        if (whole.faults != 0u) {
            /* Nothing is known of it, so that it meets every window. */
            whole.least_start = u64_make(0u, 0x80000000u);
            whole.greatest_end = u64_make(0xffffffffu, 0x7fffffffu);
            whole.longest = u64_all();
            atomicOr(fg_words(args.state).at[0], whole.faults);
        }
        atomicAdd(fg_words(args.state).at[1], 1u);
        fg_batch_put(args.population.batches, batch, whole);
    }
}
