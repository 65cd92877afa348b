/* SPDX-License-Identifier: MIT */
/*
 * One pass of a stable sort by digits, lowest first. struct radix_push of prim_radix.c.
 * FG_KEYS_U64: keys of two words, else of one. A tile has FG_ITEMS rows of each invocation.
 */
layout(constant_id = 8) const uint FG_DIGIT_BITS = 4u; /* at most 4 without subgroups */
const uint FG_DIGITS = 1u << FG_DIGIT_BITS;

layout(push_constant, std430) uniform fg_args {
    fg_column keys;
    fg_column payload;     /* none = the row itself */
    fg_column out_keys;    /* none = nobody wants them */
    fg_column out_payload;
    fg_column counts;      /* of each digit, the count of each tile */
    uvec2 count_address;
    uint count;
    uint tiles;            /* of `count` rows */
    uint shift;            /* of the digit */
    uint highest;          /* keys of one word that are greater count as this */
} args;

#ifdef FG_KEYS_U64
#define K uvec2
#define FG_ITEMS 8
K key_in(fg_span keys, uint row) { return fg_pair_at(keys, row); }
void key_put(uint row, K key) { fg_pairs(fg_chunk(args.out_keys, row)).at[row & args.out_keys.row_mask] = key; }
/* A digit may reach over both words where digits do not divide 32. */
uint digit_of(K key)
{
    return u64_low(u64_shift_right(u64_of(key), args.shift)) & (FG_DIGITS - 1u);
}
#else
#define K uint
#define FG_ITEMS 16
K key_in(fg_span keys, uint row) { return min(fg_u32_at(keys, row), args.highest); }
void key_put(uint row, K key) { fg_u32_put(args.out_keys, row, key); }
uint digit_of(K key) { return (key >> args.shift) & (FG_DIGITS - 1u); }
#endif

uint fg_tile_items() { return FG_GROUP * uint(FG_ITEMS); }
