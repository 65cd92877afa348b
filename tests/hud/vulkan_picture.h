/* SPDX-License-Identifier: MIT */
/* A picture of any format that can be drawn into, and read. */
#ifndef FGT_VULKAN_PICTURE_H
#define FGT_VULKAN_PICTURE_H
#include "vulkan_bed.h"

struct fgt_target {
    VkFormat format;
    VkSampleCountFlagBits samples;
    bool is_dynamic; /**< dynamic rendering, else a render pass */
};

/** A picture with what it takes to draw into it and to read it. */
struct fgt_picture {
    struct bed *bed;
    struct fgt_target kind;
    uint32_t width_px;
    uint32_t height_px;
    VkImage images[2]; /**< drawn into, and resolved into when it has samples */
    VkDeviceMemory memory[2];
    VkImageView views[2];
    VkBuffer readback;
    VkDeviceMemory readback_memory;
    void *mapped;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
};

void fgt_picture_make(struct fgt_picture *picture, struct bed *bed, struct fgt_target kind,
                      uint32_t width_px, uint32_t height_px);
void fgt_picture_destroy(struct fgt_picture *picture);

/** Begin to draw over fgt_hud_clear. */
void fgt_picture_begin(struct fgt_picture *picture, VkCommandBuffer commands);
/** End it, and copy it out. */
void fgt_picture_end(struct fgt_picture *picture, VkCommandBuffer commands);

/** As red, green, blue, alpha bytes that are encoded, when the commands have completed. Owned. */
uint8_t *fgt_picture_read(const struct fgt_picture *picture);

/** Whether its numbers are light. */
bool fgt_is_linear(VkFormat format);
bool fgt_can_sample(const struct bed *bed, VkFormat format, VkSampleCountFlagBits samples);

#endif
