/* SPDX-License-Identifier: MIT */
/*
 * The names of the process: each distinct text once, under a small number, for ever.
 *
 * `names` guards the making of new ones. Texts are read without it, by signal handlers too: the
 * table grows by blocks that never move, and a name is there before it is counted.
 */
#include "record/instrument/instrument_priv.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/strings.h"

#include <string.h>

enum {
    BLOCK_NAMES = 1024,
    BLOCKS = FG_CNATRACE_NAMES_MAX / BLOCK_NAMES,
    NAME_BYTES_MAX = 4096,
    FIRST_SLOTS = 1024, /* a power of two; never more than half of them are taken */
};

struct name {
    const char *text;
    size_t size;
};

static struct name *blocks[BLOCKS];
static uint32_t name_count = 1; /* with name 0, the empty one */
static struct fgi_arena texts;
static size_t text_bytes;
static uint32_t *slots; /* open addressing; a name's number, 0 = empty */
static size_t slot_count;

static const struct name *get_name(uint32_t number)
{
    /* Pairs with the release in add(): block and text are there. */
    if (number == 0 || number >= __atomic_load_n(&name_count, __ATOMIC_ACQUIRE)) {
        return NULL;
    }
    return &blocks[number / BLOCK_NAMES][number % BLOCK_NAMES];
}

const char *fgi_name_text(uint32_t number, size_t *out_size)
{
    const struct name *name = get_name(number);
    if (out_size != NULL) {
        *out_size = name != NULL ? name->size : 0;
    }
    return name != NULL ? name->text : "";
}

uint32_t fgi_name_count(void)
{
    return __atomic_load_n(&name_count, __ATOMIC_ACQUIRE);
}

const char *fg_instrument_name(uint32_t number)
{
    return fgi_name_text(number, NULL);
}

/* The slot of a text, or the empty one where it belongs. */
static uint32_t *find_slot(const char *text, size_t size)
{
    size_t at = (size_t)fgi_hash64(0, text, size) & (slot_count - 1);
    for (;; at = (at + 1) & (slot_count - 1)) {
        const struct name *name = get_name(slots[at]);
        if (name == NULL || (name->size == size && memcmp(name->text, text, size) == 0)) {
            return &slots[at];
        }
    }
}

/* Room for one more in the table of slots. */
static bool grow_slots(void)
{
    const struct fg_allocator *allocator = fgi_instrument_allocator();
    if (slot_count >= 2 * (size_t)(name_count + 1)) {
        return true;
    }
    const size_t old_count = slot_count;
    uint32_t *old = slots;
    uint32_t *grown =
        fgi_calloc(allocator, old_count == 0 ? FIRST_SLOTS : old_count * 2, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    slots = grown;
    slot_count = old_count == 0 ? FIRST_SLOTS : old_count * 2;
    for (uint32_t number = 1; number < name_count; number++) {
        const struct name *name = get_name(number);
        *find_slot(name->text, name->size) = number;
    }
    fgi_free(allocator, old, old_count * sizeof *old);
    return true;
}

/* A new name; 0 = it finds no room. */
static uint32_t add(const char *text, size_t size)
{
    const uint32_t number = name_count;
    struct name **block = &blocks[number / BLOCK_NAMES];
    if (number == FG_CNATRACE_NAMES_MAX || text_bytes + size > FG_CNATRACE_TEXT_BYTES_MAX) {
        return 0;
    }
    if (*block == NULL) {
        *block = fgi_calloc(fgi_instrument_allocator(), BLOCK_NAMES, sizeof **block);
    }
    texts.allocator = fgi_instrument_allocator();
    const char *kept = *block != NULL ? fgi_arena_text(&texts, text, size) : NULL;
    if (kept == NULL) {
        return 0;
    }
    text_bytes += size;
    (*block)[number % BLOCK_NAMES] = (struct name){ .text = kept, .size = size };
    __atomic_store_n(&name_count, number + 1, __ATOMIC_RELEASE);
    return number;
}

static uint32_t register_valid(const char *text, size_t size)
{
    uint32_t number = 0;
    fgi_mutex_lock(fgi_names_lock);
    if (grow_slots()) {
        uint32_t *slot = find_slot(text, size);
        if (*slot == 0) {
            *slot = add(text, size);
        }
        number = *slot;
    }
    fgi_mutex_unlock(fgi_names_lock);
    return number;
}

uint32_t fgi_name_register(const char *text, size_t size)
{
    char repaired[NAME_BYTES_MAX];
    if (size == 0 || size > NAME_BYTES_MAX || !fgi_instrument_ready()) {
        return 0;
    }
    if (!fgi_utf8_valid(text, size)) {
        size = fgi_utf8_repair(text, size, repaired, sizeof repaired);
        if (size > sizeof repaired) {
            return 0;
        }
        text = repaired;
    }
    return register_valid(text, size);
}

uint32_t fg_label_register(const char *name, enum fg_category category)
{
    if (name == NULL || (uint32_t)category > FG_CATEGORY_GPU) {
        return 0;
    }
    const uint32_t number = fgi_name_register(name, strnlen(name, NAME_BYTES_MAX + 1));
    return number == 0 ? 0 : number << 3 | (uint32_t)category;
}
