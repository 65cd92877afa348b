/* SPDX-License-Identifier: MIT */
#include "game_graphics.h"

#include <frameglass/instrument.h>

void gm_resource_create(struct gm_resource *resource, const struct fg_object_desc *desc)
{
    static uint64_t ids;
    resource->id = __atomic_add_fetch(&ids, 1, __ATOMIC_RELAXED);
    resource->object = fg_object_create(desc);
}

void gm_resource_change(struct gm_resource *resource, const struct fg_object_desc *desc)
{
    (void)fg_object_update(resource->object, desc);
}

void gm_resource_destroy(struct gm_resource *resource)
{
    (void)fg_object_destroy(&resource->object);
    resource->id = 0;
}

void gm_set_target(struct gm_graphics *graphics, uint64_t id)
{
    if (graphics->target != id) {
        graphics->target = id;
        FG_FRAME_COUNTER_ADD("Graphics/RenderTargetChanges", FG_UNIT_COUNT, 1);
    }
}

void gm_set_effect(struct gm_graphics *graphics, uint32_t effect)
{
    if (graphics->effect != effect) {
        graphics->effect = effect;
        FG_FRAME_COUNTER_ADD("Graphics/EffectChanges", FG_UNIT_COUNT, 1);
    }
}

void gm_set_texture(struct gm_graphics *graphics, uint64_t id)
{
    if (graphics->texture != id) {
        graphics->texture = id;
        FG_FRAME_COUNTER_ADD("Graphics/TextureBindingChanges", FG_UNIT_COUNT, 1);
    }
}

/* The device: a spot of light on a small picture. */
static void splat(struct gm_graphics *graphics, float x, float y)
{
    const int left = (int)(x * (GM_PIXELS_X - 8)), top = (int)(y * (GM_PIXELS_Y - 8));
    for (int row = top; row < top + 8; row++) {
        for (int column = left; column < left + 8; column++) {
            graphics->pixels[row][column] = graphics->pixels[row][column] * 0.9f + 0.1f;
        }
    }
}

static void count_draw(struct gm_graphics *graphics, uint32_t triangle_count)
{
    graphics->draw_count++;
    graphics->primitive_count += triangle_count;
    FG_FRAME_COUNTER_ADD("Graphics/DrawCalls", FG_UNIT_COUNT, 1);
    FG_FRAME_COUNTER_ADD("Graphics/SubmittedPrimitives", FG_UNIT_COUNT, triangle_count);
}

void gm_draw(struct gm_graphics *graphics, float x, float y, uint32_t triangle_count)
{
    splat(graphics, x, y);
    count_draw(graphics, triangle_count);
    FG_FRAME_COUNTER_ADD("Graphics/NonIndexedDrawCalls", FG_UNIT_COUNT, 1);
}

void gm_draw_indexed(struct gm_graphics *graphics, float x, float y, uint32_t triangle_count)
{
    splat(graphics, x, y);
    count_draw(graphics, triangle_count);
    FG_FRAME_COUNTER_ADD("Graphics/IndexedDrawCalls", FG_UNIT_COUNT, 1);
}

void gm_draw_indirect(struct gm_graphics *graphics, float x, float y)
{
    splat(graphics, x, y);
    count_draw(graphics, 0);
    FG_FRAME_COUNTER_ADD("Graphics/IndirectDrawCalls", FG_UNIT_COUNT, 1);
}

void gm_draw_sprite(struct gm_graphics *graphics, float x, float y)
{
    splat(graphics, x, y);
    graphics->sprite_count++;
    FG_FRAME_COUNTER_ADD("Graphics/SpriteSubmissions", FG_UNIT_COUNT, 1);
}
