/* SPDX-License-Identifier: MIT */
/* Stamps that are earlier than what was known before their commands: refused, and no others. */
#include "opengl_fake_bed.h"
#include "gl_order_verdict.h"
#include "../support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 90, PASSES = 2 };

/* What the GPU did, whatever its queries say. */
struct truth {
    uint64_t begin_ticks;
    int64_t begin_ns;
    int64_t end_ns;
    bool lost; /* in flight while the context moved */
};
static struct truth truths[FRAMES][PASSES];

static void true_frame(struct gl_bed *bed, int frame)
{
    gl_begin(bed);
    for (int p = 0; p < PASSES; p++) {
        struct truth *truth = &truths[frame][p];
        truth->begin_ns = fake.gpu_ns > fake.now_ns ? fake.gpu_ns : fake.now_ns;
        truth->begin_ticks = fake_ticks_at(truth->begin_ns);
        gl_pass(bed, "pass", 3 * MS);
        truth->end_ns = fake.gpu_ns;
        truth->lost = false;
    }
    gl_end(bed);
    fake_advance(16 * MS);
}

/* To another thread, as far as the driver knows. */
static void move(struct gl_bed *bed, int frames)
{
    for (int f = 0; f < frames; f++) {
        for (int p = 0; p < PASSES; p++) {
            truths[f][p].lost |= truths[f][p].end_ns + fake.latency_ns > fake.now_ns;
        }
    }
    fake_move();
    fg_opengl_adopt(bed->device);
}

/** @return how many were refused */
static uint32_t assert_believed(const struct seen *seen, int first, int end)
{
    uint32_t refused = 0;
    for (int f = first; f < end; f++) {
        for (int p = 0; p < PASSES; p++) {
            const struct seen_pass *pass = &seen->frames[f].passes[p];
            if (pass->span.status == FG_CAP_SPAN_REFUSED) {
                refused++;
                continue;
            }
            assert_int_equal(pass->span.status, FG_CAP_SPAN_OK);
            assert_int_equal(seen_duration(pass), 3 * MS);
            assert_int_equal(pass->span.begin_ticks, truths[f][p].begin_ticks);
        }
    }
    return refused;
}

static uint32_t impossible(const struct gl_bed *bed)
{
    struct fg_opengl_counts counts;
    fg_opengl_get_counts(bed->device, &counts);
    return counts.passes_impossible;
}

static void assert_moves(enum fake_loss loss, uint32_t flags, int bits)
{
    const struct fg_opengl_options options = { .flags = flags };
    uint32_t lost = 0;
    struct gl_bed bed;
    struct seen seen;
    fake_reset();
    fake.timestamp_bits = bits;
    fake.latency_ns = 40 * MS;
    gl_open(&bed, &options, NULL);
    for (int f = 0; f < FRAMES; f++) {
        true_frame(&bed, f);
        fake.moves = loss;
        /* Not among the first: what there is to hold against them comes from frames. */
        if (f % 7 == 6 && f > 10) {
            move(&bed, f + 1);
        }
    }
    gl_see(&bed, &seen);
    for (int f = 0; f < FRAMES; f++) {
        for (int p = 0; p < PASSES; p++) {
            const bool refused = seen.frames[f].passes[p].span.status == FG_CAP_SPAN_REFUSED;
            if (refused != truths[f][p].lost) {
                fail_msg("loss %d, frame %d, pass %d: %s", (int)loss, f, p,
                         refused ? "refused" : "believed");
            }
            lost += truths[f][p].lost;
        }
    }
    assert_in_range(lost, loss == FAKE_KEEPS ? 0 : 30, loss == FAKE_KEEPS ? 0 : FRAMES);
    assert_int_equal(assert_believed(&seen, 0, FRAMES), lost);
    assert_int_equal(impossible(&bed), lost);
    seen_free(&seen);
    gl_close(&bed);
}

static void stamps_that_a_move_loses_are_refused_and_counted_and_no_others(void **state)
{
    (void)state;
    assert_moves(FAKE_ZEROS, 0, 64);
    assert_moves(FAKE_OLD_VALUES, 0, 64);
    assert_moves(FAKE_OLD_VALUES, FG_OPENGL_NO_CALIBRATION, 64);
    assert_moves(FAKE_OLD_VALUES, 0, 36);
}

/* A driver that loses nothing is the same, in every mode. */
static void a_move_that_loses_nothing_costs_nothing(void **state)
{
    (void)state;
    memset(truths, 0, sizeof truths);
    for (int i = 0; i < 2; i++) {
        const struct fg_opengl_options options = { .flags = i == 0 ? 0 : FG_OPENGL_NO_TIMESTAMPS };
        struct gl_bed bed;
        struct seen seen;
        fake_reset();
        fake.latency_ns = 40 * MS;
        gl_open(&bed, &options, NULL);
        for (int f = 0; f < FRAMES; f++) {
            true_frame(&bed, f);
            if (f % 3 == 0) {
                move(&bed, f + 1);
            }
        }
        gl_see(&bed, &seen);
        for (int f = 0; f < FRAMES; f++) {
            assert_int_equal(seen.frames[f].passes[1].span.status, FG_CAP_SPAN_OK);
            assert_int_equal(seen_duration(&seen.frames[f].passes[1]), 3 * MS);
        }
        assert_int_equal(impossible(&bed), 0);
        seen_free(&seen);
        gl_close(&bed);
    }
}

/* Between long pauses, in which a narrow counter comes around more than once, and half around. */
static void a_counter_that_came_around_in_a_pause_is_believed(void **state)
{
    (void)state;
    static const int64_t pauses_ms[] = { 1200, 2500, 3300, 4200, 9000 };
    for (size_t i = 0; i < sizeof pauses_ms / sizeof *pauses_ms; i++) {
        for (uint32_t flags = 0; flags <= FG_OPENGL_NO_CALIBRATION;
             flags += FG_OPENGL_NO_CALIBRATION) {
            const struct fg_opengl_options options = { .flags = flags };
            struct gl_bed bed;
            struct seen seen;
            fake_reset();
            fake.timestamp_bits = 32;
            fake.latency_ns = 20 * MS;
            gl_open(&bed, &options, NULL);
            for (int f = 0; f < 40; f++) {
                true_frame(&bed, f);
                fake_advance(f % 10 == 9 ? pauses_ms[i] * MS : 0);
            }
            gl_see(&bed, &seen);
            for (int f = 0; f < 40; f++) {
                assert_int_equal(seen.frames[f].passes[0].span.status, FG_CAP_SPAN_OK);
                assert_int_equal(seen_duration(&seen.frames[f].passes[0]), 3 * MS);
            }
            assert_int_equal(impossible(&bed), 0);
            seen_free(&seen);
            gl_close(&bed);
        }
    }
}

/* After the machine slept, say. */
static void a_clock_that_was_set_back_is_believed_again(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct fg_opengl_options options = { .flags = i == 0 ? 0 : FG_OPENGL_NO_CALIBRATION };
        struct gl_bed bed;
        struct seen seen;
        fake_reset();
        fake.clock_offset_ns = INT64_C(1000) * SECOND_NS;
        fake.latency_ns = 40 * MS;
        gl_open(&bed, &options, NULL);
        for (int f = 0; f < FRAMES; f++) {
            fake.clock_offset_ns -= f == 20 ? INT64_C(999) * SECOND_NS : 0;
            true_frame(&bed, f);
        }
        gl_see(&bed, &seen);
        assert_int_equal(assert_believed(&seen, 0, 20), 0);
        /* A frame, and then a reading is taken at once; without any, eight of them. */
        assert_in_range(assert_believed(&seen, 20, 40), 1, i == 0 ? 8 : 16);
        assert_int_equal(assert_believed(&seen, 40, FRAMES), 0);
        seen_free(&seen);
        gl_close(&bed);
    }
}

/* Then the readings are wrong, which the recorder tells: the stamps are not. */
static void a_reading_that_is_ahead_of_the_stamps_refuses_few_or_none(void **state)
{
    (void)state;
    static const struct {
        int64_t ahead_ns;
        uint32_t refused_max;
    } cases[] = { { 3 * MS, 0 }, { 12 * MS, 8 * PASSES }, { SECOND_NS, 16 * PASSES } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gl_bed bed;
        struct seen seen;
        fake_reset();
        fake.reads_ahead_ns = cases[i].ahead_ns;
        gl_open(&bed, NULL, NULL);
        for (int r = 0; r < 5; r++) {
            for (int f = 0; f < FRAMES; f++) {
                true_frame(&bed, f);
            }
        }
        gl_see(&bed, &seen);
        uint32_t refused = 0;
        for (size_t f = 0; f < seen.frame_count; f++) {
            refused += seen.frames[f].passes[0].span.status == FG_CAP_SPAN_REFUSED;
            refused += seen.frames[f].passes[1].span.status == FG_CAP_SPAN_REFUSED;
        }
        assert_in_range(refused, 0, cases[i].refused_max);
        for (size_t f = seen.frame_count - 100; f < seen.frame_count; f++) {
            assert_int_equal(seen.frames[f].passes[1].span.status, FG_CAP_SPAN_OK);
        }
        seen_free(&seen);
        gl_close(&bed);
    }
}

/* One stamp that is hours late is not what others are held against. */
static void a_stamp_from_the_future_refuses_no_other(void **state)
{
    struct gl_bed bed;
    struct seen seen;
    (void)state;
    fake_reset();
    gl_open(&bed, NULL, NULL);
    for (int f = 0; f < 40; f++) {
        fake.wild_stamps = f % 10 == 5;
        true_frame(&bed, f);
    }
    gl_see(&bed, &seen);
    for (int f = 0; f < 40; f++) {
        for (int p = 0; p < PASSES; p++) {
            assert_int_equal(seen.frames[f].passes[p].span.status,
                             f % 10 == 5 ? FG_CAP_SPAN_REFUSED : FG_CAP_SPAN_OK);
        }
    }
    assert_int_equal(impossible(&bed), 0);
    seen_free(&seen);
    gl_close(&bed);
}

/* Each has its own clock, hours apart. */
static void two_devices_are_not_held_against_each_other(void **state)
{
    struct gl_bed beds[2];
    struct seen seen;
    (void)state;
    fake_reset();
    for (int i = 0; i < 2; i++) {
        fake.clock_offset_ns = INT64_C(3600) * (2 - i) * SECOND_NS;
        gl_open(&beds[i], NULL, NULL);
    }
    for (int f = 0; f < FRAMES; f++) {
        fake.clock_offset_ns = INT64_C(3600) * (2 - f % 2) * SECOND_NS;
        true_frame(&beds[f % 2], f);
    }
    for (int i = 0; i < 2; i++) {
        fake.clock_offset_ns = INT64_C(3600) * (2 - i) * SECOND_NS;
        gl_see(&beds[i], &seen);
        for (int f = 0; f < FRAMES / 2; f++) {
            assert_int_equal(seen.frames[f].passes[0].span.status, FG_CAP_SPAN_OK);
        }
        assert_int_equal(impossible(&beds[i]), 0);
        seen_free(&seen);
    }
    for (int i = 0; i < 2; i++) {
        fg_device_destroy(beds[i].device);
        fg_session_destroy(beds[i].session);
        assert_int_equal(beds[i].bytes, 0);
    }
    assert_int_equal(fake.queries_alive, 0);
}

static void a_driver_is_bad_for_steps_back_without_a_move_only(void **state)
{
    (void)state;
    static const struct {
        struct gl_order_figures figures;
        enum gl_order_verdict verdict;
    } cases[] = {
        { { .moves = false }, GL_ORDER_GOOD },
        { { .moves = true }, GL_ORDER_GOOD },
        { { .moves = true, .back = 6, .zeros = 85 }, GL_ORDER_LOSES_BY_MOVES },
        { { .moves = true, .back = 1 }, GL_ORDER_LOSES_BY_MOVES },
        { { .moves = true, .zeros = 1 }, GL_ORDER_LOSES_BY_MOVES },
        { { .moves = true, .zeros = 1, .missing = 1 }, GL_ORDER_BAD },
        { { .moves = true, .missing = 1 }, GL_ORDER_BAD },
        { { .back = 1 }, GL_ORDER_BAD },
        { { .zeros = 1 }, GL_ORDER_BAD },
        { { .missing = 1 }, GL_ORDER_BAD },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(gl_order_judge(&cases[i].figures), cases[i].verdict);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamps_that_a_move_loses_are_refused_and_counted_and_no_others),
        cmocka_unit_test(a_move_that_loses_nothing_costs_nothing),
        cmocka_unit_test(a_counter_that_came_around_in_a_pause_is_believed),
        cmocka_unit_test(a_clock_that_was_set_back_is_believed_again),
        cmocka_unit_test(a_reading_that_is_ahead_of_the_stamps_refuses_few_or_none),
        cmocka_unit_test(a_stamp_from_the_future_refuses_no_other),
        cmocka_unit_test(two_devices_are_not_held_against_each_other),
        cmocka_unit_test(a_driver_is_bad_for_steps_back_without_a_move_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
