/* SPDX-License-Identifier: MIT */
#include "base/strings.h"

#include "base/alloc.h"

#include <string.h>

struct fgi_strings_entry {
    const char *text; /* terminated, in the arena */
    size_t size;
    uint64_t hash;
};

/* The slot that holds the text, or the empty one where it would go. There always is one. */
static size_t find_slot(const struct fgi_strings *strings, uint64_t hash, const char *text,
                        size_t size)
{
    size_t slot = (size_t)hash & (strings->slot_capacity - 1);
    while (strings->slots[slot] != 0) {
        const struct fgi_strings_entry *entry = &strings->entries[strings->slots[slot] - 1];
        if (entry->hash == hash && entry->size == size && memcmp(entry->text, text, size) == 0) {
            break;
        }
        slot = (slot + 1) & (strings->slot_capacity - 1);
    }
    return slot;
}

static enum fg_result grow_slots(struct fgi_strings *strings)
{
    size_t capacity = strings->slot_capacity != 0 ? strings->slot_capacity * 2 : 64;
    uint32_t *slots = fgi_calloc(strings->allocator, capacity, sizeof *slots);
    if (slots == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < strings->count; i++) {
        size_t slot = (size_t)strings->entries[i].hash & (capacity - 1);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (capacity - 1);
        }
        slots[slot] = (uint32_t)i + 1;
    }
    fgi_free(strings->allocator, strings->slots, strings->slot_capacity * sizeof *slots);
    strings->slots = slots;
    strings->slot_capacity = capacity;
    return FG_OK;
}

static enum fg_result append(struct fgi_strings *strings, uint64_t hash, const char *text,
                             size_t size, uint32_t *out_index)
{
    if (strings->count + 1 > strings->slot_capacity / 4 * 3) {
        enum fg_result result = grow_slots(strings);
        if (result != FG_OK) {
            return result;
        }
    }
    enum fg_result result = FGI_GROW(strings->allocator, strings->entries, strings->capacity,
                                     strings->count + 1, UINT32_MAX - 1);
    if (result != FG_OK) {
        return result;
    }
    strings->arena.allocator = strings->allocator;
    const char *copy = fgi_arena_text(&strings->arena, text, size);
    if (copy == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    size_t slot = find_slot(strings, hash, text, size);
    strings->entries[strings->count] =
        (struct fgi_strings_entry){ .text = copy, .size = size, .hash = hash };
    *out_index = (uint32_t)strings->count++;
    strings->slots[slot] = *out_index + 1;
    return FG_OK;
}

enum fg_result fgi_strings_add(struct fgi_strings *strings, const char *text, size_t size,
                               uint32_t *out_index)
{
    if (strings->count == 0) {
        uint32_t empty = 0;
        enum fg_result result = append(strings, fgi_hash64(0, "", 0), "", 0, &empty);
        if (result != FG_OK) {
            return result;
        }
    }
    uint64_t hash = fgi_hash64(0, text, size);
    size_t slot = find_slot(strings, hash, text, size);
    if (strings->slots[slot] != 0) {
        *out_index = strings->slots[slot] - 1;
        return FG_OK;
    }
    return append(strings, hash, text, size, out_index);
}

bool fgi_strings_find(const struct fgi_strings *strings, const char *text, size_t size,
                      uint32_t *out_index)
{
    if (strings->count == 0) {
        *out_index = 0;
        return size == 0;
    }
    size_t slot = find_slot(strings, fgi_hash64(0, text, size), text, size);
    if (strings->slots[slot] == 0) {
        return false;
    }
    *out_index = strings->slots[slot] - 1;
    return true;
}

const char *fgi_strings_get(const struct fgi_strings *strings, uint32_t index, size_t *out_size)
{
    bool known = index < strings->count;
    if (out_size != NULL) {
        *out_size = known ? strings->entries[index].size : 0;
    }
    return known ? strings->entries[index].text : "";
}

uint32_t fgi_strings_count(const struct fgi_strings *strings)
{
    return strings->count != 0 ? (uint32_t)strings->count : 1;
}

uint64_t fgi_strings_bytes(const struct fgi_strings *strings)
{
    return strings->arena.used_bytes + strings->capacity * sizeof *strings->entries +
           strings->slot_capacity * sizeof *strings->slots;
}

void fgi_strings_finish(struct fgi_strings *strings)
{
    if (strings == NULL) {
        return;
    }
    fgi_free(strings->allocator, strings->entries, strings->capacity * sizeof *strings->entries);
    fgi_free(strings->allocator, strings->slots, strings->slot_capacity * sizeof *strings->slots);
    fgi_arena_finish(&strings->arena);
    *strings = (struct fgi_strings){ .allocator = strings->allocator };
}
