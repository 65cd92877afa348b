/* SPDX-License-Identifier: MIT */
/* A Vulkan device for tests of what is computed on it, watched by the validation layer. */
#ifndef FGT_COMPUTE_BED_H
#define FGT_COMPUTE_BED_H
#include <stdatomic.h>
#define VK_NO_PROTOTYPES
#include <volk.h>

#include <frameglass/compute_plan.h>

struct compute_bed {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkCommandPool pool;
    VkCommandBuffer commands; /**< of compute_bed_run() and its like */
    bool validated;           /**< the layer is there and watches */
    atomic_uint messages;     /**< warnings and errors that it had */
    /** What the device was made with, for fg_compute_create(): to be changed and used again. */
    struct fg_compute_options options;
    VkDeviceCreateInfo create_info;
    VkDeviceQueueCreateInfo queue_info;
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceVulkan12Features features12;
    VkPhysicalDeviceVulkan13Features features13;
    struct fg_compute *compute;
};

/** A flag of this alone: without the validation layer, for what is measured. */
#define COMPUTE_BED_UNWATCHED (1u << 31)
/**
 * A device, and a compute on it. Prints why and returns false where there is none.
 *
 * @param flags FG_COMPUTE_NO_...: the features are not enabled either; COMPUTE_BED_UNWATCHED
 */
bool compute_bed_create(struct compute_bed *bed, uint32_t flags);
/** Waits for the device. The layer's messages stay countable. */
void compute_bed_destroy(struct compute_bed *bed);
/** Another compute on the same device, of `options`; fails the test where there is none. */
void compute_bed_renew(struct compute_bed *bed);

VkCommandBuffer compute_bed_commands(struct compute_bed *bed);
void compute_bed_begin(VkCommandBuffer commands);
void compute_bed_end(VkCommandBuffer commands);
/** Submit and wait. */
void compute_bed_submit(struct compute_bed *bed, VkCommandBuffer commands);
/** Compile where needed, encode, submit, wait. */
void compute_bed_run(struct compute_bed *bed, struct fg_compute_graph *graph);

/** Memory with bytes in it; NULL = undefined ones. fg_compute_memory_free(). */
struct fg_compute_memory compute_bed_memory(struct compute_bed *bed, const void *bytes,
                                            uint64_t size_bytes);
/** Through upload and readback memory. */
void compute_bed_write(struct compute_bed *bed, struct fg_compute_view view, const void *bytes);
void compute_bed_read(struct compute_bed *bed, struct fg_compute_view view, void *out_bytes);

#endif
