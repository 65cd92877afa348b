/* SPDX-License-Identifier: MIT */
/* Buffers and images, with what was last done to each of them. */
#ifndef RD_GPU_RESOURCES_H
#define RD_GPU_RESOURCES_H

#include "gpu_device.h"

#include <frameglass/object.h>

enum { RD_MAX_PARTS = 16 };

/** What happened to a resource so far: enough to say which barrier its next use needs. */
struct rd_access {
    VkPipelineStageFlags2 write_stages;
    VkAccessFlags2 write_access;
    VkPipelineStageFlags2 read_stages; /**< since that write */
    VkPipelineStageFlags2 seen_stages; /**< where that write is visible already */
    VkAccessFlags2 seen_access;
    VkImageLayout layout;
    uint32_t queue; /**< where it was last written */
};

struct rd_image {
    const char *name;
    VkImage image;
    VkDeviceMemory memory;           /**< null: it lies in somebody's heap */
    uint64_t memory_bytes;           /**< of its own memory */
    VkImageView view;                /**< all of it */
    VkImageView parts[RD_MAX_PARTS]; /**< each mip level, or each layer when there are several */
    VkFormat format;
    VkImageAspectFlags aspect;
    uint32_t width_px;
    uint32_t height_px;
    uint32_t mip_count;
    uint32_t layer_count;
    VkImageUsageFlags usage;
    uint64_t graph_resource; /**< its number in the graph that used it last, from 1; 0 = none */
    struct rd_access access;
    struct fg_object live; /**< among the live resources of the process */
};

struct rd_buffer {
    const char *name;
    VkBuffer buffer;
    VkDeviceMemory memory; /**< null: it lies in somebody's heap */
    uint64_t size_bytes;
    VkBufferUsageFlags usage;
    void *mapped;            /**< host-visible ones only */
    uint64_t graph_resource; /**< as for images */
    struct rd_access access;
    struct fg_object live;
};

/** Create the object without memory. The fields that describe it must be set. */
bool rd_image_create(const struct rd_device *device, struct rd_image *image);
/** After its memory is bound. */
bool rd_image_create_views(const struct rd_device *device, struct rd_image *image);
/** With memory of its own. */
bool rd_image_allocate(const struct rd_device *device, struct rd_image *image);
/** NULL is accepted, and so is one that was never created. */
void rd_image_destroy(const struct rd_device *device, struct rd_image *image);

bool rd_buffer_create(const struct rd_device *device, struct rd_buffer *buffer);
/** @param host mapped for as long as the buffer lives */
bool rd_buffer_allocate(const struct rd_device *device, struct rd_buffer *buffer, bool host);
void rd_buffer_destroy(const struct rd_device *device, struct rd_buffer *buffer);

/** Device memory for several resources. */
bool rd_memory_allocate(const struct rd_device *device, uint64_t size_bytes, uint32_t type_bits,
                        VkMemoryPropertyFlags wanted, VkDeviceMemory *out_memory);

#endif
