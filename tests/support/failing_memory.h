/* SPDX-License-Identifier: MIT */
/* An allocator that refuses from a chosen call on, or just that one, and counts what is alive. */
#ifndef FGT_FAILING_MEMORY_H
#define FGT_FAILING_MEMORY_H
#include <frameglass/base.h>

struct failing {
    long countdown; /**< allocations and growths until one is refused; negative = none is */
    bool stays;     /**< refuse all after it as well */
    long alive;     /**< blocks that were not given back */
    bool refused;
};

/** @param failing lives as long as anything that was allocated */
struct fg_allocator failing_allocator(struct failing *failing);

#endif
