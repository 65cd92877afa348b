/* SPDX-License-Identifier: MIT */
/* Where the glyphs of base/font.h are in the atlas. */
#ifndef FGI_HUD_FONT_H
#define FGI_HUD_FONT_H
#include "base/font.h"
#include <frameglass/hud_draw.h>

/** The solid texel: two by two, so that a corner of it is solid on all sides. */
#define FGI_FONT_SOLID (FG_HUD_ATLAS_HEIGHT - 1)

/** Left top texel of a glyph. */
void fgi_font_place(uint32_t glyph, uint16_t *out_u, uint16_t *out_v);
/** Is the texel covered? */
bool fgi_font_texel(uint32_t u, uint32_t v);

#endif
