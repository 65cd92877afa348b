/* SPDX-License-Identifier: MIT */
/*
 * The highest tint of so many positions in lane order, then of so many entries of the level below: what
 * the tint of any range follows from in a few steps.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tint.glsl"

/* struct level_push of gpu_numbers_tints.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_column tints;
    fg_column levels;
    uint source_first; /* FG_NO_ROW: positions */
    uint source_count;
    uint target_first;
    uint target_count;
} args;

void main()
{
    uint entry = fg_invocation_index();
    if (entry >= args.target_count) {
        return;
    }
    uint highest = 0u;
    uint end = min((entry + 1u) * FG_TINT_FAN, args.source_count);
    for (uint i = entry * FG_TINT_FAN; i < end; i++) {
        highest = max(highest, args.source_first == FG_NO_ROW
                                   ? fg_tint_at(args.trace, args.tints, i)
                                   : fg_u32_at(args.levels, args.source_first + i));
    }
    fg_u32_put(args.levels, args.target_first + entry, highest);
}
