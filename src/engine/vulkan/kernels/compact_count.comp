/* SPDX-License-Identifier: MIT */
/* How many bits each tile of a mask has. */
#version 460
#extension GL_GOOGLE_include_directive : require
#define FG_SCAN_U32
#include "scan_values.glsl"
#define FG_STRIPS 1
#include "scan_group.glsl"
#include "compact_args.glsl"

void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint tile = fg_group_index();
    uint tile_rows = FG_GROUP * 128u;
    if (tile >= count / tile_rows + uint(count % tile_rows != 0u)) {
        return;
    }
    uint sum[FG_STRIPS];
    sum[0] = bits_of(mask_words(tile * tile_rows + fg_lane() * 128u, count));
    uint total = fg_group_scan(sum);
    if (fg_lane() == 0u) {
        store_one(args.sums, tile, total);
    }
}
