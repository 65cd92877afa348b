/* SPDX-License-Identifier: MIT */
/*
 * overdraw_picture OUT.png: both maps of a made-up page side by side, by the renderer into memory,
 * over the page. The picture in docs/OVERDRAW.md is made by it. overdraw_picture --check FILE.png:
 * is that the picture?
 */
#include <frameglass/overdraw.h>
#include <png.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 440, HEIGHT = 320, CARDS = 6, LAYERS = 4 };

struct card {
    int x, y, width, height;
    uint64_t id;
    int64_t cost_ns;
};

/** A card and what lies on it; the last ones lie over others. */
static void list_cards(struct card cards[CARDS * LAYERS])
{
    for (int i = 0; i < CARDS; i++) {
        for (int k = 0; k < LAYERS; k++) {
            const int x = 20 + i % 3 * 130 + (i >= 3 ? 45 : 0), y = 16 + i / 3 * 70;
            cards[i * LAYERS + k] = (struct card){
                x + k * 14,
                y + k * 12,
                110 - k * 30,
                100 - k * 26,
                (uint64_t)(i * LAYERS + k),
                (int64_t)(1 + i) * (k == LAYERS - 1 ? 9000 : 1500),
            };
        }
    }
}

static void add_card(float *values, const struct card *card, float weight)
{
    for (int y = card->y; y < card->y + card->height; y++) {
        for (int x = card->x; x < card->x + card->width; x++) {
            values[y * WIDTH + x] += x < WIDTH && y < HEIGHT ? weight : 0.0f;
        }
    }
}

/** Paper with cards on it: each lighter than what it lies on. */
static void paint(uint8_t *pixels, const float *counts)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const bool is_line = i % WIDTH % 20 == 0 || i / WIDTH % 20 == 0;
        const int grey = counts[i] > 0.0f ? 150 + 12 * (int)counts[i] : is_line ? 100 : 120;
        memset(pixels + (size_t)i * 4, grey, 3);
        pixels[(size_t)i * 4 + 3] = 255;
    }
}

static void draw_map(const struct fg_overdraw_map *map, const struct fg_overdraw_costs *costs,
                     uint8_t *pixels, size_t stride_bytes)
{
    static struct fg_overdraw_legend legend;
    const struct fg_hud_pixels image = {
        .pixels = pixels, .width_px = WIDTH, .height_px = HEIGHT, .stride_bytes = stride_bytes
    };
    const struct fg_hud_target target = { .width_px = WIDTH,
                                          .height_px = HEIGHT,
                                          .corner = FG_HUD_BOTTOM_LEFT };
    struct fg_overdraw_statistics statistics;
    struct fg_overdraw_cost_totals totals;
    struct fg_overdraw_scale scale;
    fg_overdraw_measure(map, &statistics);
    fg_overdraw_scale_fit(&statistics, &scale);
    fg_overdraw_costs_totals(costs, &totals);
    fg_overdraw_memory_draw(map, &scale, 0.85f, &image);
    fg_overdraw_legend_build(&scale, &statistics, &totals, &target, &legend);
    fg_hud_memory_draw(&legend.list, &image);
}

/** Both halves. False: out of memory. */
static bool make_picture(uint8_t *pixels)
{
    static float counts[WIDTH * HEIGHT], ns[WIDTH * HEIGHT];
    static uint8_t page[WIDTH * HEIGHT * 4];
    struct card cards[CARDS * LAYERS];
    struct fg_overdraw_costs *costs = NULL;
    if (fg_overdraw_costs_create(NULL, 0, &costs) != FG_OK) {
        return false;
    }
    list_cards(cards);
    for (int i = 0; i < CARDS * LAYERS; i++) {
        add_card(counts, &cards[i], 1.0f);
        fg_overdraw_costs_add(costs, cards[i].id, FG_OVERDRAW_GPU, cards[i].cost_ns);
        fg_overdraw_costs_cover(costs, cards[i].id, (uint64_t)(cards[i].width * cards[i].height));
    }
    fg_overdraw_costs_add(costs, 1000, FG_OVERDRAW_GPU, 12345); /* of what is out of sight */
    for (int i = 0; i < CARDS * LAYERS; i++) {
        add_card(ns, &cards[i], fg_overdraw_costs_weight(costs, cards[i].id));
    }
    struct fg_overdraw_map map = { .width_px = WIDTH,
                                   .height_px = HEIGHT,
                                   .values = counts,
                                   .limit = fg_overdraw_limit(FG_OVERDRAW_FORMAT_R32F) };
    const size_t stride = (size_t)WIDTH * 2 * 4;
    paint(page, counts);
    for (size_t y = 0; y < HEIGHT; y++) {
        memcpy(pixels + y * stride, page + y * WIDTH * 4, WIDTH * 4);
        memcpy(pixels + y * stride + WIDTH * 4, page + y * WIDTH * 4, WIDTH * 4);
    }
    draw_map(&map, costs, pixels, stride);
    map.kind = FG_OVERDRAW_COSTS;
    map.clock = FG_OVERDRAW_GPU;
    map.values = ns;
    draw_map(&map, costs, pixels + WIDTH * 4, stride);
    fg_overdraw_costs_destroy(costs);
    return true;
}

/** Decoded pixels are compared; the logarithm of another C library may be a colour off. */
static int check(const char *path, const uint8_t *expected)
{
    static uint8_t seen[WIDTH * 2 * HEIGHT * 4];
    png_image png = { .version = PNG_IMAGE_VERSION };
    int largest = 255;
    if (png_image_begin_read_from_file(&png, path)) {
        png.format = PNG_FORMAT_RGBA;
        if (png.width == WIDTH * 2 && png.height == HEIGHT &&
            png_image_finish_read(&png, NULL, seen, 0, NULL)) {
            largest = 0;
            for (size_t i = 0; i < sizeof seen; i++) {
                const int off = abs(seen[i] - expected[i]);
                largest = off > largest ? off : largest;
            }
        } else {
            png_image_free(&png);
        }
    }
    if (largest > 4) {
        (void)fprintf(stderr, "%s is not what overdraw_picture makes now\n", path);
    }
    return largest > 4;
}

int main(int argument_count, char **arguments)
{
    static uint8_t pixels[WIDTH * 2 * HEIGHT * 4];
    const bool checks = argument_count == 3 && strcmp(arguments[1], "--check") == 0;
    if (argument_count != 2 && !checks) {
        (void)fprintf(stderr, "usage: overdraw_picture OUT.png | --check FILE.png\n");
        return 2;
    }
    if (!make_picture(pixels)) {
        return 1;
    }
    if (checks) {
        return check(arguments[2], pixels);
    }
    png_image png = { .version = PNG_IMAGE_VERSION,
                      .width = WIDTH * 2,
                      .height = HEIGHT,
                      .format = PNG_FORMAT_RGBA };
    return png_image_write_to_file(&png, arguments[1], 0, pixels, 0, NULL) ? 0 : 1;
}
