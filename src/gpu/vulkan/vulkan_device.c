/* SPDX-License-Identifier: MIT */
/* Makes a recorder's device of a Vulkan device. */
#include "base/alloc.h"
#include "gpu/vulkan/vulkan_priv.h"
#include <stdio.h>

enum { FAMILIES_MAX = 64 };

static void label_begin(struct fg_device *base, void *commands, const char *name)
{
    const VkDebugUtilsLabelEXT label = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
        .pLabelName = name,
    };
    fgi_vulkan_device(base)->vk.CmdBeginDebugUtilsLabelEXT(commands, &label);
}

static void label_end(struct fg_device *base, void *commands)
{
    fgi_vulkan_device(base)->vk.CmdEndDebugUtilsLabelEXT(commands);
}

static void close_device(struct fg_device *base)
{
    fgi_vulkan_landing_close(fgi_vulkan_device(base));
}

static void free_device(struct fg_device *base)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    fgi_bytes_finish(&device->features);
    fgi_free(base->allocator, device, sizeof *device);
}

#define COMMON_OPERATIONS                                                                          \
    .timer_create = fgi_vulkan_timer_create, .timer_destroy = fgi_vulkan_timer_destroy,            \
    .timer_begin = fgi_vulkan_timer_begin, .timer_end = fgi_vulkan_timer_end,                      \
    .slot_begin = fgi_vulkan_slot_begin, .slot_end = fgi_vulkan_slot_end,                          \
    .copy_indirect = fgi_vulkan_copy_indirect, .timer_read = fgi_vulkan_timer_read,                \
    .indirect_read = fgi_vulkan_indirect_read, .landing_create = fgi_vulkan_landing_create,        \
    .landing_destroy = fgi_vulkan_landing_destroy, .calibrate = fgi_vulkan_calibrate,              \
    .memory = fgi_vulkan_memory_use, .describe = fgi_vulkan_describe, .close = close_device,       \
    .free = free_device

static const struct fgi_device_ops operations = { COMMON_OPERATIONS };
static const struct fgi_device_ops operations_with_labels = {
    COMMON_OPERATIONS,
    .label_begin = label_begin,
    .label_end = label_end,
};

static const char *family_name(VkQueueFlags flags)
{
    return flags & VK_QUEUE_GRAPHICS_BIT   ? "graphics"
           : flags & VK_QUEUE_COMPUTE_BIT  ? "compute"
           : flags & VK_QUEUE_TRANSFER_BIT ? "transfer"
                                           : "queue";
}

/** Where queries can be reset neither by the host nor by the queue itself, nothing can be timed. */
static uint32_t usable_bits(const struct fgi_vulkan_device *device, uint32_t flags,
                            const VkQueueFamilyProperties *family)
{
    bool resets = device->host_reset ||
                  (family->queueFlags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)) != 0;
    return resets && (flags & FG_VULKAN_NO_TIMESTAMPS) == 0 ? family->timestampValidBits : 0;
}

/** "graphics", and with several of a kind "compute 0", "compute 1". */
static void name_queue(struct fgi_vulkan_device *device, uint32_t index, const char *given)
{
    struct fgi_queue_caps *queue = &device->base.caps.queues[index];
    const char *name = family_name(device->queue_flags[index]);
    uint32_t before = 0;
    uint32_t alike = 0;
    if (given != NULL) {
        snprintf(queue->name, sizeof queue->name, "%s", given);
        return;
    }
    for (uint32_t i = 0; i < device->base.caps.queue_count; i++) {
        bool same = family_name(device->queue_flags[i]) == name;
        alike += same;
        before += same && i < index;
    }
    if (alike > 1) {
        snprintf(queue->name, sizeof queue->name, "%s %u", name, (unsigned)before);
    } else {
        snprintf(queue->name, sizeof queue->name, "%s", name);
    }
}

static enum fg_result fill_queues(struct fgi_vulkan_device *device,
                                  const struct fg_vulkan_options *options)
{
    struct fgi_device_caps *caps = &device->base.caps;
    VkQueueFamilyProperties families[FAMILIES_MAX];
    uint32_t count = FAMILIES_MAX;
    device->vk.GetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
    caps->queue_count = options->queue_count;
    for (uint32_t i = 0; i < options->queue_count; i++) {
        const struct fg_vulkan_queue *queue = &options->queues[i];
        if (queue->family >= count) {
            return FG_ERR_ARGUMENT;
        }
        uint32_t bits = usable_bits(device, options->flags, &families[queue->family]);
        device->queues[i] = queue->queue;
        device->queue_flags[i] = families[queue->family].queueFlags;
        device->tick_masks[i] = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
        caps->queues[i].family = queue->family;
        caps->queues[i].valid_bits = bits;
        if (bits != 0) {
            caps->period = fgi_rational_from_float(device->properties.limits.timestampPeriod);
        }
    }
    for (uint32_t i = 0; i < options->queue_count; i++) {
        name_queue(device, i, options->queues[i].name);
    }
    return FG_OK;
}

static void fill_caps(struct fgi_vulkan_device *device, const struct fg_vulkan_options *options)
{
    struct fgi_device_caps *caps = &device->base.caps;
    uint32_t flags = options->flags;
    bool statistics = (flags & FG_VULKAN_PIPELINE_STATISTICS) != 0 ||
                      fgi_vulkan_feature_statistics(options->create_info);
    caps->nominal_reason = fgi_vulkan_no_calibration(device, flags);
    caps->calibrated = caps->nominal_reason == NULL;
    caps->host_clock = "monotonic";
    caps->landings = true;
    caps->indirect = true;
    caps->memory =
        (flags & FG_VULKAN_NO_MEMORY_BUDGET) == 0 && fgi_vulkan_memory_budget_known(device);
    if (statistics && (flags & FG_VULKAN_NO_PIPELINE_STATISTICS) == 0) {
        caps->statistics_mask = (1u << FGI_VULKAN_STATISTICS) - 1;
    }
}

static void decide_how(struct fgi_vulkan_device *device, const struct fg_vulkan_options *options)
{
    device->host_reset = device->vk.ResetQueryPool != NULL &&
                         (options->flags & FG_VULKAN_NO_HOST_QUERY_RESET) == 0 &&
                         ((options->flags & FG_VULKAN_HOST_QUERY_RESET) != 0 ||
                          fgi_vulkan_feature_host_reset(options->create_info));
    bool pairs = options->stamps == FG_VULKAN_STAMPS_PAIRED ||
                 (options->stamps == FG_VULKAN_STAMPS_AUTO && fgi_vulkan_needs_pairs(device));
    device->stamp_queries = pairs ? 2 : 1;
    device->base.ops =
        device->vk.CmdBeginDebugUtilsLabelEXT != NULL && device->vk.CmdEndDebugUtilsLabelEXT != NULL
            ? &operations_with_labels
            : &operations;
}

static bool is_complete(const struct fg_vulkan_options *options)
{
    return options != NULL && options->instance != NULL && options->physical_device != NULL &&
           options->device != NULL && options->get_instance_proc_addr != NULL &&
           options->queues != NULL && options->queue_count > 0 &&
           options->queue_count <= FGI_QUEUES_MAX;
}

enum fg_result fg_vulkan_device_create(const struct fg_vulkan_options *options,
                                       struct fg_device **out_device)
{
    if (!is_complete(options) || out_device == NULL) {
        return FG_ERR_ARGUMENT;
    }
    struct fgi_vulkan_device *device = fgi_calloc(options->allocator, 1, sizeof *device);
    if (device == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    device->base.allocator = fgi_allocator(options->allocator);
    device->instance = options->instance;
    device->physical = options->physical_device;
    device->device = options->device;
    if (options->callbacks != NULL) {
        device->callbacks_copy = *options->callbacks;
        device->callbacks = &device->callbacks_copy;
    }
    enum fg_result result = fgi_vulkan_load(device, options);
    if (result != FG_OK) {
        goto fail;
    }
    fgi_vulkan_identify(device);
    decide_how(device, options);
    result = fill_queues(device, options);
    if (result != FG_OK) {
        goto fail;
    }
    fill_caps(device, options);
    result = fgi_vulkan_keep_features(device, options->create_info);
    if (result != FG_OK) {
        goto fail;
    }
    result = fgi_device_init(&device->base, (uint64_t)(uintptr_t)options->device,
                             options->allocator, &options->limits);
    if (result != FG_OK) {
        goto fail;
    }
    *out_device = &device->base;
    return FG_OK;

fail:
    free_device(&device->base);
    return result;
}

void fg_vulkan_get_counts(const struct fg_device *base, struct fg_vulkan_counts *out_counts)
{
    const struct fgi_vulkan_device *device = (const struct fgi_vulkan_device *)base;
    *out_counts = (struct fg_vulkan_counts){ 0 };
    if (device != NULL) {
        out_counts->query_pools = atomic_load_explicit(&device->pools_made, memory_order_relaxed);
        out_counts->query_pools_alive =
            atomic_load_explicit(&device->pools_alive, memory_order_relaxed);
        out_counts->landings = atomic_load_explicit(&device->landings_made, memory_order_relaxed);
        out_counts->landings_alive =
            atomic_load_explicit(&device->landings_alive, memory_order_relaxed);
        out_counts->refused = atomic_load_explicit(&device->refused, memory_order_relaxed);
    }
}

enum fg_vulkan_stamps fg_vulkan_get_stamps(const struct fg_device *base)
{
    const struct fgi_vulkan_device *device = (const struct fgi_vulkan_device *)base;
    return device != NULL && device->stamp_queries == 2 ? FG_VULKAN_STAMPS_PAIRED
                                                        : FG_VULKAN_STAMPS_LONE;
}
