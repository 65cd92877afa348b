/* SPDX-License-Identifier: MIT */
/*
 * What a list shows of Vulkan besides draws: X(role, name, parameters, arguments), where the role
 * is OPEN or CLOSE for what names a group or is a pass.
 */
#ifndef FGI_COMMANDS_VULKAN_LIST_H
#define FGI_COMMANDS_VULKAN_LIST_H
#include "gpu/commands/commands_vulkan_states.h"
#include "gpu/draws/words.h"

/** Clears and copies. */
#define FGI_COMMANDS_VK_COPIES(X)                                                                  \
    X(PLAIN, CmdClearColorImage,                                                                   \
      (VkCommandBuffer commandBuffer, VkImage image, VkImageLayout imageLayout,                    \
       const VkClearColorValue *pColor, uint32_t rangeCount,                                       \
       FGI_ARRAY(rangeCount) VkImageSubresourceRange *pRanges),                                    \
      (commandBuffer, image, imageLayout, pColor, rangeCount, pRanges))                            \
    X(PLAIN, CmdClearDepthStencilImage,                                                            \
      (VkCommandBuffer commandBuffer, VkImage image, VkImageLayout imageLayout,                    \
       const VkClearDepthStencilValue *pDepthStencil, uint32_t rangeCount,                         \
       FGI_ARRAY(rangeCount) VkImageSubresourceRange *pRanges),                                    \
      (commandBuffer, image, imageLayout, pDepthStencil, rangeCount, pRanges))                     \
    X(PLAIN, CmdClearAttachments,                                                                  \
      (VkCommandBuffer commandBuffer, uint32_t attachmentCount,                                    \
       FGI_ARRAY(attachmentCount) VkClearAttachment * pAttachments, uint32_t rectCount,            \
       FGI_ARRAY(rectCount) VkClearRect * pRects),                                                 \
      (commandBuffer, attachmentCount, pAttachments, rectCount, pRects))                           \
    X(PLAIN, CmdFillBuffer,                                                                        \
      (VkCommandBuffer commandBuffer, VkBuffer dstBuffer, VkDeviceSize dstOffset,                  \
       VkDeviceSize size, uint32_t data),                                                          \
      (commandBuffer, dstBuffer, dstOffset, size, data))                                           \
    X(PLAIN, CmdUpdateBuffer,                                                                      \
      (VkCommandBuffer commandBuffer, VkBuffer dstBuffer, VkDeviceSize dstOffset,                  \
       VkDeviceSize dataSize, FGI_BYTES(dataSize) void *pData),                                    \
      (commandBuffer, dstBuffer, dstOffset, dataSize, pData))                                      \
    X(PLAIN, CmdCopyBuffer,                                                                        \
      (VkCommandBuffer commandBuffer, VkBuffer srcBuffer, VkBuffer dstBuffer,                      \
       uint32_t regionCount, FGI_ARRAY(regionCount) VkBufferCopy * pRegions),                      \
      (commandBuffer, srcBuffer, dstBuffer, regionCount, pRegions))                                \
    X(PLAIN, CmdCopyImage,                                                                         \
      (VkCommandBuffer commandBuffer, VkImage srcImage, VkImageLayout srcImageLayout,              \
       VkImage dstImage, VkImageLayout dstImageLayout, uint32_t regionCount,                       \
       FGI_ARRAY(regionCount) VkImageCopy * pRegions),                                             \
      (commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount, pRegions))  \
    X(PLAIN, CmdBlitImage,                                                                         \
      (VkCommandBuffer commandBuffer, VkImage srcImage, VkImageLayout srcImageLayout,              \
       VkImage dstImage, VkImageLayout dstImageLayout, uint32_t regionCount,                       \
       FGI_ARRAY(regionCount) VkImageBlit * pRegions, VkFilter filter),                            \
      (commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount, pRegions,   \
       filter))                                                                                    \
    X(PLAIN, CmdResolveImage,                                                                      \
      (VkCommandBuffer commandBuffer, VkImage srcImage, VkImageLayout srcImageLayout,              \
       VkImage dstImage, VkImageLayout dstImageLayout, uint32_t regionCount,                       \
       FGI_ARRAY(regionCount) VkImageResolve * pRegions),                                          \
      (commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount, pRegions))  \
    X(PLAIN, CmdCopyBufferToImage,                                                                 \
      (VkCommandBuffer commandBuffer, VkBuffer srcBuffer, VkImage dstImage,                        \
       VkImageLayout dstImageLayout, uint32_t regionCount,                                         \
       FGI_ARRAY(regionCount) VkBufferImageCopy * pRegions),                                       \
      (commandBuffer, srcBuffer, dstImage, dstImageLayout, regionCount, pRegions))                 \
    X(PLAIN, CmdCopyImageToBuffer,                                                                 \
      (VkCommandBuffer commandBuffer, VkImage srcImage, VkImageLayout srcImageLayout,              \
       VkBuffer dstBuffer, uint32_t regionCount,                                                   \
       FGI_ARRAY(regionCount) VkBufferImageCopy * pRegions),                                       \
      (commandBuffer, srcImage, srcImageLayout, dstBuffer, regionCount, pRegions))                 \
    X(PLAIN, CmdCopyBuffer2,                                                                       \
      (VkCommandBuffer commandBuffer, const VkCopyBufferInfo2 *pCopyBufferInfo),                   \
      (commandBuffer, pCopyBufferInfo))                                                            \
    X(PLAIN, CmdCopyBuffer2KHR,                                                                    \
      (VkCommandBuffer commandBuffer, const VkCopyBufferInfo2 *pCopyBufferInfo),                   \
      (commandBuffer, pCopyBufferInfo))                                                            \
    X(PLAIN, CmdCopyImage2,                                                                        \
      (VkCommandBuffer commandBuffer, const VkCopyImageInfo2 *pCopyImageInfo),                     \
      (commandBuffer, pCopyImageInfo))                                                             \
    X(PLAIN, CmdCopyImage2KHR,                                                                     \
      (VkCommandBuffer commandBuffer, const VkCopyImageInfo2 *pCopyImageInfo),                     \
      (commandBuffer, pCopyImageInfo))                                                             \
    X(PLAIN, CmdBlitImage2,                                                                        \
      (VkCommandBuffer commandBuffer, const VkBlitImageInfo2 *pBlitImageInfo),                     \
      (commandBuffer, pBlitImageInfo))                                                             \
    X(PLAIN, CmdBlitImage2KHR,                                                                     \
      (VkCommandBuffer commandBuffer, const VkBlitImageInfo2 *pBlitImageInfo),                     \
      (commandBuffer, pBlitImageInfo))                                                             \
    X(PLAIN, CmdResolveImage2,                                                                     \
      (VkCommandBuffer commandBuffer, const VkResolveImageInfo2 *pResolveImageInfo),               \
      (commandBuffer, pResolveImageInfo))                                                          \
    X(PLAIN, CmdResolveImage2KHR,                                                                  \
      (VkCommandBuffer commandBuffer, const VkResolveImageInfo2 *pResolveImageInfo),               \
      (commandBuffer, pResolveImageInfo))                                                          \
    X(PLAIN, CmdCopyBufferToImage2,                                                                \
      (VkCommandBuffer commandBuffer, const VkCopyBufferToImageInfo2 *pCopyBufferToImageInfo),     \
      (commandBuffer, pCopyBufferToImageInfo))                                                     \
    X(PLAIN, CmdCopyBufferToImage2KHR,                                                             \
      (VkCommandBuffer commandBuffer, const VkCopyBufferToImageInfo2 *pCopyBufferToImageInfo),     \
      (commandBuffer, pCopyBufferToImageInfo))                                                     \
    X(PLAIN, CmdCopyImageToBuffer2,                                                                \
      (VkCommandBuffer commandBuffer, const VkCopyImageToBufferInfo2 *pCopyImageToBufferInfo),     \
      (commandBuffer, pCopyImageToBufferInfo))                                                     \
    X(PLAIN, CmdCopyImageToBuffer2KHR,                                                             \
      (VkCommandBuffer commandBuffer, const VkCopyImageToBufferInfo2 *pCopyImageToBufferInfo),     \
      (commandBuffer, pCopyImageToBufferInfo))                                                     \
    X(PLAIN, CmdCopyQueryPoolResults,                                                              \
      (VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t firstQuery,                  \
       uint32_t queryCount, VkBuffer dstBuffer, VkDeviceSize dstOffset, VkDeviceSize stride,       \
       VkQueryResultFlags flags),                                                                  \
      (commandBuffer, queryPool, firstQuery, queryCount, dstBuffer, dstOffset, stride, flags))

/** Render passes, and names. */
#define FGI_COMMANDS_VK_PASSES(X)                                                                  \
    X(OPEN, CmdBeginRenderPass,                                                                    \
      (VkCommandBuffer commandBuffer, const VkRenderPassBeginInfo *pRenderPassBegin,               \
       VkSubpassContents contents),                                                                \
      (commandBuffer, pRenderPassBegin, contents))                                                 \
    X(PLAIN, CmdNextSubpass, (VkCommandBuffer commandBuffer, VkSubpassContents contents),          \
      (commandBuffer, contents))                                                                   \
    X(CLOSE, CmdEndRenderPass, (VkCommandBuffer commandBuffer), (commandBuffer))                   \
    X(OPEN, CmdBeginRenderPass2,                                                                   \
      (VkCommandBuffer commandBuffer, const VkRenderPassBeginInfo *pRenderPassBegin,               \
       const VkSubpassBeginInfo *pSubpassBeginInfo),                                               \
      (commandBuffer, pRenderPassBegin, pSubpassBeginInfo))                                        \
    X(OPEN, CmdBeginRenderPass2KHR,                                                                \
      (VkCommandBuffer commandBuffer, const VkRenderPassBeginInfo *pRenderPassBegin,               \
       const VkSubpassBeginInfo *pSubpassBeginInfo),                                               \
      (commandBuffer, pRenderPassBegin, pSubpassBeginInfo))                                        \
    X(PLAIN, CmdNextSubpass2,                                                                      \
      (VkCommandBuffer commandBuffer, const VkSubpassBeginInfo *pSubpassBeginInfo,                 \
       const VkSubpassEndInfo *pSubpassEndInfo),                                                   \
      (commandBuffer, pSubpassBeginInfo, pSubpassEndInfo))                                         \
    X(PLAIN, CmdNextSubpass2KHR,                                                                   \
      (VkCommandBuffer commandBuffer, const VkSubpassBeginInfo *pSubpassBeginInfo,                 \
       const VkSubpassEndInfo *pSubpassEndInfo),                                                   \
      (commandBuffer, pSubpassBeginInfo, pSubpassEndInfo))                                         \
    X(CLOSE, CmdEndRenderPass2,                                                                    \
      (VkCommandBuffer commandBuffer, const VkSubpassEndInfo *pSubpassEndInfo),                    \
      (commandBuffer, pSubpassEndInfo))                                                            \
    X(CLOSE, CmdEndRenderPass2KHR,                                                                 \
      (VkCommandBuffer commandBuffer, const VkSubpassEndInfo *pSubpassEndInfo),                    \
      (commandBuffer, pSubpassEndInfo))                                                            \
    X(OPEN, CmdBeginRendering,                                                                     \
      (VkCommandBuffer commandBuffer, const VkRenderingInfo *pRenderingInfo),                      \
      (commandBuffer, pRenderingInfo))                                                             \
    X(OPEN, CmdBeginRenderingKHR,                                                                  \
      (VkCommandBuffer commandBuffer, const VkRenderingInfo *pRenderingInfo),                      \
      (commandBuffer, pRenderingInfo))                                                             \
    X(CLOSE, CmdEndRendering, (VkCommandBuffer commandBuffer), (commandBuffer))                    \
    X(CLOSE, CmdEndRenderingKHR, (VkCommandBuffer commandBuffer), (commandBuffer))                 \
    X(PLAIN, CmdExecuteCommands,                                                                   \
      (VkCommandBuffer commandBuffer, uint32_t commandBufferCount,                                 \
       FGI_ARRAY(commandBufferCount) VkCommandBuffer * pCommandBuffers),                           \
      (commandBuffer, commandBufferCount, pCommandBuffers))                                        \
    X(OPEN, CmdBeginDebugUtilsLabelEXT,                                                            \
      (VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *pLabelInfo),                     \
      (commandBuffer, pLabelInfo))                                                                 \
    X(CLOSE, CmdEndDebugUtilsLabelEXT, (VkCommandBuffer commandBuffer), (commandBuffer))           \
    X(PLAIN, CmdInsertDebugUtilsLabelEXT,                                                          \
      (VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *pLabelInfo),                     \
      (commandBuffer, pLabelInfo))                                                                 \
    X(OPEN, CmdDebugMarkerBeginEXT,                                                                \
      (VkCommandBuffer commandBuffer, const VkDebugMarkerMarkerInfoEXT *pMarkerInfo),              \
      (commandBuffer, pMarkerInfo))                                                                \
    X(CLOSE, CmdDebugMarkerEndEXT, (VkCommandBuffer commandBuffer), (commandBuffer))               \
    X(PLAIN, CmdDebugMarkerInsertEXT,                                                              \
      (VkCommandBuffer commandBuffer, const VkDebugMarkerMarkerInfoEXT *pMarkerInfo),              \
      (commandBuffer, pMarkerInfo))

/** Order and queries. */
#define FGI_COMMANDS_VK_ORDER(X)                                                                   \
    X(PLAIN, CmdPipelineBarrier,                                                                   \
      (VkCommandBuffer commandBuffer, VkPipelineStageFlags srcStageMask,                           \
       VkPipelineStageFlags dstStageMask, VkDependencyFlags dependencyFlags,                       \
       uint32_t memoryBarrierCount,                                                                \
       FGI_ARRAY(memoryBarrierCount) VkMemoryBarrier * pMemoryBarriers,                            \
       uint32_t bufferMemoryBarrierCount,                                                          \
       FGI_ARRAY(bufferMemoryBarrierCount) VkBufferMemoryBarrier * pBufferMemoryBarriers,          \
       uint32_t imageMemoryBarrierCount,                                                           \
       FGI_ARRAY(imageMemoryBarrierCount) VkImageMemoryBarrier * pImageMemoryBarriers),            \
      (commandBuffer, srcStageMask, dstStageMask, dependencyFlags, memoryBarrierCount,             \
       pMemoryBarriers, bufferMemoryBarrierCount, pBufferMemoryBarriers, imageMemoryBarrierCount,  \
       pImageMemoryBarriers))                                                                      \
    X(PLAIN, CmdPipelineBarrier2,                                                                  \
      (VkCommandBuffer commandBuffer, const VkDependencyInfo *pDependencyInfo),                    \
      (commandBuffer, pDependencyInfo))                                                            \
    X(PLAIN, CmdPipelineBarrier2KHR,                                                               \
      (VkCommandBuffer commandBuffer, const VkDependencyInfo *pDependencyInfo),                    \
      (commandBuffer, pDependencyInfo))                                                            \
    X(PLAIN, CmdSetEvent,                                                                          \
      (VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags stageMask),              \
      (commandBuffer, event, stageMask))                                                           \
    X(PLAIN, CmdResetEvent,                                                                        \
      (VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags stageMask),              \
      (commandBuffer, event, stageMask))                                                           \
    X(PLAIN, CmdWaitEvents,                                                                        \
      (VkCommandBuffer commandBuffer, uint32_t eventCount,                                         \
       FGI_ARRAY(eventCount) VkEvent * pEvents, VkPipelineStageFlags srcStageMask,                 \
       VkPipelineStageFlags dstStageMask, uint32_t memoryBarrierCount,                             \
       FGI_ARRAY(memoryBarrierCount) VkMemoryBarrier * pMemoryBarriers,                            \
       uint32_t bufferMemoryBarrierCount,                                                          \
       FGI_ARRAY(bufferMemoryBarrierCount) VkBufferMemoryBarrier * pBufferMemoryBarriers,          \
       uint32_t imageMemoryBarrierCount,                                                           \
       FGI_ARRAY(imageMemoryBarrierCount) VkImageMemoryBarrier * pImageMemoryBarriers),            \
      (commandBuffer, eventCount, pEvents, srcStageMask, dstStageMask, memoryBarrierCount,         \
       pMemoryBarriers, bufferMemoryBarrierCount, pBufferMemoryBarriers, imageMemoryBarrierCount,  \
       pImageMemoryBarriers))                                                                      \
    X(PLAIN, CmdSetEvent2,                                                                         \
      (VkCommandBuffer commandBuffer, VkEvent event, const VkDependencyInfo *pDependencyInfo),     \
      (commandBuffer, event, pDependencyInfo))                                                     \
    X(PLAIN, CmdSetEvent2KHR,                                                                      \
      (VkCommandBuffer commandBuffer, VkEvent event, const VkDependencyInfo *pDependencyInfo),     \
      (commandBuffer, event, pDependencyInfo))                                                     \
    X(PLAIN, CmdResetEvent2,                                                                       \
      (VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags2 stageMask),             \
      (commandBuffer, event, stageMask))                                                           \
    X(PLAIN, CmdResetEvent2KHR,                                                                    \
      (VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags2 stageMask),             \
      (commandBuffer, event, stageMask))                                                           \
    X(PLAIN, CmdWaitEvents2,                                                                       \
      (VkCommandBuffer commandBuffer, uint32_t eventCount,                                         \
       FGI_ARRAY(eventCount) VkEvent * pEvents,                                                    \
       FGI_ARRAY(eventCount) VkDependencyInfo * pDependencyInfos),                                 \
      (commandBuffer, eventCount, pEvents, pDependencyInfos))                                      \
    X(PLAIN, CmdWaitEvents2KHR,                                                                    \
      (VkCommandBuffer commandBuffer, uint32_t eventCount,                                         \
       FGI_ARRAY(eventCount) VkEvent * pEvents,                                                    \
       FGI_ARRAY(eventCount) VkDependencyInfo * pDependencyInfos),                                 \
      (commandBuffer, eventCount, pEvents, pDependencyInfos))                                      \
    X(PLAIN, CmdBeginQuery,                                                                        \
      (VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query,                       \
       VkQueryControlFlags flags),                                                                 \
      (commandBuffer, queryPool, query, flags))                                                    \
    X(PLAIN, CmdEndQuery, (VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query),  \
      (commandBuffer, queryPool, query))                                                           \
    X(PLAIN, CmdResetQueryPool,                                                                    \
      (VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t firstQuery,                  \
       uint32_t queryCount),                                                                       \
      (commandBuffer, queryPool, firstQuery, queryCount))                                          \
    X(PLAIN, CmdWriteTimestamp,                                                                    \
      (VkCommandBuffer commandBuffer, VkPipelineStageFlagBits pipelineStage,                       \
       VkQueryPool queryPool, uint32_t query),                                                     \
      (commandBuffer, pipelineStage, queryPool, query))                                            \
    X(PLAIN, CmdWriteTimestamp2,                                                                   \
      (VkCommandBuffer commandBuffer, VkPipelineStageFlags2 stage, VkQueryPool queryPool,          \
       uint32_t query),                                                                            \
      (commandBuffer, stage, queryPool, query))                                                    \
    X(PLAIN, CmdWriteTimestamp2KHR,                                                                \
      (VkCommandBuffer commandBuffer, VkPipelineStageFlags2 stage, VkQueryPool queryPool,          \
       uint32_t query),                                                                            \
      (commandBuffer, stage, queryPool, query))

#define FGI_COMMANDS_VULKAN(X)                                                                     \
    FGI_COMMANDS_VK_COPIES(X)                                                                      \
    FGI_COMMANDS_VK_BINDS(X)                                                                       \
    FGI_COMMANDS_VK_STATES(X) FGI_COMMANDS_VK_PASSES(X) FGI_COMMANDS_VK_ORDER(X)

/**
 * What returns a VkResult: X(role, name, parameters, arguments, tell), where `tell` says, before
 * the call, which command buffers it submits.
 */
#define FGI_COMMANDS_VULKAN_RESULTS(X)                                                             \
    X(RECORD, BeginCommandBuffer,                                                                  \
      (VkCommandBuffer commandBuffer, const VkCommandBufferBeginInfo *pBeginInfo),                 \
      (commandBuffer, pBeginInfo), (void)0)                                                        \
    X(PLAIN, EndCommandBuffer, (VkCommandBuffer commandBuffer), (commandBuffer), (void)0)          \
    X(SUBMIT, QueueSubmit,                                                                         \
      (VkQueue queue, uint32_t submitCount, FGI_ARRAY(submitCount) VkSubmitInfo * pSubmits,        \
       VkFence fence),                                                                             \
      (queue, submitCount, pSubmits, fence), tell(pSubmits, submitCount))                          \
    FGI_COMMANDS_VULKAN_SUBMIT2(X, QueueSubmit2)                                                   \
    FGI_COMMANDS_VULKAN_SUBMIT2(X, QueueSubmit2KHR)
#define FGI_COMMANDS_VULKAN_SUBMIT2(X, name)                                                       \
    X(SUBMIT, name,                                                                                \
      (VkQueue queue, uint32_t submitCount, FGI_ARRAY(submitCount) VkSubmitInfo2 * pSubmits,       \
       VkFence fence),                                                                             \
      (queue, submitCount, pSubmits, fence), tell2(pSubmits, submitCount))

#endif
