/* SPDX-License-Identifier: MIT */
/* Timers on a device that misbehaves: bounds, reuse, lateness, wraps, quanta, loss. */
#include "record_bed.h"
#include "record/device.h"
#include "../support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

static void the_1025th_pass_gets_no_timer_and_is_still_recorded(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    for (uint32_t i = 0; i < 1030; i++) {
        char label[32];
        (void)snprintf(label, sizeof label, "pass %u", i);
        fg_gpu_pass_begin(bed.commands[0], &(struct fg_gpu_pass_desc){
                                               .label = label, .kind = FG_GPU_PASS_COMPUTE });
        fg_gpu_dispatch(bed.commands[0], i + 1, 1, 1);
        fg_software_work(bed.native[0], 10, 0);
        fg_gpu_pass_end(bed.commands[0]);
    }
    bed_end(&bed);
    seen_bed(&seen, &bed);
    const struct seen_frame *frame = &seen.frames[0];
    assert_int_equal(frame->pass_count, 1030);
    assert_int_equal(frame->drops[FG_CAP_DROP_POOL_FULL], 6);
    assert_int_equal(frame->dropped, 6);
    for (uint32_t i = 0; i < 1030; i++) {
        assert_int_equal(frame->passes[i].span.status,
                         i < 1024 ? FG_CAP_SPAN_OK : FG_CAP_SPAN_NO_SLOT);
        assert_int_equal(frame->passes[i].works[0].x, i + 1);
    }
    assert_string_equal(frame->passes[1029].label, "pass 1029");
    seen_free(&seen);
    bed_close(&bed);
}

static void each_command_buffer_has_its_own_slots(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .queue_count = 2, .limits = { .passes = 4 } };
    (void)state;
    bed_open(&bed, &options, NULL);
    bed_begin(&bed, 2);
    for (uint32_t i = 0; i < 5; i++) {
        bed_pass(&bed, 0, "a", 10);
    }
    for (uint32_t i = 0; i < 4; i++) {
        bed_pass(&bed, 1, "b", 10);
    }
    bed_end(&bed);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frames[0].pass_count, 9);
    assert_int_equal(seen.frames[0].dropped, 1);
    assert_int_equal(seen.frames[0].passes[4].span.status, FG_CAP_SPAN_NO_SLOT);
    assert_int_equal(seen.frames[0].passes[8].span.status, FG_CAP_SPAN_OK);
    seen_free(&seen);
    bed_close(&bed);
}

static void passes_over_the_maximum_are_refused_and_counted(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .limits = { .passes = 2, .passes_max = 3 } };
    (void)state;
    bed_open(&bed, &options, NULL);
    bed_frame(&bed, 5, 10, 0);
    bed_begin(&bed, 1);
    for (int i = 0; i < 20; i++) { /* and nesting deeper than 16 */
        fg_gpu_pass_begin(bed.commands[0], NULL);
    }
    for (int i = 0; i < 20; i++) {
        fg_gpu_pass_end(bed.commands[0]);
    }
    bed_end(&bed);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frames[0].pass_count, 3);
    assert_int_equal(seen.frames[0].drops[FG_CAP_DROP_PASS_LIMIT], 2);
    assert_int_equal(seen.frames[0].drops[FG_CAP_DROP_POOL_FULL], 1);
    assert_int_equal(seen.frames[0].drops[FG_CAP_DROP_UNBALANCED], 0);
    assert_int_equal(seen.frames[1].pass_count, 3);
    assert_int_equal(seen.frames[1].drops[FG_CAP_DROP_UNBALANCED], 0);
    seen_free(&seen);
    bed_close(&bed);
}

static void unbalanced_ends_are_counted(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    fg_gpu_pass_end(bed.commands[0]);
    fg_commands_graph_pass_end(bed.commands[0]);
    fg_gpu_pass_begin(bed.commands[0], NULL); /* never ended: closed with the commands */
    bed_end(&bed);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frames[0].drops[FG_CAP_DROP_UNBALANCED], 3);
    assert_int_equal(seen.frames[0].passes[0].span.status, FG_CAP_SPAN_OK);
    seen_free(&seen);
    bed_close(&bed);
}

static void the_capture_holds_the_raw_ticks_of_the_device(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .period_num = 625,
                                           .period_den = 12, /* 52.083 ns */
                                           .start_ticks = 0x123456789abcdef0,
                                           .drift_ppm = 30 };
    uint64_t truth[3][2];
    (void)state;
    bed_open(&bed, &options, NULL);
    fg_software_advance(bed.device, 123456789);
    int64_t start_ns = fg_software_now_ns(bed.device);
    for (int i = 0; i < 3; i++) {
        truth[i][0] = fg_software_ticks_at(bed.device, start_ns + i * 100001);
        truth[i][1] = fg_software_ticks_at(bed.device, start_ns + (i + 1) * 100001);
    }
    bed_frame(&bed, 3, 100001, 1000000);
    seen_bed(&seen, &bed);
    for (int i = 0; i < 3; i++) {
        const struct fg_cap_gpu_span *span = &seen.frames[0].passes[i].span;
        assert_true(span->begin_ticks == truth[i][0]);
        assert_true(span->end_ticks == truth[i][1]);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void no_frame_makes_new_timers_once_they_go_around(void **state)
{
    struct bed bed;
    struct seen seen;
    uint32_t alive;
    uint32_t early;
    uint32_t late;
    struct fg_software_options options = { .latency_ns = 40000000 }; /* 2 to 3 frames later */
    (void)state;
    bed_open(&bed, &options, NULL);
    for (int i = 0; i < 600; i++) {
        bed_frame(&bed, 20, 1000, 16666667);
        if (i == 10) {
            fg_software_get_timer_counts(bed.device, &alive, &early);
        }
    }
    fg_software_get_timer_counts(bed.device, &alive, &late);
    assert_int_equal(early, late);
    assert_int_equal(late, 3); /* within the rest of a timer, lateness makes none */
    struct fg_session_status status;
    fg_session_get_status(bed.session, &status);
    assert_true(status.frames_in_flight >= 2 && status.frames_in_flight <= 4);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 600);
    assert_int_equal(seen.summary.gpu_frame_count, 600); /* the last ones, too */
    assert_int_equal(seen.topology_count, 1);
    for (int i = 0; i < 600; i++) {
        assert_int_equal(seen.frames[i].passes[19].span.status, FG_CAP_SPAN_OK);
        assert_true(seen.frames[i].latency_ns >= 40000000);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void a_timer_rests_while_its_submission_may_still_count_as_pending(void **state)
{
    struct bed bed;
    uint32_t alive;
    uint32_t made;
    (void)state;
    bed_open(&bed, NULL, NULL);
    for (int i = 0; i < 100; i++) { /* results are there before the next frame begins */
        bed_frame(&bed, 20, 1000, 16666667);
    }
    fg_software_get_timer_counts(bed.device, &alive, &made);
    assert_int_equal(made, 3); /* as many as an application may have frames in flight */
    assert_int_equal(alive, made);
    bed_close(&bed);
}

static void results_out_of_order_all_find_their_frame(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .flags = FG_SOFTWARE_OUT_OF_ORDER,
                                           .latency_ns = 20000000 };
    (void)state;
    bed_open(&bed, &options, NULL);
    for (int i = 0; i < 30; i++) {
        bed_frame(&bed, 2, 1000 + i, 10000000);
    }
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 30);
    for (int i = 0; i < 30; i++) {
        assert_int_equal(seen.frames[i].frame, i);
        assert_int_equal(seen_duration(&seen.frames[i].passes[1]), 1000 + i);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void results_that_never_come_are_given_up_and_said_so(void **state)
{
    struct bed bed;
    struct seen seen;
    uint32_t alive;
    uint32_t created;
    struct fg_software_options options = { .flags = FG_SOFTWARE_NEVER,
                                           .limits = { .frames_max = 4 } };
    (void)state;
    bed_open(&bed, &options, NULL);
    for (int i = 0; i < 200; i++) {
        bed_frame(&bed, 2, 1000, 10000000);
    }
    fg_software_get_timer_counts(bed.device, &alive, &created);
    assert_true(created <= 80); /* no timer is reused under a GPU that may still write it */
    assert_int_equal(fg_session_finish(bed.session, 1000), FG_ERR_TIMEOUT);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 200);
    assert_int_equal(seen.summary.gpu_frame_count, 200 - created);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(seen.frames[i].passes[1].span.status,
                         i < (int)created ? FG_CAP_SPAN_MISSING : FG_CAP_SPAN_NO_SLOT);
        assert_true(seen.frames[i].last);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void late_results_of_the_last_frames_are_waited_for(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .latency_ns = 300000000 };
    (void)state;
    bed_open(&bed, &options, NULL);
    for (int i = 0; i < 5; i++) {
        bed_frame(&bed, 1, 1000, 10000000);
    }
    fg_session_stop(bed.session);
    assert_null(fg_frame_begin(bed.device));
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_OK);
    seen_bed(&seen, &bed);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(seen.frames[i].passes[0].span.status, FG_CAP_SPAN_OK);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void counters_that_wrap_are_unwrapped(void **state)
{
    static const uint32_t bits[] = { 20, 32, 36 };
    (void)state;
    for (size_t b = 0; b < 3; b++) {
        for (uint32_t calibrated = 0; calibrated < 2; calibrated++) {
            struct bed bed;
            struct seen seen;
            struct fg_software_options options = {
                .valid_bits = bits[b],
                .start_ticks = (1ull << bits[b]) - 3000000,
                .drift_ppm = -20,
                .flags = calibrated ? 0 : FG_SOFTWARE_NO_CALIBRATION,
            };
            bed_open(&bed, &options, NULL);
            fg_software_advance(bed.device, 1000);
            for (int i = 0; i < 100; i++) {
                bed_frame(&bed, 5, 100000, 16666667); /* the 20-bit one wraps 16 times between */
            }
            seen_bed(&seen, &bed);
            uint64_t first = seen.frames[0].passes[0].span.begin_ticks;
            uint64_t truth = fg_software_ticks_at(bed.device, 1000);
            for (int i = 0; i < 100; i++) {
                for (int p = 0; p < 5; p++) {
                    const struct seen_pass *pass = &seen.frames[i].passes[p];
                    int64_t at_ns = 1000 + (int64_t)i * 16666667 + p * 100000;
                    assert_int_equal(pass->span.status, FG_CAP_SPAN_OK);
                    assert_true(pass->span.begin_ticks - first ==
                                fg_software_ticks_at(bed.device, at_ns) - truth);
                    assert_in_range(seen_duration(pass), 99997, 100000);
                }
            }
            seen_free(&seen);
            bed_close(&bed);
        }
    }
}

static void quantized_zeros_stay_zeros(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .quantum_ticks = 65536 };
    int zeros = 0;
    (void)state;
    bed_open(&bed, &options, NULL);
    for (int i = 0; i < 20; i++) {
        bed_frame(&bed, 10, 3000, 1000000);
    }
    seen_bed(&seen, &bed);
    for (int i = 0; i < 20; i++) {
        for (int p = 0; p < 10; p++) {
            const struct seen_pass *pass = &seen.frames[i].passes[p];
            assert_int_equal(pass->span.status, FG_CAP_SPAN_OK);
            assert_int_equal(pass->span.begin_ticks % 65536, 0);
            assert_true(seen_duration(pass) == 0 || seen_duration(pass) == 65536);
            zeros += seen_duration(pass) == 0;
        }
    }
    assert_true(zeros > 150);
    seen_free(&seen);
    bed_close(&bed);
}

static void without_timestamps_structure_and_work_are_recorded(void **state)
{
    struct bed bed;
    struct seen seen;
    uint32_t alive;
    uint32_t created;
    struct fg_software_options options = { .flags = FG_SOFTWARE_NO_TIMESTAMPS };
    (void)state;
    bed_open(&bed, &options, NULL);
    bed_begin(&bed, 1);
    fg_gpu_pass_begin(bed.commands[0], &(struct fg_gpu_pass_desc){ .label = "untimed" });
    fg_gpu_draw(bed.commands[0], 3, 7);
    fg_gpu_pass_end(bed.commands[0]);
    bed_end(&bed);
    fg_software_get_timer_counts(bed.device, &alive, &created);
    assert_int_equal(created, 0);
    seen_bed(&seen, &bed);
    assert_string_equal(seen.frames[0].passes[0].label, "untimed");
    assert_int_equal(seen.frames[0].passes[0].works[0].y, 7);
    assert_int_equal(seen.frames[0].passes[0].span.status, FG_CAP_SPAN_NO_SLOT);
    assert_int_equal(seen.frames[0].drops[FG_CAP_DROP_NO_TIMESTAMPS], 1);
    assert_int_equal(seen.clocks[1].domain, FG_CAP_DOMAIN_NOMINAL);
    assert_string_equal(seen.clocks[1].reason, "this queue has no timestamps");
    seen_free(&seen);
    bed_close(&bed);
}

static void a_pool_over_4096_timestamps_is_refused(void **state)
{
    struct fg_device *device = NULL;
    struct fgi_timer *timer = NULL;
    (void)state;
    assert_int_equal(fg_software_device_create(NULL, &device), FG_OK);
    assert_int_equal(device->ops->timer_create(device, 0, 2049, false, 0, &timer), FG_ERR_LIMIT);
    assert_null(timer);
    assert_int_equal(device->ops->timer_create(device, 0, 2048, false, 0, &timer), FG_OK);
    device->ops->timer_destroy(device, timer);
    fg_device_destroy(device);
    /* And a recorder that is asked for more asks the device for what it can. */
    struct bed bed;
    struct seen seen;
    bed_open(&bed, &(struct fg_software_options){ .pool_max = 8, .limits = { .passes = 3000 } },
             NULL);
    bed_frame(&bed, 6, 10, 0);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frames[0].drops[FG_CAP_DROP_POOL_FULL], 2);
    seen_free(&seen);
    bed_close(&bed);
}

static void after_a_loss_the_capture_says_which_pass_was_open(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_options options = { .lose_at_ns = 25500000 };
    (void)state;
    bed_open(&bed, &options, NULL);
    for (int i = 0; i < 3; i++) { /* the third one begins at 20 ms: its second pass hangs */
        bed_frame(&bed, 3, 3000000, 10000000);
    }
    assert_null(fg_frame_begin(bed.device));
    struct fg_session_status status;
    fg_session_get_status(bed.session, &status);
    assert_false(status.running);
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_ERR_DEVICE_LOST);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 3);
    assert_int_equal(seen.frames[1].passes[2].span.status, FG_CAP_SPAN_OK);
    assert_int_equal(seen.frames[2].passes[0].span.status, FG_CAP_SPAN_OK);
    assert_int_equal(seen.frames[2].passes[1].span.status, FG_CAP_SPAN_OPEN);
    assert_int_equal(seen.frames[2].passes[2].span.status, FG_CAP_SPAN_LOST);
    assert_true(seen.lost);
    assert_int_equal(seen.lost_frame, 2);
    assert_int_equal(seen.open_count, 1);
    assert_int_equal(seen.open[0].frame, 2);
    assert_int_equal(seen.open[0].instance, 1);
    struct fg_session *again = NULL;
    assert_int_equal(fg_session_create(bed.device, NULL, &again), FG_OK);
    assert_int_equal(fg_session_start(again), FG_ERR_DEVICE_LOST);
    fg_session_destroy(again);
    seen_free(&seen);
    bed_close(&bed);
}

static void the_frame_that_was_open_when_the_device_died_is_in_the_capture(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_frame(&bed, 1, 1000, 1000000);
    bed_begin(&bed, 1);
    bed_pass(&bed, 0, "hangs", 1000);
    fg_software_lose(bed.device);
    bed_end(&bed);
    assert_int_equal(bed.submitted, FG_ERR_DEVICE_LOST);
    fg_device_report_lost(bed.device);
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_ERR_DEVICE_LOST);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 2);
    assert_string_equal(seen.frames[1].passes[0].label, "hangs");
    assert_int_equal(seen.frames[1].passes[0].span.status, FG_CAP_SPAN_LOST);
    assert_true(seen.lost);
    seen_free(&seen);
    bed_close(&bed);
}

static void a_submit_that_failed_leaves_nothing_to_wait_for(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    bed_pass(&bed, 0, "never submitted", 10);
    fg_commands_end(bed.commands[0]);
    fg_frame_submit(bed.frame,
                    &(struct fg_submission){ .commands = bed.commands, .commands_count = 1 }, NULL);
    fg_frame_submit_failed(bed.frame);
    fg_frame_end(bed.frame);
    bed_frame(&bed, 1, 10, 1000);
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_OK);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frames[0].passes[0].span.status, FG_CAP_SPAN_NO_SLOT);
    assert_int_equal(seen.frames[1].passes[0].span.status, FG_CAP_SPAN_OK);
    seen_free(&seen);
    bed_close(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_1025th_pass_gets_no_timer_and_is_still_recorded),
        cmocka_unit_test(each_command_buffer_has_its_own_slots),
        cmocka_unit_test(passes_over_the_maximum_are_refused_and_counted),
        cmocka_unit_test(unbalanced_ends_are_counted),
        cmocka_unit_test(the_capture_holds_the_raw_ticks_of_the_device),
        cmocka_unit_test(no_frame_makes_new_timers_once_they_go_around),
        cmocka_unit_test(a_timer_rests_while_its_submission_may_still_count_as_pending),
        cmocka_unit_test(results_out_of_order_all_find_their_frame),
        cmocka_unit_test(results_that_never_come_are_given_up_and_said_so),
        cmocka_unit_test(late_results_of_the_last_frames_are_waited_for),
        cmocka_unit_test(counters_that_wrap_are_unwrapped),
        cmocka_unit_test(quantized_zeros_stay_zeros),
        cmocka_unit_test(without_timestamps_structure_and_work_are_recorded),
        cmocka_unit_test(a_pool_over_4096_timestamps_is_refused),
        cmocka_unit_test(after_a_loss_the_capture_says_which_pass_was_open),
        cmocka_unit_test(the_frame_that_was_open_when_the_device_died_is_in_the_capture),
        cmocka_unit_test(a_submit_that_failed_leaves_nothing_to_wait_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
