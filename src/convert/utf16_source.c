/* SPDX-License-Identifier: MIT */
/*
 * Blocks of UTF-16 of one size become blocks of UTF-8 of different sizes; where each begins is
 * found once, and the block that was read last is kept.
 */
#include "convert/utf16_source.h"
#include "base/alloc.h"

#include <string.h>

enum {
    BLOCK_BYTES = 32 << 10,             /* of UTF-16 */
    OUT_BYTES = BLOCK_BYTES / 2 * 3 + 8 /* most that it can become */
};

struct fgi_utf16_source {
    const struct fg_allocator *allocator;
    struct fg_source from;
    bool is_big;
    uint64_t skip;   /* bytes of the mark */
    uint64_t *start; /* by block: offset in the UTF-8; one more at the end */
    size_t block_count, capacity;
    size_t held; /* number of the block in `out`, or SIZE_MAX */
    size_t out_size;
    uint8_t in[BLOCK_BYTES + 4]; /* with the unit before and the unit after it */
    uint8_t out[OUT_BYTES];
};

enum fgi_utf16 fgi_utf16_sniff(const uint8_t *head, size_t size)
{
    if (size < 2) {
        return FGI_UTF16_NONE;
    }
    if ((head[0] == 0xff && head[1] == 0xfe) || (head[0] == 0xfe && head[1] == 0xff)) {
        return head[0] == 0xff ? FGI_UTF16_LITTLE : FGI_UTF16_BIG;
    }
    bool first = head[0] != 0 && head[0] < 0x80;
    bool second = head[1] != 0 && head[1] < 0x80;
    return first && head[1] == 0    ? FGI_UTF16_LITTLE
           : second && head[0] == 0 ? FGI_UTF16_BIG
                                    : FGI_UTF16_NONE;
}

static uint32_t unit_at(const struct fgi_utf16_source *wide, const uint8_t *p)
{
    return wide->is_big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

static size_t put(uint8_t *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (uint8_t)(0xc0 | c >> 6);
        out[1] = (uint8_t)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (uint8_t)(0xe0 | c >> 12);
        out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        out[2] = (uint8_t)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | c >> 18);
    out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
    out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    out[3] = (uint8_t)(0x80 | (c & 0x3f));
    return 4;
}

static bool is_high(uint32_t unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}
static bool is_low(uint32_t unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

/* One character; a pair belongs to the block of its first half. Returns the UTF-8 bytes. */
static size_t convert_one(const struct fgi_utf16_source *wide, const uint8_t *p, bool has_before,
                          bool has_after, uint8_t *out)
{
    uint32_t unit = unit_at(wide, p);
    if (is_high(unit) && has_after && is_low(unit_at(wide, p + 2))) {
        return put(out, 0x10000 + ((unit - 0xd800) << 10) + (unit_at(wide, p + 2) - 0xdc00));
    }
    if (is_low(unit) && has_before && is_high(unit_at(wide, p - 2))) {
        return 0; /* the second half of what stands before it */
    }
    return put(out, is_high(unit) || is_low(unit) ? 0xfffd : unit);
}

/* Read block `index` into `out`. FG_OK with out_size 0: it is behind the end. */
static enum fg_result read_block(struct fgi_utf16_source *wide, size_t index)
{
    uint64_t begin = wide->skip + (uint64_t)index * BLOCK_BYTES;
    size_t before = index > 0 ? 2 : 0;
    size_t got = 0;
    wide->held = SIZE_MAX;
    enum fg_result result = wide->from.read_at(wide->from.context, begin - before, wide->in,
                                               before + BLOCK_BYTES + 2, &got);
    wide->out_size = 0;
    if (result != FG_OK) {
        return result;
    }
    size_t end = got < before + BLOCK_BYTES ? got : before + BLOCK_BYTES;
    for (size_t i = before; i + 2 <= end; i += 2) {
        wide->out_size +=
            convert_one(wide, wide->in + i, i >= 2, i + 4 <= got, wide->out + wide->out_size);
    }
    wide->held = index;
    return FG_OK;
}

/* The block that holds an offset of the UTF-8; block_count: behind the end. */
static size_t block_of(const struct fgi_utf16_source *wide, uint64_t offset)
{
    size_t low = 0, high = wide->block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (wide->start[middle + 1] <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static enum fg_result wide_read_at(void *context, uint64_t offset, void *bytes, size_t size,
                                   size_t *out_read)
{
    struct fgi_utf16_source *wide = context;
    uint8_t *to = bytes;
    *out_read = 0;
    for (size_t block = block_of(wide, offset); block < wide->block_count && size > 0; block++) {
        enum fg_result result = wide->held == block ? FG_OK : read_block(wide, block);
        if (result != FG_OK) {
            return result;
        }
        size_t at = (size_t)(offset - wide->start[block]);
        size_t part = at < wide->out_size ? wide->out_size - at : 0;
        part = part < size ? part : size;
        memcpy(to, wide->out + at, part);
        to += part;
        offset += part;
        size -= part;
        *out_read += part;
    }
    return FG_OK;
}

static enum fg_result wide_size(void *context, uint64_t *out_size_bytes)
{
    const struct fgi_utf16_source *wide = context;
    *out_size_bytes = wide->start[wide->block_count];
    return FG_OK;
}

enum fg_result fgi_utf16_source_create(const struct fg_source *from, enum fgi_utf16 order,
                                       const struct fg_allocator *allocator,
                                       struct fgi_utf16_source **out_wide,
                                       struct fg_source *out_source)
{
    struct fgi_utf16_source *wide = fgi_calloc(allocator, 1, sizeof *wide);
    uint64_t at = 0;
    size_t got = 0;
    if (wide == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    wide->allocator = allocator;
    wide->from = *from;
    wide->is_big = order == FGI_UTF16_BIG;
    enum fg_result result = from->read_at(from->context, 0, wide->in, 2, &got);
    wide->skip = got == 2 && unit_at(wide, wide->in) == 0xfeff ? 2 : 0;
    for (bool more = true; more && result == FG_OK;) {
        result =
            FGI_GROW(allocator, wide->start, wide->capacity, wide->block_count + 2, SIZE_MAX / 16);
        if (result != FG_OK) {
            break;
        }
        wide->start[wide->block_count] = at;
        result = read_block(wide, wide->block_count);
        more = result == FG_OK && wide->out_size > 0;
        at += wide->out_size;
        wide->block_count += more;
    }
    if (result != FG_OK) {
        fgi_utf16_source_destroy(wide);
        return result;
    }
    *out_wide = wide;
    *out_source = (struct fg_source){ .read_at = wide_read_at, .size = wide_size, .context = wide };
    return FG_OK;
}

void fgi_utf16_source_destroy(struct fgi_utf16_source *wide)
{
    if (wide != NULL) {
        fgi_free(wide->allocator, wide->start, wide->capacity * sizeof *wide->start);
        fgi_free(wide->allocator, wide, sizeof *wide);
    }
}

uint64_t fgi_utf16_source_place(struct fgi_utf16_source *wide, uint64_t offset)
{
    size_t block = block_of(wide, offset);
    if (block == wide->block_count || (wide->held != block && read_block(wide, block) != FG_OK)) {
        return wide->skip + (uint64_t)block * BLOCK_BYTES;
    }
    /* Each two bytes there become so many here: count them off. */
    uint64_t at = wide->start[block];
    size_t before = block > 0 ? 2 : 0;
    uint8_t out[4];
    size_t i = before;
    for (; at < offset && i + 2 <= before + BLOCK_BYTES; i += 2) {
        at += convert_one(wide, wide->in + i, i >= 2, true, out);
    }
    return wide->skip + (uint64_t)block * BLOCK_BYTES + (i - before);
}
