/* SPDX-License-Identifier: MIT */
/* What both passes over the rows of a window get. */
#ifndef FG_ROWS_GLSL
#define FG_ROWS_GLSL
#include "fold.glsl"
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
    uvec2 counts;   /* rows that are visible; batches and rows that were read; batches looked at */
    fg_column mask; /* by row, cleared before */
    uvec2 list;     /* arguments of the second pass; how many parts; these */
} args;

const uint ROWS_LEVEL = 2u;     /* of batches whose parts are listed */
const uint ROWS_BATCHES = 256u; /* of the first level in one of these */
const uint ROWS_LIST_HEAD = 4u;

#endif
