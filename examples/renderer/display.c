/* SPDX-License-Identifier: MIT */
#include "display.h"

#include "formats.h"

/* A picture that is narrower than the panel goes without. */
enum { WIDTH_LEAST_PX = 400 };

enum { STAMP_BEGIN, STAMP_HEAT_BEGIN, STAMP_DISPLAY_BEGIN, STAMP_DISPLAY_END, STAMP_END };

static bool make_stamps(struct rd_display *display, const struct rd_device *device)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
    const uint32_t bits = families[device->queues[RD_QUEUE_GRAPHICS].family].timestampValidBits;
    if (bits == 0) {
        return true;
    }
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = RD_DISPLAY_SLOTS * RD_DISPLAY_STAMPS,
    };
    display->tick_mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    display->ns_per_tick = (double)device->properties.limits.timestampPeriod;
    return rd_check(device, vkCreateQueryPool(device->device, &info, NULL, &display->stamps),
                    "vkCreateQueryPool");
}

bool rd_display_init(struct rd_display *display, const struct rd_device *device, uint32_t width_px,
                     uint32_t height_px)
{
    const struct fg_hud_vulkan_options options = {
        .instance = device->instance,
        .physical_device = device->physical,
        .device = device->device,
        .get_instance_proc_addr = vkGetInstanceProcAddr,
        .get_device_proc_addr = vkGetDeviceProcAddr,
        .color_format = RD_FORMAT_PICTURE,
        .slot_count = RD_DISPLAY_SLOTS * 2,
    };
    if (width_px < WIDTH_LEAST_PX) {
        return true;
    }
    display->target = (struct fg_hud_target){ .width_px = width_px, .height_px = height_px };
    /* It never idles, and takes seconds for a frame on a slow device. What the display costs is
     * laid out on another thread, and in no CPU time of the frame. */
    enum fg_result result = fg_hud_create(
        FG_HUD_OPTIONS(.flags = FG_HUD_CPU_WITHOUT_HUD, .gap_limit_ns = -1), &display->hud);
    if (result == FG_OK) {
        result = fg_hud_vulkan_create(&options, &display->renderer);
    }
    if (result != FG_OK) {
        return rd_fail(device->log, "display: %s", fg_result_text(result));
    }
    return make_stamps(display, device);
}

void rd_display_finish(struct rd_display *display, const struct rd_device *device)
{
    vkDestroyQueryPool(device->device, display->stamps, NULL);
    fg_hud_vulkan_destroy(display->renderer);
    fg_hud_destroy(display->hud);
}

void rd_display_build(struct rd_display *display)
{
    (void)fg_hud_build(display->hud, &display->target, &display->list);
}

static int64_t ticks_to_ns(const struct rd_display *display, uint64_t begin, uint64_t end)
{
    return (int64_t)((double)((end - begin) & display->tick_mask) * display->ns_per_tick);
}

void rd_display_take(struct rd_display *display, const struct rd_device *device, uint32_t slot)
{
    uint64_t ticks[RD_DISPLAY_STAMPS];
    const uint64_t frame = display->frames[slot];
    display->frames[slot] = 0;
    if (frame == 0) {
        return;
    }
    const VkResult result = vkGetQueryPoolResults(
        device->device, display->stamps, slot * RD_DISPLAY_STAMPS, RD_DISPLAY_STAMPS, sizeof(ticks),
        ticks, sizeof(ticks[0]), VK_QUERY_RESULT_64_BIT);
    if (result != VK_SUCCESS) {
        fg_hud_gpu(display->hud, frame, -1);
        return;
    }
    const int64_t heat_ns = display->has_heat[slot] ? ticks_to_ns(display, ticks[STAMP_HEAT_BEGIN],
                                                                  ticks[STAMP_DISPLAY_BEGIN])
                                                    : 0;
    display->shows_heat |= display->has_heat[slot];
    if (display->shows_heat) {
        fg_hud_metric(display->hud, "heat map GPU", display->has_heat[slot] ? heat_ns : INT64_MIN,
                      FG_UNIT_NS);
    }
    fg_hud_gpu(display->hud, frame,
               ticks_to_ns(display, ticks[STAMP_BEGIN], ticks[STAMP_END]) - heat_ns);
    fg_hud_own_gpu(display->hud, frame,
                   ticks_to_ns(display, ticks[STAMP_DISPLAY_BEGIN], ticks[STAMP_DISPLAY_END]));
}

static void stamp(struct rd_display *display, VkCommandBuffer commands, uint32_t slot,
                  uint32_t which)
{
    if (display->stamps != VK_NULL_HANDLE) {
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, display->stamps,
                            slot * RD_DISPLAY_STAMPS + which);
    }
}

void rd_display_begin(struct rd_display *display, VkCommandBuffer commands, uint32_t slot,
                      uint64_t frame)
{
    if (display->stamps != VK_NULL_HANDLE) {
        vkCmdResetQueryPool(commands, display->stamps, slot * RD_DISPLAY_STAMPS, RD_DISPLAY_STAMPS);
        display->frames[slot] = frame;
    }
    display->has_heat[slot] = false;
    stamp(display, commands, slot, STAMP_BEGIN);
}

void rd_display_end(struct rd_display *display, VkCommandBuffer commands, uint32_t slot)
{
    stamp(display, commands, slot, STAMP_END);
}

void rd_display_heat_begin(struct rd_display *display, VkCommandBuffer commands, uint32_t slot)
{
    stamp(display, commands, slot, STAMP_HEAT_BEGIN);
    display->has_heat[slot] = true;
}

uint32_t rd_display_draw(struct rd_display *display, VkCommandBuffer commands, uint32_t slot)
{
    if (!display->has_heat[slot]) { /* all stamps are read at once: one that is missing hides the
                                       rest */
        stamp(display, commands, slot, STAMP_HEAT_BEGIN);
    }
    stamp(display, commands, slot, STAMP_DISPLAY_BEGIN);
    fg_hud_vulkan_draw(display->renderer, commands, slot, &display->list);
    stamp(display, commands, slot, STAMP_DISPLAY_END);
    return display->list.quad_count;
}
