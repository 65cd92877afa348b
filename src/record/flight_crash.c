/* SPDX-License-Identifier: MIT */
/*
 * The dump of a crash. All of this runs in a signal handler, while other threads may go on: no
 * locks, no allocation, no stdio; a test lists what this file may call. Memory that others may take
 * away is only looked at within fgi_crash_try().
 *
 * What is kept in the ring is written as it is, less what refers to what was forgotten. Behind it
 * come the note, and of each thread the events that were not taken out of its ring yet and the
 * zones that it has open, as ZRAW. The file is not closed: readers find its records by themselves.
 */
#include "record/flight_crash.h"

#include "record/instrument/stream_priv.h"

#include <string.h>

enum { NAMES_TRIED = 100, RUN_BYTES = 64 << 10 };

/* ---- reading the ring ------------------------------------------------------------------------ */

struct cursor {
    const struct fgi_ring *ring;
    uint64_t position;
    uint64_t end;
};

static uint64_t get_varint(struct cursor *cursor)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && cursor->position < cursor->end; shift += 7) {
        uint8_t byte = cursor->ring->bytes[cursor->position++ % cursor->ring->size_bytes];
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            break;
        }
    }
    return value;
}

static void see_symbols(struct fgi_crash_dump *dump, struct cursor cursor)
{
    for (uint64_t left = get_varint(&cursor); left != 0 && cursor.position < cursor.end; left--) {
        uint32_t id = (uint32_t)get_varint(&cursor);
        cursor.position += get_varint(&cursor);
        dump->last_symbol = id > dump->last_symbol ? id : dump->last_symbol;
    }
}

/** Every section states the tracks again: a thread is found by the number that the system gave. */
static void see_track(struct fgi_crash_dump *dump, struct cursor cursor)
{
    uint32_t id = (uint32_t)get_varint(&cursor);
    uint32_t kind = (uint32_t)get_varint(&cursor);
    for (int skipped = 0; skipped < 4; skipped++) {
        (void)get_varint(&cursor); /* process, parent, clock, name */
    }
    uint64_t os_id = get_varint(&cursor); /* with 1 added; 0 = not known */
    dump->last_track = id > dump->last_track ? id : dump->last_track;
    if (kind != FG_CAP_TRACK_THREAD || os_id == 0 || dump->thread_count == FGI_CRASH_THREADS) {
        return;
    }
    for (uint32_t i = 0; i < dump->thread_count; i++) {
        if (dump->scratch->threads[i].os_id == os_id - 1) {
            return;
        }
    }
    dump->scratch->threads[dump->thread_count++] = (struct fgi_crash_track){ os_id - 1, id };
}

static void see_clock(struct fgi_crash_dump *dump, struct cursor cursor)
{
    uint32_t id = (uint32_t)get_varint(&cursor);
    if (id == FGI_HOST_CLOCK) {
        dump->host_clock = id;
    } else if (id == FGI_TICKS_CLOCK) {
        dump->ticks_clock = id;
    }
}

static void see_record(struct fgi_crash_dump *dump, uint32_t type, struct cursor payload)
{
    if (type == FG_CAPTURE_SYMS) {
        see_symbols(dump, payload);
    } else if (type == FG_CAPTURE_TRAK) {
        see_track(dump, payload);
    } else if (type == FG_CAPTURE_CLKS) {
        see_clock(dump, payload);
    } else if (type == FG_CAPTURE_FRAM) {
        dump->newest_frame = get_varint(&payload);
        dump->first_frame = dump->has_frame ? dump->first_frame : dump->newest_frame;
        dump->has_frame = true;
    }
}

/** Call for each record that is kept. */
static void each_record(struct fgi_crash_dump *dump,
                        void (*visit)(struct fgi_crash_dump *dump, uint32_t type, uint64_t begin,
                                      struct cursor payload))
{
    uint8_t bytes[FG_CAPTURE_FRAMING_BYTES];
    for (uint64_t at = dump->begin; at < dump->end;) {
        fgi_ring_copy(dump->ring, at, bytes, sizeof bytes);
        struct fgi_cap_framing framing = fgi_cap_framing_load(bytes);
        struct cursor payload = {
            .ring = dump->ring,
            .position = at + sizeof bytes,
            .end = at + sizeof bytes + framing.length,
        };
        visit(dump, framing.type, at, payload);
        at = payload.end;
    }
}

static void look_at(struct fgi_crash_dump *dump, uint32_t type, uint64_t begin,
                    struct cursor payload)
{
    (void)begin;
    see_record(dump, type, payload);
}

/* ---- what was recorded ----------------------------------------------------------------------- */

void fgi_crash_record(struct fgi_crash_dump *dump, uint32_t type, size_t payload_size)
{
    uint8_t *record = dump->scratch->record;
    size_t size = FG_CAPTURE_FRAMING_BYTES + payload_size;
    if (dump->whole_bytes + size > dump->flight->crash.budget_bytes) {
        dump->file.failed = true; /* the quota keeps no more room than this */
        return;
    }
    fgi_cap_framing_store(record, type, record + FG_CAPTURE_FRAMING_BYTES, payload_size);
    fgi_crash_file_write(&dump->file, record, size);
    dump->whole_bytes = dump->file.failed ? dump->whole_bytes : dump->file.size_bytes;
}

struct fgi_payload fgi_crash_payload(struct fgi_crash_dump *dump)
{
    return (struct fgi_payload){
        .data = dump->scratch->record + FG_CAPTURE_FRAMING_BYTES,
        .capacity = FGI_CRASH_RECORD_BYTES - FG_CAPTURE_FRAMING_BYTES,
    };
}

static void write_kept(struct fgi_crash_dump *dump, uint64_t begin, uint64_t end)
{
    const struct fgi_ring *ring = dump->ring;
    while (begin < end) {
        size_t at = (size_t)(begin % ring->size_bytes);
        uint64_t size = end - begin;
        size = size < ring->size_bytes - at ? size : ring->size_bytes - at;
        fgi_crash_file_write(&dump->file, ring->bytes + at, (size_t)size);
        begin += size;
    }
}

/** Records are written together as long as they lie together: `begin` is where these began. */
static void write_run(struct fgi_crash_dump *dump, uint64_t end)
{
    write_kept(dump, dump->begin, end);
    dump->begin = end;
    dump->whole_bytes = dump->file.failed ? dump->whole_bytes : dump->file.size_bytes;
}

/** GPU times of a frame that was forgotten say nothing to anybody. */
static void keep_record(struct fgi_crash_dump *dump, uint32_t type, uint64_t begin,
                        struct cursor payload)
{
    if (type == FG_CAPTURE_GSPN && (!dump->has_frame || get_varint(&payload) < dump->first_frame)) {
        write_run(dump, begin);
        dump->begin = payload.end;
    } else if (payload.end - dump->begin >= RUN_BYTES) {
        write_run(dump, payload.end); /* a disk that is full takes no more than this with it */
    }
}

static void write_recorded(void *context)
{
    struct fgi_crash_dump *dump = context;
    each_record(dump, look_at);
    fgi_crash_file_write(&dump->file, dump->ring->header, sizeof dump->ring->header);
    fgi_crash_file_write(&dump->file, dump->ring->meta, dump->ring->meta_bytes);
    dump->whole_bytes = dump->file.failed ? 0 : dump->file.size_bytes;
    each_record(dump, keep_record);
    write_run(dump, dump->end);
}

static void write_note(struct fgi_crash_dump *dump)
{
    const struct fgi_flight *flight = dump->flight;
    char reason[FGI_FLIGHT_REASON_BYTES];
    struct fgi_text text = { .data = reason, .capacity = sizeof reason };
    fgi_text_put(&text, "flight recorder: the process got ");
    fgi_text_put(&text, dump->crash->name);
    if (dump->crash->address != 0) {
        fgi_text_put(&text, " for address 0x");
        fgi_text_put_number(&text, dump->crash->address, 1, 16);
    }
    struct fgi_flight_note note = {
        .frame = dump->has_frame ? dump->newest_frame : FG_CAP_UNKNOWN,
        .ticks = flight->crash.clock_is_monotonic ? fgi_crash_monotonic_ns() : dump->ring->now_ns,
        .reason = reason,
    };
    size_t size = fgi_flight_note_make(&note, dump->host_clock, dump->scratch->record);
    fgi_crash_file_write(&dump->file, dump->scratch->record, size);
    dump->whole_bytes = dump->file.failed ? dump->whole_bytes : dump->file.size_bytes;
}

/* ---- the dump -------------------------------------------------------------------------------- */

static bool open_file(struct fgi_crash_dump *dump)
{
    struct fgi_flight *flight = dump->flight;
    struct fgi_flight_crash *crash = &flight->crash;
    struct fgi_flight_name parts = {
        .wall_ns = fgi_crash_wall_ns(),
        .process = crash->process,
        .cause = FG_FLIGHT_SIGNAL,
    };
    for (int i = 0; i < NAMES_TRIED; i++) {
        /* relaxed: only uniqueness matters; partner: the dumps outside of crashes */
        parts.number = atomic_fetch_add_explicit(&flight->number, 1, memory_order_relaxed) + 1;
        if (!fgi_flight_name_make(flight->options.pattern, &parts,
                                  crash->path + crash->folder_size)) {
            return false;
        }
        enum fg_result result = fgi_crash_file_open(&dump->file, crash->path);
        if (result != FG_ERR_BUSY) {
            return result == FG_OK;
        }
    }
    return false;
}

/**
 * From here on nothing is overwritten. Sequentially consistent, both: either this sees the `tail`
 * that somebody stored before overwriting, or that one sees that the ring is frozen.
 */
static void freeze(struct fgi_crash_dump *dump)
{
    struct fgi_ring *ring = &dump->flight->ring;
    atomic_store_explicit(&ring->frozen, true, memory_order_seq_cst);
    dump->begin = atomic_load_explicit(&ring->tail, memory_order_seq_cst);
    /* acquire: the bytes before it; partner: append_record() */
    dump->end = atomic_load_explicit(&ring->head, memory_order_acquire);
}

void fgi_flight_crashed(void *context, const struct fgi_crash *crash)
{
    struct fgi_flight *flight = context;
    struct fgi_crash_dump dump = {
        .flight = flight,
        .crash = crash,
        .ring = &flight->ring,
        .scratch = (struct fgi_crash_scratch *)(void *)flight->crash.scratch,
        .host_clock = FG_CAP_NONE,
        .ticks_clock = FG_CAP_NONE,
    };
    /* acquire and release: only one handler passes; partner: fgi_flight_make_room() */
    if (fgi_process_id() != flight->crash.process ||
        atomic_exchange_explicit(&flight->crash.is_done, true, memory_order_acq_rel)) {
        return;
    }
    freeze(&dump);
    if (open_file(&dump)) {
        if (fgi_crash_try(write_recorded, &dump)) {
            write_note(&dump);
            fgi_crash_threads(&dump);
        }
        fgi_crash_file_close(&dump.file, dump.whole_bytes);
    }
    /* seq_cst: as it was set. The program may live on, if it knows what to do about the signal. */
    atomic_store_explicit(&flight->ring.frozen, false, memory_order_seq_cst);
}
