/* SPDX-License-Identifier: MIT */
/* Equal work measures equal, on every driver that we run on. */
#include "cmocka_all.h"
#include "equal_work.h"
#include <inttypes.h>
#include <stdio.h>

enum { PASS_NS = 4000000 };

static struct bed bed;
static uint32_t loops;

static int open_bed(void **state)
{
    (void)state;
    if (!bed_create(&bed, BED_WITHOUT_VALIDATION)) {
        return -1;
    }
    loops = bed_loops_for(&bed, PASS_NS);
    return 0;
}

static int close_bed(void **state)
{
    (void)state;
    bed_destroy(&bed);
    return 0;
}

static void print(const char *what, const struct equal_work *work)
{
    printf("%s:", what);
    for (int pass = 0; pass < EQUAL_PASSES; pass++) {
        printf(" %" PRId64, work->median_ns[pass] / 1000);
    }
    printf(" us, worst %d %%\n", work->worst_percent);
}

static int worst_percent(enum fg_vulkan_stamps stamps, bool alternating, const char *what)
{
    struct fg_device *device = equal_device(&bed, stamps, 0);
    struct equal_work work = equal_work_best(&bed, device, loops, alternating);
    fg_device_destroy(device);
    print(what, &work);
    return work.worst_percent;
}

static void ten_equal_passes_on_one_target_measure_equal(void **state)
{
    (void)state;
    assert_in_range(worst_percent(FG_VULKAN_STAMPS_AUTO, false, "one target"), 0,
                    EQUAL_TOLERANCE_PERCENT);
}

static void ten_equal_passes_on_alternating_targets_measure_equal(void **state)
{
    (void)state;
    assert_in_range(worst_percent(FG_VULKAN_STAMPS_AUTO, true, "two targets"), 0,
                    EQUAL_TOLERANCE_PERCENT);
}

/** So that the test above is known to see what it is there for. */
static void lone_stamps_fail_exactly_on_the_drivers_that_get_pairs(void **state)
{
    (void)state;
    struct fg_device *device = equal_device(&bed, FG_VULKAN_STAMPS_AUTO, 0);
    bool paired = fg_vulkan_get_stamps(device) == FG_VULKAN_STAMPS_PAIRED;
    fg_device_destroy(device);
    int worst = worst_percent(FG_VULKAN_STAMPS_LONE, false, "lone stamps");
    assert_int_equal(worst > EQUAL_TOLERANCE_PERCENT, paired);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_equal_passes_on_one_target_measure_equal),
        cmocka_unit_test(ten_equal_passes_on_alternating_targets_measure_equal),
        cmocka_unit_test(lone_stamps_fail_exactly_on_the_drivers_that_get_pairs),
    };
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}
