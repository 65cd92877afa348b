/* SPDX-License-Identifier: MIT */
/* How a quad becomes pixels with Vulkan. */
#include "hud/hud_vulkan_priv.h"

#include <hud_quad.frag.h> /* made by the build from shaders/ */
#include <hud_quad.vert.h>

static VkResult make_layouts(struct fg_hud_vulkan *r)
{
    const VkDescriptorSetLayoutBinding binding = {
        .binding = 0,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
    };
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VkResult result =
        r->vk.CreateDescriptorSetLayout(r->device, &set_info, r->callbacks, &r->set_layout);
    if (result != VK_SUCCESS) {
        return result;
    }
    const VkPushConstantRange range = { VK_SHADER_STAGE_VERTEX_BIT, 0,
                                        sizeof(struct fgi_hud_push) };
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &r->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return r->vk.CreatePipelineLayout(r->device, &layout_info, r->callbacks, &r->layout);
}

static VkResult make_module(struct fg_hud_vulkan *r, const uint32_t *words, size_t size_bytes,
                            VkShaderModule *out_module)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = size_bytes,
        .pCode = words,
    };
    return r->vk.CreateShaderModule(r->device, &info, r->callbacks, out_module);
}

/* The draw list's quad, field by field. */
static const VkVertexInputBindingDescription quad_binding = { 0, sizeof(struct fg_hud_quad),
                                                              VK_VERTEX_INPUT_RATE_INSTANCE };
static const VkVertexInputAttributeDescription quad_attributes[] = {
    { 0, 0, VK_FORMAT_R16G16B16A16_SINT, offsetof(struct fg_hud_quad, x_px) },
    { 1, 0, VK_FORMAT_R16G16B16A16_UINT, offsetof(struct fg_hud_quad, u) },
    { 2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(struct fg_hud_quad, color) },
};

static VkResult make_pipeline(struct fg_hud_vulkan *r, const struct fg_hud_vulkan_options *options,
                              const VkPipelineShaderStageCreateInfo stages[2])
{
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &quad_binding,
        .vertexAttributeDescriptionCount = 3,
        .pVertexAttributeDescriptions = quad_attributes,
    };
    const struct fgi_hud_vulkan_maker maker = { r->device, r->callbacks,
                                                r->vk.CreateGraphicsPipelines };
    return fgi_hud_vulkan_make_pipeline(&maker, options, stages, &input, r->layout, &r->pipeline);
}

VkResult fgi_hud_vulkan_pipeline_init(struct fg_hud_vulkan *r,
                                      const struct fg_hud_vulkan_options *options)
{
    const VkBool32 linear = fgi_hud_vulkan_is_linear(options);
    const VkSpecializationMapEntry entry = { 0, 0, sizeof linear };
    const VkSpecializationInfo constants = { 1, &entry, sizeof linear, &linear };
    VkPipelineShaderStageCreateInfo stages[2] = {
        { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = VK_SHADER_STAGE_VERTEX_BIT,
          .pName = "main",
          .pSpecializationInfo = &constants },
        { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
          .pName = "main" },
    };
    VkResult result = make_layouts(r);
    if (result == VK_SUCCESS) {
        result = make_module(r, fgi_hud_quad_vert, sizeof fgi_hud_quad_vert, &stages[0].module);
    }
    if (result == VK_SUCCESS) {
        result = make_module(r, fgi_hud_quad_frag, sizeof fgi_hud_quad_frag, &stages[1].module);
    }
    if (result == VK_SUCCESS) {
        result = make_pipeline(r, options, stages);
    }
    r->vk.DestroyShaderModule(r->device, stages[0].module, r->callbacks);
    r->vk.DestroyShaderModule(r->device, stages[1].module, r->callbacks);
    return result;
}

void fgi_hud_vulkan_pipeline_finish(struct fg_hud_vulkan *r)
{
    r->vk.DestroyPipeline(r->device, r->pipeline, r->callbacks);
    r->vk.DestroyPipelineLayout(r->device, r->layout, r->callbacks);
    r->vk.DestroyDescriptorSetLayout(r->device, r->set_layout, r->callbacks);
}
