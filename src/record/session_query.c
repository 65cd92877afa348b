/* SPDX-License-Identifier: MIT */
/* What a session can be asked and told from outside while it runs. */
#include "record/flight_priv.h"
#include "record/session_priv.h"

#include <string.h>

/** Lock the session's recorder; false in a fork's child or without a session. */
static bool enter(struct fg_session *session)
{
    if (session == NULL || !fgi_recorder_is_ours(session->recorder)) {
        return false;
    }
    fgi_mutex_lock(session->recorder->lock);
    return true;
}

static void leave(struct fg_session *session)
{
    fgi_mutex_unlock(session->recorder->lock);
}

enum fg_result fg_session_set_meta(struct fg_session *session, const char *key, const char *text)
{
    if (key == NULL || *key == 0 || text == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (!enter(session)) {
        return session == NULL ? FG_ERR_ARGUMENT : FG_ERR_STATE;
    }
    enum fg_result result =
        session->state == FGI_SESSION_NEW ? fgi_session_put_meta(session, key, text) : FG_ERR_STATE;
    leave(session);
    return result;
}

enum fg_result fg_session_add_feature(struct fg_session *session, const char *name)
{
    if (name == NULL || *name == 0) {
        return FG_ERR_ARGUMENT;
    }
    if (!enter(session)) {
        return session == NULL ? FG_ERR_ARGUMENT : FG_ERR_STATE;
    }
    enum fg_result result =
        session->state == FGI_SESSION_NEW ? fgi_session_put_feature(session, name) : FG_ERR_STATE;
    leave(session);
    return result;
}

enum fg_result fg_session_note(struct fg_session *session, const char *text)
{
    if (text == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (!enter(session)) {
        return session == NULL ? FG_ERR_ARGUMENT : FG_ERR_STATE;
    }
    enum fg_result result = FG_ERR_STATE;
    if (fgi_session_is_running(session)) {
        struct fg_cap_note note = {
            .frame = session->frames_written,
            .clock = FGI_HOST_CLOCK,
            .ticks = fgi_host_now(session->recorder),
            .text = { text, strlen(text) },
        };
        result = fg_capture_writer_note(session->writer, &note);
        (void)fgi_session_ok(session, result);
    }
    leave(session);
    return result;
}

static enum fg_result snapshot_memory(struct fg_session *session, const struct fg_sink *sink)
{
    /* Everything goes to memory first: flushing may move it. */
    enum fg_result result = fg_capture_writer_flush(session->writer);
    if (result != FG_OK) {
        return result;
    }
    struct fg_memory_view view;
    view.bytes = fg_memory_sink_bytes(session->memory, &view.size);
    struct fg_source source = fg_memory_source(&view);
    return fg_capture_writer_snapshot(session->writer, &source, sink);
}

static enum fg_result snapshot_file(struct fg_session *session, const struct fg_sink *sink)
{
    enum fg_result result = fg_capture_writer_flush(session->writer);
    if (result != FG_OK) {
        return result;
    }
    struct fg_file_source *file;
    struct fg_source source;
    result = fg_file_source_open(session->path, &file, &source);
    if (result != FG_OK) {
        return result;
    }
    result = fg_capture_writer_snapshot(session->writer, &source, sink);
    fg_file_source_close(file);
    return result;
}

enum fg_result fg_session_snapshot(struct fg_session *session, const struct fg_sink *sink)
{
    if (sink == NULL || sink->write == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (!enter(session)) {
        return session == NULL ? FG_ERR_ARGUMENT : FG_ERR_STATE;
    }
    if (session->flight != NULL) {
        leave(session);
        return fgi_flight_snapshot(session->flight, sink);
    }
    enum fg_result result = FG_ERR_UNSUPPORTED;
    if (session->writer == NULL || session->state == FGI_SESSION_CLOSED) {
        result = FG_ERR_STATE;
    } else if (session->memory != NULL) {
        result = snapshot_memory(session, sink);
    } else if (session->path != NULL) {
        result = snapshot_file(session, sink);
    }
    leave(session);
    return result;
}

const void *fg_session_bytes(struct fg_session *session, size_t *out_size)
{
    *out_size = 0;
    if (!enter(session)) {
        return NULL;
    }
    const void *bytes = NULL;
    if (session->memory != NULL) {
        bytes = fg_memory_sink_bytes(session->memory, out_size);
    }
    leave(session);
    return bytes;
}

void fg_session_get_status(struct fg_session *session, struct fg_session_status *out_status)
{
    *out_status = (struct fg_session_status){ .result = FG_ERR_STATE };
    if (!enter(session)) {
        return;
    }
    *out_status = (struct fg_session_status){
        .running = fgi_session_is_running(session),
        .closed = session->state == FGI_SESSION_CLOSED,
        .frames_written = session->frames_written,
        .frames_landed = session->frames_landed,
        .frames_in_flight = session->frames_written - session->frames_landed,
        .bytes_written = fgi_session_bytes_written(session),
        .dropped = session->dropped,
        .overhead_ns = session->overhead_ns,
        .result = session->result,
    };
    leave(session);
}
