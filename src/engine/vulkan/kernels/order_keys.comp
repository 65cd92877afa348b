/* SPDX-License-Identifier: MIT */
/*
 * Keys that rows are sorted by, where an order has them: how much shorter than the extent they are,
 * start or end since its begin. FG_ORDER_RANKS: each row's place in the order.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "gpu_table.glsl"

/* struct order_push of gpu_view_order.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    uvec2 base;      /* of durations the extent, of times its begin */
    fg_column order; /* rows; none = as they are numbered */
    fg_column result;
    uint kind;
    uint count;
} args;

const uint KEY_SHORTER = 0u;
const uint KEY_START = 1u;

void main()
{
    uint at = fg_invocation_index();
    if (fg_group_index() > args.count / FG_GROUP || at >= args.count) {
        return;
    }
    uint row = fg_is_there(args.order) ? fg_u32_at(args.order, at) : at;
#ifdef FG_ORDER_RANKS
    fg_u32_put(args.result, row, at);
#else
    u64 start = fg_u64_at(args.trace.start, row);
    u64 end = fg_u64_at(args.trace.end, row);
    u64 key;
    if (args.kind == KEY_SHORTER) {
        key = u64_sub(u64_of(args.base), u64_sub(end, start));
    } else if (args.kind == KEY_START) {
        key = u64_sub(start, u64_of(args.base));
    } else {
        key = u64_sub(end, u64_of(args.base));
    }
    fg_u64_put(args.result, at, key);
#endif
}
