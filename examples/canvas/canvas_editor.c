/* SPDX-License-Identifier: MIT */
#include "canvas_editor.h"

static const float drag_starts_px = 3; /* a click that trembles is no drag */
static const float zoom_min = 0.02f, zoom_max = 64;

void cv_editor_init(struct cv_editor *editor, struct cv_document *document, int width_px,
                    int height_px)
{
    *editor = (struct cv_editor){
        .document = document,
        .view = { 0, 0, 1, width_px, height_px },
        .selected = CV_NONE,
        .moving = CV_NONE,
        .is_dirty = true,
    };
}

static void zoom(struct cv_editor *editor, float x, float y, float factor)
{
    struct cv_view *view = &editor->view;
    const struct cv_point under = cv_view_to_document(view, x, y);
    view->zoom = fminf(fmaxf(view->zoom * factor, zoom_min), zoom_max);
    view->x = under.x - x / view->zoom;
    view->y = under.y - y / view->zoom;
}

void cv_editor_fit(struct cv_editor *editor)
{
    struct cv_view *view = &editor->view;
    const struct cv_rect bounds = cv_rect_grown(cv_document_bounds(editor->document, 0), 48);
    if (cv_rect_is_empty(bounds)) {
        return;
    }
    const float width = bounds.x1 - bounds.x0, height = bounds.y1 - bounds.y0;
    view->zoom = fminf((float)view->width_px / width, (float)view->height_px / height);
    view->zoom = fminf(fmaxf(view->zoom, zoom_min), 1);
    view->x = bounds.x0 - ((float)view->width_px / view->zoom - width) / 2;
    view->y = bounds.y0 - ((float)view->height_px / view->zoom - height) / 2;
    editor->is_dirty = true;
}

static void press(struct cv_editor *editor, float x, float y)
{
    const struct cv_point at = cv_view_to_document(&editor->view, x, y);
    editor->selected = cv_document_hit(editor->document, at.x, at.y);
    editor->is_pressed = true;
    editor->pressed_at = (struct cv_point){ x, y };
}

static void move(struct cv_editor *editor, float x, float y)
{
    const float dx = x - editor->pressed_at.x, dy = y - editor->pressed_at.y;
    if (!editor->is_pressed || editor->selected == CV_NONE) {
        return;
    }
    struct cv_node *node = &editor->document->nodes[editor->selected];
    if (editor->moving == CV_NONE) {
        if (hypotf(dx, dy) < drag_starts_px) {
            return;
        }
        editor->moving = editor->selected;
        editor->moved_from = (struct cv_point){ node->x, node->y };
    }
    node->x = editor->moved_from.x + dx / editor->view.zoom;
    node->y = editor->moved_from.y + dy / editor->view.zoom;
    editor->is_dirty = true;
}

static void release(struct cv_editor *editor)
{
    editor->is_pressed = false;
    if (editor->moving != CV_NONE) {
        editor->moving = CV_NONE;
        editor->document->needs_layout = true;
        cv_document_changed(editor->document, "a node was moved");
    }
}

static void nudge(struct cv_editor *editor, float dx, float dy)
{
    if (editor->selected != CV_NONE) {
        editor->document->nodes[editor->selected].x += dx;
        editor->document->nodes[editor->selected].y += dy;
        editor->document->needs_layout = true;
        cv_document_changed(editor->document, "a node was nudged");
    }
}

/** The layout of what is selected, or of the container around it, turns by a right angle. */
static void turn_layout(struct cv_editor *editor)
{
    struct cv_document *document = editor->document;
    uint32_t index = editor->selected;
    while (index != CV_NONE && document->nodes[index].layout.direction == CV_FREE) {
        index = document->nodes[index].parent;
    }
    if (index != CV_NONE) {
        struct cv_layout *layout = &document->nodes[index].layout;
        layout->direction = layout->direction == CV_ROW ? CV_COLUMN : CV_ROW;
        document->needs_layout = true;
        cv_document_changed(document, "a layout was turned");
    }
}

static void remove_selected(struct cv_editor *editor)
{
    if (editor->selected != CV_NONE) {
        release(editor);
        cv_document_remove(editor->document, editor->selected);
        editor->selected = CV_NONE;
    }
}

static void handle_key(struct cv_editor *editor, const struct cv_event *event)
{
    const float step = event->has_shift ? 10 : 1;
    switch (event->key) {
    case 'P':
        if (event->has_shift && event->has_alt) {
            editor->wants_detail = true;
        } else if (event->has_shift) {
            editor->shows_hud = !editor->shows_hud;
        }
        break;
    case 'O':
        if (event->has_shift) {
            editor->heat = (enum cv_heat_view)((editor->heat + 1) % CV_HEAT_VIEWS);
        }
        break;
    case '0':
        cv_editor_fit(editor);
        break;
    case '1':
        zoom(editor, (float)editor->view.width_px / 2, (float)editor->view.height_px / 2,
             1 / editor->view.zoom);
        break;
    case 'L':
        if (event->has_shift) {
            editor->wants_list = true;
        } else {
            turn_layout(editor);
        }
        break;
    case 'R':
        editor->wants_renderdoc |= event->has_shift;
        break;
    case CV_KEY_ESCAPE:
        editor->selected = editor->moving == CV_NONE ? CV_NONE : editor->selected;
        break;
    case CV_KEY_DELETE:
        remove_selected(editor);
        break;
    case CV_KEY_LEFT:
        nudge(editor, -step, 0);
        break;
    case CV_KEY_RIGHT:
        nudge(editor, step, 0);
        break;
    case CV_KEY_UP:
        nudge(editor, 0, -step);
        break;
    case CV_KEY_DOWN:
        nudge(editor, 0, step);
        break;
    default:
        break;
    }
}

void cv_editor_handle(struct cv_editor *editor, const struct cv_event *event)
{
    /* A pointer that only passes over shows nothing new; move() says when it does. */
    editor->is_dirty |= event->kind != CV_EVENT_MOVE;
    switch (event->kind) {
    case CV_EVENT_MOVE:
        move(editor, event->x, event->y);
        break;
    case CV_EVENT_PRESS:
        press(editor, event->x, event->y);
        break;
    case CV_EVENT_RELEASE:
        release(editor);
        break;
    case CV_EVENT_PAN:
        editor->view.x -= event->x / editor->view.zoom;
        editor->view.y -= event->y / editor->view.zoom;
        break;
    case CV_EVENT_ZOOM:
        zoom(editor, event->x, event->y, event->factor);
        break;
    case CV_EVENT_KEY:
        handle_key(editor, event);
        break;
    case CV_EVENT_CLOSE:
        editor->is_closed = true;
        break;
    }
}
