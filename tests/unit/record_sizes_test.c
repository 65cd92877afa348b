/* SPDX-License-Identifier: MIT */
/* What a recording costs in bytes at each level, on the generated session that bench/ measures. */
#include "../support/cmocka_all.h"

#include "../../bench/record/generated_session.h"

enum { FRAMES = 24 };

static uint64_t bytes_of(enum fg_level level, uint32_t frames)
{
    struct generated_result result;
    assert_true(generated_record(
        &(struct generated_options){ .frame_count = frames, .level = level }, NULL, NULL, &result));
    assert_int_equal(result.frames, frames);
    return result.bytes;
}

/*
 * Two recordings that differ in frames only: what is written once (names, both topologies, the
 * work that repeats) falls out, and the price of a frame of 200 passes is left.
 */
static void assert_frame_costs(enum fg_level level, uint64_t least, uint64_t most)
{
    uint64_t bytes = (bytes_of(level, 2 * FRAMES) - bytes_of(level, FRAMES)) / FRAMES;
    if (bytes < least || bytes > most) {
        fail_msg("level %d: %llu bytes a frame, not %llu to %llu", (int)level,
                 (unsigned long long)bytes, (unsigned long long)least, (unsigned long long)most);
    }
}

static void timing_costs_two_kilobytes_a_frame(void **state)
{
    (void)state;
    assert_frame_costs(FG_LEVEL_TIMING, 400, 2048);
}

static void structure_costs_no_more_than_timing_once_it_is_told(void **state)
{
    (void)state;
    assert_frame_costs(FG_LEVEL_STRUCTURE, 400, 2048);
}

static void workload_costs_two_and_a_half_kilobytes_a_frame(void **state)
{
    (void)state;
    assert_frame_costs(FG_LEVEL_WORKLOAD, 400, 2560);
}

static void verbose_costs_five_kilobytes_a_frame(void **state)
{
    (void)state;
    assert_frame_costs(FG_LEVEL_VERBOSE, 400, 5120);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timing_costs_two_kilobytes_a_frame),
        cmocka_unit_test(structure_costs_no_more_than_timing_once_it_is_told),
        cmocka_unit_test(workload_costs_two_and_a_half_kilobytes_a_frame),
        cmocka_unit_test(verbose_costs_five_kilobytes_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
