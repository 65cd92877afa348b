/* SPDX-License-Identifier: MIT */
/* CNATRACE files as traces, traces as CNATRACE files, and both while memory runs out. */
#include "../support/cmocka_all.h"
#include "../support/failing_memory.h"

#include "convert/exporter.h"
#include "convert/import_cnatrace.h"
#include "trace/build.h"
#include <frameglass/capture_cnatrace.h>
#include <frameglass/trace_state.h>

#include <stdlib.h>
#include <string.h>

#define NAME(number, words)                                                                        \
    {                                                                                              \
        .id = (number), .size = sizeof(words) - 1, .text = (words)                                 \
    }
#define ZONE(order, from, long_ns, around, label)                                                  \
    {                                                                                              \
        .sequence = (order), .time_ns = (from), .duration_ns = (long_ns), .frame = 1, .thread = 5, \
        .correlation = (order), .parent = (around), .name = (label)                                \
    }

static const struct fg_cnatrace_name names[] = { NAME(1, "Frame"), NAME(2, "outer"),
                                                 NAME(3, "inner"), NAME(4, "mark") };

static struct fg_trace *import(const struct fg_process_event *events, size_t count,
                               uint64_t dropped)
{
    struct fg_cnatrace *file = NULL;
    struct fg_trace *trace = NULL;
    assert_int_equal(fg_cnatrace_create(NULL, names, 4, events, count, dropped, &file), FG_OK);
    assert_int_equal(fgi_import_cnatrace(file, NULL, 0, &trace), FG_OK);
    fg_cnatrace_free(file);
    return trace;
}

static struct fg_trace_span span_at(const struct fg_trace *trace, uint32_t row)
{
    struct fg_trace_span span;
    uint32_t count = 0;
    assert_int_equal(fg_trace_spans(trace, row, &span, 1, &count), FG_OK);
    assert_int_equal(count, 1);
    return span;
}

static uint64_t repairs(const struct fg_trace *trace, const char *kind)
{
    const struct fg_trace_repair *repair;
    for (uint32_t i = 0; (repair = fg_trace_repair(trace, i)) != NULL; i++) {
        if (strcmp(repair->kind, kind) == 0) {
            return repair->count;
        }
    }
    return 0;
}

/* ---- in -------------------------------------------------------------------------------------- */

static void equal_zones_are_nested_as_they_ended(void **state)
{
    (void)state;
    const struct fg_process_event events[] = {
        ZONE(1, 100, 0, 2, 3),
        ZONE(2, 100, 50, 3, 2),
        ZONE(3, 100, 50, 0, 4),
    };
    struct fg_trace *trace = import(events, 3, 0);
    for (uint32_t row = 0; row < 3; row++) {
        const struct fg_trace_span span = span_at(trace, row);
        assert_int_equal(span.depth, row);
        assert_int_equal(span.parent, row == 0 ? FG_NONE : row - 1);
        assert_int_equal(span.object, 3 - row);
        assert_int_equal(span.classes, FG_CLASS_ZONE);
    }
    assert_string_equal(fg_trace_text(trace, span_at(trace, 2).name), "inner");
    fgi_trace_destroy(trace);
}

static void everything_finds_its_place(void **state)
{
    (void)state;
    const struct fg_process_event events[] = {
        { .sequence = 1,
          .time_ns = 10,
          .frame = 1,
          .thread = 5,
          .value = 44,
          .name = 9,
          .kind = FG_PROCESS_EVENT_OBJECT_CREATED },
        { .sequence = 2,
          .time_ns = 20,
          .frame = 1,
          .thread = 6,
          .value = -3,
          .name = 4,
          .kind = FG_PROCESS_EVENT_MARKER,
          .category = FG_CATEGORY_AUDIO },
        ZONE(3, 12, 30, 0, 77),
        { .sequence = 4,
          .time_ns = 30,
          .frame = 1,
          .thread = 5,
          .name = 2,
          .kind = FG_PROCESS_EVENT_MALFORMED },
        { .sequence = 5,
          .time_ns = 5,
          .duration_ns = 60,
          .frame = 1,
          .thread = 5,
          .correlation = 1,
          .name = 1,
          .kind = FG_PROCESS_EVENT_FRAME },
        { .sequence = 6,
          .time_ns = 70,
          .frame = 2,
          .thread = 5,
          .value = 44,
          .kind = FG_PROCESS_EVENT_OBJECT_DESTROYED },
    };
    struct fg_trace *trace = import(events, 6, 8);
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    assert_string_equal(info.format, "cnatrace");
    assert_true(info.closed && info.spans == 2 && info.instants == 2 && info.frames == 1);
    const struct fg_trace_frame *frame = fg_trace_frame(trace, 0);
    assert_true(frame->id == 1 && frame->start_ns == 5 && frame->cpu_end_ns == 65);
    const struct fg_trace_span whole = span_at(trace, 0), zone = span_at(trace, 1);
    assert_true(whole.classes == FG_CLASS_FRAME && whole.frame == 0);
    assert_true(zone.parent == 0 && zone.frame == 0 && zone.name == 0);
    assert_int_equal(repairs(trace, "unknown_name"), 1);
    assert_int_equal(repairs(trace, "malformed_zone"), 1);
    const struct fg_trace_instant *mark = fg_trace_instant(trace, 0);
    assert_true(mark->has_value && mark->value == -3 && mark->frame == 0);
    assert_string_equal(fg_trace_text(trace, mark->category), "audio");
    assert_string_equal(fg_trace_text(trace, fg_trace_track(trace, mark->track)->name), "thread 6");
    const struct fg_trace_object *object = fg_trace_object(trace, 0);
    assert_true(object->id == 44 && object->made_ns == 10 && object->gone_ns == 70);
    assert_null(fg_trace_object(trace, 1));
    assert_int_equal(fg_trace_loss(trace, 0)->count, 8);
    fgi_trace_destroy(trace);
}

static void times_beyond_what_can_be_shown_are_clamped_and_counted(void **state)
{
    (void)state;
    const struct fg_process_event events[] = {
        ZONE(1, UINT64_MAX - 5, 3, 0, 2),
        ZONE(2, 100, UINT64_MAX, 0, 2),
    };
    struct fg_trace *trace = import(events, 2, 0);
    assert_int_equal(span_at(trace, 0).start_ns, 100);
    assert_true(span_at(trace, 0).end_ns == FG_TIME_MAX && span_at(trace, 1).end_ns == FG_TIME_MAX);
    assert_int_equal(repairs(trace, "clamped_time"), 3);
    fgi_trace_destroy(trace);
}

static void more_rows_than_allowed_are_refused(void **state)
{
    (void)state;
    const struct fg_process_event events[3] = { { 0 } };
    struct fg_cnatrace *file = NULL;
    struct fg_trace *trace = NULL;
    assert_int_equal(fg_cnatrace_create(NULL, names, 4, events, 3, 0, &file), FG_OK);
    assert_int_equal(fgi_import_cnatrace(file, NULL, 2, &trace), FG_ERR_LIMIT);
    assert_int_equal(fgi_import_cnatrace(file, NULL, 3, &trace), FG_OK);
    fgi_trace_destroy(trace);
    fg_cnatrace_free(file);
}

/* ---- out ------------------------------------------------------------------------------------- */

static struct fg_cnatrace *export(const struct fg_trace *trace, uint64_t *left_out)
{
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct fg_memory_view view;
    struct fg_cnatrace *file = NULL;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    const struct fgi_export work = { .trace = trace, .sink = &sink, .left_out = left_out };
    assert_int_equal(fgi_exporter_find("cnatrace")->write(&work), FG_OK);
    view.bytes = fg_memory_sink_bytes(memory, &view.size);
    const struct fg_source source = fg_memory_source(&view);
    assert_int_equal(fg_cnatrace_read(&source, NULL, &file, NULL), FG_OK);
    fg_memory_sink_destroy(memory);
    return file;
}

/* `count` spans one after the other on one track, in any order, and as many texts as asked for. */
static struct fg_trace *build(uint32_t count, size_t name_bytes, int64_t first_ns)
{
    struct fgi_builder *builder = NULL;
    struct fg_trace *trace = NULL;
    char *text = test_calloc(1, name_bytes + 9);
    assert_int_equal(fgi_builder_create(NULL, 0, &builder), FG_OK);
    const struct fg_trace_clock clock = { .kind = FG_CLOCK_HOST, .period_num = 1, .period_den = 1 };
    const struct fg_trace_track track = {
        .process = fgi_builder_process(builder, 0, 1),
        .kind = FG_TRACK_THREAD,
        .clock = fgi_builder_clock(builder, &clock),
    };
    const uint32_t index = fgi_builder_track(builder, &track, false);
    memset(text, 'n', name_bytes);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = i % 2 == 0 ? i : count - 1 - (count % 2) - (i - 1);
        for (int digit = 0; digit < 8; digit++) {
            text[name_bytes + (size_t)digit] = (char)('a' + (at >> (4 * digit) & 15));
        }
        const struct fgi_span_in span =
            fgi_span_in_make(index, fgi_builder_cstr(builder, text), first_ns + 10 * (int64_t)at,
                             first_ns + 10 * (int64_t)at + 5);
        (void)fgi_builder_span(builder, &span);
    }
    assert_int_equal(fgi_builder_finish(builder, &trace), FG_OK);
    fgi_builder_destroy(builder);
    test_free(text);
    return trace;
}

static void the_newest_events_are_kept_and_the_others_counted(void **state)
{
    (void)state;
    enum { COUNT = 40000 };
    uint64_t left_out = 0;
    struct fg_trace *trace = build(COUNT, 1, -100);
    struct fg_cnatrace *file = export(trace, &left_out);
    assert_int_equal(left_out, COUNT - FG_CNATRACE_EVENTS_MAX);
    assert_int_equal(file->dropped_events, left_out);
    assert_int_equal(file->event_count, FG_CNATRACE_EVENTS_MAX);
    assert_int_equal(file->name_count, FG_CNATRACE_EVENTS_MAX);
    for (size_t i = 0; i < file->event_count; i++) {
        /* Negative times are moved, all by the same. */
        assert_int_equal(file->events[i].time_ns, 10 * (left_out + i));
        assert_int_equal(file->events[i].duration_ns, 5);
        assert_int_equal(file->events[i].sequence, left_out + i + 1);
        assert_int_equal(file->events[i].thread, 1);
    }
    fg_cnatrace_free(file);
    fgi_trace_destroy(trace);
}

static void names_that_do_not_fit_leave_the_oldest_out(void **state)
{
    (void)state;
    uint64_t left_out = 0;
    struct fg_trace *trace = build(20, (1 << 20) - 8, 0);
    struct fg_cnatrace *file = export(trace, &left_out);
    assert_int_equal(file->event_count, 16);
    assert_int_equal(file->name_count, 16);
    assert_int_equal(left_out, 4);
    assert_int_equal(file->events[0].time_ns, 40);
    fg_cnatrace_free(file);
    fgi_trace_destroy(trace);
}

static void names_that_are_too_long_are_cut(void **state)
{
    (void)state;
    uint64_t left_out = 0;
    struct fg_trace *trace = build(1, 2 << 20, 0);
    struct fg_cnatrace *file = export(trace, &left_out);
    assert_int_equal(left_out, 0);
    assert_int_equal(file->names[0].size, FG_CNATRACE_NAME_BYTES_MAX);
    fg_cnatrace_free(file);
    fgi_trace_destroy(trace);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static enum fg_result throw_away(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return FG_OK;
}

static enum fg_result there_and_back(const struct fg_source *source,
                                     const struct fg_allocator *allocator)
{
    const struct fg_sink sink = { .write = throw_away };
    struct fg_cnatrace *file = NULL;
    struct fg_trace *trace = NULL;
    enum fg_result result = fg_cnatrace_read(source, allocator, &file, NULL);
    if (result == FG_OK) {
        result = fg_cnatrace_write_chrome(file, &sink);
    }
    if (result == FG_OK) {
        result = fgi_import_cnatrace(file, allocator, 0, &trace);
    }
    if (result == FG_OK) {
        const struct fgi_export work = { .allocator = allocator, .trace = trace, .sink = &sink };
        result = fgi_exporter_find("cnatrace")->write(&work);
    }
    fgi_trace_destroy(trace);
    fg_cnatrace_free(file);
    return result;
}

static void every_refused_allocation_is_reported_and_nothing_is_left(void **state)
{
    (void)state;
    const struct fg_process_event events[] = {
        ZONE(1, 100, 5, 2, 3),
        ZONE(2, 100, 20, 0, 2),
        { .sequence = 3,
          .time_ns = 90,
          .duration_ns = 40,
          .frame = 1,
          .thread = 5,
          .correlation = 1,
          .name = 1,
          .kind = FG_PROCESS_EVENT_FRAME },
        { .sequence = 4,
          .time_ns = 95,
          .thread = 6,
          .value = 9,
          .name = 4,
          .kind = FG_PROCESS_EVENT_MARKER },
        { .sequence = 5, .time_ns = 96, .value = 9, .kind = FG_PROCESS_EVENT_OBJECT_CREATED },
    };
    const struct fg_cnatrace_name odd[] = { NAME(9, "a\xff"), NAME(3, "inner"), NAME(1, "Frame"),
                                            NAME(2, "outer"), NAME(4, "mark") };
    struct fg_cnatrace *file = NULL;
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct fg_memory_view view;
    assert_int_equal(fg_cnatrace_create(NULL, odd, 5, events, 5, 1, &file), FG_OK);
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_cnatrace_write(file, &sink), FG_OK);
    view.bytes = fg_memory_sink_bytes(memory, &view.size);
    const struct fg_source source = fg_memory_source(&view);
    enum fg_result result = FG_ERR_NO_MEMORY;
    long attempt = 0;
    for (; result != FG_OK && attempt < 1000; attempt++) {
        struct failing failing = { .countdown = attempt };
        const struct fg_allocator allocator = failing_allocator(&failing);
        result = there_and_back(&source, &allocator);
        assert_int_equal(failing.alive, 0);
        assert_true(result == FG_OK || result == FG_ERR_NO_MEMORY);
    }
    assert_int_equal(result, FG_OK);
    assert_true(attempt > 20);
    fg_memory_sink_destroy(memory);
    fg_cnatrace_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_zones_are_nested_as_they_ended),
        cmocka_unit_test(everything_finds_its_place),
        cmocka_unit_test(times_beyond_what_can_be_shown_are_clamped_and_counted),
        cmocka_unit_test(more_rows_than_allowed_are_refused),
        cmocka_unit_test(the_newest_events_are_kept_and_the_others_counted),
        cmocka_unit_test(names_that_do_not_fit_leave_the_oldest_out),
        cmocka_unit_test(names_that_are_too_long_are_cut),
        cmocka_unit_test(every_refused_allocation_is_reported_and_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
