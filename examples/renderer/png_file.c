/* SPDX-License-Identifier: MIT */
#include "png_file.h"

#include <png.h>

#include <stdio.h>

/** Separate from the caller: libpng leaves it by longjmp when something fails. */
static bool write_rows(png_structp png, png_infop info, FILE *file, const uint8_t *rgbx,
                       uint32_t width_px, uint32_t height_px)
{
    if (setjmp(png_jmpbuf(png)) != 0) {
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, width_px, height_px, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (uint32_t y = 0; y < height_px; y++) {
        png_write_row(png, rgbx + (size_t)y * width_px * 4);
    }
    png_write_end(png, NULL);
    return true;
}

bool rd_png_write(const char *path, const uint8_t *rgbx, uint32_t width_px, uint32_t height_px,
                  struct rd_log *log)
{
    bool ok = false;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    FILE *file = fopen(path, "wb");
    if (info != NULL && file != NULL) {
        ok = write_rows(png, info, file, rgbx, width_px, height_px);
    }
    if (file != NULL && fclose(file) != 0) {
        ok = false;
    }
    png_destroy_write_struct(&png, &info);
    return ok || rd_fail(log, "cannot write the picture %s", path);
}
