/* SPDX-License-Identifier: MIT */
/* Where a panel is in its target, and how large its dots are. */
#include "hud/hud_pen.h"

#define MARGIN 8 /* from the target's sides */

static int32_t choose_scale(const struct fg_hud_target *target, int32_t width, int32_t height)
{
    uint32_t scale = target->scale != 0 ? target->scale : target->height_px / 720;
    scale = scale < 1 ? 1 : scale > 16 ? 16 : scale;
    while (scale > 1 &&
           ((uint64_t)(width + MARGIN) * scale + target->offset_x_px > target->width_px ||
            (uint64_t)(height + MARGIN) * scale + target->offset_y_px > target->height_px)) {
        scale--;
    }
    return (int32_t)scale;
}

static void place(struct fgi_hud_pen *pen, const struct fg_hud_target *target, int32_t width,
                  int32_t height)
{
    const int32_t margin = MARGIN * pen->scale;
    const bool is_right =
        target->corner == FG_HUD_TOP_RIGHT || target->corner == FG_HUD_BOTTOM_RIGHT;
    const bool is_bottom =
        target->corner == FG_HUD_BOTTOM_LEFT || target->corner == FG_HUD_BOTTOM_RIGHT;
    pen->x_px = (int32_t)target->offset_x_px + margin;
    pen->y_px = (int32_t)target->offset_y_px + margin;
    if (is_right) {
        pen->x_px = (int32_t)target->width_px - pen->x_px - width * pen->scale;
    }
    if (is_bottom) {
        pen->y_px = (int32_t)target->height_px - pen->y_px - height * pen->scale;
    }
    /* A target that is too small shows the beginning of the lines. */
    pen->x_px = pen->x_px < 0 ? 0 : pen->x_px;
    pen->y_px = pen->y_px < 0 ? 0 : pen->y_px;
}

bool fgi_pen_target_is_legal(const struct fg_hud_target *target)
{
    /* Quads have 16 bits; what the panel adds to an offset has room in them. */
    return target != NULL && target->width_px > 0 && target->width_px <= 32767 &&
           target->height_px > 0 && target->height_px <= 32767 && target->offset_x_px <= 16384 &&
           target->offset_y_px <= 16384;
}

void fgi_pen_place(struct fgi_hud_pen *pen, const struct fg_hud_target *target, int32_t width,
                   int32_t height)
{
    pen->scale = choose_scale(target, width, height);
    place(pen, target, width, height);
}

struct fg_hud_list fgi_pen_list(const struct fgi_hud_pen *pen, const struct fg_hud_target *target,
                                int32_t width, int32_t height)
{
    return (struct fg_hud_list){
        .quads = pen->quads,
        .quad_count = pen->quad_count,
        .width_px = target->width_px,
        .height_px = target->height_px,
        .scale = (uint32_t)pen->scale,
        .panel_x_px = pen->x_px,
        .panel_y_px = pen->y_px,
        .panel_width_px = (uint32_t)(width * pen->scale),
        .panel_height_px = (uint32_t)(height * pen->scale),
        .dropped_quads = pen->dropped_quads,
        .hud = pen->hud,
    };
}
