/* SPDX-License-Identifier: MIT */
/* What Vulkan's types are: members in the order of their structures, without sType and pNext. */
#include "gpu/commands/command_types.h"

#ifndef FGI_DRAWS_HAVE_VULKAN
const struct fgi_type_table fgi_types_vulkan = { NULL, 0 };
#else
#define VK_NO_PROTOTYPES
#include "gpu/commands/vulkan_names.h"
#include <vulkan/vulkan_core.h>

/* X(type, kind): numbers whose names are FGI_<type>. */
#define NAMED_TYPES(X)                                                                             \
    X(VkPipelineBindPoint, FGI_VALUE_ENUM)                                                         \
    X(VkIndexType, FGI_VALUE_ENUM)                                                                 \
    X(VkFilter, FGI_VALUE_ENUM)                                                                    \
    X(VkImageLayout, FGI_VALUE_ENUM)                                                               \
    X(VkAttachmentLoadOp, FGI_VALUE_ENUM)                                                          \
    X(VkAttachmentStoreOp, FGI_VALUE_ENUM)                                                         \
    X(VkResolveModeFlagBits, FGI_VALUE_ENUM)                                                       \
    X(VkSubpassContents, FGI_VALUE_ENUM)                                                           \
    X(VkFrontFace, FGI_VALUE_ENUM)                                                                 \
    X(VkPrimitiveTopology, FGI_VALUE_ENUM)                                                         \
    X(VkCompareOp, FGI_VALUE_ENUM)                                                                 \
    X(VkStencilOp, FGI_VALUE_ENUM)                                                                 \
    X(VkPolygonMode, FGI_VALUE_ENUM)                                                               \
    X(VkBlendFactor, FGI_VALUE_ENUM)                                                               \
    X(VkBlendOp, FGI_VALUE_ENUM)                                                                   \
    X(VkDescriptorType, FGI_VALUE_ENUM)                                                            \
    X(VkPipelineStageFlags, FGI_VALUE_FLAGS)                                                       \
    X(VkPipelineStageFlags2, FGI_VALUE_FLAGS)                                                      \
    X(VkAccessFlags, FGI_VALUE_FLAGS)                                                              \
    X(VkAccessFlags2, FGI_VALUE_FLAGS)                                                             \
    X(VkImageAspectFlags, FGI_VALUE_FLAGS)                                                         \
    X(VkShaderStageFlags, FGI_VALUE_FLAGS)                                                         \
    X(VkDependencyFlags, FGI_VALUE_FLAGS)                                                          \
    X(VkRenderingFlags, FGI_VALUE_FLAGS)                                                           \
    X(VkCommandBufferUsageFlags, FGI_VALUE_FLAGS)                                                  \
    X(VkQueryControlFlags, FGI_VALUE_FLAGS)                                                        \
    X(VkQueryResultFlags, FGI_VALUE_FLAGS)                                                         \
    X(VkSubmitFlags, FGI_VALUE_FLAGS)                                                              \
    X(VkCullModeFlags, FGI_VALUE_FLAGS)                                                            \
    X(VkStencilFaceFlags, FGI_VALUE_FLAGS)                                                         \
    X(VkColorComponentFlags, FGI_VALUE_FLAGS)
/* A stage by itself has the names of its flags. */
#define FGI_VkPipelineStageFlagBits(X) FGI_VkPipelineStageFlags(X)

#define PLAIN_TYPES(X)                                                                             \
    X(uint32_t, FGI_VALUE_UNSIGNED)                                                                \
    X(int32_t, FGI_VALUE_SIGNED)                                                                   \
    X(uint64_t, FGI_VALUE_UNSIGNED)                                                                \
    X(float, FGI_VALUE_FLOAT)                                                                      \
    X(char, FGI_VALUE_CHARACTER)                                                                   \
    X(VkDeviceSize, FGI_VALUE_UNSIGNED)                                                            \
    X(VkDeviceAddress, FGI_VALUE_UNSIGNED)                                                         \
    X(VkBool32, FGI_VALUE_BOOL)                                                                    \
    X(VkClearColorValue, FGI_VALUE_COLOR)                                                          \
    X(VkClearValue, FGI_VALUE_COLOR)                                                               \
    X(VkSubpassEndInfo, FGI_VALUE_STRUCT)                                                          \
    X(VkCommandBuffer, FGI_VALUE_OBJECT)                                                           \
    X(VkQueue, FGI_VALUE_OBJECT)                                                                   \
    X(VkFence, FGI_VALUE_OBJECT)                                                                   \
    X(VkSemaphore, FGI_VALUE_OBJECT)                                                               \
    X(VkEvent, FGI_VALUE_OBJECT)                                                                   \
    X(VkBuffer, FGI_VALUE_OBJECT)                                                                  \
    X(VkImage, FGI_VALUE_OBJECT)                                                                   \
    X(VkImageView, FGI_VALUE_OBJECT)                                                               \
    X(VkPipeline, FGI_VALUE_OBJECT)                                                                \
    X(VkPipelineLayout, FGI_VALUE_OBJECT)                                                          \
    X(VkRenderPass, FGI_VALUE_OBJECT)                                                              \
    X(VkFramebuffer, FGI_VALUE_OBJECT)                                                             \
    X(VkDescriptorSet, FGI_VALUE_OBJECT)                                                           \
    X(VkQueryPool, FGI_VALUE_OBJECT)

/* A structure's members: V one, A so many in it, P a pointer to one, N to as many as `number`,
 * T a text. */
#define V(of, type, name)         MEMBER(of, type, name, FGI_SHAPE_PLAIN, 0, 1)
#define A(of, type, name, number) MEMBER(of, type, name, FGI_SHAPE_PLAIN, 0, number)
#define P(of, type, name)         MEMBER(of, type, name, FGI_SHAPE_POINTER, 0, 1)
#define N(of, type, name, number)                                                                  \
    MEMBER(of, type, name, FGI_SHAPE_POINTER, sizeof(uint32_t), offsetof(of, number))
#define T(of, name) MEMBER(of, char, name, FGI_SHAPE_TEXT, 0, FGI_COMMAND_CHARACTERS_MAX)
#define MEMBER(of, type, name, shape, count_size, count)                                           \
    { #name,                                                                                       \
      sizeof #name - 1,                                                                            \
      offsetof(of, name),                                                                          \
      shape,                                                                                       \
      count_size,                                                                                  \
      false,                                                                                       \
      FGI_COUNT_AS_TOLD,                                                                           \
      count,                                                                                       \
      0,                                                                                           \
      &types[TYPE_##type] },

#define STRUCTURES(S)                                                                              \
    S(VkOffset2D, V(VkOffset2D, int32_t, x) V(VkOffset2D, int32_t, y))                             \
    S(VkExtent2D, V(VkExtent2D, uint32_t, width) V(VkExtent2D, uint32_t, height))                  \
    S(VkOffset3D, V(VkOffset3D, int32_t, x) V(VkOffset3D, int32_t, y) V(VkOffset3D, int32_t, z))   \
    S(VkExtent3D, V(VkExtent3D, uint32_t, width) V(VkExtent3D, uint32_t, height)                   \
                      V(VkExtent3D, uint32_t, depth))                                              \
    S(VkRect2D, V(VkRect2D, VkOffset2D, offset) V(VkRect2D, VkExtent2D, extent))                   \
    S(VkViewport, V(VkViewport, float, x) V(VkViewport, float, y) V(VkViewport, float, width)      \
                      V(VkViewport, float, height) V(VkViewport, float, minDepth)                  \
                          V(VkViewport, float, maxDepth))                                          \
    S(VkClearDepthStencilValue,                                                                    \
      V(VkClearDepthStencilValue, float, depth) V(VkClearDepthStencilValue, uint32_t, stencil))    \
    S(VkClearAttachment, V(VkClearAttachment, VkImageAspectFlags, aspectMask)                      \
                             V(VkClearAttachment, uint32_t, colorAttachment)                       \
                                 V(VkClearAttachment, VkClearValue, clearValue))                   \
    S(VkClearRect, V(VkClearRect, VkRect2D, rect) V(VkClearRect, uint32_t, baseArrayLayer)         \
                       V(VkClearRect, uint32_t, layerCount))                                       \
    S(VkImageSubresourceRange, V(VkImageSubresourceRange, VkImageAspectFlags, aspectMask)          \
                                   V(VkImageSubresourceRange, uint32_t, baseMipLevel)              \
                                       V(VkImageSubresourceRange, uint32_t, levelCount)            \
                                           V(VkImageSubresourceRange, uint32_t, baseArrayLayer)    \
                                               V(VkImageSubresourceRange, uint32_t, layerCount))   \
    S(VkImageSubresourceLayers, V(VkImageSubresourceLayers, VkImageAspectFlags, aspectMask)        \
                                    V(VkImageSubresourceLayers, uint32_t, mipLevel)                \
                                        V(VkImageSubresourceLayers, uint32_t, baseArrayLayer)      \
                                            V(VkImageSubresourceLayers, uint32_t, layerCount))     \
    COPY_STRUCTURES(S)                                                                             \
    BARRIER_STRUCTURES(S)                                                                          \
    PASS_STRUCTURES(S)                                                                             \
    OTHER_STRUCTURES(S)

/* Copies exist twice: without and, as "2", with a pNext. */
#define BUFFER_COPY(S, of)                                                                         \
    S(of, V(of, VkDeviceSize, srcOffset) V(of, VkDeviceSize, dstOffset) V(of, VkDeviceSize, size))
#define IMAGE_COPY(S, of)                                                                          \
    S(of, V(of, VkImageSubresourceLayers, srcSubresource) V(of, VkOffset3D, srcOffset)             \
              V(of, VkImageSubresourceLayers, dstSubresource) V(of, VkOffset3D, dstOffset)         \
                  V(of, VkExtent3D, extent))
#define IMAGE_BLIT(S, of)                                                                          \
    S(of, V(of, VkImageSubresourceLayers, srcSubresource) A(of, VkOffset3D, srcOffsets, 2)         \
              V(of, VkImageSubresourceLayers, dstSubresource) A(of, VkOffset3D, dstOffsets, 2))
#define BUFFER_IMAGE_COPY(S, of)                                                                   \
    S(of, V(of, VkDeviceSize, bufferOffset) V(of, uint32_t, bufferRowLength)                       \
              V(of, uint32_t, bufferImageHeight) V(of, VkImageSubresourceLayers, imageSubresource) \
                  V(of, VkOffset3D, imageOffset) V(of, VkExtent3D, imageExtent))
#define IMAGE_COPY_INFO(S, of, region, more)                                                       \
    S(of, V(of, VkImage, srcImage) V(of, VkImageLayout, srcImageLayout) V(of, VkImage, dstImage)   \
              V(of, VkImageLayout, dstImageLayout) V(of, uint32_t, regionCount)                    \
                  N(of, region, pRegions, regionCount) more)
#define COPY_STRUCTURES(S)                                                                         \
    BUFFER_COPY(S, VkBufferCopy)                                                                   \
    BUFFER_COPY(S, VkBufferCopy2)                                                                  \
    IMAGE_COPY(S, VkImageCopy)                                                                     \
    IMAGE_COPY(S, VkImageCopy2)                                                                    \
    IMAGE_COPY(S, VkImageResolve)                                                                  \
    IMAGE_COPY(S, VkImageResolve2)                                                                 \
    IMAGE_BLIT(S, VkImageBlit)                                                                     \
    IMAGE_BLIT(S, VkImageBlit2)                                                                    \
    BUFFER_IMAGE_COPY(S, VkBufferImageCopy)                                                        \
    BUFFER_IMAGE_COPY(S, VkBufferImageCopy2)                                                       \
    S(VkCopyBufferInfo2,                                                                           \
      V(VkCopyBufferInfo2, VkBuffer, srcBuffer) V(VkCopyBufferInfo2, VkBuffer, dstBuffer)          \
          V(VkCopyBufferInfo2, uint32_t, regionCount)                                              \
              N(VkCopyBufferInfo2, VkBufferCopy2, pRegions, regionCount))                          \
    IMAGE_COPY_INFO(S, VkCopyImageInfo2, VkImageCopy2, )                                           \
    IMAGE_COPY_INFO(S, VkResolveImageInfo2, VkImageResolve2, )                                     \
    IMAGE_COPY_INFO(S, VkBlitImageInfo2, VkImageBlit2, V(VkBlitImageInfo2, VkFilter, filter))      \
    S(VkCopyBufferToImageInfo2,                                                                    \
      V(VkCopyBufferToImageInfo2, VkBuffer, srcBuffer)                                             \
          V(VkCopyBufferToImageInfo2, VkImage, dstImage)                                           \
              V(VkCopyBufferToImageInfo2, VkImageLayout, dstImageLayout)                           \
                  V(VkCopyBufferToImageInfo2, uint32_t, regionCount)                               \
                      N(VkCopyBufferToImageInfo2, VkBufferImageCopy2, pRegions, regionCount))      \
    S(VkCopyImageToBufferInfo2,                                                                    \
      V(VkCopyImageToBufferInfo2, VkImage, srcImage)                                               \
          V(VkCopyImageToBufferInfo2, VkImageLayout, srcImageLayout)                               \
              V(VkCopyImageToBufferInfo2, VkBuffer, dstBuffer)                                     \
                  V(VkCopyImageToBufferInfo2, uint32_t, regionCount)                               \
                      N(VkCopyImageToBufferInfo2, VkBufferImageCopy2, pRegions, regionCount))

#define BUFFER_RANGE(of)                                                                           \
    V(of, uint32_t, srcQueueFamilyIndex)                                                           \
    V(of, uint32_t, dstQueueFamilyIndex)                                                           \
    V(of, VkBuffer, buffer) V(of, VkDeviceSize, offset) V(of, VkDeviceSize, size)
#define IMAGE_RANGE(of)                                                                            \
    V(of, VkImageLayout, oldLayout)                                                                \
    V(of, VkImageLayout, newLayout)                                                                \
    V(of, uint32_t, srcQueueFamilyIndex)                                                           \
    V(of, uint32_t, dstQueueFamilyIndex)                                                           \
    V(of, VkImage, image) V(of, VkImageSubresourceRange, subresourceRange)
#define ACCESS(of) V(of, VkAccessFlags, srcAccessMask) V(of, VkAccessFlags, dstAccessMask)
#define ACCESS2(of)                                                                                \
    V(of, VkPipelineStageFlags2, srcStageMask)                                                     \
    V(of, VkAccessFlags2, srcAccessMask)                                                           \
    V(of, VkPipelineStageFlags2, dstStageMask) V(of, VkAccessFlags2, dstAccessMask)
#define BARRIER_STRUCTURES(S)                                                                      \
    S(VkMemoryBarrier, ACCESS(VkMemoryBarrier))                                                    \
    S(VkBufferMemoryBarrier, ACCESS(VkBufferMemoryBarrier) BUFFER_RANGE(VkBufferMemoryBarrier))    \
    S(VkImageMemoryBarrier, ACCESS(VkImageMemoryBarrier) IMAGE_RANGE(VkImageMemoryBarrier))        \
    S(VkMemoryBarrier2, ACCESS2(VkMemoryBarrier2))                                                 \
    S(VkBufferMemoryBarrier2,                                                                      \
      ACCESS2(VkBufferMemoryBarrier2) BUFFER_RANGE(VkBufferMemoryBarrier2))                        \
    S(VkImageMemoryBarrier2, ACCESS2(VkImageMemoryBarrier2) IMAGE_RANGE(VkImageMemoryBarrier2))    \
    S(VkDependencyInfo,                                                                            \
      V(VkDependencyInfo, VkDependencyFlags, dependencyFlags)                                      \
          V(VkDependencyInfo, uint32_t, memoryBarrierCount)                                        \
              N(VkDependencyInfo, VkMemoryBarrier2, pMemoryBarriers, memoryBarrierCount)           \
                  V(VkDependencyInfo, uint32_t, bufferMemoryBarrierCount)                          \
                      N(VkDependencyInfo, VkBufferMemoryBarrier2, pBufferMemoryBarriers,           \
                        bufferMemoryBarrierCount)                                                  \
                          V(VkDependencyInfo, uint32_t, imageMemoryBarrierCount)                   \
                              N(VkDependencyInfo, VkImageMemoryBarrier2, pImageMemoryBarriers,     \
                                imageMemoryBarrierCount))

#define PASS_STRUCTURES(S)                                                                         \
    S(VkRenderPassBeginInfo,                                                                       \
      V(VkRenderPassBeginInfo, VkRenderPass, renderPass)                                           \
          V(VkRenderPassBeginInfo, VkFramebuffer, framebuffer)                                     \
              V(VkRenderPassBeginInfo, VkRect2D, renderArea)                                       \
                  V(VkRenderPassBeginInfo, uint32_t, clearValueCount)                              \
                      N(VkRenderPassBeginInfo, VkClearValue, pClearValues, clearValueCount))       \
    S(VkSubpassBeginInfo, V(VkSubpassBeginInfo, VkSubpassContents, contents))                      \
    S(VkRenderingAttachmentInfo,                                                                   \
      V(VkRenderingAttachmentInfo, VkImageView, imageView)                                         \
          V(VkRenderingAttachmentInfo, VkImageLayout, imageLayout)                                 \
              V(VkRenderingAttachmentInfo, VkResolveModeFlagBits, resolveMode)                     \
                  V(VkRenderingAttachmentInfo, VkImageView, resolveImageView)                      \
                      V(VkRenderingAttachmentInfo, VkImageLayout, resolveImageLayout)              \
                          V(VkRenderingAttachmentInfo, VkAttachmentLoadOp, loadOp)                 \
                              V(VkRenderingAttachmentInfo, VkAttachmentStoreOp, storeOp)           \
                                  V(VkRenderingAttachmentInfo, VkClearValue, clearValue))          \
    S(VkRenderingInfo,                                                                             \
      V(VkRenderingInfo, VkRenderingFlags, flags) V(VkRenderingInfo, VkRect2D, renderArea)         \
          V(VkRenderingInfo, uint32_t, layerCount) V(VkRenderingInfo, uint32_t, viewMask)          \
              V(VkRenderingInfo, uint32_t, colorAttachmentCount)                                   \
                  N(VkRenderingInfo, VkRenderingAttachmentInfo, pColorAttachments,                 \
                    colorAttachmentCount)                                                          \
                      P(VkRenderingInfo, VkRenderingAttachmentInfo, pDepthAttachment)              \
                          P(VkRenderingInfo, VkRenderingAttachmentInfo, pStencilAttachment))

#define OTHER_STRUCTURES(S)                                                                        \
    S(VkCommandBufferBeginInfo, V(VkCommandBufferBeginInfo, VkCommandBufferUsageFlags, flags))     \
    S(VkDebugUtilsLabelEXT,                                                                        \
      T(VkDebugUtilsLabelEXT, pLabelName) A(VkDebugUtilsLabelEXT, float, color, 4))                \
    S(VkDebugMarkerMarkerInfoEXT,                                                                  \
      T(VkDebugMarkerMarkerInfoEXT, pMarkerName) A(VkDebugMarkerMarkerInfoEXT, float, color, 4))   \
    S(VkSubmitInfo,                                                                                \
      V(VkSubmitInfo, uint32_t, waitSemaphoreCount) N(VkSubmitInfo, VkSemaphore, pWaitSemaphores,  \
                                                      waitSemaphoreCount)                          \
          N(VkSubmitInfo, VkPipelineStageFlags, pWaitDstStageMask, waitSemaphoreCount)             \
              V(VkSubmitInfo, uint32_t, commandBufferCount)                                        \
                  N(VkSubmitInfo, VkCommandBuffer, pCommandBuffers, commandBufferCount)            \
                      V(VkSubmitInfo, uint32_t, signalSemaphoreCount)                              \
                          N(VkSubmitInfo, VkSemaphore, pSignalSemaphores, signalSemaphoreCount))   \
    S(VkSemaphoreSubmitInfo,                                                                       \
      V(VkSemaphoreSubmitInfo, VkSemaphore, semaphore) V(VkSemaphoreSubmitInfo, uint64_t, value)   \
          V(VkSemaphoreSubmitInfo, VkPipelineStageFlags2, stageMask))                              \
    S(VkCommandBufferSubmitInfo, V(VkCommandBufferSubmitInfo, VkCommandBuffer, commandBuffer))     \
    S(VkSubmitInfo2,                                                                               \
      V(VkSubmitInfo2, VkSubmitFlags, flags) V(VkSubmitInfo2, uint32_t, waitSemaphoreInfoCount)    \
          N(VkSubmitInfo2, VkSemaphoreSubmitInfo, pWaitSemaphoreInfos, waitSemaphoreInfoCount)     \
              V(VkSubmitInfo2, uint32_t, commandBufferInfoCount)                                   \
                  N(VkSubmitInfo2, VkCommandBufferSubmitInfo, pCommandBufferInfos,                 \
                    commandBufferInfoCount) V(VkSubmitInfo2, uint32_t, signalSemaphoreInfoCount)   \
                      N(VkSubmitInfo2, VkSemaphoreSubmitInfo, pSignalSemaphoreInfos,               \
                        signalSemaphoreInfoCount))                                                 \
    S(VkStridedDeviceAddressRegionKHR,                                                             \
      V(VkStridedDeviceAddressRegionKHR, VkDeviceAddress, deviceAddress)                           \
          V(VkStridedDeviceAddressRegionKHR, VkDeviceSize, stride)                                 \
              V(VkStridedDeviceAddressRegionKHR, VkDeviceSize, size))                              \
    S(VkMultiDrawInfoEXT,                                                                          \
      V(VkMultiDrawInfoEXT, uint32_t, firstVertex) V(VkMultiDrawInfoEXT, uint32_t, vertexCount))   \
    S(VkMultiDrawIndexedInfoEXT, V(VkMultiDrawIndexedInfoEXT, uint32_t, firstIndex)                \
                                     V(VkMultiDrawIndexedInfoEXT, uint32_t, indexCount)            \
                                         V(VkMultiDrawIndexedInfoEXT, int32_t, vertexOffset))      \
    S(VkWriteDescriptorSet, V(VkWriteDescriptorSet, uint32_t, dstBinding)                          \
                                V(VkWriteDescriptorSet, uint32_t, dstArrayElement)                 \
                                    V(VkWriteDescriptorSet, uint32_t, descriptorCount)             \
                                        V(VkWriteDescriptorSet, VkDescriptorType, descriptorType)) \
    S(VkColorBlendEquationEXT,                                                                     \
      V(VkColorBlendEquationEXT, VkBlendFactor, srcColorBlendFactor)                               \
          V(VkColorBlendEquationEXT, VkBlendFactor, dstColorBlendFactor)                           \
              V(VkColorBlendEquationEXT, VkBlendOp, colorBlendOp)                                  \
                  V(VkColorBlendEquationEXT, VkBlendFactor, srcAlphaBlendFactor)                   \
                      V(VkColorBlendEquationEXT, VkBlendFactor, dstAlphaBlendFactor)               \
                          V(VkColorBlendEquationEXT, VkBlendOp, alphaBlendOp))

#define COUNT(table)        (sizeof(table) / sizeof *(table))
#define NUMBER(type, kind)  TYPE_##type,
#define NUMBER_S(type, ...) TYPE_##type,
enum {
    NAMED_TYPES(NUMBER) NUMBER(VkPipelineStageFlagBits, ) PLAIN_TYPES(NUMBER) STRUCTURES(NUMBER_S)
        TYPES
};

#define VALUE(name, value) { value, #name },
#define VALUES(type, kind)                                                                         \
    static const struct fgi_named_value values_##type[] = { FGI_##type(VALUE) };
NAMED_TYPES(VALUES)
VALUES(VkPipelineStageFlagBits, )

static const struct fgi_command_type types[TYPES];
#define FIELDS(of, ...) static const struct fgi_command_field fields_##of[] = { __VA_ARGS__ };
STRUCTURES(FIELDS)

#define NAMED(type, kind) { #type, kind, sizeof(type), COUNT(values_##type), values_##type, NULL },
#define PLAIN(type, kind) { #type, kind, sizeof(type), 0, NULL, NULL },
#define STRUCTURE(type, ...)                                                                       \
    { #type, FGI_VALUE_STRUCT, sizeof(type), COUNT(fields_##type), NULL, fields_##type },
static const struct fgi_command_type types[TYPES] = { NAMED_TYPES(NAMED) NAMED(
    VkPipelineStageFlagBits, FGI_VALUE_FLAGS) PLAIN_TYPES(PLAIN) STRUCTURES(STRUCTURE) };
const struct fgi_type_table fgi_types_vulkan = { types, TYPES };
#endif
