/* SPDX-License-Identifier: MIT */
/* Query pools: reset, written by command buffers, read without ever waiting. */
#include "base/alloc.h"
#include "gpu/vulkan/vulkan_priv.h"
#include <string.h>

enum {
    READ_SLOTS = 32, /* at once: what lies on the stack meanwhile */
    STAMP_QUERIES_MAX = 4,
    STATISTIC_WORDS = FGI_VULKAN_STATISTICS + 1, /* and availability */
};

static size_t bit_words(const struct fgi_timer *timer)
{
    return ((size_t)timer->slots + 63) / 64;
}

static void set_bit(uint64_t *bits, uint32_t slot)
{
    bits[slot / 64] |= UINT64_C(1) << slot % 64;
}

static bool get_bit(const uint64_t *bits, uint32_t slot)
{
    return (bits[slot / 64] >> slot % 64 & 1) != 0;
}

bool fgi_vulkan_next_run(const uint64_t *bits, uint32_t end, uint32_t *first, uint32_t *out_count)
{
    while (*first < end && !get_bit(bits, *first)) {
        ++*first;
    }
    *out_count = 0;
    while (*first + *out_count < end && get_bit(bits, *first + *out_count)) {
        ++*out_count;
    }
    return *out_count != 0;
}

static enum fg_result create_query_pool(struct fgi_vulkan_device *device, VkQueryType type,
                                        uint32_t count, VkQueryPool *out_pool)
{
    VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = type,
        .queryCount = count,
        .pipelineStatistics =
            type == VK_QUERY_TYPE_PIPELINE_STATISTICS ? device->base.caps.statistics_mask : 0,
    };
    VkResult result =
        device->vk.CreateQueryPool(device->device, &info, device->callbacks, out_pool);
    if (result == VK_SUCCESS) {
        atomic_fetch_add_explicit(&device->pools_made, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&device->pools_alive, 1, memory_order_relaxed);
    }
    return fgi_vulkan_result(result);
}

static void destroy_query_pool(struct fgi_vulkan_device *device, VkQueryPool pool)
{
    if (pool != VK_NULL_HANDLE) {
        device->vk.DestroyQueryPool(device->device, pool, device->callbacks);
        atomic_fetch_sub_explicit(&device->pools_alive, 1, memory_order_relaxed);
    }
}

enum fg_result fgi_vulkan_stamp_pool_create(struct fgi_vulkan_device *device, uint32_t slots,
                                            VkQueryPool *out_pool)
{
    return create_query_pool(device, VK_QUERY_TYPE_TIMESTAMP, fgi_vulkan_queries(device, slots),
                             out_pool);
}

void fgi_vulkan_stamp_pool_destroy(struct fgi_vulkan_device *device, VkQueryPool pool)
{
    destroy_query_pool(device, pool);
}

static enum fg_result create_event(struct fgi_vulkan_device *device, VkEvent *out_event)
{
    VkEventCreateInfo info = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
    return fgi_vulkan_result(
        device->vk.CreateEvent(device->device, &info, device->callbacks, out_event));
}

/** Statistics of all kinds need a queue for graphics and compute. */
static bool can_count(const struct fgi_vulkan_device *device, uint32_t queue)
{
    const VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    return (device->queue_flags[queue] & needed) == needed;
}

static enum fg_result create_parts(struct fgi_vulkan_device *device, struct fgi_timer *timer,
                                   bool statistics)
{
    enum fg_result result = fgi_vulkan_stamp_pool_create(device, timer->slots, &timer->stamps);
    if (result == FG_OK && statistics && can_count(device, timer->queue)) {
        result = create_query_pool(device, VK_QUERY_TYPE_PIPELINE_STATISTICS, timer->slots,
                                   &timer->statistics);
    }
    if (result == FG_OK && !device->host_reset) {
        result = create_event(device, &timer->was_reset);
    }
    if (result == FG_OK && timer->indirect_slots != 0) {
        result = create_event(device, &timer->copied);
    }
    if (result == FG_OK && timer->indirect_slots != 0) {
        result = fgi_vulkan_memory_create(
            device, (size_t)timer->indirect_slots * FGI_INDIRECT_WORDS * sizeof(uint32_t),
            &timer->indirect);
    }
    return result;
}

enum fg_result fgi_vulkan_timer_create(struct fg_device *base, uint32_t queue, uint32_t slots,
                                       bool statistics, uint32_t indirect_slots,
                                       struct fgi_timer **out_timer)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    if (base->caps.queues[queue].valid_bits == 0) {
        return FG_ERR_UNSUPPORTED;
    }
    struct fgi_timer *timer = fgi_calloc(base->allocator, 1, sizeof *timer);
    if (timer == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    timer->queue = queue;
    timer->slots = slots;
    timer->indirect_slots = indirect_slots;
    timer->dirty = true;
    timer->ended = fgi_calloc(base->allocator, bit_words(timer), sizeof *timer->ended);
    timer->counted = fgi_calloc(base->allocator, bit_words(timer), sizeof *timer->counted);
    enum fg_result result = timer->ended != NULL && timer->counted != NULL
                                ? create_parts(device, timer, statistics)
                                : FG_ERR_NO_MEMORY;
    if (result != FG_OK) {
        fgi_vulkan_timer_destroy(base, timer);
        return result;
    }
    *out_timer = timer;
    return FG_OK;
}

void fgi_vulkan_timer_destroy(struct fg_device *base, struct fgi_timer *timer)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    if (timer == NULL) {
        return;
    }
    fgi_vulkan_landing_forget(device, timer);
    destroy_query_pool(device, timer->stamps);
    destroy_query_pool(device, timer->statistics);
    device->vk.DestroyEvent(device->device, timer->was_reset, device->callbacks);
    device->vk.DestroyEvent(device->device, timer->copied, device->callbacks);
    fgi_vulkan_memory_destroy(device, &timer->indirect);
    fgi_free(base->allocator, timer->ended, bit_words(timer) * sizeof *timer->ended);
    fgi_free(base->allocator, timer->counted, bit_words(timer) * sizeof *timer->counted);
    fgi_free(base->allocator, timer, sizeof *timer);
}

static void reset_on_host(struct fgi_vulkan_device *device, struct fgi_timer *timer, uint32_t slots)
{
    device->vk.ResetQueryPool(device->device, timer->stamps, 0, fgi_vulkan_queries(device, slots));
    if (timer->statistics != VK_NULL_HANDLE) {
        device->vk.ResetQueryPool(device->device, timer->statistics, 0, slots);
    }
}

void fgi_vulkan_record_reset(struct fgi_vulkan_device *device, struct fgi_timer *timer,
                             VkCommandBuffer commands, uint32_t slots)
{
    device->vk.CmdResetQueryPool(commands, timer->stamps, 0, fgi_vulkan_queries(device, slots));
    if (timer->statistics != VK_NULL_HANDLE) {
        device->vk.CmdResetQueryPool(commands, timer->statistics, 0, slots);
    }
}

static bool is_set(struct fgi_vulkan_device *device, VkEvent event)
{
    return device->vk.GetEventStatus(device->device, event) == VK_EVENT_SET;
}

/**
 * Until the device has run a recorded reset, the pool still shows the previous use: an event after
 * the reset says when it may be read.
 */
static bool reset_in_commands(struct fgi_vulkan_device *device, struct fgi_timer *timer,
                              VkCommandBuffer commands)
{
    if (timer->flags & FG_COMMANDS_IN_RENDER_PASS) {
        return false;
    }
    if (!timer->dirty && !is_set(device, timer->was_reset)) {
        timer->dirty = true; /* the command buffer with the last reset never ran */
    }
    if (device->vk.ResetEvent(device->device, timer->was_reset) != VK_SUCCESS) {
        return false;
    }
    fgi_vulkan_record_reset(device, timer, commands, timer->dirty ? timer->slots : timer->touched);
    device->vk.CmdSetEvent(commands, timer->was_reset, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    timer->dirty = false;
    return true;
}

/**
 * Reused command buffers are reset around each of their submissions; see vulkan_landing.c.
 *
 * A timer comes back as soon as its results are there, often before the application has waited for
 * its fence. Slots that the last use did not need are reset once more all the same: the validation
 * layer goes by fences, and takes their earlier use to be later than the reset in between.
 */
bool fgi_vulkan_timer_begin(struct fg_device *base, struct fgi_timer *timer, void *commands,
                            uint32_t flags)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    if (timer->used > timer->touched) {
        timer->touched = timer->used;
    }
    timer->flags = flags;
    timer->used = 0;
    timer->indirect_used = 0;
    timer->statistics_used = false;
    memset(timer->ended, 0, bit_words(timer) * sizeof *timer->ended);
    memset(timer->counted, 0, bit_words(timer) * sizeof *timer->counted);
    timer->generation++;
    if (flags & FG_COMMANDS_REUSED) {
        timer->dirty = true;
        return true;
    }
    if (timer->indirect_slots != 0 &&
        device->vk.ResetEvent(device->device, timer->copied) != VK_SUCCESS) {
        return false;
    }
    if (!device->host_reset) {
        return reset_in_commands(device, timer, commands);
    }
    reset_on_host(device, timer, timer->dirty ? timer->slots : timer->touched);
    timer->dirty = false;
    return true;
}

/** The reset of a landing copies for itself; a one-time buffer says that its copies are done. */
void fgi_vulkan_timer_end(struct fg_device *base, struct fgi_timer *timer, void *commands)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    if (timer->indirect_used == 0 || (timer->flags & FG_COMMANDS_REUSED)) {
        return;
    }
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
    };
    device->vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                  VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    device->vk.CmdSetEvent(commands, timer->copied, VK_PIPELINE_STAGE_TRANSFER_BIT);
}

/**
 * The second of a pair is never read: it only pushes the first one out in time on drivers that keep
 * a stamp back until more work comes.
 */
void fgi_vulkan_stamp(struct fgi_vulkan_device *device, VkQueryPool pool, VkCommandBuffer commands,
                      uint32_t slot, bool is_end)
{
    uint32_t query = fgi_vulkan_queries(device, slot) + (is_end ? device->stamp_queries : 0);
    for (uint32_t i = 0; i < device->stamp_queries; i++) {
        device->vk.CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool,
                                     query + i);
    }
}

void fgi_vulkan_slot_begin(struct fg_device *base, struct fgi_timer *timer, void *commands,
                           uint32_t slot, bool statistics)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    if (slot >= timer->used) {
        timer->used = slot + 1;
    }
    fgi_vulkan_stamp(device, timer->stamps, commands, slot, false);
    if (statistics && timer->statistics != VK_NULL_HANDLE) {
        device->vk.CmdBeginQuery(commands, timer->statistics, slot, 0);
        timer->statistics_used = true;
    }
}

/** Statistics end before the stamp, so that they have landed when the stamp has. */
void fgi_vulkan_slot_end(struct fg_device *base, struct fgi_timer *timer, void *commands,
                         uint32_t slot, bool statistics)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    if (statistics && timer->statistics != VK_NULL_HANDLE) {
        device->vk.CmdEndQuery(commands, timer->statistics, slot);
        set_bit(timer->counted, slot);
    }
    fgi_vulkan_stamp(device, timer->stamps, commands, slot, true);
    set_bit(timer->ended, slot);
}

static void copy_barrier(struct fgi_vulkan_device *device, VkCommandBuffer commands,
                         VkPipelineStageFlags from, VkPipelineStageFlags to, VkAccessFlags written,
                         VkAccessFlags read)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = written,
        .dstAccessMask = read,
    };
    device->vk.CmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void fgi_vulkan_copy_indirect(struct fg_device *base, struct fgi_timer *timer, void *commands,
                              uint32_t first, const struct fgi_indirect_copy *copies,
                              uint32_t count)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    const VkDeviceSize stride = FGI_INDIRECT_WORDS * sizeof(uint32_t);
    if (count == 0 || (timer->flags & FG_COMMANDS_IN_RENDER_PASS) ||
        first + count > timer->indirect_slots) {
        return;
    }
    copy_barrier(device, commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                 VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                 VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    for (uint32_t i = 0; i < count; i++) {
        const VkBufferCopy region = { copies[i].offset_bytes, (first + i) * stride,
                                      copies[i].size_bytes };
        device->vk.CmdCopyBuffer(commands, (VkBuffer)(uintptr_t)copies[i].buffer,
                                 timer->indirect.buffer, 1, &region);
    }
    copy_barrier(device, commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                 VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0);
    timer->indirect_used = first + count;
}

/** Values and availability of one slot, as the device wrote them. */
static void take_stamps(const struct fgi_vulkan_device *device, uint64_t mask,
                        const uint64_t *words, struct fgi_slot_result *out)
{
    const uint64_t *end = words + (size_t)device->stamp_queries * 2;
    out->has_begin = words[1] != 0;
    out->has_end = end[1] != 0;
    out->begin_ticks = out->has_begin ? words[0] & mask : 0;
    out->end_ticks = out->has_end ? end[0] & mask : 0;
}

static void take_statistics(const uint64_t *words, struct fgi_slot_result *out)
{
    out->has_statistics = words[FGI_VULKAN_STATISTICS] != 0;
    for (int i = 0; i < FGI_VULKAN_STATISTICS; i++) {
        out->statistics[i] = out->has_statistics ? words[i] : 0;
    }
}

static void read_landing(struct fgi_vulkan_device *device, const struct fgi_landing *landing,
                         uint32_t first, uint32_t count, struct fgi_slot_result *out)
{
    const uint64_t *stamps = fgi_vulkan_landing_stamps(device, landing);
    const uint64_t *statistics = fgi_vulkan_landing_statistics(device, landing);
    uint64_t mask = fgi_vulkan_landing_mask(device, landing);
    for (uint32_t i = 0; i < count && first + i < landing->slots && stamps != NULL; i++) {
        uint32_t slot = first + i;
        take_stamps(device, mask, stamps + (size_t)fgi_vulkan_queries(device, slot) * 2, &out[i]);
        if (statistics != NULL) {
            take_statistics(statistics + (size_t)slot * STATISTIC_WORDS, &out[i]);
        }
    }
}

static enum fg_result read_stamps(struct fgi_vulkan_device *device, struct fgi_timer *timer,
                                  uint32_t first, uint32_t count, struct fgi_slot_result *out)
{
    uint64_t words[READ_SLOTS * STAMP_QUERIES_MAX * 2] = { 0 };
    uint32_t queries = fgi_vulkan_queries(device, count);
    VkResult result = device->vk.GetQueryPoolResults(
        device->device, timer->stamps, fgi_vulkan_queries(device, first), queries,
        (size_t)queries * 2 * sizeof *words, words, 2 * sizeof *words,
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    for (uint32_t i = 0; i < count; i++) {
        take_stamps(device, device->tick_masks[timer->queue],
                    words + (size_t)fgi_vulkan_queries(device, i) * 2, &out[i]);
    }
    return fgi_vulkan_result(result);
}

static enum fg_result read_statistics(struct fgi_vulkan_device *device, struct fgi_timer *timer,
                                      uint32_t first, uint32_t count, struct fgi_slot_result *out)
{
    uint64_t words[READ_SLOTS * STATISTIC_WORDS] = { 0 };
    const VkDeviceSize stride = STATISTIC_WORDS * sizeof *words;
    VkResult result = device->vk.GetQueryPoolResults(
        device->device, timer->statistics, first, count, (size_t)count * stride, words, stride,
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    for (uint32_t i = 0; i < count; i++) {
        take_statistics(words + (size_t)i * STATISTIC_WORDS, &out[i]);
    }
    return fgi_vulkan_result(result);
}

/**
 * FG_OK, FG_ERR_BUSY (not yet), FG_ERR_DEVICE_LOST. Copies of indirect arguments come last: results
 * before them would be taken for complete.
 */
static enum fg_result is_readable(struct fgi_vulkan_device *device, struct fgi_timer *timer)
{
    const VkEvent needed[2] = {
        device->host_reset ? VK_NULL_HANDLE : timer->was_reset,
        timer->indirect_used == 0 ? VK_NULL_HANDLE : timer->copied,
    };
    for (int i = 0; i < 2; i++) {
        VkResult status = needed[i] == VK_NULL_HANDLE
                              ? VK_EVENT_SET
                              : device->vk.GetEventStatus(device->device, needed[i]);
        if (status != VK_EVENT_SET) {
            return status == VK_ERROR_DEVICE_LOST ? FG_ERR_DEVICE_LOST : FG_ERR_BUSY;
        }
    }
    return FG_OK;
}

enum fg_result fgi_vulkan_timer_read(struct fg_device *base, struct fgi_timer *timer,
                                     struct fgi_landing *landing, uint32_t first, uint32_t count,
                                     struct fgi_slot_result *out)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    if (landing != NULL) {
        read_landing(device, landing, first, count, out);
        return FG_OK;
    }
    enum fg_result result = is_readable(device, timer);
    if (result == FG_ERR_BUSY) {
        return FG_OK;
    }
    for (uint32_t done = 0; done < count && result == FG_OK;) {
        uint32_t now = count - done < READ_SLOTS ? count - done : READ_SLOTS;
        result = read_stamps(device, timer, first + done, now, out + done);
        if (result == FG_OK && timer->statistics_used) {
            result = read_statistics(device, timer, first + done, now, out + done);
        }
        done += now;
    }
    return result;
}

enum fg_result fgi_vulkan_indirect_read(struct fg_device *base, struct fgi_timer *timer,
                                        struct fgi_landing *landing, uint32_t first, uint32_t count,
                                        uint32_t (*out_words)[FGI_INDIRECT_WORDS], bool *out_have)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    const uint32_t *words = NULL;
    uint32_t there = 0;
    if (landing != NULL) {
        words = fgi_vulkan_landing_indirect(device, landing);
        there = landing->indirect_slots;
    } else if (timer->indirect_used != 0 && is_set(device, timer->copied)) {
        words = timer->indirect.mapped;
        there = timer->indirect_used;
    }
    for (uint32_t i = 0; i < count; i++) {
        out_have[i] = words != NULL && first + i < there;
        for (uint32_t word = 0; word < FGI_INDIRECT_WORDS && out_have[i]; word++) {
            out_words[i][word] = words[(size_t)(first + i) * FGI_INDIRECT_WORDS + word];
        }
    }
    return FG_OK;
}
