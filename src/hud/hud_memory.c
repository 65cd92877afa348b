/* SPDX-License-Identifier: MIT */
/* The renderer into memory: what the others are compared with. */
#include "hud/hud_font.h"
#include "hud/hud_priv.h"
#include "hud/hud_srgb.h"

static uint8_t to_byte(float value)
{
    return (uint8_t)(value * 255.0f + 0.5f);
}

static void blend(uint8_t *pixel, const uint8_t *color, bool is_srgb)
{
    const float alpha = (float)color[3] / 255.0f;
    for (int i = 0; i < 3; i++) {
        const float from = (float)color[i] / 255.0f;
        const float to = (float)pixel[i] / 255.0f;
        pixel[i] = is_srgb ? to_byte(fgi_srgb_encode(fgi_srgb_decode(from) * alpha +
                                                     fgi_srgb_decode(to) * (1.0f - alpha)))
                           : to_byte(from * alpha + to * (1.0f - alpha));
    }
    pixel[3] = to_byte(alpha + (float)pixel[3] / 255.0f * (1.0f - alpha));
}

static int32_t clamp(int32_t value, uint32_t limit)
{
    return value < 0 ? 0 : value > (int32_t)limit ? (int32_t)limit : value;
}

static void draw_quad(const struct fg_hud_quad *quad, const struct fg_hud_pixels *pixels,
                      size_t stride_bytes)
{
    const int32_t left = clamp(quad->x_px, pixels->width_px);
    const int32_t right = clamp(quad->x_px + quad->width_px, pixels->width_px);
    const int32_t top = clamp(quad->y_px, pixels->height_px);
    const int32_t bottom = clamp(quad->y_px + quad->height_px, pixels->height_px);
    for (int32_t y = top; y < bottom; y++) {
        /* The texel at the pixel's centre, as a GPU takes it. */
        const int32_t v =
            quad->v + (2 * (y - quad->y_px) + 1) * quad->v_size / (2 * quad->height_px);
        uint8_t *row = pixels->pixels + (size_t)y * stride_bytes;
        for (int32_t x = left; x < right; x++) {
            const int32_t u =
                quad->u + (2 * (x - quad->x_px) + 1) * quad->u_size / (2 * quad->width_px);
            if (fgi_font_texel((uint32_t)u, (uint32_t)v)) {
                blend(row + (size_t)x * 4, quad->color, pixels->is_srgb);
            }
        }
    }
}

void fg_hud_memory_draw(const struct fg_hud_list *list, const struct fg_hud_pixels *pixels)
{
    if (list == NULL || pixels == NULL || pixels->pixels == NULL || list->quad_count == 0) {
        return;
    }
    const bool is_told = fg_hud_is_enabled(list->hud);
    const int64_t begin_ns = is_told ? fgi_hud_now(list->hud) : 0;
    const size_t stride_bytes =
        pixels->stride_bytes != 0 ? pixels->stride_bytes : (size_t)pixels->width_px * 4;
    for (uint32_t i = 0; i < list->quad_count; i++) {
        draw_quad(&list->quads[i], pixels, stride_bytes);
    }
    if (is_told) {
        fg_hud_own_cost(list->hud, fgi_hud_since(list->hud, begin_ns), 1);
    }
}
