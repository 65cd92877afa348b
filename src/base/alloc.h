/* SPDX-License-Identifier: MIT */
/* The one door to memory. libc allocation is called in alloc.c and nowhere else. */
#ifndef FGI_ALLOC_H
#define FGI_ALLOC_H
#include <frameglass/base.h>

/** The allocator to use for `allocator` (NULL: libc). Never NULL. */
const struct fg_allocator *fgi_allocator(const struct fg_allocator *allocator);

/** Zeroed memory of count * size bytes; NULL when refused, when the product overflows, or for 0. */
FG_MUST_USE void *fgi_calloc(const struct fg_allocator *allocator, size_t count, size_t size);
/** Memory that is not zeroed; otherwise as fgi_calloc(). */
FG_MUST_USE void *fgi_malloc(const struct fg_allocator *allocator, size_t size);
/** `size` must be the size that it was allocated with; NULL is legal. */
void fgi_free(const struct fg_allocator *allocator, void *block, size_t size);

/**
 * Make room for `needed` items in a growing array: geometric, never over `max_count`.
 *
 * @param items    address of the array pointer (NULL at first); moved on growth
 * @param capacity number of items that fit; updated
 * @return FG_OK, FG_ERR_NO_MEMORY, FG_ERR_LIMIT (needed > max_count)
 */
FG_MUST_USE enum fg_result fgi_grow(const struct fg_allocator *allocator, void **items,
                                    size_t *capacity, size_t item_size, size_t needed,
                                    size_t max_count);
#define FGI_GROW(allocator, items, capacity, needed, max_count)                                    \
    fgi_grow((allocator), (void **)&(items), &(capacity), sizeof *(items), (needed), (max_count))

/** Give back what a grown array does not need: room for `count` items is left. FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_shrink(const struct fg_allocator *allocator, void **items,
                                      size_t *capacity, size_t item_size, size_t count);
#define FGI_SHRINK(allocator, items, capacity, count)                                              \
    fgi_shrink((allocator), (void **)&(items), &(capacity), sizeof *(items), (count))

#endif
