/* SPDX-License-Identifier: MIT */
#include "engine/cpu/kinds.h"
#include "base/alloc.h"

enum { FIRST_SLOTS = 64 };

static uint64_t hash_of(const struct fgi_kind *kind)
{
    uint64_t texts = (uint64_t)kind->category << 32 | kind->name;
    return fgi_mix64(texts ^ ((uint64_t)kind->classes << 48 | (uint64_t)kind->status << 40));
}

static bool is_same(const struct fgi_kind *a, const struct fgi_kind *b)
{
    return a->name == b->name && a->category == b->category && a->classes == b->classes &&
           a->status == b->status;
}

/* The slot where a kind is, or would be. */
static size_t find_slot(const struct fgi_kinds *kinds, const struct fgi_kind *kind)
{
    size_t mask = kinds->slot_count - 1;
    size_t at = (size_t)hash_of(kind) & mask;
    while (kinds->slots[at] != 0 && !is_same(&kinds->table.items[kinds->slots[at] - 1], kind)) {
        at = (at + 1) & mask;
    }
    return at;
}

static enum fg_result grow_slots(struct fgi_kinds *kinds, const struct fg_allocator *allocator)
{
    size_t wanted = kinds->slot_count > 0 ? kinds->slot_count * 2 : FIRST_SLOTS;
    uint32_t *slots = fgi_calloc(allocator, wanted, sizeof *slots);
    if (!slots) {
        return FG_ERR_NO_MEMORY;
    }
    fgi_free(allocator, kinds->slots, kinds->slot_count * sizeof *kinds->slots);
    kinds->slots = slots;
    kinds->slot_count = wanted;
    for (size_t i = 0; i < kinds->table.count; i++) {
        slots[find_slot(kinds, &kinds->table.items[i])] = (uint32_t)i + 1;
    }
    return FG_OK;
}

enum fg_result fgi_kinds_add(struct fgi_kinds *kinds, const struct fg_allocator *allocator,
                             const struct fgi_kind *kind, uint32_t *out_id)
{
    size_t at = kinds->slot_count > 0 ? find_slot(kinds, kind) : 0;
    if (kinds->slot_count > 0 && kinds->slots[at] != 0) {
        *out_id = kinds->slots[at] - 1;
        return FG_OK;
    }
    *out_id = FGI_KIND_NONE;
    if (kinds->table.count == FGI_KINDS_MAX) {
        return FG_OK;
    }
    enum fg_result result = FGI_GROW(allocator, kinds->table.items, kinds->table.capacity,
                                     kinds->table.count + 1, FGI_KINDS_MAX);
    if (result == FG_OK && kinds->table.count * 2 >= kinds->slot_count) {
        result = grow_slots(kinds, allocator);
    }
    if (result != FG_OK) {
        return result;
    }
    kinds->table.items[kinds->table.count] = *kind;
    kinds->slots[find_slot(kinds, kind)] = (uint32_t)kinds->table.count + 1;
    *out_id = (uint32_t)kinds->table.count++;
    return FG_OK;
}

void fgi_kinds_finish(struct fgi_kinds *kinds, const struct fg_allocator *allocator)
{
    fgi_free(allocator, kinds->slots, kinds->slot_count * sizeof *kinds->slots);
    fgi_free(allocator, kinds->table.items, kinds->table.capacity * sizeof *kinds->table.items);
}

enum fg_result fgi_kind_cache_get(struct fgi_kind_cache *cache, const struct fgi_kind *kind,
                                  uint32_t *out_id)
{
    size_t at = (size_t)hash_of(kind) % (sizeof cache->entries / sizeof *cache->entries);
    if (cache->entries[at].id != 0 && is_same(&cache->entries[at].kind, kind)) {
        *out_id = cache->entries[at].id - 1;
        return FG_OK;
    }
    if (cache->mutex) {
        fgi_mutex_lock(cache->mutex);
    }
    enum fg_result result = fgi_kinds_add(cache->kinds, cache->allocator, kind, out_id);
    if (cache->mutex) {
        fgi_mutex_unlock(cache->mutex);
    }
    if (result == FG_OK) {
        cache->entries[at].kind = *kind;
        cache->entries[at].id = *out_id + 1;
    }
    return result;
}
