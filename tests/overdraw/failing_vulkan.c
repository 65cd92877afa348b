/* SPDX-License-Identifier: MIT */
#include "failing_vulkan.h"

#include <string.h>

struct failing_vulkan failing_vulkan = { .countdown = -1 };

static bool refuses(void)
{
    failing_vulkan.call_count++;
    if (failing_vulkan.countdown < 0 || failing_vulkan.countdown-- > 0) {
        return false;
    }
    failing_vulkan.refused = true;
    return true;
}

/* Functions that are alike: what, of which type, from which description. */
#define MAKERS(X)                                                                                  \
    X(AllocateMemory, VkDeviceMemory, VkMemoryAllocateInfo)                                        \
    X(CreateBuffer, VkBuffer, VkBufferCreateInfo)                                                  \
    X(CreateBufferView, VkBufferView, VkBufferViewCreateInfo)                                      \
    X(CreateDescriptorPool, VkDescriptorPool, VkDescriptorPoolCreateInfo)                          \
    X(CreateDescriptorSetLayout, VkDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo)           \
    X(CreateFramebuffer, VkFramebuffer, VkFramebufferCreateInfo)                                   \
    X(CreateImage, VkImage, VkImageCreateInfo)                                                     \
    X(CreateImageView, VkImageView, VkImageViewCreateInfo)                                         \
    X(CreatePipelineLayout, VkPipelineLayout, VkPipelineLayoutCreateInfo)                          \
    X(CreateQueryPool, VkQueryPool, VkQueryPoolCreateInfo)                                         \
    X(CreateRenderPass, VkRenderPass, VkRenderPassCreateInfo)                                      \
    X(CreateShaderModule, VkShaderModule, VkShaderModuleCreateInfo)

#define DEFINE(name, type, info_type)                                                              \
    static VKAPI_ATTR VkResult VKAPI_CALL name(VkDevice device, const info_type *info,             \
                                               const VkAllocationCallbacks *callbacks, type *out)  \
    {                                                                                              \
        return refuses() ? VK_ERROR_OUT_OF_DEVICE_MEMORY : vk##name(device, info, callbacks, out); \
    }
MAKERS(DEFINE)
#undef DEFINE

static VKAPI_ATTR VkResult VKAPI_CALL
CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                        const VkGraphicsPipelineCreateInfo *infos,
                        const VkAllocationCallbacks *callbacks, VkPipeline *out)
{
    return refuses() ? VK_ERROR_OUT_OF_HOST_MEMORY
                     : vkCreateGraphicsPipelines(device, cache, count, infos, callbacks, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL AllocateDescriptorSets(
    VkDevice device, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *out)
{
    return refuses() ? VK_ERROR_OUT_OF_HOST_MEMORY : vkAllocateDescriptorSets(device, info, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL BindBufferMemory(VkDevice device, VkBuffer buffer,
                                                       VkDeviceMemory memory, VkDeviceSize offset)
{
    return refuses() ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                     : vkBindBufferMemory(device, buffer, memory, offset);
}

static VKAPI_ATTR VkResult VKAPI_CALL BindImageMemory(VkDevice device, VkImage image,
                                                      VkDeviceMemory memory, VkDeviceSize offset)
{
    return refuses() ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                     : vkBindImageMemory(device, image, memory, offset);
}

static VKAPI_ATTR VkResult VKAPI_CALL MapMemory(VkDevice device, VkDeviceMemory memory,
                                                VkDeviceSize offset, VkDeviceSize size,
                                                VkMemoryMapFlags flags, void **out)
{
    return refuses() ? VK_ERROR_MEMORY_MAP_FAILED
                     : vkMapMemory(device, memory, offset, size, flags, out);
}

static VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceFormatProperties(VkPhysicalDevice device,
                                                                    VkFormat format,
                                                                    VkFormatProperties *out)
{
    vkGetPhysicalDeviceFormatProperties(device, format, out);
    if (format == failing_vulkan.unblended) {
        out->optimalTilingFeatures &=
            ~(VkFormatFeatureFlags)VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL GetQueryPoolResults(VkDevice device, VkQueryPool pool,
                                                          uint32_t first, uint32_t count,
                                                          size_t size, void *data,
                                                          VkDeviceSize stride,
                                                          VkQueryResultFlags flags)
{
    const VkResult result =
        vkGetQueryPoolResults(device, pool, first, count, size, data, stride, flags);
    const uint32_t lost = failing_vulkan.lost_query;
    if (result == VK_SUCCESS && first == 0) {
        *(uint64_t *)data += failing_vulkan.too_many;
    }
    return lost != 0 && lost >= first && lost < first + count ? VK_NOT_READY : result;
}

struct entry {
    const char *name;
    PFN_vkVoidFunction function;
};
#define ENTRY(name, ...) { "vk" #name, (PFN_vkVoidFunction)name },
static const struct entry entries[] = { MAKERS(ENTRY) ENTRY(CreateGraphicsPipelines)
                                            ENTRY(AllocateDescriptorSets) ENTRY(BindBufferMemory)
                                                ENTRY(BindImageMemory) ENTRY(MapMemory)
                                                    ENTRY(GetQueryPoolResults) };
#undef ENTRY

static bool is_missing(const char *name)
{
    return failing_vulkan.missing != NULL && strcmp(name, failing_vulkan.missing) == 0;
}

PFN_vkVoidFunction failing_vulkan_instance(VkInstance instance, const char *name)
{
    if (is_missing(name)) {
        return NULL;
    }
    return strcmp(name, "vkGetPhysicalDeviceFormatProperties") == 0
               ? (PFN_vkVoidFunction)GetPhysicalDeviceFormatProperties
               : vkGetInstanceProcAddr(instance, name);
}

PFN_vkVoidFunction failing_vulkan_device(VkDevice device, const char *name)
{
    if (is_missing(name)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (strcmp(name, entries[i].name) == 0) {
            return entries[i].function;
        }
    }
    return vkGetDeviceProcAddr(device, name);
}
