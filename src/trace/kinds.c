/* SPDX-License-Identifier: MIT */
#include "trace/kinds.h"
#include "base/alloc.h"
#include "base/hash.h"

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
    while (kinds->slots[at] != 0 && !is_same(&kinds->items[kinds->slots[at] - 1], kind)) {
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
    for (size_t i = 0; i < kinds->count; i++) {
        slots[find_slot(kinds, &kinds->items[i])] = (uint32_t)i + 1;
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
    enum fg_result result =
        FGI_GROW(allocator, kinds->items, kinds->capacity, kinds->count + 1, FGI_KIND_NONE);
    if (result == FG_OK && kinds->count * 2 >= kinds->slot_count) {
        result = grow_slots(kinds, allocator);
    }
    if (result != FG_OK) {
        return result;
    }
    kinds->items[kinds->count] = *kind;
    kinds->slots[find_slot(kinds, kind)] = (uint32_t)kinds->count + 1;
    *out_id = (uint32_t)kinds->count++;
    return FG_OK;
}

void fgi_kinds_finish(struct fgi_kinds *kinds, const struct fg_allocator *allocator)
{
    fgi_free(allocator, kinds->slots, kinds->slot_count * sizeof *kinds->slots);
    fgi_free(allocator, kinds->items, kinds->capacity * sizeof *kinds->items);
    *kinds = (struct fgi_kinds){ 0 };
}
