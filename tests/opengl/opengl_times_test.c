/* SPDX-License-Identifier: MIT */
/* Times of passes over a driver whose times are known: stamps, elapsed queries, clocks. */
#include "opengl_fake_bed.h"
#include "../support/cmocka_all.h"

#include <string.h>

static struct fg_opengl_options elapsed(void)
{
    return (struct fg_opengl_options){ .flags = FG_OPENGL_NO_TIMESTAMPS };
}

static void assert_pass(const struct seen_frame *frame, uint32_t index, const char *label,
                        int64_t duration_ns)
{
    assert_string_equal(frame->passes[index].label, label);
    assert_int_equal(frame->passes[index].span.status, FG_CAP_SPAN_OK);
    assert_int_equal(seen_duration(&frame->passes[index]), duration_ns);
}

/* A frame with work outside of passes and passes in passes. */
static void nested_frame(struct gl_bed *bed)
{
    gl_begin(bed);
    gl_pass(bed, "first", 3 * MS);
    fake_work(1 * MS);
    gl_pass_begin(bed, "outer", false);
    fake_work(2 * MS);
    gl_pass(bed, "inner", 4 * MS);
    fake_work(5 * MS);
    gl_pass(bed, "inner too", 6 * MS);
    fg_gpu_pass_end(bed->commands);
    gl_end(bed);
    fake_advance(40 * MS);
}

static void passes_are_as_long_as_their_work_with_stamps_and_with_elapsed_queries(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct fg_opengl_options options = { .flags = i == 0 ? 0 : FG_OPENGL_NO_TIMESTAMPS };
        struct gl_bed bed;
        struct seen seen;
        fake_reset();
        gl_open(&bed, &options, NULL);
        assert_int_equal(fg_opengl_get_timing(bed.device),
                         i == 0 ? FG_OPENGL_TIMING_STAMPS : FG_OPENGL_TIMING_ELAPSED);
        nested_frame(&bed);
        nested_frame(&bed);
        gl_see(&bed, &seen);
        assert_int_equal(seen.frame_count, 2);
        for (size_t f = 0; f < 2; f++) {
            const struct seen_frame *frame = &seen.frames[f];
            assert_int_equal(frame->pass_count, 4);
            assert_pass(frame, 0, "first", 3 * MS);
            assert_pass(frame, 1, "outer", 17 * MS);
            assert_pass(frame, 2, "inner", 4 * MS);
            assert_pass(frame, 3, "inner too", 6 * MS);
            assert_int_equal(frame->passes[2].parent, 1);
            uint64_t outer = frame->passes[1].span.begin_ticks;
            assert_int_equal(frame->passes[2].span.begin_ticks, outer + 2 * MS);
            assert_int_equal(frame->passes[3].span.begin_ticks, outer + 11 * MS);
            /* Only stamps see the work in between. */
            assert_int_equal(outer - frame->passes[0].span.end_ticks, i == 0 ? 1 * MS : 0);
        }
        assert_true(seen.frames[1].passes[0].span.begin_ticks >=
                    seen.frames[0].passes[1].span.end_ticks);
        assert_int_equal(seen.clocks[1].domain, i == 0 ? 1 : 2);
        seen_free(&seen);
        gl_close(&bed);
    }
}

static void eight_frames_in_flight_are_polled_and_never_waited_for(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct fg_opengl_options options = { .flags = i == 0 ? 0 : FG_OPENGL_NO_TIMESTAMPS };
        struct fg_opengl_counts before, after;
        struct fg_session_status status;
        struct gl_bed bed;
        struct seen seen;
        fake_reset();
        fake.latency_ns = 125 * MS; /* and frames come every 16 ms */
        gl_open(&bed, &options, NULL);
        for (int f = 0; f < 400; f++) {
            gl_frame(&bed, 5, 2 * MS, 16 * MS);
        }
        fg_session_get_status(bed.session, &status);
        assert_in_range(status.frames_in_flight, 8, 9);
        fg_opengl_get_counts(bed.device, &before);
        uint64_t allocations = bed.allocations;
        for (int f = 0; f < 40; f++) {
            gl_frame(&bed, 5, 2 * MS, 16 * MS);
        }
        fg_opengl_get_counts(bed.device, &after);
        assert_int_equal(after.queries, before.queries);
        assert_int_equal(bed.allocations, allocations);
        gl_see(&bed, &seen);
        assert_int_equal(seen.frame_count, 440);
        for (size_t f = 0; f < 440; f++) {
            for (uint32_t p = 0; p < 5; p++) {
                assert_pass(&seen.frames[f], p, "pass", 2 * MS);
            }
        }
        seen_free(&seen);
        gl_close(&bed);
    }
}

static void a_driver_that_never_answers_is_not_waited_for_and_does_not_grow(void **state)
{
    struct fg_opengl_counts before, after;
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    fake_reset();
    gl_open(&bed, NULL, NULL);
    fake.never = true;
    for (int f = 0; f < 100; f++) {
        gl_frame(&bed, 2, 1 * MS, 16 * MS);
    }
    fg_opengl_get_counts(bed.device, &before);
    for (int f = 0; f < 100; f++) {
        gl_frame(&bed, 2, 1 * MS, 16 * MS);
    }
    fg_opengl_get_counts(bed.device, &after);
    assert_int_equal(after.queries, before.queries);
    assert_int_equal(fg_session_finish(bed.session, 50 * MS), FG_ERR_TIMEOUT);
    seen_session(&seen, bed.session);
    assert_int_equal(seen.frames[0].passes[0].span.status, FG_CAP_SPAN_MISSING);
    seen_free(&seen);
    gl_close(&bed);
}

static void a_counter_of_36_bits_wraps_and_times_go_on(void **state)
{
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    fake_reset();
    fake.timestamp_bits = 36;
    fake.clock_offset_ns = (INT64_C(1) << 36) - 2000000000; /* wraps about a second from now */
    gl_open(&bed, NULL, NULL);
    for (int f = 0; f < 200; f++) {
        gl_frame(&bed, 2, 3 * MS, 16 * MS);
    }
    gl_see(&bed, &seen);
    for (size_t f = 0; f < 200; f++) {
        assert_pass(&seen.frames[f], 0, "pass", 3 * MS);
        assert_int_equal(seen.frames[f].passes[1].span.begin_ticks,
                         seen.frames[f].passes[0].span.end_ticks);
        assert_true(f == 0 || seen.frames[f].passes[0].span.begin_ticks >
                                  seen.frames[f - 1].passes[1].span.end_ticks);
    }
    assert_int_equal(seen.clocks[1].domain, 1);
    seen_free(&seen);
    gl_close(&bed);
}

static void an_absolute_first_elapsed_time_is_impossible_and_costs_one_pass_only(void **state)
{
    struct fg_opengl_options options = elapsed();
    struct fg_opengl_counts counts;
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    fake_reset();
    fake.absolute_elapsed = true;
    gl_open(&bed, &options, NULL);
    gl_frame(&bed, 3, 2 * MS, 16 * MS);
    gl_frame(&bed, 3, 2 * MS, 16 * MS);
    fg_opengl_get_counts(bed.device, &counts);
    gl_see(&bed, &seen);
    fg_opengl_get_counts(bed.device, &counts);
    assert_int_equal(counts.passes_impossible, 1);
    assert_int_equal(seen.frames[0].passes[0].span.status, FG_CAP_SPAN_REFUSED);
    assert_pass(&seen.frames[0], 1, "pass", 2 * MS);
    assert_pass(&seen.frames[0], 2, "pass", 2 * MS);
    assert_pass(&seen.frames[1], 0, "pass", 2 * MS);
    /* The line that passes are laid on has not jumped. */
    assert_true(seen.frames[1].passes[0].span.begin_ticks < (uint64_t)fake.now_ns);
    seen_free(&seen);
    gl_close(&bed);
}

static void stamps_that_are_hours_apart_within_a_frame_are_refused(void **state)
{
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    fake_reset();
    gl_open(&bed, NULL, NULL);
    fake.wild_stamps = true;
    gl_frame(&bed, 2, 2 * MS, 16 * MS);
    fake.wild_stamps = false;
    gl_frame(&bed, 2, 2 * MS, 16 * MS);
    gl_see(&bed, &seen);
    assert_int_equal(seen.frames[0].passes[0].span.status, FG_CAP_SPAN_REFUSED);
    assert_int_equal(seen.frames[0].passes[1].span.status, FG_CAP_SPAN_REFUSED);
    assert_pass(&seen.frames[1], 0, "pass", 2 * MS);
    seen_free(&seen);
    gl_close(&bed);
}

static void a_stamp_of_zero_is_none(void **state)
{
    struct fg_opengl_counts counts;
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    fake_reset();
    gl_open(&bed, NULL, NULL);
    fake.zero_stamps = true;
    gl_frame(&bed, 2, 2 * MS, 16 * MS);
    fake.zero_stamps = false;
    gl_frame(&bed, 2, 2 * MS, 16 * MS);
    gl_see(&bed, &seen);
    fg_opengl_get_counts(bed.device, &counts);
    assert_int_equal(counts.passes_impossible, 2);
    assert_int_equal(seen.frames[0].passes[0].span.status, FG_CAP_SPAN_REFUSED);
    assert_int_equal(seen.frames[0].passes[1].span.status, FG_CAP_SPAN_REFUSED);
    assert_pass(&seen.frames[1], 0, "pass", 2 * MS);
    seen_free(&seen);
    gl_close(&bed);
}

static void an_elapsed_query_of_the_application_is_left_alone(void **state)
{
    struct fg_opengl_options options = elapsed();
    struct fg_opengl_counts counts;
    struct gl_bed bed;
    struct seen seen;
    unsigned query = 0;
    (void)state;
    fake_reset();
    const fg_opengl_function gen = fake_get_proc_address("glGenQueries");
    const fg_opengl_function begin = fake_get_proc_address("glBeginQuery");
    const fg_opengl_function end = fake_get_proc_address("glEndQuery");
    const fg_opengl_function drop = fake_get_proc_address("glDeleteQueries");
    gl_open(&bed, &options, NULL);
    ((void (*)(int, unsigned *))gen)(1, &query);
    gl_begin(&bed);
    gl_pass(&bed, "before", 1 * MS);
    ((void (*)(unsigned, unsigned))begin)(FGI_GL_TIME_ELAPSED, query);
    gl_pass(&bed, "within", 2 * MS);
    ((void (*)(unsigned))end)(FGI_GL_TIME_ELAPSED);
    gl_pass(&bed, "after", 3 * MS);
    gl_end(&bed);
    fake_advance(16 * MS);
    gl_see(&bed, &seen);
    fg_opengl_get_counts(bed.device, &counts);
    assert_int_equal(counts.passes_in_the_way, 1);
    assert_pass(&seen.frames[0], 0, "before", 1 * MS);
    assert_int_equal(seen.frames[0].passes[1].span.status, FG_CAP_SPAN_REFUSED);
    assert_pass(&seen.frames[0], 2, "after", 3 * MS);
    ((void (*)(int, const unsigned *))drop)(1, &query);
    seen_free(&seen);
    gl_close(&bed);
}

static void a_begin_without_an_end_leaks_no_query_and_disturbs_no_later_pass(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct fg_opengl_options options = { .flags = i == 0 ? 0 : FG_OPENGL_NO_TIMESTAMPS };
        struct fg_opengl_counts before, after;
        struct gl_bed bed;
        struct seen seen;
        fake_reset();
        gl_open(&bed, &options, NULL);
        for (int f = 0; f < 12; f++) {
            gl_begin(&bed);
            gl_pass(&bed, "good", 2 * MS);
            gl_pass_begin(&bed, NULL, true);
            fake_work(1 * MS);
            /* Every second frame even the end of the command buffer is forgotten. */
            if (f % 2 == 0) {
                fg_commands_end(bed.commands);
            }
            fg_frame_end(bed.frame);
            fake_advance(16 * MS);
            if (f == 5) {
                fg_opengl_get_counts(bed.device, &before);
            }
        }
        fg_opengl_get_counts(bed.device, &after);
        assert_int_equal(after.queries, before.queries);
        gl_see(&bed, &seen);
        for (size_t f = 0; f < 12; f++) {
            assert_pass(&seen.frames[f], 0, "good", 2 * MS);
            assert_true(seen.frames[f].drops[FG_CAP_DROP_UNBALANCED] != 0);
        }
        seen_free(&seen);
        gl_close(&bed);
    }
}

/* The queries of a timer are free again, and one of them still runs. */
static void a_timer_that_comes_back_while_its_query_runs_starts_afresh(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct fg_opengl_options options = { .flags = i == 0 ? 0 : FG_OPENGL_NO_TIMESTAMPS };
        struct gl_bed bed;
        struct seen seen;
        fake_reset();
        gl_open(&bed, &options, NULL);
        for (int f = 0; f < 60; f++) {
            gl_begin(&bed);
            if (f % 6 == 0) {
                gl_pass_begin(&bed, NULL, true);
                fake_work(1 * MS);
                if (f % 12 == 0) {
                    fg_gpu_pass_end(bed.commands);
                }
            }
            fg_frame_end(bed.frame); /* and none of the command buffers ends */
            fake_advance(16 * MS);
        }
        gl_see(&bed, &seen);
        for (size_t f = 0; f < 60; f += 12) {
            assert_int_equal(seen.frames[f].passes[0].span.status, FG_CAP_SPAN_OK);
            assert_int_equal(seen_duration(&seen.frames[f].passes[0]), 1 * MS);
            assert_int_equal(seen.frames[f].passes[0].statistics[0], 1 * MS / 10);
        }
        seen_free(&seen);
        gl_close(&bed);
    }
}

static void the_clock_is_read_at_intervals_with_its_bound_and_its_drift_shows(void **state)
{
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    fake_reset();
    fake.drift_ppm = 40;
    fake.read_ns = 900;
    gl_open(&bed, NULL, NULL);
    uint64_t reads = fake.clock_reads;
    for (int f = 0; f < 250; f++) {
        gl_frame(&bed, 1, 1 * MS, 16 * MS);
    }
    reads = fake.clock_reads - reads;
    assert_in_range(reads, 12, 40); /* four times a second, not once a frame */
    gl_see(&bed, &seen);
    const struct seen_clock *clock = &seen.clocks[1];
    assert_int_equal(clock->domain, 1);
    assert_in_range(clock->reading_count, 16, 20);
    const struct fg_cap_reading *first = &clock->readings[0];
    const struct fg_cap_reading *last = &clock->readings[clock->reading_count - 1];
    assert_int_equal(first->deviation_ns, 450);
    int64_t host_ns = (int64_t)(last->host_ticks - first->host_ticks);
    int64_t drift_ns = (int64_t)(last->ticks - first->ticks) - host_ns;
    assert_in_range(drift_ns, host_ns / 1000000 * 40 - 1000, host_ns / 1000000 * 40 + 1000);
    seen_free(&seen);
    gl_close(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_are_as_long_as_their_work_with_stamps_and_with_elapsed_queries),
        cmocka_unit_test(eight_frames_in_flight_are_polled_and_never_waited_for),
        cmocka_unit_test(a_driver_that_never_answers_is_not_waited_for_and_does_not_grow),
        cmocka_unit_test(a_counter_of_36_bits_wraps_and_times_go_on),
        cmocka_unit_test(an_absolute_first_elapsed_time_is_impossible_and_costs_one_pass_only),
        cmocka_unit_test(stamps_that_are_hours_apart_within_a_frame_are_refused),
        cmocka_unit_test(a_stamp_of_zero_is_none),
        cmocka_unit_test(an_elapsed_query_of_the_application_is_left_alone),
        cmocka_unit_test(a_begin_without_an_end_leaks_no_query_and_disturbs_no_later_pass),
        cmocka_unit_test(a_timer_that_comes_back_while_its_query_runs_starts_afresh),
        cmocka_unit_test(the_clock_is_read_at_intervals_with_its_bound_and_its_drift_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
