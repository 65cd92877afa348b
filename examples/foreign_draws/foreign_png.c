/* SPDX-License-Identifier: MIT */
#include "foreign_png.h"

#include <png.h>
#include <stdio.h>

bool foreign_png_write(const char *path, const uint8_t *pixels, uint32_t width_px,
                       uint32_t height_px)
{
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = width_px,
                        .height = height_px,
                        .format = PNG_FORMAT_RGBA };
    if (png_image_write_to_file(&image, path, 0, pixels, 0, NULL) == 0) {
        fprintf(stderr, "%s: %s\n", path, image.message);
        return false;
    }
    return true;
}
