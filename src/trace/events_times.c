/* SPDX-License-Identifier: MIT */
/* What events that are no single span are in time: hulls of the GPU passes in them. */
#include "base/alloc.h"
#include "trace/events_priv.h"

enum { DEPTHS = 256, SCOPE_DEPTH_MAX = 64 };

/* Of an event on the way down: what has been seen in it. */
struct hull {
    uint32_t event;
    uint32_t path;  /* text id of a scope's path */
    uint32_t clock; /* FG_NONE: nothing with a time yet */
    int64_t start_ns, end_ns;
    uint64_t longest_ns;
    bool is_unknown; /* of several clocks, or not ended: not told */
    bool has_track, has_tracks;
};

static uint64_t length_of(const struct fg_trace_span *span)
{
    return fgi_duration(span->start_ns, span->end_ns);
}

/* The scope's span around a GPU pass: the one with this path among those that enclose it. */
static uint32_t scope_row(const struct fgi_events *m, const struct fg_trace_span *span,
                          uint32_t path)
{
    struct fg_trace_span at = *span;
    uint32_t count = 1;
    for (int depth = 0; depth < SCOPE_DEPTH_MAX && at.parent != FG_NONE && count == 1; depth++) {
        if (fg_trace_spans(m->trace, at.parent, &at, 1, &count) != FG_OK) {
            return FG_NONE;
        }
        if (count == 1 && (at.classes & FG_CLASS_SCOPE) && at.scope == path) {
            return at.row;
        }
    }
    return FG_NONE;
}

static void widen(const struct fgi_events *m, struct hull *hull, const struct fg_trace_span *span,
                  bool has_end)
{
    struct fg_event *event = &m->items.items[hull->event];
    uint32_t clock = m->trace->tracks.items[span->track].clock;
    hull->has_tracks |= hull->has_track && event->track != span->track;
    event->track = hull->has_tracks ? FG_NONE : span->track;
    hull->has_track = true;
    if (event->kind == FG_EVENT_SCOPE && event->row == FG_NONE) {
        event->row = scope_row(m, span, hull->path);
    }
    uint64_t length = has_end ? length_of(span) : 0;
    if (event->kind == FG_EVENT_GRAPH_PASS &&
        (event->row == FG_NONE || length > hull->longest_ns)) {
        event->row = span->row;
        hull->longest_ns = length;
    }
    if (!has_end) {
        hull->is_unknown = true;
        return;
    }
    if (hull->clock == FG_NONE) {
        hull->clock = clock;
        hull->start_ns = span->start_ns;
        hull->end_ns = span->end_ns;
    }
    hull->is_unknown |= hull->clock != clock;
    hull->start_ns = span->start_ns < hull->start_ns ? span->start_ns : hull->start_ns;
    hull->end_ns = span->end_ns > hull->end_ns ? span->end_ns : hull->end_ns;
}

static void close_hull(const struct fgi_events *m, const struct hull *hull)
{
    struct fg_event *event = &m->items.items[hull->event];
    if (hull->clock == FG_NONE || hull->is_unknown) {
        return;
    }
    uint64_t length = fgi_duration(hull->start_ns, hull->end_ns);
    event->start_ns = hull->start_ns;
    event->duration_ns = length > INT64_MAX ? INT64_MAX : (int64_t)length;
}

static bool is_container(uint8_t kind)
{
    return kind == FG_EVENT_SUBMISSION || kind == FG_EVENT_SCOPE || kind == FG_EVENT_GRAPH_PASS;
}

/* A GPU pass tells its own time, and widens everything that it is in. */
static void measure_pass(struct fgi_events *m, uint32_t index, struct hull *open, uint32_t count)
{
    struct fg_event *event = &m->items.items[index];
    struct fg_trace_span span;
    uint32_t found = 0;
    if (event->row == FG_NONE) {
        return;
    }
    m->result = fg_trace_spans(m->trace, event->row, &span, 1, &found);
    if (m->result != FG_OK || found == 0) {
        event->row = FG_NONE;
        return;
    }
    bool has_end = span.status == FG_SPAN_COMPLETE;
    event->track = span.track;
    if (has_end) {
        event->start_ns = span.start_ns;
        event->duration_ns = length_of(&span) > INT64_MAX ? INT64_MAX : (int64_t)length_of(&span);
    }
    for (uint32_t i = 0; i < count; i++) {
        widen(m, &open[i], &span, has_end);
    }
}

void fgi_events_measure(struct fgi_events *m)
{
    struct hull open[DEPTHS];
    uint32_t count = 0;
    uint32_t scopes = 0; /* met so far */
    for (uint32_t i = 0; i < m->items.count && m->result == FG_OK; i++) {
        const struct fg_event *event = &m->items.items[i];
        while (count > 0 && m->items.items[open[count - 1].event].depth >= event->depth) {
            close_hull(m, &open[--count]);
        }
        if (is_container(event->kind)) {
            open[count] = (struct hull){ .event = i, .clock = FG_NONE };
            if (event->kind == FG_EVENT_SCOPE) {
                open[count].path = m->scope_paths.items[scopes++];
            }
            count++;
        } else if (event->kind == FG_EVENT_GPU_PASS) {
            measure_pass(m, i, open, count);
        }
        if (i % 4096 == 0 && fgi_question_cancelled(m->question)) {
            m->result = FG_ERR_CANCELLED;
        }
    }
    while (count > 0) {
        close_hull(m, &open[--count]);
    }
}
