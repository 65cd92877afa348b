/* SPDX-License-Identifier: MIT */
#include "capture/cap_ahead.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "capture/cap_reader_priv.h"

#include <stdatomic.h>

enum {
    SLOTS = 8,
    PASSED_MAX = 16,             /* other records between two blocks of a window */
    PAYLOAD_BYTES_MAX = 8 << 20, /* larger ones are left to the reader */
    WINDOW_BYTES = 8 << 20,
    THREADS_BYTES_MIN = 64 << 10, /* less of payload is not worth a thread */
    WORKERS_MAX = 4
};

/* A block of the window. */
struct slot {
    struct fgi_cap_framing framing;
    uint64_t offset;
    uint8_t *payload;
    size_t payload_capacity;
    uint8_t *memory; /* of the columns */
    size_t memory_capacity;
    bool is_sound;
    struct fgi_span_columns spans;
    struct fgi_link_columns links;
};

struct fgi_ahead {
    struct fg_capture *capture;
    enum fgi_ahead_depth depth;
    const struct fg_allocator *allocator;
    struct slot slots[SLOTS];
    size_t count, next;
    uint64_t window_end; /* records before it are in slots, or are none of ours */
    unsigned workers;
    atomic_uint taken; /* slots that a worker has taken, while decoding */
};

enum fg_result fgi_ahead_create(struct fg_capture *capture, enum fgi_ahead_depth depth,
                                struct fgi_ahead **out)
{
    struct fgi_ahead *ahead = fgi_calloc(capture->allocator, 1, sizeof *ahead);
    if (ahead == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    ahead->capture = capture;
    ahead->depth = depth;
    ahead->allocator = capture->allocator;
    ahead->workers = fgi_processor_count();
    ahead->workers = ahead->workers < WORKERS_MAX ? ahead->workers : WORKERS_MAX;
    *out = ahead;
    return FG_OK;
}

void fgi_ahead_destroy(struct fgi_ahead *ahead)
{
    if (ahead == NULL) {
        return;
    }
    for (size_t i = 0; i < SLOTS; i++) {
        fgi_free(ahead->allocator, ahead->slots[i].payload, ahead->slots[i].payload_capacity);
        fgi_free(ahead->allocator, ahead->slots[i].memory, ahead->slots[i].memory_capacity);
    }
    fgi_free(ahead->allocator, ahead, sizeof *ahead);
}

/* ---- decoding -------------------------------------------------------------------------------- */

static void decode(struct slot *slot)
{
    size_t length = slot->framing.length;
    slot->is_sound = fgi_crc32(0, slot->payload, length) == slot->framing.crc;
    if (slot->is_sound && slot->framing.type == FG_CAPTURE_SPAN) {
        slot->is_sound = fgi_span_columns_decode(slot->payload, length, slot->memory, &slot->spans);
    } else if (slot->is_sound) {
        slot->is_sound = fgi_link_columns_decode(slot->payload, length, slot->memory, &slot->links);
    }
}

static void decode_some(void *context, unsigned worker)
{
    struct fgi_ahead *ahead = context;
    (void)worker;
    for (;;) {
        /* relaxed: starting and joining the threads orders everything else */
        unsigned i = atomic_fetch_add_explicit(&ahead->taken, 1, memory_order_relaxed);
        if (i >= ahead->count) {
            return;
        }
        decode(&ahead->slots[i]);
    }
}

/* ---- the window ------------------------------------------------------------------------------ */

/* What a SPAN record begins with. */
static enum fg_result fill_head(struct fgi_ahead *ahead, uint64_t offset,
                                const struct fgi_cap_framing *framing, bool *out_filled)
{
    struct slot *slot = &ahead->slots[ahead->count];
    size_t size = framing->length < FGI_SPAN_HEAD_BYTES ? framing->length : FGI_SPAN_HEAD_BYTES;
    *out_filled = false;
    enum fg_result result = FGI_GROW(ahead->allocator, slot->payload, slot->payload_capacity,
                                     FGI_SPAN_HEAD_BYTES, SIZE_MAX / 2);
    if (result == FG_OK) {
        result =
            fgi_read_exact(ahead->capture, offset + FG_CAPTURE_FRAMING_BYTES, slot->payload, size);
    }
    slot->framing = *framing;
    slot->offset = offset;
    slot->is_sound = true;
    *out_filled =
        result == FG_OK && (framing->type == FG_CAPTURE_DEPS ||
                            fgi_span_columns_head(slot->payload, framing->length, &slot->spans));
    return result;
}

/* Payload and memory of a slot; false: the record is left to the reader. */
static enum fg_result fill_slot(struct fgi_ahead *ahead, uint64_t offset,
                                const struct fgi_cap_framing *framing, bool *out_filled)
{
    struct slot *slot = &ahead->slots[ahead->count];
    *out_filled = false;
    enum fg_result result = FGI_GROW(ahead->allocator, slot->payload, slot->payload_capacity,
                                     (size_t)framing->length + 1, SIZE_MAX / 2);
    if (result == FG_OK) {
        result = fgi_read_exact(ahead->capture, offset + FG_CAPTURE_FRAMING_BYTES, slot->payload,
                                framing->length);
    }
    if (result != FG_OK) {
        return result;
    }
    size_t bytes = framing->type == FG_CAPTURE_SPAN
                       ? fgi_span_columns_size(slot->payload, framing->length)
                       : fgi_link_columns_size(slot->payload, framing->length);
    if (bytes == 0) {
        return FG_OK;
    }
    result = FGI_GROW(ahead->allocator, slot->memory, slot->memory_capacity, bytes, SIZE_MAX / 2);
    slot->framing = *framing;
    slot->offset = offset;
    *out_filled = result == FG_OK;
    return result;
}

static bool is_block(const struct fgi_cap_framing *framing)
{
    return (framing->type == FG_CAPTURE_SPAN || framing->type == FG_CAPTURE_DEPS) &&
           framing->length <= PAYLOAD_BYTES_MAX;
}

/* From the reader's position on, as long as there are blocks and the framing looks whole. */
static enum fg_result fill(struct fgi_ahead *ahead)
{
    struct fg_capture *capture = ahead->capture;
    uint64_t offset = capture->position;
    uint64_t begin = offset;
    unsigned passed = 0;
    ahead->count = ahead->next = 0;
    while (ahead->count < SLOTS && passed < PASSED_MAX && offset - begin < WINDOW_BYTES &&
           offset <= capture->size && capture->size - offset >= FG_CAPTURE_FRAMING_BYTES) {
        uint8_t bytes[FG_CAPTURE_FRAMING_BYTES];
        enum fg_result result = fgi_read_exact(capture, offset, bytes, sizeof bytes);
        if (result != FG_OK) {
            return result;
        }
        struct fgi_cap_framing framing = fgi_cap_framing_load(bytes);
        uint64_t end = offset + sizeof bytes + framing.length;
        if (framing.sync != FG_CAPTURE_SYNC || end > capture->size) {
            break;
        }
        bool filled = false;
        if (is_block(&framing) && framing.length <= capture->max_payload_bytes) {
            result = ahead->depth == FGI_AHEAD_HEADS ? fill_head(ahead, offset, &framing, &filled)
                                                     : fill_slot(ahead, offset, &framing, &filled);
            if (result != FG_OK) {
                return result;
            }
        }
        ahead->count += filled;
        passed += !filled;
        offset = end;
    }
    ahead->window_end = offset > begin ? offset : begin + 1;
    atomic_store_explicit(&ahead->taken, 0, memory_order_relaxed);
    if (ahead->depth == FGI_AHEAD_BLOCKS && ahead->count > 0) {
        unsigned workers = ahead->count < ahead->workers ? (unsigned)ahead->count : ahead->workers;
        workers = offset - begin < THREADS_BYTES_MIN ? 1 : workers;
        fgi_parallel(ahead->allocator, workers, decode_some, ahead);
    }
    return FG_OK;
}

/* ---- handing out ----------------------------------------------------------------------------- */

static bool symbols_known(const struct fg_capture *capture, const uint32_t *symbols, uint32_t count)
{
    bool known = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t symbol = symbols[i];
        known &= symbol < capture->symbol_pass_capacity
                     ? capture->symbol_passes[symbol] == capture->pass
                     : false;
    }
    return known;
}

/* Everything that the block refers to has been defined. */
static bool is_known(const struct fg_capture *capture, const struct slot *slot)
{
    const struct fgi_span_columns *spans = &slot->spans;
    if (slot->framing.type != FG_CAPTURE_SPAN) {
        return symbols_known(capture, slot->links.name, slot->links.count);
    }
    return fgi_known_id(capture, FGI_REF_TRACK, spans->track) &&
           fgi_known_id(capture, FGI_REF_CLOCK, spans->clock) &&
           symbols_known(capture, spans->name, spans->count) &&
           (!spans->category || symbols_known(capture, spans->category, spans->count));
}

/* The block at the reader's position; NULL: it has to read the record itself. */
static const struct slot *next_slot(struct fgi_ahead *ahead)
{
    uint64_t position = ahead->capture->position;
    while (ahead->next < ahead->count && ahead->slots[ahead->next].offset < position) {
        ahead->next++;
    }
    bool here = ahead->next < ahead->count && ahead->slots[ahead->next].offset == position;
    const struct slot *slot = here ? &ahead->slots[ahead->next] : NULL;
    return slot && slot->is_sound && ahead->capture->records_taken > 0 &&
                   (ahead->depth == FGI_AHEAD_HEADS || is_known(ahead->capture, slot))
               ? slot
               : NULL;
}

enum fg_result fgi_ahead_next(struct fgi_ahead *ahead, struct fg_capture_record *out_record,
                              const struct fgi_span_columns **out_spans,
                              const struct fgi_link_columns **out_links)
{
    struct fg_capture *capture = ahead->capture;
    enum fg_result result = FG_OK;
    *out_spans = NULL;
    *out_links = NULL;
    if (capture->position >= ahead->window_end || capture->position == FG_CAPTURE_HEADER_BYTES) {
        result = fill(ahead);
    }
    if (result != FG_OK) {
        ahead->count = 0; /* the reader meets the same, and says where */
        ahead->window_end = capture->position + 1;
        return result == FG_ERR_NO_MEMORY ? result : fg_capture_next(capture, out_record);
    }
    const struct slot *slot = next_slot(ahead);
    if (slot == NULL) {
        return fg_capture_next(capture, out_record);
    }
    result = fgi_capture_take(capture, &slot->framing, slot->offset);
    if (result != FG_OK) {
        return result;
    }
    uint64_t bytes = (uint64_t)FG_CAPTURE_FRAMING_BYTES + slot->framing.length;
    capture->position = slot->offset + bytes;
    capture->records_taken++;
    capture->bytes_taken += bytes;
    *out_record = (struct fg_capture_record){ .type = slot->framing.type,
                                              .offset = slot->offset,
                                              .length = slot->framing.length,
                                              .payload = slot->payload };
    *out_spans = slot->framing.type == FG_CAPTURE_SPAN ? &slot->spans : NULL;
    *out_links = slot->framing.type == FG_CAPTURE_DEPS ? &slot->links : NULL;
    return FG_OK;
}
