/* SPDX-License-Identifier: MIT */
/* The writing half of bytes.h. */
#include "base/bytes.h"

#include "base/alloc.h"

#include <string.h>

void fgi_store_u16(void *data, uint16_t value)
{
    uint8_t *out = data;
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}

void fgi_store_u32(void *data, uint32_t value)
{
    uint8_t *out = data;
    for (int i = 0; i < 4; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

void fgi_store_u64(void *data, uint64_t value)
{
    uint8_t *out = data;
    for (int i = 0; i < 8; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

void fgi_bytes_finish(struct fgi_bytes *bytes)
{
    if (bytes == NULL) {
        return;
    }
    fgi_free(bytes->allocator, bytes->data, bytes->capacity);
    bytes->data = NULL;
    bytes->size = bytes->capacity = 0;
}

void fgi_bytes_clear(struct fgi_bytes *bytes)
{
    bytes->size = 0;
    bytes->result = FG_OK;
}

bool fgi_bytes_reserve(struct fgi_bytes *bytes, size_t size)
{
    if (bytes->result != FG_OK) {
        return false;
    }
    if (size <= bytes->capacity - bytes->size) {
        return true;
    }
    size_t limit = bytes->limit != 0 ? bytes->limit : SIZE_MAX / 2;
    if (bytes->size > limit || size > limit - bytes->size) {
        bytes->result = FG_ERR_LIMIT;
        return false;
    }
    bytes->result =
        FGI_GROW(bytes->allocator, bytes->data, bytes->capacity, bytes->size + size, limit);
    return bytes->result == FG_OK;
}

void fgi_put_raw(struct fgi_bytes *bytes, const void *data, size_t size)
{
    if (size != 0 && fgi_bytes_reserve(bytes, size)) {
        memcpy(bytes->data + bytes->size, data, size);
        bytes->size += size;
    }
}

void fgi_put_zeros(struct fgi_bytes *bytes, size_t size)
{
    if (size != 0 && fgi_bytes_reserve(bytes, size)) {
        memset(bytes->data + bytes->size, 0, size);
        bytes->size += size;
    }
}

void fgi_put_u8(struct fgi_bytes *bytes, uint8_t value)
{
    if (fgi_bytes_reserve(bytes, 1)) {
        bytes->data[bytes->size++] = value;
    }
}

void fgi_put_u16(struct fgi_bytes *bytes, uint16_t value)
{
    if (fgi_bytes_reserve(bytes, 2)) {
        fgi_store_u16(bytes->data + bytes->size, value);
        bytes->size += 2;
    }
}

void fgi_put_u32(struct fgi_bytes *bytes, uint32_t value)
{
    if (fgi_bytes_reserve(bytes, 4)) {
        fgi_store_u32(bytes->data + bytes->size, value);
        bytes->size += 4;
    }
}

void fgi_put_u64(struct fgi_bytes *bytes, uint64_t value)
{
    if (fgi_bytes_reserve(bytes, 8)) {
        fgi_store_u64(bytes->data + bytes->size, value);
        bytes->size += 8;
    }
}

void fgi_put_varint(struct fgi_bytes *bytes, uint64_t value)
{
    if (fgi_bytes_reserve(bytes, FGI_VARINT_MAX)) {
        uint8_t *out = fgi_store_varint(bytes->data + bytes->size, value);
        bytes->size = (size_t)(out - bytes->data);
    }
}

void fgi_put_svarint(struct fgi_bytes *bytes, int64_t value)
{
    fgi_put_varint(bytes, fgi_zigzag(value));
}

void fgi_put_text(struct fgi_bytes *bytes, const char *text, size_t size)
{
    fgi_put_varint(bytes, size);
    fgi_put_raw(bytes, text, size);
}

void fgi_put_align(struct fgi_bytes *bytes, size_t alignment)
{
    fgi_put_zeros(bytes, (alignment - (bytes->size & (alignment - 1))) & (alignment - 1));
}
