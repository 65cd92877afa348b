/* SPDX-License-Identifier: MIT */
/* Where each of many numbers belongs in a column that does not fall. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "search.glsl"

/* struct search_push of prim_search.c */
layout(push_constant, std430) uniform fg_args {
    fg_column column;
    fg_column values;
    fg_column target;
    uvec2 count_address;
    uint count;
    uint first;
    uint last;
    uint upper; /* 0 = first that is not less, else first that is greater */
} args;

void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint at = fg_invocation_index();
    if (fg_group_index() > count / FG_GROUP || at >= count) {
        return;
    }
    uint row;
#ifdef FG_SEARCH_U32
    uint value = fg_u32_at(args.values, at);
    if (args.upper != 0u) {
        row = fg_upper_bound_u32(args.column, args.first, args.last, value);
    } else {
        row = fg_lower_bound_u32(args.column, args.first, args.last, value);
    }
#else
    u64 value = fg_u64_at(args.values, at);
    if (args.upper != 0u) {
        row = fg_upper_bound_u64(args.column, args.first, args.last, value);
    } else {
        row = fg_lower_bound_u64(args.column, args.first, args.last, value);
    }
#endif
    fg_u32_put(args.target, at, row);
}
