/* SPDX-License-Identifier: MIT */
/* Rows whose turn is next, by group: one addition for many of them. */
#ifndef FG_PATH_FOUND_GLSL
#define FG_PATH_FOUND_GLSL
#include "path.glsl"

shared uint path_found_rows[PATH_FOUND];
shared uint path_found_count;
shared uint path_found_base;

/** A row's last open dependency is over. */
void path_found(uint row)
{
    uint place = atomicAdd(path_found_count, 1u);
    if (place < PATH_FOUND) {
        path_found_rows[place] = row;
    } else {
        path_u32_put(args.words.order, atomicAdd(args.state.ready, 1u), row);
    }
}
/** All of the group, between barriers. */
void path_put_found()
{
    uint count = min(path_found_count, PATH_FOUND);
    if (gl_LocalInvocationIndex == 0u) {
        path_found_base = atomicAdd(args.state.ready, count);
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < count; i += FG_GROUP) {
        path_u32_put(args.words.order, path_found_base + i, path_found_rows[i]);
    }
}

#endif
