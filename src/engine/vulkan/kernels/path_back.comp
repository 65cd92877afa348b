/* SPDX-License-Identifier: MIT */
/* Layers backwards, as they were found: by many groups, or the small ones by one alone. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "fold.glsl"
#include "path_tail.glsl"

uvec2 layer_at(uint layer)
{
    return uvec2(fg_u32_at(args.words.layers, layer - 1u), fg_u32_at(args.words.layers, layer));
}

#ifdef FG_PATH_ALONE
void main()
{
    if (fg_group_index() != 0u) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint layer = args.state.layer - uint(args.state.many != 0u);
    uint last = layer - min(layer, PATH_LAYERS);
    uint many = 0u;
    while (layer > last && many == 0u) {
        uvec2 turns = layer_at(layer);
        if (turns.y - turns.x > args.words.alone_rows) {
            many = turns.y - turns.x;
        } else {
            for (uint turn = turns.x; turn < turns.y; turn += FG_GROUP) {
                path_tails(turn + lane, turn + lane < turns.y);
            }
            memoryBarrierBuffer();
            barrier();
            layer--;
        }
    }
    barrier();
    if (lane == 0u) {
        args.state.layer = layer;
        args.state.many = many;
        fg_fold(many / args.words.back_rows + uint(many % args.words.back_rows != 0u), args.arguments);
    }
}
#else
void main()
{
    uint i = fg_invocation_index();
    uint many = args.state.many;
    uint first = many != 0u ? layer_at(args.state.layer).x : 0u;
    path_tails(first + i, i < many);
}
#endif
