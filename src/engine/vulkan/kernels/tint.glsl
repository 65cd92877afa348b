/* SPDX-License-Identifier: MIT */
/* Tints in lane order. */
#ifndef FG_TINT_GLSL
#define FG_TINT_GLSL
#include "gpu_table.glsl"

const uint FG_TINT_FAN = 16u; /* as in gpu_numbers_tints.c */

/** Of the row at a position of all rows in lane order. */
uint fg_tint_at(fg_trace_table trace, fg_column tints, uint position)
{
    uint row = fg_u32_at(trace.lane_rows, position);
    return (fg_u32_at(tints, row >> 2) >> ((row & 3u) * 8u)) & 0xffu;
}

#endif
