/* SPDX-License-Identifier: MIT */
/*
 * Heat maps: how often each pixel is drawn, and what each pixel costs. This header knows no
 * graphics API: it has what a map is, its statistics, the colours with their legend, the costs of
 * what is drawn, and pictures of maps in memory. overdraw_opengl.h and overdraw_vulkan.h make maps
 * of an application's own draws, and draw them over its frame.
 *
 * Two kinds of maps, of what the application draws once more into a target that adds up:
 * - counts: each fragment adds 1. So the value of a pixel is how many fragments reached it: those
 *   that the depth test lets through, where it is on.
 * - costs: each fragment adds its item's weight, in nanoseconds. An item is whatever costs are
 *   known for (a node of the scene); its weight is its cost by the number of its fragments. So an
 *   item's cost is spread evenly over the pixels that it covers, and the map's sum is the cost of
 *   all that can be seen. Costs are times of the GPU where any are told, else of the CPU: the map
 *   and its legend say which.
 *
 * Both are exact up to what the target's format holds, fg_overdraw_limit(). A count there stays
 * there, and so does a cost nearly: such pixels are "that much or more", and are counted.
 *
 * Threads: any, one at a time for each table of costs and each legend.
 */
#ifndef FG_OVERDRAW_H
#define FG_OVERDRAW_H
#include <frameglass/base.h>
#include <frameglass/hud_draw.h>
FG_BEGIN_DECLS

enum fg_overdraw_kind {
    FG_OVERDRAW_COUNTS = 0,
    FG_OVERDRAW_COSTS = 1,
};
/** Whose time costs are. */
enum fg_overdraw_clock {
    FG_OVERDRAW_CPU = 0,
    FG_OVERDRAW_GPU = 1,
};
/** What a target is made of. */
enum fg_overdraw_format {
    FG_OVERDRAW_FORMAT_BEST = 0, /**< the first of these that the device adds up in */
    FG_OVERDRAW_FORMAT_R32F = 1,
    FG_OVERDRAW_FORMAT_R16F = 2,
    FG_OVERDRAW_FORMAT_R8 = 3, /**< counts only */
};
/** Up to where every whole number is exact: 2^24, 2^11, 255; 0 for FG_OVERDRAW_FORMAT_BEST. */
FG_API float fg_overdraw_limit(enum fg_overdraw_format format);

/* ---- maps ------------------------------------------------------------------------------------ */

struct fg_overdraw_map {
    enum fg_overdraw_kind kind;
    enum fg_overdraw_clock clock; /**< of costs */
    uint32_t width_px;
    uint32_t height_px;
    const float *values; /**< draws, or ns, of each pixel, upper row first; none is negative */
    size_t stride;       /**< values from row to row; 0 = width_px */
    float limit;         /**< fg_overdraw_limit(); 0 = none */
    uint64_t frame;      /**< number that the application gave it */
};

#define FG_OVERDRAW_BINS 33

struct fg_overdraw_statistics {
    enum fg_overdraw_kind kind;
    enum fg_overdraw_clock clock;
    uint64_t pixel_count;
    uint64_t touched_count;   /**< pixels that are not 0 */
    uint64_t saturated_count; /**< pixels at or over the map's limit */
    double sum;               /**< of counts: all fragments */
    double mean;              /**< of the touched pixels; 0 = none is */
    float max;
    uint32_t max_x_px; /**< the first pixel that has it */
    uint32_t max_y_px;
    float p1; /**< of the touched pixels, by nearest rank, as the next; 0 = not known */
    float median;
    float p99;
    float limit; /**< the map's */
    /** Of counts: pixels of 0, 1, 2, ... draws; the last has all of 32 and more. Of costs: 0. */
    uint64_t histogram[FG_OVERDRAW_BINS];
};
/** All zero for NULL, or a map without pixels. Allocates nothing. Threads: any. */
FG_API void fg_overdraw_measure(const struct fg_overdraw_map *map,
                                struct fg_overdraw_statistics *out_statistics);

/* ---- colours --------------------------------------------------------------------------------- */

#define FG_OVERDRAW_COLORS 256

/**
 * Colours in order: lightness rises evenly from the first to the last, so that they are in order
 * for every kind of colour vision, and on paper. Red, green, blue as sRGB encodes them, alpha 255.
 *
 * @param rgba FG_OVERDRAW_COLORS * 4 bytes
 */
FG_API void fg_overdraw_colors_write(uint8_t *rgba);
/** What pixels that nothing was drawn in are shown as: darker than the first colour. */
#define FG_OVERDRAW_UNTOUCHED_RED   17
#define FG_OVERDRAW_UNTOUCHED_GREEN 18
#define FG_OVERDRAW_UNTOUCHED_BLUE  22

/**
 * Which value has which colour. A shader does in 32-bit floats what fg_overdraw_index() does:
 *
 *     value <= 0:  untouched
 *     part  = is_log ? log2(max(value, bottom) / bottom) / log2(top / bottom)
 *                    : (value - bottom) / (top - bottom)
 *     index = floor(clamp(part, 0, 1) * 255 + 0.5)
 *
 * A map is drawn over a frame as color * opacity + frame * (1 - opacity), untouched pixels with
 * their colour in the same way; in a target of linear light, the colours are decoded first.
 */
struct fg_overdraw_scale {
    enum fg_overdraw_kind kind;
    enum fg_overdraw_clock clock;
    float bottom; /**< the first colour: this, or less */
    float top;    /**< the last one: this, or more; over bottom. Both over 0 */
    bool is_log;
};
/**
 * Counts: from 1 in whole steps to the largest count, at least 8, at most 32. Costs: from the p1 to
 * the p99, rounded outward; at least 2 % apart and at most three decades (the whole three where the
 * p1 is not known); in equal ratios, or in equal steps when the top is at most twice the bottom.
 * NULL, or statistics of nothing: a scale all the same.
 */
FG_API void fg_overdraw_scale_fit(const struct fg_overdraw_statistics *statistics,
                                  struct fg_overdraw_scale *out_scale);
/** Of a value: 0 .. 255; negative = untouched. */
FG_API int fg_overdraw_index(const struct fg_overdraw_scale *scale, float value);

#define FG_OVERDRAW_LEGEND_QUADS 512

struct fg_overdraw_cost_totals;

/** A draw list that explains the colours, for whoever draws HUDs. */
struct fg_overdraw_legend {
    struct fg_hud_list list; /**< its quads are those below */
    struct fg_hud_quad quads[FG_OVERDRAW_LEGEND_QUADS];
};
/**
 * Lay out the legend: the colours with their values, what is measured, and the statistics.
 *
 * @param target     where; pass_rows means nothing
 * @param statistics NULL = they are not known yet
 * @param costs      what of them is in no pixel; NULL = not told
 */
FG_API void fg_overdraw_legend_build(const struct fg_overdraw_scale *scale,
                                     const struct fg_overdraw_statistics *statistics,
                                     const struct fg_overdraw_cost_totals *costs,
                                     const struct fg_hud_target *target,
                                     struct fg_overdraw_legend *out_legend);

/**
 * The map as colours over what is in the pixels: the same as it is drawn over a frame.
 *
 * @param opacity 0 .. 1; with 1 nothing is left of what was there
 */
FG_API void fg_overdraw_memory_draw(const struct fg_overdraw_map *map,
                                    const struct fg_overdraw_scale *scale, float opacity,
                                    const struct fg_hud_pixels *pixels);

/* ---- costs ----------------------------------------------------------------------------------- */

struct fg_overdraw_costs;
struct fg_detail_tree;

/**
 * A table of what items cost and of how many fragments they are; sums, since it was made or
 * cleared: costs and fragments are of the same frames, one or several.
 *
 * @param item_max  room for so many, all taken at once; 0 = 16384
 * @param out_costs owned: fg_overdraw_costs_destroy(); untouched on failure
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_LIMIT (over 2^24), FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_overdraw_costs_create(const struct fg_allocator *allocator,
                                                           uint32_t item_max,
                                                           struct fg_overdraw_costs **out_costs);
/** NULL is legal here and below: nothing happens, nothing is known. */
FG_API void fg_overdraw_costs_destroy(struct fg_overdraw_costs *costs);
FG_API void fg_overdraw_costs_clear(struct fg_overdraw_costs *costs);
/** What an item cost. Negative times are left out. Costs of one clock do not count as another's. */
FG_API void fg_overdraw_costs_add(struct fg_overdraw_costs *costs, uint64_t id,
                                  enum fg_overdraw_clock clock, int64_t cost_ns);
/**
 * Every node's own time, as of the CPU: by its id. The frame itself and nodes without an id are
 * costs in no pixel.
 */
FG_API void fg_overdraw_costs_add_tree(struct fg_overdraw_costs *costs,
                                       const struct fg_detail_tree *tree);
/** Fragments that an item covered: told by those who make maps. */
FG_API void fg_overdraw_costs_cover(struct fg_overdraw_costs *costs, uint64_t id,
                                    uint64_t fragment_count);
/** Nanoseconds for each fragment of an item; 0 = no cost, or no fragments, are known. */
FG_API float fg_overdraw_costs_weight(const struct fg_overdraw_costs *costs, uint64_t id);
/** GPU where any such cost was told, else CPU. */
FG_API enum fg_overdraw_clock fg_overdraw_costs_clock(const struct fg_overdraw_costs *costs);

/** Of the clock above. Sums stay at INT64_MAX or UINT64_MAX when they have come there. */
struct fg_overdraw_cost_totals {
    enum fg_overdraw_clock clock;
    uint32_t item_count;
    uint64_t fragment_count;
    int64_t placed_ns;   /**< of items that have fragments */
    int64_t unplaced_ns; /**< of the others: culled, hidden, groups; and of what has no id */
    uint64_t lost_items; /**< told, and found no room */
};
FG_API void fg_overdraw_costs_totals(const struct fg_overdraw_costs *costs,
                                     struct fg_overdraw_cost_totals *out_totals);

FG_END_DECLS
#endif
