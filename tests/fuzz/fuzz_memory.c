/* SPDX-License-Identifier: MIT */
#include "fuzz_memory.h"

#include <stdlib.h>
#include <string.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size)   ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

enum { LARGE_BYTES = 16 << 10, KEPT = 64 };
static const size_t HELD_MAX = (size_t)256 << 20;

static struct {
    void *block;
    size_t size;
} kept[KEPT];
static size_t held_bytes;

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void *take(size_t size)
{
    for (size_t i = 0; size >= LARGE_BYTES && i < KEPT; i++) {
        if (kept[i].block != NULL && kept[i].size == size) {
            void *block = kept[i].block;
            kept[i].block = NULL;
            ASAN_UNPOISON_MEMORY_REGION(block, size);
            return block;
        }
    }
    return malloc(size);
}

static void give(void *block, size_t size)
{
    for (size_t i = 0; block != NULL && size >= LARGE_BYTES && i < KEPT; i++) {
        if (kept[i].block == NULL) {
            kept[i].block = block;
            kept[i].size = size;
            ASAN_POISON_MEMORY_REGION(block, size);
            return;
        }
    }
    free(block);
}

static void *resize(void *context, void *block, size_t old_size, size_t size)
{
    (void)context;
    must(block != NULL || old_size == 0);
    must(size <= HELD_MAX && held_bytes - old_size <= HELD_MAX - size);
    void *made = size > 0 ? take(size) : NULL;
    if (size > 0 && made == NULL) {
        return NULL;
    }
    if (made != NULL && block != NULL) {
        memcpy(made, block, old_size < size ? old_size : size);
    }
    give(block, old_size);
    held_bytes += size - old_size;
    return made;
}

const struct fg_allocator *fgt_fuzz_allocator(void)
{
    static const struct fg_allocator allocator = { .resize = resize };
    return &allocator;
}

void fgt_fuzz_nothing_is_held(void)
{
    must(held_bytes == 0);
}
