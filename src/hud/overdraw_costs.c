/* SPDX-License-Identifier: MIT */
/* What items cost, and how many fragments they are. */
#include "base/alloc.h"
#include "base/hash.h"
#include <frameglass/detail.h>
#include <frameglass/overdraw.h>

#include <string.h>

#define ITEMS_DEFAULT 16384
#define ITEMS_MAX     (1u << 24)
#define CLOCKS        2

struct item {
    uint64_t id;
    uint64_t fragment_count;
    int64_t cost_ns[CLOCKS]; /**< by enum fg_overdraw_clock */
};

struct fg_overdraw_costs {
    const struct fg_allocator *allocator;
    struct item *items;
    uint32_t item_count, item_max;
    uint32_t *slots; /**< index + 1 of the item; 0 = empty. At most half of them are taken */
    uint32_t slot_count;
    int64_t placeless_ns[CLOCKS]; /**< of what has no id, or found no room */
    bool has_gpu;
    uint64_t lost_items;
};

enum fg_result fg_overdraw_costs_create(const struct fg_allocator *allocator, uint32_t item_max,
                                        struct fg_overdraw_costs **out_costs)
{
    const uint32_t max = item_max != 0 ? item_max : ITEMS_DEFAULT;
    uint32_t slot_count = 2;
    if (out_costs == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (max > ITEMS_MAX) {
        return FG_ERR_LIMIT;
    }
    while (slot_count < 2 * max) {
        slot_count *= 2;
    }
    struct fg_overdraw_costs *costs = fgi_calloc(allocator, 1, sizeof *costs);
    if (costs == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    *costs = (struct fg_overdraw_costs){
        .allocator = allocator,
        .items = fgi_calloc(allocator, max, sizeof *costs->items),
        .item_max = max,
        .slots = fgi_calloc(allocator, slot_count, sizeof *costs->slots),
        .slot_count = slot_count,
    };
    if (costs->items == NULL || costs->slots == NULL) {
        fg_overdraw_costs_destroy(costs);
        return FG_ERR_NO_MEMORY;
    }
    *out_costs = costs;
    return FG_OK;
}

void fg_overdraw_costs_destroy(struct fg_overdraw_costs *costs)
{
    if (costs != NULL) {
        fgi_free(costs->allocator, costs->items, costs->item_max * sizeof *costs->items);
        fgi_free(costs->allocator, costs->slots, costs->slot_count * sizeof *costs->slots);
        fgi_free(costs->allocator, costs, sizeof *costs);
    }
}

void fg_overdraw_costs_clear(struct fg_overdraw_costs *costs)
{
    if (costs != NULL) {
        memset(costs->slots, 0, costs->slot_count * sizeof *costs->slots);
        memset(costs->placeless_ns, 0, sizeof costs->placeless_ns);
        costs->item_count = 0;
        costs->has_gpu = false;
        costs->lost_items = 0;
    }
}

/** The slot of an id: its own, or the empty one where it would be. */
static uint32_t find_slot(const struct fg_overdraw_costs *costs, uint64_t id)
{
    const uint32_t mask = costs->slot_count - 1;
    uint32_t slot = (uint32_t)fgi_mix64(id) & mask;
    while (costs->slots[slot] != 0 && costs->items[costs->slots[slot] - 1].id != id) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static struct item *get(struct fg_overdraw_costs *costs, uint64_t id)
{
    const uint32_t slot = find_slot(costs, id);
    if (costs->slots[slot] == 0) {
        if (costs->item_count == costs->item_max) {
            costs->lost_items++;
            return NULL;
        }
        costs->items[costs->item_count] = (struct item){ .id = id };
        costs->slots[slot] = ++costs->item_count;
    }
    return &costs->items[costs->slots[slot] - 1];
}

/** A sum that has come to the limit stays there. Of what is not negative. */
static void add_time(int64_t *sum_ns, int64_t ns)
{
    *sum_ns += ns < INT64_MAX - *sum_ns ? ns : INT64_MAX - *sum_ns;
}

static void add_count(uint64_t *sum, uint64_t count)
{
    *sum += count < UINT64_MAX - *sum ? count : UINT64_MAX - *sum;
}

void fg_overdraw_costs_add(struct fg_overdraw_costs *costs, uint64_t id,
                           enum fg_overdraw_clock clock, int64_t cost_ns)
{
    if (costs == NULL || cost_ns < 0 || (uint32_t)clock >= CLOCKS) {
        return;
    }
    struct item *item = get(costs, id);
    costs->has_gpu |= clock == FG_OVERDRAW_GPU;
    add_time(item != NULL ? &item->cost_ns[clock] : &costs->placeless_ns[clock], cost_ns);
}

void fg_overdraw_costs_add_tree(struct fg_overdraw_costs *costs, const struct fg_detail_tree *tree)
{
    for (uint32_t i = 0; costs != NULL && tree != NULL && i < tree->node_count; i++) {
        const struct fg_node_cost *node = &tree->nodes[i];
        if (node->id == UINT64_MAX) { /* the frame's, too */
            add_time(&costs->placeless_ns[FG_OVERDRAW_CPU], node->self_ns > 0 ? node->self_ns : 0);
        } else {
            fg_overdraw_costs_add(costs, node->id, FG_OVERDRAW_CPU, node->self_ns);
        }
    }
}

void fg_overdraw_costs_cover(struct fg_overdraw_costs *costs, uint64_t id, uint64_t fragment_count)
{
    struct item *item = costs != NULL && fragment_count > 0 ? get(costs, id) : NULL;
    if (item != NULL) {
        add_count(&item->fragment_count, fragment_count);
    }
}

enum fg_overdraw_clock fg_overdraw_costs_clock(const struct fg_overdraw_costs *costs)
{
    return costs != NULL && costs->has_gpu ? FG_OVERDRAW_GPU : FG_OVERDRAW_CPU;
}

float fg_overdraw_costs_weight(const struct fg_overdraw_costs *costs, uint64_t id)
{
    if (costs == NULL) {
        return 0.0f;
    }
    const uint32_t slot = costs->slots[find_slot(costs, id)];
    if (slot == 0 || costs->items[slot - 1].fragment_count == 0) {
        return 0.0f;
    }
    const struct item *item = &costs->items[slot - 1];
    const int64_t cost_ns = item->cost_ns[fg_overdraw_costs_clock(costs)];
    return (float)((double)cost_ns / (double)item->fragment_count);
}

void fg_overdraw_costs_totals(const struct fg_overdraw_costs *costs,
                              struct fg_overdraw_cost_totals *out_totals)
{
    if (out_totals == NULL) {
        return;
    }
    memset(out_totals, 0, sizeof *out_totals);
    if (costs == NULL) {
        return;
    }
    const enum fg_overdraw_clock clock = fg_overdraw_costs_clock(costs);
    out_totals->clock = clock;
    out_totals->item_count = costs->item_count;
    out_totals->unplaced_ns = costs->placeless_ns[clock];
    out_totals->lost_items = costs->lost_items;
    for (uint32_t i = 0; i < costs->item_count; i++) {
        const struct item *item = &costs->items[i];
        add_count(&out_totals->fragment_count, item->fragment_count);
        add_time(item->fragment_count > 0 ? &out_totals->placed_ns : &out_totals->unplaced_ns,
                 item->cost_ns[clock]);
    }
}
