/* SPDX-License-Identifier: MIT */
#include "canvas_overlay.h"

#include "canvas_text.h"

#include <stdio.h>

enum { TAGS_AT_ONCE = 256 };
static const float text_px = 8, tag_height_px = 20, tag_gap_px = 4, handle_px = 7;
static const uint32_t section_color = 0x3b4252ff, component_color = 0x7c3aedff;
static const uint32_t selection_color = 0x2563ebff, white = 0xffffffff;
static const uint32_t ruler_color = 0xfafbfcff, tick_color = 0x9aa3b2ff, number_color = 0x5b6472ff;
static const uint32_t mark_color = 0x2563eb40;

void cv_overlay_finish(struct cv_overlay *overlay)
{
    cv_mesh_finish(&overlay->mesh);
}

static void draw_all(struct cv_overlay *overlay, struct cv_painter *painter)
{
    cv_painter_store(painter, CV_STORE_OVERLAY, &overlay->mesh);
    cv_painter_draw_overlay(painter, 0, overlay->mesh.count);
}

static struct cv_rect screen_of(const struct cv_view *view)
{
    return (struct cv_rect){ 0, 0, (float)view->width_px, (float)view->height_px };
}

static void snap(struct cv_rect *rect)
{
    rect->x0 = roundf(rect->x0);
    rect->y0 = roundf(rect->y0);
    rect->x1 = roundf(rect->x1);
    rect->y1 = roundf(rect->y1);
}

static struct cv_rect place_of(const struct cv_document *document, const struct cv_view *view,
                               uint32_t index)
{
    struct cv_rect place = cv_view_to_screen(view, cv_document_bounds(document, index));
    snap(&place);
    return place;
}

struct cv_rect cv_overlay_tag_place(const struct cv_document *document, const struct cv_view *view,
                                    uint32_t index)
{
    const struct cv_rect place = place_of(document, view, index);
    const float width = cv_text_width(document->nodes[index].name, text_px) + 16;
    const float bottom = place.y0 - tag_gap_px;
    return (struct cv_rect){ place.x0, bottom - tag_height_px, place.x0 + ceilf(width), bottom };
}

static void add_section_title(struct cv_mesh *mesh, const struct cv_node *node, struct cv_rect at)
{
    cv_mesh_rect(mesh, at, section_color);
    cv_text_add(mesh, node->name, (struct cv_point){ at.x0 + 8, at.y0 + 6 },
                (struct cv_point){ 0, 1 }, text_px, white);
}

/** A diamond, and the name in the colour of components. */
static void add_component_label(struct cv_mesh *mesh, const struct cv_node *node, struct cv_rect at)
{
    const float x = at.x0 + 5, y = at.y0 + 10;
    const struct cv_point diamond[4] = { { x - 4, y }, { x, y - 4 }, { x + 4, y }, { x, y + 4 } };
    const struct cv_ink ink = cv_ink_solid(component_color);
    cv_mesh_fill(mesh, diamond, 4, &ink);
    cv_text_add(mesh, node->name, (struct cv_point){ at.x0 + 14, at.y0 + 6 },
                (struct cv_point){ 0, 1 }, text_px, component_color);
}

struct tags {
    struct cv_overlay *overlay;
    struct cv_painter *painter;
    uint32_t ends[TAGS_AT_ONCE]; /**< in the mesh, of each */
    uint32_t count;
};

static void draw_tags(struct tags *tags)
{
    if (tags->count > 0) {
        cv_painter_store(tags->painter, CV_STORE_OVERLAY, &tags->overlay->mesh);
    }
    for (uint32_t i = 0, first = 0; i < tags->count; first = tags->ends[i], i++) {
        cv_painter_draw_overlay(tags->painter, first, tags->ends[i] - first);
    }
    tags->overlay->mesh.count = 0;
    tags->count = 0;
}

/** The tags of all nodes of a kind that are in view. */
static void add_tags(struct tags *tags, const struct cv_document *document,
                     const struct cv_view *view, uint32_t index, enum cv_kind kind)
{
    for (uint32_t i = document->nodes[index].first_child; i != CV_NONE;
         i = document->nodes[i].next) {
        const struct cv_node *node = &document->nodes[i];
        const struct cv_rect at =
            node->kind == kind ? cv_overlay_tag_place(document, view, i) : CV_NOWHERE;
        if (cv_rect_meets(at, screen_of(view))) {
            if (kind == CV_SECTION) {
                add_section_title(&tags->overlay->mesh, node, at);
            } else {
                add_component_label(&tags->overlay->mesh, node, at);
            }
            tags->ends[tags->count++] = tags->overlay->mesh.count;
        }
        if (tags->count == TAGS_AT_ONCE) {
            draw_tags(tags);
        }
        if (cv_kind_is_container(node->kind)) {
            add_tags(tags, document, view, i, kind);
        }
    }
}

static void draw_kind(struct cv_overlay *overlay, struct cv_painter *painter,
                      const struct cv_document *document, const struct cv_view *view,
                      enum cv_kind kind)
{
    struct tags tags = { .overlay = overlay, .painter = painter };
    overlay->mesh.count = 0;
    add_tags(&tags, document, view, 0, kind);
    draw_tags(&tags);
}

void cv_overlay_section_titles(struct cv_overlay *overlay, struct cv_painter *painter,
                               const struct cv_document *document, const struct cv_view *view)
{
    draw_kind(overlay, painter, document, view, CV_SECTION);
}

void cv_overlay_component_labels(struct cv_overlay *overlay, struct cv_painter *painter,
                                 const struct cv_document *document, const struct cv_view *view)
{
    draw_kind(overlay, painter, document, view, CV_COMPONENT);
}

static void add_handle(struct cv_mesh *mesh, float x, float y)
{
    const float half = floorf(handle_px / 2);
    const struct cv_rect box = { x - half, y - half, x + half + 1, y + half + 1 };
    cv_mesh_rect(mesh, box, selection_color);
    cv_mesh_rect(mesh, cv_rect_grown(box, -1), white);
}

void cv_overlay_selection(struct cv_overlay *overlay, struct cv_painter *painter,
                          const struct cv_document *document, const struct cv_view *view,
                          uint32_t selected)
{
    struct cv_mesh *mesh = &overlay->mesh;
    char size[48];
    mesh->count = 0;
    if (selected == CV_NONE) {
        return;
    }
    const struct cv_rect at = place_of(document, view, selected);
    const struct cv_rect exact = cv_document_bounds(document, selected);
    const float x = floorf((at.x0 + at.x1) / 2), y = floorf((at.y0 + at.y1) / 2);
    cv_mesh_frame(mesh, cv_rect_grown(at, 0.5f), 1, selection_color);
    for (int i = 0; i < 9; i++) {
        if (i != 4) {
            add_handle(mesh,
                       i % 3 == 0   ? at.x0
                       : i % 3 == 1 ? x
                                    : at.x1,
                       i / 3 == 0   ? at.y0
                       : i / 3 == 1 ? y
                                    : at.y1);
        }
    }
    (void)snprintf(size, sizeof(size), "%.5g x %.5g", (double)(exact.x1 - exact.x0),
                   (double)(exact.y1 - exact.y0));
    const float half = ceilf(cv_text_width(size, text_px) / 2);
    cv_mesh_rect(mesh, (struct cv_rect){ x - half - 6, at.y1 + 8, x + half + 6, at.y1 + 26 },
                 selection_color);
    cv_text_add(mesh, size, (struct cv_point){ x - half, at.y1 + 13 }, (struct cv_point){ 0, 1 },
                text_px, white);
    draw_all(overlay, painter);
}

/** The distance of numbers, in units: 1, 2 or 5 times a power of ten, at least 80 pixels. */
static float ruler_step(float zoom)
{
    float step = powf(10, floorf(log10f(80 / zoom)));
    static const float times[] = { 1, 2, 5, 10 };
    for (int i = 0; i < 4; i++) {
        if (step * times[i] * zoom >= 80) {
            return step * times[i];
        }
    }
    return step * 10;
}

/** One ruler, along x or, with x and y exchanged, along y. */
static void add_ruler(struct cv_mesh *mesh, const struct cv_view *view, bool is_down, float from,
                      float to)
{
    const float length = (float)(is_down ? view->height_px : view->width_px);
    const float origin = is_down ? view->y : view->x, deep = CV_RULER_PX;
    const float step = ruler_step(view->zoom), minor = step / 5;
    const struct cv_rect whole = { 0, 0, is_down ? deep : length, is_down ? length : deep };
    cv_mesh_rect(mesh, whole, ruler_color);
    if (from < to) {
        cv_mesh_rect(mesh,
                     is_down ? (struct cv_rect){ 0, from, deep, to }
                             : (struct cv_rect){ from, 0, to, deep },
                     mark_color);
    }
    const float first = floorf(origin / step) * step;
    const int tick_count = (int)ceilf((length / view->zoom + step) / minor);
    for (int i = 0; i <= tick_count; i++) {
        const float at = roundf((first + (float)i * minor - origin) * view->zoom);
        const float begin = i % 5 == 0 ? deep - 8 : deep - 4;
        cv_mesh_rect(mesh,
                     is_down ? (struct cv_rect){ begin, at, deep, at + 1 }
                             : (struct cv_rect){ at, begin, at + 1, deep },
                     tick_color);
        if (i % 5 == 0) {
            char number[32];
            (void)snprintf(number, sizeof(number), "%.6g",
                           (double)(first + (float)(i / 5) * step) + 0.0);
            const float half = cv_text_width(number, 6) / 2;
            cv_text_add(
                mesh, number,
                is_down ? (struct cv_point){ 3, at + half } : (struct cv_point){ at - half, 3 },
                is_down ? (struct cv_point){ -1, 0 } : (struct cv_point){ 0, 1 }, 6, number_color);
        }
    }
    cv_mesh_rect(mesh,
                 is_down ? (struct cv_rect){ deep - 1, 0, deep, length }
                         : (struct cv_rect){ 0, deep - 1, length, deep },
                 tick_color);
}

void cv_overlay_rulers(struct cv_overlay *overlay, struct cv_painter *painter,
                       const struct cv_document *document, const struct cv_view *view,
                       uint32_t selected)
{
    const struct cv_rect none = { 0, 0, 0, 0 };
    const struct cv_rect marked = selected == CV_NONE ? none : place_of(document, view, selected);
    overlay->mesh.count = 0;
    add_ruler(&overlay->mesh, view, false, marked.x0, marked.x1);
    add_ruler(&overlay->mesh, view, true, marked.y0, marked.y1);
    cv_mesh_rect(&overlay->mesh, (struct cv_rect){ 0, 0, CV_RULER_PX, CV_RULER_PX }, ruler_color);
    cv_mesh_rect(&overlay->mesh, (struct cv_rect){ CV_RULER_PX - 1, 0, CV_RULER_PX, CV_RULER_PX },
                 tick_color);
    cv_mesh_rect(&overlay->mesh,
                 (struct cv_rect){ 0, CV_RULER_PX - 1, CV_RULER_PX - 1, CV_RULER_PX }, tick_color);
    draw_all(overlay, painter);
}
