/* SPDX-License-Identifier: MIT */
/* The same draw list by a GPU and in memory. */
#ifndef FGT_HUD_COMPARE_H
#define FGT_HUD_COMPARE_H
#include <frameglass/hud_draw.h>

/** What every picture is cleared to: red, green, blue, alpha as bytes. */
extern const uint8_t fgt_hud_clear[4];

/** Owned (free()): the list drawn into memory over the clear colour. */
uint8_t *fgt_hud_expected(const struct fg_hud_list *list, bool is_srgb);
/**
 * The largest difference of a channel. When it is over `tolerance`, where it is and how many pixels
 * are off is printed.
 *
 * @param channels 3 when the target has no alpha to compare, else 4
 */
int fgt_hud_difference(const uint8_t *expected, const uint8_t *seen, uint32_t width_px,
                       uint32_t height_px, int channels, int tolerance);

#endif
