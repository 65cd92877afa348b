/* SPDX-License-Identifier: MIT */
/*
 * Reading ahead: the caller's thread reads pieces of the file and makes rows of their events, while
 * another takes the pieces to come apart. An event that two pieces share is moved to the front of
 * the second. The other thread touches only its piece and what it notes of it: no allocator, no
 * source, nothing of the trace.
 */
#include "base/alloc.h"
#include "base/thread.h"
#include "convert/import_chrome_priv.h"

#include <string.h>

enum {
    SLOTS = 3,
    PIECE_BYTES = 128 << 10,
    TAIL_BYTES = 64 << 10, /* of an event that goes on in the next piece */
    RECORDS = 8192,
    PARTS = 24576,
    PAUSE_LEAST = 64 << 10, /* read as always after something that is not ordinary; then twice... */
    PAUSE_MOST = 64 << 20,
    WAIT_NS = 100 * 1000 * 1000, /* wake-ups come; this is for the case that one is lost */
};

enum state { EMPTY, FILLED, SCANNED };

struct slot {
    enum state state;
    bool is_last; /* of the input when FILLED, of what was read ahead when SCANNED */
    size_t size;
    uint64_t offset; /* of `bytes` */
    uint8_t *memory; /* room for the tail before, then the piece */
    const uint8_t *stop;
    struct fgi_chrome_scan scan;
};

struct ahead {
    struct fgi_mutex *mutex; /* guards the states, and is_quitting */
    bool is_quitting;
    bool is_comma_due;
    uint8_t *tail;
    size_t piece_bytes, tail_size;
    struct slot slots[SLOTS];
};

/* ---- the other thread ------------------------------------------------------------------------ */

/* False: it is wanted no more. */
static bool await(struct ahead *a, const struct slot *slot, enum state state)
{
    fgi_mutex_lock(a->mutex);
    while (slot->state != state && !a->is_quitting) {
        fgi_mutex_wait(a->mutex, WAIT_NS);
    }
    bool is_quitting = a->is_quitting;
    fgi_mutex_unlock(a->mutex);
    return !is_quitting;
}

static void pass_on(struct ahead *a, struct slot *slot, enum state state)
{
    fgi_mutex_lock(a->mutex);
    slot->state = state;
    fgi_mutex_wake_all(a->mutex);
    fgi_mutex_unlock(a->mutex);
}

static void scan_slot(struct ahead *a, struct slot *slot)
{
    const uint8_t *end = slot->memory + TAIL_BYTES + slot->size;
    uint8_t *begin = slot->memory + TAIL_BYTES - a->tail_size;
    memcpy(begin, a->tail, a->tail_size);
    enum fgi_chrome_stop stop =
        fgi_chrome_scan(&slot->scan, begin, end, a->is_comma_due, &slot->stop);
    a->is_comma_due |= slot->scan.record_count > 0;
    size_t rest = (size_t)(end - slot->stop);
    slot->is_last |= stop != FGI_CHROME_STOP_CUT || rest > TAIL_BYTES;
    if (!slot->is_last) {
        memcpy(a->tail, slot->stop, rest);
        a->tail_size = rest;
    }
}

static void run(void *context)
{
    struct ahead *a = context;
    bool is_last = false;
    for (size_t i = 0; !is_last && await(a, &a->slots[i % SLOTS], FILLED); i++) {
        struct slot *slot = &a->slots[i % SLOTS];
        scan_slot(a, slot);
        is_last = slot->is_last;
        pass_on(a, slot, SCANNED);
    }
}

/* ---- the caller's ---------------------------------------------------------------------------- */

/* The next piece of the file. False: there is none. */
static bool fill(struct fgi_chrome *c, struct ahead *a, struct slot *slot, uint64_t *offset)
{
    const struct fg_source *source = &c->kept->source;
    slot->offset = *offset;
    enum fg_result result = source->read_at(source->context, *offset, slot->memory + TAIL_BYTES,
                                            a->piece_bytes, &slot->size);
    fgi_builder_fail(c->builder, result);
    slot->is_last = result != FG_OK || slot->size < a->piece_bytes;
    slot->size = result == FG_OK ? slot->size : 0;
    *offset += slot->size;
    pass_on(a, slot, FILLED);
    return !slot->is_last;
}

/* All of it, in order. Returns where what was read ahead ends. */
static uint64_t consume(struct fgi_chrome *c, struct ahead *a, uint64_t offset, uint64_t size)
{
    uint64_t next = offset, behind = offset;
    bool has_more = true, is_last = false;
    for (size_t i = 0; i < SLOTS && has_more; i++) {
        has_more = fill(c, a, &a->slots[i], &next);
    }
    for (size_t i = 0; !is_last && fgi_chrome_go_on(c, behind, size); i++) {
        struct slot *slot = &a->slots[i % SLOTS];
        const uint8_t *bytes = slot->memory + TAIL_BYTES;
        (void)await(a, slot, SCANNED);
        is_last = slot->is_last;
        fgi_chrome_records(c, &slot->scan, bytes, slot->offset);
        behind = slot->offset + (uint64_t)(slot->stop - bytes);
        if (has_more && !is_last) {
            has_more = fill(c, a, slot, &next);
        }
    }
    return behind;
}

static void finish(const struct fg_allocator *allocator, struct ahead *a)
{
    for (size_t i = 0; i < SLOTS; i++) {
        struct slot *slot = &a->slots[i];
        fgi_free(allocator, slot->memory, TAIL_BYTES + a->piece_bytes);
        fgi_free(allocator, slot->scan.records, RECORDS * sizeof *slot->scan.records);
        fgi_free(allocator, slot->scan.parts, PARTS * sizeof *slot->scan.parts);
    }
    fgi_free(allocator, a->tail, TAIL_BYTES);
    fgi_mutex_destroy(a->mutex);
    fgi_free(allocator, a, sizeof *a);
}

static struct ahead *make(const struct fg_allocator *allocator, size_t piece_bytes)
{
    struct ahead *a = fgi_calloc(allocator, 1, sizeof *a);
    if (a == NULL) {
        return NULL;
    }
    a->piece_bytes = piece_bytes;
    a->tail = fgi_malloc(allocator, TAIL_BYTES);
    bool has_all = fgi_mutex_create(allocator, &a->mutex) == FG_OK && a->tail != NULL;
    for (size_t i = 0; i < SLOTS; i++) {
        struct slot *slot = &a->slots[i];
        slot->memory = fgi_malloc(allocator, TAIL_BYTES + piece_bytes);
        slot->scan.records = fgi_malloc(allocator, RECORDS * sizeof *slot->scan.records);
        slot->scan.parts = fgi_malloc(allocator, PARTS * sizeof *slot->scan.parts);
        slot->scan.record_capacity = RECORDS;
        slot->scan.part_capacity = PARTS;
        has_all = has_all && slot->memory && slot->scan.records && slot->scan.parts;
    }
    if (!has_all) {
        finish(allocator, a);
        return NULL;
    }
    return a;
}

/* How long all is read as always now, so that what is never ordinary does not start threads. */
static void pause(struct fgi_chrome *c, uint64_t from, uint64_t to)
{
    bool was_long = to - from >= PAUSE_MOST / 16;
    uint64_t bytes = was_long || c->ahead_pause_bytes == 0 ? PAUSE_LEAST : 2 * c->ahead_pause_bytes;
    c->ahead_pause_bytes = bytes < PAUSE_MOST ? bytes : PAUSE_MOST;
    c->ahead_from = to + c->ahead_pause_bytes;
}

void fgi_chrome_read_ahead(struct fgi_chrome *c, uint64_t *offset, uint64_t size)
{
    size_t piece_bytes = c->options->piece_bytes > 0 && c->options->piece_bytes < PIECE_BYTES
                             ? c->options->piece_bytes
                             : PIECE_BYTES;
    uint64_t behind = *offset;
    struct fgi_thread *thread = NULL;
    struct ahead *a = make(c->allocator, piece_bytes);
    if (a != NULL) {
        (void)fgi_json_is_in_list(&c->reader, &a->is_comma_due);
    }
    /* Without the memory or the thread all is read as always. */
    if (a != NULL && fgi_thread_create(c->allocator, run, a, &thread) == FG_OK) {
        behind = consume(c, a, *offset, size);
        fgi_mutex_lock(a->mutex);
        a->is_quitting = true;
        fgi_mutex_wake_all(a->mutex);
        fgi_mutex_unlock(a->mutex);
        fgi_thread_join(thread);
    }
    if (a != NULL) {
        finish(c->allocator, a);
    }
    fgi_json_jump(&c->reader, behind, behind > *offset);
    pause(c, *offset, behind);
    *offset = behind;
}
