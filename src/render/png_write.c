/* SPDX-License-Identifier: MIT */
/*
 * Each row is stored as what differs from the row above, which in such pictures is nearly always
 * nothing. Of deflate only what such data needs is used: the fixed codes, and copies of the byte or
 * of the pixel before.
 */
#include "render/png_write.h"
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/hash.h"

#include <string.h>

enum {
    PIXEL_BYTES = 3,
    FILTER_UP = 2,
    LONGEST = 258,
    SHORTEST = 3,
    LENGTH_CODES = 29,
    END_OF_BLOCK = 256,
    ADLER = 65521,
};

/* ---- deflate --------------------------------------------------------------------------------- */

struct deflate {
    struct fgi_bytes out;
    uint32_t bits; /**< not yet a whole byte */
    unsigned bit_count;
};

static void put_bits(struct deflate *d, uint32_t bits, unsigned count)
{
    d->bits |= bits << d->bit_count;
    for (d->bit_count += count; d->bit_count >= 8; d->bit_count -= 8) {
        fgi_put_u8(&d->out, (uint8_t)d->bits);
        d->bits >>= 8;
    }
}

/* Codes begin with their highest bit. */
static void put_code(struct deflate *d, uint32_t code, unsigned count)
{
    uint32_t reversed = 0;
    for (unsigned i = 0; i < count; i++) {
        reversed |= (code >> i & 1) << (count - 1 - i);
    }
    put_bits(d, reversed, count);
}

static void put_symbol(struct deflate *d, uint32_t symbol)
{
    if (symbol < 144) {
        put_code(d, 0x30 + symbol, 8);
    } else if (symbol < 256) {
        put_code(d, 0x190 + symbol - 144, 9);
    } else if (symbol < 280) {
        put_code(d, symbol - 256, 7);
    } else {
        put_code(d, 0xc0 + symbol - 280, 8);
    }
}

/* A copy of what is 1 or 3 bytes before: distances with the codes 0 and 2. */
static void put_copy(struct deflate *d, uint32_t length, uint32_t distance)
{
    static const uint16_t bases[LENGTH_CODES] = { 3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                  15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                  67, 83, 99, 115, 131, 163, 195, 227, 258 };
    uint32_t code = LENGTH_CODES - 1;
    while (bases[code] > length) {
        code--;
    }
    const unsigned extra = code < 8 || code == LENGTH_CODES - 1 ? 0 : (code - 4) / 4;
    put_symbol(d, 257 + code);
    put_bits(d, length - bases[code], extra);
    put_code(d, distance - 1, 5);
}

static uint32_t match(const uint8_t *bytes, size_t at, size_t size, uint32_t distance)
{
    uint32_t length = 0;
    if (at < distance) {
        return 0;
    }
    while (length < LONGEST && at + length < size &&
           bytes[at + length] == bytes[at + length - distance]) {
        length++;
    }
    return length;
}

static void put_row(struct deflate *d, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const uint32_t by_byte = match(bytes, at, size, 1);
        const uint32_t by_pixel = match(bytes, at, size, PIXEL_BYTES);
        const uint32_t length = by_byte >= by_pixel ? by_byte : by_pixel;
        if (length < SHORTEST) {
            put_symbol(d, bytes[at++]);
            continue;
        }
        put_copy(d, length, by_byte >= by_pixel ? 1 : PIXEL_BYTES);
        at += length;
    }
}

static uint32_t add_adler(uint32_t adler, const uint8_t *bytes, size_t size)
{
    uint32_t low = adler & 0xffff;
    uint32_t high = adler >> 16;
    for (size_t i = 0; i < size; i++) {
        low = (low + bytes[i]) % ADLER;
        high = (high + low) % ADLER;
    }
    return high << 16 | low;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void put_big_u32(uint8_t *out, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        out[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static enum fg_result write_chunk(const struct fg_sink *sink, const char *name, const void *bytes,
                                  size_t size)
{
    uint8_t head[8], tail[4];
    put_big_u32(head, (uint32_t)size);
    memcpy(head + 4, name, 4);
    put_big_u32(tail, fgi_crc32(fgi_crc32(0, head + 4, 4), bytes, size));
    enum fg_result result = sink->write(sink->context, head, sizeof head);
    if (result == FG_OK && size > 0) {
        result = sink->write(sink->context, bytes, size);
    }
    return result == FG_OK ? sink->write(sink->context, tail, sizeof tail) : result;
}

/* The filter's number, then the bytes of a row less those above it. */
static void filter_row(const uint32_t *row, const uint32_t *above, uint32_t width_px, uint8_t *out)
{
    *out++ = FILTER_UP;
    for (uint32_t x = 0; x < width_px; x++) {
        const uint32_t over = above != NULL ? above[x] : 0;
        for (unsigned bits = 0; bits < 8 * PIXEL_BYTES; bits += 8) {
            *out++ = (uint8_t)((row[x] >> bits) - (over >> bits));
        }
    }
}

static void put_picture(struct deflate *d, uint8_t *line, const uint32_t *pixels, uint32_t width_px,
                        uint32_t height_px)
{
    const size_t size = 1 + (size_t)width_px * PIXEL_BYTES;
    uint8_t adler[4];
    uint32_t sum = 1;
    fgi_put_u8(&d->out, 0x78); /* deflate, a window of 32 KiB */
    fgi_put_u8(&d->out, 0x01);
    put_bits(d, 1, 1); /* the last block */
    put_bits(d, 1, 2); /* with fixed codes */
    for (uint32_t y = 0; y < height_px; y++) {
        const uint32_t *row = pixels + (size_t)y * width_px;
        filter_row(row, y > 0 ? row - width_px : NULL, width_px, line);
        sum = add_adler(sum, line, size);
        put_row(d, line, size);
    }
    put_symbol(d, END_OF_BLOCK);
    put_bits(d, 0, (8 - d->bit_count) % 8);
    put_big_u32(adler, sum);
    fgi_put_raw(&d->out, adler, sizeof adler);
}

enum fg_result fgi_png_write(const struct fg_sink *sink, const struct fg_allocator *allocator,
                             const uint32_t *pixels, uint32_t width_px, uint32_t height_px)
{
    static const uint8_t magic[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    const size_t line_bytes = 1 + (size_t)width_px * PIXEL_BYTES;
    struct deflate deflate = { .out = { .allocator = allocator, .limit = INT32_MAX } };
    uint8_t *line = fgi_malloc(allocator, line_bytes);
    uint8_t head[13] = { [8] = 8, [9] = 2 }; /* bits of a channel; colours without alpha */
    if (line == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    put_big_u32(head, width_px);
    put_big_u32(head + 4, height_px);
    put_picture(&deflate, line, pixels, width_px, height_px);
    enum fg_result result = deflate.out.result;
    if (result == FG_OK) {
        result = sink->write(sink->context, magic, sizeof magic);
    }
    result = result == FG_OK ? write_chunk(sink, "IHDR", head, sizeof head) : result;
    result = result == FG_OK ? write_chunk(sink, "sRGB", "", 1) : result;
    result =
        result == FG_OK ? write_chunk(sink, "IDAT", deflate.out.data, deflate.out.size) : result;
    result = result == FG_OK ? write_chunk(sink, "IEND", NULL, 0) : result;
    fgi_bytes_finish(&deflate.out);
    fgi_free(allocator, line, line_bytes);
    return result;
}
