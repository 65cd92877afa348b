/* SPDX-License-Identifier: MIT */
/*
 * Where all drawing goes through, whatever draws it: the one place that counts draws, changes of
 * state and what lives on the device. A call is counted after it was done.
 */
#ifndef GAME_GRAPHICS_H
#define GAME_GRAPHICS_H
#include <frameglass/object.h>

enum { GM_PIXELS_X = 160, GM_PIXELS_Y = 90 };

/** Also what it counted itself, since the start. */
struct gm_graphics {
    uint64_t target, texture; /**< what is set; 0 = none */
    uint32_t effect;
    float pixels[GM_PIXELS_Y][GM_PIXELS_X];
    uint64_t draw_count, primitive_count, sprite_count;
};

/** A thing on the device, and Frameglass's record of it. */
struct gm_resource {
    struct fg_object object;
    uint64_t id; /**< 0 = none */
};
/** @param desc says what it is; named there */
void gm_resource_create(struct gm_resource *resource, const struct fg_object_desc *desc);
/** Another size or name: it stays the same resource. */
void gm_resource_change(struct gm_resource *resource, const struct fg_object_desc *desc);
void gm_resource_destroy(struct gm_resource *resource);

/** 0 = the window. */
void gm_set_target(struct gm_graphics *graphics, uint64_t id);
void gm_set_effect(struct gm_graphics *graphics, uint32_t effect);
void gm_set_texture(struct gm_graphics *graphics, uint64_t id);
void gm_draw(struct gm_graphics *graphics, float x, float y, uint32_t triangle_count);
void gm_draw_indexed(struct gm_graphics *graphics, float x, float y, uint32_t triangle_count);
/** The device knows how much it draws; we do not. */
void gm_draw_indirect(struct gm_graphics *graphics, float x, float y);
void gm_draw_sprite(struct gm_graphics *graphics, float x, float y);

#endif
