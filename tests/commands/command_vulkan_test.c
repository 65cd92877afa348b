/* SPDX-License-Identifier: MIT */
/* Lists of Vulkan's command buffers over functions of our own, from several threads. */
#define VK_NO_PROTOTYPES
#include "base/thread.h"
#include "command_bed.h"
#include <vulkan/vulkan_core.h>
#include "../support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a table; what is behind it only counts ---- */

#pragma GCC diagnostic ignored "-Wunused-parameter"
static _Atomic unsigned calls;
#define REAL(name, parameters)                                                                     \
    static void VKAPI_PTR real_##name parameters                                                   \
    {                                                                                              \
        calls++;                                                                                   \
    }
REAL(CmdDraw, (VkCommandBuffer c, uint32_t a, uint32_t b, uint32_t d, uint32_t e))
REAL(CmdDrawMultiEXT, (VkCommandBuffer c, uint32_t a, const VkMultiDrawInfoEXT *b, uint32_t d,
                       uint32_t e, uint32_t f))
REAL(CmdDispatch, (VkCommandBuffer c, uint32_t a, uint32_t b, uint32_t d))
REAL(CmdBindPipeline, (VkCommandBuffer c, VkPipelineBindPoint a, VkPipeline b))
REAL(CmdSetViewport, (VkCommandBuffer c, uint32_t a, uint32_t b, const VkViewport *d))
REAL(CmdSetBlendConstants, (VkCommandBuffer c, const float a[4]))
REAL(CmdPushConstants, (VkCommandBuffer c, VkPipelineLayout a, VkShaderStageFlags b, uint32_t d,
                        uint32_t e, const void *f))
REAL(CmdBindVertexBuffers,
     (VkCommandBuffer c, uint32_t a, uint32_t b, const VkBuffer *d, const VkDeviceSize *e))
REAL(CmdBlitImage, (VkCommandBuffer c, VkImage a, VkImageLayout b, VkImage d, VkImageLayout e,
                    uint32_t f, const VkImageBlit *g, VkFilter h))
REAL(CmdClearColorImage, (VkCommandBuffer c, VkImage a, VkImageLayout b, const VkClearColorValue *d,
                          uint32_t e, const VkImageSubresourceRange *f))
REAL(CmdBeginRenderPass, (VkCommandBuffer c, const VkRenderPassBeginInfo *a, VkSubpassContents b))
REAL(CmdEndRenderPass, (VkCommandBuffer c))
REAL(CmdBeginRendering, (VkCommandBuffer c, const VkRenderingInfo *a))
REAL(CmdEndRendering, (VkCommandBuffer c))
REAL(CmdPipelineBarrier2, (VkCommandBuffer c, const VkDependencyInfo *a))
REAL(CmdBeginDebugUtilsLabelEXT, (VkCommandBuffer c, const VkDebugUtilsLabelEXT *a))
REAL(CmdEndDebugUtilsLabelEXT, (VkCommandBuffer c))
static VkResult VKAPI_PTR real_BeginCommandBuffer(VkCommandBuffer c,
                                                  const VkCommandBufferBeginInfo *info)
{
    (void)c, (void)info;
    calls++;
    return VK_ERROR_OUT_OF_HOST_MEMORY; /* to be seen by the caller */
}
static VkResult VKAPI_PTR real_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                                           VkFence fence)
{
    (void)queue, (void)count, (void)infos, (void)fence;
    calls++;
    return VK_ERROR_DEVICE_LOST;
}

#define CALLS(X)                                                                                   \
    X(CmdDraw)                                                                                     \
    X(CmdDrawMultiEXT)                                                                             \
    X(CmdDispatch)                                                                                 \
    X(CmdBindPipeline)                                                                             \
    X(CmdSetViewport)                                                                              \
    X(CmdSetBlendConstants)                                                                        \
    X(CmdPushConstants)                                                                            \
    X(CmdBindVertexBuffers)                                                                        \
    X(CmdBlitImage)                                                                                \
    X(CmdClearColorImage)                                                                          \
    X(CmdBeginRenderPass)                                                                          \
    X(CmdEndRenderPass)                                                                            \
    X(CmdBeginRendering)                                                                           \
    X(CmdEndRendering)                                                                             \
    X(CmdPipelineBarrier2)                                                                         \
    X(CmdBeginDebugUtilsLabelEXT)                                                                  \
    X(CmdEndDebugUtilsLabelEXT)                                                                    \
    X(BeginCommandBuffer)                                                                          \
    X(QueueSubmit)
static struct table {
#define FIELD(name) PFN_vk##name name;
    CALLS(FIELD)
} vk;
static const struct table real = {
#define VALUE(name) real_##name,
    CALLS(VALUE)
};
static const struct fg_draw_slot slots[] = {
#define SLOT(name) { "vk" #name, (void **)(void *)&vk.name },
    CALLS(SLOT)
};

static int fresh_table(void **state)
{
    (void)state;
    vk = real;
    calls = 0;
    return 0;
}

/** Handles that are what they are in every run, and others in every kind. */
#define HANDLE(type, number) ((type)(uintptr_t)(0x10000 * (number)))

static const char *name_some(void *context, const char *kind, uint64_t object)
{
    (void)context;
    return strcmp(kind, "VkPipeline") == 0 && object == 0x20000 ? "shadow" : NULL;
}

static struct fg_command_list *make(uint32_t sections_max, uint32_t objects_max)
{
    const struct fg_command_list_options options = {
        .slots = slots,
        .slot_count = sizeof slots / sizeof *slots,
        .sections_max = sections_max,
        .objects_max = objects_max,
        .name_of = name_some,
    };
    struct fg_command_list *list = NULL;
    assert_int_equal(fg_command_list_create(&options, &list), FG_OK);
    return list;
}

static VkResult begin_commands(VkCommandBuffer commands)
{
    return vk.BeginCommandBuffer(
        commands,
        &(const VkCommandBufferBeginInfo){ .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT });
}

static VkResult submit(const VkCommandBuffer *buffers, uint32_t count)
{
    return vk.QueueSubmit(
        HANDLE(VkQueue, 9), 1,
        &(const VkSubmitInfo){ .commandBufferCount = count, .pCommandBuffers = buffers },
        VK_NULL_HANDLE);
}

/* ---- what is written ---- */

static void record_passes(VkCommandBuffer commands)
{
    const VkRenderingAttachmentInfo color = {
        .imageView = HANDLE(VkImageView, 1),
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue.color.float32 = { 0, 0.5f, 0, 1 },
    };
    const VkRenderingInfo rendering = {
        .renderArea = { { 0, -1 }, { 64, 32 } },
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    const VkClearValue clears[] = { { .color.uint32 = { 7, 0, 0, 0 } },
                                    { .depthStencil = { 1, 0 } } };
    const VkRenderPassBeginInfo pass = {
        .renderPass = HANDLE(VkRenderPass, 1),
        .framebuffer = HANDLE(VkFramebuffer, 1),
        .renderArea = { { 0, 0 }, { 64, 32 } },
        .clearValueCount = 2,
        .pClearValues = clears,
    };
    const struct {
        VkMultiDrawInfoEXT draw;
        uint32_t more;
    } draws[] = { { { 0, 3 }, 99 }, { { 3, 6 }, 99 } };
    vk.CmdBeginDebugUtilsLabelEXT(
        commands, &(const VkDebugUtilsLabelEXT){ .pLabelName = "passes", .color = { 1, 0, 0, 1 } });
    vk.CmdBeginRendering(commands, &rendering);
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, HANDLE(VkPipeline, 2));
    vk.CmdDraw(commands, 3, 2, 0, 0);
    vk.CmdDrawMultiEXT(commands, 2, &draws[0].draw, 1, 0, sizeof draws[0]);
    vk.CmdEndRendering(commands);
    vk.CmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
    vk.CmdEndRenderPass(commands);
    vk.CmdEndDebugUtilsLabelEXT(commands);
}

static void record_others(VkCommandBuffer commands)
{
    const VkViewport viewport = { 0, 32, 64, -32, 0, 1 };
    const float constants[] = { 0.5f, 1, 2, 3 };
    const uint8_t pushed[] = { 1, 2, 3, 4, 0xff };
    const VkBuffer buffers[] = { HANDLE(VkBuffer, 1), HANDLE(VkBuffer, 2), HANDLE(VkBuffer, 1) };
    const VkDeviceSize offsets[] = { 0, 1ull << 40, 4 };
    const VkImageBlit blit = {
        .srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
        .srcOffsets = { { 0, 0, 0 }, { 2, 2, 1 } },
        .dstSubresource = { VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 1, 2, 3 },
        .dstOffsets = { { 4, 4, 0 }, { 1, 1, 1 } },
    };
    const VkImageMemoryBarrier2 barrier = {
        .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .dstAccessMask = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | 1ull << 62,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .image = HANDLE(VkImage, 2),
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 1 },
    };
    vk.CmdSetViewport(commands, 0, 1, &viewport);
    vk.CmdSetBlendConstants(commands, constants);
    vk.CmdPushConstants(commands, HANDLE(VkPipelineLayout, 1), VK_SHADER_STAGE_ALL_GRAPHICS, 0,
                        sizeof pushed, pushed);
    vk.CmdBindVertexBuffers(commands, 0, 3, buffers, offsets);
    vk.CmdBlitImage(commands, HANDLE(VkImage, 1), VK_IMAGE_LAYOUT_GENERAL, HANDLE(VkImage, 2),
                    VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, VK_FILTER_LINEAR);
    vk.CmdClearColorImage(commands, HANDLE(VkImage, 1), VK_IMAGE_LAYOUT_GENERAL,
                          &(const VkClearColorValue){ .float32 = { 1, 1, 1, 1 } }, 0, NULL);
    vk.CmdPipelineBarrier2(commands, &(const VkDependencyInfo){ .imageMemoryBarrierCount = 1,
                                                                .pImageMemoryBarriers = &barrier });
    vk.CmdDispatch(commands, 4, 1, 1);
}

static const char expected_passes[] =
    "CommandBuffer#1, submitted as 1 of 2\n"
    "         vkBeginCommandBuffer(pBeginInfo = "
    "{flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT})\n"
    "         vkCmdBeginDebugUtilsLabelEXT(pLabelInfo = "
    "{pLabelName = \"passes\", color = [1, 0, 0, 1]})\n"
    "           vkCmdBeginRendering(pRenderingInfo = {flags = 0, renderArea = "
    "{offset = {x = 0, y = -1}, extent = {width = 64, height = 32}}, layerCount = 1, viewMask = 0, "
    "colorAttachmentCount = 1, pColorAttachments = [{imageView = ImageView#1, imageLayout = "
    "VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, resolveMode = VK_RESOLVE_MODE_NONE, "
    "resolveImageView = VK_NULL_HANDLE, resolveImageLayout = VK_IMAGE_LAYOUT_UNDEFINED, "
    "loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, storeOp = VK_ATTACHMENT_STORE_OP_STORE, "
    "clearValue = {0, 0.5, 0, 1}}], pDepthAttachment = NULL, pStencilAttachment = NULL})\n"
    "             vkCmdBindPipeline(pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, "
    "pipeline = Pipeline#1 \"shadow\")\n"
    "      1      vkCmdDraw(vertexCount = 3, instanceCount = 2, firstVertex = 0, "
    "firstInstance = 0)\n"
    "    2-3      vkCmdDrawMultiEXT(drawCount = 2, pVertexInfo = "
    "[{firstVertex = 0, vertexCount = 3}, {firstVertex = 3, vertexCount = 6}], instanceCount = 1, "
    "firstInstance = 0, stride = 12)\n"
    "           vkCmdEndRendering()\n"
    "           vkCmdBeginRenderPass(pRenderPassBegin = {renderPass = RenderPass#1, "
    "framebuffer = Framebuffer#1, renderArea = {offset = {x = 0, y = 0}, extent = "
    "{width = 64, height = 32}}, clearValueCount = 2, pClearValues = [{7, 0, 0, 0}, "
    "{1, 0, 0, 0}]}, contents = VK_SUBPASS_CONTENTS_INLINE)\n"
    "           vkCmdEndRenderPass()\n"
    "         vkCmdEndDebugUtilsLabelEXT()\n";

static const char expected_others[] =
    "CommandBuffer#2, submitted as 2 of 2\n"
    "         vkBeginCommandBuffer(pBeginInfo = "
    "{flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT})\n"
    "         \"others\"\n"
    "           vkCmdSetViewport(firstViewport = 0, viewportCount = 1, pViewports = "
    "[{x = 0, y = 32, width = 64, height = -32, minDepth = 0, maxDepth = 1}])\n"
    "           vkCmdSetBlendConstants(blendConstants = [0.5, 1, 2, 3])\n"
    "           vkCmdPushConstants(layout = PipelineLayout#1, "
    "stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS, offset = 0, size = 5, pValues = [01020304 ff])\n"
    "           vkCmdBindVertexBuffers(firstBinding = 0, bindingCount = 3, pBuffers = "
    "[Buffer#1, Buffer#2, Buffer#1], pOffsets = [0, 1099511627776, 4])\n"
    "           vkCmdBlitImage(srcImage = Image#1, srcImageLayout = VK_IMAGE_LAYOUT_GENERAL, "
    "dstImage = Image#2, dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, regionCount = 1, "
    "pRegions = [{srcSubresource = {aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, mipLevel = 0, "
    "baseArrayLayer = 0, layerCount = 1}, srcOffsets = [{x = 0, y = 0, z = 0}, "
    "{x = 2, y = 2, z = 1}], dstSubresource = {aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | "
    "VK_IMAGE_ASPECT_STENCIL_BIT, mipLevel = 1, baseArrayLayer = 2, layerCount = 3}, "
    "dstOffsets = [{x = 4, y = 4, z = 0}, {x = 1, y = 1, z = 1}]}], filter = VK_FILTER_LINEAR)\n"
    "           vkCmdClearColorImage(image = Image#1, imageLayout = VK_IMAGE_LAYOUT_GENERAL, "
    "pColor = {1, 1, 1, 1}, rangeCount = 0, pRanges = NULL)\n"
    "           vkCmdPipelineBarrier2(pDependencyInfo = {dependencyFlags = 0, "
    "memoryBarrierCount = 0, pMemoryBarriers = NULL, bufferMemoryBarrierCount = 0, "
    "pBufferMemoryBarriers = NULL, imageMemoryBarrierCount = 1, pImageMemoryBarriers = "
    "[{srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT, srcAccessMask = 0, dstStageMask = 0, "
    "dstAccessMask = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | 0x4000000000000000, "
    "oldLayout = VK_IMAGE_LAYOUT_UNDEFINED, newLayout = VK_IMAGE_LAYOUT_GENERAL, "
    "srcQueueFamilyIndex = 0, dstQueueFamilyIndex = 0, image = Image#2, subresourceRange = "
    "{aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, baseMipLevel = 0, levelCount = 4294967295, "
    "baseArrayLayer = 0, layerCount = 1}}]})\n"
    "     d1    vkCmdDispatch(groupCountX = 4, groupCountY = 1, groupCountZ = 1)\n";

static void buffers_are_written_in_the_order_of_their_submission(void **state)
{
    const VkCommandBuffer passes = HANDLE(VkCommandBuffer, 1), others = HANDLE(VkCommandBuffer, 2),
                          unused = HANDLE(VkCommandBuffer, 3), before = HANDLE(VkCommandBuffer, 4);
    const VkCommandBuffer both[] = { passes, others };
    struct fg_command_list *list = make(0, 0);
    static char expected[16384];
    (void)state;
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    vk.CmdDispatch(before, 1, 1, 1); /* its begin was in an earlier frame */
    assert_int_equal(begin_commands(unused), VK_ERROR_OUT_OF_HOST_MEMORY);
    (void)begin_commands(others);
    (void)begin_commands(passes);
    record_passes(passes);
    fg_command_list_scope_begin(list, others, "others");
    record_others(others);
    fg_command_list_scope_end(list, others);
    assert_int_equal(submit(both, 2), VK_ERROR_DEVICE_LOST);
    assert_int_equal(submit(both, 1), VK_ERROR_DEVICE_LOST); /* again: it has its place */
    assert_int_equal(fg_command_list_end(list), FG_OK);
    assert_memory_equal(&vk, &real, sizeof vk);
    (void)snprintf(expected, sizeof expected,
                   "Frameglass command list, version 1\n"
                   "\n"
                   "Submissions\n"
                   "         vkQueueSubmit(queue = Queue#1, submitCount = 1, pSubmits = "
                   "[{waitSemaphoreCount = 0, pWaitSemaphores = NULL, pWaitDstStageMask = NULL, "
                   "commandBufferCount = 2, pCommandBuffers = [CommandBuffer#1, CommandBuffer#2], "
                   "signalSemaphoreCount = 0, pSignalSemaphores = NULL}], fence = VK_NULL_HANDLE)\n"
                   "         vkQueueSubmit(queue = Queue#1, submitCount = 1, pSubmits = "
                   "[{waitSemaphoreCount = 0, pWaitSemaphores = NULL, pWaitDstStageMask = NULL, "
                   "commandBufferCount = 1, pCommandBuffers = [CommandBuffer#1], "
                   "signalSemaphoreCount = 0, pSignalSemaphores = NULL}], fence = VK_NULL_HANDLE)\n"
                   "\n%s\n%s"
                   "\n"
                   "CommandBuffer#3, not submitted, begun before the list or not seen\n"
                   "     d2  vkCmdDispatch(groupCountX = 1, groupCountY = 1, groupCountZ = 1)\n"
                   "\n"
                   "CommandBuffer#4, not submitted\n"
                   "         vkBeginCommandBuffer(pBeginInfo = "
                   "{flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT})\n"
                   "\n"
                   "Sums\n"
                   "           2  draw calls\n"
                   "           3  draws\n"
                   "          15  vertices\n"
                   "           0  indices\n"
                   "           4  instances\n"
                   "           0  draws whose size is on the GPU\n"
                   "           0  calls whose number of draws is on the GPU\n"
                   "           0  draws that those may make\n"
                   "           2  dispatches\n"
                   "           5  workgroups\n"
                   "           0  traces\n"
                   "          23  calls listed\n"
                   "           0  calls that did not fit\n",
                   expected_passes, expected_others);
    char *text = command_text(list);
    command_same_text(text, expected);
    free(text);
    assert_int_equal(calls, 23);
    fg_command_list_destroy(list);
}

static void each_recording_of_a_buffer_is_a_section(void **state)
{
    const VkCommandBuffer commands = HANDLE(VkCommandBuffer, 1);
    const void *const told[] = { commands, HANDLE(VkCommandBuffer, 7) };
    struct fg_command_list *list = make(0, 0);
    (void)state;
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    (void)begin_commands(commands);
    vk.CmdDraw(commands, 1, 1, 0, 0);
    (void)begin_commands(commands);
    vk.CmdDraw(commands, 2, 1, 0, 0);
    fg_command_list_submitted(list, told, 2); /* the newest */
    assert_int_equal(fg_command_list_end(list), FG_OK);
    char *text = command_text(list);
    const char *newest = strstr(text, "\nCommandBuffer#1, submitted as 1 of 1\n");
    const char *first = strstr(text, "\nCommandBuffer#1, not submitted\n");
    assert_non_null(strstr(text, "\nSubmissions\n         submitted, as the application tells: "
                                 "[CommandBuffer#1, CommandBuffer#2]\n"));
    assert_true(newest != NULL && first != NULL && newest < first);
    assert_non_null(strstr(newest, "      1  vkCmdDraw(vertexCount = 2,"));
    assert_non_null(strstr(first, "      2  vkCmdDraw(vertexCount = 1,"));
    free(text);
    fg_command_list_destroy(list);
}

/* ---- what does not fit ---- */

static void sections_and_objects_that_do_not_fit_are_said(void **state)
{
    struct fg_command_list *list = make(2, 1);
    struct fg_command_list_facts facts;
    (void)state;
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    for (uint32_t i = 1; i <= 5; i++) {
        vk.CmdDraw(HANDLE(VkCommandBuffer, i), 3, 1, 0, 0);
    }
    for (uint32_t i = 1; i <= 20; i++) {
        vk.CmdBindPipeline(HANDLE(VkCommandBuffer, 1), VK_PIPELINE_BIND_POINT_COMPUTE,
                           HANDLE(VkPipeline, 0x10 + i));
    }
    assert_int_equal(fg_command_list_end(list), FG_OK);
    fg_command_list_get_facts(list, &facts);
    assert_int_equal(facts.sections, 2);
    assert_int_equal(facts.lost_commands, 3);
    assert_int_equal(facts.counts.draws, 5);
    char *text = command_text(list);
    assert_non_null(strstr(text, "The list is not complete: it had room for 8388608 bytes and 2 "
                                 "sections.\n"));
    assert_non_null(strstr(text, "pipeline = Pipeline#1)"));
    assert_non_null(strstr(text, "pipeline = Pipeline 0x240000)")); /* by its handle */
    free(text);
    fg_command_list_destroy(list);
}

/* ---- threads ---- */

enum { THREADS = 4, DRAWS = 500 };
static struct fg_command_list *shared;

static void record_some(void *context)
{
    const VkCommandBuffer commands = context;
    (void)begin_commands(commands);
    fg_command_list_scope_begin(shared, commands, "thread");
    for (uint32_t i = 0; i < DRAWS; i++) {
        vk.CmdDraw(commands, (uint32_t)(uintptr_t)commands >> 16, 1, i, 0);
    }
    fg_command_list_scope_end(shared, commands);
}

static void threads_record_side_by_side(void **state)
{
    struct fgi_thread *threads[THREADS];
    VkCommandBuffer buffers[THREADS];
    (void)state;
    shared = make(0, 0);
    assert_int_equal(fg_command_list_begin(shared), FG_OK);
    for (uint32_t i = 0; i < THREADS; i++) {
        buffers[i] = HANDLE(VkCommandBuffer, THREADS - i);
        assert_int_equal(fgi_thread_create(NULL, record_some, buffers[i], &threads[i]), FG_OK);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        fgi_thread_join(threads[i]);
    }
    (void)submit(buffers, THREADS);
    assert_int_equal(fg_command_list_end(shared), FG_OK);
    char *text = command_text(shared);
    const char *at = text;
    for (uint32_t i = 0; i < THREADS; i++) {
        char line[160];
        (void)snprintf(line, sizeof line, "\nCommandBuffer#%u, submitted as %u of %u\n", i + 1,
                       i + 1, THREADS);
        at = strstr(at, line);
        assert_non_null(at);
        for (uint32_t draw = 0; draw < DRAWS; draw++) {
            (void)snprintf(line, sizeof line,
                           "\n%7u    vkCmdDraw(vertexCount = %u, instanceCount = 1, firstVertex = "
                           "%u, firstInstance = 0)\n",
                           i * DRAWS + draw + 1, THREADS - i, draw);
            const char *next = strstr(at, line);
            assert_non_null(next);
            at = next;
        }
    }
    assert_int_equal(command_sum(text, "draws"), THREADS * DRAWS);
    free(text);
    fg_command_list_destroy(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(buffers_are_written_in_the_order_of_their_submission, fresh_table),
        cmocka_unit_test_setup(each_recording_of_a_buffer_is_a_section, fresh_table),
        cmocka_unit_test_setup(sections_and_objects_that_do_not_fit_are_said, fresh_table),
        cmocka_unit_test_setup(threads_record_side_by_side, fresh_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
