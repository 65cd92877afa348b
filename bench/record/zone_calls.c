/* SPDX-License-Identifier: MIT */
/* What other compilers get: the macros call the library. */
#define FG_INSTRUMENT_CALLS
#include "zone_bench.h"
#include <frameglass/instrument.h>

void zone_calls_zone(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        FG_ZONE("zone");
        __asm__ volatile("" ::: "memory");
    }
}

void zone_calls_counter(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        FG_COUNTER_ADD("bench/counter", FG_UNIT_COUNT, 1);
        __asm__ volatile("" ::: "memory");
    }
}
