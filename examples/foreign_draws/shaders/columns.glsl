/* SPDX-License-Identifier: MIT */
/* Columns of a trace by address: struct foreign_table of foreign_columns.c. */
#ifndef FOREIGN_COLUMNS_GLSL
#define FOREIGN_COLUMNS_GLSL
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

const uint CHUNKS = 64u;
/* enum fg_gpu_column */
const uint START = 0u;
const uint END = 1u;
const uint LANE = 2u;
const uint KIND = 3u;
const uint PARENT = 4u;

const uint NO_ROW = 0xffffffffu;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer times { uvec2 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer columns {
    uvec2 chunks[5u * CHUNKS];
    uint chunk_rows[5];
};

uint word_at(columns table, uint column, uint row)
{
    uint rows = table.chunk_rows[column];
    return words(table.chunks[column * CHUNKS + row / rows]).at[row % rows];
}
/** 64 bits, low word first. */
uvec2 time_at(columns table, uint column, uint row)
{
    uint rows = table.chunk_rows[column];
    return times(table.chunks[column * CHUNKS + row / rows]).at[row % rows];
}

uvec2 difference(uvec2 a, uvec2 b) { return uvec2(a.x - b.x, a.y - b.y - uint(a.x < b.x)); }
bool is_less(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }
bool is_before(uvec2 a, uvec2 b) { return int(a.y) < int(b.y) || (a.y == b.y && a.x < b.x); }

#endif
