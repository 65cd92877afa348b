/* SPDX-License-Identifier: MIT */
#include "canvas_shapes.h"

#include "canvas_text.h"

enum { ROUND_POINTS = 64, CORNER_POINTS = 8 };
static const float half_turn = 3.14159265f;

struct outline {
    struct cv_point points[CV_OUTLINE_MAX];
    uint32_t count;
    bool is_closed;
};

static void put(struct outline *outline, float x, float y)
{
    if (outline->count < CV_OUTLINE_MAX) {
        outline->points[outline->count++] = (struct cv_point){ x, y };
    }
}

static void put_ellipse(struct outline *outline, float width, float height)
{
    for (int i = 0; i < ROUND_POINTS; i++) {
        const float angle = (float)i * 2 * half_turn / ROUND_POINTS;
        put(outline, width / 2 * (1 + cosf(angle)), height / 2 * (1 + sinf(angle)));
    }
}

static void put_rounded(struct outline *outline, float width, float height, float corner)
{
    const float r = fminf(corner, fminf(width, height) / 2);
    for (int side = 0; side < 4; side++) {
        const float x = side == 0 || side == 3 ? r : width - r;
        const float y = side < 2 ? r : height - r;
        for (int i = 0; i <= CORNER_POINTS; i++) {
            const float part = (float)i / CORNER_POINTS;
            const float angle = half_turn + ((float)side + part) * half_turn / 2;
            put(outline, x + r * cosf(angle), y + r * sinf(angle));
        }
    }
}

static void turn(struct outline *outline, const struct cv_node *node, struct cv_point origin)
{
    const float c = cosf(node->rotation), s = sinf(node->rotation);
    const float x = node->width / 2, y = node->height / 2;
    for (uint32_t i = 0; i < outline->count; i++) {
        struct cv_point *point = &outline->points[i];
        const float dx = point->x - x, dy = point->y - y;
        if (node->rotation != 0) {
            *point = (struct cv_point){ x + dx * c - dy * s, y + dx * s + dy * c };
        }
        point->x += origin.x;
        point->y += origin.y;
    }
}

static void trace(struct outline *outline, const struct cv_document *document, uint32_t index,
                  struct cv_point origin)
{
    const struct cv_node *node = &document->nodes[index];
    outline->count = 0;
    outline->is_closed = true;
    if (node->kind == CV_ELLIPSE) {
        put_ellipse(outline, node->width, node->height);
    } else if (node->kind == CV_PATH) {
        outline->is_closed = node->is_closed;
        for (uint32_t i = 0; i < node->point_count; i++) {
            const struct cv_point *point = &document->points[node->first_point + i];
            put(outline, point->x, point->y);
        }
    } else if (node->corner > 0) {
        put_rounded(outline, node->width, node->height, node->corner);
    } else {
        put(outline, 0, 0);
        put(outline, node->width, 0);
        put(outline, node->width, node->height);
        put(outline, 0, node->height);
    }
    turn(outline, node, origin);
}

/** The gradient's ends are where the node's rectangle ends in its direction. */
static struct cv_ink ink_of(const struct cv_node *node, struct cv_point origin,
                            const struct cv_fill *fill)
{
    if (!fill->is_linear) {
        return cv_ink_solid(fill->color);
    }
    const float angle = fill->angle + node->rotation;
    const float c = cosf(angle), s = sinf(angle);
    const float reach =
        fabsf(cosf(fill->angle)) * node->width / 2 + fabsf(sinf(fill->angle)) * node->height / 2;
    const float x = origin.x + node->width / 2, y = origin.y + node->height / 2;
    return (struct cv_ink){
        .color = fill->color,
        .color_end = fill->color_end,
        .from = { x - c * reach, y - s * reach },
        .step = { c / (2 * reach), s / (2 * reach) },
    };
}

static void write_text(struct cv_mesh *mesh, const struct cv_node *node, struct cv_point origin,
                       uint32_t color)
{
    const float c = cosf(node->rotation), s = sinf(node->rotation);
    const float x = node->width / 2, y = node->height / 2;
    const struct cv_point at = { origin.x + x - x * c + y * s, origin.y + y - x * s - y * c };
    cv_text_add(mesh, node->text, at, (struct cv_point){ s, c }, node->text_size, color);
}

void cv_shape_fill(struct cv_mesh *mesh, const struct cv_document *document, uint32_t index,
                   struct cv_point origin, const struct cv_fill *fill)
{
    const struct cv_node *node = &document->nodes[index];
    struct outline outline;
    if (node->kind == CV_TEXT) {
        write_text(mesh, node, origin, fill->color);
        return;
    }
    trace(&outline, document, index, origin);
    const struct cv_ink ink = ink_of(node, origin, fill);
    cv_mesh_fill(mesh, outline.points, outline.count, &ink);
}

void cv_shape_stroke(struct cv_mesh *mesh, const struct cv_document *document, uint32_t index,
                     struct cv_point origin, const struct cv_stroke *stroke)
{
    struct outline outline;
    trace(&outline, document, index, origin);
    cv_mesh_stroke(mesh, outline.points, outline.count, outline.is_closed, stroke->width,
                   stroke->color);
}
