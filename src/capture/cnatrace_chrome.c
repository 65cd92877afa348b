/* SPDX-License-Identifier: MIT */
/*
 * A CNATRACE trace as a Chrome trace, a line for each event: zones and frames last ("X"),
 * everything else is a moment of its thread ("i"). Times are nanoseconds as microseconds with three
 * decimals, which is exact.
 */
#include "base/json.h"
#include "capture/cnatrace.h"

static bool is_lasting(const struct fg_process_event *event)
{
    return event->kind == FG_PROCESS_EVENT_ZONE || event->kind == FG_PROCESS_EVENT_FRAME;
}

static void put_event(struct fgi_json *json, const struct fg_cnatrace *trace,
                      const struct fg_process_event *event)
{
    fgi_json_inline_object_begin(json);
    fgi_json_key_text(json, "name", fg_cnatrace_text(trace, event->name));
    fgi_json_key_text(json, "cat", fg_category_name((enum fg_category)event->category));
    fgi_json_key_text(json, "ph", is_lasting(event) ? "X" : "i");
    if (!is_lasting(event)) {
        fgi_json_key_text(json, "s", "t");
    }
    fgi_json_key(json, "ts");
    fgi_json_thousandths_uint(json, event->time_ns);
    if (is_lasting(event)) {
        fgi_json_key(json, "dur");
        fgi_json_thousandths_uint(json, event->duration_ns);
    }
    fgi_json_key_uint(json, "pid", 1);
    fgi_json_key_uint(json, "tid", event->thread);
    fgi_json_key(json, "args");
    fgi_json_object_begin(json);
    fgi_json_key_int(json, "value", event->value);
    fgi_json_key_uint(json, "frame", event->frame);
    fgi_json_object_end(json);
    fgi_json_object_end(json);
}

enum fg_result fg_cnatrace_write_chrome(const struct fg_cnatrace *trace, const struct fg_sink *sink)
{
    struct fgi_json json = { .sink = sink, .indent = 1 };
    json.buffer.allocator = fgi_cnatrace_allocator(trace);
    fgi_json_object_begin(&json);
    fgi_json_key(&json, "traceEvents");
    fgi_json_array_begin(&json);
    for (size_t i = 0; i < trace->event_count && json.result == FG_OK; i++) {
        put_event(&json, trace, &trace->events[i]);
    }
    fgi_json_array_end(&json);
    fgi_json_key_text(&json, "displayTimeUnit", "ns");
    fgi_json_key_uint(&json, "droppedEvents", trace->dropped_events);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}
