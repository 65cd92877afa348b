/* SPDX-License-Identifier: MIT */
/*
 * speedscope's file format: an evented profile for each track, in nanoseconds from the first time
 * of the trace (numbers are doubles there, and a clock's own would not fit). Profiles are strictly
 * nested, so spans that overlap without nesting go to further profiles of their track: a span lies
 * in the profile of its parent, right inside of it, or at the outermost level of the first profile
 * that is free.
 */
#include "base/alloc.h"
#include "base/json.h"
#include "convert/exporter_priv.h"
#include "convert/track_rows.h"
#include "trace/model.h"

#include <stdio.h>
#include <string.h>

/* A profile in the making: which spans are open. */
struct profile {
    FGI_TABLE(uint32_t) open; /* positions, outermost first */
    uint32_t count;           /* spans that it got */
};

struct speedscope {
    const struct fgi_export *work;
    struct fgi_json json;
    int64_t origin_ns, last_ns;
    struct fgi_track_row *rows; /* of the track at hand */
    uint32_t row_count;
    uint32_t *profile_of; /* by position */
    uint32_t *order;      /* positions by profile */
    FGI_TABLE(struct profile) profiles;
};

/* ---- which profile --------------------------------------------------------------------------- */

/* Room right inside of the parent, or outermost when what was open has ended. */
static bool has_room(const struct speedscope *s, struct profile *profile, uint32_t position)
{
    const struct fgi_track_row *row = &s->rows[position];
    while (profile->open.count > 0) {
        uint32_t top = profile->open.items[profile->open.count - 1];
        if (top == row->parent) {
            return s->rows[top].end_ns >= row->end_ns;
        }
        if (s->rows[top].end_ns > row->start_ns) {
            return false;
        }
        profile->open.count--;
    }
    return true;
}

static enum fg_result place(struct speedscope *s, uint32_t position)
{
    const struct fgi_track_row *row = &s->rows[position];
    const struct fg_allocator *allocator = s->work->allocator;
    uint32_t at = row->parent != FG_NONE ? s->profile_of[row->parent] : FG_NONE;
    enum fg_result result = FG_OK;
    if (at == FG_NONE || !has_room(s, &s->profiles.items[at], position)) {
        for (at = 0; at < s->profiles.count; at++) {
            if (has_room(s, &s->profiles.items[at], position)) {
                break;
            }
        }
    }
    if (at == s->profiles.count) {
        result = FGI_GROW(allocator, s->profiles.items, s->profiles.capacity, at + 1, FG_NONE);
        if (result != FG_OK) {
            return result;
        }
        s->profiles.items[s->profiles.count++] = (struct profile){ .count = 0 };
    }
    struct profile *profile = &s->profiles.items[at];
    result = FGI_GROW(allocator, profile->open.items, profile->open.capacity,
                      profile->open.count + 1, FG_NONE);
    if (result == FG_OK) {
        profile->open.items[profile->open.count++] = position;
        profile->count++;
        s->profile_of[position] = at;
    }
    return result;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void put_event(struct speedscope *s, const char *type, uint32_t name, int64_t time_ns)
{
    fgi_json_inline_object_begin(&s->json);
    fgi_json_key_text(&s->json, "type", type);
    fgi_json_key_uint(&s->json, "frame", name);
    fgi_json_key_uint(&s->json, "at", (uint64_t)time_ns - (uint64_t)s->origin_ns);
    fgi_json_object_end(&s->json);
}

static void close_top(struct speedscope *s, struct profile *profile)
{
    const struct fgi_track_row *top = &s->rows[profile->open.items[--profile->open.count]];
    put_event(s, "C", top->name, top->end_ns);
}

/* The spans of a profile nest: what is open ends before the next one that is not inside begins. */
static void put_events(struct speedscope *s, struct profile *profile, const uint32_t *positions)
{
    profile->open.count = 0;
    for (uint32_t i = 0; i < profile->count; i++) {
        const struct fgi_track_row *row = &s->rows[positions[i]];
        while (profile->open.count > 0 &&
               profile->open.items[profile->open.count - 1] != row->parent) {
            close_top(s, profile);
        }
        put_event(s, "O", row->name, row->start_ns);
        profile->open.items[profile->open.count++] = positions[i]; /* as many as were open before */
    }
    while (profile->open.count > 0) {
        close_top(s, profile);
    }
}

static void put_profile(struct speedscope *s, const struct fg_trace_track *track, uint32_t number,
                        const uint32_t *positions)
{
    const struct fg_trace *trace = s->work->trace;
    const struct fg_trace_process *process = fg_trace_process(trace, track->process);
    const char *of = process != NULL ? fg_trace_text(trace, process->name) : "";
    char name[512];
    char more[32] = "";
    if (number > 0) {
        (void)snprintf(more, sizeof more, " (overlap %u)", (unsigned)number);
    }
    (void)snprintf(name, sizeof name, "%.200s%s%.200s%s", of, of[0] != '\0' ? " / " : "",
                   fg_trace_text(trace, track->name), more);
    fgi_json_object_begin(&s->json);
    fgi_json_key_text(&s->json, "type", "evented");
    fgi_json_key_text(&s->json, "name", name);
    fgi_json_key_text(&s->json, "unit", "nanoseconds");
    fgi_json_key_uint(&s->json, "startValue", 0);
    fgi_json_key_uint(&s->json, "endValue", (uint64_t)s->last_ns - (uint64_t)s->origin_ns);
    fgi_json_key(&s->json, "events");
    fgi_json_array_begin(&s->json);
    put_events(s, &s->profiles.items[number], positions);
    fgi_json_array_end(&s->json);
    fgi_json_object_end(&s->json);
}

static void forget_profiles(struct speedscope *s)
{
    for (size_t i = 0; i < s->profiles.count; i++) {
        struct profile *profile = &s->profiles.items[i];
        fgi_free(s->work->allocator, profile->open.items,
                 profile->open.capacity * sizeof *profile->open.items);
    }
    s->profiles.count = 0;
}

/* Positions by profile; in each as they come. */
static void sort_by_profile(struct speedscope *s, uint32_t *next)
{
    uint32_t first = 0;
    for (size_t i = 0; i < s->profiles.count; i++) {
        next[i] = first;
        first += s->profiles.items[i].count;
    }
    for (uint32_t i = 0; i < s->row_count; i++) {
        s->order[next[s->profile_of[i]]++] = i;
    }
}

static enum fg_result put_profiles(struct speedscope *s, const struct fg_trace_track *track)
{
    const struct fg_allocator *allocator = s->work->allocator;
    size_t count = s->profiles.count;
    uint32_t *next = fgi_malloc(allocator, (count + 1) * sizeof *next);
    if (next == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    sort_by_profile(s, next);
    for (uint32_t i = 0; i < count; i++) {
        put_profile(s, track, i, s->order + next[i] - s->profiles.items[i].count);
    }
    fgi_free(allocator, next, (count + 1) * sizeof *next);
    return s->json.result;
}

static enum fg_result put_track(struct speedscope *s, uint32_t index)
{
    const struct fg_allocator *allocator = s->work->allocator;
    const struct fg_trace_track *track = fg_trace_track(s->work->trace, index);
    if (track->span_count == 0) {
        return FG_OK;
    }
    enum fg_result result = fgi_track_rows(s->work, index, &s->rows, &s->row_count);
    if (result != FG_OK) {
        return result;
    }
    size_t room = s->row_count + (size_t)1;
    s->profile_of = fgi_malloc(allocator, room * sizeof *s->profile_of);
    s->order = fgi_malloc(allocator, room * sizeof *s->order);
    result = s->profile_of != NULL && s->order != NULL ? FG_OK : FG_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < s->row_count && result == FG_OK; i++) {
        result = place(s, i);
    }
    if (result == FG_OK) {
        result = put_profiles(s, track);
    }
    forget_profiles(s);
    fgi_free(allocator, s->order, room * sizeof *s->order);
    fgi_free(allocator, s->profile_of, room * sizeof *s->profile_of);
    fgi_free(allocator, s->rows, room * sizeof *s->rows);
    return result;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Names have the numbers of the trace's texts. */
static void put_names(struct speedscope *s)
{
    uint32_t count = fg_trace_text_count(s->work->trace);
    fgi_json_key(&s->json, "shared");
    fgi_json_object_begin(&s->json);
    fgi_json_key(&s->json, "frames");
    fgi_json_array_begin(&s->json);
    for (uint32_t i = 0; i < count; i++) {
        fgi_json_inline_object_begin(&s->json);
        fgi_json_key_text(&s->json, "name", fg_trace_text(s->work->trace, i));
        fgi_json_object_end(&s->json);
    }
    fgi_json_array_end(&s->json);
    fgi_json_object_end(&s->json);
}

static enum fg_result write_speedscope(const struct fgi_export *work)
{
    struct speedscope s = { .work = work, .json = { .sink = work->sink, .indent = 0 } };
    struct fg_trace_info info;
    enum fg_result result = FG_OK;
    uint64_t done = 0;
    fg_trace_get_info(work->trace, &info);
    s.origin_ns = info.has_extent ? info.first_ns : 0;
    s.last_ns = info.has_extent ? info.last_ns : 0;
    fgi_json_object_begin(&s.json);
    fgi_json_key_text(&s.json, "$schema", "https://www.speedscope.app/file-format-schema.json");
    fgi_json_key_text(&s.json, "exporter", "frameglass");
    fgi_json_key_text(&s.json, "name", "trace");
    put_names(&s);
    fgi_json_key(&s.json, "profiles");
    fgi_json_array_begin(&s.json);
    for (uint32_t i = 0; i < info.tracks && result == FG_OK; i++) {
        result = put_track(&s, i);
        done += fg_trace_track(work->trace, i)->span_count;
        if (work->progress != NULL && !work->progress(work->progress_context, done, info.spans)) {
            result = result == FG_OK ? FG_ERR_CANCELLED : result;
        }
    }
    fgi_json_array_end(&s.json);
    fgi_json_object_end(&s.json);
    fgi_free(work->allocator, s.profiles.items, s.profiles.capacity * sizeof *s.profiles.items);
    enum fg_result finished = fgi_json_finish(&s.json);
    return result != FG_OK ? result : finished;
}

const struct fgi_exporter fgi_exporter_speedscope = {
    .name = "speedscope",
    .about = "flame charts for speedscope, one profile for each track",
    .write = write_speedscope,
};
