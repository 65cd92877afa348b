/* SPDX-License-Identifier: MIT */
/* The head-up display over the picture: Frameglass's own, with the GPU times of this renderer. */
#ifndef RD_DISPLAY_H
#define RD_DISPLAY_H

#include "gpu_device.h"

#include <frameglass/hud_vulkan.h>

enum {
    RD_DISPLAY_SLOTS = 2, /**< of the display; as many more for another list over the picture */
    RD_DISPLAY_STAMPS = 5
};

struct rd_display {
    struct fg_hud *hud;
    struct fg_hud_vulkan *renderer;
    struct fg_hud_target target;
    struct fg_hud_list list;
    VkQueryPool stamps; /**< null: the queue has no timestamps */
    double ns_per_tick;
    uint64_t tick_mask;
    uint64_t frames[RD_DISPLAY_SLOTS]; /**< whose stamps a slot has; 0 = none */
    bool has_heat[RD_DISPLAY_SLOTS];   /**< a heat map was drawn in that frame */
    bool shows_heat;                   /**< the HUD has a row for what heat maps cost */
};

bool rd_display_init(struct rd_display *display, const struct rd_device *device, uint32_t width_px,
                     uint32_t height_px);
/** When the device is idle. */
void rd_display_finish(struct rd_display *display, const struct rd_device *device);

/** Lay out what is known of the frames before. On any thread, while no other uses the display. */
void rd_display_build(struct rd_display *display);
/** The slot's last frame is done: take its times. Never waits. */
void rd_display_take(struct rd_display *display, const struct rd_device *device, uint32_t slot);

/** Around the graphics commands of a frame, outside of rendering. @param frame from 1 */
void rd_display_begin(struct rd_display *display, VkCommandBuffer commands, uint32_t slot,
                      uint64_t frame);
void rd_display_end(struct rd_display *display, VkCommandBuffer commands, uint32_t slot);
/** From here on to the draw the frame's work is a heat map: apart from the frame, and the HUD. */
void rd_display_heat_begin(struct rd_display *display, VkCommandBuffer commands, uint32_t slot);
/** Inside a rendering of the picture. Returns how many quads were drawn. */
uint32_t rd_display_draw(struct rd_display *display, VkCommandBuffer commands, uint32_t slot);

#endif
