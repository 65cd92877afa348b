/* SPDX-License-Identifier: MIT */
/* Memory of a fuzz target: an allocator whose large blocks are used again by the next input. */
#ifndef FGT_FUZZ_MEMORY_H
#define FGT_FUZZ_MEMORY_H
#include <frameglass/base.h>

/**
 * Blocks of 16 KiB and more come from earlier inputs where one of that size is free, poisoned in
 * between: under a sanitizer each would be a new mapping, and they take most of an input's time.
 * All of it together is bounded: the process ends when an input holds more than 256 MiB at once.
 */
const struct fg_allocator *fgt_fuzz_allocator(void);
/** Ends the process when an input left something behind. */
void fgt_fuzz_nothing_is_held(void);

#endif
