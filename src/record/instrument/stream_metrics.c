/* SPDX-License-Identifier: MIT */
/* Metrics of a capture, and the frames of sessions without a device. FORMAT.md, 6.3, 7.6. */
#include "record/flight_priv.h"
#include "record/instrument/stream_priv.h"

#include <string.h>

#define LOOK_PERIOD_NS 1000000

/* What all metrics were when they were last looked at; belongs to `drain`. */
static struct {
    struct fgi_metric_view views[FG_METRICS_MAX];
    uint32_t count;
    uint64_t ticks;
    int64_t next_ns;
} look;

static void take_view(void *context, const struct fgi_metric_view *metric)
{
    (void)context;
    if (metric->row.id - 1 < FG_METRICS_MAX) {
        look.views[metric->row.id - 1] = *metric;
        look.count = metric->row.id;
    }
}

void fgi_stream_look(bool is_due)
{
    const int64_t now_ns = fgi_clock_monotonic_ns();
    if (is_due || now_ns >= look.next_ns) {
        look.next_ns = now_ns + LOOK_PERIOD_NS;
        look.ticks = fgi_ticks_now();
        fgi_metrics_each(take_view, NULL);
    }
}

static const char *unit_text(uint32_t unit)
{
    static const char *const units[] = { "count", "bytes", "ns", "per second", "basis points" };
    return unit < sizeof units / sizeof units[0] ? units[unit] : "";
}

static void state_metrics(struct fgi_stream *stream)
{
    static const uint32_t kinds[] = {
        [FG_METRIC_COUNTER] = FG_CAP_METRIC_COUNTER,
        [FG_METRIC_GAUGE] = FG_CAP_METRIC_GAUGE,
        [FG_METRIC_FRAME_COUNTER] = FG_CAP_METRIC_FRAME,
    };
    struct fg_session *session = stream->session;
    for (uint32_t i = stream->metric_count; i < look.count && session->result == FG_OK; i++) {
        const struct fg_metric_row *row = &look.views[i].row;
        const char *unit = unit_text(row->unit);
        const struct fg_cap_metric metric = {
            .id = row->id,
            .kind = kinds[row->kind],
            .track = FG_CAP_NONE,
            .name = fgi_session_symbol(session, row->name, strlen(row->name)),
            .unit = fgi_session_symbol(session, unit, strlen(unit)),
            .accuracy = (uint32_t)row->accuracy,
        };
        if (session->result == FG_OK &&
            fgi_session_ok(session, fg_capture_writer_metric(session->writer, &metric))) {
            stream->metric_names[i] = metric.name;
            stream->metric_units[i] = metric.unit;
            stream->metric_count = i + 1;
        }
    }
}

static bool write_value(struct fgi_stream *stream, uint32_t metric, int64_t value, uint64_t ticks)
{
    struct fg_session *session = stream->session;
    const struct fg_cap_metric_sample sample = {
        .ticks = (int64_t)ticks,
        .value = { .kind = FG_CAP_VALUE_INT, .i = value },
    };
    const struct fg_cap_metric_samples list = { metric, FGI_TICKS_CLOCK, &sample, 1 };
    if (!fgi_session_ok(session, fg_capture_writer_metric_samples(session->writer, &list))) {
        return false;
    }
    fgi_flight_value(session, look.views[metric - 1].row.name, value);
    return true;
}

void fgi_stream_write_metrics(struct fgi_stream *stream)
{
    const bool is_halted = stream->halt_ticks != 0 && look.ticks > stream->halt_ticks;
    if (stream->is_last_look || look.count == 0) {
        return;
    }
    stream->is_last_look = is_halted;
    if (!fgi_stream_state(stream)) {
        return;
    }
    state_metrics(stream);
    for (uint32_t i = 0; i < stream->metric_count && stream->session->result == FG_OK; i++) {
        const struct fgi_metric_view *view = &look.views[i];
        /* Those of frames come with the frames. */
        if (view->row.kind != FG_METRIC_FRAME_COUNTER &&
            view->change != stream->metric_changes[i] &&
            write_value(stream, view->row.id, view->row.value,
                        is_halted ? stream->halt_ticks : look.ticks)) {
            stream->metric_changes[i] = view->change;
        }
    }
}

void fgi_stream_frame_values(struct fgi_stream *stream, const struct fgi_frame_report *report)
{
    const struct fg_loop_row *row = report->row;
    if (row->value_count == 0 || !fgi_stream_enter_stated(stream)) {
        return;
    }
    state_metrics(stream);
    for (uint32_t i = 0; i < row->value_count && stream->session->result == FG_OK; i++) {
        const uint32_t id = row->values[i].metric;
        const int64_t value = row->values[i].value;
        int64_t *last = &stream->frame_values[id - 1];
        uint64_t *is_known = &stream->metric_changes[id - 1];
        if (id <= stream->metric_count && (*is_known == 0 || *last != value) &&
            fgi_stream_ends_in_time(stream, report->end_ticks) &&
            write_value(stream, id, value, report->end_ticks)) {
            *last = value;
            *is_known = 1;
        }
    }
    fgi_stream_leave(stream);
}

void fgi_stream_loop_frame(struct fgi_stream *stream, const struct fgi_frame_report *report)
{
    static struct fg_cap_counter counters[FG_HISTORY_FRAME_COUNTERS + 1]; /* under `drain` */
    const struct fg_loop_row *row = report->row;
    if (!fgi_stream_ends_in_time(stream, report->end_ticks) || !fgi_stream_enter_stated(stream)) {
        return;
    }
    state_metrics(stream);
    struct fg_session *session = stream->session;
    struct fgi_loop_frame frame = {
        .track = fgi_stream_loop_track(stream, report->loop, report->loop_name),
        .begin_ns = row->begin_ns,
        .duration_ns = row->duration_ns,
        .waited_ns = row->duration_ns - row->work_ns,
        .counters = counters,
    };
    counters[frame.counter_count++] = (struct fg_cap_counter){
        .name = fgi_session_symbol(session, "frame.collection", 16),
        .unit = fgi_session_symbol(session, "ns", 2),
        .value = { .kind = FG_CAP_VALUE_INT, .i = row->collection_ns },
    };
    for (uint32_t i = 0; i < row->value_count; i++) {
        const uint32_t index = row->values[i].metric - 1;
        if (index < stream->metric_count) {
            counters[frame.counter_count++] = (struct fg_cap_counter){
                .name = stream->metric_names[index],
                .unit = stream->metric_units[index],
                .value = { .kind = FG_CAP_VALUE_INT, .i = row->values[i].value },
            };
        }
    }
    if (session->result == FG_OK) {
        fgi_session_write_loop_frame(session, &frame);
    }
    for (uint32_t i = 0; i < row->value_count; i++) {
        fgi_flight_value(session, look.views[row->values[i].metric - 1].row.name,
                         row->values[i].value);
    }
    fgi_stream_leave(stream);
}
