/* SPDX-License-Identifier: MIT */
/* Containers as they stand, escapes, and numbers. */
#include "base/json_scan.h"

#define B FGI_BYTE_BLANK
#define W FGI_BYTE_WORD
#define S FGI_BYTE_SPECIAL
#define K FGI_BYTE_BRACKET
/* Blanks below 0x20 are also special in strings. */
const uint8_t fgi_byte_kinds[256] = {
    [0x00] = S, [0x01] = S, [0x02] = S,     [0x03] = S,     [0x04] = S, [0x05] = S, [0x06] = S,
    [0x07] = S, [0x08] = S, ['\t'] = B | S, ['\n'] = B | S, [0x0b] = S, [0x0c] = S, ['\r'] = B | S,
    [0x0e] = S, [0x0f] = S, [0x10] = S,     [0x11] = S,     [0x12] = S, [0x13] = S, [0x14] = S,
    [0x15] = S, [0x16] = S, [0x17] = S,     [0x18] = S,     [0x19] = S, [0x1a] = S, [0x1b] = S,
    [0x1c] = S, [0x1d] = S, [0x1e] = S,     [0x1f] = S,     [' '] = B,  ['"'] = S,  ['\\'] = S,
    ['{'] = K,  ['}'] = K,  ['['] = K,      [']'] = K,      ['#'] = W,  ['('] = W,  [')'] = W,
    ['+'] = W,  ['-'] = W,  ['.'] = W,      ['_'] = W,      ['0'] = W,  ['1'] = W,  ['2'] = W,
    ['3'] = W,  ['4'] = W,  ['5'] = W,      ['6'] = W,      ['7'] = W,  ['8'] = W,  ['9'] = W,
    ['A'] = W,  ['B'] = W,  ['C'] = W,      ['D'] = W,      ['E'] = W,  ['F'] = W,  ['G'] = W,
    ['H'] = W,  ['I'] = W,  ['J'] = W,      ['K'] = W,      ['L'] = W,  ['M'] = W,  ['N'] = W,
    ['O'] = W,  ['P'] = W,  ['Q'] = W,      ['R'] = W,      ['S'] = W,  ['T'] = W,  ['U'] = W,
    ['V'] = W,  ['W'] = W,  ['X'] = W,      ['Y'] = W,      ['Z'] = W,  ['a'] = W,  ['b'] = W,
    ['c'] = W,  ['d'] = W,  ['e'] = W,      ['f'] = W,      ['g'] = W,  ['h'] = W,  ['i'] = W,
    ['j'] = W,  ['k'] = W,  ['l'] = W,      ['m'] = W,      ['n'] = W,  ['o'] = W,  ['p'] = W,
    ['q'] = W,  ['r'] = W,  ['s'] = W,      ['t'] = W,      ['u'] = W,  ['v'] = W,  ['w'] = W,
    ['x'] = W,  ['y'] = W,  ['z'] = W,
};
#undef B
#undef W
#undef S
#undef K

/* Outside of strings: the next quote or bracket. */
static inline const uint8_t *scan_structure(const uint8_t *p, const uint8_t *end)
{
    while (p < end && !(fgi_byte_kinds[*p] & FGI_BYTE_BRACKET) && *p != '"') {
        p++;
    }
    return p;
}

const uint8_t *fgi_scan_take(struct fgi_scan_take *scan, const uint8_t *p, const uint8_t *end)
{
    uint8_t flags = 0;
    while (p < end) {
        if (scan->in_string) {
            p = fgi_scan_string(p, end, &flags, &scan->after_escape);
            if (p == end) {
                return p;
            }
            scan->in_string = false;
            scan->after_quote = true;
            p++;
        }
        if (scan->after_quote) {
            p = fgi_scan_blank(p, end);
            if (p == end) {
                return p;
            }
            if (*p != ',' && *p != ':' && *p != '}' && *p != ']') {
                scan->is_broken = true;
                return p;
            }
            scan->after_quote = false;
        }
        p = scan_structure(p, end);
        if (p == end) {
            return p;
        }
        if (*p == '"') {
            scan->in_string = true;
        } else if (*p == '{' || *p == '[') {
            scan->nest++;
        } else if (--scan->nest == 0) {
            return p + 1;
        }
        p++;
    }
    return p;
}

/* ---- escapes --------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits after "\u"; -1: there are none. */
static long hex4(const char *text, size_t size)
{
    long value = 0;
    if (size < 4) {
        return -1;
    }
    for (size_t i = 0; i < 4; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

static size_t put_utf8(char *out, long c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3f));
        out[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

enum { REPLACEMENT = 0xfffd };

/* "\uXXXX" at `text`, and the other half of a pair. Returns the bytes read. */
static size_t unescape_unicode(const char *text, size_t size, long *out_character,
                               struct fgi_json_bad *bad)
{
    long c = hex4(text + 2, size - 2);
    if (c < 0) {
        *out_character = -1;
        return 0;
    }
    if (c >= 0xd800 && c < 0xdc00 && size >= 12 && text[6] == '\\' && text[7] == 'u') {
        long low = hex4(text + 8, size - 8);
        if (low >= 0xdc00 && low < 0xe000) {
            *out_character = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            return 12;
        }
    }
    bool is_half = c >= 0xd800 && c < 0xe000;
    bad->escapes += is_half;
    bad->nulls += c == 0;
    *out_character = is_half || c == 0 ? REPLACEMENT : c;
    return 6;
}

size_t fgi_json_unescape(const char *text, size_t size, char *out, struct fgi_json_bad *out_bad)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    struct fgi_json_bad bad = { 0 };
    size_t at = 0;
    for (size_t i = 0; i < size;) {
        const char *found =
            text[i] == '\\' && i + 1 < size && text[i + 1] ? strchr(from, text[i + 1]) : NULL;
        if (found != NULL) {
            out[at++] = to[found - from];
            i += 2;
            continue;
        }
        if (text[i] == '\\' && i + 1 < size && text[i + 1] == 'u') {
            long c;
            size_t used = unescape_unicode(text + i, size - i, &c, &bad);
            if (used > 0) {
                at += put_utf8(out + at, c);
                i += used;
                continue;
            }
        }
        if (text[i] == '\0') {
            at += put_utf8(out + at, REPLACEMENT);
            i++;
            continue;
        }
        bad.escapes += text[i] == '\\';
        out[at++] = text[i++];
    }
    if (out_bad != NULL) {
        out_bad->escapes += bad.escapes;
        out_bad->nulls += bad.nulls;
    }
    return at;
}
