/* SPDX-License-Identifier: MIT */
/* Exact conversion of ticks; the clocks themselves are read in os_*.c. */
#include "base/clock.h"

#include <math.h>

struct fgi_rational fgi_rational_from_float(float value)
{
    const struct fgi_rational none = { 0, 0 };
    if (!(value > 0) || !isfinite(value) || value > 4294967295.0f || value < 1.0f / 4294967295.0f) {
        return none;
    }
    /*
     * Continued fraction of the exact value; stop at the first convergent that rounds to `value`.
     */
    double rest = value;
    uint64_t num = 1, den = 0, last_num = 0, last_den = 1;
    for (int i = 0; i < 64; i++) {
        uint64_t whole = (uint64_t)rest;
        uint64_t next_num = whole * num + last_num;
        uint64_t next_den = whole * den + last_den;
        if (next_num > UINT32_MAX || next_den > UINT32_MAX) {
            break;
        }
        last_num = num;
        last_den = den;
        num = next_num;
        den = next_den;
        if ((float)((double)num / (double)den) == value || rest - (double)whole <= 0) {
            break;
        }
        rest = 1 / (rest - (double)whole);
        if (rest > 4294967295.0) {
            break;
        }
    }
    return den != 0 ? (struct fgi_rational){ num, den } : none;
}

/*
 * floor(a * b / c) of unsigned numbers, with the remainder; false when it does not fit in 64 bits.
 */
static bool multiply_divide(uint64_t a, uint64_t b, uint64_t c, uint64_t *out_quotient,
                            uint64_t *out_remainder)
{
    uint64_t high = 0, low = 0;
    /* 64 x 64 -> 128 by halves: not every compiler has a 128-bit type. */
    uint64_t a_low = a & UINT32_MAX, a_high = a >> 32, b_low = b & UINT32_MAX, b_high = b >> 32;
    uint64_t cross = a_low * b_high + (a_low * b_low >> 32);
    uint64_t cross2 = a_high * b_low + (cross & UINT32_MAX);
    high = a_high * b_high + (cross >> 32) + (cross2 >> 32);
    low = cross2 << 32 | (a_low * b_low & UINT32_MAX);
    if (high >= c) {
        return false;
    }
    uint64_t quotient = 0;
    for (int bit = 0; bit < 64; bit++) {
        uint64_t carry = high >> 63;
        high = high << 1 | low >> 63;
        low <<= 1;
        quotient <<= 1;
        if (carry != 0 || high >= c) {
            high -= c;
            quotient |= 1;
        }
    }
    *out_quotient = quotient;
    *out_remainder = high;
    return true;
}

int64_t fgi_ticks_to_ns(int64_t ticks, struct fgi_rational period)
{
    if (period.den == 0 || period.num == period.den) {
        return ticks;
    }
    uint64_t magnitude = ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks;
    uint64_t quotient = 0, remainder = 0;
    uint64_t limit = ticks < 0 ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    bool fits;
    if (period.num == 0 || magnitude <= UINT64_MAX / period.num) {
        uint64_t product = magnitude * period.num;
        quotient = product / period.den;
        remainder = product % period.den;
        fits = true;
    } else {
        fits = multiply_divide(magnitude, period.num, period.den, &quotient, &remainder);
    }
    if (fits && remainder >= period.den - remainder) {
        fits = ++quotient != 0;
    }
    if (!fits || quotient > limit) {
        quotient = limit;
    }
    return ticks < 0 ? (int64_t)(0 - quotient) : (int64_t)quotient;
}

int64_t fgi_ticks_difference(uint64_t later, uint64_t earlier, unsigned valid_bits)
{
    uint64_t difference = later - earlier;
    if (valid_bits == 0 || valid_bits >= 64) {
        return (int64_t)difference;
    }
    unsigned shift = 64 - valid_bits;
    uint64_t shifted = difference << shift;
    uint64_t value = shifted >> shift;
    if (shifted >> 63 != 0) {
        value |= UINT64_MAX << valid_bits;
    }
    return (int64_t)value;
}
