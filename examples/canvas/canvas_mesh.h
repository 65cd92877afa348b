/* SPDX-License-Identifier: MIT */
/* Triangles with a colour at each corner, made of outlines: filled, or drawn along with a line. */
#ifndef CANVAS_MESH_H
#define CANVAS_MESH_H
#include "canvas_geometry.h"

#include <stddef.h>
#include <stdint.h>

/** As the shaders take it. The colour is premultiplied. */
struct cv_vertex {
    float x, y;
    uint8_t rgba[4];
};

/** Zero is valid and empty. */
struct cv_mesh {
    struct cv_vertex *vertices; /**< three for each triangle */
    uint32_t count, capacity;
    bool has_failed; /**< memory ran out: triangles are missing */
};
void cv_mesh_finish(struct cv_mesh *mesh);

/** Colour over the plane: one, or a linear gradient. Colours are 0xRRGGBBAA, not premultiplied. */
struct cv_ink {
    uint32_t color, color_end;
    struct cv_point from; /**< where `color` is */
    struct cv_point step; /**< product with the distance from there = part of `color_end` */
};
static inline struct cv_ink cv_ink_solid(uint32_t color)
{
    return (struct cv_ink){ .color = color, .color_end = color };
}

enum { CV_OUTLINE_MAX = 256 };

void cv_mesh_rect(struct cv_mesh *mesh, struct cv_rect rect, uint32_t color);
/** The edges of a rectangle, each `width` wide, half of it inside. */
void cv_mesh_frame(struct cv_mesh *mesh, struct cv_rect rect, float width, uint32_t color);
/** A line with square ends that reach half a width further. */
void cv_mesh_segment(struct cv_mesh *mesh, struct cv_point a, struct cv_point b, float width,
                     uint32_t color);
/** A simple polygon of at most CV_OUTLINE_MAX points, in either direction. */
void cv_mesh_fill(struct cv_mesh *mesh, const struct cv_point *points, uint32_t count,
                  const struct cv_ink *ink);
/** Along the points, with mitred corners. */
void cv_mesh_stroke(struct cv_mesh *mesh, const struct cv_point *points, uint32_t count,
                    bool is_closed, float width, uint32_t color);

#endif
