/* SPDX-License-Identifier: MIT */
#include "canvas_heat.h"

#include "canvas_heat_times.h"
#include "canvas_png.h"

#include <frameglass/detail.h>
#include <frameglass/hud_opengl.h>
#include <frameglass/overdraw_opengl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEASURE_FROM = 2,    /* the frames before make what frames need: that would be all of it */
    MEASURE_EVERY = 30,  /* frames between measurements of costs */
    READ_EVERY = 10,     /* and between read-backs, for the numbers of the legend */
    ITEMS_MAX = 1 << 16, /* changes of the node that is drawn, in a frame */
    DEPTH_MAX = 128,     /* nodes in each other; deeper ones count as the deepest */
};
static const float opacity = 0.85f;

/** The ids of the nodes that are being drawn. */
struct node_stack {
    uint64_t ids[DEPTH_MAX];
    uint32_t depth, culled_depth;
};

struct cv_heat {
    struct cv_heat_options options;
    enum cv_heat_view view; /**< of this frame */
    uint64_t frame_count;   /**< since the view was chosen */
    struct fg_overdraw_opengl *renderer;
    struct fg_hud_opengl *legend_renderer;
    struct fg_overdraw_scale scale;
    enum fg_overdraw_kind kind; /**< of the newest map, and of the statistics */
    bool has_statistics;
    struct fg_overdraw_statistics statistics;
    struct fg_overdraw_legend legend;
    struct fg_overdraw_map map; /**< the newest that has come; no values = none */
    bool has_come[CV_HEAT_VIEWS];

    /* Costs: one table is drawn with, the other one is being filled. */
    struct fg_overdraw_costs *costs[2];
    int drawn_with;
    bool has_costs;
    struct fg_overdraw_cost_totals totals; /**< of the table that is drawn with */
    uint64_t measured_at;                  /**< frame_count */
    struct fg_detail *detail;
    struct fg_nodes *nodes; /**< of this frame; NULL = it is not measured */
    bool wants_cover;       /**< this frame was measured */
    bool is_pending;        /**< not all is known of the frame that was measured last */
    bool has_cover;         /**< but its fragments are */
    bool has_times;         /**< of the device */
    struct cv_heat_times times;
    struct node_stack stack;
    struct cv_node_watch watch, map_watch;
};

static bool make(struct cv_heat *heat, struct fg_diag *diag)
{
    const struct fg_allocator *allocator = heat->options.allocator;
    const struct fg_detail_options detail = { .allocator = allocator };
    const struct fg_hud_opengl_options legend = { .allocator = allocator,
                                                  .get_proc_address = heat->options.get };
    const struct fg_overdraw_opengl_options maps = { .allocator = allocator,
                                                     .get_proc_address = heat->options.get,
                                                     .item_max = ITEMS_MAX };
    return fg_overdraw_opengl_create(&maps, &heat->renderer, diag) == FG_OK &&
           fg_hud_opengl_create(&legend, &heat->legend_renderer, diag) == FG_OK &&
           fg_overdraw_costs_create(allocator, 0, &heat->costs[0]) == FG_OK &&
           fg_overdraw_costs_create(allocator, 0, &heat->costs[1]) == FG_OK &&
           fg_detail_create(&detail, &heat->detail) == FG_OK;
}

bool cv_heat_create(const struct cv_heat_options *options, struct cv_heat **out_heat)
{
    struct fg_diag diag = { .message = "out of memory" };
    struct cv_heat *heat = calloc(1, sizeof(*heat));
    if (heat != NULL) {
        heat->options = *options;
    }
    if (heat == NULL || !make(heat, &diag)) {
        fprintf(stderr, "canvas: no heat maps: %s\n", diag.message);
        cv_heat_destroy(heat);
        return false;
    }
    heat->has_times =
        cv_heat_times_init(&heat->times, options->gl, options->get, options->trusts_software);
    *out_heat = heat;
    return true;
}

void cv_heat_destroy(struct cv_heat *heat)
{
    if (heat == NULL) {
        return;
    }
    cv_heat_times_finish(&heat->times);
    fg_detail_destroy(heat->detail);
    fg_overdraw_opengl_destroy(heat->renderer);
    fg_hud_opengl_destroy(heat->legend_renderer);
    fg_overdraw_costs_destroy(heat->costs[0]);
    fg_overdraw_costs_destroy(heat->costs[1]);
    free(heat);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void begin_node(void *context, const struct cv_node *node, bool is_culled)
{
    struct cv_heat *heat = context;
    fg_node_begin(heat->nodes, &(const struct fg_node){ .id = node->id, .name = node->name });
    if (is_culled) {
        fg_node_culled(heat->nodes);
    }
    if (is_culled || heat->stack.culled_depth > 0) {
        heat->stack.culled_depth++;
    } else if (heat->has_times) {
        cv_heat_times_push(&heat->times, node->id);
    }
}

static void end_node(void *context)
{
    struct cv_heat *heat = context;
    fg_node_end(heat->nodes);
    if (heat->stack.culled_depth > 0) {
        heat->stack.culled_depth--;
    } else if (heat->has_times) {
        cv_heat_times_pop(&heat->times);
    }
}

/* In the map: what is drawn belongs to the innermost node, also after its children. */

static void begin_item(void *context, const struct cv_node *node, bool is_culled)
{
    struct cv_heat *heat = context;
    struct node_stack *stack = &heat->stack;
    if (is_culled || stack->depth == DEPTH_MAX) {
        stack->culled_depth++;
        return;
    }
    stack->ids[stack->depth++] = node->id;
    fg_overdraw_opengl_item(heat->renderer, node->id);
}

static void end_item(void *context)
{
    struct cv_heat *heat = context;
    struct node_stack *stack = &heat->stack;
    if (stack->culled_depth > 0) {
        stack->culled_depth--;
        return;
    }
    stack->depth--;
    if (stack->depth > 0) {
        fg_overdraw_opengl_item(heat->renderer, stack->ids[stack->depth - 1]);
    } else {
        fg_overdraw_opengl_no_item(heat->renderer);
    }
}

const struct cv_node_watch *cv_heat_watch(struct cv_heat *heat)
{
    if (heat == NULL || heat->nodes == NULL) {
        return NULL;
    }
    heat->watch = (struct cv_node_watch){ heat, begin_node, end_node };
    return &heat->watch;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static struct fg_overdraw_costs *costs_to_fill(const struct cv_heat *heat)
{
    return heat->costs[1 - heat->drawn_with];
}

/** When fragments and times are there, that table is whole, and is drawn with from now on. */
static void take_costs(struct cv_heat *heat)
{
    if (!heat->is_pending) {
        return;
    }
    if (!heat->has_cover && fg_overdraw_opengl_poll_cover(heat->renderer) == FG_ERR_BUSY) {
        return;
    }
    heat->has_cover = true;
    if (cv_heat_times_take(&heat->times, costs_to_fill(heat))) {
        heat->is_pending = false;
        heat->has_costs = true;
        heat->drawn_with = 1 - heat->drawn_with;
        fg_overdraw_costs_totals(heat->costs[heat->drawn_with], &heat->totals);
    }
}

static bool is_time_to_measure(const struct cv_heat *heat)
{
    const uint64_t frames = heat->frame_count - heat->measured_at;
    if (heat->is_pending || heat->wants_cover) {
        return false;
    }
    return heat->measured_at == 0 ? heat->frame_count >= MEASURE_FROM : frames >= MEASURE_EVERY;
}

void cv_heat_frame_begin(struct cv_heat *heat, enum cv_heat_view view, bool may_measure)
{
    if (heat == NULL) {
        return;
    }
    if (view != heat->view) {
        heat->view = view;
        heat->frame_count = 0;
        heat->measured_at = 0;
        heat->has_statistics = false;
    }
    take_costs(heat);
    if (view == CV_HEAT_COSTS && may_measure && is_time_to_measure(heat) &&
        fg_detail_begin(heat->detail, NULL, 1) == FG_OK) {
        heat->measured_at = heat->frame_count;
        heat->nodes = fg_detail_frame_begin(heat->detail);
        heat->stack.culled_depth = 0;
        if (heat->has_times) {
            cv_heat_times_begin(&heat->times);
        }
    }
}

void cv_heat_frame_drawn(struct cv_heat *heat)
{
    if (heat == NULL || heat->nodes == NULL) {
        return;
    }
    heat->nodes = NULL;
    if (fg_detail_frame_end(heat->detail) == FG_OK) {
        fg_overdraw_costs_clear(costs_to_fill(heat));
        fg_overdraw_costs_add_tree(costs_to_fill(heat), fg_detail_get(heat->detail));
        heat->wants_cover = true;
    }
}

/** The scene once more, into a map. */
static bool make_map(struct cv_heat *heat, const struct cv_heat_scene *scene,
                     const struct fg_overdraw_opengl_frame *frame)
{
    struct cv_painter *painter = scene->painter;
    const struct cv_counts counts = painter->counts;
    if (!cv_programs_make_maps(&painter->programs, painter->gl, FG_OVERDRAW_OPENGL_FRAGMENT)) {
        return false;
    }
    const enum fg_result result = fg_overdraw_opengl_begin(heat->renderer, frame);
    if (result != FG_OK) {
        fprintf(stderr, "canvas: no heat map: %s\n", fg_result_text(result));
        return false;
    }
    fg_overdraw_opengl_no_item(heat->renderer);
    heat->stack.depth = 0;
    heat->stack.culled_depth = 0;
    heat->map_watch = (struct cv_node_watch){ heat, begin_item, end_item };
    painter->gl->Enable(GL_SCISSOR_TEST);
    painter->is_mapping = true;
    scene->draw(scene->context, &heat->map_watch);
    painter->is_mapping = false;
    painter->gl->Disable(GL_SCISSOR_TEST);
    painter->counts = counts;
    fg_overdraw_opengl_end(heat->renderer);
    return true;
}

static void draw_legend(struct cv_heat *heat, const struct cv_heat_scene *scene)
{
    const struct cv_target *screen = &scene->painter->targets.screen;
    const struct fg_hud_target target = {
        .width_px = (uint32_t)screen->width_px,
        .height_px = (uint32_t)screen->height_px,
        .corner = FG_HUD_BOTTOM_LEFT,
        .offset_x_px = (uint32_t)scene->keep_px,
    };
    fg_overdraw_legend_build(&heat->scale, heat->has_statistics ? &heat->statistics : NULL,
                             heat->has_costs ? &heat->totals : NULL, &target, &heat->legend);
    fg_hud_opengl_draw(heat->legend_renderer, &heat->legend.list);
}

/** Numbers that came back: of an older frame, as a person reads them. */
static void take_map(struct cv_heat *heat, enum fg_overdraw_kind kind)
{
    struct fg_overdraw_map map;
    if (heat->kind != kind) {
        heat->kind = kind;
        heat->has_statistics = false;
    }
    while (fg_overdraw_opengl_poll(heat->renderer, &map) == FG_OK) {
        heat->map = map;
        if (map.kind == kind) {
            heat->has_come[kind == FG_OVERDRAW_COUNTS ? CV_HEAT_COUNTS : CV_HEAT_COSTS] = true;
            fg_overdraw_measure(&map, &heat->statistics);
            fg_overdraw_scale_fit(&heat->statistics, &heat->scale);
            heat->has_statistics = true;
        }
    }
}

void cv_heat_draw(struct cv_heat *heat, const struct cv_heat_scene *scene)
{
    if (heat == NULL || heat->view == CV_HEAT_OFF) {
        return;
    }
    const struct cv_target *screen = &scene->painter->targets.screen;
    const bool is_cost = heat->view == CV_HEAT_COSTS && heat->has_costs;
    struct fg_overdraw_opengl_frame frame = {
        .width_px = (uint32_t)screen->width_px,
        .height_px = (uint32_t)screen->height_px,
        .kind = FG_OVERDRAW_COUNTS,
        .number = heat->frame_count,
    };
    take_map(heat, is_cost ? FG_OVERDRAW_COSTS : FG_OVERDRAW_COUNTS);
    if (heat->wants_cover) {
        heat->wants_cover = false;
        heat->is_pending = true;
        heat->has_cover = false;
        frame.flags = FG_OVERDRAW_OPENGL_COVER;
        frame.costs = costs_to_fill(heat);
        if (is_cost && !make_map(heat, scene, &frame)) {
            return;
        }
    }
    if (is_cost) {
        frame.kind = FG_OVERDRAW_COSTS;
        frame.flags = 0;
        frame.costs = heat->costs[heat->drawn_with];
    }
    if (!make_map(heat, scene, &frame)) {
        return;
    }
    if (!heat->has_statistics) {
        const struct fg_overdraw_statistics nothing = { .kind = frame.kind,
                                                        .clock = heat->totals.clock };
        fg_overdraw_scale_fit(&nothing, &heat->scale);
    }
    if (!heat->has_statistics || heat->frame_count % READ_EVERY == 0) {
        (void)fg_overdraw_opengl_read(heat->renderer);
    }
    fg_overdraw_opengl_overlay(heat->renderer, &heat->scale, opacity, frame.width_px,
                               frame.height_px);
    draw_legend(heat, scene);
    heat->frame_count++;
}

/* ---- pictures -------------------------------------------------------------------------------- */

bool cv_heat_has(const struct cv_heat *heat, enum cv_heat_view view)
{
    return heat != NULL && heat->has_come[view];
}

const struct fg_overdraw_map *cv_heat_get(const struct cv_heat *heat,
                                          struct fg_overdraw_cost_totals *out_totals)
{
    if (heat == NULL || heat->map.values == NULL) {
        return NULL;
    }
    if (out_totals != NULL) {
        *out_totals = heat->totals;
    }
    return &heat->map;
}

bool cv_heat_write_png(const struct cv_heat *heat, const char *path)
{
    static struct fg_overdraw_legend legend; /* large */
    struct fg_overdraw_cost_totals totals;
    struct fg_overdraw_statistics statistics;
    struct fg_overdraw_scale scale;
    const struct fg_overdraw_map *map = cv_heat_get(heat, &totals);
    if (map == NULL) {
        fprintf(stderr, "canvas: there is no heat map for %s\n", path);
        return false;
    }
    fg_overdraw_measure(map, &statistics);
    fg_overdraw_scale_fit(&statistics, &scale);
    /* The legend hides nothing: it has a strip of its own, as high as it needs. */
    struct fg_hud_target target = { .width_px = map->width_px, .height_px = 4096, .scale = 1 };
    fg_overdraw_legend_build(&scale, &statistics, &totals, &target, &legend);
    target.height_px =
        map->height_px + legend.list.panel_height_px + 2 * (uint32_t)legend.list.panel_y_px;
    target.corner = FG_HUD_BOTTOM_LEFT;
    fg_overdraw_legend_build(&scale, &statistics, &totals, &target, &legend);
    const struct fg_hud_pixels pixels = {
        .pixels = calloc((size_t)map->width_px * target.height_px, 4),
        .width_px = map->width_px,
        .height_px = target.height_px,
    };
    bool is_written = false;
    if (pixels.pixels != NULL) {
        fg_overdraw_memory_draw(map, &scale, 1.0f, &pixels);
        fg_hud_memory_draw(&legend.list, &pixels);
        is_written = cv_png_write(path, pixels.pixels, (int)pixels.width_px, (int)pixels.height_px);
    }
    free(pixels.pixels);
    return is_written;
}
