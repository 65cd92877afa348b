/* SPDX-License-Identifier: MIT */
/* Images that are drawn to. */
#include "render/render_target.h"
#include "base/result.h"

#define COLOR_FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define DEPTH_FORMAT VK_FORMAT_D16_UNORM

/* ---- making ---------------------------------------------------------------------------------- */

static bool load(struct fgi_render_target *t, const struct fgi_render_device *device)
{
    PFN_vkGetDeviceProcAddr get = (PFN_vkGetDeviceProcAddr)device->get_instance_proc_addr(
        device->instance, "vkGetDeviceProcAddr");
    bool is_whole = get != NULL;
#define LOAD(name)                                                                                 \
    t->vk.name = is_whole ? (PFN_##name)get(device->device, #name) : NULL;                         \
    is_whole = is_whole && t->vk.name != NULL;
    FGI_RENDER_FUNCTIONS(LOAD)
#undef LOAD
    return is_whole;
}

/* Whether images are as large there as the picture. */
static bool is_large_enough(const struct fgi_render_target *t,
                            const struct fgi_render_device *device)
{
    VkPhysicalDeviceProperties properties;
    PFN_vkGetPhysicalDeviceProperties get =
        (PFN_vkGetPhysicalDeviceProperties)device->get_instance_proc_addr(
            device->instance, "vkGetPhysicalDeviceProperties");
    if (get == NULL) {
        return false;
    }
    get(device->physical, &properties);
    const VkPhysicalDeviceLimits *limits = &properties.limits;
    return t->width_px <= limits->maxImageDimension2D &&
           t->height_px <= limits->maxImageDimension2D &&
           t->width_px <= limits->maxFramebufferWidth &&
           t->height_px <= limits->maxFramebufferHeight;
}

static uint32_t memory_type(const struct fgi_render_device *device, uint32_t types)
{
    VkPhysicalDeviceMemoryProperties memory;
    PFN_vkGetPhysicalDeviceMemoryProperties get =
        (PFN_vkGetPhysicalDeviceMemoryProperties)device->get_instance_proc_addr(
            device->instance, "vkGetPhysicalDeviceMemoryProperties");
    if (get != NULL) {
        get(device->physical, &memory);
        for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
            if ((types >> i & 1) != 0 &&
                (memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0) {
                return i;
            }
        }
    }
    return UINT32_MAX;
}

static VkResult create_image(struct fgi_render_target *t, const struct fgi_render_device *device,
                             uint32_t index, VkFormat format, VkImageUsageFlags usage)
{
    const VkImageCreateInfo image = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                      .imageType = VK_IMAGE_TYPE_2D,
                                      .format = format,
                                      .extent = { t->width_px, t->height_px, 1 },
                                      .mipLevels = 1,
                                      .arrayLayers = 1,
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .usage = usage };
    VkMemoryRequirements needs;
    VkResult result = t->vk.vkCreateImage(t->device, &image, NULL, &t->images[index]);
    if (result != VK_SUCCESS) {
        return result;
    }
    t->vk.vkGetImageMemoryRequirements(t->device, t->images[index], &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = memory_type(device, needs.memoryTypeBits),
    };
    if (memory.memoryTypeIndex == UINT32_MAX) {
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    result = t->vk.vkAllocateMemory(t->device, &memory, NULL, &t->memory[index]);
    if (result == VK_SUCCESS) {
        result = t->vk.vkBindImageMemory(t->device, t->images[index], t->memory[index], 0);
    }
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = t->images[index],
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = { index == FGI_RENDER_COLOR ? VK_IMAGE_ASPECT_COLOR_BIT
                                                        : VK_IMAGE_ASPECT_DEPTH_BIT,
                              0, 1, 0, 1 },
    };
    return result == VK_SUCCESS ? t->vk.vkCreateImageView(t->device, &view, NULL, &t->views[index])
                                : result;
}

/* Colours are there already; depths say what is over what, and are forgotten. */
static VkResult create_pass(struct fgi_render_target *t)
{
    const VkAttachmentDescription attachments[FGI_RENDER_IMAGES] = {
        [FGI_RENDER_COLOR] = { .format = COLOR_FORMAT,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                               .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                               .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                               .initialLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                               .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL },
        [FGI_RENDER_DEPTH] = { .format = DEPTH_FORMAT,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                               .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                               .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                               .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                               .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                               .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL },
    };
    const VkAttachmentReference color = { FGI_RENDER_COLOR,
                                          VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
    const VkAttachmentReference depth = { FGI_RENDER_DEPTH,
                                          VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL };
    const VkSubpassDescription subpass = { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &color,
                                           .pDepthStencilAttachment = &depth };
    const VkSubpassDependency behind = {
        .srcSubpass = 0,
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    const VkRenderPassCreateInfo info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                          .attachmentCount = FGI_RENDER_IMAGES,
                                          .pAttachments = attachments,
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass,
                                          .dependencyCount = 1,
                                          .pDependencies = &behind };
    return t->vk.vkCreateRenderPass(t->device, &info, NULL, &t->pass);
}

static VkResult create_framebuffer(struct fgi_render_target *t)
{
    const VkFramebufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = t->pass,
                                           .attachmentCount = FGI_RENDER_IMAGES,
                                           .pAttachments = t->views,
                                           .width = t->width_px,
                                           .height = t->height_px,
                                           .layers = 1 };
    return t->vk.vkCreateFramebuffer(t->device, &info, NULL, &t->framebuffer);
}

enum fg_result fgi_render_target_init(struct fgi_render_target *t,
                                      const struct fgi_render_device *device, uint32_t width_px,
                                      uint32_t height_px, struct fg_diag *diag)
{
    *t = (struct fgi_render_target){ .device = device->device,
                                     .width_px = width_px,
                                     .height_px = height_px };
    if (!load(t, device)) {
        t->device = VK_NULL_HANDLE;
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "the device does not draw");
    }
    if (!is_large_enough(t, device)) {
        return fgi_fail(diag, FG_ERR_LIMIT, 0, "the device has no images of this size");
    }
    VkResult made =
        create_image(t, device, FGI_RENDER_COLOR, COLOR_FORMAT,
                     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                         VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    made = made == VK_SUCCESS ? create_image(t, device, FGI_RENDER_DEPTH, DEPTH_FORMAT,
                                             VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)
                              : made;
    made = made == VK_SUCCESS ? create_pass(t) : made;
    made = made == VK_SUCCESS ? create_framebuffer(t) : made;
    const enum fg_result result = fgi_render_result(made);
    return result == FG_OK ? fgi_render_pipelines(t) : result;
}

void fgi_render_target_finish(struct fgi_render_target *t)
{
    if (t->device == VK_NULL_HANDLE) {
        return;
    }
    for (uint32_t i = 0; i < FGI_RENDER_PIPELINES; i++) {
        t->vk.vkDestroyPipeline(t->device, t->pipelines[i], NULL);
    }
    t->vk.vkDestroyPipelineLayout(t->device, t->layout, NULL);
    t->vk.vkDestroyFramebuffer(t->device, t->framebuffer, NULL);
    t->vk.vkDestroyRenderPass(t->device, t->pass, NULL);
    for (uint32_t i = 0; i < FGI_RENDER_IMAGES; i++) {
        t->vk.vkDestroyImageView(t->device, t->views[i], NULL);
        t->vk.vkDestroyImage(t->device, t->images[i], NULL);
        t->vk.vkFreeMemory(t->device, t->memory[i], NULL);
    }
}

/* ---- recording ------------------------------------------------------------------------------- */

struct change {
    VkImageLayout from, to;
    VkPipelineStageFlags before, behind;
    VkAccessFlags reads, writes; /**< that it waits for, that wait for it */
};

static void change_layout(const struct fgi_render_target *t, VkCommandBuffer commands,
                          const struct change *change)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = change->reads,
        .dstAccessMask = change->writes,
        .oldLayout = change->from,
        .newLayout = change->to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = t->images[FGI_RENDER_COLOR],
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
    };
    t->vk.vkCmdPipelineBarrier(commands, change->before, change->behind, 0, 0, NULL, 0, NULL, 1,
                               &barrier);
}

static VkBufferImageCopy copy_of(const struct fgi_render_target *t,
                                 const struct fgi_render_strip *strip)
{
    return (VkBufferImageCopy){ .bufferOffset = strip->memory.view.offset_bytes,
                                .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
                                .imageOffset = { 0, (int32_t)strip->y_px, 0 },
                                .imageExtent = { t->width_px, strip->height_px, 1 } };
}

static void draw(const struct fgi_render_target *t, VkCommandBuffer commands,
                 const struct fgi_render_drawing *drawing)
{
    const VkClearValue clears[FGI_RENDER_IMAGES] = { [FGI_RENDER_DEPTH] = { .depthStencil.depth =
                                                                                1 } };
    const VkViewport viewport = { 0, 0, (float)t->width_px, (float)t->height_px, 0, 1 };
    const VkRenderPassBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                          .renderPass = t->pass,
                                          .framebuffer = t->framebuffer,
                                          .renderArea.extent = { t->width_px, t->height_px },
                                          .clearValueCount = FGI_RENDER_IMAGES,
                                          .pClearValues = clears };
    t->vk.vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    t->vk.vkCmdSetViewport(commands, 0, 1, &viewport);
    t->vk.vkCmdSetScissor(commands, 0, 1, &drawing->area);
    t->vk.vkCmdPushConstants(commands, t->layout,
                             VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                             sizeof drawing->scene, &drawing->scene);
    for (uint32_t i = 0; i < FGI_RENDER_PIPELINES; i++) {
        t->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, t->pipelines[i]);
        t->vk.vkCmdDrawIndirect(commands, drawing->draws[i].buffer, drawing->draws[i].offset_bytes,
                                1, 0);
    }
    t->vk.vkCmdEndRenderPass(commands);
}

void fgi_render_target_record(const struct fgi_render_target *t, VkCommandBuffer commands,
                              const struct fgi_render_strip *strips, uint32_t strip_count,
                              const struct fgi_render_drawing *drawing)
{
    static const struct change to_copy = { VK_IMAGE_LAYOUT_UNDEFINED,
                                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                           VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                           VK_PIPELINE_STAGE_TRANSFER_BIT,
                                           0,
                                           VK_ACCESS_TRANSFER_WRITE_BIT };
    static const struct change to_draw = {
        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        VK_ACCESS_TRANSFER_WRITE_BIT,
        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
    };
    const VkMemoryBarrier to_host = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                      .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                      .dstAccessMask = VK_ACCESS_HOST_READ_BIT };
    const VkMemoryBarrier to_shaders = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_SHADER_READ_BIT,
    };
    t->vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                               VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                                   VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
                                   VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                               0, 1, &to_shaders, 0, NULL, 0, NULL);
    change_layout(t, commands, &to_copy);
    for (uint32_t i = 0; i < strip_count; i++) {
        const VkBufferImageCopy region = copy_of(t, &strips[i]);
        t->vk.vkCmdCopyBufferToImage(commands, strips[i].memory.view.buffer,
                                     t->images[FGI_RENDER_COLOR],
                                     VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    }
    change_layout(t, commands, &to_draw);
    draw(t, commands, drawing);
    /* Strips have been read before they are written again. */
    t->vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                               VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
    for (uint32_t i = 0; i < strip_count; i++) {
        const VkBufferImageCopy region = copy_of(t, &strips[i]);
        t->vk.vkCmdCopyImageToBuffer(commands, t->images[FGI_RENDER_COLOR],
                                     VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                     strips[i].memory.view.buffer, 1, &region);
    }
    t->vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                               0, 1, &to_host, 0, NULL, 0, NULL);
}
