/* SPDX-License-Identifier: MIT */
/*
 * Checksums of any range of the file, from one pass over it.
 *
 * A candidate that is no record costs as many bytes as its length says, and a file may hold a
 * candidate in every 16 bytes whose length reaches to its end. Once that has cost as much as
 * reading the file, the CRC register is written down at every step of 4 KiB; from then on a range
 * costs two steps at most. It works because the register is linear: behind n bytes, what was in it
 * before has become that times x^(8n), modulo the polynomial.
 */
#include "capture/cap_reader_priv.h"

#include "base/alloc.h"

enum { STEP_BYTES = 4096, PATIENCE_BYTES = 16 << 20 };

/* Bit 31 is x^0, as in the reflected register. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (uint32_t bit = UINT32_C(1) << 31; bit != 0; bit >>= 1) {
        product ^= (a & bit) != 0 ? b : 0;
        b = (b & 1) != 0 ? b >> 1 ^ 0xedb88320u : b >> 1;
    }
    return product;
}

/* The register after `size` more bytes of zero. */
static uint32_t shift(uint32_t value, uint64_t size)
{
    uint32_t power = UINT32_C(1) << 23; /* x^8: one byte */
    for (; size != 0; size >>= 1) {
        if ((size & 1) != 0) {
            value = multiply(power, value);
        }
        power = multiply(power, power);
    }
    return value;
}

/* The register, from 0, over more bytes; fgi_crc32() turns it over before and after. */
static uint32_t advance(uint32_t value, const uint8_t *bytes, size_t size)
{
    return ~fgi_crc32(~value, bytes, size);
}

void fgi_crc_index_wasted(struct fg_capture *capture, uint64_t size)
{
    capture->wasted_bytes += size;
}

bool fgi_crc_index_due(const struct fg_capture *capture)
{
    return capture->crc_steps == NULL &&
           capture->wasted_bytes > capture->size + (uint64_t)PATIENCE_BYTES;
}

enum fg_result fgi_crc_index_build(struct fg_capture *capture)
{
    uint64_t count = capture->size / STEP_BYTES + 1;
    if (count > SIZE_MAX / sizeof *capture->crc_steps) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t *steps = fgi_malloc(capture->allocator, (size_t)count * sizeof *steps);
    if (steps == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t value = 0;
    enum fg_result result = FG_OK;
    for (uint64_t i = 0; i < count && result == FG_OK; i++) {
        steps[i] = value;
        if (i + 1 < count) {
            result = fgi_read_exact(capture, i * STEP_BYTES, capture->chunk, STEP_BYTES);
            value = advance(value, capture->chunk, STEP_BYTES);
        }
    }
    if (result != FG_OK) {
        fgi_free(capture->allocator, steps, (size_t)count * sizeof *steps);
        return result;
    }
    capture->crc_steps = steps;
    capture->crc_step_count = (size_t)count;
    return FG_OK;
}

static enum fg_result register_at(struct fg_capture *capture, uint64_t offset, uint32_t *out_value)
{
    size_t rest = (size_t)(offset % STEP_BYTES);
    enum fg_result result = fgi_read_exact(capture, offset - rest, capture->chunk, rest);
    *out_value = advance(capture->crc_steps[offset / STEP_BYTES], capture->chunk, rest);
    return result;
}

bool fgi_crc_index_covers(const struct fg_capture *capture, uint64_t offset, uint64_t size)
{
    return capture->crc_steps != NULL && size > 2 * STEP_BYTES &&
           (offset + size) / STEP_BYTES < capture->crc_step_count;
}

enum fg_result fgi_crc_index_range(struct fg_capture *capture, uint64_t offset, uint64_t size,
                                   uint32_t *out_crc)
{
    uint32_t before;
    uint32_t behind;
    enum fg_result result = register_at(capture, offset, &before);
    if (result == FG_OK) {
        result = register_at(capture, offset + size, &behind);
    }
    if (result == FG_OK) {
        *out_crc = ~(behind ^ shift(before ^ UINT32_MAX, size));
    }
    return result;
}

void fgi_crc_index_finish(struct fg_capture *capture)
{
    fgi_free(capture->allocator, capture->crc_steps,
             capture->crc_step_count * sizeof *capture->crc_steps);
    capture->crc_steps = NULL;
    capture->crc_step_count = 0;
}
