/* SPDX-License-Identifier: MIT */
/*
 * Several threads record the command buffers of one frame while results come and sessions change.
 */
#include "record_bed.h"
#include "base/thread.h"
#include "../support/cmocka_all.h"

#include <stdatomic.h>
#include <stdio.h>

#define THREADS 4
#define FRAMES  50
#define PASSES  20

struct worker {
    struct fg_frame *frame;
    struct fg_software_commands *native;
    struct fg_commands *commands;
    uint32_t number;
};

static void record_one(void *context)
{
    struct worker *worker = context;
    fg_software_commands_reset(worker->native);
    worker->commands =
        fg_commands_begin(worker->frame, &(struct fg_commands_desc){ .native = worker->native });
    for (uint32_t i = 0; i < PASSES; i++) {
        char label[32];
        (void)snprintf(label, sizeof label, "thread %u pass %u", worker->number, i);
        fg_commands_graph_pass_begin(worker->commands, worker->number, label);
        fg_gpu_pass_begin(worker->commands, &(struct fg_gpu_pass_desc){ .label = label });
        fg_gpu_dispatch(worker->commands, worker->number + 1, i + 1, 1);
        fg_software_work(worker->native, 10, 0);
        fg_gpu_pass_end(worker->commands);
        fg_commands_graph_pass_end(worker->commands);
    }
    fg_commands_end(worker->commands);
}

static void run_frame(struct bed *bed, struct fg_software_commands **natives)
{
    struct worker workers[THREADS];
    struct fgi_thread *threads[THREADS];
    struct fg_commands *commands[THREADS];
    static const struct fg_graph_pass passes[THREADS] = {
        { .name = "a" }, { .name = "b" }, { .name = "c" }, { .name = "d" }
    };
    struct fg_frame *frame = fg_frame_begin(bed->device);
    fg_frame_set_graph(frame, &(struct fg_graph_desc){ .passes = passes, .pass_count = THREADS });
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){ .frame = frame, .native = natives[i], .number = i };
        assert_int_equal(fgi_thread_create(NULL, record_one, &workers[i], &threads[i]), FG_OK);
    }
    fg_frame_counter(frame, "while they record", FG_UNIT_COUNT, 1);
    fg_device_poll(bed->device);
    for (uint32_t i = 0; i < THREADS; i++) {
        fgi_thread_join(threads[i]);
        commands[i] = workers[i].commands;
    }
    fg_frame_submit(
        frame, &(struct fg_submission){ .commands = commands, .commands_count = THREADS }, NULL);
    assert_int_equal(fg_software_submit(bed->device,
                                        &(struct fg_software_submission){
                                            .commands = natives, .commands_count = THREADS }),
                     FG_OK);
    fg_frame_end(frame);
    fg_software_advance(bed->device, 1000000);
}

static void threads_record_command_buffers_of_one_frame_at_once(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_commands *natives[THREADS];
    (void)state;
    bed_open(&bed, &(struct fg_software_options){ .latency_ns = 2500000 }, NULL);
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(fg_software_commands_create(bed.device, &natives[i]), FG_OK);
    }
    for (int i = 0; i < FRAMES; i++) {
        run_frame(&bed, natives);
    }
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(seen.frames[f].pass_count, THREADS * PASSES);
        assert_int_equal(seen.frames[f].dropped, 0);
        for (uint32_t p = 0; p < THREADS * PASSES; p++) {
            const struct seen_pass *pass = &seen.frames[f].passes[p];
            char label[32];
            (void)snprintf(label, sizeof label, "thread %u pass %u", p / PASSES, p % PASSES);
            assert_string_equal(pass->label, label);
            assert_int_equal(pass->graph_pass, p / PASSES);
            assert_int_equal(pass->works[0].y, p % PASSES + 1);
            assert_int_equal(seen_duration(pass), 10);
        }
    }
    seen_free(&seen);
    for (uint32_t i = 0; i < THREADS; i++) {
        fg_software_commands_destroy(natives[i]);
    }
    bed_close(&bed);
}

struct meddler {
    struct fg_device *device;
    atomic_bool stop;
    int sessions;
};

static void start_and_stop_sessions(void *context)
{
    struct meddler *meddler = context;
    /* acquire: pairs with the release where the test asks it to stop */
    while (!atomic_load_explicit(&meddler->stop, memory_order_acquire)) {
        struct fg_session *session = NULL;
        struct fg_session_status status;
        if (fg_session_create(meddler->device, NULL, &session) == FG_OK &&
            fg_session_start(session) == FG_OK) {
            fg_device_poll(meddler->device);
            fg_session_get_status(session, &status);
            meddler->sessions++;
        }
        fg_session_destroy(session);
    }
}

static void sessions_come_and_go_on_another_thread(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fgi_thread *thread;
    struct meddler meddler = { 0 };
    (void)state;
    /*
     * The software device's own clock may only move while nobody looks: here it is the machine's.
     */
    bed_open(&bed, &(struct fg_software_options){ .flags = FG_SOFTWARE_REAL_TIME }, NULL);
    meddler.device = bed.device;
    assert_int_equal(fgi_thread_create(NULL, start_and_stop_sessions, &meddler, &thread), FG_OK);
    for (int i = 0; i < 200; i++) {
        bed_begin(&bed, 1);
        bed_pass(&bed, 0, "pass", 10);
        /* submitting and looking at results are the application's to keep apart: one poll at a
         * time is what the lock gives; the device's queues only change in the submit */
        fg_commands_end(bed.commands[0]);
        fg_frame_end(bed.frame);
    }
    atomic_store_explicit(&meddler.stop, true, memory_order_release); /* pairs with the acquire */
    fgi_thread_join(thread);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 200);
    assert_true(meddler.sessions > 0);
    seen_free(&seen);
    bed_close(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_record_command_buffers_of_one_frame_at_once),
        cmocka_unit_test(sessions_come_and_go_on_another_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
