/* SPDX-License-Identifier: MIT */
/* What draws: rectangles without any vertices, which find all they need by an address. */
#include "render/render_target.h"

#include <shaders/render_bins.frag.h>  /* made by the build */
#include <shaders/render_bins.vert.h>  /* made by the build */
#include <shaders/render_spans.frag.h> /* made by the build */
#include <shaders/render_spans.vert.h> /* made by the build */

struct code {
    const uint32_t *words;
    size_t size_bytes;
};
enum { STAGES = 2 };
#define CODE(name)                                                                                 \
    {                                                                                              \
        (name), sizeof(name)                                                                       \
    }
static const struct code codes[FGI_RENDER_PIPELINES][STAGES] = {
    [FGI_RENDER_BINS] = { CODE(fgi_render_bins_vert), CODE(fgi_render_bins_frag) },
    [FGI_RENDER_SPANS] = { CODE(fgi_render_spans_vert), CODE(fgi_render_spans_frag) },
};

static const VkPipelineVertexInputStateCreateInfo no_input = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
};
static const VkPipelineInputAssemblyStateCreateInfo triangles = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
};
static const VkPipelineViewportStateCreateInfo viewport = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
    .viewportCount = 1,
    .scissorCount = 1,
};
static const VkPipelineRasterizationStateCreateInfo raster = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
    .lineWidth = 1,
};
static const VkPipelineMultisampleStateCreateInfo samples = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
    .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
};
/* The nearer one hides the other; of equals the later one. */
static const VkPipelineDepthStencilStateCreateInfo depth = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
    .depthTestEnable = VK_TRUE,
    .depthWriteEnable = VK_TRUE,
    .depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL,
};
static const VkPipelineColorBlendAttachmentState opaque = { .colorWriteMask = 0xf };
static const VkPipelineColorBlendStateCreateInfo blend = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
    .attachmentCount = 1,
    .pAttachments = &opaque,
};
static const VkDynamicState dynamics[] = { VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR };
static const VkPipelineDynamicStateCreateInfo dynamic = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
    .dynamicStateCount = 2,
    .pDynamicStates = dynamics,
};

static VkResult create_layout(struct fgi_render_target *t)
{
    const VkPushConstantRange range = { VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
                                        0, sizeof(VkDeviceAddress) };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return t->vk.vkCreatePipelineLayout(t->device, &info, NULL, &t->layout);
}

static VkResult create_modules(struct fgi_render_target *t, const struct code *code,
                               VkShaderModule *modules)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < STAGES && result == VK_SUCCESS; i++) {
        const VkShaderModuleCreateInfo info = { .sType =
                                                    VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                .codeSize = code[i].size_bytes,
                                                .pCode = code[i].words };
        result = t->vk.vkCreateShaderModule(t->device, &info, NULL, &modules[i]);
    }
    return result;
}

static VkResult create_pipeline(struct fgi_render_target *t, const VkShaderModule *modules,
                                VkPipeline *out_pipeline)
{
    const VkPipelineShaderStageCreateInfo stages[STAGES] = {
        { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = VK_SHADER_STAGE_VERTEX_BIT,
          .module = modules[0],
          .pName = "main" },
        { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
          .module = modules[1],
          .pName = "main" },
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = STAGES,
        .pStages = stages,
        .pVertexInputState = &no_input,
        .pInputAssemblyState = &triangles,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pDepthStencilState = &depth,
        .pColorBlendState = &blend,
        .pDynamicState = &dynamic,
        .layout = t->layout,
        .renderPass = t->pass,
    };
    return t->vk.vkCreateGraphicsPipelines(t->device, VK_NULL_HANDLE, 1, &info, NULL, out_pipeline);
}

enum fg_result fgi_render_pipelines(struct fgi_render_target *t)
{
    VkResult result = create_layout(t);
    for (uint32_t i = 0; i < FGI_RENDER_PIPELINES && result == VK_SUCCESS; i++) {
        VkShaderModule modules[STAGES] = { VK_NULL_HANDLE };
        result = create_modules(t, codes[i], modules);
        result = result == VK_SUCCESS ? create_pipeline(t, modules, &t->pipelines[i]) : result;
        for (uint32_t m = 0; m < STAGES; m++) {
            t->vk.vkDestroyShaderModule(t->device, modules[m], NULL);
        }
    }
    return fgi_render_result(result);
}
