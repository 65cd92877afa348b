/* SPDX-License-Identifier: MIT */
/*
 * Reused command buffers write the same queries each time. Around each submission stand two command
 * buffers of ours: the first resets the queries, the second copies the results to memory that
 * belongs to this submission. All of it is in submission order, so that the next submission's reset
 * waits for this one's copy.
 *
 * Such a set (a group) is recorded once for a list of timers and used again for each submission of
 * that list as soon as its results have been read: one per submission in flight. The application's
 * fences are not known here, so that nobody can tell when a command buffer has left the pending
 * state; that is why it is recorded for simultaneous use and never recorded again.
 */
#include "base/alloc.h"
#include "gpu/vulkan/vulkan_priv.h"
#include <string.h>

struct fgi_vulkan_group {
    uint32_t queue;
    uint32_t count; /**< landings: one per timer, and the whole submission where asked for */
    bool whole;
    uint32_t in_use;             /**< landings that were not destroyed yet */
    bool submitted;              /**< handed out, and not known to have landed */
    uint64_t last_use;           /**< device->group_clock */
    VkCommandBuffer commands[2]; /**< before, after */
    VkQueryPool stamps;          /**< of the whole submission: one slot */
    VkEvent landed;
    struct fgi_vulkan_memory memory;
    struct fgi_landing landings[];
};

static size_t group_size(uint32_t count)
{
    return sizeof(struct fgi_vulkan_group) + count * sizeof(struct fgi_landing);
}

static void destroy_group(struct fgi_vulkan_device *device, struct fgi_vulkan_group *group)
{
    if (group->commands[0] != NULL) {
        device->vk.FreeCommandBuffers(device->device, device->command_pools[group->queue], 2,
                                      group->commands);
    }
    fgi_vulkan_stamp_pool_destroy(device, group->stamps);
    device->vk.DestroyEvent(device->device, group->landed, device->callbacks);
    if (group->memory.buffer != VK_NULL_HANDLE) {
        fgi_vulkan_memory_destroy(device, &group->memory);
        atomic_fetch_sub_explicit(&device->landings_alive, 1, memory_order_relaxed);
    }
    fgi_free(device->base.allocator, group, group_size(group->count));
}

static void remove_group(struct fgi_vulkan_device *device, uint32_t index)
{
    destroy_group(device, device->groups[index]);
    device->groups[index] = device->groups[--device->group_count];
}

static bool has_landed(struct fgi_vulkan_device *device, struct fgi_vulkan_group *group)
{
    if (group->submitted &&
        device->vk.GetEventStatus(device->device, group->landed) == VK_EVENT_SET) {
        group->submitted = false;
    }
    return !group->submitted;
}

static bool names(const struct fgi_vulkan_group *group, const struct fgi_timer *timer)
{
    for (uint32_t i = 0; i < group->count; i++) {
        if (group->landings[i].timer == timer) {
            return true;
        }
    }
    return false;
}

/** A group names a timer that has been recorded anew since: it can never be used again. */
static bool is_stale(const struct fgi_vulkan_group *group)
{
    for (uint32_t i = 0; i < group->count; i++) {
        const struct fgi_timer *timer = group->landings[i].timer;
        if (timer != NULL && timer->generation != group->landings[i].generation) {
            return true;
        }
    }
    return false;
}

static bool is_made_for(const struct fgi_vulkan_group *group, uint32_t queue,
                        struct fgi_timer *const *timers, uint32_t count, bool whole)
{
    if (group->queue != queue || group->whole != whole || group->count != count + whole) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (group->landings[i].timer != timers[i] ||
            group->landings[i].generation != timers[i]->generation) {
            return false;
        }
    }
    return true;
}

/**
 * Stale groups whose landings were all let go. Their command buffers are out of use by contract.
 */
static void collect_stale(struct fgi_vulkan_device *device)
{
    for (uint32_t i = device->group_count; i-- > 0;) {
        struct fgi_vulkan_group *group = device->groups[i];
        if (group->in_use == 0 && is_stale(group)) {
            remove_group(device, i);
        }
    }
}

/** Make room for one more: the group that was not used for longest goes. */
static bool make_room(struct fgi_vulkan_device *device)
{
    uint32_t oldest = FGI_VULKAN_LANDINGS_MAX;
    if (device->group_count < FGI_VULKAN_LANDINGS_MAX) {
        return true;
    }
    for (uint32_t i = 0; i < device->group_count; i++) {
        struct fgi_vulkan_group *group = device->groups[i];
        if (group->in_use == 0 && has_landed(device, group) &&
            (oldest == FGI_VULKAN_LANDINGS_MAX ||
             group->last_use < device->groups[oldest]->last_use)) {
            oldest = i;
        }
    }
    if (oldest == FGI_VULKAN_LANDINGS_MAX) {
        return false;
    }
    remove_group(device, oldest);
    return true;
}

/**
 * On one queue submission order keeps uses apart; between queues, and within one submit, nothing.
 */
static bool collides(struct fgi_vulkan_device *device, uint32_t queue,
                     struct fgi_timer *const *timers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (timers[i] == timers[j]) {
                return true;
            }
        }
        for (uint32_t j = 0; j < device->group_count; j++) {
            struct fgi_vulkan_group *group = device->groups[j];
            if (group->queue != queue && names(group, timers[i]) && !has_landed(device, group)) {
                return true;
            }
        }
    }
    return false;
}

static size_t place(size_t *total, size_t size)
{
    size_t offset = *total;
    *total += (size + 15) / 16 * 16;
    return offset;
}

/** What each landing takes of the group's memory; the sum is returned. */
static size_t lay_out(const struct fgi_vulkan_device *device, struct fgi_vulkan_group *group,
                      struct fgi_timer *const *timers)
{
    size_t total = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        struct fgi_landing *landing = &group->landings[i];
        landing->group = group;
        landing->slots = 1;
        if (i < group->count - group->whole) {
            landing->timer = timers[i];
            landing->generation = timers[i]->generation;
            landing->slots = timers[i]->used;
            landing->indirect_slots = timers[i]->indirect_used;
            landing->statistics = timers[i]->statistics_used;
        }
        landing->stamps_offset =
            place(&total, (size_t)fgi_vulkan_queries(device, landing->slots) * 16);
        landing->statistics_offset = place(
            &total,
            landing->statistics ? (size_t)landing->slots * (FGI_VULKAN_STATISTICS + 1) * 8 : 0);
        landing->indirect_offset =
            place(&total, (size_t)landing->indirect_slots * FGI_INDIRECT_WORDS * 4);
    }
    return total != 0 ? total : 16;
}

static enum fg_result make_command_pool(struct fgi_vulkan_device *device, uint32_t queue)
{
    if (device->command_pools[queue] != VK_NULL_HANDLE) {
        return FG_OK;
    }
    VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = device->base.caps.queues[queue].family,
    };
    return fgi_vulkan_result(device->vk.CreateCommandPool(device->device, &info, device->callbacks,
                                                          &device->command_pools[queue]));
}

static void memory_barrier(struct fgi_vulkan_device *device, VkCommandBuffer commands,
                           VkPipelineStageFlags from, VkPipelineStageFlags to,
                           VkAccessFlags written, VkAccessFlags read)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = written,
        .dstAccessMask = read,
    };
    device->vk.CmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void record_before(struct fgi_vulkan_device *device, struct fgi_vulkan_group *group,
                          VkCommandBuffer commands)
{
    bool has_copies = false;
    for (uint32_t i = 0; i < group->count - group->whole; i++) {
        const struct fgi_landing *landing = &group->landings[i];
        if (landing->slots != 0) {
            fgi_vulkan_record_reset(device, landing->timer, commands, landing->slots);
        }
        has_copies = has_copies || landing->indirect_slots != 0;
    }
    if (has_copies) {
        /* the last submission's copy has read what this one's passes write */
        memory_barrier(device, commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0);
    }
    if (group->whole) {
        device->vk.CmdResetQueryPool(commands, group->stamps, 0, fgi_vulkan_queries(device, 1));
        fgi_vulkan_stamp(device, group->stamps, commands, 0, false);
    }
}

/**
 * Stamps are written late in the pipeline, and no barrier orders them before a copy: the copy
 * itself has to wait, on the queue, for the queries that it reads. So it reads those alone that
 * were recorded to the end: they will come, provided that the submission runs what it names.
 */
static void copy_queries(struct fgi_vulkan_device *device, const struct fgi_vulkan_group *group,
                         VkCommandBuffer commands, VkQueryPool pool, uint32_t first, uint32_t count,
                         size_t offset, size_t stride)
{
    device->vk.CmdCopyQueryPoolResults(
        commands, pool, first, count, group->memory.buffer, offset + first * stride, stride,
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

static void copy_timer(struct fgi_vulkan_device *device, const struct fgi_vulkan_group *group,
                       const struct fgi_landing *landing, VkCommandBuffer commands)
{
    const struct fgi_timer *timer = landing->timer;
    uint32_t count;
    for (uint32_t first = 0; fgi_vulkan_next_run(timer->ended, landing->slots, &first, &count);
         first += count) {
        copy_queries(device, group, commands, timer->stamps, fgi_vulkan_queries(device, first),
                     fgi_vulkan_queries(device, count), landing->stamps_offset, 16);
    }
    for (uint32_t first = 0; fgi_vulkan_next_run(timer->counted, landing->slots, &first, &count);
         first += count) {
        copy_queries(device, group, commands, timer->statistics, first, count,
                     landing->statistics_offset, (FGI_VULKAN_STATISTICS + 1) * 8);
    }
    if (landing->indirect_slots != 0) {
        const VkBufferCopy region = { 0, landing->indirect_offset,
                                      (VkDeviceSize)landing->indirect_slots * FGI_INDIRECT_WORDS *
                                          4 };
        memory_barrier(device, commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_ACCESS_TRANSFER_READ_BIT);
        device->vk.CmdCopyBuffer(commands, timer->indirect.buffer, group->memory.buffer, 1,
                                 &region);
    }
}

static void record_after(struct fgi_vulkan_device *device, struct fgi_vulkan_group *group,
                         VkCommandBuffer commands)
{
    if (group->whole) {
        fgi_vulkan_stamp(device, group->stamps, commands, 0, true);
    }
    /* the last submission's copies wrote to the same memory */
    memory_barrier(device, commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                   VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    for (uint32_t i = 0; i < group->count; i++) {
        const struct fgi_landing *landing = &group->landings[i];
        if (landing->timer != NULL) {
            copy_timer(device, group, landing, commands);
        } else {
            copy_queries(device, group, commands, group->stamps, 0, fgi_vulkan_queries(device, 1),
                         landing->stamps_offset, 16);
        }
    }
    memory_barrier(device, commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                   VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT);
    device->vk.CmdSetEvent(commands, group->landed, VK_PIPELINE_STAGE_TRANSFER_BIT);
}

static enum fg_result record_group(struct fgi_vulkan_device *device, struct fgi_vulkan_group *group)
{
    VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = device->command_pools[group->queue],
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 2,
    };
    VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
    };
    VkResult result = device->vk.AllocateCommandBuffers(device->device, &allocate, group->commands);
    for (int i = 0; i < 2 && result == VK_SUCCESS; i++) {
        result = device->vk.BeginCommandBuffer(group->commands[i], &begin);
        if (result == VK_SUCCESS && i == 0) {
            record_before(device, group, group->commands[i]);
        } else if (result == VK_SUCCESS) {
            record_after(device, group, group->commands[i]);
        }
        if (result == VK_SUCCESS) {
            result = device->vk.EndCommandBuffer(group->commands[i]);
        }
    }
    return fgi_vulkan_result(result);
}

static enum fg_result create_group(struct fgi_vulkan_device *device, uint32_t queue,
                                   struct fgi_timer *const *timers, uint32_t count, bool whole,
                                   struct fgi_vulkan_group **out_group)
{
    const VkEventCreateInfo event = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
    if (!make_room(device)) {
        return FG_ERR_LIMIT;
    }
    struct fgi_vulkan_group *group =
        fgi_calloc(device->base.allocator, 1, group_size(count + whole));
    if (group == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    group->queue = queue;
    group->count = count + whole;
    group->whole = whole;
    size_t size = lay_out(device, group, timers);
    enum fg_result result = make_command_pool(device, queue);
    if (result == FG_OK && whole) {
        result = fgi_vulkan_stamp_pool_create(device, 1, &group->stamps);
    }
    if (result == FG_OK) {
        result = fgi_vulkan_result(
            device->vk.CreateEvent(device->device, &event, device->callbacks, &group->landed));
    }
    if (result == FG_OK) {
        result = fgi_vulkan_memory_create(device, size, &group->memory);
    }
    if (result == FG_OK) {
        atomic_fetch_add_explicit(&device->landings_made, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&device->landings_alive, 1, memory_order_relaxed);
        result = record_group(device, group);
    }
    if (result != FG_OK) {
        destroy_group(device, group);
        return result;
    }
    device->groups[device->group_count++] = group;
    *out_group = group;
    return FG_OK;
}

static struct fgi_vulkan_group *find_free(struct fgi_vulkan_device *device, uint32_t queue,
                                          struct fgi_timer *const *timers, uint32_t count,
                                          bool whole)
{
    for (uint32_t i = 0; i < device->group_count; i++) {
        struct fgi_vulkan_group *group = device->groups[i];
        if (group->in_use == 0 && is_made_for(group, queue, timers, count, whole) &&
            has_landed(device, group)) {
            return group;
        }
    }
    return NULL;
}

static bool can_copy_results(const struct fgi_vulkan_device *device, uint32_t queue)
{
    return (device->queue_flags[queue] & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)) != 0 &&
           device->base.caps.queues[queue].valid_bits != 0;
}

static enum fg_result acquire_group(struct fgi_vulkan_device *device, uint32_t queue,
                                    struct fgi_timer *const *timers, uint32_t count, bool whole,
                                    struct fgi_vulkan_group **out_group)
{
    if (!can_copy_results(device, queue)) {
        return FG_ERR_UNSUPPORTED;
    }
    collect_stale(device);
    if (collides(device, queue, timers, count)) {
        return FG_ERR_BUSY;
    }
    *out_group = find_free(device, queue, timers, count, whole);
    if (*out_group == NULL) {
        return create_group(device, queue, timers, count, whole, out_group);
    }
    return fgi_vulkan_result(device->vk.ResetEvent(device->device, (*out_group)->landed));
}

enum fg_result fgi_vulkan_landing_create(struct fg_device *base, uint32_t queue,
                                         struct fgi_timer *const *timers, uint32_t count,
                                         bool whole, struct fgi_landing **out_landings,
                                         struct fg_submit_extra *out_extra)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    struct fgi_vulkan_group *group = NULL;
    enum fg_result result = acquire_group(device, queue, timers, count, whole, &group);
    if (result != FG_OK) {
        atomic_fetch_add_explicit(&device->refused, 1, memory_order_relaxed);
        return result;
    }
    group->in_use = group->count;
    group->submitted = true;
    group->last_use = ++device->group_clock;
    for (uint32_t i = 0; i < group->count; i++) {
        group->landings[i].in_use = true;
        out_landings[i] = &group->landings[i];
    }
    out_extra->before = group->commands[0];
    out_extra->after = group->commands[1];
    return FG_OK;
}

/** A group that was handed out and never submitted stays unlanded until its timers go. */
void fgi_vulkan_landing_destroy(struct fg_device *base, struct fgi_landing *landing)
{
    (void)base;
    if (landing != NULL && landing->in_use) {
        landing->in_use = false;
        landing->group->in_use--;
    }
}

uint64_t fgi_vulkan_landing_mask(const struct fgi_vulkan_device *device,
                                 const struct fgi_landing *landing)
{
    return device->tick_masks[landing->group->queue];
}

static const void *landed_memory(struct fgi_vulkan_device *device,
                                 const struct fgi_landing *landing, size_t offset)
{
    return has_landed(device, landing->group) ? (char *)landing->group->memory.mapped + offset
                                              : NULL;
}

const uint64_t *fgi_vulkan_landing_stamps(struct fgi_vulkan_device *device,
                                          const struct fgi_landing *landing)
{
    return landed_memory(device, landing, landing->stamps_offset);
}

const uint64_t *fgi_vulkan_landing_statistics(struct fgi_vulkan_device *device,
                                              const struct fgi_landing *landing)
{
    return landing->statistics ? landed_memory(device, landing, landing->statistics_offset) : NULL;
}

const uint32_t *fgi_vulkan_landing_indirect(struct fgi_vulkan_device *device,
                                            const struct fgi_landing *landing)
{
    return landing->indirect_slots != 0 ? landed_memory(device, landing, landing->indirect_offset)
                                        : NULL;
}

void fgi_vulkan_landing_forget(struct fgi_vulkan_device *device, const struct fgi_timer *timer)
{
    for (uint32_t i = device->group_count; i-- > 0;) {
        if (names(device->groups[i], timer)) {
            remove_group(device, i);
        }
    }
}

void fgi_vulkan_landing_close(struct fgi_vulkan_device *device)
{
    while (device->group_count > 0) {
        remove_group(device, device->group_count - 1);
    }
    for (uint32_t i = 0; i < FGI_QUEUES_MAX; i++) {
        if (device->command_pools[i] != VK_NULL_HANDLE) {
            device->vk.DestroyCommandPool(device->device, device->command_pools[i],
                                          device->callbacks);
            device->command_pools[i] = VK_NULL_HANDLE;
        }
    }
}
