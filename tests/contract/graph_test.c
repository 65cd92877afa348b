/* SPDX-License-Identifier: MIT */
/*
 * Questions about dependencies, on random traces, are answered by every engine as by brute force.
 */
#include "contract_seeds.h"
#include "graph_bed.h"
#include "graph_limits.h"
#include "support/cmocka_all.h"
#include <stdio.h>

static struct bed bed;
static uint64_t seed_at_work;

static void run(void (*check)(struct bed *bed), uint64_t first, int rounds)
{
    const struct contract_seeds seeds = contract_seeds(first, TRACES);
    for (uint64_t i = 0; i < seeds.count; i++) {
        seed_at_work = seeds.first + i;
        for (size_t e = 0; e < contract_engine_count; e++) {
            if (!contract_is_held(&contract_engines[e], i)) {
                continue;
            }
            bed_open(&bed, &contract_engines[e], seed_at_work);
            for (int round = 0; round < (bed.rows > 100 ? 2 : rounds); round++) {
                bed_take_filter(&bed);
                check(&bed);
                fg_query_reset(bed.query);
            }
            bed_drop_filter(&bed);
            bed_close(&bed);
        }
    }
}

static void focus_reaches_what_brute_force_reaches(void **state)
{
    (void)state;
    run(bed_check_focus, 1, 4);
}

static void slices_hold_what_led_to_a_row_and_what_followed(void **state)
{
    (void)state;
    run(bed_check_slice, 10001, 4);
}

static void rows_are_projected_to_their_nearest_visible_ancestor(void **state)
{
    (void)state;
    run(bed_check_project, 20001, 4);
}

static void lines_of_a_layout_follow_from_what_is_folded(void **state)
{
    (void)state;
    run(bed_check_layout, 30001, 2);
}

static void paths_slack_and_waits_are_those_of_brute_force(void **state)
{
    (void)state;
    run(bed_check_path, 40001, 4);
}

static void dependencies_in_view_are_those_of_brute_force(void **state)
{
    (void)state;
    run(bed_check_links, 50001, 4);
}

static void dependencies_that_stay_in_view_stay_shown(void **state)
{
    (void)state;
    run(bed_check_links_stay, 60001, 4);
}

static void dependencies_of_frame_graphs_follow_the_recorded_ones(void **state)
{
    (void)state;
    run(bed_check_numbers, 70001, 1);
}

static void work_in_steps_ends_as_the_same_work_at_once(void **state)
{
    (void)state;
    run(bed_check_steps, 80001, 2);
}

static int name_the_seed(void **state)
{
    (void)state;
    if (bed.trace) { /* still open: a check has failed */
        fprintf(stderr, "seed %llu (FG_SEED runs it alone)\n", (unsigned long long)seed_at_work);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(focus_reaches_what_brute_force_reaches, name_the_seed),
        cmocka_unit_test_teardown(slices_hold_what_led_to_a_row_and_what_followed, name_the_seed),
        cmocka_unit_test_teardown(rows_are_projected_to_their_nearest_visible_ancestor,
                                  name_the_seed),
        cmocka_unit_test_teardown(lines_of_a_layout_follow_from_what_is_folded, name_the_seed),
        cmocka_unit_test_teardown(paths_slack_and_waits_are_those_of_brute_force, name_the_seed),
        cmocka_unit_test_teardown(dependencies_in_view_are_those_of_brute_force, name_the_seed),
        cmocka_unit_test_teardown(dependencies_that_stay_in_view_stay_shown, name_the_seed),
        cmocka_unit_test_teardown(dependencies_of_frame_graphs_follow_the_recorded_ones,
                                  name_the_seed),
        cmocka_unit_test_teardown(work_in_steps_ends_as_the_same_work_at_once, name_the_seed),
        cmocka_unit_test(graph_work_follows_the_view_and_not_the_trace),
        cmocka_unit_test(graph_questions_leave_nothing_when_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, contract_engines_end);
}
