/* SPDX-License-Identifier: MIT */
#include "canvas_layout.h"

struct run {
    struct cv_document *document;
    uint32_t container_count;
    bool changed;
};

static void put(struct run *run, float *place, float value)
{
    if (*place != value) {
        *place = value;
        run->changed = true;
    }
}

static float largest_across(const struct cv_document *document, const struct cv_node *node)
{
    float largest = 0;
    for (uint32_t i = node->first_child; i != CV_NONE; i = document->nodes[i].next) {
        const struct cv_node *child = &document->nodes[i];
        largest = fmaxf(largest, node->layout.direction == CV_ROW ? child->height : child->width);
    }
    return largest;
}

static void place_children(struct run *run, struct cv_node *node)
{
    struct cv_document *document = run->document;
    const struct cv_layout *layout = &node->layout;
    const bool is_row = layout->direction == CV_ROW;
    const float inner = layout->hugs ? largest_across(document, node)
                                     : (is_row ? node->height : node->width) - 2 * layout->padding;
    float along = layout->padding;
    for (uint32_t i = node->first_child; i != CV_NONE; i = document->nodes[i].next) {
        struct cv_node *child = &document->nodes[i];
        const float length = is_row ? child->width : child->height;
        const float breadth = is_row ? child->height : child->width;
        const float across =
            layout->padding + (layout->is_centered ? floorf((inner - breadth) / 2) : 0);
        put(run, &child->x, is_row ? along : across);
        put(run, &child->y, is_row ? across : along);
        along += length + (child->next != CV_NONE ? layout->gap : 0);
    }
    if (layout->hugs) {
        put(run, is_row ? &node->width : &node->height, along + layout->padding);
        put(run, is_row ? &node->height : &node->width, inner + 2 * layout->padding);
    }
}

static void lay_out(struct run *run, uint32_t index)
{
    struct cv_node *node = &run->document->nodes[index];
    for (uint32_t i = node->first_child; i != CV_NONE; i = run->document->nodes[i].next) {
        lay_out(run, i);
    }
    if (node->layout.direction != CV_FREE) {
        place_children(run, node);
        run->container_count++;
    }
}

uint32_t cv_layout_compute(struct cv_document *document)
{
    struct run run = { .document = document };
    if (!document->needs_layout) {
        return 0;
    }
    lay_out(&run, 0);
    document->needs_layout = false;
    if (run.changed) {
        cv_document_changed(document, "layout moved nodes");
    }
    return run.container_count;
}
