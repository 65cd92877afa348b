/* SPDX-License-Identifier: MIT */
/* A scene whose every pixel is known: rectangles on whole pixels, drawn by an application. */
#ifndef FGT_OVERDRAW_RECTANGLES_H
#define FGT_OVERDRAW_RECTANGLES_H
#include "vulkan_bed.h"
#include <frameglass/overdraw_vulkan.h>

struct rectangle {
    int left, top, right, bottom; /**< may stick out of the map */
    float depth;
    uint64_t id;
};

/** What an application has to draw them. */
struct rectangles {
    struct bed *bed;
    VkPipelineLayout layout;
    VkShaderModule vertex;
    VkShaderModule chequer; /**< discards every other pixel */
    VkImage depth;
    VkDeviceMemory depth_memory;
    VkImageView depth_view;
};

enum { RECTANGLES_DEPTH_PX = 256 };

void rectangles_init(struct rectangles *r, struct bed *bed);
void rectangles_finish(struct rectangles *r);

/** The twin of the application's pipeline. @param compare of the depth test that writes */
VkPipeline rectangles_twin(const struct rectangles *r, struct fg_overdraw_vulkan *overdraw,
                           VkCompareOp compare, bool is_chequered);

/** A twin that the application makes by itself, of what the library tells. */
VkPipeline rectangles_own_twin(const struct rectangles *r, struct fg_overdraw_vulkan *overdraw,
                               VkCompareOp compare, bool has_depth);

/** The depth image, ready to be tested in `to`. */
void rectangles_depth_barrier(const struct rectangles *r, VkCommandBuffer commands,
                              VkImageLayout from, VkImageLayout to);

/** Each as an item of its own. */
void rectangles_draw(const struct rectangles *r, struct fg_overdraw_vulkan *overdraw,
                     VkCommandBuffer commands, uint32_t slot, VkPipeline twin,
                     const struct rectangle *scene, size_t count, uint32_t width_px,
                     uint32_t height_px);

/** What a map of them must come to, pixel by pixel. */
struct rectangles_truth {
    const struct rectangle *scene;
    size_t count;
    uint32_t width_px;
    uint32_t height_px;
    VkCompareOp compare;
    float *depth; /**< as many as pixels, changed as the test writes; NULL = no test */
    bool is_chequered;
    const struct fg_overdraw_costs *costs; /**< NULL = counts */
};
/** @param values as many as pixels @param fragments for each rectangle; NULL = not asked */
void rectangles_truth(const struct rectangles_truth *truth, float *values, uint64_t *fragments);

#endif
