/* SPDX-License-Identifier: MIT */
/* What a device was made with. Vulkan does not tell later, so it is read from its create info. */
#include "base/bytes.h"
#include "gpu/vulkan/vulkan_priv.h"
#include <string.h>

/** Features of Vulkan 1.0 in the order of their structure, which holds nothing else. */
static const char *const core_features[] = {
    "robustBufferAccess",
    "fullDrawIndexUint32",
    "imageCubeArray",
    "independentBlend",
    "geometryShader",
    "tessellationShader",
    "sampleRateShading",
    "dualSrcBlend",
    "logicOp",
    "multiDrawIndirect",
    "drawIndirectFirstInstance",
    "depthClamp",
    "depthBiasClamp",
    "fillModeNonSolid",
    "depthBounds",
    "wideLines",
    "largePoints",
    "alphaToOne",
    "multiViewport",
    "samplerAnisotropy",
    "textureCompressionETC2",
    "textureCompressionASTC_LDR",
    "textureCompressionBC",
    "occlusionQueryPrecise",
    "pipelineStatisticsQuery",
    "vertexPipelineStoresAndAtomics",
    "fragmentStoresAndAtomics",
    "shaderTessellationAndGeometryPointSize",
    "shaderImageGatherExtended",
    "shaderStorageImageExtendedFormats",
    "shaderStorageImageMultisample",
    "shaderStorageImageReadWithoutFormat",
    "shaderStorageImageWriteWithoutFormat",
    "shaderUniformBufferArrayDynamicIndexing",
    "shaderSampledImageArrayDynamicIndexing",
    "shaderStorageBufferArrayDynamicIndexing",
    "shaderStorageImageArrayDynamicIndexing",
    "shaderClipDistance",
    "shaderCullDistance",
    "shaderFloat64",
    "shaderInt64",
    "shaderInt16",
    "shaderResourceResidency",
    "shaderResourceMinLod",
    "sparseBinding",
    "sparseResidencyBuffer",
    "sparseResidencyImage2D",
    "sparseResidencyImage3D",
    "sparseResidency2Samples",
    "sparseResidency4Samples",
    "sparseResidency8Samples",
    "sparseResidency16Samples",
    "sparseResidencyAliased",
    "variableMultisampleRate",
    "inheritedQueries",
};
#define CORE_FEATURES (sizeof core_features / sizeof *core_features)
_Static_assert(sizeof(VkPhysicalDeviceFeatures) == CORE_FEATURES * sizeof(VkBool32),
               "one name per feature");

/** Later features that say how frames are built. */
struct later_feature {
    VkStructureType type;
    size_t offset;
    const char *name;
};
static const struct later_feature later_features[] = {
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
      offsetof(VkPhysicalDeviceVulkan11Features, multiview), "multiview" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
      offsetof(VkPhysicalDeviceVulkan12Features, drawIndirectCount), "drawIndirectCount" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
      offsetof(VkPhysicalDeviceVulkan12Features, descriptorIndexing), "descriptorIndexing" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
      offsetof(VkPhysicalDeviceVulkan12Features, hostQueryReset), "hostQueryReset" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
      offsetof(VkPhysicalDeviceVulkan12Features, timelineSemaphore), "timelineSemaphore" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
      offsetof(VkPhysicalDeviceVulkan12Features, bufferDeviceAddress), "bufferDeviceAddress" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
      offsetof(VkPhysicalDeviceVulkan13Features, synchronization2), "synchronization2" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
      offsetof(VkPhysicalDeviceVulkan13Features, dynamicRendering), "dynamicRendering" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
      offsetof(VkPhysicalDeviceVulkan13Features, maintenance4), "maintenance4" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
      offsetof(VkPhysicalDeviceHostQueryResetFeatures, hostQueryReset), "hostQueryReset" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
      offsetof(VkPhysicalDeviceTimelineSemaphoreFeatures, timelineSemaphore), "timelineSemaphore" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
      offsetof(VkPhysicalDeviceSynchronization2Features, synchronization2), "synchronization2" },
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
      offsetof(VkPhysicalDeviceDynamicRenderingFeatures, dynamicRendering), "dynamicRendering" },
};
#define LATER_FEATURES (sizeof later_features / sizeof *later_features)

static bool is_on(const void *structure, size_t offset)
{
    VkBool32 value;
    memcpy(&value, (const char *)structure + offset, sizeof value);
    return value != VK_FALSE;
}

static const VkPhysicalDeviceFeatures *find_core(const VkDeviceCreateInfo *info)
{
    for (const VkBaseInStructure *next = info->pNext; next != NULL; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
            return &((const VkPhysicalDeviceFeatures2 *)next)->features;
        }
    }
    return info->pEnabledFeatures;
}

bool fgi_vulkan_feature_host_reset(const VkDeviceCreateInfo *info)
{
    for (const VkBaseInStructure *next = info != NULL ? info->pNext : NULL; next != NULL;
         next = next->pNext) {
        for (size_t i = 0; i < LATER_FEATURES; i++) {
            if (next->sType == later_features[i].type &&
                strcmp(later_features[i].name, "hostQueryReset") == 0 &&
                is_on(next, later_features[i].offset)) {
                return true;
            }
        }
    }
    return false;
}

bool fgi_vulkan_feature_statistics(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceFeatures *core = info != NULL ? find_core(info) : NULL;
    return core != NULL && core->pipelineStatisticsQuery;
}

static void put_name(struct fgi_bytes *bytes, const char *name)
{
    fgi_put_raw(bytes, name, strlen(name) + 1);
}

/** Copied now, because the create info is borrowed and sessions start later. */
enum fg_result fgi_vulkan_keep_features(struct fgi_vulkan_device *device,
                                        const VkDeviceCreateInfo *info)
{
    struct fgi_bytes names = { .allocator = device->base.allocator };
    if (info == NULL) {
        return FG_OK;
    }
    const VkPhysicalDeviceFeatures *core = find_core(info);
    for (size_t i = 0; core != NULL && i < CORE_FEATURES; i++) {
        if (is_on(core, i * sizeof(VkBool32))) {
            put_name(&names, core_features[i]);
        }
    }
    for (const VkBaseInStructure *next = info->pNext; next != NULL; next = next->pNext) {
        for (size_t i = 0; i < LATER_FEATURES; i++) {
            if (next->sType == later_features[i].type && is_on(next, later_features[i].offset)) {
                put_name(&names, later_features[i].name);
            }
        }
    }
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        put_name(&names, info->ppEnabledExtensionNames[i]);
    }
    if (names.result != FG_OK) {
        enum fg_result result = names.result;
        fgi_bytes_finish(&names);
        return result;
    }
    device->features = names;
    return FG_OK;
}
