/* SPDX-License-Identifier: MIT */
/* Whole recordings on a real driver, read back through the capture reader. */
#include "base/thread.h"
#include "capture_seen.h"
#include "cmocka_all.h"
#include "counting.h"
#include "equal_work.h"
#include <frameglass/graph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOPS = 64, GROUPS = 8, FRAMES = 8, IN_FLIGHT = 2, FINISH_SECONDS = 20 };

struct fixture {
    struct counting counting;
    struct bed bed;
    struct fg_device *device;
    struct fg_session *session;
    VkFence fences[IN_FLIGHT];
    VkCommandBuffer commands[IN_FLIGHT];
    uint32_t pipeline; /**< of the dispatches */
    uint64_t frame;
};

static struct fg_device *make_device(struct fixture *fixture, uint32_t flags,
                                     const struct fg_recorder_limits *limits)
{
    const struct bed *bed = &fixture->bed;
    struct fg_device *device = NULL;
    const struct fg_vulkan_queue queues[2] = { { bed->queue, bed->family, NULL },
                                               { bed->async_queue, bed->async_family, NULL } };
    struct fg_vulkan_options options = {
        .allocator = &fixture->counting.allocator,
        .callbacks = &fixture->counting.callbacks,
        .flags = flags,
        .instance = bed->instance,
        .physical_device = bed->physical,
        .device = bed->device,
        .get_instance_proc_addr = vkGetInstanceProcAddr,
        .queues = queues,
        .queue_count = bed->has_async ? 2 : 1,
        .create_info = &bed->create_info,
    };
    if (limits != NULL) {
        options.limits = *limits;
    }
    return fg_vulkan_device_create(&options, &device) == FG_OK ? device : NULL;
}

static uint32_t register_dispatch(struct fg_device *device)
{
    const uint32_t width = 32;
    const VkSpecializationMapEntry entry = { BED_LOCAL_SIZE_ID, 0, sizeof width };
    const VkSpecializationInfo specialization = { 1, &entry, sizeof width, &width };
    const VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .pName = "main",
        .pSpecializationInfo = &specialization,
    };
    size_t count;
    const uint32_t *words = bed_dispatch_words(&count);
    return fg_vulkan_pipeline_register(device, "burn", &stage, words, count, NULL);
}

static int open_with(void **state, uint32_t device_flags, uint32_t session_flags,
                     const struct fg_recorder_limits *limits)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    if (fixture == NULL || !bed_create(&fixture->bed, 0)) {
        return -1;
    }
    counting_init(&fixture->counting);
    fixture->device = make_device(fixture, device_flags, limits);
    if (fixture->device == NULL ||
        fg_session_create(
            fixture->device,
            FG_SESSION_OPTIONS(.allocator = &fixture->counting.allocator, .flags = session_flags),
            &fixture->session) != FG_OK ||
        fg_session_start(fixture->session) != FG_OK) {
        return -1;
    }
    fixture->pipeline = register_dispatch(fixture->device);
    for (int i = 0; i < IN_FLIGHT; i++) {
        fixture->fences[i] = bed_fence(&fixture->bed);
        fixture->commands[i] = bed_commands(&fixture->bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    }
    *state = fixture;
    return 0;
}

static int open_plain(void **state)
{
    return open_with(state, 0, 0, NULL);
}

static int open_resolving(void **state)
{
    return open_with(state, 0, FG_SESSION_RESOLVE_INDIRECT, NULL);
}

static int open_small(void **state)
{
    const struct fg_recorder_limits limits = { .passes = 4 };
    return open_with(state, 0, 0, &limits);
}

static int open_without_timestamps(void **state)
{
    return open_with(state, FG_VULKAN_NO_TIMESTAMPS, 0, NULL);
}

static int open_without_extras(void **state)
{
    return open_with(state,
                     FG_VULKAN_NO_CALIBRATION | FG_VULKAN_NO_PIPELINE_STATISTICS |
                         FG_VULKAN_NO_MEMORY_BUDGET,
                     0, NULL);
}

static int open_without_host_reset(void **state)
{
    return open_with(state, FG_VULKAN_NO_HOST_QUERY_RESET, 0, NULL);
}

static int close_clean(void **state)
{
    struct fixture *fixture = *state;
    bed_wait_idle(&fixture->bed);
    fg_session_destroy(fixture->session);
    fg_device_destroy(fixture->device);
    for (int i = 0; i < IN_FLIGHT; i++) {
        vkDestroyFence(fixture->bed.device, fixture->fences[i], NULL);
    }
    bed_destroy(&fixture->bed);
    unsigned messages = atomic_load(&fixture->bed.messages);
    long left = atomic_load(&fixture->counting.live_bytes);
    long blocks = atomic_load(&fixture->counting.live_blocks);
    if (left != 0 || blocks != 0) {
        fprintf(stderr, "%ld bytes and %ld blocks of Vulkan were not given back\n", left, blocks);
    }
    free(fixture);
    return messages == 0 && left == 0 && blocks == 0 ? 0 : -1;
}

/** Stop, wait for the rest, read. */
static struct seen *finish(struct fixture *fixture)
{
    size_t size = 0;
    assert_int_equal(fg_session_finish(fixture->session, FINISH_SECONDS * INT64_C(1000000000)),
                     FG_OK);
    const void *bytes = fg_session_bytes(fixture->session, &size);
    assert_non_null(bytes);
    struct seen *seen = seen_read(bytes, size);
    assert_true(seen->closed);
    assert_int_equal(seen->defect_count, 0);
    return seen;
}

static void expect_timed(const struct seen_pass *pass)
{
    assert_non_null(pass);
    assert_true(pass->has_span);
    assert_int_equal(pass->span.status, FG_CAP_SPAN_OK);
    assert_true(pass->span.end_ticks > pass->span.begin_ticks);
}

/** The next command buffer, begun; its last use has ended. */
static VkCommandBuffer next_commands(struct fixture *fixture)
{
    uint32_t i = (uint32_t)(fixture->frame % IN_FLIGHT);
    if (fixture->frame >= IN_FLIGHT) {
        bed_fence_wait(&fixture->bed, fixture->fences[i]);
    }
    bed_begin(fixture->commands[i], VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    return fixture->commands[i];
}

static void submit(struct fixture *fixture, struct fg_frame *frame, VkCommandBuffer native,
                   struct fg_commands *const *commands, uint32_t count)
{
    const struct fg_vulkan_submission submission = {
        .commands = commands,
        .commands_count = count,
        .fence = fixture->fences[fixture->frame % IN_FLIGHT],
    };
    const VkSubmitInfo batch = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &native,
    };
    assert_int_equal(fg_vulkan_submit(fixture->device, frame, &submission, &batch), VK_SUCCESS);
    fixture->frame++;
}

static void draw_pass(struct fixture *fixture, VkCommandBuffer native, struct fg_commands *commands)
{
    const VkRenderingAttachmentInfo info = { .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                             .storeOp = VK_ATTACHMENT_STORE_OP_STORE };
    const struct fg_attachment attachment = fg_vulkan_attachment(
        &info, VK_FORMAT_R8G8B8A8_UNORM, (VkExtent2D){ BED_WIDTH, BED_HEIGHT });
    const struct fg_gpu_pass_desc desc = {
        .label = "draw",
        .kind = FG_GPU_PASS_RENDER,
        .attachment_count = 1,
        .attachments = &attachment,
        .statistics = true,
    };
    fg_commands_graph_pass_begin(commands, 0, "graph draw");
    fg_gpu_pass_begin(commands, &desc);
    bed_barrier(&fixture->bed, native);
    bed_rendering_begin(&fixture->bed, native, 0, 0);
    bed_draw(&fixture->bed, native, LOOPS);
    fg_gpu_draw(commands, 3, 1);
    bed_rendering_end(native);
    fg_gpu_pass_end(commands);
    fg_commands_graph_pass_end(commands);
}

static void dispatch_pass(struct fixture *fixture, VkCommandBuffer native,
                          struct fg_commands *commands, const char *label)
{
    const struct fg_gpu_pass_desc desc = {
        .label = label,
        .kind = FG_GPU_PASS_COMPUTE,
        .statistics = true,
    };
    fg_gpu_pass_begin(commands, &desc);
    bed_barrier(&fixture->bed, native);
    fg_gpu_pipeline(commands, fixture->pipeline);
    bed_dispatch(&fixture->bed, native, LOOPS, GROUPS);
    fg_gpu_dispatch(commands, GROUPS, 1, 1);
    fg_gpu_pass_end(commands);
}

/** A frame of one draw and one dispatch. */
static void record_frame(struct fixture *fixture)
{
    struct fg_frame *frame = fg_frame_begin(fixture->device);
    assert_non_null(frame);
    VkCommandBuffer native = next_commands(fixture);
    struct fg_commands *commands = fg_vulkan_commands_begin(frame, native, 0, 0);
    draw_pass(fixture, native, commands);
    dispatch_pass(fixture, native, commands, "dispatch");
    fg_commands_end(commands);
    bed_end(native);
    submit(fixture, frame, native, &commands, 1);
    fg_frame_end(frame);
}

static void expect_frame(const struct fixture *fixture, const struct seen_frame *frame)
{
    const struct seen_pass *draw = seen_find(frame, "draw");
    const struct seen_pass *dispatch = seen_find(frame, "dispatch");
    assert_true(frame->landed);
    expect_timed(draw);
    expect_timed(dispatch);
    assert_true(dispatch->span.begin_ticks >= draw->span.end_ticks);
    assert_int_equal(draw->pass.kind, FG_CAP_GPU_PASS_RENDER);
    assert_int_equal(draw->work_count, 1);
    assert_int_equal(draw->work.x, 3);
    assert_int_equal(draw->attachment_count, 1);
    assert_int_equal(draw->attachment.format, VK_FORMAT_R8G8B8A8_UNORM);
    assert_int_equal(draw->attachment.load, FG_CAP_LOAD_CLEAR);
    assert_int_equal(draw->attachment.width, BED_WIDTH);
    assert_int_equal(dispatch->work.kind, FG_CAP_WORK_DISPATCH);
    assert_int_equal(dispatch->work.x, GROUPS);
    assert_int_equal(dispatch->work.workgroup_x, 32);
    assert_int_equal(dispatch->work.workgroup_y, 2);
    assert_int_equal(dispatch->work.workgroup_z, 1);
    if (fixture->bed.has_statistics) {
        assert_int_equal(draw->statistics_mask, 0x7ff);
        assert_int_equal(draw->statistics[0], 3);
        assert_int_equal(dispatch->statistics[10], GROUPS * 32 * 2);
    } else {
        assert_int_equal(draw->statistics_mask, 0);
    }
}

static void a_recording_is_complete_and_reads_back(void **state)
{
    struct fixture *fixture = *state;
    struct fg_vulkan_counts early = { 0 };
    struct fg_vulkan_counts late;
    uint64_t last_end = 0;
    for (int i = 0; i < FRAMES; i++) {
        record_frame(fixture);
        if (i == FRAMES / 2) {
            fg_vulkan_get_counts(fixture->device, &early);
        }
    }
    fg_vulkan_get_counts(fixture->device, &late);
    assert_true(late.query_pools > 0);
    assert_true(atomic_load(&fixture->counting.total_blocks) > 0);
    assert_int_equal(late.query_pools, early.query_pools);
    struct seen *seen = finish(fixture);
    assert_int_equal(seen->frame_count, FRAMES);
    assert_string_equal(seen->adapter, fixture->bed.properties.deviceName);
    assert_true(seen->feature_count > 0 && seen->limit_count > 0);
    for (size_t i = 0; i < seen->frame_count; i++) {
        const struct seen_frame *frame = &seen->frames[i];
        expect_frame(fixture, frame);
        assert_true(frame->passes[0].span.begin_ticks >= last_end);
        last_end = frame->passes[1].span.end_ticks;
        assert_int_equal(frame->frame.submission_count, 1);
        for (int reason = 0; reason < SEEN_DROPS; reason++) {
            assert_int_equal(frame->drops[reason], 0);
        }
    }
    seen_free(seen);
}

/** Calibrated times lie between the host's submit and the moment when the fence was seen. */
static bool driver_tells_memory(const struct bed *bed)
{
    VkExtensionProperties extensions[512];
    uint32_t count = 512;
    (void)vkEnumerateDeviceExtensionProperties(bed->physical, NULL, &count, extensions);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(extensions[i].extensionName, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME) == 0) {
            return true;
        }
    }
    return false;
}

static void memory_in_use_is_recorded_where_the_driver_tells_it(void **state)
{
    struct fixture *fixture = *state;
    bool is_told = driver_tells_memory(&fixture->bed);
    for (int i = 0; i < FRAMES; i++) {
        record_frame(fixture);
    }
    struct seen *seen = finish(fixture);
    assert_int_equal(seen->frame_count, FRAMES);
    for (size_t i = 0; i < seen->frame_count; i++) {
        assert_int_equal(seen->frames[i].memory_budget > 0, is_told);
        assert_int_equal(seen->frames[i].memory_used >= 0, is_told);
    }
    seen_free(seen);
}

static void the_clock_is_calibrated_or_nominal_for_a_reason(void **state)
{
    struct fixture *fixture = *state;
    int64_t begin_ns = bed_clock_ns();
    for (int i = 0; i < FRAMES; i++) {
        record_frame(fixture);
    }
    bed_wait_idle(&fixture->bed);
    int64_t end_ns = bed_clock_ns();
    struct seen *seen = finish(fixture);
    const char *reason = "";
    size_t readings = 0;
    const struct fg_cap_clock *clock = seen_device_clock(seen, &reason, &readings);
    assert_non_null(clock);
    assert_int_equal(clock->valid_bits, fixture->device->caps.queues[0].valid_bits);
    if (fixture->bed.has_calibration) {
        assert_int_equal(clock->domain, FG_CAP_DOMAIN_CALIBRATED);
        assert_true(readings >= 1);
    } else {
        assert_int_equal(clock->domain, FG_CAP_DOMAIN_NOMINAL);
        assert_true(strlen(reason) > 0);
    }
    if (getenv("FGT_DRIVER") != NULL && strcmp(getenv("FGT_DRIVER"), "lavapipe") == 0) {
        /* this device's clock is the host's */
        for (size_t i = 0; i < seen->frame_count; i++) {
            assert_true((int64_t)seen->frames[i].passes[0].span.begin_ticks >= begin_ns);
            assert_true((int64_t)seen->frames[i].passes[1].span.end_ticks <= end_ns);
        }
    }
    seen_free(seen);
}

static struct fg_commands *create_reused(struct fixture *fixture, VkCommandBuffer native,
                                         VkCommandBufferUsageFlags usage, uint32_t flags)
{
    const struct fg_commands_desc desc = { .native = native, .flags = flags };
    bed_begin(native, usage);
    struct fg_commands *commands = fg_commands_create(fixture->device, &desc);
    assert_non_null(commands);
    draw_pass(fixture, native, commands);
    dispatch_pass(fixture, native, commands, "dispatch");
    fg_commands_end(commands);
    bed_end(native);
    return commands;
}

static void a_reused_command_buffer_is_timed_in_each_frame(void **state)
{
    struct fixture *fixture = *state;
    struct fg_vulkan_counts counts;
    VkCommandBuffer native = bed_commands(&fixture->bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    struct fg_commands *commands = create_reused(fixture, native, 0, FG_COMMANDS_REUSED);
    for (int i = 0; i < 5; i++) {
        struct fg_frame *frame = fg_frame_begin(fixture->device);
        submit(fixture, frame, native, &commands, 1);
        fg_frame_end(frame);
        bed_fence_wait(&fixture->bed, fixture->fences[i % IN_FLIGHT]);
    }
    fg_vulkan_get_counts(fixture->device, &counts);
    assert_true(counts.landings <= 2);
    struct seen *seen = finish(fixture);
    uint64_t last_end = 0;
    assert_int_equal(seen->frame_count, 5);
    for (size_t i = 0; i < seen->frame_count; i++) {
        expect_frame(fixture, &seen->frames[i]);
        assert_true(seen->frames[i].passes[0].span.begin_ticks >= last_end);
        last_end = seen->frames[i].passes[1].span.end_ticks;
    }
    seen_free(seen);
    bed_wait_idle(&fixture->bed);
    fg_commands_destroy(commands);
}

/** One fence at the end of four submissions of the same command buffer. */
static void overlapping_submissions_of_a_simultaneous_buffer_are_timed_as_wholes(void **state)
{
    struct fixture *fixture = *state;
    VkCommandBuffer native = bed_commands(&fixture->bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    struct fg_commands *commands =
        create_reused(fixture, native, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                      FG_COMMANDS_REUSED | FG_COMMANDS_SIMULTANEOUS);
    for (int i = 0; i < 4; i++) {
        struct fg_frame *frame = fg_frame_begin(fixture->device);
        const struct fg_vulkan_submission submission = { .commands = &commands,
                                                         .commands_count = 1 };
        const VkSubmitInfo batch = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                     .commandBufferCount = 1,
                                     .pCommandBuffers = &native };
        assert_int_equal(fg_vulkan_submit(fixture->device, frame, &submission, &batch), VK_SUCCESS);
        fg_frame_end(frame);
    }
    bed_wait_idle(&fixture->bed);
    struct seen *seen = finish(fixture);
    assert_int_equal(seen->frame_count, 4);
    for (size_t i = 0; i < seen->frame_count; i++) {
        const struct seen_frame *frame = &seen->frames[i];
        const struct seen_pass *whole = NULL;
        for (size_t j = 0; j < frame->frame.gpu_pass_count; j++) {
            if (frame->passes[j].pass.kind == FG_CAP_GPU_PASS_SUBMISSION) {
                whole = &frame->passes[j];
            }
        }
        expect_timed(whole);
        assert_true(frame->drops[FG_CAP_DROP_SIMULTANEOUS] > 0);
        assert_false(seen_find(frame, "draw") != NULL && seen_find(frame, "draw")->has_span &&
                     seen_find(frame, "draw")->span.status == FG_CAP_SPAN_OK);
    }
    seen_free(seen);
    fg_commands_destroy(commands);
}

/** A reused secondary, executed by one-time primaries; and one inside a render pass. */
static void secondaries_are_timed_with_the_primary_that_executes_them(void **state)
{
    struct fixture *fixture = *state;
    VkCommandBuffer secondary = bed_commands(&fixture->bed, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const struct fg_commands_desc desc = { .native = secondary,
                                           .flags = FG_COMMANDS_REUSED | FG_COMMANDS_SECONDARY };
    bed_begin_secondary(&fixture->bed, secondary, 0, false);
    struct fg_commands *reused = fg_commands_create(fixture->device, &desc);
    dispatch_pass(fixture, secondary, reused, "inner");
    fg_commands_end(reused);
    bed_end(secondary);
    for (int i = 0; i < 3; i++) {
        struct fg_frame *frame = fg_frame_begin(fixture->device);
        VkCommandBuffer native = next_commands(fixture);
        struct fg_commands *commands = fg_vulkan_commands_begin(frame, native, 0, 0);
        fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "outer" });
        vkCmdExecuteCommands(native, 1, &secondary);
        fg_gpu_execute(commands, &reused, 1);
        fg_gpu_pass_end(commands);
        fg_commands_end(commands);
        bed_end(native);
        submit(fixture, frame, native, &commands, 1);
        fg_frame_end(frame);
        bed_wait_idle(&fixture->bed);
    }
    struct seen *seen = finish(fixture);
    for (size_t i = 0; i < 3; i++) {
        const struct seen_pass *outer = seen_find(&seen->frames[i], "outer");
        const struct seen_pass *inner = seen_find(&seen->frames[i], "inner");
        expect_timed(outer);
        expect_timed(inner);
        assert_true(inner->span.begin_ticks >= outer->span.begin_ticks);
        assert_true(inner->span.end_ticks <= outer->span.end_ticks);
        assert_int_equal(inner->pass.parent, outer - seen->frames[i].passes);
    }
    seen_free(seen);
    fg_commands_destroy(reused);
}

static void passes_over_the_pool_are_counted_and_still_run(void **state)
{
    struct fixture *fixture = *state;
    struct fg_frame *frame = fg_frame_begin(fixture->device);
    VkCommandBuffer native = next_commands(fixture);
    struct fg_commands *commands = fg_vulkan_commands_begin(frame, native, 0, 0);
    for (int i = 0; i < 10; i++) {
        dispatch_pass(fixture, native, commands, "dispatch");
    }
    fg_commands_end(commands);
    bed_end(native);
    submit(fixture, frame, native, &commands, 1);
    fg_frame_end(frame);
    struct seen *seen = finish(fixture);
    const struct seen_frame *only = &seen->frames[0];
    assert_int_equal(only->frame.gpu_pass_count, 10);
    assert_int_equal(only->drops[FG_CAP_DROP_POOL_FULL], 6);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(only->passes[i].work_count, 1);
        if (i < 4) {
            expect_timed(&only->passes[i]);
        } else {
            assert_int_equal(only->passes[i].span.status, FG_CAP_SPAN_NO_SLOT);
        }
    }
    seen_free(seen);
}

static void without_timestamps_structure_and_work_are_still_recorded(void **state)
{
    struct fixture *fixture = *state;
    struct fg_vulkan_counts counts;
    for (int i = 0; i < 3; i++) {
        record_frame(fixture);
    }
    fg_vulkan_get_counts(fixture->device, &counts);
    assert_int_equal(counts.query_pools, 0);
    struct seen *seen = finish(fixture);
    assert_int_equal(seen->frame_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct seen_frame *frame = &seen->frames[i];
        assert_int_equal(frame->frame.gpu_pass_count, 2);
        assert_int_equal(frame->passes[0].work_count, 1);
        assert_true(!frame->passes[0].has_span || frame->passes[0].span.status != FG_CAP_SPAN_OK);
        assert_true(frame->drops[FG_CAP_DROP_NO_TIMESTAMPS] > 0);
    }
    seen_free(seen);
}

static void what_the_application_does_not_want_is_not_used(void **state)
{
    struct fixture *fixture = *state;
    const char *reason = "";
    size_t readings = 0;
    record_frame(fixture);
    struct seen *seen = finish(fixture);
    const struct fg_cap_clock *clock = seen_device_clock(seen, &reason, &readings);
    assert_non_null(clock);
    assert_int_equal(clock->domain, FG_CAP_DOMAIN_NOMINAL);
    assert_string_equal(reason, "the application asked for no calibration");
    assert_int_equal(readings, 0);
    for (size_t i = 0; i < seen->frames[0].frame.gpu_pass_count; i++) {
        assert_int_equal(seen->frames[0].passes[i].statistics_mask, 0);
    }
    seen_free(seen);
}

static void an_attachment_is_the_same_from_either_description(void **state)
{
    (void)state;
    const VkExtent2D extent = { 640, 360 };
    const VkRenderingAttachmentInfo dynamic = { .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE };
    const VkAttachmentDescription of_pass = { .format = VK_FORMAT_D32_SFLOAT,
                                              .samples = VK_SAMPLE_COUNT_4_BIT,
                                              .loadOp = dynamic.loadOp,
                                              .storeOp = dynamic.storeOp };
    struct fg_attachment first = fg_vulkan_attachment(&dynamic, of_pass.format, extent);
    const struct fg_attachment second = fg_vulkan_attachment_of_pass(&of_pass, extent);
    assert_int_equal(second.kind, FG_ATTACHMENT_DEPTH);
    assert_int_equal(second.load, FG_LOAD_DISCARD);
    assert_int_equal(second.store, FG_STORE_STORE);
    assert_int_equal(second.samples, 4);
    first.samples = second.samples; /* dynamic rendering does not say it */
    assert_memory_equal(&first, &second, sizeof first);
}

static void resolved_indirect_counts_are_those_that_the_device_read(void **state)
{
    struct fixture *fixture = *state;
    const struct fg_indirect dispatch = { .buffer = (uint64_t)(uintptr_t)fixture->bed.arguments };
    const struct fg_indirect draw = { .buffer = dispatch.buffer,
                                      .offset_bytes = 12,
                                      .draw_count = 1,
                                      .stride_bytes = sizeof(VkDrawIndirectCommand) };
    for (int i = 0; i < 3; i++) {
        struct fg_frame *frame = fg_frame_begin(fixture->device);
        VkCommandBuffer native = next_commands(fixture);
        struct fg_commands *commands = fg_vulkan_commands_begin(frame, native, 0, 0);
        fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "indirect" });
        bed_barrier(&fixture->bed, native);
        bed_dispatch_indirect(&fixture->bed, native, LOOPS);
        fg_gpu_dispatch_indirect(commands, &dispatch);
        bed_rendering_begin(&fixture->bed, native, 0, 0);
        bed_draw_indirect(&fixture->bed, native, LOOPS);
        fg_gpu_draw_indirect(commands, &draw);
        bed_rendering_end(native);
        fg_gpu_pass_end(commands);
        fg_commands_end(commands);
        bed_end(native);
        submit(fixture, frame, native, &commands, 1);
        fg_frame_end(frame);
    }
    struct seen *seen = finish(fixture);
    for (size_t i = 0; i < 3; i++) {
        const struct seen_frame *frame = &seen->frames[i];
        expect_timed(seen_find(frame, "indirect"));
        assert_int_equal(frame->resolved_count, 2);
        assert_int_equal(frame->resolved[0].x, 5);
        assert_int_equal(frame->resolved[0].y, 3);
        assert_int_equal(frame->resolved[0].z, 2);
        assert_int_equal(frame->resolved[1].x, 3);
        assert_int_equal(frame->resolved[1].y, 4);
    }
    seen_free(seen);
}

enum { THREADS = 4, THREAD_PASSES = 12 };

struct worker {
    struct fixture *fixture;
    struct fg_frame *frame;
    struct fg_commands *commands;
    VkCommandPool pool;
    VkCommandBuffer native;
};

static void record_on_thread(void *context)
{
    struct worker *worker = context;
    bed_begin(worker->native, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    worker->commands = fg_vulkan_commands_begin(worker->frame, worker->native, 0, 0);
    for (int i = 0; i < THREAD_PASSES; i++) {
        dispatch_pass(worker->fixture, worker->native, worker->commands, "threaded");
    }
    fg_commands_end(worker->commands);
    bed_end(worker->native);
}

static void several_threads_record_into_one_frame(void **state)
{
    struct fixture *fixture = *state;
    struct worker workers[THREADS] = { 0 };
    struct fgi_thread *threads[THREADS];
    struct fg_commands *commands[THREADS];
    VkCommandBuffer natives[THREADS];
    VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .queueFamilyIndex = fixture->bed.family };
    struct fg_frame *frame = fg_frame_begin(fixture->device);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){ .fixture = fixture, .frame = frame };
        assert_int_equal(vkCreateCommandPool(fixture->bed.device, &pool, NULL, &workers[i].pool),
                         VK_SUCCESS);
        VkCommandBufferAllocateInfo allocate = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = workers[i].pool,
            .commandBufferCount = 1,
        };
        assert_int_equal(
            vkAllocateCommandBuffers(fixture->bed.device, &allocate, &workers[i].native),
            VK_SUCCESS);
        assert_int_equal(fgi_thread_create(NULL, record_on_thread, &workers[i], &threads[i]),
                         FG_OK);
    }
    for (int i = 0; i < THREADS; i++) {
        fgi_thread_join(threads[i]);
        commands[i] = workers[i].commands;
        natives[i] = workers[i].native;
    }
    const struct fg_vulkan_submission submission = { .commands = commands,
                                                     .commands_count = THREADS };
    const VkSubmitInfo batch = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = THREADS,
                                 .pCommandBuffers = natives };
    assert_int_equal(fg_vulkan_submit(fixture->device, frame, &submission, &batch), VK_SUCCESS);
    fg_frame_end(frame);
    struct seen *seen = finish(fixture);
    assert_int_equal(seen->frames[0].frame.gpu_pass_count, THREADS * THREAD_PASSES);
    for (int i = 0; i < THREADS * THREAD_PASSES; i++) {
        expect_timed(&seen->frames[0].passes[i]);
    }
    seen_free(seen);
    bed_wait_idle(&fixture->bed);
    for (int i = 0; i < THREADS; i++) {
        vkDestroyCommandPool(fixture->bed.device, workers[i].pool, NULL);
    }
}

static VkSemaphore make_timeline(struct bed *bed)
{
    VkSemaphoreTypeCreateInfo type = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                       .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE };
    VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                   .pNext = &type };
    VkSemaphore semaphore;
    assert_int_equal(vkCreateSemaphore(bed->device, &info, NULL, &semaphore), VK_SUCCESS);
    return semaphore;
}

/** One batch on a queue by vkQueueSubmit2(); values of 0 are not waited for, not signalled. */
static void submit_ordered(struct fixture *fixture, struct fg_frame *frame, uint32_t queue,
                           VkCommandBuffer native, struct fg_commands *commands,
                           VkSemaphore semaphore, uint64_t wait, uint64_t signal)
{
    const VkCommandBufferSubmitInfo buffer = { .sType =
                                                   VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                               .commandBuffer = native };
    VkSemaphoreSubmitInfo semaphores[2] = { { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                              .semaphore = semaphore,
                                              .value = wait,
                                              .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT } };
    semaphores[1] = semaphores[0];
    semaphores[1].value = signal;
    const VkSubmitInfo2 batch = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait != 0,
        .pWaitSemaphoreInfos = &semaphores[0],
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &buffer,
        .signalSemaphoreInfoCount = signal != 0,
        .pSignalSemaphoreInfos = &semaphores[1],
    };
    const struct fg_vulkan_submission submission = { .queue = queue,
                                                     .commands = &commands,
                                                     .commands_count = 1 };
    assert_int_equal(fg_vulkan_submit2(fixture->device, frame, &submission, &batch), VK_SUCCESS);
}

static void timeline_semaphores_become_dependencies(void **state)
{
    struct fixture *fixture = *state;
    VkSemaphore semaphore = make_timeline(&fixture->bed);
    struct fg_frame *frame = fg_frame_begin(fixture->device);
    for (int i = 0; i < 2; i++) {
        VkCommandBuffer native = bed_commands(&fixture->bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        bed_begin(native, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        struct fg_commands *commands = fg_vulkan_commands_begin(frame, native, 0, 0);
        dispatch_pass(fixture, native, commands, "dispatch");
        fg_commands_end(commands);
        bed_end(native);
        submit_ordered(fixture, frame, 0, native, commands, semaphore, i == 0 ? 0 : 7,
                       i == 0 ? 7 : 8);
    }
    fg_frame_end(frame);
    struct seen *seen = finish(fixture);
    assert_int_equal(seen->frames[0].frame.submission_count, 2);
    assert_int_equal(seen->frames[0].signal_value, 7);
    assert_int_equal(seen->frames[0].wait_value, 7);
    seen_free(seen);
    bed_wait_idle(&fixture->bed);
    vkDestroySemaphore(fixture->bed.device, semaphore, NULL);
}

/** Graphics, then compute that waits for it; reused on the second queue, so that it lands there. */
static void passes_of_two_queues_are_timed_in_their_order(void **state)
{
    struct fixture *fixture = *state;
    struct bed *bed = &fixture->bed;
    if (!bed->has_async) {
        skip();
    }
    VkCommandPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .queueFamilyIndex = bed->async_family };
    VkCommandPool pool;
    VkCommandPool graphics_pool = bed->pool;
    assert_int_equal(vkCreateCommandPool(bed->device, &info, NULL, &pool), VK_SUCCESS);
    bed->pool = pool;
    VkCommandBuffer async = bed_commands(bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    bed->pool = graphics_pool;
    const struct fg_commands_desc desc = { .native = async,
                                           .queue = 1,
                                           .flags = FG_COMMANDS_REUSED };
    bed_begin(async, 0);
    struct fg_commands *reused = fg_commands_create(fixture->device, &desc);
    fg_gpu_pass_begin(reused, &(struct fg_gpu_pass_desc){ .label = "async" });
    bed_dispatch(bed, async, LOOPS, GROUPS);
    fg_gpu_pass_end(reused);
    fg_commands_end(reused);
    bed_end(async);
    VkSemaphore semaphore = make_timeline(bed);
    for (uint64_t i = 0; i < 3; i++) {
        struct fg_frame *frame = fg_frame_begin(fixture->device);
        VkCommandBuffer native = bed_commands(bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        bed_begin(native, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        struct fg_commands *commands = fg_vulkan_commands_begin(frame, native, 0, 0);
        draw_pass(fixture, native, commands);
        fg_commands_end(commands);
        bed_end(native);
        submit_ordered(fixture, frame, 0, native, commands, semaphore, 2 * i, 2 * i + 1);
        submit_ordered(fixture, frame, 1, async, reused, semaphore, 2 * i + 1, 2 * i + 2);
        fg_frame_end(frame);
        bed_wait_idle(bed);
    }
    struct seen *seen = finish(fixture);
    for (int i = 0; i < 3; i++) {
        const struct seen_pass *draw = seen_find(&seen->frames[i], "draw");
        const struct seen_pass *dispatch = seen_find(&seen->frames[i], "async");
        expect_timed(draw);
        expect_timed(dispatch);
        assert_true(draw->pass.track != dispatch->pass.track);
        assert_true(dispatch->span.begin_ticks >= draw->span.end_ticks);
    }
    seen_free(seen);
    fg_commands_destroy(reused);
    vkDestroySemaphore(bed->device, semaphore, NULL);
    vkDestroyCommandPool(bed->device, pool, NULL);
}

static void with_nobody_recording_only_the_submit_happens(void **state)
{
    struct fixture *fixture = *state;
    fg_session_stop(fixture->session);
    struct fg_frame *frame = fg_frame_begin(fixture->device);
    assert_null(frame);
    VkCommandBuffer native = next_commands(fixture);
    struct fg_commands *commands = fg_vulkan_commands_begin(frame, native, 0, 0);
    assert_null(commands);
    dispatch_pass(fixture, native, commands, "dispatch");
    fg_commands_end(commands);
    bed_end(native);
    submit(fixture, frame, native, &commands, 1);
    bed_wait_idle(&fixture->bed);
    struct fg_vulkan_counts counts;
    fg_vulkan_get_counts(fixture->device, &counts);
    assert_int_equal(counts.query_pools, 0);
}

#define WITH(open, test) cmocka_unit_test_setup_teardown(test, open, close_clean)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(open_plain, a_recording_is_complete_and_reads_back),
        WITH(open_plain, memory_in_use_is_recorded_where_the_driver_tells_it),
        WITH(open_plain, the_clock_is_calibrated_or_nominal_for_a_reason),
        WITH(open_plain, a_reused_command_buffer_is_timed_in_each_frame),
        WITH(open_plain, overlapping_submissions_of_a_simultaneous_buffer_are_timed_as_wholes),
        WITH(open_plain, secondaries_are_timed_with_the_primary_that_executes_them),
        WITH(open_small, passes_over_the_pool_are_counted_and_still_run),
        WITH(open_without_timestamps, without_timestamps_structure_and_work_are_still_recorded),
        WITH(open_without_extras, what_the_application_does_not_want_is_not_used),
        cmocka_unit_test(an_attachment_is_the_same_from_either_description),
        WITH(open_resolving, resolved_indirect_counts_are_those_that_the_device_read),
        WITH(open_plain, several_threads_record_into_one_frame),
        WITH(open_plain, timeline_semaphores_become_dependencies),
        WITH(open_plain, passes_of_two_queues_are_timed_in_their_order),
        WITH(open_plain, with_nobody_recording_only_the_submit_happens),
        WITH(open_without_host_reset, a_recording_is_complete_and_reads_back),
        WITH(open_without_host_reset, a_reused_command_buffer_is_timed_in_each_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
