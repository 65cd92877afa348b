/* SPDX-License-Identifier: MIT */
#include "gpu_device.h"

#include <stdio.h>
#include <string.h>

enum { MAX_EXTENSIONS = 512, MAX_DEVICES = 16, MAX_FAMILIES = 16 };

bool rd_check(const struct rd_device *device, VkResult result, const char *what)
{
    if (result == VK_SUCCESS) {
        return true;
    }
    return rd_fail(device->log, "%s failed: VkResult %d", what, (int)result);
}

uint32_t rd_device_memory_type(const struct rd_device *device, uint32_t type_bits,
                               VkMemoryPropertyFlags wanted)
{
    for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++) {
        const VkMemoryPropertyFlags has = device->memory.memoryTypes[i].propertyFlags;
        if ((type_bits >> i & 1) != 0 && (has & wanted) == wanted) {
            return i;
        }
    }
    return UINT32_MAX;
}

/** Not ours: some versions of volk ask the device for a function of the instance. */
static bool is_of_volk(const char *message)
{
    return strstr(message, "vkGetDeviceProcAddr") != NULL &&
           strstr(message, "vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR") != NULL;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    struct rd_device *device = user;
    (void)severity;
    (void)types;
    if (!is_of_volk(data->pMessage)) {
        device->message_count++;
        (void)fprintf(stderr, "validation: %s\n", data->pMessage);
    }
    return VK_FALSE;
}

/** Why no device was chosen: there is none, or these are the ones. */
static bool refuse_devices(struct rd_device *device, const VkPhysicalDevice *found, uint32_t count)
{
    char list[1024] = "";
    size_t length = 0;
    if (count == 0) {
        return rd_fail(device->log, "there is no Vulkan device on this machine: install a driver "
                                    "(Debian: mesa-vulkan-drivers has one for every processor)");
    }
    for (uint32_t i = 0; i < count && length < sizeof(list); i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(found[i], &properties);
        length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%u is %s%s",
                                   i > 0 ? ", " : "", i + 1, properties.deviceName,
                                   properties.apiVersion < VK_API_VERSION_1_3
                                       ? " (without Vulkan 1.3, which is needed)"
                                       : "");
    }
    return rd_fail(device->log, "none of the Vulkan devices fits: %s", list);
}

static bool create_instance(struct rd_device *device, bool validate)
{
    static const char *const layer = "VK_LAYER_KHRONOS_validation";
    static const char *const debug_utils = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    static const VkValidationFeatureEnableEXT enabled[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
    };
    const VkValidationFeaturesEXT validation = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = enabled,
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "frameglass demo renderer",
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = validate ? &validation : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = validate ? 1 : 0,
        .ppEnabledLayerNames = &layer,
        .enabledExtensionCount = validate ? 1 : 0,
        .ppEnabledExtensionNames = &debug_utils,
    };
    if (volkInitialize() != VK_SUCCESS) {
        return rd_fail(device->log, "there is no Vulkan loader on this machine: install one and a "
                                    "driver (Debian: libvulkan1 and mesa-vulkan-drivers)");
    }
    const VkResult result = vkCreateInstance(&info, NULL, &device->instance);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        return refuse_devices(device, NULL, 0); /* What a loader without any driver says. */
    }
    if (result == VK_ERROR_LAYER_NOT_PRESENT) {
        return rd_fail(device->log, "the validation layer is not installed (Debian: "
                                    "vulkan-validationlayers)");
    }
    if (!rd_check(device, result, "vkCreateInstance")) {
        return false;
    }
    volkLoadInstance(device->instance);
    if (!validate) {
        return true;
    }
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = device,
    };
    return rd_check(
        device,
        vkCreateDebugUtilsMessengerEXT(device->instance, &messenger, NULL, &device->messenger),
        "vkCreateDebugUtilsMessengerEXT");
}

/** Real ones before virtual ones before those on the processor. */
static int rank(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    default:
        return 1;
    }
}

static bool choose_device(struct rd_device *device, const struct rd_options *options)
{
    VkPhysicalDevice found[MAX_DEVICES];
    uint32_t count = MAX_DEVICES;
    const VkResult result = vkEnumeratePhysicalDevices(device->instance, &count, found);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
        count = 0; /* A driver that cannot start its device is as good as none. */
    }
    int best = 0;
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(found[i], &properties);
        const bool wanted = (options->device == 0 || options->device == i + 1) &&
                            (options->device_name == NULL ||
                             strstr(properties.deviceName, options->device_name) != NULL) &&
                            properties.apiVersion >= VK_API_VERSION_1_3;
        if (wanted && rank(properties.deviceType) > best) {
            best = rank(properties.deviceType);
            device->physical = found[i];
        }
    }
    if (best == 0) {
        return refuse_devices(device, found, count);
    }
    device->driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceProperties2 properties = { .sType =
                                                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                               .pNext = &device->driver };
    vkGetPhysicalDeviceProperties2(device->physical, &properties);
    device->properties = properties.properties;
    device->driver.pNext = NULL;
    vkGetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
    return true;
}

static bool choose_queues(struct rd_device *device, bool single)
{
    VkQueueFamilyProperties families[MAX_FAMILIES];
    uint32_t count = MAX_FAMILIES;
    vkGetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
    device->queue_count = 0;
    for (uint32_t i = 0; i < count && device->queue_count == 0; i++) {
        const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
        if ((families[i].queueFlags & both) == both) {
            device->queues[RD_QUEUE_GRAPHICS].family = i;
            device->queue_count = 1;
        }
    }
    if (device->queue_count == 0) {
        return rd_fail(device->log, "the device has no graphics queue");
    }
    for (uint32_t i = 0; i < count && device->queue_count == 1 && !single; i++) {
        const VkQueueFlags kind = families[i].queueFlags;
        if ((kind & VK_QUEUE_COMPUTE_BIT) != 0 && (kind & VK_QUEUE_GRAPHICS_BIT) == 0) {
            device->queues[RD_QUEUE_COMPUTE].family = i;
            device->queue_count = 2;
        }
    }
    return true;
}

static bool has_extension(const VkExtensionProperties *all, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(all[i].extensionName, name) == 0) {
            return true;
        }
    }
    return false;
}

static void choose_extensions(struct rd_device *device)
{
    /* None is needed to render; a profiler can use them. */
    static const char *const wanted[] = { "VK_EXT_calibrated_timestamps",
                                          "VK_KHR_calibrated_timestamps", "VK_EXT_memory_budget" };
    static VkExtensionProperties all[MAX_EXTENSIONS];
    uint32_t count = MAX_EXTENSIONS;
    (void)vkEnumerateDeviceExtensionProperties(device->physical, NULL, &count, all);
    for (uint32_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        if (has_extension(all, count, wanted[i])) {
            device->extensions[device->info.enabledExtensionCount++] = wanted[i];
        }
    }
}

/** Beside what the renderer needs, what a profiler can use where there is it. */
static void choose_features(struct rd_device *device)
{
    VkPhysicalDeviceVulkan12Features supported12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES
    };
    VkPhysicalDeviceFeatures2 supported = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                            .pNext = &supported12 };
    vkGetPhysicalDeviceFeatures2(device->physical, &supported);
    device->features.occlusionQueryPrecise = supported.features.occlusionQueryPrecise;
    device->features.pipelineStatisticsQuery = supported.features.pipelineStatisticsQuery;
    device->features12 = (VkPhysicalDeviceVulkan12Features){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &device->features13,
        .timelineSemaphore = VK_TRUE,
        .hostQueryReset = supported12.hostQueryReset,
    };
    device->features13 = (VkPhysicalDeviceVulkan13Features){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .synchronization2 = VK_TRUE,
        .dynamicRendering = VK_TRUE,
        /* Vertex stages may say more than a fragment stage of a heat map asks for. */
        .maintenance4 = VK_TRUE,
    };
}

static bool create_logical(struct rd_device *device)
{
    static const float priority = 1.0f;
    for (uint32_t i = 0; i < device->queue_count; i++) {
        device->queue_infos[i] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = device->queues[i].family,
            .queueCount = 1,
            .pQueuePriorities = &priority,
        };
    }
    device->info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    device->info.pNext = &device->features12;
    device->info.queueCreateInfoCount = device->queue_count;
    device->info.pQueueCreateInfos = device->queue_infos;
    device->info.ppEnabledExtensionNames = device->extensions;
    device->info.pEnabledFeatures = &device->features;
    if (!rd_check(device, vkCreateDevice(device->physical, &device->info, NULL, &device->device),
                  "vkCreateDevice")) {
        return false;
    }
    volkLoadDevice(device->device);
    return true;
}

static bool create_queues(struct rd_device *device)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                         .pNext = &type };
    for (uint32_t i = 0; i < device->queue_count; i++) {
        struct rd_queue *queue = &device->queues[i];
        vkGetDeviceQueue(device->device, queue->family, 0, &queue->queue);
        if (!rd_check(device, vkCreateSemaphore(device->device, &info, NULL, &queue->timeline),
                      "vkCreateSemaphore")) {
            return false;
        }
    }
    return true;
}

static bool create_samplers(struct rd_device *device)
{
    for (int i = 0; i < RD_SAMPLER_COUNT; i++) {
        const VkFilter filter = i == RD_SAMPLER_NEAREST ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
        const VkSamplerAddressMode address = i == RD_SAMPLER_SURFACE
                                                 ? VK_SAMPLER_ADDRESS_MODE_REPEAT
                                                 : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
        const VkSamplerCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
            .magFilter = filter,
            .minFilter = filter,
            .mipmapMode = i == RD_SAMPLER_SURFACE ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                  : VK_SAMPLER_MIPMAP_MODE_NEAREST,
            .addressModeU = address,
            .addressModeV = address,
            .addressModeW = address,
            .maxLod = VK_LOD_CLAMP_NONE,
            .compareEnable = i == RD_SAMPLER_SHADOW,
            .compareOp = VK_COMPARE_OP_GREATER_OR_EQUAL,
        };
        if (!rd_check(device, vkCreateSampler(device->device, &info, NULL, &device->samplers[i]),
                      "vkCreateSampler")) {
            return false;
        }
    }
    return true;
}

bool rd_device_init(struct rd_device *device, const struct rd_options *options, struct rd_log *log)
{
    *device = (struct rd_device){ .log = log };
    if (!create_instance(device, options->validate) || !choose_device(device, options) ||
        !choose_queues(device, options->single_queue)) {
        return false;
    }
    choose_extensions(device);
    choose_features(device);
    return create_logical(device) && create_queues(device) && create_samplers(device);
}

void rd_device_finish(struct rd_device *device)
{
    if (device->device != VK_NULL_HANDLE) {
        (void)vkDeviceWaitIdle(device->device);
        for (int i = 0; i < RD_SAMPLER_COUNT; i++) {
            vkDestroySampler(device->device, device->samplers[i], NULL);
        }
        for (uint32_t i = 0; i < RD_MAX_QUEUES; i++) {
            vkDestroySemaphore(device->device, device->queues[i].timeline, NULL);
        }
        vkDestroyDevice(device->device, NULL);
    }
    if (device->instance != VK_NULL_HANDLE) {
        if (device->messenger != VK_NULL_HANDLE) {
            vkDestroyDebugUtilsMessengerEXT(device->instance, device->messenger, NULL);
        }
        vkDestroyInstance(device->instance, NULL);
    }
    device->device = VK_NULL_HANDLE;
    device->instance = VK_NULL_HANDLE;
}
