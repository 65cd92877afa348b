/* SPDX-License-Identifier: MIT */
/*
 * Paths by parents. From each row that is open one walks up to a root, to a row that is done, or
 * into the walk itself (a circle), leaving the way back in `roots`; then down again, adding up.
 * Every row is walked over once up and once down, however deep the forest is.
 */
#include "trace/links_rules.h"

#define WALKING (UINT32_MAX - 3)

static uint64_t add(struct fgi_forest *forest, uint64_t a, uint64_t b)
{
    if (a > UINT64_MAX - b) {
        forest->flags |= FG_PATH_SATURATED;
        return UINT64_MAX;
    }
    return a + b;
}

/* Up to where the answer is known. Returns how many rows were walked over. */
static uint64_t walk_up(struct fgi_forest *forest, uint32_t row, uint32_t *out_last)
{
    uint32_t below = FG_NONE;
    for (uint64_t walked = 1;; walked++) {
        uint32_t parent = forest->nodes[row].predecessor;
        forest->nodes[row].hops = WALKING;
        forest->roots[row] = below;
        *out_last = row;
        if (parent >= forest->count || forest->nodes[parent].hops != FGI_FOREST_OPEN) {
            return walked;
        }
        below = row;
        row = parent;
    }
}

/* What the last row of a walk up is: steps to its root, or why it has none. */
static uint32_t judge(struct fgi_forest *forest, uint32_t last)
{
    uint32_t parent = forest->nodes[last].predecessor;
    if (parent == FG_NONE) {
        return 0;
    }
    if (parent >= forest->count) {
        forest->flags |= FG_PATH_INVALID_PARENT;
        return FGI_FOREST_INVALID;
    }
    if (forest->nodes[parent].hops == WALKING) {
        if (!(forest->flags & FG_PATH_CYCLIC)) {
            forest->flags |= FG_PATH_CYCLIC;
            forest->cycle_node = last;
        }
        return FGI_FOREST_LEFT_OUT;
    }
    uint32_t hops = forest->nodes[parent].hops;
    return hops < WALKING ? hops + 1 : hops;
}

/* From the last row down to the one that the walk began with. */
static void walk_down(struct fgi_forest *forest, uint32_t row, uint32_t hops)
{
    while (row != FG_NONE) {
        uint32_t below = forest->roots[row];
        uint32_t parent = forest->nodes[row].predecessor;
        forest->nodes[row].hops = hops;
        if (hops >= WALKING) {
            forest->nodes[row].length = 0;
            forest->roots[row] = FG_NONE;
            forest->invalid += hops == FGI_FOREST_INVALID;
            forest->left_out += hops == FGI_FOREST_LEFT_OUT;
        } else {
            bool is_root = hops == 0;
            forest->nodes[row].length =
                add(forest, forest->nodes[row].length, is_root ? 0 : forest->nodes[parent].length);
            forest->roots[row] = is_root ? row : forest->roots[parent];
            forest->max_hops = hops > forest->max_hops ? hops : forest->max_hops;
            hops++;
        }
        row = below;
    }
}

uint64_t fgi_forest_step(struct fgi_forest *forest, uint64_t max_rows)
{
    uint64_t walked = 0;
    for (; forest->next < forest->count && walked < max_rows; forest->next++) {
        if (forest->nodes[forest->next].hops == FGI_FOREST_OPEN) {
            uint32_t last;
            walked += walk_up(forest, forest->next, &last);
            walk_down(forest, last, judge(forest, last));
        } else {
            walked++;
        }
    }
    return walked;
}
