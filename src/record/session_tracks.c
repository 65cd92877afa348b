/* SPDX-License-Identifier: MIT */
/* Symbols, tracks and clocks of one capture. */
#include "record/session_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint32_t fgi_session_symbol(struct fg_session *session, const char *text, size_t size)
{
    uint32_t symbol = 0;
    if (size != 0) {
        (void)fgi_session_ok(session,
                             fg_capture_writer_symbol(session->writer, text, size, &symbol));
    }
    return symbol;
}

static uint32_t symbol_of(struct fg_session *session, const char *text)
{
    return text == NULL ? 0 : fgi_session_symbol(session, text, strlen(text));
}

uint32_t fgi_session_pipeline_symbol(struct fg_session *session, uint32_t pipeline)
{
    const struct fgi_recorder *recorder = session->recorder;
    if (pipeline == 0 || pipeline > recorder->pipeline_count) {
        return 0;
    }
    size_t before = session->pipeline_symbol_capacity;
    if (FGI_GROW(session->allocator, session->pipeline_symbols, session->pipeline_symbol_capacity,
                 recorder->pipeline_count, FGI_PIPELINES_MAX) != FG_OK) {
        return symbol_of(session, recorder->pipelines[pipeline - 1].label);
    }
    if (session->pipeline_symbol_capacity != before) {
        memset(session->pipeline_symbols + before, 0,
               (session->pipeline_symbol_capacity - before) * sizeof *session->pipeline_symbols);
    }
    uint32_t *symbol = &session->pipeline_symbols[pipeline - 1];
    if (*symbol == 0) {
        *symbol = symbol_of(session, recorder->pipelines[pipeline - 1].label);
    }
    return *symbol;
}

static bool write_thread(struct fg_session *session, uint32_t track, uint32_t thread,
                         const char *name, uint64_t os_id)
{
    char number[32];
    (void)snprintf(number, sizeof number, "thread %" PRIu32, thread);
    struct fg_cap_track record = {
        .id = track,
        .kind = FG_CAP_TRACK_THREAD,
        .process = FGI_PROCESS,
        .parent = FG_CAP_NONE,
        .clock = FGI_HOST_CLOCK,
        .name = symbol_of(session, name[0] != '\0' ? name : number),
        .os_id = os_id,
        .sort = track - FGI_FIRST_THREAD,
    };
    return session->result == FG_OK &&
           fgi_session_ok(session, fg_capture_writer_track(session->writer, &record));
}

/** Track of a thread, the next free one when it has none; then it is not stated yet. */
static bool find_track(struct fg_session *session, uint32_t thread, uint32_t *out_track)
{
    if (fgi_map64_get(&session->thread_tracks, thread, out_track)) {
        return true;
    }
    *out_track = FGI_FIRST_THREAD + session->thread_count;
    return false;
}

static bool keep_track(struct fg_session *session, uint32_t thread, uint32_t track)
{
    if (!fgi_session_ok(session, fgi_map64_put(&session->thread_tracks, thread, track))) {
        return false;
    }
    session->thread_count++;
    return true;
}

uint32_t fgi_session_thread_track(struct fg_session *session, uint32_t thread)
{
    uint32_t track;
    if (!find_track(session, thread, &track) &&
        (!write_thread(session, track, thread, "", FG_CAP_UNKNOWN) ||
         !keep_track(session, thread, track))) {
        return FG_CAP_NONE;
    }
    return track;
}

void fgi_session_name_thread(struct fg_session *session, uint32_t thread, const char *name,
                             uint64_t os_id)
{
    uint32_t track;
    const bool is_known = find_track(session, thread, &track);
    if (write_thread(session, track, thread, name, os_id) && !is_known) {
        (void)keep_track(session, thread, track);
    }
}

static void write_host_clock(struct fg_session *session)
{
    const struct fgi_device_caps *caps = &session->recorder->device->caps;
    struct fg_cap_clock clock = {
        .id = FGI_HOST_CLOCK,
        .kind = FG_CAP_CLOCK_MONOTONIC,
        .domain = FG_CAP_DOMAIN_HOST,
        .host_clock = FG_CAP_NONE,
        .name = symbol_of(session, caps->host_clock != NULL ? caps->host_clock : "monotonic"),
        .period_num = 1,
        .period_den = 1,
        .valid_bits = 64,
    };
    (void)fgi_session_ok(session, fg_capture_writer_clock(session->writer, &clock));
}

/** State a device clock; with the newest reading when there is one that was not written yet. */
static void write_clock(struct fg_session *session, uint32_t index, bool with_reading)
{
    const struct fgi_clocks *clocks = &session->recorder->clocks;
    const struct fgi_clock *clock = &clocks->clocks[index];
    bool calibrated = clock->calibrated && (session->flags & FG_SESSION_NO_CALIBRATION) == 0;
    char name[48];
    (void)snprintf(name, sizeof name, "device, queue family %" PRIu32, clock->family);
    struct fg_cap_reading reading = {
        .ticks = clock->reading_ticks,
        .host_ticks = (uint64_t)clock->reading_ns,
        .deviation_ns = (uint64_t)clock->reading_deviation_ns,
    };
    bool has_reading = calibrated && with_reading && clock->reading_count != 0;
    const char *reason = clock->reason;
    if (clock->calibrated && !calibrated) {
        reason = "the session was asked not to calibrate";
    }
    struct fg_cap_clock record = {
        .id = index + 1,
        .kind = FG_CAP_CLOCK_DEVICE,
        .domain = calibrated ? FG_CAP_DOMAIN_CALIBRATED : FG_CAP_DOMAIN_NOMINAL,
        .host_clock = FGI_HOST_CLOCK,
        .name = symbol_of(session, name),
        .reason = calibrated ? 0 : symbol_of(session, reason),
        .period_num = clocks->period.num,
        .period_den = clocks->period.den != 0 ? clocks->period.den : 1,
        .valid_bits = clock->valid_bits,
        .first_reading = session->readings[index],
        .readings = &reading,
        .reading_count = has_reading ? 1 : 0,
    };
    if (fgi_session_ok(session, fg_capture_writer_clock(session->writer, &record)) && has_reading) {
        session->readings[index]++;
    }
}

void fgi_sessions_write_clock(struct fgi_recorder *recorder, uint32_t clock)
{
    for (uint32_t i = 0; i < recorder->session_count; i++) {
        struct fg_session *session = recorder->sessions[i];
        if (session->state != FGI_SESSION_CLOSED && session->result == FG_OK) {
            write_clock(session, clock, true);
        }
    }
}

static void write_queue(struct fg_session *session, uint32_t queue)
{
    const struct fgi_recorder *recorder = session->recorder;
    const struct fgi_queue_caps *caps = &recorder->device->caps.queues[queue];
    struct fg_cap_track record = {
        .id = fgi_session_queue_track(queue),
        .kind = FG_CAP_TRACK_GPU_QUEUE,
        .process = FGI_PROCESS,
        .parent = FG_CAP_NONE,
        .clock = recorder->clocks.clock_of_queue[queue] + 1,
        .name = symbol_of(session, caps->name),
        .os_id = (uint64_t)caps->family << 32 | queue,
        .queue_flags = caps->queue_flags,
        .sort = queue,
    };
    (void)fgi_session_ok(session, fg_capture_writer_track(session->writer, &record));
}

void fgi_session_write_context(struct fg_session *session)
{
    const struct fgi_recorder *recorder = session->recorder;
    struct fg_cap_process process = { .id = FGI_PROCESS, .os_id = recorder->process };
    for (size_t i = 0; i < session->meta_count; i++) {
        if (strcmp(session->meta[i].key, "program") == 0) {
            process.name = symbol_of(session, session->meta[i].value);
        }
    }
    (void)fgi_session_ok(session, fg_capture_writer_process(session->writer, &process));
    write_host_clock(session);
    for (uint32_t i = 0; i < recorder->clocks.count; i++) {
        write_clock(session, i, true);
    }
    for (uint32_t i = 0; i < recorder->device->caps.queue_count; i++) {
        write_queue(session, i);
    }
}
