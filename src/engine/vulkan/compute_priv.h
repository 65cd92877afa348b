/* SPDX-License-Identifier: MIT */
/* Inside of a compute: functions, memory, pipelines. */
#ifndef FGI_COMPUTE_PRIV_H
#define FGI_COMPUTE_PRIV_H
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <frameglass/compute_graph.h>

#include <stdatomic.h>

/** Asked of the instance. Members are named as Vulkan's functions without their prefix. */
#define FGI_COMPUTE_INSTANCE_FUNCTIONS(X)                                                          \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(GetPhysicalDeviceMemoryProperties2)                                                          \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceQueueFamilyProperties)

/** Asked of the device. */
#define FGI_COMPUTE_DEVICE_FUNCTIONS(X)                                                            \
    X(AllocateMemory)                                                                              \
    X(BindBufferMemory)                                                                            \
    X(CmdBindPipeline)                                                                             \
    X(CmdCopyBuffer)                                                                               \
    X(CmdDispatch)                                                                                 \
    X(CmdDispatchIndirect)                                                                         \
    X(CmdFillBuffer)                                                                               \
    X(CmdPipelineBarrier)                                                                          \
    X(CmdPushConstants)                                                                            \
    X(CreateBuffer)                                                                                \
    X(CreateComputePipelines)                                                                      \
    X(CreatePipelineLayout)                                                                        \
    X(CreateShaderModule)                                                                          \
    X(DestroyBuffer)                                                                               \
    X(DestroyPipeline)                                                                             \
    X(DestroyPipelineLayout)                                                                       \
    X(DestroyShaderModule)                                                                         \
    X(FreeMemory)                                                                                  \
    X(GetBufferDeviceAddress)                                                                      \
    X(GetBufferMemoryRequirements)                                                                 \
    X(MapMemory)

struct fgi_compute_functions {
#define FGI_COMPUTE_MEMBER(name) PFN_vk##name name;
    FGI_COMPUTE_INSTANCE_FUNCTIONS(FGI_COMPUTE_MEMBER)
    FGI_COMPUTE_DEVICE_FUNCTIONS(FGI_COMPUTE_MEMBER)
#undef FGI_COMPUTE_MEMBER
    PFN_vkCmdPipelineBarrier2 CmdPipelineBarrier2; /**< NULL without synchronization2 */
};

/** A free range of a block. */
struct fgi_compute_gap {
    uint64_t offset_bytes;
    uint64_t size_bytes;
};

/** One device allocation with one buffer over all of it. */
struct fgi_compute_block {
    struct fgi_compute_block *next;
    enum fg_compute_memory_kind kind;
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    uint8_t *host;
    uint8_t *known; /**< of control memory: what is in it, as reading `host` may be slow */
    uint64_t size_bytes;
    uint32_t views;
    struct fgi_compute_gap *gaps; /**< by offset; none touch. Room for views + 1 always, so that
                                       giving back cannot fail */
    size_t gap_count;
    size_t gap_room;
};

struct fgi_compute_pipeline {
    uint64_t hash;
    struct fg_compute_program program; /**< with its group size filled in */
    VkPipeline pipeline;
};

enum { FGI_COMPUTE_PUSH_BYTES = 128 };

struct fg_compute {
    const struct fg_allocator *allocator;
    VkAllocationCallbacks callbacks_copy;
    const VkAllocationCallbacks *callbacks; /**< NULL, or the copy */
    struct fgi_compute_functions vk;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkPipelineCache pipeline_cache;
    VkPhysicalDeviceMemoryProperties memory_types;
    struct fg_compute_facts facts;
    bool has_budget; /**< one was given; else it is the size of the device's heaps */
    struct fg_compute_counts counts;
    struct fgi_compute_block *blocks;
    VkPipelineLayout layout;
    struct fgi_compute_pipeline *pipelines;
    size_t pipeline_count;
    size_t pipeline_room;
    struct fg_compute_listener listener; /**< to all graphs */
    atomic_bool lost;
};

/** Fill `vk`. The diagnostic names what is missing. */
enum fg_result fgi_compute_load(struct fg_compute *compute,
                                const struct fg_compute_options *options, struct fg_diag *diag);
/** What the device was made with, as bits of enum fg_compute_flags. */
uint32_t fgi_compute_enabled(const VkDeviceCreateInfo *info);
/** What the device is; fails where it is not enough. */
enum fg_result fgi_compute_find_facts(struct fg_compute *compute,
                                      const struct fg_compute_options *options,
                                      struct fg_diag *diag);
/** A result of Vulkan as one of ours; remembers that the device was lost. */
enum fg_result fgi_compute_result(struct fg_compute *compute, VkResult result);

void fgi_compute_memory_finish(struct fg_compute *compute);
/** Round up to what views are aligned to. */
uint64_t fgi_compute_aligned(const struct fg_compute *compute, uint64_t size_bytes);

/** The pipeline of a program; made when there is none. */
enum fg_result fgi_compute_pipeline(struct fg_compute *compute,
                                    const struct fg_compute_program *program,
                                    VkPipeline *out_pipeline);
void fgi_compute_pipelines_finish(struct fg_compute *compute);

/** Accesses that write. */
#define FGI_COMPUTE_WRITING                                                                        \
    ((VkAccessFlags)(VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |                   \
                     VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |                                        \
                     VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT |     \
                     VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |     \
                     VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT |                          \
                     VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR |                              \
                     VK_ACCESS_COMMAND_PREPROCESS_WRITE_BIT_NV))

/** What is bound in a command buffer. */
struct fgi_compute_bound {
    VkPipeline pipeline;
};
/** Group counts of a dispatch; false where so many cannot be dispatched. */
bool fgi_compute_fold(uint64_t group_count, uint32_t limit, uint32_t out_groups[3]);
/** Encode a node that was checked. */
enum fg_result fgi_compute_node_encode(struct fg_compute *compute,
                                       const struct fg_compute_node *node, VkCommandBuffer commands,
                                       struct fgi_compute_bound *bound);

#endif
