/* SPDX-License-Identifier: MIT */
/*
 * hud_picture OUT.png [WIDTH HEIGHT]: the HUD over a made-up editor, by the renderer into memory.
 * The picture in docs/HUD.md is made by it.
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

int main(int argument_count, char **arguments)
{
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    const uint32_t width = argument_count > 3 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 800;
    const uint32_t height = argument_count > 3 ? (uint32_t)strtoul(arguments[3], NULL, 10) : 360;
    if (argument_count < 2 || width == 0 || width > 8192 || height == 0 || height > 8192) {
        (void)fprintf(stderr, "usage: hud_picture OUT.png [WIDTH HEIGHT]\n");
        return 2;
    }
    struct fg_hud *hud = fgt_hud_scene(&clock);
    uint8_t *pixels = malloc((size_t)width * height * 4);
    if (hud == NULL || pixels == NULL) {
        return 1;
    }
    paint(pixels, width, height);
    const struct fg_hud_target target = { .width_px = width, .height_px = height };
    const struct fg_hud_pixels image = { .pixels = pixels, .width_px = width, .height_px = height };
    if (fg_hud_build(hud, &target, &list)) {
        fg_hud_memory_draw(&list, &image);
    }
    png_image png = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA
    };
    const int ok = png_image_write_to_file(&png, arguments[1], 0, pixels, 0, NULL);
    fg_hud_destroy(hud);
    free(pixels);
    return ok ? 0 : 1;
}
