/* SPDX-License-Identifier: MIT */
/* What a map came to, when its commands have completed. */
#include "hud/overdraw_vulkan_priv.h"

#include <math.h>

/** None is negative, nor more than a number. */
static float half_to_float(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const float mantissa = (float)(half & 1023);
    if (exponent == 31) {
        return 65536.0f;
    }
    return exponent == 0 ? ldexpf(mantissa, -24) : ldexpf(1024.0f + mantissa, exponent - 25);
}

static const float *values_of(struct fgi_overdraw_slot *slot)
{
    const size_t pixels = (size_t)slot->width_px * slot->height_px;
    const uint16_t *halves = slot->readback.mapped;
    if (slot->values == NULL) {
        return slot->readback.mapped;
    }
    for (size_t i = 0; i < pixels; i++) {
        slot->values[i] = half_to_float(halves[i]);
    }
    return slot->values;
}

bool fg_overdraw_vulkan_read(struct fg_overdraw_vulkan *o, uint32_t slot_index,
                             struct fg_overdraw_map *out_map)
{
    if (out_map == NULL) {
        return false;
    }
    *out_map = (struct fg_overdraw_map){ .values = NULL };
    if (o == NULL || slot_index >= o->slot_count || !o->slots[slot_index].is_done ||
        !o->slots[slot_index].reads_back) {
        return false;
    }
    struct fgi_overdraw_slot *slot = &o->slots[slot_index];
    *out_map = (struct fg_overdraw_map){
        .kind = slot->kind,
        .clock = slot->clock,
        .width_px = slot->width_px,
        .height_px = slot->height_px,
        .values = values_of(slot),
        .limit = fg_overdraw_limit(o->format),
        .frame = slot->frame,
    };
    return true;
}

/**
 * Each fragment of an item is one in the map: more of them are not its fragments. Drivers may count
 * those that a shader discards. Of a map that is not read, or full somewhere, it cannot be told.
 */
static bool are_too_many(const struct fg_overdraw_vulkan *o, struct fgi_overdraw_slot *slot,
                         uint32_t count)
{
    const size_t pixels = (size_t)slot->width_px * slot->height_px;
    const float limit = fg_overdraw_limit(o->format);
    double in_map = 0.0, in_items = 0.0;
    if (!slot->reads_back) {
        return false;
    }
    const float *values = values_of(slot);
    for (size_t i = 0; i < pixels; i++) {
        if (values[i] >= limit) {
            return false;
        }
        in_map += (double)values[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        in_items += (double)slot->fragments[i];
    }
    return in_items > in_map;
}

bool fg_overdraw_vulkan_cover(struct fg_overdraw_vulkan *o, uint32_t slot_index,
                              struct fg_overdraw_costs *costs, uint64_t *out_left_out)
{
    if (o == NULL || slot_index >= o->slot_count || !o->slots[slot_index].is_done ||
        o->slots[slot_index].query_count == 0) {
        return false;
    }
    struct fgi_overdraw_slot *slot = &o->slots[slot_index];
    const uint32_t count = slot->query_count;
    slot->query_count = 0;
    /* All of them before any is told. */
    const VkResult result = o->vk.GetQueryPoolResults(
        o->device, slot->queries, 0, count, count * sizeof *slot->fragments, slot->fragments,
        sizeof *slot->fragments, VK_QUERY_RESULT_64_BIT);
    const bool is_wrong = result == VK_SUCCESS && are_too_many(o, slot, count);
    if (out_left_out != NULL && result == VK_SUCCESS) {
        *out_left_out = slot->left_out + (is_wrong ? count : 0);
    }
    if (result != VK_SUCCESS || is_wrong) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        fg_overdraw_costs_cover(costs, slot->ids[i], slot->fragments[i]);
    }
    return true;
}
