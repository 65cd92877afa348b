/* SPDX-License-Identifier: MIT */
/* What is known of each row, for those that had their turns. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "path.glsl"

u64 length_of_path()
{
    uvec2 at = args.words.length_at;
    return u64_of(fg_is_there(at) ? fg_pairs(at).at[0] : args.words.length_ns);
}

void main()
{
    uint row = fg_invocation_index();
    if (row >= args.trace.row_count) {
        return;
    }
    uvec4 node = fg_quad_at(args.words.nodes, row);
    u64 slack = u64_zero();
    u64 before = u64_zero();
    if (fg_is_there(args.words.tails) && fg_mask_bit(args.words.turned, row)) {
        before = u64_sub(u64_of(node.xy), path_own(row));
        slack = u64_sub_saturated(length_of_path(),
                                  u64_add_saturated(before, fg_u64_at(args.words.tails, row)));
    }
    if (fg_is_there(args.words.slacks)) {
        fg_u64_put(args.words.slacks, row, slack);
    }
    if (fg_is_there(args.words.earliest)) {
        fg_u64_put(args.words.earliest, row, before);
        fg_u64_put(args.words.latest, row, u64_add_saturated(before, slack));
    }
    if (fg_is_there(args.words.predecessors)) {
        fg_u32_put(args.words.predecessors, row, node.z);
    }
    if (fg_is_there(args.words.hops)) {
        fg_u32_put(args.words.hops, row, node.w);
    }
}
