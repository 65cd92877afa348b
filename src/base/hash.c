/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include "base/alloc.h"

#include <string.h>

/* Eight tables: entry i of table n is the remainder of i shifted through 8 (n + 1) bits. Remainders
 * are linear, so each table is spelled by those of its eight single bits. */
#define CRC_ENTRY(i, b0, b1, b2, b3, b4, b5, b6, b7)                                               \
    (((i)&1 ? (b0) : 0) ^ ((i)&2 ? (b1) : 0) ^ ((i)&4 ? (b2) : 0) ^ ((i)&8 ? (b3) : 0) ^           \
     ((i)&16 ? (b4) : 0) ^ ((i)&32 ? (b5) : 0) ^ ((i)&64 ? (b6) : 0) ^ ((i)&128 ? (b7) : 0))
#define CRC_4(i, ...)                                                                              \
    CRC_ENTRY((i), __VA_ARGS__), CRC_ENTRY((i) + 1, __VA_ARGS__), CRC_ENTRY((i) + 2, __VA_ARGS__), \
        CRC_ENTRY((i) + 3, __VA_ARGS__)
#define CRC_16(i, ...)                                                                             \
    CRC_4((i), __VA_ARGS__), CRC_4((i) + 4, __VA_ARGS__), CRC_4((i) + 8, __VA_ARGS__),             \
        CRC_4((i) + 12, __VA_ARGS__)
#define CRC_64(i, ...)                                                                             \
    CRC_16((i), __VA_ARGS__), CRC_16((i) + 16, __VA_ARGS__), CRC_16((i) + 32, __VA_ARGS__),        \
        CRC_16((i) + 48, __VA_ARGS__)
#define CRC_TABLE(...)                                                                             \
    CRC_64(0, __VA_ARGS__), CRC_64(64, __VA_ARGS__), CRC_64(128, __VA_ARGS__),                     \
        CRC_64(192, __VA_ARGS__)

static const uint32_t crc_tables[8][256] = {
    { CRC_TABLE(0x77073096, 0xee0e612c, 0x076dc419, 0x0edb8832, 0x1db71064, 0x3b6e20c8, 0x76dc4190,
                0xedb88320) },
    { CRC_TABLE(0x191b3141, 0x32366282, 0x646cc504, 0xc8d98a08, 0x4ac21251, 0x958424a2, 0xf0794f05,
                0x3b83984b) },
    { CRC_TABLE(0x01c26a37, 0x0384d46e, 0x0709a8dc, 0x0e1351b8, 0x1c26a370, 0x384d46e0, 0x709a8dc0,
                0xe1351b80) },
    { CRC_TABLE(0xb8bc6765, 0xaa09c88b, 0x8f629757, 0xc5b428ef, 0x5019579f, 0xa032af3e, 0x9b14583d,
                0xed59b63b) },
    { CRC_TABLE(0x3d6029b0, 0x7ac05360, 0xf580a6c0, 0x30704bc1, 0x60e09782, 0xc1c12f04, 0x58f35849,
                0xb1e6b092) },
    { CRC_TABLE(0xcb5cd3a5, 0x4dc8a10b, 0x9b914216, 0xec53826d, 0x03d6029b, 0x07ac0536, 0x0f580a6c,
                0x1eb014d8) },
    { CRC_TABLE(0xa6770bb4, 0x979f1129, 0xf44f2413, 0x33ef4e67, 0x67de9cce, 0xcfbd399c, 0x440b7579,
                0x8816eaf2) },
    { CRC_TABLE(0xccaa009e, 0x4225077d, 0x844a0efa, 0xd3e51bb5, 0x7cbb312b, 0xf9766256, 0x299dc2ed,
                0x533b85da) },
};

/* Here and not a call: this loop goes over every byte of a capture. */
static uint32_t load_u32(const uint8_t *in)
{
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

uint32_t fgi_crc32(uint32_t crc, const void *data, size_t size)
{
    const uint8_t *in = data;
    crc = ~crc;
    for (; size >= 8; size -= 8, in += 8) {
        uint32_t low = crc ^ load_u32(in);
        uint32_t high = load_u32(in + 4);
        crc = crc_tables[7][low & 0xff] ^ crc_tables[6][low >> 8 & 0xff] ^
              crc_tables[5][low >> 16 & 0xff] ^ crc_tables[4][low >> 24] ^
              crc_tables[3][high & 0xff] ^ crc_tables[2][high >> 8 & 0xff] ^
              crc_tables[1][high >> 16 & 0xff] ^ crc_tables[0][high >> 24];
    }
    for (; size > 0; size--, in++) {
        crc = (crc >> 8) ^ crc_tables[0][(crc ^ *in) & 0xff];
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
