/* SPDX-License-Identifier: MIT */
#include "canvas_png.h"

#include <png.h>

#include <stdio.h>

/** By itself, because libpng leaves it by longjmp when something fails. */
static bool write_rows(png_structp png, png_infop info, FILE *file, const uint8_t *pixels,
                       int width_px, int height_px)
{
    if (setjmp(png_jmpbuf(png)) != 0) {
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width_px, (png_uint_32)height_px, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < height_px; y++) {
        png_write_row(png, pixels + (size_t)y * (size_t)width_px * 4);
    }
    png_write_end(png, NULL);
    return true;
}

bool cv_png_write(const char *path, const uint8_t *pixels, int width_px, int height_px)
{
    bool is_written = false;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    FILE *file = fopen(path, "wb");
    if (info != NULL && file != NULL) {
        is_written = write_rows(png, info, file, pixels, width_px, height_px);
    }
    if (file != NULL && fclose(file) != 0) {
        is_written = false;
    }
    png_destroy_write_struct(&png, &info);
    if (!is_written) {
        fprintf(stderr, "canvas: cannot write %s\n", path);
    }
    return is_written;
}
