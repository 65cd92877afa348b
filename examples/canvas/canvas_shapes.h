/* SPDX-License-Identifier: MIT */
/* What one node looks like: its outline, its fills and strokes, as triangles. */
#ifndef CANVAS_SHAPES_H
#define CANVAS_SHAPES_H
#include "canvas_document.h"
#include "canvas_mesh.h"

/** @param origin the node's upper left corner in the document */
void cv_shape_fill(struct cv_mesh *mesh, const struct cv_document *document, uint32_t index,
                   struct cv_point origin, const struct cv_fill *fill);
void cv_shape_stroke(struct cv_mesh *mesh, const struct cv_document *document, uint32_t index,
                     struct cv_point origin, const struct cv_stroke *stroke);

#endif
