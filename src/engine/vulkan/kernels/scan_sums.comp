/* SPDX-License-Identifier: MIT */
/* Second of three: one group turns what tiles come to into what is before them. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan_values.glsl"
#define FG_STRIPS FG_SUM_STRIPS
#include "scan_group.glsl"
#include "scan_args.glsl"

layout(constant_id = 8) const uint FG_ROWS_OF_TILE = 4096u;

void main()
{
    if (fg_group_index() != 0u) {
        return;
    }
    uint rows = fg_count(args.count, args.count_address);
    uint count = rows / FG_ROWS_OF_TILE + uint(rows % FG_ROWS_OF_TILE != 0u);
    T carry = identity();
    for (uint first = 0u; first < count; first += FG_GROUP * uint(FG_STRIPS)) {
        T values[FG_STRIPS];
        for (int k = 0; k < FG_STRIPS; k++) {
            uint at = first + uint(k) * FG_GROUP + fg_lane();
            values[k] = identity();
            if (at < count) {
                values[k] = load_one(args.sums, at);
            }
        }
        T total = fg_group_scan(values);
        for (int k = 0; k < FG_STRIPS; k++) {
            uint at = first + uint(k) * FG_GROUP + fg_lane();
            if (at < count) {
                store_one(args.sums, at, combine(carry, values[k]));
            }
        }
        carry = combine(carry, total);
        barrier();
    }
    if (fg_lane() == 0u && fg_is_there(args.total_address)) {
        store_one(args.total_address, 0u, carry);
    }
}
