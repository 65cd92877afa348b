/* SPDX-License-Identifier: MIT */
/* A dump outside of a crash: the ring is copied, put in order, and written as a closed capture. */
#include "record/flight_priv.h"

#include "base/folder.h"

#include <frameglass/capture_copy.h>
#include <frameglass/diagnostics.h>

#include <stdio.h>
#include <string.h>

#define SLICE_BYTES (256u << 10) /* copied under the session's lock at once: about 50 us */
#define NAMES_TRIED 10000
/* A dump in order is at most so many times what is in the ring: directories are added. */
#define ORDER_FACTOR 2
#define ORDER_BYTES  (64u << 10)

/* ---- a copy of the ring ---------------------------------------------------------------------- */

/** What is recorded by now is in the ring; its place is [out_begin, out_end). */
static enum fg_result begin_copy(struct fgi_flight *flight, struct fgi_bytes *out,
                                 uint64_t *out_begin, uint64_t *out_end)
{
    struct fg_session *session = flight->session;
    struct fgi_ring *ring = &flight->ring;
    enum fg_result result = FG_OK;
    fg_instrument_drain(); /* what the threads have, too; before the session's lock */
    fgi_mutex_lock(session->recorder->lock);
    if (session->state != FGI_SESSION_CLOSED && session->result == FG_OK) {
        (void)fgi_session_ok(session, fg_capture_writer_flush(session->writer));
    }
    if (!ring->has_header || ring->meta == NULL) {
        result = FG_ERR_STATE;
    } else {
        fgi_put_raw(out, ring->header, sizeof ring->header);
        fgi_put_raw(out, ring->meta, ring->meta_bytes);
        result = out->result;
    }
    *out_begin = fgi_ring_tail(ring);
    *out_end = fgi_ring_head(ring);
    fgi_mutex_unlock(session->recorder->lock);
    return result;
}

/**
 * The recording goes on meanwhile. Where it overtakes the copy, what was copied so far is left out:
 * a hole in the middle would be a worse loss than the oldest part.
 */
static enum fg_result copy_ring(struct fgi_flight *flight, struct fgi_bytes *out)
{
    struct fg_session *session = flight->session;
    uint64_t position;
    uint64_t end;
    enum fg_result result = begin_copy(flight, out, &position, &end);
    size_t base = out->size;
    if (result != FG_OK) {
        return result;
    }
    if (!fgi_bytes_reserve(out, (size_t)(end - position) + FGI_FLIGHT_NOTE_BYTES)) {
        return out->result;
    }
    while (position < end) {
        fgi_mutex_lock(session->recorder->lock);
        uint64_t tail = fgi_ring_tail(&flight->ring);
        if (tail > position) {
            position = tail;
            out->size = base;
        }
        if (position < end) {
            uint64_t left = end - position;
            size_t size = left < SLICE_BYTES ? (size_t)left : SLICE_BYTES;
            fgi_ring_copy(&flight->ring, position, out->data + out->size, size);
            out->size += size;
            position += size;
        }
        fgi_mutex_unlock(session->recorder->lock);
    }
    return FG_OK;
}

static enum fg_result put_in_order(const struct fgi_flight *flight, const struct fgi_bytes *copy,
                                   const struct fg_sink *sink)
{
    struct fg_memory_view view = { .bytes = copy->data, .size = copy->size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture_options options = { .allocator = flight->allocator };
    return fg_capture_repair(&source, &options, sink, NULL, NULL);
}

enum fg_result fgi_flight_snapshot(struct fgi_flight *flight, const struct fg_sink *sink)
{
    struct fgi_bytes copy = { .allocator = flight->allocator };
    enum fg_result result = copy_ring(flight, &copy);
    if (result == FG_OK) {
        result = put_in_order(flight, &copy, sink);
    }
    fgi_bytes_finish(&copy);
    return result;
}

/* ---- where it goes --------------------------------------------------------------------------- */

/** A sink that counts. */
struct counted_sink {
    struct fg_sink sink;
    uint64_t size_bytes;
};

static enum fg_result counted_write(void *context, const void *bytes, size_t size)
{
    struct counted_sink *counted = context;
    enum fg_result result = counted->sink.write(counted->sink.context, bytes, size);
    counted->size_bytes += result == FG_OK ? size : 0;
    return result;
}

static enum fg_result counted_patch(void *context, uint64_t offset, const void *bytes, size_t size)
{
    struct counted_sink *counted = context;
    return counted->sink.patch(counted->sink.context, offset, bytes, size);
}

static enum fg_result write_counted(struct fgi_flight *flight, const struct fgi_bytes *copy,
                                    const struct fg_sink *sink, uint64_t *out_size_bytes)
{
    struct counted_sink counted = { .sink = *sink };
    const struct fg_sink through = {
        .write = counted_write,
        .patch = sink->patch != NULL ? counted_patch : NULL,
        .context = &counted,
    };
    enum fg_result result = put_in_order(flight, copy, &through);
    *out_size_bytes = counted.size_bytes;
    return result;
}

/** A name that no file has: `flight->path` becomes its path. */
static enum fg_result choose_path(struct fgi_flight *flight,
                                  const struct fgi_flight_request *request, uint64_t *number)
{
    struct fgi_flight_name parts = {
        .wall_ns = fgi_clock_wall_ns(),
        .process = fgi_process_id(),
        .cause = request->cause,
    };
    char name[FGI_FLIGHT_NAME_BYTES];
    for (int i = 0; i < NAMES_TRIED; i++) {
        parts.number = *number;
        if (!fgi_flight_name_make(flight->options.pattern, &parts, name)) {
            return FG_ERR_LIMIT;
        }
        size_t room = flight->crash.folder_size + sizeof name;
        (void)snprintf(flight->path, room, "%s/%s", flight->options.folder, name);
        if (!fgi_file_exists(flight->path)) {
            return FG_OK;
        }
        /* relaxed: only uniqueness matters; partner: the handler's */
        *number = atomic_fetch_add_explicit(&flight->number, 1, memory_order_relaxed) + 1;
    }
    return FG_ERR_BUSY;
}

static enum fg_result write_file(struct fgi_flight *flight,
                                 const struct fgi_flight_request *request, uint64_t number,
                                 const struct fgi_bytes *copy, uint64_t *out_size_bytes)
{
    struct fg_file_sink *file;
    struct fg_sink sink;
    size_t room = flight->crash.folder_size + FGI_FLIGHT_NAME_BYTES + sizeof ".part";
    char *part = flight->path + room;
    enum fg_result result = fgi_flight_make_room(flight, copy->size * ORDER_FACTOR + ORDER_BYTES);
    if (result == FG_OK) {
        result = choose_path(flight, request, &number);
    }
    if (result == FG_OK) {
        (void)snprintf(part, room, "%s.part", flight->path);
        result = fg_file_sink_open(part, &file, &sink);
    }
    if (result != FG_OK) {
        return result;
    }
    result = write_counted(flight, copy, &sink, out_size_bytes);
    enum fg_result closed = fg_file_sink_close(file);
    result = result != FG_OK ? result : closed;
    if (result == FG_OK) {
        result = fgi_file_rename(part, flight->path);
    }
    if (result != FG_OK) {
        (void)fgi_file_remove(part);
    }
    return result;
}

static enum fg_result write_target(struct fgi_flight *flight,
                                   const struct fgi_flight_request *request, uint64_t number,
                                   const struct fgi_bytes *copy, uint64_t *out_size_bytes)
{
    const struct fg_flight_target *target = flight->options.target;
    struct fg_flight_dump_info info = {
        .cause = request->cause,
        .number = number,
        .frame = request->frame,
        .reason = request->reason,
    };
    struct fg_sink sink = { 0 };
    enum fg_result result = target->open(target->context, &info, &sink);
    if (result != FG_OK) {
        return result;
    }
    result =
        sink.write != NULL ? write_counted(flight, copy, &sink, out_size_bytes) : FG_ERR_ARGUMENT;
    target->close(target->context, &sink, result);
    return result;
}

/* ---- a dump ---------------------------------------------------------------------------------- */

/** `copy` holds the ring, or nothing but META: then no clock is stated. */
static void put_note(const struct fgi_flight *flight, struct fgi_bytes *copy,
                     const struct fgi_flight_request *request)
{
    uint8_t note[FGI_FLIGHT_NOTE_BYTES];
    bool is_empty = copy->size == sizeof flight->ring.header + flight->ring.meta_bytes;
    size_t size = fgi_flight_note_make(
        &(struct fgi_flight_note){
            .frame = request->frame,
            .ticks = request->ticks,
            .reason = request->reason,
        },
        is_empty ? FG_CAP_NONE : FGI_HOST_CLOCK, note);
    fgi_put_raw(copy, note, size);
}

static void count_dump(struct fgi_flight *flight, enum fg_result result, uint64_t size_bytes)
{
    struct fg_session *session = flight->session;
    char message[512];
    fgi_mutex_lock(flight->lock);
    if (result == FG_OK) {
        flight->counts.written++;
        flight->counts.written_bytes += size_bytes;
    } else {
        /* The quota is that of the folder; a target has limits of its own. */
        bool is_quota = result == FG_ERR_LIMIT && flight->options.folder != NULL;
        flight->counts.refused_quota += is_quota ? 1 : 0;
        flight->counts.failed += is_quota ? 0 : 1;
        flight->counts.last_failure = result;
    }
    fgi_mutex_unlock(flight->lock);
    if (result != FG_OK) {
        (void)snprintf(message, sizeof message, "a dump was not written: %s",
                       fg_result_text(result));
    } else {
        (void)snprintf(message, sizeof message, "%s",
                       flight->options.folder != NULL ? flight->path : "a dump was written");
    }
    fgi_mutex_lock(session->recorder->lock);
    fgi_session_notify(session, FG_SESSION_DUMPED, flight->newest_frame, message);
    fgi_mutex_unlock(session->recorder->lock);
}

enum fg_result fgi_flight_write(struct fgi_flight *flight, const struct fgi_flight_request *request)
{
    struct fgi_bytes copy = { .allocator = flight->allocator };
    uint64_t size_bytes = 0;
    /* relaxed: only uniqueness matters; partner: the handler's */
    uint64_t number = atomic_fetch_add_explicit(&flight->number, 1, memory_order_relaxed) + 1;
    enum fg_result result = copy_ring(flight, &copy);
    if (result == FG_OK) {
        put_note(flight, &copy, request);
        result = copy.result;
    }
    if (result == FG_OK) {
        result = flight->options.folder != NULL
                     ? write_file(flight, request, number, &copy, &size_bytes)
                     : write_target(flight, request, number, &copy, &size_bytes);
    }
    fgi_bytes_finish(&copy);
    count_dump(flight, result, size_bytes);
    return result;
}
