/* SPDX-License-Identifier: MIT */
/* Inside of the maps with Vulkan. */
#ifndef FGI_OVERDRAW_VULKAN_PRIV_H
#define FGI_OVERDRAW_VULKAN_PRIV_H
#include "hud/hud_vulkan_shared.h"

#include <frameglass/overdraw_vulkan.h>

/** Asked of the instance. Members are named as Vulkan's functions without their prefix. */
#define FGI_OVERDRAW_VULKAN_INSTANCE_FUNCTIONS(X)                                                  \
    X(GetPhysicalDeviceFormatProperties)                                                           \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceProperties)

/** Asked of the device. */
#define FGI_OVERDRAW_VULKAN_DEVICE_FUNCTIONS(X)                                                    \
    X(AllocateDescriptorSets)                                                                      \
    X(AllocateMemory)                                                                              \
    X(BindBufferMemory)                                                                            \
    X(BindImageMemory)                                                                             \
    X(CmdBeginQuery)                                                                               \
    X(CmdBeginRenderPass)                                                                          \
    X(CmdBindDescriptorSets)                                                                       \
    X(CmdBindPipeline)                                                                             \
    X(CmdCopyImageToBuffer)                                                                        \
    X(CmdDraw)                                                                                     \
    X(CmdEndQuery)                                                                                 \
    X(CmdEndRenderPass)                                                                            \
    X(CmdPipelineBarrier)                                                                          \
    X(CmdPushConstants)                                                                            \
    X(CmdResetQueryPool)                                                                           \
    X(CmdSetBlendConstants)                                                                        \
    X(CmdSetScissor)                                                                               \
    X(CmdSetViewport)                                                                              \
    X(CreateBuffer)                                                                                \
    X(CreateBufferView)                                                                            \
    X(CreateDescriptorPool)                                                                        \
    X(CreateDescriptorSetLayout)                                                                   \
    X(CreateFramebuffer)                                                                           \
    X(CreateGraphicsPipelines)                                                                     \
    X(CreateImage)                                                                                 \
    X(CreateImageView)                                                                             \
    X(CreatePipelineLayout)                                                                        \
    X(CreateQueryPool)                                                                             \
    X(CreateRenderPass)                                                                            \
    X(CreateShaderModule)                                                                          \
    X(DestroyBuffer)                                                                               \
    X(DestroyBufferView)                                                                           \
    X(DestroyDescriptorPool)                                                                       \
    X(DestroyDescriptorSetLayout)                                                                  \
    X(DestroyFramebuffer)                                                                          \
    X(DestroyImage)                                                                                \
    X(DestroyImageView)                                                                            \
    X(DestroyPipeline)                                                                             \
    X(DestroyPipelineLayout)                                                                       \
    X(DestroyQueryPool)                                                                            \
    X(DestroyRenderPass)                                                                           \
    X(DestroyShaderModule)                                                                         \
    X(FreeMemory)                                                                                  \
    X(GetBufferMemoryRequirements)                                                                 \
    X(GetImageMemoryRequirements)                                                                  \
    X(GetQueryPoolResults)                                                                         \
    X(MapMemory)                                                                                   \
    X(UpdateDescriptorSets)

struct fgi_overdraw_vulkan_functions {
#define FGI_OVERDRAW_VULKAN_MEMBER(name) PFN_vk##name name;
    FGI_OVERDRAW_VULKAN_INSTANCE_FUNCTIONS(FGI_OVERDRAW_VULKAN_MEMBER)
    FGI_OVERDRAW_VULKAN_DEVICE_FUNCTIONS(FGI_OVERDRAW_VULKAN_MEMBER)
#undef FGI_OVERDRAW_VULKAN_MEMBER
    /* NULL when maps are made in a render pass. */
    PFN_vkCmdBeginRendering CmdBeginRendering;
    PFN_vkCmdEndRendering CmdEndRendering;
};

/** A buffer that the host has mapped. */
struct fgi_overdraw_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *mapped;
};

/** A map in flight. What it has is made when it is first needed. */
struct fgi_overdraw_slot {
    uint32_t width_px; /**< of the image; 0 = there is none */
    uint32_t height_px;
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    VkFramebuffer framebuffer;
    VkDescriptorSet set; /**< of the pool; shows the view */
    struct fgi_overdraw_buffer readback;
    float *values; /**< as many as pixels; NULL where the buffer has floats */
    VkQueryPool queries;
    uint64_t *ids;       /**< item_max: whose each query is */
    uint64_t *fragments; /**< item_max: what they came to */

    /* The map that is, or was, made. */
    bool is_open; /**< between begin and end */
    bool is_done; /**< after the end */
    bool reads_back;
    enum fg_overdraw_kind kind;
    enum fg_overdraw_clock clock;
    const struct fg_overdraw_costs *costs;
    uint64_t frame;
    uint32_t query_count; /**< begun; the last is open while the slot is and has_query */
    bool has_query;
    uint64_t left_out; /**< items that found no query */
};

struct fg_overdraw_vulkan {
    const struct fg_allocator *allocator;
    VkAllocationCallbacks callbacks_copy;
    const VkAllocationCallbacks *callbacks; /**< NULL, or the copy */
    struct fgi_overdraw_vulkan_functions vk;
    VkDevice device;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t size_max_px;
    enum fg_overdraw_format format;
    VkFormat vk_format;
    enum fg_overdraw_depth depth;
    VkFormat depth_format;
    VkImageLayout depth_layout;
    VkRenderPass render_pass;
    VkShaderModule fragment;
    uint32_t item_max;

    /* The overlay; null where there is none. */
    struct fgi_overdraw_buffer colors;
    VkBufferView colors_view;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkPipelineLayout layout;
    VkPipeline pipeline;

    uint32_t slot_count;
    struct fgi_overdraw_slot slots[];
};

/** Pushed to the overlay's fragment shader. */
struct fgi_overdraw_push {
    float texels_per_pixel[2];
    float bottom;
    float top;
    float opacity;
    uint32_t is_log;
};

/** The render pass that maps are made in. */
VkResult fgi_overdraw_make_render_pass(struct fg_overdraw_vulkan *overdraw);
VkResult fgi_overdraw_make_module(struct fg_overdraw_vulkan *overdraw, const uint32_t *words,
                                  size_t size_bytes, VkShaderModule *out_module);
bool fgi_overdraw_has_depth(VkFormat format);
bool fgi_overdraw_has_stencil(VkFormat format);
/** Whether the depth attachment is tested only. */
bool fgi_overdraw_is_read_only(const struct fg_overdraw_vulkan *overdraw);

VkResult fgi_overdraw_buffer_init(struct fg_overdraw_vulkan *overdraw, VkDeviceSize size_bytes,
                                  VkBufferUsageFlags usage, struct fgi_overdraw_buffer *out_buffer);
void fgi_overdraw_buffer_finish(struct fg_overdraw_vulkan *overdraw,
                                struct fgi_overdraw_buffer *buffer);

/** The slot's target and what else the pass needs. What was made stays the slot's. */
VkResult fgi_overdraw_slot_prepare(struct fg_overdraw_vulkan *overdraw,
                                   struct fgi_overdraw_slot *slot,
                                   const struct fg_overdraw_vulkan_pass *pass);
/** Give all of it back. */
void fgi_overdraw_slot_finish(struct fg_overdraw_vulkan *overdraw, struct fgi_overdraw_slot *slot);

/** Of the overlay. What was made is the maps', also on failure. */
VkResult fgi_overdraw_overlay_init(struct fg_overdraw_vulkan *overdraw,
                                   const struct fg_hud_vulkan_options *options);
void fgi_overdraw_overlay_finish(struct fg_overdraw_vulkan *overdraw);
/** Let the slot's set show its view. */
void fgi_overdraw_overlay_show(struct fg_overdraw_vulkan *overdraw, struct fgi_overdraw_slot *slot);

#endif
