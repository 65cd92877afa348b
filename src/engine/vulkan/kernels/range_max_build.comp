/* SPDX-License-Identifier: MIT */
/* One level of the tree: a node for each invocation, of what lies directly below. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "range_max.glsl"

/* struct range_max_build_push of prim_range_max.c */
layout(push_constant, std430) uniform fg_args {
    fg_range_max tree;
    uint below;       /* first node of the level below; FG_NO_ROW = places are below */
    uint below_count;
    uint first;       /* node of this level */
    uint node_count;
} args;

void main()
{
    uint node = fg_invocation_index();
    if (fg_group_index() > args.node_count / FG_GROUP || node >= args.node_count) {
        return;
    }
    uint first = node << FG_TREE_BITS;
    fg_longest best = fg_longest_none();
    [[unroll]] for (uint i = 0u; i < FG_TREE_ARITY; i++) {
        fg_longest one = fg_longest_none();
        if (first + i < args.below_count) {
            if (args.below == FG_NO_ROW) {
                one = fg_longest_place(args.tree, first + i);
            } else {
                one = fg_longest_node(args.tree, args.below + first + i);
            }
        }
        best = fg_longer(best, one);
    }
    fg_quad_put(args.tree.nodes, args.first + node, uvec4(u64_words(best.duration), best.row, best.place));
}
