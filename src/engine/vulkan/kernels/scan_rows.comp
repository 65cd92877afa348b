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
    fg_tile source = fg_tile_of(args.source, first);
    T values[FG_STRIPS][FG_VECTOR];
    T sums[FG_STRIPS];
    for (int k = 0; k < FG_STRIPS; k++) {
        load_values(source, first + (uint(k) * FG_GROUP + fg_lane()) * uint(FG_VECTOR), count, values[k]);
        sums[k] = values[k][0];
        for (int i = 1; i < FG_VECTOR; i++) {
            sums[k] = combine(sums[k], values[k][i]);
        }
    }
    T carry = load_one(args.sums, tile);
    fg_group_scan(sums);
    fg_tile target = fg_tile_of(args.target, first);
    for (int k = 0; k < FG_STRIPS; k++) {
        T before = combine(carry, sums[k]);
        T scanned[FG_VECTOR];
        for (int i = 0; i < FG_VECTOR; i++) {
            T through = combine(before, values[k][i]);
            scanned[i] = args.inclusive != 0u ? through : before;
            before = through;
        }
        store_values(target, first + (uint(k) * FG_GROUP + fg_lane()) * uint(FG_VECTOR), count, scanned);
    }
}
