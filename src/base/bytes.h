/* SPDX-License-Identifier: MIT */
/* Little-endian bytes, both directions, with the two varints that payloads are made of. */
#ifndef FGI_BYTES_H
#define FGI_BYTES_H
#include <frameglass/base.h>

/**
 * A growing byte buffer. Zero plus a limit is a valid empty buffer. Once a write has failed
 * (`result` is not FG_OK) every later write does nothing, so that a whole encoder checks once.
 */
struct fgi_bytes {
    const struct fg_allocator *allocator; /**< NULL = libc */
    uint8_t *data;
    size_t size;
    size_t capacity;
    size_t limit;          /**< most bytes it may hold; 0 = SIZE_MAX / 2 */
    enum fg_result result; /**< first failure */
};

void fgi_bytes_finish(struct fgi_bytes *bytes);
/** Empty again; keeps the memory, forgets a failure. */
void fgi_bytes_clear(struct fgi_bytes *bytes);
/** Room for `size` more bytes; false and `result` set when refused. */
bool fgi_bytes_reserve(struct fgi_bytes *bytes, size_t size);
void fgi_put_raw(struct fgi_bytes *bytes, const void *data, size_t size);
void fgi_put_zeros(struct fgi_bytes *bytes, size_t size);
void fgi_put_u8(struct fgi_bytes *bytes, uint8_t value);
void fgi_put_u16(struct fgi_bytes *bytes, uint16_t value);
void fgi_put_u32(struct fgi_bytes *bytes, uint32_t value);
void fgi_put_u64(struct fgi_bytes *bytes, uint64_t value);
#define FGI_VARINT_MAX 10u
/** LEB128, at most FGI_VARINT_MAX bytes, shortest form. */
void fgi_put_varint(struct fgi_bytes *bytes, uint64_t value);
/** The same where there is room. Returns behind what it wrote. */
static inline uint8_t *fgi_store_varint(uint8_t *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    return out;
}
/** A signed number as an unsigned one that is small when it is near zero. */
static inline uint64_t fgi_zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}
/** Zigzag, then LEB128: small magnitudes of either sign stay short. */
void fgi_put_svarint(struct fgi_bytes *bytes, int64_t value);
/** A varint length, then the bytes. */
void fgi_put_text(struct fgi_bytes *bytes, const char *text, size_t size);
/** Zeros up to the next multiple of `alignment` (a power of two). */
void fgi_put_align(struct fgi_bytes *bytes, size_t alignment);

/**
 * Reads bytes that nobody vouches for. Past the end, or at a malformed varint, `failed` is set, the
 * position stays, and every later read gives zero: a whole decoder checks once.
 */
struct fgi_reader {
    const uint8_t *data; /**< borrowed */
    size_t size;
    size_t position;
    bool failed;
};

struct fgi_reader fgi_reader_make(const void *data, size_t size);
size_t fgi_reader_left(const struct fgi_reader *reader);
uint8_t fgi_get_u8(struct fgi_reader *reader);
uint32_t fgi_get_u32(struct fgi_reader *reader);
uint64_t fgi_get_u64(struct fgi_reader *reader);
uint64_t fgi_get_varint(struct fgi_reader *reader);
int64_t fgi_get_svarint(struct fgi_reader *reader);
/** A varint that must fit in 32 bits; otherwise the reader fails. */
uint32_t fgi_get_varint32(struct fgi_reader *reader);
/** Borrowed pointer into the data; NULL and failed when `size` bytes are not left. */
const uint8_t *fgi_get_raw(struct fgi_reader *reader, size_t size);
/** A varint length and that many bytes: borrowed, not terminated. */
const char *fgi_get_text(struct fgi_reader *reader, size_t *out_size);
/**
 * A varint count of things that take at least `min_item_size` bytes each: fails when they cannot
 * fit in what is left, so that a lying count never allocates.
 */
size_t fgi_get_count(struct fgi_reader *reader, size_t min_item_size);

/** Unaligned little-endian loads and stores. */
uint16_t fgi_load_u16(const void *data);
uint32_t fgi_load_u32(const void *data);
uint64_t fgi_load_u64(const void *data);
void fgi_store_u16(void *data, uint16_t value);
void fgi_store_u32(void *data, uint32_t value);
void fgi_store_u64(void *data, uint64_t value);

#endif
