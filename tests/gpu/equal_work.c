/* SPDX-License-Identifier: MIT */
/* Ten passes of equal work, through the operations that the recorder uses. */
#include "equal_work.h"
#include "base/rank.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fg_device *equal_device(struct bed *bed, enum fg_vulkan_stamps stamps, uint32_t flags)
{
    struct fg_device *device = NULL;
    const struct fg_vulkan_queue queue = { bed->queue, bed->family, NULL };
    enum fg_result result = fg_vulkan_device_create(
        FG_VULKAN_OPTIONS(.flags = flags, .stamps = stamps, .instance = bed->instance,
                          .physical_device = bed->physical, .device = bed->device,
                          .get_instance_proc_addr = vkGetInstanceProcAddr,
                          .get_device_proc_addr = vkGetDeviceProcAddr, .queues = &queue,
                          .queue_count = 1, .create_info = &bed->create_info),
        &device);
    if (result != FG_OK) {
        fprintf(stderr, "fg_vulkan_device_create: %s\n", fg_result_name(result));
        abort();
    }
    return device;
}

static void record_frame(struct bed *bed, struct fg_device *device, struct fgi_timer *timer,
                         VkCommandBuffer commands, uint32_t loops, bool alternating)
{
    bed_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (!device->ops->timer_begin(device, timer, commands, 0)) {
        abort();
    }
    bed_barrier(bed, commands);
    for (uint32_t pass = 0; pass < EQUAL_PASSES; pass++) {
        unsigned target = alternating ? pass % BED_TARGETS : 0;
        device->ops->slot_begin(device, timer, commands, pass, false);
        bed_rendering_begin(bed, commands, target, 0);
        bed_draw(bed, commands, loops);
        bed_rendering_end(commands);
        device->ops->slot_end(device, timer, commands, pass, false);
        bed_barrier(bed, commands);
    }
    device->ops->timer_end(device, timer, commands);
    bed_end(commands);
}

static void read_frame(struct fg_device *device, struct fgi_timer *timer,
                       int64_t durations_ns[EQUAL_PASSES])
{
    struct fgi_slot_result results[EQUAL_PASSES] = { 0 };
    if (device->ops->timer_read(device, timer, NULL, 0, EQUAL_PASSES, results) != FG_OK) {
        abort();
    }
    for (int pass = 0; pass < EQUAL_PASSES; pass++) {
        if (!results[pass].has_begin || !results[pass].has_end) {
            fprintf(stderr, "pass %d has no result after its fence\n", pass);
            abort();
        }
        int64_t ticks = fgi_ticks_difference(results[pass].end_ticks, results[pass].begin_ticks,
                                             device->caps.queues[0].valid_bits);
        durations_ns[pass] = fgi_ticks_to_ns(ticks, device->caps.period);
    }
}

static void summarize(int64_t (*durations_ns)[EQUAL_FRAMES], struct equal_work *work)
{
    int64_t sorted[EQUAL_PASSES];
    for (int pass = 0; pass < EQUAL_PASSES; pass++) {
        work->median_ns[pass] = fgi_rank_ns(durations_ns[pass], EQUAL_FRAMES, 50);
        sorted[pass] = work->median_ns[pass];
    }
    work->middle_ns = fgi_rank_ns(sorted, EQUAL_PASSES, 50);
    for (int pass = 0; pass < EQUAL_PASSES; pass++) {
        int64_t off_ns = llabs(work->median_ns[pass] - work->middle_ns);
        int percent = work->middle_ns > 0 ? (int)(off_ns * 100 / work->middle_ns) : 100;
        work->worst_percent = percent > work->worst_percent ? percent : work->worst_percent;
    }
}

struct equal_work equal_work_measure(struct bed *bed, struct fg_device *device, uint32_t loops,
                                     bool alternating)
{
    struct fgi_timer *timer = NULL;
    struct equal_work work = { 0 };
    int64_t durations_ns[EQUAL_PASSES][EQUAL_FRAMES];
    VkCommandBuffer commands = bed_commands(bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkFence fence = bed_fence(bed);
    if (device->ops->timer_create(device, 0, EQUAL_PASSES, false, 0, &timer) != FG_OK) {
        abort();
    }
    for (int frame = -1; frame < EQUAL_FRAMES; frame++) { /* one to warm up */
        int64_t of_frame[EQUAL_PASSES];
        record_frame(bed, device, timer, commands, loops, alternating);
        bed_submit(bed, &commands, 1, fence);
        bed_fence_wait(bed, fence);
        read_frame(device, timer, of_frame);
        for (int pass = 0; pass < EQUAL_PASSES && frame >= 0; pass++) {
            durations_ns[pass][frame] = of_frame[pass];
        }
    }
    device->ops->timer_destroy(device, timer);
    vkDestroyFence(bed->device, fence, NULL);
    summarize(durations_ns, &work);
    work.tries = 1;
    return work;
}

struct equal_work equal_work_best(struct bed *bed, struct fg_device *device, uint32_t loops,
                                  bool alternating)
{
    struct equal_work best = equal_work_measure(bed, device, loops, alternating);
    int tries = 1;
    for (; tries < EQUAL_TRIES && best.worst_percent > EQUAL_TOLERANCE_PERCENT; tries++) {
        struct equal_work work = equal_work_measure(bed, device, loops, alternating);
        best = work.worst_percent < best.worst_percent ? work : best;
    }
    best.tries = tries;
    return best;
}
