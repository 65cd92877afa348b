/* SPDX-License-Identifier: MIT */
/* The flight recorder from create to destroy, its thread, and what it can be asked. */
#include "record/flight_priv.h"

#include <stdio.h>
#include <string.h>

#define RING_DEFAULT_BYTES (16ull << 20)
#define RING_LEAST_BYTES   (256ull << 10)
#define RING_MOST_BYTES    (1ull << 30)
#define QUOTA_BYTES        (1ull << 30)
#define QUOTA_RINGS        4 /* least quota, in rings: a dump with its directories, and a crash */
#define DISTANCE_NS        10000000000
#define FRAMES_DEFAULT     240
#define FRAMES_MOST        1024
#define FACTOR_DEFAULT     1.5
#define AFTER_FRAMES       4
#define SILENCE_NS         5000000000    /* without a frame, a window is over */
#define IDLE_NS            3600000000000 /* between looks with nothing to wait for */
#define SECTIONS           8             /* a ring holds this many, roughly */

/* ---- options --------------------------------------------------------------------------------- */

static bool has_triggers(const struct fg_flight_options *options)
{
    return options->frame_ns != 0 || options->percentile != 0 || options->metric_count != 0;
}

static void fill_defaults(struct fg_flight_options *options)
{
    options->ring_bytes = options->ring_bytes != 0 ? options->ring_bytes : RING_DEFAULT_BYTES;
    options->pattern = options->pattern != NULL ? options->pattern : FGI_FLIGHT_PATTERN;
    options->factor = options->factor != 0 ? options->factor : FACTOR_DEFAULT;
    options->frames = options->frames != 0 ? options->frames : FRAMES_DEFAULT;
    options->after_frames = options->after_frames != 0 ? options->after_frames : AFTER_FRAMES;
    options->distance_ns = options->distance_ns != 0 ? options->distance_ns : DISTANCE_NS;
    if (options->quota_bytes == 0) {
        uint64_t rings = options->ring_bytes * QUOTA_RINGS;
        options->quota_bytes = rings > QUOTA_BYTES ? rings : QUOTA_BYTES;
    }
}

static bool are_good(const struct fg_flight_options *options)
{
    if (options->ring_bytes < RING_LEAST_BYTES || options->ring_bytes > RING_MOST_BYTES ||
        options->ring_ns < 0 || options->frame_ns < 0 || options->after_ns < 0 ||
        options->distance_ns < 0 || options->frames > FRAMES_MOST ||
        options->metric_count > FG_FLIGHT_METRICS_MAX ||
        (options->metric_count != 0 && options->metrics == NULL) ||
        (options->signals & ~(uint32_t)FG_FLIGHT_ALL_SIGNALS) != 0 ||
        options->quota_bytes < options->ring_bytes * QUOTA_RINGS) {
        return false;
    }
    /* Written so that a NaN is refused. */
    if (!(options->percentile >= 0 && options->percentile < 100 && options->factor > 0)) {
        return false;
    }
    for (size_t i = 0; i < options->metric_count; i++) {
        if (options->metrics[i].name == NULL || options->metrics[i].edge > FG_FLIGHT_FALLS) {
            return false;
        }
    }
    if (options->folder != NULL && options->target != NULL) {
        return false;
    }
    if (options->target != NULL &&
        (options->target->open == NULL || options->target->close == NULL)) {
        return false;
    }
    bool goes_nowhere = options->folder == NULL && options->target == NULL;
    return fgi_flight_pattern_is_good(options->pattern) &&
           !(goes_nowhere && has_triggers(options)) &&
           !(options->folder == NULL && options->signals != 0);
}

static const char *copy_text(struct fgi_flight *flight, const char *text)
{
    return fgi_arena_text(&flight->texts, text, strlen(text));
}

static enum fg_result copy_options(struct fgi_flight *flight)
{
    struct fg_flight_options *options = &flight->options;
    bool copied = true;
    options->pattern = copy_text(flight, options->pattern);
    copied &= options->pattern != NULL;
    if (options->folder != NULL) {
        options->folder = copy_text(flight, options->folder);
        copied &= options->folder != NULL;
    }
    for (size_t i = 0; copied && i < options->metric_count; i++) {
        struct fg_flight_metric metric = options->metrics[i];
        metric.name = copy_text(flight, metric.name);
        flight->watched[i].metric = metric;
        copied &= metric.name != NULL;
    }
    options->metrics = NULL;
    if (options->target != NULL) {
        struct fg_flight_target *target = fgi_arena_alloc(&flight->texts, 1, sizeof *target);
        if (target != NULL) {
            *target = *options->target;
        }
        options->target = target;
        copied &= target != NULL;
    }
    return copied ? FG_OK : FG_ERR_NO_MEMORY;
}

/** Room for "folder/name.part", twice: for dumps and for a crash. */
static enum fg_result make_paths(struct fgi_flight *flight)
{
    if (flight->options.folder == NULL) {
        return FG_OK;
    }
    struct fgi_flight_crash *crash = &flight->crash;
    size_t size = strlen(flight->options.folder) + 1 + FGI_FLIGHT_NAME_BYTES + sizeof ".part";
    flight->path = fgi_arena_alloc(&flight->texts, 2, size);
    crash->path = fgi_arena_alloc(&flight->texts, 1, size);
    if (flight->path == NULL || crash->path == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    crash->folder_size = (size_t)snprintf(crash->path, size, "%s/", flight->options.folder);
    if (flight->options.signals == 0) {
        return FG_OK;
    }
    crash->scratch = fgi_arena_alloc(&flight->texts, 1, FGI_FLIGHT_SCRATCH_BYTES);
    return crash->scratch != NULL ? FG_OK : FG_ERR_NO_MEMORY;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

static enum fg_result write_to_ring(void *context, const void *bytes, size_t size)
{
    struct fgi_flight *flight = context;
    flight->ring.now_ns = fgi_host_now(flight->session->recorder);
    return fgi_ring_append(&flight->ring, bytes, size);
}

static void free_flight(struct fgi_flight *flight)
{
    fgi_flight_triggers_finish(flight);
    fgi_ring_finish(&flight->ring);
    fgi_mutex_destroy(flight->lock);
    fgi_arena_finish(&flight->texts);
    fgi_free(flight->allocator, flight, sizeof *flight);
}

enum fg_result fgi_flight_create(struct fg_session *session,
                                 const struct fg_flight_options *options,
                                 struct fgi_flight **out_flight, struct fg_sink *out_sink)
{
    struct fg_flight_options filled = *options;
    fill_defaults(&filled);
    if (!are_good(&filled)) {
        return FG_ERR_ARGUMENT;
    }
    struct fgi_flight *flight = fgi_calloc(session->allocator, 1, sizeof *flight);
    if (flight == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    flight->session = session;
    flight->allocator = session->allocator;
    flight->texts.allocator = session->allocator;
    flight->options = filled;
    flight->newest_frame = FG_CAP_UNKNOWN;
    enum fg_result result = copy_options(flight);
    if (result == FG_OK) {
        result = make_paths(flight);
    }
    if (result == FG_OK) {
        result = fgi_mutex_create(flight->allocator, &flight->lock);
    }
    if (result == FG_OK) {
        result = fgi_ring_init(&flight->ring, flight->allocator, filled.ring_bytes);
    }
    if (result == FG_OK) {
        result = fgi_flight_triggers_init(flight);
    }
    if (result != FG_OK) {
        free_flight(flight);
        return result;
    }
    *out_flight = flight;
    *out_sink = (struct fg_sink){ .write = write_to_ring, .context = flight };
    return FG_OK;
}

void fgi_flight_destroy(struct fgi_flight *flight)
{
    if (flight != NULL) {
        fgi_flight_finish(flight);
        free_flight(flight);
    }
}

void fgi_flight_adjust(const struct fgi_flight *flight, struct fg_capture_writer_options *options)
{
    if (flight != NULL) {
        options->checkpoint_bytes = flight->options.ring_bytes / SECTIONS;
    }
}

/* ---- the thread ------------------------------------------------------------------------------ */

/** Sleep until the window is over or the thread shall end. With `lock`. */
static void wait_for_window(struct fgi_flight *flight)
{
    while (!flight->is_ready && !flight->is_stopping) {
        int64_t left_ns = IDLE_NS;
        if (flight->is_pending) {
            left_ns =
                flight->heard_ns + flight->options.after_ns + SILENCE_NS - fgi_clock_monotonic_ns();
            if (left_ns <= 0) {
                flight->is_ready = true;
                break;
            }
        }
        fgi_mutex_wait(flight->lock, left_ns);
    }
}

/** Wait for one's turn to write. With `lock`. */
static void begin_writing(struct fgi_flight *flight)
{
    while (flight->is_writing) {
        fgi_mutex_wait(flight->lock, IDLE_NS);
    }
    flight->is_writing = true;
}

static void end_writing(struct fgi_flight *flight)
{
    flight->is_writing = false;
    fgi_mutex_wake_all(flight->lock);
}

static void write_dumps(void *context)
{
    struct fgi_flight *flight = context;
    fgi_mutex_lock(flight->lock);
    for (;;) {
        wait_for_window(flight);
        if (!flight->is_pending) {
            break; /* stopping */
        }
        begin_writing(flight);
        struct fgi_flight_request request = flight->request;
        fgi_mutex_unlock(flight->lock);
        (void)fgi_flight_write(flight, &request);
        fgi_mutex_lock(flight->lock);
        flight->is_pending = flight->is_ready = false;
        end_writing(flight);
    }
    fgi_mutex_unlock(flight->lock);
}

static enum fg_result watch_crashes(struct fgi_flight *flight)
{
    struct fgi_flight_crash *crash = &flight->crash;
    crash->process = fgi_process_id();
    crash->clock_is_monotonic = flight->session->recorder->ops->host_ns == NULL;
    crash->budget_bytes = flight->options.ring_bytes + flight->options.ring_bytes / 4;
    crash->watch = (struct fgi_crash_watch){
        .signals = flight->options.signals,
        .call = fgi_flight_crashed,
        .context = flight,
    };
    /* Before the handler is there: room for what it writes is kept from now on. */
    crash->is_watching = true;
    enum fg_result result = fgi_flight_make_room(flight, 0);
    if (result == FG_OK) {
        result = fgi_crash_watch(&crash->watch);
    }
    crash->is_watching = result == FG_OK;
    return result;
}

enum fg_result fgi_flight_start(struct fgi_flight *flight)
{
    enum fg_result result = FG_OK;
    if (flight->options.signals != 0) {
        result = watch_crashes(flight);
    }
    if (result == FG_OK && has_triggers(&flight->options)) {
        result = fgi_thread_create(flight->allocator, write_dumps, flight, &flight->thread);
    }
    if (result != FG_OK && flight->crash.is_watching) {
        fgi_crash_unwatch(&flight->crash.watch);
        flight->crash.is_watching = false;
    }
    return result;
}

void fgi_flight_finish(struct fgi_flight *flight)
{
    if (flight == NULL) {
        return;
    }
    if (flight->crash.is_watching) {
        fgi_crash_unwatch(&flight->crash.watch);
        flight->crash.is_watching = false;
    }
    fgi_mutex_lock(flight->lock);
    flight->is_stopping = true;
    struct fgi_thread *thread = flight->thread;
    flight->thread = NULL;
    fgi_mutex_wake_all(flight->lock);
    fgi_mutex_unlock(flight->lock);
    fgi_thread_join(thread);
}

/* ---- what it can be asked -------------------------------------------------------------------- */

static struct fgi_flight *flight_of(struct fg_session *session)
{
    bool is_ours =
        session != NULL && session->flight != NULL && fgi_recorder_is_ours(session->recorder);
    return is_ours ? session->flight : NULL;
}

enum fg_result fg_flight_dump(struct fg_session *session, const char *reason)
{
    if (session == NULL) {
        return FG_ERR_ARGUMENT;
    }
    struct fgi_flight *flight = flight_of(session);
    if (flight == NULL || (flight->options.folder == NULL && flight->options.target == NULL)) {
        return FG_ERR_STATE;
    }
    struct fgi_flight_request request = { .cause = FG_FLIGHT_CALLED };
    fgi_mutex_lock(session->recorder->lock);
    bool has_started = session->state != FGI_SESSION_NEW;
    request.frame = flight->newest_frame;
    request.ticks = fgi_host_now(session->recorder);
    fgi_mutex_unlock(session->recorder->lock);
    if (!has_started) {
        return FG_ERR_STATE;
    }
    (void)snprintf(request.reason, sizeof request.reason, "flight recorder: %s",
                   reason != NULL && *reason != 0 ? reason : "asked for");
    fgi_mutex_lock(flight->lock);
    begin_writing(flight);
    fgi_mutex_unlock(flight->lock);
    enum fg_result result = fgi_flight_write(flight, &request);
    fgi_mutex_lock(flight->lock);
    end_writing(flight);
    fgi_mutex_unlock(flight->lock);
    return result;
}

bool fg_flight_wait(struct fg_session *session, int64_t timeout_ns)
{
    struct fgi_flight *flight = flight_of(session);
    if (flight == NULL) {
        return true;
    }
    int64_t begin_ns = fgi_clock_monotonic_ns();
    fgi_mutex_lock(flight->lock);
    while (flight->is_pending || flight->is_writing) {
        int64_t left_ns = timeout_ns - (fgi_clock_monotonic_ns() - begin_ns);
        if (left_ns <= 0) {
            break;
        }
        fgi_mutex_wait(flight->lock, left_ns);
    }
    bool done = !flight->is_pending && !flight->is_writing;
    fgi_mutex_unlock(flight->lock);
    return done;
}

void fg_flight_get_status(struct fg_session *session, struct fg_flight_status *out_status)
{
    struct fgi_flight *flight = flight_of(session);
    *out_status = (struct fg_flight_status){ 0 };
    if (flight == NULL) {
        return;
    }
    fgi_mutex_lock(session->recorder->lock);
    fgi_mutex_lock(flight->lock);
    *out_status = flight->counts;
    out_status->pending = flight->is_pending || flight->is_writing;
    fgi_mutex_unlock(flight->lock);
    out_status->kept_bytes = fgi_ring_head(&flight->ring) - fgi_ring_tail(&flight->ring);
    out_status->kept_sections = flight->ring.section_count;
    out_status->forgotten_bytes = flight->ring.forgotten_bytes;
    out_status->overflows = flight->ring.overflow_count;
    fgi_mutex_unlock(session->recorder->lock);
}
