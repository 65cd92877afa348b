/* SPDX-License-Identifier: MIT */
/* Rows of a population that meet a window in chosen lanes. A group takes one batch, if that may. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "gpu_table.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer window_args {
    fg_column lanes; /* a bit each; none = all */
    uvec2 start_ns;
    uvec2 end_ns;
};

/* struct visible_push of gpu_rows.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_population_table population;
    window_args window;
    uvec2 counts; /* rows that are visible; batches and rows that were looked at */
    fg_column mask; /* by row, cleared before */
} args;

shared uint seen;

void main()
{
    uint batch = fg_group_index();
    uint lane = gl_LocalInvocationIndex;
    u64 a = u64_of(args.window.start_ns);
    u64 b = u64_of(args.window.end_ns);
    if (batch >= args.population.batch_count ||
        !fg_batch_meets(fg_batch_at(args.population.batches, batch), a, b)) {
        return;
    }
    if (lane == 0u) {
        seen = 0u;
    }
    barrier();
    uint first = batch * FG_BATCH_ROWS;
    uint end = min(first + FG_BATCH_ROWS, args.population.count);
    for (uint p = first + lane; p < end; p += FG_GROUP) {
        uint row = fg_u32_at(args.population.rows, p);
        if (!fg_meets(fg_u64_at(args.population.start, p), fg_u64_at(args.population.end, p), a, b) ||
            row >= args.trace.row_count) {
            continue;
        }
        if (!fg_is_there(args.window.lanes) ||
            fg_mask_bit(args.window.lanes, fg_u32_at(args.trace.lane, row))) {
            uvec2 chunk = fg_chunk(args.mask, row >> 5);
            atomicOr(fg_words(chunk).at[(row >> 5) & args.mask.row_mask], 1u << (row & 31u));
            atomicAdd(seen, 1u);
        }
    }
    barrier();
    if (lane == 0u) {
        atomicAdd(fg_words(args.counts).at[0], seen);
        atomicAdd(fg_words(args.counts).at[1], 1u);
        atomicAdd(fg_words(args.counts).at[2], end - first);
    }
}
