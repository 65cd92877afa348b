/* SPDX-License-Identifier: MIT */
/* Marks parents of which a direct child's duration differs from theirs by at most so many percent of it. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "filter_args.glsl"

/* struct similar_push of gpu_filter.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_filter_terms terms;
} args;

u64 duration_of(uint row)
{
    return u64_sub(fg_u64_at(args.trace.end, row), fg_u64_at(args.trace.start, row));
}

void main()
{
    uint resident = args.trace.resident_rows;
    uint row = fg_invocation_index();
    if (fg_group_index() > resident / FG_GROUP || row >= resident) {
        return;
    }
    uint parent = fg_u32_at(args.trace.parent, row);
    if (parent >= resident) {
        return;
    }
    u64 own = duration_of(row);
    u64 whole = duration_of(parent);
    u64 difference = u64_less(own, whole) ? u64_sub(whole, own) : u64_sub(own, whole);
    /* In whole nanoseconds: difference <= whole * percent / 100. */
    u128 allowed = u128_product(whole, u64_from(args.terms.similar_percent));
    if (!u128_less(allowed, u128_product(difference, u64_from(100u)))) {
        fg_column similar = args.terms.similar;
        uvec2 chunk = fg_chunk(similar, parent >> 5);
        atomicOr(fg_words(chunk).at[(parent >> 5) & similar.row_mask], 1u << (parent & 31u));
    }
}
