/* SPDX-License-Identifier: MIT */
#include "cost_timer.h"
#include "vulkan_bed.h"
#include <frameglass/gpu_vulkan.h>

struct native {
    struct bed bed;
    VkCommandBuffer commands;
};

static void prepare(struct timer_bed *timer)
{
    struct native *native = timer->native;
    bed_begin(native->commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
}

static struct fg_commands *begin(struct timer_bed *timer, struct fg_frame *frame)
{
    struct native *native = timer->native;
    return fg_vulkan_commands_begin(frame, native->commands, 0, 0);
}

static void work(struct timer_bed *timer)
{
    struct native *native = timer->native;
    bed_rendering_begin(&native->bed, native->commands, 0, 0);
    bed_rendering_end(native->commands);
}

static void submit(struct timer_bed *timer)
{
    struct native *native = timer->native;
    bed_end(native->commands);
    bed_submit(&native->bed, &native->commands, 1, VK_NULL_HANDLE);
    bed_wait_idle(&native->bed);
}

bool timer_vk_measure(struct timer_costs *out)
{
    static struct native native;
    struct timer_bed timer = { .native = &native,
                               .prepare = prepare,
                               .begin = begin,
                               .work = work,
                               .announces = true,
                               .submit = submit };
    if (!bed_create(&native.bed, BED_WITHOUT_VALIDATION)) {
        return false;
    }
    native.commands = bed_commands(&native.bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    bed_begin(native.commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    bed_prepare_targets(&native.bed, native.commands);
    submit(&timer);
    const struct fg_vulkan_queue queue = { .queue = native.bed.queue, .family = native.bed.family };
    bool is_measured =
        fg_vulkan_device_create(
            FG_VULKAN_OPTIONS(.instance = native.bed.instance,
                              .physical_device = native.bed.physical, .device = native.bed.device,
                              .get_instance_proc_addr = vkGetInstanceProcAddr, .queues = &queue,
                              .queue_count = 1, .create_info = &native.bed.create_info),
            &timer.device) == FG_OK &&
        timer_measure(&timer, out);
    fg_device_destroy(timer.device);
    bed_destroy(&native.bed);
    return is_measured;
}
