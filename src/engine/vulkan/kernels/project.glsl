/* SPDX-License-Identifier: MIT */
/* Which rows may stand for others, and how many are of which kind. */
#ifndef FG_PROJECT_GLSL
#define FG_PROJECT_GLSL
#include "gpu_table.glsl"

/* enum fgi_gpu_projection */
const uint PROJECT_SELF = 0u;
const uint PROJECT_ANCESTOR = 1u;
const uint PROJECT_UNRESOLVED = 2u;
const uint PROJECT_CUT = 3u;
const uint PROJECT_INVALID = 4u;
const uint PROJECT_KINDS = 5u;
const uint PROJECT_NO_PARENT = 0xfffffffeu; /* a parent that is no row */

/* struct project_push of gpu_project.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    uvec2 counts; /* by kind */
    fg_column passing; /* bits by row; none = all */
    fg_column mask;    /* likewise: both hold */
    fg_column rows;    /* whom it is about; none = all in order. When pointers jump: those before */
    fg_column target;
    uint count;
    uint max_depth;
} args;

bool is_in_sight(uint row)
{
    return (!fg_is_there(args.passing) || fg_mask_bit(args.passing, row)) &&
           (!fg_is_there(args.mask) || fg_mask_bit(args.mask, row));
}

shared uint kinds[PROJECT_KINDS];

/** Of every invocation of the group; those without a row say PROJECT_KINDS. */
void count_kind(uint kind)
{
    for (uint i = gl_LocalInvocationIndex; i < PROJECT_KINDS; i += FG_GROUP) {
        kinds[i] = 0u;
    }
    barrier();
    if (kind < PROJECT_KINDS) {
        atomicAdd(kinds[kind], 1u);
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < PROJECT_KINDS; i += FG_GROUP) {
        if (kinds[i] != 0u) {
            atomicAdd(fg_words(args.counts).at[i], kinds[i]);
        }
    }
}

#endif
