/* SPDX-License-Identifier: MIT */
/* How much memory the process has. Not in WebAssembly. */
#ifndef FGI_MEMORY_USE_H
#define FGI_MEMORY_USE_H
#include <frameglass/base.h>

/** Bytes of physical memory that the process has now; -1 = not known. Allocates nothing. */
int64_t fgi_process_resident_bytes(void);

#endif
