/* SPDX-License-Identifier: MIT */
/*
 * A trace for the Performance panel of Chrome's DevTools, with tracks of its own: each span is what
 * performance.measure() records (an async pair of "blink.user_timing"), each marker what
 * performance.mark() does, with a `detail` whose `devtools` object names the track, its group (the
 * process), a colour of the panel's palette, a tooltip and properties. The panel takes user timings
 * of a page's renderer, so one is told, with nothing else in it.
 */
#include "base/json.h"
#include "convert/exporter_priv.h"
#include "convert/meta_values.h"
#include "trace/span_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    ARGS_MAX = 256, /* of one span; more are cut, and a property says so */
    DEPTH_MAX = 16, /* of groups of arguments */
    KEY_BYTES = 512,
    PROCESS = 1,
    BROWSER_THREAD = 1,
    RENDERER_THREAD = 2,
};

struct devtools {
    const struct fg_trace *trace;
    struct fgi_json json;
    struct fgi_bytes detail; /* of one entry: a text of JSON within JSON */
    uint32_t labelled;       /* the track that the names are of */
    char track[KEY_BYTES], group[KEY_BYTES];
    struct fg_trace_arg args[ARGS_MAX];
};

static const char *text(const struct devtools *devtools, uint32_t id)
{
    return fg_trace_text(devtools->trace, id);
}

static enum fg_result append(void *context, const void *bytes, size_t size)
{
    struct fgi_bytes *detail = context;
    fgi_put_raw(detail, bytes, size);
    return detail->result;
}

/* ---- which track and which colour ------------------------------------------------------------ */

static bool is_same_track(const struct devtools *devtools, const struct fg_trace_track *a,
                          const struct fg_trace_track *b)
{
    return a->process == b->process && a->kind != FG_TRACK_COUNTER &&
           strcmp(text(devtools, a->name), text(devtools, b->name)) == 0;
}

/* Tracks are known by their names there: a second one of a process gets a number. */
static void name_track(struct devtools *devtools, uint32_t index)
{
    const struct fg_trace_track *track = fg_trace_track(devtools->trace, index);
    const struct fg_trace_clock *clock = fg_trace_clock(devtools->trace, track->clock);
    unsigned number = 1;
    char more[16] = "";
    for (uint32_t i = 0; i < index; i++) {
        number += is_same_track(devtools, fg_trace_track(devtools->trace, i), track) ? 1 : 0;
    }
    if (number > 1) {
        (void)snprintf(more, sizeof more, " (%u)", number);
    }
    (void)snprintf(devtools->track, sizeof devtools->track, "%.400s%s%s",
                   text(devtools, track->name), more,
                   clock != NULL && clock->kind == FG_CLOCK_NOMINAL ? " (nominal clock)" : "");
}

static void name_group(struct devtools *devtools, uint32_t process)
{
    const struct fg_trace_process *of = fg_trace_process(devtools->trace, process);
    const char *name = of != NULL ? text(devtools, of->name) : "frameglass";
    if (name[0] != '\0') {
        (void)snprintf(devtools->group, sizeof devtools->group, "%.400s", name);
    } else {
        (void)snprintf(devtools->group, sizeof devtools->group, "process %" PRId64,
                       (int64_t)of->id);
    }
}

/* Spans come by the block of one track: the names are made where it changes. */
static void name_both(struct devtools *devtools, uint32_t track)
{
    if (devtools->labelled != track) {
        devtools->labelled = track;
        name_track(devtools, track);
        name_group(devtools, fg_trace_track(devtools->trace, track)->process);
    }
}

static const char *colour_of(const struct fg_trace_span *span)
{
    static const char *const by_depth[] = { "secondary-dark", "secondary", "secondary-light" };
    if (span->status == FG_SPAN_LOST || span->status == FG_SPAN_ERROR) {
        return "error";
    }
    if (span->classes & FG_CLASS_FRAME) {
        return "primary";
    }
    if (span->classes & FG_CLASS_WAIT) {
        return "warning";
    }
    if (span->classes & (FG_CLASS_GPU_PASS | FG_CLASS_SUBPASS)) {
        return "tertiary-dark";
    }
    if (span->classes & FG_CLASS_ENCODE) {
        return "tertiary";
    }
    if (span->classes & FG_CLASS_SCOPE) {
        return "primary-light";
    }
    return by_depth[span->depth < 2 ? span->depth : 2];
}

/* ---- properties: pairs of texts -------------------------------------------------------------- */

static void put_property(struct fgi_json *json, const char *key, const char *value)
{
    fgi_json_array_begin(json);
    fgi_json_text(json, key);
    fgi_json_text(json, value);
    fgi_json_array_end(json);
}

static void put_number(struct fgi_json *json, const char *key, uint64_t value)
{
    char number[24];
    (void)snprintf(number, sizeof number, "%" PRIu64, value);
    put_property(json, key, number);
}

static void put_argument(struct devtools *devtools, struct fgi_json *json, const char *key,
                         const struct fg_trace_arg *arg)
{
    char number[40];
    switch ((enum fg_arg_kind)arg->kind) {
    case FG_ARG_INT:
        (void)snprintf(number, sizeof number, "%" PRId64, arg->value.integer);
        break;
    case FG_ARG_DURATION_NS:
    case FG_ARG_TIME_NS:
        (void)snprintf(number, sizeof number, "%" PRId64 " ns", arg->value.integer);
        break;
    case FG_ARG_DOUBLE:
        (void)snprintf(number, sizeof number, "%.17g", arg->value.real);
        break;
    case FG_ARG_BOOL:
        (void)snprintf(number, sizeof number, "%s", arg->value.natural != 0 ? "true" : "false");
        break;
    case FG_ARG_TEXT:
        put_property(json, key, text(devtools, arg->value.text));
        return;
    case FG_ARG_UNKNOWN:
        (void)snprintf(number, sizeof number, "unknown");
        break;
    default:
        (void)snprintf(number, sizeof number, "%" PRIu64, arg->value.natural);
        break;
    }
    put_property(json, key, number);
}

/* A tree has no place there: "work/draw calls". */
static void put_arguments(struct devtools *devtools, struct fgi_json *json, uint32_t count)
{
    char key[KEY_BYTES] = "";
    size_t prefix[DEPTH_MAX + 1] = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_trace_arg *arg = &devtools->args[i];
        const unsigned depth = arg->depth < DEPTH_MAX ? arg->depth : DEPTH_MAX;
        const size_t begin = prefix[depth];
        const int size = snprintf(key + begin, sizeof key - begin, "%s", text(devtools, arg->key));
        const size_t end = begin + (size_t)(size > 0 ? size : 0);
        if (arg->kind != FG_ARG_GROUP) {
            put_argument(devtools, json, key, arg);
        } else if (depth < DEPTH_MAX && end + 2 < sizeof key) {
            key[end] = '/';
            prefix[depth + 1] = end + 1;
        } else if (depth < DEPTH_MAX) {
            prefix[depth + 1] = begin; /* no room: its own name is left out */
        }
    }
}

static enum fg_result put_span_properties(struct devtools *devtools, struct fgi_json *json,
                                          const struct fg_trace_span *span)
{
    uint32_t count = 0;
    const enum fg_result result =
        fg_trace_span_args(devtools->trace, span->row, devtools->args, ARGS_MAX, &count);
    const struct fg_trace_frame *frame = fg_trace_frame(devtools->trace, span->frame);
    const struct fg_trace_pass *pass = fg_trace_pass(devtools->trace, span->pass);
    put_number(json, "row", span->row);
    if (frame != NULL) {
        put_number(json, "frame", frame->id);
    }
    if (pass != NULL) {
        put_property(json, "pass", text(devtools, pass->name));
    }
    if (span->category != 0) {
        put_property(json, "category", text(devtools, span->category));
    }
    if (span->status != FG_SPAN_COMPLETE) {
        put_property(json, "status", fgi_status_word(span->status));
    }
    put_arguments(devtools, json, count < ARGS_MAX ? count : ARGS_MAX);
    if (count > ARGS_MAX) {
        put_number(json, "arguments left out", count - ARGS_MAX);
    }
    return result;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void event_begin(struct devtools *devtools, const char *phase, const char *name,
                        int64_t time_ns)
{
    struct fgi_json *json = &devtools->json;
    fgi_json_inline_object_begin(json);
    fgi_json_key_text(json, "cat", "blink.user_timing");
    fgi_json_key_text(json, "ph", phase);
    fgi_json_key_text(json, "name", name);
    fgi_json_key_uint(json, "pid", PROCESS);
    fgi_json_key_uint(json, "tid", RENDERER_THREAD);
    fgi_json_key(json, "ts");
    fgi_json_thousandths(json, time_ns);
}

/* What pairs a begin with its end. */
static void put_id(struct devtools *devtools, uint32_t row)
{
    char id[24];
    (void)snprintf(id, sizeof id, "0x%" PRIx64, (uint64_t)row + 1);
    fgi_json_key(&devtools->json, "id2");
    fgi_json_object_begin(&devtools->json);
    fgi_json_key_text(&devtools->json, "local", id);
    fgi_json_object_end(&devtools->json);
}

static void put_detail(struct devtools *devtools)
{
    fgi_json_key(&devtools->json, "detail");
    fgi_json_text_sized(&devtools->json, (const char *)devtools->detail.data,
                        devtools->detail.size);
}

static void detail_begin(struct devtools *devtools, struct fgi_json *json, const char *type)
{
    fgi_bytes_clear(&devtools->detail);
    fgi_json_object_begin(json);
    fgi_json_key(json, "devtools");
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "dataType", type);
}

/* The last thing in it are the properties. */
static enum fg_result detail_end(struct devtools *devtools, struct fgi_json *json)
{
    fgi_json_array_end(json);
    fgi_json_object_end(json);
    fgi_json_object_end(json);
    const enum fg_result result = fgi_json_finish(json);
    devtools->detail.size -= devtools->detail.size != 0 ? 1 : 0; /* the line feed */
    return result;
}

static enum fg_result make_span_detail(struct devtools *devtools, const struct fg_trace_span *span,
                                       const char *name)
{
    const struct fg_sink sink = { .write = append, .context = &devtools->detail };
    struct fgi_json json = { .sink = &sink };
    char label[KEY_BYTES];
    detail_begin(devtools, &json, "track-entry");
    name_both(devtools, span->track);
    fgi_json_key_text(&json, "track", devtools->track);
    fgi_json_key_text(&json, "trackGroup", devtools->group);
    fgi_json_key_text(&json, "color", colour_of(span));
    (void)snprintf(label, sizeof label, "%.200s%s%.200s",
                   span->scope != 0 ? text(devtools, span->scope) : "", span->scope != 0 ? "/" : "",
                   name);
    fgi_json_key_text(&json, "tooltipText", label);
    fgi_json_key(&json, "properties");
    fgi_json_array_begin(&json);
    const enum fg_result result = put_span_properties(devtools, &json, span);
    const enum fg_result written = detail_end(devtools, &json);
    return result != FG_OK ? result : written;
}

static enum fg_result write_span(void *context, const struct fg_trace_span *span)
{
    struct devtools *devtools = context;
    struct fgi_json *json = &devtools->json;
    const char *name = span->name != 0 ? text(devtools, span->name) : "(no name)";
    const enum fg_result result = make_span_detail(devtools, span, name);
    if (result != FG_OK) {
        return result;
    }
    event_begin(devtools, "b", name, span->start_ns);
    put_id(devtools, span->row);
    fgi_json_key(json, "args");
    fgi_json_object_begin(json);
    put_detail(devtools);
    fgi_json_object_end(json);
    fgi_json_object_end(json);
    event_begin(devtools, "e", name, span->end_ns);
    put_id(devtools, span->row);
    fgi_json_key(json, "args");
    fgi_json_object_begin(json);
    fgi_json_object_end(json);
    fgi_json_object_end(json);
    return json->result;
}

static enum fg_result make_mark_detail(struct devtools *devtools,
                                       const struct fg_trace_instant *instant)
{
    const struct fg_sink sink = { .write = append, .context = &devtools->detail };
    struct fgi_json json = { .sink = &sink };
    char number[24];
    detail_begin(devtools, &json, "marker");
    fgi_json_key_text(&json, "color", "secondary");
    fgi_json_key_text(&json, "tooltipText", text(devtools, instant->name));
    fgi_json_key(&json, "properties");
    fgi_json_array_begin(&json);
    if (fg_trace_track(devtools->trace, instant->track) != NULL) {
        name_both(devtools, instant->track);
        put_property(&json, "track", devtools->track);
    }
    if (instant->has_value) {
        (void)snprintf(number, sizeof number, "%" PRId64, instant->value);
        put_property(&json, "value", number);
    }
    return detail_end(devtools, &json);
}

static enum fg_result write_marks(struct devtools *devtools)
{
    struct fgi_json *json = &devtools->json;
    const struct fg_trace_instant *instant;
    for (uint32_t i = 0; (instant = fg_trace_instant(devtools->trace, i)) != NULL; i++) {
        const enum fg_result result = make_mark_detail(devtools, instant);
        if (result != FG_OK) {
            return result;
        }
        event_begin(devtools, "I", text(devtools, instant->name), instant->time_ns);
        fgi_json_key_text(json, "s", "t");
        fgi_json_key(json, "args");
        fgi_json_object_begin(json);
        fgi_json_key(json, "data");
        fgi_json_object_begin(json);
        put_detail(devtools);
        fgi_json_object_end(json);
        fgi_json_object_end(json);
        fgi_json_object_end(json);
    }
    return json->result;
}

/* ---- the page that there is not -------------------------------------------------------------- */

static void put_name(struct fgi_json *json, const char *what, unsigned thread, const char *name)
{
    fgi_json_inline_object_begin(json);
    fgi_json_key_text(json, "cat", "__metadata");
    fgi_json_key_text(json, "ph", "M");
    fgi_json_key_text(json, "name", what);
    fgi_json_key_uint(json, "pid", PROCESS);
    fgi_json_key_uint(json, "tid", thread);
    fgi_json_key_uint(json, "ts", 0);
    fgi_json_key(json, "args");
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "name", name);
    fgi_json_object_end(json);
    fgi_json_object_end(json);
}

static void instant_begin(struct fgi_json *json, const char *name, int64_t time_ns)
{
    fgi_json_inline_object_begin(json);
    fgi_json_key_text(json, "cat", "disabled-by-default-devtools.timeline");
    fgi_json_key_text(json, "ph", "I");
    fgi_json_key_text(json, "name", name);
    fgi_json_key_uint(json, "pid", PROCESS);
    fgi_json_key_uint(json, "tid", BROWSER_THREAD);
    fgi_json_key(json, "ts");
    fgi_json_thousandths(json, time_ns);
    fgi_json_key_text(json, "s", "t");
    fgi_json_key(json, "args");
    fgi_json_object_begin(json);
}

/* Async events do not count where a profile ends: this one does. */
static void put_end(struct fgi_json *json, int64_t last_ns)
{
    instant_begin(json, "TracingStoppedInBrowser", last_ns);
    fgi_json_object_end(json);
    fgi_json_object_end(json);
}

static void put_page(struct fgi_json *json, int64_t first_ns)
{
    put_name(json, "process_name", 0, "Renderer");
    put_name(json, "thread_name", BROWSER_THREAD, "CrBrowserMain");
    put_name(json, "thread_name", RENDERER_THREAD, "CrRendererMain");
    instant_begin(json, "TracingStartedInBrowser", first_ns);
    fgi_json_key(json, "data");
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "frameTreeNodeId", 1);
    fgi_json_key_bool(json, "persistentIds", true);
    fgi_json_key(json, "frames");
    fgi_json_array_begin(json);
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "frame", "F");
    fgi_json_key_bool(json, "isInPrimaryMainFrame", true);
    fgi_json_key_bool(json, "isOutermostMainFrame", true);
    fgi_json_key_text(json, "name", "");
    fgi_json_key_uint(json, "processId", PROCESS);
    fgi_json_key_text(json, "url", "frameglass:trace");
    fgi_json_object_end(json);
    fgi_json_array_end(json);
    fgi_json_object_end(json);
    fgi_json_object_end(json);
    fgi_json_object_end(json);
}

static enum fg_result write_devtools(const struct fgi_export *work)
{
    struct devtools devtools = { .trace = work->trace,
                                 .json = { .sink = work->sink, .indent = 1 },
                                 .detail = { .allocator = work->allocator },
                                 .labelled = FG_NONE };
    struct fgi_json *json = &devtools.json;
    struct fg_trace_info info;
    fg_trace_get_info(work->trace, &info);
    fgi_json_object_begin(json);
    fgi_json_key(json, "metadata");
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "source", "frameglass " FG_VERSION_STRING);
    fgi_meta_json(json, work->trace);
    fgi_json_object_end(json);
    fgi_json_key(json, "traceEvents");
    fgi_json_array_begin(json);
    put_page(json, info.has_extent ? info.first_ns : 0);
    enum fg_result result = fgi_export_spans(work, &devtools, write_span);
    if (result == FG_OK) {
        result = write_marks(&devtools);
    }
    put_end(json, info.has_extent ? info.last_ns : 0);
    fgi_json_array_end(json);
    fgi_json_object_end(json);
    const enum fg_result written = fgi_json_finish(json);
    fgi_bytes_finish(&devtools.detail);
    return result != FG_OK ? result : written;
}

const struct fgi_exporter fgi_exporter_devtools = {
    .name = "devtools",
    .about = "custom tracks for the Performance panel of Chrome's DevTools",
    .write = write_devtools,
};
