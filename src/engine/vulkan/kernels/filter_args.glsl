/* SPDX-License-Identifier: MIT */
/* The terms of a filter: struct fgi_gpu_filter_terms of gpu_filter.c. */
#ifndef FG_FILTER_ARGS_GLSL
#define FG_FILTER_ARGS_GLSL
#include "gpu_table.glsl"

const uint FG_FILTER_FRAMES = 1u;
const uint FG_FILTER_RANGE = 2u;
const uint FG_FILTER_SHORT = 4u;

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer fg_filter_terms {
    /* Masks; those that are not there let everything pass. */
    fg_column kinds;
    fg_column lanes;
    fg_column rows; /* of the terms: rows past rows_count do not pass */
    fg_column mask; /* of the caller, on the device */
    fg_column similar; /* parents that are hidden */
    uvec2 least_ns; /* durations */
    uvec2 most_ns;
    uvec2 short_ns;
    uvec2 start_ns;
    uvec2 end_ns;
    uint rows_count;
    uint first_frame;
    uint end_frame;
    uint flags;
    uint similar_percent;
    uint reserved;
};

#endif
