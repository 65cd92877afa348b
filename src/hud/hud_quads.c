/* SPDX-License-Identifier: MIT */
#include "hud/hud_pen.h"

#include <string.h>

#define ELLIPSIS 0x2026

static const uint8_t colors[][4] = {
    [FGI_COLOR_PANEL] = { 17, 20, 25, 217 },      [FGI_COLOR_LINE] = { 255, 255, 255, 28 },
    [FGI_COLOR_TEXT] = { 236, 240, 245, 255 },    [FGI_COLOR_DIM] = { 152, 162, 176, 255 },
    [FGI_COLOR_UNKNOWN] = { 126, 134, 148, 255 }, [FGI_COLOR_WITHIN] = { 70, 200, 110, 255 },
    [FGI_COLOR_OVER] = { 242, 198, 56, 255 },     [FGI_COLOR_FAR_OVER] = { 242, 82, 72, 255 },
    [FGI_COLOR_CPU] = { 250, 160, 84, 255 },      [FGI_COLOR_GPU] = { 96, 172, 255, 255 },
    [FGI_COLOR_PRESENT] = { 120, 214, 190, 255 }, [FGI_COLOR_MARK] = { 255, 255, 255, 160 },
};

static struct fg_hud_quad *add_quad(struct fgi_hud_pen *pen, enum fgi_hud_color color)
{
    if (pen->quad_count == pen->quad_max) {
        pen->dropped_quads++;
        return NULL;
    }
    struct fg_hud_quad *quad = &pen->quads[pen->quad_count++];
    memcpy(quad->color, colors[color], sizeof quad->color);
    return quad;
}

void fgi_pen_pixels(struct fgi_hud_pen *pen, int32_t x_px, int32_t y_px, int32_t width_px,
                    int32_t height_px, enum fgi_hud_color color, uint32_t alpha_percent)
{
    if (width_px <= 0 || height_px <= 0) {
        return;
    }
    struct fg_hud_quad *quad = add_quad(pen, color);
    if (quad != NULL) {
        quad->x_px = (int16_t)(pen->x_px + x_px);
        quad->y_px = (int16_t)(pen->y_px + y_px);
        quad->width_px = (int16_t)width_px;
        quad->height_px = (int16_t)height_px;
        quad->u = FG_HUD_ATLAS_WIDTH - 1;
        quad->v = FGI_FONT_SOLID;
        quad->u_size = 0;
        quad->v_size = 0;
        quad->color[3] = (uint8_t)(quad->color[3] * alpha_percent / 100);
    }
}

void fgi_pen_swatch(struct fgi_hud_pen *pen, int32_t x, int32_t y, int32_t width, int32_t height,
                    const uint8_t *rgb)
{
    const uint32_t count = pen->quad_count;
    fgi_pen_rectangle(pen, x, y, width, height, FGI_COLOR_TEXT, 100);
    if (pen->quad_count > count) {
        memcpy(pen->quads[count].color, rgb, 3);
    }
}

void fgi_pen_rectangle(struct fgi_hud_pen *pen, int32_t x, int32_t y, int32_t width, int32_t height,
                       enum fgi_hud_color color, uint32_t alpha_percent)
{
    fgi_pen_pixels(pen, x * pen->scale, y * pen->scale, width * pen->scale, height * pen->scale,
                   color, alpha_percent);
}

static void add_glyph(struct fgi_hud_pen *pen, int32_t x, int32_t y, enum fgi_hud_color color,
                      uint32_t character)
{
    struct fg_hud_quad *quad;
    if (character == ' ' || (quad = add_quad(pen, color)) == NULL) {
        return;
    }
    quad->x_px = (int16_t)(pen->x_px + x * pen->scale);
    quad->y_px = (int16_t)(pen->y_px + y * pen->scale);
    quad->width_px = (int16_t)(FGI_FONT_WIDTH * pen->scale);
    quad->height_px = (int16_t)(FGI_FONT_HEIGHT * pen->scale);
    fgi_font_place(fgi_font_glyph(character), &quad->u, &quad->v);
    quad->u_size = FGI_FONT_WIDTH;
    quad->v_size = FGI_FONT_HEIGHT;
}

static uint32_t count_characters(const char *text)
{
    uint32_t count = 0;
    while (*text != '\0') {
        (void)fgi_font_next(&text);
        count++;
    }
    return count;
}

static void add_text(struct fgi_hud_pen *pen, int32_t x, int32_t y, uint32_t columns,
                     enum fgi_hud_color color, const char *text, uint32_t count)
{
    for (uint32_t i = 0; i < count && i < columns; i++) {
        const uint32_t character = fgi_font_next(&text);
        const bool is_cut = i + 1 == columns && count > columns;
        add_glyph(pen, x, y, color, is_cut ? ELLIPSIS : character);
        x += FGI_CELL_WIDTH;
    }
}

void fgi_pen_text(struct fgi_hud_pen *pen, int32_t x, int32_t y, uint32_t columns,
                  enum fgi_hud_color color, const char *text)
{
    add_text(pen, x, y, columns, color, text, count_characters(text));
}

void fgi_pen_text_right(struct fgi_hud_pen *pen, int32_t x, int32_t y, uint32_t columns,
                        enum fgi_hud_color color, const char *text)
{
    const uint32_t count = count_characters(text);
    if (count < columns) {
        x += (int32_t)(columns - count) * FGI_CELL_WIDTH;
    }
    add_text(pen, x, y, columns, color, text, count);
}
