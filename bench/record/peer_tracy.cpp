/* SPDX-License-Identifier: MIT */
/* Tracy's client beside ours, by its public macros. Measured with a capture connected, or without. */
extern "C" {
#include "zone_bench.h"
}

#include <tracy/Tracy.hpp>

extern "C" void peer_tracy_zone(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ZoneScopedN("zone");
        __asm__ volatile("" ::: "memory");
    }
}

extern "C" void peer_tracy_plot(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        TracyPlot("bench", (int64_t)i);
        __asm__ volatile("" ::: "memory");
    }
}
