/* SPDX-License-Identifier: MIT */
#include "record/flight_ring.h"

#include "base/alloc.h"

enum fg_result fgi_ring_init(struct fgi_ring *ring, const struct fg_allocator *allocator,
                             uint64_t size_bytes)
{
    *ring = (struct fgi_ring){ .allocator = allocator };
    ring->bytes = size_bytes <= SIZE_MAX ? fgi_malloc(allocator, (size_t)size_bytes) : NULL;
    if (ring->bytes == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    ring->size_bytes = size_bytes;
    return FG_OK;
}

void fgi_ring_finish(struct fgi_ring *ring)
{
    fgi_free(ring->allocator, ring->bytes, (size_t)ring->size_bytes);
    fgi_free(ring->allocator, ring->meta, ring->meta_bytes);
    ring->bytes = ring->meta = NULL;
    ring->size_bytes = ring->meta_bytes = 0;
}

/* ---- sections -------------------------------------------------------------------------------- */

static struct fgi_ring_section *section_at(struct fgi_ring *ring, uint32_t index)
{
    return &ring->sections[(ring->section_first + index) % FGI_RING_SECTIONS];
}

/** Give up the oldest section; of the last one, what there is of it so far. */
static void forget_oldest(struct fgi_ring *ring)
{
    uint64_t tail = fgi_ring_tail(ring);
    uint64_t next = ring->section_count > 1 ? section_at(ring, 1)->begin : fgi_ring_head(ring);
    ring->section_first = (ring->section_first + 1) % FGI_RING_SECTIONS;
    ring->section_count--;
    ring->forgotten_bytes += next - tail;
    /*
     * Sequentially consistent, as are the accesses to `frozen` here and in freeze() of
     * flight_crash.c: a handler either sees this tail, or what comes after it here sees that the
     * ring is frozen.
     */
    atomic_store_explicit(&ring->tail, next, memory_order_seq_cst);
}

static void begin_section(struct fgi_ring *ring)
{
    if (ring->section_count == FGI_RING_SECTIONS) {
        forget_oldest(ring);
    }
    ring->section_count++;
    *section_at(ring, ring->section_count - 1) = (struct fgi_ring_section){
        .begin = fgi_ring_head(ring),
        .begin_ns = ring->now_ns,
    };
    ring->skipping = false;
}

void fgi_ring_forget(struct fgi_ring *ring, int64_t oldest_ns)
{
    while (ring->section_count > 1 && section_at(ring, 1)->begin_ns <= oldest_ns) {
        forget_oldest(ring);
    }
}

uint64_t fgi_ring_section_bytes(const struct fgi_ring *ring, int64_t *out_begin_ns)
{
    *out_begin_ns = 0;
    if (ring->section_count == 0) {
        return 0;
    }
    const struct fgi_ring_section *newest =
        &ring->sections[(ring->section_first + ring->section_count - 1) % FGI_RING_SECTIONS];
    *out_begin_ns = newest->begin_ns;
    return fgi_ring_head(ring) - newest->begin;
}

/* ---- records --------------------------------------------------------------------------------- */

static enum fg_result keep_meta(struct fgi_ring *ring, const uint8_t *bytes, size_t size)
{
    fgi_free(ring->allocator, ring->meta, ring->meta_bytes);
    ring->meta_bytes = 0;
    ring->meta = fgi_malloc(ring->allocator, size);
    if (ring->meta == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    memcpy(ring->meta, bytes, size);
    ring->meta_bytes = size;
    return FG_OK;
}

/** Room for `size` bytes behind `head`. False: not even without every older section. */
static bool make_room(struct fgi_ring *ring, size_t size)
{
    while (fgi_ring_head(ring) + size - fgi_ring_tail(ring) > ring->size_bytes) {
        if (ring->section_count == 0) {
            return false;
        }
        bool is_last = ring->section_count == 1;
        forget_oldest(ring);
        if (is_last) {
            ring->overflow_count++;
            return false;
        }
    }
    return true;
}

static void append_record(struct fgi_ring *ring, uint32_t type, const uint8_t *bytes, size_t size)
{
    if (type == FG_CAPTURE_CKPT || (ring->section_count == 0 && !ring->skipping)) {
        begin_section(ring);
    }
    /* seq_cst: after the store of `tail` above; partner: freeze() of flight_crash.c */
    if (ring->skipping || !make_room(ring, size) ||
        atomic_load_explicit(&ring->frozen, memory_order_seq_cst)) {
        ring->skipping = true;
        ring->forgotten_bytes += size;
        return;
    }
    uint64_t head = fgi_ring_head(ring);
    size_t at = (size_t)(head % ring->size_bytes);
    size_t first = size < ring->size_bytes - at ? size : (size_t)(ring->size_bytes - at);
    memcpy(ring->bytes + at, bytes, first);
    memcpy(ring->bytes, bytes + first, size - first);
    /* release: the bytes before it; partner: the loads in flight_crash.c */
    atomic_store_explicit(&ring->head, head + size, memory_order_release);
}

enum fg_result fgi_ring_append(struct fgi_ring *ring, const void *bytes, size_t size)
{
    const uint8_t *in = bytes;
    if (!ring->has_header) {
        if (size < FG_CAPTURE_HEADER_BYTES) {
            return FG_ERR_CORRUPT;
        }
        memcpy(ring->header, in, FG_CAPTURE_HEADER_BYTES);
        ring->has_header = true;
        in += FG_CAPTURE_HEADER_BYTES;
        size -= FG_CAPTURE_HEADER_BYTES;
    }
    while (size != 0) {
        struct fgi_cap_framing framing = { 0 };
        if (size >= FG_CAPTURE_FRAMING_BYTES) {
            framing = fgi_cap_framing_load(in);
        }
        size_t whole = (size_t)framing.length + FG_CAPTURE_FRAMING_BYTES;
        if (framing.sync != FG_CAPTURE_SYNC || whole > size) {
            return FG_ERR_CORRUPT;
        }
        if (framing.type == FG_CAPTURE_META) {
            enum fg_result result = keep_meta(ring, in, whole);
            if (result != FG_OK) {
                return result;
            }
        } else if (framing.type != FG_CAPTURE_DIRE) {
            append_record(ring, framing.type, in, whole);
        }
        in += whole;
        size -= whole;
    }
    return FG_OK;
}
