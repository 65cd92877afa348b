/* SPDX-License-Identifier: MIT */
/*
 * Changes captures record by record, and makes lengths and checksums right again: of bytes that are
 * changed anywhere, all but a few would be told apart by their checksum and never be decoded.
 */
#include "base/bytes.h"
#include "base/hash.h"

#include <string.h>

enum { HEADER = 32, FRAMING = 16, MAX_RECORDS = 256 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/** Where the records are; what follows the last one is not looked at. */
struct places {
    size_t at[MAX_RECORDS];
    size_t count;
};

static size_t length_of(const uint8_t *record)
{
    return fgi_load_u32(record + 8);
}

static void find_records(const uint8_t *data, size_t size, struct places *out_places)
{
    out_places->count = 0;
    for (size_t at = HEADER; at + FRAMING <= size && out_places->count < MAX_RECORDS;) {
        size_t length = length_of(data + at);
        if (memcmp(data + at, "SREC", 4) != 0 || length > size - at - FRAMING) {
            return;
        }
        out_places->at[out_places->count++] = at;
        at += FRAMING + length;
    }
}

static void seal(uint8_t *record)
{
    fgi_store_u32(record + 12, fgi_crc32(0, record + FRAMING, length_of(record)));
}

/* The payload changes, grows or shrinks; what is behind it moves. */
static size_t change_payload(uint8_t *data, size_t size, size_t max_size, size_t at)
{
    size_t end = at + FRAMING + length_of(data + at);
    size_t behind = size - end;
    size_t room = max_size - size + length_of(data + at);
    memmove(data + max_size - behind, data + end, behind);
    size_t length = LLVMFuzzerMutate(data + at + FRAMING, end - at - FRAMING, room);
    fgi_store_u32(data + at + 8, (uint32_t)length);
    seal(data + at);
    memmove(data + at + FRAMING + length, data + max_size - behind, behind);
    return at + FRAMING + length + behind;
}

static size_t remove_record(uint8_t *data, size_t size, size_t at)
{
    size_t whole = FRAMING + length_of(data + at);
    memmove(data + at, data + at + whole, size - at - whole);
    return size - whole;
}

/* A copy of the record at `from`, before the one at `to`. */
static size_t repeat_record(uint8_t *data, size_t size, size_t max_size, size_t from, size_t to)
{
    size_t whole = FRAMING + length_of(data + from);
    if (whole > max_size - size) {
        return remove_record(data, size, from);
    }
    memmove(data + to + whole, data + to, size - to);
    from += from >= to ? whole : 0;
    memmove(data + to, data + from, whole);
    return size + whole;
}

static size_t change_anywhere(uint8_t *data, size_t size, size_t max_size, unsigned random)
{
    size = LLVMFuzzerMutate(data, size, max_size);
    if (size >= HEADER && random % 4 != 0) { /* mostly a header that is let pass */
        memcpy(data, "SGPT\1\0\1\0", 8);
        fgi_store_u32(data + 12, fgi_crc32(0, data, 8));
    }
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct places places;
    uint64_t random = fgi_mix64(seed);
    find_records(data, size, &places);
    unsigned kind = (unsigned)(random >> 56) % 16;
    if (places.count == 0 || kind < 2) {
        return change_anywhere(data, size, max_size, (unsigned)random);
    }
    size_t one = places.at[(random >> 8) % places.count];
    size_t other = places.at[(random >> 24) % places.count];
    if (kind == 2) {
        return remove_record(data, size, one);
    }
    if (kind == 3) {
        return repeat_record(data, size, max_size, one, other);
    }
    return change_payload(data, size, max_size, one);
}
