/* SPDX-License-Identifier: MIT */
/* A Vulkan device for tests, with work that takes as long as is asked for. */
#ifndef FGT_VULKAN_BED_H
#define FGT_VULKAN_BED_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define VK_NO_PROTOTYPES
#include <volk.h>

enum {
    BED_TARGETS = 2,
    BED_WIDTH = 320,
    BED_HEIGHT = 180,
    BED_VALUES = 65536,
    BED_MAX_COMMANDS = 64,
    BED_LOCAL_SIZE_ID = 3, /**< SpecId of the compute shader's width */
};

/** What not to use, although the driver has it: so that every fallback is run somewhere. */
enum bed_without {
    BED_WITHOUT_HOST_RESET = 1 << 0,
    BED_WITHOUT_STATISTICS = 1 << 1,
    BED_WITHOUT_CALIBRATION = 1 << 2,
    BED_WITHOUT_VALIDATION = 1 << 3, /**< where time is measured */
};

struct bed {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkCommandPool pool;
    bool has_async; /**< there is a queue for compute alone, which software drivers do not have */
    VkQueue async_queue;
    uint32_t async_family;
    bool validated;       /**< the validation layer is there and watches */
    atomic_uint messages; /**< warnings and errors that it had */
    bool has_statistics;
    bool has_inherited_queries;
    bool has_calibration;
    bool has_labels;
    VkImage images[BED_TARGETS];
    VkImageView views[BED_TARGETS];
    VkDeviceMemory image_memory[BED_TARGETS];
    VkBuffer values;
    VkDeviceMemory values_memory;
    VkBuffer arguments; /**< host-visible: VkDispatchIndirectCommand, then VkDrawIndirectCommand */
    VkDeviceMemory arguments_memory;
    uint32_t *arguments_mapped;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet set;
    VkPipelineLayout draw_layout;
    VkPipelineLayout dispatch_layout;
    VkPipeline draw;
    VkPipeline dispatch;
    VkCommandBuffer commands[BED_MAX_COMMANDS]; /**< allocated so far; freed with the bed */
    uint32_t command_count;
    /** What the device was made with; for fg_vulkan_device_create(). Valid as long as the bed. */
    VkDeviceCreateInfo create_info;
    VkDeviceQueueCreateInfo queue_infos[2];
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceVulkan12Features features12;
    VkPhysicalDeviceVulkan13Features features13;
    const char *extensions[4];
};

/**
 * Prints why and returns false where there is no Vulkan device at all. @param without bed_without
 */
bool bed_create(struct bed *bed, unsigned without);
/** Waits for the device; the layer's messages stay countable. */
void bed_destroy(struct bed *bed);

/** SPIR-V of the compute shader, for registration. */
const uint32_t *bed_dispatch_words(size_t *out_count);

/** Of the first type that is allowed and has what is wanted: there must be one. Owned. */
VkDeviceMemory bed_allocate(const struct bed *bed, const VkMemoryRequirements *needs,
                            VkMemoryPropertyFlags wanted);

VkCommandBuffer bed_commands(struct bed *bed, VkCommandBufferLevel level);
void bed_begin(VkCommandBuffer commands, VkCommandBufferUsageFlags usage);
/** Begin a secondary that continues rendering to the targets, or stands outside of it. */
void bed_begin_secondary(struct bed *bed, VkCommandBuffer commands, VkCommandBufferUsageFlags usage,
                         bool inside);
void bed_end(VkCommandBuffer commands);
/** One batch of one list; a fence where asked for. */
void bed_submit(struct bed *bed, const VkCommandBuffer *commands, uint32_t count, VkFence fence);
void bed_wait_idle(struct bed *bed);
VkFence bed_fence(struct bed *bed);
void bed_fence_wait(struct bed *bed, VkFence fence);

/** Both targets into the layout that passes expect; once per bed, before any pass. */
void bed_prepare_targets(struct bed *bed, VkCommandBuffer commands);
/** What an application does between two passes on one target. */
void bed_barrier(struct bed *bed, VkCommandBuffer commands);
void bed_rendering_begin(struct bed *bed, VkCommandBuffer commands, unsigned target,
                         VkRenderingFlags flags);
void bed_rendering_end(VkCommandBuffer commands);
void bed_draw(struct bed *bed, VkCommandBuffer commands, uint32_t loops);
void bed_draw_indirect(struct bed *bed, VkCommandBuffer commands, uint32_t loops);
void bed_dispatch(struct bed *bed, VkCommandBuffer commands, uint32_t loops, uint32_t groups);
void bed_dispatch_indirect(struct bed *bed, VkCommandBuffer commands, uint32_t loops);

/** Loops with which one pass takes about `target_ns` on this device. */
uint32_t bed_loops_for(struct bed *bed, int64_t target_ns);
int64_t bed_clock_ns(void);

#endif
