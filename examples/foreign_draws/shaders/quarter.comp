/* SPDX-License-Identifier: MIT */
/* A mask of rows that no term of a filter says: spans without a parent, or that take at
 * least a quarter of theirs.
 * An invocation makes a word of 32 rows. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "columns.glsl"

layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer mask_words { uint at[]; };
layout(push_constant, std430) uniform arguments {
    columns table;
    mask_words mask;
    uint row_count;
} args;

uvec2 duration(uint row)
{
    return difference(time_at(args.table, END, row), time_at(args.table, START, row));
}

bool takes_a_quarter(uint row)
{
    uint parent = word_at(args.table, PARENT, row);
    if (parent == NO_ROW) {
        return true;
    }
    uvec2 whole = duration(parent);
    uvec2 quarter = uvec2(whole.x >> 2 | whole.y << 30, whole.y >> 2);
    return !is_less(duration(row), quarter);
}

void main()
{
    uint word = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex;
    if (word > (args.row_count - 1u) / 32u) {
        return;
    }
    uint bits = 0u;
    for (uint i = 0u; i < 32u && word * 32u + i < args.row_count; i++) {
        bits |= uint(takes_a_quarter(word * 32u + i)) << i;
    }
    args.mask.at[word] = bits;
}
