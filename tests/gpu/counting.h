/* SPDX-License-Identifier: MIT */
/* Allocators that count, ours and Vulkan's: drivers leak, so that leak checkers cannot judge. */
#ifndef FGT_COUNTING_H
#define FGT_COUNTING_H
#define VK_NO_PROTOTYPES
#include <frameglass/base.h>
#include <stdatomic.h>
#include <vulkan/vulkan_core.h>

struct counting {
    struct fg_allocator allocator;
    VkAllocationCallbacks callbacks;
    atomic_long live_bytes;   /**< from `allocator` */
    atomic_long live_blocks;  /**< from `callbacks` */
    atomic_long total_blocks; /**< from `callbacks`, ever */
};

/** @param counting stays where it is until everything was given back */
void counting_init(struct counting *counting);

#endif
