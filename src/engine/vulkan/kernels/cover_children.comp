/* SPDX-License-Identifier: MIT */
/*
 * What direct children cover of their parents. Spans of a lane do not overlap: where all children of a
 * span are in one lane it is the sum of their parts inside of it. A second pass looks whether that is so
 * everywhere. Sums have two words, and whoever makes the first one overflow carries.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "gpu_table.glsl"

layout(constant_id = 8) const uint FG_PASS = 0u;

/* struct cover_push of gpu_cover.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    uvec2 several; /* a word: some parent has children in several lanes */
    fg_column covered; /* by row; these three were cleared before */
    fg_column most;    /* of the lanes of children, greatest + 1 */
    fg_column least;   /* complement of the least */
} args;

void max_at(fg_column column, uint row, uint value)
{
    atomicMax(fg_words(fg_chunk(column, row)).at[row & column.row_mask], value);
}

void add_part(uint parent, u64 part)
{
    uvec2 words = u64_words(part);
    uvec2 chunk = fg_chunk(args.covered, parent);
    uint at = (parent & args.covered.row_mask) * 2u;
    uint before = atomicAdd(fg_words(chunk).at[at], words.x);
    uint high = words.y + uint(before + words.x < words.x);
    if (high != 0u) {
        atomicAdd(fg_words(chunk).at[at + 1u], high);
    }
}

void main()
{
    uint row = fg_invocation_index();
    if (row >= args.trace.row_count) {
        return;
    }
    if (FG_PASS == 1u) {
        uint most = fg_u32_at(args.most, row);
        if (most != 0u && most - 1u != ~fg_u32_at(args.least, row)) {
            atomicOr(fg_words(args.several).at[0], 1u);
        }
        return;
    }
    uint parent = fg_u32_at(args.trace.parent, row);
    if (parent >= args.trace.row_count) {
        return;
    }
    uint lane = fg_u32_at(args.trace.lane, row);
    u64 from = u64_max_signed(fg_u64_at(args.trace.start, row), fg_u64_at(args.trace.start, parent));
    u64 to = u64_min_signed(fg_u64_at(args.trace.end, row), fg_u64_at(args.trace.end, parent));
    max_at(args.most, parent, lane + 1u);
    max_at(args.least, parent, ~lane);
    if (u64_less_signed(from, to)) {
        add_part(parent, u64_sub(to, from));
    }
}
