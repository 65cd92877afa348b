/* SPDX-License-Identifier: MIT */
/*
 * What the threads of a process that crashes had not told yet: the events that nobody has taken out
 * of their rings, and the zones that they have open. In the signal handler, as flight_crash.c.
 */
#include "record/flight_crash.h"

#include <string.h>

enum {
    ZRAW_HEAD_BYTES = 48,
    EVENT_BYTES = sizeof(struct fg_ring_event),
    EVENTS_MAX =
        (FGI_CRASH_RECORD_BYTES - FG_CAPTURE_FRAMING_BYTES - ZRAW_HEAD_BYTES) / EVENT_BYTES,
    NAME_BYTES = 4096,
    OPEN_BYTES = 4096, /* of a thread's share: for what it has open, its track and names */
};

/** A new symbol of the file. */
static uint32_t new_symbol(struct fgi_crash_dump *dump, uint32_t symbol, const char *text,
                           size_t size)
{
    struct fgi_payload payload = fgi_crash_payload(dump);
    fgi_payload_varint(&payload, 1);
    fgi_payload_varint(&payload, symbol);
    fgi_payload_text(&payload, text, size);
    fgi_crash_record(dump, FG_CAPTURE_SYMS, payload.size);
    return symbol;
}

/** The symbol of a label's name: names follow the file's own symbols. */
static uint32_t symbol_of(const struct fgi_crash_dump *dump, uint32_t label)
{
    return label >> 3 != 0 ? dump->last_symbol + (label >> 3) : 0;
}

static void define_label(struct fgi_crash_dump *dump, uint32_t label)
{
    uint32_t name = label >> 3;
    if (name == 0 || name >= FG_CNATRACE_NAMES_MAX ||
        (dump->scratch->defined[name / 8] >> name % 8 & 1) != 0) {
        return;
    }
    size_t size;
    const char *text = fgi_name_text(name, &size);
    dump->scratch->defined[name / 8] |= (uint8_t)(1u << name % 8);
    (void)new_symbol(dump, symbol_of(dump, label), text, size <= NAME_BYTES ? size : NAME_BYTES);
}

/** The thread's track: the one that its events are on already, or a new one. */
static uint32_t find_track(struct fgi_crash_dump *dump)
{
    const struct fgi_producer *thread = dump->thread;
    for (uint32_t i = 0; i < dump->thread_count; i++) {
        if (dump->scratch->threads[i].os_id == thread->os_id) {
            return dump->scratch->threads[i].track;
        }
    }
    size_t size = 0;
    while (size < sizeof thread->name - 1 && thread->name[size] != 0) {
        size++;
    }
    uint32_t track = ++dump->last_track;
    /* Symbols of names end where this one's are taken from: below 2^32, above all names. */
    uint32_t name =
        new_symbol(dump, dump->last_symbol + FG_CNATRACE_NAMES_MAX + track, thread->name, size);
    struct fgi_payload payload = fgi_crash_payload(dump);
    fgi_payload_varint(&payload, track);
    fgi_payload_varint(&payload, FG_CAP_TRACK_THREAD);
    fgi_payload_varint(&payload, FGI_PROCESS + 1);
    fgi_payload_varint(&payload, 0); /* no parent */
    fgi_payload_varint(&payload, (uint64_t)dump->ticks_clock + 1);
    fgi_payload_varint(&payload, name);
    fgi_payload_varint(&payload, thread->os_id + 1);
    fgi_payload_varint(&payload, 0); /* no flags of a queue */
    fgi_payload_svarint(&payload, thread->context.thread);
    fgi_crash_record(dump, FG_CAPTURE_TRAK, payload.size);
    return track;
}

/** The events of one ZRAW record are gathered in the record itself. */
static uint8_t *event_at(const struct fgi_crash_dump *dump, size_t index)
{
    return dump->scratch->record + FG_CAPTURE_FRAMING_BYTES + ZRAW_HEAD_BYTES + index * EVENT_BYTES;
}

static void store_event(const struct fgi_crash_dump *dump, size_t index,
                        const struct fg_ring_event *event)
{
    uint8_t *out = event_at(dump, index);
    fgi_store_u64(out, event->ticks);
    fgi_store_u32(out + 8, symbol_of(dump, event->label));
    fgi_store_u16(out + 12, event->kind);
    fgi_store_u16(out + 14, event->depth);
    fgi_store_u64(out + 16, event->value);
    fgi_store_u32(out + 24, event->serial);
    fgi_store_u32(out + 28, event->parent);
}

static void write_events(struct fgi_crash_dump *dump, uint64_t first_sequence, size_t count)
{
    uint8_t *out = dump->scratch->record + FG_CAPTURE_FRAMING_BYTES;
    memset(out, 0, ZRAW_HEAD_BYTES);
    fgi_store_u32(out, dump->track);
    fgi_store_u32(out + 4, dump->ticks_clock);
    fgi_store_u64(out + 8, first_sequence);
    /* relaxed: a count; partner: the thread's own */
    fgi_store_u64(out + 16, __atomic_load_n(&dump->thread->dropped, __ATOMIC_RELAXED));
    fgi_store_u32(out + 24, (uint32_t)count);
    fgi_store_u32(out + 28, EVENT_BYTES);
    fgi_crash_record(dump, FG_CAPTURE_ZRAW, ZRAW_HEAD_BYTES + count * EVENT_BYTES);
}

static bool has_room(const struct fgi_crash_dump *dump, uint64_t event_count)
{
    return dump->whole_bytes + FG_CAPTURE_FRAMING_BYTES + ZRAW_HEAD_BYTES +
               event_count * EVENT_BYTES <=
           dump->events_end_bytes;
}

/**
 * Events [from, to) of the thread's ring: their names first, since they share the memory. What the
 * thread overwrites meanwhile is left out, and the oldest of them where room is short.
 */
static void write_ring_part(struct fgi_crash_dump *dump, uint64_t from, uint64_t to)
{
    const struct fg_thread_context *context = &dump->thread->context;
    const uint64_t size = (uint64_t)context->ring_mask + 1;
    uint64_t named = to;
    while (named > from && has_room(dump, to - named + 1)) {
        define_label(dump, context->ring[--named & context->ring_mask].label);
    }
    from = named;
    for (uint64_t i = from; i < to; i++) {
        store_event(dump, (size_t)(i - from), &context->ring[i & context->ring_mask]);
    }
#ifndef __SANITIZE_THREAD__ /* GCC's thread sanitizer knows no fences and says so */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
    /* acquire: with the fence, after the loads above; partner: the thread's store of `head` */
    uint64_t head = __atomic_load_n(&context->head, __ATOMIC_ACQUIRE);
    uint64_t gone = head >= size ? head - size + 1 : 0; /* the one at `head` may be half written */
    gone = gone > from ? gone : from;
    if (gone < to) {
        size_t count = (size_t)(to - gone);
        memmove(event_at(dump, 0), event_at(dump, (size_t)(gone - from)), count * EVENT_BYTES);
        write_events(dump, gone, count);
    }
}

static void write_open(struct fgi_crash_dump *dump, uint64_t sequence)
{
    const struct fg_zone_slot *open = dump->scratch->open;
    uint32_t count = fgi_thread_open_zones(dump->thread, dump->scratch->open);
    for (uint32_t i = 0; i < count; i++) {
        define_label(dump, open[i].label);
    }
    for (uint32_t i = 0; i < count; i++) {
        store_event(dump, i,
                    &(struct fg_ring_event){
                        .ticks = open[i].begin_ticks,
                        .label = open[i].label,
                        .kind = FG_CAP_EVENT_BEGIN,
                        .depth = (uint16_t)i,
                        .serial = open[i].serial,
                        .parent = i != 0 ? open[i - 1].serial : 0,
                    });
    }
    if (count != 0) {
        write_events(dump, sequence, count);
    }
}

/**
 * The file may have only so many bytes, and what some threads did last must not cost what others
 * have open: each has an equal part of what is left, and of its events the newest go in.
 *
 * @return how many events at most
 */
static uint64_t take_share(struct fgi_crash_dump *dump)
{
    const uint64_t most = dump->flight->crash.budget_bytes;
    const uint64_t left = most > dump->whole_bytes ? most - dump->whole_bytes : 0;
    const uint64_t share = left / dump->threads_left;
    const uint64_t events = share > OPEN_BYTES ? share - OPEN_BYTES : 0;
    dump->events_end_bytes = dump->whole_bytes + events;
    return events / EVENT_BYTES;
}

static void write_thread(void *context)
{
    struct fgi_crash_dump *dump = context;
    const struct fgi_producer *thread = dump->thread;
    /* acquire: the events before it; partner: the thread's store */
    const uint64_t head = __atomic_load_n(&thread->context.head, __ATOMIC_ACQUIRE);
    const struct fg_ring_event *ring = __atomic_load_n(&thread->context.ring, __ATOMIC_ACQUIRE);
    const uint64_t size = (uint64_t)thread->context.ring_mask + 1;
    /* relaxed: whoever empties rings may go on; what it takes is written twice, or left out */
    uint64_t from = __atomic_load_n(&thread->tail, __ATOMIC_RELAXED);
    from = head - from > size ? head - size : from;
    const uint64_t most = take_share(dump);
    from = head - from > most ? head - most : from;
    dump->track = find_track(dump);
    while (ring != NULL && from < head) {
        uint64_t to = head - from < EVENTS_MAX ? head : from + EVENTS_MAX;
        write_ring_part(dump, from, to);
        from = to;
    }
    write_open(dump, head);
}

void fgi_crash_threads(struct fgi_crash_dump *dump)
{
    if (dump->ticks_clock == FG_CAP_NONE) {
        return; /* the session has nothing of the process's diagnostics */
    }
    fgi_threads_freeze();
    const struct fgi_producer *first = fgi_threads_first_unlocked();
    for (const struct fgi_producer *thread = first; thread != NULL; thread = thread->next) {
        dump->threads_left++;
    }
    for (const struct fgi_producer *thread = first;
         thread != NULL && dump->threads_left != 0 && !dump->file.failed; thread = thread->next) {
        dump->thread = thread;
        (void)fgi_crash_try(write_thread, dump);
        dump->threads_left--;
    }
}
