/* SPDX-License-Identifier: MIT */
/* How many dependencies each row has; those without any have the first turns. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "path_found.glsl"

shared uint heavy[PATH_GROUP];
shared uint heavy_count;
shared uint row_count;
shared uint link_count;
shared uint degree_of_heavy;

uint is_open(uint at)
{
    return uint(path_takes_part(fg_u32_at(args.words.in_others, at)) &&
                path_follows(args.words.in_links, at));
}

void open_row(uint row, uint degree)
{
    fg_u32_put(args.words.open, row, degree);
    atomicAdd(row_count, 1u);
    atomicAdd(link_count, degree);
    if (degree == 0u) {
        path_found(row);
    }
}

void open_light(uint row)
{
    uvec2 range = path_range(args.words.in_offsets, row);
    uint degree = range.y - range.x;
    if (fg_is_there(args.words.part) || args.words.wanted != 0xffffffffu) {
        if (degree > PATH_HEAVY) {
            heavy[atomicAdd(heavy_count, 1u)] = row;
            return;
        }
        degree = 0u;
        for (uint at = range.x; at < range.y; at++) {
            degree += is_open(at);
        }
    }
    open_row(row, degree);
}

/** By all of the group. */
void open_heavy(uint row)
{
    uvec2 range = path_range(args.words.in_offsets, row);
    uint degree = 0u;
    if (gl_LocalInvocationIndex == 0u) {
        degree_of_heavy = 0u;
    }
    barrier();
    for (uint at = range.x + gl_LocalInvocationIndex; at < range.y; at += FG_GROUP) {
        degree += is_open(at);
    }
    atomicAdd(degree_of_heavy, degree);
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        open_row(row, degree_of_heavy);
    }
    barrier();
}

void main()
{
    uint row = fg_invocation_index();
    if (gl_LocalInvocationIndex == 0u) {
        heavy_count = 0u;
        row_count = 0u;
        link_count = 0u;
        path_found_count = 0u;
    }
    barrier();
    if (path_takes_part(row)) {
        open_light(row);
    } else if (row < args.trace.row_count) {
        fg_u32_put(args.words.open, row, 0u);
    }
    barrier();
    for (uint i = 0u; i < heavy_count; i++) {
        open_heavy(heavy[i]);
    }
    path_put_found();
    if (gl_LocalInvocationIndex == 0u) {
        atomicAdd(args.state.rows, row_count);
        atomicAdd(args.state.links, link_count);
    }
}
