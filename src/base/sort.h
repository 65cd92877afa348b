/* SPDX-License-Identifier: MIT */
/* Sorting by a comparison. Stable; what is sorted already costs one look. */
#ifndef FGI_SORT_H
#define FGI_SORT_H
#include <frameglass/base.h>

/** `a` comes before `b`: of two that are equal neither does. */
typedef bool fgi_before(void *context, uint32_t a, uint32_t b);

/** Numbers, mostly of what is to be sorted. FG_OK or FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_sort_u32(const struct fg_allocator *allocator, uint32_t *items,
                                        size_t count, fgi_before *before, void *context);
/** A table itself, of at most 2^32 - 1 items; `before` gets it as its context, and places in it. */
FG_MUST_USE enum fg_result fgi_sort_table(const struct fg_allocator *allocator, void *items,
                                          size_t count, size_t item_bytes, fgi_before *before);
/** Another order: the n-th item becomes the one that was the order[n]-th. */
FG_MUST_USE enum fg_result fgi_reorder(const struct fg_allocator *allocator, void *items,
                                       size_t count, size_t item_bytes, const uint32_t *order);

#endif
