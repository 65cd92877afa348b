/* SPDX-License-Identifier: MIT */
/* What a map came to, when its commands have completed. */
#include "hud/overdraw_vulkan_priv.h"

#include <math.h>

/* Results that are asked for at once. */
#define CHUNK 128

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

bool fg_overdraw_vulkan_cover(struct fg_overdraw_vulkan *o, uint32_t slot_index,
                              struct fg_overdraw_costs *costs, uint64_t *out_left_out)
{
    uint64_t fragments[CHUNK];
    if (o == NULL || slot_index >= o->slot_count || !o->slots[slot_index].is_done ||
        o->slots[slot_index].query_count == 0) {
        return false;
    }
    struct fgi_overdraw_slot *slot = &o->slots[slot_index];
    const uint32_t count = slot->query_count;
    slot->query_count = 0;
    for (uint32_t first = 0; first < count; first += CHUNK) {
        const uint32_t some = count - first < CHUNK ? count - first : CHUNK;
        const VkResult result =
            o->vk.GetQueryPoolResults(o->device, slot->queries, first, some, sizeof fragments,
                                      fragments, sizeof fragments[0], VK_QUERY_RESULT_64_BIT);
        if (result != VK_SUCCESS) {
            return false;
        }
        for (uint32_t i = 0; i < some; i++) {
            fg_overdraw_costs_cover(costs, slot->ids[first + i], fragments[i]);
        }
    }
    if (out_left_out != NULL) {
        *out_left_out = slot->left_out;
    }
    return true;
}
