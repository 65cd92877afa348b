/* SPDX-License-Identifier: MIT */
/* The rows of a mask's bits, in order. What does not fit is not written. */
#version 460
#extension GL_GOOGLE_include_directive : require
#define FG_SCAN_U32
#include "scan_values.glsl"
#define FG_STRIPS 1
#include "scan_group.glsl"
#include "compact_args.glsl"

shared uint words[FG_GROUP * 4u];
shared uint places[FG_GROUP * 4u];

void main()
{
    uint count = fg_count(args.count, args.count_address);
    uint tile = fg_group_index();
    uint tile_rows = FG_GROUP * 128u;
    if (tile >= count / tile_rows + uint(count % tile_rows != 0u)) {
        return;
    }
    uint first = tile * tile_rows;
    uint lane = fg_lane();
    uvec4 mine = mask_words(first + lane * 128u, count);
    uint sum[FG_STRIPS];
    sum[0] = bits_of(mine);
    uint total = fg_group_scan(sum);
    if (total == 0u) {
        return;
    }
    uint before = load_one(args.sums, tile);
    uint place = before + sum[0];
    fg_span targets = fg_span_of(args.target, before, total);
    fg_span payload = fg_span_of(args.payload, first, min(count - first, tile_rows));
    for (uint i = 0u; i < 4u; i++) {
        words[lane * 4u + i] = mine[i];
        places[lane * 4u + i] = place;
        place += uint(bitCount(mine[i]));
    }
    barrier();
    /* A row for each invocation: what is written together lies together. */
    for (uint at = lane; at < tile_rows; at += FG_GROUP) {
        uint word = words[at >> 5];
        uint bit = at & 31u;
        uint target = places[at >> 5] + uint(bitCount(word & ((1u << bit) - 1u)));
        if (((word >> bit) & 1u) != 0u && target < args.capacity) {
            uint row = first + at;
            fg_u32_put(targets, target, fg_is_there(args.payload) ? fg_u32_at(payload, row) : row);
        }
    }
}
