/* SPDX-License-Identifier: MIT */
/* A flight recorder while allocation number 0, 1, 2... fails: no crash, no leak, no torn dump. */
#include "failing_memory.h"
#include "flight_bed.h"
#include "suite_guard.h"

#include <string.h>

static char folder[FLIGHT_PATH_BYTES];

static void run_frame(struct fg_device *device, struct fg_software_commands *native, int64_t cpu_ns)
{
    struct fg_frame *frame = fg_frame_begin(device);
    fg_software_commands_reset(native);
    struct fg_commands *commands =
        fg_commands_begin(frame, &(struct fg_commands_desc){ .native = native });
    fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "pass" });
    fg_software_work(native, 1000, 1);
    fg_gpu_pass_end(commands);
    fg_commands_end(commands);
    fg_frame_submit(frame, &(struct fg_submission){ .commands = &commands, .commands_count = 1 },
                    NULL);
    fg_software_advance(device, cpu_ns);
    if (fg_software_submit(device, &(struct fg_software_submission){
                                       .commands = &native, .commands_count = 1 }) != FG_OK) {
        fg_frame_submit_failed(frame);
    }
    fg_frame_end(frame);
    fg_software_advance(device, 10 * MS);
}

static void record(const struct fg_allocator *allocator)
{
    const struct fg_flight_metric metric = { .name = "counter", .value = 1 };
    const struct fg_flight_options flight = {
        .folder = folder,
        .ring_bytes = 256 * KIB,
        .frame_ns = 5 * MS,
        .percentile = 50,
        .frames = 4,
        .metrics = &metric,
        .metric_count = 1,
        .signals = FG_FLIGHT_ALL_SIGNALS,
        .after_frames = 1,
    };
    const struct fg_session_options options = { .allocator = allocator, .flight = &flight };
    struct fg_device *device = NULL;
    struct fg_session *session = NULL;
    struct fg_software_commands *native = NULL;
    if (fg_software_device_create(&(struct fg_software_options){ .allocator = allocator },
                                  &device) == FG_OK &&
        fg_software_commands_create(device, &native) == FG_OK &&
        fg_session_create(device, &options, &session) == FG_OK &&
        fg_session_start(session) == FG_OK) {
        for (int i = 0; i < 6; i++) {
            run_frame(device, native, i == 3 ? 6 * MS : MS);
            if (i == 4) {
                /* The thread that writes has the same allocator, which counts without a lock. */
                (void)fg_flight_wait(session, 60 * (int64_t)SECOND_NS);
            }
        }
        (void)fg_flight_dump(session, "asked for");
        (void)fg_session_finish(session, SECOND_NS);
        struct fg_flight_status status;
        fg_flight_get_status(session, &status);
        struct flight_files files;
        flight_files_list(&files, folder);
        assert_int_equal(files.count, status.written);
    }
    fg_session_destroy(session);
    fg_software_commands_destroy(native);
    fg_device_destroy(device);
}

static void every_allocation_of_a_flight_recorder_may_fail(void **state)
{
    bool done = false;
    (void)state;
    for (long refused = 0; refused < 5000 && !done; refused++) {
        struct failing failing = { .countdown = refused };
        struct fg_allocator allocator = failing_allocator(&failing);
        struct flight_files files;
        flight_folder_make(folder);
        record(&allocator);
        assert_int_equal(failing.alive, 0);
        flight_files_list(&files, folder);
        for (size_t i = 0; i < files.count; i++) {
            struct seen seen;
            flight_dump_read(&seen, folder, files.names[i]);
            assert_true(seen.info.closed);
            seen_free(&seen);
        }
        flight_folder_remove(folder);
        done = !failing.refused;
    }
    assert_true(done);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_allocation_of_a_flight_recorder_may_fail),
};
FGT_INSTRUMENT_SUITE(flight_oom, tests)
