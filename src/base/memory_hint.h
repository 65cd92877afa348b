/* SPDX-License-Identifier: MIT */
/* What the operating system may know about memory. Hints only: nothing depends on them. */
#ifndef FGI_MEMORY_HINT_H
#define FGI_MEMORY_HINT_H
#include <frameglass/base.h>

/**
 * All of this memory, fresh and of many megabytes, is about to be written: it may come in large
 * pages. Writing 400 MB in 4 KiB pages costs more in page faults than in writing.
 */
void fgi_memory_hint_large(void *block, size_t size);

#endif
