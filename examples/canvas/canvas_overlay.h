/* SPDX-License-Identifier: MIT */
/*
 * What lies over the document in the screen's own pixels: titles, labels, the selection, rulers.
 * Each title and each label that is in view is one draw; the selection is one, the rulers are one.
 */
#ifndef CANVAS_OVERLAY_H
#define CANVAS_OVERLAY_H
#include "canvas_painter.h"

enum { CV_RULER_PX = 20 };

/** Zero is valid. */
struct cv_overlay {
    struct cv_mesh mesh;
};
void cv_overlay_finish(struct cv_overlay *overlay);

void cv_overlay_section_titles(struct cv_overlay *overlay, struct cv_painter *painter,
                               const struct cv_document *document, const struct cv_view *view);
void cv_overlay_component_labels(struct cv_overlay *overlay, struct cv_painter *painter,
                                 const struct cv_document *document, const struct cv_view *view);
/** @param selected index; CV_NONE = nothing is drawn */
void cv_overlay_selection(struct cv_overlay *overlay, struct cv_painter *painter,
                          const struct cv_document *document, const struct cv_view *view,
                          uint32_t selected);
void cv_overlay_rulers(struct cv_overlay *overlay, struct cv_painter *painter,
                       const struct cv_document *document, const struct cv_view *view,
                       uint32_t selected);

/** Where the title or label of a node is on screen; for whoever counts those in view. */
struct cv_rect cv_overlay_tag_place(const struct cv_document *document, const struct cv_view *view,
                                    uint32_t index);

#endif
