/* SPDX-License-Identifier: MIT */
/* Says which variant of it runs, and with what numbers. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../../../src/engine/vulkan/kernels/prelude.glsl"

layout(constant_id = 8) const uint OWN_A = 0u;
layout(constant_id = 9) const uint OWN_B = 0u;
layout(push_constant, std430) uniform fg_args { uvec2 target; } args;

void main()
{
    if (fg_invocation_index() != 0u) {
        return;
    }
    uint variant = 0u;
#ifdef FG_INT64
    variant |= 1u;
#endif
#ifdef FG_SUBGROUP
    variant |= 2u;
#endif
    fg_words(args.target).at[0] = variant;
    fg_words(args.target).at[1] = FG_GROUP;
    fg_words(args.target).at[2] = FG_GROUP_LIMIT;
    fg_words(args.target).at[3] = FG_SUBGROUP_SIZE;
    fg_words(args.target).at[4] = OWN_A;
    fg_words(args.target).at[5] = OWN_B;
}
