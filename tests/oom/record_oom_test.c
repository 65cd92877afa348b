/* SPDX-License-Identifier: MIT */
/* A recording while allocation number 0, 1, 2... fails: no crash, no leak, nothing invented. */
#include <frameglass/capture.h>
#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>
#include <frameglass/graph.h>
#include <frameglass/session.h>
#include "../support/cmocka_all.h"
#include "../support/failing_memory.h"

#include <string.h>

static const uint32_t created[] = { 0 };
static const char *const scopes[] = { "outer", "inner" };
static const struct fg_graph_pass passes[] = {
    { .name = "one", .scopes = scopes, .scope_count = 2, .creates = created, .create_count = 1 },
    { .name = "two", .reads = created, .read_count = 1 },
};
static const struct fg_graph_resource resources[] = {
    { .id = 5, .name = "thing", .desc = { .kind = FG_RESOURCE_BUFFER, .size_bytes = 64 } },
};
static const struct fg_graph_edge edges[] = { { 0, 1 } };

static void record_commands(struct fg_device *device, struct fg_commands *commands,
                            struct fg_software_commands *native)
{
    static uint32_t arguments[4];
    uint32_t pipeline =
        fg_pipeline_register(device, &(struct fg_pipeline_desc){ .label = "pipeline" });
    for (uint32_t i = 0; i < 2; i++) {
        fg_commands_graph_pass_begin(commands, i, passes[i].name);
        fg_gpu_pass_begin(
            commands, &(struct fg_gpu_pass_desc){ .label = passes[i].name, .statistics = true });
        fg_gpu_pipeline(commands, pipeline);
        fg_gpu_bind(commands, &(struct fg_binding){ .resource = 5 }, 1);
        fg_gpu_dispatch(commands, 1, 2, 3);
        fg_gpu_dispatch_indirect(commands,
                                 &(struct fg_indirect){ .buffer = (uint64_t)(uintptr_t)arguments });
        fg_software_work(native, 1000, 1);
        fg_gpu_pass_end(commands);
        fg_commands_graph_pass_end(commands);
    }
    fg_commands_end(commands);
}

struct natives {
    struct fg_software_commands *once;
    struct fg_software_commands *reused;
    struct fg_commands *reused_commands;
};

static void run_frame(struct fg_device *device, struct natives *natives)
{
    const struct fg_semaphore_op signal = { 1, 1 };
    struct fg_submit_extra extra;
    struct fg_frame *frame = fg_frame_begin(device);
    fg_software_commands_reset(natives->once);
    fg_frame_set_graph(frame, &(struct fg_graph_desc){ .passes = passes,
                                                       .pass_count = 2,
                                                       .resources = resources,
                                                       .resource_count = 1,
                                                       .edges = edges,
                                                       .edge_count = 1 });
    struct fg_commands *once =
        fg_commands_begin(frame, &(struct fg_commands_desc){ .native = natives->once });
    record_commands(device, once, natives->once);
    fg_frame_counter(frame, "counter", FG_UNIT_COUNT, 1);
    struct fg_commands *commands[] = { once, natives->reused_commands };
    struct fg_software_commands *list[] = { natives->once, natives->reused };
    fg_frame_submit(
        frame,
        &(struct fg_submission){
            .commands = commands, .commands_count = 2, .signals = &signal, .signal_count = 1 },
        &extra);
    if (fg_software_submit(device, &(struct fg_software_submission){ .commands = list,
                                                                     .commands_count = 2,
                                                                     .extra = extra }) != FG_OK) {
        fg_frame_submit_failed(frame);
    }
    fg_frame_end(frame);
    fg_software_advance(device, 10000000);
}

/* What is written can be read, whatever was refused: no defect, and no time that was not taken. */
static void check(const void *bytes, size_t size)
{
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture = NULL;
    struct fg_capture_record record;
    if (size == 0 || fg_capture_open(&source, NULL, NULL, &capture) != FG_OK) {
        return; /* it did not get so far */
    }
    while (fg_capture_next(capture, &record) == FG_OK) {
        for (size_t i = 0; record.type == FG_CAPTURE_GSPN && i < record.gpu_frame->span_count;
             i++) {
            const struct fg_cap_gpu_span *span = &record.gpu_frame->spans[i];
            if (span->status == FG_CAP_SPAN_OK) {
                assert_int_equal(span->end_ticks - span->begin_ticks, 1000);
            }
        }
    }
    const struct fg_capture_defect *defects;
    size_t count;
    defects = fg_capture_defects(capture, &count);
    for (size_t i = 0; i < count; i++) {
        fail_msg("%s", fg_capture_defect_name(defects[i].kind));
    }
    fg_capture_close(capture);
}

/* True when nothing at all was refused. */
static bool record(const struct fg_allocator *allocator)
{
    struct fg_software_options device_options = { .allocator = allocator };
    struct fg_session_options options = { .allocator = allocator,
                                          .level = FG_LEVEL_VERBOSE,
                                          .flags = FG_SESSION_RESOLVE_INDIRECT,
                                          .note = "note" };
    struct fg_device *device = NULL;
    struct fg_session *session = NULL;
    struct natives natives = { NULL, NULL, NULL };
    bool done = false;
    if (fg_software_device_create(&device_options, &device) == FG_OK &&
        fg_software_commands_create(device, &natives.once) == FG_OK &&
        fg_software_commands_create(device, &natives.reused) == FG_OK &&
        fg_session_create(device, &options, &session) == FG_OK &&
        fg_session_set_meta(session, "key", "value") == FG_OK &&
        fg_session_add_feature(session, "feature") == FG_OK && fg_session_start(session) == FG_OK) {
        struct fg_session_status status;
        size_t size;
        natives.reused_commands =
            fg_commands_create(device, &(struct fg_commands_desc){ .native = natives.reused });
        record_commands(device, natives.reused_commands, natives.reused);
        for (int i = 0; i < 3; i++) {
            run_frame(device, &natives);
        }
        done = natives.reused_commands != NULL && fg_session_finish(session, 1000000) == FG_OK;
        fg_session_get_status(session, &status);
        done = done && status.frames_written == 3 && status.dropped == 0;
        const void *bytes = fg_session_bytes(session, &size);
        check(bytes, size);
    }
    fg_commands_destroy(natives.reused_commands);
    fg_software_commands_destroy(natives.once);
    fg_software_commands_destroy(natives.reused);
    fg_session_destroy(session);
    fg_device_destroy(device);
    return done;
}

static void every_allocation_of_a_recording_may_fail(void **state)
{
    bool done = false;
    (void)state;
    for (long refused = 0; refused < 5000 && !done; refused++) {
        struct failing failing = { .countdown = refused };
        struct fg_allocator allocator = failing_allocator(&failing);
        (void)record(&allocator);
        assert_int_equal(failing.alive, 0);
        done = !failing.refused;
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_recording_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
