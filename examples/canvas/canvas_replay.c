/* SPDX-License-Identifier: MIT */
/*
 * A picture drawn again. What the view does not meet is skipped, and counted as culled; a layer is
 * a target of its own with a margin, in which the view is larger by what will be blurred into it.
 */
#include "canvas_painter.h"

/** A box of pixels, y from above; half open. */
struct box {
    int x0, y0, x1, y1;
};

struct level {
    const struct cv_target *target;
    int margin_px;          /**< of the target, on each side */
    struct cv_rect visible; /**< part of the document that matters here */
    struct box region;      /**< pixels that are used, from the screen's corner */
};

struct replay {
    struct cv_painter *painter;
    const struct cv_picture *picture;
    const struct cv_document *document;
    const struct cv_view *view;
    const struct cv_node_watch *watch;
    GLuint array;
    uint32_t depth;
    struct level levels[CV_LAYERS_MAX + 1];
};

static struct box box_of(const struct cv_view *view, struct cv_rect rect)
{
    const struct cv_rect on_screen = cv_view_to_screen(view, rect);
    /* Within what integers hold; a border between two pixels goes to the nearer. */
    const struct cv_rect near =
        cv_rect_intersection(on_screen, (struct cv_rect){ -1e6f, -1e6f, 1e6f, 1e6f });
    return (struct box){ (int)lroundf(near.x0), (int)lroundf(near.y0), (int)lroundf(near.x1),
                         (int)lroundf(near.y1) };
}

static struct box box_intersection(struct box a, struct box b)
{
    const struct box both = { a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                              a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1 };
    return both.x0 < both.x1 && both.y0 < both.y1 ? both : (struct box){ a.x0, a.y0, a.x0, a.y0 };
}

/** From above to OpenGL's from below, in the pixels of a level's target. */
static struct box in_target(const struct level *level, struct box box)
{
    const int bottom = level->target->height_px - level->margin_px;
    return (struct box){ box.x0 + level->margin_px, bottom - box.y1, box.x1 + level->margin_px,
                         bottom - box.y0 };
}

static void set_scissor(const struct replay *replay, struct box box)
{
    const struct level *level = &replay->levels[replay->depth];
    const struct box inside = in_target(level, box_intersection(box, level->region));
    replay->painter->gl->Scissor(inside.x0, inside.y0, inside.x1 - inside.x0,
                                 inside.y1 - inside.y0);
}

static void bind_target(const struct replay *replay, const struct cv_target *target)
{
    const struct cv_gl *gl = replay->painter->gl;
    if (!replay->painter->is_mapping) {
        gl->BindFramebuffer(GL_FRAMEBUFFER, target->drawn);
        gl->Viewport(0, 0, target->width_px, target->height_px);
    }
}

/** Drawing goes to the current level. */
static void use_level(const struct replay *replay)
{
    const struct level *level = &replay->levels[replay->depth];
    const struct cv_gl *gl = replay->painter->gl;
    const struct cv_view *view = replay->view;
    const float width = (float)level->target->width_px, height = (float)level->target->height_px;
    const float margin = (float)level->margin_px;
    bind_target(replay, level->target);
    gl->BindVertexArray(replay->array);
    cv_painter_use_solid(replay->painter, 2 * view->zoom / width, -2 * view->zoom / height,
                         2 * (margin - view->x * view->zoom) / width - 1,
                         1 - 2 * (margin - view->y * view->zoom) / height);
    set_scissor(replay, level->region); /* the picture sets a clip next, where there is one */
}

static float radius_px(const struct replay *replay, const struct cv_op *end)
{
    return fminf(end->radius * replay->view->zoom, CV_LAYER_MARGIN_PX);
}

/** @return false: there is no room for it on the device, and what is in it stays away */
static bool begin_layer(struct replay *replay, const struct cv_op *op)
{
    const struct cv_gl *gl = replay->painter->gl;
    const struct cv_op *end = &replay->picture->ops[op->skip];
    const struct cv_target *screen = &replay->painter->targets.screen;
    const bool is_map = replay->painter->is_mapping;
    /* In a map, what goes into a layer is seen where it would come out. */
    const struct cv_target *target =
        !is_map                         ? cv_targets_layer(&replay->painter->targets, replay->depth)
        : replay->depth < CV_LAYERS_MAX ? screen
                                        : NULL;
    if (target == NULL) {
        return false;
    }
    const struct level *outer = &replay->levels[replay->depth];
    const int around = (int)ceilf(radius_px(replay, end));
    const struct box room = { -CV_LAYER_MARGIN_PX, -CV_LAYER_MARGIN_PX,
                              screen->width_px + CV_LAYER_MARGIN_PX,
                              screen->height_px + CV_LAYER_MARGIN_PX };
    struct box region = box_of(replay->view, op->bounds);
    region = box_intersection(region, outer->region);
    region = (struct box){ region.x0 - around, region.y0 - around, region.x1 + around,
                           region.y1 + around };
    struct level *level = &replay->levels[++replay->depth];
    *level = (struct level){ target, is_map ? 0 : CV_LAYER_MARGIN_PX,
                             cv_rect_grown(outer->visible, end->radius),
                             box_intersection(region, room) };
    use_level(replay);
    if (!is_map) {
        gl->ClearColor(0, 0, 0, 0);
        gl->Clear(GL_COLOR_BUFFER_BIT);
    }
    return true;
}

/** A box of a target, in clip space. */
static void set_box(const struct cv_gl *gl, GLint location, const struct cv_target *target,
                    struct box box)
{
    const float width = (float)target->width_px / 2, height = (float)target->height_px / 2;
    gl->Uniform4f(location, (float)box.x0 / width - 1, (float)box.y0 / height - 1,
                  (float)box.x1 / width - 1, (float)box.y1 / height - 1);
}

static void draw_box(struct replay *replay)
{
    cv_painter_draw(replay->painter, GL_TRIANGLE_STRIP, 0, 4);
}

/** Of all weights that the blur's shader gives to what is within the radius. */
static float weight_total(float radius)
{
    const float sigma = fmaxf(radius / 2, 0.1f);
    float total = 1;
    for (int i = 1; i <= (int)ceilf(radius); i++) {
        total += 2 * expf((float)(-i * i) / (2 * sigma * sigma));
    }
    return total;
}

/** There and back through the scratch target, once across and once down. */
static void blur(struct replay *replay, const struct level *level, float radius)
{
    struct cv_painter *painter = replay->painter;
    const struct cv_gl *gl = painter->gl;
    const struct cv_target *scratch = cv_targets_scratch(&painter->targets);
    const struct box inside = in_target(level, level->region);
    if (scratch == NULL) {
        return;
    }
    gl->UseProgram(painter->programs.blur);
    gl->Uniform4i(painter->programs.blur_inside, inside.x0, inside.y0, inside.x1, inside.y1);
    gl->Uniform1f(painter->programs.blur_radius, radius);
    gl->Uniform1f(painter->programs.blur_total, weight_total(radius));
    set_box(gl, painter->programs.blur_box, level->target, inside);
    gl->Disable(GL_BLEND);
    gl->Scissor(inside.x0, inside.y0, inside.x1 - inside.x0, inside.y1 - inside.y0);
    for (int step = 0; step < 2; step++) {
        gl->BindFramebuffer(GL_FRAMEBUFFER, step == 0 ? scratch->read : level->target->read);
        gl->BindTexture(GL_TEXTURE_2D, step == 0 ? level->target->texture : scratch->texture);
        gl->Uniform2i(painter->programs.blur_step, step == 0, step == 1);
        draw_box(replay);
    }
    gl->Enable(GL_BLEND);
}

/** The draws that blur a layer and lay it down, as a map has them: boxes. */
static void map_layer_end(struct replay *replay, const struct cv_op *op)
{
    const struct cv_painter *painter = replay->painter;
    const struct level *inner = &replay->levels[replay->depth];
    const struct level *outer = &replay->levels[replay->depth - 1];
    const int blurs = radius_px(replay, op) > 0 ? 2 : 0;
    const struct box covered = box_intersection(
        box_intersection(inner->region, box_of(replay->view, op->bounds)), outer->region);
    painter->gl->BindVertexArray(painter->no_array);
    painter->gl->UseProgram(painter->programs.map_box);
    for (int i = 0; i <= blurs; i++) {
        const struct box box = i < blurs ? inner->region : covered;
        replay->depth -= i == blurs;
        set_box(painter->gl, painter->programs.map_box_box, inner->target, in_target(inner, box));
        set_scissor(replay, box);
        draw_box(replay);
    }
    use_level(replay);
}

static void end_layer(struct replay *replay, const struct cv_op *op)
{
    struct cv_painter *painter = replay->painter;
    const struct cv_gl *gl = painter->gl;
    const struct level *inner = &replay->levels[replay->depth];
    const struct level *outer = &replay->levels[replay->depth - 1];
    const struct box inside = in_target(inner, inner->region);
    const float radius = radius_px(replay, op);
    cv_target_resolve(inner->target, gl, inside.x0, inside.y0, inside.x1 - inside.x0,
                      inside.y1 - inside.y0);
    gl->BindVertexArray(painter->no_array);
    if (radius > 0) {
        blur(replay, inner, radius);
    }
    replay->depth--;
    bind_target(replay, outer->target);
    gl->UseProgram(painter->programs.layer);
    gl->BindTexture(GL_TEXTURE_2D, inner->target->texture);
    gl->Uniform1f(painter->programs.layer_opacity, op->opacity);
    gl->Uniform2i(painter->programs.layer_shift, inner->margin_px - outer->margin_px,
                  inner->margin_px - outer->margin_px);
    const struct box covered = box_intersection(
        box_intersection(inner->region, box_of(replay->view, op->bounds)), outer->region);
    set_box(gl, painter->programs.layer_box, outer->target, in_target(outer, covered));
    set_scissor(replay, covered);
    draw_box(replay);
    use_level(replay);
}

/** All nodes of a part that is skipped. */
static void tell_culled(const struct replay *replay, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; replay->watch != NULL && i <= last; i++) {
        const struct cv_op *op = &replay->picture->ops[i];
        if (op->kind == CV_OP_NODE) {
            replay->watch->begin(replay->watch->context, &replay->document->nodes[op->node], true);
        } else if (op->kind == CV_OP_NODE_END) {
            replay->watch->end(replay->watch->context);
        }
    }
}

/** @return index of the next op */
static uint32_t run_op(struct replay *replay, uint32_t i)
{
    const struct cv_op *op = &replay->picture->ops[i];
    const struct cv_node_watch *watch = replay->watch;
    struct cv_counts *counts = &replay->painter->counts;
    const bool is_seen = cv_rect_meets(op->bounds, replay->levels[replay->depth].visible);
    switch (op->kind) {
    case CV_OP_NODE:
        if (!is_seen) {
            counts->culled_count += op->below_count;
            tell_culled(replay, i, op->skip);
            return op->skip + 1;
        }
        if (watch != NULL) {
            watch->begin(watch->context, &replay->document->nodes[op->node], false);
        }
        break;
    case CV_OP_NODE_END:
        if (watch != NULL) {
            watch->end(watch->context);
        }
        break;
    case CV_OP_CLIP:
        set_scissor(replay, box_of(replay->view, op->bounds));
        break;
    case CV_OP_LAYER:
        if (!is_seen) {
            return op->skip + 1;
        }
        return begin_layer(replay, op) ? i + 1 : op->skip + 1;
    case CV_OP_LAYER_END:
        if (replay->painter->is_mapping) {
            map_layer_end(replay, op);
        } else {
            end_layer(replay, op);
        }
        break;
    case CV_OP_DRAW:
        if (is_seen) {
            cv_painter_draw(replay->painter, GL_TRIANGLES, op->first_vertex, op->vertex_count);
        }
        break;
    }
    return i + 1;
}

void cv_painter_draw_picture(struct cv_painter *painter, enum cv_store_use use,
                             const struct cv_picture *picture, const struct cv_document *document,
                             const struct cv_view *view, const struct cv_node_watch *watch)
{
    struct replay replay = {
        .painter = painter,
        .picture = picture,
        .document = document,
        .view = view,
        .watch = watch,
        .array = painter->stores[use].array,
    };
    replay.levels[0] = (struct level){
        .target = &painter->targets.screen,
        .visible = cv_view_visible(view),
        .region = { 0, 0, view->width_px, view->height_px },
    };
    painter->counts.node_count += picture->node_count;
    use_level(&replay);
    for (uint32_t i = 0; i < picture->op_count;) {
        i = run_op(&replay, i);
    }
}
