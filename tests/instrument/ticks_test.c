/* SPDX-License-Identifier: MIT */
/* The clock of zones: the processor's counter and CLOCK_MONOTONIC, each with the same promises. */
#include "base/clock.h"
#include "base/thread.h"
#include "suite_guard.h"
#include "record/instrument/instrument_priv.h"

enum { LOOKS = 20000, TOLERANCE_NS = 200000 };

static void choose(enum fg_instrument_clock clock)
{
    fgt_needs_own_process();
    const struct fg_instrument_options options = { .clock = clock };
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
}

/* Ticks between two looks at CLOCK_MONOTONIC are a time between them, but for what is not known. */
static void check_agreement(void)
{
    const int64_t before_ns = fgi_clock_monotonic_ns();
    const uint64_t ticks = fgi_ticks_now();
    const int64_t after_ns = fgi_clock_monotonic_ns();
    const int64_t time_ns = fgi_ticks_monotonic_ns(ticks);
    assert_true(time_ns >= before_ns - TOLERANCE_NS);
    assert_true(time_ns <= after_ns + TOLERANCE_NS);
}

static void check_promises(void)
{
    int64_t last_ns = 0;
    const uint64_t early = fgi_ticks_now();
    const int64_t early_ns = fgi_ticks_monotonic_ns(early);
    for (int i = 0; i < LOOKS; i++) {
        const int64_t now_ns = fgi_ticks_monotonic_ns(fgi_ticks_now());
        assert_true(now_ns >= last_ns);
        last_ns = now_ns;
        if (i % 1000 == 0) {
            /* Readings as dense as they come, and as far apart as a frame or two. */
            (void)fgi_ticks_calibrate();
            fgi_sleep_ns(i % 2000 == 0 ? 11000000 : 100000);
            check_agreement();
        }
    }
    /* What was said stays. */
    assert_int_equal(fgi_ticks_monotonic_ns(early), early_ns);
    assert_true(fgi_ticks_clock().reading_count >= LOOKS / 1000);
}

static void the_counter_agrees_with_the_monotonic_clock(void **state)
{
    (void)state;
    choose(FG_INSTRUMENT_CLOCK_BEST);
    check_promises();
    const struct fgi_ticks_clock clock = fgi_ticks_clock();
    assert_int_equal(clock.is_counter, fgi_ticks_are_counted());
    if (!clock.is_counter) {
        skip(); /* this processor has none that is invariant */
    }
    assert_in_range(clock.period_num, 1, UINT32_MAX);
    assert_in_range(clock.period_den, 1, UINT32_MAX);
    /* From 10 MHz to 10 GHz. */
    assert_true(clock.period_num <= clock.period_den * 100);
    assert_true(clock.period_den <= clock.period_num * 10);
}

static void the_fallback_is_the_monotonic_clock(void **state)
{
    (void)state;
    choose(FG_INSTRUMENT_CLOCK_MONOTONIC);
    check_promises();
    const struct fgi_ticks_clock clock = fgi_ticks_clock();
    assert_false(clock.is_counter);
    assert_int_equal(clock.period_num, 1);
    assert_int_equal(clock.period_den, 1);
    assert_int_equal(fgi_ticks_monotonic_ns(12345), 12345);
    const struct fgi_ticks_reading reading = fgi_ticks_calibrate();
    assert_int_equal(reading.ticks, reading.monotonic_ns);
    assert_int_equal(reading.deviation_ns, 0);
}

static void readings_are_close(void **state)
{
    (void)state;
    (void)fgi_instrument_ready();
    int64_t best_ns = INT64_MAX;
    for (int i = 0; i < 10; i++) {
        const int64_t before_ns = fgi_clock_monotonic_ns();
        const struct fgi_ticks_reading reading = fgi_ticks_calibrate();
        assert_in_range(reading.monotonic_ns, before_ns, fgi_clock_monotonic_ns());
        assert_true(reading.deviation_ns >= 0);
        best_ns = reading.deviation_ns < best_ns ? reading.deviation_ns : best_ns;
    }
    assert_in_range(best_ns, 0, 20000);
}

#if FG_LEVEL >= 2
static void zones_lie_right_on_either_clock(enum fg_instrument_clock clock)
{
    struct fg_process_event event;
    struct fg_process_event_page page;
    choose(clock);
    const int64_t before_ns = fgi_clock_monotonic_ns();
    {
        FG_ZONE("ticks/zone");
        fgi_sleep_ns(2000000);
    }
    const int64_t after_ns = fgi_clock_monotonic_ns();
    fg_instrument_read_events(0, &event, 1, &page);
    assert_int_equal(page.event_count, 1);
    assert_true((int64_t)event.time_ns >= before_ns - TOLERANCE_NS);
    assert_true((int64_t)(event.time_ns + event.duration_ns) <= after_ns + TOLERANCE_NS);
    assert_true(event.duration_ns >= 2000000 - TOLERANCE_NS);
}

static void a_zone_lies_right_by_the_counter(void **state)
{
    (void)state;
    zones_lie_right_on_either_clock(FG_INSTRUMENT_CLOCK_BEST);
}

static void a_zone_lies_right_by_the_monotonic_clock(void **state)
{
    (void)state;
    zones_lie_right_on_either_clock(FG_INSTRUMENT_CLOCK_MONOTONIC);
    /* The quick paths are for the counter alone. */
    assert_true(fg_thread_context->zone_state != fg_instrument_state);
}
#endif

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_counter_agrees_with_the_monotonic_clock),
    cmocka_unit_test(the_fallback_is_the_monotonic_clock),
    cmocka_unit_test(readings_are_close),
#if FG_LEVEL >= 2
    cmocka_unit_test(a_zone_lies_right_by_the_counter),
    cmocka_unit_test(a_zone_lies_right_by_the_monotonic_clock),
#endif
};
FGT_INSTRUMENT_SUITE(ticks, tests)
