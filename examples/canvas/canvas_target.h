/* SPDX-License-Identifier: MIT */
/*
 * Where pictures are drawn: the screen, and the layers that effects need. All may have several
 * samples a pixel; what is read from them has one.
 */
#ifndef CANVAS_TARGET_H
#define CANVAS_TARGET_H
#include "canvas_gl.h"

#include <stdint.h>

enum {
    CV_LAYERS_MAX = 65, /* one in each other; as deep as documents are */
    /* Pixels of a layer beyond each edge of the screen, for what is blurred into it. */
    CV_LAYER_MARGIN_PX = 64,
};

struct cv_target {
    GLuint drawn;        /**< framebuffer to draw into */
    GLuint read;         /**< framebuffer with one sample; the same where there is only one */
    GLuint texture;      /**< of `read`; 0 = a window's */
    GLuint renderbuffer; /**< of `drawn`; 0 = it is `read` */
    int width_px, height_px;
};

struct cv_targets {
    const struct cv_gl *gl;
    int samples;
    struct cv_target screen;
    struct cv_target layers[CV_LAYERS_MAX]; /**< made when they are needed first */
    struct cv_target scratch;               /**< of the blur */
    uint32_t texture_count;                 /**< and renderbuffers */
    uint64_t texture_bytes;
};

/** @param has_window the screen's framebuffer is the window's, which is there already */
bool cv_targets_init(struct cv_targets *targets, const struct cv_gl *gl, int width_px,
                     int height_px, int samples, bool has_window);
void cv_targets_finish(struct cv_targets *targets);
/** The target of a depth, from 0; NULL: it cannot be made. */
const struct cv_target *cv_targets_layer(struct cv_targets *targets, uint32_t depth);
const struct cv_target *cv_targets_scratch(struct cv_targets *targets);
/** What was drawn in this part becomes what is read. Leaves `read` bound for drawing. */
void cv_target_resolve(const struct cv_target *target, const struct cv_gl *gl, int x, int y,
                       int width_px, int height_px);
/** The screen's pixels, RGBA, upper row first: width * height * 4 bytes. */
void cv_targets_read(const struct cv_targets *targets, uint8_t *pixels);

#endif
