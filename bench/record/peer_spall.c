/* SPDX-License-Identifier: MIT */
/* Spall's client beside ours: its public functions as its examples use them. */
#include "zone_bench.h"

#include <spall.h>
#include <stdlib.h>

#define BUFFER_BYTES (1u << 20)

static SpallProfile profile;
static __thread SpallBuffer buffer;
static uint32_t thread_count;

static uint64_t ticks(void)
{
    return __builtin_ia32_rdtsc();
}

static void prepare(void)
{
    if (buffer.data == NULL) {
        const uint32_t number = __atomic_add_fetch(&thread_count, 1, __ATOMIC_RELAXED);
        if (number == 1) {
            (void)spall_init_file("/dev/null", 1, &profile);
        }
        buffer =
            (SpallBuffer){ .data = calloc(1, BUFFER_BYTES), .length = BUFFER_BYTES, .tid = number };
        spall_buffer_init(&profile, &buffer);
    }
}

void peer_spall_zone(uint32_t count)
{
    prepare();
    for (uint32_t i = 0; i < count; i++) {
        spall_buffer_begin(&profile, &buffer, "zone", 4, ticks());
        __asm__ volatile("" ::: "memory");
        spall_buffer_end(&profile, &buffer, ticks());
        __asm__ volatile("" ::: "memory");
    }
}

void peer_spall_between(void)
{
    spall_buffer_flush(&profile, &buffer);
}
