/* SPDX-License-Identifier: MIT */
/* What zone_bench.c measures: loops of one operation each, ours and those of peers. */
#ifndef FGB_ZONE_BENCH_H
#define FGB_ZONE_BENCH_H
#include <stdint.h>

struct zone_case {
    const char *name;
    void (*run)(uint32_t count); /* do it so often */
    uint32_t count;              /* per piece: what fits into a ring; 0 = the usual */
    void (*between)(void);       /* after each piece, not measured; NULL = nothing */
};

/* The same loops through the functions of the library: zone_calls.c. */
void zone_calls_zone(uint32_t count);
void zone_calls_counter(uint32_t count);

/* Peers, where the build was told of them; each also says whether it is there. */
void peer_spall_zone(uint32_t count);
void peer_spall_between(void);
void peer_tracy_zone(uint32_t count);
void peer_tracy_plot(uint32_t count);

#endif
