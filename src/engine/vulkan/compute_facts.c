/* SPDX-License-Identifier: MIT */
/* What the device can do, as far as it was enabled, and what of it is used. */
#include "engine/vulkan/compute_priv.h"

#include "base/alloc.h"
#include "base/result.h"

#include <string.h>

enum {
    BLOCK_BYTES = 64 * 1024 * 1024,
    GROUP_SIZE = 256,      /* the most that kernels have shared memory for */
    GROUP_SIZE_LEAST = 32, /* one word of bits */
    GROUP_LIMIT = 65535,
    ALIGNMENT_BYTES = 256, /* lines of every cache that we know */
};

static bool is_on(VkBool32 value)
{
    return value != VK_FALSE;
}

/** One structure of a chain of features. */
static uint32_t read_features(const VkBaseInStructure *next)
{
    uint32_t flags = 0;
    switch ((uint32_t)next->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
        flags |= is_on(((const VkPhysicalDeviceFeatures2 *)next)->features.shaderInt64)
                     ? FG_COMPUTE_INT64
                     : 0;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
        flags |= is_on(((const VkPhysicalDeviceVulkan12Features *)next)->bufferDeviceAddress)
                     ? FG_COMPUTE_ADDRESS
                     : 0;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES:
        flags |=
            is_on(((const VkPhysicalDeviceBufferDeviceAddressFeatures *)next)->bufferDeviceAddress)
                ? FG_COMPUTE_ADDRESS
                : 0;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES:
        flags |= is_on(((const VkPhysicalDeviceVulkan13Features *)next)->synchronization2)
                     ? FG_COMPUTE_SYNCHRONIZATION2
                     : 0;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES:
        flags |= is_on(((const VkPhysicalDeviceSynchronization2Features *)next)->synchronization2)
                     ? FG_COMPUTE_SYNCHRONIZATION2
                     : 0;
        break;
    default:
        break;
    }
    return flags;
}

uint32_t fgi_compute_enabled(const VkDeviceCreateInfo *info)
{
    uint32_t flags = 0;
    if (info == NULL) {
        return 0;
    }
    if (info->pEnabledFeatures != NULL && is_on(info->pEnabledFeatures->shaderInt64)) {
        flags |= FG_COMPUTE_INT64;
    }
    for (const VkBaseInStructure *next = info->pNext; next != NULL; next = next->pNext) {
        flags |= read_features(next);
    }
    return flags;
}

/** The structure may be asked for as soon as the physical device has the extension. Does without
 *  when memory is short. */
static bool has_memory_budget(const struct fg_compute *compute)
{
    uint32_t count = 0;
    bool found = false;
    (void)compute->vk.EnumerateDeviceExtensionProperties(compute->physical_device, NULL, &count,
                                                         NULL);
    const uint32_t room = count;
    VkExtensionProperties *extensions = fgi_calloc(compute->allocator, room, sizeof *extensions);
    if (extensions == NULL ||
        compute->vk.EnumerateDeviceExtensionProperties(compute->physical_device, NULL, &count,
                                                       extensions) < VK_SUCCESS) {
        count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        found =
            found || strcmp(extensions[i].extensionName, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME) == 0;
    }
    fgi_free(compute->allocator, extensions, room * sizeof *extensions);
    return found;
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t power_below(uint32_t value)
{
    uint32_t power = 1;
    while (power <= value / 2) {
        power *= 2;
    }
    return power;
}

static void find_sizes(struct fg_compute_facts *facts, const struct fg_compute_options *options,
                       const VkPhysicalDeviceLimits *limits, uint64_t allocation_bytes)
{
    uint32_t group_size = options->group_size != 0 ? options->group_size : GROUP_SIZE;
    group_size = group_size < GROUP_SIZE_LEAST ? GROUP_SIZE_LEAST : group_size;
    const uint32_t group_limit = options->group_limit != 0 ? options->group_limit : GROUP_LIMIT;
    uint64_t block_bytes = options->block_bytes != 0 ? options->block_bytes : BLOCK_BYTES;
    facts->max_group_size =
        min_u32(limits->maxComputeWorkGroupInvocations, limits->maxComputeWorkGroupSize[0]);
    facts->group_size =
        power_below(min_u32(min_u32(group_size, GROUP_SIZE), facts->max_group_size));
    facts->group_limit = group_limit;
    for (int i = 0; i < 3; i++) {
        facts->group_limit = min_u32(facts->group_limit, limits->maxComputeWorkGroupCount[i]);
    }
    facts->shared_bytes = limits->maxComputeSharedMemorySize;
    facts->push_bytes = limits->maxPushConstantsSize;
    facts->alignment_bytes = ALIGNMENT_BYTES;
    while (facts->alignment_bytes < limits->minStorageBufferOffsetAlignment ||
           facts->alignment_bytes < limits->minUniformBufferOffsetAlignment) {
        facts->alignment_bytes *= 2;
    }
    /* Callers may bind views as storage buffers. */
    if (block_bytes > limits->maxStorageBufferRange) {
        block_bytes = limits->maxStorageBufferRange;
    }
    if (block_bytes > allocation_bytes) {
        block_bytes = allocation_bytes;
    }
    facts->block_bytes = block_bytes - block_bytes % facts->alignment_bytes;
}

/** What of the enabled features is used. */
static uint32_t find_flags(const struct fg_compute *compute,
                           const struct fg_compute_options *options,
                           const VkPhysicalDeviceSubgroupProperties *subgroup)
{
    const VkSubgroupFeatureFlags operations =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
        VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
        VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT;
    uint32_t flags =
        fgi_compute_enabled(options->create_info) |
        (options->flags & (FG_COMPUTE_ADDRESS | FG_COMPUTE_INT64 | FG_COMPUTE_SYNCHRONIZATION2));
    if ((subgroup->supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
        (subgroup->supportedOperations & operations) == operations && subgroup->subgroupSize > 1) {
        flags |= FG_COMPUTE_SUBGROUP;
    }
    if (compute->vk.CmdPipelineBarrier2 == NULL) {
        flags &= ~(uint32_t)FG_COMPUTE_SYNCHRONIZATION2;
    }
    if ((options->flags & FG_COMPUTE_NO_MEMORY_BUDGET) == 0 && has_memory_budget(compute)) {
        flags |= FG_COMPUTE_MEMORY_BUDGET;
    }
    const uint32_t without = options->flags >> 16 &
                             (FG_COMPUTE_INT64 | FG_COMPUTE_SUBGROUP | FG_COMPUTE_SYNCHRONIZATION2);
    return flags & ~without;
}

/** All memory that is the device's own. */
static uint64_t heap_bytes(const VkPhysicalDeviceMemoryProperties *memory)
{
    uint64_t size_bytes = 0;
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++) {
        if ((memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
            size_bytes += memory->memoryHeaps[i].size;
        }
    }
    return size_bytes;
}

static void find_timestamps(struct fg_compute *compute, uint32_t family,
                            const VkPhysicalDeviceLimits *limits)
{
    VkQueueFamilyProperties families[64];
    uint32_t count = sizeof families / sizeof *families;
    compute->vk.GetPhysicalDeviceQueueFamilyProperties(compute->physical_device, &count, families);
    if (family < count && families[family].timestampValidBits != 0) {
        compute->facts.timestamp_bits = families[family].timestampValidBits;
        compute->facts.timestamp_period_ns = limits->timestampPeriod;
    }
}

static enum fg_result check(const struct fg_compute_facts *facts,
                            const VkPhysicalDeviceProperties *properties, struct fg_diag *diag)
{
    if (properties->apiVersion < VK_API_VERSION_1_2) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "%s is a device of Vulkan %u.%u, not 1.2",
                        facts->device_name, VK_API_VERSION_MAJOR(properties->apiVersion),
                        VK_API_VERSION_MINOR(properties->apiVersion));
    }
    if ((facts->flags & FG_COMPUTE_ADDRESS) == 0) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "%s was made without bufferDeviceAddress",
                        facts->device_name);
    }
    if (facts->push_bytes < FGI_COMPUTE_PUSH_BYTES || facts->group_limit == 0 ||
        facts->max_group_size == 0 || facts->block_bytes < facts->alignment_bytes) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0,
                        "%s allows %u bytes of push constants, %u groups of %u, and buffers of "
                        "%llu bytes",
                        facts->device_name, facts->push_bytes, facts->group_limit,
                        facts->max_group_size, (unsigned long long)facts->block_bytes);
    }
    return FG_OK;
}

enum fg_result fgi_compute_find_facts(struct fg_compute *compute,
                                      const struct fg_compute_options *options,
                                      struct fg_diag *diag)
{
    struct fg_compute_facts *facts = &compute->facts;
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES
    };
    VkPhysicalDeviceMaintenance3Properties allocation = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, .pNext = &subgroup
    };
    VkPhysicalDeviceProperties2 device = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &allocation };
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2
    };
    const VkPhysicalDeviceProperties *properties = &device.properties;
    compute->vk.GetPhysicalDeviceProperties2(compute->physical_device, &device);
    compute->vk.GetPhysicalDeviceMemoryProperties2(compute->physical_device, &memory);
    compute->memory_types = memory.memoryProperties;
    memcpy(facts->device_name, properties->deviceName, sizeof facts->device_name);
    memcpy(facts->pipeline_cache_uuid, properties->pipelineCacheUUID, VK_UUID_SIZE);
    facts->vendor = properties->vendorID;
    facts->device = properties->deviceID;
    facts->driver_version = properties->driverVersion;
    facts->flags = find_flags(compute, options, &subgroup);
    facts->subgroup_size = (facts->flags & FG_COMPUTE_SUBGROUP) != 0 ? subgroup.subgroupSize : 0;
    find_sizes(facts, options, &properties->limits, allocation.maxMemoryAllocationSize);
    find_timestamps(compute, options->queue_family, &properties->limits);
    compute->has_budget = options->budget_bytes != 0;
    facts->budget_bytes =
        compute->has_budget ? options->budget_bytes : heap_bytes(&memory.memoryProperties);
    return check(facts, properties, diag);
}
