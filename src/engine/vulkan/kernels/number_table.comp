/* SPDX-License-Identifier: MIT */
/*
 * Groups as a table without holes. Of FG_TABLE_FLAGS: whether some row was in a slot. Else the records of the
 * slots that have rows: struct fg_gpu_group of gpu_trace_numbers.h.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "number_args.glsl"

/* struct number_push of gpu_numbers_nodes.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_number_args numbers;
} args;

const uint FG_CELL_WORDS = 24u; /* as in number_groups.comp, likewise below */
const uint FG_CELL_COUNT = 0u;
const uint FG_CELL_OPEN = 1u;
const uint FG_CELL_FAILED = 2u;
const uint FG_CELL_UNMEASURED = 3u;
const uint FG_CELL_SUM = 4u;
const uint FG_CELL_HIGH = 7u;
const uint FG_CELL_LOW = 13u;
const uint FG_CELL_ROW = 17u;
const uint FG_TOTAL_GROUPS = 2u; /* struct fgi_gpu_group_totals */

uint cell(uint slot, uint word) { return fg_u32_at(args.numbers.cells, slot * FG_CELL_WORDS + word); }
uint unmeasured(uint slot)
{
    return args.numbers.measure == FG_MEASURE_VALUES ? cell(slot, FG_CELL_UNMEASURED) : 0u;
}

void main()
{
    uint at = fg_invocation_index();
#ifdef FG_TABLE_FLAGS
    if (at < args.numbers.slots) {
        fg_u32_put(args.numbers.flags_of_slots, at, cell(at, FG_CELL_COUNT) | cell(at, FG_CELL_OPEN) | unmeasured(at));
    }
#else
    if (at >= min(fg_words(args.numbers.totals).at[FG_TOTAL_GROUPS], args.numbers.slots)) {
        return;
    }
    uint slot = fg_u32_at(args.numbers.group_slots, at);
    uint key = slot / args.numbers.clocks;
    uint count = cell(slot, FG_CELL_COUNT);
    uvec4 bounds = uvec4(0u);
    if (count != 0u) { /* the least is kept as a complement */
        bounds = uvec4(~cell(slot, FG_CELL_LOW), ~cell(slot, FG_CELL_HIGH), cell(slot, FG_CELL_LOW + 1u),
                       cell(slot, FG_CELL_HIGH + 1u));
    }
    if (fg_is_there(args.numbers.key_list)) {
        key = fg_u32_at(args.numbers.key_list, key);
    }
    fg_quad_put(args.numbers.groups, at * 4u, uvec4(key, slot % args.numbers.clocks, count, cell(slot, FG_CELL_OPEN)));
    fg_quad_put(args.numbers.groups, at * 4u + 1u,
                uvec4(cell(slot, FG_CELL_FAILED), unmeasured(slot), count != 0u ? ~cell(slot, FG_CELL_ROW) : FG_NO_ROW,
                      0u));
    fg_quad_put(args.numbers.groups, at * 4u + 2u,
                uvec4(cell(slot, FG_CELL_SUM), cell(slot, FG_CELL_SUM + 1u), cell(slot, FG_CELL_SUM + 2u), 0u));
    fg_quad_put(args.numbers.groups, at * 4u + 3u, bounds);
#endif
}
