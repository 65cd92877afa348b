/* SPDX-License-Identifier: MIT */
/*
 * Vulkan devices. Needs the Vulkan headers and no loader: entry points come through the two getters
 * that the application has anyway. Whether Vulkan's prototypes are declared is the application's
 * choice (VK_NO_PROTOTYPES, or include volk.h first); they are not called.
 *
 *     struct fg_vulkan_queue timed = { queue, family, NULL };
 *     enum fg_result result = fg_vulkan_device_create(
 *         FG_VULKAN_OPTIONS(.instance = instance, .physical_device = physical, .device = device,
 *                           .get_instance_proc_addr = vkGetInstanceProcAddr,
 *                           .create_info = &device_create_info,
 *                           .queues = &timed, .queue_count = 1),
 *         &fg_device);
 *
 * What is put into the application's command buffers: two timestamps per GPU pass (four where
 * stamps are paired), pipeline-statistics queries where asked for, debug labels, and query resets
 * where the device cannot reset on the host. No barriers, with one exception that has to be asked
 * for: FG_SESSION_RESOLVE_INDIRECT copies argument buffers after passes, between two barriers, and
 * needs VK_BUFFER_USAGE_TRANSFER_SRC_BIT on these buffers.
 *
 * A pass begins when everything before it in its queue has completed, and ends when its own work
 * has: both stamps are of the bottom of the pipe.
 */
#ifndef FG_GPU_VULKAN_H
#define FG_GPU_VULKAN_H
#include <frameglass/base.h>
#include <frameglass/gpu.h>
#include <frameglass/session.h>
#include <vulkan/vulkan_core.h>
FG_BEGIN_DECLS

/**
 * One queue that recorded work is submitted to. "Queue index" everywhere is the index in a list.
 */
struct fg_vulkan_queue {
    VkQueue queue;
    uint32_t family;
    const char *name; /**< copied; the track's name. NULL = after the family: "graphics", ... */
};

/** How a point in time is stamped. */
enum fg_vulkan_stamps {
    /** Pairs on drivers that are known to need them, lone stamps on all others. */
    FG_VULKAN_STAMPS_AUTO = 0,
    FG_VULKAN_STAMPS_LONE = 1,
    /**
     * Two stamps in a row, of which the first counts: for drivers on which a lone stamp lands one
     * pass late. gpu-check tells which kind of stamps gives equal times for equal work.
     */
    FG_VULKAN_STAMPS_PAIRED = 2,
};

enum fg_vulkan_flags {
    /* What the application has enabled on the device. Not needed with create_info. */
    FG_VULKAN_HOST_QUERY_RESET = 1u << 0,    /**< hostQueryReset */
    FG_VULKAN_PIPELINE_STATISTICS = 1u << 1, /**< pipelineStatisticsQuery */
    /* What not to use, although it is there. */
    FG_VULKAN_NO_TIMESTAMPS = 1u << 8,
    FG_VULKAN_NO_HOST_QUERY_RESET = 1u << 9,
    FG_VULKAN_NO_PIPELINE_STATISTICS = 1u << 10,
    FG_VULKAN_NO_CALIBRATION = 1u << 11,
    FG_VULKAN_NO_MEMORY_BUDGET = 1u << 12,
};

/** Zero is the default of every field that is not said to be required. Borrowed for the call. */
struct fg_vulkan_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the device and its sessions */
    const VkAllocationCallbacks *callbacks; /**< for every Vulkan object; copied */
    struct fg_recorder_limits limits;
    uint32_t flags; /**< enum fg_vulkan_flags */
    enum fg_vulkan_stamps stamps;
    VkInstance instance;                              /**< required; outlives the device */
    VkPhysicalDevice physical_device;                 /**< required */
    VkDevice device;                                  /**< required; outlives fg_device_destroy() */
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; /**< required */
    PFN_vkGetDeviceProcAddr get_device_proc_addr;     /**< NULL = asked from the other getter */
    const struct fg_vulkan_queue *queues;             /**< required */
    uint32_t queue_count;                             /**< 1 .. 32 */
    /**
     * What `device` was made with: tells which features and extensions are enabled. NULL = only
     * what `flags` say, and the extensions whose functions the device gives out.
     */
    const VkDeviceCreateInfo *create_info;
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_VULKAN_OPTIONS(...) (&(const struct fg_vulkan_options){ __VA_ARGS__ })

/**
 * Make a recorder's device of a Vulkan device. Its commands are VkCommandBuffers:
 * fg_commands_desc.native.
 *
 * @param out_device owned; fg_device_destroy() when the Vulkan device is idle and before it is
 *                   destroyed. Untouched on failure.
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; FG_ERR_BUSY (the device has a stamping owner);
 *         FG_ERR_UNSUPPORTED (a Vulkan 1.0 function is missing)
 *
 * Threads: as gpu.h and session.h say. Vulkan's own rules need nothing more: what is recorded goes
 * into the command buffer that the calling thread records; queues are only used by
 * fg_vulkan_submit() and fg_vulkan_submit2(), which are under the application's rules for its
 * queue.
 */
FG_API FG_MUST_USE enum fg_result fg_vulkan_device_create(const struct fg_vulkan_options *options,
                                                          struct fg_device **out_device);

/** What the recorder has made so far: frames must not add to it. */
struct fg_vulkan_counts {
    uint32_t query_pools; /**< ever made */
    uint32_t query_pools_alive;
    uint32_t landings; /**< ever made: buffers that results of reused command buffers go to */
    uint32_t landings_alive;
    uint32_t refused; /**< submissions of reused command buffers that could not be timed */
};
/** Threads: any; exact only while no other thread records. */
FG_API void fg_vulkan_get_counts(const struct fg_device *device,
                                 struct fg_vulkan_counts *out_counts);
/** FG_VULKAN_STAMPS_LONE or FG_VULKAN_STAMPS_PAIRED, as decided when it was made. */
FG_API enum fg_vulkan_stamps fg_vulkan_get_stamps(const struct fg_device *device);

/** fg_commands_begin() with Vulkan's types. Threads: as there. */
FG_API struct fg_commands *fg_vulkan_commands_begin(struct fg_frame *frame,
                                                    VkCommandBuffer commands, uint32_t queue,
                                                    uint32_t flags);

/**
 * An attachment as dynamic rendering describes it; format and size are not in Vulkan's structure.
 * The caller fills in samples and resource, as far as it has them.
 */
FG_API struct fg_attachment fg_vulkan_attachment(const VkRenderingAttachmentInfo *info,
                                                 VkFormat format, VkExtent2D extent);
/** The same of an attachment of a render pass object. */
FG_API struct fg_attachment fg_vulkan_attachment_of_pass(const VkAttachmentDescription *info,
                                                         VkExtent2D extent);

/**
 * Register a pipeline; a compute pipeline with its workgroup size, read from SPIR-V.
 *
 * @param label      copied; NULL = ""
 * @param stage      the very structure that the pipeline is made with, so that its entry point and
 *                   specialization are known; NULL = a pipeline without workgroups
 * @param words      SPIR-V of the stage's module; NULL = taken from a VkShaderModuleCreateInfo in
 *                   stage->pNext, else the size is unknown
 * @param diag       why SPIR-V was refused; the pipeline is then registered with an unknown size
 * @return id for fg_gpu_pipeline(); 0 when refused or when device is NULL
 *
 * Threads: any.
 */
FG_API uint32_t fg_vulkan_pipeline_register(struct fg_device *device, const char *label,
                                            const VkPipelineShaderStageCreateInfo *stage,
                                            const uint32_t *words, size_t word_count,
                                            struct fg_diag *diag);

/** A native submit that is announced, timed and wrapped. Borrowed for the call. */
struct fg_vulkan_submission {
    uint32_t queue;                      /**< index in the device's queues */
    struct fg_commands *const *commands; /**< what the batch runs; NULL entries are skipped */
    uint32_t commands_count;
    VkFence fence; /**< as the native call takes it */
};

/**
 * fg_frame_submit() and vkQueueSubmit() of one batch in one call: semaphores become dependencies,
 * reused command buffers get their reset and copy around them, a lost device is reported.
 *
 * @param device required; a program whose device is NULL submits by itself
 * @param frame  NULL: only the native submit
 * @param batch  its command buffers may be more than those recorded
 * @return what vkQueueSubmit() returned; VK_ERROR_OUT_OF_HOST_MEMORY also when ours ran out
 *
 * Threads: as vkQueueSubmit(), and one at a time per frame.
 */
FG_API VkResult fg_vulkan_submit(struct fg_device *device, struct fg_frame *frame,
                                 const struct fg_vulkan_submission *submission,
                                 const VkSubmitInfo *batch);
/** The same with vkQueueSubmit2(). VK_ERROR_FEATURE_NOT_PRESENT where there is none. */
FG_API VkResult fg_vulkan_submit2(struct fg_device *device, struct fg_frame *frame,
                                  const struct fg_vulkan_submission *submission,
                                  const VkSubmitInfo2 *batch);

FG_END_DECLS
#endif
