/* SPDX-License-Identifier: MIT */
/* Well-formed UTF-8 as the Unicode Standard's table 3-7 gives it. */
#include "base/strings.h"

#include <string.h>

/*
 * Length of the well-formed character at `text`, 1 to 4. When there is none: 0, and `out_bad` is
 * the length of the maximal part that could have begun one (at least 1).
 */
static size_t character(const uint8_t *text, size_t size, size_t *out_bad)
{
    uint8_t first = text[0];
    *out_bad = 1;
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xc2 || first > 0xf4) {
        return 0;
    }
    size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    for (size_t i = 1; i < length; i++) {
        if (i == size || text[i] < low || text[i] > high) {
            *out_bad = i;
            return 0;
        }
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

size_t fgi_utf8_showable(const char *text, size_t size)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        { 0x00, 0x1f },     { 0x7f, 0x9f },     { 0x61c, 0x61c },   { 0x200b, 0x200f },
        { 0x2028, 0x202e }, { 0x2060, 0x2069 }, { 0xfeff, 0xfeff },
    };
    size_t bad = 0;
    const size_t length = size != 0 ? character((const uint8_t *)text, size, &bad) : 0;
    if (length == 0) {
        return 0;
    }
    uint32_t value = (uint8_t)text[0] & (length == 1 ? 0x7fu : 0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        value = value << 6 | ((uint8_t)text[i] & 0x3fu);
    }
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        if (value >= hidden[i].first && value <= hidden[i].last) {
            return 0;
        }
    }
    return length;
}

bool fgi_utf8_valid(const char *text, size_t size)
{
    size_t bad = 0;
    for (size_t i = 0; i < size;) {
        size_t length = character((const uint8_t *)text + i, size - i, &bad);
        if (length == 0) {
            return false;
        }
        i += length;
    }
    return true;
}

size_t fgi_utf8_repair(const char *text, size_t size, char *out, size_t capacity)
{
    size_t needed = 0;
    bool full = false;
    for (size_t i = 0; i < size;) {
        size_t bad = 0;
        size_t length = character((const uint8_t *)text + i, size - i, &bad);
        const char *from = length != 0 ? text + i : "\xef\xbf\xbd";
        size_t put = length != 0 ? length : 3;
        full = full || needed + put > capacity;
        if (!full) {
            memcpy(out + needed, from, put);
        }
        needed += put;
        i += length != 0 ? length : bad;
    }
    return needed;
}
