/* SPDX-License-Identifier: MIT */
/*
 * Layers as long as they are small, by one group: many of them in one dispatch. The first one that is
 * not small is left to path_take.comp, after which this goes on.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "fold.glsl"
#include "path_turn.glsl"

void main()
{
    if (fg_group_index() != 0u) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint first = args.state.first + args.state.many;
    uint layer = args.state.layer + uint(args.state.many != 0u);
    uint last = layer + PATH_LAYERS;
    uint many = 0u;
    bool is_done = args.state.is_done != 0u;
    while (!is_done && many == 0u && layer < last) {
        memoryBarrierBuffer();
        barrier();
        uint count = args.state.ready - first;
        barrier();
        if (lane == 0u) {
            fg_u32_put(args.words.layers, layer, first);
        }
        if (count == 0u) {
            is_done = true;
        } else if (count > args.words.alone_rows) {
            many = count;
        } else {
            for (uint base = 0u; base < count; base += FG_GROUP) {
                path_turns(first + base + lane, base + lane < count);
            }
            first += count;
            layer++;
        }
    }
    barrier();
    if (lane == 0u) {
        args.state.first = first;
        args.state.layer = layer;
        args.state.many = many;
        args.state.is_done = uint(is_done);
        fg_fold(many / args.words.group_rows + uint(many % args.words.group_rows != 0u),
                args.arguments);
    }
}
