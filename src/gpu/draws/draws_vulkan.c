/* SPDX-License-Identifier: MIT */
#include "gpu/draws/draws_priv.h"

#ifndef FGI_DRAWS_HAVE_VULKAN
const struct fgi_draw_api fgi_draws_vulkan = { NULL, 0 };
#else
#define VK_NO_PROTOTYPES
#include "gpu/draws/draws_vulkan_list.h"
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

/* A wrapper that is not of its entry point's type would lose arguments. */
#define SAME_TYPE(i, name, parameters, arguments, counted)                                         \
    _Static_assert(_Generic((PFN_vk##name)0, void(VKAPI_PTR *) parameters : 1, default : 0), #name);
FGI_DRAWS_VULKAN(SAME_TYPE, 0)

#define FGI_DRAWS_PREFIX "vk"
#define FGI_DRAWS_CALL   VKAPI_PTR
FGI_DRAWS_API(fgi_draws_vulkan, FGI_DRAWS_VULKAN)
#endif
