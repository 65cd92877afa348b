/* SPDX-License-Identifier: MIT */
/* What is measured of each row and in which slot it is: to be sorted. Rows without a value are behind
 * all slots. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "number_args.glsl"

layout(constant_id = 8) const uint FG_VALUE = 0u; /* enum fgi_gpu_number_value */

/* struct values_push of gpu_numbers.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_number_args numbers;
    fg_column values;
    fg_column slots;
} args;

/** Slot of a row, and its value. */
uint slot_of(uint row, out u64 value)
{
    u64 start = fg_u64_at(args.trace.start, row);
    u64 end = fg_u64_at(args.trace.end, row);
    uint lane = 0u;
    uvec2 lane_key = uvec2(0u);
    value = u64_zero();
    if ((args.numbers.flags & FG_NUMBER_LANES) != 0u) {
        lane = fg_u32_at(args.trace.lane, row);
        lane_key = fg_pair_at(args.numbers.lane_keys, lane);
    }
    uvec2 kind = fg_pair_at(args.numbers.kinds, fg_u32_at(args.trace.kind, row));
    if (kind.x == FG_NO_ROW || (kind.y & FG_KIND_OPEN) != 0u ||
        !fg_is_chosen(args.trace, args.numbers, row, lane, start, end)) {
        return args.numbers.slots;
    }
    uint key = fg_number_key(args.trace, args.numbers, row, kind.x, lane_key.x);
    if (key >= args.numbers.key_count) {
        return args.numbers.slots;
    }
    if (!fg_has_value(args.numbers, row)) {
        return args.numbers.slots;
    }
    value = fg_measured(args.trace, args.numbers, row, lane, start, end);
    return key * args.numbers.clocks + lane_key.y;
}

void main()
{
    uint count = args.trace.row_count;
    uint first = fg_group_index() * FG_GROUP * FG_NUMBER_ROUNDS;
    if (fg_group_index() > count / (FG_GROUP * FG_NUMBER_ROUNDS)) {
        return;
    }
    for (uint i = 0u; i < FG_NUMBER_ROUNDS; i++) {
        uint row = first + i * FG_GROUP + gl_LocalInvocationIndex;
        if (row < count) {
            u64 value;
            uint slot = slot_of(row, value);
            if (FG_VALUE == 1u) {
                value = u64_flip_sign(fg_u64_at(args.trace.start, row));
            } else if (FG_VALUE == 2u) {
                value = u64_flip_sign(fg_u64_at(args.trace.end, row));
            }
            fg_u64_put(args.values, row, value);
            fg_u32_put(args.slots, row, slot);
        }
    }
}
