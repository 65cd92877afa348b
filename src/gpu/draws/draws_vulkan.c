/* SPDX-License-Identifier: MIT */
#include "gpu/draws/draws_priv.h"

#ifndef FGI_DRAWS_HAVE_VULKAN
const struct fgi_draw_api fgi_draws_vulkan = { NULL, 0 };
#else
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

/* Structures of several draws lie `stride` bytes apart. */
static struct fg_draw_counts multi(const VkMultiDrawInfoEXT *draws, uint32_t count,
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

static struct fg_draw_counts multi_indexed(const VkMultiDrawIndexedInfoEXT *draws, uint32_t count,
                                           uint32_t instances, uint32_t stride)
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
static struct fg_draw_counts byte_count(uint32_t instances)
{
    struct fg_draw_counts call = fgi_draws_unsized(1);
    call.instances = instances;
    return call;
}

#define INDIRECT(X, i, name)                                                                       \
    X(i, name,                                                                                     \
      (VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset, uint32_t draws,             \
       uint32_t stride),                                                                           \
      (commands, buffer, offset, draws, stride), fgi_draws_unsized(draws))
#define INDIRECT_COUNT(X, i, name)                                                                 \
    X(i, name,                                                                                     \
      (VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset, VkBuffer count_buffer,      \
       VkDeviceSize count_offset, uint32_t most, uint32_t stride),                                 \
      (commands, buffer, offset, count_buffer, count_offset, most, stride),                        \
      fgi_draws_uncounted(most))
#define DISPATCH_BASE(X, i, name)                                                                  \
    X(i, name,                                                                                     \
      (VkCommandBuffer commands, uint32_t base_x, uint32_t base_y, uint32_t base_z, uint32_t x,    \
       uint32_t y, uint32_t z),                                                                    \
      (commands, base_x, base_y, base_z, x, y, z), fgi_draws_dispatch(x, y, z))

#define REGION const VkStridedDeviceAddressRegionKHR *
#define VULKAN(X, i)                                                                               \
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
    INDIRECT(X, i, CmdDrawIndirect)                                                                \
    INDIRECT(X, i, CmdDrawIndexedIndirect)                                                         \
    INDIRECT_COUNT(X, i, CmdDrawIndirectCount)                                                     \
    INDIRECT_COUNT(X, i, CmdDrawIndirectCountKHR)                                                  \
    INDIRECT_COUNT(X, i, CmdDrawIndirectCountAMD)                                                  \
    INDIRECT_COUNT(X, i, CmdDrawIndexedIndirectCount)                                              \
    INDIRECT_COUNT(X, i, CmdDrawIndexedIndirectCountKHR)                                           \
    INDIRECT_COUNT(X, i, CmdDrawIndexedIndirectCountAMD)                                           \
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
    INDIRECT(X, i, CmdDrawMeshTasksIndirectEXT)                                                    \
    INDIRECT_COUNT(X, i, CmdDrawMeshTasksIndirectCountEXT)                                         \
    X(i, CmdDrawMeshTasksNV, (VkCommandBuffer commands, uint32_t count, uint32_t first),           \
      (commands, count, first), fgi_draws_unsized(1))                                              \
    INDIRECT(X, i, CmdDrawMeshTasksIndirectNV)                                                     \
    INDIRECT_COUNT(X, i, CmdDrawMeshTasksIndirectCountNV)                                          \
    X(i, CmdDispatch, (VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z),              \
      (commands, x, y, z), fgi_draws_dispatch(x, y, z))                                            \
    DISPATCH_BASE(X, i, CmdDispatchBase)                                                           \
    DISPATCH_BASE(X, i, CmdDispatchBaseKHR)                                                        \
    X(i, CmdDispatchIndirect, (VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset),    \
      (commands, buffer, offset), fgi_draws_dispatch_indirect())                                   \
    X(i, CmdTraceRaysKHR,                                                                          \
      (VkCommandBuffer commands, REGION raygen, REGION miss, REGION hit, REGION callable,          \
       uint32_t width, uint32_t height, uint32_t depth),                                           \
      (commands, raygen, miss, hit, callable, width, height, depth), fgi_draws_trace())            \
    X(i, CmdTraceRaysIndirectKHR,                                                                  \
      (VkCommandBuffer commands, REGION raygen, REGION miss, REGION hit, REGION callable,          \
       VkDeviceAddress at),                                                                        \
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

/* A wrapper that is not of its entry point's type would lose arguments. */
#define SAME_TYPE(i, name, parameters, arguments, counted)                                         \
    _Static_assert(_Generic((PFN_vk##name)0, void(VKAPI_PTR *) parameters : 1, default : 0), #name);
VULKAN(SAME_TYPE, 0)

#define FGI_DRAWS_PREFIX "vk"
#define FGI_DRAWS_CALL   VKAPI_PTR
FGI_DRAWS_API(fgi_draws_vulkan, VULKAN)
#endif
