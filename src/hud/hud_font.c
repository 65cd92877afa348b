/* SPDX-License-Identifier: MIT */
/* Where the glyphs are in the atlas. */
#include "hud/hud_font.h"

#define COLUMNS (FG_HUD_ATLAS_WIDTH / FGI_FONT_ADVANCE)

_Static_assert((FGI_FONT_GLYPHS + COLUMNS - 1) / COLUMNS * FGI_FONT_HEIGHT <= FGI_FONT_SOLID - 1,
               "the glyphs leave the solid texel alone");

void fgi_font_place(uint32_t glyph, uint16_t *out_u, uint16_t *out_v)
{
    *out_u = (uint16_t)(glyph % COLUMNS * FGI_FONT_ADVANCE);
    *out_v = (uint16_t)(glyph / COLUMNS * FGI_FONT_HEIGHT);
}

bool fgi_font_texel(uint32_t u, uint32_t v)
{
    const uint32_t glyph = v / FGI_FONT_HEIGHT * COLUMNS + u / FGI_FONT_ADVANCE;
    const uint32_t column = u % FGI_FONT_ADVANCE;
    if (v >= FGI_FONT_SOLID - 1) {
        return u >= FG_HUD_ATLAS_WIDTH - 2;
    }
    return u / FGI_FONT_ADVANCE < COLUMNS && fgi_font_dot(glyph, column, v % FGI_FONT_HEIGHT);
}

void fg_hud_atlas_write(uint8_t *texels)
{
    for (uint32_t v = 0; v < FG_HUD_ATLAS_HEIGHT; v++) {
        for (uint32_t u = 0; u < FG_HUD_ATLAS_WIDTH; u++) {
            texels[v * FG_HUD_ATLAS_WIDTH + u] = fgi_font_texel(u, v) ? 255 : 0;
        }
    }
}
