/* SPDX-License-Identifier: MIT */
/*
 * What every kernel begins with: the size of its group, which group it is, and memory by address.
 *
 * Columns. Rows of one kind lie in chunks of equal size, a power of two and a multiple of 256 rows.
 * A kernel sees a column as a struct fg_column: the address of the table of the chunks' addresses, or,
 * where there is one chunk only, that chunk's own.
 */
#ifndef FG_PRELUDE_GLSL
#define FG_PRELUDE_GLSL
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#ifdef FG_SUBGROUP
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#endif
#include "u64.glsl"

layout(local_size_x = 256, local_size_x_id = 0) in;
layout(constant_id = 1) const uint FG_GROUP_LIMIT = 65535u;
layout(constant_id = 2) const uint FG_SUBGROUP_SIZE = 32u;
#define FG_GROUP gl_WorkGroupSize.x

const uint FG_NO_ROW = 0xffffffffu;

/** Which group this is, of a count that was folded into x, y and z. It may be past the last one: the
 *  last line of the fold is not full. */
uint fg_group_index()
{
    return (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}
/** Which invocation of all groups. */
uint fg_invocation_index() { return fg_group_index() * FG_GROUP + gl_LocalInvocationIndex; }

/** The place of this invocation in its group. With subgroups it goes by these, as the order of
 *  their lanes and that of gl_LocalInvocationIndex need not agree. */
uint fg_lane()
{
#ifdef FG_SUBGROUP
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
#else
    return gl_LocalInvocationIndex;
#endif
}

layout(buffer_reference, std430, buffer_reference_align = 4) buffer fg_words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer fg_pairs { uvec2 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer fg_quads { uvec4 at[]; };

/** 16 bytes of an argument block. */
struct fg_column {
    uvec2 table; /* of the chunks' addresses; the only chunk's own address if row_mask has all bits */
    uint shift;  /* a chunk has 1 << shift rows */
    uint row_mask;
};
bool fg_is_there(uvec2 address) { return (address.x | address.y) != 0u; }
bool fg_is_there(fg_column column) { return fg_is_there(column.table); }

/** Address of the chunk that has this row. */
uvec2 fg_chunk(fg_column column, uint row)
{
    if (column.row_mask == 0xffffffffu) {
        return column.table;
    }
    return fg_pairs(column.table).at[row >> column.shift];
}
uint fg_u32_at(fg_column column, uint row)
{
    return fg_words(fg_chunk(column, row)).at[row & column.row_mask];
}
uvec2 fg_pair_at(fg_column column, uint row)
{
    return fg_pairs(fg_chunk(column, row)).at[row & column.row_mask];
}
uvec4 fg_quad_at(fg_column column, uint row)
{
    return fg_quads(fg_chunk(column, row)).at[row & column.row_mask];
}
u64 fg_u64_at(fg_column column, uint row) { return u64_of(fg_pair_at(column, row)); }
void fg_u32_put(fg_column column, uint row, uint value)
{
    fg_words(fg_chunk(column, row)).at[row & column.row_mask] = value;
}
void fg_u64_put(fg_column column, uint row, u64 value)
{
    fg_pairs(fg_chunk(column, row)).at[row & column.row_mask] = u64_words(value);
}
void fg_quad_put(fg_column column, uint row, uvec4 value)
{
    fg_quads(fg_chunk(column, row)).at[row & column.row_mask] = value;
}

/** Rows that lie together: their chunk is asked for once where one has them all, so that loads of many
 *  rows do not wait for the table. */
struct fg_span {
    fg_column column;
    uvec2 chunk;
    bool whole;
};
/** Of `rows` > 0 rows that there are. */
fg_span fg_span_of(fg_column column, uint first, uint rows)
{
    bool whole = column.row_mask == 0xffffffffu ||
                 (first >> column.shift) == ((first + rows - 1u) >> column.shift);
    return fg_span(column, whole && fg_is_there(column) ? fg_chunk(column, first) : uvec2(0u), whole);
}
uvec2 fg_chunk(fg_span span, uint row)
{
    uvec2 chunk = span.chunk;
    if (!span.whole) {
        chunk = fg_chunk(span.column, row);
    }
    return chunk;
}
uint fg_u32_at(fg_span span, uint row) { return fg_words(fg_chunk(span, row)).at[row & span.column.row_mask]; }
uvec2 fg_pair_at(fg_span span, uint row)
{
    return fg_pairs(fg_chunk(span, row)).at[row & span.column.row_mask];
}
void fg_u32_put(fg_span span, uint row, uint value)
{
    fg_words(fg_chunk(span, row)).at[row & span.column.row_mask] = value;
}

/** How many there are: a limit the host knows, and a number on the device if there is one. */
uint fg_count(uint limit, uvec2 count_address)
{
    return fg_is_there(count_address) ? min(limit, fg_words(count_address).at[0]) : limit;
}

/** A row's bit in a mask: bit r % 32 of word r / 32. */
bool fg_mask_bit(fg_column mask, uint row)
{
    return ((fg_u32_at(mask, row >> 5) >> (row & 31u)) & 1u) != 0u;
}

#endif
