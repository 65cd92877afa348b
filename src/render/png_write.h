/* SPDX-License-Identifier: MIT */
/* PNG, small enough to need no library: made for pictures of few colours and many equal rows. */
#ifndef FGI_PNG_WRITE_H
#define FGI_PNG_WRITE_H
#include <frameglass/base.h>

/**
 * Write a picture of 8-bit sRGB.
 *
 * @param pixels rows from the top; red in the lowest byte, then green and blue; the rest is left
 * out
 * @param width_px, height_px 1 to 16384
 * @return FG_OK; FG_ERR_NO_MEMORY; FG_ERR_LIMIT (more than a file holds); of the sink
 *
 * Source: PNG (third edition), and RFC 1950 and 1951 for what is inside.
 */
FG_MUST_USE enum fg_result fgi_png_write(const struct fg_sink *sink,
                                         const struct fg_allocator *allocator,
                                         const uint32_t *pixels, uint32_t width_px,
                                         uint32_t height_px);

#endif
