/* SPDX-License-Identifier: MIT */
#define VOLK_IMPLEMENTATION
#include "foreign_device.h"

#include <stdio.h>

bool foreign_ok(enum fg_result result, const char *what)
{
    if (result != FG_OK) {
        fprintf(stderr, "%s: %s\n", what, fg_result_text(result));
    }
    return result == FG_OK;
}

bool foreign_done(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
    }
    return result == VK_SUCCESS;
}

static bool create_instance(struct foreign_device *d)
{
    const VkApplicationInfo application = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                            .pApplicationName = "foreign_draws",
                                            .apiVersion = VK_API_VERSION_1_2 };
    const VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                        .pApplicationInfo = &application };
    if (!foreign_done(volkInitialize(), "the Vulkan loader") ||
        !foreign_done(vkCreateInstance(&info, NULL, &d->instance), "vkCreateInstance")) {
        return false;
    }
    volkLoadInstance(d->instance);
    return true;
}

/* The first device with a queue that draws and computes. */
static bool pick_physical(struct foreign_device *d)
{
    const VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    VkPhysicalDevice devices[8];
    uint32_t device_count = 8;
    if (vkEnumeratePhysicalDevices(d->instance, &device_count, devices) < VK_SUCCESS) {
        device_count = 0;
    }
    for (uint32_t i = 0; i < device_count; i++) {
        VkQueueFamilyProperties families[16];
        uint32_t family_count = 16;
        vkGetPhysicalDeviceQueueFamilyProperties(devices[i], &family_count, families);
        for (uint32_t f = 0; f < family_count; f++) {
            if ((families[f].queueFlags & wanted) == wanted) {
                d->physical = devices[i];
                d->family = f;
                return true;
            }
        }
    }
    fprintf(stderr, "no Vulkan device that draws\n");
    return false;
}

/* One feature is needed: memory has addresses. Frameglass is told what was enabled. */
static bool create_device(struct foreign_device *d)
{
    static const float priority = 1;
    const VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .bufferDeviceAddress = VK_TRUE,
    };
    const VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueFamilyIndex = d->family,
                                            .queueCount = 1,
                                            .pQueuePriorities = &priority };
    const VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &features,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue };
    struct fg_diag diag = { 0 };
    if (!foreign_done(vkCreateDevice(d->physical, &info, NULL, &d->device), "vkCreateDevice")) {
        return false;
    }
    volkLoadDevice(d->device);
    vkGetDeviceQueue(d->device, d->family, 0, &d->queue);
    enum fg_result result = fg_compute_create(
        FG_COMPUTE_OPTIONS(.instance = d->instance, .physical_device = d->physical,
                           .device = d->device, .get_instance_proc_addr = vkGetInstanceProcAddr,
                           .create_info = &info, .queue_family = d->family),
        &d->compute, &diag);
    return foreign_ok(result, diag.message[0] != '\0' ? diag.message : "fg_compute_create");
}

bool foreign_device_create(struct foreign_device *d)
{
    *d = (struct foreign_device){ .device = VK_NULL_HANDLE };
    if (!create_instance(d) || !pick_physical(d) || !create_device(d)) {
        return false;
    }
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = d->family,
    };
    if (!foreign_done(vkCreateCommandPool(d->device, &pool, NULL, &d->pool),
                      "vkCreateCommandPool")) {
        return false;
    }
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = d->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    return foreign_done(vkAllocateCommandBuffers(d->device, &commands, &d->commands),
                        "vkAllocateCommandBuffers");
}

void foreign_device_destroy(struct foreign_device *d)
{
    if (d->device != VK_NULL_HANDLE) {
        (void)vkDeviceWaitIdle(d->device);
        fg_compute_destroy(d->compute);
        vkDestroyCommandPool(d->device, d->pool, NULL);
        vkDestroyDevice(d->device, NULL);
    }
    if (d->instance != VK_NULL_HANDLE) {
        vkDestroyInstance(d->instance, NULL);
    }
}

bool foreign_device_begin(struct foreign_device *d)
{
    const VkCommandBufferBeginInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
    return foreign_done(vkBeginCommandBuffer(d->commands, &info), "vkBeginCommandBuffer");
}

bool foreign_device_finish(struct foreign_device *d)
{
    const VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &d->commands };
    return foreign_done(vkEndCommandBuffer(d->commands), "vkEndCommandBuffer") &&
           foreign_done(vkQueueSubmit(d->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit") &&
           foreign_done(vkQueueWaitIdle(d->queue), "vkQueueWaitIdle");
}

uint32_t foreign_device_memory_type(const struct foreign_device *d, uint32_t types,
                                    VkMemoryPropertyFlags properties)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(d->physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        if ((types >> i & 1) != 0 &&
            (memory.memoryTypes[i].propertyFlags & properties) == properties) {
            return i;
        }
    }
    return UINT32_MAX;
}
