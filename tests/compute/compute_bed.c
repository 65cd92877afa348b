/* SPDX-License-Identifier: MIT */
#define VOLK_IMPLEMENTATION
#include "compute_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

static void must(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
        abort();
    }
}

static void must_be_ok(enum fg_result result, const char *what)
{
    if (result != FG_OK) {
        fprintf(stderr, "%s: %s\n", what, fg_result_name(result));
        abort();
    }
}

/** The layer's opinion of the loader, and of volk, which asks the device for a function of the
 *  instance wherever the driver has video encoding. */
static bool is_about_others(const VkDebugUtilsMessengerCallbackDataEXT *data)
{
    return (data->pMessageIdName != NULL && strcmp(data->pMessageIdName, "Loader Message") == 0) ||
           strstr(data->pMessage,
                  "vkGetDeviceProcAddr(): pName is trying to grab "
                  "vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR") != NULL;
}

static VkBool32 VKAPI_PTR on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                     const VkDebugUtilsMessengerCallbackDataEXT *data,
                                     void *context)
{
    (void)types;
    struct compute_bed *bed = context;
    if (severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT && !is_about_others(data)) {
        atomic_fetch_add(&bed->messages, 1);
        fprintf(stderr, "validation: %s\n", data->pMessage);
    }
    return VK_FALSE;
}

static bool has_layer(void)
{
    VkLayerProperties layers[64];
    uint32_t count = 64;
    if (vkEnumerateInstanceLayerProperties(&count, layers) < VK_SUCCESS) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(layers[i].layerName, VALIDATION_LAYER) == 0) {
            return true;
        }
    }
    return false;
}

static bool create_instance(struct compute_bed *bed, bool is_watched)
{
    if (volkInitialize() != VK_SUCCESS) {
        fprintf(stderr, "no Vulkan loader\n");
        return false;
    }
    bed->validated = is_watched && has_layer();
    const char *layer = VALIDATION_LAYER;
    const char *extensions[] = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                 VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME };
    const VkValidationFeatureEnableEXT enabled =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = bed,
    };
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &messenger,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = &enabled,
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "frameglass tests",
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = bed->validated ? &features : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = bed->validated,
        .ppEnabledLayerNames = &layer,
        .enabledExtensionCount = bed->validated ? 2 : 0,
        .ppEnabledExtensionNames = extensions,
    };
    const VkResult result = vkCreateInstance(&info, NULL, &bed->instance);
    if (result != VK_SUCCESS) {
        fprintf(stderr, "no Vulkan instance: VkResult %d\n", (int)result);
        return false;
    }
    volkLoadInstance(bed->instance);
    if (bed->validated) {
        must(vkCreateDebugUtilsMessengerEXT(bed->instance, &messenger, NULL, &bed->messenger),
             "vkCreateDebugUtilsMessengerEXT");
    }
    return true;
}

static bool pick_physical(struct compute_bed *bed)
{
    VkPhysicalDevice devices[8];
    VkQueueFamilyProperties families[16];
    uint32_t count = 8;
    if (vkEnumeratePhysicalDevices(bed->instance, &count, devices) < VK_SUCCESS || count == 0) {
        fprintf(stderr, "no Vulkan device\n");
        return false;
    }
    bed->physical = devices[0];
    count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(bed->physical, &count, families);
    const VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    while (bed->family < count && (families[bed->family].queueFlags & wanted) != wanted) {
        bed->family++;
    }
    return bed->family < count;
}

static bool create_device(struct compute_bed *bed, uint32_t flags)
{
    static const float priority = 1.0f;
    VkPhysicalDeviceVulkan13Features has13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES
    };
    VkPhysicalDeviceVulkan12Features has12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &has13
    };
    VkPhysicalDeviceFeatures2 has = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                      .pNext = &has12 };
    vkGetPhysicalDeviceFeatures2(bed->physical, &has);
    if (!has12.bufferDeviceAddress) {
        fprintf(stderr, "the device has no bufferDeviceAddress\n");
        return false;
    }
    bed->features13 = (VkPhysicalDeviceVulkan13Features){
        .sType = has13.sType,
        .synchronization2 = has13.synchronization2 && (flags & FG_COMPUTE_NO_SYNCHRONIZATION2) == 0,
    };
    bed->features12 = (VkPhysicalDeviceVulkan12Features){ .sType = has12.sType,
                                                          .pNext = &bed->features13,
                                                          .bufferDeviceAddress = VK_TRUE };
    bed->features = (VkPhysicalDeviceFeatures2){
        .sType = has.sType,
        .pNext = &bed->features12,
        .features = { .shaderInt64 =
                          has.features.shaderInt64 && (flags & FG_COMPUTE_NO_INT64) == 0 },
    };
    bed->queue_info = (VkDeviceQueueCreateInfo){
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = bed->family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    bed->create_info = (VkDeviceCreateInfo){
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &bed->features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &bed->queue_info,
    };
    must(vkCreateDevice(bed->physical, &bed->create_info, NULL, &bed->device), "vkCreateDevice");
    volkLoadDevice(bed->device);
    vkGetDeviceQueue(bed->device, bed->family, 0, &bed->queue);
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = bed->family,
    };
    must(vkCreateCommandPool(bed->device, &pool, NULL, &bed->pool), "vkCreateCommandPool");
    bed->commands = compute_bed_commands(bed);
    return true;
}

void compute_bed_renew(struct compute_bed *bed)
{
    struct fg_diag diag = { 0 };
    fg_compute_destroy(bed->compute);
    bed->compute = NULL;
    if (fg_compute_create(&bed->options, &bed->compute, &diag) != FG_OK) {
        fprintf(stderr, "no compute: %s\n", diag.message);
        abort();
    }
}

bool compute_bed_create(struct compute_bed *bed, uint32_t flags)
{
    memset(bed, 0, sizeof *bed);
    if (!create_instance(bed, (flags & COMPUTE_BED_UNWATCHED) == 0) || !pick_physical(bed) ||
        !create_device(bed, flags)) {
        return false;
    }
    bed->options = (struct fg_compute_options){
        .instance = bed->instance,
        .physical_device = bed->physical,
        .device = bed->device,
        .get_instance_proc_addr = vkGetInstanceProcAddr,
        .create_info = &bed->create_info,
        .queue_family = bed->family,
        .flags = flags & ~COMPUTE_BED_UNWATCHED,
    };
    compute_bed_renew(bed);
    return true;
}

void compute_bed_destroy(struct compute_bed *bed)
{
    if (bed->device != VK_NULL_HANDLE) {
        vkDeviceWaitIdle(bed->device);
        fg_compute_destroy(bed->compute);
        vkDestroyCommandPool(bed->device, bed->pool, NULL);
        vkDestroyDevice(bed->device, NULL);
    }
    if (bed->messenger != VK_NULL_HANDLE) {
        vkDestroyDebugUtilsMessengerEXT(bed->instance, bed->messenger, NULL);
    }
    if (bed->instance != VK_NULL_HANDLE) {
        vkDestroyInstance(bed->instance, NULL);
    }
    bed->compute = NULL;
    bed->device = VK_NULL_HANDLE;
    bed->instance = VK_NULL_HANDLE;
    bed->messenger = VK_NULL_HANDLE;
}

VkCommandBuffer compute_bed_commands(struct compute_bed *bed)
{
    VkCommandBuffer commands;
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = bed->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    must(vkAllocateCommandBuffers(bed->device, &info, &commands), "vkAllocateCommandBuffers");
    return commands;
}

void compute_bed_begin(VkCommandBuffer commands)
{
    const VkCommandBufferBeginInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
    must(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

void compute_bed_end(VkCommandBuffer commands)
{
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

void compute_bed_submit(struct compute_bed *bed, VkCommandBuffer commands)
{
    const VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &commands };
    must(vkQueueSubmit(bed->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    must(vkQueueWaitIdle(bed->queue), "vkQueueWaitIdle");
}

void compute_bed_run(struct compute_bed *bed, struct fg_compute_graph *graph)
{
    must_be_ok(fg_compute_graph_compile(graph), "fg_compute_graph_compile");
    compute_bed_begin(bed->commands);
    must_be_ok(fg_compute_graph_encode(graph, bed->commands), "fg_compute_graph_encode");
    compute_bed_end(bed->commands);
    compute_bed_submit(bed, bed->commands);
}

/** Copy, and let the host see it. */
static void copy(struct compute_bed *bed, struct fg_compute_view source,
                 struct fg_compute_view target)
{
    struct fg_compute_graph *graph = NULL;
    const struct fg_compute_use seen = { .view = target,
                                         .access = FG_COMPUTE_READ,
                                         .stages = VK_PIPELINE_STAGE_HOST_BIT,
                                         .accesses = VK_ACCESS_HOST_READ_BIT };
    must_be_ok(fg_compute_graph_create(bed->compute, NULL, &graph), "fg_compute_graph_create");
    must_be_ok(fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "copy", .kind = FG_COMPUTE_COPY,
                                                           .source = source, .target = target)),
               "copy");
    must_be_ok(
        fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "copied", .kind = FG_COMPUTE_PUBLISH,
                                                    .uses = &seen, .use_count = 1)),
        "copied");
    compute_bed_run(bed, graph);
    fg_compute_graph_destroy(graph);
}

void compute_bed_write(struct compute_bed *bed, struct fg_compute_view view, const void *bytes)
{
    struct fg_compute_memory staging;
    must_be_ok(fg_compute_memory_take(bed->compute, FG_COMPUTE_UPLOAD, view.size_bytes, &staging),
               "upload memory");
    memcpy(staging.host, bytes, view.size_bytes);
    copy(bed, staging.view, view);
    fg_compute_memory_free(bed->compute, &staging);
}

void compute_bed_read(struct compute_bed *bed, struct fg_compute_view view, void *out_bytes)
{
    struct fg_compute_memory staging;
    must_be_ok(fg_compute_memory_take(bed->compute, FG_COMPUTE_READBACK, view.size_bytes, &staging),
               "readback memory");
    copy(bed, view, staging.view);
    memcpy(out_bytes, staging.host, view.size_bytes);
    fg_compute_memory_free(bed->compute, &staging);
}

struct fg_compute_memory compute_bed_memory(struct compute_bed *bed, const void *bytes,
                                            uint64_t size_bytes)
{
    struct fg_compute_memory memory;
    must_be_ok(fg_compute_memory_take(bed->compute, FG_COMPUTE_DEVICE, size_bytes, &memory),
               "device memory");
    if (bytes != NULL) {
        compute_bed_write(bed, memory.view, bytes);
    }
    return memory;
}
