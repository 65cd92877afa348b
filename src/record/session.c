/* SPDX-License-Identifier: MIT */
/* A session from create to destroy: what it is asked, when it stops, where its bytes go. */
#include "record/flight_priv.h"
#include "record/instrument/instrument_priv.h"
#include "record/session_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_BUDGET_BYTES (512ull << 20)
#define FINISH_STEP_NS       500000 /* between looks while waiting for late results */

/* ---- the sink, with the time that it takes ---- */

static enum fg_result timed_write(void *context, const void *bytes, size_t size)
{
    struct fg_session *session = context;
    int64_t begin_ns = fgi_host_now(session->recorder);
    enum fg_result result = session->sink.write(session->sink.context, bytes, size);
    session->write_ns += fgi_host_now(session->recorder) - begin_ns;
    return result;
}

static enum fg_result timed_patch(void *context, uint64_t offset, const void *bytes, size_t size)
{
    struct fg_session *session = context;
    return session->sink.patch(session->sink.context, offset, bytes, size);
}

static enum fg_result open_sink(struct fg_session *session,
                                const struct fg_session_options *options)
{
    if (options->flight != NULL) {
        return options->path == NULL && options->sink == NULL
                   ? fgi_flight_create(session, options->flight, &session->flight, &session->sink)
                   : FG_ERR_ARGUMENT;
    }
    if (options->path != NULL) {
        session->path = fgi_arena_text(&session->texts, options->path, strlen(options->path));
        return session->path == NULL
                   ? FG_ERR_NO_MEMORY
                   : fg_file_sink_open(session->path, &session->file, &session->sink);
    }
    if (options->sink != NULL) {
        session->sink = *options->sink;
        return session->sink.write != NULL ? FG_OK : FG_ERR_ARGUMENT;
    }
    return fg_memory_sink_create(session->allocator, 0, &session->memory, &session->sink);
}

/* ---- create and destroy ---- */

static void free_session(struct fg_session *session)
{
    const struct fg_allocator *allocator = session->allocator;
    fgi_flight_destroy(session->flight);
    fg_capture_writer_destroy(session->writer);
    (void)fg_file_sink_close(session->file);
    fg_memory_sink_destroy(session->memory);
    fgi_session_meta_finish(session);
    fgi_map64_finish(&session->thread_tracks);
    fgi_free(allocator, session->pipeline_symbols,
             session->pipeline_symbol_capacity * sizeof *session->pipeline_symbols);
    fgi_scratch_finish(allocator, &session->scratch);
    fgi_arena_finish(&session->texts);
    fgi_free(allocator, session, sizeof *session);
}

static void free_all(struct fg_session *session)
{
    struct fg_device *own_device = session->own_device;
    free_session(session);
    fg_device_destroy(own_device);
}

enum fg_result fg_session_create(struct fg_device *device, const struct fg_session_options *options,
                                 struct fg_session **out_session)
{
    static const struct fg_session_options defaults = { 0 };
    options = options != NULL ? options : &defaults;
    const uint32_t builds = FG_SESSION_PRODUCTION | FG_SESSION_DEVELOPMENT;
    if (out_session == NULL || options->level > FG_LEVEL_VERBOSE ||
        (options->flags & builds) == builds) {
        return FG_ERR_ARGUMENT;
    }
    const struct fg_allocator *allocator = fgi_allocator(options->allocator);
    struct fg_session *session = fgi_calloc(allocator, 1, sizeof *session);
    if (session == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    session->allocator = allocator;
    session->texts.allocator = allocator;
    session->thread_tracks.allocator = allocator;
    enum fg_level level = options->level != FG_LEVEL_DEFAULT ? options->level : FG_LEVEL_WORKLOAD;
    session->level = (uint32_t)level - FG_LEVEL_TIMING;
    session->flags = options->flags;
    session->frame_limit = options->frame_limit;
    session->byte_budget = options->byte_budget != 0 ? options->byte_budget : DEFAULT_BUDGET_BYTES;
    session->notify = options->notify;
    session->notify_context = options->notify_context;
    enum fg_result result = FG_OK;
    if (device == NULL) {
        result = fgi_no_device_create(allocator, &session->own_device);
        device = session->own_device;
    }
    if (result == FG_OK) {
        session->recorder = device->recorder;
        result = open_sink(session, options);
    }
    if (result == FG_OK && options->note != NULL) {
        result = fgi_session_put_meta(session, "note", options->note);
    }
    if (result != FG_OK) {
        free_all(session);
        return result;
    }
    fgi_recorder_ref(session->recorder);
    *out_session = session;
    return FG_OK;
}

static void unlist(struct fgi_recorder *recorder, struct fg_session *session)
{
    for (uint32_t i = 0; i < recorder->session_count; i++) {
        if (recorder->sessions[i] == session) {
            recorder->sessions[i] = recorder->sessions[--recorder->session_count];
            break;
        }
    }
    for (struct fg_frame *frame = recorder->open; frame != NULL; frame = frame->next) {
        for (uint32_t i = 0; i < frame->session_count; i++) {
            if (frame->sessions[i].session == session) {
                frame->sessions[i].session = NULL;
                fgi_session_frame_gone(session);
            }
        }
    }
    fgi_recorder_update_want(recorder);
}

static enum fg_result write_summary(struct fg_session *session)
{
    struct fg_cap_drop drops[FGI_DROP_REASONS];
    size_t drop_count = 0;
    bool is_measured = !session->recorder->device->caps.clock_stands;
    for (uint32_t i = 0; i < FGI_DROP_REASONS; i++) {
        /* What the process counts is known to be zero where it is. */
        const bool is_known =
            session->has_process && (i == FG_CAP_DROP_RING_FULL || i >= FG_CAP_DROP_MALFORMED_ZONE);
        if (session->drops[i] != 0 || is_known) {
            drops[drop_count++] = (struct fg_cap_drop){ i, session->drops[i] };
        }
    }
    return fg_capture_writer_summary(
        session->writer,
        &(struct fg_cap_summary){
            .frame_count = session->frames_written,
            .gpu_frame_count = session->own_device == NULL ? session->frames_complete : 0,
            .recorder_ns = is_measured && session->own_device == NULL
                               ? (uint64_t)session->overhead_ns
                               : FG_CAP_UNKNOWN,
            .recorded_cpu_ns = (uint64_t)session->cpu_ns,
            .write_ns = is_measured ? (uint64_t)session->write_ns : FG_CAP_UNKNOWN,
            .growth_count = session->recorder->growth_count,
            .memory_peak_bytes = FG_CAP_UNKNOWN,
            .drops = drops,
            .drop_count = drop_count,
        });
}

/** Final directory and header. With the lock; the session gets nothing more. */
static void close_capture(struct fg_session *session)
{
    fgi_session_halt(session, FG_OK);
    unlist(session->recorder, session);
    if (session->state != FGI_SESSION_STOPPED) {
        return;
    }
    session->state = FGI_SESSION_CLOSED;
    if (session->result == FG_OK) {
        session->result = write_summary(session);
    }
    if (session->result == FG_OK) {
        session->result = fg_capture_writer_close(session->writer);
    }
    if (session->file != NULL) {
        enum fg_result result = fg_file_sink_close(session->file);
        session->file = NULL;
        session->result = session->result != FG_OK ? session->result : result;
    }
}

void fg_session_destroy(struct fg_session *session)
{
    if (session == NULL) {
        return;
    }
    struct fgi_recorder *recorder = session->recorder;
    if (!fgi_recorder_is_ours(recorder)) {
        return; /* a fork's child: the file belongs to the parent */
    }
    fg_session_stop(session);
    fgi_mutex_lock(recorder->lock);
    if (session->state == FGI_SESSION_STOPPED) {
        if (!recorder->dead) {
            fgi_recorder_give_up(recorder, session);
        }
        close_capture(session);
    }
    fgi_mutex_unlock(recorder->lock);
    struct fg_device *own_device = session->own_device;
    free_session(session);
    fgi_recorder_unref(recorder);
    fg_device_destroy(own_device);
}

/* ---- start and stop ---- */

uint32_t fgi_session_wants(const struct fg_session *session)
{
    uint32_t want = 0;
    want |= session->level >= FG_CAP_LEVEL_STRUCTURE ? FGI_WANT_GRAPH : 0;
    want |= session->level >= FG_CAP_LEVEL_WORKLOAD ? FGI_WANT_WORK : 0;
    want |= session->level >= FG_CAP_LEVEL_VERBOSE ? FGI_WANT_BINDINGS : 0;
    want |= (session->flags & FG_SESSION_RESOLVE_INDIRECT) != 0 &&
                    session->level >= FG_CAP_LEVEL_WORKLOAD
                ? FGI_WANT_INDIRECT
                : 0;
    want |= (session->flags & FG_SESSION_NO_STATISTICS) == 0 ? FGI_WANT_STATISTICS : 0;
    want |= (session->flags & FG_SESSION_NO_CPU_PASSES) == 0 ? FGI_WANT_CPU_PASSES : 0;
    want |= (session->flags & FG_SESSION_NO_DEBUG_LABELS) == 0 ? FGI_WANT_LABELS : 0;
    want |= (session->flags & FG_SESSION_NO_CALIBRATION) == 0 ? FGI_WANT_CALIBRATION : 0;
    return want;
}

uint32_t fgi_sessions_running(const struct fgi_recorder *recorder)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < recorder->session_count; i++) {
        count += fgi_session_is_running(recorder->sessions[i]) ? 1 : 0;
    }
    return count;
}

static enum fg_result start(struct fg_session *session)
{
    struct fgi_recorder *recorder = session->recorder;
    if (recorder->dead || recorder->lost) {
        return FG_ERR_DEVICE_LOST;
    }
    if (session->state != FGI_SESSION_NEW) {
        return FG_ERR_STATE;
    }
    if (recorder->session_count == FGI_SESSIONS_MAX) {
        return FG_ERR_LIMIT;
    }
    struct fg_sink sink = {
        .write = timed_write,
        .patch = session->sink.patch != NULL ? timed_patch : NULL,
        .context = session,
    };
    struct fg_capture_writer_options options = { .allocator = session->allocator };
    fgi_flight_adjust(session->flight, &options);
    enum fg_result result = fg_capture_writer_create(&sink, &options, &session->writer);
    if (result != FG_OK) {
        return result;
    }
    fgi_session_describe_device(session);
    result = fgi_session_write_meta(session);
    if (result == FG_OK && session->flight != NULL) {
        result = fgi_flight_start(session->flight);
    }
    if (result != FG_OK) {
        fg_capture_writer_destroy(session->writer);
        session->writer = NULL;
        return result;
    }
    session->state = FGI_SESSION_RUNNING;
    session->start_ns = fgi_host_now(recorder);
    if (fgi_sessions_running(recorder) == 0) {
        fgi_clocks_restart(&recorder->clocks, &recorder->device->caps);
    }
    recorder->sessions[recorder->session_count++] = session;
    fgi_recorder_update_want(recorder);
    fgi_session_write_context(session);
    fgi_recorder_calibrate_now(recorder);
    (void)fgi_session_ok(session, fg_capture_writer_flush(session->writer));
    return session->result;
}

/**
 * Whether the session is to take the diagnostics of the process. They run on a clock of their own,
 * which one that moves only when it is told has no relation to.
 */
static bool takes_process(struct fg_session *session)
{
    fgi_session_lock(session);
    const bool is_new = session->state == FGI_SESSION_NEW;
    fgi_session_unlock(session);
    return is_new && (session->flags & FG_SESSION_NO_INSTRUMENT) == 0 &&
           !session->recorder->device->caps.clock_stands;
}

enum fg_result fg_session_start(struct fg_session *session)
{
    if (session == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (!fgi_recorder_is_ours(session->recorder)) {
        return FG_ERR_STATE;
    }
    const bool has_stream = takes_process(session);
    enum fg_result result = has_stream ? fgi_stream_open(session) : FG_OK;
    if (result != FG_OK) {
        return result;
    }
    fgi_session_lock(session);
    result = start(session);
    fgi_session_unlock(session);
    if (result != FG_OK && has_stream) {
        fgi_stream_close(session);
    }
    return result;
}

void fgi_session_halt(struct fg_session *session, enum fg_result result)
{
    if (session->result == FG_OK) {
        session->result = result;
    }
    if (session->state != FGI_SESSION_RUNNING) {
        return;
    }
    /* With the one at the start: two readings at least, however short the recording was. */
    fgi_recorder_calibrate_now(session->recorder);
    session->state = FGI_SESSION_STOPPED;
    fgi_stream_halted(session);
    fgi_recorder_update_want(session->recorder);
    if (result != FG_OK) {
        fgi_session_notify(session, FG_SESSION_FAILED, session->frames_written,
                           fg_result_text(result));
    }
    fgi_session_notify(session, FG_SESSION_STOPPED, session->frames_written,
                       "the session has stopped");
}

bool fgi_session_ok(struct fg_session *session, enum fg_result result)
{
    if (result != FG_OK) {
        fgi_session_halt(session, result);
    }
    return result == FG_OK;
}

void fg_session_stop(struct fg_session *session)
{
    if (session != NULL && fgi_recorder_is_ours(session->recorder)) {
        fgi_session_lock(session);
        fgi_session_halt(session, FG_OK);
        fgi_session_unlock(session);
        fgi_stream_close(session); /* under locks that come before the recorder's */
    }
}

/** Look for results until all have come; the lock is not held while time passes. */
static void wait_for_results(struct fg_session *session, int64_t timeout_ns)
{
    struct fgi_recorder *recorder = session->recorder;
    int64_t begin_ns = fgi_host_now(recorder);
    timeout_ns = timeout_ns > 0 ? timeout_ns : 0; /* or the difference below could overflow */
    while (session->frames_waiting != 0 && !recorder->lost && !recorder->dead &&
           session->result == FG_OK) {
        fgi_recorder_poll(recorder);
        int64_t left_ns = timeout_ns - (fgi_host_now(recorder) - begin_ns);
        if (session->frames_waiting == 0 || left_ns <= 0) {
            break;
        }
        int64_t step_ns = left_ns < FINISH_STEP_NS ? left_ns : FINISH_STEP_NS;
        fgi_mutex_unlock(recorder->lock);
        if (recorder->ops->wait != NULL) {
            recorder->ops->wait(recorder->device, step_ns);
        } else {
            fgi_sleep_ns(step_ns);
        }
        fgi_mutex_lock(recorder->lock);
    }
}

enum fg_result fg_session_finish(struct fg_session *session, int64_t timeout_ns)
{
    if (session == NULL) {
        return FG_ERR_ARGUMENT;
    }
    struct fgi_recorder *recorder = session->recorder;
    if (!fgi_recorder_is_ours(recorder)) {
        return FG_ERR_STATE;
    }
    fg_session_stop(session);
    fgi_mutex_lock(recorder->lock);
    enum fg_result result = FG_ERR_STATE;
    if (session->state == FGI_SESSION_STOPPED) {
        wait_for_results(session, timeout_ns);
        if (!recorder->dead && session->frames_waiting != 0) {
            fgi_recorder_give_up(recorder, session);
        }
        close_capture(session);
        result = session->result;
        if (result == FG_OK && recorder->lost) {
            result = FG_ERR_DEVICE_LOST;
        } else if (result == FG_OK && session->frames_complete < session->frames_taken) {
            result = FG_ERR_TIMEOUT;
        }
    }
    fgi_mutex_unlock(recorder->lock);
    fgi_flight_finish(session->flight); /* a dump that was asked for is written now */
    return result;
}

/* ---- frames ---- */

bool fgi_session_take_frame(struct fg_session *session)
{
    if (!fgi_session_is_running(session) ||
        (session->frame_limit != 0 && session->frames_taken == session->frame_limit)) {
        return false;
    }
    session->frames_taken++;
    session->frames_waiting++;
    return true;
}

void fgi_session_frame_gone(struct fg_session *session)
{
    session->frames_waiting--;
}

uint64_t fgi_session_bytes_written(const struct fg_session *session)
{
    struct fg_capture_writer_stats stats = { 0 };
    if (session->writer != NULL) {
        fg_capture_writer_get_stats(session->writer, &stats);
    }
    return stats.written_bytes + stats.pending_bytes;
}

static uint64_t bytes_per_second(const struct fg_session *session, uint64_t bytes)
{
    int64_t elapsed_us = (fgi_host_now(session->recorder) - session->start_ns) / 1000;
    return elapsed_us <= 0 ? 0 : bytes * 1000 / (uint64_t)elapsed_us * 1000;
}

void fgi_session_notify(struct fg_session *session, enum fg_session_event_kind kind, uint64_t frame,
                        const char *message)
{
    if (session->notify == NULL) {
        return;
    }
    uint64_t bytes = fgi_session_bytes_written(session);
    session->notify(session->notify_context,
                    &(struct fg_session_event){
                        .kind = kind,
                        .result = session->result,
                        .frame = frame,
                        .bytes_written = bytes,
                        .level = (enum fg_level)(session->level + FG_LEVEL_TIMING),
                        .bytes_per_second = bytes_per_second(session, bytes),
                        .message = message,
                    });
}

static void warn_over_budget(struct fg_session *session, uint64_t bytes)
{
    static const char *const levels[] = { "timing", "structure", "workload", "verbose" };
    char message[160];
    uint64_t rate = bytes_per_second(session, bytes);
    session->over_budget = true;
    (void)snprintf(message, sizeof message,
                   "the capture is over its budget of %" PRIu64 " MiB: level %s writes %" PRIu64
                   ".%" PRIu64 " MiB/s; recording goes on",
                   session->byte_budget >> 20, levels[session->level], rate >> 20,
                   (rate & 0xfffff) * 10 >> 20);
    fgi_session_notify(session, FG_SESSION_OVER_BUDGET, session->frames_written, message);
}

void fgi_session_check_limits(struct fg_session *session)
{
    if (session == NULL) {
        return;
    }
    uint64_t bytes = fgi_session_bytes_written(session);
    if (bytes > session->byte_budget && !session->over_budget && session->flight == NULL) {
        warn_over_budget(session, bytes);
    }
    if (session->frame_limit != 0 && session->frames_written >= session->frame_limit) {
        fgi_session_halt(session, FG_OK);
    }
}
