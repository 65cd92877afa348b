/* SPDX-License-Identifier: MIT */
#include "canvas_mesh.h"

#include <stdlib.h>

/* A corner sharper than this is cut: the line would reach far out of the shape. */
static const float miter_max = 4;

void cv_mesh_finish(struct cv_mesh *mesh)
{
    free(mesh->vertices);
    *mesh = (struct cv_mesh){ .vertices = NULL };
}

static bool has_room(struct cv_mesh *mesh, uint32_t more)
{
    if (mesh->count + more <= mesh->capacity) {
        return true;
    }
    const uint32_t capacity = mesh->capacity * 2 + more;
    struct cv_vertex *vertices = realloc(mesh->vertices, capacity * sizeof(vertices[0]));
    if (vertices == NULL) {
        mesh->has_failed = true;
        return false;
    }
    mesh->vertices = vertices;
    mesh->capacity = capacity;
    return true;
}

static float channel(uint32_t color, int shift)
{
    return (float)(color >> shift & 0xff) / 255;
}

/* Interpolated as it is blended: premultiplied. */
static void shade(const struct cv_ink *ink, struct cv_vertex *vertex)
{
    float part = 0;
    if (ink->color != ink->color_end) {
        part = (vertex->x - ink->from.x) * ink->step.x + (vertex->y - ink->from.y) * ink->step.y;
        part = fminf(fmaxf(part, 0), 1);
    }
    const float a = channel(ink->color, 0), b = channel(ink->color_end, 0);
    for (int i = 0; i < 4; i++) {
        const int shift = 24 - 8 * i;
        const float from = i == 3 ? a : channel(ink->color, shift) * a;
        const float to = i == 3 ? b : channel(ink->color_end, shift) * b;
        vertex->rgba[i] = (uint8_t)lroundf((from + (to - from) * part) * 255);
    }
}

static void triangle(struct cv_mesh *mesh, struct cv_point a, struct cv_point b, struct cv_point c,
                     const struct cv_ink *ink)
{
    if (!has_room(mesh, 3)) {
        return;
    }
    const struct cv_point corners[3] = { a, b, c };
    for (int i = 0; i < 3; i++) {
        struct cv_vertex *vertex = &mesh->vertices[mesh->count++];
        vertex->x = corners[i].x;
        vertex->y = corners[i].y;
        shade(ink, vertex);
    }
}

static void quad(struct cv_mesh *mesh, struct cv_point a, struct cv_point b, struct cv_point c,
                 struct cv_point d, const struct cv_ink *ink)
{
    triangle(mesh, a, b, c, ink);
    triangle(mesh, a, c, d, ink);
}

void cv_mesh_rect(struct cv_mesh *mesh, struct cv_rect rect, uint32_t color)
{
    const struct cv_ink ink = cv_ink_solid(color);
    quad(mesh, (struct cv_point){ rect.x0, rect.y0 }, (struct cv_point){ rect.x1, rect.y0 },
         (struct cv_point){ rect.x1, rect.y1 }, (struct cv_point){ rect.x0, rect.y1 }, &ink);
}

void cv_mesh_frame(struct cv_mesh *mesh, struct cv_rect rect, float width, uint32_t color)
{
    const struct cv_point corners[4] = {
        { rect.x0, rect.y0 }, { rect.x1, rect.y0 }, { rect.x1, rect.y1 }, { rect.x0, rect.y1 }
    };
    cv_mesh_stroke(mesh, corners, 4, true, width, color);
}

void cv_mesh_segment(struct cv_mesh *mesh, struct cv_point a, struct cv_point b, float width,
                     uint32_t color)
{
    const struct cv_ink ink = cv_ink_solid(color);
    const float dx = b.x - a.x, dy = b.y - a.y, length = hypotf(dx, dy), half = width / 2;
    const float u = length > 0 ? dx / length * half : half;
    const float v = length > 0 ? dy / length * half : 0;
    quad(mesh, (struct cv_point){ a.x - u + v, a.y - v - u },
         (struct cv_point){ b.x + u + v, b.y + v - u },
         (struct cv_point){ b.x + u - v, b.y + v + u },
         (struct cv_point){ a.x - u - v, a.y - v + u }, &ink);
}

static float cross(struct cv_point a, struct cv_point b, struct cv_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool is_in_triangle(struct cv_point p, struct cv_point a, struct cv_point b,
                           struct cv_point c)
{
    return cross(a, b, p) > 0 && cross(b, c, p) > 0 && cross(c, a, p) > 0;
}

/** Whether the corner at `i` of what is left can be cut off; `order` turns to the right. */
static bool is_ear(const struct cv_point *points, const uint16_t *order, uint32_t count, uint32_t i)
{
    const struct cv_point a = points[order[(i + count - 1) % count]], b = points[order[i]];
    const struct cv_point c = points[order[(i + 1) % count]];
    if (cross(a, b, c) <= 0) {
        return false;
    }
    for (uint32_t k = 0; k < count; k++) {
        if (is_in_triangle(points[order[k]], a, b, c)) {
            return false;
        }
    }
    return true;
}

void cv_mesh_fill(struct cv_mesh *mesh, const struct cv_point *points, uint32_t count,
                  const struct cv_ink *ink)
{
    uint16_t order[CV_OUTLINE_MAX];
    float area = 0;
    if (count < 3 || count > CV_OUTLINE_MAX) {
        return;
    }
    for (uint32_t i = 1; i + 1 < count; i++) {
        area += cross(points[0], points[i], points[i + 1]);
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (uint16_t)(area >= 0 ? i : count - 1 - i);
    }
    uint32_t left = count, at = 1, tried = 0;
    while (left > 3 && tried < left) {
        if (!is_ear(points, order, left, at % left)) {
            at = (at + 1) % left;
            tried++;
            continue;
        }
        at %= left;
        triangle(mesh, points[order[(at + left - 1) % left]], points[order[at]],
                 points[order[(at + 1) % left]], ink);
        left--;
        for (uint32_t i = at; i < left; i++) {
            order[i] = order[i + 1];
        }
        tried = 0;
    }
    triangle(mesh, points[order[0]], points[order[1]], points[order[2]], ink);
}

static struct cv_point direction(struct cv_point a, struct cv_point b)
{
    const float length = hypotf(b.x - a.x, b.y - a.y);
    return length > 0 ? (struct cv_point){ (b.x - a.x) / length, (b.y - a.y) / length }
                      : (struct cv_point){ 0, 0 };
}

/** From a corner to the outer side of the line, for half a width of one. */
static struct cv_point miter(struct cv_point before, struct cv_point here, struct cv_point after)
{
    const struct cv_point in = direction(before, here), out = direction(here, after);
    const float x = -(in.y + out.y), y = in.x + out.x;
    const float scale = 2 / fmaxf(x * x + y * y, 4 / (miter_max * miter_max));
    return (struct cv_point){ x * scale, y * scale };
}

void cv_mesh_stroke(struct cv_mesh *mesh, const struct cv_point *points, uint32_t count,
                    bool is_closed, float width, uint32_t color)
{
    const struct cv_ink ink = cv_ink_solid(color);
    const float half = width / 2;
    struct cv_point outer[CV_OUTLINE_MAX + 1], inner[CV_OUTLINE_MAX + 1];
    if (count < 2 || count > CV_OUTLINE_MAX) {
        return;
    }
    const uint32_t last = count - 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct cv_point here = points[i];
        /* The ends of an open line go straight on. */
        const struct cv_point before = i > 0 ? points[i - 1] : is_closed ? points[last] : here;
        const struct cv_point after = i < last ? points[i + 1] : is_closed ? points[0] : here;
        struct cv_point side = miter(before, here, after);
        if (!is_closed && (i == 0 || i == last)) {
            const struct cv_point d = direction(before, after);
            side = (struct cv_point){ -d.y, d.x };
        }
        outer[i] = (struct cv_point){ here.x + side.x * half, here.y + side.y * half };
        inner[i] = (struct cv_point){ here.x - side.x * half, here.y - side.y * half };
    }
    outer[count] = outer[0];
    inner[count] = inner[0];
    for (uint32_t i = 0; i < (is_closed ? count : last); i++) {
        quad(mesh, outer[i], outer[i + 1], inner[i + 1], inner[i], &ink);
    }
}
