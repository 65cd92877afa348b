/* SPDX-License-Identifier: MIT */
/*
 * Events of a CNATRACE file as a trace:
 *
 *     zone                      a span of its thread, nested by time
 *     frame                     a frame, and its span on the thread that ended it
 *     marker                    an instant with its value
 *     resource made, destroyed  an event of that resource: no more than its number is known
 *     malformed                 an instant of the category "malformed" where it ended, and a repair
 *
 * All threads are of one process and one clock, the host's: the file has nothing about them but
 * their numbers. Dropped events are a loss of the trace, since the file does not say whose they
 * were. Repairs: "malformed_zone" (zones that the program ended wrongly), "unknown_name" (an event
 * names a text that is not there), "clamped_time" (a time beyond what can be shown).
 */
#include "convert/import_cnatrace.h"
#include "base/alloc.h"
#include "trace/build.h"
#include <frameglass/capture_cnatrace.h>

#include <stdio.h>

struct import {
    const struct fg_allocator *allocator;
    const struct fg_cnatrace *from;
    struct fgi_builder *builder;
    uint32_t process, clock;
    struct fgi_map64 track_of; /* by thread */
    struct fgi_map64 frame_of; /* by number */
    struct fgi_map64 text_of;  /* by name */
    uint32_t *order;           /* events by begin, outer before inner */
};

/* ---- times ----------------------------------------------------------------------------------- */

static uint64_t end_of(const struct fg_process_event *event)
{
    return event->duration_ns > UINT64_MAX - event->time_ns ? UINT64_MAX
                                                            : event->time_ns + event->duration_ns;
}

/* What is over the largest time that can be shown is clamped, and counted, by the builder. */
static int64_t time_of(uint64_t time_ns)
{
    return time_ns > INT64_MAX ? INT64_MAX : (int64_t)time_ns;
}

/* An outer zone is written after those in it: of zones that took no time the later is around. */
static bool begins_before(void *context, uint32_t a, uint32_t b)
{
    const struct import *in = context;
    const struct fg_process_event *first = &in->from->events[a], *second = &in->from->events[b];
    if (first->time_ns != second->time_ns) {
        return first->time_ns < second->time_ns;
    }
    if (end_of(first) != end_of(second)) {
        return end_of(first) > end_of(second);
    }
    return first->sequence != second->sequence ? first->sequence > second->sequence : a > b;
}

/* ---- what events refer to -------------------------------------------------------------------- */

static uint32_t track_of(struct import *in, uint64_t thread)
{
    uint32_t index = 0;
    char name[40];
    if (fgi_map64_get(&in->track_of, thread, &index)) {
        return index;
    }
    (void)snprintf(name, sizeof name, "thread %llu", (unsigned long long)thread);
    const struct fg_trace_track track = {
        .name = fgi_builder_cstr(in->builder, name),
        .process = in->process,
        .kind = FG_TRACK_THREAD,
        .clock = in->clock,
        .id = thread > INT64_MAX ? INT64_MAX : (int64_t)thread,
    };
    index = fgi_builder_track(in->builder, &track, false);
    if (index != FG_NONE) {
        fgi_builder_fail(in->builder, fgi_map64_put(&in->track_of, thread, index));
    }
    return index;
}

static uint32_t frame_of(const struct import *in, const struct fg_process_event *event)
{
    uint32_t index = FG_NONE;
    return event->frame != 0 && fgi_map64_get(&in->frame_of, event->frame, &index) ? index
                                                                                   : FG_NONE;
}

static uint32_t name_of(struct import *in, const struct fg_process_event *event)
{
    uint32_t text = 0;
    if (event->name != 0 && !fgi_map64_get(&in->text_of, event->name, &text)) {
        fgi_builder_repair(in->builder, "unknown_name", 1, UINT64_MAX);
    }
    return text;
}

static uint32_t category_of(struct import *in, const struct fg_process_event *event)
{
    const char *name = event->kind == FG_PROCESS_EVENT_MALFORMED
                           ? "malformed"
                           : fg_category_name((enum fg_category)event->category);
    return fgi_builder_cstr(in->builder, name);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void add_span(struct import *in, const struct fg_process_event *event)
{
    struct fgi_span_in span = fgi_span_in_make(track_of(in, event->thread), name_of(in, event),
                                               time_of(event->time_ns), time_of(end_of(event)));
    const bool is_frame = event->kind == FG_PROCESS_EVENT_FRAME;
    span.category = category_of(in, event);
    span.classes = is_frame ? FG_CLASS_FRAME : FG_CLASS_ZONE;
    span.frame = frame_of(in, event);
    span.object = event->correlation;
    (void)fgi_builder_span(in->builder, &span);
}

static void add_instant(struct import *in, const struct fg_process_event *event)
{
    const struct fg_trace_instant instant = {
        .time_ns = time_of(end_of(event)),
        .track = track_of(in, event->thread),
        .name = name_of(in, event),
        .category = category_of(in, event),
        .frame = frame_of(in, event),
        .has_value = event->kind != FG_PROCESS_EVENT_MALFORMED,
        .value = event->value,
    };
    (void)fgi_builder_instant(in->builder, &instant);
}

static void add_object(struct import *in, const struct fg_process_event *event)
{
    const bool is_made = event->kind == FG_PROCESS_EVENT_OBJECT_CREATED;
    const struct fg_trace_object_event object = {
        .time_ns = time_of(event->time_ns),
        .kind = is_made ? FG_TRACE_OBJECT_MADE : FG_TRACE_OBJECT_GONE,
        .frame = frame_of(in, event),
        .size_bytes = UINT64_MAX,
        .accuracy = FG_TRACE_ACCURACY_UNKNOWN,
    };
    fgi_builder_object_event(in->builder, (uint64_t)event->value, &object);
}

static void add_event(struct import *in, const struct fg_process_event *event)
{
    switch ((enum fg_process_event_kind)event->kind) {
    case FG_PROCESS_EVENT_ZONE:
    case FG_PROCESS_EVENT_FRAME:
        add_span(in, event);
        return;
    case FG_PROCESS_EVENT_OBJECT_CREATED:
    case FG_PROCESS_EVENT_OBJECT_DESTROYED:
        add_object(in, event);
        return;
    case FG_PROCESS_EVENT_MALFORMED:
        fgi_builder_repair(in->builder, "malformed_zone", 1, UINT64_MAX);
        add_instant(in, event);
        return;
    case FG_PROCESS_EVENT_MARKER:
        add_instant(in, event);
        return;
    }
}

static void add_frame(struct import *in, const struct fg_process_event *event)
{
    const struct fg_trace_frame frame = {
        .id = event->correlation,
        .start_ns = time_of(event->time_ns),
        .cpu_end_ns = time_of(end_of(event)),
        .topology = FG_NONE,
        .track = track_of(in, event->thread),
        .overhead_ns = -1,
        .latency_ns = -1,
        .wait_ns = -1,
        .present_wait_ns = -1,
    };
    const uint32_t index = fgi_builder_frame(in->builder, &frame, NULL, 0);
    uint32_t other = 0;
    if (index != FG_NONE && !fgi_map64_get(&in->frame_of, frame.id, &other)) {
        fgi_builder_fail(in->builder, fgi_map64_put(&in->frame_of, frame.id, index));
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void add_names(struct import *in)
{
    for (size_t i = 0; i < in->from->name_count; i++) {
        const struct fg_cnatrace_name *name = &in->from->names[i];
        const uint32_t text = fgi_builder_text(in->builder, name->text, name->size);
        fgi_builder_fail(in->builder, fgi_map64_put(&in->text_of, name->id, text));
    }
}

static void add_all(struct import *in)
{
    const struct fg_cnatrace *from = in->from;
    const struct fg_trace_clock clock = {
        .name = fgi_builder_cstr(in->builder, "host"),
        .kind = FG_CLOCK_HOST,
        .period_num = 1,
        .period_den = 1,
        .valid_bits = 64,
    };
    in->process = fgi_builder_process(in->builder, 0, 1);
    in->clock = fgi_builder_clock(in->builder, &clock);
    add_names(in);
    for (size_t i = 0; i < from->event_count; i++) {
        if (from->events[i].kind == FG_PROCESS_EVENT_FRAME) {
            add_frame(in, &from->events[i]);
        }
        in->order[i] = (uint32_t)i;
    }
    fgi_builder_fail(in->builder,
                     fgi_sort_u32(in->allocator, in->order, from->event_count, begins_before, in));
    for (size_t i = 0; i < from->event_count && fgi_builder_result(in->builder) == FG_OK; i++) {
        add_event(in, &from->events[in->order[i]]);
    }
    if (from->dropped_events != 0) {
        fgi_builder_loss(in->builder, fgi_builder_cstr(in->builder, "dropped events"),
                         from->dropped_events);
    }
}

static void import_finish(struct import *in)
{
    fgi_free(in->allocator, in->order, in->from->event_count * sizeof *in->order);
    fgi_map64_finish(&in->track_of);
    fgi_map64_finish(&in->frame_of);
    fgi_map64_finish(&in->text_of);
    fgi_builder_destroy(in->builder);
}

enum fg_result fgi_import_cnatrace(const struct fg_cnatrace *events,
                                   const struct fg_allocator *allocator, uint64_t max_rows,
                                   struct fg_trace **out_trace)
{
    struct import in = { .allocator = allocator, .from = events };
    if (max_rows != 0 && events->event_count > max_rows) {
        return FG_ERR_LIMIT;
    }
    in.track_of.allocator = allocator;
    in.frame_of.allocator = allocator;
    in.text_of.allocator = allocator;
    in.order = fgi_calloc(allocator, events->event_count, sizeof *in.order);
    enum fg_result result = in.order == NULL && events->event_count != 0
                                ? FG_ERR_NO_MEMORY
                                : fgi_builder_create(allocator, 0, &in.builder);
    if (result == FG_OK) {
        struct fg_trace_info *info = &fgi_builder_trace(in.builder)->info;
        info->format = "cnatrace";
        info->version = events->version;
        info->closed = true;
        add_all(&in);
        result = fgi_builder_finish(in.builder, out_trace);
    }
    import_finish(&in);
    return result;
}
