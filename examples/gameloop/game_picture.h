/* SPDX-License-Identifier: MIT */
/* What is drawn in a frame, in what order. */
#ifndef GAME_PICTURE_H
#define GAME_PICTURE_H
#include "game_world.h"

struct gm_picture {
    struct gm_graphics graphics;
    struct gm_resource shadows, scene; /**< render targets */
    uint32_t width_px, height_px;
    uint32_t draw_count; /**< pictures so far */
};

void gm_picture_init(struct gm_picture *picture, uint32_t width_px, uint32_t height_px);
void gm_picture_finish(struct gm_picture *picture);
void gm_picture_resize(struct gm_picture *picture, uint32_t width_px, uint32_t height_px);
void gm_picture_draw(struct gm_picture *picture, const struct gm_world *world);

#endif
