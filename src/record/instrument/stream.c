/* SPDX-License-Identifier: MIT */
/*
 * Sessions that take what the process says of itself: who they are, when they begin and end, the
 * clock of ticks in their captures, and what is written when rings have been emptied.
 */
#include "record/instrument/stream_priv.h"

#include <string.h>

#define READING_PERIOD_NS 100000000 /* at most; the first ones follow each other faster */
#define READING_LEAST_NS  1000000
#define READING_TRIES     8

static struct fgi_stream *streams; /* belongs to `drain` */

/* ---- writing ------------------------------------------------------------------------------- */

bool fgi_stream_enter(struct fgi_stream *stream)
{
    const struct fg_session *session = stream->session;
    fgi_mutex_lock(session->recorder->lock);
    if (session->result == FG_OK &&
        (session->state == FGI_SESSION_RUNNING || session->state == FGI_SESSION_STOPPED)) {
        return true;
    }
    fgi_mutex_unlock(session->recorder->lock);
    return false;
}

void fgi_stream_leave(struct fgi_stream *stream)
{
    fgi_session_check_limits(stream->session);
    fgi_mutex_unlock(stream->session->recorder->lock);
}

void fgi_stream_lost(struct fgi_stream *stream, uint64_t count)
{
    stream->session->drops[FG_CAP_DROP_NO_MEMORY] += count;
    stream->session->dropped += count;
}

/* ---- the clock ----------------------------------------------------------------------------- */

/* Ticks, and the host clock of the session's frames, at one moment. */
static struct fg_cap_reading read_clocks(const struct fgi_recorder *recorder)
{
    if (recorder->ops->host_ns == NULL) {
        const struct fgi_ticks_reading reading = fgi_ticks_calibrate();
        return (struct fg_cap_reading){ .ticks = reading.ticks,
                                        .host_ticks = (uint64_t)reading.monotonic_ns,
                                        .deviation_ns = (uint64_t)reading.deviation_ns };
    }
    const struct fgi_ticks_clock clock = fgi_ticks_clock();
    uint64_t best_width = UINT64_MAX;
    struct fg_cap_reading best = { .ticks = 0 };
    for (int i = 0; i < READING_TRIES; i++) { /* the closest pair: others were interrupted */
        const uint64_t before = fgi_ticks_now();
        const int64_t host_ns = fgi_host_now(recorder);
        const uint64_t width = fgi_ticks_now() - before;
        if (width < best_width) {
            best_width = width;
            best.ticks = before + width / 2;
            best.host_ticks = (uint64_t)host_ns;
        }
    }
    best.deviation_ns = best_width * clock.period_num / clock.period_den / 2 + 1;
    return best;
}

/*
 * When to read again: as far ahead as the readings reach back, so that a capture of a few
 * milliseconds has more than one, too, and one that is cut off there.
 */
static int64_t next_reading_after(struct fgi_stream *stream, int64_t now_ns)
{
    if (stream->reading_count <= 1) {
        stream->first_reading_ns = now_ns;
    }
    int64_t ahead_ns = now_ns - stream->first_reading_ns;
    ahead_ns = ahead_ns < READING_LEAST_NS ? READING_LEAST_NS : ahead_ns;
    return now_ns + (ahead_ns > READING_PERIOD_NS ? READING_PERIOD_NS : ahead_ns);
}

static uint32_t symbol_of(struct fg_session *session, const char *text)
{
    return fgi_session_symbol(session, text, strlen(text));
}

/*
 * Ticks that are CLOCK_MONOTONIC are the host's clock. Others are related to it by readings through
 * the whole run, unless the host's clock moves only when it is told.
 */
static void write_clock(struct fgi_stream *stream)
{
    struct fg_session *session = stream->session;
    const struct fgi_recorder *recorder = session->recorder;
    const bool stands = recorder->device->caps.clock_stands;
    const struct fgi_ticks_clock ticks = fgi_ticks_clock();
    const bool is_host = !ticks.is_counter && recorder->ops->host_ns == NULL;
    struct fg_cap_reading reading;
    struct fg_cap_clock clock = {
        .id = FGI_TICKS_CLOCK,
        .kind = ticks.is_counter ? FG_CAP_CLOCK_TSC : FG_CAP_CLOCK_MONOTONIC,
        .domain = is_host  ? FG_CAP_DOMAIN_HOST
                  : stands ? FG_CAP_DOMAIN_NOMINAL
                           : FG_CAP_DOMAIN_CALIBRATED,
        .host_clock = is_host || stands ? FG_CAP_NONE : FGI_HOST_CLOCK,
        .name = symbol_of(session, "ticks"),
        .reason = stands && !is_host
                      ? symbol_of(session, "the device's host clock moves only when it is told")
                      : 0,
        .period_num = ticks.period_num,
        .period_den = ticks.period_den,
        .valid_bits = 64,
        .first_reading = stream->reading_count,
    };
    if (clock.domain == FG_CAP_DOMAIN_CALIBRATED) {
        reading = read_clocks(recorder);
        clock.readings = &reading;
        clock.reading_count = 1;
    }
    if (fgi_session_ok(session, fg_capture_writer_clock(session->writer, &clock))) {
        stream->reading_count += clock.reading_count;
        stream->next_reading_ns = clock.domain == FG_CAP_DOMAIN_CALIBRATED
                                      ? next_reading_after(stream, fgi_clock_monotonic_ns())
                                      : INT64_MAX;
    }
}

bool fgi_stream_state(struct fgi_stream *stream)
{
    if (!stream->is_stated) {
        stream->is_stated = true;
        stream->session->has_process = true;
        write_clock(stream);
    }
    return stream->session->result == FG_OK;
}

bool fgi_stream_enter_stated(struct fgi_stream *stream)
{
    if (!fgi_stream_enter(stream)) {
        return false;
    }
    if (!fgi_stream_state(stream)) {
        fgi_stream_leave(stream);
        return false;
    }
    return true;
}

/* ---- losses -------------------------------------------------------------------------------- */

/*
 * What the process lost since the last time, added by reason to `drops` (NULL = forgotten).
 *
 * @return their sum. What only left the history unread, or was malformed, is no loss of a session:
 *         it is listed and not summed up
 */
static uint64_t take_losses(struct fgi_stream *stream, uint64_t *drops)
{
    struct fg_instrument_losses *seen = &stream->losses;
    uint64_t sum = 0;
    const struct {
        uint64_t *seen;
        const uint64_t *now;
        uint32_t reason;
        bool is_drop;
    } rows[] = {
        { &seen->producer_drops, &fgi_losses.producer_drops, FG_CAP_DROP_RING_FULL, true },
        { &seen->malformed_zones, &fgi_losses.malformed_zones, FG_CAP_DROP_MALFORMED_ZONE, false },
        { &seen->malformed_frames, &fgi_losses.malformed_frames, FG_CAP_DROP_MALFORMED_FRAME,
          false },
        { &seen->source_failures, &fgi_losses.source_failures, FG_CAP_DROP_SOURCE_FAILED, false },
        { &seen->overwritten, &fgi_losses.overwritten, FG_CAP_DROP_OVERWRITTEN, false },
        { &seen->dropped_before_start, &fgi_losses.dropped_before_start, FG_CAP_DROP_BEFORE_START,
          false },
        { &seen->refused_metrics, &fgi_losses.refused_metrics, FG_CAP_DROP_METRIC_REFUSED, true },
        { &seen->frame_counters_left_out, &fgi_losses.frame_counters_left_out,
          FG_CAP_DROP_COUNTER_LEFT_OUT, true },
        { &seen->refused_objects, &fgi_losses.refused_objects, FG_CAP_DROP_OBJECT_REFUSED, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t now = __atomic_load_n(rows[i].now, __ATOMIC_RELAXED);
        const uint64_t news = now - *rows[i].seen;
        *rows[i].seen = now;
        sum += rows[i].is_drop ? news : 0;
        if (drops != NULL) {
            drops[rows[i].reason] += news;
        }
    }
    return sum;
}

/* ---- taking -------------------------------------------------------------------------------- */

bool fgi_streams_are_open(void)
{
    return streams != NULL;
}

void fgi_streams_take(const struct fgi_batch *batch)
{
    for (struct fgi_stream *stream = streams; stream != NULL; stream = stream->next) {
        fgi_stream_batch(stream, batch);
    }
}

void fgi_streams_frame(const struct fgi_frame_report *report)
{
    if (streams == NULL) {
        return;
    }
    if (report->loop == 0) {
        fgi_stream_look(true);
    }
    for (struct fgi_stream *stream = streams; stream != NULL; stream = stream->next) {
        if (report->loop == 0 && stream->session->own_device != NULL) {
            fgi_stream_loop_frame(stream, report);
        } else {
            fgi_stream_keep_frame(stream, report);
            fgi_stream_frame_values(stream, report);
        }
    }
}

static void flush(struct fgi_stream *stream, const struct fgi_object_notes *changes)
{
    struct fg_session *session = stream->session;
    const bool has_news = fgi_stream_has_objects(stream, changes) || stream->frame_count != 0;
    const bool is_in = has_news ? fgi_stream_enter_stated(stream) : fgi_stream_enter(stream);
    if (!is_in) {
        return;
    }
    fgi_stream_write_objects(stream, changes);
    fgi_stream_write_frames(stream);
    fgi_stream_write_metrics(stream);
    session->dropped += take_losses(stream, session->drops);
    if (stream->is_stated && session->result == FG_OK &&
        fgi_clock_monotonic_ns() >= stream->next_reading_ns) {
        write_clock(stream);
    }
    if (session->result == FG_OK) {
        (void)fgi_session_ok(session, fg_capture_writer_flush(session->writer));
    }
    fgi_stream_leave(stream);
}

void fgi_streams_flush(void)
{
    if (streams == NULL) {
        return;
    }
    fgi_stream_look(false);
    const struct fgi_object_notes *changes = fgi_stream_changes();
    for (struct fgi_stream *stream = streams; stream != NULL; stream = stream->next) {
        flush(stream, changes);
    }
}

/* ---- beginning and end --------------------------------------------------------------------- */

static void free_stream(struct fgi_stream *stream)
{
    const struct fg_allocator *allocator = stream->session->allocator;
    fgi_free(allocator, stream->name_symbols, stream->name_capacity * sizeof *stream->name_symbols);
    fgi_free(allocator, stream->open, stream->open_capacity * sizeof *stream->open);
    fgi_free(allocator, stream->spans, (FGI_STREAM_BLOCK_EVENTS + 1) * sizeof *stream->spans);
    fgi_free(allocator, stream->living.items,
             stream->living.capacity * sizeof *stream->living.items);
    fgi_bytes_finish(&stream->living.texts);
    fgi_map64_finish(&stream->threads);
    fgi_free(allocator, stream, sizeof *stream);
}

static struct fgi_stream *make_stream(struct fg_session *session)
{
    const struct fg_allocator *allocator = session->allocator;
    struct fgi_stream *stream = fgi_calloc(allocator, 1, sizeof *stream);
    if (stream == NULL) {
        return NULL;
    }
    stream->session = session;
    stream->threads.allocator = allocator;
    stream->living.allocator = allocator;
    stream->living.texts.allocator = allocator;
    stream->spans = fgi_calloc(allocator, FGI_STREAM_BLOCK_EVENTS + 1, sizeof *stream->spans);
    if (stream->spans == NULL) {
        free_stream(stream);
        return NULL;
    }
    return stream;
}

static void set_stream(struct fg_session *session, struct fgi_stream *stream)
{
    fgi_mutex_lock(session->recorder->lock);
    session->stream = stream;
    fgi_mutex_unlock(session->recorder->lock);
}

static void open_stream(struct fg_session *session, struct fgi_stream *stream)
{
    fgi_drain_locked(); /* what was before is not the session's, its losses neither */
    (void)take_losses(stream, NULL);
    fgi_stream_listen(stream);
    stream->next = streams;
    streams = stream;
    set_stream(session, stream);
}

static void release(bool is_held)
{
    if (is_held) {
        fgi_writer_release();
    }
}

enum fg_result fgi_stream_open(struct fg_session *session)
{
    bool is_held;
    enum fg_result result = fgi_writer_hold(&is_held);
    if (result != FG_OK) {
        return result;
    }
    if (!fgi_drain_enter()) {
        release(is_held);
        return fgi_instrument_ready() ? FG_ERR_STATE : FG_ERR_NO_MEMORY;
    }
    struct fgi_stream *stream = session->stream == NULL ? make_stream(session) : NULL;
    result = stream != NULL ? FG_OK : session->stream != NULL ? FG_ERR_STATE : FG_ERR_NO_MEMORY;
    if (stream != NULL) {
        stream->holds_writer = is_held;
        open_stream(session, stream);
    }
    fgi_drain_leave();
    if (result != FG_OK) {
        release(is_held);
    }
    return result;
}

void fgi_stream_halted(struct fg_session *session)
{
    if (session->stream != NULL && session->stream->halt_ticks == 0) {
        session->stream->halt_ticks = fgi_ticks_now();
    }
}

/* The last of everything; what is open is noted first, so that no zone ends unseen in between. */
static void finish_stream(struct fgi_stream *stream)
{
    fgi_stream_note_open(stream);
    fgi_drain_locked();
    if (stream->open_count != 0 && fgi_stream_enter_stated(stream)) {
        fgi_stream_write_open(stream);
        fgi_stream_leave(stream);
    }
    if (stream->is_stated && fgi_stream_enter(stream)) {
        if (stream->next_reading_ns != INT64_MAX) {
            write_clock(stream);
        }
        fgi_stream_leave(stream);
    }
}

void fgi_stream_close(struct fg_session *session)
{
    if (!fgi_drain_enter()) {
        return;
    }
    struct fgi_stream *stream = session->stream;
    bool is_held = false;
    if (stream != NULL) {
        is_held = stream->holds_writer;
        finish_stream(stream);
        struct fgi_stream **link = &streams;
        while (*link != stream) {
            link = &(*link)->next;
        }
        *link = stream->next;
        set_stream(session, NULL);
        fgi_stream_unlisten();
        free_stream(stream);
    }
    fgi_drain_leave();
    release(is_held);
}
