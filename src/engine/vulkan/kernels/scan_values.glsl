/* SPDX-License-Identifier: MIT */
/*
 * What is scanned: 16 values for an invocation, read and written 16 bytes at a time. A tile is what a
 * group handles: FG_STRIPS strips, in each of which an invocation has FG_VECTOR neighbours.
 * FG_SCAN_U32 is a sum of words, FG_SCAN_U64 a sum and FG_SCAN_U64_MAX a maximum of 64-bit numbers.
 */
#ifndef FG_SCAN_VALUES_GLSL
#define FG_SCAN_VALUES_GLSL
#include "prelude.glsl"

#ifdef FG_SCAN_U32
#define T uint
#define FG_VECTOR 4
#define FG_TILE_STRIPS 4
#define FG_SUM_STRIPS 16
T identity() { return 0u; }
T combine(T a, T b) { return a + b; }
T load_one(uvec2 chunk, uint at) { return fg_words(chunk).at[at]; }
void store_one(uvec2 chunk, uint at, T value) { fg_words(chunk).at[at] = value; }
void load_vector(uvec2 chunk, uint at, out T values[FG_VECTOR])
{
    uvec4 words = fg_quads(chunk).at[at >> 2];
    values = T[](words.x, words.y, words.z, words.w);
}
void store_vector(uvec2 chunk, uint at, T values[FG_VECTOR])
{
    fg_quads(chunk).at[at >> 2] = uvec4(values[0], values[1], values[2], values[3]);
}
#else
#define T u64
#define FG_VECTOR 2
#define FG_TILE_STRIPS 8
#define FG_SUM_STRIPS 8
T identity() { return u64_zero(); }
#ifdef FG_SCAN_U64_MAX
T combine(T a, T b) { return u64_max(a, b); }
#else
T combine(T a, T b) { return u64_add(a, b); }
#endif
T load_one(uvec2 chunk, uint at) { return u64_of(fg_pairs(chunk).at[at]); }
void store_one(uvec2 chunk, uint at, T value) { fg_pairs(chunk).at[at] = u64_words(value); }
void load_vector(uvec2 chunk, uint at, out T values[FG_VECTOR])
{
    uvec4 words = fg_quads(chunk).at[at >> 1];
    values = T[](u64_of(words.xy), u64_of(words.zw));
}
void store_vector(uvec2 chunk, uint at, T values[FG_VECTOR])
{
    fg_quads(chunk).at[at >> 1] = uvec4(u64_words(values[0]), u64_words(values[1]));
}
#endif

uint fg_tile_rows() { return FG_GROUP * uint(FG_VECTOR * FG_TILE_STRIPS); }

/** Whether all rows of a tile are rows and lie together: then nothing is asked of single ones. */
bool fg_is_plain(fg_span tile, uint first, uint count)
{
    return tile.whole && count - first >= fg_tile_rows();
}

/** FG_VECTOR values from `row` on, a multiple of FG_VECTOR; the identity from row `count` on. */
void load_values(fg_span tile, uint row, uint count, out T values[FG_VECTOR])
{
    for (int i = 0; i < FG_VECTOR; i++) {
        values[i] = identity();
    }
    if (row >= count) {
        return;
    }
    uvec2 chunk = fg_chunk(tile, row);
    uint at = row & tile.column.row_mask;
    if (count - row >= uint(FG_VECTOR)) {
        load_vector(chunk, at, values);
        return;
    }
    for (int i = 0; i < FG_VECTOR; i++) {
        if (uint(i) < count - row) {
            values[i] = load_one(chunk, at + uint(i));
        }
    }
}
/** All values of a tile of this invocation. */
void load_tile(fg_span tile, uint first, uint count, out T values[FG_TILE_STRIPS][FG_VECTOR])
{
    uint row = first + fg_lane() * uint(FG_VECTOR);
    if (fg_is_plain(tile, first, count)) {
        [[unroll]] for (int k = 0; k < FG_TILE_STRIPS; k++) {
            uint at = (row + uint(k) * FG_GROUP * uint(FG_VECTOR)) & tile.column.row_mask;
            load_vector(tile.chunk, at, values[k]);
        }
        return;
    }
    [[unroll]] for (int k = 0; k < FG_TILE_STRIPS; k++) {
        load_values(tile, row + uint(k) * FG_GROUP * uint(FG_VECTOR), count, values[k]);
    }
}
void store_values(fg_span tile, uint row, uint count, T values[FG_VECTOR])
{
    if (row >= count) {
        return;
    }
    uvec2 chunk = fg_chunk(tile, row);
    uint at = row & tile.column.row_mask;
    if (count - row >= uint(FG_VECTOR)) {
        store_vector(chunk, at, values);
        return;
    }
    for (int i = 0; i < FG_VECTOR; i++) {
        if (uint(i) < count - row) {
            store_one(chunk, at + uint(i), values[i]);
        }
    }
}

#endif
