/* SPDX-License-Identifier: MIT */
/* target[i] = source[order[i]]; what names no row gives `missing`. FG_GATHER_U64: of pairs of words. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "prelude.glsl"

/* struct gather_push of prim_gather.c */
layout(push_constant, std430) uniform fg_args {
    fg_column source;
    fg_column order; /* none = the rows themselves */
    fg_column target;
    uvec2 count_address;
    uint count;
    uint source_count;
    uint missing;
} args;

#ifdef FG_GATHER_U64
#define V uvec2
V value_at(uint row) { return fg_pair_at(args.source, row); }
void value_put(uvec2 chunk, uint at, V value) { fg_pairs(chunk).at[at] = value; }
#else
#define V uint
V value_at(uint row) { return fg_u32_at(args.source, row); }
void value_put(uvec2 chunk, uint at, V value) { fg_words(chunk).at[at] = value; }
#endif

void main()
{
    uint count = fg_count(args.count, args.count_address);
    /* Four rows of an invocation, a group apart. */
    uint group = fg_group_index();
    if (group > count / (FG_GROUP * 4u)) {
        return;
    }
    uint first = group * 4u * FG_GROUP;
    if (first >= count) {
        return;
    }
    uint there = min(count - first, FG_GROUP * 4u);
    fg_span order = fg_span_of(args.order, first, there);
    fg_span target = fg_span_of(args.target, first, there);
    uint rows[4];
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
        uint at = first + i * FG_GROUP + gl_LocalInvocationIndex;
        rows[i] = at;
        if (at < count && fg_is_there(args.order)) {
            rows[i] = fg_u32_at(order, at);
        }
    }
    V values[4];
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
        uint at = first + i * FG_GROUP + gl_LocalInvocationIndex;
        values[i] = V(args.missing);
        if (at < count && rows[i] < args.source_count) {
            values[i] = value_at(rows[i]);
        }
    }
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
        uint at = first + i * FG_GROUP + gl_LocalInvocationIndex;
        if (at < count) {
            value_put(fg_chunk(target, at), at & args.target.row_mask, values[i]);
        }
    }
}
