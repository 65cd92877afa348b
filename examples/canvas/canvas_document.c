/* SPDX-License-Identifier: MIT */
#include "canvas_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cv_kind_name(enum cv_kind kind)
{
    static const char *const names[] = { "frame",     "group",   "section", "component",
                                         "rectangle", "ellipse", "path",    "text" };
    return names[kind];
}

bool cv_document_init(struct cv_document *document)
{
    *document = (struct cv_document){ .capacity = 64, .version = 1, .last_edit = "new" };
    document->nodes = calloc(document->capacity, sizeof(document->nodes[0]));
    if (document->nodes == NULL) {
        return false;
    }
    document->used_count = 1;
    document->nodes[0] = (struct cv_node){
        .kind = CV_GROUP,
        .name = "page",
        .parent = CV_NONE,
        .first_child = CV_NONE,
        .last_child = CV_NONE,
        .previous = CV_NONE,
        .next = CV_NONE,
        .opacity = 1,
    };
    return true;
}

void cv_document_finish(struct cv_document *document)
{
    free(document->nodes);
    free(document->points);
    *document = (struct cv_document){ .nodes = NULL };
}

void cv_document_changed(struct cv_document *document, const char *why)
{
    document->version++;
    document->last_edit = why;
}

static uint32_t depth_of(const struct cv_document *document, uint32_t index)
{
    uint32_t depth = 0;
    for (; document->nodes[index].parent != CV_NONE; index = document->nodes[index].parent) {
        depth++;
    }
    return depth;
}

static bool has_room(struct cv_document *document)
{
    if (document->used_count < document->capacity) {
        return true;
    }
    if (document->capacity >= CV_NODES_MAX) {
        return false;
    }
    const uint32_t capacity = document->capacity * 2;
    struct cv_node *nodes = realloc(document->nodes, capacity * sizeof(nodes[0]));
    if (nodes == NULL) {
        return false;
    }
    document->nodes = nodes;
    document->capacity = capacity;
    return true;
}

static void append(struct cv_document *document, uint32_t parent, uint32_t index)
{
    struct cv_node *above = &document->nodes[parent];
    struct cv_node *node = &document->nodes[index];
    node->parent = parent;
    node->previous = above->last_child;
    node->next = CV_NONE;
    if (above->last_child != CV_NONE) {
        document->nodes[above->last_child].next = index;
    } else {
        above->first_child = index;
    }
    above->last_child = index;
}

uint32_t cv_document_add(struct cv_document *document, uint32_t parent, enum cv_kind kind,
                         const char *name, struct cv_rect place)
{
    if (!cv_kind_is_container(document->nodes[parent].kind) ||
        depth_of(document, parent) + 1 >= CV_DEPTH_MAX || !has_room(document)) {
        return CV_NONE;
    }
    const uint32_t index = document->used_count++;
    document->nodes[index] = (struct cv_node){
        .id = index,
        .kind = kind,
        .first_child = CV_NONE,
        .last_child = CV_NONE,
        .x = place.x0,
        .y = place.y0,
        .width = place.x1 - place.x0,
        .height = place.y1 - place.y0,
        .opacity = 1,
    };
    (void)snprintf(document->nodes[index].name, CV_NAME_SIZE, "%s", name);
    append(document, parent, index);
    document->node_count++;
    document->needs_layout = true;
    cv_document_changed(document, "a node was added");
    return index;
}

static uint32_t subtree_count(const struct cv_document *document, uint32_t index)
{
    uint32_t count = 1;
    for (uint32_t child = document->nodes[index].first_child; child != CV_NONE;
         child = document->nodes[child].next) {
        count += subtree_count(document, child);
    }
    return count;
}

void cv_document_remove(struct cv_document *document, uint32_t index)
{
    struct cv_node *node = &document->nodes[index];
    if (node->parent == CV_NONE) {
        return;
    }
    struct cv_node *parent = &document->nodes[node->parent];
    document->node_count -= subtree_count(document, index);
    if (node->previous != CV_NONE) {
        document->nodes[node->previous].next = node->next;
    } else {
        parent->first_child = node->next;
    }
    if (node->next != CV_NONE) {
        document->nodes[node->next].previous = node->previous;
    } else {
        parent->last_child = node->previous;
    }
    node->parent = node->previous = node->next = CV_NONE;
    document->needs_layout = true;
    cv_document_changed(document, "a node was removed");
}

bool cv_document_set_points(struct cv_document *document, uint32_t index,
                            const struct cv_point *points, uint32_t count, bool is_closed)
{
    const uint32_t needed = document->point_count + count;
    if (needed > document->point_capacity) {
        const uint32_t capacity = needed * 2;
        struct cv_point *grown = realloc(document->points, capacity * sizeof(grown[0]));
        if (grown == NULL) {
            return false;
        }
        document->points = grown;
        document->point_capacity = capacity;
    }
    memcpy(&document->points[document->point_count], points, count * sizeof(points[0]));
    document->nodes[index].first_point = document->point_count;
    document->nodes[index].point_count = count;
    document->nodes[index].is_closed = is_closed;
    document->point_count = needed;
    cv_document_changed(document, "a path changed");
    return true;
}

void cv_node_set_text(struct cv_node *node, const char *text, float size)
{
    (void)snprintf(node->text, CV_TEXT_SIZE, "%s", text);
    node->text_size = size;
}

void cv_node_add_fill(struct cv_node *node, uint32_t color)
{
    if (node->fill_count < CV_FILLS) {
        node->fills[node->fill_count++] = (struct cv_fill){ .color = color };
    }
}

void cv_node_add_gradient(struct cv_node *node, uint32_t color, uint32_t color_end, float angle)
{
    if (node->fill_count < CV_FILLS) {
        node->fills[node->fill_count++] =
            (struct cv_fill){ color, color_end, .is_linear = true, .angle = angle };
    }
}

void cv_node_add_stroke(struct cv_node *node, uint32_t color, float width)
{
    if (node->stroke_count < CV_STROKES) {
        node->strokes[node->stroke_count++] = (struct cv_stroke){ color, width };
    }
}

void cv_node_add_shadow(struct cv_node *node, uint32_t color, float dx, float dy, float radius)
{
    if (node->effect_count < CV_EFFECTS) {
        node->effects[node->effect_count++] =
            (struct cv_effect){ CV_DROP_SHADOW, radius, color, dx, dy };
    }
}

void cv_node_add_blur(struct cv_node *node, float radius)
{
    if (node->effect_count < CV_EFFECTS) {
        node->effects[node->effect_count++] =
            (struct cv_effect){ .kind = CV_LAYER_BLUR, .radius = radius };
    }
}

float cv_node_blur(const struct cv_node *node)
{
    float radius = 0;
    for (uint32_t i = 0; i < node->effect_count; i++) {
        radius += node->effects[i].kind == CV_LAYER_BLUR ? node->effects[i].radius : 0;
    }
    return radius;
}

struct cv_point cv_document_origin(const struct cv_document *document, uint32_t index)
{
    struct cv_point origin = { 0, 0 };
    for (; index != CV_NONE; index = document->nodes[index].parent) {
        origin.x += document->nodes[index].x;
        origin.y += document->nodes[index].y;
    }
    return origin;
}

/** What a shape's rectangle takes when it is turned around its middle. */
static struct cv_rect turned(const struct cv_node *node, struct cv_point origin)
{
    const float half_width = node->width / 2, half_height = node->height / 2;
    const float c = fabsf(cosf(node->rotation)), s = fabsf(sinf(node->rotation));
    const float across = node->rotation == 0 ? half_width : half_width * c + half_height * s;
    const float down = node->rotation == 0 ? half_height : half_width * s + half_height * c;
    const float x = origin.x + half_width, y = origin.y + half_height;
    return (struct cv_rect){ x - across, y - down, x + across, y + down };
}

static struct cv_rect bounds_at(const struct cv_document *document, uint32_t index,
                                struct cv_point origin)
{
    const struct cv_node *node = &document->nodes[index];
    if (node->kind != CV_GROUP) {
        return turned(node, origin);
    }
    struct cv_rect bounds = CV_NOWHERE;
    for (uint32_t child = node->first_child; child != CV_NONE;
         child = document->nodes[child].next) {
        const struct cv_node *below = &document->nodes[child];
        bounds = cv_rect_union(
            bounds, bounds_at(document, child,
                              (struct cv_point){ origin.x + below->x, origin.y + below->y }));
    }
    return bounds;
}

struct cv_rect cv_document_bounds(const struct cv_document *document, uint32_t index)
{
    return bounds_at(document, index, cv_document_origin(document, index));
}

/** Whether a point, from the node's upper left corner, is in its rectangle or ellipse. */
static bool is_inside(const struct cv_node *node, float x, float y)
{
    const float half_width = node->width / 2, half_height = node->height / 2;
    const float dx = x - half_width, dy = y - half_height;
    const float c = cosf(node->rotation), s = sinf(node->rotation);
    const float u = dx * c + dy * s, v = dy * c - dx * s;
    if (node->kind == CV_ELLIPSE) {
        const float a = u / half_width, b = v / half_height;
        return a * a + b * b <= 1;
    }
    return fabsf(u) <= half_width && fabsf(v) <= half_height;
}

static uint32_t hit_at(const struct cv_document *document, uint32_t index, float x, float y)
{
    const struct cv_node *node = &document->nodes[index];
    const bool is_within = node->kind != CV_GROUP && is_inside(node, x, y);
    if (cv_kind_is_container(node->kind) && (is_within || !node->clips)) {
        for (uint32_t child = node->last_child; child != CV_NONE;
             child = document->nodes[child].previous) {
            const struct cv_node *below = &document->nodes[child];
            const uint32_t found = hit_at(document, child, x - below->x, y - below->y);
            if (found != CV_NONE) {
                return found;
            }
        }
    }
    const bool is_painted = node->fill_count + node->stroke_count > 0 || node->kind == CV_TEXT;
    return is_within && is_painted ? index : CV_NONE;
}

uint32_t cv_document_hit(const struct cv_document *document, float x, float y)
{
    return hit_at(document, 0, x, y);
}
