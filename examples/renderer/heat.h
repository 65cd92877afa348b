/* SPDX-License-Identifier: MIT */
/*
 * Heat maps: how often each pixel of the internal picture is drawn, and what it costs. The frame's
 * geometry is drawn once more into a map: depth, surfaces, sky, fireflies and tone mapping, tested
 * as in the frame itself. passes/maps.c does that.
 *
 * A map of costs has the times of the frame two before, pass by pass, spread over the pixels that
 * each covered there; passes that compute something for every pixel cover them all. Times are the
 * GPU's, else the CPU's. What is in no pixel (culling, shadows, copies) is told in the legend.
 */
#ifndef RD_HEAT_H
#define RD_HEAT_H

#include "gpu_device.h"

#include <frameglass/overdraw_vulkan.h>

enum { RD_HEAT_SLOTS = 2, RD_HEAT_MAX_PASSES = 96 };

/** Items: passes of the frame that cover pixels. */
enum rd_heat_item {
    RD_HEAT_DEPTH_EARLY,
    RD_HEAT_DEPTH_LATE,
    RD_HEAT_SURFACES,
    RD_HEAT_SKY,
    RD_HEAT_FIREFLIES,
    RD_HEAT_TONEMAP,
    RD_HEAT_FIRST_FULL, /**< from here on: passes that cover every pixel, and draw nothing */
};

/** What was measured of a frame in flight. */
struct rd_heat_slot {
    bool is_measured;
    uint32_t pass_count;
    uint64_t ids[RD_HEAT_MAX_PASSES];
    int64_t cpu_ns[RD_HEAT_MAX_PASSES];
    bool is_stamped[RD_HEAT_MAX_PASSES];
    uint64_t pixel_count;
};

struct rd_heat {
    struct fg_overdraw_vulkan *maps; /**< NULL: nobody wants any; nothing else is there then */
    struct fg_overdraw_costs *costs; /**< NULL: nobody wants costs */
    bool has_costs;                  /**< a frame was measured, and its results have come */
    VkQueryPool stamps;              /**< null: the queue has no timestamps */
    double ns_per_tick;
    uint64_t tick_mask;
    struct rd_heat_slot slots[RD_HEAT_SLOTS];
    int64_t pass_begin_ns;
    /* What the overlay shows, by what the last map of the scale's kind was. */
    bool is_shown;
    struct fg_overdraw_scale scale;
    struct fg_overdraw_statistics statistics;
    bool has_statistics;
    struct fg_overdraw_legend legend;
};

/** Nothing is made when the options ask for no map. Finish it in either case. */
bool rd_heat_init(struct rd_heat *heat, const struct rd_device *device,
                  const struct rd_options *options);
/** When the device is idle. */
void rd_heat_finish(struct rd_heat *heat, const struct rd_device *device);

/** The map of a frame in flight. */
uint32_t rd_heat_map(uint32_t slot, enum fg_overdraw_kind kind);
/** How many items are known: those from RD_HEAT_FIRST_FULL on are all drawn alike. */
uint32_t rd_heat_item_count(void);

/** The slot's last frame is done: take what it came to. Never waits. */
void rd_heat_take(struct rd_heat *heat, const struct rd_device *device, uint32_t slot);
/** First in the graphics commands of a frame that is measured, outside of rendering. */
void rd_heat_measure(struct rd_heat *heat, VkCommandBuffer commands, uint32_t slot,
                     uint64_t pixel_count);
/** Around each pass, outside of rendering. @param commands null: on another queue, not stamped */
void rd_heat_pass_begin(struct rd_heat *heat, VkCommandBuffer commands, uint32_t slot,
                        const char *name);
void rd_heat_pass_end(struct rd_heat *heat, VkCommandBuffer commands, uint32_t slot);

/** Write the map of a frame that has completed, with its legend below. */
bool rd_heat_write(struct rd_heat *heat, uint32_t slot, enum fg_overdraw_kind kind,
                   const char *path, struct rd_log *log);

#endif
