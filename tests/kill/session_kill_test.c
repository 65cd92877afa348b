/* SPDX-License-Identifier: MIT */
/* The same through a whole session on the software device: what an application would lose. */
#include "../support/cmocka_all.h"

#include "kill_bed.h"

#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>
#include <frameglass/graph.h>
#include <frameglass/session.h>

#include <stdio.h>
#include <string.h>

enum { FRAMES = 200, PASSES = 4, FRAMES_OF_A_GRAPH = 16 };

static void pass_name(char out[32], unsigned graph, unsigned pass)
{
    (void)snprintf(out, 32, "pass %u of graph %u", pass, graph);
}

static void describe(struct fg_frame *frame, unsigned graph)
{
    char names[PASSES][32];
    struct fg_graph_pass passes[PASSES] = { 0 };
    for (unsigned i = 0; i < PASSES; i++) {
        pass_name(names[i], graph, i);
        passes[i].id = i;
        passes[i].name = names[i];
    }
    fg_frame_set_graph(
        frame, &(struct fg_graph_desc){ .name = "graph", .passes = passes, .pass_count = PASSES });
}

static enum fg_result record_frame(struct fg_device *device, struct fg_software_commands *native,
                                   unsigned number)
{
    struct fg_frame *frame = fg_frame_begin(device);
    fg_software_commands_reset(native);
    describe(frame, number / FRAMES_OF_A_GRAPH);
    struct fg_commands *commands =
        fg_commands_begin(frame, &(struct fg_commands_desc){ .native = native });
    for (unsigned i = 0; i < PASSES; i++) {
        char name[32];
        pass_name(name, number / FRAMES_OF_A_GRAPH, i);
        fg_commands_graph_pass_begin(commands, i, name);
        fg_gpu_pass_begin(commands,
                          &(struct fg_gpu_pass_desc){ .label = name, .kind = FG_GPU_PASS_COMPUTE });
        fg_gpu_dispatch(commands, 1 + number, 1, 1);
        fg_software_work(native, 100000, 10);
        fg_gpu_pass_end(commands);
        fg_commands_graph_pass_end(commands);
    }
    fg_commands_end(commands);
    struct fg_submission submission = { .commands = &commands, .commands_count = 1 };
    struct fg_submit_extra extra = { 0 };
    fg_frame_submit(frame, &submission, &extra);
    enum fg_result result =
        fg_software_submit(device, &(struct fg_software_submission){
                                       .commands = &native, .commands_count = 1, .extra = extra });
    fg_frame_end(frame);
    fg_software_advance(device, 16000000);
    return result;
}

/* Everything, into a sink or a path; `child` is told of each frame where there is a path. */
static enum fg_result record_all(struct child *child, const struct fg_session_options *options)
{
    const struct fg_software_options device_options = { .allocator = options->allocator };
    struct fg_device *device = NULL;
    struct fg_session *session = NULL;
    struct fg_software_commands *native = NULL;
    enum fg_result result = fg_software_device_create(&device_options, &device);
    if (result == FG_OK) {
        result = fg_session_create(device, options, &session);
    }
    if (result == FG_OK) {
        result = fg_session_start(session);
    }
    if (result == FG_OK) {
        result = fg_software_commands_create(device, &native);
    }
    for (unsigned i = 0; i < FRAMES && result == FG_OK; i++) {
        struct fg_session_status status;
        result = record_frame(device, native, i);
        fg_session_get_status(session, &status);
        if (options->path != NULL) {
            child_frame_done(child, status.frames_written);
        }
    }
    return result == FG_OK ? fg_session_finish(session, 1000000000) : result;
}

static enum fg_result record(struct child *child)
{
    const struct fg_allocator allocator = child_allocator(child);
    const struct fg_sink sink = child_sink(child);
    enum fg_result result = child_open(child);
    return result == FG_OK
               ? record_all(child,
                            &(struct fg_session_options){ .allocator = &allocator, .sink = &sink })
               : result;
}

static enum fg_result record_path(struct child *child)
{
    return record_all(child, &(struct fg_session_options){ .path = child->path });
}

static void check_frame(const struct fg_capture *capture, const struct fg_cap_frame *frame)
{
    unsigned graph = (unsigned)frame->frame / FRAMES_OF_A_GRAPH;
    const struct fg_cap_topology *topology = fg_capture_topology(capture, frame->topology);
    assert_non_null(topology);
    assert_int_equal(topology->pass_count, PASSES);
    assert_int_equal(frame->pass_count, PASSES);
    assert_int_equal(frame->gpu_pass_count, PASSES);
    for (unsigned i = 0; i < PASSES; i++) {
        char name[32];
        pass_name(name, graph, i);
        assert_string_equal(fg_capture_symbol(capture, topology->passes[i].name, NULL), name);
        assert_string_equal(fg_capture_symbol(capture, frame->gpu_passes[i].label, NULL), name);
        assert_int_equal(frame->gpu_passes[i].graph_pass, i);
        assert_int_equal(frame->gpu_passes[i].works[0].x, 1 + frame->frame);
    }
}

static const struct kill_test session_test = { record, check_frame, 4, NULL };

static const struct kill_test path_test = { record_path, check_frame, 4, NULL };

static void a_session_with_a_path_keeps_every_frame_that_it_says_is_written(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        kill_once(&path_test, BETWEEN_FRAMES, i * i * 12, 0);
    }
    for (unsigned i = 0; i < 3; i++) {
        kill_once(&path_test, AT_ANY_TIME, i * 60, 0);
    }
}

static void a_session_killed_in_the_write_of_a_frame_loses_that_frame_at_most(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        kill_once(&session_test, AT_FRAME_WRITE, i * 19, i * 31 % 101);
    }
}

static void a_session_killed_while_the_graph_changes_keeps_all_names(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        kill_once(&session_test, AT_TOPOLOGY_WRITE, 1 + 2 * i, i * 37 % 101);
    }
}

static void a_session_killed_while_memory_grows_keeps_what_was_written(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        kill_once(&session_test, AT_GROWTH, i * i, 0);
    }
}

static void a_session_killed_at_any_time_keeps_what_was_written(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        kill_once(&session_test, AT_ANY_TIME, i * 30, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_killed_in_the_write_of_a_frame_loses_that_frame_at_most),
        cmocka_unit_test(a_session_killed_while_the_graph_changes_keeps_all_names),
        cmocka_unit_test(a_session_killed_while_memory_grows_keeps_what_was_written),
        cmocka_unit_test(a_session_killed_at_any_time_keeps_what_was_written),
        cmocka_unit_test(a_session_with_a_path_keeps_every_frame_that_it_says_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
