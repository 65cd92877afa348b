/* SPDX-License-Identifier: MIT */
/* struct compact_push of prim_compact.c: both kernels take it. A tile is 4 words of each invocation. */
layout(push_constant, std430) uniform fg_args {
    fg_column mask;
    fg_column target;
    fg_column payload; /* what is written of a row; none = the row */
    uvec2 sums;
    uvec2 count_address;
    uint count;
    uint capacity;
} args;

/** Four words of the mask; no bit of row `count` or behind it is set. */
uvec4 mask_words(uint row, uint count)
{
    uvec4 words = uvec4(0u);
    if (row >= count) {
        return words;
    }
    uvec2 chunk = fg_chunk(args.mask, row >> 5);
    uint at = (row >> 5) & args.mask.row_mask;
    if (count - row >= 128u) {
        return fg_quads(chunk).at[at >> 2];
    }
    for (uint i = 0u; i < 4u; i++) {
        uint left = count - row;
        if (left > i * 32u) {
            uint keep = left - i * 32u;
            uint word = fg_words(chunk).at[at + i];
            words[i] = keep >= 32u ? word : word & ((1u << keep) - 1u);
        }
    }
    return words;
}
uint bits_of(uvec4 words)
{
    ivec4 counts = bitCount(words);
    return uint(counts.x + counts.y + counts.z + counts.w);
}
