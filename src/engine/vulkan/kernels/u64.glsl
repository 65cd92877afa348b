/* SPDX-License-Identifier: MIT */
/*
 * 64-bit integers for every device. In memory a number is a uvec2, low word first. In registers it is
 * a u64: uint64_t where the kernel is compiled with FG_INT64, else a uvec2. Both give the same bits.
 * Signed numbers are the same bits: what differs has "signed" in its name.
 */
#ifndef FG_U64_GLSL
#define FG_U64_GLSL

#ifdef FG_INT64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define u64 uint64_t

u64 u64_of(uvec2 words) { return packUint2x32(words); }
uvec2 u64_words(u64 a) { return unpackUint2x32(a); }
u64 u64_from(uint a) { return u64(a); }
uint u64_low(u64 a) { return uint(a); }
uint u64_high(u64 a) { return uint(a >> 32); }
u64 u64_add(u64 a, u64 b) { return a + b; }
u64 u64_sub(u64 a, u64 b) { return a - b; }
bool u64_equal(u64 a, u64 b) { return a == b; }
bool u64_less(u64 a, u64 b) { return a < b; }
bool u64_less_signed(u64 a, u64 b) { return int64_t(a) < int64_t(b); }
u64 u64_and(u64 a, u64 b) { return a & b; }
u64 u64_or(u64 a, u64 b) { return a | b; }
u64 u64_xor(u64 a, u64 b) { return a ^ b; }
/** Bits up to 63; more is the caller's mistake. */
u64 u64_shift_left(u64 a, uint bits) { return a << bits; }
u64 u64_shift_right(u64 a, uint bits) { return a >> bits; }
u64 u64_shift_right_signed(u64 a, uint bits) { return u64(int64_t(a) >> bits); }
u64 u64_product(uint a, uint b) { return u64(a) * u64(b); }
u64 u64_multiply(u64 a, u64 b) { return a * b; }
#else
#define u64 uvec2

u64 u64_of(uvec2 words) { return words; }
uvec2 u64_words(u64 a) { return a; }
u64 u64_from(uint a) { return uvec2(a, 0u); }
uint u64_low(u64 a) { return a.x; }
uint u64_high(u64 a) { return a.y; }
u64 u64_add(u64 a, u64 b)
{
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}
u64 u64_sub(u64 a, u64 b)
{
    return uvec2(a.x - b.x, a.y - b.y - uint(a.x < b.x));
}
bool u64_equal(u64 a, u64 b) { return a == b; }
bool u64_less(u64 a, u64 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }
bool u64_less_signed(u64 a, u64 b)
{
    return int(a.y) < int(b.y) || (a.y == b.y && a.x < b.x);
}
u64 u64_and(u64 a, u64 b) { return a & b; }
u64 u64_or(u64 a, u64 b) { return a | b; }
u64 u64_xor(u64 a, u64 b) { return a ^ b; }
/** Bits up to 63; more is the caller's mistake. A shift of one word by 32 has no meaning in GLSL. */
u64 u64_shift_left(u64 a, uint bits)
{
    if (bits == 0u) {
        return a;
    }
    return bits >= 32u ? uvec2(0u, a.x << (bits - 32u))
                       : uvec2(a.x << bits, (a.y << bits) | (a.x >> (32u - bits)));
}
u64 u64_shift_right(u64 a, uint bits)
{
    if (bits == 0u) {
        return a;
    }
    return bits >= 32u ? uvec2(a.y >> (bits - 32u), 0u)
                       : uvec2((a.x >> bits) | (a.y << (32u - bits)), a.y >> bits);
}
u64 u64_shift_right_signed(u64 a, uint bits)
{
    uint sign = uint(int(a.y) >> 31);
    if (bits == 0u) {
        return a;
    }
    return bits >= 32u ? uvec2(uint(int(a.y) >> int(bits - 32u)), sign)
                       : uvec2((a.x >> bits) | (a.y << (32u - bits)), uint(int(a.y) >> int(bits)));
}
u64 u64_product(uint a, uint b)
{
    uint high;
    uint low;
    umulExtended(a, b, high, low);
    return uvec2(low, high);
}
/** The low 64 bits of the product. */
u64 u64_multiply(u64 a, u64 b)
{
    u64 low = u64_product(a.x, b.x);
    return uvec2(low.x, low.y + a.x * b.y + a.y * b.x);
}
#endif

const uvec2 U64_NONE_WORDS = uvec2(0xffffffffu);

u64 u64_zero() { return u64_from(0u); }
u64 u64_all() { return u64_of(U64_NONE_WORDS); }
u64 u64_make(uint low, uint high) { return u64_of(uvec2(low, high)); }
u64 u64_min(u64 a, u64 b) { return u64_less(b, a) ? b : a; }
u64 u64_max(u64 a, u64 b) { return u64_less(a, b) ? b : a; }
u64 u64_min_signed(u64 a, u64 b) { return u64_less_signed(b, a) ? b : a; }
u64 u64_max_signed(u64 a, u64 b) { return u64_less_signed(a, b) ? b : a; }
/** a - b, or 0 where that is below it. */
u64 u64_sub_saturated(u64 a, u64 b) { return u64_less(a, b) ? u64_zero() : u64_sub(a, b); }
u64 u64_add_saturated(u64 a, u64 b)
{
    u64 sum = u64_add(a, b);
    return u64_less(sum, a) ? u64_all() : sum;
}
/** Turns the order of signed numbers into that of unsigned ones, and back. */
u64 u64_flip_sign(u64 a) { return u64_xor(a, u64_make(0u, 0x80000000u)); }

/* 128 bits are four limbs of 32 bits, lowest first, the same on every device. */
#define u128 uvec4

u128 u128_from(u64 a) { return u128(u64_words(a), 0u, 0u); }
u128 u128_add(u128 a, u128 b)
{
    u128 sum;
    uint carry;
    uint more;
    sum.x = uaddCarry(a.x, b.x, carry);
    for (int limb = 1; limb < 4; limb++) {
        uint part = uaddCarry(a[limb], b[limb], more);
        sum[limb] = uaddCarry(part, carry, carry);
        carry += more;
    }
    return sum;
}
/** a - b for a >= b. */
u128 u128_sub(u128 a, u128 b)
{
    return u128_add(u128_add(a, ~b), u128(1u, 0u, 0u, 0u));
}
bool u128_less(u128 a, u128 b)
{
    for (int limb = 3; limb > 0; limb--) {
        if (a[limb] != b[limb]) {
            return a[limb] < b[limb];
        }
    }
    return a.x < b.x;
}
/** The whole product of two 64-bit numbers. */
u128 u128_product(u64 a, u64 b)
{
    uvec2 p = u64_words(a);
    uvec2 q = u64_words(b);
    u128 sum = u128(u64_words(u64_product(p.x, q.x)), u64_words(u64_product(p.y, q.y)));
    sum = u128_add(sum, u128(0u, u64_words(u64_product(p.x, q.y)), 0u));
    return u128_add(sum, u128(0u, u64_words(u64_product(p.y, q.x)), 0u));
}

#endif
