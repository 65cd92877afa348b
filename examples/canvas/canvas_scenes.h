/* SPDX-License-Identifier: MIT */
/* Documents that are known: each is made anew, the same every time, for a screen of a size. */
#ifndef CANVAS_SCENES_H
#define CANVAS_SCENES_H
#include "canvas_document.h"

struct cv_scene {
    const char *name;
    const char *what; /**< one line for a person */
    bool fits;        /**< begins with all of it in view; else pixel by pixel from the origin */
    /** False: no memory. */
    bool (*build)(struct cv_document *document, int width_px, int height_px);
};
/** @return NULL after the last */
const struct cv_scene *cv_scene_at(size_t index);
/** @return NULL: there is none */
const struct cv_scene *cv_scene_find(const char *name);

enum {
    CV_GRID_COLUMNS = 20,
    CV_GRID_ROWS = 15,
    CV_GRID_STEP = 32,
    CV_GRID_SIZE = 24,
    CV_STACK_LAYERS = 8,
    CV_NESTED_FRAMES = 6,
    CV_NESTED_INSET = 16,
    CV_LARGE_SIDE = 100,
    CV_LARGE_STEP = 40,
    CV_LARGE_SIZE = 32,
};
/** Opaque, and different for neighbours. */
uint32_t cv_scene_color(uint32_t index);

#endif
