/* SPDX-License-Identifier: MIT */
/*
 * Objects in a capture: what lived at its start, and what changed since. FORMAT.md, 7.7.
 *
 * Whoever changes an object holds `objects`, and only leaves a note; the notes belong to that lock
 * until a drain takes all of them over. Changes are numbered, so that each session gets those after
 * the moment at which it was told what lives.
 */
#include "record/instrument/stream_priv.h"

#include <string.h>

#define REVT_EVENTS 1024u

/* Belong to `objects`. */
static struct fgi_object_notes waiting;
static uint32_t listeners;
/* Belongs to `drain`. */
static struct fgi_object_notes taken;

static void add_note(struct fgi_object_notes *notes, uint32_t kind, uint64_t ticks,
                     const struct fg_object_row *row)
{
    const size_t size = strlen(row->name);
    const bool has_room = FGI_GROW(notes->allocator, notes->items, notes->capacity,
                                   notes->count + 1, FGI_STREAM_CHANGES_MAX) == FG_OK;
    if (!has_room || !fgi_bytes_reserve(&notes->texts, size)) {
        notes->texts.result = FG_OK;
        notes->lost++;
        return;
    }
    notes->items[notes->count++] = (struct fgi_object_note){
        .row = *row,
        .name_offset = notes->texts.size,
        .name_size = size,
        .ticks = ticks,
        .kind = kind,
    };
    fgi_put_raw(&notes->texts, row->name, size);
}

void fgi_streams_object(const struct fgi_object_change *change)
{
    if (listeners != 0) {
        add_note(&waiting, change->kind, change->ticks, change->row);
    }
}

static void clear(struct fgi_object_notes *notes)
{
    notes->first += notes->count;
    notes->count = 0;
    notes->lost = 0;
    fgi_bytes_clear(&notes->texts);
}

static void drop(struct fgi_object_notes *notes)
{
    fgi_free(notes->allocator, notes->items, notes->capacity * sizeof *notes->items);
    fgi_bytes_finish(&notes->texts);
    notes->items = NULL;
    notes->capacity = notes->count = 0;
    notes->texts = (struct fgi_bytes){ .allocator = notes->allocator };
}

static void note_living(void *context, const struct fg_object_row *row)
{
    struct fgi_stream *stream = context;
    if (row != NULL) {
        add_note(&stream->living, FG_CAP_RESOURCE_LIVES, fgi_ticks_now(), row);
        return;
    }
    if (listeners++ == 0) {
        waiting.allocator = waiting.texts.allocator = fgi_instrument_allocator();
    }
    stream->first_change = waiting.first + waiting.count;
}

void fgi_stream_listen(struct fgi_stream *stream)
{
    fgi_objects_each(note_living, stream);
}

void fgi_stream_unlisten(void)
{
    fgi_mutex_lock(fgi_objects_lock);
    if (--listeners == 0) {
        clear(&waiting);
        drop(&waiting);
        clear(&taken);
        drop(&taken);
    }
    fgi_mutex_unlock(fgi_objects_lock);
}

const struct fgi_object_notes *fgi_stream_changes(void)
{
    clear(&taken);
    fgi_mutex_lock(fgi_objects_lock);
    const struct fgi_object_notes empty = taken;
    taken = waiting;
    waiting = empty;
    waiting.allocator = waiting.texts.allocator = taken.allocator;
    waiting.first = taken.first + taken.count;
    fgi_mutex_unlock(fgi_objects_lock);
    return &taken;
}

bool fgi_stream_has_objects(const struct fgi_stream *stream, const struct fgi_object_notes *changes)
{
    return stream->living.count != 0 || changes->first + changes->count > stream->first_change;
}

static bool has_detail(const struct fg_object_row *row)
{
    return row->accuracy != FG_ACCURACY_EXACT || row->format != 0 || row->width != 0 ||
           row->height != 0 || row->depth != 0 || row->mip_count != 0 || row->layer_count != 0;
}

static struct fg_cap_resource_event event_of(struct fg_session *session,
                                             const struct fgi_object_notes *notes,
                                             const struct fgi_object_note *note)
{
    const char *name = (const char *)notes->texts.data + note->name_offset;
    return (struct fg_cap_resource_event){
        .ticks = (int64_t)note->ticks,
        .kind = note->kind,
        .resource = note->row.id,
        .frame = FG_CAP_UNKNOWN,
        .name = note->name_size != 0 ? fgi_session_symbol(session, name, note->name_size) : 0,
        .type = fgi_session_symbol(session, note->row.type, strlen(note->row.type)),
        .heap = FG_CAP_NONE,
        .size_bytes =
            note->row.accuracy != FG_ACCURACY_UNAVAILABLE ? note->row.size_bytes : FG_CAP_UNKNOWN,
    };
}

/* Notes from `first` on, at most one record's. How many notes those were. */
static size_t write_record(struct fgi_stream *stream, const struct fgi_object_notes *notes,
                           size_t first)
{
    static struct fg_cap_resource_event events[REVT_EVENTS]; /* both under `drain` */
    static struct fg_cap_resource_detail details[REVT_EVENTS];
    struct fg_session *session = stream->session;
    struct fg_cap_resource_events list = { FGI_TICKS_CLOCK, events, 0, details, 0 };
    size_t done = 0;
    for (; first + done < notes->count && list.event_count < REVT_EVENTS; done++) {
        const struct fgi_object_note *note = &notes->items[first + done];
        if (!fgi_stream_ends_in_time(stream, note->ticks)) {
            continue;
        }
        if (has_detail(&note->row)) {
            details[list.detail_count++] = (struct fg_cap_resource_detail){
                (uint32_t)list.event_count,
                note->row.format,
                note->row.width,
                note->row.height,
                note->row.depth,
                note->row.mip_count,
                note->row.layer_count,
                (uint32_t)note->row.accuracy,
            };
        }
        events[list.event_count++] = event_of(session, notes, note);
    }
    if (list.event_count != 0 && session->result == FG_OK) {
        (void)fgi_session_ok(session, fg_capture_writer_resource_events(session->writer, &list));
    }
    return done;
}

static void write_notes(struct fgi_stream *stream, const struct fgi_object_notes *notes,
                        size_t first)
{
    while (first < notes->count && stream->session->result == FG_OK) {
        first += write_record(stream, notes, first);
    }
    fgi_stream_lost(stream, notes->lost);
}

void fgi_stream_write_objects(struct fgi_stream *stream, const struct fgi_object_notes *changes)
{
    if (stream->living.count != 0 || stream->living.lost != 0) {
        write_notes(stream, &stream->living, 0);
        drop(&stream->living);
        stream->living.lost = 0;
    }
    const uint64_t skipped =
        stream->first_change > changes->first ? stream->first_change - changes->first : 0;
    write_notes(stream, changes, skipped < changes->count ? (size_t)skipped : changes->count);
}
