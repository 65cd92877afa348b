/* SPDX-License-Identifier: MIT */
/* Sessions take nothing of what the process says of itself. */
#include "record/instrument/instrument_priv.h"

enum fg_result fgi_stream_open(struct fg_session *session)
{
    (void)session;
    return FG_OK;
}

void fgi_stream_halted(struct fg_session *session)
{
    (void)session;
}

void fgi_stream_close(struct fg_session *session)
{
    (void)session;
}

void fgi_drain_soon(void)
{
}

void fgi_streams_take(const struct fgi_batch *batch)
{
    (void)batch;
}

void fgi_streams_frame(const struct fgi_frame_report *report)
{
    (void)report;
}

void fgi_streams_flush(void)
{
}

void fgi_streams_object(const struct fgi_object_change *change)
{
    (void)change;
}
