/* SPDX-License-Identifier: MIT */
/*
 * Chrome's Trace Event JSON, which Perfetto, speedscope and others read.
 *
 * A process and a thread there are a process and a track here; they keep the numbers that the
 * source has for them, where these tell them apart (export_chrome_ids.h). A span is an X event; its
 * times are microseconds with three decimals, so that no nanosecond is lost. Two slices of one
 * thread must nest there: spans that overlap without nesting, and what is inside of them, go to a
 * thread of their own, which is numbered above all tracks. What that format cannot say (frame
 * graphs, clocks) is left out, except that the name of a track with a nominal clock says so.
 */
#include "base/climb.h"
#include "base/json.h"
#include "convert/export_chrome_ids.h"
#include "convert/exporter_priv.h"
#include "convert/meta_values.h"
#include "trace/span_words.h"

#include <stdio.h>

enum {
    ARGS_MAX = 512, /* of one span; more are cut, and the event says so */
    SAMPLE_BATCH = 512,
};

struct chrome {
    const struct fgi_export *work;
    const struct fg_trace *trace;
    struct fgi_json json;
    struct fgi_chrome_ids ids;
    struct fg_trace_arg args[ARGS_MAX];
};

static const char *text(const struct chrome *chrome, uint32_t id)
{
    return fg_trace_text(chrome->trace, id);
}

/* NULL: what is of no track. */
static int64_t process_number(const struct chrome *chrome, const struct fg_trace_track *track)
{
    return track == NULL || track->process == FG_NONE ? chrome->ids.no_process
                                                      : chrome->ids.processes[track->process];
}

static int64_t lane_number(const struct chrome *chrome, uint32_t lane)
{
    return chrome->ids.first_lane + lane;
}

static void event_begin(struct chrome *chrome, const char *phase, const char *name, int64_t pid,
                        int64_t tid)
{
    fgi_json_inline_object_begin(&chrome->json);
    fgi_json_key_text(&chrome->json, "ph", phase);
    fgi_json_key_text(&chrome->json, "name", name);
    fgi_json_key_int(&chrome->json, "pid", pid);
    fgi_json_key_int(&chrome->json, "tid", tid);
}

static void event_time(struct chrome *chrome, int64_t time_ns)
{
    fgi_json_key(&chrome->json, "ts");
    fgi_json_thousandths(&chrome->json, time_ns);
}

/* A metadata event: {"args": {"name": ...}} or {"args": {"sort_index": ...}}. */
static void write_metadata(struct chrome *chrome, const char *what, int64_t pid, int64_t tid,
                           const char *name)
{
    event_begin(chrome, "M", what, pid, tid);
    fgi_json_key(&chrome->json, "args");
    fgi_json_object_begin(&chrome->json);
    fgi_json_key_text(&chrome->json, "name", name);
    fgi_json_object_end(&chrome->json);
    fgi_json_object_end(&chrome->json);
}

static void write_sort_index(struct chrome *chrome, int64_t pid, int64_t tid, uint64_t index)
{
    event_begin(chrome, "M", "thread_sort_index", pid, tid);
    fgi_json_key(&chrome->json, "args");
    fgi_json_object_begin(&chrome->json);
    fgi_json_key_uint(&chrome->json, "sort_index", index);
    fgi_json_object_end(&chrome->json);
    fgi_json_object_end(&chrome->json);
}

static void write_track(struct chrome *chrome, uint32_t index, const struct fg_trace_track *track)
{
    char name[512];
    const struct fg_trace_clock *clock = fg_trace_clock(chrome->trace, track->clock);
    bool is_nominal = clock != NULL && clock->kind == FG_CLOCK_NOMINAL;
    int64_t pid = process_number(chrome, track);
    snprintf(name, sizeof name, "%s%s", text(chrome, track->name),
             is_nominal ? " (nominal clock)" : "");
    write_metadata(chrome, "thread_name", pid, chrome->ids.tracks[index], name);
    write_sort_index(chrome, pid, chrome->ids.tracks[index], index);
    for (uint32_t i = track->first_lane; i < track->first_lane + track->lane_count; i++) {
        const struct fg_trace_lane *lane = fg_trace_lane(chrome->trace, i);
        if (lane->overlap > 0) {
            int64_t tid = lane_number(chrome, i);
            snprintf(name, sizeof name, "%s%s (overlapping %u)", text(chrome, track->name),
                     is_nominal ? " (nominal clock)" : "", (unsigned)lane->overlap);
            write_metadata(chrome, "thread_name", pid, tid, name);
            write_sort_index(chrome, pid, tid, index);
        }
    }
}

static void write_names(struct chrome *chrome)
{
    const struct fg_trace_process *process;
    const struct fg_trace_track *track;
    for (uint32_t i = 0; (process = fg_trace_process(chrome->trace, i)) != NULL; i++) {
        char room[FGI_PROCESS_TEXT];
        write_metadata(chrome, "process_name", chrome->ids.processes[i], 0,
                       fgi_process_text(chrome->trace, i, room));
    }
    for (uint32_t i = 0; (track = fg_trace_track(chrome->trace, i)) != NULL; i++) {
        if (track->kind != FG_TRACK_COUNTER) {
            write_track(chrome, i, track);
        }
    }
}

/* The thread that a span's events go to: see the head of this file. */
static enum fg_result thread_of(const struct chrome *chrome, const struct fg_trace_span *span,
                                int64_t *out_tid)
{
    struct fg_trace_span at = *span;
    *out_tid = chrome->ids.tracks[span->track];
    struct fgi_climb climb = fgi_climb_from(span->row);
    for (;;) {
        const struct fg_trace_lane *lane = fg_trace_lane(chrome->trace, at.lane);
        if (lane != NULL && lane->overlap > 0) {
            *out_tid = lane_number(chrome, at.lane);
            return FG_OK;
        }
        if (at.parent == FG_NONE || !fgi_climb_to(&climb, at.parent)) {
            return FG_OK;
        }
        uint32_t count = 0;
        enum fg_result result = fg_trace_spans(chrome->trace, at.parent, &at, 1, &count);
        if (result != FG_OK || count == 0) {
            return result;
        }
    }
}

static bool has_overlap(const struct chrome *chrome, const struct fg_trace_track *track)
{
    for (uint32_t i = 0; i < track->lane_count; i++) {
        const struct fg_trace_lane *lane = fg_trace_lane(chrome->trace, track->first_lane + i);
        if (lane != NULL && lane->overlap > 0) {
            return true;
        }
    }
    return false;
}

static void write_value(struct chrome *chrome, const struct fg_trace_arg *arg)
{
    struct fgi_json *json = &chrome->json;
    switch ((enum fg_arg_kind)arg->kind) {
    case FG_ARG_INT:
    case FG_ARG_DURATION_NS:
    case FG_ARG_TIME_NS:
        fgi_json_int(json, arg->value.integer);
        return;
    case FG_ARG_UINT:
    case FG_ARG_BYTES:
    case FG_ARG_ROW:
    case FG_ARG_RESOURCE:
    case FG_ARG_OBJECT:
        fgi_json_uint(json, arg->value.natural);
        return;
    case FG_ARG_DOUBLE:
        fgi_json_exact_double(json, arg->value.real);
        return;
    case FG_ARG_TEXT:
        fgi_json_text(json, text(chrome, arg->value.text));
        return;
    case FG_ARG_BOOL:
        fgi_json_bool(json, arg->value.natural != 0);
        return;
    case FG_ARG_UNKNOWN:
    case FG_ARG_GROUP:
        fgi_json_null(json);
        return;
    }
    fgi_json_null(json);
}

/* Equal keys beside each other (draws of a pass, say) are numbered: JSON readers keep only one. */
static void write_key(struct chrome *chrome, uint32_t first, uint32_t index)
{
    char numbered[300];
    uint32_t equal = 0;
    const struct fg_trace_arg *arg = &chrome->args[index];
    for (uint32_t i = first; i < index; i++) {
        equal += chrome->args[i].depth == arg->depth && chrome->args[i].key == arg->key;
    }
    if (equal == 0) {
        fgi_json_key(&chrome->json, text(chrome, arg->key));
        return;
    }
    snprintf(numbered, sizeof numbered, "%s#%u", text(chrome, arg->key), (unsigned)equal + 1);
    fgi_json_key(&chrome->json, numbered);
}

/* The tree as nested objects. Groups that are open are closed when something less deep comes. */
static void write_args(struct chrome *chrome, uint32_t count)
{
    uint32_t group_start[64] = { 0 };
    unsigned open = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_trace_arg *arg = &chrome->args[i];
        while (open > arg->depth) {
            fgi_json_object_end(&chrome->json);
            open--;
        }
        write_key(chrome, group_start[open], i);
        if (arg->kind == FG_ARG_GROUP && open < 56) {
            fgi_json_object_begin(&chrome->json);
            group_start[++open] = i + 1;
        } else {
            write_value(chrome, arg);
        }
    }
    while (open > 0) {
        fgi_json_object_end(&chrome->json);
        open--;
    }
}

static enum fg_result write_span_args(struct chrome *chrome, const struct fg_trace_span *span)
{
    struct fgi_json *json = &chrome->json;
    uint32_t count = 0;
    enum fg_result result =
        fg_trace_span_args(chrome->trace, span->row, chrome->args, ARGS_MAX, &count);
    if (result != FG_OK) {
        return result;
    }
    const struct fg_trace_frame *frame = fg_trace_frame(chrome->trace, span->frame);
    const struct fg_trace_pass *pass = fg_trace_pass(chrome->trace, span->pass);
    fgi_json_key(json, "args");
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "row", span->row);
    if (frame != NULL) {
        fgi_json_key_uint(json, "frame", frame->id);
    }
    if (pass != NULL) {
        fgi_json_key_text(json, "pass", text(chrome, pass->name));
    }
    if (span->scope != 0) {
        fgi_json_key_text(json, "scope", text(chrome, span->scope));
    }
    if (span->status != FG_SPAN_COMPLETE) {
        fgi_json_key_text(json, "status", fgi_status_word(span->status));
    }
    if (count > 0) {
        fgi_json_key(json, "recorded");
        fgi_json_object_begin(json);
        write_args(chrome, count < ARGS_MAX ? count : ARGS_MAX);
        fgi_json_object_end(json);
    }
    if (count > ARGS_MAX) {
        fgi_json_key_uint(json, "args_left_out", count - ARGS_MAX);
    }
    fgi_json_object_end(json);
    return FG_OK;
}

static enum fg_result write_span(void *context, const struct fg_trace_span *span)
{
    struct chrome *chrome = context;
    struct fgi_json *json = &chrome->json;
    const struct fg_trace_track *track = fg_trace_track(chrome->trace, span->track);
    int64_t tid = chrome->ids.tracks[span->track];
    enum fg_result result = has_overlap(chrome, track) ? thread_of(chrome, span, &tid) : FG_OK;
    if (result != FG_OK) {
        return result;
    }
    event_begin(chrome, "X", text(chrome, span->name), process_number(chrome, track), tid);
    event_time(chrome, span->start_ns);
    fgi_json_key(json, "dur");
    fgi_json_thousandths_uint(json, (uint64_t)span->end_ns - (uint64_t)span->start_ns);
    if (span->category != 0) {
        fgi_json_key_text(json, "cat", text(chrome, span->category));
    }
    result = write_span_args(chrome, span);
    fgi_json_object_end(json);
    return result != FG_OK ? result : json->result;
}

static void write_sample(struct chrome *chrome, const struct fg_trace_counter *counter,
                         const struct fg_trace_track *track, const struct fg_trace_sample *sample)
{
    struct fgi_json *json = &chrome->json;
    const char *unit = text(chrome, counter->unit);
    event_begin(chrome, "C", text(chrome, counter->name), process_number(chrome, track), 0);
    event_time(chrome, sample->time_ns);
    fgi_json_key(json, "args");
    fgi_json_object_begin(json);
    fgi_json_key(json, unit[0] != '\0' ? unit : "value");
    if (counter->is_double) {
        fgi_json_exact_double(json, sample->value.real);
    } else {
        fgi_json_int(json, sample->value.integer);
    }
    fgi_json_object_end(json);
    fgi_json_object_end(json);
}

static void write_counters(struct chrome *chrome)
{
    struct fg_trace_sample samples[SAMPLE_BATCH];
    const struct fg_trace_counter *counter;
    for (uint32_t i = 0; (counter = fg_trace_counter(chrome->trace, i)) != NULL; i++) {
        const struct fg_trace_track *track = fg_trace_track(chrome->trace, counter->track);
        uint32_t first = 0;
        uint32_t count;
        while ((count = fg_trace_samples(chrome->trace, i, first, samples, SAMPLE_BATCH)) > 0) {
            for (uint32_t j = 0; j < count; j++) {
                write_sample(chrome, counter, track, &samples[j]);
            }
            first += count;
        }
    }
}

static void write_instants(struct chrome *chrome)
{
    struct fgi_json *json = &chrome->json;
    const struct fg_trace_instant *instant;
    for (uint32_t i = 0; (instant = fg_trace_instant(chrome->trace, i)) != NULL; i++) {
        const struct fg_trace_track *track = fg_trace_track(chrome->trace, instant->track);
        const struct fg_trace_frame *frame = fg_trace_frame(chrome->trace, instant->frame);
        event_begin(chrome, "i", text(chrome, instant->name), process_number(chrome, track),
                    track != NULL ? chrome->ids.tracks[instant->track] : 0);
        event_time(chrome, instant->time_ns);
        fgi_json_key_text(json, "s", track != NULL ? "t" : "g");
        if (instant->category != 0) {
            fgi_json_key_text(json, "cat", text(chrome, instant->category));
        }
        if (frame != NULL) {
            fgi_json_key(json, "args");
            fgi_json_object_begin(json);
            fgi_json_key_uint(json, "frame", frame->id);
            fgi_json_object_end(json);
        }
        fgi_json_object_end(json);
    }
}

static enum fg_result write_flow_end(struct chrome *chrome, const char *phase, uint64_t id,
                                     uint32_t row, const char *family)
{
    struct fg_trace_span span;
    uint32_t count = 0;
    int64_t tid = 0;
    enum fg_result result = fg_trace_spans(chrome->trace, row, &span, 1, &count);
    if (result == FG_OK && count == 1) {
        result = thread_of(chrome, &span, &tid);
    }
    if (result != FG_OK || count != 1) {
        return result;
    }
    const struct fg_trace_track *track = fg_trace_track(chrome->trace, span.track);
    event_begin(chrome, phase, family, process_number(chrome, track), tid);
    event_time(chrome, span.start_ns);
    fgi_json_key_text(&chrome->json, "cat", "dependency");
    fgi_json_key_uint(&chrome->json, "id", id);
    if (phase[0] == 'f') {
        fgi_json_key_text(&chrome->json, "bp", "e");
    }
    fgi_json_object_end(&chrome->json);
    return FG_OK;
}

static enum fg_result write_flows(struct chrome *chrome)
{
    static const char *const families[] = {
        [FG_DEPENDENCY_OTHER] = "dependency", [FG_DEPENDENCY_SEMAPHORE] = "semaphore",
        [FG_DEPENDENCY_FENCE] = "fence",      [FG_DEPENDENCY_QUEUE] = "queue",
        [FG_DEPENDENCY_DATA] = "data",        [FG_DEPENDENCY_FLOW] = "flow",
        [FG_DEPENDENCY_SUBMIT] = "submit",
    };
    enum { FAMILY_COUNT = sizeof families / sizeof *families };
    struct fg_trace_dependency link;
    for (uint32_t i = 0; fg_trace_dependency(chrome->trace, i, &link); i++) {
        const char *family =
            families[link.family < FAMILY_COUNT ? link.family : FG_DEPENDENCY_OTHER];
        enum fg_result result = write_flow_end(chrome, "s", (uint64_t)i + 1, link.source, family);
        if (result == FG_OK) {
            result = write_flow_end(chrome, "f", (uint64_t)i + 1, link.target, family);
        }
        if (result != FG_OK) {
            return result;
        }
    }
    return FG_OK;
}

static void write_other_data(struct chrome *chrome)
{
    struct fgi_json *json = &chrome->json;
    fgi_json_key_text(json, "displayTimeUnit", "ns");
    fgi_json_key(json, "otherData");
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "exported_by", "frameglass " FG_VERSION_STRING);
    fgi_meta_json(json, chrome->trace);
    fgi_json_object_end(json);
}

static enum fg_result write_chrome(const struct fgi_export *work)
{
    struct chrome chrome = { .work = work,
                             .trace = work->trace,
                             .json = { .sink = work->sink, .indent = 1 },
                             .ids = { .allocator = work->allocator } };
    enum fg_result result = fgi_chrome_ids_make(&chrome.ids, work->trace);
    if (result != FG_OK) {
        fgi_chrome_ids_finish(&chrome.ids);
        return result;
    }
    fgi_json_object_begin(&chrome.json);
    write_other_data(&chrome);
    fgi_json_key(&chrome.json, "traceEvents");
    fgi_json_array_begin(&chrome.json);
    write_names(&chrome);
    result = fgi_export_spans(work, &chrome, write_span);
    if (result == FG_OK) {
        result = write_flows(&chrome);
    }
    write_counters(&chrome);
    write_instants(&chrome);
    fgi_json_array_end(&chrome.json);
    fgi_json_object_end(&chrome.json);
    fgi_chrome_ids_finish(&chrome.ids);
    enum fg_result written = fgi_json_finish(&chrome.json);
    return result != FG_OK ? result : written;
}

const struct fgi_exporter fgi_exporter_chrome = {
    .name = "chrome",
    .about = "Trace Event JSON, for chrome://tracing, Perfetto and others",
    .write = write_chrome,
};
