/* SPDX-License-Identifier: MIT */
#include "gpu_pipelines.h"

#include "formats.h"
#include "record.h"
#include "scene.h"

#include "shaders/ao.comp.h"
#include "shaders/ao_blur.comp.h"
#include "shaders/bloom_down.frag.h"
#include "shaders/bloom_up.frag.h"
#include "shaders/clusters.comp.h"
#include "shaders/composite.comp.h"
#include "shaders/cull_early.comp.h"
#include "shaders/cull_late.comp.h"
#include "shaders/cull_shadow.comp.h"
#include "shaders/debug_view.frag.h"
#include "shaders/depth.vert.h"
#include "shaders/exposure.comp.h"
#include "shaders/fog.comp.h"
#include "shaders/fullscreen.vert.h"
#include "shaders/gbuffer.frag.h"
#include "shaders/gbuffer.vert.h"
#include "shaders/histogram.comp.h"
#include "shaders/hiz.comp.h"
#include "shaders/lighting.comp.h"
#include "shaders/particles.comp.h"
#include "shaders/particles.frag.h"
#include "shaders/particles.vert.h"
#include "shaders/reflections.comp.h"
#include "shaders/resolve.frag.h"
#include "shaders/shadow.vert.h"
#include "shaders/sky.frag.h"
#include "shaders/temporal.comp.h"
#include "shaders/tonemap.frag.h"

#include <frameglass/overdraw_vulkan.h>
#include <string.h>

enum depth_mode { DEPTH_NONE, DEPTH_DRAW, DEPTH_EQUAL, DEPTH_TEST };
enum blend_mode { BLEND_NONE, BLEND_ADD };

struct code {
    const uint32_t *words;
    size_t size_bytes;
};
#define CODE(name)                                                                                 \
    {                                                                                              \
        name, sizeof(name)                                                                         \
    }

struct pipeline_desc {
    const char *label;
    const char *bindings;
    struct code vertex; /**< or the compute shader */
    struct code fragment;
    uint32_t workgroup[3];
    uint32_t push_bytes;
    VkFormat colors[2];
    enum depth_mode depth;
    enum blend_mode blend;
    bool meshes; /**< vertices come from the scene's meshes */
    bool biased; /**< shadow casters are pushed away from the sun */
};

static const struct pipeline_desc descs[RD_PIPELINE_COUNT] = {
    [RD_PIPELINE_CULL_EARLY] = { .label = "cull early",
                                 .bindings = "ubbb",
                                 .vertex = CODE(rd_cull_early_comp),
                                 .workgroup = { 64, 1, 1 } },
    [RD_PIPELINE_CULL_LATE] = { .label = "cull late",
                                .bindings = "ubbbs",
                                .vertex = CODE(rd_cull_late_comp),
                                .workgroup = { 64, 1, 1 } },
    [RD_PIPELINE_CULL_SHADOW] = { .label = "cull shadow casters",
                                  .bindings = "ubb",
                                  .vertex = CODE(rd_cull_shadow_comp),
                                  .workgroup = { 64, 1, 1 },
                                  .push_bytes = 4 },
    [RD_PIPELINE_SHADOW] = { .label = "shadow casters",
                             .bindings = "ubb",
                             .vertex = CODE(rd_shadow_vert),
                             .push_bytes = 8,
                             .depth = DEPTH_DRAW,
                             .meshes = true,
                             .biased = true },
    [RD_PIPELINE_DEPTH] = { .label = "depth only",
                            .bindings = "ubb",
                            .vertex = CODE(rd_depth_vert),
                            .push_bytes = 8,
                            .depth = DEPTH_DRAW,
                            .meshes = true },
    [RD_PIPELINE_HIZ] = { .label = "depth pyramid level",
                          .bindings = "si",
                          .vertex = CODE(rd_hiz_comp),
                          .workgroup = { 8, 8, 1 } },
    [RD_PIPELINE_GBUFFER] = { .label = "g-buffer",
                              .bindings = "ubbbs",
                              .vertex = CODE(rd_gbuffer_vert),
                              .fragment = CODE(rd_gbuffer_frag),
                              .push_bytes = 8,
                              .colors = { RD_FORMAT_ALBEDO, RD_FORMAT_SHAPE },
                              .depth = DEPTH_EQUAL,
                              .meshes = true },
    [RD_PIPELINE_AO] = { .label = "ambient occlusion",
                         .bindings = "ussi",
                         .vertex = CODE(rd_ao_comp),
                         .workgroup = { 8, 8, 1 } },
    [RD_PIPELINE_AO_BLUR] = { .label = "occlusion blur",
                              .bindings = "ussi",
                              .vertex = CODE(rd_ao_blur_comp),
                              .workgroup = { 8, 8, 1 },
                              .push_bytes = 8 },
    [RD_PIPELINE_CLUSTERS] = { .label = "light clusters",
                               .bindings = "ubb",
                               .vertex = CODE(rd_clusters_comp),
                               .workgroup = { 64, 1, 1 } },
    [RD_PIPELINE_LIGHTING] = { .label = "lighting",
                               .bindings = "usssssbbi",
                               .vertex = CODE(rd_lighting_comp),
                               .workgroup = { 8, 8, 1 } },
    [RD_PIPELINE_SKY] = { .label = "sky",
                          .bindings = "u",
                          .vertex = CODE(rd_fullscreen_vert),
                          .fragment = CODE(rd_sky_frag),
                          .colors = { RD_FORMAT_LIGHT },
                          .depth = DEPTH_EQUAL },
    [RD_PIPELINE_FOG] = { .label = "haze",
                          .bindings = "ussi",
                          .vertex = CODE(rd_fog_comp),
                          .workgroup = { 8, 8, 1 } },
    [RD_PIPELINE_REFLECTIONS] = { .label = "reflections",
                                  .bindings = "usssssi",
                                  .vertex = CODE(rd_reflections_comp),
                                  .workgroup = { 8, 8, 1 } },
    [RD_PIPELINE_COMPOSITE] = { .label = "composite",
                                .bindings = "ussssi",
                                .vertex = CODE(rd_composite_comp),
                                .workgroup = { 8, 8, 1 } },
    [RD_PIPELINE_PARTICLES_MOVE] = { .label = "fireflies move",
                                     .bindings = "ub",
                                     .vertex = CODE(rd_particles_comp),
                                     .workgroup = { 64, 1, 1 } },
    [RD_PIPELINE_PARTICLES_DRAW] = { .label = "fireflies",
                                     .bindings = "ub",
                                     .vertex = CODE(rd_particles_vert),
                                     .fragment = CODE(rd_particles_frag),
                                     .colors = { RD_FORMAT_LIGHT },
                                     .depth = DEPTH_TEST,
                                     .blend = BLEND_ADD },
    [RD_PIPELINE_TEMPORAL] = { .label = "temporal filter",
                               .bindings = "usssi",
                               .vertex = CODE(rd_temporal_comp),
                               .workgroup = { 8, 8, 1 },
                               .push_bytes = 4 },
    [RD_PIPELINE_HISTOGRAM] = { .label = "brightness histogram",
                                .bindings = "ubs",
                                .vertex = CODE(rd_histogram_comp),
                                .workgroup = { 16, 8, 1 } },
    [RD_PIPELINE_EXPOSURE] = { .label = "exposure",
                               .bindings = "ubb",
                               .vertex = CODE(rd_exposure_comp),
                               .workgroup = { 128, 1, 1 } },
    [RD_PIPELINE_BLOOM_DOWN] = { .label = "bloom down",
                                 .bindings = "s",
                                 .vertex = CODE(rd_fullscreen_vert),
                                 .fragment = CODE(rd_bloom_down_frag),
                                 .push_bytes = 4,
                                 .colors = { RD_FORMAT_LIGHT } },
    [RD_PIPELINE_BLOOM_UP] = { .label = "bloom up",
                               .bindings = "s",
                               .vertex = CODE(rd_fullscreen_vert),
                               .fragment = CODE(rd_bloom_up_frag),
                               .colors = { RD_FORMAT_LIGHT },
                               .blend = BLEND_ADD },
    [RD_PIPELINE_TONEMAP] = { .label = "tonemap",
                              .bindings = "ussb",
                              .vertex = CODE(rd_fullscreen_vert),
                              .fragment = CODE(rd_tonemap_frag),
                              .colors = { RD_FORMAT_PICTURE } },
    [RD_PIPELINE_RESOLVE] = { .label = "resolve",
                              .bindings = "s",
                              .vertex = CODE(rd_fullscreen_vert),
                              .fragment = CODE(rd_resolve_frag),
                              .colors = { RD_FORMAT_PICTURE } },
    [RD_PIPELINE_DEBUG_VIEW] = { .label = "debug view",
                                 .bindings = "uss",
                                 .vertex = CODE(rd_fullscreen_vert),
                                 .fragment = CODE(rd_debug_view_frag),
                                 .push_bytes = 4,
                                 .colors = { RD_FORMAT_PICTURE } },
    /* Fragment stages and targets are the heat maps'. */
    [RD_PIPELINE_HEAT_DEPTH] = { .label = "heat of depth",
                                 .bindings = "ubb",
                                 .vertex = CODE(rd_depth_vert),
                                 .push_bytes = 8,
                                 .depth = DEPTH_DRAW,
                                 .meshes = true },
    [RD_PIPELINE_HEAT_SURFACES] = { .label = "heat of surfaces",
                                    .bindings = "ubb",
                                    .vertex = CODE(rd_depth_vert),
                                    .push_bytes = 8,
                                    .depth = DEPTH_EQUAL,
                                    .meshes = true },
    [RD_PIPELINE_HEAT_SKY] = { .label = "heat of the sky",
                               .bindings = "",
                               .vertex = CODE(rd_fullscreen_vert),
                               .depth = DEPTH_EQUAL },
    [RD_PIPELINE_HEAT_FIREFLIES] = { .label = "heat of fireflies",
                                     .bindings = "ub",
                                     .vertex = CODE(rd_particles_vert),
                                     .depth = DEPTH_TEST },
    [RD_PIPELINE_HEAT_FULL] = { .label = "heat of all",
                                .bindings = "",
                                .vertex = CODE(rd_fullscreen_vert) },
};

static bool is_of_heat(int id)
{
    return id >= RD_PIPELINE_HEAT_DEPTH && id <= RD_PIPELINE_HEAT_FULL;
}

static VkDescriptorType descriptor_type(char letter)
{
    switch (letter) {
    case 'u':
        return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case 'b':
        return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    case 's':
        return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    default:
        return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    }
}

static bool create_layouts(struct rd_pipeline *pipeline, const struct rd_device *device)
{
    VkDescriptorSetLayoutBinding bindings[RD_MAX_BINDINGS];
    const uint32_t count = (uint32_t)strlen(pipeline->bindings);
    for (uint32_t i = 0; i < count; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = descriptor_type(pipeline->bindings[i]),
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_ALL,
        };
    }
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings,
    };
    if (!rd_check(
            device,
            vkCreateDescriptorSetLayout(device->device, &set_info, NULL, &pipeline->set_layout),
            "vkCreateDescriptorSetLayout")) {
        return false;
    }
    const VkPushConstantRange push = { pipeline->push_stages, 0, pipeline->push_bytes };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &pipeline->set_layout,
        .pushConstantRangeCount = pipeline->push_bytes > 0 ? 1 : 0,
        .pPushConstantRanges = &push,
    };
    return rd_check(device, vkCreatePipelineLayout(device->device, &info, NULL, &pipeline->layout),
                    "vkCreatePipelineLayout");
}

static bool create_module(const struct rd_device *device, const struct code *code,
                          VkShaderModule *out_module)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = code->size_bytes,
        .pCode = code->words,
    };
    return rd_check(device, vkCreateShaderModule(device->device, &info, NULL, out_module),
                    "vkCreateShaderModule");
}

static VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits bit, VkShaderModule module)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = bit,
        .module = module,
        .pName = "main",
    };
}

static bool create_compute(struct rd_pipeline *pipeline, const struct pipeline_desc *desc,
                           const struct rd_device *device, struct rd_recorder *recorder)
{
    VkShaderModule module = VK_NULL_HANDLE;
    if (!create_module(device, &desc->vertex, &module)) {
        return false;
    }
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, module),
        .layout = pipeline->layout,
    };
    const VkResult result = vkCreateComputePipelines(device->device, VK_NULL_HANDLE, 1, &info, NULL,
                                                     &pipeline->pipeline);
    pipeline->recorded =
        rd_record_pipeline(recorder, pipeline->label, &info.stage, desc->vertex.words,
                           desc->vertex.size_bytes / sizeof(uint32_t));
    vkDestroyShaderModule(device->device, module, NULL);
    return rd_check(device, result, "vkCreateComputePipelines");
}

static VkPipelineColorBlendAttachmentState blending(enum blend_mode mode)
{
    return (VkPipelineColorBlendAttachmentState){
        .blendEnable = mode != BLEND_NONE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                          VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT,
    };
}

static VkPipelineDepthStencilStateCreateInfo depth_state(enum depth_mode mode)
{
    return (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = mode != DEPTH_NONE,
        .depthWriteEnable = mode == DEPTH_DRAW,
        .depthCompareOp =
            mode == DEPTH_EQUAL ? VK_COMPARE_OP_EQUAL : VK_COMPARE_OP_GREATER_OR_EQUAL,
    };
}

static VkResult create_with_stages(struct rd_pipeline *pipeline, const struct pipeline_desc *desc,
                                   const struct rd_device *device,
                                   const VkPipelineShaderStageCreateInfo *stages,
                                   uint32_t stage_count, const struct fg_overdraw_vulkan *maps)
{
    static const VkVertexInputBindingDescription binding = { 0, sizeof(struct rd_vertex),
                                                             VK_VERTEX_INPUT_RATE_VERTEX };
    static const VkVertexInputAttributeDescription attributes[] = {
        { 0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0 },
        { 1, 0, VK_FORMAT_R32G32B32_SFLOAT, 12 },
        { 2, 0, VK_FORMAT_R32G32_SFLOAT, 24 },
    };
    static const VkDynamicState dynamic[] = { VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR };
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = desc->meshes ? 1 : 0,
        .pVertexBindingDescriptions = &binding,
        /* Only the G-buffer looks at more than positions. */
        .vertexAttributeDescriptionCount = desc->meshes ? (desc->fragment.words ? 3 : 1) : 0,
        .pVertexAttributeDescriptions = attributes,
    };
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .cullMode = desc->meshes && !desc->biased ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE,
        .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .depthBiasEnable = desc->biased,
        .depthBiasConstantFactor = -2.0f,
        .depthBiasSlopeFactor = -2.0f,
        .lineWidth = 1.0f,
    };
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkPipelineDepthStencilStateCreateInfo depth = depth_state(desc->depth);
    const uint32_t color_count =
        (uint32_t)(desc->colors[0] != 0) + (uint32_t)(desc->colors[1] != 0);
    const VkPipelineColorBlendAttachmentState blends[2] = { blending(desc->blend),
                                                            blending(desc->blend) };
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = color_count,
        .pAttachments = blends,
    };
    const VkPipelineDynamicStateCreateInfo dynamics = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = dynamic,
    };
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = color_count,
        .pColorAttachmentFormats = desc->colors,
        .depthAttachmentFormat = desc->depth != DEPTH_NONE ? RD_FORMAT_DEPTH : VK_FORMAT_UNDEFINED,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &rendering,
        .stageCount = stage_count,
        .pStages = stages,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &multisample,
        .pDepthStencilState = &depth,
        .pColorBlendState = &blend,
        .pDynamicState = &dynamics,
        .layout = pipeline->layout,
    };
    if (maps != NULL) {
        return fg_overdraw_vulkan_create_pipeline(maps, &info, NULL, &pipeline->pipeline) == FG_OK
                   ? VK_SUCCESS
                   : VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    return vkCreateGraphicsPipelines(device->device, VK_NULL_HANDLE, 1, &info, NULL,
                                     &pipeline->pipeline);
}

/** @param maps NULL: not of a heat map */
static bool create_graphics(struct rd_pipeline *pipeline, const struct pipeline_desc *desc,
                            const struct rd_device *device, const struct fg_overdraw_vulkan *maps)
{
    VkShaderModule vertex = VK_NULL_HANDLE;
    VkShaderModule fragment = VK_NULL_HANDLE;
    bool ok = create_module(device, &desc->vertex, &vertex);
    if (ok && desc->fragment.words != NULL) {
        ok = create_module(device, &desc->fragment, &fragment);
    }
    if (ok) {
        const VkPipelineShaderStageCreateInfo stages[2] = {
            stage(VK_SHADER_STAGE_VERTEX_BIT, vertex),
            stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment),
        };
        const VkResult result = create_with_stages(pipeline, desc, device, stages,
                                                   fragment != VK_NULL_HANDLE ? 2 : 1, maps);
        ok = rd_check(device, result, "vkCreateGraphicsPipelines");
    }
    vkDestroyShaderModule(device->device, vertex, NULL);
    vkDestroyShaderModule(device->device, fragment, NULL);
    return ok;
}

bool rd_pipelines_init(struct rd_pipelines *pipelines, const struct rd_device *device,
                       struct rd_recorder *recorder, const struct fg_overdraw_vulkan *maps)
{
    *pipelines = (struct rd_pipelines){ 0 };
    for (int i = 0; i < RD_PIPELINE_COUNT; i++) {
        const struct pipeline_desc *desc = &descs[i];
        struct rd_pipeline *pipeline = &pipelines->all[i];
        const bool compute = desc->workgroup[0] > 0;
        if (is_of_heat(i) && maps == NULL) {
            continue;
        }
        *pipeline = (struct rd_pipeline){
            .label = desc->label,
            .bindings = desc->bindings,
            .push_bytes = desc->push_bytes,
            /* No wider than needed: some drivers stumble over stages that nothing is bound to. */
            .push_stages = compute ? VK_SHADER_STAGE_COMPUTE_BIT
                                   : VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
            .workgroup = { desc->workgroup[0], desc->workgroup[1], desc->workgroup[2] },
            .bind_point =
                compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS,
        };
        if (!create_layouts(pipeline, device) ||
            !(compute ? create_compute(pipeline, desc, device, recorder)
                      : create_graphics(pipeline, desc, device, is_of_heat(i) ? maps : NULL))) {
            return false;
        }
        if (!compute) {
            pipeline->recorded = rd_record_pipeline(recorder, desc->label, NULL, NULL, 0);
        }
    }
    return true;
}

void rd_pipelines_finish(struct rd_pipelines *pipelines, const struct rd_device *device)
{
    if (device->device == VK_NULL_HANDLE) {
        return;
    }
    for (int i = 0; i < RD_PIPELINE_COUNT; i++) {
        vkDestroyPipeline(device->device, pipelines->all[i].pipeline, NULL);
        vkDestroyPipelineLayout(device->device, pipelines->all[i].layout, NULL);
        vkDestroyDescriptorSetLayout(device->device, pipelines->all[i].set_layout, NULL);
    }
    *pipelines = (struct rd_pipelines){ 0 };
}
