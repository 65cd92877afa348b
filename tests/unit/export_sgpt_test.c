/* SPDX-License-Identifier: MIT */
/* A trace that is written as a capture and loaded again is the same trace, row by row. */
#include "base/alloc.h"
#include "cmocka_all.h"
#include "convert/capture_to_trace.h"
#include "convert/exporter.h"
#include "convert/import_cnatrace.h"
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

/* ---- equality -------------------------------------------------------------------------------- */

struct both {
    const struct fg_trace *a, *b;
};

static void same_text(const struct both *t, uint32_t a, uint32_t b)
{
    assert_string_equal(fg_trace_text(t->a, a), fg_trace_text(t->b, b));
}

static void same_args(const struct both *t, uint32_t row)
{
    static struct fg_trace_arg a[64], b[64];
    uint32_t count_a = 0, count_b = 0;
    assert_int_equal(fg_trace_span_args(t->a, row, a, 64, &count_a), FG_OK);
    assert_int_equal(fg_trace_span_args(t->b, row, b, 64, &count_b), FG_OK);
    assert_int_equal(count_a, count_b);
    for (uint32_t i = 0; i < count_a; i++) {
        same_text(t, a[i].key, b[i].key);
        assert_int_equal(a[i].kind, b[i].kind);
        assert_int_equal(a[i].quality, b[i].quality);
        assert_int_equal(a[i].depth, b[i].depth);
        if (a[i].kind == FG_ARG_TEXT) {
            same_text(t, a[i].value.text, b[i].value.text);
        } else if (a[i].kind != FG_ARG_GROUP && a[i].kind != FG_ARG_UNKNOWN) {
            assert_int_equal(a[i].value.natural, b[i].value.natural);
        }
    }
}

static void same_rows(const struct both *t, uint64_t count)
{
    for (uint32_t row = 0; row < count; row++) {
        struct fg_trace_span a, b;
        uint32_t got = 0;
        assert_int_equal(fg_trace_spans(t->a, row, &a, 1, &got), FG_OK);
        assert_int_equal(fg_trace_spans(t->b, row, &b, 1, &got), FG_OK);
        assert_int_equal(a.track, b.track);
        assert_int_equal(a.lane, b.lane);
        assert_int_equal(a.depth, b.depth);
        assert_int_equal(a.parent, b.parent);
        same_text(t, a.name, b.name);
        same_text(t, a.category, b.category);
        assert_int_equal(a.classes, b.classes);
        assert_int_equal(a.status, b.status);
        assert_int_equal(a.frame, b.frame);
        assert_int_equal(a.object, b.object);
        assert_int_equal(a.start_ns, b.start_ns);
        assert_int_equal(a.end_ns, b.end_ns);
        same_args(t, row);
    }
}

static void same_tracks(const struct both *t)
{
    const struct fg_trace_track *a, *b;
    for (uint32_t i = 0; (a = fg_trace_track(t->a, i)) != NULL; i++) {
        b = fg_trace_track(t->b, i);
        same_text(t, a->name, b->name);
        assert_int_equal(a->process, b->process);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->clock, b->clock);
        assert_int_equal(a->id, b->id);
        assert_int_equal(a->first_lane, b->first_lane);
        assert_int_equal(a->lane_count, b->lane_count);
        assert_int_equal(a->span_count, b->span_count);
    }
    for (uint32_t i = 0; fg_trace_process(t->a, i) != NULL; i++) {
        same_text(t, fg_trace_process(t->a, i)->name, fg_trace_process(t->b, i)->name);
        assert_int_equal(fg_trace_process(t->a, i)->id, fg_trace_process(t->b, i)->id);
    }
    for (uint32_t i = 0; fg_trace_clock(t->a, i) != NULL; i++) {
        const struct fg_trace_clock *x = fg_trace_clock(t->a, i), *y = fg_trace_clock(t->b, i);
        same_text(t, x->name, y->name);
        same_text(t, x->reason, y->reason);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->bound_ns, y->bound_ns);
        assert_int_equal(x->valid_bits, y->valid_bits);
    }
}

static void same_instants(const struct both *t)
{
    const struct fg_trace_instant *a, *b;
    for (uint32_t i = 0; (a = fg_trace_instant(t->a, i)) != NULL; i++) {
        b = fg_trace_instant(t->b, i);
        assert_int_equal(a->time_ns, b->time_ns);
        assert_int_equal(a->track, b->track);
        same_text(t, a->name, b->name);
        same_text(t, a->category, b->category);
        assert_int_equal(a->frame, b->frame);
        assert_int_equal(a->is_note, b->is_note);
        assert_int_equal(a->is_loss, b->is_loss);
        assert_int_equal(a->has_value, b->has_value);
        assert_int_equal(a->value, b->value);
    }
}

static void same_counters(const struct both *t)
{
    const struct fg_trace_counter *a, *b;
    const struct fg_trace_metric *m, *n;
    for (uint32_t i = 0; (a = fg_trace_counter(t->a, i)) != NULL; i++) {
        b = fg_trace_counter(t->b, i);
        same_text(t, a->name, b->name);
        same_text(t, a->unit, b->unit);
        assert_int_equal(a->track, b->track);
        assert_int_equal(a->is_double, b->is_double);
        assert_int_equal(a->sample_count, b->sample_count);
        for (uint32_t k = 0; k < a->sample_count; k++) {
            struct fg_trace_sample x, y;
            assert_int_equal(fg_trace_samples(t->a, i, k, &x, 1), 1);
            assert_int_equal(fg_trace_samples(t->b, i, k, &y, 1), 1);
            assert_int_equal(x.time_ns, y.time_ns);
            assert_int_equal(x.value.integer, y.value.integer);
        }
    }
    for (uint32_t i = 0; (m = fg_trace_metric(t->a, i)) != NULL; i++) {
        n = fg_trace_metric(t->b, i);
        same_text(t, m->name, n->name);
        same_text(t, m->unit, n->unit);
        same_text(t, m->description, n->description);
        assert_int_equal(m->kind, n->kind);
        assert_int_equal(m->accuracy, n->accuracy);
        assert_int_equal(m->counter, n->counter);
    }
}

static void same_objects(const struct both *t)
{
    const struct fg_trace_object_event *a, *b;
    for (uint32_t i = 0; fg_trace_object(t->a, i) != NULL; i++) {
        const struct fg_trace_object *x = fg_trace_object(t->a, i), *y = fg_trace_object(t->b, i);
        assert_int_equal(x->id, y->id);
        assert_int_equal(x->event_count, y->event_count);
        assert_int_equal(x->made_ns, y->made_ns);
        assert_int_equal(x->gone_ns, y->gone_ns);
    }
    for (uint32_t i = 0; (a = fg_trace_object_event(t->a, i)) != NULL; i++) {
        b = fg_trace_object_event(t->b, i);
        same_text(t, a->name, b->name);
        same_text(t, a->type, b->type);
        assert_int_equal(a->time_ns, b->time_ns);
        assert_int_equal(a->object, b->object);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->frame, b->frame);
        assert_int_equal(a->size_bytes, b->size_bytes);
        assert_int_equal(a->accuracy, b->accuracy);
        assert_int_equal(a->format, b->format);
        assert_int_equal(a->width, b->width);
        assert_int_equal(a->height, b->height);
        assert_int_equal(a->depth, b->depth);
        assert_int_equal(a->mip_count, b->mip_count);
        assert_int_equal(a->layer_count, b->layer_count);
    }
}

static void same_stacks(const struct both *t)
{
    const struct fg_trace_stack *a, *b;
    for (uint32_t i = 0; (a = fg_trace_stack(t->a, i)) != NULL; i++) {
        b = fg_trace_stack(t->b, i);
        assert_int_equal(a->time_ns, b->time_ns);
        assert_int_equal(a->track, b->track);
        assert_int_equal(a->weight, b->weight);
        assert_int_equal(a->frame_count, b->frame_count);
        for (uint32_t k = 0; k < a->frame_count; k++) {
            same_text(t, fg_trace_stack_frame(t->a, a->first_frame + k),
                      fg_trace_stack_frame(t->b, b->first_frame + k));
        }
    }
}

static int by_all(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct fg_trace_dependency));
}

/* The order of those of one source is not kept. */
static void same_links(const struct both *t)
{
    uint32_t count = fgi_link_count(t->a);
    struct fg_trace_dependency *x = test_calloc(count + 1, sizeof *x);
    struct fg_trace_dependency *y = test_calloc(count + 1, sizeof *y);
    assert_int_equal(count, fgi_link_count(t->b));
    for (uint32_t i = 0; i < count; i++) {
        x[i] = (struct fg_trace_dependency){ fgi_link_source(t->a, i), fgi_link_target(t->a, i),
                                             fgi_link_family(t->a, i), fgi_link_flags(t->a, i) };
        y[i] = (struct fg_trace_dependency){ fgi_link_source(t->b, i), fgi_link_target(t->b, i),
                                             fgi_link_family(t->b, i), fgi_link_flags(t->b, i) };
    }
    qsort(x, count, sizeof *x, by_all);
    qsort(y, count, sizeof *y, by_all);
    assert_memory_equal(x, y, count * sizeof *x);
    test_free(x);
    test_free(y);
}

static void same_tallies(const struct both *t,
                         const struct fg_trace_tally *(*get)(const struct fg_trace *, uint32_t))
{
    for (uint32_t i = 0; get(t->a, i) != NULL; i++) {
        same_text(t, get(t->a, i)->name, get(t->b, i)->name);
        assert_int_equal(get(t->a, i)->count, get(t->b, i)->count);
    }
}

static void same_report(const struct both *t)
{
    same_tallies(t, fg_trace_loss);
    same_tallies(t, fg_trace_skipped);
    for (uint32_t i = 0; fg_trace_meta(t->a, i) != NULL; i++) {
        same_text(t, fg_trace_meta(t->a, i)->key, fg_trace_meta(t->b, i)->key);
        same_text(t, fg_trace_meta(t->a, i)->value, fg_trace_meta(t->b, i)->value);
    }
    for (uint32_t i = 0; fg_trace_repair(t->a, i) != NULL; i++) {
        const struct fg_trace_repair *x = fg_trace_repair(t->a, i), *y = fg_trace_repair(t->b, i);
        assert_string_equal(x->kind, y->kind);
        assert_int_equal(x->count, y->count);
        assert_int_equal(x->first_offset, y->first_offset);
    }
    for (unsigned i = 0; i < FG_TRACE_LOSS_COUNTERS; i++) {
        assert_int_equal(fg_trace_loss_counter(t->a, i), fg_trace_loss_counter(t->b, i));
    }
    for (uint32_t i = 0; fg_trace_frame(t->a, i) != NULL; i++) {
        const struct fg_trace_frame *x = fg_trace_frame(t->a, i), *y = fg_trace_frame(t->b, i);
        assert_int_equal(x->id, y->id);
        assert_int_equal(x->start_ns, y->start_ns);
        assert_int_equal(x->cpu_end_ns, y->cpu_end_ns);
        assert_int_equal(x->submit_ns, y->submit_ns);
        assert_int_equal(x->level, y->level);
        assert_int_equal(x->track, y->track);
        assert_int_equal(x->dropped, y->dropped);
        assert_int_equal(x->missing, y->missing);
        assert_int_equal(x->overhead_ns, y->overhead_ns);
        assert_int_equal(x->latency_ns, y->latency_ns);
        assert_int_equal(x->wait_ns, y->wait_ns);
        assert_int_equal(x->present_wait_ns, y->present_wait_ns);
        assert_int_equal(x->has_submit, y->has_submit);
        assert_int_equal(x->has_gpu, y->has_gpu);
        assert_int_equal(x->is_lost, y->is_lost);
    }
}

static void same_info(const struct both *t, uint64_t *out_spans)
{
    struct fg_trace_info a, b;
    fg_trace_get_info(t->a, &a);
    fg_trace_get_info(t->b, &b);
    assert_string_equal(b.format, "sgpt");
    assert_true(b.closed);
    assert_false(b.recovered);
    /* What is of the container and not of the trace; texts that nothing uses are not kept. */
    b.format = a.format;
    b.version = a.version;
    b.closed = a.closed;
    b.recovered = a.recovered;
    b.is_growing = a.is_growing;
    b.names = a.names;
    b.firm_rows = a.firm_rows;
    /* A capture has at least one process and one clock. */
    a.processes += a.processes == 0;
    a.clocks += a.clocks == 0;
    assert_memory_equal(&a, &b, sizeof a);
    *out_spans = a.spans;
}

static void assert_same(const struct fg_trace *a, const struct fg_trace *b)
{
    const struct both t = { a, b };
    uint64_t spans = 0;
    same_info(&t, &spans);
    same_tracks(&t);
    same_rows(&t, spans);
    same_instants(&t);
    same_counters(&t);
    same_objects(&t);
    same_stacks(&t);
    same_links(&t);
    same_report(&t);
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
        assert_same(trace, made);
        fgi_trace_destroy(made);
        fg_memory_sink_destroy(bytes.memory);
        fgi_trace_destroy(trace);
    }
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
        assert_same(trace, made);
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
    const struct both t = { trace, made };
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    assert_true(lacks.kinds >= 3);
    same_tracks(&t);
    same_rows(&t, info.spans);
    same_instants(&t);
    same_counters(&t);
    same_objects(&t);
    same_stacks(&t);
    same_links(&t);
    same_report(&t);
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
        cmocka_unit_test(process_events_come_back_as_they_went),
        cmocka_unit_test(what_only_the_record_of_a_frame_says_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
