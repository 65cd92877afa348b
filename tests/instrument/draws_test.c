/* SPDX-License-Identifier: MIT */
/* What devices draw, as metrics of the process: Graphics/DrawCalls and those beside it. */
#include "suite_guard.h"

#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>

#include <stdio.h>
#include <string.h>

/* A software device that a session records, and a command buffer. */
struct scene {
    struct fg_device *device;
    struct fg_session *session;
    struct fg_software_commands *native;
};

static void scene_open(struct scene *scene, enum fg_level level)
{
    *scene = (struct scene){ 0 };
    assert_int_equal(fg_software_device_create(NULL, &scene->device), FG_OK);
    assert_int_equal(fg_software_commands_create(scene->device, &scene->native), FG_OK);
    assert_int_equal(
        fg_session_create(scene->device, FG_SESSION_OPTIONS(.level = level), &scene->session),
        FG_OK);
    assert_int_equal(fg_session_start(scene->session), FG_OK);
}

static void scene_close(struct scene *scene)
{
    (void)fg_session_finish(scene->session, 0);
    fg_session_destroy(scene->session);
    fg_software_commands_destroy(scene->native);
    fg_device_destroy(scene->device);
}

/* Two draws, one of them indexed, two effects, a target; and indirect work. */
static void draw_some(struct fg_commands *commands)
{
    const struct fg_attachment colour = { .format = 37, .width = 8, .height = 8 };
    const struct fg_indirect indirect = { .buffer = 1, .draw_count = 5, .stride_bytes = 16 };
    fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "scene",
                                                            .kind = FG_GPU_PASS_RENDER,
                                                            .attachments = &colour,
                                                            .attachment_count = 1 });
    fg_gpu_pipeline(commands, 1);
    fg_gpu_draw(commands, 3, 1);
    fg_gpu_pipeline(commands, 2);
    fg_gpu_pipeline(commands, 2); /* no change */
    fg_gpu_draw_indexed(commands, 6, 2);
    fg_gpu_draw_indexed_indirect(commands, &indirect);
    fg_gpu_pass_end(commands);
    fg_gpu_pass_begin(commands, NULL);
    fg_gpu_dispatch(commands, 1, 1, 1);
    fg_gpu_dispatch_indirect(commands, &indirect);
    fg_gpu_pass_end(commands);
}

static void frame(struct scene *scene, uint32_t submit_count, bool fails)
{
    assert_true(fg_loop_begin(NULL));
    struct fg_frame *recorded = fg_frame_begin(scene->device);
    struct fg_commands *commands =
        fg_commands_begin(recorded, &(struct fg_commands_desc){ .native = scene->native });
    const struct fg_submission submission = { .commands = &commands, .commands_count = 1 };
    if (commands != NULL) {
        draw_some(commands);
    }
    fg_commands_end(commands);
    for (uint32_t i = 0; i < submit_count; i++) {
        fg_frame_submit(recorded, &submission, NULL);
    }
    if (fails) {
        fg_frame_submit_failed(recorded);
    }
    fg_frame_end(recorded);
    assert_true(fg_loop_end(NULL));
}

/* Of the last frame; -1 = never published, or not there. */
static int64_t value_of(const char *name)
{
    struct fg_snapshot *snapshot;
    int64_t value = -1;
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_METRICS, &snapshot), FG_OK);
    for (size_t i = 0; i < snapshot->metric_count; i++) {
        const struct fg_metric_row *row = &snapshot->metrics[i];
        if (strcmp(row->name, name) == 0 && row->is_published) {
            assert_int_equal(row->kind, FG_METRIC_FRAME_COUNTER);
            value = row->value;
        }
    }
    fg_snapshot_free(snapshot);
    return value;
}

static void assert_all(int64_t times)
{
    assert_int_equal(value_of("Graphics/DrawCalls"), 3 * times);
    assert_int_equal(value_of("Graphics/NonIndexedDrawCalls"), 1 * times);
    assert_int_equal(value_of("Graphics/IndexedDrawCalls"), 1 * times);
    assert_int_equal(value_of("Graphics/IndirectDrawCalls"), 1 * times);
    assert_int_equal(value_of("Graphics/SubmittedPrimitives"), 5 * times); /* indirect: none */
    assert_int_equal(value_of("Graphics/EffectChanges"), 2 * times);
    assert_int_equal(value_of("Graphics/RenderTargetChanges"), 1 * times);
    assert_int_equal(value_of("Graphics/Dispatches"), 2 * times);
}

static void every_kind_is_counted_for_its_frame_at_every_level(void **state)
{
    static const enum fg_level levels[] = { FG_LEVEL_TIMING, FG_LEVEL_WORKLOAD, FG_LEVEL_VERBOSE };
    (void)state;
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        struct scene scene;
        scene_open(&scene, levels[i]);
        frame(&scene, 1, false);
        assert_all(1);
        scene_close(&scene);
    }
}

static void a_frame_that_draws_nothing_has_zero(void **state)
{
    struct scene scene;
    (void)state;
    scene_open(&scene, FG_LEVEL_WORKLOAD);
    frame(&scene, 1, false);
    assert_true(fg_loop_begin(NULL));
    fg_frame_end(fg_frame_begin(scene.device));
    assert_true(fg_loop_end(NULL));
    assert_all(0);
    scene_close(&scene);
}

static void what_was_not_submitted_is_not_counted(void **state)
{
    struct scene scene;
    (void)state;
    scene_open(&scene, FG_LEVEL_WORKLOAD);
    frame(&scene, 1, true);
    assert_all(0);
    scene_close(&scene);
}

static void a_reused_command_buffer_counts_every_time(void **state)
{
    struct scene scene;
    (void)state;
    scene_open(&scene, FG_LEVEL_WORKLOAD);
    struct fg_commands *commands =
        fg_commands_create(scene.device, &(struct fg_commands_desc){ .native = scene.native });
    const struct fg_submission submission = { .commands = &commands, .commands_count = 1 };
    struct fg_submit_extra extra;
    assert_non_null(commands);
    draw_some(commands);
    fg_commands_end(commands);
    for (int i = 0; i < 2; i++) {
        assert_true(fg_loop_begin(NULL));
        struct fg_frame *recorded = fg_frame_begin(scene.device);
        for (int k = 0; k <= i; k++) {
            fg_frame_submit(recorded, &submission, &extra);
        }
        fg_frame_end(recorded);
        assert_true(fg_loop_end(NULL));
        assert_all(i + 1);
    }
    fg_commands_destroy(commands);
    scene_close(&scene);
}

static void without_a_session_nobody_counts(void **state)
{
    struct scene scene;
    (void)state;
    fgt_needs_own_process();
    scene_open(&scene, FG_LEVEL_WORKLOAD);
    fg_session_stop(scene.session);
    frame(&scene, 1, false);
    assert_int_equal(value_of("Graphics/DrawCalls"), -1);
    scene_close(&scene);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_kind_is_counted_for_its_frame_at_every_level),
    cmocka_unit_test(a_frame_that_draws_nothing_has_zero),
    cmocka_unit_test(what_was_not_submitted_is_not_counted),
    cmocka_unit_test(a_reused_command_buffer_counts_every_time),
    cmocka_unit_test(without_a_session_nobody_counts),
};
FGT_INSTRUMENT_SUITE(draws, tests)
