/* SPDX-License-Identifier: MIT */
/* Traces of a given size and a fixed seed. */
#ifndef GENERATED_TRACE_H
#define GENERATED_TRACE_H
#include "trace/build.h"

enum generated_shape {
    GENERATED_FRAMES, /**< frames of a renderer: 300 spans, 300 names, 8 tracks, depth 4 */
    GENERATED_LANES,  /**< 256 lanes in 64 tracks, spans of about 1 us, evenly spread */
    GENERATED_BURSTS, /**< one track: short bursts of very many spans, long pauses */
};

/** FG_OK, FG_ERR_NO_MEMORY. */
enum fg_result generated_trace(const struct fg_allocator *allocator, enum generated_shape shape,
                               uint32_t span_count, struct fg_trace **out_trace);
uint64_t generated_random(uint64_t *state);

#endif
