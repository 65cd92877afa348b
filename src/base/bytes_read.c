/* SPDX-License-Identifier: MIT */
/* The reading half of bytes.h: bytes that nobody vouches for. */
#include "base/bytes.h"

uint16_t fgi_load_u16(const void *data)
{
    const uint8_t *in = data;
    return (uint16_t)(in[0] | in[1] << 8);
}

uint32_t fgi_load_u32(const void *data)
{
    const uint8_t *in = data;
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

uint64_t fgi_load_u64(const void *data)
{
    const uint8_t *in = data;
    return (uint64_t)fgi_load_u32(in) | (uint64_t)fgi_load_u32(in + 4) << 32;
}

struct fgi_reader fgi_reader_make(const void *data, size_t size)
{
    return (struct fgi_reader){ .data = data, .size = size };
}

size_t fgi_reader_left(const struct fgi_reader *reader)
{
    return reader->failed ? 0 : reader->size - reader->position;
}

const uint8_t *fgi_get_raw(struct fgi_reader *reader, size_t size)
{
    if (reader->failed || size > reader->size - reader->position) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *data = reader->data + reader->position;
    reader->position += size;
    return data;
}

uint8_t fgi_get_u8(struct fgi_reader *reader)
{
    const uint8_t *data = fgi_get_raw(reader, 1);
    return data != NULL ? *data : 0;
}

uint32_t fgi_get_u32(struct fgi_reader *reader)
{
    const uint8_t *data = fgi_get_raw(reader, 4);
    return data != NULL ? fgi_load_u32(data) : 0;
}

uint64_t fgi_get_u64(struct fgi_reader *reader)
{
    const uint8_t *data = fgi_get_raw(reader, 8);
    return data != NULL ? fgi_load_u64(data) : 0;
}

uint64_t fgi_get_varint(struct fgi_reader *reader)
{
    size_t start = reader->position;
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint8_t byte = fgi_get_u8(reader);
        if (reader->failed) {
            break;
        }
        /*
         * The tenth byte holds the one bit that is left; a zero last byte is not the shortest form.
         */
        if ((shift == 63 && byte > 1) || (shift != 0 && byte == 0)) {
            break;
        }
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    reader->failed = true;
    reader->position = start;
    return 0;
}

int64_t fgi_get_svarint(struct fgi_reader *reader)
{
    uint64_t value = fgi_get_varint(reader);
    return (int64_t)((value >> 1) ^ (0 - (value & 1)));
}

uint32_t fgi_get_varint32(struct fgi_reader *reader)
{
    size_t start = reader->position;
    uint64_t value = fgi_get_varint(reader);
    if (value > UINT32_MAX) {
        reader->failed = true;
        reader->position = start;
        return 0;
    }
    return (uint32_t)value;
}

const char *fgi_get_text(struct fgi_reader *reader, size_t *out_size)
{
    size_t size = fgi_get_count(reader, 1);
    const uint8_t *data = fgi_get_raw(reader, size);
    *out_size = data != NULL ? size : 0;
    return data != NULL ? (const char *)data : "";
}

size_t fgi_get_count(struct fgi_reader *reader, size_t min_item_size)
{
    size_t start = reader->position;
    uint64_t count = fgi_get_varint(reader);
    if (reader->failed ||
        count > fgi_reader_left(reader) / (min_item_size != 0 ? min_item_size : 1)) {
        reader->failed = true;
        reader->position = start;
        return 0;
    }
    return (size_t)count;
}
