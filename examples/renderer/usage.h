/* SPDX-License-Identifier: MIT */
/* RD_USE_* bits as Vulkan's usage flags: what an image or buffer must allow, and what a capture
 * declares of it. Knows the numbers, needs no header of Vulkan. */
#ifndef RD_USAGE_H
#define RD_USAGE_H

#include <stdint.h>

/** Values of VkImageUsageFlagBits. */
enum {
    RD_IMAGE_COPY_FROM = 1 << 0,
    RD_IMAGE_COPY_TO = 1 << 1,
    RD_IMAGE_SAMPLED = 1 << 2,
    RD_IMAGE_STORAGE = 1 << 3,
    RD_IMAGE_COLOR = 1 << 4,
    RD_IMAGE_DEPTH = 1 << 5
};

/** Values of VkBufferUsageFlagBits. */
enum {
    RD_BUFFER_COPY_FROM = 1 << 0,
    RD_BUFFER_COPY_TO = 1 << 1,
    RD_BUFFER_UNIFORM = 1 << 4,
    RD_BUFFER_STORAGE = 1 << 5,
    RD_BUFFER_INDEX = 1 << 6,
    RD_BUFFER_VERTEX = 1 << 7,
    RD_BUFFER_INDIRECT = 1 << 8
};

uint32_t rd_image_usage(uint32_t uses);
uint32_t rd_buffer_usage(uint32_t uses);

#endif
