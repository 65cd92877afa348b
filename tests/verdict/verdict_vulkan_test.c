/* SPDX-License-Identifier: MIT */
/*
 * What bounds frames of a real driver, where the program sees to it: it works until the GPU is done
 * (balanced), much longer than that (CPU), or waits for it and says so (GPU). No length is assumed:
 * the CPU's part is made from what the GPU took. Where both are the same processor and it has other
 * things to do, single frames are not what they were meant to be; then all of them are made again.
 */
#include "cmocka_all.h"
#include "vulkan_bed.h"

#include <frameglass/gpu.h>
#include <frameglass/gpu_vulkan.h>
#include <frameglass/open.h>
#include <frameglass/trace_query.h>

#include <stdio.h>
#include <stdlib.h>

#define MS INT64_C(1000000)

enum { FRAMES = 11, GROUPS = 64, GPU_SHARE = 4, TRIES = 5 };

enum kind { KIND_CPU, KIND_GPU, KIND_BALANCED, KIND_ALTERNATING };

struct fixture {
    struct bed bed;
    struct fg_device *device;
    struct fg_session *session;
    VkFence fence;
    VkCommandBuffer commands;
    uint32_t loops; /**< of a dispatch that takes tens of milliseconds */
};

static int64_t dispatch_duration_ns(struct fixture *fixture, uint32_t loops)
{
    bed_begin(fixture->commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    bed_dispatch(&fixture->bed, fixture->commands, loops, GROUPS);
    bed_end(fixture->commands);
    const int64_t begin_ns = bed_clock_ns();
    bed_submit(&fixture->bed, &fixture->commands, 1, fixture->fence);
    bed_fence_wait(&fixture->bed, fixture->fence);
    return bed_clock_ns() - begin_ns;
}

static bool fixture_open(struct fixture *fixture, uint32_t device_flags)
{
    *fixture = (struct fixture){ .loops = 16 };
    if (!bed_create(&fixture->bed, 0)) {
        return false;
    }
    struct bed *bed = &fixture->bed;
    fixture->fence = bed_fence(bed);
    fixture->commands = bed_commands(bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    while (dispatch_duration_ns(fixture, fixture->loops) < 40 * MS && fixture->loops < 1u << 24) {
        fixture->loops *= 2;
    }
    const struct fg_vulkan_queue queue = { bed->queue, bed->family, NULL };
    const struct fg_vulkan_options options = {
        .flags = device_flags,
        .instance = bed->instance,
        .physical_device = bed->physical,
        .device = bed->device,
        .get_instance_proc_addr = vkGetInstanceProcAddr,
        .queues = &queue,
        .queue_count = 1,
        .create_info = &bed->create_info,
    };
    return fg_vulkan_device_create(&options, &fixture->device) == FG_OK &&
           fg_session_create(fixture->device, NULL, &fixture->session) == FG_OK &&
           fg_session_start(fixture->session) == FG_OK;
}

static void fixture_close(struct fixture *fixture)
{
    bed_wait_idle(&fixture->bed);
    fg_session_destroy(fixture->session);
    fg_device_destroy(fixture->device);
    vkDestroyFence(fixture->bed.device, fixture->fence, NULL);
    bed_destroy(&fixture->bed);
    assert_int_equal(atomic_load(&fixture->bed.messages), 0);
}

static bool is_done(struct fixture *fixture)
{
    return vkGetFenceStatus(fixture->bed.device, fixture->fence) == VK_SUCCESS;
}

static void work_until(int64_t end_ns)
{
    while (bed_clock_ns() < end_ns) {
    }
}

/* When the driver was called: a software driver may work in the call. */
static int64_t submit(struct fixture *fixture, struct fg_frame *frame, uint32_t loops)
{
    bed_begin(fixture->commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    struct fg_commands *commands =
        fg_commands_begin(frame, &(struct fg_commands_desc){ .native = fixture->commands });
    fg_gpu_pass_begin(commands,
                      &(struct fg_gpu_pass_desc){ .label = "burn", .kind = FG_GPU_PASS_COMPUTE });
    bed_dispatch(&fixture->bed, fixture->commands, loops, GROUPS);
    fg_gpu_pass_end(commands);
    fg_commands_end(commands);
    bed_end(fixture->commands);
    const struct fg_vulkan_submission submission = {
        .commands = &commands,
        .commands_count = 1,
        .fence = fixture->fence,
    };
    const VkSubmitInfo batch = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &fixture->commands,
    };
    const int64_t called_ns = bed_clock_ns();
    assert_int_equal(fg_vulkan_submit(fixture->device, frame, &submission, &batch), VK_SUCCESS);
    return called_ns;
}

static void run_frame(struct fixture *fixture, enum kind kind, int number)
{
    const enum kind turn = kind != KIND_ALTERNATING ? kind : number % 2 ? KIND_CPU : KIND_GPU;
    struct fg_frame *frame = fg_frame_begin(fixture->device);
    const int64_t begin_ns = bed_clock_ns();
    const int64_t called_ns = submit(fixture, frame, turn == KIND_CPU ? 1 : fixture->loops);
    if (turn == KIND_GPU) {
        bed_fence_wait(&fixture->bed, fixture->fence);
        fg_frame_waited(frame, FG_WAIT_OTHER, bed_clock_ns() - called_ns);
    } else {
        while (!is_done(fixture)) { /* so long is its work, too */
        }
        const int64_t now_ns = bed_clock_ns();
        work_until(turn == KIND_CPU ? now_ns + GPU_SHARE * (now_ns - begin_ns) + 4 * MS : now_ns);
        bed_fence_wait(&fixture->bed, fixture->fence);
    }
    fg_frame_end(frame);
}

/* What bounds the frames of a run, less the last, which has no length. */
static struct fg_verdict_window judge(struct fixture *fixture)
{
    struct fg_verdict_window window;
    struct fg_document *document;
    struct fg_query *query;
    struct fg_diag diag;
    size_t size = 0;
    assert_int_equal(fg_session_finish(fixture->session, 20000 * MS), FG_OK);
    const void *bytes = fg_session_bytes(fixture->session, &size);
    struct fg_memory_view view = { bytes, size };
    const struct fg_source source = fg_memory_source(&view);
    assert_int_equal(fg_open_source(&source, NULL, &diag, &document), FG_OK);
    assert_int_equal(fg_document_load(document, &diag), FG_OK);
    assert_int_equal(fg_query_create(fg_document_engine(document), NULL, NULL, NULL, &query),
                     FG_OK);
    assert_int_equal(fg_query_verdict(query, 0, FRAMES - 1, &window), FG_OK);
    fg_query_destroy(query);
    fg_document_close(document);
    return window;
}

static struct fg_verdict_window run(uint32_t device_flags, enum kind kind)
{
    struct fixture fixture;
    assert_true(fixture_open(&fixture, device_flags));
    for (int i = 0; i < FRAMES; i++) {
        run_frame(&fixture, kind, i);
    }
    const struct fg_verdict_window window = judge(&fixture);
    fixture_close(&fixture);
    assert_int_equal(window.frame_count, FRAMES - 1);
    assert_int_equal(window.counts[FG_VERDICT_PRESENT], 0);
    assert_int_equal(window.inferred_count, device_flags != 0 ? FRAMES - 1 : 0);
    return window;
}

/* A frame in which neither got the processor cannot be told. */
static bool is_as(const struct fg_verdict_window *window, enum fg_verdict verdict)
{
    return window->verdict == verdict && window->counts[FG_VERDICT_UNKNOWN] < FRAMES / 2;
}

static void expect(uint32_t device_flags, enum kind kind, enum fg_verdict verdict)
{
    struct fg_verdict_window window = run(device_flags, kind);
    for (int i = 1; i < TRIES && !is_as(&window, verdict); i++) {
        window = run(device_flags, kind);
    }
    if (!is_as(&window, verdict)) {
        fail_msg("untold %u, CPU %u, GPU %u, balanced %u frames",
                 (unsigned)window.counts[FG_VERDICT_UNKNOWN],
                 (unsigned)window.counts[FG_VERDICT_CPU], (unsigned)window.counts[FG_VERDICT_GPU],
                 (unsigned)window.counts[FG_VERDICT_BALANCED]);
    }
}

static void the_longer_side_bounds_the_frame(void **state)
{
    (void)state;
    expect(0, KIND_CPU, FG_VERDICT_CPU);
    expect(0, KIND_GPU, FG_VERDICT_GPU);
}

static void a_program_that_works_as_long_as_the_gpu_is_balanced(void **state)
{
    (void)state;
    expect(0, KIND_BALANCED, FG_VERDICT_BALANCED);
}

static void by_turns_nothing_bounds_most_of_the_frames(void **state)
{
    (void)state;
    expect(0, KIND_ALTERNATING, FG_VERDICT_MIXED);
}

static void without_timestamps_the_same_is_inferred(void **state)
{
    (void)state;
    expect(FG_VULKAN_NO_TIMESTAMPS, KIND_GPU, FG_VERDICT_GPU);
    expect(FG_VULKAN_NO_TIMESTAMPS, KIND_CPU, FG_VERDICT_CPU);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longer_side_bounds_the_frame),
        cmocka_unit_test(a_program_that_works_as_long_as_the_gpu_is_balanced),
        cmocka_unit_test(by_turns_nothing_bounds_most_of_the_frames),
        cmocka_unit_test(without_timestamps_the_same_is_inferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
