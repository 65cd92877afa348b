/* SPDX-License-Identifier: MIT */
/* Instance, device and the objects that the work is made of. */
#define VOLK_IMPLEMENTATION
#include "vulkan_bed.h"
#include "burn_comp.h"
#include "burn_frag.h"
#include "fullscreen_vert.h"
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

/**
 * The layer's opinion of the loader, and of volk 1.3.239, which asks the device for a function of
 * the instance wherever the driver has video encoding. Neither is about the recorder.
 */
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
    struct bed *bed = context;
    if (severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT && !is_about_others(data)) {
        atomic_fetch_add(&bed->messages, 1);
        fprintf(stderr, "validation: %s\n", data->pMessage);
    }
    return VK_FALSE;
}

static bool has_layer(const char *name)
{
    VkLayerProperties layers[64];
    uint32_t count = 64;
    if (vkEnumerateInstanceLayerProperties(&count, layers) < VK_SUCCESS) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(layers[i].layerName, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_instance_extension(const char *layer, const char *name)
{
    VkExtensionProperties extensions[128];
    uint32_t count = 128;
    if (vkEnumerateInstanceExtensionProperties(layer, &count, extensions) < VK_SUCCESS) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(extensions[i].extensionName, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_device_extension(VkPhysicalDevice physical, const char *name)
{
    VkExtensionProperties *extensions = NULL;
    uint32_t count = 0;
    bool found = false;
    vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
    extensions = calloc(count, sizeof *extensions);
    vkEnumerateDeviceExtensionProperties(physical, NULL, &count, extensions);
    for (uint32_t i = 0; i < count; i++) {
        found = found || strcmp(extensions[i].extensionName, name) == 0;
    }
    free(extensions);
    return found;
}

static bool create_instance(struct bed *bed, unsigned without)
{
    if (volkInitialize() != VK_SUCCESS) {
        fprintf(stderr, "no Vulkan loader\n");
        return false;
    }
    bed->validated = !(without & BED_WITHOUT_VALIDATION) && has_layer(VALIDATION_LAYER);
    bed->has_labels =
        bed->validated || has_instance_extension(NULL, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    const char *layer = VALIDATION_LAYER;
    const char *extensions[2] = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                  VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME };
    const VkValidationFeatureEnableEXT enabled[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
    };
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = bed,
    };
    VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &messenger,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = enabled,
    };
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "frameglass tests",
        .apiVersion = VK_API_VERSION_1_3,
    };
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = bed->validated ? &features : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = bed->validated,
        .ppEnabledLayerNames = &layer,
        .enabledExtensionCount = bed->validated ? 2 : bed->has_labels,
        .ppEnabledExtensionNames = extensions,
    };
    VkResult result = vkCreateInstance(&info, NULL, &bed->instance);
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

static bool pick_physical(struct bed *bed)
{
    VkPhysicalDevice devices[8];
    uint32_t count = 8;
    if (vkEnumeratePhysicalDevices(bed->instance, &count, devices) < VK_SUCCESS || count == 0) {
        fprintf(stderr, "no Vulkan device\n");
        return false;
    }
    bed->physical = devices[0];
    vkGetPhysicalDeviceProperties(bed->physical, &bed->properties);
    VkQueueFamilyProperties families[16];
    count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(bed->physical, &count, families);
    const VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    while (bed->family < count && (families[bed->family].queueFlags & wanted) != wanted) {
        bed->family++;
    }
    for (uint32_t i = 0; i < count && !bed->has_async; i++) {
        bed->has_async = (families[i].queueFlags & wanted) == VK_QUEUE_COMPUTE_BIT &&
                         families[i].timestampValidBits != 0;
        bed->async_family = i;
    }
    return bed->family < count;
}

static void create_device(struct bed *bed, unsigned without)
{
    VkPhysicalDeviceVulkan12Features has12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES
    };
    VkPhysicalDeviceFeatures2 has = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                      .pNext = &has12 };
    vkGetPhysicalDeviceFeatures2(bed->physical, &has);
    bed->has_statistics =
        has.features.pipelineStatisticsQuery && !(without & BED_WITHOUT_STATISTICS);
    bed->has_inherited_queries = has.features.inheritedQueries;
    bed->features13 = (VkPhysicalDeviceVulkan13Features){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .synchronization2 = VK_TRUE,
        .dynamicRendering = VK_TRUE,
    };
    bed->features12 = (VkPhysicalDeviceVulkan12Features){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &bed->features13,
        .hostQueryReset = has12.hostQueryReset && !(without & BED_WITHOUT_HOST_RESET),
        .timelineSemaphore = VK_TRUE,
    };
    bed->features = (VkPhysicalDeviceFeatures2){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &bed->features12,
        .features = { .occlusionQueryPrecise = has.features.occlusionQueryPrecise,
                      .pipelineStatisticsQuery = bed->has_statistics,
                      .inheritedQueries = bed->has_inherited_queries },
    };
    bed->has_calibration =
        !(without & BED_WITHOUT_CALIBRATION) &&
        has_device_extension(bed->physical, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
    bed->extensions[0] = VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME;
    static const float priority = 1.0f;
    for (uint32_t i = 0; i < 2; i++) {
        bed->queue_infos[i] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = i == 0 ? bed->family : bed->async_family,
            .queueCount = 1,
            .pQueuePriorities = &priority,
        };
    }
    bed->create_info = (VkDeviceCreateInfo){
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &bed->features,
        .queueCreateInfoCount = bed->has_async ? 2 : 1,
        .pQueueCreateInfos = bed->queue_infos,
        .enabledExtensionCount = bed->has_calibration,
        .ppEnabledExtensionNames = bed->extensions,
    };
    must(vkCreateDevice(bed->physical, &bed->create_info, NULL, &bed->device), "vkCreateDevice");
    volkLoadDevice(bed->device);
    vkGetDeviceQueue(bed->device, bed->family, 0, &bed->queue);
    if (bed->has_async) {
        vkGetDeviceQueue(bed->device, bed->async_family, 0, &bed->async_queue);
    }
    VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = bed->family,
    };
    must(vkCreateCommandPool(bed->device, &pool, NULL, &bed->pool), "vkCreateCommandPool");
}

VkDeviceMemory bed_allocate(const struct bed *bed, const VkMemoryRequirements *needs,
                            VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties memory;
    VkDeviceMemory allocation;
    uint32_t type = 0;
    vkGetPhysicalDeviceMemoryProperties(bed->physical, &memory);
    while (!(needs->memoryTypeBits & 1u << type) ||
           (memory.memoryTypes[type].propertyFlags & wanted) != wanted) {
        type++;
    }
    VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .allocationSize = needs->size,
                                  .memoryTypeIndex = type };
    must(vkAllocateMemory(bed->device, &info, NULL, &allocation), "vkAllocateMemory");
    return allocation;
}

static void create_target(struct bed *bed, unsigned target)
{
    VkMemoryRequirements needs;
    VkImageCreateInfo image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .extent = { BED_WIDTH, BED_HEIGHT, 1 },
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    must(vkCreateImage(bed->device, &image, NULL, &bed->images[target]), "vkCreateImage");
    vkGetImageMemoryRequirements(bed->device, bed->images[target], &needs);
    bed->image_memory[target] = bed_allocate(bed, &needs, 0);
    must(vkBindImageMemory(bed->device, bed->images[target], bed->image_memory[target], 0),
         "vkBindImageMemory");
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = bed->images[target],
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = image.format,
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
    };
    must(vkCreateImageView(bed->device, &view, NULL, &bed->views[target]), "vkCreateImageView");
}

static VkDeviceMemory create_buffer(struct bed *bed, VkDeviceSize size, VkBufferUsageFlags usage,
                                    VkMemoryPropertyFlags wanted, VkBuffer *out_buffer)
{
    VkMemoryRequirements needs;
    VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .size = size,
                                .usage = usage };
    must(vkCreateBuffer(bed->device, &info, NULL, out_buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(bed->device, *out_buffer, &needs);
    VkDeviceMemory memory = bed_allocate(bed, &needs, wanted);
    must(vkBindBufferMemory(bed->device, *out_buffer, memory, 0), "vkBindBufferMemory");
    return memory;
}

static void create_buffers(struct bed *bed)
{
    bed->values_memory = create_buffer(bed, BED_VALUES * sizeof(float),
                                       VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0, &bed->values);
    bed->arguments_memory = create_buffer(
        bed, 256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
        &bed->arguments);
    void *mapped;
    must(vkMapMemory(bed->device, bed->arguments_memory, 0, VK_WHOLE_SIZE, 0, &mapped),
         "vkMapMemory");
    bed->arguments_mapped = mapped;
    const uint32_t arguments[7] = { 5, 3, 2, 3, 4, 0, 0 };
    memcpy(mapped, arguments, sizeof arguments);
}

/** One layout per stage: lavapipe 22.3 trips over constants of a stage that has no pipeline. */
static VkPipelineLayout create_layout(struct bed *bed, const VkDescriptorSetLayout *set,
                                      VkShaderStageFlags stage)
{
    VkPipelineLayout layout;
    VkPushConstantRange push = { stage, 0, sizeof(uint32_t) };
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = set != NULL,
        .pSetLayouts = set,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    must(vkCreatePipelineLayout(bed->device, &info, NULL, &layout), "vkCreatePipelineLayout");
    return layout;
}

static void create_layouts(struct bed *bed)
{
    VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                             VK_SHADER_STAGE_COMPUTE_BIT, NULL };
    VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    must(vkCreateDescriptorSetLayout(bed->device, &set, NULL, &bed->set_layout),
         "vkCreateDescriptorSetLayout");
    bed->draw_layout = create_layout(bed, NULL, VK_SHADER_STAGE_FRAGMENT_BIT);
    bed->dispatch_layout = create_layout(bed, &bed->set_layout, VK_SHADER_STAGE_COMPUTE_BIT);
    VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
    VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    must(vkCreateDescriptorPool(bed->device, &pool, NULL, &bed->descriptor_pool),
         "vkCreateDescriptorPool");
    VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = bed->descriptor_pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &bed->set_layout,
    };
    must(vkAllocateDescriptorSets(bed->device, &allocate, &bed->set), "vkAllocateDescriptorSets");
    VkDescriptorBufferInfo buffer = { bed->values, 0, VK_WHOLE_SIZE };
    VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = bed->set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &buffer,
    };
    vkUpdateDescriptorSets(bed->device, 1, &write, 0, NULL);
}

static VkShaderModule create_module(struct bed *bed, const uint32_t *words, size_t size)
{
    VkShaderModule module;
    VkShaderModuleCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                      .codeSize = size,
                                      .pCode = words };
    must(vkCreateShaderModule(bed->device, &info, NULL, &module), "vkCreateShaderModule");
    return module;
}

static void create_draw_pipeline(struct bed *bed)
{
    VkShaderModule vertex = create_module(bed, fullscreen_vert, sizeof fullscreen_vert);
    VkShaderModule fragment = create_module(bed, burn_frag, sizeof burn_frag);
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineShaderStageCreateInfo stages[2] = {
        { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = VK_SHADER_STAGE_VERTEX_BIT,
          .module = vertex,
          .pName = "main" },
        { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
          .module = fragment,
          .pName = "main" },
    };
    const VkViewport viewport = { 0, 0, BED_WIDTH, BED_HEIGHT, 0, 1 };
    const VkRect2D scissor = { { 0, 0 }, { BED_WIDTH, BED_HEIGHT } };
    const VkPipelineColorBlendAttachmentState blend = { .colorWriteMask = 0xf };
    VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
    };
    VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &rendering,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState =
            &(VkPipelineVertexInputStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO },
        .pInputAssemblyState =
            &(VkPipelineInputAssemblyStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST },
        .pViewportState =
            &(VkPipelineViewportStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                .viewportCount = 1,
                .pViewports = &viewport,
                .scissorCount = 1,
                .pScissors = &scissor },
        .pRasterizationState =
            &(VkPipelineRasterizationStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                .lineWidth = 1 },
        .pMultisampleState =
            &(VkPipelineMultisampleStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT },
        .pColorBlendState =
            &(VkPipelineColorBlendStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                .attachmentCount = 1,
                .pAttachments = &blend },
        .layout = bed->draw_layout,
    };
    must(vkCreateGraphicsPipelines(bed->device, VK_NULL_HANDLE, 1, &info, NULL, &bed->draw),
         "vkCreateGraphicsPipelines");
    vkDestroyShaderModule(bed->device, vertex, NULL);
    vkDestroyShaderModule(bed->device, fragment, NULL);
}

static void create_dispatch_pipeline(struct bed *bed)
{
    VkShaderModule module = create_module(bed, burn_comp, sizeof burn_comp);
    const uint32_t width = 32;
    const VkSpecializationMapEntry entry = { BED_LOCAL_SIZE_ID, 0, sizeof width };
    const VkSpecializationInfo specialization = { 1, &entry, sizeof width, &width };
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = module,
                   .pName = "main",
                   .pSpecializationInfo = &specialization },
        .layout = bed->dispatch_layout,
    };
    must(vkCreateComputePipelines(bed->device, VK_NULL_HANDLE, 1, &info, NULL, &bed->dispatch),
         "vkCreateComputePipelines");
    vkDestroyShaderModule(bed->device, module, NULL);
}

bool bed_create(struct bed *bed, unsigned without)
{
    memset(bed, 0, sizeof *bed);
    if (!create_instance(bed, without) || !pick_physical(bed)) {
        return false;
    }
    create_device(bed, without);
    for (unsigned target = 0; target < BED_TARGETS; target++) {
        create_target(bed, target);
    }
    create_buffers(bed);
    create_layouts(bed);
    create_draw_pipeline(bed);
    create_dispatch_pipeline(bed);
    VkCommandBuffer commands = bed_commands(bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    bed_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    bed_prepare_targets(bed, commands);
    bed_end(commands);
    bed_submit(bed, &commands, 1, VK_NULL_HANDLE);
    bed_wait_idle(bed);
    return true;
}

void bed_destroy(struct bed *bed)
{
    vkDeviceWaitIdle(bed->device);
    vkDestroyPipeline(bed->device, bed->draw, NULL);
    vkDestroyPipeline(bed->device, bed->dispatch, NULL);
    vkDestroyPipelineLayout(bed->device, bed->draw_layout, NULL);
    vkDestroyPipelineLayout(bed->device, bed->dispatch_layout, NULL);
    vkDestroyDescriptorPool(bed->device, bed->descriptor_pool, NULL);
    vkDestroyDescriptorSetLayout(bed->device, bed->set_layout, NULL);
    vkDestroyBuffer(bed->device, bed->values, NULL);
    vkFreeMemory(bed->device, bed->values_memory, NULL);
    vkDestroyBuffer(bed->device, bed->arguments, NULL);
    vkFreeMemory(bed->device, bed->arguments_memory, NULL);
    for (unsigned i = 0; i < BED_TARGETS; i++) {
        vkDestroyImageView(bed->device, bed->views[i], NULL);
        vkDestroyImage(bed->device, bed->images[i], NULL);
        vkFreeMemory(bed->device, bed->image_memory[i], NULL);
    }
    vkDestroyCommandPool(bed->device, bed->pool, NULL);
    vkDestroyDevice(bed->device, NULL);
    if (bed->messenger != VK_NULL_HANDLE) {
        vkDestroyDebugUtilsMessengerEXT(bed->instance, bed->messenger, NULL);
    }
    vkDestroyInstance(bed->instance, NULL);
}

const uint32_t *bed_dispatch_words(size_t *out_count)
{
    *out_count = sizeof burn_comp / sizeof *burn_comp;
    return burn_comp;
}
