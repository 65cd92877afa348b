/* SPDX-License-Identifier: MIT */
#include "canvas_scenes.h"

#include "canvas_studio.h"

#include <stdio.h>
#include <string.h>

uint32_t cv_scene_color(uint32_t index)
{
    static const uint32_t colors[] = { 0x2563ebff, 0xdc2626ff, 0x16a34aff, 0xd97706ff,
                                       0x7c3aedff, 0x0891b2ff, 0xdb2777ff, 0x4b5563ff };
    return colors[index % (sizeof(colors) / sizeof(colors[0]))];
}

static struct cv_rect at(float x, float y, float width, float height)
{
    return (struct cv_rect){ x, y, x + width, y + height };
}

/* Squares side by side: as many draws as nodes, each pixel drawn once at most. */
static bool build_grid(struct cv_document *document, int width_px, int height_px)
{
    (void)width_px;
    (void)height_px;
    for (int i = 0; i < CV_GRID_COLUMNS * CV_GRID_ROWS; i++) {
        char name[CV_NAME_SIZE];
        (void)snprintf(name, sizeof(name), "cell %d", i);
        const uint32_t cell = cv_document_add(document, 0, CV_RECTANGLE, name,
                                              at((float)(i % CV_GRID_COLUMNS * CV_GRID_STEP),
                                                 (float)(i / CV_GRID_COLUMNS * CV_GRID_STEP),
                                                 CV_GRID_SIZE, CV_GRID_SIZE));
        if (cell == CV_NONE) {
            return false;
        }
        cv_node_add_fill(&document->nodes[cell], cv_scene_color((uint32_t)i));
    }
    return true;
}

/* Layers over the whole screen: every pixel is drawn as often as there are layers. */
static bool build_stack(struct cv_document *document, int width_px, int height_px)
{
    for (uint32_t i = 0; i < CV_STACK_LAYERS; i++) {
        char name[CV_NAME_SIZE];
        (void)snprintf(name, sizeof(name), "layer %u", i);
        const uint32_t layer = cv_document_add(document, 0, CV_RECTANGLE, name,
                                               at(0, 0, (float)width_px, (float)height_px));
        if (layer == CV_NONE) {
            return false;
        }
        cv_node_add_fill(&document->nodes[layer],
                         (cv_scene_color(i) & 0xffffff00u) | (i == 0 ? 0xff : 0x40));
    }
    return true;
}

/* Frames in frames that clip; in each a square that hangs out of it. */
static bool build_nested(struct cv_document *document, int width_px, int height_px)
{
    uint32_t parent = 0;
    float width = (float)width_px, height = (float)height_px;
    for (uint32_t i = 0; i < CV_NESTED_FRAMES; i++) {
        char name[CV_NAME_SIZE];
        width -= 2 * CV_NESTED_INSET;
        height -= 2 * CV_NESTED_INSET;
        (void)snprintf(name, sizeof(name), "frame %u", i);
        const uint32_t frame = cv_document_add(document, parent, CV_FRAME, name,
                                               at(CV_NESTED_INSET, CV_NESTED_INSET, width, height));
        if (frame == CV_NONE) {
            return false;
        }
        document->nodes[frame].clips = true;
        cv_node_add_fill(&document->nodes[frame], cv_scene_color(i));
        /* Half of it is inside; a second one is outside altogether. */
        const uint32_t half = cv_document_add(document, frame, CV_RECTANGLE, "half inside",
                                              at(width - 8, 20, 16, 16));
        const uint32_t out =
            cv_document_add(document, frame, CV_RECTANGLE, "outside", at(width + 4, 60, 16, 16));
        if (half == CV_NONE || out == CV_NONE) {
            return false;
        }
        cv_node_add_fill(&document->nodes[half], 0xffffffff);
        cv_node_add_fill(&document->nodes[out], 0x000000ff);
        parent = frame;
    }
    return true;
}

static bool add_star(struct cv_document *document, uint32_t parent, struct cv_rect place)
{
    struct cv_point points[10];
    const uint32_t star = cv_document_add(document, parent, CV_PATH, "star", place);
    const float radius = (place.x1 - place.x0) / 2;
    for (int i = 0; i < 10; i++) {
        const float r = i % 2 == 0 ? radius : radius * 0.42f, angle = (float)i * 0.62831853f;
        points[i] = (struct cv_point){ radius + r * sinf(angle), radius - r * cosf(angle) };
    }
    if (star == CV_NONE || !cv_document_set_points(document, star, points, 10, true)) {
        return false;
    }
    cv_node_add_gradient(&document->nodes[star], 0xfbbf24ff, 0xdc2626ff, 1.5707963f);
    cv_node_add_stroke(&document->nodes[star], 0x7f1d1dff, 3);
    return true;
}

/* One node for each thing that a node can be or have. */
static bool build_effects(struct cv_document *document, int width_px, int height_px)
{
    uint32_t nodes[8];
    (void)width_px;
    (void)height_px;
    nodes[0] = cv_document_add(document, 0, CV_RECTANGLE, "shadow", at(40, 60, 120, 90));
    nodes[1] = cv_document_add(document, 0, CV_ELLIPSE, "blur", at(220, 60, 120, 90));
    nodes[2] = cv_document_add(document, 0, CV_RECTANGLE, "gradient", at(400, 60, 120, 90));
    nodes[3] = cv_document_add(document, 0, CV_RECTANGLE, "turned", at(60, 220, 90, 90));
    nodes[4] = cv_document_add(document, 0, CV_GROUP, "half", at(220, 220, 0, 0));
    nodes[5] = cv_document_add(document, 0, CV_TEXT, "text", at(60, 360, 400, 24));
    for (int i = 0; i < 6; i++) {
        if (nodes[i] == CV_NONE) {
            return false;
        }
    }
    nodes[6] = cv_document_add(document, nodes[4], CV_ELLIPSE, "left", at(0, 0, 90, 90));
    nodes[7] = cv_document_add(document, nodes[4], CV_ELLIPSE, "right", at(45, 0, 90, 90));
    if (nodes[6] == CV_NONE || nodes[7] == CV_NONE ||
        !add_star(document, 0, at(400, 210, 120, 120))) {
        return false;
    }
    struct cv_node *all = document->nodes;
    cv_node_add_shadow(&all[nodes[0]], 0x00000080, 6, 8, 16);
    cv_node_add_fill(&all[nodes[0]], 0xffffffff);
    cv_node_add_stroke(&all[nodes[0]], 0x2563ebff, 2);
    cv_node_add_fill(&all[nodes[1]], 0x16a34aff);
    cv_node_add_blur(&all[nodes[1]], 10);
    cv_node_add_gradient(&all[nodes[2]], 0x2563ebff, 0xdb2777ff, 0);
    all[nodes[2]].corner = 16;
    all[nodes[3]].rotation = 0.5f;
    cv_node_add_fill(&all[nodes[3]], 0xd97706ff);
    cv_node_add_stroke(&all[nodes[3]], 0x1f2937ff, 4);
    all[nodes[4]].opacity = 0.5f;
    cv_node_set_text(&all[nodes[5]], "Text of lines, 0123456789", 18);
    cv_node_add_fill(&all[nodes[5]], 0x1f2937ff);
    cv_node_add_fill(&all[nodes[6]], 0x2563ebff);
    cv_node_add_fill(&all[nodes[7]], 0xdc2626ff);
    return true;
}

/* Ten thousand nodes, most of them out of view. */
static bool build_large(struct cv_document *document, int width_px, int height_px)
{
    (void)width_px;
    (void)height_px;
    for (int i = 0; i < CV_LARGE_SIDE * CV_LARGE_SIDE; i++) {
        const uint32_t node = cv_document_add(document, 0, CV_RECTANGLE, "node",
                                              at((float)(i % CV_LARGE_SIDE * CV_LARGE_STEP),
                                                 (float)(i / CV_LARGE_SIDE * CV_LARGE_STEP),
                                                 CV_LARGE_SIZE, CV_LARGE_SIZE));
        if (node == CV_NONE) {
            return false;
        }
        cv_node_add_fill(&document->nodes[node], cv_scene_color((uint32_t)(i * 7 + i / 100)));
    }
    return true;
}

static const struct cv_scene scenes[] = {
    { "studio", "a page of a design: sections, components, layouts, effects", true,
      cv_studio_build },
    { "grid", "300 squares side by side", false, build_grid },
    { "stack", "8 layers over the whole screen", false, build_stack },
    { "nested", "6 frames in each other that clip", false, build_nested },
    { "effects", "a node for each thing that a node can be", false, build_effects },
    { "large", "10,000 squares, most of them out of view", false, build_large },
};

const struct cv_scene *cv_scene_at(size_t index)
{
    return index < sizeof(scenes) / sizeof(scenes[0]) ? &scenes[index] : NULL;
}

const struct cv_scene *cv_scene_find(const char *name)
{
    for (size_t i = 0; cv_scene_at(i) != NULL; i++) {
        if (strcmp(cv_scene_at(i)->name, name) == 0) {
            return cv_scene_at(i);
        }
    }
    return NULL;
}
