/* SPDX-License-Identifier: MIT */
/* Draws pictures and meshes, and counts what it draws. */
#ifndef CANVAS_PAINTER_H
#define CANVAS_PAINTER_H
#include "canvas_picture.h"
#include "canvas_programs.h"
#include "canvas_target.h"

/** What is kept on the device. */
struct cv_store {
    GLuint array, buffer;
    uint64_t size_bytes;
};
enum cv_store_use {
    CV_STORE_PICTURE,
    CV_STORE_VOLATILE,
    CV_STORE_OVERLAY,
    CV_STORES,
};

/** Who wants to know of each node as it is drawn. */
struct cv_node_watch {
    void *context;
    void (*begin)(void *context, const struct cv_node *node, bool is_culled);
    void (*end)(void *context);
};

struct cv_counts {
    uint32_t node_count;   /**< of the document; culled ones are among them */
    uint32_t culled_count; /**< that the view does not meet */
    uint32_t draw_count;
};

struct cv_profile;

struct cv_painter {
    const struct cv_gl *gl;
    struct cv_profile *profile; /**< is told of each draw; NULL = nobody is */
    struct cv_programs programs;
    struct cv_targets targets;
    struct cv_store stores[CV_STORES];
    GLuint no_array;         /**< for boxes, which need no vertices */
    struct cv_counts counts; /**< of this frame */
    /**
     * What is drawn goes into a map of how often each pixel is drawn, layers and all: whoever sets
     * it has bound a target as large as the screen, and made the programs for maps. Draws are not
     * counted, no other target is bound and no blending is chosen.
     */
    bool is_mapping;
};

bool cv_painter_init(struct cv_painter *painter, const struct cv_gl *gl, int width_px,
                     int height_px, int samples, bool has_window);
void cv_painter_finish(struct cv_painter *painter);
/** Counts begin at zero, the screen gets one colour. */
void cv_painter_begin(struct cv_painter *painter, uint32_t color);
/** The screen is complete; from now on it has one sample a pixel. */
void cv_painter_end(struct cv_painter *painter);

void cv_painter_store(struct cv_painter *painter, enum cv_store_use use,
                      const struct cv_mesh *mesh);
/**
 * Draw the part of a picture that the view meets; its mesh is in the store.
 *
 * @param watch NULL = nobody
 */
void cv_painter_draw_picture(struct cv_painter *painter, enum cv_store_use use,
                             const struct cv_picture *picture, const struct cv_document *document,
                             const struct cv_view *view, const struct cv_node_watch *watch);
/** Draw a part of the overlay's mesh, which is in pixels of the screen. */
void cv_painter_draw_overlay(struct cv_painter *painter, uint32_t first, uint32_t count);
/** Triangles come next: clip space = place * scale + (x, y). */
void cv_painter_use_solid(const struct cv_painter *painter, float x_scale, float y_scale, float x,
                          float y);
/** What every draw goes through. */
void cv_painter_draw(struct cv_painter *painter, GLenum mode, uint32_t first, uint32_t count);
/** Work for the device that leaves no trace, once over the screen. */
void cv_painter_burn(struct cv_painter *painter, uint32_t rounds);

#endif
