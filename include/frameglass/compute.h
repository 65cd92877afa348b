/* SPDX-License-Identifier: MIT */
/*
 * Compute on the caller's Vulkan device: what the device can do, memory with addresses, kernels,
 * and rings for what goes to the device and comes back. Work is described with compute_graph.h.
 *
 * The device, the queue, the command buffers and every submission and wait are the caller's:
 * nothing here submits or waits. Needs the Vulkan headers and no loader.
 *
 *     enum fg_result result = fg_compute_create(
 *         FG_COMPUTE_OPTIONS(.instance = instance, .physical_device = physical, .device = device,
 *                            .get_instance_proc_addr = vkGetInstanceProcAddr,
 *                            .create_info = &device_create_info),
 *         &compute, &diag);
 *
 * The device is of Vulkan 1.2 or later and has bufferDeviceAddress enabled: kernels take every
 * pointer as an address. All else is used where it is there (enum fg_compute_flags).
 *
 * Threads: a compute and everything made of it is used by one thread at a time, unless said.
 */
#ifndef FG_COMPUTE_H
#define FG_COMPUTE_H
#include <frameglass/base.h>
#include <vulkan/vulkan_core.h>
FG_BEGIN_DECLS

struct fg_compute;

/** What is enabled on the device (options, facts), and what not to use although it is there. */
enum fg_compute_flags {
    FG_COMPUTE_ADDRESS = 1u << 0,  /**< bufferDeviceAddress; required */
    FG_COMPUTE_INT64 = 1u << 1,    /**< shaderInt64 */
    FG_COMPUTE_SUBGROUP = 1u << 2, /**< basic, vote, arithmetic, ballot and shuffle in compute:
                                        the device's own property, no feature */
    FG_COMPUTE_SYNCHRONIZATION2 = 1u << 3, /**< synchronization2 */
    FG_COMPUTE_MEMORY_BUDGET = 1u << 4,    /**< VK_EXT_memory_budget */
    FG_COMPUTE_NO_INT64 = 1u << 17,
    FG_COMPUTE_NO_SUBGROUP = 1u << 18,
    FG_COMPUTE_NO_SYNCHRONIZATION2 = 1u << 19,
    FG_COMPUTE_NO_MEMORY_BUDGET = 1u << 20,
};

/** Zero is the default of every field that is not said to be required. Borrowed for the call. */
struct fg_compute_options {
    const struct fg_allocator *allocator;   /**< NULL = libc; outlives the compute */
    const VkAllocationCallbacks *callbacks; /**< for every Vulkan object; copied */
    VkInstance instance;                    /**< required */
    VkPhysicalDevice physical_device;       /**< required */
    VkDevice device;                        /**< required; outlives fg_compute_destroy() */
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; /**< required */
    PFN_vkGetDeviceProcAddr get_device_proc_addr;     /**< NULL = asked from the other getter */
    /** What `device` was made with: which features are enabled. NULL = only what `flags` say. */
    const VkDeviceCreateInfo *create_info;
    uint32_t flags;        /**< enum fg_compute_flags */
    uint32_t queue_family; /**< of the queue that the work is submitted to */
    /** Kernels' pipelines are made with it and it is never saved here; NULL = none is used. */
    VkPipelineCache pipeline_cache;
    uint64_t block_bytes;  /**< of one device allocation, also the largest view; 0 = 64 MiB; lowered
                                to what the device allows */
    uint64_t budget_bytes; /**< of all memory taken here; 0 = what the device says is left */
    uint32_t group_size; /**< invocations of a group, a power of two from 32 to 256, else the nearer
                              of these; 0 = 256; lowered as above */
    uint32_t group_limit; /**< groups in a dispatch's dimension; 0 = 65,535; lowered as above */
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_COMPUTE_OPTIONS(...) (&(const struct fg_compute_options){ __VA_ARGS__ })

/**
 * @param out_compute owned: fg_compute_destroy() when no work of it is in flight; untouched on
 * failure
 * @param diag        NULL, or which function, feature or limit is missing, in words for a person
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; FG_ERR_UNSUPPORTED (no bufferDeviceAddress, or
 * a function or limit is missing); FG_ERR_DEVICE_LOST
 */
FG_API FG_MUST_USE enum fg_result fg_compute_create(const struct fg_compute_options *options,
                                                    struct fg_compute **out_compute,
                                                    struct fg_diag *diag);
/** Graphs and rings of it are destroyed before; memory that was not freed goes with it. */
FG_API void fg_compute_destroy(struct fg_compute *compute);

/** What was found and is used. */
struct fg_compute_facts {
    uint32_t flags;           /**< FG_COMPUTE_ADDRESS .. FG_COMPUTE_MEMORY_BUDGET: what is used */
    uint32_t group_size;      /**< default of kernels */
    uint32_t max_group_size;  /**< what the device allows */
    uint32_t group_limit;     /**< groups in one dimension */
    uint32_t subgroup_size;   /**< 0 where subgroups are not used */
    uint32_t shared_bytes;    /**< shared memory of a group */
    uint32_t push_bytes;      /**< at least 128 */
    uint32_t alignment_bytes; /**< of every view: at least 16, a power of two */
    uint64_t block_bytes;     /**< largest view */
    uint64_t budget_bytes;    /**< of all memory taken here; UINT64_MAX = not known */
    /** Of one tick of a timestamp; 0 = the queue family has none. */
    float timestamp_period_ns;
    uint32_t timestamp_bits;
    char device_name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    uint32_t vendor;
    uint32_t device;
    uint32_t driver_version;
    uint8_t pipeline_cache_uuid[VK_UUID_SIZE]; /**< what measured choices are remembered by */
};
FG_API const struct fg_compute_facts *fg_compute_get_facts(const struct fg_compute *compute);

/** What was made and moved so far. */
struct fg_compute_counts {
    uint64_t used_bytes; /**< in views, with what alignment adds */
    uint64_t peak_used_bytes;
    uint64_t block_bytes;   /**< in device allocations now */
    uint32_t blocks;        /**< now */
    uint32_t views;         /**< now */
    uint32_t pipelines;     /**< ever made */
    uint64_t refused;       /**< allocations that failed: budget, device, host */
    uint64_t written_bytes; /**< by fg_compute_write() */
};
FG_API void fg_compute_get_counts(const struct fg_compute *compute,
                                  struct fg_compute_counts *out_counts);

/**
 * The device was lost: said by whoever saw a submission or a wait fail. From then on whatever makes
 * or encodes answers FG_ERR_DEVICE_LOST; freeing and destroying still work. It is also said here by
 * every own Vulkan call that sees it.
 *
 * Threads: any.
 */
FG_API void fg_compute_set_lost(struct fg_compute *compute);
FG_API bool fg_compute_is_lost(const struct fg_compute *compute);

/** A range of a buffer: what every operation takes and gives. The caller may bind it. */
struct fg_compute_view {
    VkBuffer buffer;
    VkDeviceSize offset_bytes;
    VkDeviceSize size_bytes;
    VkDeviceAddress address; /**< of its first byte; 0 where the buffer has none */
};
/** A part of a view, which lies in it. */
FG_API struct fg_compute_view fg_compute_view_part(struct fg_compute_view view,
                                                   uint64_t offset_bytes, uint64_t size_bytes);

enum fg_compute_memory_kind {
    FG_COMPUTE_DEVICE = 0,  /**< where kernels are fast */
    FG_COMPUTE_CONTROL = 1, /**< small; written by the host, read by kernels in place: on the device
                                 where there is such memory */
    FG_COMPUTE_UPLOAD = 2,  /**< written by the host, copied from */
    FG_COMPUTE_READBACK = 3, /**< copied to, read by the host */
};
enum { FG_COMPUTE_MEMORY_KINDS = 4 };

/** Memory that is held. Every buffer is of all usages that views are for: storage, indirect,
 *  transfer, vertex, index, uniform, device address. Host memory is coherent. */
struct fg_compute_memory {
    struct fg_compute_view view;
    void *host;  /**< mapped; NULL for FG_COMPUTE_DEVICE, and for FG_COMPUTE_CONTROL, which is
                      written with fg_compute_write() */
    void *block; /**< what it was taken of */
};

/**
 * Take memory. Its bytes are undefined.
 *
 * @param size_bytes > 0; over facts.block_bytes nothing is given: such columns are lists of views
 * @param out_memory owned: fg_compute_memory_free(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_LIMIT (larger than a block, or over the budget);
 *         FG_ERR_NO_MEMORY (host or device ran out); FG_ERR_DEVICE_LOST
 */
FG_API FG_MUST_USE enum fg_result fg_compute_memory_take(struct fg_compute *compute,
                                                         enum fg_compute_memory_kind kind,
                                                         uint64_t size_bytes,
                                                         struct fg_compute_memory *out_memory);
/** Give it back and clear it. No work that uses it is in flight. Empty blocks are kept up to an
 *  eighth of the budget; they go to the device before anything is refused. */
FG_API void fg_compute_memory_free(struct fg_compute *compute, struct fg_compute_memory *memory);

/** What can be taken yet by the budget and by what the device says, empty blocks with it;
 *  UINT64_MAX = not known. */
FG_API uint64_t fg_compute_memory_left(const struct fg_compute *compute);

/**
 * Write words of control memory, counted. What does not differ is not written.
 *
 * @return bytes that were written
 *
 * No work that reads them is in flight.
 */
FG_API uint64_t fg_compute_write(struct fg_compute *compute, const struct fg_compute_memory *memory,
                                 uint64_t offset_bytes, const void *bytes, size_t size);

/* Rings: upload and readback memory that comes free when the caller's work has completed. */

struct fg_compute_ring;
/**
 * @param kind       FG_COMPUTE_UPLOAD or FG_COMPUTE_READBACK; kernels may read and write both in
 * place
 * @param size_bytes up to facts.block_bytes
 * @param out_ring   owned: fg_compute_ring_destroy()
 * @return as fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_compute_ring_create(struct fg_compute *compute,
                                                         enum fg_compute_memory_kind kind,
                                                         uint64_t size_bytes,
                                                         struct fg_compute_ring **out_ring);
FG_API void fg_compute_ring_destroy(struct fg_compute_ring *ring);
/**
 * Take a piece of the ring for work with this serial: a number of the caller's that does not fall.
 *
 * @param out_memory lent until fg_compute_ring_complete() with this serial or a later one
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_LIMIT (larger than the ring); FG_ERR_BUSY (no room until
 *         earlier work has completed: nothing waits here, ask again later)
 */
FG_API FG_MUST_USE enum fg_result fg_compute_ring_take(struct fg_compute_ring *ring,
                                                       uint64_t size_bytes, uint64_t serial,
                                                       struct fg_compute_memory *out_memory);
/** All work up to this serial has completed, or was never submitted. */
FG_API void fg_compute_ring_complete(struct fg_compute_ring *ring, uint64_t serial);
/** How often there was no room. */
FG_API uint64_t fg_compute_ring_get_busy(const struct fg_compute_ring *ring);

/* Kernels. */

/** SPIR-V of one way to compute the same. */
struct fg_compute_code {
    const uint32_t *words; /**< NULL = there is none */
    size_t size_bytes;
};
enum fg_compute_variant {
    FG_COMPUTE_VARIANT_INT64 = 1,
    FG_COMPUTE_VARIANT_SUBGROUP = 2,
};
enum { FG_COMPUTE_VARIANTS = 4 };

/** Specialization constants that every kernel may declare, as uint; its own begin with the last. */
enum fg_compute_constant {
    FG_COMPUTE_CONSTANT_GROUP_SIZE = 0,    /**< also for local_size_x_id */
    FG_COMPUTE_CONSTANT_GROUP_LIMIT = 1,   /**< groups in one dimension, for indirect arguments */
    FG_COMPUTE_CONSTANT_SUBGROUP_SIZE = 2, /**< 0 in variants without */
    FG_COMPUTE_CONSTANT_OWN = 8,
};
enum { FG_COMPUTE_MAX_CONSTANTS = 8 };

/**
 * A kernel: one compute shader with the entry point "main", without descriptors. Static or kept by
 * the caller until the compute is destroyed; it is known by its address. The pipeline is made when
 * it is first encoded, or by fg_compute_prepare().
 */
struct fg_compute_kernel {
    const char *name;
    /** By the bits of enum fg_compute_variant. Used is the one with the most bits of those that the
     *  device has; the first must be there if no other is certain to fit. */
    struct fg_compute_code code[FG_COMPUTE_VARIANTS];
    uint32_t push_bytes; /**< <= 128, a multiple of 4 */
    uint32_t group_size; /**< always so many invocations; 0 = facts.group_size or the node's */
};

/** A kernel with its numbers. Equal numbers share a pipeline. */
struct fg_compute_program {
    const struct fg_compute_kernel *kernel;
    uint32_t group_size; /**< 0 = the kernel's, else facts.group_size */
    uint32_t constant_count;
    uint32_t constants[FG_COMPUTE_MAX_CONSTANTS]; /**< ids FG_COMPUTE_CONSTANT_OWN and following */
};

/** Invocations of one group of this program. */
FG_API uint32_t fg_compute_group_size(const struct fg_compute *compute,
                                      const struct fg_compute_program *program);
/**
 * Make the pipeline now.
 *
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; FG_ERR_UNSUPPORTED (no code for this device, or
 *         the driver refuses it); FG_ERR_DEVICE_LOST
 */
FG_API FG_MUST_USE enum fg_result fg_compute_prepare(struct fg_compute *compute,
                                                     const struct fg_compute_program *program);

FG_END_DECLS
#endif
