/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void *libc_resize(void *context, void *block, size_t old_size, size_t size)
{
    (void)context;
    (void)old_size;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

const struct fg_allocator *fgi_allocator(const struct fg_allocator *allocator)
{
    static const struct fg_allocator libc = { .resize = libc_resize };
    return allocator != NULL ? allocator : &libc;
}

void *fgi_malloc(const struct fg_allocator *allocator, size_t size)
{
    if (size == 0) {
        return NULL;
    }
    allocator = fgi_allocator(allocator);
    return allocator->resize(allocator->context, NULL, 0, size);
}

void *fgi_calloc(const struct fg_allocator *allocator, size_t count, size_t size)
{
    if (count == 0 || size == 0 || count > SIZE_MAX / size) {
        return NULL;
    }
    if (fgi_allocator(allocator)->resize == libc_resize) {
        return calloc(count, size); /* which knows what is zero already, and leaves it untouched */
    }
    void *block = fgi_malloc(allocator, count * size);
    if (block != NULL) {
        memset(block, 0, count * size);
    }
    return block;
}

void fgi_free(const struct fg_allocator *allocator, void *block, size_t size)
{
    if (block != NULL) {
        allocator = fgi_allocator(allocator);
        (void)allocator->resize(allocator->context, block, size, 0);
    }
}

enum fg_result fgi_grow(const struct fg_allocator *allocator, void **items, size_t *capacity,
                        size_t item_size, size_t needed, size_t max_count)
{
    if (needed <= *capacity) {
        return FG_OK;
    }
    if (max_count > SIZE_MAX / item_size) {
        max_count = SIZE_MAX / item_size;
    }
    if (needed > max_count) {
        return FG_ERR_LIMIT;
    }
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < 8) {
        wanted = 8;
    }
    if (wanted < needed) {
        wanted = needed;
    }
    if (wanted > max_count) {
        wanted = max_count;
    }
    allocator = fgi_allocator(allocator);
    void *grown =
        allocator->resize(allocator->context, *items, *capacity * item_size, wanted * item_size);
    if (grown == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    *items = grown;
    *capacity = wanted;
    return FG_OK;
}

enum fg_result fgi_shrink(const struct fg_allocator *allocator, void **items, size_t *capacity,
                          size_t item_size, size_t count)
{
    if (count >= *capacity) {
        return FG_OK;
    }
    allocator = fgi_allocator(allocator);
    void *fitted =
        allocator->resize(allocator->context, *items, *capacity * item_size, count * item_size);
    if (fitted == NULL && count > 0) {
        return FG_ERR_NO_MEMORY;
    }
    *items = fitted;
    *capacity = count;
    return FG_OK;
}
