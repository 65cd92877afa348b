/* SPDX-License-Identifier: MIT */
/* The loops over bytes that reading JSON is made of, inlined; 16 at a time where there is SSE2. */
#ifndef FGI_JSON_SCAN_H
#define FGI_JSON_SCAN_H
#include "base/json_read.h"
#include <string.h>

#if defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#define FGI_SCAN_SSE2 1
#else
#define FGI_SCAN_SSE2 0
#endif

enum {
    FGI_BYTE_BLANK = 1,
    FGI_BYTE_WORD = 2,    /* of numbers, and of all that is written without quotes */
    FGI_BYTE_SPECIAL = 4, /* in strings */
    FGI_BYTE_BRACKET = 8,
};
extern const uint8_t fgi_byte_kinds[256];

static inline bool fgi_is_blank(uint8_t c)
{
    return fgi_byte_kinds[c] & FGI_BYTE_BLANK;
}
static inline bool fgi_is_word(uint8_t c)
{
    return fgi_byte_kinds[c] & FGI_BYTE_WORD;
}

static inline const uint8_t *fgi_scan_blank(const uint8_t *p, const uint8_t *end)
{
    if (p<end && * p> ' ') {
        return p;
    }
    while (p < end && fgi_is_blank(*p)) {
        p++;
    }
    return p;
}

/* Most words are numbers, of which 16 bytes are looked at together. */
static inline const uint8_t *fgi_scan_word(const uint8_t *p, const uint8_t *end)
{
#if FGI_SCAN_SSE2
    while (end - p >= 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i from_plus = _mm_sub_epi8(x, _mm_set1_epi8('+'));
        __m128i to_nine = _mm_min_epu8(from_plus, _mm_set1_epi8('9' - '+'));
        __m128i others = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(',')),
                                      _mm_cmpeq_epi8(x, _mm_set1_epi8('/')));
        __m128i digits = _mm_andnot_si128(others, _mm_cmpeq_epi8(to_nine, from_plus));
        unsigned mask = (unsigned)_mm_movemask_epi8(digits) ^ 0xffffu;
        if (mask != 0) {
            p += __builtin_ctz(mask);
            break;
        }
        p += 16;
    }
#endif
    while (p < end && fgi_is_word(*p)) {
        p++;
    }
    return p;
}

/* Eight bytes of which none is special in a string, nor above 0x7f. */
static inline bool fgi_is_plain8(const uint8_t *p)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t x;
    memcpy(&x, p, sizeof x);
    uint64_t quote = x ^ ones * '"';
    uint64_t slash = x ^ ones * '\\';
    uint64_t found = (quote - ones) | (slash - ones) | (x - ones * 0x20) | x;
    return (found & ones * 0x80) == 0;
}

/* Skip what is not special; notes bytes above 0x7f. */
static inline const uint8_t *fgi_scan_plain(const uint8_t *p, const uint8_t *end, uint8_t *flags)
{
#if FGI_SCAN_SSE2
    const __m128i quotes = _mm_set1_epi8('"');
    const __m128i slashes = _mm_set1_epi8('\\');
    const __m128i low = _mm_set1_epi8(0x1f);
    while (end - p >= 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i special =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, quotes), _mm_cmpeq_epi8(x, slashes)),
                         _mm_cmpeq_epi8(_mm_max_epu8(x, low), low));
        unsigned mask = (unsigned)_mm_movemask_epi8(special);
        unsigned high = (unsigned)_mm_movemask_epi8(x);
        if (mask != 0) {
            unsigned n = (unsigned)__builtin_ctz(mask);
            *flags |= (high & ((1u << n) - 1)) != 0 ? FGI_JSON_HIGH : 0;
            return p + n;
        }
        *flags |= high != 0 ? FGI_JSON_HIGH : 0;
        p += 16;
    }
#endif
    while (end - p >= 8 && fgi_is_plain8(p)) {
        p += 8;
    }
    while (p < end && !(fgi_byte_kinds[*p] & FGI_BYTE_SPECIAL)) {
        *flags |= *p >= 0x80 ? FGI_JSON_HIGH : 0;
        p++;
    }
    return p;
}

/* The closing quote, or `end`. *after_escape: the byte before was a backslash that counts. */
static inline const uint8_t *fgi_scan_string(const uint8_t *p, const uint8_t *end, uint8_t *flags,
                                             bool *after_escape)
{
    for (;;) {
        if (*after_escape && p < end) {
            *flags |= *p >= 0x80 ? FGI_JSON_HIGH : 0;
            *after_escape = false;
            p++;
        }
        p = fgi_scan_plain(p, end, flags);
        if (p == end || *p == '"') {
            return p;
        }
        *after_escape = *p == '\\';
        *flags |= *after_escape ? FGI_JSON_ESCAPED : FGI_JSON_CONTROL;
        p++;
    }
}

/** Where reading a container as it stands has got to; kept from piece to piece. */
struct fgi_scan_take {
    uint64_t nest;
    bool in_string, after_escape;
    bool after_quote; /**< a string has just ended: what follows must be one of , : ] } */
    bool is_broken;
};
/** Behind the last bracket (nest is 0), or `end`, or where it breaks. */
const uint8_t *fgi_scan_take(struct fgi_scan_take *scan, const uint8_t *p, const uint8_t *end);

#endif
