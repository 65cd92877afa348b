/* SPDX-License-Identifier: MIT */
/* FRAM of a session without a device: the frames of the process's own loop. With the lock. */
#include "record/flight_priv.h"
#include "record/session_priv.h"

static uint64_t waited_ns(const struct fgi_loop_frame *frame)
{
    return frame->waited_ns != 0 ? (uint64_t)frame->waited_ns : FG_CAP_UNKNOWN;
}

void fgi_session_write_loop_frame(struct fg_session *session, const struct fgi_loop_frame *frame)
{
    /* It ended before the session's stop, but may come later: what is told waits for a drain. */
    if (session->frame_limit != 0 && session->frames_written >= session->frame_limit) {
        return;
    }
    const struct fg_cap_frame record = {
        .frame = session->frames_written,
        .topology = FG_CAP_NONE,
        .level = session->level,
        .clock = FGI_HOST_CLOCK,
        .track = frame->track,
        .begin_ticks = (uint64_t)frame->begin_ns,
        .end_ticks = (uint64_t)(frame->begin_ns + frame->duration_ns),
        .submit_ticks = FG_CAP_UNKNOWN,
        .wait_ticks = waited_ns(frame),
        .present_wait_ticks = FG_CAP_UNKNOWN,
        .recorder_ns = FG_CAP_UNKNOWN,
        .counters = frame->counters,
        .counter_count = frame->counter_count,
    };
    if (session->result != FG_OK ||
        !fgi_session_ok(session, fg_capture_writer_frame(session->writer, &record))) {
        return;
    }
    session->frames_taken++; /* nothing lands later */
    session->frames_written++;
    session->frames_landed++;
    session->frames_complete++;
    session->cpu_ns += frame->duration_ns;
    fgi_session_notify(session, FG_SESSION_FRAME_WRITTEN, record.frame, "a frame was written");
    fgi_flight_frame(session, record.frame, frame->duration_ns);
    fgi_session_check_limits(session);
}
