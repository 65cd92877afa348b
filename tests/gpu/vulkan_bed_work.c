/* SPDX-License-Identifier: MIT */
/* Recording and submitting the work. */
#include "vulkan_bed.h"
#include "base/clock.h"
#include <stdio.h>
#include <stdlib.h>

static void must(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
        abort();
    }
}

int64_t bed_clock_ns(void)
{
    return fgi_clock_monotonic_ns();
}

VkCommandBuffer bed_commands(struct bed *bed, VkCommandBufferLevel level)
{
    VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = bed->pool,
        .level = level,
        .commandBufferCount = 1,
    };
    VkCommandBuffer commands;
    must(vkAllocateCommandBuffers(bed->device, &info, &commands), "vkAllocateCommandBuffers");
    return commands;
}

void bed_begin(VkCommandBuffer commands, VkCommandBufferUsageFlags usage)
{
    VkCommandBufferBeginInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = usage };
    must(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

void bed_begin_secondary(struct bed *bed, VkCommandBuffer commands, VkCommandBufferUsageFlags usage,
                         bool inside)
{
    (void)bed;
    static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = inside ? &rendering : NULL,
    };
    VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = usage | (inside ? VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT : 0),
        .pInheritanceInfo = &inheritance,
    };
    must(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

void bed_end(VkCommandBuffer commands)
{
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

void bed_submit(struct bed *bed, const VkCommandBuffer *commands, uint32_t count, VkFence fence)
{
    VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .commandBufferCount = count,
                          .pCommandBuffers = commands };
    must(vkQueueSubmit(bed->queue, 1, &info, fence), "vkQueueSubmit");
}

void bed_wait_idle(struct bed *bed)
{
    must(vkDeviceWaitIdle(bed->device), "vkDeviceWaitIdle");
}

VkFence bed_fence(struct bed *bed)
{
    VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
    VkFence fence;
    must(vkCreateFence(bed->device, &info, NULL, &fence), "vkCreateFence");
    return fence;
}

void bed_fence_wait(struct bed *bed, VkFence fence)
{
    must(vkWaitForFences(bed->device, 1, &fence, VK_TRUE, UINT64_C(60000000000)),
         "vkWaitForFences");
    must(vkResetFences(bed->device, 1, &fence), "vkResetFences");
}

void bed_prepare_targets(struct bed *bed, VkCommandBuffer commands)
{
    VkImageMemoryBarrier barriers[BED_TARGETS];
    for (unsigned i = 0; i < BED_TARGETS; i++) {
        barriers[i] = (VkImageMemoryBarrier){
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
            .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .image = bed->images[i],
            .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
        };
    }
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, NULL, 0, NULL,
                         BED_TARGETS, barriers);
}

void bed_barrier(struct bed *bed, VkCommandBuffer commands)
{
    (void)bed;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                         VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_SHADER_READ_BIT,
    };
    const VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    vkCmdPipelineBarrier(commands, stages, stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void bed_rendering_begin(struct bed *bed, VkCommandBuffer commands, unsigned target,
                         VkRenderingFlags flags)
{
    VkRenderingAttachmentInfo attachment = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = bed->views[target],
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = flags,
        .renderArea = { { 0, 0 }, { BED_WIDTH, BED_HEIGHT } },
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &attachment,
    };
    vkCmdBeginRendering(commands, &info);
}

void bed_rendering_end(VkCommandBuffer commands)
{
    vkCmdEndRendering(commands);
}

static void bind_draw(struct bed *bed, VkCommandBuffer commands, uint32_t loops)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, bed->draw);
    vkCmdPushConstants(commands, bed->draw_layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof loops,
                       &loops);
}

static void bind_dispatch(struct bed *bed, VkCommandBuffer commands, uint32_t loops)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, bed->dispatch);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, bed->dispatch_layout, 0, 1,
                            &bed->set, 0, NULL);
    vkCmdPushConstants(commands, bed->dispatch_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof loops,
                       &loops);
}

void bed_draw(struct bed *bed, VkCommandBuffer commands, uint32_t loops)
{
    bind_draw(bed, commands, loops);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

void bed_draw_indirect(struct bed *bed, VkCommandBuffer commands, uint32_t loops)
{
    bind_draw(bed, commands, loops);
    vkCmdDrawIndirect(commands, bed->arguments, 12, 1, sizeof(VkDrawIndirectCommand));
}

void bed_dispatch(struct bed *bed, VkCommandBuffer commands, uint32_t loops, uint32_t groups)
{
    bind_dispatch(bed, commands, loops);
    vkCmdDispatch(commands, groups, 1, 1);
}

void bed_dispatch_indirect(struct bed *bed, VkCommandBuffer commands, uint32_t loops)
{
    bind_dispatch(bed, commands, loops);
    vkCmdDispatchIndirect(commands, bed->arguments, 0);
}

/** Host time from submit to done, the best of three. */
static int64_t pass_duration_ns(struct bed *bed, VkCommandBuffer commands, VkFence fence,
                                uint32_t loops)
{
    int64_t best_ns = INT64_MAX;
    for (int i = 0; i < 3; i++) {
        bed_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        bed_barrier(bed, commands);
        bed_rendering_begin(bed, commands, 0, 0);
        bed_draw(bed, commands, loops);
        bed_rendering_end(commands);
        bed_end(commands);
        int64_t begin_ns = bed_clock_ns();
        bed_submit(bed, &commands, 1, fence);
        bed_fence_wait(bed, fence);
        int64_t taken_ns = bed_clock_ns() - begin_ns;
        best_ns = taken_ns < best_ns ? taken_ns : best_ns;
    }
    return best_ns;
}

uint32_t bed_loops_for(struct bed *bed, int64_t target_ns)
{
    VkCommandBuffer commands = bed_commands(bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkFence fence = bed_fence(bed);
    int64_t floor_ns = pass_duration_ns(bed, commands, fence, 1);
    uint32_t loops = 16;
    /* twice: one slow run says nothing about the work */
    while (loops < UINT32_C(1) << 24 &&
           (pass_duration_ns(bed, commands, fence, loops) - floor_ns < target_ns ||
            pass_duration_ns(bed, commands, fence, loops) - floor_ns < target_ns)) {
        loops *= 2;
    }
    vkDestroyFence(bed->device, fence, NULL);
    return loops;
}
