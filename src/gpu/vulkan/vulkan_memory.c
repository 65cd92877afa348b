/* SPDX-License-Identifier: MIT */
/* Buffers that the device writes and the host reads; and how much memory there is. */
#include "gpu/vulkan/vulkan_priv.h"
#include "base/alloc.h"
#include <string.h>

#define NO_TYPE UINT32_MAX

static uint32_t find_type(const struct fgi_vulkan_device *device, uint32_t allowed,
                          VkMemoryPropertyFlags wanted)
{
    for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++) {
        if ((allowed & 1u << i) != 0 &&
            (device->memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
            return i;
        }
    }
    return NO_TYPE;
}

static enum fg_result allocate(struct fgi_vulkan_device *device, struct fgi_vulkan_memory *memory)
{
    const VkMemoryPropertyFlags coherent =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryRequirements needs;
    device->vk.GetBufferMemoryRequirements(device->device, memory->buffer, &needs);
    uint32_t type =
        find_type(device, needs.memoryTypeBits, coherent | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    if (type == NO_TYPE) {
        type = find_type(device, needs.memoryTypeBits, coherent);
    }
    if (type == NO_TYPE) {
        return FG_ERR_UNSUPPORTED;
    }
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = type,
    };
    VkResult result =
        device->vk.AllocateMemory(device->device, &info, device->callbacks, &memory->memory);
    if (result == VK_SUCCESS) {
        result = device->vk.BindBufferMemory(device->device, memory->buffer, memory->memory, 0);
    }
    if (result == VK_SUCCESS) {
        result = device->vk.MapMemory(device->device, memory->memory, 0, VK_WHOLE_SIZE, 0,
                                      &memory->mapped);
    }
    return fgi_vulkan_result(result);
}

enum fg_result fgi_vulkan_memory_create(struct fgi_vulkan_device *device, size_t size,
                                        struct fgi_vulkan_memory *out_memory)
{
    struct fgi_vulkan_memory memory = { 0 };
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
    };
    VkResult created =
        device->vk.CreateBuffer(device->device, &info, device->callbacks, &memory.buffer);
    if (created != VK_SUCCESS) {
        return fgi_vulkan_result(created);
    }
    enum fg_result result = allocate(device, &memory);
    if (result != FG_OK) {
        fgi_vulkan_memory_destroy(device, &memory);
        return result;
    }
    memset(memory.mapped, 0, size);
    *out_memory = memory;
    return FG_OK;
}

void fgi_vulkan_memory_destroy(struct fgi_vulkan_device *device, struct fgi_vulkan_memory *memory)
{
    device->vk.DestroyBuffer(device->device, memory->buffer, device->callbacks);
    device->vk.FreeMemory(device->device, memory->memory, device->callbacks);
    *memory = (struct fgi_vulkan_memory){ 0 };
}

/** The structure may be asked for as soon as the physical device has the extension. */
bool fgi_vulkan_memory_budget_known(struct fgi_vulkan_device *device)
{
    struct fgi_memory_use use;
    uint32_t count = 0;
    bool found = false;
    if (device->vk.GetPhysicalDeviceMemoryProperties2 == NULL ||
        device->vk.EnumerateDeviceExtensionProperties(device->physical, NULL, &count, NULL) !=
            VK_SUCCESS) {
        return false;
    }
    VkExtensionProperties *extensions =
        fgi_calloc(device->base.allocator, count, sizeof *extensions);
    if (extensions == NULL) {
        return false;
    }
    uint32_t capacity = count;
    if (device->vk.EnumerateDeviceExtensionProperties(device->physical, NULL, &count, extensions) >=
        VK_SUCCESS) {
        for (uint32_t i = 0; i < count; i++) {
            found = found ||
                    strcmp(extensions[i].extensionName, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME) == 0;
        }
    }
    fgi_free(device->base.allocator, extensions, capacity * sizeof *extensions);
    return found && fgi_vulkan_memory_use(&device->base, &use);
}

/** Heaps of the device alone: host memory says nothing about what a frame graph allocates. */
bool fgi_vulkan_memory_use(struct fg_device *base, struct fgi_memory_use *out_use)
{
    struct fgi_vulkan_device *device = fgi_vulkan_device(base);
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT,
    };
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
        .pNext = &budget,
    };
    struct fgi_memory_use use = { 0 };
    device->vk.GetPhysicalDeviceMemoryProperties2(device->physical, &memory);
    for (uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; i++) {
        if (memory.memoryProperties.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) {
            use.used_bytes += budget.heapUsage[i];
            use.budget_bytes += budget.heapBudget[i];
        }
    }
    *out_use = use;
    return use.budget_bytes != 0;
}
