/* SPDX-License-Identifier: MIT */
/* Sessions: options, metadata, limits, budgets, snapshots, several at once, refusals. */
#include "record_bed.h"
#include "../support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void options_default_to_workload_in_memory(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_frame(&bed, 1, 10, 10);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.level, FG_CAP_LEVEL_WORKLOAD);
    assert_int_equal(seen.frames[0].level, FG_CAP_LEVEL_WORKLOAD);
    seen_free(&seen);
    bed_close(&bed);
}

static void metadata_is_filled_before_start_and_refused_after(void **state)
{
    struct fg_device *device;
    struct fg_session *session;
    struct seen seen;
    struct fg_session_options options = { .note = "first", .flags = FG_SESSION_PRODUCTION };
    (void)state;
    assert_int_equal(fg_software_device_create(NULL, &device), FG_OK);
    assert_int_equal(fg_session_create(device, &options, &session), FG_OK);
    assert_int_equal(fg_session_set_meta(session, "note", "second"), FG_OK);
    assert_int_equal(fg_session_set_meta(session, "engine.version", "3.11"), FG_OK);
    assert_int_equal(fg_session_set_meta(session, "adapter.device", ""), FG_OK); /* withheld */
    assert_int_equal(fg_session_add_feature(session, "zeta"), FG_OK);
    assert_int_equal(fg_session_add_feature(session, "alpha"), FG_OK);
    assert_int_equal(fg_session_add_feature(session, "zeta"), FG_OK);
    assert_int_equal(fg_session_start(session), FG_OK);
    assert_int_equal(fg_session_set_meta(session, "engine.version", "4"), FG_ERR_STATE);
    assert_int_equal(fg_session_add_feature(session, "late"), FG_ERR_STATE);
    assert_int_equal(fg_session_start(session), FG_ERR_STATE); /* a session records once */
    assert_int_equal(fg_session_finish(session, 0), FG_OK);
    seen_session(&seen, session);
    assert_string_equal(seen.meta_note, "second");
    assert_string_equal(seen.engine_version, "3.11");
    assert_int_equal(seen.development, 1);
    assert_int_equal(seen.feature_count, 5); /* three of the device's, two of ours */
    assert_string_equal(seen.features[0], "alpha");
    assert_string_equal(seen.features[4], "zeta");
    seen_free(&seen);
    fg_session_destroy(session);
    fg_device_destroy(device);
}

static void a_build_is_production_or_development_or_not_said(void **state)
{
    static const uint32_t flags[] = { 0, FG_SESSION_PRODUCTION, FG_SESSION_DEVELOPMENT };
    struct fg_session_options options = { .flags = flags[1] | flags[2] };
    struct fg_device *device;
    struct fg_session *session = NULL;
    struct seen seen;
    (void)state;
    assert_int_equal(fg_software_device_create(NULL, &device), FG_OK);
    assert_int_equal(fg_session_create(device, &options, &session), FG_ERR_ARGUMENT);
    assert_null(session);
    for (uint32_t i = 0; i < 3; i++) {
        options.flags = flags[i];
        assert_int_equal(fg_session_create(device, &options, &session), FG_OK);
        assert_int_equal(fg_session_start(session), FG_OK);
        assert_int_equal(fg_session_finish(session, 0), FG_OK);
        seen_session(&seen, session);
        assert_int_equal(seen.development, i);
        seen_free(&seen);
        fg_session_destroy(session);
    }
    fg_device_destroy(device);
}

static void every_level_keeps_what_it_says_and_no_more(void **state)
{
    static const uint32_t list[] = { 0 };
    const struct fg_graph_pass passes[] = { { .name = "p", .creates = list, .create_count = 1 },
                                            { .name = "dead", .flags = FG_GRAPH_PASS_CULLED } };
    const struct fg_graph_resource resources[] = { { .id = 3, .name = "r" } };
    const struct fg_graph_desc graph = {
        .passes = passes, .pass_count = 2, .resources = resources, .resource_count = 1
    };
    uint64_t bytes_before = 0;
    (void)state;
    for (int level = FG_LEVEL_TIMING; level <= FG_LEVEL_VERBOSE; level++) {
        struct bed bed;
        struct seen seen;
        bed_open(&bed, NULL, &(struct fg_session_options){ .level = (enum fg_level)level });
        for (int i = 0; i < 20; i++) {
            bed_begin(&bed, 1);
            fg_frame_set_graph(bed.frame, &graph);
            fg_commands_graph_pass_begin(bed.commands[0], 0, "p");
            fg_gpu_pass_begin(bed.commands[0], &(struct fg_gpu_pass_desc){ .label = "gpu" });
            fg_gpu_bind(bed.commands[0],
                        &(struct fg_binding){ .kind = FG_BINDING_SAMPLER, .resource = 3 }, 1);
            fg_gpu_dispatch(bed.commands[0], 1 + i, 2, 3);
            fg_gpu_pass_end(bed.commands[0]);
            fg_commands_graph_pass_end(bed.commands[0]);
            bed_end(&bed);
        }
        seen_bed(&seen, &bed);
        const struct seen_frame *frame = &seen.frames[19];
        assert_int_equal(seen.level, level - 1);
        assert_string_equal(frame->passes[0].label, "gpu"); /* labels and order at every level */
        assert_string_equal(frame->passes[0].owner, "p");
        assert_int_equal(frame->cpu_passes[0].flags, FG_CAP_CPU_PASS_TIMED); /* C2: from level 0 */
        assert_int_equal(frame->cpu_pass_count, level >= FG_LEVEL_STRUCTURE ? 2 : 1);
        assert_int_equal(frame->passes[0].work_count, level >= FG_LEVEL_WORKLOAD ? 1 : 0);
        assert_int_equal(frame->passes[0].bindings[0].resource, level >= FG_LEVEL_VERBOSE ? 3 : 0);
        assert_true(seen.info.size_bytes > bytes_before);
        bytes_before = seen.info.size_bytes;
        seen_free(&seen);
        bed_close(&bed);
    }
}

struct told {
    int counts[8];
    uint64_t bytes;
    char budget_message[200];
    uint64_t rate;
};

static void tell(void *context, const struct fg_session_event *event)
{
    struct told *told = context;
    told->counts[event->kind]++;
    assert_true(event->bytes_written >= told->bytes);
    told->bytes = event->bytes_written;
    if (event->kind == FG_SESSION_OVER_BUDGET) {
        (void)snprintf(told->budget_message, sizeof told->budget_message, "%s", event->message);
        told->rate = event->bytes_per_second;
    }
}

static void the_frame_limit_stops_as_stop_does(void **state)
{
    struct bed bed;
    struct seen seen;
    struct told told = { { 0 }, 0, "", 0 };
    struct fg_session_options options = { .frame_limit = 5,
                                          .notify = tell,
                                          .notify_context = &told };
    (void)state;
    bed_open(&bed, &(struct fg_software_options){ .latency_ns = 25000000 }, &options);
    for (int i = 0; i < 5; i++) {
        bed_frame(&bed, 1, 1000, 10000000);
    }
    struct fg_session_status status;
    fg_session_get_status(bed.session, &status);
    assert_false(status.running);
    assert_null(fg_frame_begin(bed.device));
    assert_int_equal(told.counts[FG_SESSION_STOPPED], 1);
    assert_int_equal(told.counts[FG_SESSION_FRAME_WRITTEN], 5);
    assert_true(told.counts[FG_SESSION_FRAME_LANDED] < 5);
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_OK);
    assert_int_equal(told.counts[FG_SESSION_FRAME_LANDED], 5);
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_ERR_STATE);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 5);
    seen_free(&seen);
    bed_close(&bed);
}

static void the_budget_warns_once_with_level_and_rate_and_goes_on(void **state)
{
    struct bed bed;
    struct seen seen;
    struct told told = { { 0 }, 0, "", 0 };
    struct fg_session_options options = {
        .byte_budget = 4096, .level = FG_LEVEL_STRUCTURE, .notify = tell, .notify_context = &told
    };
    (void)state;
    bed_open(&bed, NULL, &options);
    for (int i = 0; i < 200; i++) {
        bed_frame(&bed, 8, 1000, 10000000);
    }
    assert_int_equal(told.counts[FG_SESSION_OVER_BUDGET], 1);
    assert_non_null(strstr(told.budget_message, "structure"));
    assert_non_null(strstr(told.budget_message, "MiB/s"));
    assert_true(told.rate > 0);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 200);
    seen_free(&seen);
    bed_close(&bed);
}

static void a_snapshot_is_a_capture_and_the_recording_goes_on(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    size_t size;
    (void)state;
    bed_open(&bed, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        bed_frame(&bed, 2, 1000, 10000000);
    }
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_session_snapshot(bed.session, &sink), FG_OK);
    const void *bytes = fg_memory_sink_bytes(memory, &size);
    seen_read(&seen, bytes, size);
    assert_int_equal(seen.frame_count, 3);
    assert_true(seen.info.closed);
    seen_free(&seen);
    fg_memory_sink_destroy(memory);
    bed_frame(&bed, 2, 1000, 10000000);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 4);
    seen_free(&seen);
    bed_close(&bed);
}

static void a_session_writes_to_a_file_and_can_be_looked_at_meanwhile(void **state)
{
    char path[64];
    struct bed bed;
    struct seen seen;
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct fg_file_source *file;
    struct fg_source source;
    uint64_t size64;
    size_t size;
    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/frameglass-session-%ld.sgpt", (long)getpid());
    bed_open(&bed, NULL, &(struct fg_session_options){ .path = path });
    bed_frame(&bed, 2, 1000, 10000000);
    bed_frame(&bed, 2, 1000, 10000000);
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_session_snapshot(bed.session, &sink), FG_OK);
    const void *bytes = fg_memory_sink_bytes(memory, &size);
    seen_read(&seen, bytes, size);
    assert_int_equal(seen.frame_count, 2);
    seen_free(&seen);
    fg_memory_sink_destroy(memory);
    assert_null(fg_session_bytes(bed.session, &size));
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_OK);
    assert_int_equal(fg_file_source_open(path, &file, &source), FG_OK);
    assert_int_equal(source.size(source.context, &size64), FG_OK);
    void *copy = malloc((size_t)size64);
    assert_int_equal(source.read_at(source.context, 0, copy, (size_t)size64, &size), FG_OK);
    seen_read(&seen, copy, size);
    assert_int_equal(seen.frame_count, 2);
    assert_true(seen.info.closed);
    seen_free(&seen);
    free(copy);
    fg_file_source_close(file);
    bed_close(&bed);
    (void)unlink(path);
}

static void several_sessions_record_one_device_each_at_its_level(void **state)
{
    struct bed bed;
    struct fg_session *second = NULL;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, &(struct fg_session_options){ .level = FG_LEVEL_TIMING });
    bed_frame(&bed, 1, 1000, 1000000);
    assert_int_equal(fg_session_create(bed.device, NULL, &second), FG_OK);
    assert_int_equal(fg_session_start(second), FG_OK);
    for (int i = 0; i < 3; i++) {
        bed_begin(&bed, 1);
        fg_gpu_pass_begin(bed.commands[0], NULL);
        fg_gpu_dispatch(bed.commands[0], 1, 1, 1);
        fg_gpu_pass_end(bed.commands[0]);
        bed_end(&bed);
        fg_software_advance(bed.device, 1000000);
    }
    fg_session_stop(second);
    bed_frame(&bed, 1, 1000, 1000000);
    assert_int_equal(fg_session_finish(second, SECOND_NS), FG_OK);
    seen_session(&seen, second);
    assert_int_equal(seen.frame_count, 3); /* numbers are the session's own */
    assert_int_equal(seen.frames[0].frame, 0);
    assert_int_equal(seen.frames[0].passes[0].work_count, 1);
    seen_free(&seen);
    fg_session_destroy(second);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 5);
    assert_int_equal(seen.frames[2].passes[0].work_count, 0);
    seen_free(&seen);
    bed_close(&bed);
}

static void a_ninth_session_is_refused(void **state)
{
    struct bed bed;
    struct fg_session *more[8] = { NULL };
    (void)state;
    bed_open(&bed, NULL, NULL);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(fg_session_create(bed.device, NULL, &more[i]), FG_OK);
        assert_int_equal(fg_session_start(more[i]), i < 7 ? FG_OK : FG_ERR_LIMIT);
    }
    for (int i = 0; i < 8; i++) {
        fg_session_destroy(more[i]);
    }
    bed_close(&bed);
}

static void a_device_has_one_stamping_owner(void **state)
{
    struct fg_device *first = NULL;
    struct fg_device *second = NULL;
    struct fg_software_options options = { .native_key = 4711 };
    (void)state;
    assert_int_equal(fg_software_device_create(&options, &first), FG_OK);
    assert_int_equal(fg_software_device_create(&options, &second), FG_ERR_BUSY);
    assert_null(second);
    fg_device_destroy(first);
    assert_int_equal(fg_software_device_create(&options, &second), FG_OK);
    fg_device_destroy(second);
}

static void a_session_that_outlives_its_device_cannot_start_but_can_be_finished(void **state)
{
    struct bed bed;
    struct fg_session *idle = NULL;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    assert_int_equal(fg_session_create(bed.device, NULL, &idle), FG_OK);
    bed_frame(&bed, 1, 1000, 1000000);
    fg_software_commands_destroy(bed.native[0]);
    fg_device_destroy(bed.device);
    assert_int_equal(fg_session_start(idle), FG_ERR_DEVICE_LOST);
    fg_session_destroy(idle);
    struct fg_session_status status;
    fg_session_get_status(bed.session, &status);
    assert_false(status.running);
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_OK);
    seen_session(&seen, bed.session);
    assert_int_equal(seen.frame_count, 1);
    assert_int_equal(seen.frames[0].passes[0].span.status, FG_CAP_SPAN_OK);
    seen_free(&seen);
    fg_session_destroy(bed.session);
}

static void notes_name_their_frame(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_frame(&bed, 1, 10, 10);
    assert_int_equal(fg_session_note(bed.session, "this is where it hitches"), FG_OK);
    bed_frame(&bed, 1, 10, 10);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.note_count, 1);
    assert_string_equal(seen.note, "this is where it hitches");
    assert_int_equal(seen.note_frame, 1);
    assert_int_equal(fg_session_note(bed.session, "late"), FG_ERR_STATE);
    seen_free(&seen);
    bed_close(&bed);
}

struct failing {
    uint64_t left;
};

static enum fg_result write_until_full(void *context, const void *bytes, size_t size)
{
    struct failing *failing = context;
    (void)bytes;
    if (size > failing->left) {
        return FG_ERR_IO;
    }
    failing->left -= size;
    return FG_OK;
}

static void a_sink_that_fails_stops_the_session_and_nothing_else(void **state)
{
    struct bed bed;
    struct told told = { { 0 }, 0, "", 0 };
    struct failing failing = { 3000 };
    struct fg_sink sink = { .write = write_until_full, .context = &failing };
    struct fg_session_options options = { .sink = &sink, .notify = tell, .notify_context = &told };
    (void)state;
    bed_open(&bed, NULL, &options);
    for (int i = 0; i < 100; i++) {
        bed_frame(&bed, 4, 1000, 1000000);
    }
    struct fg_session_status status;
    fg_session_get_status(bed.session, &status);
    assert_false(status.running);
    assert_int_equal(status.result, FG_ERR_IO);
    assert_int_equal(told.counts[FG_SESSION_FAILED], 1);
    assert_int_equal(fg_session_finish(bed.session, SECOND_NS), FG_ERR_IO);
    bed_close(&bed);
}

static void a_forks_child_does_not_record(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_frame(&bed, 1, 10, 10);
    bed_begin(&bed, 1);
    pid_t child = fork();
    if (child == 0) {
        bool silent = fg_frame_begin(bed.device) == NULL &&
                      fg_session_note(bed.session, "from the child") == FG_ERR_STATE &&
                      fg_session_finish(bed.session, 0) == FG_ERR_STATE &&
                      fg_commands_begin(
                          bed.frame, &(struct fg_commands_desc){ .native = bed.native[0] }) == NULL;
        fg_frame_end(bed.frame);
        fg_session_stop(bed.session);
        _exit(silent ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    bed_end(&bed);
    bed_frame(&bed, 1, 10, 10);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 3);
    assert_int_equal(seen.note_count, 0);
    seen_free(&seen);
    bed_close(&bed);
}

static void everything_accepts_nothing(void **state)
{
    struct fg_submit_extra extra = { &extra, &extra };
    (void)state;
    assert_null(fg_frame_begin(NULL));
    assert_null(fg_commands_begin(NULL, NULL));
    assert_null(fg_commands_create(NULL, NULL));
    assert_int_equal(fg_pipeline_register(NULL, NULL), 0);
    fg_frame_set_graph(NULL, NULL);
    fg_frame_counter(NULL, "x", FG_UNIT_COUNT, 1);
    fg_frame_waited(NULL, FG_WAIT_OTHER, 1);
    fg_frame_submit(NULL, NULL, &extra);
    assert_null(extra.before);
    assert_null(extra.after);
    fg_frame_submit_failed(NULL);
    fg_frame_end(NULL);
    fg_commands_end(NULL);
    fg_commands_destroy(NULL);
    fg_commands_graph_pass_begin(NULL, 0, NULL);
    fg_commands_graph_pass_end(NULL);
    fg_gpu_pass_begin(NULL, NULL);
    fg_gpu_pass_end(NULL);
    fg_gpu_execute(NULL, NULL, 0);
    fg_gpu_pipeline(NULL, 1);
    fg_gpu_draw(NULL, 1, 1);
    fg_gpu_draw_indexed(NULL, 1, 1);
    fg_gpu_draw_mesh(NULL, 1, 1, 1);
    fg_gpu_trace_rays(NULL, 1, 1, 1);
    fg_gpu_dispatch(NULL, 1, 1, 1);
    fg_gpu_draw_indirect(NULL, NULL);
    fg_gpu_draw_indexed_indirect(NULL, NULL);
    fg_gpu_dispatch_indirect(NULL, NULL);
    fg_gpu_copy(NULL, 1);
    fg_gpu_clear(NULL);
    fg_gpu_bind(NULL, NULL, 1);
    fg_session_stop(NULL);
    fg_session_destroy(NULL);
    fg_device_poll(NULL);
    fg_device_report_lost(NULL);
    fg_device_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_default_to_workload_in_memory),
        cmocka_unit_test(metadata_is_filled_before_start_and_refused_after),
        cmocka_unit_test(a_build_is_production_or_development_or_not_said),
        cmocka_unit_test(every_level_keeps_what_it_says_and_no_more),
        cmocka_unit_test(the_frame_limit_stops_as_stop_does),
        cmocka_unit_test(the_budget_warns_once_with_level_and_rate_and_goes_on),
        cmocka_unit_test(a_snapshot_is_a_capture_and_the_recording_goes_on),
        cmocka_unit_test(a_session_writes_to_a_file_and_can_be_looked_at_meanwhile),
        cmocka_unit_test(several_sessions_record_one_device_each_at_its_level),
        cmocka_unit_test(a_ninth_session_is_refused),
        cmocka_unit_test(a_device_has_one_stamping_owner),
        cmocka_unit_test(a_session_that_outlives_its_device_cannot_start_but_can_be_finished),
        cmocka_unit_test(notes_name_their_frame),
        cmocka_unit_test(a_sink_that_fails_stops_the_session_and_nothing_else),
        cmocka_unit_test(a_forks_child_does_not_record),
        cmocka_unit_test(everything_accepts_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
