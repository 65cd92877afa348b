/* SPDX-License-Identifier: MIT */
/* The first position of each lane, and the end: rows of a population ascend by lane. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "gpu_table.glsl"

/* struct population_push of gpu_population.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_population_table population;
} args;

void main()
{
    uint lane = fg_invocation_index();
    uint lanes = args.trace.lane_count;
    if (fg_group_index() > lanes / FG_GROUP || lane > lanes) {
        return;
    }
    uint first = 0u;
    uint last = args.population.count;
    while (first < last) {
        uint middle = first + (last - first) / 2u;
        uint row = fg_u32_at(args.population.rows, middle);
        if (row < args.trace.row_count && fg_u32_at(args.trace.lane, row) < lane) {
            first = middle + 1u;
        } else {
            last = middle;
        }
    }
    fg_u32_put(args.population.lane_first, lane, first);
}
