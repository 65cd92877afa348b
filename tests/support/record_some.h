/* SPDX-License-Identifier: MIT */
/*
 * A small capture whose every number is known: a frame graph on the software device, whose clock
 * moves only when told. Two queues, nested scopes, a pass that is culled in every third frame, a
 * counter, a note at frame 3, other resources from frame 8 on, and frame 12 that takes four times
 * as long.
 */
#ifndef RECORD_SOME_H
#define RECORD_SOME_H
#include <stddef.h>
#include <stdint.h>

/** Owned by the caller: free(). NULL when the recording failed. */
uint8_t *record_some(uint64_t frame_count, size_t *out_size);

#endif
