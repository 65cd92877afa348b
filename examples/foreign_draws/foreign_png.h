/* SPDX-License-Identifier: MIT */
#ifndef FOREIGN_PNG_H
#define FOREIGN_PNG_H
#include <stdbool.h>
#include <stdint.h>

/** RGBA. False: said on standard error. */
bool foreign_png_write(const char *path, const uint8_t *pixels, uint32_t width_px,
                       uint32_t height_px);

#endif
