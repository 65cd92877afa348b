/* SPDX-License-Identifier: MIT */
#include "heat.h"

#include "formats.h"
#include "png_file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An item of passes that cover nothing. */
enum { NOWHERE = 1000 };

/* By enum rd_heat_item; then the passes that cover every pixel. */
static const char *const items[] = {
    [RD_HEAT_DEPTH_EARLY] = "depth early",
    [RD_HEAT_DEPTH_LATE] = "depth late",
    [RD_HEAT_SURFACES] = "g-buffer",
    [RD_HEAT_SKY] = "sky",
    [RD_HEAT_FIREFLIES] = "fireflies",
    [RD_HEAT_TONEMAP] = "tonemap",
    "hi-z",
    "occlusion",
    "occlusion blur x",
    "occlusion blur y",
    "lighting",
    "haze",
    "reflections",
    "composite",
    "temporal filter",
    "auto exposure",
    "down 1",
    "down 2",
    "down 3",
    "down 4",
    "down 5",
    "up 4",
    "up 3",
    "up 2",
    "up 1",
    "resolve",
};
enum { ITEM_COUNT = sizeof(items) / sizeof(items[0]) };

static int64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

uint32_t rd_heat_map(uint32_t slot, enum fg_overdraw_kind kind)
{
    return slot * 2 + (kind == FG_OVERDRAW_COSTS ? 1 : 0);
}

uint32_t rd_heat_item_count(void)
{
    return ITEM_COUNT;
}

static bool make_stamps(struct rd_heat *heat, const struct rd_device *device)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
    const uint32_t bits = families[device->queues[RD_QUEUE_GRAPHICS].family].timestampValidBits;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = RD_HEAT_SLOTS * RD_HEAT_MAX_PASSES * 2,
    };
    if (bits == 0) {
        return true;
    }
    heat->tick_mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    heat->ns_per_tick = (double)device->properties.limits.timestampPeriod;
    return rd_check(device, vkCreateQueryPool(device->device, &info, NULL, &heat->stamps),
                    "vkCreateQueryPool");
}

bool rd_heat_init(struct rd_heat *heat, const struct rd_device *device,
                  const struct rd_options *options)
{
    const bool has_costs = options->heat == RD_HEAT_COSTS || options->cost_path != NULL;
    const enum fg_overdraw_kind kind =
        options->heat == RD_HEAT_COSTS ? FG_OVERDRAW_COSTS : FG_OVERDRAW_COUNTS;
    const struct fg_overdraw_vulkan_options wanted = {
        .common = { .instance = device->instance,
                    .physical_device = device->physical,
                    .device = device->device,
                    .get_instance_proc_addr = vkGetInstanceProcAddr,
                    .get_device_proc_addr = vkGetDeviceProcAddr,
                    .color_format =
                        options->heat != RD_HEAT_OFF ? RD_FORMAT_PICTURE : VK_FORMAT_UNDEFINED,
                    .slot_count = RD_HEAT_SLOTS * 2 },
        .depth = FG_OVERDRAW_DEPTH_CLEAR,
        .depth_format = RD_FORMAT_DEPTH,
        .item_max = has_costs ? RD_HEAT_FIRST_FULL : 0,
    };
    if (!has_costs && options->heat == RD_HEAT_OFF && options->overdraw_path == NULL) {
        return true;
    }
    if (has_costs && !device->features.occlusionQueryPrecise) {
        return rd_fail(device->log, "this device does not count fragments: no map of costs");
    }
    enum fg_result result = fg_overdraw_vulkan_create(&wanted, &heat->maps);
    if (result == FG_OK && has_costs) {
        result = fg_overdraw_costs_create(NULL, 2 * RD_HEAT_MAX_PASSES, &heat->costs);
    }
    if (result != FG_OK) {
        return rd_fail(device->log, "heat maps: %s", fg_result_text(result));
    }
    heat->is_shown = options->heat != RD_HEAT_OFF;
    fg_overdraw_scale_fit(&(const struct fg_overdraw_statistics){ .kind = kind }, &heat->scale);
    return !has_costs || make_stamps(heat, device);
}

void rd_heat_finish(struct rd_heat *heat, const struct rd_device *device)
{
    vkDestroyQueryPool(device->device, heat->stamps, NULL);
    fg_overdraw_vulkan_destroy(heat->maps);
    fg_overdraw_costs_destroy(heat->costs);
}

static uint32_t stamp_of(uint32_t slot, uint32_t pass)
{
    return (slot * RD_HEAT_MAX_PASSES + pass) * 2;
}

/** Both of a pass. @return -1: they are not there */
static int64_t stamped_ns(const struct rd_heat *heat, const struct rd_device *device, uint32_t slot,
                          uint32_t pass)
{
    uint64_t ticks[2];
    if (!heat->slots[slot].is_stamped[pass] ||
        vkGetQueryPoolResults(device->device, heat->stamps, stamp_of(slot, pass), 2, sizeof(ticks),
                              ticks, sizeof(ticks[0]), VK_QUERY_RESULT_64_BIT) != VK_SUCCESS) {
        return -1;
    }
    return (int64_t)((double)((ticks[1] - ticks[0]) & heat->tick_mask) * heat->ns_per_tick);
}

/** Before a map has come: by what a pixel costs in the mean. */
static void guess_scale(struct rd_heat *heat, uint64_t pixel_count)
{
    struct fg_overdraw_cost_totals totals;
    fg_overdraw_costs_totals(heat->costs, &totals);
    const struct fg_overdraw_statistics guess = {
        .kind = FG_OVERDRAW_COSTS,
        .clock = totals.clock,
        .p99 = (float)totals.placed_ns / (float)pixel_count,
    };
    fg_overdraw_scale_fit(&guess, &heat->scale);
}

/** Costs and fragments of the one frame. */
static void take_costs(struct rd_heat *heat, const struct rd_device *device, uint32_t slot)
{
    struct rd_heat_slot *measured = &heat->slots[slot];
    fg_overdraw_costs_clear(heat->costs);
    for (uint32_t i = 0; i < measured->pass_count; i++) {
        fg_overdraw_costs_add(heat->costs, measured->ids[i], FG_OVERDRAW_CPU, measured->cpu_ns[i]);
        fg_overdraw_costs_add(heat->costs, measured->ids[i], FG_OVERDRAW_GPU,
                              stamped_ns(heat, device, slot, i));
    }
    for (uint32_t i = RD_HEAT_FIRST_FULL; i < ITEM_COUNT; i++) {
        fg_overdraw_costs_cover(heat->costs, i, measured->pixel_count);
    }
    heat->has_costs = fg_overdraw_vulkan_cover(heat->maps, rd_heat_map(slot, FG_OVERDRAW_COUNTS),
                                               heat->costs, NULL);
    if (heat->has_costs && heat->is_shown && !heat->has_statistics) {
        guess_scale(heat, measured->pixel_count);
    }
}

void rd_heat_take(struct rd_heat *heat, const struct rd_device *device, uint32_t slot)
{
    struct fg_overdraw_map map;
    if (heat->maps == NULL) {
        return;
    }
    if (heat->slots[slot].is_measured) {
        take_costs(heat, device, slot);
        heat->slots[slot].is_measured = false;
    }
    if (heat->is_shown &&
        fg_overdraw_vulkan_read(heat->maps, rd_heat_map(slot, heat->scale.kind), &map)) {
        fg_overdraw_measure(&map, &heat->statistics);
        fg_overdraw_scale_fit(&heat->statistics, &heat->scale);
        heat->has_statistics = true;
    }
}

void rd_heat_measure(struct rd_heat *heat, VkCommandBuffer commands, uint32_t slot,
                     uint64_t pixel_count)
{
    struct rd_heat_slot *measured = &heat->slots[slot];
    measured->is_measured = true;
    measured->pass_count = 0;
    measured->pixel_count = pixel_count;
    if (heat->stamps != VK_NULL_HANDLE) {
        vkCmdResetQueryPool(commands, heat->stamps, stamp_of(slot, 0), RD_HEAT_MAX_PASSES * 2);
    }
}

static bool is_measured(const struct rd_heat *heat, uint32_t slot)
{
    return heat->slots[slot].is_measured && heat->slots[slot].pass_count < RD_HEAT_MAX_PASSES;
}

static void stamp(struct rd_heat *heat, VkCommandBuffer commands, uint32_t slot, uint32_t which)
{
    struct rd_heat_slot *measured = &heat->slots[slot];
    if (heat->stamps != VK_NULL_HANDLE && commands != VK_NULL_HANDLE) {
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, heat->stamps,
                            stamp_of(slot, measured->pass_count) + which);
        measured->is_stamped[measured->pass_count] = true;
    }
}

void rd_heat_pass_begin(struct rd_heat *heat, VkCommandBuffer commands, uint32_t slot,
                        const char *name)
{
    if (!is_measured(heat, slot)) {
        return;
    }
    struct rd_heat_slot *measured = &heat->slots[slot];
    uint32_t item = 0;
    while (item < ITEM_COUNT && strcmp(items[item], name) != 0) {
        item++;
    }
    measured->ids[measured->pass_count] = item < ITEM_COUNT ? item : NOWHERE;
    measured->is_stamped[measured->pass_count] = false;
    stamp(heat, commands, slot, 0);
    heat->pass_begin_ns = now_ns();
}

void rd_heat_pass_end(struct rd_heat *heat, VkCommandBuffer commands, uint32_t slot)
{
    if (!is_measured(heat, slot)) {
        return;
    }
    struct rd_heat_slot *measured = &heat->slots[slot];
    stamp(heat, commands, slot, 1);
    measured->cpu_ns[measured->pass_count++] = now_ns() - heat->pass_begin_ns;
}

bool rd_heat_write(struct rd_heat *heat, uint32_t slot, enum fg_overdraw_kind kind,
                   const char *path, struct rd_log *log)
{
    struct fg_overdraw_map map;
    struct fg_overdraw_statistics statistics;
    struct fg_overdraw_scale scale;
    struct fg_overdraw_cost_totals all;
    const struct fg_overdraw_cost_totals *totals = kind == FG_OVERDRAW_COSTS ? &all : NULL;
    const struct fg_hud_list *list = &heat->legend.list;
    if (!fg_overdraw_vulkan_read(heat->maps, rd_heat_map(slot, kind), &map)) {
        return rd_fail(log, "there is no map for %s", path);
    }
    fg_overdraw_measure(&map, &statistics);
    fg_overdraw_scale_fit(&statistics, &scale);
    fg_overdraw_costs_totals(heat->costs, &all);
    /* The legend hides nothing: it stands below, in as much room as it needs. */
    struct fg_hud_target target = { .width_px = 4096, .height_px = 4096, .scale = 1 };
    fg_overdraw_legend_build(&scale, &statistics, totals, &target, &heat->legend);
    const uint32_t least_px = list->panel_width_px + 2 * (uint32_t)list->panel_x_px;
    target.width_px = map.width_px > least_px ? map.width_px : least_px;
    target.height_px = map.height_px + list->panel_height_px + 2 * (uint32_t)list->panel_y_px;
    target.corner = FG_HUD_BOTTOM_LEFT;
    fg_overdraw_legend_build(&scale, &statistics, totals, &target, &heat->legend);
    const struct fg_hud_pixels pixels = {
        .pixels = calloc((size_t)target.width_px * target.height_px, 4),
        .width_px = target.width_px,
        .height_px = target.height_px,
    };
    if (pixels.pixels == NULL) {
        return rd_fail(log, "out of memory");
    }
    fg_overdraw_memory_draw(&map, &scale, 1.0f, &pixels);
    fg_hud_memory_draw(list, &pixels);
    const bool ok = rd_png_write(path, pixels.pixels, target.width_px, target.height_px, log);
    free(pixels.pixels);
    return ok;
}
