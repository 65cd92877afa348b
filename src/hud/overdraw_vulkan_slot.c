/* SPDX-License-Identifier: MIT */
/* What a map in flight is made of: its image, its copy for the host, its queries. */
#include "hud/overdraw_vulkan_priv.h"

#include "base/alloc.h"

static VkResult allocate(struct fg_overdraw_vulkan *o, const VkMemoryRequirements *needs,
                         VkMemoryPropertyFlags best, VkMemoryPropertyFlags wanted,
                         VkDeviceMemory *out_memory)
{
    VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .allocationSize = needs->size };
    if (!fgi_vulkan_find_memory_type(&o->memory, needs->memoryTypeBits, best,
                                     &info.memoryTypeIndex) &&
        !fgi_vulkan_find_memory_type(&o->memory, needs->memoryTypeBits, wanted,
                                     &info.memoryTypeIndex)) {
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    return o->vk.AllocateMemory(o->device, &info, o->callbacks, out_memory);
}

VkResult fgi_overdraw_buffer_init(struct fg_overdraw_vulkan *o, VkDeviceSize size_bytes,
                                  VkBufferUsageFlags usage, struct fgi_overdraw_buffer *out_buffer)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = size_bytes,
                                      .usage = usage };
    VkMemoryRequirements needs;
    VkResult result = o->vk.CreateBuffer(o->device, &info, o->callbacks, &out_buffer->buffer);
    if (result != VK_SUCCESS) {
        return result;
    }
    o->vk.GetBufferMemoryRequirements(o->device, out_buffer->buffer, &needs);
    /* Memory that is not cached takes the host long to read. */
    result = allocate(o, &needs, wanted | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, wanted,
                      &out_buffer->memory);
    if (result == VK_SUCCESS) {
        result = o->vk.BindBufferMemory(o->device, out_buffer->buffer, out_buffer->memory, 0);
    }
    if (result == VK_SUCCESS) {
        result = o->vk.MapMemory(o->device, out_buffer->memory, 0, VK_WHOLE_SIZE, 0,
                                 &out_buffer->mapped);
    }
    return result;
}

void fgi_overdraw_buffer_finish(struct fg_overdraw_vulkan *o, struct fgi_overdraw_buffer *buffer)
{
    /* Vulkan takes null handles, and unmaps with the memory. */
    o->vk.DestroyBuffer(o->device, buffer->buffer, o->callbacks);
    o->vk.FreeMemory(o->device, buffer->memory, o->callbacks);
    *buffer = (struct fgi_overdraw_buffer){ .buffer = VK_NULL_HANDLE };
}

static size_t pixels_of(const struct fgi_overdraw_slot *slot)
{
    return (size_t)slot->width_px * slot->height_px;
}

static void finish_target(struct fg_overdraw_vulkan *o, struct fgi_overdraw_slot *slot)
{
    o->vk.DestroyFramebuffer(o->device, slot->framebuffer, o->callbacks);
    o->vk.DestroyImageView(o->device, slot->view, o->callbacks);
    o->vk.DestroyImage(o->device, slot->image, o->callbacks);
    o->vk.FreeMemory(o->device, slot->memory, o->callbacks);
    fgi_overdraw_buffer_finish(o, &slot->readback);
    fgi_free(o->allocator, slot->values, pixels_of(slot) * sizeof *slot->values);
    slot->framebuffer = VK_NULL_HANDLE;
    slot->view = VK_NULL_HANDLE;
    slot->image = VK_NULL_HANDLE;
    slot->memory = VK_NULL_HANDLE;
    slot->values = NULL;
    slot->width_px = 0;
    slot->height_px = 0;
}

void fgi_overdraw_slot_finish(struct fg_overdraw_vulkan *o, struct fgi_overdraw_slot *slot)
{
    finish_target(o, slot);
    o->vk.DestroyQueryPool(o->device, slot->queries, o->callbacks);
    fgi_free(o->allocator, slot->ids, o->item_max * sizeof *slot->ids);
    fgi_free(o->allocator, slot->fragments, o->item_max * sizeof *slot->fragments);
    /* The set is the pool's. */
    *slot = (struct fgi_overdraw_slot){ .set = slot->set };
}

static VkResult make_image(struct fg_overdraw_vulkan *o, struct fgi_overdraw_slot *slot)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = o->vk_format,
        .extent = { slot->width_px, slot->height_px, 1 },
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                 VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    VkMemoryRequirements needs;
    VkResult result = o->vk.CreateImage(o->device, &info, o->callbacks, &slot->image);
    if (result != VK_SUCCESS) {
        return result;
    }
    o->vk.GetImageMemoryRequirements(o->device, slot->image, &needs);
    result = allocate(o, &needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, &slot->memory);
    if (result == VK_SUCCESS) {
        result = o->vk.BindImageMemory(o->device, slot->image, slot->memory, 0);
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = slot->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = o->vk_format,
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
    };
    result = o->vk.CreateImageView(o->device, &view, o->callbacks, &slot->view);
    if (result == VK_SUCCESS && slot->set != VK_NULL_HANDLE) {
        fgi_overdraw_overlay_show(o, slot);
    }
    return result;
}

/** Anew for each map with depth: a view that looks the same may be another one by now. */
static VkResult make_framebuffer(struct fg_overdraw_vulkan *o, struct fgi_overdraw_slot *slot,
                                 VkImageView depth_view)
{
    const bool has_depth = o->depth != FG_OVERDRAW_DEPTH_NONE;
    const VkImageView views[2] = { slot->view, depth_view };
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = o->render_pass,
        .attachmentCount = has_depth ? 2 : 1,
        .pAttachments = views,
        .width = slot->width_px,
        .height = slot->height_px,
        .layers = 1,
    };
    if (slot->framebuffer != VK_NULL_HANDLE && !has_depth) {
        return VK_SUCCESS;
    }
    o->vk.DestroyFramebuffer(o->device, slot->framebuffer, o->callbacks);
    slot->framebuffer = VK_NULL_HANDLE;
    return o->vk.CreateFramebuffer(o->device, &info, o->callbacks, &slot->framebuffer);
}

static VkResult make_readback(struct fg_overdraw_vulkan *o, struct fgi_overdraw_slot *slot)
{
    const size_t pixels = pixels_of(slot);
    const bool is_half = o->format == FG_OVERDRAW_FORMAT_R16F;
    if (slot->readback.mapped != NULL) {
        return VK_SUCCESS;
    }
    if (is_half && slot->values == NULL) {
        slot->values = fgi_calloc(o->allocator, pixels, sizeof *slot->values);
        if (slot->values == NULL) {
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    fgi_overdraw_buffer_finish(o, &slot->readback);
    return fgi_overdraw_buffer_init(o, pixels * (is_half ? sizeof(uint16_t) : sizeof(float)),
                                    VK_BUFFER_USAGE_TRANSFER_DST_BIT, &slot->readback);
}

static VkResult make_queries(struct fg_overdraw_vulkan *o, struct fgi_overdraw_slot *slot)
{
    const VkQueryPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_OCCLUSION,
                                         .queryCount = o->item_max };
    if (slot->ids == NULL) {
        slot->ids = fgi_calloc(o->allocator, o->item_max, sizeof *slot->ids);
    }
    if (slot->fragments == NULL) {
        slot->fragments = fgi_calloc(o->allocator, o->item_max, sizeof *slot->fragments);
    }
    if (slot->ids == NULL || slot->fragments == NULL) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    return slot->queries != VK_NULL_HANDLE
               ? VK_SUCCESS
               : o->vk.CreateQueryPool(o->device, &info, o->callbacks, &slot->queries);
}

VkResult fgi_overdraw_slot_prepare(struct fg_overdraw_vulkan *o, struct fgi_overdraw_slot *slot,
                                   const struct fg_overdraw_vulkan_pass *pass)
{
    VkResult result = VK_SUCCESS;
    if (slot->width_px != pass->width_px || slot->height_px != pass->height_px ||
        slot->view == VK_NULL_HANDLE) {
        finish_target(o, slot);
        slot->width_px = pass->width_px;
        slot->height_px = pass->height_px;
        result = make_image(o, slot);
    }
    if (result == VK_SUCCESS && o->render_pass != VK_NULL_HANDLE) {
        result = make_framebuffer(o, slot, pass->depth_view);
    }
    if (result == VK_SUCCESS && pass->reads_back) {
        result = make_readback(o, slot);
    }
    if (result == VK_SUCCESS && pass->kind == FG_OVERDRAW_COUNTS && o->item_max > 0) {
        result = make_queries(o, slot);
    }
    if (result != VK_SUCCESS) {
        fgi_overdraw_slot_finish(o, slot);
    }
    return result;
}
