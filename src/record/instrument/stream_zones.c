/* SPDX-License-Identifier: MIT */
/* Zones, markers, losses and frames of loops as blocks of spans. FORMAT.md, 7.3. */
#include "record/instrument/stream_priv.h"
#include "base/hash.h"

#include <string.h>

#define NAMES_MAX  (1u << 22)
#define OPEN_MAX   (1u << 20)
#define FIRST_LOOP 0x10000u /* ids of tracks of loops; threads' tracks are below */
#define NO_LINK    FG_CAP_UNKNOWN

/* ---- names --------------------------------------------------------------------------------- */

uint32_t fgi_stream_name(struct fgi_stream *stream, uint32_t name)
{
    struct fg_session *session = stream->session;
    size_t size;
    const char *text = fgi_name_text(name, &size);
    const size_t before = stream->name_capacity;
    if (size == 0 || FGI_GROW(session->allocator, stream->name_symbols, stream->name_capacity,
                              (size_t)name + 1, NAMES_MAX) != FG_OK) {
        return fgi_session_symbol(session, text, size);
    }
    if (stream->name_capacity != before) {
        memset(stream->name_symbols + before, 0,
               (stream->name_capacity - before) * sizeof *stream->name_symbols);
    }
    if (stream->name_symbols[name] == 0) {
        stream->name_symbols[name] = fgi_session_symbol(session, text, size);
    }
    return stream->name_symbols[name];
}

static uint32_t category_symbol(struct fgi_stream *stream, uint32_t category)
{
    uint32_t *symbol = &stream->category_symbols[category & 7];
    if (*symbol == 0) {
        const char *text = fg_category_name((enum fg_category)(category & 7));
        *symbol = fgi_session_symbol(stream->session, text, strlen(text));
    }
    return *symbol;
}

/* Track of a thread; stated again when the thread has got another name. FG_CAP_NONE: no memory. */
static uint32_t track_of(struct fgi_stream *stream, const struct fgi_producer *thread)
{
    uint32_t known;
    const uint64_t key = thread->context.thread;
    const uint32_t hash =
        (uint32_t)fgi_hash64(1, thread->name, strnlen(thread->name, sizeof thread->name)) &
        INT32_MAX;
    const bool is_known = fgi_map64_get(&stream->threads, key, &known);
    if (!is_known || known != hash) {
        fgi_session_name_thread(stream->session, thread->number, thread->name, thread->os_id);
        if (fgi_map64_put(&stream->threads, key, hash) != FG_OK) {
            return FG_CAP_NONE; /* so that it is not stated with every block */
        }
    }
    return fgi_session_thread_track(stream->session, thread->number);
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* By begin, the longer first, the outer first. */
static bool comes_before(const struct fg_cap_block_span *a, const struct fg_cap_block_span *b)
{
    if (a->begin_ticks != b->begin_ticks) {
        return a->begin_ticks < b->begin_ticks;
    }
    return a->end_ticks != b->end_ticks ? a->end_ticks > b->end_ticks : a->depth < b->depth;
}

/*
 * Zones come in the order of their ends, so each one has to pass only those inside of it: the steps
 * in all are the number of spans times their mean depth.
 */
static void sort_spans(struct fg_cap_block_span *spans, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        size_t to = i;
        while (to != 0 && comes_before(&spans[i], &spans[to - 1])) {
            to--;
        }
        if (to != i) {
            const struct fg_cap_block_span span = spans[i];
            memmove(&spans[to + 1], &spans[to], (i - to) * sizeof *spans);
            spans[to] = span;
        }
    }
}

bool fgi_stream_put(struct fgi_stream *stream, uint32_t track, size_t count)
{
    struct fg_session *session = stream->session;
    sort_spans(stream->spans, count);
    const struct fg_cap_span_block block = {
        .id = session->next_block++,
        .track = track,
        .clock = FGI_TICKS_CLOCK,
        .spans = stream->spans,
        .span_count = count,
    };
    return session->result == FG_OK &&
           fgi_session_ok(session, fg_capture_writer_span_block(session->writer, &block));
}

static struct fg_cap_block_span instant(uint64_t ticks, uint32_t flags, int64_t value)
{
    return (struct fg_cap_block_span){
        .begin_ticks = (int64_t)ticks,
        .end_ticks = (int64_t)ticks,
        .flags = FG_CAP_BLOCK_SPAN_INSTANT | flags,
        .frame = NO_LINK,
        .object = NO_LINK,
        .value = value,
    };
}

/* ---- what threads wrote -------------------------------------------------------------------- */

static bool is_noted_open(const struct fgi_stream *stream, const struct fgi_producer *thread,
                          uint32_t serial)
{
    for (size_t i = 0; i < stream->open_count; i++) {
        if (stream->open[i].thread == thread && stream->open[i].slot.serial == serial) {
            return true;
        }
    }
    return false;
}

/*
 * A zone that ended. What ended after the session's stop was open at it, and is kept so; unless it
 * has been noted as open, and is written with those.
 */
static bool zone_of(const struct fgi_stream *stream, const struct fgi_producer *thread,
                    const struct fg_ring_event *event, struct fg_cap_block_span *out)
{
    *out = (struct fg_cap_block_span){
        .begin_ticks = (int64_t)event->value,
        .end_ticks = (int64_t)event->ticks,
        .flags = event->kind == FG_RING_ZONE_FORCED ? FG_CAP_BLOCK_SPAN_FORCED
                 : event->kind == FG_RING_MALFORMED ? FG_CAP_BLOCK_SPAN_MALFORMED
                                                    : 0u,
        .frame = NO_LINK,
        .object = NO_LINK,
    };
    if (fgi_stream_ends_in_time(stream, event->ticks)) {
        return true;
    }
    out->end_ticks = (int64_t)stream->halt_ticks;
    out->flags = FG_CAP_BLOCK_SPAN_UNFINISHED;
    return event->value <= stream->halt_ticks && !is_noted_open(stream, thread, event->serial);
}

/* False: it is not one of this session. */
static bool span_of(struct fgi_stream *stream, const struct fgi_producer *thread,
                    const struct fg_ring_event *event, struct fg_cap_block_span *out)
{
    bool is_ours = fgi_stream_ends_in_time(stream, event->ticks);
    switch (event->kind) {
    case FG_RING_ZONE:
    case FG_RING_ZONE_FORCED:
        is_ours = zone_of(stream, thread, event, out);
        break;
    case FG_RING_MALFORMED:
        if (event->value != 0) {
            is_ours = zone_of(stream, thread, event, out);
        } else {
            *out = instant(event->ticks, FG_CAP_BLOCK_SPAN_MALFORMED, 0);
        }
        break;
    case FG_RING_MARK:
        *out = instant(event->ticks, 0, (int64_t)event->value);
        break;
    default:
        return false; /* objects are told of as such */
    }
    if (is_ours) {
        out->depth = event->depth;
        out->name = fgi_stream_name(stream, event->label >> 3);
        out->category = event->label != 0 ? category_symbol(stream, event->label) : 0;
    }
    return is_ours;
}

/* Events that belong into the capture, for when they cannot go there. */
static uint64_t count_events(const struct fg_ring_event *events, size_t count)
{
    uint64_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found +=
            events[i].kind != FG_RING_OBJECT_CREATED && events[i].kind != FG_RING_OBJECT_DESTROYED
                ? 1
                : 0;
    }
    return found;
}

static void write_events(struct fgi_stream *stream, const struct fgi_producer *thread,
                         const struct fg_ring_event *events, size_t count)
{
    size_t span_count = 0;
    if (!fgi_stream_enter_stated(stream)) {
        return;
    }
    const uint32_t track = track_of(stream, thread);
    if (track == FG_CAP_NONE) {
        fgi_stream_lost(stream, count_events(events, count));
    } else {
        for (size_t i = 0; i < count; i++) {
            span_count += span_of(stream, thread, &events[i], &stream->spans[span_count]) ? 1 : 0;
        }
        if (span_count != 0) {
            (void)fgi_stream_put(stream, track, span_count);
        }
    }
    fgi_stream_leave(stream);
}

static void write_loss(struct fgi_stream *stream, const struct fgi_batch *batch)
{
    if (!fgi_stream_enter_stated(stream)) {
        return;
    }
    const uint32_t track = track_of(stream, batch->thread);
    const uint64_t ticks =
        fgi_stream_ends_in_time(stream, batch->lost_ticks) ? batch->lost_ticks : stream->halt_ticks;
    if (track != FG_CAP_NONE) {
        stream->spans[0] = instant(ticks, FG_CAP_BLOCK_SPAN_LOSS, (int64_t)batch->lost);
        (void)fgi_stream_put(stream, track, 1);
    }
    fgi_stream_leave(stream);
}

void fgi_stream_batch(struct fgi_stream *stream, const struct fgi_batch *batch)
{
    for (size_t piece = 0; piece < 2; piece++) {
        for (size_t done = 0; done < batch->piece_counts[piece];) {
            const size_t left = batch->piece_counts[piece] - done;
            const size_t count = left < FGI_STREAM_BLOCK_EVENTS ? left : FGI_STREAM_BLOCK_EVENTS;
            write_events(stream, batch->thread, batch->pieces[piece] + done, count);
            done += count;
        }
    }
    if (batch->lost != 0) {
        write_loss(stream, batch);
    }
}

/* ---- what is open at the end --------------------------------------------------------------- */

static void note_thread(void *context, struct fgi_producer *thread)
{
    struct fgi_stream *stream = context;
    struct fg_zone_slot open[FG_ZONE_DEPTH_MAX];
    const uint32_t count = fgi_thread_open_zones(thread, open);
    if (count == 0 || !fgi_stream_ends_in_time(stream, open[0].begin_ticks) ||
        !fgi_stream_enter_stated(stream)) {
        return;
    }
    /* Asked here, since `threads` guards the name and is held, and not when it is written. */
    const uint32_t track = track_of(stream, thread);
    fgi_stream_leave(stream);
    if (FGI_GROW(stream->session->allocator, stream->open, stream->open_capacity,
                 stream->open_count + count, OPEN_MAX) != FG_OK) {
        stream->open_lost += count;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (fgi_stream_ends_in_time(stream, open[i].begin_ticks)) {
            stream->open[stream->open_count++] =
                (struct fgi_open_zone){ thread, track, open[i], i };
        }
    }
}

void fgi_stream_note_open(struct fgi_stream *stream)
{
    fgi_threads_each(note_thread, stream);
}

/* The open zones of one thread, from `first`; they stand together. How many. */
static size_t write_open_of(struct fgi_stream *stream, size_t first, uint64_t ticks)
{
    const struct fgi_producer *thread = stream->open[first].thread;
    const uint32_t track = stream->open[first].track;
    size_t count = 0;
    for (; first + count < stream->open_count && stream->open[first + count].thread == thread;
         count++) {
        const struct fgi_open_zone *zone = &stream->open[first + count];
        stream->spans[count] = (struct fg_cap_block_span){
            .begin_ticks = (int64_t)zone->slot.begin_ticks,
            .end_ticks = (int64_t)ticks,
            .depth = zone->depth,
            .name = fgi_stream_name(stream, zone->slot.label >> 3),
            .category = category_symbol(stream, zone->slot.label),
            .flags = FG_CAP_BLOCK_SPAN_UNFINISHED,
            .frame = NO_LINK,
            .object = NO_LINK,
        };
    }
    if (track == FG_CAP_NONE) {
        fgi_stream_lost(stream, count);
    } else {
        (void)fgi_stream_put(stream, track, count);
    }
    return count;
}

void fgi_stream_write_open(struct fgi_stream *stream)
{
    const uint64_t ticks = stream->halt_ticks != 0 ? stream->halt_ticks : fgi_ticks_now();
    for (size_t i = 0; i < stream->open_count;) {
        i += write_open_of(stream, i, ticks);
    }
    fgi_stream_lost(stream, stream->open_lost);
    stream->open_count = stream->open_lost = 0;
}

/* ---- frames of loops ----------------------------------------------------------------------- */

/* Track of a loop; the slot of a loop that is gone may have another one by now. */
uint32_t fgi_stream_loop_track(struct fgi_stream *stream, uint32_t loop, const char *name)
{
    struct fg_session *session = stream->session;
    if (stream->loop_names[loop] == name) {
        return stream->loop_tracks[loop];
    }
    const char *shown = loop == 0 ? "frames" : name[0] != '\0' ? name : "loop";
    const struct fg_cap_track track = {
        .id = FIRST_LOOP + stream->loop_count,
        .kind = FG_CAP_TRACK_ASYNC,
        .process = FGI_PROCESS,
        .parent = FG_CAP_NONE,
        /* Where no device has frames the process's own are the capture's, on the host's clock. */
        .clock = loop == 0 && session->own_device != NULL ? FGI_HOST_CLOCK : FGI_TICKS_CLOCK,
        .name = fgi_session_symbol(session, shown, strlen(shown)),
        .os_id = FG_CAP_UNKNOWN,
        .sort = stream->loop_count,
    };
    if (session->result != FG_OK ||
        !fgi_session_ok(session, fg_capture_writer_track(session->writer, &track))) {
        return FG_CAP_NONE;
    }
    stream->loop_count++;
    stream->loop_names[loop] = name;
    stream->loop_tracks[loop] = track.id;
    return track.id;
}

void fgi_stream_keep_frame(struct fgi_stream *stream, const struct fgi_frame_report *report)
{
    if (report->loop >= FGI_STREAM_LOOPS || !fgi_stream_enter_stated(stream)) {
        return;
    }
    if (stream->frame_count == FGI_STREAM_FRAMES) {
        fgi_stream_write_frames(stream);
    }
    const uint32_t track = fgi_stream_ends_in_time(stream, report->end_ticks)
                               ? fgi_stream_loop_track(stream, report->loop, report->loop_name)
                               : FG_CAP_NONE;
    if (track != FG_CAP_NONE) {
        stream->frames[stream->frame_count].track = track;
        stream->frames[stream->frame_count].begin_ticks = report->begin_ticks;
        stream->frames[stream->frame_count].end_ticks = report->end_ticks;
        stream->frames[stream->frame_count].number = report->number;
        stream->frame_count++;
    }
    fgi_stream_leave(stream);
}

/* All frames of one track, the rest stays. */
static void write_frames_of(struct fgi_stream *stream, uint32_t track)
{
    const uint32_t name = fgi_session_symbol(stream->session, "frame", 5);
    uint32_t left = 0;
    size_t count = 0;
    for (uint32_t i = 0; i < stream->frame_count; i++) {
        if (stream->frames[i].track != track) {
            stream->frames[left++] = stream->frames[i];
            continue;
        }
        stream->spans[count++] = (struct fg_cap_block_span){
            .begin_ticks = (int64_t)stream->frames[i].begin_ticks,
            .end_ticks = (int64_t)stream->frames[i].end_ticks,
            .name = name,
            .frame = NO_LINK,
            .object = NO_LINK,
            .value = (int64_t)stream->frames[i].number,
        };
    }
    stream->frame_count = left;
    (void)fgi_stream_put(stream, track, count);
}

void fgi_stream_write_frames(struct fgi_stream *stream)
{
    while (stream->frame_count != 0) {
        write_frames_of(stream, stream->frames[0].track);
    }
}
