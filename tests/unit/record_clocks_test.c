/* SPDX-License-Identifier: MIT */
/* When a device clock may be called calibrated, and when not any more. */
#include "record_bed.h"
#include "../support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

static void readings_go_on_through_the_recording(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .drift_ppm = 40, .start_ticks = 1000000000000 };
    (void)state;
    bed_open(&bed, &options, NULL);
    for (int i = 0; i < 300; i++) { /* five seconds */
        bed_frame(&bed, 1, 100000, 16666667);
    }
    seen_bed(&seen, &bed);
    const struct seen_clock *clock = &seen.clocks[1];
    assert_int_equal(seen.clocks[0].domain, FG_CAP_DOMAIN_HOST);
    assert_int_equal(clock->domain, FG_CAP_DOMAIN_CALIBRATED);
    assert_in_range(clock->reading_count, 18, 21); /* every quarter of a second */
    for (size_t i = 0; i < clock->reading_count; i++) {
        assert_true(clock->readings[i].ticks ==
                    fg_software_ticks_at(bed.device, (int64_t)clock->readings[i].host_ticks));
        assert_int_equal(clock->readings[i].deviation_ns, 100);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void the_shortest_recording_has_a_reading_at_each_end(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_frame(&bed, 1, 100000, 1000000); /* far less than the time between calibrations */
    seen_bed(&seen, &bed);
    const struct seen_clock *clock = &seen.clocks[1];
    assert_int_equal(clock->domain, FG_CAP_DOMAIN_CALIBRATED);
    assert_int_equal(clock->reading_count, 2);
    assert_true(clock->readings[0].host_ticks < clock->readings[1].host_ticks);
    seen_free(&seen);
    bed_close(&bed);
}

static void noisy_readings_are_tried_again_and_outliers_rejected(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .flags = FG_SOFTWARE_NOISY_CALIBRATION };
    (void)state;
    bed_open(&bed, &options, NULL);
    for (int i = 0; i < 200; i++) {
        bed_frame(&bed, 1, 100000, 16666667);
    }
    seen_bed(&seen, &bed);
    assert_true(seen.clocks[1].reading_count >= 10);
    for (size_t i = 0; i < seen.clocks[1].reading_count; i++) {
        assert_int_equal(seen.clocks[1].readings[i].deviation_ns, 100);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void a_clock_that_disagrees_with_the_submits_becomes_nominal(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .flags = FG_SOFTWARE_LYING_CLOCK };
    (void)state;
    bed_open(&bed, &options, NULL);
    for (int i = 0; i < 40; i++) {
        bed_frame(&bed, 1, 100000, 16666667);
    }
    seen_bed(&seen, &bed);
    assert_int_equal(seen.clocks[1].domain, FG_CAP_DOMAIN_NOMINAL);
    assert_string_equal(seen.clocks[1].reason,
                        "calibrated readings disagree with the application's own submits");
    assert_int_equal(seen_duration(&seen.frames[39].passes[0]), 100000); /* times go on */
    seen_free(&seen);
    bed_close(&bed);
}

static void without_readings_a_clock_is_nominal_with_the_reason(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .flags = FG_SOFTWARE_NO_CALIBRATION };
    (void)state;
    bed_open(&bed, &options, NULL);
    bed_frame(&bed, 1, 1000, 1000);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.clocks[1].domain, FG_CAP_DOMAIN_NOMINAL);
    assert_int_equal(seen.clocks[1].reading_count, 0);
    assert_true(strlen(seen.clocks[1].reason) > 0);
    seen_free(&seen);
    bed_close(&bed);
    bed_open(&bed, NULL, &(struct fg_session_options){ .flags = FG_SESSION_NO_CALIBRATION });
    bed_frame(&bed, 1, 1000, 1000);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.clocks[1].domain, FG_CAP_DOMAIN_NOMINAL);
    assert_string_equal(seen.clocks[1].reason, "the session was asked not to calibrate");
    seen_free(&seen);
    bed_close(&bed);
}

static void queues_of_other_families_have_clocks_of_their_own(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, &(struct fg_software_options){ .queue_count = 3 }, NULL);
    bed_begin(&bed, 3);
    for (uint32_t i = 0; i < 3; i++) {
        bed_pass(&bed, i, "pass", 100);
    }
    bed_end(&bed);
    seen_bed(&seen, &bed);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(seen.frames[0].passes[i].clock, i + 1);
        assert_int_equal(seen.clocks[i + 1].domain, FG_CAP_DOMAIN_CALIBRATED);
        assert_true(seen.clocks[i + 1].reading_count >= 1);
    }
    seen_free(&seen);
    bed_close(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_go_on_through_the_recording),
        cmocka_unit_test(the_shortest_recording_has_a_reading_at_each_end),
        cmocka_unit_test(noisy_readings_are_tried_again_and_outliers_rejected),
        cmocka_unit_test(a_clock_that_disagrees_with_the_submits_becomes_nominal),
        cmocka_unit_test(without_readings_a_clock_is_nominal_with_the_reason),
        cmocka_unit_test(queues_of_other_families_have_clocks_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
