/* SPDX-License-Identifier: MIT */
#include "game_picture.h"

#include <frameglass/instrument.h>

enum { R16G16B16A16_SFLOAT = 97, D32_SFLOAT = 126, SHADOW_PX = 512 };
enum { EFFECT_SHADOW = 1, EFFECT_SOLID, EFFECT_SMOKE, EFFECT_SPRITE, EFFECT_TONE };

static struct fg_object_desc describe_scene(const struct gm_picture *picture)
{
    return (struct fg_object_desc){
        .type = FG_OBJECT_RENDER_TARGET_2D,
        .accuracy = FG_ACCURACY_ESTIMATED,
        .name = "scene colour",
        .format = R16G16B16A16_SFLOAT,
        .width = picture->width_px,
        .height = picture->height_px,
    };
}

void gm_picture_init(struct gm_picture *picture, uint32_t width_px, uint32_t height_px)
{
    *picture = (struct gm_picture){ .width_px = width_px, .height_px = height_px };
    const struct fg_object_desc scene = describe_scene(picture);
    gm_resource_create(&picture->scene, &scene);
    gm_resource_create(&picture->shadows, &(struct fg_object_desc){
                                              .type = FG_OBJECT_RENDER_TARGET_2D,
                                              .accuracy = FG_ACCURACY_ESTIMATED,
                                              .name = "sun shadow",
                                              .format = D32_SFLOAT,
                                              .width = SHADOW_PX,
                                              .height = SHADOW_PX,
                                          });
}

void gm_picture_finish(struct gm_picture *picture)
{
    gm_resource_destroy(&picture->shadows);
    gm_resource_destroy(&picture->scene);
}

void gm_picture_resize(struct gm_picture *picture, uint32_t width_px, uint32_t height_px)
{
    picture->width_px = width_px;
    picture->height_px = height_px;
    const struct fg_object_desc scene = describe_scene(picture);
    gm_resource_change(&picture->scene, &scene);
}

static void draw_shadows(struct gm_graphics *graphics, const struct gm_picture *picture,
                         const struct gm_world *world)
{
    FG_ZONE("Draw/Shadows");
    gm_set_target(graphics, picture->shadows.id);
    gm_set_effect(graphics, EFFECT_SHADOW);
    for (int i = 0; i < GM_THINGS; i += 64) {
        gm_draw_indexed(graphics, world->x[i], world->y[i], 12);
    }
}

static void draw_scene(struct gm_graphics *graphics, const struct gm_picture *picture,
                       const struct gm_world *world)
{
    FG_ZONE("Draw/Scene");
    gm_set_target(graphics, picture->scene.id);
    gm_set_effect(graphics, EFFECT_SOLID);
    for (int area = 0; area < GM_AREAS; area++) {
        if (world->areas[area].number == 0) {
            continue;
        }
        for (int i = area; i < GM_THINGS; i += 32) {
            gm_set_texture(graphics, world->areas[area].textures[i / 32 % GM_AREA_TEXTURES].id);
            gm_draw_indexed(graphics, world->x[i], world->y[i], 200);
        }
    }
    gm_set_effect(graphics, EFFECT_SMOKE);
    gm_draw_indirect(graphics, 0.5f, 0.5f);
}

static void draw_sprites(struct gm_graphics *graphics, const struct gm_world *world)
{
    FG_ZONE("Draw/Sprites");
    gm_set_effect(graphics, EFFECT_SPRITE);
    for (int i = 1; i < GM_THINGS; i += 128) {
        if (world->frame_of[i] < 12) {
            gm_draw_sprite(graphics, world->x[i], world->y[i]);
        }
    }
}

void gm_picture_draw(struct gm_picture *picture, const struct gm_world *world)
{
    FG_ZONE("Game/Draw");
    struct gm_graphics *graphics = &picture->graphics;
    draw_shadows(graphics, picture, world);
    draw_scene(graphics, picture, world);
    draw_sprites(graphics, world);
    gm_set_target(graphics, 0);
    gm_set_effect(graphics, EFFECT_TONE);
    gm_set_texture(graphics, picture->scene.id);
    gm_draw(graphics, 0.1f, 0.1f, 1);
    picture->draw_count++;
    FG_FRAME_COUNTER_ADD("Runtime/DrawCount", FG_UNIT_COUNT, 1);
}
