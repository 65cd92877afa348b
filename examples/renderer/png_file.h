/* SPDX-License-Identifier: MIT */
#ifndef RD_PNG_FILE_H
#define RD_PNG_FILE_H

#include "log.h"

#include <stdint.h>

/** Write rows of red, green, blue and an ignored byte as an 8-bit RGB picture. */
bool rd_png_write(const char *path, const uint8_t *rgbx, uint32_t width_px, uint32_t height_px,
                  struct rd_log *log);

#endif
