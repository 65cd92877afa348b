/* SPDX-License-Identifier: MIT */
/*
 * What a frame of a document must come to, computed from the document alone, without a picture, a
 * mesh or a device: nodes, culled ones, draws, and how often each pixel is drawn. By brute force:
 * every node is asked of every pixel.
 */
#ifndef CANVAS_TRUTH_H
#define CANVAS_TRUTH_H
#include "canvas_document.h"

struct cv_truth {
    uint32_t node_count, culled_count;
    uint32_t scene_draws;   /**< of the document */
    uint32_t overlay_draws; /**< of titles, labels, selection and rulers; 0 when bare */
    /**
     * Whether the overdraw below is: upright rectangles with whole pixels for edges, without
     * effects and opacity. Of other shapes it is what their outlines hold, which a device
     * decides differently for pixels that an edge goes through.
     */
    bool is_exact;
    uint64_t fragment_count; /**< of the document's draws, over all pixels */
    uint32_t overdraw_max;
    uint16_t *overdraw; /**< of each pixel, upper row first; owned by the caller */
};

/** @param overdraw of width * height of the view; NULL = only the counts */
void cv_truth_tell(const struct cv_document *document, const struct cv_view *view,
                   uint32_t selected, bool is_bare, uint16_t *overdraw, struct cv_truth *out_truth);
/** As JSON on standard output: the counts, and how many pixels are drawn how often. */
void cv_truth_print(const struct cv_truth *truth, const struct cv_view *view, const char *scene);

#endif
