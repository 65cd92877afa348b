/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include "base/alloc.h"

#include <string.h>

/* Two tables of 16 entries each, one per half of a byte: small, needs no set-up, and fast enough
 * for records of a few kilobytes. Entry i is the remainder of i shifted through 4 or 8 bits. */
static const uint32_t crc_low[16] = {
    0x00000000, 0x77073096, 0xee0e612c, 0x990951ba, 0x076dc419, 0x706af48f, 0xe963a535, 0x9e6495a3,
    0x0edb8832, 0x79dcb8a4, 0xe0d5e91e, 0x97d2d988, 0x09b64c2b, 0x7eb17cbd, 0xe7b82d07, 0x90bf1d91,
};
static const uint32_t crc_high[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

uint32_t fgi_crc32(uint32_t crc, const void *data, size_t size)
{
    const uint8_t *in = data;
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        uint32_t byte = (crc ^ in[i]) & 0xff;
        crc = (crc >> 8) ^ crc_low[byte & 15] ^ crc_high[byte >> 4];
    }
    return ~crc;
}

uint64_t fgi_mix64(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

uint64_t fgi_hash64(uint64_t seed, const void *data, size_t size)
{
    const uint8_t *in = data;
    uint64_t hash = 0xcbf29ce484222325u ^ seed;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ in[i]) * 0x100000001b3u;
    }
    return fgi_mix64(hash);
}

/* The slot that holds `key`, or the empty one where it would go. The map is never full. */
static size_t find_slot(const struct fgi_map64 *map, uint64_t key)
{
    size_t slot = (size_t)fgi_mix64(key) & (map->capacity - 1);
    while (map->values[slot] != 0 && map->keys[slot] != key) {
        slot = (slot + 1) & (map->capacity - 1);
    }
    return slot;
}

bool fgi_map64_get(const struct fgi_map64 *map, uint64_t key, uint32_t *out_value)
{
    if (map->count == 0) {
        return false;
    }
    size_t slot = find_slot(map, key);
    if (map->values[slot] == 0) {
        return false;
    }
    *out_value = map->values[slot] - 1;
    return true;
}

static enum fg_result grow_map(struct fgi_map64 *map)
{
    struct fgi_map64 bigger = { .allocator = map->allocator,
                                .capacity = map->capacity != 0 ? map->capacity * 2 : 16 };
    bigger.keys = fgi_calloc(map->allocator, bigger.capacity, sizeof *bigger.keys);
    bigger.values = fgi_calloc(map->allocator, bigger.capacity, sizeof *bigger.values);
    if (bigger.keys == NULL || bigger.values == NULL) {
        fgi_map64_finish(&bigger);
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->values[i] != 0) {
            size_t slot = find_slot(&bigger, map->keys[i]);
            bigger.keys[slot] = map->keys[i];
            bigger.values[slot] = map->values[i];
        }
    }
    bigger.count = map->count;
    fgi_map64_finish(map);
    *map = bigger;
    return FG_OK;
}

enum fg_result fgi_map64_put(struct fgi_map64 *map, uint64_t key, uint32_t value)
{
    if (map->capacity == 0 || map->count + 1 > map->capacity / 4 * 3) {
        enum fg_result result = grow_map(map);
        if (result != FG_OK) {
            return result;
        }
    }
    size_t slot = find_slot(map, key);
    map->count += map->values[slot] == 0;
    map->keys[slot] = key;
    map->values[slot] = value + 1;
    return FG_OK;
}

void fgi_map64_finish(struct fgi_map64 *map)
{
    if (map == NULL) {
        return;
    }
    fgi_free(map->allocator, map->keys, map->capacity * sizeof *map->keys);
    fgi_free(map->allocator, map->values, map->capacity * sizeof *map->values);
    *map = (struct fgi_map64){ .allocator = map->allocator };
}
