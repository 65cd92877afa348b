/* SPDX-License-Identifier: MIT */
/* How a map becomes colours over a picture. */
#include "hud/overdraw_vulkan_priv.h"

#include <overdraw_overlay.frag.h> /* made by the build from shaders/ */
#include <overdraw_overlay.vert.h>

#include <string.h>

/* One more: of pixels that nothing was drawn in. */
#define COLORS_BYTES ((FG_OVERDRAW_COLORS + 1) * 4)

static VkResult make_colors(struct fg_overdraw_vulkan *o)
{
    static const uint8_t untouched[4] = { FG_OVERDRAW_UNTOUCHED_RED, FG_OVERDRAW_UNTOUCHED_GREEN,
                                          FG_OVERDRAW_UNTOUCHED_BLUE, 255 };
    const VkResult result = fgi_overdraw_buffer_init(
        o, COLORS_BYTES, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, &o->colors);
    if (result != VK_SUCCESS) {
        return result;
    }
    fg_overdraw_colors_write(o->colors.mapped);
    memcpy((uint8_t *)o->colors.mapped + COLORS_BYTES - sizeof untouched, untouched,
           sizeof untouched);
    const VkBufferViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = o->colors.buffer,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .range = COLORS_BYTES,
    };
    return o->vk.CreateBufferView(o->device, &view, o->callbacks, &o->colors_view);
}

static VkResult make_layouts(struct fg_overdraw_vulkan *o)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        { .binding = 0,
          .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
          .descriptorCount = 1,
          .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT },
        { .binding = 1,
          .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
          .descriptorCount = 1,
          .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT },
    };
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings,
    };
    const VkResult result =
        o->vk.CreateDescriptorSetLayout(o->device, &set_info, o->callbacks, &o->set_layout);
    if (result != VK_SUCCESS) {
        return result;
    }
    const VkPushConstantRange range = { VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                                        sizeof(struct fgi_overdraw_push) };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &o->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return o->vk.CreatePipelineLayout(o->device, &info, o->callbacks, &o->layout);
}

/** A set for each slot. */
static VkResult make_sets(struct fg_overdraw_vulkan *o)
{
    const VkDescriptorPoolSize sizes[] = {
        { VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, o->slot_count },
        { VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, o->slot_count },
    };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = o->slot_count,
        .poolSizeCount = 2,
        .pPoolSizes = sizes,
    };
    VkResult result = o->vk.CreateDescriptorPool(o->device, &info, o->callbacks, &o->pool);
    for (uint32_t i = 0; i < o->slot_count && result == VK_SUCCESS; i++) {
        const VkDescriptorSetAllocateInfo set_info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = o->pool,
            .descriptorSetCount = 1,
            .pSetLayouts = &o->set_layout,
        };
        result = o->vk.AllocateDescriptorSets(o->device, &set_info, &o->slots[i].set);
    }
    return result;
}

static VkResult make_pipeline(struct fg_overdraw_vulkan *o,
                              const struct fg_hud_vulkan_options *options)
{
    const VkBool32 linear = fgi_hud_vulkan_is_linear(options);
    const VkSpecializationMapEntry entry = { 0, 0, sizeof linear };
    const VkSpecializationInfo constants = { 1, &entry, sizeof linear, &linear };
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
    };
    const struct fgi_hud_vulkan_maker maker = { o->device, o->callbacks,
                                                o->vk.CreateGraphicsPipelines };
    VkPipelineShaderStageCreateInfo stages[2] = {
        { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = VK_SHADER_STAGE_VERTEX_BIT,
          .pName = "main" },
        { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
          .pName = "main",
          .pSpecializationInfo = &constants },
    };
    VkResult result = fgi_overdraw_make_module(o, fgi_overdraw_overlay_vert,
                                               sizeof fgi_overdraw_overlay_vert, &stages[0].module);
    if (result == VK_SUCCESS) {
        result = fgi_overdraw_make_module(o, fgi_overdraw_overlay_frag,
                                          sizeof fgi_overdraw_overlay_frag, &stages[1].module);
    }
    if (result == VK_SUCCESS) {
        result =
            fgi_hud_vulkan_make_pipeline(&maker, options, stages, &input, o->layout, &o->pipeline);
    }
    o->vk.DestroyShaderModule(o->device, stages[0].module, o->callbacks);
    o->vk.DestroyShaderModule(o->device, stages[1].module, o->callbacks);
    return result;
}

VkResult fgi_overdraw_overlay_init(struct fg_overdraw_vulkan *o,
                                   const struct fg_hud_vulkan_options *options)
{
    VkResult result = make_colors(o);
    if (result == VK_SUCCESS) {
        result = make_layouts(o);
    }
    if (result == VK_SUCCESS) {
        result = make_sets(o);
    }
    return result == VK_SUCCESS ? make_pipeline(o, options) : result;
}

void fgi_overdraw_overlay_finish(struct fg_overdraw_vulkan *o)
{
    o->vk.DestroyPipeline(o->device, o->pipeline, o->callbacks);
    o->vk.DestroyPipelineLayout(o->device, o->layout, o->callbacks);
    o->vk.DestroyDescriptorPool(o->device, o->pool, o->callbacks);
    o->vk.DestroyDescriptorSetLayout(o->device, o->set_layout, o->callbacks);
    o->vk.DestroyBufferView(o->device, o->colors_view, o->callbacks);
    fgi_overdraw_buffer_finish(o, &o->colors);
}

void fgi_overdraw_overlay_show(struct fg_overdraw_vulkan *o, struct fgi_overdraw_slot *slot)
{
    const VkDescriptorImageInfo image = { VK_NULL_HANDLE, slot->view,
                                          VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL };
    const VkWriteDescriptorSet writes[] = {
        { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
          .dstSet = slot->set,
          .dstBinding = 0,
          .descriptorCount = 1,
          .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
          .pImageInfo = &image },
        { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
          .dstSet = slot->set,
          .dstBinding = 1,
          .descriptorCount = 1,
          .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
          .pTexelBufferView = &o->colors_view },
    };
    o->vk.UpdateDescriptorSets(o->device, 2, writes, 0, NULL);
}

void fg_overdraw_vulkan_overlay(struct fg_overdraw_vulkan *o, VkCommandBuffer commands,
                                uint32_t slot_index,
                                const struct fg_overdraw_vulkan_overlay *overlay)
{
    if (o == NULL || commands == VK_NULL_HANDLE || slot_index >= o->slot_count || overlay == NULL ||
        overlay->scale == NULL || overlay->width_px == 0 || overlay->height_px == 0 ||
        o->pipeline == VK_NULL_HANDLE || !o->slots[slot_index].is_done) {
        return;
    }
    const struct fgi_overdraw_slot *slot = &o->slots[slot_index];
    const VkViewport viewport = { 0.0f, 0.0f, (float)overlay->width_px, (float)overlay->height_px,
                                  0.0f, 1.0f };
    const VkRect2D scissor = { { 0, 0 }, { overlay->width_px, overlay->height_px } };
    const struct fgi_overdraw_push push = {
        .texels_per_pixel = { (float)slot->width_px / (float)overlay->width_px,
                              (float)slot->height_px / (float)overlay->height_px },
        .bottom = overlay->scale->bottom,
        .top = overlay->scale->top,
        .opacity = overlay->opacity,
        .is_log = overlay->scale->is_log,
    };
    o->vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, o->pipeline);
    o->vk.CmdSetViewport(commands, 0, 1, &viewport);
    o->vk.CmdSetScissor(commands, 0, 1, &scissor);
    o->vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, o->layout, 0, 1,
                                &slot->set, 0, NULL);
    o->vk.CmdPushConstants(commands, o->layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof push,
                           &push);
    o->vk.CmdDraw(commands, 3, 1, 0, 0);
}
