/* SPDX-License-Identifier: MIT */
/* Indirect arguments: a count of groups, folded so that no dimension exceeds the limit. */
#ifndef FG_FOLD_GLSL
#define FG_FOLD_GLSL
#include "prelude.glsl"

/** VkDispatchIndirectCommand of so many groups. */
void fg_fold(uint groups, uvec2 dispatch_address)
{
    uint y = groups / FG_GROUP_LIMIT + uint(groups % FG_GROUP_LIMIT != 0u);
    uint x = y == 0u ? 0u : groups / y + uint(groups % y != 0u);
    /* A limit so low that two dimensions do not do: the third one takes the rest. */
    uint z = y / FG_GROUP_LIMIT + uint(y % FG_GROUP_LIMIT != 0u);
    if (z > 1u) {
        y = y / z + uint(y % z != 0u);
        uint lines = y * z;
        x = groups / lines + uint(groups % lines != 0u);
    }
    fg_words words = fg_words(dispatch_address);
    words.at[0] = x;
    words.at[1] = max(y, 1u);
    words.at[2] = max(z, 1u);
}

#endif
