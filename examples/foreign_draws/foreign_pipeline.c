/* SPDX-License-Identifier: MIT */
#include "foreign_pipeline.h"

#include "shaders/spans.frag.h" /* made by the build */
#include "shaders/spans.vert.h" /* made by the build */

static bool create_layout(struct foreign_device *d, VkShaderStageFlags stages, uint32_t push_bytes,
                          VkPipelineLayout *out_layout)
{
    const VkPushConstantRange range = { stages, 0, push_bytes };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return foreign_done(vkCreatePipelineLayout(d->device, &info, NULL, out_layout),
                        "vkCreatePipelineLayout");
}

static bool create_module(struct foreign_device *d, const uint32_t *words, size_t size_bytes,
                          VkShaderModule *out_module)
{
    const VkShaderModuleCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                            .codeSize = size_bytes,
                                            .pCode = words };
    return foreign_done(vkCreateShaderModule(d->device, &info, NULL, out_module),
                        "vkCreateShaderModule");
}

bool foreign_pipeline_compute(struct foreign_device *d, const uint32_t *words, size_t size_bytes,
                              uint32_t push_bytes, struct foreign_pipeline *out_pipeline)
{
    VkShaderModule module = VK_NULL_HANDLE;
    if (!create_layout(d, VK_SHADER_STAGE_COMPUTE_BIT, push_bytes, &out_pipeline->layout) ||
        !create_module(d, words, size_bytes, &module)) {
        return false;
    }
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = module,
                   .pName = "main" },
        .layout = out_pipeline->layout,
    };
    const bool done = foreign_done(
        vkCreateComputePipelines(d->device, NULL, 1, &info, NULL, &out_pipeline->pipeline),
        "vkCreateComputePipelines");
    vkDestroyShaderModule(d->device, module, NULL);
    return done;
}

/* The rows that a view gives are the attribute of each instance. */
static const VkVertexInputBindingDescription row_binding = { 0, sizeof(uint32_t),
                                                             VK_VERTEX_INPUT_RATE_INSTANCE };
static const VkVertexInputAttributeDescription row_attribute = { 0, 0, VK_FORMAT_R32_UINT, 0 };
static const VkPipelineVertexInputStateCreateInfo vertex_input = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
    .vertexBindingDescriptionCount = 1,
    .pVertexBindingDescriptions = &row_binding,
    .vertexAttributeDescriptionCount = 1,
    .pVertexAttributeDescriptions = &row_attribute,
};
static const VkPipelineInputAssemblyStateCreateInfo assembly = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
};
static const VkPipelineViewportStateCreateInfo viewports = {
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
static const VkPipelineColorBlendAttachmentState opaque = { .colorWriteMask = 0xf };
static const VkPipelineColorBlendStateCreateInfo blend = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
    .attachmentCount = 1,
    .pAttachments = &opaque,
};
static const VkDynamicState dynamic_states[] = { VK_DYNAMIC_STATE_VIEWPORT,
                                                 VK_DYNAMIC_STATE_SCISSOR };
static const VkPipelineDynamicStateCreateInfo dynamic = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
    .dynamicStateCount = 2,
    .pDynamicStates = dynamic_states,
};

static bool create_spans(struct foreign_device *d, VkRenderPass pass, const VkShaderModule *modules,
                         struct foreign_pipeline *out_pipeline)
{
    const VkPipelineShaderStageCreateInfo stages[] = {
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
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState = &vertex_input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewports,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pColorBlendState = &blend,
        .pDynamicState = &dynamic,
        .layout = out_pipeline->layout,
        .renderPass = pass,
    };
    return foreign_done(
        vkCreateGraphicsPipelines(d->device, NULL, 1, &info, NULL, &out_pipeline->pipeline),
        "vkCreateGraphicsPipelines");
}

bool foreign_pipeline_spans(struct foreign_device *d, VkRenderPass pass, uint32_t push_bytes,
                            struct foreign_pipeline *out_pipeline)
{
    VkShaderModule modules[2] = { VK_NULL_HANDLE };
    const bool done =
        create_layout(d, VK_SHADER_STAGE_VERTEX_BIT, push_bytes, &out_pipeline->layout) &&
        create_module(d, foreign_spans_vert, sizeof foreign_spans_vert, &modules[0]) &&
        create_module(d, foreign_spans_frag, sizeof foreign_spans_frag, &modules[1]) &&
        create_spans(d, pass, modules, out_pipeline);
    vkDestroyShaderModule(d->device, modules[0], NULL);
    vkDestroyShaderModule(d->device, modules[1], NULL);
    return done;
}

void foreign_pipeline_destroy(struct foreign_device *d, struct foreign_pipeline *pipeline)
{
    vkDestroyPipeline(d->device, pipeline->pipeline, NULL);
    vkDestroyPipelineLayout(d->device, pipeline->layout, NULL);
}
