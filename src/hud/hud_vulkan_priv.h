/* SPDX-License-Identifier: MIT */
/* Inside of the renderer for Vulkan. */
#ifndef FGI_HUD_VULKAN_PRIV_H
#define FGI_HUD_VULKAN_PRIV_H
#include "hud/hud_vulkan_shared.h"

/** Asked of the instance. Members are named as Vulkan's functions without their prefix. */
#define FGI_HUD_VULKAN_INSTANCE_FUNCTIONS(X)                                                       \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(GetPhysicalDeviceFormatProperties)                                                           \
    X(GetPhysicalDeviceMemoryProperties)

/** Asked of the device. */
#define FGI_HUD_VULKAN_DEVICE_FUNCTIONS(X)                                                         \
    X(AllocateDescriptorSets)                                                                      \
    X(AllocateMemory)                                                                              \
    X(BindBufferMemory)                                                                            \
    X(CmdBindDescriptorSets)                                                                       \
    X(CmdBindPipeline)                                                                             \
    X(CmdBindVertexBuffers)                                                                        \
    X(CmdDraw)                                                                                     \
    X(CmdPushConstants)                                                                            \
    X(CmdSetScissor)                                                                               \
    X(CmdSetViewport)                                                                              \
    X(CreateBuffer)                                                                                \
    X(CreateBufferView)                                                                            \
    X(CreateDescriptorPool)                                                                        \
    X(CreateDescriptorSetLayout)                                                                   \
    X(CreateGraphicsPipelines)                                                                     \
    X(CreatePipelineLayout)                                                                        \
    X(CreateShaderModule)                                                                          \
    X(DestroyBuffer)                                                                               \
    X(DestroyBufferView)                                                                           \
    X(DestroyDescriptorPool)                                                                       \
    X(DestroyDescriptorSetLayout)                                                                  \
    X(DestroyPipeline)                                                                             \
    X(DestroyPipelineLayout)                                                                       \
    X(DestroyShaderModule)                                                                         \
    X(FreeMemory)                                                                                  \
    X(GetBufferMemoryRequirements)                                                                 \
    X(MapMemory)                                                                                   \
    X(UpdateDescriptorSets)

struct fgi_hud_vulkan_functions {
#define FGI_HUD_VULKAN_MEMBER(name) PFN_vk##name name;
    FGI_HUD_VULKAN_INSTANCE_FUNCTIONS(FGI_HUD_VULKAN_MEMBER)
    FGI_HUD_VULKAN_DEVICE_FUNCTIONS(FGI_HUD_VULKAN_MEMBER)
#undef FGI_HUD_VULKAN_MEMBER
    /** NULL where nothing can be asked about memory. */
    PFN_vkGetPhysicalDeviceMemoryProperties2 GetPhysicalDeviceMemoryProperties2;
};

struct fg_hud_vulkan {
    const struct fg_allocator *allocator;
    VkAllocationCallbacks callbacks_copy;
    const VkAllocationCallbacks *callbacks; /**< NULL, or the copy */
    struct fgi_hud_vulkan_functions vk;
    VkPhysicalDevice physical_device;
    VkDevice device;
    uint32_t slot_count;
    VkBuffer buffer; /**< the atlas, then each slot's quads */
    VkDeviceMemory memory;
    uint8_t *mapped;
    VkBufferView atlas;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

/** Pushed to the vertex shader. */
struct fgi_hud_push {
    float target_size[2];
};

/** Layouts and the pipeline. What was made is the renderer's, also on failure. */
VkResult fgi_hud_vulkan_pipeline_init(struct fg_hud_vulkan *renderer,
                                      const struct fg_hud_vulkan_options *options);
void fgi_hud_vulkan_pipeline_finish(struct fg_hud_vulkan *renderer);

#endif
