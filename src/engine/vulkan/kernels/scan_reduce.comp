/* SPDX-License-Identifier: MIT */
/* First of three: what each tile comes to. Reads every row. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan_values.glsl"
#define FG_STRIPS 1
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
    T values[FG_TILE_STRIPS][FG_VECTOR];
    load_tile(fg_span_of(args.source, first, min(count - first, fg_tile_rows())), first, count, values);
    T sum[FG_STRIPS];
    sum[0] = identity();
    [[unroll]] for (int k = 0; k < FG_TILE_STRIPS; k++) {
        [[unroll]] for (int i = 0; i < FG_VECTOR; i++) {
            sum[0] = combine(sum[0], values[k][i]);
        }
    }
    T total = fg_group_scan(sum);
    if (fg_lane() == 0u) {
        store_one(args.sums, tile, total);
    }
}
