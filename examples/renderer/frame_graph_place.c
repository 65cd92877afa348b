/* SPDX-License-Identifier: MIT */
/* Sharing memory between resources that are never alive together. */
#include "frame_graph.h"

#include <stdbool.h>

static bool alive_together(const struct rd_placement *a, const struct rd_placement *b)
{
    return a->first_position <= b->last_position && b->first_position <= a->last_position;
}

static uint64_t align_up(uint64_t value, uint64_t alignment)
{
    return alignment <= 1 ? value : (value + alignment - 1) / alignment * alignment;
}

/** The lowest offset for `items[order[at]]` beside those already placed, order[0..at). */
static uint64_t lowest_fit(const struct rd_placement *items, const uint16_t *order, uint32_t at)
{
    const struct rd_placement *item = &items[order[at]];
    uint64_t offset = 0;
    bool moved = true;
    /* Each round moves past one placed item, so this ends after at most `at` moves. */
    while (moved) {
        moved = false;
        for (uint32_t i = 0; i < at; i++) {
            const struct rd_placement *other = &items[order[i]];
            const uint64_t other_end = other->offset_bytes + other->size_bytes;
            if (alive_together(item, other) && offset < other_end &&
                other->offset_bytes < offset + item->size_bytes) {
                offset = align_up(other_end, item->alignment_bytes);
                moved = true;
            }
        }
    }
    return offset;
}

uint64_t rd_graph_place(struct rd_placement *items, uint32_t count)
{
    uint16_t order[RD_GRAPH_MAX_RESOURCES];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        while (at > 0 && items[order[at - 1]].size_bytes < items[i].size_bytes) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = (uint16_t)i;
    }
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct rd_placement *item = &items[order[i]];
        item->offset_bytes = lowest_fit(items, order, i);
        const uint64_t end = item->offset_bytes + item->size_bytes;
        total = end > total ? end : total;
    }
    return total;
}
