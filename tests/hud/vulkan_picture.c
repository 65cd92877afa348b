/* SPDX-License-Identifier: MIT */
#include "vulkan_picture.h"
#include "cmocka_all.h"
#include "hud_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void must(VkResult result)
{
    assert_int_equal(result, VK_SUCCESS);
}

static void make_image(struct fgt_picture *p, int i, VkSampleCountFlagBits samples)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = p->kind.format,
        .extent = { p->width_px, p->height_px, 1 },
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = samples,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                 (samples == 1 ? (VkImageUsageFlags)VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0),
    };
    VkMemoryRequirements needs;
    must(vkCreateImage(p->bed->device, &info, NULL, &p->images[i]));
    vkGetImageMemoryRequirements(p->bed->device, p->images[i], &needs);
    p->memory[i] = bed_allocate(p->bed, &needs, 0);
    must(vkBindImageMemory(p->bed->device, p->images[i], p->memory[i], 0));
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = p->images[i],
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = p->kind.format,
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
    };
    must(vkCreateImageView(p->bed->device, &view, NULL, &p->views[i]));
}

static void make_pass(struct fgt_picture *p)
{
    const bool resolves = p->kind.samples != VK_SAMPLE_COUNT_1_BIT;
    const VkAttachmentDescription attachments[2] = {
        { .format = p->kind.format,
          .samples = p->kind.samples,
          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
          .finalLayout = resolves ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                                  : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL },
        { .format = p->kind.format,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
          .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL },
    };
    const VkAttachmentReference color = { 0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
    const VkAttachmentReference resolve = { 1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pResolveAttachments = resolves ? &resolve : NULL,
    };
    const VkSubpassDependency after = {
        .srcSubpass = 0,
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = resolves ? 2 : 1,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 1,
        .pDependencies = &after,
    };
    must(vkCreateRenderPass(p->bed->device, &info, NULL, &p->pass));
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = p->pass,
        .attachmentCount = resolves ? 2 : 1,
        .pAttachments = p->views,
        .width = p->width_px,
        .height = p->height_px,
        .layers = 1,
    };
    must(vkCreateFramebuffer(p->bed->device, &framebuffer, NULL, &p->framebuffer));
}

void fgt_picture_make(struct fgt_picture *p, struct bed *bed, struct fgt_target kind,
                      uint32_t width_px, uint32_t height_px)
{
    *p = (struct fgt_picture){
        .bed = bed, .kind = kind, .width_px = width_px, .height_px = height_px
    };
    make_image(p, 0, kind.samples);
    if (kind.samples != VK_SAMPLE_COUNT_1_BIT) {
        make_image(p, 1, VK_SAMPLE_COUNT_1_BIT);
    }
    if (!kind.is_dynamic) {
        make_pass(p);
    }
    const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = (VkDeviceSize)p->width_px * p->height_px * 8,
                                      .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT };
    VkMemoryRequirements needs;
    must(vkCreateBuffer(p->bed->device, &info, NULL, &p->readback));
    vkGetBufferMemoryRequirements(p->bed->device, p->readback, &needs);
    p->readback_memory = bed_allocate(
        p->bed, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    must(vkBindBufferMemory(p->bed->device, p->readback, p->readback_memory, 0));
    must(vkMapMemory(p->bed->device, p->readback_memory, 0, VK_WHOLE_SIZE, 0, &p->mapped));
}

void fgt_picture_destroy(struct fgt_picture *p)
{
    vkDestroyFramebuffer(p->bed->device, p->framebuffer, NULL);
    vkDestroyRenderPass(p->bed->device, p->pass, NULL);
    vkDestroyBuffer(p->bed->device, p->readback, NULL);
    vkFreeMemory(p->bed->device, p->readback_memory, NULL);
    for (int i = 0; i < 2; i++) {
        vkDestroyImageView(p->bed->device, p->views[i], NULL);
        vkDestroyImage(p->bed->device, p->images[i], NULL);
        vkFreeMemory(p->bed->device, p->memory[i], NULL);
    }
}

bool fgt_is_linear(VkFormat format)
{
    return format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_B8G8R8A8_SRGB ||
           format == VK_FORMAT_R16G16B16A16_SFLOAT;
}

static float decode(float encoded)
{
    return encoded <= 0.04045f ? encoded / 12.92f : powf((encoded + 0.055f) / 1.055f, 2.4f);
}

static float encode(float light)
{
    return light <= 0.0031308f ? light * 12.92f : 1.055f * powf(light, 1.0f / 2.4f) - 0.055f;
}

static VkClearValue clear_value(VkFormat format)
{
    VkClearValue value;
    for (int i = 0; i < 4; i++) {
        const float encoded = (float)fgt_hud_clear[i] / 255.0f;
        value.color.float32[i] = fgt_is_linear(format) && i < 3 ? decode(encoded) : encoded;
    }
    return value;
}

static void barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to)
{
    const bool ends = to == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkImageMemoryBarrier info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = ends ? VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT : 0,
        .dstAccessMask = ends ? VK_ACCESS_TRANSFER_READ_BIT : VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .image = image,
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
    };
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                         ends ? VK_PIPELINE_STAGE_TRANSFER_BIT
                              : VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                         0, 0, NULL, 0, NULL, 1, &info);
}

static void begin_dynamic(struct fgt_picture *p, VkCommandBuffer commands)
{
    const bool resolves = p->kind.samples != VK_SAMPLE_COUNT_1_BIT;
    for (int i = 0; i < (resolves ? 2 : 1); i++) {
        barrier(commands, p->images[i], VK_IMAGE_LAYOUT_UNDEFINED,
                VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    }
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = p->views[0],
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .resolveMode = resolves ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = p->views[1],
        .resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = clear_value(p->kind.format),
    };
    const VkRenderingInfo info = { .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                   .renderArea = { { 0, 0 }, { p->width_px, p->height_px } },
                                   .layerCount = 1,
                                   .colorAttachmentCount = 1,
                                   .pColorAttachments = &color };
    vkCmdBeginRendering(commands, &info);
}

void fgt_picture_begin(struct fgt_picture *p, VkCommandBuffer commands)
{
    const VkClearValue clear = clear_value(p->kind.format);
    if (p->kind.is_dynamic) {
        begin_dynamic(p, commands);
        return;
    }
    const VkRenderPassBeginInfo info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = p->pass,
                                         .framebuffer = p->framebuffer,
                                         .renderArea = { { 0, 0 }, { p->width_px, p->height_px } },
                                         .clearValueCount = 1,
                                         .pClearValues = &clear };
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

void fgt_picture_end(struct fgt_picture *p, VkCommandBuffer commands)
{
    const int last = p->kind.samples != VK_SAMPLE_COUNT_1_BIT ? 1 : 0;
    if (p->kind.is_dynamic) {
        vkCmdEndRendering(commands);
        barrier(commands, p->images[last], VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    } else {
        vkCmdEndRenderPass(commands);
    }
    const VkBufferImageCopy region = { .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
                                       .imageExtent = { p->width_px, p->height_px, 1 } };
    vkCmdCopyImageToBuffer(commands, p->images[last], VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           p->readback, 1, &region);
}

static float half_to_float(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const float mantissa = (float)(half & 1023);
    const float size =
        exponent == 0 ? ldexpf(mantissa, -24) : ldexpf(1024.0f + mantissa, exponent - 25);
    return half >> 15 ? -size : size;
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(fminf(fmaxf(value, 0.0f), 1.0f) * 255.0f + 0.5f);
}

uint8_t *fgt_picture_read(const struct fgt_picture *p)
{
    uint8_t *out = malloc((size_t)p->width_px * p->height_px * 4);
    assert_non_null(out);
    for (size_t i = 0; i < (size_t)p->width_px * p->height_px; i++) {
        const uint8_t *bytes = (const uint8_t *)p->mapped + i * 4;
        const uint16_t *halves = (const uint16_t *)p->mapped + i * 4;
        uint32_t word;
        switch (p->kind.format) {
        case VK_FORMAT_B8G8R8A8_UNORM:
        case VK_FORMAT_B8G8R8A8_SRGB:
            out[i * 4] = bytes[2];
            out[i * 4 + 1] = bytes[1];
            out[i * 4 + 2] = bytes[0];
            out[i * 4 + 3] = bytes[3];
            break;
        case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
            memcpy(&word, bytes, sizeof word);
            for (int c = 0; c < 3; c++) {
                out[i * 4 + (size_t)c] = to_byte((float)(word >> (10 * c) & 1023) / 1023.0f);
            }
            out[i * 4 + 3] = to_byte((float)(word >> 30) / 3.0f);
            break;
        case VK_FORMAT_R16G16B16A16_SFLOAT:
            for (int c = 0; c < 4; c++) {
                const float value = half_to_float(halves[c]);
                out[i * 4 + (size_t)c] = to_byte(c < 3 ? encode(value) : value);
            }
            break;
        default:
            memcpy(out + i * 4, bytes, 4);
        }
    }
    return out;
}

bool fgt_can_sample(const struct bed *bed, VkFormat format, VkSampleCountFlagBits samples)
{
    VkImageFormatProperties properties;
    return vkGetPhysicalDeviceImageFormatProperties(
               bed->physical, format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
               VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 0, &properties) == VK_SUCCESS &&
           (properties.sampleCounts & samples) != 0;
}
