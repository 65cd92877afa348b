/* SPDX-License-Identifier: MIT */
/* Maps with Vulkan: made and given back, and what is recorded in each frame. */
#include "hud/overdraw_vulkan_priv.h"

#include "base/alloc.h"

#define ITEMS_MAX 65536

#define ENTRY(name) { offsetof(struct fgi_overdraw_vulkan_functions, name), "vk" #name },
static const struct fgi_vulkan_entry instance_entries[] = { FGI_OVERDRAW_VULKAN_INSTANCE_FUNCTIONS(
    ENTRY) };
static const struct fgi_vulkan_entry device_entries[] = { FGI_OVERDRAW_VULKAN_DEVICE_FUNCTIONS(
    ENTRY) };
#undef ENTRY
#define MEMBER(name) offsetof(struct fgi_overdraw_vulkan_functions, name)
/* From 1.3 on, or of the extension. */
static const struct fgi_vulkan_entry rendering_entries[2][2] = {
    { { MEMBER(CmdBeginRendering), "vkCmdBeginRendering" },
      { MEMBER(CmdEndRendering), "vkCmdEndRendering" } },
    { { MEMBER(CmdBeginRendering), "vkCmdBeginRenderingKHR" },
      { MEMBER(CmdEndRendering), "vkCmdEndRenderingKHR" } },
};
#undef MEMBER
#define ENTRIES(table) (sizeof(table) / sizeof(table)[0])

static bool options_are_legal(const struct fg_overdraw_vulkan_options *options)
{
    return options != NULL && fgi_hud_vulkan_options_are_legal(&options->common) &&
           (unsigned)options->format <= FG_OVERDRAW_FORMAT_R16F &&
           (unsigned)options->depth <= FG_OVERDRAW_DEPTH_LOAD &&
           (options->depth == FG_OVERDRAW_DEPTH_NONE ||
            options->depth_format != VK_FORMAT_UNDEFINED) &&
           options->item_max <= ITEMS_MAX;
}

static bool load(struct fg_overdraw_vulkan *o, const struct fg_overdraw_vulkan_options *options)
{
    const struct fg_hud_vulkan_options *common = &options->common;
    return fgi_hud_vulkan_load(common, &o->vk, instance_entries, ENTRIES(instance_entries),
                               device_entries, ENTRIES(device_entries)) &&
           (options->has_render_pass ||
            fgi_hud_vulkan_load(common, &o->vk, NULL, 0, rendering_entries[0], 2) ||
            fgi_hud_vulkan_load(common, &o->vk, NULL, 0, rendering_entries[1], 2));
}

static bool has_features(const struct fg_overdraw_vulkan *o, VkPhysicalDevice device,
                         VkFormat format, VkFormatFeatureFlags wanted)
{
    VkFormatProperties properties;
    o->vk.GetPhysicalDeviceFormatProperties(device, format, &properties);
    return (properties.optimalTilingFeatures & wanted) == wanted;
}

/** Every device adds up in the second one. */
static bool choose_format(struct fg_overdraw_vulkan *o,
                          const struct fg_overdraw_vulkan_options *options)
{
    static const struct {
        enum fg_overdraw_format format;
        VkFormat vk_format;
    } choices[] = { { FG_OVERDRAW_FORMAT_R32F, VK_FORMAT_R32_SFLOAT },
                    { FG_OVERDRAW_FORMAT_R16F, VK_FORMAT_R16_SFLOAT } };
    for (size_t i = 0; i < ENTRIES(choices); i++) {
        if ((options->format == FG_OVERDRAW_FORMAT_BEST || options->format == choices[i].format) &&
            has_features(o, options->common.physical_device, choices[i].vk_format,
                         VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT |
                             VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)) {
            o->format = choices[i].format;
            o->vk_format = choices[i].vk_format;
            return true;
        }
    }
    return false;
}

static VkResult make(struct fg_overdraw_vulkan *o, const struct fg_overdraw_vulkan_options *options)
{
    size_t size_bytes;
    const uint32_t *words = fg_overdraw_vulkan_fragment(&size_bytes);
    VkResult result = fgi_overdraw_make_module(o, words, size_bytes, &o->fragment);
    if (result == VK_SUCCESS && options->has_render_pass) {
        result = fgi_overdraw_make_render_pass(o);
    }
    if (result == VK_SUCCESS && options->common.color_format != VK_FORMAT_UNDEFINED) {
        result = fgi_overdraw_overlay_init(o, &options->common);
    }
    return result;
}

static void take_options(struct fg_overdraw_vulkan *o,
                         const struct fg_overdraw_vulkan_options *options)
{
    VkPhysicalDeviceProperties properties;
    o->vk.GetPhysicalDeviceProperties(options->common.physical_device, &properties);
    o->vk.GetPhysicalDeviceMemoryProperties(options->common.physical_device, &o->memory);
    const VkPhysicalDeviceLimits *limits = &properties.limits;
    o->size_max_px = limits->maxImageDimension2D;
    o->size_max_px =
        limits->maxFramebufferWidth < o->size_max_px ? limits->maxFramebufferWidth : o->size_max_px;
    o->size_max_px = limits->maxFramebufferHeight < o->size_max_px ? limits->maxFramebufferHeight
                                                                   : o->size_max_px;
    o->item_max = options->item_max;
    o->depth = options->depth;
    if (o->depth != FG_OVERDRAW_DEPTH_NONE) {
        o->depth_format = options->depth_format;
        o->depth_layout = options->depth_layout != VK_IMAGE_LAYOUT_UNDEFINED
                              ? options->depth_layout
                              : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    }
    o->device = options->common.device;
}

enum fg_result fg_overdraw_vulkan_create(const struct fg_overdraw_vulkan_options *options,
                                         struct fg_overdraw_vulkan **out_overdraw)
{
    if (out_overdraw == NULL || !options_are_legal(options)) {
        return FG_ERR_ARGUMENT;
    }
    const struct fg_hud_vulkan_options *common = &options->common;
    const uint32_t slot_count = common->slot_count != 0 ? common->slot_count : 4;
    struct fg_overdraw_vulkan *o =
        fgi_calloc(common->allocator, 1, sizeof *o + slot_count * sizeof(struct fgi_overdraw_slot));
    if (o == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    o->allocator = common->allocator;
    o->slot_count = slot_count;
    if (common->callbacks != NULL) {
        o->callbacks_copy = *common->callbacks;
        o->callbacks = &o->callbacks_copy;
    }
    /* Without a device there is nothing yet to destroy. */
    if (!load(o, options) || !choose_format(o, options) ||
        (common->color_format != VK_FORMAT_UNDEFINED &&
         !has_features(o, common->physical_device, common->color_format,
                       VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT))) {
        fg_overdraw_vulkan_destroy(o);
        return FG_ERR_UNSUPPORTED;
    }
    take_options(o, options);
    const enum fg_result result = fgi_hud_vulkan_result(make(o, options));
    if (result != FG_OK) {
        fg_overdraw_vulkan_destroy(o);
        return result;
    }
    *out_overdraw = o;
    return FG_OK;
}

void fg_overdraw_vulkan_trim(struct fg_overdraw_vulkan *o)
{
    for (uint32_t i = 0; o != NULL && i < o->slot_count; i++) {
        fgi_overdraw_slot_finish(o, &o->slots[i]);
    }
}

void fg_overdraw_vulkan_destroy(struct fg_overdraw_vulkan *o)
{
    if (o == NULL) {
        return;
    }
    if (o->device != VK_NULL_HANDLE) {
        fg_overdraw_vulkan_trim(o);
        fgi_overdraw_overlay_finish(o);
        o->vk.DestroyRenderPass(o->device, o->render_pass, o->callbacks);
        o->vk.DestroyShaderModule(o->device, o->fragment, o->callbacks);
    }
    fgi_free(o->allocator, o, sizeof *o + o->slot_count * sizeof(struct fgi_overdraw_slot));
}

enum fg_overdraw_format fg_overdraw_vulkan_format(const struct fg_overdraw_vulkan *o)
{
    return o != NULL ? o->format : FG_OVERDRAW_FORMAT_BEST;
}

VkFormat fg_overdraw_vulkan_map_format(const struct fg_overdraw_vulkan *o)
{
    return o != NULL ? o->vk_format : VK_FORMAT_UNDEFINED;
}

VkRenderPass fg_overdraw_vulkan_render_pass(const struct fg_overdraw_vulkan *o)
{
    return o != NULL ? o->render_pass : VK_NULL_HANDLE;
}

static struct fgi_overdraw_slot *find_slot(struct fg_overdraw_vulkan *o, uint32_t slot)
{
    return o != NULL && slot < o->slot_count ? &o->slots[slot] : NULL;
}

static void set_weight(const struct fg_overdraw_vulkan *o, VkCommandBuffer commands, float weight)
{
    const float constants[4] = { weight, weight, weight, weight };
    o->vk.CmdSetBlendConstants(commands, constants);
}

static void move_image(const struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                       const struct fgi_overdraw_slot *slot, VkImageMemoryBarrier move,
                       VkPipelineStageFlags from, VkPipelineStageFlags to)
{
    move.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    move.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    move.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    move.image = slot->image;
    move.subresourceRange = (VkImageSubresourceRange){ VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
    o->vk.CmdPipelineBarrier(commands, from, to, 0, 0, NULL, 0, NULL, 1, &move);
}

static void begin_render_pass(const struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                              const struct fgi_overdraw_slot *slot,
                              const struct fg_overdraw_vulkan_pass *pass)
{
    const VkClearValue clear[2] = {
        { .color = { .float32 = { 0.0f } } },
        { .depthStencil = { pass->clear_depth, pass->clear_stencil } },
    };
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = o->render_pass,
        .framebuffer = slot->framebuffer,
        .renderArea = { { 0, 0 }, { slot->width_px, slot->height_px } },
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    o->vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

static void begin_rendering(const struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                            const struct fgi_overdraw_slot *slot,
                            const struct fg_overdraw_vulkan_pass *pass)
{
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = slot->view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingAttachmentInfo depth = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = pass->depth_view,
        .imageLayout = o->depth_layout,
        .loadOp = o->depth == FG_OVERDRAW_DEPTH_CLEAR ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                                      : VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = fgi_overdraw_is_read_only(o) ? VK_ATTACHMENT_STORE_OP_NONE
                                                : VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue.depthStencil = { pass->clear_depth, pass->clear_stencil },
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = { { 0, 0 }, { slot->width_px, slot->height_px } },
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pDepthAttachment = fgi_overdraw_has_depth(o->depth_format) ? &depth : NULL,
        .pStencilAttachment = fgi_overdraw_has_stencil(o->depth_format) ? &depth : NULL,
    };
    o->vk.CmdBeginRendering(commands, &info);
}

static void record_begin(const struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                         const struct fgi_overdraw_slot *slot,
                         const struct fg_overdraw_vulkan_pass *pass)
{
    const VkViewport viewport = { 0.0f, 0.0f, (float)slot->width_px, (float)slot->height_px,
                                  0.0f, 1.0f };
    const VkRect2D scissor = { { 0, 0 }, { slot->width_px, slot->height_px } };
    if (slot->queries != VK_NULL_HANDLE && pass->kind == FG_OVERDRAW_COUNTS) {
        o->vk.CmdResetQueryPool(commands, slot->queries, 0, o->item_max);
    }
    /* What was there is nothing: whoever used it has completed. */
    move_image(o, commands, slot,
               (VkImageMemoryBarrier){ .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                                                        VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                       .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                       .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL },
               VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT);
    if (o->render_pass != VK_NULL_HANDLE) {
        begin_render_pass(o, commands, slot, pass);
    } else {
        begin_rendering(o, commands, slot, pass);
    }
    o->vk.CmdSetViewport(commands, 0, 1, &viewport);
    o->vk.CmdSetScissor(commands, 0, 1, &scissor);
    set_weight(o, commands, pass->kind == FG_OVERDRAW_COUNTS ? 1.0f : 0.0f);
}

enum fg_result fg_overdraw_vulkan_begin(struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                                        uint32_t slot_index,
                                        const struct fg_overdraw_vulkan_pass *pass)
{
    struct fgi_overdraw_slot *slot = find_slot(o, slot_index);
    if (slot == NULL) {
        return FG_ERR_ARGUMENT;
    }
    slot->is_open = false;
    slot->is_done = false;
    if (commands == VK_NULL_HANDLE || pass == NULL || pass->width_px == 0 || pass->height_px == 0 ||
        (unsigned)pass->kind > FG_OVERDRAW_COSTS ||
        (pass->kind == FG_OVERDRAW_COSTS && pass->costs == NULL) ||
        (o->depth != FG_OVERDRAW_DEPTH_NONE && pass->depth_view == VK_NULL_HANDLE)) {
        return FG_ERR_ARGUMENT;
    }
    if (pass->width_px > o->size_max_px || pass->height_px > o->size_max_px) {
        return FG_ERR_LIMIT;
    }
    const enum fg_result result = fgi_hud_vulkan_result(fgi_overdraw_slot_prepare(o, slot, pass));
    if (result != FG_OK) {
        return result;
    }
    slot->kind = pass->kind;
    slot->costs = pass->costs;
    slot->clock =
        pass->kind == FG_OVERDRAW_COSTS ? fg_overdraw_costs_clock(pass->costs) : FG_OVERDRAW_CPU;
    slot->frame = pass->frame;
    slot->reads_back = pass->reads_back;
    slot->query_count = 0;
    slot->has_query = false;
    slot->left_out = 0;
    slot->is_open = true;
    record_begin(o, commands, slot, pass);
    return FG_OK;
}

static void end_query(const struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                      struct fgi_overdraw_slot *slot)
{
    if (slot->has_query) {
        o->vk.CmdEndQuery(commands, slot->queries, slot->query_count - 1);
        slot->has_query = false;
    }
}

static void begin_query(const struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                        struct fgi_overdraw_slot *slot, uint64_t id)
{
    if (slot->has_query && slot->ids[slot->query_count - 1] == id) {
        return;
    }
    end_query(o, commands, slot);
    if (slot->query_count == o->item_max) {
        slot->left_out++;
        return;
    }
    o->vk.CmdBeginQuery(commands, slot->queries, slot->query_count, VK_QUERY_CONTROL_PRECISE_BIT);
    slot->ids[slot->query_count++] = id;
    slot->has_query = true;
}

void fg_overdraw_vulkan_item(struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                             uint32_t slot_index, uint64_t id)
{
    struct fgi_overdraw_slot *slot = find_slot(o, slot_index);
    if (slot == NULL || !slot->is_open) {
        return;
    }
    if (slot->kind == FG_OVERDRAW_COSTS) {
        set_weight(o, commands, fg_overdraw_costs_weight(slot->costs, id));
    } else if (o->item_max > 0) {
        begin_query(o, commands, slot, id);
    }
}

/** @return the stage that used the image last */
static VkPipelineStageFlags copy_out(const struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                                     const struct fgi_overdraw_slot *slot)
{
    const VkBufferImageCopy region = {
        .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
        .imageExtent = { slot->width_px, slot->height_px, 1 },
    };
    const VkBufferMemoryBarrier to_host = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = slot->readback.buffer,
        .size = VK_WHOLE_SIZE,
    };
    move_image(o, commands, slot,
               (VkImageMemoryBarrier){ .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                       .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                       .oldLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                       .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL },
               VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
    o->vk.CmdCopyImageToBuffer(commands, slot->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                               slot->readback.buffer, 1, &region);
    o->vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                             0, 0, NULL, 1, &to_host, 0, NULL);
    return VK_PIPELINE_STAGE_TRANSFER_BIT;
}

void fg_overdraw_vulkan_end(struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                            uint32_t slot_index)
{
    struct fgi_overdraw_slot *slot = find_slot(o, slot_index);
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    if (slot == NULL || !slot->is_open) {
        return;
    }
    end_query(o, commands, slot);
    if (o->render_pass != VK_NULL_HANDLE) {
        o->vk.CmdEndRenderPass(commands);
    } else {
        o->vk.CmdEndRendering(commands);
    }
    if (slot->reads_back) {
        stage = copy_out(o, commands, slot);
    }
    /* A copy has written nothing to the image. */
    move_image(o, commands, slot,
               (VkImageMemoryBarrier){
                   .srcAccessMask = slot->reads_back ? 0 : VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                   .dstAccessMask = VK_ACCESS_SHADER_READ_BIT,
                   .oldLayout = slot->reads_back ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
                                                 : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                   .newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL },
               stage, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
    slot->costs = NULL;
    slot->is_open = false;
    slot->is_done = true;
}
