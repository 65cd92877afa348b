/* SPDX-License-Identifier: MIT */
/* What draws that count are made of: the render pass, the fragment stage, twins of pipelines. */
#include "hud/overdraw_vulkan_priv.h"

#include <overdraw_count.frag.h> /* made by the build from shaders/ */

#define STAGES_MAX  8
#define DYNAMIC_MAX 64

bool fgi_overdraw_has_depth(VkFormat format)
{
    return format != VK_FORMAT_UNDEFINED && format != VK_FORMAT_S8_UINT;
}

bool fgi_overdraw_has_stencil(VkFormat format)
{
    return format == VK_FORMAT_S8_UINT || format == VK_FORMAT_D16_UNORM_S8_UINT ||
           format == VK_FORMAT_D24_UNORM_S8_UINT || format == VK_FORMAT_D32_SFLOAT_S8_UINT;
}

bool fgi_overdraw_is_read_only(const struct fg_overdraw_vulkan *o)
{
    return o->depth_layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL ||
           o->depth_layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL ||
           o->depth_layout == VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL ||
           o->depth_layout == VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;
}

VkResult fgi_overdraw_make_render_pass(struct fg_overdraw_vulkan *o)
{
    const bool has_depth = o->depth != FG_OVERDRAW_DEPTH_NONE;
    const VkAttachmentLoadOp load = o->depth == FG_OVERDRAW_DEPTH_CLEAR
                                        ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                        : VK_ATTACHMENT_LOAD_OP_LOAD;
    const VkAttachmentDescription attachments[2] = {
        { .format = o->vk_format,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
          .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
          .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
          .initialLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
          .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL },
        { .format = o->depth_format,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .loadOp = load,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
          .stencilLoadOp = load,
          .stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
          .initialLayout = o->depth_layout,
          .finalLayout = o->depth_layout },
    };
    const VkAttachmentReference color = { 0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
    const VkAttachmentReference depth = { 1, o->depth_layout };
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pDepthStencilAttachment = has_depth ? &depth : NULL,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = has_depth ? 2 : 1,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
    };
    return o->vk.CreateRenderPass(o->device, &info, o->callbacks, &o->render_pass);
}

VkResult fgi_overdraw_make_module(struct fg_overdraw_vulkan *o, const uint32_t *words,
                                  size_t size_bytes, VkShaderModule *out_module)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = size_bytes,
        .pCode = words,
    };
    return o->vk.CreateShaderModule(o->device, &info, o->callbacks, out_module);
}

const uint32_t *fg_overdraw_vulkan_fragment(size_t *out_size_bytes)
{
    if (out_size_bytes != NULL) {
        *out_size_bytes = sizeof fgi_overdraw_count_frag;
    }
    return fgi_overdraw_count_frag;
}

/** The application's stages but for the last one. @return how many; 0 = too many */
static uint32_t choose_stages(const struct fg_overdraw_vulkan *o,
                              const VkGraphicsPipelineCreateInfo *own,
                              const VkPipelineShaderStageCreateInfo *fragment,
                              VkPipelineShaderStageCreateInfo stages[STAGES_MAX + 1])
{
    uint32_t count = 0;
    if (own->stageCount > STAGES_MAX) {
        return 0;
    }
    for (uint32_t i = 0; i < own->stageCount; i++) {
        if (own->pStages[i].stage != VK_SHADER_STAGE_FRAGMENT_BIT) {
            stages[count++] = own->pStages[i];
        }
    }
    if (count == 0) {
        return 0;
    }
    stages[count++] = fragment != NULL
                          ? *fragment
                          : (VkPipelineShaderStageCreateInfo){
                                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                .module = o->fragment,
                                .pName = "main",
                            };
    return count;
}

/** The application's, without those of what a twin has of its own. @return false: too many */
static bool choose_dynamic(const VkPipelineDynamicStateCreateInfo *own,
                           VkDynamicState states[DYNAMIC_MAX + 1], uint32_t *out_count)
{
    uint32_t count = 0;
    const uint32_t own_count = own != NULL ? own->dynamicStateCount : 0;
    if (own_count > DYNAMIC_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < own_count; i++) {
        if (own->pDynamicStates[i] != VK_DYNAMIC_STATE_BLEND_CONSTANTS) {
            states[count++] = own->pDynamicStates[i];
        }
    }
    states[count++] = VK_DYNAMIC_STATE_BLEND_CONSTANTS;
    *out_count = count;
    return true;
}

/** The application's tests; nothing is written that must not be. */
static VkPipelineDepthStencilStateCreateInfo choose_depth(
    const struct fg_overdraw_vulkan *o, const VkPipelineDepthStencilStateCreateInfo *own)
{
    VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
    };
    if (o->depth == FG_OVERDRAW_DEPTH_NONE || own == NULL) {
        return depth;
    }
    depth = *own;
    depth.pNext = NULL;
    if (fgi_overdraw_is_read_only(o)) {
        depth.depthWriteEnable = VK_FALSE;
        depth.front.writeMask = 0;
        depth.back.writeMask = 0;
    }
    return depth;
}

static VkResult make_twin(const struct fg_overdraw_vulkan *o,
                          const VkGraphicsPipelineCreateInfo *own,
                          const VkPipelineShaderStageCreateInfo *stages, uint32_t stage_count,
                          const VkPipelineDynamicStateCreateInfo *dynamic, VkPipeline *out_pipeline)
{
    /* constant colour * 1 + what is there */
    const VkPipelineColorBlendAttachmentState attachment = {
        .blendEnable = VK_TRUE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .colorBlendOp = VK_BLEND_OP_ADD,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_CONSTANT_ALPHA,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .alphaBlendOp = VK_BLEND_OP_ADD,
        .colorWriteMask = VK_COLOR_COMPONENT_R_BIT,
    };
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
    };
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkPipelineDepthStencilStateCreateInfo depth = choose_depth(o, own->pDepthStencilState);
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &o->vk_format,
        .depthAttachmentFormat =
            fgi_overdraw_has_depth(o->depth_format) ? o->depth_format : VK_FORMAT_UNDEFINED,
        .stencilAttachmentFormat =
            fgi_overdraw_has_stencil(o->depth_format) ? o->depth_format : VK_FORMAT_UNDEFINED,
    };
    VkGraphicsPipelineCreateInfo info = *own;
    info.pNext = o->render_pass == VK_NULL_HANDLE ? &rendering : NULL;
    info.flags = 0;
    info.stageCount = stage_count;
    info.pStages = stages;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = dynamic;
    info.renderPass = o->render_pass;
    info.subpass = 0;
    info.basePipelineHandle = VK_NULL_HANDLE;
    info.basePipelineIndex = -1;
    return o->vk.CreateGraphicsPipelines(o->device, VK_NULL_HANDLE, 1, &info, o->callbacks,
                                         out_pipeline);
}

enum fg_result fg_overdraw_vulkan_create_pipeline(const struct fg_overdraw_vulkan *o,
                                                  const VkGraphicsPipelineCreateInfo *own,
                                                  const VkPipelineShaderStageCreateInfo *fragment,
                                                  VkPipeline *out_pipeline)
{
    VkPipelineShaderStageCreateInfo stages[STAGES_MAX + 1];
    VkDynamicState states[DYNAMIC_MAX + 1];
    VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .pDynamicStates = states,
    };
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (o == NULL || own == NULL || out_pipeline == NULL) {
        return FG_ERR_ARGUMENT;
    }
    const uint32_t stage_count = choose_stages(o, own, fragment, stages);
    if (stage_count == 0 ||
        !choose_dynamic(own->pDynamicState, states, &dynamic.dynamicStateCount)) {
        return FG_ERR_ARGUMENT;
    }
    const enum fg_result result =
        fgi_hud_vulkan_result(make_twin(o, own, stages, stage_count, &dynamic, &pipeline));
    if (result == FG_OK) {
        *out_pipeline = pipeline;
    }
    return result;
}
