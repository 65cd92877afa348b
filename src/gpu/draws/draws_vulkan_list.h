/* SPDX-License-Identifier: MIT */
/*
 * The draw entry points of Vulkan's command buffers: X(instance, name, parameters, arguments,
 * counted), with vulkan_core.h's types.
 */
#ifndef FGI_DRAWS_VULKAN_LIST_H
#define FGI_DRAWS_VULKAN_LIST_H

#define FGI_VK_INDIRECT(X, i, name)                                                                \
    X(i, name,                                                                                     \
      (VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset, uint32_t draws,             \
       uint32_t stride),                                                                           \
      (commands, buffer, offset, draws, stride), fgi_draws_unsized(draws))
#define FGI_VK_INDIRECT_COUNT(X, i, name)                                                          \
    X(i, name,                                                                                     \
      (VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset, VkBuffer count_buffer,      \
       VkDeviceSize count_offset, uint32_t most, uint32_t stride),                                 \
      (commands, buffer, offset, count_buffer, count_offset, most, stride),                        \
      fgi_draws_uncounted(most))
#define FGI_VK_DISPATCH_BASE(X, i, name)                                                           \
    X(i, name,                                                                                     \
      (VkCommandBuffer commands, uint32_t base_x, uint32_t base_y, uint32_t base_z, uint32_t x,    \
       uint32_t y, uint32_t z),                                                                    \
      (commands, base_x, base_y, base_z, x, y, z), fgi_draws_dispatch(x, y, z))

#define FGI_VK_REGION const VkStridedDeviceAddressRegionKHR *
#define FGI_DRAWS_VULKAN(X, i)                                                                     \
    X(i, CmdDraw,                                                                                  \
      (VkCommandBuffer commands, uint32_t vertices, uint32_t instances, uint32_t first_vertex,     \
       uint32_t first_instance),                                                                   \
      (commands, vertices, instances, first_vertex, first_instance),                               \
      fgi_draws_plain(vertices, instances))                                                        \
    X(i, CmdDrawIndexed,                                                                           \
      (VkCommandBuffer commands, uint32_t indices, uint32_t instances, uint32_t first_index,       \
       int32_t vertex_offset, uint32_t first_instance),                                            \
      (commands, indices, instances, first_index, vertex_offset, first_instance),                  \
      fgi_draws_indexed(indices, instances))                                                       \
    FGI_VK_INDIRECT(X, i, CmdDrawIndirect)                                                         \
    FGI_VK_INDIRECT(X, i, CmdDrawIndexedIndirect)                                                  \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndirectCount)                                              \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndirectCountKHR)                                           \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndirectCountAMD)                                           \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndexedIndirectCount)                                       \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndexedIndirectCountKHR)                                    \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawIndexedIndirectCountAMD)                                    \
    X(i, CmdDrawMultiEXT,                                                                          \
      (VkCommandBuffer commands, uint32_t count, const VkMultiDrawInfoEXT *draws,                  \
       uint32_t instances, uint32_t first_instance, uint32_t stride),                              \
      (commands, count, draws, instances, first_instance, stride),                                 \
      multi(draws, count, instances, stride))                                                      \
    X(i, CmdDrawMultiIndexedEXT,                                                                   \
      (VkCommandBuffer commands, uint32_t count, const VkMultiDrawIndexedInfoEXT *draws,           \
       uint32_t instances, uint32_t first_instance, uint32_t stride,                               \
       const int32_t *vertex_offset),                                                              \
      (commands, count, draws, instances, first_instance, stride, vertex_offset),                  \
      multi_indexed(draws, count, instances, stride))                                              \
    X(i, CmdDrawIndirectByteCountEXT,                                                              \
      (VkCommandBuffer commands, uint32_t instances, uint32_t first_instance, VkBuffer buffer,     \
       VkDeviceSize offset, uint32_t counter_offset, uint32_t stride),                             \
      (commands, instances, first_instance, buffer, offset, counter_offset, stride),               \
      byte_count(instances))                                                                       \
    X(i, CmdDrawMeshTasksEXT, (VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z),      \
      (commands, x, y, z), fgi_draws_unsized(1))                                                   \
    FGI_VK_INDIRECT(X, i, CmdDrawMeshTasksIndirectEXT)                                             \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawMeshTasksIndirectCountEXT)                                  \
    X(i, CmdDrawMeshTasksNV, (VkCommandBuffer commands, uint32_t count, uint32_t first),           \
      (commands, count, first), fgi_draws_unsized(1))                                              \
    FGI_VK_INDIRECT(X, i, CmdDrawMeshTasksIndirectNV)                                              \
    FGI_VK_INDIRECT_COUNT(X, i, CmdDrawMeshTasksIndirectCountNV)                                   \
    X(i, CmdDispatch, (VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z),              \
      (commands, x, y, z), fgi_draws_dispatch(x, y, z))                                            \
    FGI_VK_DISPATCH_BASE(X, i, CmdDispatchBase)                                                    \
    FGI_VK_DISPATCH_BASE(X, i, CmdDispatchBaseKHR)                                                 \
    X(i, CmdDispatchIndirect, (VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset),    \
      (commands, buffer, offset), fgi_draws_dispatch_indirect())                                   \
    X(i, CmdTraceRaysKHR,                                                                          \
      (VkCommandBuffer commands, FGI_VK_REGION raygen, FGI_VK_REGION miss, FGI_VK_REGION hit,      \
       FGI_VK_REGION callable, uint32_t width, uint32_t height, uint32_t depth),                   \
      (commands, raygen, miss, hit, callable, width, height, depth), fgi_draws_trace())            \
    X(i, CmdTraceRaysIndirectKHR,                                                                  \
      (VkCommandBuffer commands, FGI_VK_REGION raygen, FGI_VK_REGION miss, FGI_VK_REGION hit,      \
       FGI_VK_REGION callable, VkDeviceAddress at),                                                \
      (commands, raygen, miss, hit, callable, at), fgi_draws_trace())                              \
    X(i, CmdTraceRaysIndirect2KHR, (VkCommandBuffer commands, VkDeviceAddress at), (commands, at), \
      fgi_draws_trace())                                                                           \
    X(i, CmdTraceRaysNV,                                                                           \
      (VkCommandBuffer commands, VkBuffer raygen, VkDeviceSize raygen_offset, VkBuffer miss,       \
       VkDeviceSize miss_offset, VkDeviceSize miss_stride, VkBuffer hit, VkDeviceSize hit_offset,  \
       VkDeviceSize hit_stride, VkBuffer callable, VkDeviceSize callable_offset,                   \
       VkDeviceSize callable_stride, uint32_t width, uint32_t height, uint32_t depth),             \
      (commands, raygen, raygen_offset, miss, miss_offset, miss_stride, hit, hit_offset,           \
       hit_stride, callable, callable_offset, callable_stride, width, height, depth),              \
      fgi_draws_trace())

#endif
