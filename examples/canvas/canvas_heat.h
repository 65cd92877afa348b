/* SPDX-License-Identifier: MIT */
/*
 * Heat maps of the canvas: how often each pixel is drawn, or what it costs. The scene is drawn once
 * more into a map, and the map over the frame. With canvas_profile.c, the only file that knows a
 * profiler.
 *
 * For costs, a frame is measured first, node by node, and the fragments of its nodes are counted;
 * from when both are known, the maps of costs are drawn with them. It is measured again now and
 * then, so that the map follows. Times are the device's, or the processor's where the device is
 * one.
 */
#ifndef CANVAS_HEAT_H
#define CANVAS_HEAT_H
#include "canvas_editor.h"
#include "canvas_painter.h"

struct fg_allocator;
struct fg_overdraw_map;
struct fg_overdraw_cost_totals;
struct cv_heat;

struct cv_heat_options {
    const struct cv_gl *gl;
    cv_gl_getter *get;
    const struct fg_allocator *allocator; /**< NULL = libc */
    /** Times of the device are costs even where the device is the processor. */
    bool trusts_software;
};
/** False: said on standard error. */
bool cv_heat_create(const struct cv_heat_options *options, struct cv_heat **out_heat);
/** NULL is legal here and below: there are no maps. */
void cv_heat_destroy(struct cv_heat *heat);

/** Before a frame's draws. @param may_measure nobody else watches the nodes of this frame */
void cv_heat_frame_begin(struct cv_heat *heat, enum cv_heat_view view, bool may_measure);
/** Who wants to know of the nodes as the frame draws them; NULL = nobody. */
const struct cv_node_watch *cv_heat_watch(struct cv_heat *heat);
/** All draws of the frame are made. */
void cv_heat_frame_drawn(struct cv_heat *heat);

struct cv_heat_scene {
    struct cv_painter *painter;
    /** Draw the frame's scene once more: the painter is mapping. @param watch of its nodes */
    void (*draw)(void *context, const struct cv_node_watch *watch);
    void *context;
    int keep_px; /**< free at the top and the left */
};
/** Make the map, and draw it over the bound framebuffer, with its legend. */
void cv_heat_draw(struct cv_heat *heat, const struct cv_heat_scene *scene);

/** Whether a whole map of this kind has come since it was created. */
bool cv_heat_has(const struct cv_heat *heat, enum cv_heat_view view);
/**
 * The newest map that has come, and what of its costs is in no pixel. Lent until the next frame.
 * NULL: there is none.
 */
const struct fg_overdraw_map *cv_heat_get(const struct cv_heat *heat,
                                          struct fg_overdraw_cost_totals *out_totals);
/** Write the newest map with its legend below. False: said on standard error. */
bool cv_heat_write_png(const struct cv_heat *heat, const char *path);

#endif
