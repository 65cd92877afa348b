/* SPDX-License-Identifier: MIT */
/*
 * The newest part of a capture, in a ring of bytes: what a writer flushes goes in, whole sections
 * go out at the old end. The header and META are kept apart; directories are not kept, because
 * their offsets would be wrong.
 *
 * One thread at a time appends, copies and asks (the session's lock). A signal handler may read at
 * any time, while somebody appends: it freezes the ring first.
 */
#ifndef FGI_FLIGHT_RING_H
#define FGI_FLIGHT_RING_H
#include "capture/cap_framing.h"
#include <frameglass/base.h>

#include <stdatomic.h>
#include <string.h>

#define FGI_RING_SECTIONS 256

/** Where a section begins, as a count of bytes since the beginning of the recording. */
struct fgi_ring_section {
    uint64_t begin;
    int64_t begin_ns;
};

struct fgi_ring {
    const struct fg_allocator *allocator;
    uint8_t *bytes;
    uint64_t size_bytes;
    uint8_t *meta; /**< framing and payload */
    size_t meta_bytes;
    uint8_t header[FG_CAPTURE_HEADER_BYTES];
    bool has_header;

    /*
     * [tail, head) are whole sections and a beginning of one. The appending thread stores `tail`
     * before it overwrites what it gives up, and `head` after a record is complete.
     */
    _Atomic uint64_t tail;
    _Atomic uint64_t head;
    atomic_bool frozen; /**< a signal handler reads: nothing may be overwritten */

    struct fgi_ring_section sections[FGI_RING_SECTIONS];
    uint32_t section_first;
    uint32_t section_count;
    bool skipping; /**< a record had no room: until the next checkpoint nothing can be kept */
    int64_t now_ns;
    uint64_t forgotten_bytes;
    uint64_t overflow_count;
};

/** FG_OK, FG_ERR_NO_MEMORY */
FG_MUST_USE enum fg_result fgi_ring_init(struct fgi_ring *ring,
                                         const struct fg_allocator *allocator, uint64_t size_bytes);
void fgi_ring_finish(struct fgi_ring *ring);
/** Whole records, as a writer flushes them. FG_OK, FG_ERR_NO_MEMORY (META), FG_ERR_CORRUPT. */
FG_MUST_USE enum fg_result fgi_ring_append(struct fgi_ring *ring, const void *bytes, size_t size);
/** Forget the sections of which nothing is younger than `oldest_ns`; the last one stays. */
void fgi_ring_forget(struct fgi_ring *ring, int64_t oldest_ns);
/** When the section that is appended to began, and its bytes so far; 0, 0 when there is none. */
uint64_t fgi_ring_section_bytes(const struct fgi_ring *ring, int64_t *out_begin_ns);

/** Bytes at a position in [tail, head). Signal handlers too. */
static inline void fgi_ring_copy(const struct fgi_ring *ring, uint64_t position, void *out,
                                 size_t size)
{
    size_t at = (size_t)(position % ring->size_bytes);
    size_t first = size < ring->size_bytes - at ? size : (size_t)(ring->size_bytes - at);
    memcpy(out, ring->bytes + at, first);
    memcpy((uint8_t *)out + first, ring->bytes, size - first);
}

static inline uint64_t fgi_ring_tail(const struct fgi_ring *ring)
{
    /* relaxed: for those who hold the lock under which it is stored */
    return atomic_load_explicit(&ring->tail, memory_order_relaxed);
}
static inline uint64_t fgi_ring_head(const struct fgi_ring *ring)
{
    return atomic_load_explicit(&ring->head, memory_order_relaxed); /* as above */
}

#endif
