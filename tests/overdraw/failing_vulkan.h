/* SPDX-License-Identifier: MIT */
/* Vulkan that refuses what takes memory, from a chosen call on, hides features of formats, and
 * counts wrong. */
#ifndef FGT_FAILING_VULKAN_H
#define FGT_FAILING_VULKAN_H
#include "vulkan_bed.h"

struct failing_vulkan {
    long countdown; /**< calls until one is refused; negative = none is */
    bool refused;
    long call_count;     /**< of those that can be refused */
    VkFormat unblended;  /**< cannot be blended into; 0 = no such one */
    const char *missing; /**< function that is not there; NULL = none */
    uint64_t too_many;   /**< of fragments, in the first result of queries */
    uint32_t lost_query; /**< asking for this one fails, also among others; 0 = for none */
};
/** Of all getters. */
extern struct failing_vulkan failing_vulkan;

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL failing_vulkan_instance(VkInstance instance,
                                                                 const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL failing_vulkan_device(VkDevice device, const char *name);

#endif
