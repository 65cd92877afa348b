/* SPDX-License-Identifier: MIT */
/* struct scan_push of prim_scan.c: all three kernels of a scan take it. */
layout(push_constant, std430) uniform fg_args {
    fg_column source;
    fg_column target;
    uvec2 sums;          /* a value for each tile */
    uvec2 count_address; /* 0 = there are `count` */
    uvec2 total_address; /* 0 = nobody wants it */
    uint count;
    uint inclusive;
} args;
