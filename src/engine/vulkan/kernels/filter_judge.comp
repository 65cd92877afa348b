/* SPDX-License-Identifier: MIT */
/* Which rows pass a filter: a bit each, and how many. A group takes 32 rows of each invocation. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "filter_args.glsl"

/* struct judge_push of gpu_filter.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_filter_terms terms;
    fg_column mask;
    uvec2 passed;
} args;

shared uint words[FG_GROUP];
shared uint passed;

bool has_bit(fg_column bits, uint at) { return !fg_is_there(bits) || fg_mask_bit(bits, at); }

bool passes_times(uint row)
{
    u64 start = fg_u64_at(args.trace.start, row);
    u64 end = fg_u64_at(args.trace.end, row);
    u64 duration = u64_sub(end, start);
    if (u64_less(duration, u64_of(args.terms.least_ns)) || u64_less(u64_of(args.terms.most_ns), duration)) {
        return false;
    }
    if ((args.terms.flags & FG_FILTER_SHORT) != 0u && !u64_less(u64_of(args.terms.short_ns), duration) &&
        fg_u32_at(args.trace.parent, row) != FG_NO_ROW) {
        return false;
    }
    return (args.terms.flags & FG_FILTER_RANGE) == 0u ||
           fg_meets(start, end, u64_of(args.terms.start_ns), u64_of(args.terms.end_ns));
}

bool passes(uint row)
{
    if ((fg_is_there(args.terms.rows) &&
         (row >= args.terms.rows_count || !fg_mask_bit(args.terms.rows, row))) ||
        !has_bit(args.terms.mask, row) || !has_bit(args.terms.kinds, fg_u32_at(args.trace.kind, row)) ||
        !has_bit(args.terms.lanes, fg_u32_at(args.trace.lane, row)) ||
        (fg_is_there(args.terms.similar) && fg_mask_bit(args.terms.similar, row))) {
        return false;
    }
    if ((args.terms.flags & FG_FILTER_FRAMES) != 0u) {
        uint frame = fg_optional_at(args.trace.frame, row);
        if (frame < args.terms.first_frame || frame >= args.terms.end_frame) {
            return false;
        }
    }
    return passes_times(row);
}

void main()
{
    uint count = args.trace.row_count;
    uint resident = args.trace.resident_rows;
    uint lane = gl_LocalInvocationIndex;
    uint group = fg_group_index();
    if (group > count / (32u * FG_GROUP)) {
        return;
    }
    uint first = group * 32u * FG_GROUP;
    words[lane] = 0u;
    if (lane == 0u) {
        passed = 0u;
    }
    barrier();
    for (uint i = 0u; i < 32u; i++) {
        uint at = i * FG_GROUP + lane;
        uint row = first + at;
        if (row < resident && passes(row)) {
            atomicOr(words[at >> 5], 1u << (at & 31u));
        }
    }
    barrier();
    uint row = first + lane * 32u;
    if (row < count) {
        fg_u32_put(args.mask, row >> 5, words[lane]);
        atomicAdd(passed, uint(bitCount(words[lane])));
    }
    barrier();
    if (lane == 0u && passed != 0u) {
        atomicAdd(fg_words(args.passed).at[0], passed);
    }
}
