/* SPDX-License-Identifier: MIT */
/*
 * Stands in for the Vulkan loader, which it passes everything on to, but for what it is told to
 * break: FGT_VULKAN_WITHOUT names a feature that no device has, FGT_VULKAN_LOST_AT the submission
 * at which the device is lost. FGT_VULKAN_LOG is a file that gets a byte for each submission.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;
static PFN_vkGetPhysicalDeviceFeatures2 next_features;
static PFN_vkQueueSubmit next_submit;
static unsigned long submissions;

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice device,
                                               VkPhysicalDeviceFeatures2 *features)
{
    next_features(device, features);
    const char *without = getenv("FGT_VULKAN_WITHOUT");
    if (!without) {
        return;
    }
    if (strcmp(without, "shaderInt64") == 0) {
        features->features.shaderInt64 = VK_FALSE;
    }
    for (VkBaseOutStructure *each = features->pNext; each; each = each->pNext) {
        if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES &&
            strcmp(without, "bufferDeviceAddress") == 0) {
            ((VkPhysicalDeviceVulkan12Features *)each)->bufferDeviceAddress = VK_FALSE;
        }
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count,
                                             const VkSubmitInfo *submits, VkFence fence)
{
    const char *lost_at = getenv("FGT_VULKAN_LOST_AT");
    const char *log = getenv("FGT_VULKAN_LOG");
    submissions++;
    if (log) {
        FILE *file = fopen(log, "a");
        if (file) {
            (void)fputc('.', file);
            (void)fclose(file);
        }
    }
    return lost_at && submissions >= strtoul(lost_at, NULL, 10)
               ? VK_ERROR_DEVICE_LOST
               : next_submit(queue, count, submits, fence);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name)
{
    PFN_vkVoidFunction next = next_device_proc(device, name);
    if (next && strcmp(name, "vkQueueSubmit") == 0) {
        next_submit = (PFN_vkQueueSubmit)next;
        return (PFN_vkVoidFunction)submit;
    }
    return next;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                               const char *name)
{
    if (!next_instance_proc) {
        void *loader = dlopen(getenv("FGT_VULKAN"), RTLD_NOW | RTLD_LOCAL);
        void *entry = loader ? dlsym(loader, "vkGetInstanceProcAddr") : NULL;
        if (!entry) {
            return NULL;
        }
        next_instance_proc = (PFN_vkGetInstanceProcAddr)entry;
    }
    PFN_vkVoidFunction next = next_instance_proc(instance, name);
    if (next && strcmp(name, "vkGetDeviceProcAddr") == 0) {
        next_device_proc = (PFN_vkGetDeviceProcAddr)next;
        return (PFN_vkVoidFunction)get_device_proc;
    }
    if (next && strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0) {
        next_features = (PFN_vkGetPhysicalDeviceFeatures2)next;
        return (PFN_vkVoidFunction)get_features;
    }
    return next;
}
