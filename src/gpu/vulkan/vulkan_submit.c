/* SPDX-License-Identifier: MIT */
/* Submissions in the application's own structures, announced and wrapped. */
#include "base/alloc.h"
#include "gpu/vulkan/vulkan_priv.h"

enum {
    INLINE_COMMANDS = 30,
    INLINE_SEMAPHORES = 16,
};

static VkResult end_submit(struct fg_device *device, struct fg_frame *frame, VkResult result)
{
    if (result != VK_SUCCESS) {
        fg_frame_submit_failed(frame);
    }
    if (result == VK_ERROR_DEVICE_LOST) {
        fg_device_report_lost(device);
    }
    return result;
}

/** Room for `count` items: on the stack as far as they fit. NULL when refused. */
static void *room(const struct fg_device *device, void *inline_items, size_t inline_count,
                  size_t count, size_t size)
{
    return count <= inline_count ? inline_items : fgi_calloc(device->allocator, count, size);
}

static void leave(const struct fg_device *device, const void *inline_items, void *items,
                  size_t count, size_t size)
{
    if (items != inline_items) {
        fgi_free(device->allocator, items, count * size);
    }
}

static const VkTimelineSemaphoreSubmitInfo *find_timeline(const VkSubmitInfo *batch)
{
    for (const VkBaseInStructure *next = batch->pNext; next != NULL; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO) {
            return (const VkTimelineSemaphoreSubmitInfo *)next;
        }
    }
    return NULL;
}

/** Device groups say per command buffer where it runs: nothing can be put beside them. */
static bool can_wrap(const VkSubmitInfo *batch)
{
    for (const VkBaseInStructure *next = batch->pNext; next != NULL; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO) {
            return false;
        }
    }
    return true;
}

static void copy_semaphores(const VkSemaphore *semaphores, uint32_t count, const uint64_t *values,
                            uint32_t value_count, struct fg_semaphore_op *out)
{
    for (uint32_t i = 0; i < count; i++) {
        out[i].semaphore = (uint64_t)(uintptr_t)semaphores[i];
        out[i].value = i < value_count ? values[i] : 0;
    }
}

/** What the recorder is told; commands that cannot be wrapped are named all the same. */
static void announce(struct fg_frame *frame, const struct fg_vulkan_submission *submission,
                     struct fg_semaphore_op *semaphores, uint32_t wait_count, uint32_t signal_count,
                     struct fg_submit_extra *out_extra)
{
    const struct fg_submission told = {
        .queue = submission->queue,
        .commands_count = submission->commands_count,
        .commands = submission->commands,
        .wait_count = wait_count,
        .signal_count = signal_count,
        .waits = semaphores,
        .signals = semaphores + wait_count,
    };
    fg_frame_submit(frame, &told, out_extra);
}

static VkResult submit_wrapped(struct fgi_vulkan_device *device,
                               const struct fg_vulkan_submission *submission,
                               const VkSubmitInfo *batch, const struct fg_submit_extra *extra)
{
    VkCommandBuffer inline_commands[INLINE_COMMANDS + 2];
    uint32_t count = 0;
    VkSubmitInfo wrapped = *batch;
    if (extra->before == NULL && extra->after == NULL) {
        return device->vk.QueueSubmit(device->queues[submission->queue], 1, batch,
                                      submission->fence);
    }
    size_t capacity = (size_t)batch->commandBufferCount + 2;
    VkCommandBuffer *commands =
        room(&device->base, inline_commands, INLINE_COMMANDS + 2, capacity, sizeof *commands);
    if (commands == NULL) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (extra->before != NULL) {
        commands[count++] = extra->before;
    }
    for (uint32_t i = 0; i < batch->commandBufferCount; i++) {
        commands[count++] = batch->pCommandBuffers[i];
    }
    if (extra->after != NULL) {
        commands[count++] = extra->after;
    }
    wrapped.commandBufferCount = count;
    wrapped.pCommandBuffers = commands;
    VkResult result =
        device->vk.QueueSubmit(device->queues[submission->queue], 1, &wrapped, submission->fence);
    leave(&device->base, inline_commands, commands, capacity, sizeof *commands);
    return result;
}

VkResult fg_vulkan_submit(struct fg_device *base, struct fg_frame *frame,
                          const struct fg_vulkan_submission *submission, const VkSubmitInfo *batch)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    struct fg_semaphore_op inline_semaphores[INLINE_SEMAPHORES];
    struct fg_submit_extra extra = { 0 };
    const VkTimelineSemaphoreSubmitInfo *timeline = find_timeline(batch);
    size_t count = (size_t)batch->waitSemaphoreCount + batch->signalSemaphoreCount;
    struct fg_semaphore_op *semaphores =
        room(base, inline_semaphores, INLINE_SEMAPHORES, count, sizeof *semaphores);
    if (semaphores == NULL) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    copy_semaphores(batch->pWaitSemaphores, batch->waitSemaphoreCount,
                    timeline != NULL ? timeline->pWaitSemaphoreValues : NULL,
                    timeline != NULL ? timeline->waitSemaphoreValueCount : 0, semaphores);
    copy_semaphores(batch->pSignalSemaphores, batch->signalSemaphoreCount,
                    timeline != NULL ? timeline->pSignalSemaphoreValues : NULL,
                    timeline != NULL ? timeline->signalSemaphoreValueCount : 0,
                    semaphores + batch->waitSemaphoreCount);
    announce(frame, submission, semaphores, batch->waitSemaphoreCount, batch->signalSemaphoreCount,
             can_wrap(batch) ? &extra : NULL);
    leave(base, inline_semaphores, semaphores, count, sizeof *semaphores);
    return end_submit(base, frame, submit_wrapped(device, submission, batch, &extra));
}

static VkResult submit2_wrapped(struct fgi_vulkan_device *device,
                                const struct fg_vulkan_submission *submission,
                                const VkSubmitInfo2 *batch, const struct fg_submit_extra *extra)
{
    VkCommandBufferSubmitInfo inline_commands[INLINE_COMMANDS + 2];
    uint32_t count = 0;
    VkSubmitInfo2 wrapped = *batch;
    VkCommandBufferSubmitInfo ours = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO };
    if (extra->before == NULL && extra->after == NULL) {
        return device->vk.QueueSubmit2(device->queues[submission->queue], 1, batch,
                                       submission->fence);
    }
    size_t capacity = (size_t)batch->commandBufferInfoCount + 2;
    VkCommandBufferSubmitInfo *commands =
        room(&device->base, inline_commands, INLINE_COMMANDS + 2, capacity, sizeof *commands);
    if (commands == NULL) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (extra->before != NULL) {
        ours.commandBuffer = extra->before;
        commands[count++] = ours;
    }
    for (uint32_t i = 0; i < batch->commandBufferInfoCount; i++) {
        commands[count++] = batch->pCommandBufferInfos[i];
    }
    if (extra->after != NULL) {
        ours.commandBuffer = extra->after;
        commands[count++] = ours;
    }
    wrapped.commandBufferInfoCount = count;
    wrapped.pCommandBufferInfos = commands;
    VkResult result =
        device->vk.QueueSubmit2(device->queues[submission->queue], 1, &wrapped, submission->fence);
    leave(&device->base, inline_commands, commands, capacity, sizeof *commands);
    return result;
}

static void copy_semaphore_infos(const VkSemaphoreSubmitInfo *infos, uint32_t count,
                                 struct fg_semaphore_op *out)
{
    for (uint32_t i = 0; i < count; i++) {
        out[i].semaphore = (uint64_t)(uintptr_t)infos[i].semaphore;
        out[i].value = infos[i].value;
    }
}

VkResult fg_vulkan_submit2(struct fg_device *base, struct fg_frame *frame,
                           const struct fg_vulkan_submission *submission,
                           const VkSubmitInfo2 *batch)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    struct fg_semaphore_op inline_semaphores[INLINE_SEMAPHORES];
    struct fg_submit_extra extra = { 0 };
    size_t count = (size_t)batch->waitSemaphoreInfoCount + batch->signalSemaphoreInfoCount;
    if (device->vk.QueueSubmit2 == NULL) {
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    struct fg_semaphore_op *semaphores =
        room(base, inline_semaphores, INLINE_SEMAPHORES, count, sizeof *semaphores);
    if (semaphores == NULL) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    copy_semaphore_infos(batch->pWaitSemaphoreInfos, batch->waitSemaphoreInfoCount, semaphores);
    copy_semaphore_infos(batch->pSignalSemaphoreInfos, batch->signalSemaphoreInfoCount,
                         semaphores + batch->waitSemaphoreInfoCount);
    announce(frame, submission, semaphores, batch->waitSemaphoreInfoCount,
             batch->signalSemaphoreInfoCount, &extra);
    leave(base, inline_semaphores, semaphores, count, sizeof *semaphores);
    return end_submit(base, frame, submit2_wrapped(device, submission, batch, &extra));
}

struct fg_commands *fg_vulkan_commands_begin(struct fg_frame *frame, VkCommandBuffer commands,
                                             uint32_t queue, uint32_t flags)
{
    const struct fg_commands_desc desc = { .native = commands, .queue = queue, .flags = flags };
    return fg_commands_begin(frame, &desc);
}
