/* SPDX-License-Identifier: MIT */
/* Where the renderer draws: an image, its pass, and a way back to the host. */
#ifndef FOREIGN_PICTURE_H
#define FOREIGN_PICTURE_H
#include "foreign_columns.h"
#include "foreign_nodes.h"
#include "foreign_pipeline.h"

#include <frameglass/gpu_trace_views.h>

struct foreign_picture {
    uint32_t width_px, height_px;
    VkRenderPass pass;
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    VkFramebuffer framebuffer;
    struct foreign_pipeline pipeline;
    struct fg_compute_memory pixels; /**< RGBA, read by the host when the work has completed */
    struct fg_compute_view rows, draw;
    struct {
        uint64_t table;
        int64_t start_ns, end_ns;
        uint32_t width_px, lane_count;
    } push; /**< as in spans.vert */
};
bool foreign_picture_create(struct foreign_device *device, uint32_t width_px, uint32_t height_px,
                            struct foreign_picture *out_picture);
void foreign_picture_destroy(struct foreign_device *device, struct foreign_picture *picture);
/**
 * Add the pass that draws the spans of a view, straight from its rows and its command, over lanes
 * that share the height evenly. `picture->push` is filled in before.
 */
enum fg_result foreign_picture_add(struct foreign_picture *picture, const struct fg_gpu_trace *gpu,
                                   const struct fg_gpu_view *view, struct foreign_nodes *nodes);

#endif
