/* SPDX-License-Identifier: MIT */
/* Third of three: each row becomes what is before it, or what is up to it. Source and target may be
 * the same rows: an invocation has read all of its own before it writes any. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan_values.glsl"
#define FG_STRIPS FG_TILE_STRIPS
#include "scan_group.glsl"
#include "scan_args.glsl"

void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint tile = fg_group_index();
    uint first = tile * fg_tile_rows();
    if (tile >= (count + fg_tile_rows() - 1u) / fg_tile_rows()) {
        return;
    }
    uint rows = min(count - first, fg_tile_rows());
    T values[FG_STRIPS][FG_VECTOR];
    T sums[FG_STRIPS];
    load_tile(fg_span_of(args.source, first, rows), first, count, values);
    [[unroll]] for (int k = 0; k < FG_STRIPS; k++) {
        sums[k] = values[k][0];
        [[unroll]] for (int i = 1; i < FG_VECTOR; i++) {
            sums[k] = combine(sums[k], values[k][i]);
        }
    }
    T carry = load_one(args.sums, tile);
    fg_group_scan(sums);
    fg_span target = fg_span_of(args.target, first, rows);
    bool is_plain = fg_is_plain(target, first, count);
    [[unroll]] for (int k = 0; k < FG_STRIPS; k++) {
        T before = combine(carry, sums[k]);
        T scanned[FG_VECTOR];
        [[unroll]] for (int i = 0; i < FG_VECTOR; i++) {
            T through = combine(before, values[k][i]);
            scanned[i] = args.inclusive != 0u ? through : before;
            before = through;
        }
        uint row = first + (uint(k) * FG_GROUP + fg_lane()) * uint(FG_VECTOR);
        if (is_plain) {
            store_vector(target.chunk, row & target.column.row_mask, scanned);
        } else {
            store_values(target, row, count, scanned);
        }
    }
}
