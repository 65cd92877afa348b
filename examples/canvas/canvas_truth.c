/* SPDX-License-Identifier: MIT */
#include "canvas_truth.h"

#include "canvas_overlay.h"

#include <stdio.h>

struct asking {
    const struct cv_document *document;
    const struct cv_view *view;
    struct cv_truth *truth;
};

/** What matters here: what can be seen, and what clips it. */
struct frame_of_view {
    struct cv_rect visible, clip;
};

static struct cv_rect outline_of(const struct asking *asking, uint32_t index)
{
    return asking->document->nodes[index].kind == CV_GROUP
               ? CV_NOWHERE
               : cv_document_bounds(asking->document, index);
}

/** All that a node and those in it may touch, without the clips around it. */
static struct cv_rect touched(const struct asking *asking, uint32_t index)
{
    const struct cv_node *node = &asking->document->nodes[index];
    const struct cv_rect outline = outline_of(asking, index);
    struct cv_rect own = node->fill_count > 0 ? outline : CV_NOWHERE, below = CV_NOWHERE;
    for (uint32_t i = 0; i < node->stroke_count; i++) {
        own = cv_rect_union(own, cv_rect_grown(outline, node->strokes[i].width / 2));
    }
    for (uint32_t i = 0; i < node->effect_count; i++) {
        const struct cv_effect *effect = &node->effects[i];
        if (effect->kind == CV_DROP_SHADOW) {
            own = cv_rect_union(
                own, cv_rect_grown(cv_rect_moved(outline, effect->dx, effect->dy), effect->radius));
        }
    }
    for (uint32_t i = node->first_child; i != CV_NONE; i = asking->document->nodes[i].next) {
        below = cv_rect_union(below, touched(asking, i));
    }
    if (node->clips) {
        below = cv_rect_intersection(below, outline);
    }
    const struct cv_rect all = cv_rect_union(own, below);
    return cv_rect_is_empty(all) ? all : cv_rect_grown(all, cv_node_blur(node));
}

static uint32_t count_nodes(const struct asking *asking, uint32_t index)
{
    uint32_t count = 1;
    for (uint32_t i = asking->document->nodes[index].first_child; i != CV_NONE;
         i = asking->document->nodes[i].next) {
        count += count_nodes(asking, i);
    }
    return count;
}

/* ---- pixels ---------------------------------------------------------------------------------- */

static bool is_in_polygon(const struct cv_point *points, uint32_t count, float x, float y)
{
    bool is_inside = false;
    for (uint32_t i = 0, k = count - 1; i < count; k = i++) {
        const struct cv_point a = points[i], b = points[k];
        if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) {
            is_inside = !is_inside;
        }
    }
    return is_inside;
}

/** Whether a point of the document is in the fill of a node's shape. */
static bool is_filled(const struct asking *asking, uint32_t index, float x, float y)
{
    const struct cv_node *node = &asking->document->nodes[index];
    const struct cv_point origin = cv_document_origin(asking->document, index);
    const float dx = x - origin.x - node->width / 2, dy = y - origin.y - node->height / 2;
    const float c = cosf(node->rotation), s = sinf(node->rotation);
    const float u = node->rotation == 0 ? dx : dx * c + dy * s;
    const float v = node->rotation == 0 ? dy : dy * c - dx * s;
    if (node->kind == CV_ELLIPSE) {
        const float a = u * 2 / node->width, b = v * 2 / node->height;
        return a * a + b * b < 1;
    }
    if (node->kind == CV_PATH) {
        return is_in_polygon(&asking->document->points[node->first_point], node->point_count,
                             u + node->width / 2, v + node->height / 2);
    }
    return u >= -node->width / 2 && u < node->width / 2 && v >= -node->height / 2 &&
           v < node->height / 2;
}

/** The stroke of an upright rectangle: in it when it is made wider, and not when narrower. */
static bool is_stroked(struct cv_rect outline, float width, float x, float y)
{
    return cv_rect_holds(cv_rect_grown(outline, width / 2), x, y) &&
           !cv_rect_holds(cv_rect_grown(outline, -width / 2), x, y);
}

static void count_pixel(const struct asking *asking, uint32_t index, struct cv_rect clip, int px,
                        int py)
{
    const struct cv_node *node = &asking->document->nodes[index];
    const struct cv_rect outline = outline_of(asking, index);
    const struct cv_point at =
        cv_view_to_document(asking->view, (float)px + 0.5f, (float)py + 0.5f);
    uint32_t times = is_filled(asking, index, at.x, at.y) ? node->fill_count : 0;
    for (uint32_t i = 0; i < node->stroke_count; i++) {
        times += is_stroked(outline, node->strokes[i].width, at.x, at.y);
    }
    if (cv_rect_holds(clip, at.x, at.y)) {
        uint16_t *pixel = &asking->truth->overdraw[py * asking->view->width_px + px];
        *pixel = (uint16_t)(*pixel + times);
    }
}

static void count_pixels(const struct asking *asking, uint32_t index, struct cv_rect clip)
{
    const struct cv_node *node = &asking->document->nodes[index];
    const struct cv_rect place =
        cv_view_to_screen(asking->view, cv_rect_grown(outline_of(asking, index), 8));
    if (asking->truth->overdraw == NULL || node->kind == CV_TEXT || node->kind == CV_GROUP) {
        return;
    }
    for (int y = 0; y < asking->view->height_px; y++) {
        for (int x = 0; x < asking->view->width_px; x++) {
            if (cv_rect_holds(place, (float)x, (float)y)) {
                count_pixel(asking, index, clip, x, y);
            }
        }
    }
}

/* ---- draws ----------------------------------------------------------------------------------- */

static bool is_seen(struct cv_rect covered, const struct frame_of_view *here)
{
    return cv_rect_meets(cv_rect_intersection(covered, here->clip), here->visible);
}

static void count_own(const struct asking *asking, uint32_t index, const struct frame_of_view *here)
{
    const struct cv_node *node = &asking->document->nodes[index];
    const struct cv_rect outline = outline_of(asking, index);
    uint32_t *draws = &asking->truth->scene_draws;
    for (uint32_t i = 0; i < node->effect_count; i++) {
        const struct cv_effect *effect = &node->effects[i];
        const struct cv_rect moved = cv_rect_moved(outline, effect->dx, effect->dy);
        if (effect->kind != CV_DROP_SHADOW) {
            continue;
        }
        if (effect->radius <= 0) {
            *draws += is_seen(moved, here);
        } else if (is_seen(cv_rect_grown(moved, effect->radius), here)) {
            /* Two for the blur, one to lay it down, and the shape, if it is near enough. */
            *draws += 3 + cv_rect_meets(moved, cv_rect_grown(here->visible, effect->radius));
        }
    }
    *draws += is_seen(outline, here) ? node->fill_count : 0;
    for (uint32_t i = 0; i < node->stroke_count; i++) {
        *draws += is_seen(cv_rect_grown(outline, node->strokes[i].width / 2), here);
    }
    count_pixels(asking, index, here->clip);
}

static void ask(const struct asking *asking, uint32_t index, struct frame_of_view here)
{
    const struct cv_node *node = &asking->document->nodes[index];
    const float blur = cv_node_blur(node);
    if (!is_seen(touched(asking, index), &here)) {
        asking->truth->culled_count += count_nodes(asking, index);
        return;
    }
    if (blur > 0 || node->opacity < 1) {
        asking->truth->scene_draws += blur > 0 ? 3 : 1;
        here.visible = cv_rect_grown(here.visible, blur);
        here.clip = CV_EVERYWHERE;
    }
    count_own(asking, index, &here);
    if (node->clips) {
        here.clip = cv_rect_intersection(here.clip, outline_of(asking, index));
    }
    for (uint32_t i = node->first_child; i != CV_NONE; i = asking->document->nodes[i].next) {
        ask(asking, i, here);
    }
}

static bool is_whole(float number)
{
    return number == floorf(number);
}

static bool is_exact(const struct asking *asking, uint32_t index)
{
    const struct cv_node *node = &asking->document->nodes[index];
    const struct cv_rect place = cv_view_to_screen(asking->view, outline_of(asking, index));
    bool exact = node->kind != CV_ELLIPSE && node->kind != CV_PATH && node->kind != CV_TEXT &&
                 node->rotation == 0 && node->opacity >= 1 && node->effect_count == 0 &&
                 (node->corner == 0 || node->fill_count + node->stroke_count == 0);
    exact &= node->kind == CV_GROUP ||
             (is_whole(place.x0) && is_whole(place.y0) && is_whole(place.x1) && is_whole(place.y1));
    for (uint32_t i = 0; i < node->stroke_count; i++) {
        exact &= is_whole(node->strokes[i].width * asking->view->zoom / 2);
    }
    for (uint32_t i = node->first_child; exact && i != CV_NONE;
         i = asking->document->nodes[i].next) {
        exact = is_exact(asking, i);
    }
    return exact;
}

static uint32_t count_tags(const struct asking *asking, uint32_t index)
{
    const struct cv_rect screen = { 0, 0, (float)asking->view->width_px,
                                    (float)asking->view->height_px };
    uint32_t count = 0;
    for (uint32_t i = asking->document->nodes[index].first_child; i != CV_NONE;
         i = asking->document->nodes[i].next) {
        const enum cv_kind kind = asking->document->nodes[i].kind;
        if (kind == CV_SECTION || kind == CV_COMPONENT) {
            count += cv_rect_meets(cv_overlay_tag_place(asking->document, asking->view, i), screen);
        }
        count += count_tags(asking, i);
    }
    return count;
}

void cv_truth_tell(const struct cv_document *document, const struct cv_view *view,
                   uint32_t selected, bool is_bare, uint16_t *overdraw, struct cv_truth *out_truth)
{
    const struct asking asking = { document, view, out_truth };
    const size_t pixel_count = (size_t)view->width_px * (size_t)view->height_px;
    *out_truth = (struct cv_truth){ .overdraw = overdraw };
    for (size_t i = 0; overdraw != NULL && i < pixel_count; i++) {
        overdraw[i] = 0;
    }
    out_truth->node_count = count_nodes(&asking, 0) - 1;
    ask(&asking, 0, (struct frame_of_view){ cv_view_visible(view), CV_EVERYWHERE });
    out_truth->is_exact = is_exact(&asking, 0);
    out_truth->overlay_draws =
        is_bare ? 0 : count_tags(&asking, 0) + (selected != CV_NONE ? 1 : 0) + 1;
    for (size_t i = 0; overdraw != NULL && i < pixel_count; i++) {
        out_truth->fragment_count += overdraw[i];
        out_truth->overdraw_max =
            overdraw[i] > out_truth->overdraw_max ? overdraw[i] : out_truth->overdraw_max;
    }
}

void cv_truth_print(const struct cv_truth *truth, const struct cv_view *view, const char *scene)
{
    printf("{\"scene\": \"%s\", \"width\": %d, \"height\": %d, \"nodes\": %u, \"culled\": %u, "
           "\"scene_draws\": %u, \"overlay_draws\": %u, \"overdraw\": {\"exact\": %s, "
           "\"fragments\": %llu, \"pixels\": {",
           scene, view->width_px, view->height_px, truth->node_count, truth->culled_count,
           truth->scene_draws, truth->overlay_draws, truth->is_exact ? "true" : "false",
           (unsigned long long)truth->fragment_count);
    for (uint32_t times = 0; truth->overdraw != NULL && times <= truth->overdraw_max; times++) {
        uint64_t count = 0;
        for (int i = 0; i < view->width_px * view->height_px; i++) {
            count += truth->overdraw[i] == times;
        }
        printf("%s\"%u\": %llu", times > 0 ? ", " : "", times, (unsigned long long)count);
    }
    printf("}}}\n");
}
