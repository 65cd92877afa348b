/* SPDX-License-Identifier: MIT */
#include "trace/blocks.h"
#include "base/alloc.h"
#include <string.h>

#define DEFAULT_BUDGET_BYTES (UINT64_C(2) << 30)
/* Of a row, in columns that are never given up. */
#define RESIDENT_BYTES 12u

struct fgi_block_slot {
    struct fgi_block block;
    void *memory; /* what can be given up; NULL when it was */
    size_t memory_bytes;
    void *resident; /* lane, parent and kind */
    size_t resident_bytes;
    uint32_t pins;
    uint32_t older, newer; /* in the order of use */
    uint32_t extra_mask;
    bool has_object;
};

uint32_t fgi_column_default(enum fgi_column column)
{
    return column == FGI_COLUMN_CATEGORY || column == FGI_COLUMN_SCOPE ? 0 : FG_NONE;
}

void fgi_blocks_init(struct fgi_block_store *store, const struct fg_allocator *allocator,
                     uint64_t budget_bytes)
{
    *store = (struct fgi_block_store){
        .allocator = allocator,
        .budget_bytes = budget_bytes ? budget_bytes : DEFAULT_BUDGET_BYTES,
        .oldest = FG_NONE,
        .newest = FG_NONE,
    };
}

void fgi_blocks_finish(struct fgi_block_store *store)
{
    for (size_t i = 0; i < store->slot_count; i++) {
        struct fgi_block_slot *slot = &store->slots[i];
        fgi_free(store->allocator, slot->memory, slot->memory_bytes);
        fgi_free(store->allocator, slot->resident, slot->resident_bytes);
    }
    fgi_free(store->allocator, store->slots, store->slot_capacity * sizeof *store->slots);
    fgi_kinds_finish(&store->kinds, store->allocator);
    *store = (struct fgi_block_store){ 0 };
}

/* The columns lie one after the other: those that every block has, then those that this one has. */
static size_t lay_out(struct fgi_block_slot *slot, uint8_t *memory)
{
    struct fgi_block *block = &slot->block;
    size_t n = block->count;
    block->start_ns = memory ? (int64_t *)(void *)memory : NULL;
    block->end_ns = memory ? block->start_ns + n : NULL;
    size_t at = n * (8 + 8);
    block->object = memory && slot->has_object ? (uint64_t *)(void *)(memory + at) : NULL;
    at += slot->has_object ? n * 8 : 0;
    for (unsigned c = 0; c < FGI_COLUMN_COUNT; c++) {
        bool has = slot->extra_mask >> c & 1;
        block->extra[c] = memory && has ? (uint32_t *)(void *)(memory + at) : NULL;
        at += has ? n * 4 : 0;
    }
    return at;
}

static void unlink_slot(struct fgi_block_store *store, uint32_t index)
{
    struct fgi_block_slot *slot = &store->slots[index];
    if (slot->older != FG_NONE) {
        store->slots[slot->older].newer = slot->newer;
    } else {
        store->oldest = slot->newer;
    }
    if (slot->newer != FG_NONE) {
        store->slots[slot->newer].older = slot->older;
    } else {
        store->newest = slot->older;
    }
    slot->older = slot->newer = FG_NONE;
}

static void link_newest(struct fgi_block_store *store, uint32_t index)
{
    struct fgi_block_slot *slot = &store->slots[index];
    slot->older = store->newest;
    slot->newer = FG_NONE;
    if (store->newest != FG_NONE) {
        store->slots[store->newest].newer = index;
    } else {
        store->oldest = index;
    }
    store->newest = index;
}

/* Give up unpinned blocks until `extra_bytes` more fit, or none is left. */
static void make_room(struct fgi_block_store *store, uint64_t extra_bytes)
{
    while (store->used_bytes + extra_bytes > store->budget_bytes && store->oldest != FG_NONE) {
        uint32_t index = store->oldest;
        struct fgi_block_slot *slot = &store->slots[index];
        unlink_slot(store, index);
        fgi_free(store->allocator, slot->memory, slot->memory_bytes);
        slot->memory = NULL;
        (void)lay_out(slot, NULL);
        store->used_bytes -= slot->memory_bytes;
    }
}

static void copy_columns(struct fgi_block *to, const struct fgi_block *from, size_t n)
{
    memcpy(to->start_ns, from->start_ns, n * 8);
    memcpy(to->end_ns, from->end_ns, n * 8);
    memcpy(to->lane, from->lane, n * 4);
    memcpy(to->parent, from->parent, n * 4);
    if (to->object) {
        memcpy(to->object, from->object, n * 8);
    }
    for (unsigned c = 0; c < FGI_COLUMN_COUNT; c++) {
        if (to->extra[c]) {
            memcpy(to->extra[c], from->extra[c], n * 4);
        }
    }
}

/* Those of a closed block, of which the kind says the category. */
static uint32_t columns_used(const struct fgi_block *block, bool *out_has_object)
{
    uint32_t mask = 0;
    for (unsigned c = FGI_COLUMN_CATEGORY + 1; c < FGI_COLUMN_COUNT; c++) {
        uint32_t none = fgi_column_default((enum fgi_column)c);
        for (uint32_t i = 0; block->extra[c] && i < block->count; i++) {
            if (block->extra[c][i] != none) {
                mask |= 1u << c;
                break;
            }
        }
    }
    *out_has_object = false;
    for (uint32_t i = 0; block->object && i < block->count; i++) {
        *out_has_object |= block->object[i] != 0;
    }
    return mask;
}

/* The kinds of the rows of an open block. Rows of one kind often follow each other. */
static enum fg_result name_kinds(struct fgi_block_store *store, const struct fgi_block *block,
                                 uint32_t *kind)
{
    const uint32_t *category = block->extra[FGI_COLUMN_CATEGORY];
    struct fgi_kind last = { 0 };
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < block->count && result == FG_OK; i++) {
        struct fgi_kind own = { block->name[i], category ? category[i] : 0, block->classes[i],
                                block->status[i] };
        if (i > 0 && own.name == last.name && own.category == last.category &&
            own.classes == last.classes && own.status == last.status) {
            kind[i] = kind[i - 1];
        } else {
            result = fgi_kinds_add(&store->kinds, store->allocator, &own, &kind[i]);
            last = own;
        }
    }
    return result;
}

/* Room for one slot more, which is made; its columns are still to come. */
static enum fg_result make_slot(struct fgi_block_store *store, const struct fgi_block *block,
                                struct fgi_block_slot *out_slot)
{
    enum fg_result result = FGI_GROW(store->allocator, store->slots, store->slot_capacity,
                                     store->slot_count + 1, UINT32_MAX / FGI_BLOCK_SPANS + 1u);
    struct fgi_block_slot slot = { .older = FG_NONE, .newer = FG_NONE };
    slot.block.index = (uint32_t)store->slot_count;
    slot.block.first_row = slot.block.index * FGI_BLOCK_SPANS;
    slot.block.count = block->count;
    slot.extra_mask = columns_used(block, &slot.has_object);
    slot.memory_bytes = lay_out(&slot, NULL);
    slot.resident_bytes = (size_t)block->count * RESIDENT_BYTES;
    *out_slot = slot;
    return result;
}

static void put_slot(struct fgi_block_store *store, const struct fgi_block_slot *made)
{
    struct fgi_block_slot *slot = &store->slots[store->slot_count];
    *slot = *made;
    (void)lay_out(slot, slot->memory);
    slot->block.lane = slot->resident;
    slot->block.parent = slot->block.lane + slot->block.count;
    slot->block.kind = slot->block.parent + slot->block.count;
    slot->block.kinds = &store->kinds;
    store->slot_count++;
    store->row_count += slot->block.count;
    store->used_bytes += slot->memory_bytes;
    store->resident_bytes += slot->resident_bytes;
    if (store->used_bytes > store->peak_bytes) {
        store->peak_bytes = store->used_bytes;
    }
}

enum fg_result fgi_blocks_append(struct fgi_block_store *store, const struct fgi_block *block)
{
    struct fgi_block_slot slot;
    enum fg_result result = make_slot(store, block, &slot);
    if (result != FG_OK) {
        return result;
    }
    slot.memory = fgi_malloc(store->allocator, slot.memory_bytes);
    slot.resident = fgi_malloc(store->allocator, slot.resident_bytes);
    result = slot.memory && slot.resident
                 ? name_kinds(store, block, (uint32_t *)slot.resident + 2 * (size_t)block->count)
                 : FG_ERR_NO_MEMORY;
    if (result != FG_OK) {
        fgi_free(store->allocator, slot.memory, slot.memory_bytes);
        fgi_free(store->allocator, slot.resident, slot.resident_bytes);
        return result;
    }
    put_slot(store, &slot);
    copy_columns(&store->slots[slot.block.index].block, block, block->count);
    if (store->loader.load) {
        link_newest(store, slot.block.index);
        make_room(store, 0);
    }
    return FG_OK;
}

/* ---- blocks that are filled in place --------------------------------------------------------- */

static struct fgi_block_slot open_layout(void)
{
    return (struct fgi_block_slot){ .block.count = FGI_BLOCK_SPANS,
                                    .extra_mask = (1u << FGI_COLUMN_COUNT) - 1,
                                    .has_object = true };
}

/* And behind these the columns that a closed block has not. */
static size_t lay_out_open(struct fgi_block_slot *slot, uint8_t *memory)
{
    struct fgi_block *block = &slot->block;
    size_t n = FGI_BLOCK_SPANS;
    size_t at = lay_out(slot, memory);
    block->name = memory ? (uint32_t *)(void *)(memory + at) : NULL;
    block->classes = memory ? (uint16_t *)(void *)(block->name + n) : NULL;
    block->status = memory ? (uint8_t *)(block->classes + n) : NULL;
    return at + n * (4 + 2 + 1);
}

enum fg_result fgi_blocks_open(const struct fgi_block_store *store, struct fgi_block *out_block)
{
    struct fgi_block_slot slot = open_layout();
    size_t bytes = lay_out_open(&slot, NULL);
    uint32_t *resident = fgi_malloc(store->allocator, (size_t)FGI_BLOCK_SPANS * RESIDENT_BYTES);
    uint8_t *memory = fgi_malloc(store->allocator, bytes);
    if (!memory || !resident) {
        fgi_free(store->allocator, memory, bytes);
        fgi_free(store->allocator, resident, (size_t)FGI_BLOCK_SPANS * RESIDENT_BYTES);
        return FG_ERR_NO_MEMORY;
    }
    (void)lay_out_open(&slot, memory);
    *out_block = slot.block;
    out_block->lane = resident;
    out_block->parent = resident + FGI_BLOCK_SPANS;
    out_block->count = 0;
    return FG_OK;
}

void fgi_blocks_discard(const struct fgi_block_store *store, struct fgi_block *block)
{
    struct fgi_block_slot slot = open_layout();
    fgi_free(store->allocator, block->start_ns, lay_out_open(&slot, NULL));
    fgi_free(store->allocator, block->lane, (size_t)FGI_BLOCK_SPANS * RESIDENT_BYTES);
    *block = (struct fgi_block){ 0 };
}

/* What the block has goes down to where it belongs; what is behind is given back. */
static enum fg_result pack(struct fgi_block_store *store, struct fgi_block_slot *slot,
                           const struct fgi_block *from)
{
    struct fgi_block_slot open = open_layout();
    size_t bytes = lay_out_open(&open, NULL);
    void *memory = from->start_ns;
    (void)lay_out(slot, memory);
    if (slot->has_object) {
        memmove(slot->block.object, from->object, (size_t)FGI_BLOCK_SPANS * 8);
    }
    for (unsigned c = 0; c < FGI_COLUMN_COUNT; c++) {
        if (slot->block.extra[c]) {
            memmove(slot->block.extra[c], from->extra[c], (size_t)FGI_BLOCK_SPANS * 4);
        }
    }
    enum fg_result result = fgi_shrink(store->allocator, &memory, &bytes, 1, slot->memory_bytes);
    slot->memory = memory;
    return result;
}

enum fg_result fgi_blocks_close(struct fgi_block_store *store, struct fgi_block *block,
                                const struct fgi_block *used)
{
    struct fgi_block_slot slot;
    if (used->count < FGI_BLOCK_SPANS || store->loader.load) {
        enum fg_result result = fgi_blocks_append(store, used);
        fgi_blocks_discard(store, block);
        return result;
    }
    enum fg_result result = make_slot(store, used, &slot);
    if (result == FG_OK) {
        result = name_kinds(store, used, block->lane + 2 * (size_t)FGI_BLOCK_SPANS);
    }
    if (result == FG_OK) {
        result = pack(store, &slot, used);
    }
    if (result != FG_OK) {
        fgi_blocks_discard(store, block);
        return result;
    }
    slot.resident = block->lane;
    put_slot(store, &slot);
    *block = (struct fgi_block){ 0 };
    return FG_OK;
}

void fgi_blocks_measure(const struct fgi_block_store *store, struct fgi_block_bytes *out_bytes)
{
    struct fgi_block_bytes bytes = { .slots = store->slot_capacity * sizeof *store->slots,
                                     .kinds = fgi_kinds_bytes(&store->kinds) };
    for (size_t i = 0; i < store->slot_count; i++) {
        const struct fgi_block_slot *slot = &store->slots[i];
        uint64_t n = slot->block.count;
        bytes.lane += n * 4;
        bytes.parent += n * 4;
        bytes.kind += n * 4;
        if (!slot->memory) {
            continue;
        }
        bytes.start_ns += n * 8;
        bytes.end_ns += n * 8;
        bytes.object += slot->has_object ? n * 8 : 0;
        for (unsigned c = 0; c < FGI_COLUMN_COUNT; c++) {
            bytes.extra[c] += slot->extra_mask >> c & 1 ? n * 4 : 0;
        }
    }
    *out_bytes = bytes;
}

bool fgi_blocks_have(const struct fgi_block_store *store, enum fgi_column column)
{
    bool has = false;
    for (size_t i = 0; i < store->slot_count && !has; i++) {
        has = store->slots[i].extra_mask >> column & 1;
    }
    return has;
}

void fgi_blocks_set_loader(struct fgi_block_store *store, const struct fgi_block_loader *loader)
{
    bool had = store->loader.load != NULL;
    store->loader = *loader;
    for (uint32_t i = 0; !had && i < store->slot_count; i++) {
        if (store->slots[i].pins == 0) {
            link_newest(store, i);
        }
    }
    make_room(store, 0);
}

static enum fg_result load_again(struct fgi_block_store *store, struct fgi_block_slot *slot)
{
    make_room(store, slot->memory_bytes);
    slot->memory = fgi_malloc(store->allocator, slot->memory_bytes);
    if (!slot->memory) {
        return FG_ERR_NO_MEMORY;
    }
    (void)lay_out(slot, slot->memory);
    enum fg_result result = store->loader.load(store->loader.context, &slot->block);
    if (result != FG_OK) {
        fgi_free(store->allocator, slot->memory, slot->memory_bytes);
        slot->memory = NULL;
        (void)lay_out(slot, NULL);
        return result;
    }
    store->load_count++;
    store->used_bytes += slot->memory_bytes;
    if (store->used_bytes > store->peak_bytes) {
        store->peak_bytes = store->used_bytes;
    }
    return FG_OK;
}

enum fg_result fgi_blocks_acquire(struct fgi_block_store *store, uint32_t index,
                                  const struct fgi_block **out_block)
{
    if (index >= store->slot_count) {
        return FG_ERR_NOT_FOUND;
    }
    struct fgi_block_slot *slot = &store->slots[index];
    if (!store->loader.load) {
        *out_block = &slot->block; /* never given up, so not counted: several threads may read */
        return FG_OK;
    }
    if (!slot->memory) {
        enum fg_result result = load_again(store, slot);
        if (result != FG_OK) {
            return result;
        }
    } else if (slot->pins == 0) {
        unlink_slot(store, index);
    }
    slot->pins++;
    *out_block = &slot->block;
    return FG_OK;
}

void fgi_blocks_release(struct fgi_block_store *store, const struct fgi_block *block)
{
    if (!block || !store->loader.load) {
        return;
    }
    struct fgi_block_slot *slot = &store->slots[block->index];
    slot->pins--;
    if (slot->pins == 0) {
        link_newest(store, block->index);
        make_room(store, 0);
    }
}

bool fgi_cursor_move(struct fgi_cursor *cursor, uint32_t row)
{
    fgi_cursor_finish(cursor);
    if (cursor->result != FG_OK) {
        return false;
    }
    cursor->result = fgi_blocks_acquire(cursor->store, row / FGI_BLOCK_SPANS, &cursor->block);
    if (cursor->result != FG_OK) {
        return false;
    }
    cursor->first_row = cursor->block->first_row;
    cursor->count = cursor->block->count;
    if (row - cursor->first_row >= cursor->count) {
        fgi_cursor_finish(cursor);
        cursor->result = FG_ERR_NOT_FOUND;
        return false;
    }
    return true;
}

void fgi_cursor_finish(struct fgi_cursor *cursor)
{
    fgi_blocks_release(cursor->store, cursor->block);
    cursor->block = NULL;
    cursor->first_row = cursor->count = 0;
}
