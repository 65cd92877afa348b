/* SPDX-License-Identifier: MIT */
#include "overdraw_rectangles.h"
#include "cmocka_all.h"

#include "chequer_frag.h"
#include "rectangle_vert.h"

#define DEPTH_FORMAT VK_FORMAT_D32_SFLOAT

struct push {
    float corners_px[4];
    float target_px[2];
    float depth;
};

static void must(VkResult result)
{
    assert_int_equal(result, VK_SUCCESS);
}

static VkShaderModule make_module(const struct rectangles *r, const uint32_t *words,
                                  size_t size_bytes)
{
    VkShaderModule module;
    const VkShaderModuleCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                            .codeSize = size_bytes,
                                            .pCode = words };
    must(vkCreateShaderModule(r->bed->device, &info, NULL, &module));
    return module;
}

static void make_depth(struct rectangles *r)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = DEPTH_FORMAT,
        .extent = { RECTANGLES_DEPTH_PX, RECTANGLES_DEPTH_PX, 1 },
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
    };
    VkMemoryRequirements needs;
    must(vkCreateImage(r->bed->device, &info, NULL, &r->depth));
    vkGetImageMemoryRequirements(r->bed->device, r->depth, &needs);
    r->depth_memory = bed_allocate(r->bed, &needs, 0);
    must(vkBindImageMemory(r->bed->device, r->depth, r->depth_memory, 0));
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = r->depth,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = DEPTH_FORMAT,
        .subresourceRange = { VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1 },
    };
    must(vkCreateImageView(r->bed->device, &view, NULL, &r->depth_view));
}

void rectangles_init(struct rectangles *r, struct bed *bed)
{
    const VkPushConstantRange range = { VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push) };
    const VkPipelineLayoutCreateInfo info = { .sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .pushConstantRangeCount = 1,
                                              .pPushConstantRanges = &range };
    *r = (struct rectangles){ .bed = bed };
    must(vkCreatePipelineLayout(bed->device, &info, NULL, &r->layout));
    r->vertex = make_module(r, rectangle_vert, sizeof rectangle_vert);
    r->chequer = make_module(r, chequer_frag, sizeof chequer_frag);
    make_depth(r);
}

void rectangles_finish(struct rectangles *r)
{
    vkDestroyImageView(r->bed->device, r->depth_view, NULL);
    vkDestroyImage(r->bed->device, r->depth, NULL);
    vkFreeMemory(r->bed->device, r->depth_memory, NULL);
    vkDestroyShaderModule(r->bed->device, r->vertex, NULL);
    vkDestroyShaderModule(r->bed->device, r->chequer, NULL);
    vkDestroyPipelineLayout(r->bed->device, r->layout, NULL);
}

/* ---- pipelines ------------------------------------------------------------------------------- */

/** What the application's pipeline is made of; it points into itself. */
struct description {
    VkPipelineShaderStageCreateInfo stages[2];
    VkPipelineVertexInputStateCreateInfo input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineRasterizationStateCreateInfo raster;
    VkPipelineMultisampleStateCreateInfo samples;
    VkPipelineDepthStencilStateCreateInfo depth;
    VkPipelineColorBlendAttachmentState attachments[2];
    VkPipelineColorBlendStateCreateInfo blend;
    VkDynamicState states[3];
    VkPipelineDynamicStateCreateInfo dynamic;
    VkGraphicsPipelineCreateInfo info;
};

static VkPipelineShaderStageCreateInfo make_stage(VkShaderStageFlagBits stage,
                                                  VkShaderModule module)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .module = module,
        .pName = "main",
    };
}

/* Four samples, two targets that are not blended into: a twin has none of it. */
static void describe(const struct rectangles *r, VkCompareOp compare, struct description *d)
{
    *d = (struct description){
        .stages = { make_stage(VK_SHADER_STAGE_VERTEX_BIT, r->vertex),
                    make_stage(VK_SHADER_STAGE_FRAGMENT_BIT, r->chequer) },
        .input = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO },
        .assembly = { .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP },
        .viewport = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                      .viewportCount = 1,
                      .scissorCount = 1 },
        .raster = { .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                    .lineWidth = 1.0f },
        .samples = { .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                     .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT },
        .depth = { .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                   .depthTestEnable = VK_TRUE,
                   .depthWriteEnable = VK_TRUE,
                   .depthCompareOp = compare },
        .attachments = { { .colorWriteMask = 15 } },
        .blend = { .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                   .attachmentCount = 2,
                   .pAttachments = d->attachments },
        .states = { VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR },
        .dynamic = { .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                     .dynamicStateCount = 2,
                     .pDynamicStates = d->states },
        .info = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                  .stageCount = 2,
                  .pStages = d->stages,
                  .pVertexInputState = &d->input,
                  .pInputAssemblyState = &d->assembly,
                  .pViewportState = &d->viewport,
                  .pRasterizationState = &d->raster,
                  .pMultisampleState = &d->samples,
                  .pDepthStencilState = &d->depth,
                  .pColorBlendState = &d->blend,
                  .pDynamicState = &d->dynamic,
                  .layout = r->layout },
    };
}

VkPipeline rectangles_twin(const struct rectangles *r, struct fg_overdraw_vulkan *overdraw,
                           VkCompareOp compare, bool is_chequered)
{
    struct description own;
    VkPipeline twin = VK_NULL_HANDLE;
    describe(r, compare, &own);
    assert_int_equal(fg_overdraw_vulkan_create_pipeline(
                         overdraw, &own.info, is_chequered ? &own.stages[1] : NULL, &twin),
                     FG_OK);
    return twin;
}

VkPipeline rectangles_own_twin(const struct rectangles *r, struct fg_overdraw_vulkan *overdraw,
                               VkCompareOp compare, bool has_depth)
{
    struct description twin;
    VkPipeline made = VK_NULL_HANDLE;
    size_t size_bytes;
    const uint32_t *words = fg_overdraw_vulkan_fragment(&size_bytes);
    const VkFormat format = fg_overdraw_vulkan_map_format(overdraw);
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .depthAttachmentFormat = has_depth ? DEPTH_FORMAT : VK_FORMAT_UNDEFINED,
    };
    describe(r, compare, &twin);
    twin.stages[1].module = make_module(r, words, size_bytes);
    twin.samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    twin.depth.depthTestEnable = twin.depth.depthWriteEnable = has_depth;
    twin.attachments[0] = (VkPipelineColorBlendAttachmentState){
        .blendEnable = VK_TRUE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .colorWriteMask = VK_COLOR_COMPONENT_R_BIT,
    };
    twin.blend.attachmentCount = 1;
    twin.states[twin.dynamic.dynamicStateCount++] = VK_DYNAMIC_STATE_BLEND_CONSTANTS;
    twin.info.renderPass = fg_overdraw_vulkan_render_pass(overdraw);
    twin.info.pNext = twin.info.renderPass == VK_NULL_HANDLE ? &rendering : NULL;
    must(vkCreateGraphicsPipelines(r->bed->device, VK_NULL_HANDLE, 1, &twin.info, NULL, &made));
    vkDestroyShaderModule(r->bed->device, twin.stages[1].module, NULL);
    return made;
}

void rectangles_depth_barrier(const struct rectangles *r, VkCommandBuffer commands,
                              VkImageLayout from, VkImageLayout to)
{
    const VkPipelineStageFlags tests =
        VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .image = r->depth,
        .subresourceRange = { VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1 },
    };
    vkCmdPipelineBarrier(commands, tests, tests, 0, 0, NULL, 0, NULL, 1, &barrier);
}

void rectangles_draw(const struct rectangles *r, struct fg_overdraw_vulkan *overdraw,
                     VkCommandBuffer commands, uint32_t slot, VkPipeline twin,
                     const struct rectangle *scene, size_t count, uint32_t width_px,
                     uint32_t height_px)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, twin);
    for (size_t i = 0; i < count; i++) {
        const struct rectangle *one = &scene[i];
        const struct push push = {
            { (float)one->left, (float)one->top, (float)one->right, (float)one->bottom },
            { (float)width_px, (float)height_px },
            one->depth,
        };
        fg_overdraw_vulkan_item(overdraw, commands, slot, one->id);
        vkCmdPushConstants(commands, r->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, &push);
        vkCmdDraw(commands, 4, 1, 0, 0);
    }
}

static bool passes(const struct rectangles_truth *t, size_t pixel, float depth)
{
    if (t->depth == NULL) {
        return true;
    }
    if (t->compare == VK_COMPARE_OP_LESS) {
        const bool ok = depth < t->depth[pixel];
        t->depth[pixel] = ok ? depth : t->depth[pixel];
        return ok;
    }
    return depth == t->depth[pixel];
}

void rectangles_truth(const struct rectangles_truth *t, float *values, uint64_t *fragments)
{
    for (size_t i = 0; i < (size_t)t->width_px * t->height_px; i++) {
        values[i] = 0.0f;
    }
    for (size_t i = 0; i < t->count; i++) {
        const struct rectangle *one = &t->scene[i];
        const float weight = t->costs != NULL ? fg_overdraw_costs_weight(t->costs, one->id) : 1.0f;
        uint64_t count = 0;
        for (int y = one->top < 0 ? 0 : one->top; y < one->bottom && y < (int)t->height_px; y++) {
            for (int x = one->left < 0 ? 0 : one->left; x < one->right && x < (int)t->width_px;
                 x++) {
                const size_t pixel = (size_t)y * t->width_px + (size_t)x;
                if ((t->is_chequered && ((x + y) & 1) != 0) || !passes(t, pixel, one->depth)) {
                    continue;
                }
                values[pixel] += weight;
                count++;
            }
        }
        if (fragments != NULL) {
            fragments[i] = count;
        }
    }
}
