/* SPDX-License-Identifier: MIT */
/*
 * A copy with more notes: the last section is continued. What stays of the file is everything up to
 * the end of its last record; the notes follow, then a directory that lists what the section had
 * and the notes. So nothing is restated, and adding notes again changes the same end.
 */
#include "capture/cap_reader_priv.h"
#include "capture/cap_writer_priv.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/result.h"
#include <frameglass/capture_copy.h>

#include <string.h>

/* FORMAT.md, 8: records of a section at the latest. */
enum { SECTION_RECORDS = 65536 };

/* Where the writer's bytes go: the end of the copy, and its header. */
struct amended {
    struct fgi_bytes tail;
    uint8_t head[FG_CAPTURE_HEADER_BYTES];
};

static enum fg_result take_bytes(void *context, const void *bytes, size_t size)
{
    struct amended *amended = context;
    fgi_put_raw(&amended->tail, bytes, size);
    return amended->tail.result;
}

/* Only the flags and the directory fields are ever patched. Flags that are not known stay. */
static enum fg_result take_patch(void *context, uint64_t offset, const void *bytes, size_t size)
{
    struct amended *amended = context;
    uint32_t flags = fgi_load_u32(amended->head + 8);
    memcpy(amended->head + offset, bytes, size);
    fgi_store_u32(amended->head + 8, fgi_load_u32(amended->head + 8) | flags);
    return FG_OK;
}

/* ---- What the last section has --------------------------------------------------------------- */

/* The records behind the last directory, whether a reader can use them or not. */
static enum fg_result list_open_end(struct fg_capture *capture, struct fg_capture_writer *writer,
                                    uint64_t *out_end)
{
    uint64_t position = writer->section_offset;
    enum fg_result result = FG_OK;
    *out_end = position;
    capture->muted = true;
    while (result == FG_OK) {
        struct fgi_cap_framing framing;
        uint64_t offset;
        result = fgi_walk(capture, &position, &framing, &offset);
        if (result == FG_OK) {
            result = fgi_section_reserve(writer, 1);
        }
        if (result == FG_OK) {
            fgi_section_add_record(writer, framing.type, framing.length, offset);
            *out_end = position;
        }
    }
    capture->muted = false;
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

static enum fg_result list_frame(struct fg_capture_writer *writer, struct fgi_frame_entries *list,
                                 const struct fg_capture_frame_entry *entry, uint32_t flags)
{
    enum fg_result result =
        FGI_GROW(writer->allocator, list->items, list->capacity, list->count + 1, UINT32_MAX);
    if (result == FG_OK) {
        list->items[list->count] = *entry;
        list->items[list->count++].flags = flags;
    }
    return result;
}

/* Frames whose records are there, and those before whose GPU times came there. */
static enum fg_result list_open_frames(const struct fg_capture *capture,
                                       struct fg_capture_writer *writer)
{
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < capture->frame_count && result == FG_OK; i++) {
        if (capture->frames[i].offset >= writer->section_offset) {
            result = list_frame(writer, &writer->frames, &capture->frames[i], 0);
        }
    }
    for (size_t i = 0; i < capture->scanned_count && result == FG_OK; i++) {
        const struct fg_capture_frame_entry *entry =
            &capture->frames[capture->scanned[i].strip_index];
        if (entry->offset < writer->section_offset) {
            result = list_frame(writer, &writer->updates, entry, FGI_FRAME_ENTRY_UPDATE);
        }
    }
    return result;
}

/* The last directory as it is: it will be written anew, with more in it. */
static enum fg_result list_directory(struct fg_capture *capture, struct fg_capture_writer *writer)
{
    const struct fgi_cap_directory *directory = &capture->directory_head;
    enum fg_result result = fgi_load_directory(capture, capture->section_count - 1);
    if (result != FG_OK) {
        return result;
    }
    writer->section_offset = directory->section_offset;
    writer->previous_directory = directory->previous_offset;
    writer->session_lo = directory->session_lo;
    result = fgi_section_reserve(writer, directory->record_count);
    for (uint32_t i = 0; i < directory->record_count && result == FG_OK; i++) {
        struct fgi_cap_record_entry entry = fgi_cap_directory_record(capture->directory, i);
        fgi_section_add_record(writer, entry.type, entry.length, entry.offset);
    }
    for (uint32_t i = 0; i < directory->frame_count && result == FG_OK; i++) {
        struct fg_capture_frame_entry entry =
            fgi_cap_directory_frame(capture->directory, directory, i);
        bool is_update = (entry.flags & FGI_FRAME_ENTRY_UPDATE) != 0;
        result =
            list_frame(writer, is_update ? &writer->updates : &writer->frames, &entry, entry.flags);
    }
    return result;
}

/* Fill the writer's lists; *out_keep: where the records end that they list. */
static enum fg_result list_last_section(struct fg_capture *capture,
                                        struct fg_capture_writer *writer, uint64_t *out_keep)
{
    if (capture->section_count != 0) {
        const struct fgi_section *last = &capture->sections[capture->section_count - 1];
        writer->section_offset = last->directory_end;
        writer->previous_directory = last->directory_offset;
        *out_keep = last->directory_offset;
    }
    uint64_t end;
    enum fg_result result = list_open_end(capture, writer, &end);
    if (result == FG_OK && writer->record_count != 0) {
        *out_keep = end;
        return list_open_frames(capture, writer);
    }
    if (result == FG_OK) {
        result = capture->section_count != 0 ? list_directory(capture, writer) : FG_ERR_CORRUPT;
    }
    return result;
}

/* Does a reader that knows no directory come to this offset, too, and not into a record there? */
static enum fg_result is_between_records(struct fg_capture *capture, uint64_t place, bool *out_is)
{
    uint64_t position = FG_CAPTURE_HEADER_BYTES;
    uint64_t offset = 0;
    enum fg_result result = FG_OK;
    capture->muted = true;
    while (result == FG_OK && position < place) {
        struct fgi_cap_framing framing;
        result = fgi_walk(capture, &position, &framing, &offset);
    }
    capture->muted = false;
    *out_is = position <= place || offset >= place;
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

/* ---- The clock of notes that have a time ----------------------------------------------------- */

struct host_clock {
    bool is_wanted;
    bool is_found;
    struct fg_cap_clock clock;
    uint32_t text_ids[2]; /**< its symbols, and their texts: lent by the capture */
    const char *texts[2];
    size_t text_sizes[2];
};

static bool is_axis(const struct fg_cap_clock *clock)
{
    return clock->domain == FG_CAP_DOMAIN_HOST && clock->reading_count == 0 &&
           clock->period_num != 0 && clock->period_den != 0;
}

/* From the start: who is recorded, and the first clock that is the trace's axis. */
static enum fg_result read_context(struct fg_capture *capture, struct fg_capture_writer *writer,
                                   struct host_clock *host)
{
    struct fg_capture_record record;
    enum fg_result result;
    while ((result = fg_capture_next(capture, &record)) == FG_OK) {
        if (record.type == FG_CAPTURE_META) {
            writer->session_hi = record.meta->session_hi;
            writer->session_lo = record.meta->session_lo;
        }
        if (!host->is_wanted) {
            return FG_OK;
        }
        if (record.type == FG_CAPTURE_CLKS && is_axis(record.clock)) {
            host->is_found = true;
            host->clock = *record.clock;
            host->clock.readings = NULL;
            host->text_ids[0] = record.clock->name;
            host->text_ids[1] = record.clock->reason;
            for (size_t i = 0; i < 2; i++) {
                host->texts[i] =
                    fg_capture_symbol(capture, host->text_ids[i], &host->text_sizes[i]);
            }
            return FG_OK;
        }
    }
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

/* Does the section say what this clock is? */
static enum fg_result is_stated(struct fg_capture *capture, const struct fg_capture_writer *writer,
                                uint32_t id, bool *out_stated)
{
    enum fg_result result = FG_OK;
    *out_stated = false;
    for (size_t i = 0; i < writer->record_count && result == FG_OK && !*out_stated; i++) {
        const struct fgi_cap_record_entry *entry = &writer->records[i];
        if (entry->type == FG_CAPTURE_CLKS && entry->length <= capture->max_payload_bytes) {
            result = fgi_load_payload(capture, entry->offset, entry->length);
            if (result == FG_OK) {
                struct fgi_reader reader = fgi_reader_make(capture->payload, entry->length);
                *out_stated = fgi_get_varint32(&reader) == id && !reader.failed;
            }
        }
    }
    return result;
}

static enum fg_result put_plain(struct fg_capture_writer *writer, uint32_t type, fgi_fields *fields,
                                void *payload)
{
    /* Nobody is told of references: the names in this file are not the writer's. */
    struct fgi_codec codec = { .mode = FGI_CODEC_ENCODE, .out = &writer->body };
    fgi_bytes_clear(&writer->body);
    fields(&codec, payload);
    return fgi_writer_commit(writer, type, &writer->body);
}

/* The clock once more, with its names, where the section does not have it. */
static enum fg_result restate_clock(struct fg_capture_writer *writer, struct host_clock *host)
{
    struct fg_cap_symbol symbols[2];
    struct fg_cap_symbols list = { .symbols = symbols };
    for (size_t i = 0; i < 2; i++) {
        if (host->text_ids[i] != 0) {
            symbols[list.symbol_count++] = (struct fg_cap_symbol){
                .id = host->text_ids[i],
                .text = { host->texts[i], host->text_sizes[i] },
            };
        }
    }
    enum fg_result result = FG_OK;
    if (list.symbol_count != 0) {
        result = put_plain(writer, FG_CAPTURE_SYMS, fgi_fields_symbols, &list);
    }
    return result == FG_OK ? put_plain(writer, FG_CAPTURE_CLKS, fgi_fields_clock, &host->clock)
                           : result;
}

/* ---- The notes ------------------------------------------------------------------------------- */

static enum fg_result put_note(struct fg_capture_writer *writer, const struct host_clock *host,
                               const struct fg_capture_new_note *from)
{
    struct fg_cap_note note = {
        .frame = from->frame,
        .clock = FG_CAP_NONE,
        .text = from->text,
    };
    if (from->has_time) {
        note.clock = host->clock.id;
        note.ticks = fgi_ticks_to_ns(from->time_ns, (struct fgi_rational){
                                                        host->clock.period_den,
                                                        host->clock.period_num,
                                                    });
    }
    return put_plain(writer, FG_CAPTURE_NOTE, fgi_fields_note, &note);
}

/* A section that is full ends here, and the notes get one of their own. */
static enum fg_result make_room(struct fg_capture *capture, struct fg_capture_writer *writer,
                                size_t note_count, bool *out_fresh)
{
    enum { CLOCK_RECORDS = 2 };
    *out_fresh = false;
    if (writer->record_count + note_count + CLOCK_RECORDS <= SECTION_RECORDS) {
        return FG_OK;
    }
    *out_fresh = true;
    writer->stats.frame_count = capture->frame_count;
    writer->stats.record_count = writer->record_count + 1;
    for (size_t i = 0; i < capture->section_count; i++) {
        if (capture->sections[i].offset >= writer->section_offset) {
            break; /* the one that is written anew */
        }
        enum fg_result result = fgi_load_directory(capture, i);
        if (result != FG_OK) {
            return result;
        }
        writer->stats.checkpoint_count++;
        writer->stats.record_count += capture->directory_head.record_count + UINT64_C(1);
    }
    enum fg_result result = fgi_section_end(writer, 0);
    return result == FG_OK ? fgi_section_checkpoint(writer) : result;
}

static enum fg_result amend(struct fg_capture *capture, struct fg_capture_writer *writer,
                            const struct fg_capture_new_note *notes, size_t note_count,
                            struct fg_diag *diag, uint64_t *out_keep)
{
    struct host_clock host = { 0 };
    bool is_fresh = false;
    bool knows_clock = true;
    for (size_t i = 0; i < note_count; i++) {
        host.is_wanted |= notes[i].has_time;
    }
    enum fg_result result = read_context(capture, writer, &host);
    if (result == FG_OK && host.is_wanted && !host.is_found) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0,
                        "the capture has no clock of the host: a note needs a frame here");
    }
    if (result == FG_OK) {
        result = list_last_section(capture, writer, out_keep);
    }
    bool is_end = true;
    if (result == FG_OK) {
        result = is_between_records(capture, *out_keep, &is_end);
    }
    if (result == FG_OK && !is_end) {
        return fgi_fail(diag, FG_ERR_CORRUPT, *out_keep,
                        "the end of the last section lies inside of a record: repair it first");
    }
    if (result == FG_OK) {
        writer->buffer.size = 0; /* the header that a new file begins with */
        writer->buffer_offset = *out_keep;
        result = make_room(capture, writer, note_count, &is_fresh);
    }
    if (result == FG_OK && host.is_wanted && !is_fresh) {
        result = is_stated(capture, writer, host.clock.id, &knows_clock);
    }
    if (result == FG_OK && host.is_wanted && (is_fresh || !knows_clock)) {
        result = restate_clock(writer, &host);
    }
    for (size_t i = 0; i < note_count && result == FG_OK; i++) {
        result = put_note(writer, &host, &notes[i]);
    }
    if (result == FG_OK) {
        writer->has_meta = true; /* the copy has the META that its source has */
        result = fg_capture_writer_close(writer);
    }
    return result;
}

/* ---- The face -------------------------------------------------------------------------------- */

static enum fg_result hand_over(const struct fg_allocator *allocator, const struct amended *amended,
                                uint64_t keep_bytes, struct fg_capture_amendment *out_amendment)
{
    uint8_t *tail = fgi_malloc(allocator, amended->tail.size);
    if (tail == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    memcpy(tail, amended->tail.data, amended->tail.size);
    *out_amendment = (struct fg_capture_amendment){
        .keep_bytes = keep_bytes,
        .tail = tail,
        .tail_bytes = amended->tail.size,
    };
    memcpy(out_amendment->head, amended->head, sizeof amended->head);
    return FG_OK;
}

enum fg_result fg_capture_amend(const struct fg_source *source,
                                const struct fg_capture_options *options,
                                const struct fg_capture_new_note *notes, size_t note_count,
                                struct fg_diag *diag, struct fg_capture_amendment *out_amendment)
{
    struct fg_capture_options reading =
        options != NULL ? *options : (struct fg_capture_options){ 0 };
    struct amended amended = { .tail = { .allocator = reading.allocator } };
    const struct fg_sink sink = { .write = take_bytes, .patch = take_patch, .context = &amended };
    const struct fg_capture_writer_options writing = {
        .allocator = reading.allocator,
        .max_buffer_bytes = SIZE_MAX / 2,
    };
    struct fg_capture *capture = NULL;
    struct fg_capture_writer *writer = NULL;
    uint64_t keep_bytes = 0;
    for (size_t i = 0; i < note_count; i++) {
        if (notes[i].text.data == NULL || notes[i].text.size == 0) {
            return fgi_fail(diag, FG_ERR_ARGUMENT, 0, "note %zu has no text", i + 1);
        }
    }
    reading.flags &= ~(uint32_t)FG_CAPTURE_FOLLOW;
    enum fg_result result = fg_capture_open(source, &reading, diag, &capture);
    if (result != FG_OK) {
        return result;
    }
    struct fg_diag why = { 0 };
    result = fgi_read_exact(capture, 0, amended.head, sizeof amended.head);
    if (result == FG_OK) {
        result = fg_capture_writer_create(&sink, &writing, &writer);
    }
    if (result == FG_OK) {
        result = amend(capture, writer, notes, note_count, &why, &keep_bytes);
    }
    if (result == FG_OK) {
        result = hand_over(reading.allocator, &amended, keep_bytes, out_amendment);
    }
    if (result != FG_OK) {
        (void)fgi_fail(diag, result, capture->position, "adding notes: %s",
                       why.message[0] != '\0' ? why.message : fg_result_text(result));
    }
    fg_capture_writer_destroy(writer);
    fgi_bytes_finish(&amended.tail);
    fg_capture_close(capture);
    return result;
}

void fg_capture_amendment_finish(const struct fg_allocator *allocator,
                                 struct fg_capture_amendment *amendment)
{
    if (amendment != NULL) {
        fgi_free(allocator, amendment->tail, amendment->tail_bytes);
        *amendment = (struct fg_capture_amendment){ 0 };
    }
}
