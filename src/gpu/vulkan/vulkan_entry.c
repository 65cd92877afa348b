/* SPDX-License-Identifier: MIT */
/* Where Vulkan's functions come from. */
#include "gpu/vulkan/vulkan_priv.h"

/*
 * Getters give out untyped function pointers, and the members have types of their own: C has no
 * other way than to store through a pointer to the untyped kind, which POSIX relies on as well.
 */
static void store(void *member, PFN_vkVoidFunction function)
{
    *(PFN_vkVoidFunction *)member = function;
}

struct entry {
    size_t offset;
    const char *name;
    const char *alternative;
    bool required;
};

#define ENTRY(member, name, alternative, required)                                                 \
    { offsetof(struct fgi_vulkan_functions, member), name, alternative, required },
static const struct entry instance_entries[] = { FGI_VULKAN_INSTANCE_FUNCTIONS(ENTRY) };
static const struct entry device_entries[] = { FGI_VULKAN_DEVICE_FUNCTIONS(ENTRY) };
#undef ENTRY

enum fg_result fgi_vulkan_load(struct fgi_vulkan_device *device,
                               const struct fg_vulkan_options *options)
{
    PFN_vkGetInstanceProcAddr of_instance = options->get_instance_proc_addr;
    PFN_vkGetDeviceProcAddr of_device = options->get_device_proc_addr;
    char *functions = (char *)&device->vk;
    if (of_device == NULL) {
        store(&of_device, of_instance(options->instance, "vkGetDeviceProcAddr"));
    }
    if (of_device == NULL) {
        return FG_ERR_UNSUPPORTED;
    }
    for (size_t i = 0; i < sizeof instance_entries / sizeof *instance_entries; i++) {
        const struct entry *entry = &instance_entries[i];
        PFN_vkVoidFunction function = of_instance(options->instance, entry->name);
        if (function == NULL && entry->alternative != NULL) {
            function = of_instance(options->instance, entry->alternative);
        }
        if (function == NULL && entry->required) {
            return FG_ERR_UNSUPPORTED;
        }
        store(functions + entry->offset, function);
    }
    for (size_t i = 0; i < sizeof device_entries / sizeof *device_entries; i++) {
        const struct entry *entry = &device_entries[i];
        PFN_vkVoidFunction function = of_device(options->device, entry->name);
        if (function == NULL && entry->alternative != NULL) {
            function = of_device(options->device, entry->alternative);
        }
        if (function == NULL && entry->required) {
            return FG_ERR_UNSUPPORTED;
        }
        store(functions + entry->offset, function);
    }
    return FG_OK;
}

enum fg_result fgi_vulkan_result(VkResult result)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
        return FG_ERR_NO_MEMORY;
    case VK_ERROR_TOO_MANY_OBJECTS:
        return FG_ERR_LIMIT;
    case VK_ERROR_DEVICE_LOST:
        return FG_ERR_DEVICE_LOST;
    case VK_ERROR_FEATURE_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return FG_ERR_UNSUPPORTED;
    default:
        return result < VK_SUCCESS ? FG_ERR_IO : FG_OK;
    }
}
