/* SPDX-License-Identifier: MIT */
#include "hud_compare.h"

#include <stdio.h>
#include <stdlib.h>

const uint8_t fgt_hud_clear[4] = { 204, 153, 51, 255 };

uint8_t *fgt_hud_expected(const struct fg_hud_list *list, bool is_srgb)
{
    const size_t count = (size_t)list->width_px * list->height_px;
    uint8_t *pixels = malloc(count * 4);
    if (pixels == NULL) {
        abort();
    }
    for (size_t i = 0; i < count * 4; i++) {
        pixels[i] = fgt_hud_clear[i % 4];
    }
    fg_hud_memory_draw(list, &(const struct fg_hud_pixels){ .pixels = pixels,
                                                            .width_px = list->width_px,
                                                            .height_px = list->height_px,
                                                            .is_srgb = is_srgb });
    return pixels;
}

static void print_pixel(const char *what, const uint8_t *pixel)
{
    printf("%s (%d %d %d %d)", what, pixel[0], pixel[1], pixel[2], pixel[3]);
}

int fgt_hud_difference(const uint8_t *expected, const uint8_t *seen, uint32_t width_px,
                       uint32_t height_px, int channels, int tolerance)
{
    const size_t count = (size_t)width_px * height_px;
    int largest = 0;
    size_t where = 0;
    size_t off[4] = { 0 };
    for (size_t i = 0; i < count * 4; i++) {
        const int difference = abs(expected[i] - seen[i]);
        if ((int)(i % 4) >= channels) {
            continue;
        }
        off[i % 4] += difference > tolerance;
        if (difference > largest) {
            largest = difference;
            where = i / 4;
        }
    }
    if (largest > tolerance) {
        printf("pixel %zu, %zu:", where % width_px, where / width_px);
        print_pixel("", &seen[where * 4]);
        print_pixel(", not", &expected[where * 4]);
        printf("; of %zu pixels, red is off in %zu, green %zu, blue %zu, alpha %zu\n", count,
               off[0], off[1], off[2], off[3]);
    }
    return largest;
}
