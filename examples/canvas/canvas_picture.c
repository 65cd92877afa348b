/* SPDX-License-Identifier: MIT */
#include "canvas_picture.h"

#include "canvas_shapes.h"

#include <stdlib.h>

struct recording {
    struct cv_picture *picture;
    const struct cv_document *document;
    uint32_t except;
    struct cv_rect clip; /**< in effect here */
};

void cv_picture_finish(struct cv_picture *picture)
{
    cv_mesh_finish(&picture->mesh);
    free(picture->ops);
    *picture = (struct cv_picture){ .ops = NULL };
}

static bool has_room(struct cv_picture *picture)
{
    if (picture->op_count < picture->op_capacity) {
        return true;
    }
    const uint32_t capacity = picture->op_capacity == 0 ? 256 : picture->op_capacity * 2;
    struct cv_op *ops = realloc(picture->ops, capacity * sizeof(ops[0]));
    if (ops == NULL) {
        picture->has_failed = true;
        return false;
    }
    picture->ops = ops;
    picture->op_capacity = capacity;
    return true;
}

/** @return index of the new op; 0, which is always the root's begin, when there is no memory */
static uint32_t put(struct recording *recording, const struct cv_op *op)
{
    struct cv_picture *picture = recording->picture;
    if (!has_room(picture)) {
        return 0;
    }
    picture->ops[picture->op_count] = *op;
    return picture->op_count++;
}

static void set_clip(struct recording *recording, uint32_t index, struct cv_rect clip)
{
    recording->clip = clip;
    (void)put(recording, &(struct cv_op){ .kind = CV_OP_CLIP, .node = index, .bounds = clip });
}

/** What was added to the mesh since `first` is one draw. */
static void put_draw(struct recording *recording, uint32_t index, uint32_t first,
                     struct cv_rect bounds)
{
    const struct cv_op draw = {
        .kind = CV_OP_DRAW,
        .node = index,
        .bounds = cv_rect_intersection(bounds, recording->clip),
        .first_vertex = first,
        .vertex_count = recording->picture->mesh.count - first,
    };
    (void)put(recording, &draw);
}

static struct cv_rect with_shadow(struct cv_rect bounds, const struct cv_effect *effect)
{
    return cv_rect_grown(cv_rect_moved(bounds, effect->dx, effect->dy), effect->radius);
}

/** A layer's bounds are set where it ends, when they are known. */
static uint32_t begin_layer(struct recording *recording, uint32_t index)
{
    const uint32_t layer = put(recording, &(struct cv_op){ .kind = CV_OP_LAYER, .node = index });
    set_clip(recording, index, CV_EVERYWHERE);
    return layer;
}

static void end_layer(struct recording *recording, uint32_t layer, struct cv_rect bounds,
                      struct cv_rect clip, float radius, float opacity)
{
    struct cv_picture *picture = recording->picture;
    const uint32_t index = picture->ops[layer].node;
    const struct cv_op end = {
        .kind = CV_OP_LAYER_END,
        .node = index,
        .bounds = cv_rect_intersection(bounds, clip),
        .radius = radius,
        .opacity = opacity,
    };
    picture->ops[layer].bounds = end.bounds;
    const uint32_t at = put(recording, &end);
    picture->ops[layer].skip = at;
    set_clip(recording, index, clip);
}

/** A shape of one colour, blurred. @return what it covers */
static struct cv_rect record_shadow(struct recording *recording, uint32_t index,
                                    struct cv_point origin, struct cv_rect bounds,
                                    const struct cv_effect *effect)
{
    const struct cv_rect clip = recording->clip;
    const struct cv_rect covered = with_shadow(bounds, effect);
    const struct cv_fill fill = { .color = effect->color };
    const uint32_t layer = effect->radius > 0 ? begin_layer(recording, index) : 0;
    const uint32_t first = recording->picture->mesh.count;
    cv_shape_fill(&recording->picture->mesh, recording->document, index,
                  (struct cv_point){ origin.x + effect->dx, origin.y + effect->dy }, &fill);
    put_draw(recording, index, first, cv_rect_moved(bounds, effect->dx, effect->dy));
    if (effect->radius > 0) {
        end_layer(recording, layer, covered, clip, effect->radius, 1);
    }
    return covered;
}

/** The node itself. @return what it covers */
static struct cv_rect record_own(struct recording *recording, uint32_t index,
                                 struct cv_point origin, struct cv_rect bounds)
{
    const struct cv_node *node = &recording->document->nodes[index];
    struct cv_mesh *mesh = &recording->picture->mesh;
    struct cv_rect covered = CV_NOWHERE;
    for (uint32_t i = 0; i < node->effect_count; i++) {
        if (node->effects[i].kind == CV_DROP_SHADOW) {
            covered = cv_rect_union(
                covered, record_shadow(recording, index, origin, bounds, &node->effects[i]));
        }
    }
    for (uint32_t i = 0; i < node->fill_count; i++) {
        const uint32_t first = mesh->count;
        cv_shape_fill(mesh, recording->document, index, origin, &node->fills[i]);
        put_draw(recording, index, first, bounds);
        covered = cv_rect_union(covered, bounds);
    }
    for (uint32_t i = 0; i < node->stroke_count; i++) {
        const uint32_t first = mesh->count;
        const struct cv_rect around = cv_rect_grown(bounds, node->strokes[i].width / 2);
        cv_shape_stroke(mesh, recording->document, index, origin, &node->strokes[i]);
        put_draw(recording, index, first, around);
        covered = cv_rect_union(covered, around);
    }
    return covered;
}

static struct cv_rect record_node(struct recording *recording, uint32_t index,
                                  struct cv_point origin);

static struct cv_rect record_children(struct recording *recording, uint32_t index,
                                      struct cv_point origin, struct cv_rect bounds)
{
    const struct cv_document *document = recording->document;
    const struct cv_node *node = &document->nodes[index];
    const struct cv_rect clip = recording->clip;
    struct cv_rect covered = CV_NOWHERE;
    if (node->clips && node->first_child != CV_NONE) {
        set_clip(recording, index, cv_rect_intersection(clip, bounds));
    }
    for (uint32_t i = node->first_child; i != CV_NONE; i = document->nodes[i].next) {
        const struct cv_node *child = &document->nodes[i];
        if (i != recording->except) {
            const struct cv_point at = { origin.x + child->x, origin.y + child->y };
            covered = cv_rect_union(covered, record_node(recording, i, at));
        }
    }
    if (node->clips && node->first_child != CV_NONE) {
        set_clip(recording, index, clip);
        covered = cv_rect_intersection(covered, bounds);
    }
    return covered;
}

/** @return what it covers, without the clips of what is around it */
static struct cv_rect record_node(struct recording *recording, uint32_t index,
                                  struct cv_point origin)
{
    struct cv_picture *picture = recording->picture;
    const struct cv_node *node = &recording->document->nodes[index];
    const struct cv_rect clip = recording->clip;
    const float blur = cv_node_blur(node);
    const bool has_layer = blur > 0 || node->opacity < 1;
    const struct cv_rect bounds =
        node->kind == CV_GROUP ? CV_NOWHERE : cv_document_bounds(recording->document, index);
    const uint32_t counted = picture->node_count++;
    const uint32_t begin = put(recording, &(struct cv_op){ .kind = CV_OP_NODE, .node = index });
    const uint32_t layer = has_layer ? begin_layer(recording, index) : 0;
    struct cv_rect covered = record_own(recording, index, origin, bounds);
    covered = cv_rect_union(covered, record_children(recording, index, origin, bounds));
    if (has_layer) {
        covered = cv_rect_is_empty(covered) ? covered : cv_rect_grown(covered, blur);
        end_layer(recording, layer, covered, clip, blur, node->opacity);
    }
    const uint32_t end = put(recording, &(struct cv_op){ .kind = CV_OP_NODE_END, .node = index });
    picture->ops[begin].bounds = cv_rect_intersection(covered, clip);
    picture->ops[begin].skip = end;
    picture->ops[begin].below_count = picture->node_count - counted;
    return covered;
}

void cv_picture_record(struct cv_picture *picture, const struct cv_document *document,
                       uint32_t root, uint32_t except)
{
    struct recording recording = { picture, document, except, CV_EVERYWHERE };
    picture->mesh.count = 0;
    picture->mesh.has_failed = false;
    picture->op_count = 0;
    picture->node_count = 0;
    picture->has_failed = false;
    if (has_room(picture)) {
        (void)record_node(&recording, root, cv_document_origin(document, root));
    }
    picture->has_failed |= picture->mesh.has_failed;
    if (picture->has_failed) {
        picture->op_count = 0; /* half of it would be drawn wrong */
    }
}
