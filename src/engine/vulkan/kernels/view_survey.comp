/* SPDX-License-Identifier: MIT */
/* How many neighbours of a lane start in different bins of each level: they do from the highest bit on
 *  in which their starts differ. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "gpu_table.glsl"

/* struct survey_push of gpu_minimap.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_population_table population;
    uvec2 counts; /* 64 words, cleared before */
} args;

const uint LEVELS = 64u;
shared uint found[LEVELS];

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint p = fg_invocation_index();
    for (uint k = lane; k < LEVELS; k += FG_GROUP) {
        found[k] = 0u;
    }
    barrier();
    if (fg_group_index() <= args.population.count / FG_GROUP && p > 0u && p < args.population.count) {
        uint row = fg_u32_at(args.population.rows, p);
        bool is_first = fg_u32_at(args.population.lane_first, fg_u32_at(args.trace.lane, row)) == p;
        uvec2 bits = fg_pair_at(args.population.start, p) ^ fg_pair_at(args.population.start, p - 1u);
        if (!is_first && (bits.x | bits.y) != 0u) {
            int level = bits.y != 0u ? 32 + findMSB(bits.y) : findMSB(bits.x);
            atomicAdd(found[level], 1u);
        }
    }
    barrier();
    for (uint k = lane; k < LEVELS; k += FG_GROUP) {
        if (found[k] != 0u) {
            atomicAdd(fg_words(args.counts).at[k], found[k]);
        }
    }
}
