/* SPDX-License-Identifier: MIT */
/* The part of the list of Vulkan's calls that binds things and sets states. */
#ifndef FGI_COMMANDS_VULKAN_STATES_H
#define FGI_COMMANDS_VULKAN_STATES_H
#include "gpu/draws/words.h"

/** Binds. */
#define FGI_COMMANDS_VK_BINDS(X)                                                                   \
    X(PLAIN, CmdBindPipeline,                                                                      \
      (VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint, VkPipeline pipeline), \
      (commandBuffer, pipelineBindPoint, pipeline))                                                \
    X(PLAIN, CmdBindDescriptorSets,                                                                \
      (VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,                       \
       VkPipelineLayout layout, uint32_t firstSet, uint32_t descriptorSetCount,                    \
       FGI_ARRAY(descriptorSetCount) VkDescriptorSet * pDescriptorSets,                            \
       uint32_t dynamicOffsetCount, FGI_ARRAY(dynamicOffsetCount) uint32_t * pDynamicOffsets),     \
      (commandBuffer, pipelineBindPoint, layout, firstSet, descriptorSetCount, pDescriptorSets,    \
       dynamicOffsetCount, pDynamicOffsets))                                                       \
    X(PLAIN, CmdPushDescriptorSetKHR,                                                              \
      (VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,                       \
       VkPipelineLayout layout, uint32_t set, uint32_t descriptorWriteCount,                       \
       FGI_ARRAY(descriptorWriteCount) VkWriteDescriptorSet * pDescriptorWrites),                  \
      (commandBuffer, pipelineBindPoint, layout, set, descriptorWriteCount, pDescriptorWrites))    \
    X(PLAIN, CmdPushConstants,                                                                     \
      (VkCommandBuffer commandBuffer, VkPipelineLayout layout, VkShaderStageFlags stageFlags,      \
       uint32_t offset, uint32_t size, FGI_BYTES(size) void *pValues),                             \
      (commandBuffer, layout, stageFlags, offset, size, pValues))                                  \
    X(PLAIN, CmdBindIndexBuffer,                                                                   \
      (VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset,                        \
       VkIndexType indexType),                                                                     \
      (commandBuffer, buffer, offset, indexType))                                                  \
    X(PLAIN, CmdBindVertexBuffers,                                                                 \
      (VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,                \
       FGI_ARRAY(bindingCount) VkBuffer * pBuffers,                                                \
       FGI_ARRAY(bindingCount) VkDeviceSize * pOffsets),                                           \
      (commandBuffer, firstBinding, bindingCount, pBuffers, pOffsets))                             \
    X(PLAIN, CmdBindVertexBuffers2,                                                                \
      (VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,                \
       FGI_ARRAY(bindingCount) VkBuffer * pBuffers,                                                \
       FGI_ARRAY(bindingCount) VkDeviceSize * pOffsets,                                            \
       FGI_ARRAY(bindingCount) VkDeviceSize * pSizes,                                              \
       FGI_ARRAY(bindingCount) VkDeviceSize * pStrides),                                           \
      (commandBuffer, firstBinding, bindingCount, pBuffers, pOffsets, pSizes, pStrides))           \
    X(PLAIN, CmdBindVertexBuffers2EXT,                                                             \
      (VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,                \
       FGI_ARRAY(bindingCount) VkBuffer * pBuffers,                                                \
       FGI_ARRAY(bindingCount) VkDeviceSize * pOffsets,                                            \
       FGI_ARRAY(bindingCount) VkDeviceSize * pSizes,                                              \
       FGI_ARRAY(bindingCount) VkDeviceSize * pStrides),                                           \
      (commandBuffer, firstBinding, bindingCount, pBuffers, pOffsets, pSizes, pStrides))

/** States. */
#define FGI_COMMANDS_VK_STATES(X)                                                                  \
    X(PLAIN, CmdSetViewport,                                                                       \
      (VkCommandBuffer commandBuffer, uint32_t firstViewport, uint32_t viewportCount,              \
       FGI_ARRAY(viewportCount) VkViewport * pViewports),                                          \
      (commandBuffer, firstViewport, viewportCount, pViewports))                                   \
    X(PLAIN, CmdSetScissor,                                                                        \
      (VkCommandBuffer commandBuffer, uint32_t firstScissor, uint32_t scissorCount,                \
       FGI_ARRAY(scissorCount) VkRect2D * pScissors),                                              \
      (commandBuffer, firstScissor, scissorCount, pScissors))                                      \
    X(PLAIN, CmdSetViewportWithCount,                                                              \
      (VkCommandBuffer commandBuffer, uint32_t viewportCount,                                      \
       FGI_ARRAY(viewportCount) VkViewport * pViewports),                                          \
      (commandBuffer, viewportCount, pViewports))                                                  \
    X(PLAIN, CmdSetViewportWithCountEXT,                                                           \
      (VkCommandBuffer commandBuffer, uint32_t viewportCount,                                      \
       FGI_ARRAY(viewportCount) VkViewport * pViewports),                                          \
      (commandBuffer, viewportCount, pViewports))                                                  \
    X(PLAIN, CmdSetScissorWithCount,                                                               \
      (VkCommandBuffer commandBuffer, uint32_t scissorCount,                                       \
       FGI_ARRAY(scissorCount) VkRect2D * pScissors),                                              \
      (commandBuffer, scissorCount, pScissors))                                                    \
    X(PLAIN, CmdSetScissorWithCountEXT,                                                            \
      (VkCommandBuffer commandBuffer, uint32_t scissorCount,                                       \
       FGI_ARRAY(scissorCount) VkRect2D * pScissors),                                              \
      (commandBuffer, scissorCount, pScissors))                                                    \
    X(PLAIN, CmdSetLineWidth, (VkCommandBuffer commandBuffer, float lineWidth),                    \
      (commandBuffer, lineWidth))                                                                  \
    X(PLAIN, CmdSetDepthBias,                                                                      \
      (VkCommandBuffer commandBuffer, float depthBiasConstantFactor, float depthBiasClamp,         \
       float depthBiasSlopeFactor),                                                                \
      (commandBuffer, depthBiasConstantFactor, depthBiasClamp, depthBiasSlopeFactor))              \
    X(PLAIN, CmdSetBlendConstants,                                                                 \
      (VkCommandBuffer commandBuffer, FGI_ARRAY(4) float *blendConstants),                         \
      (commandBuffer, blendConstants))                                                             \
    X(PLAIN, CmdSetDepthBounds,                                                                    \
      (VkCommandBuffer commandBuffer, float minDepthBounds, float maxDepthBounds),                 \
      (commandBuffer, minDepthBounds, maxDepthBounds))                                             \
    X(PLAIN, CmdSetStencilCompareMask,                                                             \
      (VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask, uint32_t compareMask),          \
      (commandBuffer, faceMask, compareMask))                                                      \
    X(PLAIN, CmdSetStencilWriteMask,                                                               \
      (VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask, uint32_t writeMask),            \
      (commandBuffer, faceMask, writeMask))                                                        \
    X(PLAIN, CmdSetStencilReference,                                                               \
      (VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask, uint32_t reference),            \
      (commandBuffer, faceMask, reference))                                                        \
    X(PLAIN, CmdSetCullMode, (VkCommandBuffer commandBuffer, VkCullModeFlags cullMode),            \
      (commandBuffer, cullMode))                                                                   \
    X(PLAIN, CmdSetCullModeEXT, (VkCommandBuffer commandBuffer, VkCullModeFlags cullMode),         \
      (commandBuffer, cullMode))                                                                   \
    X(PLAIN, CmdSetFrontFace, (VkCommandBuffer commandBuffer, VkFrontFace frontFace),              \
      (commandBuffer, frontFace))                                                                  \
    X(PLAIN, CmdSetFrontFaceEXT, (VkCommandBuffer commandBuffer, VkFrontFace frontFace),           \
      (commandBuffer, frontFace))                                                                  \
    X(PLAIN, CmdSetPrimitiveTopology,                                                              \
      (VkCommandBuffer commandBuffer, VkPrimitiveTopology primitiveTopology),                      \
      (commandBuffer, primitiveTopology))                                                          \
    X(PLAIN, CmdSetPrimitiveTopologyEXT,                                                           \
      (VkCommandBuffer commandBuffer, VkPrimitiveTopology primitiveTopology),                      \
      (commandBuffer, primitiveTopology))                                                          \
    X(PLAIN, CmdSetDepthTestEnable, (VkCommandBuffer commandBuffer, VkBool32 depthTestEnable),     \
      (commandBuffer, depthTestEnable))                                                            \
    X(PLAIN, CmdSetDepthTestEnableEXT, (VkCommandBuffer commandBuffer, VkBool32 depthTestEnable),  \
      (commandBuffer, depthTestEnable))                                                            \
    X(PLAIN, CmdSetDepthWriteEnable, (VkCommandBuffer commandBuffer, VkBool32 depthWriteEnable),   \
      (commandBuffer, depthWriteEnable))                                                           \
    X(PLAIN, CmdSetDepthWriteEnableEXT,                                                            \
      (VkCommandBuffer commandBuffer, VkBool32 depthWriteEnable),                                  \
      (commandBuffer, depthWriteEnable))                                                           \
    X(PLAIN, CmdSetDepthCompareOp, (VkCommandBuffer commandBuffer, VkCompareOp depthCompareOp),    \
      (commandBuffer, depthCompareOp))                                                             \
    X(PLAIN, CmdSetDepthCompareOpEXT, (VkCommandBuffer commandBuffer, VkCompareOp depthCompareOp), \
      (commandBuffer, depthCompareOp))                                                             \
    X(PLAIN, CmdSetDepthBoundsTestEnable,                                                          \
      (VkCommandBuffer commandBuffer, VkBool32 depthBoundsTestEnable),                             \
      (commandBuffer, depthBoundsTestEnable))                                                      \
    X(PLAIN, CmdSetDepthBoundsTestEnableEXT,                                                       \
      (VkCommandBuffer commandBuffer, VkBool32 depthBoundsTestEnable),                             \
      (commandBuffer, depthBoundsTestEnable))                                                      \
    X(PLAIN, CmdSetStencilTestEnable, (VkCommandBuffer commandBuffer, VkBool32 stencilTestEnable), \
      (commandBuffer, stencilTestEnable))                                                          \
    X(PLAIN, CmdSetStencilTestEnableEXT,                                                           \
      (VkCommandBuffer commandBuffer, VkBool32 stencilTestEnable),                                 \
      (commandBuffer, stencilTestEnable))                                                          \
    X(PLAIN, CmdSetStencilOp,                                                                      \
      (VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask, VkStencilOp failOp,             \
       VkStencilOp passOp, VkStencilOp depthFailOp, VkCompareOp compareOp),                        \
      (commandBuffer, faceMask, failOp, passOp, depthFailOp, compareOp))                           \
    X(PLAIN, CmdSetStencilOpEXT,                                                                   \
      (VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask, VkStencilOp failOp,             \
       VkStencilOp passOp, VkStencilOp depthFailOp, VkCompareOp compareOp),                        \
      (commandBuffer, faceMask, failOp, passOp, depthFailOp, compareOp))                           \
    X(PLAIN, CmdSetRasterizerDiscardEnable,                                                        \
      (VkCommandBuffer commandBuffer, VkBool32 rasterizerDiscardEnable),                           \
      (commandBuffer, rasterizerDiscardEnable))                                                    \
    X(PLAIN, CmdSetRasterizerDiscardEnableEXT,                                                     \
      (VkCommandBuffer commandBuffer, VkBool32 rasterizerDiscardEnable),                           \
      (commandBuffer, rasterizerDiscardEnable))                                                    \
    X(PLAIN, CmdSetDepthBiasEnable, (VkCommandBuffer commandBuffer, VkBool32 depthBiasEnable),     \
      (commandBuffer, depthBiasEnable))                                                            \
    X(PLAIN, CmdSetDepthBiasEnableEXT, (VkCommandBuffer commandBuffer, VkBool32 depthBiasEnable),  \
      (commandBuffer, depthBiasEnable))                                                            \
    X(PLAIN, CmdSetPrimitiveRestartEnable,                                                         \
      (VkCommandBuffer commandBuffer, VkBool32 primitiveRestartEnable),                            \
      (commandBuffer, primitiveRestartEnable))                                                     \
    X(PLAIN, CmdSetPrimitiveRestartEnableEXT,                                                      \
      (VkCommandBuffer commandBuffer, VkBool32 primitiveRestartEnable),                            \
      (commandBuffer, primitiveRestartEnable))                                                     \
    X(PLAIN, CmdSetPolygonModeEXT, (VkCommandBuffer commandBuffer, VkPolygonMode polygonMode),     \
      (commandBuffer, polygonMode))                                                                \
    X(PLAIN, CmdSetColorBlendEnableEXT,                                                            \
      (VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,          \
       FGI_ARRAY(attachmentCount) VkBool32 * pColorBlendEnables),                                  \
      (commandBuffer, firstAttachment, attachmentCount, pColorBlendEnables))                       \
    X(PLAIN, CmdSetColorBlendEquationEXT,                                                          \
      (VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,          \
       FGI_ARRAY(attachmentCount) VkColorBlendEquationEXT * pColorBlendEquations),                 \
      (commandBuffer, firstAttachment, attachmentCount, pColorBlendEquations))                     \
    X(PLAIN, CmdSetColorWriteMaskEXT,                                                              \
      (VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,          \
       FGI_ARRAY(attachmentCount) VkColorComponentFlags * pColorWriteMasks),                       \
      (commandBuffer, firstAttachment, attachmentCount, pColorWriteMasks))

#endif
