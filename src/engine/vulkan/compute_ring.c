/* SPDX-License-Identifier: MIT */
/*
 * Memory that comes free in the order in which it was taken. Places are counted without end and
 * taken modulo the size, so that a full ring and an empty one differ.
 */
#include "engine/vulkan/compute_priv.h"

#include "base/alloc.h"

#include <string.h>

/** What was taken, up to a place. */
struct piece {
    uint64_t serial;
    uint64_t end;
};

enum { MAX_PIECES = 1 << 20 };

struct fg_compute_ring {
    struct fg_compute *compute;
    struct fg_compute_memory memory;
    uint64_t size_bytes;
    uint64_t head; /**< where the next piece begins */
    uint64_t tail; /**< what is before it is free */
    struct piece *pieces;
    size_t piece_first;
    size_t piece_count; /**< from the first on */
    size_t piece_room;
    uint64_t last_serial;
    uint64_t busy;
};

enum fg_result fg_compute_ring_create(struct fg_compute *compute, enum fg_compute_memory_kind kind,
                                      uint64_t size_bytes, struct fg_compute_ring **out_ring)
{
    if (compute == NULL || out_ring == NULL ||
        (kind != FG_COMPUTE_UPLOAD && kind != FG_COMPUTE_READBACK)) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_compute_ring *ring = fgi_calloc(compute->allocator, 1, sizeof *ring);
    if (ring == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    ring->compute = compute;
    ring->size_bytes = fgi_compute_aligned(compute, size_bytes);
    const enum fg_result result =
        fg_compute_memory_take(compute, kind, ring->size_bytes, &ring->memory);
    if (result != FG_OK) {
        fgi_free(compute->allocator, ring, sizeof *ring);
        return result;
    }
    *out_ring = ring;
    return FG_OK;
}

void fg_compute_ring_destroy(struct fg_compute_ring *ring)
{
    if (ring == NULL) {
        return;
    }
    const struct fg_allocator *allocator = ring->compute->allocator;
    fg_compute_memory_free(ring->compute, &ring->memory);
    fgi_free(allocator, ring->pieces, ring->piece_room * sizeof *ring->pieces);
    fgi_free(allocator, ring, sizeof *ring);
}

/** Room for one more piece; those that came free make room first. */
static enum fg_result make_room(struct fg_compute_ring *ring)
{
    if (ring->piece_first != 0 && ring->piece_first + ring->piece_count == ring->piece_room) {
        memmove(ring->pieces, ring->pieces + ring->piece_first,
                ring->piece_count * sizeof *ring->pieces);
        ring->piece_first = 0;
    }
    return FGI_GROW(ring->compute->allocator, ring->pieces, ring->piece_room,
                    ring->piece_first + ring->piece_count + 1, MAX_PIECES);
}

enum fg_result fg_compute_ring_take(struct fg_compute_ring *ring, uint64_t size_bytes,
                                    uint64_t serial, struct fg_compute_memory *out_memory)
{
    if (ring == NULL || out_memory == NULL || size_bytes == 0 || serial < ring->last_serial) {
        return FG_ERR_ARGUMENT;
    }
    if (size_bytes > ring->size_bytes) {
        return FG_ERR_LIMIT;
    }
    const uint64_t taken_bytes = fgi_compute_aligned(ring->compute, size_bytes);
    uint64_t begin = ring->head;
    const uint64_t until_wrap = ring->size_bytes - begin % ring->size_bytes;
    if (taken_bytes > until_wrap) {
        begin += until_wrap;
    }
    if (begin + taken_bytes - ring->tail > ring->size_bytes) {
        ring->busy++;
        return FG_ERR_BUSY;
    }
    const enum fg_result result = make_room(ring);
    if (result != FG_OK) {
        return result;
    }
    const uint64_t offset_bytes = begin % ring->size_bytes;
    ring->head = begin + taken_bytes;
    ring->last_serial = serial;
    ring->pieces[ring->piece_first + ring->piece_count++] = (struct piece){ serial, ring->head };
    *out_memory = (struct fg_compute_memory){
        .view = fg_compute_view_part(ring->memory.view, offset_bytes, size_bytes),
        .host = (uint8_t *)ring->memory.host + offset_bytes,
    };
    return FG_OK;
}

void fg_compute_ring_complete(struct fg_compute_ring *ring, uint64_t serial)
{
    while (ring->piece_count != 0 && ring->pieces[ring->piece_first].serial <= serial) {
        ring->tail = ring->pieces[ring->piece_first].end;
        ring->piece_first++;
        ring->piece_count--;
    }
    if (ring->piece_count == 0) {
        /* From the beginning again, so that a piece of the whole size has room. */
        ring->piece_first = 0;
        ring->head = 0;
        ring->tail = 0;
    }
}

uint64_t fg_compute_ring_get_busy(const struct fg_compute_ring *ring)
{
    return ring->busy;
}
