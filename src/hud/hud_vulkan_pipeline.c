/* SPDX-License-Identifier: MIT */
/* How a quad becomes pixels with Vulkan. */
#include "hud/hud_vulkan_priv.h"

#include <hud_quad.frag.h> /* made by the build from shaders/ */
#include <hud_quad.vert.h>

#define ATTACHMENTS_MAX 8

static bool is_linear(const struct fg_hud_vulkan_options *options)
{
    if (options->encoding != FG_HUD_ENCODING_AUTO) {
        return options->encoding == FG_HUD_ENCODING_LINEAR;
    }
    switch (options->color_format) {
    case VK_FORMAT_R8_SRGB:
    case VK_FORMAT_R8G8_SRGB:
    case VK_FORMAT_R8G8B8_SRGB:
    case VK_FORMAT_B8G8R8_SRGB:
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_B8G8R8A8_SRGB:
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
    case VK_FORMAT_R16_SFLOAT:
    case VK_FORMAT_R16G16_SFLOAT:
    case VK_FORMAT_R16G16B16_SFLOAT:
    case VK_FORMAT_R16G16B16A16_SFLOAT:
    case VK_FORMAT_R32_SFLOAT:
    case VK_FORMAT_R32G32_SFLOAT:
    case VK_FORMAT_R32G32B32_SFLOAT:
    case VK_FORMAT_R32G32B32A32_SFLOAT:
    case VK_FORMAT_B10G11R11_UFLOAT_PACK32:
        return true;
    default:
        return false;
    }
}

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
    const uint32_t count =
        options->color_attachment_count > 0 ? options->color_attachment_count : 1;
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &quad_binding,
        .vertexAttributeDescriptionCount = 3,
        .pVertexAttributeDescriptions = quad_attributes,
    };
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
    };
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .polygonMode = VK_POLYGON_MODE_FILL,
        .cullMode = VK_CULL_MODE_NONE,
        .lineWidth = 1.0f,
    };
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = options->samples != 0 ? options->samples : VK_SAMPLE_COUNT_1_BIT,
    };
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
    };
    /* Zero for the others: they are not written. */
    const VkPipelineColorBlendAttachmentState attachments[ATTACHMENTS_MAX] = { {
        .blendEnable = VK_TRUE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .colorBlendOp = VK_BLEND_OP_ADD,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .alphaBlendOp = VK_BLEND_OP_ADD,
        .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                          VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT,
    } };
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = count,
        .pAttachments = attachments,
    };
    static const VkDynamicState dynamic_states[] = { VK_DYNAMIC_STATE_VIEWPORT,
                                                     VK_DYNAMIC_STATE_SCISSOR };
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = dynamic_states,
    };
    VkFormat formats[ATTACHMENTS_MAX] = { options->color_format };
    for (uint32_t i = 1; i < count; i++) {
        formats[i] = options->other_color_formats != NULL ? options->other_color_formats[i - 1]
                                                          : VK_FORMAT_UNDEFINED;
    }
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .viewMask = options->view_mask,
        .colorAttachmentCount = count,
        .pColorAttachmentFormats = formats,
        .depthAttachmentFormat = options->depth_format,
        .stencilAttachmentFormat = options->stencil_format,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = options->render_pass == VK_NULL_HANDLE ? &rendering : NULL,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pDepthStencilState = &depth,
        .pColorBlendState = &blend,
        .pDynamicState = &dynamic,
        .layout = r->layout,
        .renderPass = options->render_pass,
        .subpass = options->subpass,
    };
    return r->vk.CreateGraphicsPipelines(r->device, VK_NULL_HANDLE, 1, &info, r->callbacks,
                                         &r->pipeline);
}

VkResult fgi_hud_vulkan_pipeline_init(struct fg_hud_vulkan *r,
                                      const struct fg_hud_vulkan_options *options)
{
    const VkBool32 linear = is_linear(options);
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
        result = make_module(r, hud_quad_vert, sizeof hud_quad_vert, &stages[0].module);
    }
    if (result == VK_SUCCESS) {
        result = make_module(r, hud_quad_frag, sizeof hud_quad_frag, &stages[1].module);
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
