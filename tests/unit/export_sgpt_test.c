/* SPDX-License-Identifier: MIT */
/* A trace that is written as a capture and loaded again is the same trace, row by row. */
#include "base/alloc.h"
#include "cmocka_all.h"
#include "convert/capture_to_trace.h"
#include "convert/exporter.h"
#include "convert/import_cnatrace.h"
#include "support/same_trace.h"
#include "trace/build.h"
#include <frameglass/capture.h>
#include <frameglass/capture_cnatrace.h>
#include <frameglass/trace_state.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- there and back -------------------------------------------------------------------------- */

struct lacks {
    unsigned kinds;
    uint64_t count;
};

#ifdef __SANITIZE_ADDRESS__ /* each allocation is many times as dear there */
enum { ROUNDS = 300 };
#else
enum { ROUNDS = 3000 };
#endif

static void count_lack(void *context, const char *what, uint64_t count)
{
    struct lacks *lacks = context;
    assert_true(what[0] != '\0' && count != 0);
    lacks->kinds++;
    lacks->count += count;
}

/* The bytes that a trace reads its arguments from. */
struct bytes {
    struct fg_memory_sink *memory;
    struct fg_memory_view view;
};

/* The trace that a capture of `trace` makes; what the capture could not hold is counted. */
static struct fg_trace *again(const struct fg_trace *trace, struct lacks *lacks,
                              struct bytes *out_bytes)
{
    static const struct fgi_capture_to_trace_options options = { .owns_capture = true };
    struct fg_sink sink;
    struct fg_capture *capture = NULL;
    struct fg_trace *made = NULL;
    struct fg_diag diag = { 0 };
    size_t count = 0;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &out_bytes->memory, &sink), FG_OK);
    const struct fgi_export work = {
        .trace = trace, .sink = &sink, .lacks = count_lack, .lacks_context = lacks
    };
    assert_int_equal(fgi_exporter_find("sgpt")->write(&work), FG_OK);
    out_bytes->view.bytes = fg_memory_sink_bytes(out_bytes->memory, &out_bytes->view.size);
    struct fg_source source = fg_memory_source(&out_bytes->view);
    assert_int_equal(fg_capture_open(&source, NULL, &diag, &capture), FG_OK);
    assert_int_equal(fgi_capture_to_trace(capture, &options, &diag, &made), FG_OK);
    (void)fg_capture_defects(capture, &count);
    assert_int_equal(count, 0);
    return made;
}

/* ---- random traces --------------------------------------------------------------------------- */

struct dice {
    uint64_t state;
    struct fgi_builder *builder;
    uint32_t rows, tracks, frames;
    int64_t base_ns;
};

static uint32_t roll(struct dice *dice, uint32_t sides)
{
    dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(dice->state >> 33) % sides;
}

static uint32_t word(struct dice *dice)
{
    static const char *const words[] = { "",  "draw",          "Übergang 夜",     "a;b",
                                         "x", "wait \"long\"", "cudaLaunchKernel" };
    char text[40];
    if (roll(dice, 3) == 0) {
        (void)snprintf(text, sizeof text, "name %u", roll(dice, 50));
        return fgi_builder_cstr(dice->builder, text);
    }
    return fgi_builder_cstr(dice->builder, words[roll(dice, 7)]);
}

static uint32_t frame_or_none(struct dice *dice)
{
    return dice->frames > 0 && roll(dice, 2) ? roll(dice, dice->frames) : FG_NONE;
}

static int64_t time_of(struct dice *dice, uint32_t range)
{
    return dice->base_ns + (int64_t)roll(dice, range);
}

static void add_tracks(struct dice *dice)
{
    static const int64_t ids[] = { -1, -2, 0, 7, INT64_MAX };
    uint32_t processes = 1 + roll(dice, 3);
    for (uint32_t i = 0; i < processes; i++) {
        (void)fgi_builder_process(dice->builder, word(dice), ids[roll(dice, 5)]);
    }
    const struct fg_trace_clock host = { .name = word(dice),
                                         .kind = FG_CLOCK_HOST,
                                         .period_num = 1,
                                         .period_den = 1,
                                         .valid_bits = 64 };
    struct fg_trace_clock nominal = { .name = word(dice),
                                      .kind = FG_CLOCK_NOMINAL,
                                      .period_num = 1,
                                      .period_den = 1,
                                      .valid_bits = 36 };
    nominal.reason = word(dice);
    (void)fgi_builder_clock(dice->builder, &host);
    (void)fgi_builder_clock(dice->builder, &nominal);
    dice->tracks = 1 + roll(dice, 6);
    for (uint32_t i = 0; i < dice->tracks; i++) {
        const struct fg_trace_track track = {
            .name = word(dice),
            .process = roll(dice, processes),
            .kind = (enum fg_track_kind)roll(dice, 3),
            .clock = roll(dice, 4) == 0,
            .id = ids[roll(dice, 5)],
        };
        (void)fgi_builder_track(dice->builder, &track, roll(dice, 3) == 0);
    }
}

static uint32_t add_args(struct dice *dice, struct fg_trace_arg *args, uint32_t capacity)
{
    uint32_t count = roll(dice, 3) ? 0 : roll(dice, capacity);
    uint16_t depth = 0;
    bool is_plain = roll(dice, 2);
    for (uint32_t i = 0; i < count; i++) {
        args[i] = (struct fg_trace_arg){ .key = word(dice), .depth = depth };
        args[i].kind = (uint8_t)(is_plain ? 1 + roll(dice, 5) : roll(dice, 13));
        args[i].quality = (uint8_t)(is_plain ? 0 : roll(dice, 5));
        args[i].value.natural = roll(dice, 3) ? roll(dice, 1000) : UINT64_MAX - roll(dice, 9);
        if (args[i].kind == FG_ARG_TEXT) {
            args[i].value.natural = 0;
            args[i].value.text = word(dice);
        } else if (args[i].kind == FG_ARG_BOOL) {
            args[i].value.natural = roll(dice, 2);
        } else if (args[i].kind == FG_ARG_GROUP || args[i].kind == FG_ARG_UNKNOWN) {
            args[i].value.natural = 0;
            depth += args[i].kind == FG_ARG_GROUP;
        }
    }
    return count;
}

static void add_span(struct dice *dice, uint32_t track)
{
    struct fg_trace_arg args[12];
    int64_t start = time_of(dice, 400);
    struct fgi_span_in span =
        fgi_span_in_make(track, word(dice), start, start + (int64_t)roll(dice, 60));
    span.category = roll(dice, 2) ? word(dice) : 0;
    span.classes = roll(dice, 2) ? FG_CLASS_ZONE : 1u << roll(dice, 12);
    span.status = roll(dice, 3) ? FG_SPAN_COMPLETE : roll(dice, 5);
    span.open_end = span.status == FG_SPAN_UNFINISHED && roll(dice, 2);
    span.depth = roll(dice, 4);
    span.frame = frame_or_none(dice);
    span.object = roll(dice, 3) ? 0 : roll(dice, 100);
    span.arg_count = add_args(dice, args, 12);
    span.args = args;
    (void)fgi_builder_span(dice->builder, &span);
    dice->rows++;
}

static void add_frames(struct dice *dice)
{
    dice->frames = roll(dice, 4);
    for (uint32_t i = 0; i < dice->frames; i++) {
        int64_t start = time_of(dice, 300);
        const struct fg_trace_frame frame = {
            .id = i * 3 + roll(dice, 3),
            .start_ns = start,
            .cpu_end_ns = start + (int64_t)roll(dice, 50),
            .submit_ns = start + (int64_t)roll(dice, 50),
            .topology = FG_NONE,
            .level = roll(dice, 4),
            .track = roll(dice, 3) ? roll(dice, dice->tracks) : FG_NONE,
            .dropped = roll(dice, 3),
            .missing = roll(dice, 3),
            .overhead_ns = (int64_t)roll(dice, 3) - 1,
            .latency_ns = (int64_t)roll(dice, 3) - 1,
            .wait_ns = (int64_t)roll(dice, 3) - 1,
            .present_wait_ns = -1,
            .has_submit = roll(dice, 2),
            .has_gpu = roll(dice, 2),
            .is_lost = roll(dice, 2),
        };
        (void)fgi_builder_frame(dice->builder, &frame, NULL, 0);
    }
}

static void add_instants(struct dice *dice)
{
    for (uint32_t i = roll(dice, 20); i > 0; i--) {
        struct fg_trace_instant instant = {
            .time_ns = time_of(dice, 500),
            .track = roll(dice, 3) ? roll(dice, dice->tracks) : FG_NONE,
            .name = word(dice),
            .frame = frame_or_none(dice),
            .is_note = roll(dice, 4) == 0,
            .has_value = roll(dice, 2),
        };
        instant.category = word(dice);
        instant.value = instant.has_value ? (int64_t)roll(dice, 3) - 1 : 0;
        (void)fgi_builder_instant(dice->builder, &instant);
    }
}

static void add_counters(struct dice *dice)
{
    uint32_t count = roll(dice, 4);
    for (uint32_t i = 0; i < count; i++) {
        struct fg_trace_track track = { .name = word(dice), .kind = FG_TRACK_COUNTER };
        struct fg_trace_counter counter = { .name = track.name, .is_double = roll(dice, 2) };
        counter.unit = word(dice);
        counter.track = fgi_builder_track(dice->builder, &track, false);
        uint32_t index = fgi_builder_counter(dice->builder, &counter);
        if (roll(dice, 2)) {
            struct fg_trace_metric metric = { .name = counter.name,
                                              .unit = counter.unit,
                                              .kind = (enum fg_trace_metric_kind)roll(dice, 4),
                                              .accuracy = (enum fg_trace_accuracy)roll(dice, 3),
                                              .counter = index };
            metric.description = word(dice);
            (void)fgi_builder_metric(dice->builder, &metric);
        }
        for (uint32_t k = 1 + roll(dice, 9); k > 0; k--) {
            struct fg_trace_sample sample = { .time_ns = time_of(dice, 500) };
            if (counter.is_double) {
                sample.value.real = (double)roll(dice, 1000) / 7;
            } else {
                sample.value.integer = (int64_t)roll(dice, 1000) - 500;
            }
            fgi_builder_sample(dice->builder, index, &sample);
        }
    }
}

static void add_objects(struct dice *dice)
{
    for (uint32_t i = 0, count = roll(dice, 12); i < count; i++) {
        struct fg_trace_object_event event = {
            .time_ns = dice->base_ns + (int64_t)i * 40,
            .kind = 2 + roll(dice, 5), /* neither again nor after the end: those are no events */
            .frame = frame_or_none(dice),
            .name = word(dice),
            .size_bytes = roll(dice, 2) ? roll(dice, 4096) : UINT64_MAX,
            .accuracy = roll(dice, 2) ? FG_TRACE_EXACT : FG_TRACE_ACCURACY_UNKNOWN,
            .width = roll(dice, 3),
        };
        event.type = word(dice);
        fgi_builder_object_event(dice->builder, roll(dice, 4), &event);
    }
    for (uint32_t id = 0; id < 4; id++) {
        const struct fg_trace_object_event event = {
            .time_ns = dice->base_ns + 500,
            .kind = FG_TRACE_OBJECT_GONE,
            .frame = FG_NONE,
            .size_bytes = UINT64_MAX,
            .accuracy = FG_TRACE_ACCURACY_UNKNOWN,
        };
        fgi_builder_object_event(dice->builder, id, &event);
    }
}

static void add_stacks(struct dice *dice)
{
    for (uint32_t i = roll(dice, 12); i > 0; i--) {
        uint32_t frames[6];
        uint32_t count = roll(dice, 6);
        for (uint32_t k = 0; k < count; k++) {
            frames[k] = word(dice);
        }
        fgi_builder_stack(dice->builder, time_of(dice, 500), roll(dice, dice->tracks),
                          roll(dice, 100), frames, count);
    }
}

static void add_links(struct dice *dice)
{
    for (uint32_t i = dice->rows > 0 ? roll(dice, 40) : 0; i > 0; i--) {
        const struct fg_trace_dependency link = { roll(dice, dice->rows), roll(dice, dice->rows),
                                                  roll(dice, 7), roll(dice, 2) };
        fgi_builder_dependency(dice->builder, &link);
    }
}

static void add_report(struct dice *dice)
{
    for (uint32_t i = roll(dice, 3); i > 0; i--) {
        uint32_t key = word(dice);
        if (key != 0) {
            fgi_builder_meta(dice->builder, key, word(dice));
            fgi_builder_loss(dice->builder, key, 1 + roll(dice, 9));
            fgi_builder_skipped(dice->builder, key, 1 + roll(dice, 9));
        }
        fgi_builder_repair(dice->builder, i == 1 ? "bad_escape" : "end_without_begin",
                           1 + roll(dice, 9), roll(dice, 2) ? roll(dice, 99) : UINT64_MAX);
    }
    if (roll(dice, 2)) {
        fgi_builder_loss_counter(dice->builder, (enum fg_trace_loss_counter)roll(dice, 9),
                                 roll(dice, 9));
    }
}

static struct fg_trace *random_trace(uint64_t seed)
{
    static const int64_t bases[] = { 0, -1000, 1712195495406752797, FG_TIME_MIN,
                                     FG_TIME_MAX - 900 };
    struct dice dice = { .state = seed * 2654435761u + 1 };
    struct fg_trace *trace = NULL;
    assert_int_equal(fgi_builder_create(NULL, 0, &dice.builder), FG_OK);
    struct fg_trace_info *info = &fgi_builder_trace(dice.builder)->info;
    info->format = "random";
    info->version = 3;
    info->level = roll(&dice, 2) ? roll(&dice, 4) : FG_NONE;
    info->other_events = roll(&dice, 5);
    dice.base_ns = bases[roll(&dice, 5)];
    add_tracks(&dice);
    add_frames(&dice);
    uint32_t spans = roll(&dice, 60);
    uint32_t track = 0;
    for (uint32_t i = 0; i < spans; i++) {
        track = roll(&dice, 4) == 0 ? roll(&dice, dice.tracks) : track;
        add_span(&dice, track);
    }
    add_instants(&dice);
    add_counters(&dice);
    add_objects(&dice);
    add_stacks(&dice);
    add_links(&dice);
    add_report(&dice);
    assert_int_equal(fgi_builder_finish(dice.builder, &trace), FG_OK);
    fgi_builder_destroy(dice.builder);
    return trace;
}

static void any_trace_comes_back_as_it_went(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct lacks lacks = { 0 };
        struct fg_trace *trace = random_trace(seed);
        struct bytes bytes = { 0 };
        struct fg_trace *made = again(trace, &lacks, &bytes);
        assert_int_equal(lacks.kinds, 0);
        fgt_assert_same(trace, made);
        fgi_trace_destroy(made);
        fg_memory_sink_destroy(bytes.memory);
        fgi_trace_destroy(trace);
    }
}

/* Restated, a track and its name are two records: more than a section is meant to have. */
static void forty_thousand_threads_come_back_as_they_went(void **state)
{
    enum { THREADS = 40000 };
    struct fgi_builder *builder = NULL;
    struct fg_trace *trace = NULL;
    struct lacks lacks = { 0 };
    struct bytes bytes = { 0 };
    (void)state;
    assert_int_equal(fgi_builder_create(NULL, 0, &builder), FG_OK);
    (void)fgi_builder_clock(builder, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    uint32_t process = fgi_builder_process(builder, fgi_builder_cstr(builder, "server"), 7);
    for (uint32_t i = 0; i < THREADS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "thread %u", (unsigned)i);
        const struct fg_trace_track track = { .name = fgi_builder_cstr(builder, name),
                                              .process = process,
                                              .kind = FG_TRACK_THREAD };
        uint32_t number = fgi_builder_track(builder, &track, false);
        const struct fgi_span_in span =
            fgi_span_in_make(number, fgi_builder_cstr(builder, "work"), i, (int64_t)i + 5);
        (void)fgi_builder_span(builder, &span);
    }
    assert_int_equal(fgi_builder_finish(builder, &trace), FG_OK);
    fgi_builder_destroy(builder);
    struct fg_trace *made = again(trace, &lacks, &bytes);
    assert_int_equal(lacks.kinds, 0);
    fgt_assert_same(trace, made);
    assert_true(bytes.view.size < THREADS * 500);
    fgi_trace_destroy(made);
    fg_memory_sink_destroy(bytes.memory);
    fgi_trace_destroy(trace);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void process_events_come_back_as_they_went(void **state)
{
    static const char *const names[] = { "cnatrace_loop", "cnatrace_odd", "cnatrace_extremes",
                                         "cnatrace_empty" };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[400];
        struct fg_file_source *file = NULL;
        struct fg_source source;
        struct fg_cnatrace *events = NULL;
        struct fg_trace *trace = NULL;
        struct lacks lacks = { 0 };
        (void)snprintf(path, sizeof path, "%s/tests/golden/%s.cnatrace", FG_SOURCE_DIR, names[i]);
        assert_int_equal(fg_file_source_open(path, &file, &source), FG_OK);
        assert_int_equal(fg_cnatrace_read(&source, NULL, &events, NULL), FG_OK);
        assert_int_equal(fgi_import_cnatrace(events, NULL, 0, &trace), FG_OK);
        struct bytes bytes = { 0 };
        struct fg_trace *made = again(trace, &lacks, &bytes);
        assert_int_equal(lacks.kinds, 0);
        fgt_assert_same(trace, made);
        fgi_trace_destroy(made);
        fg_memory_sink_destroy(bytes.memory);
        fgi_trace_destroy(trace);
        fg_cnatrace_free(events);
        fg_file_source_close(file);
    }
}

/* A capture is copied, not converted; if it were, its rows would stay and the rest be told. */
static void what_only_the_record_of_a_frame_says_is_told(void **state)
{
    char path[400];
    struct fg_file_source *file = NULL;
    struct fg_source source;
    struct fg_capture *capture = NULL;
    struct fg_trace *trace = NULL;
    struct lacks lacks = { 0 };
    (void)state;
    (void)snprintf(path, sizeof path, "%s/tests/golden/v1_everything.sgpt", FG_SOURCE_DIR);
    assert_int_equal(fg_file_source_open(path, &file, &source), FG_OK);
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    assert_int_equal(fgi_capture_to_trace(capture, NULL, NULL, &trace), FG_OK);
    struct bytes bytes = { 0 };
    struct fg_trace *made = again(trace, &lacks, &bytes);
    const struct fgt_both t = { trace, made };
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    assert_true(lacks.kinds >= 3);
    fgt_same_tracks(&t);
    fgt_same_rows(&t, info.spans);
    fgt_same_instants(&t);
    fgt_same_counters(&t);
    fgt_same_objects(&t);
    fgt_same_stacks(&t);
    fgt_same_links(&t);
    fgt_same_report(&t);
    fgi_trace_destroy(made);
    fg_memory_sink_destroy(bytes.memory);
    fgi_trace_destroy(trace);
    fg_capture_close(capture);
    fg_file_source_close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_trace_comes_back_as_it_went),
        cmocka_unit_test(forty_thousand_threads_come_back_as_they_went),
        cmocka_unit_test(process_events_come_back_as_they_went),
        cmocka_unit_test(what_only_the_record_of_a_frame_says_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
