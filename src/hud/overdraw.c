/* SPDX-License-Identifier: MIT */
/* What is in a map: statistics, the scale, and its picture in memory. */
#include "hud/hud_srgb.h"
#include <frameglass/overdraw.h>

#include <math.h>
#include <string.h>

#define NARROWEST 0.02   /* of the p99: costs that differ by less are not told apart */
#define WIDEST    1000.0 /* top by bottom of a scale of costs */
#define RANKS     3      /* p1, median and p99 */

float fg_overdraw_limit(enum fg_overdraw_format format)
{
    switch (format) {
    case FG_OVERDRAW_FORMAT_R32F:
        return 16777216.0f;
    case FG_OVERDRAW_FORMAT_R16F:
        return 2048.0f;
    case FG_OVERDRAW_FORMAT_R8:
        return 255.0f;
    case FG_OVERDRAW_FORMAT_BEST:
    default:
        return 0.0f;
    }
}

static const float *row_of(const struct fg_overdraw_map *map, uint32_t y)
{
    return map->values + y * (map->stride != 0 ? map->stride : map->width_px);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- statistics ------------------------------------------------------------------------------ */

/**
 * Numbers over 0 have the order of their bits. So a rank is found byte by byte, from the highest
 * one: what begins with the bytes found so far is counted by its next byte.
 */
struct ranking {
    uint64_t rank[RANKS]; /**< among what begins with `prefix`; from 1 */
    uint32_t prefix[RANKS];
    uint64_t counts[RANKS][256];
};

static void rank_byte(const struct fg_overdraw_map *map, struct ranking *ranking, uint32_t shift)
{
    memset(ranking->counts, 0, sizeof ranking->counts);
    for (uint32_t y = 0; y < map->height_px; y++) {
        const float *row = row_of(map, y);
        for (uint32_t x = 0; x < map->width_px; x++) {
            const uint64_t bits = row[x] > 0.0f ? bits_of(row[x]) : UINT64_MAX;
            for (int i = 0; i < RANKS; i++) {
                if (bits >> (shift + 8) == ranking->prefix[i]) {
                    ranking->counts[i][bits >> shift & 0xff]++;
                }
            }
        }
    }
    for (int i = 0; i < RANKS; i++) {
        uint32_t byte = 0;
        while (byte < 255 && ranking->rank[i] > ranking->counts[i][byte]) {
            ranking->rank[i] -= ranking->counts[i][byte++];
        }
        ranking->prefix[i] = ranking->prefix[i] << 8 | byte;
    }
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void find_ranks(const struct fg_overdraw_map *map, struct fg_overdraw_statistics *s)
{
    struct ranking ranking = {
        .rank = { (s->touched_count + 99) / 100, (s->touched_count + 1) / 2,
                  s->touched_count - s->touched_count / 100 },
    };
    for (int shift = 24; shift >= 0; shift -= 8) {
        rank_byte(map, &ranking, (uint32_t)shift);
    }
    s->p1 = float_of(ranking.prefix[0]);
    s->median = float_of(ranking.prefix[1]);
    s->p99 = float_of(ranking.prefix[2]);
}

static void add_pixel(struct fg_overdraw_statistics *s, float value, uint32_t x, uint32_t y)
{
    const bool is_touched = value > 0.0f;
    if (s->kind == FG_OVERDRAW_COUNTS) {
        const uint32_t last = FG_OVERDRAW_BINS - 1;
        s->histogram[!is_touched ? 0 : value < (float)last ? (uint32_t)value : last]++;
    }
    if (!is_touched) {
        return;
    }
    s->touched_count++;
    s->saturated_count += s->limit > 0.0f && value >= s->limit;
    s->sum += (double)value;
    if (value > s->max) {
        s->max = value;
        s->max_x_px = x;
        s->max_y_px = y;
    }
}

void fg_overdraw_measure(const struct fg_overdraw_map *map,
                         struct fg_overdraw_statistics *out_statistics)
{
    struct fg_overdraw_statistics *s = out_statistics;
    if (s == NULL) {
        return;
    }
    memset(s, 0, sizeof *s);
    if (map == NULL || map->values == NULL || map->width_px == 0 || map->height_px == 0) {
        return;
    }
    s->kind = map->kind;
    s->clock = map->clock;
    s->limit = map->limit;
    s->pixel_count = (uint64_t)map->width_px * map->height_px;
    for (uint32_t y = 0; y < map->height_px; y++) {
        const float *row = row_of(map, y);
        for (uint32_t x = 0; x < map->width_px; x++) {
            add_pixel(s, row[x], x, y);
        }
    }
    if (s->touched_count > 0) {
        s->mean = s->sum / (double)s->touched_count;
        find_ranks(map, s);
    }
}

/* ---- the scale ------------------------------------------------------------------------------- */

/** To 1, 2 or 5 times a power of ten. */
static double rounded(double value, bool is_up)
{
    static const double steps[] = { 1.0, 2.0, 5.0, 10.0 };
    const double power = pow(10.0, floor(log10(value)));
    int i = 0;
    /* A hair of tolerance: 0.001 is no power of ten exactly. */
    while (i < 3 && value > steps[i] * power * 1.000001) {
        i++;
    }
    return is_up || value >= steps[i] * power * 0.999999 || i == 0 ? steps[i] * power
                                                                   : steps[i - 1] * power;
}

/**
 * From what nearly all pixels are over to what nearly all are under, rounded outward, so that the
 * colours are spent on what there is: within a decade to a tenth or so of the distance between
 * the two, else to 1, 2, 5.
 */
static void fit_costs(double p1, double p99, struct fg_overdraw_scale *scale)
{
    double bottom = p1, top = p99;
    if (p1 > 0.0 && p99 < 10.0 * p1) {
        const double distance = fmax(p99 - p1, p99 * NARROWEST);
        const double step = rounded(distance / 10.0, true), spare = (distance - (p99 - p1)) / 2.0;
        bottom = floor((p1 - spare) / step + 1e-3) * step;
        top = ceil((p99 + spare) / step - 1e-3) * step;
    } else {
        top = rounded(p99, true);
        bottom = p1 > 0.0 ? fmax(rounded(p1, false), top / WIDEST) : top / WIDEST;
    }
    scale->bottom = (float)bottom;
    scale->top = (float)top;
    scale->is_log = top > 2.0 * bottom;
}

void fg_overdraw_scale_fit(const struct fg_overdraw_statistics *statistics,
                           struct fg_overdraw_scale *out_scale)
{
    static const struct fg_overdraw_statistics nothing;
    const struct fg_overdraw_statistics *s = statistics != NULL ? statistics : &nothing;
    if (out_scale == NULL) {
        return;
    }
    *out_scale = (struct fg_overdraw_scale){ .kind = s->kind, .clock = s->clock, .bottom = 1.0f };
    if (s->kind == FG_OVERDRAW_COUNTS) {
        const float largest = ceilf(s->max);
        out_scale->top = largest < 8.0f ? 8.0f : largest > 32.0f ? 32.0f : largest;
        return;
    }
    /* What 32 bits hold, with room for what is divided by it. */
    const float p99 = s->p99 > 0.0f ? fminf(fmaxf(s->p99, 1e-20f), 1e20f) : 1000.0f;
    const float p1 = s->p1 > 0.0f ? fminf(fmaxf(s->p1, 1e-20f), p99) : 0.0f;
    fit_costs((double)p1, (double)p99, out_scale);
}

int fg_overdraw_index(const struct fg_overdraw_scale *scale, float value)
{
    if (!(value > 0.0f)) {
        return -1;
    }
    const float bottom = scale->bottom, top = scale->top;
    float part = scale->is_log ? log2f(fmaxf(value, bottom) / bottom) / log2f(top / bottom)
                               : (value - bottom) / (top - bottom);
    part = part > 0.0f ? part < 1.0f ? part : 1.0f : 0.0f;
    return (int)floorf(part * 255.0f + 0.5f);
}

/* ---- the picture ----------------------------------------------------------------------------- */

static uint8_t mixed(uint8_t color, uint8_t before, float opacity, bool is_srgb)
{
    float over = (float)color / 255.0f, under = (float)before / 255.0f;
    if (is_srgb) {
        const float light =
            fgi_srgb_decode(over) * opacity + fgi_srgb_decode(under) * (1.0f - opacity);
        return (uint8_t)(fgi_srgb_encode(light) * 255.0f + 0.5f);
    }
    over = over * opacity + under * (1.0f - opacity);
    return (uint8_t)(over * 255.0f + 0.5f);
}

void fg_overdraw_memory_draw(const struct fg_overdraw_map *map,
                             const struct fg_overdraw_scale *scale, float opacity,
                             const struct fg_hud_pixels *pixels)
{
    static const uint8_t untouched[4] = { FG_OVERDRAW_UNTOUCHED_RED, FG_OVERDRAW_UNTOUCHED_GREEN,
                                          FG_OVERDRAW_UNTOUCHED_BLUE, 255 };
    uint8_t colors[FG_OVERDRAW_COLORS * 4];
    if (map == NULL || map->values == NULL || scale == NULL || pixels == NULL ||
        pixels->pixels == NULL) {
        return;
    }
    const size_t stride =
        pixels->stride_bytes != 0 ? pixels->stride_bytes : (size_t)pixels->width_px * 4;
    const float part = opacity > 0.0f ? opacity < 1.0f ? opacity : 1.0f : 0.0f;
    fg_overdraw_colors_write(colors);
    for (uint32_t y = 0; y < map->height_px && y < pixels->height_px; y++) {
        const float *row = row_of(map, y);
        uint8_t *pixel = pixels->pixels + y * stride;
        for (uint32_t x = 0; x < map->width_px && x < pixels->width_px; x++, pixel += 4) {
            const int index = fg_overdraw_index(scale, row[x]);
            const uint8_t *color = index < 0 ? untouched : &colors[index * 4];
            for (int i = 0; i < 4; i++) {
                pixel[i] = mixed(color[i], pixel[i], part, pixels->is_srgb && i < 3);
            }
        }
    }
}
