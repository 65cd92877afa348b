/* SPDX-License-Identifier: MIT */
#include "canvas_studio.h"

#include <stdio.h>

/** Adds to a document until memory runs out; from then on it does nothing. */
struct maker {
    struct cv_document *document;
    bool has_failed;
    struct cv_node spare; /**< what a failed node's properties are written into */
};

static uint32_t add(struct maker *maker, uint32_t parent, enum cv_kind kind, const char *name,
                    struct cv_rect at)
{
    const uint32_t index =
        maker->has_failed ? CV_NONE : cv_document_add(maker->document, parent, kind, name, at);
    maker->has_failed |= index == CV_NONE;
    return index;
}

static struct cv_node *get(struct maker *maker, uint32_t index)
{
    return index == CV_NONE ? &maker->spare : &maker->document->nodes[index];
}

static struct cv_rect at(float x, float y, float width, float height)
{
    return (struct cv_rect){ x, y, x + width, y + height };
}

static void write_line(struct maker *maker, uint32_t parent, float x, float y, const char *text,
                       float size, uint32_t color)
{
    /* The width of a text of this font: six units a letter, six units high. */
    float width = 0;
    for (const char *c = text; *c != '\0'; c++) {
        width += size;
    }
    const uint32_t line = add(maker, parent, CV_TEXT, text, at(x, y, width, size * 4 / 3));
    cv_node_set_text(get(maker, line), text, size);
    cv_node_add_fill(get(maker, line), color);
}

static uint32_t box(struct maker *maker, uint32_t parent, enum cv_kind kind, const char *name,
                    struct cv_rect place, uint32_t color, float corner)
{
    const uint32_t index = add(maker, parent, kind, name, place);
    get(maker, index)->corner = corner;
    cv_node_add_fill(get(maker, index), color);
    return index;
}

static void lay_out(struct maker *maker, uint32_t index, enum cv_direction direction, float gap,
                    float padding, bool hugs)
{
    get(maker, index)->layout = (struct cv_layout){ direction, gap, padding, .hugs = hugs };
}

/* ---- the parts ------------------------------------------------------------------------------- */

static void add_button(struct maker *maker, uint32_t parent, struct cv_rect place, uint32_t color,
                       const char *text)
{
    const uint32_t button = box(maker, parent, CV_COMPONENT, "Button", place, color, 8);
    get(maker, button)->layout =
        (struct cv_layout){ CV_ROW, 8, 12, .is_centered = true, .hugs = false };
    box(maker, button, CV_ELLIPSE, "icon", at(0, 0, 14, 14), 0xffffffff, 0);
    write_line(maker, button, 0, 0, text, 9, 0xffffffff);
}

static void add_card(struct maker *maker, uint32_t parent, int number)
{
    static const uint32_t colors[][2] = { { 0x60a5faff, 0x1d4ed8ff },
                                          { 0xf472b6ff, 0x9d174dff },
                                          { 0x34d399ff, 0x065f46ff } };
    static const char *const titles[] = { "Morning", "Evening", "Forest" };
    const uint32_t card =
        box(maker, parent, CV_FRAME, titles[number], at(0, 0, 180, 10), 0xffffffff, 12);
    cv_node_add_shadow(get(maker, card), 0x11182740, 0, 6, 18);
    lay_out(maker, card, CV_COLUMN, 10, 14, true);
    const uint32_t picture = add(maker, card, CV_FRAME, "picture", at(0, 0, 152, 96));
    get(maker, picture)->clips = true;
    cv_node_add_gradient(get(maker, picture), colors[number][0], colors[number][1], 1.1f);
    box(maker, picture, CV_ELLIPSE, "sun", at(96, 14, 34, 34), 0xfff7d6e0, 0);
    box(maker, picture, CV_ELLIPSE, "near hill", at(-40, 58, 150, 90), 0x0f172a60, 0);
    box(maker, picture, CV_ELLIPSE, "far hill", at(60, 68, 150, 90), 0x0f172a80, 0);
    write_line(maker, card, 0, 0, titles[number], 12, 0x111827ff);
    write_line(maker, card, 0, 0, "by a river", 8, 0x6b7280ff);
    write_line(maker, card, 0, 0, "12 layers", 8, 0x9ca3afff);
}

static void add_chart(struct maker *maker, uint32_t parent)
{
    static const float heights[] = { 30, 52, 44, 78, 66, 96, 84 };
    struct cv_point points[7];
    const uint32_t panel =
        box(maker, parent, CV_FRAME, "chart", at(40, 290, 300, 170), 0xffffffff, 12);
    cv_node_add_stroke(get(maker, panel), 0xe5e7ebff, 1);
    write_line(maker, panel, 16, 16, "Frames a week", 9, 0x374151ff);
    for (int i = 0; i < 7; i++) {
        const float x = 22 + (float)i * 38;
        const uint32_t bar =
            add(maker, panel, CV_RECTANGLE, "bar", at(x, 150 - heights[i], 24, heights[i]));
        cv_node_add_gradient(get(maker, bar), 0x93c5fdff, 0x2563ebff, 1.5707963f);
        points[i] = (struct cv_point){ x - 22, 96 - heights[i] };
    }
    const uint32_t line = add(maker, panel, CV_PATH, "trend", at(34, 44, 228, 96));
    cv_node_add_stroke(get(maker, line), 0xdc2626ff, 2);
    if (line != CV_NONE && !cv_document_set_points(maker->document, line, points, 7, false)) {
        maker->has_failed = true;
    }
}

static void add_badge(struct maker *maker, uint32_t parent)
{
    struct cv_point points[12];
    const uint32_t glow =
        box(maker, parent, CV_ELLIPSE, "glow", at(380, 300, 150, 150), 0xa78bfaff, 0);
    cv_node_add_blur(get(maker, glow), 22);
    const uint32_t star = add(maker, parent, CV_PATH, "star", at(405, 325, 100, 100));
    for (int i = 0; i < 12; i++) {
        const float r = i % 2 == 0 ? 50 : 30, angle = (float)i * 0.52359878f;
        points[i] = (struct cv_point){ 50 + r * sinf(angle), 50 - r * cosf(angle) };
    }
    if (star != CV_NONE && !cv_document_set_points(maker->document, star, points, 12, true)) {
        maker->has_failed = true;
    }
    cv_node_add_gradient(get(maker, star), 0x8b5cf6ff, 0x4c1d95ff, 0.8f);
    cv_node_add_stroke(get(maker, star), 0xffffffff, 3);
    const uint32_t pair = add(maker, parent, CV_GROUP, "pair", at(540, 330, 0, 0));
    get(maker, pair)->opacity = 0.6f;
    box(maker, pair, CV_ELLIPSE, "one", at(0, 0, 64, 64), 0x0891b2ff, 0);
    box(maker, pair, CV_ELLIPSE, "two", at(36, 0, 64, 64), 0xdb2777ff, 0);
    const uint32_t turned =
        box(maker, parent, CV_RECTANGLE, "note", at(560, 405, 70, 50), 0xfde68aff, 4);
    get(maker, turned)->rotation = -0.18f;
    cv_node_add_shadow(get(maker, turned), 0x00000050, 2, 3, 6);
}

static void add_parts(struct maker *maker, uint32_t section)
{
    static const uint32_t colors[] = { 0x2563ebff, 0x16a34aff, 0xdc2626ff };
    static const char *const texts[] = { "Save", "Share", "Delete" };
    for (int i = 0; i < 3; i++) {
        add_button(maker, section, at(40, 50 + (float)i * 90, 140, 38), colors[i], texts[i]);
    }
    const uint32_t field =
        box(maker, section, CV_COMPONENT, "Field", at(40, 330, 240, 40), 0xffffffff, 6);
    cv_node_add_stroke(get(maker, field), 0x94a3b8ff, 1);
    lay_out(maker, field, CV_ROW, 8, 14, false);
    write_line(maker, field, 0, 0, "Search layers", 9, 0x94a3b8ff);
    const uint32_t toggle =
        box(maker, section, CV_COMPONENT, "Toggle", at(220, 50, 64, 36), 0x16a34aff, 18);
    box(maker, toggle, CV_ELLIPSE, "knob", at(32, 4, 28, 28), 0xffffffff, 0);
    const uint32_t swatches =
        box(maker, section, CV_FRAME, "palette", at(40, 410, 10, 10), 0xf8fafcff, 8);
    lay_out(maker, swatches, CV_ROW, 8, 10, true);
    for (uint32_t i = 0; i < 6; i++) {
        static const uint32_t inks[] = { 0xef4444ff, 0xf59e0bff, 0x10b981ff,
                                         0x3b82f6ff, 0x8b5cf6ff, 0x111827ff };
        box(maker, swatches, CV_RECTANGLE, "swatch", at(0, 0, 28, 28), inks[i], 6);
    }
}

bool cv_studio_build(struct cv_document *document, int width_px, int height_px)
{
    struct maker maker = { .document = document };
    (void)width_px;
    (void)height_px;
    const uint32_t screens =
        box(&maker, 0, CV_SECTION, "Screens", at(0, 0, 680, 500), 0xf3f4f6ff, 4);
    cv_node_add_stroke(get(&maker, screens), 0xd1d5dbff, 1);
    const uint32_t cards = add(&maker, screens, CV_FRAME, "cards", at(40, 40, 10, 10));
    lay_out(&maker, cards, CV_ROW, 24, 0, true);
    for (int i = 0; i < 3; i++) {
        add_card(&maker, cards, i);
    }
    add_chart(&maker, screens);
    add_badge(&maker, screens);
    const uint32_t parts =
        box(&maker, 0, CV_SECTION, "Components", at(740, 0, 340, 500), 0xf3f4f6ff, 4);
    cv_node_add_stroke(get(&maker, parts), 0xd1d5dbff, 1);
    add_parts(&maker, parts);
    return !maker.has_failed;
}
