/* SPDX-License-Identifier: MIT */
/* Where Vulkan's functions come from, and what their results are here. */
#include "engine/vulkan/compute_priv.h"

#include "base/result.h"

#include <string.h>

struct entry {
    size_t offset;
    const char *name;
};

#define ENTRY(name) { offsetof(struct fgi_compute_functions, name), "vk" #name },
static const struct entry instance_entries[] = { FGI_COMPUTE_INSTANCE_FUNCTIONS(ENTRY) };
static const struct entry device_entries[] = { FGI_COMPUTE_DEVICE_FUNCTIONS(ENTRY) };
#undef ENTRY

#define COUNT(array) (sizeof(array) / sizeof *(array))

/** Members have types of their own; the getters' untyped pointers are copied into them. */
static void store(struct fgi_compute_functions *functions, size_t offset,
                  PFN_vkVoidFunction function)
{
    memcpy((char *)functions + offset, &function, sizeof function);
}

/** Where there is none of Vulkan 1.3, there may be that of the extension. */
static PFN_vkVoidFunction find_barrier2(PFN_vkGetDeviceProcAddr of_device, VkDevice device)
{
    const PFN_vkVoidFunction function = of_device(device, "vkCmdPipelineBarrier2");
    return function != NULL ? function : of_device(device, "vkCmdPipelineBarrier2KHR");
}

enum fg_result fgi_compute_load(struct fg_compute *compute,
                                const struct fg_compute_options *options, struct fg_diag *diag)
{
    const PFN_vkGetInstanceProcAddr of_instance = options->get_instance_proc_addr;
    PFN_vkGetDeviceProcAddr of_device = options->get_device_proc_addr;
    if (of_device == NULL) {
        of_device = (PFN_vkGetDeviceProcAddr)of_instance(options->instance, "vkGetDeviceProcAddr");
    }
    if (of_device == NULL) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "there is no vkGetDeviceProcAddr");
    }
    for (size_t i = 0; i < COUNT(instance_entries); i++) {
        const PFN_vkVoidFunction function =
            of_instance(options->instance, instance_entries[i].name);
        if (function == NULL) {
            return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "the instance has no %s",
                            instance_entries[i].name);
        }
        store(&compute->vk, instance_entries[i].offset, function);
    }
    for (size_t i = 0; i < COUNT(device_entries); i++) {
        const PFN_vkVoidFunction function = of_device(options->device, device_entries[i].name);
        if (function == NULL) {
            return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "the device has no %s",
                            device_entries[i].name);
        }
        store(&compute->vk, device_entries[i].offset, function);
    }
    store(&compute->vk, offsetof(struct fgi_compute_functions, CmdPipelineBarrier2),
          find_barrier2(of_device, options->device));
    return FG_OK;
}

enum fg_result fgi_compute_result(struct fg_compute *compute, VkResult result)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_MEMORY_MAP_FAILED:
        return FG_ERR_NO_MEMORY;
    case VK_ERROR_TOO_MANY_OBJECTS:
        return FG_ERR_LIMIT;
    case VK_ERROR_DEVICE_LOST:
        fg_compute_set_lost(compute);
        return FG_ERR_DEVICE_LOST;
    default:
        return result < VK_SUCCESS ? FG_ERR_UNSUPPORTED : FG_OK;
    }
}

void fg_compute_set_lost(struct fg_compute *compute)
{
    if (compute != NULL) {
        atomic_store_explicit(&compute->lost, true, memory_order_relaxed);
    }
}

bool fg_compute_is_lost(const struct fg_compute *compute)
{
    return compute != NULL && atomic_load_explicit(&compute->lost, memory_order_relaxed);
}
