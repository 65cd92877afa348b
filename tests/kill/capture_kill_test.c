/* SPDX-License-Identifier: MIT */
/*
 * A recording is killed with SIGKILL, 50 times: while it writes frames, while the graph changes, in
 * the middle of a directory, while memory grows, between the closing patches. Exactly the frames
 * that were handed to the operating system are in the file, with every name.
 */
#include "../support/cmocka_all.h"

#include "kill_bed.h"

#include "../golden/capture_sample.h"

#include <stdio.h>

enum { FRAMES = 300, PASSES = 6 };

static enum fg_result record(struct child *child)
{
    const struct fg_allocator allocator = child_allocator(child);
    const struct fg_sink sink = child_sink(child);
    const struct fg_capture_writer_options options = { .allocator = &allocator,
                                                       .checkpoint_bytes = 4000 };
    struct sample sample = { .result = child_open(child) };
    if (sample.result == FG_OK) {
        sample.result = fg_capture_writer_create(&sink, &options, &sample.writer);
    }
    sample_begin(&sample);
    for (unsigned i = 0; i < FRAMES && sample.result == FG_OK; i++) {
        uint32_t topology = sample_topology(&sample, i / 10, PASSES);
        sample_frame(&sample, i, topology, PASSES, i % 3);
        if (i >= 2) {
            sample_gpu_frame(&sample, i - 2, PASSES, UINT32_MAX);
        }
    }
    return sample.result == FG_OK ? fg_capture_writer_close(sample.writer) : sample.result;
}

static void check_names(const struct fg_capture *capture, const struct fg_cap_frame *frame)
{
    char name[32];
    const struct fg_cap_topology *topology = fg_capture_topology(capture, frame->topology);
    assert_non_null(topology);
    assert_int_equal(frame->gpu_pass_count, PASSES);
    for (unsigned i = 0; i < PASSES; i++) {
        (void)snprintf(name, sizeof name, "pass %u.%u", (unsigned)frame->frame / 10, i);
        assert_string_equal(fg_capture_symbol(capture, topology->passes[i].name, NULL), name);
        (void)snprintf(name, sizeof name, "gpu pass %u.%u", (unsigned)frame->frame / 10, i);
        assert_string_equal(fg_capture_symbol(capture, frame->gpu_passes[i].label, NULL), name);
    }
    assert_string_equal(fg_capture_symbol(capture, frame->counters[0].name, NULL), "memory used");
}

static const struct kill_test writer_test = { record, check_names, 4, NULL };

static void killed_in_the_write_of_a_frame(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 14; i++) {
        kill_once(&writer_test, AT_FRAME_WRITE, i * 21, i * 31 % 101);
    }
}

static void killed_while_the_graph_changes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        kill_once(&writer_test, AT_TOPOLOGY_WRITE, 1 + 2 * i, i * 37 % 101);
    }
}

static void killed_in_the_write_of_a_directory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        kill_once(&writer_test, AT_DIRECTORY_WRITE, i / 2, i * 29 % 101);
    }
}

static void killed_while_memory_grows(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        kill_once(&writer_test, AT_GROWTH, i * i, 0);
    }
}

static void killed_between_the_patches_of_the_header(void **state)
{
    (void)state;
    kill_once(&writer_test, AT_PATCH, 0, 0);
    kill_once(&writer_test, AT_PATCH, 1, 0);
}

static void killed_at_any_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        kill_once(&writer_test, AT_ANY_TIME, i * 30, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_in_the_write_of_a_frame),
        cmocka_unit_test(killed_while_the_graph_changes),
        cmocka_unit_test(killed_in_the_write_of_a_directory),
        cmocka_unit_test(killed_while_memory_grows),
        cmocka_unit_test(killed_between_the_patches_of_the_header),
        cmocka_unit_test(killed_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
