/* SPDX-License-Identifier: MIT */
/* Sorting many natural numbers by their bytes. */
#ifndef FGI_RADIX_H
#define FGI_RADIX_H
#include <frameglass/base.h>

/** Ascending, in linear time. `spare` has room for as many, and is left with anything in it. */
void fgi_radix_sort_u64(uint64_t *items, uint64_t *spare, size_t count);

#endif
