/* SPDX-License-Identifier: MIT */
/*
 * Changes requests of the view protocol section by section: sizes, offsets and counts stay right
 * most of the time, so that what is asked is looked at and not only the framing.
 */
#include "base/bytes.h"
#include "base/hash.h"
#include "view/message.h"

#include <string.h>

enum { MAX_BYTES = 4096, LAST_KIND = 40, TYPES = 9 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

struct part {
    uint16_t tag;
    uint8_t type;
    uint32_t size;
    uint8_t data[MAX_BYTES];
};
/** A request taken apart. */
struct parts {
    uint8_t header[FGI_MESSAGE_HEADER];
    size_t count;
    struct part part[FGI_MAX_SECTIONS + 1];
};

static const uint8_t size_of[TYPES + 1] = { 1, 1, 2, 4, 8, 8, 8, 1, 1, 4 };

/* False: it is no request whose sections can be found. */
static bool take_apart(const uint8_t *data, size_t size, struct parts *out)
{
    if (size < FGI_MESSAGE_HEADER || fgi_load_u32(data + 8) != size) {
        return false;
    }
    memcpy(out->header, data, FGI_MESSAGE_HEADER);
    out->count = fgi_load_u16(data + 12);
    if (out->count > FGI_MAX_SECTIONS ||
        FGI_MESSAGE_HEADER + out->count * FGI_SECTION_ENTRY > size) {
        return false;
    }
    for (size_t i = 0; i < out->count; i++) {
        const uint8_t *entry = data + FGI_MESSAGE_HEADER + i * FGI_SECTION_ENTRY;
        struct part *part = &out->part[i];
        uint32_t offset = fgi_load_u32(entry + 8);
        part->tag = fgi_load_u16(entry);
        part->type = entry[2];
        part->size = fgi_load_u32(entry + 12);
        if (offset > size || part->size > size - offset || part->size > MAX_BYTES) {
            return false;
        }
        memcpy(part->data, data + offset, part->size);
    }
    return true;
}

/* 0: there is no room. */
static size_t put_together(const struct parts *parts, uint8_t *data, size_t max_size)
{
    size_t offset = FGI_MESSAGE_HEADER + parts->count * FGI_SECTION_ENTRY;
    size_t size = offset;
    for (size_t i = 0; i < parts->count; i++) {
        size += (parts->part[i].size + 7u) & ~7u;
    }
    if (size > max_size) {
        return 0;
    }
    memset(data, 0, size);
    memcpy(data, parts->header, FGI_MESSAGE_HEADER);
    fgi_store_u32(data + 8, (uint32_t)size);
    fgi_store_u16(data + 12, (uint16_t)parts->count);
    for (size_t i = 0; i < parts->count; i++) {
        const struct part *part = &parts->part[i];
        uint8_t *entry = data + FGI_MESSAGE_HEADER + i * FGI_SECTION_ENTRY;
        fgi_store_u16(entry, part->tag);
        entry[2] = part->type;
        fgi_store_u32(entry + 4, part->size / size_of[part->type <= TYPES ? part->type : 0]);
        fgi_store_u32(entry + 8, (uint32_t)offset);
        fgi_store_u32(entry + 12, part->size);
        memcpy(data + offset, part->data, part->size);
        offset += (part->size + 7u) & ~7u;
    }
    return size;
}

/* Small numbers are what most sections mean. */
static void put_number(struct part *part, uint64_t random)
{
    unsigned width = size_of[part->type <= TYPES ? part->type : 0];
    uint64_t value = (random >> 8) % 24;
    uint32_t count = 1 + (uint32_t)(random >> 16) % 3;
    value = (random >> 24) % 8 == 0 ? 0 - value : value;
    value = (random >> 32) % 4 == 0 ? value * 1000 : value;
    part->size = 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(part->data + part->size, &value, width);
        part->size += width;
        value += (random >> 40) % 5;
    }
}

static void change_part(struct part *part, uint64_t random)
{
    unsigned width = size_of[part->type <= TYPES ? part->type : 0];
    if (random % 3 == 0) {
        put_number(part, random);
        return;
    }
    part->size = (uint32_t)LLVMFuzzerMutate(part->data, part->size, MAX_BYTES / 8);
    part->size -= random % 16 == 0 ? 0 : part->size % width;
}

static void add_part(struct parts *parts, uint64_t random)
{
    unsigned kind = fgi_load_u16(parts->header + 6);
    struct part *part = &parts->part[parts->count++];
    part->tag = (uint16_t)(kind << 8 | (1 + (random >> 8) % 0x1C));
    part->type = (uint8_t)(1 + (random >> 16) % TYPES);
    part->type = (random >> 20) % 2 == 0 ? FGI_TYPE_U32 : part->type;
    put_number(part, random);
}

static void change(struct parts *parts, uint64_t random)
{
    unsigned kind = (unsigned)(random >> 56) % 16;
    size_t which = parts->count == 0 ? 0 : (random >> 4) % parts->count;
    if (kind == 0) {
        fgi_store_u16(parts->header + 6, (uint16_t)((random >> 8) % (LAST_KIND + 1)));
    } else if (kind == 1) {
        (void)LLVMFuzzerMutate(parts->header + 14, 30, 30);
    } else if (kind == 2 && parts->count > 0) {
        parts->part[which] = parts->part[--parts->count];
    } else if (kind == 3 && parts->count > 0) {
        (void)LLVMFuzzerMutate(&parts->part[which].type, 1, 1);
    } else if (parts->count == 0 || (kind < 7 && parts->count < FGI_MAX_SECTIONS)) {
        add_part(parts, random);
    } else {
        change_part(&parts->part[which], random);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static struct parts parts;
    uint64_t random = fgi_mix64(seed);
    size_t first = size >= FGI_MESSAGE_HEADER ? fgi_load_u32(data + 8) : 0;
    /* One of several requests in a row: the second, now and then. */
    size_t at = first > 0 && first < size && random % 2 == 0 ? first : 0;
    size_t length = size >= at + FGI_MESSAGE_HEADER ? fgi_load_u32(data + at + 8) : 0;
    if (random % 16 == 1 || length == 0 || length > size - at ||
        !take_apart(data + at, length, &parts)) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    size_t behind = size - at - length;
    change(&parts, fgi_mix64(random));
    static uint8_t made[1 << 16];
    size_t room = max_size - at - behind < sizeof made ? max_size - at - behind : sizeof made;
    size_t got = put_together(&parts, made, room);
    if (got == 0) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    memmove(data + at + got, data + at + length, behind);
    memcpy(data + at, made, got);
    return at + got + behind;
}
