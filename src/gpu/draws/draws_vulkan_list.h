/* SPDX-License-Identifier: MIT */
/*
 * The draw entry points of Vulkan's command buffers: X(instance, name, parameters, arguments,
 * counted), with vulkan_core.h's types.
 */
#ifndef FGI_DRAWS_VULKAN_LIST_H
#define FGI_DRAWS_VULKAN_LIST_H
#include "gpu/draws/draw_counts.h"
#include "gpu/draws/words.h"
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

/* Structures of several draws lie `stride` bytes apart. */
static inline struct fg_draw_counts fgi_vk_multi(const VkMultiDrawInfoEXT *draws, uint32_t count,
                                                 uint32_t instances, uint32_t stride)
{
    struct fg_draw_counts call = { .calls = 1, .draws = count };
    for (uint32_t i = 0; i < count; i++) {
        const char *at = (const char *)draws + (size_t)i * stride;
        call.vertices +=
            (uint64_t)((const VkMultiDrawInfoEXT *)(const void *)at)->vertexCount * instances;
    }
    call.instances = (uint64_t)count * instances;
    return call;
}

static inline struct fg_draw_counts fgi_vk_multi_indexed(const VkMultiDrawIndexedInfoEXT *draws,
                                                         uint32_t count, uint32_t instances,
                                                         uint32_t stride)
{
    struct fg_draw_counts call = { .calls = 1, .draws = count };
    for (uint32_t i = 0; i < count; i++) {
        const char *at = (const char *)draws + (size_t)i * stride;
        call.indices +=
            (uint64_t)((const VkMultiDrawIndexedInfoEXT *)(const void *)at)->indexCount * instances;
    }
    call.instances = (uint64_t)count * instances;
    return call;
}

/** How many vertices lie in the counted bytes only the GPU knows. */
static inline struct fg_draw_counts fgi_vk_byte_count(uint32_t instances)
{
    struct fg_draw_counts call = fgi_draws_unsized(1);
    call.instances = instances;
    return call;
}

#define FGI_VK_INDIRECT(X, i, name)                                                                \
    X(i, name,                                                                                     \
      (VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset, uint32_t drawCount,    \
       uint32_t stride),                                                                           \
      (commandBuffer, buffer, offset, drawCount, stride), fgi_draws_unsized(drawCount))
#define FGI_VK_INDIRECT_COUNT(X, i, name)                                                          \
    X(i, name,                                                                                     \
      (VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset, VkBuffer countBuffer,  \
       VkDeviceSize countBufferOffset, uint32_t maxDrawCount, uint32_t stride),                    \
      (commandBuffer, buffer, offset, countBuffer, countBufferOffset, maxDrawCount, stride),       \
      fgi_draws_uncounted(maxDrawCount))
#define FGI_VK_DISPATCH_BASE(X, i, name)                                                           \
    X(i, name,                                                                                     \
      (VkCommandBuffer commandBuffer, uint32_t baseGroupX, uint32_t baseGroupY,                    \
       uint32_t baseGroupZ, uint32_t groupCountX, uint32_t groupCountY, uint32_t groupCountZ),     \
      (commandBuffer, baseGroupX, baseGroupY, baseGroupZ, groupCountX, groupCountY, groupCountZ),  \
      fgi_draws_dispatch(groupCountX, groupCountY, groupCountZ))

#define FGI_DRAWS_VULKAN(X, i)                                                                     \
    X(i, CmdDraw,                                                                                  \
      (VkCommandBuffer commandBuffer, uint32_t vertexCount, uint32_t instanceCount,                \
       uint32_t firstVertex, uint32_t firstInstance),                                              \
      (commandBuffer, vertexCount, instanceCount, firstVertex, firstInstance),                     \
      fgi_draws_plain(vertexCount, instanceCount))                                                 \
    X(i, CmdDrawIndexed,                                                                           \
      (VkCommandBuffer commandBuffer, uint32_t indexCount, uint32_t instanceCount,                 \
       uint32_t firstIndex, int32_t vertexOffset, uint32_t firstInstance),                         \
      (commandBuffer, indexCount, instanceCount, firstIndex, vertexOffset, firstInstance),         \
      fgi_draws_indexed(indexCount, instanceCount))                                                \
    FGI_VK_INDIRECT(X, i, CmdDrawIndirect)                                                         \
    FGI_VK_INDIRECT(X, i, CmdDrawIndexedIndirect)                                                  \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndirectCount)                                              \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndirectCountKHR)                                           \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndirectCountAMD)                                           \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndexedIndirectCount)                                       \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndexedIndirectCountKHR)                                    \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndexedIndirectCountAMD)                                    \
    X(i, CmdDrawMultiEXT,                                                                          \
      (VkCommandBuffer commandBuffer, uint32_t drawCount,                                          \
       FGI_STRIDED(drawCount, stride) VkMultiDrawInfoEXT * pVertexInfo, uint32_t instanceCount,    \
       uint32_t firstInstance, uint32_t stride),                                                   \
      (commandBuffer, drawCount, pVertexInfo, instanceCount, firstInstance, stride),               \
      fgi_vk_multi(pVertexInfo, drawCount, instanceCount, stride))                                 \
    X(i, CmdDrawMultiIndexedEXT,                                                                   \
      (VkCommandBuffer commandBuffer, uint32_t drawCount,                                          \
       FGI_STRIDED(drawCount, stride) VkMultiDrawIndexedInfoEXT * pIndexInfo,                      \
       uint32_t instanceCount, uint32_t firstInstance, uint32_t stride,                            \
       const int32_t *pVertexOffset),                                                              \
      (commandBuffer, drawCount, pIndexInfo, instanceCount, firstInstance, stride, pVertexOffset), \
      fgi_vk_multi_indexed(pIndexInfo, drawCount, instanceCount, stride))                          \
    X(i, CmdDrawIndirectByteCountEXT,                                                              \
      (VkCommandBuffer commandBuffer, uint32_t instanceCount, uint32_t firstInstance,              \
       VkBuffer counterBuffer, VkDeviceSize counterBufferOffset, uint32_t counterOffset,           \
       uint32_t vertexStride),                                                                     \
      (commandBuffer, instanceCount, firstInstance, counterBuffer, counterBufferOffset,            \
       counterOffset, vertexStride),                                                               \
      fgi_vk_byte_count(instanceCount))                                                            \
    X(i, CmdDrawMeshTasksEXT,                                                                      \
      (VkCommandBuffer commandBuffer, uint32_t groupCountX, uint32_t groupCountY,                  \
       uint32_t groupCountZ),                                                                      \
      (commandBuffer, groupCountX, groupCountY, groupCountZ), fgi_draws_unsized(1))                \
    FGI_VK_INDIRECT(X, i, CmdDrawMeshTasksIndirectEXT)                                             \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawMeshTasksIndirectCountEXT)                                  \
    X(i, CmdDrawMeshTasksNV,                                                                       \
      (VkCommandBuffer commandBuffer, uint32_t taskCount, uint32_t firstTask),                     \
      (commandBuffer, taskCount, firstTask), fgi_draws_unsized(1))                                 \
    FGI_VK_INDIRECT(X, i, CmdDrawMeshTasksIndirectNV)                                              \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawMeshTasksIndirectCountNV)                                   \
    X(i, CmdDispatch,                                                                              \
      (VkCommandBuffer commandBuffer, uint32_t groupCountX, uint32_t groupCountY,                  \
       uint32_t groupCountZ),                                                                      \
      (commandBuffer, groupCountX, groupCountY, groupCountZ),                                      \
      fgi_draws_dispatch(groupCountX, groupCountY, groupCountZ))                                   \
    FGI_VK_DISPATCH_BASE(X, i, CmdDispatchBase)                                                    \
    FGI_VK_DISPATCH_BASE(X, i, CmdDispatchBaseKHR)                                                 \
    X(i, CmdDispatchIndirect,                                                                      \
      (VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset),                       \
      (commandBuffer, buffer, offset), fgi_draws_dispatch_indirect())                              \
    X(i, CmdTraceRaysKHR,                                                                          \
      (VkCommandBuffer commandBuffer,                                                              \
       const VkStridedDeviceAddressRegionKHR *pRaygenShaderBindingTable,                           \
       const VkStridedDeviceAddressRegionKHR *pMissShaderBindingTable,                             \
       const VkStridedDeviceAddressRegionKHR *pHitShaderBindingTable,                              \
       const VkStridedDeviceAddressRegionKHR *pCallableShaderBindingTable, uint32_t width,         \
       uint32_t height, uint32_t depth),                                                           \
      (commandBuffer, pRaygenShaderBindingTable, pMissShaderBindingTable, pHitShaderBindingTable,  \
       pCallableShaderBindingTable, width, height, depth),                                         \
      fgi_draws_trace())                                                                           \
    X(i, CmdTraceRaysIndirectKHR,                                                                  \
      (VkCommandBuffer commandBuffer,                                                              \
       const VkStridedDeviceAddressRegionKHR *pRaygenShaderBindingTable,                           \
       const VkStridedDeviceAddressRegionKHR *pMissShaderBindingTable,                             \
       const VkStridedDeviceAddressRegionKHR *pHitShaderBindingTable,                              \
       const VkStridedDeviceAddressRegionKHR *pCallableShaderBindingTable,                         \
       VkDeviceAddress indirectDeviceAddress),                                                     \
      (commandBuffer, pRaygenShaderBindingTable, pMissShaderBindingTable, pHitShaderBindingTable,  \
       pCallableShaderBindingTable, indirectDeviceAddress),                                        \
      fgi_draws_trace())                                                                           \
    X(i, CmdTraceRaysIndirect2KHR,                                                                 \
      (VkCommandBuffer commandBuffer, VkDeviceAddress indirectDeviceAddress),                      \
      (commandBuffer, indirectDeviceAddress), fgi_draws_trace())                                   \
    X(i, CmdTraceRaysNV,                                                                           \
      (VkCommandBuffer commandBuffer, VkBuffer raygenShaderBindingTableBuffer,                     \
       VkDeviceSize raygenShaderBindingOffset, VkBuffer missShaderBindingTableBuffer,              \
       VkDeviceSize missShaderBindingOffset, VkDeviceSize missShaderBindingStride,                 \
       VkBuffer hitShaderBindingTableBuffer, VkDeviceSize hitShaderBindingOffset,                  \
       VkDeviceSize hitShaderBindingStride, VkBuffer callableShaderBindingTableBuffer,             \
       VkDeviceSize callableShaderBindingOffset, VkDeviceSize callableShaderBindingStride,         \
       uint32_t width, uint32_t height, uint32_t depth),                                           \
      (commandBuffer, raygenShaderBindingTableBuffer, raygenShaderBindingOffset,                   \
       missShaderBindingTableBuffer, missShaderBindingOffset, missShaderBindingStride,             \
       hitShaderBindingTableBuffer, hitShaderBindingOffset, hitShaderBindingStride,                \
       callableShaderBindingTableBuffer, callableShaderBindingOffset, callableShaderBindingStride, \
       width, height, depth),                                                                      \
      fgi_draws_trace())

#endif
