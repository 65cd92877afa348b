/* SPDX-License-Identifier: MIT */
/* Rectangles of the document's plane and of the screen: y grows downwards. */
#ifndef CANVAS_GEOMETRY_H
#define CANVAS_GEOMETRY_H
#include <math.h>
#include <stdbool.h>

struct cv_point {
    float x, y;
};

/** Half open; empty where an end is not beyond its begin. */
struct cv_rect {
    float x0, y0, x1, y1;
};
/* Larger than any document; small enough that sums with it stay exact integers. */
#define CV_EVERYWHERE ((struct cv_rect){ -4e6f, -4e6f, 4e6f, 4e6f })
#define CV_NOWHERE    ((struct cv_rect){ 4e6f, 4e6f, -4e6f, -4e6f })

static inline bool cv_rect_is_empty(struct cv_rect a)
{
    return !(a.x0 < a.x1 && a.y0 < a.y1);
}

static inline struct cv_rect cv_rect_intersection(struct cv_rect a, struct cv_rect b)
{
    return (struct cv_rect){ fmaxf(a.x0, b.x0), fmaxf(a.y0, b.y0), fminf(a.x1, b.x1),
                             fminf(a.y1, b.y1) };
}

static inline bool cv_rect_meets(struct cv_rect a, struct cv_rect b)
{
    return !cv_rect_is_empty(cv_rect_intersection(a, b));
}

/** The smallest that holds both; an empty one adds nothing. */
static inline struct cv_rect cv_rect_union(struct cv_rect a, struct cv_rect b)
{
    if (cv_rect_is_empty(a)) {
        return b;
    }
    if (cv_rect_is_empty(b)) {
        return a;
    }
    return (struct cv_rect){ fminf(a.x0, b.x0), fminf(a.y0, b.y0), fmaxf(a.x1, b.x1),
                             fmaxf(a.y1, b.y1) };
}

static inline struct cv_rect cv_rect_grown(struct cv_rect a, float by)
{
    return (struct cv_rect){ a.x0 - by, a.y0 - by, a.x1 + by, a.y1 + by };
}

static inline struct cv_rect cv_rect_moved(struct cv_rect a, float dx, float dy)
{
    return (struct cv_rect){ a.x0 + dx, a.y0 + dy, a.x1 + dx, a.y1 + dy };
}

static inline bool cv_rect_holds(struct cv_rect a, float x, float y)
{
    return x >= a.x0 && x < a.x1 && y >= a.y0 && y < a.y1;
}

/** Where the document is on screen: screen = (document - origin) * zoom. */
struct cv_view {
    float x, y; /**< the document's point at the screen's upper left corner */
    float zoom; /**< pixels per unit */
    int width_px, height_px;
};

static inline struct cv_rect cv_view_visible(const struct cv_view *view)
{
    return (struct cv_rect){ view->x, view->y, view->x + (float)view->width_px / view->zoom,
                             view->y + (float)view->height_px / view->zoom };
}

static inline struct cv_rect cv_view_to_screen(const struct cv_view *view, struct cv_rect a)
{
    return (struct cv_rect){ (a.x0 - view->x) * view->zoom, (a.y0 - view->y) * view->zoom,
                             (a.x1 - view->x) * view->zoom, (a.y1 - view->y) * view->zoom };
}

static inline struct cv_point cv_view_to_document(const struct cv_view *view, float x, float y)
{
    return (struct cv_point){ view->x + x / view->zoom, view->y + y / view->zoom };
}

#endif
