/* SPDX-License-Identifier: MIT */
/* Images that are drawn to, and the pipelines that draw: nothing of it knows what a span is. */
#ifndef FGI_RENDER_TARGET_H
#define FGI_RENDER_TARGET_H
#include "render/render_device.h"

/* What is called of a device. */
#define FGI_RENDER_FUNCTIONS(X)                                                                    \
    X(vkAllocateMemory)                                                                            \
    X(vkBindImageMemory)                                                                           \
    X(vkCmdBeginRenderPass)                                                                        \
    X(vkCmdBindPipeline)                                                                           \
    X(vkCmdCopyBufferToImage)                                                                      \
    X(vkCmdCopyImageToBuffer)                                                                      \
    X(vkCmdDrawIndirect)                                                                           \
    X(vkCmdEndRenderPass)                                                                          \
    X(vkCmdPipelineBarrier)                                                                        \
    X(vkCmdPushConstants)                                                                          \
    X(vkCmdSetScissor)                                                                             \
    X(vkCmdSetViewport)                                                                            \
    X(vkCreateFramebuffer)                                                                         \
    X(vkCreateGraphicsPipelines)                                                                   \
    X(vkCreateImage)                                                                               \
    X(vkCreateImageView)                                                                           \
    X(vkCreatePipelineLayout)                                                                      \
    X(vkCreateRenderPass)                                                                          \
    X(vkCreateShaderModule)                                                                        \
    X(vkDestroyFramebuffer)                                                                        \
    X(vkDestroyImage)                                                                              \
    X(vkDestroyImageView)                                                                          \
    X(vkDestroyPipeline)                                                                           \
    X(vkDestroyPipelineLayout)                                                                     \
    X(vkDestroyRenderPass)                                                                         \
    X(vkDestroyShaderModule)                                                                       \
    X(vkFreeMemory)                                                                                \
    X(vkGetImageMemoryRequirements)

struct fgi_render_functions {
#define FGI_RENDER_MEMBER(name) PFN_##name name;
    FGI_RENDER_FUNCTIONS(FGI_RENDER_MEMBER)
#undef FGI_RENDER_MEMBER
};

enum { FGI_RENDER_COLOR = 0, FGI_RENDER_DEPTH = 1, FGI_RENDER_IMAGES = 2 };
enum { FGI_RENDER_BINS = 0, FGI_RENDER_SPANS = 1, FGI_RENDER_PIPELINES = 2 };

struct fgi_render_target {
    struct fgi_render_functions vk;
    VkDevice device;
    uint32_t width_px, height_px;
    VkImage images[FGI_RENDER_IMAGES];
    VkDeviceMemory memory[FGI_RENDER_IMAGES];
    VkImageView views[FGI_RENDER_IMAGES];
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    VkPipelineLayout layout; /**< an address is pushed to all stages */
    VkPipeline pipelines[FGI_RENDER_PIPELINES];
};
/** Of one that was made in part, too: fgi_render_target_finish(). */
FG_MUST_USE enum fg_result fgi_render_target_init(struct fgi_render_target *target,
                                                  const struct fgi_render_device *device,
                                                  uint32_t width_px, uint32_t height_px,
                                                  struct fg_diag *diag);
void fgi_render_target_finish(struct fgi_render_target *target);

/** Make the layout and the pipelines, of the pass of the target (render_pipeline.c). */
FG_MUST_USE enum fg_result fgi_render_pipelines(struct fgi_render_target *target);

/** Rows of the picture in memory of the host, which they come from and go to. */
struct fgi_render_strip {
    struct fg_compute_memory memory;
    uint32_t y_px, height_px;
};
/** What is drawn into a part of the picture. */
struct fgi_render_drawing {
    VkRect2D area;
    VkDeviceAddress scene;
    struct fg_compute_view draws[FGI_RENDER_PIPELINES]; /**< VkDrawIndirectCommand */
};
/** Record: bring the strips, draw over them, take them back for the host. */
void fgi_render_target_record(const struct fgi_render_target *target, VkCommandBuffer commands,
                              const struct fgi_render_strip *strips, uint32_t strip_count,
                              const struct fgi_render_drawing *drawing);

/** What a call of Vulkan's came to. */
static inline enum fg_result fgi_render_result(VkResult result)
{
    switch (result) {
    case VK_SUCCESS:
        return FG_OK;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return FG_ERR_NO_MEMORY;
    case VK_ERROR_DEVICE_LOST:
        return FG_ERR_DEVICE_LOST;
    default:
        return FG_ERR_UNSUPPORTED;
    }
}

#endif
