/* SPDX-License-Identifier: MIT */
/* The Vulkan instance, one device of it and its queues. */
#ifndef RD_GPU_DEVICE_H
#define RD_GPU_DEVICE_H

#include "log.h"
#include "renderer.h"
#include "vulkan_api.h"

enum { RD_QUEUE_GRAPHICS, RD_QUEUE_COMPUTE, RD_MAX_QUEUES };

enum rd_sampler {
    RD_SAMPLER_NEAREST,
    RD_SAMPLER_LINEAR,
    RD_SAMPLER_SHADOW,
    RD_SAMPLER_SURFACE, /**< repeats, with mip levels */
    RD_SAMPLER_COUNT
};

/** A queue with the timeline that counts its submissions. */
struct rd_queue {
    VkQueue queue;
    uint32_t family;
    VkSemaphore timeline;
    uint64_t submitted; /**< value that the newest submission signals */
};

struct rd_device {
    struct rd_log *log;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkDevice device;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceDriverProperties driver;
    VkPhysicalDeviceMemoryProperties memory;
    /* What `device` was made with; `info` points to the rest. */
    VkPhysicalDeviceFeatures features;
    VkPhysicalDeviceVulkan12Features features12;
    VkPhysicalDeviceVulkan13Features features13;
    const char *extensions[8];
    VkDeviceQueueCreateInfo queue_infos[RD_MAX_QUEUES];
    VkDeviceCreateInfo info;
    struct rd_queue queues[RD_MAX_QUEUES];
    uint32_t queue_count; /**< 1, or 2 with a compute queue of another family */
    VkSampler samplers[RD_SAMPLER_COUNT];
    uint32_t message_count; /**< what the validation layer complained about */
};

/** @return false with the reason in the log. Finish it in either case. It must not be moved. */
bool rd_device_init(struct rd_device *device, const struct rd_options *options, struct rd_log *log);
void rd_device_finish(struct rd_device *device);

/** @return an index, or UINT32_MAX when no type has all `wanted` flags. */
uint32_t rd_device_memory_type(const struct rd_device *device, uint32_t type_bits,
                               VkMemoryPropertyFlags wanted);

/** Turn a failed call into a log entry. */
bool rd_check(const struct rd_device *device, VkResult result, const char *what);

#endif
