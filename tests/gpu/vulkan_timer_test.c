/* SPDX-License-Identifier: MIT */
/* The backend's operations on a real driver, under the validation layer where it is installed. */
#include "base/clock.h"
#include "cmocka_all.h"
#include "equal_work.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOPS = 64, GROUPS = 8, SUBMITS = 3 };

struct fixture {
    struct bed bed;
    struct fg_device *device;
    VkFence fence;
};

static int open_with(void **state, unsigned without, uint32_t flags)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    if (fixture == NULL || !bed_create(&fixture->bed, without)) {
        return -1;
    }
    fixture->device = equal_device(&fixture->bed, FG_VULKAN_STAMPS_AUTO, flags);
    fixture->fence = bed_fence(&fixture->bed);
    *state = fixture;
    return 0;
}

static int open_plain(void **state)
{
    return open_with(state, 0, 0);
}

static int open_without_host_reset(void **state)
{
    return open_with(state, BED_WITHOUT_HOST_RESET, 0);
}

static int open_without_timestamps(void **state)
{
    return open_with(state, 0, FG_VULKAN_NO_TIMESTAMPS);
}

/** Every test is clean under validation, or it has failed. */
static int close_clean(void **state)
{
    struct fixture *fixture = *state;
    bed_wait_idle(&fixture->bed);
    fg_device_destroy(fixture->device);
    vkDestroyFence(fixture->bed.device, fixture->fence, NULL);
    bed_destroy(&fixture->bed);
    unsigned messages = atomic_load(&fixture->bed.messages);
    free(fixture);
    return messages == 0 ? 0 : -1;
}

static struct fgi_timer *make_timer(struct fixture *fixture, uint32_t slots, uint32_t indirect)
{
    struct fgi_timer *timer = NULL;
    assert_int_equal(fixture->device->ops->timer_create(fixture->device, 0, slots,
                                                        fixture->device->caps.statistics_mask != 0,
                                                        indirect, &timer),
                     FG_OK);
    return timer;
}

static struct fgi_slot_result read_slot(struct fixture *fixture, struct fgi_timer *timer,
                                        struct fgi_landing *landing, uint32_t slot)
{
    struct fgi_slot_result result = { 0 };
    assert_int_equal(
        fixture->device->ops->timer_read(fixture->device, timer, landing, slot, 1, &result), FG_OK);
    return result;
}

static bool is_there(const struct fgi_slot_result *result)
{
    return result->has_begin && result->has_end;
}

/** Draw and dispatch as slots 0 and 1. */
static void record_two_slots(struct fixture *fixture, struct fgi_timer *timer,
                             VkCommandBuffer commands, uint32_t flags)
{
    const struct fgi_device_ops *ops = fixture->device->ops;
    bool statistics = fixture->device->caps.statistics_mask != 0;
    assert_true(ops->timer_begin(fixture->device, timer, commands, flags));
    bed_barrier(&fixture->bed, commands);
    ops->slot_begin(fixture->device, timer, commands, 0, statistics);
    bed_rendering_begin(&fixture->bed, commands, 0, 0);
    bed_draw(&fixture->bed, commands, LOOPS);
    bed_rendering_end(commands);
    ops->slot_end(fixture->device, timer, commands, 0, statistics);
    ops->slot_begin(fixture->device, timer, commands, 1, statistics);
    bed_dispatch(&fixture->bed, commands, LOOPS, GROUPS);
    ops->slot_end(fixture->device, timer, commands, 1, statistics);
    ops->timer_end(fixture->device, timer, commands);
}

static VkCommandBuffer record_commands(struct fixture *fixture, struct fgi_timer *timer,
                                       VkCommandBufferUsageFlags usage, uint32_t flags)
{
    VkCommandBuffer commands = bed_commands(&fixture->bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    bed_begin(commands, usage);
    record_two_slots(fixture, timer, commands, flags);
    bed_end(commands);
    return commands;
}

static void run(struct fixture *fixture, VkCommandBuffer commands)
{
    bed_submit(&fixture->bed, &commands, 1, fixture->fence);
    bed_fence_wait(&fixture->bed, fixture->fence);
}

static void a_timer_reports_each_use_and_never_the_one_before(void **state)
{
    struct fixture *fixture = *state;
    struct fgi_timer *timer = make_timer(fixture, 4, 0);
    uint64_t last_end = 0;
    for (int use = 0; use < 3; use++) {
        VkCommandBuffer commands =
            record_commands(fixture, timer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 0);
        struct fgi_slot_result before = read_slot(fixture, timer, NULL, 0);
        assert_false(before.has_begin || before.has_end);
        run(fixture, commands);
        struct fgi_slot_result draw = read_slot(fixture, timer, NULL, 0);
        struct fgi_slot_result dispatch = read_slot(fixture, timer, NULL, 1);
        assert_true(is_there(&draw) && is_there(&dispatch));
        assert_true(draw.begin_ticks > last_end);
        assert_true(draw.end_ticks > draw.begin_ticks);
        assert_true(dispatch.begin_ticks >= draw.end_ticks);
        assert_true(dispatch.end_ticks > dispatch.begin_ticks);
        last_end = dispatch.end_ticks;
        struct fgi_slot_result unused = read_slot(fixture, timer, NULL, 2);
        assert_false(unused.has_begin || unused.has_end);
    }
    fixture->device->ops->timer_destroy(fixture->device, timer);
}

static void a_recording_that_never_ran_leaves_the_timer_usable(void **state)
{
    struct fixture *fixture = *state;
    struct fgi_timer *timer = make_timer(fixture, 4, 0);
    record_commands(fixture, timer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 0);
    run(fixture, record_commands(fixture, timer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 0));
    struct fgi_slot_result draw = read_slot(fixture, timer, NULL, 0);
    assert_true(is_there(&draw));
    fixture->device->ops->timer_destroy(fixture->device, timer);
}

static void without_host_reset_a_recording_inside_a_render_pass_gets_no_timer(void **state)
{
    struct fixture *fixture = *state;
    struct fgi_timer *timer = make_timer(fixture, 4, 0);
    VkCommandBuffer commands = bed_commands(&fixture->bed, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    bed_begin_secondary(&fixture->bed, commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, true);
    assert_false(fixture->device->ops->timer_begin(
        fixture->device, timer, commands, FG_COMMANDS_SECONDARY | FG_COMMANDS_IN_RENDER_PASS));
    bed_end(commands);
    fixture->device->ops->timer_destroy(fixture->device, timer);
}

static void submit_wrapped(struct fixture *fixture, VkCommandBuffer commands,
                           const struct fg_submit_extra *extra, VkFence fence)
{
    const VkCommandBuffer list[3] = { extra->before, commands, extra->after };
    bed_submit(&fixture->bed, list, 3, fence);
}

/** Three in flight at once, twice: the second round must not make anything new. */
static void each_submission_of_a_reused_buffer_has_times_of_its_own(void **state)
{
    struct fixture *fixture = *state;
    const struct fgi_device_ops *ops = fixture->device->ops;
    struct fgi_timer *timer = make_timer(fixture, 4, 0);
    VkCommandBuffer commands = record_commands(
        fixture, timer, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, FG_COMMANDS_REUSED);
    struct fg_vulkan_counts counts;
    uint64_t last_end = 0;
    for (int round = 0; round < 2; round++) {
        struct fgi_landing *landings[SUBMITS];
        for (int i = 0; i < SUBMITS; i++) {
            struct fg_submit_extra extra = { 0 };
            assert_int_equal(
                ops->landing_create(fixture->device, 0, &timer, 1, false, &landings[i], &extra),
                FG_OK);
            struct fgi_slot_result early = read_slot(fixture, timer, landings[i], 0);
            assert_false(early.has_begin || early.has_end);
            submit_wrapped(fixture, commands, &extra,
                           i + 1 == SUBMITS ? fixture->fence : VK_NULL_HANDLE);
        }
        bed_fence_wait(&fixture->bed, fixture->fence);
        for (int i = 0; i < SUBMITS; i++) {
            struct fgi_slot_result draw = read_slot(fixture, timer, landings[i], 0);
            struct fgi_slot_result dispatch = read_slot(fixture, timer, landings[i], 1);
            assert_true(is_there(&draw) && is_there(&dispatch));
            assert_true(draw.begin_ticks > last_end);
            assert_true(dispatch.end_ticks > dispatch.begin_ticks);
            last_end = dispatch.end_ticks;
            ops->landing_destroy(fixture->device, landings[i]);
        }
        fg_vulkan_get_counts(fixture->device, &counts);
        assert_int_equal(counts.landings, SUBMITS);
    }
    assert_int_equal(counts.refused, 0);
    ops->timer_destroy(fixture->device, timer);
    fg_vulkan_get_counts(fixture->device, &counts);
    assert_int_equal(counts.landings_alive, 0);
    assert_int_equal(counts.query_pools_alive, 0);
}

/** The queue stands until the host signals, so that the first submission has surely not run. */
static void a_landing_given_up_in_flight_is_not_used_again_before_it_has_landed(void **state)
{
    struct fixture *fixture = *state;
    const struct fgi_device_ops *ops = fixture->device->ops;
    struct fgi_timer *timer = make_timer(fixture, 4, 0);
    VkSemaphoreTypeCreateInfo type = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                       .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE };
    VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                   .pNext = &type };
    VkSemaphore semaphore;
    assert_int_equal(vkCreateSemaphore(fixture->bed.device, &info, NULL, &semaphore), VK_SUCCESS);
    VkCommandBuffer commands = record_commands(
        fixture, timer, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, FG_COMMANDS_REUSED);
    struct fgi_landing *landings[3];
    struct fg_submit_extra extra = { 0 };
    struct fg_vulkan_counts counts[3];
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(
            ops->landing_create(fixture->device, 0, &timer, 1, false, &landings[i], &extra), FG_OK);
        fg_vulkan_get_counts(fixture->device, &counts[i]);
        const VkCommandBuffer list[3] = { extra.before, commands, extra.after };
        const uint64_t value = 1;
        const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        const VkTimelineSemaphoreSubmitInfo timeline = {
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .waitSemaphoreValueCount = 1,
            .pWaitSemaphoreValues = &value,
        };
        const VkSubmitInfo batch = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                     .pNext = &timeline,
                                     .waitSemaphoreCount = 1,
                                     .pWaitSemaphores = &semaphore,
                                     .pWaitDstStageMask = &stage,
                                     .commandBufferCount = 3,
                                     .pCommandBuffers = list };
        assert_int_equal(
            vkQueueSubmit(fixture->bed.queue, 1, &batch, i == 0 ? VK_NULL_HANDLE : fixture->fence),
            VK_SUCCESS);
        ops->landing_destroy(fixture->device, landings[i]);
        if (i >= 1) {
            const VkSemaphoreSignalInfo signal = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                                   .semaphore = semaphore,
                                                   .value = i };
            assert_int_equal(vkSignalSemaphore(fixture->bed.device, &signal), VK_SUCCESS);
            bed_fence_wait(&fixture->bed, fixture->fence);
        }
    }
    assert_int_equal(counts[0].landings, 1);
    assert_int_equal(counts[1].landings, 2);
    assert_int_equal(counts[2].landings, 2);
    bed_wait_idle(&fixture->bed);
    vkDestroySemaphore(fixture->bed.device, semaphore, NULL);
    ops->timer_destroy(fixture->device, timer);
}

static void one_timer_twice_in_a_submission_is_busy_and_counted(void **state)
{
    struct fixture *fixture = *state;
    struct fgi_timer *timer = make_timer(fixture, 4, 0);
    struct fgi_timer *twice[2] = { timer, timer };
    struct fgi_landing *landings[3] = { NULL };
    struct fg_submit_extra extra = { 0 };
    struct fg_vulkan_counts counts;
    record_commands(fixture, timer, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                    FG_COMMANDS_REUSED);
    assert_int_equal(
        fixture->device->ops->landing_create(fixture->device, 0, twice, 2, false, landings, &extra),
        FG_ERR_BUSY);
    assert_null(landings[0]);
    fg_vulkan_get_counts(fixture->device, &counts);
    assert_int_equal(counts.refused, 1);
    fixture->device->ops->timer_destroy(fixture->device, timer);
}

static void a_submission_is_timed_as_a_whole(void **state)
{
    struct fixture *fixture = *state;
    const struct fgi_device_ops *ops = fixture->device->ops;
    struct fgi_timer *timer = make_timer(fixture, 4, 0);
    struct fgi_landing *landings[2] = { NULL };
    struct fg_submit_extra extra = { 0 };
    VkCommandBuffer commands = record_commands(
        fixture, timer, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, FG_COMMANDS_REUSED);
    assert_int_equal(ops->landing_create(fixture->device, 0, &timer, 1, true, landings, &extra),
                     FG_OK);
    submit_wrapped(fixture, commands, &extra, fixture->fence);
    bed_fence_wait(&fixture->bed, fixture->fence);
    struct fgi_slot_result draw = read_slot(fixture, timer, landings[0], 0);
    struct fgi_slot_result whole = read_slot(fixture, NULL, landings[1], 0);
    assert_true(is_there(&draw) && is_there(&whole));
    assert_true(whole.begin_ticks <= draw.begin_ticks && whole.end_ticks >= draw.end_ticks);
    ops->landing_destroy(fixture->device, landings[0]);
    ops->landing_destroy(fixture->device, landings[1]);
    ops->timer_destroy(fixture->device, timer);
}

/** Each recording of a command buffer makes new landings; the sets that are kept stay bounded. */
static void landings_of_recordings_that_are_gone_are_collected(void **state)
{
    struct fixture *fixture = *state;
    const struct fgi_device_ops *ops = fixture->device->ops;
    struct fgi_timer *timer = make_timer(fixture, 4, 0);
    struct fg_vulkan_counts counts;
    for (int i = 0; i < 5; i++) {
        struct fgi_landing *landing = NULL;
        struct fg_submit_extra extra = { 0 };
        VkCommandBuffer commands = record_commands(
            fixture, timer, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, FG_COMMANDS_REUSED);
        assert_int_equal(
            ops->landing_create(fixture->device, 0, &timer, 1, false, &landing, &extra), FG_OK);
        submit_wrapped(fixture, commands, &extra, fixture->fence);
        bed_fence_wait(&fixture->bed, fixture->fence);
        ops->landing_destroy(fixture->device, landing);
        fg_vulkan_get_counts(fixture->device, &counts);
        assert_int_equal(counts.landings_alive, 1);
    }
    assert_int_equal(counts.landings, 5);
    ops->timer_destroy(fixture->device, timer);
}

static void pipeline_statistics_count_what_was_drawn(void **state)
{
    struct fixture *fixture = *state;
    struct fgi_timer *timer = make_timer(fixture, 4, 0);
    run(fixture, record_commands(fixture, timer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 0));
    struct fgi_slot_result draw = read_slot(fixture, timer, NULL, 0);
    struct fgi_slot_result dispatch = read_slot(fixture, timer, NULL, 1);
    assert_int_equal(draw.has_statistics, fixture->bed.has_statistics);
    if (fixture->bed.has_statistics) {
        assert_int_equal(fixture->device->caps.statistics_mask, 0x7ff);
        assert_int_equal(draw.statistics[0], 3);                   /* vertices */
        assert_int_equal(draw.statistics[1], 1);                   /* triangles */
        assert_true(draw.statistics[7] >= BED_WIDTH * BED_HEIGHT); /* fragments */
        assert_int_equal(draw.statistics[10], 0);                  /* compute */
        assert_int_equal(dispatch.statistics[10], GROUPS * 32 * 2);
    }
    fixture->device->ops->timer_destroy(fixture->device, timer);
}

static void statistics_of_reused_buffers_land_with_the_times(void **state)
{
    struct fixture *fixture = *state;
    const struct fgi_device_ops *ops = fixture->device->ops;
    struct fgi_timer *timer = make_timer(fixture, 4, 0);
    struct fgi_landing *landing = NULL;
    struct fg_submit_extra extra = { 0 };
    VkCommandBuffer commands = record_commands(fixture, timer, 0, FG_COMMANDS_REUSED);
    assert_int_equal(ops->landing_create(fixture->device, 0, &timer, 1, false, &landing, &extra),
                     FG_OK);
    submit_wrapped(fixture, commands, &extra, fixture->fence);
    bed_fence_wait(&fixture->bed, fixture->fence);
    struct fgi_slot_result dispatch = read_slot(fixture, timer, landing, 1);
    assert_true(is_there(&dispatch));
    assert_int_equal(dispatch.has_statistics, fixture->bed.has_statistics);
    assert_int_equal(dispatch.statistics[10], fixture->bed.has_statistics ? GROUPS * 32 * 2 : 0);
    ops->landing_destroy(fixture->device, landing);
    ops->timer_destroy(fixture->device, timer);
}

static void record_indirect(struct fixture *fixture, struct fgi_timer *timer,
                            VkCommandBuffer commands, uint32_t flags)
{
    const struct fgi_device_ops *ops = fixture->device->ops;
    uint64_t buffer = (uint64_t)(uintptr_t)fixture->bed.arguments;
    const struct fgi_indirect_copy copies[2] = { { buffer, 0, 12 }, { buffer, 12, 16 } };
    assert_true(ops->timer_begin(fixture->device, timer, commands, flags));
    bed_barrier(&fixture->bed, commands);
    ops->slot_begin(fixture->device, timer, commands, 0, false);
    bed_dispatch_indirect(&fixture->bed, commands, LOOPS);
    bed_rendering_begin(&fixture->bed, commands, 0, 0);
    bed_draw_indirect(&fixture->bed, commands, LOOPS);
    bed_rendering_end(commands);
    ops->slot_end(fixture->device, timer, commands, 0, false);
    ops->copy_indirect(fixture->device, timer, commands, 0, copies, 2);
    ops->timer_end(fixture->device, timer, commands);
}

static void expect_arguments(struct fixture *fixture, struct fgi_timer *timer,
                             struct fgi_landing *landing)
{
    uint32_t words[3][FGI_INDIRECT_WORDS] = { { 0 } };
    bool have[3] = { false, false, true };
    assert_int_equal(
        fixture->device->ops->indirect_read(fixture->device, timer, landing, 0, 3, words, have),
        FG_OK);
    assert_true(have[0] && have[1] && !have[2]);
    assert_memory_equal(words[0], fixture->bed.arguments_mapped, 12);
    assert_memory_equal(words[1], fixture->bed.arguments_mapped + 3, 16);
}

static void indirect_arguments_come_back(void **state)
{
    struct fixture *fixture = *state;
    const struct fgi_device_ops *ops = fixture->device->ops;
    struct fgi_timer *timer = make_timer(fixture, 4, 8);
    for (int use = 0; use < 2; use++) {
        VkCommandBuffer commands = bed_commands(&fixture->bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        bed_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        record_indirect(fixture, timer, commands, 0);
        bed_end(commands);
        fixture->bed.arguments_mapped[0] = 2 + (uint32_t)use;
        run(fixture, commands);
        struct fgi_slot_result slot = read_slot(fixture, timer, NULL, 0);
        assert_true(is_there(&slot));
        expect_arguments(fixture, timer, NULL);
    }
    ops->timer_destroy(fixture->device, timer);
}

static void indirect_arguments_of_reused_buffers_come_back_per_submission(void **state)
{
    struct fixture *fixture = *state;
    const struct fgi_device_ops *ops = fixture->device->ops;
    struct fgi_timer *timer = make_timer(fixture, 4, 8);
    VkCommandBuffer commands = bed_commands(&fixture->bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    bed_begin(commands, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    record_indirect(fixture, timer, commands, FG_COMMANDS_REUSED);
    bed_end(commands);
    for (int use = 0; use < 2; use++) {
        struct fgi_landing *landing = NULL;
        struct fg_submit_extra extra = { 0 };
        assert_int_equal(
            ops->landing_create(fixture->device, 0, &timer, 1, false, &landing, &extra), FG_OK);
        fixture->bed.arguments_mapped[0] = 2 + (uint32_t)use;
        submit_wrapped(fixture, commands, &extra, fixture->fence);
        bed_fence_wait(&fixture->bed, fixture->fence);
        expect_arguments(fixture, timer, landing);
        ops->landing_destroy(fixture->device, landing);
    }
    ops->timer_destroy(fixture->device, timer);
}

static void calibrated_readings_agree_with_the_host_or_say_why_not(void **state)
{
    struct fixture *fixture = *state;
    const struct fgi_device_caps *caps = &fixture->device->caps;
    struct fgi_clock_pair pair = { 0 };
    enum fg_result result = fixture->device->ops->calibrate(fixture->device, 0, &pair);
    assert_int_equal(caps->calibrated, fixture->bed.has_calibration);
    assert_int_equal(result, caps->calibrated ? FG_OK : FG_ERR_UNSUPPORTED);
    assert_true(caps->calibrated == (caps->nominal_reason == NULL));
    if (caps->calibrated) {
        int64_t now_ns = bed_clock_ns();
        assert_true(pair.host_ns <= now_ns && now_ns - pair.host_ns < 1000000000);
        assert_true(pair.deviation_ns >= 0);
        printf("deviation %lld ns, offset %lld\n", (long long)pair.deviation_ns,
               (long long)((int64_t)pair.device_ticks - pair.host_ns));
    }
    if (getenv("FGT_DRIVER") != NULL && strcmp(getenv("FGT_DRIVER"), "lavapipe") == 0) {
        assert_true(caps->calibrated);
        assert_true(llabs((int64_t)pair.device_ticks - pair.host_ns) <= pair.deviation_ns + 1);
    }
}

static void without_timestamps_there_are_no_timers(void **state)
{
    struct fixture *fixture = *state;
    struct fgi_timer *timer = NULL;
    assert_int_equal(fixture->device->caps.period.num, 0);
    assert_int_equal(fixture->device->caps.queues[0].valid_bits, 0);
    assert_int_equal(fixture->device->ops->timer_create(fixture->device, 0, 4, false, 0, &timer),
                     FG_ERR_UNSUPPORTED);
    assert_null(timer);
}

struct described {
    char keys[64][64];
    unsigned count;
    unsigned features;
    bool host_reset;
};

static void put(void *context, const char *key, const char *value)
{
    struct described *described = context;
    assert_true(value[0] != 0 && described->count < 64);
    snprintf(described->keys[described->count++], 64, "%s", key);
}

static void feature(void *context, const char *name)
{
    struct described *described = context;
    described->features++;
    described->host_reset = described->host_reset || strcmp(name, "hostQueryReset") == 0;
}

static void the_device_is_described(void **state)
{
    struct fixture *fixture = *state;
    struct described described = { 0 };
    const char *const wanted[] = {
        "adapter.vendor", "adapter.name",   "adapter.kind",
        "driver.name",    "driver.version", "limit.maxStorageBufferRange"
    };
    fixture->device->ops->describe(fixture->device, put, feature, &described);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        bool found = false;
        for (unsigned j = 0; j < described.count; j++) {
            found = found || strcmp(described.keys[j], wanted[i]) == 0;
        }
        assert_true(found);
    }
    for (unsigned j = 1; j < described.count; j++) {
        const char *last = strrchr(described.keys[j - 1], '.');
        size_t group = last != NULL ? (size_t)(last - described.keys[j - 1]) + 1 : 0;
        assert_true(group == 0 || strncmp(described.keys[j - 1], described.keys[j], group) != 0 ||
                    strcmp(described.keys[j - 1], described.keys[j]) < 0);
    }
    assert_true(described.host_reset);
}

static void wrong_options_are_refused(void **state)
{
    struct fixture *fixture = *state;
    struct fg_device *device = NULL;
    struct fg_vulkan_queue queue = { fixture->bed.queue, 99, NULL };
    struct fg_vulkan_options options = {
        .instance = fixture->bed.instance,
        .physical_device = fixture->bed.physical,
        .device = fixture->bed.device,
        .get_instance_proc_addr = vkGetInstanceProcAddr,
        .queues = &queue,
        .queue_count = 1,
    };
    assert_int_equal(fg_vulkan_device_create(&options, &device), FG_ERR_ARGUMENT);
    queue.family = fixture->bed.family;
    assert_int_equal(fg_vulkan_device_create(&options, &device), FG_ERR_BUSY);
    options.queue_count = 0;
    assert_int_equal(fg_vulkan_device_create(&options, &device), FG_ERR_ARGUMENT);
    assert_int_equal(fg_vulkan_device_create(NULL, &device), FG_ERR_ARGUMENT);
    assert_null(device);
}

#define PLAIN(test) cmocka_unit_test_setup_teardown(test, open_plain, close_clean)
#define NO_HOST_RESET(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, open_without_host_reset, close_clean)

int main(void)
{
    const struct CMUnitTest plain[] = {
        PLAIN(a_timer_reports_each_use_and_never_the_one_before),
        PLAIN(a_recording_that_never_ran_leaves_the_timer_usable),
        PLAIN(each_submission_of_a_reused_buffer_has_times_of_its_own),
        PLAIN(a_landing_given_up_in_flight_is_not_used_again_before_it_has_landed),
        PLAIN(one_timer_twice_in_a_submission_is_busy_and_counted),
        PLAIN(a_submission_is_timed_as_a_whole),
        PLAIN(landings_of_recordings_that_are_gone_are_collected),
        PLAIN(pipeline_statistics_count_what_was_drawn),
        PLAIN(statistics_of_reused_buffers_land_with_the_times),
        PLAIN(indirect_arguments_come_back),
        PLAIN(indirect_arguments_of_reused_buffers_come_back_per_submission),
        PLAIN(calibrated_readings_agree_with_the_host_or_say_why_not),
        PLAIN(the_device_is_described),
        PLAIN(wrong_options_are_refused),
        cmocka_unit_test_setup_teardown(without_timestamps_there_are_no_timers,
                                        open_without_timestamps, close_clean),
    };
    const struct CMUnitTest no_host_reset[] = {
        NO_HOST_RESET(a_timer_reports_each_use_and_never_the_one_before),
        NO_HOST_RESET(a_recording_that_never_ran_leaves_the_timer_usable),
        NO_HOST_RESET(without_host_reset_a_recording_inside_a_render_pass_gets_no_timer),
        NO_HOST_RESET(each_submission_of_a_reused_buffer_has_times_of_its_own),
        NO_HOST_RESET(pipeline_statistics_count_what_was_drawn),
        NO_HOST_RESET(indirect_arguments_come_back),
    };
    int failed = cmocka_run_group_tests(plain, NULL, NULL);
    return failed + cmocka_run_group_tests(no_host_reset, NULL, NULL);
}
