/* SPDX-License-Identifier: MIT */
/* Numbers as written, without floating point. */
#include "base/json_read.h"

#include <string.h>

#define BILLION UINT32_C(1000000000)

enum {
    FAST_DIGITS = 19, /* always fit into 64 bits */
    KEPT_DIGITS = 64, /* more only matter for rounding the last of them */
    EXPONENT_MAX = 9999,
};

static const uint64_t powers[20] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Eight digits at once: true and *value = *value * 10^8 + them. */
static inline bool take8(const char *p, uint64_t *value)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0);
    if ((x & high) != UINT64_C(0x3030303030303030) ||
        ((x + UINT64_C(0x0606060606060606)) & high) != UINT64_C(0x3030303030303030)) {
        return false;
    }
    x &= UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
    x = (x * 10000 + (x >> 32)) & UINT64_C(0x00000000ffffffff);
    *value = *value * 100000000u + x;
    return true;
}
#else
static inline bool take8(const char *p, uint64_t *value)
{
    (void)p;
    (void)value;
    return false;
}
#endif

static inline const char *take_digits(const char *p, const char *end, uint64_t *value)
{
    while (end - p >= 8 && take8(p, value)) {
        p += 8;
    }
    while (p < end && *p >= '0' && *p <= '9') {
        *value = *value * 10 + (uint64_t)(*p++ - '0');
    }
    return p;
}

/* At most 19 digits without an exponent, and no more than nine of them below the billionth. */
static bool read_fast(const char *p, const char *end, int shift, struct fgi_decimal *out)
{
    uint64_t value = 0;
    const char *whole = p;
    p = take_digits(p, end, &value);
    ptrdiff_t digits = p - whole;
    ptrdiff_t behind = 0;
    if (p < end && *p == '.') {
        const char *fraction = p + 1;
        p = take_digits(fraction, end, &value);
        behind = p - fraction;
        digits += behind;
    }
    if (p != end || digits == 0 || digits > FAST_DIGITS) {
        return false;
    }
    ptrdiff_t below = behind - shift;
    if (below <= 0) {
        if (digits - below > FAST_DIGITS) {
            return false;
        }
        out->whole = value * powers[-below];
        out->billionths = 0;
    } else if (below <= 9) {
        out->whole = value / powers[below];
        out->billionths = (uint32_t)(value % powers[below] * powers[9 - below]);
    } else {
        return false;
    }
    out->is_integer = out->billionths == 0;
    out->is_saturated = false;
    return true;
}

struct digits {
    uint8_t items[KEPT_DIGITS];
    int count;
    long point; /* the point is before this one; may be outside */
};

/* Digit at a position, zero outside. */
static unsigned digit_at(const struct digits *d, long i)
{
    return i >= 0 && i < d->count ? d->items[i] : 0;
}

static void saturate(struct fgi_decimal *out)
{
    out->whole = UINT64_MAX;
    out->billionths = 0;
    out->is_integer = false;
    out->is_saturated = true;
}

static void from_digits(const struct digits *d, struct fgi_decimal *out)
{
    uint64_t whole = 0;
    uint64_t billionths = 0;
    bool has_more = false;
    if (d->count > 0 && d->point > 20) {
        saturate(out);
        return;
    }
    for (long i = 0; i < d->point; i++) {
        unsigned digit = digit_at(d, i);
        if (whole > (UINT64_MAX - digit) / 10) {
            saturate(out);
            return;
        }
        whole = whole * 10 + digit;
    }
    for (long i = d->point; i < d->point + 9; i++) {
        billionths = billionths * 10 + digit_at(d, i);
    }
    for (long i = d->point > 0 ? d->point : 0; i < d->count; i++) {
        has_more |= d->items[i] != 0;
    }
    billionths += digit_at(d, d->point + 9) >= 5;
    if (billionths == BILLION) {
        billionths = 0;
        if (whole == UINT64_MAX) {
            saturate(out);
            return;
        }
        whole++;
    }
    out->whole = whole;
    out->billionths = (uint32_t)billionths;
    out->is_integer = !has_more;
    out->is_saturated = false;
}

static const char *read_exponent(const char *p, const char *end, long *out_exponent)
{
    long value = 0;
    bool is_negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    const char *first = p;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        value = value < EXPONENT_MAX ? value * 10 + (*p - '0') : value;
    }
    *out_exponent = is_negative ? -value : value;
    return p > first ? p : NULL;
}

/* Any number of digits, and an exponent. */
static bool read_slow(const char *p, const char *end, int shift, struct fgi_decimal *out)
{
    struct digits d = { .count = 0 };
    bool has_point = false, has_digit = false;
    long exponent = 0;
    for (; p < end && ((*p >= '0' && *p <= '9') || (*p == '.' && !has_point)); p++) {
        if (*p == '.') {
            has_point = true;
            continue;
        }
        has_digit = true;
        bool is_leading = d.count == 0 && *p == '0';
        if (!is_leading && d.count < KEPT_DIGITS) {
            d.items[d.count++] = (uint8_t)(*p - '0');
        }
        /* Every digit before the point moves it; leading zeros behind it move it back. */
        d.point += has_point ? -(long)is_leading : (long)!is_leading;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p = read_exponent(p + 1, end, &exponent);
    }
    if (p != end || !has_digit) {
        return false;
    }
    d.point += exponent + shift;
    from_digits(&d, out);
    return true;
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool fgi_decimal_read(const char *text, size_t size, int shift, struct fgi_decimal *out_decimal)
{
    const char *p = text;
    const char *end = text + size;
    while (p < end && is_blank(*p)) {
        p++;
    }
    while (p < end && is_blank(end[-1])) {
        end--;
    }
    out_decimal->is_negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    return read_fast(p, end, shift, out_decimal) || read_slow(p, end, shift, out_decimal);
}
