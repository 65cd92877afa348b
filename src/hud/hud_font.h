/* SPDX-License-Identifier: MIT */
/* Glyphs of one width, and where they are in the atlas. */
#ifndef FGI_HUD_FONT_H
#define FGI_HUD_FONT_H
#include <frameglass/hud_draw.h>

#define FGI_FONT_WIDTH   5
#define FGI_FONT_HEIGHT  9 /* seven above the line */
#define FGI_FONT_ADVANCE 6
/** The solid texel: two by two, so that a corner of it is solid on all sides. */
#define FGI_FONT_SOLID (FG_HUD_ATLAS_HEIGHT - 1)

/** The next character of UTF-8 text that does not end here; U+FFFD for what is ill-formed. */
uint32_t fgi_font_next(const char **text);
/** Number of a character's glyph; that of U+FFFD when the font has no other. */
uint32_t fgi_font_glyph(uint32_t character);
/** Left top texel of a glyph. */
void fgi_font_place(uint32_t glyph, uint16_t *out_u, uint16_t *out_v);
/** Is the texel covered? */
bool fgi_font_texel(uint32_t u, uint32_t v);

#endif
