/* SPDX-License-Identifier: MIT */
/*
 * What the hand does: select, drag, pan, zoom, keys.
 *
 *     left button: select, and drag what is selected    Shift+P: the HUD
 *     right or middle button: pan                       Shift+Alt+P: a detailed capture
 *     wheel: zoom around the pointer                    0: the whole document, 1: pixel by pixel
 *     arrows: nudge what is selected                    Delete: remove it; L: row or column
 *     Shift+L: the frame's calls as text                Shift+R: a capture by RenderDoc
 *                                                       Shift+O: heat maps: off, counts, costs
 */
#ifndef CANVAS_EDITOR_H
#define CANVAS_EDITOR_H
#include "canvas_document.h"

enum cv_event_kind {
    CV_EVENT_MOVE,    /**< the pointer, to x and y */
    CV_EVENT_PRESS,   /**< left button, at x and y */
    CV_EVENT_RELEASE, /**< left button */
    CV_EVENT_PAN,     /**< by x and y pixels */
    CV_EVENT_ZOOM,    /**< by a factor, around x and y */
    CV_EVENT_KEY,
    CV_EVENT_CLOSE,
};
enum cv_key {
    CV_KEY_NONE = 0, /**< printable ones are their capital letter or digit */
    CV_KEY_ESCAPE = 256,
    CV_KEY_DELETE,
    CV_KEY_LEFT,
    CV_KEY_RIGHT,
    CV_KEY_UP,
    CV_KEY_DOWN,
};
struct cv_event {
    enum cv_event_kind kind;
    float x, y, factor;
    int key; /**< enum cv_key */
    bool has_shift, has_alt;
};

/** What is drawn over the frame. */
enum cv_heat_view {
    CV_HEAT_OFF,
    CV_HEAT_COUNTS, /**< how often each pixel is drawn */
    CV_HEAT_COSTS,
    CV_HEAT_VIEWS,
};

struct cv_editor {
    struct cv_document *document;
    struct cv_view view;
    uint32_t selected; /**< index; CV_NONE */
    uint32_t moving;   /**< index of the node that is dragged; CV_NONE */
    bool is_pressed;
    struct cv_point pressed_at; /**< on screen */
    struct cv_point moved_from; /**< the node's place when the drag began */
    bool shows_hud;
    bool wants_detail;                /**< of the next frame; taken by the frame */
    bool wants_list, wants_renderdoc; /**< likewise */
    enum cv_heat_view heat;
    bool is_dirty; /**< there is something new to show */
    bool is_closed;
};

void cv_editor_init(struct cv_editor *editor, struct cv_document *document, int width_px,
                    int height_px);
void cv_editor_handle(struct cv_editor *editor, const struct cv_event *event);
/** All of the document in view, at most pixel by pixel. */
void cv_editor_fit(struct cv_editor *editor);

#endif
