/* SPDX-License-Identifier: MIT */
/* The device: the loader is opened when one is wanted, so that the program starts without it. */
#include "cli/device_choice.h"
#include "base/alloc.h"
#include "base/result.h"
#include "cli/device_cache.h"
#include "cli/device_profile.h"
#include "render/render_device.h"
#include <dlfcn.h>
#include <frameglass/compute_runner.h>

#define LOADER "libvulkan.so.1"

/* What is called here; of the instance, then of the device. */
#define INSTANCE_FUNCTIONS(X)                                                                      \
    X(vkDestroyInstance)                                                                           \
    X(vkEnumeratePhysicalDevices)                                                                  \
    X(vkGetPhysicalDeviceProperties)                                                               \
    X(vkGetPhysicalDeviceFeatures2)                                                                \
    X(vkGetPhysicalDeviceQueueFamilyProperties)                                                    \
    X(vkCreateDevice)                                                                              \
    X(vkGetDeviceProcAddr)
#define DEVICE_FUNCTIONS(X)                                                                        \
    X(vkDestroyDevice)                                                                             \
    X(vkDeviceWaitIdle)                                                                            \
    X(vkGetDeviceQueue)                                                                            \
    X(vkCreateCommandPool)                                                                         \
    X(vkDestroyCommandPool)                                                                        \
    X(vkAllocateCommandBuffers)                                                                    \
    X(vkBeginCommandBuffer)                                                                        \
    X(vkEndCommandBuffer)                                                                          \
    X(vkCreateFence)                                                                               \
    X(vkDestroyFence)                                                                              \
    X(vkResetFences)                                                                               \
    X(vkWaitForFences)                                                                             \
    X(vkQueueSubmit)                                                                               \
    X(vkCreatePipelineCache)                                                                       \
    X(vkDestroyPipelineCache)                                                                      \
    X(vkGetPipelineCacheData)

#define MEMBER(name) PFN_##name name;
struct fgi_device {
    void *loader;
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
    INSTANCE_FUNCTIONS(MEMBER)
    DEVICE_FUNCTIONS(MEMBER)
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence done;
    bool draws; /**< the queue does */
    uint32_t family;
    uint32_t enabled; /* enum fg_compute_flags */
    bool has_host_reset;
    struct fgi_device_cache known; /* from earlier runs */
    VkPipelineCache pipelines;
    size_t pipelines_bytes; /* as they were read */
    struct fg_compute_runner runner;
    struct fgi_device_profile *profile; /* NULL: nothing is recorded */
};

static enum fg_result result_of(VkResult result)
{
    switch (result) {
    case VK_SUCCESS:
        return FG_OK;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return FG_ERR_NO_MEMORY;
    case VK_ERROR_DEVICE_LOST:
        return FG_ERR_DEVICE_LOST;
    default:
        return FG_ERR_UNSUPPORTED;
    }
}

/* ---- running --------------------------------------------------------------------------------- */

static enum fg_result begin(void *context, VkCommandBuffer *out_commands)
{
    struct fgi_device *d = context;
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    *out_commands = d->commands;
    VkResult result = d->vkBeginCommandBuffer(d->commands, &info);
    if (result == VK_SUCCESS && d->profile != NULL) {
        fgi_device_profile_begin(d->profile, d->commands);
    }
    return result_of(result);
}

static enum fg_result submit(void *context)
{
    struct fgi_device *d = context;
    const VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &d->commands };
    if (d->profile != NULL) {
        fgi_device_profile_end(d->profile);
    }
    VkResult result = d->vkEndCommandBuffer(d->commands);
    result = result == VK_SUCCESS ? d->vkResetFences(d->device, 1, &d->done) : result;
    if (result == VK_SUCCESS) {
        result = d->profile != NULL ? fgi_device_profile_submit(d->profile, &info, d->done)
                                    : d->vkQueueSubmit(d->queue, 1, &info, d->done);
    }
    return result_of(result);
}

static enum fg_result wait_done(void *context)
{
    struct fgi_device *d = context;
    VkResult result;
    do {
        result = d->vkWaitForFences(d->device, 1, &d->done, VK_TRUE, UINT64_MAX);
    } while (result == VK_TIMEOUT);
    return result_of(result);
}

/* ---- making ---------------------------------------------------------------------------------- */

static enum fg_result open_loader(struct fgi_device *d, struct fg_diag *diag)
{
    d->loader = dlopen(LOADER, RTLD_NOW | RTLD_LOCAL);
    void *entry = d->loader != NULL ? dlsym(d->loader, "vkGetInstanceProcAddr") : NULL;
    if (entry == NULL) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "no Vulkan device: there is no " LOADER);
    }
    d->vkGetInstanceProcAddr = (PFN_vkGetInstanceProcAddr)entry;
    return FG_OK;
}

static enum fg_result create_instance(struct fgi_device *d, struct fg_diag *diag)
{
    const VkApplicationInfo application = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                            .pApplicationName = "frameglass",
                                            .apiVersion = VK_API_VERSION_1_3 };
    const VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                        .pApplicationInfo = &application };
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)d->vkGetInstanceProcAddr(NULL, "vkCreateInstance");
    if (create == NULL || create(&info, NULL, &d->instance) != VK_SUCCESS) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "no Vulkan device: there is no driver");
    }
    bool is_whole = true;
#define LOAD(name)                                                                                 \
    d->name = (PFN_##name)d->vkGetInstanceProcAddr(d->instance, #name);                            \
    is_whole = is_whole && d->name != NULL;
    INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    return is_whole ? FG_OK
                    : fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "no Vulkan 1.1 or later is here");
}

/* The first family that computes and draws, else the first that computes; FG_NONE. */
static uint32_t find_family(const struct fgi_device *d, VkPhysicalDevice physical, bool *out_draws)
{
    const VkQueueFlags both = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT;
    VkQueueFamilyProperties families[16];
    uint32_t count = 16, found = UINT32_MAX;
    d->vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        *out_draws = (families[i].queueFlags & both) == both;
        if (*out_draws) {
            return i;
        }
        if (found == UINT32_MAX && (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) {
            found = i;
        }
    }
    return found;
}

/* A discrete one before an integrated one, any of both before the rest; the first of equals. */
static uint32_t pick_physical(struct fgi_device *d)
{
    static const unsigned ranks[] = {
        [VK_PHYSICAL_DEVICE_TYPE_OTHER] = 1,        [VK_PHYSICAL_DEVICE_TYPE_CPU] = 1,
        [VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU] = 2,  [VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU] = 3,
        [VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU] = 4,
    };
    VkPhysicalDevice devices[16];
    uint32_t count = 16, family = UINT32_MAX;
    unsigned best = 0;
    if (d->vkEnumeratePhysicalDevices(d->instance, &count, devices) < VK_SUCCESS) {
        count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        d->vkGetPhysicalDeviceProperties(devices[i], &properties);
        uint32_t type = (uint32_t)properties.deviceType;
        unsigned rank = type < sizeof ranks / sizeof *ranks ? ranks[type] : 1;
        bool draws = false;
        uint32_t computes = find_family(d, devices[i], &draws);
        if (rank > best && computes != UINT32_MAX && properties.apiVersion >= VK_API_VERSION_1_2) {
            best = rank;
            family = computes;
            d->draws = draws;
            d->physical = devices[i];
        }
    }
    return family;
}

/* Those of an earlier run come back, if the driver knows them again. */
static void create_pipelines(struct fgi_device *d)
{
    VkPhysicalDeviceProperties properties;
    VkPipelineCacheCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
    d->vkGetPhysicalDeviceProperties(d->physical, &properties);
    fgi_device_cache_find(&d->known, &properties);
    void *bytes = fgi_device_cache_pipelines(&d->known, &d->pipelines_bytes);
    info.pInitialData = bytes;
    info.initialDataSize = bytes != NULL ? d->pipelines_bytes : 0;
    if (d->vkCreatePipelineCache(d->device, &info, NULL, &d->pipelines) != VK_SUCCESS) {
        d->pipelines = VK_NULL_HANDLE;
    }
    fgi_free(NULL, bytes, d->pipelines_bytes);
    d->pipelines_bytes = info.initialDataSize;
}

/* Written when there are more than before. */
static void keep_pipelines(struct fgi_device *d)
{
    size_t size = 0;
    if (d->pipelines == VK_NULL_HANDLE || d->known.stem[0] == '\0' ||
        d->vkGetPipelineCacheData(d->device, d->pipelines, &size, NULL) != VK_SUCCESS ||
        size == d->pipelines_bytes || size > FGI_DEVICE_CACHE_BYTES) {
        return;
    }
    size_t room = size;
    void *bytes = fgi_malloc(NULL, room);
    if (bytes != NULL &&
        d->vkGetPipelineCacheData(d->device, d->pipelines, &size, bytes) == VK_SUCCESS) {
        (void)fgi_device_cache_keep_pipelines(&d->known, bytes, size);
    }
    fgi_free(NULL, bytes, room);
}

/* The way to compute that was found to be the fastest here, now or in an earlier run. On a CPU the
   pipelines of all ways would take longer than what is won. */
static void find_choice(struct fgi_device *d, struct fg_compute_options *options)
{
    VkPhysicalDeviceProperties properties;
    struct fg_compute_choice choices[FG_COMPUTE_CHOICES];
    uint32_t count = 0;
    d->vkGetPhysicalDeviceProperties(d->physical, &properties);
    if (!fgi_device_cache_choice(&d->known, &choices[0])) {
        if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU || d->known.stem[0] == '\0' ||
            fg_compute_choose(options, &d->runner, 0, choices, &count) != FG_OK) {
            return;
        }
        (void)fgi_device_cache_keep_choice(&d->known, &choices[0]);
    }
    options->flags |= choices[0].flags;
    options->group_size = choices[0].group_size;
}

/* The device with what is used of it where it is there. */
static enum fg_result create_device(struct fgi_device *d, uint32_t family, struct fg_diag *diag)
{
    static const float priority = 1;
    VkPhysicalDeviceVulkan12Features has12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES
    };
    VkPhysicalDeviceFeatures2 has = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                      .pNext = &has12 };
    d->vkGetPhysicalDeviceFeatures2(d->physical, &has);
    VkPhysicalDeviceVulkan12Features wants12 = { .sType = has12.sType,
                                                 .bufferDeviceAddress = has12.bufferDeviceAddress,
                                                 .hostQueryReset = has12.hostQueryReset };
    const VkPhysicalDeviceFeatures2 wants = {
        .sType = has.sType,
        .pNext = &wants12,
        .features = { .shaderInt64 = has.features.shaderInt64 },
    };
    d->family = family;
    d->has_host_reset = has12.hostQueryReset;
    d->enabled = (has12.bufferDeviceAddress ? FG_COMPUTE_ADDRESS : 0) |
                 (has.features.shaderInt64 ? FG_COMPUTE_INT64 : 0);
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &wants,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue };
    if (d->vkCreateDevice(d->physical, &info, NULL, &d->device) != VK_SUCCESS) {
        d->device = VK_NULL_HANDLE;
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "the driver gives no Vulkan device");
    }
#define LOAD(name) d->name = (PFN_##name)d->vkGetDeviceProcAddr(d->device, #name);
    DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    return FG_OK;
}

static enum fg_result create_commands(struct fgi_device *d, uint32_t family)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = family,
    };
    const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
    VkResult result = d->vkCreateCommandPool(d->device, &pool, NULL, &d->pool);
    if (result == VK_SUCCESS) {
        const VkCommandBufferAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = d->pool,
            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            .commandBufferCount = 1,
        };
        result = d->vkAllocateCommandBuffers(d->device, &info, &d->commands);
    }
    if (result == VK_SUCCESS) {
        result = d->vkCreateFence(d->device, &fence, NULL, &d->done);
    }
    d->vkGetDeviceQueue(d->device, family, 0, &d->queue);
    d->runner.context = d;
    d->runner.begin = begin;
    d->runner.submit = submit;
    d->runner.wait = wait_done;
    return result_of(result);
}

static enum fg_result create_compute(struct fgi_device *d, struct fg_diag *diag)
{
    struct fg_compute_options options = { .instance = d->instance,
                                          .physical_device = d->physical,
                                          .device = d->device,
                                          .get_instance_proc_addr = d->vkGetInstanceProcAddr,
                                          .flags = d->enabled,
                                          .pipeline_cache = d->pipelines,
                                          .queue_family = d->family };
    find_choice(d, &options);
    return fg_compute_create(&options, &d->runner.compute, diag);
}

static enum fg_result fill(struct fgi_device *d, struct fg_diag *diag)
{
    enum fg_result result = open_loader(d, diag);
    result = result == FG_OK ? create_instance(d, diag) : result;
    if (result != FG_OK) {
        return result;
    }
    uint32_t family = pick_physical(d);
    if (family == UINT32_MAX) {
        return fgi_fail(diag, FG_ERR_UNSUPPORTED, 0, "no device of Vulkan 1.2 or later is here");
    }
    result = create_device(d, family, diag);
    result = result == FG_OK ? create_commands(d, family) : result;
    if (result != FG_OK) {
        return result;
    }
    create_pipelines(d);
    return create_compute(d, diag);
}

const struct fg_compute_runner *fgi_device_runner(struct fgi_device **device, struct fg_diag *diag)
{
    if (*device == NULL) {
        struct fgi_device *made = fgi_calloc(NULL, 1, sizeof *made);
        if (made == NULL || fill(made, diag) != FG_OK) {
            fgi_device_destroy(made);
            return NULL;
        }
        *device = made;
    }
    return &(*device)->runner;
}

bool fgi_device_drawing(const struct fgi_device *device, struct fgi_render_device *out_drawing)
{
    *out_drawing =
        (struct fgi_render_device){ .runner = &device->runner,
                                    .instance = device->instance,
                                    .physical = device->physical,
                                    .device = device->device,
                                    .get_instance_proc_addr = device->vkGetInstanceProcAddr };
    return device->draws;
}

enum fg_result fgi_device_record(struct fgi_device *device, const char *path)
{
    const struct fg_vulkan_queue queue = { .queue = device->queue, .family = device->family };
    const struct fg_vulkan_options options = {
        .limits = { .passes = 8192 },
        .flags = device->has_host_reset ? FG_VULKAN_HOST_QUERY_RESET : 0,
        .instance = device->instance,
        .physical_device = device->physical,
        .device = device->device,
        .get_instance_proc_addr = device->vkGetInstanceProcAddr,
        .get_device_proc_addr = device->vkGetDeviceProcAddr,
        .queues = &queue,
        .queue_count = 1,
    };
    return fgi_device_profile_create(&options, device->runner.compute, path, &device->profile);
}

void fgi_device_destroy(struct fgi_device *device)
{
    if (device == NULL) {
        return;
    }
    if (device->device != VK_NULL_HANDLE) {
        (void)device->vkDeviceWaitIdle(device->device);
        fgi_device_profile_destroy(device->profile);
        fg_compute_destroy(device->runner.compute);
        keep_pipelines(device);
        device->vkDestroyPipelineCache(device->device, device->pipelines, NULL);
        device->vkDestroyFence(device->device, device->done, NULL);
        device->vkDestroyCommandPool(device->device, device->pool, NULL);
        device->vkDestroyDevice(device->device, NULL);
    }
    if (device->vkDestroyInstance != NULL) {
        device->vkDestroyInstance(device->instance, NULL);
    }
    if (device->loader != NULL) {
        (void)dlclose(device->loader);
    }
    fgi_free(NULL, device, sizeof *device);
}
