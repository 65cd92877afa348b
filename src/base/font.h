/* SPDX-License-Identifier: MIT */
/* Glyphs of one width, for pictures that are made without a library for fonts. */
#ifndef FGI_FONT_H
#define FGI_FONT_H
#include <frameglass/base.h>

#define FGI_FONT_WIDTH   5
#define FGI_FONT_HEIGHT  9 /* seven above the line */
#define FGI_FONT_CAPITAL 7
#define FGI_FONT_ADVANCE 6
#define FGI_FONT_GLYPHS  103

/** The next character of UTF-8 text that does not end here; U+FFFD for what is ill-formed. */
uint32_t fgi_font_next(const char **text);
/** Number of a character's glyph; that of U+FFFD when the font has no other. */
uint32_t fgi_font_glyph(uint32_t character);
/** Is there a dot? Nothing is outside of a glyph. */
bool fgi_font_dot(uint32_t glyph, uint32_t column, uint32_t row);

#endif
