/* SPDX-License-Identifier: MIT */
/* A CNATRACE trace in memory. */
#include "capture/cnatrace.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

struct cnatrace {
    struct fg_cnatrace face; /* first */
    const struct fg_allocator *allocator;
    struct fg_cnatrace_name *names;
    size_t name_capacity;
    struct fg_process_event *events;
    size_t event_capacity;
    size_t text_bytes;
    struct fgi_arena texts;
    struct fgi_map64 by_id; /* index of a name */
};

const char *fg_category_name(enum fg_category category)
{
    static const char *const names[] = {
        [FG_CATEGORY_CORE] = "core",
        [FG_CATEGORY_UPDATE] = "update",
        [FG_CATEGORY_DRAW] = "draw",
        [FG_CATEGORY_GRAPHICS] = "graphics",
        [FG_CATEGORY_AUDIO] = "audio",
        [FG_CATEGORY_CONTENT] = "content",
        [FG_CATEGORY_APPLICATION] = "application",
        [FG_CATEGORY_GPU] = "gpu",
    };
    return (size_t)category < sizeof names / sizeof *names ? names[category] : "core";
}

enum fg_result fgi_cnatrace_make(const struct fg_allocator *allocator, size_t name_capacity,
                                 size_t event_capacity, struct fg_cnatrace **out_trace,
                                 struct fg_process_event **out_events)
{
    if (name_capacity > FG_CNATRACE_NAMES_MAX || event_capacity > FG_CNATRACE_EVENTS_MAX) {
        return FG_ERR_LIMIT;
    }
    struct cnatrace *trace = fgi_calloc(allocator, 1, sizeof *trace);
    if (trace == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    trace->allocator = allocator;
    trace->texts.allocator = allocator;
    trace->by_id.allocator = allocator;
    trace->name_capacity = name_capacity;
    trace->event_capacity = event_capacity;
    trace->names = fgi_calloc(allocator, name_capacity, sizeof *trace->names);
    trace->events = fgi_calloc(allocator, event_capacity, sizeof *trace->events);
    if ((trace->names == NULL && name_capacity != 0) ||
        (trace->events == NULL && event_capacity != 0)) {
        fg_cnatrace_free(&trace->face);
        return FG_ERR_NO_MEMORY;
    }
    trace->face.version = FGI_CNATRACE_VERSION;
    trace->face.names = trace->names;
    trace->face.events = trace->events;
    *out_trace = &trace->face;
    *out_events = trace->events;
    return FG_OK;
}

void fg_cnatrace_free(struct fg_cnatrace *face)
{
    struct cnatrace *trace = (struct cnatrace *)face;
    if (trace == NULL) {
        return;
    }
    fgi_map64_finish(&trace->by_id);
    fgi_arena_finish(&trace->texts);
    fgi_free(trace->allocator, trace->names, trace->name_capacity * sizeof *trace->names);
    fgi_free(trace->allocator, trace->events, trace->event_capacity * sizeof *trace->events);
    fgi_free(trace->allocator, trace, sizeof *trace);
}

/* Well-formed text of at most FG_CNATRACE_NAME_BYTES_MAX bytes. NULL: memory ran out. */
static const char *keep_text(struct cnatrace *trace, const char *text, size_t *size)
{
    if (fgi_utf8_valid(text, *size)) {
        return fgi_arena_text(&trace->texts, text, *size);
    }
    size_t needed = fgi_utf8_repair(text, *size, NULL, 0);
    if (needed > FG_CNATRACE_NAME_BYTES_MAX) {
        /* A repair makes three bytes of one at most. */
        needed = fgi_utf8_repair(text, FG_CNATRACE_NAME_BYTES_MAX / 3, NULL, 0);
    }
    char *kept = fgi_arena_alloc(&trace->texts, needed + 1, 1);
    if (kept != NULL) {
        (void)fgi_utf8_repair(text, *size, kept, needed);
        *size = needed;
    }
    return kept;
}

enum fg_result fgi_cnatrace_add_name(struct fg_cnatrace *face, uint32_t id, const char *text,
                                     size_t size)
{
    struct cnatrace *trace = (struct cnatrace *)face;
    const size_t index = face->name_count;
    uint32_t other;
    if (fgi_map64_get(&trace->by_id, id, &other)) {
        return FG_ERR_ARGUMENT;
    }
    if (index == trace->name_capacity || size > FG_CNATRACE_NAME_BYTES_MAX) {
        return FG_ERR_LIMIT;
    }
    const char *kept = keep_text(trace, text, &size);
    if (kept == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    if (size > FG_CNATRACE_TEXT_BYTES_MAX - trace->text_bytes) {
        return FG_ERR_LIMIT;
    }
    const enum fg_result result = fgi_map64_put(&trace->by_id, id, (uint32_t)index);
    if (result == FG_OK) {
        trace->text_bytes += size;
        trace->names[index] =
            (struct fg_cnatrace_name){ .id = id, .size = (uint32_t)size, .text = kept };
        face->name_count++;
    }
    return result;
}

static int by_id(const void *a, const void *b)
{
    const uint32_t first = ((const struct fg_cnatrace_name *)a)->id;
    const uint32_t second = ((const struct fg_cnatrace_name *)b)->id;
    return first < second ? -1 : first > second;
}

static bool is_ascending(const struct fg_cnatrace *face)
{
    for (size_t i = 1; i < face->name_count; i++) {
        if (face->names[i - 1].id > face->names[i].id) {
            return false;
        }
    }
    return true;
}

enum fg_result fgi_cnatrace_finish(struct fg_cnatrace *face, size_t first_event, size_t event_count,
                                   uint64_t dropped_events)
{
    struct cnatrace *trace = (struct cnatrace *)face;
    enum fg_result result = FG_OK;
    face->events = event_count == 0 ? NULL : trace->events + first_event;
    face->event_count = event_count;
    face->dropped_events = dropped_events;
    if (!is_ascending(face)) {
        qsort(trace->names, face->name_count, sizeof *trace->names, by_id);
        for (size_t i = 0; i < face->name_count && result == FG_OK; i++) {
            result = fgi_map64_put(&trace->by_id, trace->names[i].id, (uint32_t)i);
        }
    }
    return result;
}

const struct fg_allocator *fgi_cnatrace_allocator(const struct fg_cnatrace *face)
{
    return ((const struct cnatrace *)face)->allocator;
}

static bool is_event(const struct fg_process_event *event)
{
    return event->kind <= FG_PROCESS_EVENT_MALFORMED && event->category <= FG_CATEGORY_GPU;
}

enum fg_result fg_cnatrace_create(const struct fg_allocator *allocator,
                                  const struct fg_cnatrace_name *names, size_t name_count,
                                  const struct fg_process_event *events, size_t event_count,
                                  uint64_t dropped_events, struct fg_cnatrace **out_trace)
{
    struct fg_cnatrace *trace = NULL;
    struct fg_process_event *kept = NULL;
    if (out_trace == NULL || (names == NULL && name_count != 0) ||
        (events == NULL && event_count != 0)) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_cnatrace_make(allocator, name_count, event_count, &trace, &kept);
    for (size_t i = 0; i < name_count && result == FG_OK; i++) {
        const char *text = names[i].size != 0 ? names[i].text : "";
        result = text != NULL ? fgi_cnatrace_add_name(trace, names[i].id, text, names[i].size)
                              : FG_ERR_ARGUMENT;
    }
    for (size_t i = 0; i < event_count && result == FG_OK; i++) {
        kept[i] = events[i];
        result = is_event(&events[i]) ? FG_OK : FG_ERR_ARGUMENT;
    }
    if (result == FG_OK) {
        result = fgi_cnatrace_finish(trace, 0, event_count, dropped_events);
    }
    if (result != FG_OK) {
        fg_cnatrace_free(trace);
        return result;
    }
    *out_trace = trace;
    return FG_OK;
}

const char *fg_cnatrace_text(const struct fg_cnatrace *face, uint32_t id)
{
    const struct cnatrace *trace = (const struct cnatrace *)face;
    uint32_t index = 0;
    return fgi_map64_get(&trace->by_id, id, &index) ? face->names[index].text : "";
}
