/* SPDX-License-Identifier: MIT */
/* Who made the driver, what follows from it, and what a capture says about the device. */
#include "gpu/vulkan/vulkan_priv.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/** What is known about one driver, and what a reader of its captures should know. */
struct driver {
    VkDriverId id;
    /**
     * A lone stamp lands one pass late: this driver fails the equal-work test of gpu-check with
     * lone stamps and passes it with pairs. Add a driver here only on that evidence.
     */
    bool needs_pairs;
    const char *hint; /**< the setting that changes coarse or drifting clocks */
};

static const struct driver drivers[] = {
    { VK_DRIVER_ID_MESA_LLVMPIPE, true,
      "a software device: it shares the processor with the application" },
    { VK_DRIVER_ID_GOOGLE_SWIFTSHADER, false,
      "a software device: it shares the processor with the application" },
    { VK_DRIVER_ID_NVIDIA_PROPRIETARY, false,
      "clocks follow load; nvidia-smi --lock-gpu-clocks fixes them while measuring" },
    { VK_DRIVER_ID_MESA_RADV, false,
      "clocks follow load; power_dpm_force_performance_level = profile_standard fixes them" },
    { VK_DRIVER_ID_AMD_PROPRIETARY, false,
      "clocks follow load; a stable power state of the driver's tools fixes them" },
    { VK_DRIVER_ID_AMD_OPEN_SOURCE, false,
      "clocks follow load; power_dpm_force_performance_level = profile_standard fixes them" },
    { VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA, false,
      "clocks follow load; equal gt_min_freq_mhz and gt_max_freq_mhz fix them" },
    { VK_DRIVER_ID_INTEL_PROPRIETARY_WINDOWS, false,
      "clocks follow load; the driver's performance settings fix them" },
};

static const struct driver *find_driver(const struct fgi_vulkan_device *device)
{
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        if (drivers[i].id == device->driver_id) {
            return &drivers[i];
        }
    }
    return NULL;
}

void fgi_vulkan_identify(struct fgi_vulkan_device *device)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &driver,
    };
    device->vk.GetPhysicalDeviceProperties(device->physical, &device->properties);
    device->vk.GetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
    if (device->vk.GetPhysicalDeviceProperties2 != NULL) {
        device->vk.GetPhysicalDeviceProperties2(device->physical, &properties);
        device->driver_id = driver.driverID;
        memcpy(device->driver_name, driver.driverName, sizeof device->driver_name);
        memcpy(device->driver_info, driver.driverInfo, sizeof device->driver_info);
    }
}

bool fgi_vulkan_needs_pairs(const struct fgi_vulkan_device *device)
{
    const struct driver *driver = find_driver(device);
    return driver != NULL && driver->needs_pairs;
}

static const char *vendor_name(uint32_t id)
{
    switch (id) {
    case 0x1002:
        return "AMD";
    case 0x1010:
        return "Imagination Technologies";
    case 0x106b:
        return "Apple";
    case 0x10de:
        return "NVIDIA";
    case 0x13b5:
        return "Arm";
    case 0x1ae0:
        return "Google";
    case 0x5143:
        return "Qualcomm";
    case 0x8086:
        return "Intel";
    case VK_VENDOR_ID_MESA:
        return "Mesa";
    default:
        return NULL;
    }
}

static const char *kind_name(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "cpu";
    default:
        return "other";
    }
}

struct describer {
    void (*put)(void *context, const char *key, const char *value);
    void *context;
};

FG_PRINTF(3, 4)
static void put(const struct describer *describer, const char *key, const char *format, ...)
{
    char value[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    describer->put(describer->context, key, value);
}

/** NVIDIA and Intel on Windows pack their versions in ways of their own; the text is theirs. */
static void describe_driver(const struct fgi_vulkan_device *device,
                            const struct describer *describer)
{
    const struct driver *driver = find_driver(device);
    uint32_t version = device->properties.driverVersion;
    if (driver != NULL) {
        put(describer, "driver.hint", "%s", driver->hint);
    }
    put(describer, "driver.name", "%s",
        device->driver_name[0] != 0 ? device->driver_name : device->properties.deviceName);
    put(describer, "driver.query_reset", "%s", device->host_reset ? "host" : "commands");
    put(describer, "driver.stamps", "%s", device->stamp_queries == 2 ? "paired" : "lone");
    if (device->driver_info[0] != 0) {
        put(describer, "driver.version", "%s", device->driver_info);
    } else {
        put(describer, "driver.version", "%u.%u.%u", VK_API_VERSION_MAJOR(version),
            VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
    }
}

/** Whole numbers only, which is what captures keep of limits; the period is in the clock. */
static void describe_limits(const struct fgi_vulkan_device *device,
                            const struct describer *describer)
{
    const VkPhysicalDeviceLimits *limits = &device->properties.limits;
    put(describer, "limit.maxBoundDescriptorSets", "%u", limits->maxBoundDescriptorSets);
    put(describer, "limit.maxColorAttachments", "%u", limits->maxColorAttachments);
    put(describer, "limit.maxComputeSharedMemorySize", "%u", limits->maxComputeSharedMemorySize);
    put(describer, "limit.maxComputeWorkGroupInvocations", "%u",
        limits->maxComputeWorkGroupInvocations);
    for (int i = 0; i < 3; i++) {
        char key[40];
        snprintf(key, sizeof key, "limit.maxComputeWorkGroupSize.%c", "xyz"[i]);
        put(describer, key, "%u", limits->maxComputeWorkGroupSize[i]);
    }
    put(describer, "limit.maxDrawIndirectCount", "%u", limits->maxDrawIndirectCount);
    put(describer, "limit.maxImageDimension2D", "%u", limits->maxImageDimension2D);
    put(describer, "limit.maxMemoryAllocationCount", "%u", limits->maxMemoryAllocationCount);
    put(describer, "limit.maxPushConstantsSize", "%u", limits->maxPushConstantsSize);
    put(describer, "limit.maxStorageBufferRange", "%u", limits->maxStorageBufferRange);
    put(describer, "limit.maxUniformBufferRange", "%u", limits->maxUniformBufferRange);
    put(describer, "limit.timestampComputeAndGraphics", "%u", limits->timestampComputeAndGraphics);
    for (uint32_t i = 0; i < device->base.caps.queue_count; i++) {
        char key[80];
        snprintf(key, sizeof key, "limit.timestampValidBits.%s", device->base.caps.queues[i].name);
        put(describer, key, "%u", device->base.caps.queues[i].valid_bits);
    }
}

/** Keys come sorted within each group, so that captures of one machine can be compared as text. */
void fgi_vulkan_describe(struct fg_device *base,
                         void (*put_text)(void *context, const char *key, const char *value),
                         void (*feature)(void *context, const char *name), void *context)
{
    const struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    const struct describer describer = { put_text, context };
    const VkPhysicalDeviceProperties *properties = &device->properties;
    const char *vendor = vendor_name(properties->vendorID);
    put(&describer, "adapter.architecture", "0x%04" PRIx32, properties->deviceID);
    put(&describer, "adapter.kind", "%s", kind_name(properties->deviceType));
    put(&describer, "adapter.name", "%s", properties->deviceName);
    if (vendor != NULL) {
        put(&describer, "adapter.vendor", "%s", vendor);
    } else {
        put(&describer, "adapter.vendor", "0x%04" PRIx32, properties->vendorID);
    }
    put(&describer, "api", "Vulkan %u.%u.%u", VK_API_VERSION_MAJOR(properties->apiVersion),
        VK_API_VERSION_MINOR(properties->apiVersion), VK_API_VERSION_PATCH(properties->apiVersion));
    describe_driver(device, &describer);
    describe_limits(device, &describer);
    for (size_t at = 0; at < device->features.size;) {
        const char *name = (const char *)device->features.data + at;
        feature(context, name);
        at += strlen(name) + 1;
    }
}
