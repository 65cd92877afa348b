/* SPDX-License-Identifier: MIT */
/*
 * One frame of the canvas, and the order of its phases:
 *
 *     frame
 *       layout:compute        when places changed
 *       scene
 *         recordPicture       when the picture is not good any more
 *         drawPicture
 *         volatile            while a node is dragged
 *       sectionTitles, componentLabels, selection, rulers
 *       a heat map and the HUD, which are no phases of the canvas
 *       flush
 */
#ifndef CANVAS_FRAME_H
#define CANVAS_FRAME_H
#include "canvas_cache.h"
#include "canvas_commands.h"
#include "canvas_editor.h"
#include "canvas_heat.h"
#include "canvas_load.h"
#include "canvas_overlay.h"
#include "canvas_platform.h"
#include "canvas_profile.h"

enum { CV_FRAMES_IN_FLIGHT = 2 };

struct cv_canvas_options {
    struct cv_platform_options platform;
    const char *scene; /**< NULL = the first */
    int samples;       /**< of a pixel; 0 = 4 */
    bool is_bare;      /**< nothing but the document: no titles, labels, selection and rulers */
    bool has_no_cache; /**< the picture is recorded for every frame */
    const char *capture_path;
    const char *commands_path; /**< where lists of calls are written; NULL = commands.txt */
    const struct fg_allocator *allocator; /**< of the profiler */
    struct cv_load_options load;
    bool trusts_software; /**< see canvas_heat.h */
};

struct cv_canvas {
    struct cv_platform *platform;
    struct cv_gl gl;
    struct cv_painter painter;
    struct cv_document document;
    struct cv_editor editor;
    struct cv_cache cache;
    struct cv_overlay overlay;
    struct cv_load load;
    struct cv_profile *profile;
    struct cv_commands commands;
    struct cv_heat *heat; /**< NULL = there are no maps */
    const struct fg_allocator *allocator;
    bool trusts_software; /**< see canvas_heat.h */
    bool is_bare;
    uint64_t frame_count;
    GLsync in_flight[CV_FRAMES_IN_FLIGHT];
    struct cv_frame_facts facts; /**< of the newest frame */
};

/** False: said on standard error. cv_canvas_finish() in either case. */
bool cv_canvas_init(struct cv_canvas *canvas, const struct cv_canvas_options *options);
/** False: the capture could not be written. */
bool cv_canvas_finish(struct cv_canvas *canvas);
/** Make a frame and present it. False: the device has failed. */
bool cv_canvas_frame(struct cv_canvas *canvas);

#endif
