/* SPDX-License-Identifier: MIT */
/* Captures become traces: placed in time, nested by scope, with everything lost counted. */
#include "convert_bed.h"

#include "base/clock.h"
#include <frameglass/trace_structure.h>

#include "cmocka_all.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void a_frame_becomes_cpu_spans_and_gpu_spans(void **state)
{
    struct convert_bed bed;
    struct fg_trace_info info;
    struct fg_trace_span span;
    (void)state;
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 6);
    for (uint64_t frame = 1; frame <= 3; frame++) {
        sample_frame(&bed.sample, frame, topology, 6, 0);
        sample_gpu_frame(&bed.sample, frame, 6, UINT32_MAX);
    }
    convert_bed_load(&bed, true);
    fg_trace_get_info(bed.trace, &info);
    assert_string_equal(info.format, "sgpt");
    assert_true(info.closed);
    assert_int_equal(info.frames, 3);
    assert_int_equal(info.topologies, 1);
    assert_int_equal(info.resources, 6);
    assert_int_equal(info.level, FG_CAP_LEVEL_WORKLOAD);
    assert_int_equal(info.counter_samples, 6);
    assert_int_equal(info.unfinished, 0);
    assert_int_equal(fg_trace_frame_find(bed.trace, 3), 2);
    assert_int_equal(fg_trace_frame_find(bed.trace, 4), FG_NONE);
    uint32_t name = fg_trace_text_find(bed.trace, "pass 0.4");
    assert_string_equal(fg_trace_text(bed.trace, name), "pass 0.4");
    assert_int_equal(fg_trace_text_find(bed.trace, "pass 0."), FG_NONE);
    /* CPU: the frame over those of its passes that were timed. */
    assert_int_not_equal(convert_bed_find(&bed, "frame", 0, &span), FG_NONE);
    assert_int_equal(span.classes, FG_CLASS_FRAME); /* its row comes before those of scopes */
    assert_int_equal(span.object, 1);
    assert_int_equal(span.depth, 0);
    assert_int_not_equal(convert_bed_find(&bed, "pass 0.1", 0, &span), FG_NONE);
    assert_int_equal(span.classes, FG_CLASS_ENCODE);
    assert_true(span.start_ns == 1000000 + 16666667 + 1001);
    assert_true(span.end_ns == span.start_ns + 713);
    assert_int_equal(span.depth, 1);
    assert_int_equal(span.frame, 0);
    assert_int_equal(convert_bed_find(&bed, "pass 0.2", 0, &span), FG_NONE); /* culled */
    assert_true(fg_trace_frame_passes(bed.trace, 0)[2].culled);
    assert_false(fg_trace_frame_passes(bed.trace, 0)[1].culled);
    /* GPU: beyond the last reading by the period, to the ns. */
    assert_int_not_equal(convert_bed_find(&bed, "gpu pass 0.4", 0, &span), FG_NONE);
    uint64_t ticks = 50000 + 320000 + 400;
    struct fgi_rational period = { 625, 12 };
    assert_true(span.start_ns == 510000 + fgi_ticks_to_ns((int64_t)ticks - 2000, period));
    assert_true(span.end_ns == 510000 + fgi_ticks_to_ns((int64_t)ticks + 61 - 2000, period));
    assert_true(span.classes & FG_CLASS_GPU_PASS);
    assert_int_equal(span.origin, 1);
    const struct fg_trace_pass *pass = fg_trace_pass(bed.trace, span.pass);
    assert_string_equal(fg_trace_text(bed.trace, pass->name), "pass 0.4");
    assert_int_equal(span.object, 104);
    assert_int_not_equal(convert_bed_find(&bed, "gpu pass 0.1", 0, &span), FG_NONE);
    assert_true(span.classes & FG_CLASS_UNATTRIBUTED);
    assert_int_equal(span.pass, FG_NONE);
    convert_bed_close(&bed);
}

static void gpu_passes_lie_under_the_hulls_of_their_scopes(void **state)
{
    struct convert_bed bed;
    struct fg_trace_info info;
    (void)state;
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 9);
    sample_frame(&bed.sample, 1, topology, 9, 0);
    sample_gpu_frame(&bed.sample, 1, 9, UINT32_MAX);
    convert_bed_load(&bed, true);
    fg_trace_get_info(bed.trace, &info);
    uint32_t passes = 0;
    for (uint32_t row = 0; row < info.spans; row++) {
        struct fg_trace_span span, parent;
        uint32_t count;
        assert_int_equal(fg_trace_spans(bed.trace, row, &span, 1, &count), FG_OK);
        if (!(span.classes & (FG_CLASS_GPU_PASS | FG_CLASS_SCOPE))) {
            continue;
        }
        passes += (span.classes & FG_CLASS_GPU_PASS) != 0;
        const char *scope = fg_trace_text(bed.trace, span.scope);
        uint32_t depth = 0;
        for (const char *c = scope; *c; c++) {
            depth += c == scope || *c == '/';
        }
        depth -= (span.classes & FG_CLASS_SCOPE) != 0;
        assert_int_equal(span.depth, depth);
        if (depth == 0) {
            assert_int_equal(span.parent, FG_NONE);
            continue;
        }
        assert_true(span.parent < row);
        assert_int_equal(fg_trace_spans(bed.trace, span.parent, &parent, 1, &count), FG_OK);
        assert_true(parent.classes & FG_CLASS_SCOPE);
        assert_int_equal(parent.depth, depth - 1);
        assert_true(parent.start_ns <= span.start_ns && parent.end_ns >= span.end_ns);
        if (span.classes & FG_CLASS_GPU_PASS) {
            assert_int_equal(parent.scope, span.scope);
        }
    }
    assert_int_equal(passes, 9);
    convert_bed_close(&bed);
}

static void times_that_never_came_are_counted_not_invented(void **state)
{
    struct convert_bed bed;
    struct fg_trace_span span;
    (void)state;
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 4);
    sample_frame(&bed.sample, 1, topology, 4, 0);
    sample_frame(&bed.sample, 2, topology, 4, 0);
    sample_gpu_frame(&bed.sample, 1, 4, 3);
    convert_bed_load(&bed, false);
    assert_int_equal(fg_trace_frame(bed.trace, 0)->missing, 1);
    assert_int_equal(fg_trace_frame(bed.trace, 1)->missing, 4);
    assert_true(fg_trace_frame(bed.trace, 0)->has_gpu);
    assert_false(fg_trace_frame(bed.trace, 1)->has_gpu);
    assert_int_equal(convert_bed_losses(&bed, "gpu results missing"), 1);
    assert_int_equal(convert_bed_losses(&bed, "gpu results never came"), 4);
    assert_int_equal(convert_bed_losses(&bed, "pool full"), 2);
    assert_int_equal(fg_trace_frame(bed.trace, 0)->dropped, 2);
    assert_int_equal(convert_bed_find(&bed, "gpu pass 0.3", 0, &span), FG_NONE);
    const struct fg_frame_row *rows;
    uint32_t count;
    assert_int_equal(fg_query_frames(bed.query, 0, FG_NONE, &rows, &count), FG_OK);
    assert_int_equal(count, 2);
    assert_true(rows[0].gpu_ns > 0 && rows[1].gpu_ns == -1);
    assert_null(rows[1].verdict_name);
    convert_bed_close(&bed);
}

static void times_that_a_device_doubts_are_counted_apart_from_missing_ones(void **state)
{
    struct fg_cap_gpu_span spans[4] = {
        { .instance = 0, .status = FG_CAP_SPAN_REFUSED },
        { .instance = 1, .status = FG_CAP_SPAN_OK, .begin_ticks = 370100, .end_ticks = 370160 },
        { .instance = 2, .status = FG_CAP_SPAN_REFUSED },
        { .instance = 3, .status = FG_CAP_SPAN_MISSING },
    };
    struct convert_bed bed;
    struct fg_trace_span span;
    (void)state;
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    sample_frame(&bed.sample, 1, sample_topology(&bed.sample, 0, 4), 4, 0);
    const struct fg_cap_gpu_frame payload = {
        .frame = 1,
        .clock = SAMPLE_CLOCK_GPU,
        .flags = FG_CAP_GPU_FRAME_LAST,
        .instance_count = 4,
        .epoch_ticks = 370000,
        .spans = spans,
        .span_count = 4,
    };
    assert_int_equal(fg_capture_writer_gpu_frame(bed.sample.writer, &payload), FG_OK);
    convert_bed_load(&bed, false);
    assert_int_equal(fg_trace_frame(bed.trace, 0)->missing, 3);
    assert_int_equal(convert_bed_losses(&bed, "gpu times not to be believed"), 2);
    assert_int_equal(convert_bed_losses(&bed, "gpu results missing"), 1);
    assert_int_equal(convert_bed_find(&bed, "gpu pass 0.0", 0, &span), FG_NONE);
    assert_int_not_equal(convert_bed_find(&bed, "gpu pass 0.1", 0, &span), FG_NONE);
    assert_true(span.end_ns > span.start_ns);
    convert_bed_close(&bed);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static void put_clock(struct convert_bed *bed, uint32_t domain,
                      const struct fg_cap_reading *readings, size_t count)
{
    struct fg_cap_clock clock = {
        .id = SAMPLE_CLOCK_GPU,
        .kind = FG_CAP_CLOCK_DEVICE,
        .domain = domain,
        .host_clock = SAMPLE_CLOCK_HOST,
        .reason = sample_symbol(&bed->sample, "no calibration here"),
        .period_num = 1,
        .period_den = 1,
        .valid_bits = 64,
        .first_reading = 2, /* after those of the sample */
        .readings = readings,
        .reading_count = count,
    };
    assert_int_equal(fg_capture_writer_clock(bed->sample.writer, &clock), FG_OK);
}

static void a_nominal_clock_is_anchored_at_submit_and_not_measured_across(void **state)
{
    struct convert_bed bed;
    struct fg_trace_span gpu, cpu;
    struct fg_gap gap;
    (void)state;
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    put_clock(&bed, FG_CAP_DOMAIN_NOMINAL, NULL, 0);
    uint32_t topology = sample_topology(&bed.sample, 0, 4);
    sample_frame(&bed.sample, 1, topology, 4, 0);
    sample_gpu_frame(&bed.sample, 1, 4, UINT32_MAX);
    convert_bed_load(&bed, true);
    assert_int_not_equal(convert_bed_find(&bed, "gpu pass 0.0", 0, &gpu), FG_NONE);
    assert_true(gpu.start_ns == 1000000 + 16666667 + 90000);
    assert_true(gpu.end_ns == gpu.start_ns + 61);
    const struct fg_trace_track *track = fg_trace_track(bed.trace, gpu.track);
    const struct fg_trace_clock *clock = fg_trace_clock(bed.trace, track->clock);
    assert_int_equal(clock->kind, FG_CLOCK_NOMINAL);
    assert_string_equal(fg_trace_text(bed.trace, clock->reason), "no calibration here");
    assert_int_not_equal(convert_bed_find(&bed, "pass 0.1", 0, &cpu), FG_NONE);
    assert_int_equal(fg_query_gap(bed.query, cpu.row, gpu.row, &gap), FG_ERR_CLOCK);
    assert_int_equal(fg_query_gap(bed.query, gpu.row, gpu.row, &gap), FG_OK);
    convert_bed_close(&bed);
}

static void readings_are_interpolated_and_outliers_left_out(void **state)
{
    struct convert_bed bed;
    struct fg_trace_span span;
    (void)state;
    /* The sample's readings are (1000, 500000) and (2000, 510000); the third here is far worse. */
    const struct fg_cap_reading readings[] = { { 300000, 3500000, 100 },
                                               { 360000, 9999999, 90000 },
                                               { 400000, 4500000, 110 } };
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    put_clock(&bed, FG_CAP_DOMAIN_CALIBRATED, readings, COUNT(readings));
    uint32_t topology = sample_topology(&bed.sample, 0, 2);
    sample_frame(&bed.sample, 1, topology, 2, 0);
    sample_gpu_frame(&bed.sample, 1, 2, UINT32_MAX);
    convert_bed_load(&bed, true);
    assert_int_not_equal(convert_bed_find(&bed, "gpu pass 0.1", 0, &span), FG_NONE);
    /* 370100 lies between 300000 and 400000: ten ns a tick there. */
    assert_true(span.start_ns == 3500000 + 70100 * 10);
    const struct fg_trace_clock *clock =
        fg_trace_clock(bed.trace, fg_trace_track(bed.trace, span.track)->clock);
    assert_int_equal(clock->kind, FG_CLOCK_CALIBRATED);
    assert_int_equal(clock->pair_count, 4);
    assert_int_equal(clock->rejected_count, 1);
    assert_true(clock->bound_ns >= 120);
    /* By its period 399,000 ns passed, by the host's clock 4,000,000. */
    assert_true(clock->drift_ns == 399000 - 4000000);
    assert_true(clock->drift_over_ns == 4000000);
    assert_true(clock->drift_error_ns >= 110);
    convert_bed_close(&bed);
}

struct read_clock {
    const char *what;
    uint64_t period_num;
    size_t count;
    struct fg_cap_reading readings[4]; /* ticks, host ticks (ns), deviation */
    uint32_t kept;
    uint64_t bound_ns; /* 0 = nominal */
};

static const struct fg_trace_clock *find_clock(const struct convert_bed *bed, const char *name)
{
    const struct fg_trace_clock *clock;
    for (uint32_t i = 0; (clock = fg_trace_clock(bed->trace, i)) != NULL; i++) {
        if (strcmp(fg_trace_text(bed->trace, clock->name), name) == 0) {
            break;
        }
    }
    return clock;
}

/** Of clocks whose first and last reading are kept. */
static void check_drift(const struct read_clock *row, const struct fg_trace_clock *found)
{
    const struct fg_cap_reading *first = &row->readings[0];
    const struct fg_cap_reading *last = &row->readings[row->count - 1];
    if (found->kind != FG_CLOCK_CALIBRATED || row->period_num == 0) {
        assert_true(found->drift_over_ns == 0);
        return;
    }
    assert_true(found->drift_over_ns == last->host_ticks - first->host_ticks);
    assert_true(found->drift_error_ns == first->deviation_ns + last->deviation_ns);
    assert_true(found->drift_ns == (int64_t)(last->ticks - first->ticks) -
                                       (int64_t)(last->host_ticks - first->host_ticks));
}

/* Only these readings tell where the counter stands. */
static void check_read_clock(const struct read_clock *row)
{
    struct convert_bed bed;
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    const struct fg_cap_clock clock = {
        .id = 77,
        .kind = FG_CAP_CLOCK_TSC,
        .domain = FG_CAP_DOMAIN_CALIBRATED,
        .host_clock = SAMPLE_CLOCK_HOST,
        .name = sample_symbol(&bed.sample, "counter"),
        .period_num = row->period_num,
        .period_den = row->period_num,
        .valid_bits = 64,
        .readings = row->readings,
        .reading_count = row->count,
    };
    assert_int_equal(fg_capture_writer_clock(bed.sample.writer, &clock), FG_OK);
    convert_bed_load(&bed, true);
    const struct fg_trace_clock *found = find_clock(&bed, "counter");
    assert_non_null(found);
    const bool is_calibrated = row->bound_ns > 0;
    if (found->kind != (is_calibrated ? FG_CLOCK_CALIBRATED : FG_CLOCK_NOMINAL) ||
        found->bound_ns != row->bound_ns || found->rejected_count != row->count - row->kept ||
        found->pair_count != (is_calibrated ? row->kept : 0)) {
        fail_msg("%s: kind %d, bound %u, %u kept, %u rejected", row->what, (int)found->kind,
                 (unsigned)found->bound_ns, (unsigned)found->pair_count,
                 (unsigned)found->rejected_count);
    }
    check_drift(row, found);
    convert_bed_close(&bed);
}

static void few_readings_are_kept_and_their_bound_is_that_of_the_worst(void **state)
{
    static const struct read_clock rows[] = {
        { "one reading relates nothing", 1, 1, { { 1000, 5000, 10 } }, 1, 0 },
        { "two good ones", 1, 2, { { 1000, 5000, 10 }, { 2000, 6000, 20 } }, 2, 20 },
        { "of two, a bad one is all there is",
          1,
          2,
          { { 1000, 5000, 10 }, { 9000, 13300, 700 } },
          2,
          700 },
        { "or the first of them", 1, 2, { { 1000, 5000, 700 }, { 9000, 13300, 0 } }, 2, 700 },
        { "two that do not go forward", 1, 2, { { 1000, 5000, 10 }, { 2000, 5000, 700 } }, 1, 0 },
        { "of three the bad one is left out, and nothing is claimed by it",
          1,
          3,
          { { 1000, 5000, 10 }, { 2000, 6500, 700 }, { 3000, 7000, 20 } },
          2,
          20 },
        { "two bad ones of three: the limit is that of the median",
          1,
          3,
          { { 1000, 5000, 10 }, { 2000, 6000, 700 }, { 3000, 7000, 800 } },
          3,
          800 },
        { "one that says the same again does not count beside the bad one",
          1,
          3,
          { { 1000, 5000, 10 }, { 1000, 5000, 10 }, { 3000, 7000, 5000 } },
          2,
          5000 },
        { "three of which the middle one lies off the line",
          1,
          3,
          { { 1000, 5000, 10 }, { 2000, 6030, 20 }, { 3000, 7000, 10 } },
          3,
          50 },
        { "the worst that can be written",
          1,
          2,
          { { 1000, 5000, 0 }, { 2000, 6000, UINT64_MAX } },
          2,
          UINT64_MAX },
        { "they tell the period, too, and how far it may be off",
          0,
          2,
          { { 1000, 5000, 10 }, { 2000, 7000, 20 } },
          2,
          50 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        check_read_clock(&rows[i]);
    }
}

/* ---- dependencies ---------------------------------------------------------------------------- */

static void put_submitting_frame(struct convert_bed *bed, uint64_t frame, uint64_t wait,
                                 uint64_t signal)
{
    const struct fg_cap_semaphore semaphores[] = { { 9, wait }, { 9, signal } };
    const struct fg_cap_submission submission = { .track = SAMPLE_TRACK_QUEUE,
                                                  .submit_ticks = frame * 1000,
                                                  .waits = semaphores,
                                                  .wait_count = wait != UINT64_MAX,
                                                  .signals = semaphores + 1,
                                                  .signal_count = signal != UINT64_MAX };
    const struct fg_cap_gpu_pass pass = { .gpu_pass = FG_CAP_NONE,
                                          .graph_pass = FG_CAP_NONE,
                                          .kind = FG_CAP_GPU_PASS_COMPUTE,
                                          .label = sample_symbol(&bed->sample, "pass"),
                                          .track = SAMPLE_TRACK_QUEUE,
                                          .parent = FG_CAP_NONE,
                                          .logical = FG_CAP_NONE };
    const struct fg_cap_frame payload = { .frame = frame,
                                          .topology = FG_CAP_NONE,
                                          .clock = SAMPLE_CLOCK_HOST,
                                          .track = SAMPLE_TRACK_CPU,
                                          .begin_ticks = frame * 1000,
                                          .end_ticks = frame * 1000 + 500,
                                          .submit_ticks = frame * 1000 + 400,
                                          .submissions = &submission,
                                          .submission_count = 1,
                                          .gpu_passes = &pass,
                                          .gpu_pass_count = 1 };
    const struct fg_cap_gpu_span span = { .begin_ticks = frame * 1000,
                                          .end_ticks = frame * 1000 + 100 };
    const struct fg_cap_gpu_frame gpu = { .frame = frame,
                                          .clock = SAMPLE_CLOCK_GPU,
                                          .flags = FG_CAP_GPU_FRAME_LAST,
                                          .instance_count = 1,
                                          .spans = &span,
                                          .span_count = 1 };
    assert_int_equal(fg_capture_writer_frame(bed->sample.writer, &payload), FG_OK);
    assert_int_equal(fg_capture_writer_gpu_frame(bed->sample.writer, &gpu), FG_OK);
}

/* Frame whose GPU pass the i-th pass waits on through a semaphore; 0 = none. */
static uint64_t waited_on(const struct convert_bed *bed, uint32_t i)
{
    struct fg_trace_span span;
    struct fg_span_detail detail;
    uint32_t count = 0;
    uint32_t row = convert_bed_find(bed, "pass", i, &span);
    assert_int_not_equal(row, FG_NONE);
    assert_int_equal(fg_query_span(bed->query, row, &detail), FG_OK);
    for (uint32_t k = 0; k < detail.wait_count; k++) {
        if (detail.waits[k].family == FG_DEPENDENCY_SEMAPHORE) {
            assert_int_equal(fg_trace_spans(bed->trace, detail.waits[k].row, &span, 1, &count),
                             FG_OK);
            return fg_trace_frame(bed->trace, span.frame)->id;
        }
    }
    return 0;
}

static void a_timeline_wait_meets_the_first_signal_that_reaches_it(void **state)
{
    struct convert_bed bed;
    (void)state;
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    put_submitting_frame(&bed, 1, UINT64_MAX, 10);
    put_submitting_frame(&bed, 2, UINT64_MAX, 20);
    put_submitting_frame(&bed, 3, 15, 30);
    put_submitting_frame(&bed, 4, 10, UINT64_MAX);
    put_submitting_frame(&bed, 5, 40, UINT64_MAX); /* signalled later */
    put_submitting_frame(&bed, 6, UINT64_MAX, 40);
    convert_bed_load(&bed, true);
    const uint64_t expected[] = { 0, 0, 2, 1, 6, 0 };
    for (uint32_t i = 0; i < COUNT(expected); i++) {
        assert_int_equal(waited_on(&bed, i), expected[i]);
    }
    convert_bed_close(&bed);
}

static void a_binary_wait_takes_the_last_free_signal(void **state)
{
    struct convert_bed bed;
    (void)state;
    convert_bed_open(&bed);
    sample_begin(&bed.sample);
    put_submitting_frame(&bed, 1, UINT64_MAX, 0);
    put_submitting_frame(&bed, 2, 0, 0);
    put_submitting_frame(&bed, 3, 0, UINT64_MAX);
    put_submitting_frame(&bed, 4, 0, UINT64_MAX); /* nobody signalled for it */
    convert_bed_load(&bed, true);
    const uint64_t expected[] = { 0, 1, 2, 0 };
    for (uint32_t i = 0; i < COUNT(expected); i++) {
        assert_int_equal(waited_on(&bed, i), expected[i]);
    }
    convert_bed_close(&bed);
}

/* ---- everything ------------------------------------------------------------------------------ */

static const struct fg_trace_arg *arg_named(const struct convert_bed *bed,
                                            const struct fg_span_detail *detail, const char *key)
{
    for (uint32_t i = 0; i < detail->arg_count; i++) {
        if (strcmp(fg_trace_text(bed->trace, detail->args[i].key), key) == 0) {
            return &detail->args[i];
        }
    }
    return NULL;
}

static void one_of_every_record_is_loaded(void **state)
{
    struct convert_bed bed;
    struct fg_trace_info info;
    struct fg_trace_span span;
    struct fg_span_detail detail;
    (void)state;
    convert_bed_open(&bed);
    sample_everything(&bed.sample);
    convert_bed_load(&bed, true);
    fg_trace_get_info(bed.trace, &info);
    assert_int_equal(info.frames, 3);
    assert_int_equal(info.notes, 1);
    assert_int_equal(info.samples, 3);
    assert_int_equal(fg_trace_stack(bed.trace, 0)->frame_count, 2);
    assert_string_equal(fg_trace_text(bed.trace, fg_trace_stack_frame(bed.trace, 0)), "draw");
    assert_int_equal(info.skipped_records, 0);
    assert_int_equal(info.defects, 0);
    assert_true(info.device_lost);
    assert_int_equal(info.overhead_ns, 3702);
    assert_int_not_equal(convert_bed_find(&bed, "outer", 0, &span), FG_NONE);
    assert_int_equal(span.frame, 0);
    assert_int_equal(span.object, 17);
    /* Arguments of a record of their own, and those that are read again from a frame. */
    uint32_t inner = convert_bed_find(&bed, "inner", 0, &span);
    assert_int_equal(span.status, FG_SPAN_UNFINISHED);
    assert_int_equal(fg_query_span(bed.query, inner, &detail), FG_OK);
    assert_int_equal(arg_named(&bed, &detail, "int")->value.integer, -7);
    assert_int_equal(arg_named(&bed, &detail, "bool")->value.natural, 1);
    assert_string_equal(fg_trace_text(bed.trace, arg_named(&bed, &detail, "symbol")->value.text),
                        "as symbol");
    uint32_t loose = convert_bed_find(&bed, "loose", 1, &span);
    assert_int_equal(span.status, FG_SPAN_LOST);
    assert_int_equal(fg_query_span(bed.query, loose, &detail), FG_OK);
    assert_int_equal(arg_named(&bed, &detail, "x")->value.natural, 10);
    assert_int_equal(arg_named(&bed, &detail, "x")->quality, FG_QUALITY_ENCODED);
    assert_int_equal(arg_named(&bed, &detail, "workgroup size")->kind, FG_ARG_UNKNOWN);
    assert_int_equal(arg_named(&bed, &detail, "invocations")->kind, FG_ARG_UNKNOWN);
    assert_non_null(arg_named(&bed, &detail, "resolved"));
    assert_int_equal(convert_bed_losses(&bed, "unknown reason"), 1);
    assert_int_equal(convert_bed_losses(&bed, "ring full"), 3);
    assert_int_equal(convert_bed_losses(&bed, "device lost before begin"), 1);
    assert_int_equal(convert_bed_losses(&bed, "gpu results missing"), 1);
    assert_int_not_equal(convert_bed_find(&bed, "zone", 0, &span), FG_NONE);
    assert_true(span.start_ns == 10 && span.end_ns == 20);
    for (uint32_t row = 0; row < info.spans; row++) {
        fg_query_reset(bed.query);
        assert_int_equal(fg_query_span(bed.query, row, &detail), FG_OK);
    }
    convert_bed_close(&bed);
}

static void opening_again_gives_the_same_rows(void **state)
{
    static struct fg_trace_span spans[2][256];
    struct convert_bed bed;
    uint32_t counts[2];
    (void)state;
    convert_bed_open(&bed);
    sample_everything(&bed.sample);
    convert_bed_load(&bed, true);
    for (int i = 0; i < 2; i++) {
        size_t size = 0;
        const void *bytes = fg_memory_sink_bytes(bed.memory, &size);
        convert_bed_unload(&bed);
        assert_true(convert_bed_load_bytes(&bed, bytes, size));
        memset(spans[i], 0, sizeof spans[i]);
        assert_int_equal(fg_trace_spans(bed.trace, 0, spans[i], 256, &counts[i]), FG_OK);
    }
    assert_int_equal(counts[0], counts[1]);
    for (uint32_t row = 0; row < counts[0]; row++) {
        assert_int_equal(spans[0][row].name, spans[1][row].name);
        assert_int_equal(spans[0][row].lane, spans[1][row].lane);
        assert_int_equal(spans[0][row].parent, spans[1][row].parent);
        assert_true(spans[0][row].start_ns == spans[1][row].start_ns);
        assert_true(spans[0][row].end_ns == spans[1][row].end_ns);
    }
    convert_bed_close(&bed);
}

/* Ask a little of everything: it must be answered, whatever the bytes were. */
static void look_around(struct convert_bed *bed)
{
    struct fg_trace_info info;
    fg_trace_get_info(bed->trace, &info);
    for (uint32_t by = 0; by < 4; by++) {
        struct fg_stats_reply stats;
        assert_int_equal(fg_query_stats(bed->query, &(struct fg_stats_request){ .by = by }, &stats),
                         FG_OK);
    }
    struct fg_view_target targets[3] = { { FG_VIEW_LANE, FG_VIEW_NONE, 0 },
                                         { FG_VIEW_TRACK, FG_VIEW_NONE, 0 },
                                         { FG_VIEW_PROCESS, FG_VIEW_NONE, 0 } };
    struct fg_view_request request = { .start_ns = INT64_MIN,
                                       .end_ns = INT64_MAX,
                                       .width_px = 100,
                                       .targets = targets,
                                       .target_count = info.lanes > 0 ? 3 : 0 };
    struct fg_view_reply view;
    assert_int_equal(fg_query_view(bed->query, &request, &view), FG_OK);
    struct fg_span_detail detail;
    for (uint32_t row = 0; row < info.spans && row < 8; row++) {
        assert_int_equal(fg_query_span(bed->query, row, &detail), FG_OK);
    }
}

static void damaged_captures_are_read_as_far_as_they_go(void **state)
{
    static uint8_t bytes[65536];
    struct convert_bed bed;
    size_t size = 0;
    uint32_t opened = 0, repaired = 0;
    (void)state;
    convert_bed_open(&bed);
    sample_everything(&bed.sample);
    convert_bed_load(&bed, true);
    const void *whole = fg_memory_sink_bytes(bed.memory, &size);
    assert_true(size <= sizeof bytes);
    for (size_t i = 0; i < 2 * size; i += 13) { /* cuts, then flips */
        convert_bed_unload(&bed);
        memcpy(bytes, whole, size);
        bytes[i % size] ^= i < size ? 0 : 0x55;
        if (convert_bed_load_bytes(&bed, bytes, i < size ? i : size)) {
            struct fg_trace_info info;
            look_around(&bed);
            fg_trace_get_info(bed.trace, &info);
            opened++;
            repaired += info.repairs > 0;
        }
    }
    assert_true(opened > size / 13 && repaired > size / 26);
    convert_bed_close(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_becomes_cpu_spans_and_gpu_spans),
        cmocka_unit_test(gpu_passes_lie_under_the_hulls_of_their_scopes),
        cmocka_unit_test(times_that_never_came_are_counted_not_invented),
        cmocka_unit_test(times_that_a_device_doubts_are_counted_apart_from_missing_ones),
        cmocka_unit_test(a_nominal_clock_is_anchored_at_submit_and_not_measured_across),
        cmocka_unit_test(readings_are_interpolated_and_outliers_left_out),
        cmocka_unit_test(few_readings_are_kept_and_their_bound_is_that_of_the_worst),
        cmocka_unit_test(a_timeline_wait_meets_the_first_signal_that_reaches_it),
        cmocka_unit_test(a_binary_wait_takes_the_last_free_signal),
        cmocka_unit_test(one_of_every_record_is_loaded),
        cmocka_unit_test(opening_again_gives_the_same_rows),
        cmocka_unit_test(damaged_captures_are_read_as_far_as_they_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
