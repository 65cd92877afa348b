/* SPDX-License-Identifier: MIT */
/* What everything that draws over a frame with Vulkan needs. */
#ifndef FGI_HUD_VULKAN_SHARED_H
#define FGI_HUD_VULKAN_SHARED_H
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <frameglass/hud_vulkan.h>

#include <stddef.h>

/** Where in a table of functions one is kept. */
struct fgi_vulkan_entry {
    size_t offset;
    const char *name;
};

/** Fill a table through the options' getters. @return false: one is missing */
bool fgi_hud_vulkan_load(const struct fg_hud_vulkan_options *options, void *functions,
                         const struct fgi_vulkan_entry *of_instance, size_t instance_count,
                         const struct fgi_vulkan_entry *of_device, size_t device_count);

/** The first type among `bits` with everything that is wanted. */
bool fgi_vulkan_find_memory_type(const VkPhysicalDeviceMemoryProperties *memory, uint32_t bits,
                                 VkMemoryPropertyFlags wanted, uint32_t *out_type);

enum fg_result fgi_hud_vulkan_result(VkResult result);

/** Of everything but the format of the target. */
bool fgi_hud_vulkan_options_are_legal(const struct fg_hud_vulkan_options *options);

/** Whether colours are decoded before they are written. */
bool fgi_hud_vulkan_is_linear(const struct fg_hud_vulkan_options *options);

/** One function of each device's own. */
struct fgi_hud_vulkan_maker {
    VkDevice device;
    const VkAllocationCallbacks *callbacks;
    PFN_vkCreateGraphicsPipelines CreateGraphicsPipelines;
};

/** Strips that are blended, by their straight alpha, into the target of the options. */
VkResult fgi_hud_vulkan_make_pipeline(const struct fgi_hud_vulkan_maker *maker,
                                      const struct fg_hud_vulkan_options *options,
                                      const VkPipelineShaderStageCreateInfo stages[2],
                                      const VkPipelineVertexInputStateCreateInfo *input,
                                      VkPipelineLayout layout, VkPipeline *out_pipeline);

#endif
