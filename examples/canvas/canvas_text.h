/* SPDX-License-Identifier: MIT */
/* A font of lines, of one width: letters are four units wide, six high, and six apart. */
#ifndef CANVAS_TEXT_H
#define CANVAS_TEXT_H
#include "canvas_mesh.h"

/** Width of a text whose capitals are `size` high. */
float cv_text_width(const char *text, float size);
/** What lies under the line of writing. */
static inline float cv_text_depth(float size)
{
    return size / 3;
}
/**
 * @param x, y   upper left corner of the first capital
 * @param turn   sine and cosine of the angle of writing; (0, 1) = to the right
 */
void cv_text_add(struct cv_mesh *mesh, const char *text, struct cv_point at, struct cv_point turn,
                 float size, uint32_t color);

#endif
