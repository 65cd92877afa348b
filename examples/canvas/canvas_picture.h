/* SPDX-License-Identifier: MIT */
/*
 * A picture: the document recorded once as triangles and a list of what to do with them, in the
 * document's own coordinates, so that it stays good while the view moves. Culling is no part of it:
 * whoever draws it asks which of its nodes the view meets, with every frame.
 */
#ifndef CANVAS_PICTURE_H
#define CANVAS_PICTURE_H
#include "canvas_document.h"
#include "canvas_mesh.h"

enum cv_op_kind {
    CV_OP_NODE, /**< a node begins; `bounds` hold it and all below it; `skip`: of its end */
    CV_OP_NODE_END,
    CV_OP_CLIP,      /**< from here on only `bounds` */
    CV_OP_LAYER,     /**< draw into an empty layer; `bounds` hold what comes out of it */
    CV_OP_LAYER_END, /**< blur it by `radius` and lay it over what was there, `opacity` of it */
    CV_OP_DRAW,      /**< triangles */
};
struct cv_op {
    enum cv_op_kind kind;
    uint32_t node; /**< index in the document */
    struct cv_rect bounds;
    uint32_t skip;                       /**< index of the op that ends it */
    uint32_t below_count;                /**< CV_OP_NODE: nodes in it, itself included */
    uint32_t first_vertex, vertex_count; /**< CV_OP_DRAW */
    float radius, opacity;
};

struct cv_picture {
    struct cv_mesh mesh;
    struct cv_op *ops;
    uint32_t op_count, op_capacity;
    uint32_t node_count;
    bool has_failed; /**< memory ran out: it is not whole */
};
/** Zero is valid and empty. */
void cv_picture_finish(struct cv_picture *picture);
/**
 * Record a node and what is below it; a picture of before is replaced, its memory kept.
 *
 * @param except a node that is left out with all below it; CV_NONE
 */
void cv_picture_record(struct cv_picture *picture, const struct cv_document *document,
                       uint32_t root, uint32_t except);

#endif
