/* SPDX-License-Identifier: MIT */
/*
 * The document: a tree of nodes in an array. Containers (frames, groups, sections, components) have
 * places only, so that what they clip is upright; shapes (rectangles, ellipses, paths, texts) may
 * be turned, too.
 */
#ifndef CANVAS_DOCUMENT_H
#define CANVAS_DOCUMENT_H
#include "canvas_geometry.h"

#include <stddef.h>
#include <stdint.h>

#define CV_NONE UINT32_MAX
enum {
    CV_FILLS = 3,
    CV_STROKES = 2,
    CV_EFFECTS = 3,
    CV_NAME_SIZE = 32,
    CV_TEXT_SIZE = 64,
    CV_DEPTH_MAX = 64,
    CV_NODES_MAX = 1 << 20,
};

enum cv_kind {
    CV_FRAME,     /**< paints itself, may clip its children and lay them out */
    CV_GROUP,     /**< only its children */
    CV_SECTION,   /**< a part of the page, with a title above it */
    CV_COMPONENT, /**< a frame with a label above it */
    CV_RECTANGLE,
    CV_ELLIPSE,
    CV_PATH, /**< a polygon, or a line where it is not closed */
    CV_TEXT,
};
/** "frame", ... */
const char *cv_kind_name(enum cv_kind kind);
static inline bool cv_kind_is_container(enum cv_kind kind)
{
    return kind <= CV_COMPONENT;
}

/** Colours are 0xRRGGBBAA, not premultiplied. */
struct cv_fill {
    uint32_t color;
    uint32_t color_end; /**< of a linear gradient */
    bool is_linear;
    float angle; /**< of the gradient, in radians: 0 = from left to right */
};
struct cv_stroke {
    uint32_t color;
    float width; /**< half of it on either side of the outline */
};
enum cv_effect_kind { CV_DROP_SHADOW, CV_LAYER_BLUR };
struct cv_effect {
    enum cv_effect_kind kind;
    float radius; /**< of the blur: two standard deviations */
    uint32_t color;
    float dx, dy; /**< of the shadow */
};

enum cv_direction { CV_FREE, CV_ROW, CV_COLUMN };
/** Auto layout of a container's children. */
struct cv_layout {
    enum cv_direction direction;
    float gap, padding;
    bool is_centered; /**< across the direction; else at the start */
    bool hugs;        /**< the container takes the size of what is in it */
};

struct cv_node {
    uint32_t id; /**< never reused; 0 is no node */
    enum cv_kind kind;
    char name[CV_NAME_SIZE];
    uint32_t parent, first_child, last_child, previous, next; /**< indices, or CV_NONE */
    float x, y, width, height; /**< upper left corner from the parent's */
    float rotation;            /**< of shapes, around the middle, in radians */
    float corner;              /**< radius of rectangles and containers */
    float opacity;
    bool clips;     /**< a container hides what of its children lies outside */
    bool is_closed; /**< a path */
    uint8_t fill_count, stroke_count, effect_count;
    struct cv_fill fills[CV_FILLS];
    struct cv_stroke strokes[CV_STROKES];
    struct cv_effect effects[CV_EFFECTS];
    struct cv_layout layout;
    uint32_t first_point, point_count; /**< of a path: in the document's points, from x and y */
    char text[CV_TEXT_SIZE];
    float text_size; /**< height of a capital letter */
};

struct cv_document {
    struct cv_node *nodes;
    uint32_t used_count, capacity; /**< entries of `nodes`, removed ones among them */
    uint32_t node_count;           /**< that are in the tree; the root is not counted */
    struct cv_point *points;
    uint32_t point_count, point_capacity;
    uint64_t version;      /**< changes with anything that can be seen */
    bool needs_layout;     /**< a place or size changed that others follow */
    const char *last_edit; /**< why it changed last: a literal */
};

/** The root: index 0, a group without bounds. False: no memory. */
bool cv_document_init(struct cv_document *document);
void cv_document_finish(struct cv_document *document);
/**
 * A new last child.
 *
 * @param parent index; 0 = the root
 * @return index; CV_NONE: no memory, too many, too deep, or the parent is no container
 */
uint32_t cv_document_add(struct cv_document *document, uint32_t parent, enum cv_kind kind,
                         const char *name, struct cv_rect place);
/** Take a node and all below it out of the tree. */
void cv_document_remove(struct cv_document *document, uint32_t index);
/** The points of a path, from its upper left corner. False: no memory. */
bool cv_document_set_points(struct cv_document *document, uint32_t index,
                            const struct cv_point *points, uint32_t count, bool is_closed);
/** Say that something can be seen to have changed. @param why a literal */
void cv_document_changed(struct cv_document *document, const char *why);

void cv_node_set_text(struct cv_node *node, const char *text, float size);
void cv_node_add_fill(struct cv_node *node, uint32_t color);
void cv_node_add_gradient(struct cv_node *node, uint32_t color, uint32_t color_end, float angle);
void cv_node_add_stroke(struct cv_node *node, uint32_t color, float width);
void cv_node_add_shadow(struct cv_node *node, uint32_t color, float dx, float dy, float radius);
void cv_node_add_blur(struct cv_node *node, float radius);
/** Radius of its layer blurs together; 0 = none. */
float cv_node_blur(const struct cv_node *node);

/** Upper left corner in the document. */
struct cv_point cv_document_origin(const struct cv_document *document, uint32_t index);
/** The outline's bounds, without strokes and effects; groups: of what is in them. */
struct cv_rect cv_document_bounds(const struct cv_document *document, uint32_t index);
/** The last painted node at this point, the deepest of them; CV_NONE. */
uint32_t cv_document_hit(const struct cv_document *document, float x, float y);

#endif
