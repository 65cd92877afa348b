/* SPDX-License-Identifier: MIT */
/* Inside of the Vulkan backend: entry points, device, timers, landings. */
#ifndef FGI_VULKAN_PRIV_H
#define FGI_VULKAN_PRIV_H
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include "base/bytes.h"
#include "record/device.h"
#include <frameglass/gpu_vulkan.h>
#include <stdatomic.h>

/** Asked of the instance: X(member, name, alternative name or NULL, required). */
#define FGI_VULKAN_INSTANCE_FUNCTIONS(X)                                                           \
    X(GetPhysicalDeviceProperties, "vkGetPhysicalDeviceProperties", NULL, true)                    \
    X(GetPhysicalDeviceQueueFamilyProperties, "vkGetPhysicalDeviceQueueFamilyProperties", NULL,    \
      true)                                                                                        \
    X(GetPhysicalDeviceMemoryProperties, "vkGetPhysicalDeviceMemoryProperties", NULL, true)        \
    X(EnumerateDeviceExtensionProperties, "vkEnumerateDeviceExtensionProperties", NULL, true)      \
    X(GetPhysicalDeviceProperties2, "vkGetPhysicalDeviceProperties2",                              \
      "vkGetPhysicalDeviceProperties2KHR", false)                                                  \
    X(GetPhysicalDeviceMemoryProperties2, "vkGetPhysicalDeviceMemoryProperties2",                  \
      "vkGetPhysicalDeviceMemoryProperties2KHR", false)                                            \
    X(GetPhysicalDeviceCalibrateableTimeDomainsEXT,                                                \
      "vkGetPhysicalDeviceCalibrateableTimeDomainsKHR",                                            \
      "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", false)

/** Asked of the device. */
#define FGI_VULKAN_DEVICE_FUNCTIONS(X)                                                             \
    X(CreateQueryPool, "vkCreateQueryPool", NULL, true)                                            \
    X(DestroyQueryPool, "vkDestroyQueryPool", NULL, true)                                          \
    X(GetQueryPoolResults, "vkGetQueryPoolResults", NULL, true)                                    \
    X(CreateBuffer, "vkCreateBuffer", NULL, true)                                                  \
    X(DestroyBuffer, "vkDestroyBuffer", NULL, true)                                                \
    X(GetBufferMemoryRequirements, "vkGetBufferMemoryRequirements", NULL, true)                    \
    X(AllocateMemory, "vkAllocateMemory", NULL, true)                                              \
    X(FreeMemory, "vkFreeMemory", NULL, true)                                                      \
    X(BindBufferMemory, "vkBindBufferMemory", NULL, true)                                          \
    X(MapMemory, "vkMapMemory", NULL, true)                                                        \
    X(CreateEvent, "vkCreateEvent", NULL, true)                                                    \
    X(DestroyEvent, "vkDestroyEvent", NULL, true)                                                  \
    X(GetEventStatus, "vkGetEventStatus", NULL, true)                                              \
    X(ResetEvent, "vkResetEvent", NULL, true)                                                      \
    X(CreateCommandPool, "vkCreateCommandPool", NULL, true)                                        \
    X(DestroyCommandPool, "vkDestroyCommandPool", NULL, true)                                      \
    X(AllocateCommandBuffers, "vkAllocateCommandBuffers", NULL, true)                              \
    X(FreeCommandBuffers, "vkFreeCommandBuffers", NULL, true)                                      \
    X(BeginCommandBuffer, "vkBeginCommandBuffer", NULL, true)                                      \
    X(EndCommandBuffer, "vkEndCommandBuffer", NULL, true)                                          \
    X(CmdResetQueryPool, "vkCmdResetQueryPool", NULL, true)                                        \
    X(CmdWriteTimestamp, "vkCmdWriteTimestamp", NULL, true)                                        \
    X(CmdBeginQuery, "vkCmdBeginQuery", NULL, true)                                                \
    X(CmdEndQuery, "vkCmdEndQuery", NULL, true)                                                    \
    X(CmdCopyQueryPoolResults, "vkCmdCopyQueryPoolResults", NULL, true)                            \
    X(CmdCopyBuffer, "vkCmdCopyBuffer", NULL, true)                                                \
    X(CmdPipelineBarrier, "vkCmdPipelineBarrier", NULL, true)                                      \
    X(CmdSetEvent, "vkCmdSetEvent", NULL, true)                                                    \
    X(QueueSubmit, "vkQueueSubmit", NULL, true)                                                    \
    X(QueueSubmit2, "vkQueueSubmit2", "vkQueueSubmit2KHR", false)                                  \
    X(ResetQueryPool, "vkResetQueryPool", "vkResetQueryPoolEXT", false)                            \
    X(GetCalibratedTimestampsEXT, "vkGetCalibratedTimestampsKHR", "vkGetCalibratedTimestampsEXT",  \
      false)                                                                                       \
    X(CmdBeginDebugUtilsLabelEXT, "vkCmdBeginDebugUtilsLabelEXT", NULL, false)                     \
    X(CmdEndDebugUtilsLabelEXT, "vkCmdEndDebugUtilsLabelEXT", NULL, false)

/** Members are named as Vulkan's functions without their prefix. */
struct fgi_vulkan_functions {
#define FGI_VULKAN_MEMBER(member, name, alternative, required) PFN_vk##member member;
    FGI_VULKAN_INSTANCE_FUNCTIONS(FGI_VULKAN_MEMBER)
    FGI_VULKAN_DEVICE_FUNCTIONS(FGI_VULKAN_MEMBER)
#undef FGI_VULKAN_MEMBER
};

enum {
    FGI_VULKAN_STATISTICS = 11,   /**< the statistics of Vulkan 1.0: bits 0 .. 10 */
    FGI_VULKAN_LANDINGS_MAX = 64, /**< sets of buffers and command buffers that are kept */
};

/** Host-visible memory that the device writes and that stays mapped. */
struct fgi_vulkan_memory {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *mapped;
};

/**
 * Slot s has its begin at query s * 2 * n and its end n queries later, where n is 1, or 2 when
 * stamps are paired. Members below the line belong to the thread that records.
 */
struct fgi_timer {
    VkQueryPool stamps;
    VkQueryPool statistics; /**< null handle: this timer has none */
    VkEvent was_reset;      /**< the device ran the reset; only where the host cannot reset */
    VkEvent copied;         /**< the device ran the copies of indirect arguments */
    struct fgi_vulkan_memory indirect;
    uint32_t queue;
    uint32_t slots;
    uint32_t indirect_slots;
    uint32_t generation; /**< counts timer_begin(): landings of an earlier one are stale */
    /* ---- */
    uint32_t flags;   /**< enum fg_commands_flags */
    uint32_t used;    /**< slots that this recording wrote */
    uint32_t touched; /**< slots that any recording wrote */
    uint32_t indirect_used;
    uint64_t *ended;   /**< bit per slot: both of its stamps were recorded */
    uint64_t *counted; /**< bit per slot: its statistics were, too */
    bool statistics_used;
    bool dirty; /**< never reset, or its last reset may not have run: reset all of it */
};

struct fgi_vulkan_group;

/** One timer's part of the results of one submission. */
struct fgi_landing {
    struct fgi_vulkan_group *group;
    struct fgi_timer *timer; /**< NULL: the submission as a whole */
    uint32_t generation;     /**< of the timer */
    bool in_use;             /**< between landing_create() and landing_destroy() */
    uint32_t slots;
    uint32_t indirect_slots;
    bool statistics;
    size_t stamps_offset; /**< into the group's memory */
    size_t statistics_offset;
    size_t indirect_offset;
};

/** A device as the recorder sees it, and what is under it. Guarded by the recorder's lock. */
struct fgi_vulkan_device {
    struct fg_device base;
    struct fgi_vulkan_functions vk;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkAllocationCallbacks callbacks_copy;
    const VkAllocationCallbacks *callbacks; /**< NULL = none */
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkQueue queues[FGI_QUEUES_MAX];
    VkQueueFlags queue_flags[FGI_QUEUES_MAX];
    uint64_t tick_masks[FGI_QUEUES_MAX];
    uint32_t stamp_queries; /**< queries per stamp: 1, or 2 when stamps are paired */
    bool host_reset;
    char driver_name[VK_MAX_DRIVER_NAME_SIZE]; /**< "" where the driver does not say */
    char driver_info[VK_MAX_DRIVER_INFO_SIZE];
    VkDriverId driver_id;      /**< 0 where the driver does not say */
    struct fgi_bytes features; /**< names of enabled features and extensions, each terminated */
    VkCommandPool command_pools[FGI_QUEUES_MAX]; /**< per queue, made when first needed */
    struct fgi_vulkan_group *groups[FGI_VULKAN_LANDINGS_MAX];
    uint32_t group_count;
    uint64_t group_clock; /**< counts landing_create(): for the least recently used */
    atomic_uint pools_made;
    atomic_uint pools_alive;
    atomic_uint landings_made;
    atomic_uint landings_alive;
    atomic_uint refused;
};

static inline struct fgi_vulkan_device *fgi_vulkan_device(struct fg_device *device)
{
    return (struct fgi_vulkan_device *)device;
}

static inline uint32_t fgi_vulkan_queries(const struct fgi_vulkan_device *device, uint32_t slots)
{
    return slots * 2 * device->stamp_queries;
}

enum fg_result fgi_vulkan_result(VkResult result);

/* entry.c: fills device->vk. FG_ERR_UNSUPPORTED when a required function is missing. */
FG_MUST_USE enum fg_result fgi_vulkan_load(struct fgi_vulkan_device *device,
                                           const struct fg_vulkan_options *options);

/* driver.c: who made the driver, and what follows from it. */
void fgi_vulkan_identify(struct fgi_vulkan_device *device);
bool fgi_vulkan_needs_pairs(const struct fgi_vulkan_device *device);
void fgi_vulkan_describe(struct fg_device *device,
                         void (*put)(void *context, const char *key, const char *value),
                         void (*feature)(void *context, const char *name), void *context);

/* features.c: what VkDeviceCreateInfo has enabled. */
bool fgi_vulkan_feature_host_reset(const VkDeviceCreateInfo *info);
bool fgi_vulkan_feature_statistics(const VkDeviceCreateInfo *info);
FG_MUST_USE enum fg_result fgi_vulkan_keep_features(struct fgi_vulkan_device *device,
                                                    const VkDeviceCreateInfo *info);

/* memory.c */
FG_MUST_USE enum fg_result fgi_vulkan_memory_create(struct fgi_vulkan_device *device, size_t size,
                                                    struct fgi_vulkan_memory *out_memory);
void fgi_vulkan_memory_destroy(struct fgi_vulkan_device *device, struct fgi_vulkan_memory *memory);
bool fgi_vulkan_memory_budget_known(struct fgi_vulkan_device *device);
bool fgi_vulkan_memory_use(struct fg_device *device, struct fgi_memory_use *out_use);

/* timer.c */
enum fg_result fgi_vulkan_timer_create(struct fg_device *device, uint32_t queue, uint32_t slots,
                                       bool statistics, uint32_t indirect_slots,
                                       struct fgi_timer **out_timer);
void fgi_vulkan_timer_destroy(struct fg_device *device, struct fgi_timer *timer);
bool fgi_vulkan_timer_begin(struct fg_device *device, struct fgi_timer *timer, void *commands,
                            uint32_t flags);
void fgi_vulkan_timer_end(struct fg_device *device, struct fgi_timer *timer, void *commands);
void fgi_vulkan_slot_begin(struct fg_device *device, struct fgi_timer *timer, void *commands,
                           uint32_t slot, bool statistics);
void fgi_vulkan_slot_end(struct fg_device *device, struct fgi_timer *timer, void *commands,
                         uint32_t slot, bool statistics);
void fgi_vulkan_copy_indirect(struct fg_device *device, struct fgi_timer *timer, void *commands,
                              uint32_t first, const struct fgi_indirect_copy *copies,
                              uint32_t count);
enum fg_result fgi_vulkan_timer_read(struct fg_device *device, struct fgi_timer *timer,
                                     struct fgi_landing *landing, uint32_t first, uint32_t count,
                                     struct fgi_slot_result *out);
enum fg_result fgi_vulkan_indirect_read(struct fg_device *device, struct fgi_timer *timer,
                                        struct fgi_landing *landing, uint32_t first, uint32_t count,
                                        uint32_t (*out_words)[FGI_INDIRECT_WORDS], bool *out_have);
/** The next run of set bits at or after `*first`, below `end`. False when there is none. */
bool fgi_vulkan_next_run(const uint64_t *bits, uint32_t end, uint32_t *first, uint32_t *out_count);
/** Record the reset of the first `slots` slots. */
void fgi_vulkan_record_reset(struct fgi_vulkan_device *device, struct fgi_timer *timer,
                             VkCommandBuffer commands, uint32_t slots);
void fgi_vulkan_stamp(struct fgi_vulkan_device *device, VkQueryPool pool, VkCommandBuffer commands,
                      uint32_t slot, bool is_end);
enum fg_result fgi_vulkan_stamp_pool_create(struct fgi_vulkan_device *device, uint32_t slots,
                                            VkQueryPool *out_pool);
void fgi_vulkan_stamp_pool_destroy(struct fgi_vulkan_device *device, VkQueryPool pool);

/* landing.c */
enum fg_result fgi_vulkan_landing_create(struct fg_device *device, uint32_t queue,
                                         struct fgi_timer *const *timers, uint32_t count,
                                         bool whole, struct fgi_landing **out_landings,
                                         struct fg_submit_extra *out_extra);
void fgi_vulkan_landing_destroy(struct fg_device *device, struct fgi_landing *landing);
/** Query results of a landing: 64-bit values and availability; NULL while nothing has come. */
const uint64_t *fgi_vulkan_landing_stamps(struct fgi_vulkan_device *device,
                                          const struct fgi_landing *landing);
const uint64_t *fgi_vulkan_landing_statistics(struct fgi_vulkan_device *device,
                                              const struct fgi_landing *landing);
const uint32_t *fgi_vulkan_landing_indirect(struct fgi_vulkan_device *device,
                                            const struct fgi_landing *landing);
/** Valid bits of its queue. */
uint64_t fgi_vulkan_landing_mask(const struct fgi_vulkan_device *device,
                                 const struct fgi_landing *landing);
/** A timer goes: so do the groups that name it. */
void fgi_vulkan_landing_forget(struct fgi_vulkan_device *device, const struct fgi_timer *timer);
void fgi_vulkan_landing_close(struct fgi_vulkan_device *device);

/* calibration.c */
const char *fgi_vulkan_no_calibration(struct fgi_vulkan_device *device, uint32_t flags);
enum fg_result fgi_vulkan_calibrate(struct fg_device *device, uint32_t queue,
                                    struct fgi_clock_pair *out_pair);

#endif
