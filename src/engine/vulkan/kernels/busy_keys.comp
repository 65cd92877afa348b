/* SPDX-License-Identifier: MIT */
/*
 * Spans of a group side by side, in the order of their starts. FG_BUSY_RANKS: each row's place in the
 * order of ends. FG_BUSY_KEYS: at each place of the order by slot and start, slot and rank of the end in
 * one number: the greatest so far is that of the group's spans before, as slots ascend. FG_BUSY_ADD:
 * what a span adds to the union of those before, to two words of its group's cell.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "number_args.glsl"

/* struct busy_push of gpu_busy.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_number_args numbers;
    fg_column rows;   /* in the order */
    fg_column slots;  /* in the order of slot and start */
    fg_column ends;   /* rows in the order of ends */
    fg_column ranks;  /* by row */
    fg_column keys;   /* by place; then the greatest before each */
} args;

const uint FG_CELL_WORDS = 24u; /* as in number_groups.comp */
const uint FG_CELL_BUSY = 18u;  /* two words: those of squares, which nobody asks for beside it */

#ifdef FG_BUSY_ADD
void add(uint slot, uvec2 part)
{
    uint at = slot * FG_CELL_WORDS + FG_CELL_BUSY;
    uint next = at + 1u;
    uint before = atomicAdd(fg_words(fg_chunk(args.numbers.cells, at)).at[at & args.numbers.cells.row_mask], part.x);
    uint high = part.y + uint(before + part.x < part.x);
    if (high != 0u) {
        atomicAdd(fg_words(fg_chunk(args.numbers.cells, next)).at[next & args.numbers.cells.row_mask], high);
    }
}
#endif

void main()
{
    uint at = fg_invocation_index();
    if (at >= args.trace.row_count) {
        return;
    }
#ifdef FG_BUSY_RANKS
    fg_u32_put(args.ranks, fg_u32_at(args.ends, at), at);
#else
    uint row = fg_u32_at(args.rows, at);
    uint slot = fg_u32_at(args.slots, at);
#ifdef FG_BUSY_KEYS
    fg_u64_put(args.keys, at, u64_make(fg_u32_at(args.ranks, row), slot));
#else
    if (slot >= args.numbers.slots) {
        return;
    }
    u64 from = fg_u64_at(args.trace.start, row);
    u64 to = fg_u64_at(args.trace.end, row);
    uvec2 before = fg_pair_at(args.keys, at);
    if (at > 0u && before.y == slot && fg_u32_at(args.slots, at - 1u) == slot) {
        from = u64_max_signed(from, fg_u64_at(args.trace.end, fg_u32_at(args.ends, before.x)));
    }
    if (u64_less_signed(from, to)) {
        add(slot, u64_words(u64_sub(to, from)));
    }
#endif
#endif
}
