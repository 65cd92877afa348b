/* SPDX-License-Identifier: MIT */
/* The turns of a layer by many groups. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "path_turn.glsl"

void main()
{
    uint i = fg_invocation_index();
    path_turns(args.state.first + i, i < args.state.many);
}
