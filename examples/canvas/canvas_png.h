/* SPDX-License-Identifier: MIT */
#ifndef CANVAS_PNG_H
#define CANVAS_PNG_H
#include <stdbool.h>
#include <stdint.h>

/** RGBA, of which alpha is left out. False: said on standard error. */
bool cv_png_write(const char *path, const uint8_t *pixels, int width_px, int height_px);

#endif
