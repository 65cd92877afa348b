/* SPDX-License-Identifier: MIT */
/*
 * hud_picture OUT.png [WIDTH HEIGHT]: the HUD over a made-up editor, by the renderer into memory.
 * The picture in docs/HUD.md is made by it. hud_picture --check FILE.png: is that the picture?
 */
#include "hud_scene.h"
#include <png.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Paper with shapes on it, so that what shows through the panel can be seen. */
static void paint(uint8_t *pixels, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint8_t *pixel = pixels + ((size_t)y * width + x) * 4;
            const bool is_line = x % 40 == 0 || y % 40 == 0;
            const bool is_card = (x / 160 + y / 120) % 2 == 0;
            pixel[0] = is_line ? 196 : is_card ? 232 : 246;
            pixel[1] = is_line ? 204 : is_card ? 238 : 247;
            pixel[2] = is_line ? 216 : is_card ? 250 : 249;
            pixel[3] = 255;
        }
    }
}

#define WIDTH  800
#define HEIGHT 300

/** Owned: red, green, blue, alpha. NULL: out of memory. */
static uint8_t *make_picture(uint32_t width, uint32_t height)
{
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    uint8_t *pixels = malloc((size_t)width * height * 4);
    if (hud == NULL || pixels == NULL) {
        free(pixels);
        fg_hud_destroy(hud);
        return NULL;
    }
    paint(pixels, width, height);
    const struct fg_hud_target target = { .width_px = width, .height_px = height };
    const struct fg_hud_pixels image = { .pixels = pixels, .width_px = width, .height_px = height };
    if (fg_hud_build(hud, &target, &list)) {
        fg_hud_memory_draw(&list, &image);
    }
    fg_hud_destroy(hud);
    return pixels;
}

/** Decoded pixels are compared: how they are packed is the library's business. */
static int check(const char *path, const uint8_t *expected)
{
    static uint8_t seen[WIDTH * HEIGHT * 4];
    png_image png = { .version = PNG_IMAGE_VERSION };
    if (!png_image_begin_read_from_file(&png, path)) {
        (void)fprintf(stderr, "%s: %s\n", path, png.message);
        return 1;
    }
    png.format = PNG_FORMAT_RGBA;
    const bool fits = png.width == WIDTH && png.height == HEIGHT;
    const bool is_same = fits && png_image_finish_read(&png, NULL, seen, 0, NULL) &&
                         memcmp(seen, expected, sizeof seen) == 0;
    if (!is_same) {
        png_image_free(&png);
        (void)fprintf(stderr, "%s is not what hud_picture makes now\n", path);
    }
    return is_same ? 0 : 1;
}

int main(int argument_count, char **arguments)
{
    const bool checks = argument_count == 3 && strcmp(arguments[1], "--check") == 0;
    const bool has_size = argument_count == 4;
    const uint32_t width = has_size ? (uint32_t)strtoul(arguments[2], NULL, 10) : WIDTH;
    const uint32_t height = has_size ? (uint32_t)strtoul(arguments[3], NULL, 10) : HEIGHT;
    if ((argument_count != 2 && !checks && !has_size) || width == 0 || width > 8192 ||
        height == 0 || height > 8192) {
        (void)fprintf(stderr, "usage: hud_picture OUT.png [WIDTH HEIGHT] | --check FILE.png\n");
        return 2;
    }
    uint8_t *pixels = make_picture(width, height);
    if (pixels == NULL) {
        return 1;
    }
    int status;
    if (checks) {
        status = check(arguments[2], pixels);
    } else {
        png_image png = { .version = PNG_IMAGE_VERSION,
                          .width = width,
                          .height = height,
                          .format = PNG_FORMAT_RGBA };
        status = png_image_write_to_file(&png, arguments[1], 0, pixels, 0, NULL) ? 0 : 1;
    }
    free(pixels);
    return status;
}
