/* SPDX-License-Identifier: MIT */
/* The highest of all groups' highest scores: one group. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "score_args.glsl"

/* struct score_push of gpu_numbers_scores.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_number_args numbers;
    fg_score_args scores;
    uint first_row; /* of the piece: a multiple of 256 */
    uint end_row;   /* likewise, or that of the trace */
    uint part_count;
} args;

void main()
{
    uvec4 highest = uvec4(0u, 0u, FG_NO_ROW, 0u);
    for (uint i = gl_LocalInvocationIndex; i < args.part_count; i += FG_GROUP) {
        uvec4 part = fg_quad_at(args.scores.parts, i);
        if (fg_is_higher(part, highest)) {
            highest = part;
        }
    }
    highest = fg_group_highest(highest);
    if (gl_LocalInvocationIndex < 4u) {
        fg_words(args.scores.totals).at[FG_SCORE_HIGHEST + gl_LocalInvocationIndex] =
            highest[gl_LocalInvocationIndex];
    }
}
