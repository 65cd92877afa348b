/* SPDX-License-Identifier: MIT */
/* Checksums and hashes. */
#ifndef FGI_HASH_H
#define FGI_HASH_H
#include <frameglass/base.h>

/** CRC-32 of IEEE 802.3 (reflected, polynomial 0xEDB88320), as zlib computes it; start with 0. */
uint32_t fgi_crc32(uint32_t crc, const void *data, size_t size);
/**
 * 64 bits that are the same on every machine and build: they are stored in files (topology ids) and
 * key hash tables. FNV-1a, 64 bits, started from `seed` xor the offset basis, with a final mix.
 */
uint64_t fgi_hash64(uint64_t seed, const void *data, size_t size);
/** A good spread of one 64-bit number (the finalizer of splitmix64). */
uint64_t fgi_mix64(uint64_t value);

/**
 * Open addressing from a 64-bit key to a 32-bit value. Zero is a valid empty map. Keys are exact.
 */
struct fgi_map64 {
    const struct fg_allocator *allocator; /**< NULL = libc */
    uint64_t *keys;
    uint32_t *values; /**< value + 1; 0 = empty slot */
    size_t capacity;  /**< a power of two, or 0 */
    size_t count;
};
/** Value of a key; false when it is not there. */
bool fgi_map64_get(const struct fgi_map64 *map, uint64_t key, uint32_t *out_value);
/** Insert or replace. value < UINT32_MAX. FG_OK or FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_map64_put(struct fgi_map64 *map, uint64_t key, uint32_t value);
void fgi_map64_finish(struct fgi_map64 *map);

#endif
