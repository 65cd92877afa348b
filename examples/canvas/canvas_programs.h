/* SPDX-License-Identifier: MIT */
/* The shaders: coloured triangles, a layer laid over another, a blur, and one that burns time. */
#ifndef CANVAS_PROGRAMS_H
#define CANVAS_PROGRAMS_H
#include "canvas_gl.h"

struct cv_programs {
    GLuint solid, layer, blur, burn;
    GLint solid_view; /**< vec4: clip space = place * xy + zw */
    /* The others draw a box of clip space, vec4(x0, y0, x1, y1), from a texture's same texels. */
    GLint layer_box, layer_shift, layer_opacity;
    GLint blur_box, blur_inside, blur_step, blur_radius, blur_total;
    GLint burn_box, burn_rounds;
    /* Triangles and boxes for maps of what is drawn; 0 until they are needed. */
    GLuint map_solid, map_box;
    GLint map_solid_view, map_box_box;
};

/** False: one does not compile; said on standard error. */
bool cv_programs_init(struct cv_programs *programs, const struct cv_gl *gl);
/**
 * Make those for maps, if they are not there yet.
 *
 * @param fragment a fragment shader without its version
 */
bool cv_programs_make_maps(struct cv_programs *programs, const struct cv_gl *gl,
                           const char *fragment);
void cv_programs_finish(struct cv_programs *programs, const struct cv_gl *gl);

#endif
