/* SPDX-License-Identifier: MIT */
/* When a dump is due: frames and values are looked at as they are written. */
#include "record/flight_priv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SECTIONS_OF_TIME  8 /* a ring of some seconds holds this many sections, and one more */
#define SECTIONS_OF_BYTES 4 /* no section is longer than such a part of the ring */

static const char *const sides[] = { "on the CPU", "on the GPU" };

enum fg_result fgi_flight_triggers_init(struct fgi_flight *flight)
{
    if (flight->options.percentile == 0) {
        return FG_OK;
    }
    for (int i = 0; i < FGI_FLIGHT_SIDES; i++) {
        struct fgi_flight_times *times = &flight->times[i];
        times->newest = fgi_calloc(flight->allocator, flight->options.frames, sizeof(int64_t));
        times->sorted = fgi_calloc(flight->allocator, flight->options.frames, sizeof(int64_t));
        if (times->newest == NULL || times->sorted == NULL) {
            return FG_ERR_NO_MEMORY;
        }
    }
    return FG_OK;
}

void fgi_flight_triggers_finish(struct fgi_flight *flight)
{
    for (int i = 0; i < FGI_FLIGHT_SIDES; i++) {
        fgi_free(flight->allocator, flight->times[i].newest,
                 flight->options.frames * sizeof(int64_t));
        fgi_free(flight->allocator, flight->times[i].sorted,
                 flight->options.frames * sizeof(int64_t));
    }
}

/* ---- requests -------------------------------------------------------------------------------- */

/** Ask for a dump, unless one is waited for or the last trigger was too recent. */
static void trigger(struct fgi_flight *flight, enum fg_flight_cause cause, uint64_t frame,
                    const char *reason)
{
    int64_t now_ns = fgi_host_now(flight->session->recorder);
    fgi_mutex_lock(flight->lock);
    flight->counts.triggers++;
    if (flight->is_pending) {
        flight->counts.refused_busy++;
    } else if (flight->has_triggered &&
               now_ns - flight->triggered_ns < flight->options.distance_ns) {
        flight->counts.refused_distance++;
    } else {
        flight->request = (struct fgi_flight_request){
            .cause = cause,
            .frame = frame,
            .ticks = now_ns,
        };
        (void)snprintf(flight->request.reason, sizeof flight->request.reason, "flight recorder: %s",
                       reason);
        flight->is_pending = true;
        flight->has_triggered = true;
        flight->triggered_ns = now_ns;
        flight->due_ns = now_ns + flight->options.after_ns;
        flight->heard_ns = fgi_clock_monotonic_ns();
        flight->frames_left = flight->options.after_frames;
        fgi_mutex_wake_all(flight->lock);
    }
    fgi_mutex_unlock(flight->lock);
}

/** One more frame is behind the trigger. */
static void count_frame(struct fgi_flight *flight)
{
    int64_t now_ns = fgi_host_now(flight->session->recorder);
    fgi_mutex_lock(flight->lock);
    if (flight->is_pending && !flight->is_ready) {
        flight->heard_ns = fgi_clock_monotonic_ns();
        flight->frames_left -= flight->frames_left != 0 ? 1 : 0;
        if (flight->frames_left == 0 && now_ns >= flight->due_ns) {
            flight->is_ready = true;
            fgi_mutex_wake_all(flight->lock);
        }
    }
    fgi_mutex_unlock(flight->lock);
}

/* ---- times of frames ------------------------------------------------------------------------- */

/** Index of the first of the sorted times that is not less. */
static uint32_t place_of(const struct fgi_flight_times *times, int64_t value)
{
    uint32_t low = 0;
    uint32_t high = times->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (times->sorted[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void add_time(struct fgi_flight_times *times, uint32_t capacity, int64_t value)
{
    if (times->count == capacity) {
        uint32_t at = place_of(times, times->newest[times->next]);
        times->count--;
        memmove(&times->sorted[at], &times->sorted[at + 1],
                (times->count - at) * sizeof *times->sorted);
    }
    uint32_t at = place_of(times, value);
    memmove(&times->sorted[at + 1], &times->sorted[at],
            (times->count - at) * sizeof *times->sorted);
    times->sorted[at] = value;
    times->count++;
    times->newest[times->next] = value;
    times->next = (times->next + 1) % capacity;
}

/** The percentile of the frames before, by nearest rank. */
static int64_t percentile_of(const struct fgi_flight *flight, const struct fgi_flight_times *times)
{
    double rank = ceil(flight->options.percentile / 100 * times->count);
    uint32_t index = rank < 1 ? 0 : (uint32_t)rank - 1;
    return times->sorted[index < times->count ? index : times->count - 1];
}

static void judge_time(struct fgi_flight *flight, int side, uint64_t frame, int64_t duration_ns)
{
    const struct fg_flight_options *options = &flight->options;
    struct fgi_flight_times *times = &flight->times[side];
    char reason[FGI_FLIGHT_REASON_BYTES];
    if (options->frame_ns != 0 && duration_ns > options->frame_ns) {
        (void)snprintf(reason, sizeof reason, "frame %" PRIu64 " took %.3f ms %s, over %.3f ms",
                       frame, (double)duration_ns / 1e6, sides[side],
                       (double)options->frame_ns / 1e6);
        trigger(flight, FG_FLIGHT_FRAME, frame, reason);
    }
    if (times->newest == NULL) {
        return;
    }
    if (times->count == options->frames) {
        double limit_ns = (double)percentile_of(flight, times) * options->factor;
        if ((double)duration_ns > limit_ns) {
            (void)snprintf(reason, sizeof reason,
                           "frame %" PRIu64 " took %.3f ms %s, over %g times percentile %g (%.3f "
                           "ms) of %" PRIu32 " frames",
                           frame, (double)duration_ns / 1e6, sides[side], options->factor,
                           options->percentile, limit_ns / options->factor / 1e6, options->frames);
            trigger(flight, FG_FLIGHT_PERCENTILE, frame, reason);
        }
    }
    add_time(times, options->frames, duration_ns);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_crossed(const struct fgi_flight_watched *watched, int64_t value)
{
    int64_t limit = watched->metric.value;
    return watched->metric.edge == FG_FLIGHT_RISES ? watched->last < limit && value >= limit
                                                   : watched->last > limit && value <= limit;
}

/** The first value crosses nothing: where it came from is not known. */
static void judge_value(struct fgi_flight *flight, struct fgi_flight_watched *watched,
                        int64_t value)
{
    bool crossed = watched->has_last && is_crossed(watched, value);
    if (crossed) {
        char reason[FGI_FLIGHT_REASON_BYTES];
        (void)snprintf(reason, sizeof reason, "%.80s %s to %" PRId64 ", over %" PRId64,
                       watched->metric.name,
                       watched->metric.edge == FG_FLIGHT_RISES ? "rose" : "fell", value,
                       watched->metric.value);
        trigger(flight, FG_FLIGHT_METRIC, flight->newest_frame, reason);
    }
    watched->has_last = true;
    watched->last = value;
}

void fgi_flight_value(struct fg_session *session, const char *name, int64_t value)
{
    struct fgi_flight *flight = session->flight;
    for (size_t i = 0; flight != NULL && i < flight->options.metric_count; i++) {
        if (strcmp(flight->watched[i].metric.name, name) == 0) {
            judge_value(flight, &flight->watched[i], value);
        }
    }
}

/* ---- what the session tells ------------------------------------------------------------------ */

/** Sections that are short enough for the ring, in bytes and in time. */
static void cut_sections(struct fg_session *session)
{
    struct fgi_flight *flight = session->flight;
    int64_t now_ns = fgi_host_now(session->recorder);
    int64_t begin_ns;
    uint64_t bytes = fgi_ring_section_bytes(&flight->ring, &begin_ns);
    int64_t part_ns = flight->options.ring_ns / SECTIONS_OF_TIME;
    bool is_old = flight->options.ring_ns != 0 && bytes != 0 && now_ns - begin_ns >= part_ns;
    if (is_old || bytes > flight->options.ring_bytes / SECTIONS_OF_BYTES) {
        (void)fgi_session_ok(session, fg_capture_writer_checkpoint(session->writer));
    }
    if (flight->options.ring_ns != 0) {
        fgi_ring_forget(&flight->ring, now_ns - flight->options.ring_ns);
    }
}

void fgi_flight_frame(struct fg_session *session, uint64_t frame, int64_t duration_ns)
{
    struct fgi_flight *flight = session->flight;
    if (flight == NULL) {
        return;
    }
    flight->newest_frame = frame;
    cut_sections(session);
    count_frame(flight);
    judge_time(flight, FGI_FLIGHT_CPU, frame, duration_ns);
}

void fgi_flight_device_frame(struct fg_session *session, uint64_t number,
                             const struct fg_frame *frame)
{
    if (session->flight == NULL) {
        return;
    }
    fgi_flight_frame(session, number, frame->end_ns - frame->begin_ns);
    for (size_t i = 0; session->flight->options.metric_count != 0 && i < frame->counter_count;
         i++) {
        fgi_flight_value(session, frame->counters[i].name, frame->counters[i].value);
    }
}

void fgi_flight_landed(struct fg_session *session, uint64_t number, const struct fg_frame *frame)
{
    const struct fgi_recorder *recorder = session->recorder;
    if (session->flight == NULL || recorder->clocks.period.num == 0) {
        return;
    }
    uint64_t begin_ticks = 0;
    uint64_t end_ticks = 0;
    uint32_t clock = FGI_NONE;
    for (size_t i = 0; i < frame->instance_count; i++) {
        const struct fgi_span *span = &frame->spans[i];
        uint32_t queue = fgi_instance_queue(frame, &frame->instances[i]);
        uint32_t own = recorder->clocks.clock_of_queue[queue];
        if (span->status != FG_CAP_SPAN_OK || (clock != FGI_NONE && own != clock)) {
            continue; /* as the directory has it: the frame's first clock counts */
        }
        begin_ticks =
            clock == FGI_NONE || span->begin_ticks < begin_ticks ? span->begin_ticks : begin_ticks;
        end_ticks = clock == FGI_NONE || span->end_ticks > end_ticks ? span->end_ticks : end_ticks;
        clock = own;
    }
    if (clock != FGI_NONE && end_ticks - begin_ticks <= INT64_MAX) {
        judge_time(session->flight, FGI_FLIGHT_GPU, number,
                   fgi_ticks_to_ns((int64_t)(end_ticks - begin_ticks), recorder->clocks.period));
    }
}
