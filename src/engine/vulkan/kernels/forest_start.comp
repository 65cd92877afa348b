/* SPDX-License-Identifier: MIT */
/* Every row points to its parent, those without one to themselves. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "forest.glsl"

shared uint rows;
shared uint links;

void main()
{
    uint row = fg_invocation_index();
    if (gl_LocalInvocationIndex == 0u) {
        rows = 0u;
        links = 0u;
    }
    barrier();
    if (row < args.trace.row_count) {
        uvec2 up = uvec2(row, 0u);
        u64 time = u64_zero();
        if (forest_is_part(row)) {
            uint parent = forest_parent(row);
            atomicAdd(rows, 1u);
            if (parent < args.trace.row_count) {
                up = uvec2(parent, 1u);
                time = forest_own(row);
                atomicAdd(links, 1u);
            }
        }
        fg_u64_put(args.new_up, row, u64_of(up));
        fg_u64_put(args.new_times, row, time);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && rows != 0u) {
        atomicAdd(args.counts.rows, rows);
        atomicAdd(args.counts.links, links);
    }
}
