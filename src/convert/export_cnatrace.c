/* SPDX-License-Identifier: MIT */
/*
 * A trace as a CNATRACE file: spans are zones, the spans of frames are frames, instants are
 * markers, resources are made and destroyed. The rest has no place there (counters, arguments,
 * graphs). Events stand in the order in which they ended, as a program would have written them;
 * numbers of threads are the tracks' own where these are all different, else tracks are counted
 * from 1. Where times are negative, all are moved so that the first is 0.
 *
 * The file holds 32,768 events and 16 MiB of names: the newest are taken, the others counted as
 * dropped. Names that are longer than a name may be are cut.
 */
#include "base/climb.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "capture/cnatrace.h"
#include "convert/exporter_priv.h"
#include <frameglass/trace_state.h>

#include <string.h>

struct candidate {
    int64_t end_ns;
    uint32_t depth, order;
    uint32_t row;                  /* FG_NONE: no span */
    struct fg_process_event event; /* its name is the trace's text */
};

struct selection {
    const struct fgi_export *work;
    const struct fg_trace *trace;
    struct candidate *heap; /* the oldest is the first */
    size_t count, capacity;
    uint32_t seen;
    uint64_t shift_ns;
    bool has_own_threads;
};

/* ---- the newest events ----------------------------------------------------------------------- */

/* Zones are written as they end, inner ones first. */
static bool is_older(const struct candidate *a, const struct candidate *b)
{
    if (a->end_ns != b->end_ns) {
        return a->end_ns < b->end_ns;
    }
    return a->depth != b->depth ? a->depth > b->depth : a->order < b->order;
}

static void sink_down(struct candidate *heap, size_t count, size_t at)
{
    const struct candidate moved = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_older(&heap[child + 1], &heap[child])) {
            child++;
        }
        if (!is_older(&heap[child], &moved)) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

static void rise(struct candidate *heap, size_t at)
{
    const struct candidate moved = heap[at];
    for (; at > 0 && is_older(&moved, &heap[(at - 1) / 2]); at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = moved;
}

static void offer(struct selection *s, struct candidate *candidate)
{
    candidate->order = s->seen++;
    if (s->count < s->capacity) {
        s->heap[s->count] = *candidate;
        rise(s->heap, s->count++);
    } else if (s->count != 0 && is_older(&s->heap[0], candidate)) {
        s->heap[0] = *candidate;
        sink_down(s->heap, s->count, 0);
    }
}

/* From the newest to the oldest. */
static void sort(struct selection *s)
{
    for (size_t left = s->count; left > 1; left--) {
        const struct candidate oldest = s->heap[0];
        s->heap[0] = s->heap[left - 1];
        s->heap[left - 1] = oldest;
        sink_down(s->heap, left - 1, 0);
    }
}

/* ---- what becomes an event ------------------------------------------------------------------- */

static uint64_t file_time(const struct selection *s, int64_t time_ns)
{
    return (uint64_t)time_ns + s->shift_ns;
}

static uint64_t frame_number(const struct selection *s, uint32_t frame)
{
    const struct fg_trace_frame *found = fg_trace_frame(s->trace, frame);
    return found != NULL ? found->id : 0;
}

static uint64_t thread_number(const struct selection *s, uint32_t track)
{
    const struct fg_trace_track *found = fg_trace_track(s->trace, track);
    return found == NULL ? 0 : s->has_own_threads ? (uint64_t)found->id : (uint64_t)track + 1;
}

static uint8_t category_of(const struct selection *s, uint32_t text, uint32_t track)
{
    const char *name = fg_trace_text(s->trace, text);
    const struct fg_trace_track *found = fg_trace_track(s->trace, track);
    for (int i = FG_CATEGORY_CORE; i <= FG_CATEGORY_GPU; i++) {
        if (strcmp(name, fg_category_name((enum fg_category)i)) == 0) {
            return (uint8_t)i;
        }
    }
    return found != NULL && found->kind == FG_TRACK_GPU_QUEUE ? FG_CATEGORY_GPU
                                                              : FG_CATEGORY_APPLICATION;
}

static enum fg_result offer_span(void *context, const struct fg_trace_span *span)
{
    struct selection *s = context;
    const bool is_frame = (span->classes & FG_CLASS_FRAME) != 0 && span->frame != FG_NONE;
    const uint64_t frame = frame_number(s, span->frame);
    struct candidate candidate = {
        .end_ns = span->end_ns,
        .depth = span->depth,
        .row = span->row,
        .event = {
            .time_ns = file_time(s, span->start_ns),
            .duration_ns = (uint64_t)span->end_ns - (uint64_t)span->start_ns,
            .frame = frame,
            .thread = thread_number(s, span->track),
            .correlation = is_frame ? frame : (uint64_t)span->row + 1,
            .name = span->name,
            .kind = is_frame ? FG_PROCESS_EVENT_FRAME : FG_PROCESS_EVENT_ZONE,
            .category = category_of(s, span->category, span->track),
        },
    };
    offer(s, &candidate);
    return FG_OK;
}

static void offer_instants(struct selection *s)
{
    const struct fg_trace_instant *instant;
    for (uint32_t i = 0; (instant = fg_trace_instant(s->trace, i)) != NULL; i++) {
        const bool is_malformed =
            strcmp(fg_trace_text(s->trace, instant->category), "malformed") == 0;
        struct candidate candidate = {
            .end_ns = instant->time_ns,
            .depth = UINT32_MAX,
            .row = FG_NONE,
            .event = {
                .time_ns = file_time(s, instant->time_ns),
                .frame = frame_number(s, instant->frame),
                .thread = thread_number(s, instant->track),
                .value = instant->has_value ? instant->value : 0,
                .name = instant->name,
                .kind = is_malformed ? FG_PROCESS_EVENT_MALFORMED : FG_PROCESS_EVENT_MARKER,
                .category = category_of(s, instant->category, instant->track),
            },
        };
        if (!instant->is_loss) {
            offer(s, &candidate);
        }
    }
}

static void offer_objects(struct selection *s)
{
    const struct fg_trace_object_event *found;
    for (uint32_t i = 0; (found = fg_trace_object_event(s->trace, i)) != NULL; i++) {
        const struct fg_trace_object *object = fg_trace_object(s->trace, found->object);
        struct candidate candidate = {
            .end_ns = found->time_ns,
            .depth = UINT32_MAX,
            .row = FG_NONE,
            .event = {
                .time_ns = file_time(s, found->time_ns),
                .frame = frame_number(s, found->frame),
                .value = object != NULL ? (int64_t)object->id : 0,
                .name = found->name,
                .kind = found->kind == FG_TRACE_OBJECT_MADE ? FG_PROCESS_EVENT_OBJECT_CREATED
                                                            : FG_PROCESS_EVENT_OBJECT_DESTROYED,
                .category = FG_CATEGORY_GRAPHICS,
            },
        };
        if (found->kind == FG_TRACE_OBJECT_MADE || found->kind == FG_TRACE_OBJECT_GONE) {
            offer(s, &candidate);
        }
    }
}

/* Whether the numbers that the tracks have tell them apart. */
static enum fg_result look_at_threads(struct selection *s)
{
    struct fgi_map64 seen = { .allocator = s->work->allocator };
    const struct fg_trace_track *track;
    enum fg_result result = FG_OK;
    s->has_own_threads = true;
    for (uint32_t i = 0; (track = fg_trace_track(s->trace, i)) != NULL && result == FG_OK; i++) {
        uint32_t other = 0;
        if (track->kind == FG_TRACK_COUNTER) {
            continue;
        }
        if (track->id <= 0 || fgi_map64_get(&seen, (uint64_t)track->id, &other)) {
            s->has_own_threads = false;
            break;
        }
        result = fgi_map64_put(&seen, (uint64_t)track->id, i);
    }
    fgi_map64_finish(&seen);
    return result;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* The zone around a span on its track: frames are none. */
static enum fg_result find_parent(const struct selection *s, struct candidate *candidate)
{
    struct fg_trace_span at;
    uint32_t count = 0;
    if (candidate->row == FG_NONE) {
        return FG_OK;
    }
    enum fg_result result = fg_trace_spans(s->trace, candidate->row, &at, 1, &count);
    const uint32_t track = at.track;
    struct fgi_climb climb = fgi_climb_from(candidate->row);
    while (result == FG_OK && count == 1 && at.parent != FG_NONE &&
           fgi_climb_to(&climb, at.parent)) {
        result = fg_trace_spans(s->trace, at.parent, &at, 1, &count);
        if (result == FG_OK && count == 1 && at.track == track &&
            ((at.classes & FG_CLASS_FRAME) == 0 || at.frame == FG_NONE)) {
            candidate->event.parent = (uint64_t)at.row + 1;
            break;
        }
    }
    return result;
}

/* The number of a text in the file, put there when it is new; 0 is the empty one. */
static enum fg_result number_name(const struct selection *s, struct fgi_map64 *numbers,
                                  struct fg_cnatrace *file, uint32_t *name)
{
    const char *text = fg_trace_text(s->trace, *name);
    uint32_t number = 0;
    enum fg_result result = FG_OK;
    if (text[0] != '\0' && !fgi_map64_get(numbers, *name, &number)) {
        const size_t size = strlen(text);
        number = (uint32_t)file->name_count + 1;
        result = fgi_cnatrace_add_name(
            file, number, text,
            size < FG_CNATRACE_NAME_BYTES_MAX ? size : FG_CNATRACE_NAME_BYTES_MAX);
        if (result == FG_OK) {
            result = fgi_map64_put(numbers, *name, number);
        }
    }
    *name = number;
    return result;
}

/* Newest first, for as long as there is room for names; *out_kept says how many. */
static enum fg_result fill(const struct selection *s, struct fg_cnatrace *file,
                           struct fg_process_event *events, size_t *out_kept)
{
    struct fgi_map64 numbers = { .allocator = s->work->allocator };
    enum fg_result result = FG_OK;
    size_t kept = 0;
    while (kept < s->count) {
        struct candidate *candidate = &s->heap[kept];
        result = find_parent(s, candidate);
        if (result == FG_OK) {
            result = number_name(s, &numbers, file, &candidate->event.name);
        }
        if (result != FG_OK) {
            break;
        }
        candidate->event.sequence = s->seen - kept;
        events[s->count - 1 - kept] = candidate->event;
        kept++;
    }
    fgi_map64_finish(&numbers);
    *out_kept = kept;
    return result == FG_ERR_LIMIT ? FG_OK : result;
}

static uint64_t lost_before(const struct fg_trace *trace)
{
    const struct fg_trace_tally *loss;
    uint64_t sum = 0;
    for (uint32_t i = 0; (loss = fg_trace_loss(trace, i)) != NULL; i++) {
        sum = loss->count > UINT64_MAX - sum ? UINT64_MAX : sum + loss->count;
    }
    return sum;
}

static enum fg_result write_file(const struct selection *s)
{
    struct fg_cnatrace *file = NULL;
    struct fg_process_event *events = NULL;
    size_t kept = 0;
    enum fg_result result =
        fgi_cnatrace_make(s->work->allocator, s->count, s->count, &file, &events);
    if (result == FG_OK) {
        result = fill(s, file, events, &kept);
    }
    const uint64_t left_out = s->seen - kept, lost = lost_before(s->trace);
    if (result == FG_OK) {
        result = fgi_cnatrace_finish(file, s->count - kept, kept,
                                     lost > UINT64_MAX - left_out ? UINT64_MAX : lost + left_out);
    }
    if (result == FG_OK) {
        result = fg_cnatrace_write(file, s->work->sink);
    }
    if (result == FG_OK && s->work->left_out != NULL) {
        *s->work->left_out = left_out;
    }
    fg_cnatrace_free(file);
    return result;
}

static uint64_t count_object_events(const struct fg_trace *trace)
{
    uint32_t count = 0;
    while (fg_trace_object_event(trace, count) != NULL) {
        count++;
    }
    return count;
}

static enum fg_result write_cnatrace(const struct fgi_export *work)
{
    struct selection s = { .work = work, .trace = work->trace };
    struct fg_trace_info info;
    fg_trace_get_info(work->trace, &info);
    const uint64_t most = info.spans + info.instants + count_object_events(work->trace);
    s.capacity = most < FG_CNATRACE_EVENTS_MAX ? (size_t)most : FG_CNATRACE_EVENTS_MAX;
    s.shift_ns = info.has_extent && info.first_ns < 0 ? 0 - (uint64_t)info.first_ns : 0;
    s.heap = fgi_calloc(work->allocator, s.capacity, sizeof *s.heap);
    if (s.heap == NULL && s.capacity != 0) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = look_at_threads(&s);
    if (result == FG_OK) {
        result = fgi_export_spans(work, &s, offer_span);
    }
    if (result == FG_OK) {
        offer_instants(&s);
        offer_objects(&s);
        sort(&s);
        result = write_file(&s);
    }
    fgi_free(work->allocator, s.heap, s.capacity * sizeof *s.heap);
    return result;
}

const struct fgi_exporter fgi_exporter_cnatrace = {
    .name = "cnatrace",
    .about = "Zones, frames, markers and resources of a process, CNATRACE version 1",
    .write = write_cnatrace,
};
