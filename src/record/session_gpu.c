/* SPDX-License-Identifier: MIT */
/* GSPN: the GPU side of a frame, one record per clock; LOST: the device is gone. */
#include "record/flight_priv.h"
#include "record/session_priv.h"

#include <string.h>

#define SPANS_MAX (1u << 22)

static bool on_clock(const struct fgi_recorder *recorder, const struct fg_frame *frame,
                     const struct fgi_instance *instance, uint32_t clock)
{
    return recorder->clocks.clock_of_queue[fgi_instance_queue(frame, instance)] == clock;
}

static bool has_begin(const struct fgi_span *span)
{
    return span->status == FG_CAP_SPAN_OK || span->status == FG_CAP_SPAN_OPEN ||
           span->status == FG_CAP_SPAN_INVALID;
}

/** Spans of one clock, and the earliest begin among them. */
static size_t fill_spans(struct fg_session *session, const struct fg_frame *frame, uint32_t clock,
                         uint64_t *out_epoch)
{
    size_t count = 0;
    bool found = false;
    *out_epoch = 0;
    for (uint32_t i = 0; i < frame->instance_count; i++) {
        const struct fgi_span *span = &frame->spans[i];
        if (!on_clock(session->recorder, frame, &frame->instances[i], clock)) {
            continue;
        }
        if (has_begin(span) && (!found || span->begin_ticks < *out_epoch)) {
            *out_epoch = span->begin_ticks;
            found = true;
        }
        bool ended = span->status == FG_CAP_SPAN_OK || span->status == FG_CAP_SPAN_INVALID;
        session->scratch.spans[count++] = (struct fg_cap_gpu_span){
            .instance = i,
            .status = span->status,
            .origin = span->origin,
            .begin_ticks = has_begin(span) ? span->begin_ticks : 0,
            .end_ticks = ended ? span->end_ticks : 0,
        };
    }
    return count;
}

static uint32_t bit_count(uint32_t mask)
{
    uint32_t count = 0;
    for (; mask != 0; mask &= mask - 1) {
        count++;
    }
    return count;
}

/** Pipeline statistics of the instances of one clock. */
static size_t fill_statistics(struct fg_session *session, const struct fg_frame *frame,
                              uint32_t clock)
{
    uint32_t mask = session->recorder->device->caps.statistics_mask;
    size_t count = 0;
    if (mask == 0 || (session->flags & FG_SESSION_NO_STATISTICS) != 0) {
        return 0;
    }
    for (uint32_t i = 0; i < frame->instance_count; i++) {
        const struct fgi_instance *instance = &frame->instances[i];
        const struct fgi_use *use = &frame->uses[instance->use];
        const struct fgi_pass *pass = fgi_instance_pass(frame, instance);
        const struct fgi_results *results = use->copy != NULL   ? &use->copy->results
                                            : use->pool != NULL ? &use->pool->results
                                                                : NULL;
        if (pass == NULL || results == NULL || results->statistics == NULL ||
            pass->slot >= use->used_slots || !results->times[pass->slot].has_statistics ||
            (pass->flags & FGI_PASS_STATISTICS) == 0 ||
            !on_clock(session->recorder, frame, instance, clock)) {
            continue;
        }
        session->scratch.statistics[count++] = (struct fg_cap_statistics){
            .instance = i,
            .mask = mask,
            .values = &results->statistics[(size_t)pass->slot * FGI_STATISTICS_MAX],
            .value_count = bit_count(mask),
        };
    }
    return count;
}

/** Resolved counts of one clock: they lie together. */
static void fill_resolved(const struct fg_session *session, const struct fg_frame *frame,
                          uint32_t clock, struct fg_cap_gpu_frame *record)
{
    size_t first = 0;
    bool wanted = (session->flags & FG_SESSION_RESOLVE_INDIRECT) != 0 &&
                  session->level >= FG_CAP_LEVEL_WORKLOAD;
    record->resolved = frame->resolved;
    record->resolved_count = 0;
    if (!wanted) {
        return;
    }
    while (first < frame->resolved_count &&
           !on_clock(session->recorder, frame, &frame->instances[frame->resolved[first].instance],
                     clock)) {
        first++;
    }
    size_t end = first;
    while (end < frame->resolved_count &&
           on_clock(session->recorder, frame, &frame->instances[frame->resolved[end].instance],
                    clock)) {
        end++;
    }
    record->resolved = frame->resolved + first;
    record->resolved_count = end - first;
}

static bool write_clock_spans(struct fg_session *session, const struct fg_frame *frame,
                              uint64_t number, uint32_t clock, bool last)
{
    uint64_t epoch;
    size_t count = fill_spans(session, frame, clock, &epoch);
    int64_t latency_ns =
        frame->submit_ns < 0 ? -1 : fgi_host_now(session->recorder) - frame->submit_ns;
    struct fg_cap_gpu_frame record = {
        .frame = number,
        .clock = clock + 1,
        .flags = last ? FG_CAP_GPU_FRAME_LAST : 0,
        .instance_count = (uint32_t)frame->instance_count,
        .epoch_ticks = epoch,
        .latency_ns = latency_ns < 0 ? FG_CAP_UNKNOWN : (uint64_t)latency_ns,
        .spans = session->scratch.spans,
        .span_count = count,
        .statistics = session->scratch.statistics,
        .statistics_count = fill_statistics(session, frame, clock),
    };
    fill_resolved(session, frame, clock, &record);
    return fgi_session_ok(session, fg_capture_writer_gpu_frame(session->writer, &record));
}

static bool reserve(struct fg_session *session, const struct fg_frame *frame)
{
    return fgi_session_ok(session, FGI_GROW(session->allocator, session->scratch.spans,
                                            session->scratch.span_capacity, frame->instance_count,
                                            SPANS_MAX)) &&
           fgi_session_ok(session, FGI_GROW(session->allocator, session->scratch.statistics,
                                            session->scratch.statistics_capacity,
                                            frame->instance_count, SPANS_MAX));
}

void fgi_session_write_gpu(struct fg_session *session, const struct fg_frame *frame,
                           const struct fgi_audience *audience, bool complete)
{
    if (!audience->written || session->result != FG_OK || session->state == FGI_SESSION_CLOSED ||
        !reserve(session, frame)) {
        return;
    }
    const struct fgi_recorder *recorder = session->recorder;
    bool has[FGI_QUEUES_MAX] = { false };
    uint32_t last = 0;
    for (size_t i = 0; i < frame->instance_count; i++) {
        uint32_t queue = fgi_instance_queue(frame, &frame->instances[i]);
        uint32_t clock = recorder->clocks.clock_of_queue[queue];
        has[clock] = true;
        last = clock > last ? clock : last;
    }
    for (uint32_t clock = 0; clock <= last; clock++) {
        if ((has[clock] || clock == last) &&
            !write_clock_spans(session, frame, audience->frame, clock, clock == last)) {
            return;
        }
    }
    session->frames_landed++;
    session->frames_complete += complete ? 1 : 0;
    fgi_session_notify(session, FG_SESSION_FRAME_LANDED, audience->frame,
                       complete ? "a frame's GPU times came" : "a frame's GPU times are missing");
    fgi_flight_landed(session, audience->frame, frame);
}

/** Number of the frame in this session's capture; false when it is not in it. */
static bool number_of(const struct fg_frame *frame, const struct fg_session *session,
                      uint64_t *out_number)
{
    for (uint32_t i = 0; i < frame->session_count; i++) {
        if (frame->sessions[i].session == session && frame->sessions[i].written) {
            *out_number = frame->sessions[i].frame;
            return true;
        }
    }
    return false;
}

/** Passes that had begun and not ended, over the frames in flight. */
static size_t list_open(const struct fg_session *session, struct fg_cap_instance_ref *list)
{
    size_t count = 0;
    for (const struct fg_frame *frame = session->recorder->in_flight; frame != NULL;
         frame = frame->next) {
        uint64_t number;
        if (!number_of(frame, session, &number)) {
            continue;
        }
        for (uint32_t i = 0; i < frame->instance_count; i++) {
            if (frame->spans[i].status == FG_CAP_SPAN_OPEN) {
                if (list != NULL) {
                    list[count] = (struct fg_cap_instance_ref){ number, i };
                }
                count++;
            }
        }
    }
    return count;
}

static void write_lost(struct fg_session *session)
{
    static const char reason[] = "the device reported its loss";
    struct fg_cap_device_lost record = {
        .frame = session->frames_written != 0 ? session->frames_written - 1 : FG_CAP_UNKNOWN,
        .clock = FGI_HOST_CLOCK,
        .ticks = (uint64_t)fgi_host_now(session->recorder),
        .reason = { reason, sizeof reason - 1 },
        .open_count = list_open(session, NULL),
    };
    size_t room = record.open_count + 1;
    struct fg_cap_instance_ref *open = fgi_calloc(session->allocator, room, sizeof *open);
    if (open != NULL) {
        (void)list_open(session, open);
    } else {
        record.open_count = 0; /* the spans' status still says it */
    }
    record.open = open;
    if (fgi_session_ok(session, fg_capture_writer_device_lost(session->writer, &record))) {
        /* Nobody knows whether the process survives this. */
        (void)fgi_session_ok(session, fg_capture_writer_flush(session->writer));
    }
    fgi_free(session->allocator, open, room * sizeof *open);
    fgi_session_notify(session, FG_SESSION_DEVICE_LOST, session->frames_written,
                       "the device was lost");
}

void fgi_sessions_write_lost(struct fgi_recorder *recorder)
{
    for (uint32_t i = 0; i < recorder->session_count; i++) {
        struct fg_session *session = recorder->sessions[i];
        if (!session->told_lost && session->state != FGI_SESSION_CLOSED &&
            session->result == FG_OK) {
            session->told_lost = true;
            write_lost(session);
        }
    }
}
