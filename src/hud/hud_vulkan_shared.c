/* SPDX-License-Identifier: MIT */
#include "hud/hud_vulkan_shared.h"

#include <string.h>

#define ATTACHMENTS_MAX 8

bool fgi_hud_vulkan_load(const struct fg_hud_vulkan_options *options, void *functions,
                         const struct fgi_vulkan_entry *of_instance, size_t instance_count,
                         const struct fgi_vulkan_entry *of_device, size_t device_count)
{
    PFN_vkGetDeviceProcAddr getter = options->get_device_proc_addr;
    if (getter == NULL) {
        getter = (PFN_vkGetDeviceProcAddr)options->get_instance_proc_addr(options->instance,
                                                                          "vkGetDeviceProcAddr");
    }
    if (getter == NULL) {
        return false;
    }
    /* Members have types of their own; the getters' untyped pointers are copied into them. */
    for (size_t i = 0; i < instance_count + device_count; i++) {
        const struct fgi_vulkan_entry *entry =
            i < instance_count ? &of_instance[i] : &of_device[i - instance_count];
        const PFN_vkVoidFunction function =
            i < instance_count ? options->get_instance_proc_addr(options->instance, entry->name)
                               : getter(options->device, entry->name);
        if (function == NULL) {
            return false;
        }
        memcpy((char *)functions + entry->offset, &function, sizeof function);
    }
    return true;
}

bool fgi_vulkan_find_memory_type(const VkPhysicalDeviceMemoryProperties *memory, uint32_t bits,
                                 VkMemoryPropertyFlags wanted, uint32_t *out_type)
{
    for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
        if ((bits >> i & 1) != 0 && (memory->memoryTypes[i].propertyFlags & wanted) == wanted) {
            *out_type = i;
            return true;
        }
    }
    return false;
}

enum fg_result fgi_hud_vulkan_result(VkResult result)
{
    switch (result) {
    case VK_SUCCESS:
        return FG_OK;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_MEMORY_MAP_FAILED:
        return FG_ERR_NO_MEMORY;
    case VK_ERROR_DEVICE_LOST:
        return FG_ERR_DEVICE_LOST;
    default:
        return FG_ERR_UNSUPPORTED;
    }
}

bool fgi_hud_vulkan_options_are_legal(const struct fg_hud_vulkan_options *options)
{
    return options != NULL && options->instance != NULL && options->physical_device != NULL &&
           options->device != NULL && options->get_instance_proc_addr != NULL &&
           options->slot_count <= 64 && options->color_attachment_count <= 8 &&
           options->encoding <= FG_HUD_ENCODING_LINEAR;
}

bool fgi_hud_vulkan_is_linear(const struct fg_hud_vulkan_options *options)
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

VkResult fgi_hud_vulkan_make_pipeline(const struct fgi_hud_vulkan_maker *maker,
                                      const struct fg_hud_vulkan_options *options,
                                      const VkPipelineShaderStageCreateInfo stages[2],
                                      const VkPipelineVertexInputStateCreateInfo *input,
                                      VkPipelineLayout layout, VkPipeline *out_pipeline)
{
    const uint32_t count =
        options->color_attachment_count > 0 ? options->color_attachment_count : 1;
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
        .pVertexInputState = input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pDepthStencilState = &depth,
        .pColorBlendState = &blend,
        .pDynamicState = &dynamic,
        .layout = layout,
        .renderPass = options->render_pass,
        .subpass = options->subpass,
    };
    return maker->CreateGraphicsPipelines(maker->device, VK_NULL_HANDLE, 1, &info, maker->callbacks,
                                          out_pipeline);
}
