/* SPDX-License-Identifier: MIT */
#include "foreign_picture.h"

#define FORMAT VK_FORMAT_R8G8B8A8_UNORM

static bool create_pass(struct foreign_device *d, VkRenderPass *out_pass)
{
    const VkAttachmentDescription attachment = {
        .format = FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    const VkAttachmentReference reference = { 0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
    const VkSubpassDescription subpass = { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &reference };
    const VkSubpassDependency dependency = {
        .srcSubpass = 0,
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    const VkRenderPassCreateInfo info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                          .attachmentCount = 1,
                                          .pAttachments = &attachment,
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass,
                                          .dependencyCount = 1,
                                          .pDependencies = &dependency };
    return foreign_done(vkCreateRenderPass(d->device, &info, NULL, out_pass), "vkCreateRenderPass");
}

static bool create_image(struct foreign_device *d, struct foreign_picture *p)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = FORMAT,
        .extent = { p->width_px, p->height_px, 1 },
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    VkMemoryRequirements needs;
    if (!foreign_done(vkCreateImage(d->device, &info, NULL, &p->image), "vkCreateImage")) {
        return false;
    }
    vkGetImageMemoryRequirements(d->device, p->image, &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = foreign_device_memory_type(d, needs.memoryTypeBits,
                                                      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT),
    };
    return foreign_done(vkAllocateMemory(d->device, &memory, NULL, &p->memory),
                        "vkAllocateMemory") &&
           foreign_done(vkBindImageMemory(d->device, p->image, p->memory, 0), "vkBindImageMemory");
}

static bool create_framebuffer(struct foreign_device *d, struct foreign_picture *p)
{
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = p->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = FORMAT,
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
    };
    if (!foreign_done(vkCreateImageView(d->device, &view, NULL, &p->view), "vkCreateImageView")) {
        return false;
    }
    const VkFramebufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = p->pass,
                                           .attachmentCount = 1,
                                           .pAttachments = &p->view,
                                           .width = p->width_px,
                                           .height = p->height_px,
                                           .layers = 1 };
    return foreign_done(vkCreateFramebuffer(d->device, &info, NULL, &p->framebuffer),
                        "vkCreateFramebuffer");
}

bool foreign_picture_create(struct foreign_device *d, uint32_t width_px, uint32_t height_px,
                            struct foreign_picture *p)
{
    p->width_px = width_px;
    p->height_px = height_px;
    return create_pass(d, &p->pass) && create_image(d, p) && create_framebuffer(d, p) &&
           foreign_pipeline_spans(d, p->pass, sizeof p->push, &p->pipeline) &&
           foreign_ok(fg_compute_memory_take(d->compute, FG_COMPUTE_READBACK,
                                             (uint64_t)width_px * height_px * 4, &p->pixels),
                      "memory of a picture");
}

void foreign_picture_destroy(struct foreign_device *d, struct foreign_picture *p)
{
    if (p->pixels.view.size_bytes > 0) {
        fg_compute_memory_free(d->compute, &p->pixels);
    }
    foreign_pipeline_destroy(d, &p->pipeline);
    vkDestroyFramebuffer(d->device, p->framebuffer, NULL);
    vkDestroyImageView(d->device, p->view, NULL);
    vkDestroyImage(d->device, p->image, NULL);
    vkFreeMemory(d->device, p->memory, NULL);
    vkDestroyRenderPass(d->device, p->pass, NULL);
}

static void draw(const struct foreign_picture *p, VkCommandBuffer commands)
{
    const VkClearValue background = { .color.float32 = { 0.07f, 0.08f, 0.1f, 1 } };
    const VkRect2D area = { .extent = { p->width_px, p->height_px } };
    const VkViewport viewport = { 0, 0, (float)p->width_px, (float)p->height_px, 0, 1 };
    const VkRenderPassBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                          .renderPass = p->pass,
                                          .framebuffer = p->framebuffer,
                                          .renderArea = area,
                                          .clearValueCount = 1,
                                          .pClearValues = &background };
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p->pipeline.pipeline);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &area);
    vkCmdPushConstants(commands, p->pipeline.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof p->push,
                       &p->push);
    vkCmdBindVertexBuffers(commands, 0, 1, &p->rows.buffer, &p->rows.offset_bytes);
    vkCmdDrawIndirect(commands, p->draw.buffer, p->draw.offset_bytes, 1, 0);
    vkCmdEndRenderPass(commands);
}

static void encode(void *context, VkCommandBuffer commands)
{
    const struct foreign_picture *p = context;
    const VkBufferImageCopy region = {
        .bufferOffset = p->pixels.view.offset_bytes,
        .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
        .imageExtent = { p->width_px, p->height_px, 1 },
    };
    draw(p, commands);
    vkCmdCopyImageToBuffer(commands, p->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           p->pixels.view.buffer, 1, &region);
}

enum fg_result foreign_picture_add(struct foreign_picture *p, const struct fg_gpu_trace *gpu,
                                   const struct fg_gpu_view *view, struct foreign_nodes *nodes)
{
    const struct fg_compute_sink sink = foreign_nodes_sink(nodes);
    struct fg_compute_use uses[FOREIGN_COLUMN_USES + 3];
    struct fg_gpu_view_results results;
    fg_gpu_view_get_results(view, &results);
    p->rows = fg_gpu_view_spans_chunk(view, 0);
    p->draw = results.draw_spans;
    uint32_t count = foreign_columns_use(gpu,
                                         1u << FG_GPU_COLUMN_START | 1u << FG_GPU_COLUMN_END |
                                             1u << FG_GPU_COLUMN_LANE | 1u << FG_GPU_COLUMN_KIND,
                                         VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, uses);
    uses[count++] =
        (struct fg_compute_use){ p->draw, FG_COMPUTE_READ, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                                 VK_ACCESS_INDIRECT_COMMAND_READ_BIT };
    uses[count++] =
        (struct fg_compute_use){ p->rows, FG_COMPUTE_READ, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                                 VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT };
    uses[count++] =
        (struct fg_compute_use){ p->pixels.view, FG_COMPUTE_WRITE, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_ACCESS_TRANSFER_WRITE_BIT };
    enum fg_result result = fg_compute_sink_add(
        &sink, FG_COMPUTE_NODE(.name = "draw", .kind = FG_COMPUTE_CALL, .call = encode,
                               .context = p, .uses = uses, .use_count = count));
    if (result != FG_OK) {
        return result;
    }
    const struct fg_compute_use seen = { p->pixels.view, FG_COMPUTE_READ,
                                         VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT };
    return fg_compute_sink_add(&sink, FG_COMPUTE_NODE(.name = "pixels", .kind = FG_COMPUTE_PUBLISH,
                                                      .uses = &seen, .use_count = 1));
}
