/* SPDX-License-Identifier: MIT */
/* The demo without a GPU, in this process, so that sanitizers see all of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <software_demo.h>

static const char capture_path[] = "software_demo_test.sgpt";

static void every_level_and_size_is_recorded_whole(void **state)
{
    static const enum rd_level levels[] = { RD_LEVEL_TIMING, RD_LEVEL_STRUCTURE, RD_LEVEL_WORKLOAD,
                                            RD_LEVEL_VERBOSE };
    uint64_t bytes = 0;
    (void)state;
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        const struct rd_options options = { .frame_count = 9,
                                            .width_px = i % 2 == 0 ? 16 : 8192,
                                            .height_px = i % 2 == 0 ? 8192 : 16,
                                            .capture_path = capture_path,
                                            .level = levels[i] };
        struct rd_summary summary;
        assert_true(sd_run(&options, &summary));
        assert_string_equal(summary.error, "");
        assert_int_equal(summary.capture_frame_count, 9);
        assert_int_equal(summary.topology_count, 3);
        assert_int_equal(summary.culled_pass_count, 2);
        assert_true(summary.transient_bytes < summary.transient_unshared_bytes);
        assert_true(summary.capture_bytes > bytes);
        bytes = summary.capture_bytes;
    }
    (void)remove(capture_path);
}

static void the_script_is_that_of_the_renderer(void **state)
{
    (void)state;
    const struct rd_options options = { .capture_path = capture_path };
    struct rd_summary summary;
    assert_true(sd_run(&options, &summary));
    assert_int_equal(summary.frame_count, 120);
    assert_int_equal(summary.topology_count, 6);
    (void)remove(capture_path);
}

static void a_capture_that_cannot_be_written_is_refused_with_a_reason(void **state)
{
    (void)state;
    const struct rd_options options = { .capture_path = "/nowhere/at/all.sgpt" };
    struct rd_summary summary;
    assert_false(sd_run(&options, &summary));
    assert_non_null(strstr(summary.error, "cannot record into /nowhere/at/all.sgpt: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_and_size_is_recorded_whole),
        cmocka_unit_test(the_script_is_that_of_the_renderer),
        cmocka_unit_test(a_capture_that_cannot_be_written_is_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
