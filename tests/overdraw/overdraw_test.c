/* SPDX-License-Identifier: MIT */
/* Maps in memory: statistics against brute force, colours, the legend's words, costs. */
#include "cmocka_all.h"
#include "failing_memory.h"
#include "hud/hud_font.h"
#include <frameglass/detail.h>
#include <frameglass/overdraw.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed;

static uint32_t next(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* ---- statistics ------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void statistics_are_those_of_brute_force(void **state)
{
    static float values[50 * 60], sorted[50 * 60];
    (void)state;
    for (seed = 1; seed < 4000000000u; seed = seed * 7 + 13) {
        const uint32_t width = 1 + next() % 50, height = 1 + next() % 60, range = 1 + next() % 60;
        const bool is_cost = next() % 2 == 0;
        const struct fg_overdraw_map map = {
            .kind = is_cost ? FG_OVERDRAW_COSTS : FG_OVERDRAW_COUNTS,
            .width_px = width,
            .height_px = height,
            .values = values,
            .stride = next() % 2 == 0 ? 0 : 50,
            .limit = (float)(range / 2 + 1),
        };
        struct fg_overdraw_statistics s;
        uint64_t histogram[FG_OVERDRAW_BINS] = { 0 };
        double sum = 0;
        size_t count = 0, saturated = 0;
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            values[i] = 1e30f; /* what is between the rows must not be seen */
        }
        for (uint32_t i = 0; i < width * height; i++) {
            float value = (float)(next() % (range + 1));
            value = is_cost && value > 0.0f ? value * 0.37f : value;
            values[i / width * (map.stride != 0 ? map.stride : width) + i % width] = value;
            histogram[value < 32.0f ? (int)value : 32]++;
            saturated += value >= map.limit;
            sum += (double)value;
            sorted[count] = value;
            count += value > 0.0f;
        }
        qsort(sorted, count, sizeof sorted[0], by_value);
        fg_overdraw_measure(&map, &s);
        assert_int_equal(s.pixel_count, width * height);
        assert_int_equal(s.touched_count, count);
        assert_int_equal(s.saturated_count, saturated);
        assert_true(fabs(s.sum - sum) <= 1e-9 * sum);
        if (count > 0) {
            const size_t at = (size_t)s.max_y_px * (map.stride != 0 ? map.stride : width);
            assert_true(s.median == sorted[(count + 1) / 2 - 1]);
            assert_true(s.p1 == sorted[(count + 99) / 100 - 1]);
            assert_true(s.p99 == sorted[(99 * count + 99) / 100 - 1]);
            assert_true(s.max == sorted[count - 1] && values[at + s.max_x_px] == s.max);
        }
        if (!is_cost) {
            assert_memory_equal(s.histogram, histogram, sizeof histogram);
        }
    }
}

static void nothing_is_measured_as_nothing(void **state)
{
    static const float odd[4] = { 0.0f, -1.0f, NAN, 2.0f };
    static const struct fg_overdraw_statistics zero;
    struct fg_overdraw_map map = { .values = odd, .width_px = 0, .height_px = 4 };
    struct fg_overdraw_statistics s;
    (void)state;
    fg_overdraw_measure(NULL, &s);
    assert_memory_equal(&s, &zero, sizeof s);
    fg_overdraw_measure(&map, &s);
    assert_memory_equal(&s, &zero, sizeof s);
    fg_overdraw_measure(&map, NULL);
    map.width_px = 4;
    map.height_px = 1;
    fg_overdraw_measure(&map, &s);
    assert_int_equal(s.touched_count, 1);
    assert_true(s.sum == 2.0 && s.mean == 2.0 && s.median == 2.0f && s.p99 == 2.0f);
    assert_int_equal(s.histogram[0], 3);
    assert_int_equal(s.saturated_count, 0);
}

/* ---- colours --------------------------------------------------------------------------------- */

static double light_of(uint8_t encoded)
{
    const double c = encoded / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/** CIE lightness of a light, 0 .. 100. */
static double lightness(const double rgb[3])
{
    const double y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

/** As seen with all cones, without red ones, or without green ones (Vienot, Brettel, Mollon). */
static void see(const uint8_t *rgba, int how, double out[3])
{
    static const double red_and_green[3][4] = {
        { 1, 0, 0, 1 },
        { 0.11238, 0.88762, 0.11238, 0.88762 },
        { 0.29275, 0.70725, 0.29275, 0.70725 },
    };
    static const double into_blue[3] = { 0, 0.00401, -0.02234 };
    const double r = light_of(rgba[0]), g = light_of(rgba[1]), b = light_of(rgba[2]);
    const double *m = red_and_green[how];
    out[0] = m[0] * r + m[1] * g;
    out[1] = m[2] * r + m[3] * g;
    out[2] = b + into_blue[how] * (r - g);
}

static void colours_are_in_order_of_lightness_for_every_kind_of_sight(void **state)
{
    uint8_t rgba[FG_OVERDRAW_COLORS * 4];
    static const uint8_t untouched[3] = { FG_OVERDRAW_UNTOUCHED_RED, FG_OVERDRAW_UNTOUCHED_GREEN,
                                          FG_OVERDRAW_UNTOUCHED_BLUE };
    (void)state;
    fg_overdraw_colors_write(rgba);
    for (int how = 0; how < 3; how++) {
        double light[3], before = 0;
        see(untouched, how, light);
        before = lightness(light);
        for (int i = 0; i < FG_OVERDRAW_COLORS; i++) {
            see(&rgba[i * 4], how, light);
            const double now = lightness(light);
            if (how == 0) { /* even: 72 in 255 steps, up to the rounding of bytes */
                assert_true(fabs(now - (24.0 + 72.0 * i / 255.0)) < 0.6);
            }
            if (i % 8 == 7) { /* eight steps further is always lighter */
                assert_true(now > before + 0.5);
                before = now;
            }
            assert_int_equal(rgba[i * 4 + 3], 255);
        }
    }
    double dark[3], first[3];
    see(untouched, 0, dark);
    see(rgba, 0, first);
    assert_true(lightness(first) > lightness(dark) + 10);
}

static void each_count_has_its_colour_and_what_is_over_the_top_the_last(void **state)
{
    struct fg_overdraw_statistics s = { .kind = FG_OVERDRAW_COUNTS };
    struct fg_overdraw_scale scale;
    (void)state;
    for (int max = 0; max <= 40; max++) {
        int before = -1;
        s.max = (float)max;
        fg_overdraw_scale_fit(&s, &scale);
        assert_true(scale.bottom == 1.0f && !scale.is_log);
        assert_int_equal((int)scale.top, max < 8 ? 8 : max > 32 ? 32 : max);
        for (int i = 1; i <= (int)scale.top; i++) {
            const int index = fg_overdraw_index(&scale, (float)i);
            assert_true(index > before);
            before = index;
        }
        assert_int_equal(fg_overdraw_index(&scale, 0.0f), -1);
        assert_int_equal(fg_overdraw_index(&scale, NAN), -1);
        assert_int_equal(fg_overdraw_index(&scale, 1.0f), 0);
        assert_int_equal(fg_overdraw_index(&scale, 0.5f), 0);
        assert_int_equal(before, 255);
        assert_int_equal(fg_overdraw_index(&scale, INFINITY), 255);
    }
    fg_overdraw_scale_fit(NULL, &scale);
    assert_true(scale.top > scale.bottom && scale.bottom > 0.0f);
}

static void costs_have_the_colours_for_what_there_is_of_them(void **state)
{
    static const struct {
        float p1, p99, bottom, top;
    } cases[] = {
        { 4391.0f, 4495.0f, 4380.0f, 4500.0f }, { 4.2f, 9.0f, 4.0f, 9.0f },
        { 0.11f, 0.19f, 0.11f, 0.19f },         { 0.3f, 4.4f, 0.2f, 5.0f },
        { 1.0f, 100.0f, 1.0f, 100.0f },         { 1e-6f, 3.0f, 5e-3f, 5.0f },
        { 2.0f, 2.0f, 1.98f, 2.02f },
    };
    struct fg_overdraw_scale scale;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fg_overdraw_statistics s = { .kind = FG_OVERDRAW_COSTS,
                                                  .p1 = cases[i].p1,
                                                  .p99 = cases[i].p99 };
        fg_overdraw_scale_fit(&s, &scale);
        assert_true(fabsf(scale.bottom / cases[i].bottom - 1.0f) < 1e-5f);
        assert_true(fabsf(scale.top / cases[i].top - 1.0f) < 1e-5f);
    }
    for (seed = 1; seed < 4000000000u; seed = seed * 7 + 13) {
        const float p1 = 1e-3f * (float)(1 + next() % 100000);
        const float p99 = p1 * (1.0f + (float)(next() % 1000) * (next() % 2 == 0 ? 1e-4f : 1.0f));
        const struct fg_overdraw_statistics s = { .kind = FG_OVERDRAW_COSTS, .p1 = p1, .p99 = p99 };
        int before = -1;
        fg_overdraw_scale_fit(&s, &scale);
        assert_true(scale.bottom > 0.0f && scale.top >= scale.bottom * 1.01f);
        assert_true(scale.top >= p99 * 0.99999f);
        assert_true(scale.bottom <= p1 * 1.00001f || scale.top >= scale.bottom * 999.0f);
        if (p99 > 1.03f * p1) { /* most of the colours are used */
            assert_true(fg_overdraw_index(&scale, p99) - fg_overdraw_index(&scale, p1) >= 120);
        }
        for (int k = 0; k <= 64; k++) {
            const int index = fg_overdraw_index(&scale, p1 + (p99 - p1) * (float)k / 64.0f);
            assert_true(index >= before);
            before = index;
        }
    }
}

static void costs_whose_least_is_not_known_have_three_decades(void **state)
{
    static const float p99s[][2] = { { 0.0031f, 0.005f }, { 1.0f, 1.0f }, { 1.01f, 2.0f },
                                     { 0.2f, 0.2f },      { 6e6f, 1e7f }, { 5.0f, 5.0f } };
    struct fg_overdraw_scale scale;
    (void)state;
    for (size_t i = 0; i < sizeof p99s / sizeof p99s[0]; i++) {
        const struct fg_overdraw_statistics s = { .kind = FG_OVERDRAW_COSTS,
                                                  .clock = FG_OVERDRAW_GPU,
                                                  .p99 = p99s[i][0] };
        fg_overdraw_scale_fit(&s, &scale);
        assert_true(fabsf(scale.top / p99s[i][1] - 1.0f) < 1e-5f);
        assert_true(scale.is_log && scale.clock == FG_OVERDRAW_GPU);
        for (int k = 0; k <= 3; k++) {
            const int index = fg_overdraw_index(&scale, scale.bottom * powf(10.0f, (float)k));
            assert_in_range(index, 85 * k - (k > 0), 85 * k);
        }
        assert_int_equal(fg_overdraw_index(&scale, scale.bottom / 100.0f), 0);
    }
}

static void a_map_is_laid_over_what_is_there(void **state)
{
    static const float values[4] = { 0.0f, 1.0f, 8.0f, 9.0f };
    const struct fg_overdraw_map map = { .values = values, .width_px = 2, .height_px = 2 };
    const struct fg_overdraw_scale scale = { .bottom = 1.0f, .top = 8.0f };
    uint8_t pixels[2][12], colors[FG_OVERDRAW_COLORS * 4];
    const struct fg_hud_pixels target = {
        .pixels = pixels[0], .width_px = 2, .height_px = 2, .stride_bytes = 12
    };
    (void)state;
    fg_overdraw_colors_write(colors);
    memset(pixels, 100, sizeof pixels);
    fg_overdraw_memory_draw(&map, &scale, 1.0f, &target);
    assert_int_equal(pixels[0][0], FG_OVERDRAW_UNTOUCHED_RED);
    assert_int_equal(pixels[0][2], FG_OVERDRAW_UNTOUCHED_BLUE);
    assert_memory_equal(pixels[0] + 4, colors, 4);
    assert_memory_equal(pixels[1], colors + 255 * 4, 4);
    assert_memory_equal(pixels[1] + 4, colors + 255 * 4, 4);
    assert_int_equal(pixels[0][8], 100); /* between the rows */
    memset(pixels, 100, sizeof pixels);
    fg_overdraw_memory_draw(&map, &scale, 0.25f, &target);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pixels[1][i], (int)(colors[255 * 4 + i] * 0.25 + 75.0 + 0.5));
    }
    fg_overdraw_memory_draw(&map, &scale, 0.0f, &target);
    fg_overdraw_memory_draw(NULL, &scale, 1.0f, &target);
}

/* ---- the legend ------------------------------------------------------------------------------ */

/** What a person reads, a line each; what is drawn lies in the panel. */
static void read_legend(const struct fg_overdraw_legend *legend, char *text, size_t size)
{
    const struct fg_hud_list *list = &legend->list;
    size_t length = 0;
    int y = -1, x = 0;
    for (uint32_t i = 0; i < list->quad_count; i++) {
        const struct fg_hud_quad *quad = &list->quads[i];
        assert_true(quad->x_px >= list->panel_x_px && quad->y_px >= list->panel_y_px);
        assert_true(quad->x_px + quad->width_px <=
                    list->panel_x_px + (int32_t)list->panel_width_px);
        assert_true(quad->y_px + quad->height_px <=
                    list->panel_y_px + (int32_t)list->panel_height_px);
        for (uint32_t c = '!'; quad->u_size != 0 && c <= 0xb5 && length + 3 < size; c++) {
            uint16_t u, v;
            fgi_font_place(fgi_font_glyph(c), &u, &v);
            if (u == quad->u && v == quad->v) {
                if (y != quad->y_px || quad->x_px > x) {
                    text[length++] = y != quad->y_px ? '\n' : ' ';
                }
                y = quad->y_px;
                x = quad->x_px + 6 * (int)list->scale;
                text[length++] = (char)c;
                break;
            }
        }
    }
    text[length] = '\0';
}

static void the_legend_says_what_is_measured_and_whose_time_it_is(void **state)
{
    static struct fg_overdraw_legend legend;
    static const struct {
        enum fg_overdraw_kind kind;
        enum fg_overdraw_clock clock;
        float max;
        uint64_t saturated;
        const char *words[6];
    } cases[] = {
        { FG_OVERDRAW_COUNTS,
          FG_OVERDRAW_CPU,
          7,
          0,
          { "Overdraw: draws per pixel", "max 7 at 3,4", "touched 25 %: mean 2.50, median 1",
            "p99 7", "8+" } },
        { FG_OVERDRAW_COUNTS,
          FG_OVERDRAW_CPU,
          255,
          12,
          { "32+", "12 pixels at the format's limit, 255" } },
        { FG_OVERDRAW_COSTS,
          FG_OVERDRAW_CPU,
          1.5f,
          0,
          { "Cost per pixel: CPU time", "max 1.50 ns", "in no pixel 12.3 \xb5s, 98 %", "sum 250 ns",
            "2 ns+", "<2 ps" } },
        { FG_OVERDRAW_COSTS,
          FG_OVERDRAW_GPU,
          1.5f,
          1,
          { "Cost per pixel: GPU time", "1 pixel at the format's limit" } },
    };
    static const struct fg_overdraw_cost_totals totals = { .placed_ns = 250, .unplaced_ns = 12345 };
    static const struct fg_hud_target small = { .width_px = 300, .height_px = 200 };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        struct fg_overdraw_scale scale;
        const struct fg_overdraw_statistics s = {
            .kind = cases[i].kind,
            .clock = cases[i].clock,
            .pixel_count = 400,
            .touched_count = 100,
            .sum = 250,
            .mean = 2.5,
            .max = cases[i].max,
            .max_x_px = 3,
            .max_y_px = 4,
            .median = 1,
            .p99 = cases[i].max,
            .limit = 255,
            .saturated_count = cases[i].saturated,
        };
        for (uint32_t where = 0; where < 4; where++) {
            const struct fg_hud_target target = { .width_px = 1920,
                                                  .height_px = 1080 + 720 * where,
                                                  .corner = (enum fg_hud_corner)where };
            fg_overdraw_scale_fit(&s, &scale);
            fg_overdraw_legend_build(&scale, &s, &totals, &target, &legend);
            assert_int_equal(legend.list.dropped_quads, 0);
            read_legend(&legend, text, sizeof text);
            for (int k = 0; k < 6 && cases[i].words[k] != NULL; k++) {
                if (strstr(text, cases[i].words[k]) == NULL) {
                    fail_msg("no \"%s\" in:%s", cases[i].words[k], text);
                }
            }
        }
        fg_overdraw_legend_build(&scale, NULL, NULL, &small, &legend);
        assert_true(legend.list.quad_count > 0);
    }
    fg_overdraw_legend_build(NULL, NULL, NULL, NULL, &legend);
    assert_int_equal(legend.list.quad_count, 0);
}

/* As many swatches as the top says were once laid out, one by one. */
static void any_top_has_a_legend_that_ends(void **state)
{
    static const float tops[] = { 237, 238, 239, 1e4f, 2e9f, 3e9f, 1e30f, INFINITY, NAN, -5, 0 };
    static struct fg_overdraw_legend legend;
    static const struct fg_hud_target target = { .width_px = 1920, .height_px = 1080 };
    (void)state;
    for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
        const struct fg_overdraw_scale scale = { .bottom = 1, .top = tops[i] };
        const struct fg_overdraw_statistics s = {
            .pixel_count = 1, .sum = (double)tops[i], .mean = (double)tops[i], .max = tops[i]
        };
        char text[1024];
        fg_overdraw_legend_build(&scale, &s, NULL, &target, &legend);
        assert_int_equal(legend.list.dropped_quads, 0);
        read_legend(&legend, text, sizeof text);
        assert_non_null(strstr(text, "Overdraw: draws per pixel"));
        if (tops[i] == 1e4f) {
            assert_non_null(strstr(text, "10000+"));
        }
    }
}

/* ---- costs ----------------------------------------------------------------------------------- */

static void costs_of_the_gpu_go_before_those_of_the_cpu(void **state)
{
    static const struct fg_node_cost nodes[] = {
        { .id = 99, .self_ns = 5 }, /* the frame */
        { .id = 1, .self_ns = 700 },         { .id = 2, .self_ns = 30, .flags = FG_NODE_CULLED },
        { .id = UINT64_MAX, .self_ns = 11 }, { .id = 1, .self_ns = 300 },
    };
    const struct fg_detail_tree tree = { .nodes = nodes, .node_count = 5 };
    struct fg_overdraw_cost_totals totals;
    struct fg_overdraw_costs *costs = NULL;
    (void)state;
    assert_int_equal(fg_overdraw_costs_create(NULL, 0, &costs), FG_OK);
    fg_overdraw_costs_add_tree(costs, &tree);
    assert_true(fg_overdraw_costs_weight(costs, 1) == 0.0f); /* fragments are not known */
    fg_overdraw_costs_cover(costs, 1, 300);
    fg_overdraw_costs_cover(costs, 1, 100);
    fg_overdraw_costs_cover(costs, 3, 50);
    assert_true(fg_overdraw_costs_weight(costs, 1) == 2.5f);
    assert_true(fg_overdraw_costs_weight(costs, 2) == 0.0f);
    assert_true(fg_overdraw_costs_weight(costs, 3) == 0.0f);
    assert_true(fg_overdraw_costs_weight(costs, 4) == 0.0f);
    fg_overdraw_costs_totals(costs, &totals);
    assert_int_equal(totals.clock, FG_OVERDRAW_CPU);
    assert_int_equal(totals.placed_ns, 1000);
    assert_int_equal(totals.unplaced_ns, 30 + 5 + 11);
    assert_int_equal(totals.fragment_count, 450);
    fg_overdraw_costs_add(costs, 3, FG_OVERDRAW_GPU, 200);
    fg_overdraw_costs_add(costs, 3, FG_OVERDRAW_GPU, -1);
    assert_int_equal(fg_overdraw_costs_clock(costs), FG_OVERDRAW_GPU);
    assert_true(fg_overdraw_costs_weight(costs, 3) == 4.0f);
    assert_true(fg_overdraw_costs_weight(costs, 1) == 0.0f);
    fg_overdraw_costs_totals(costs, &totals);
    assert_int_equal(totals.placed_ns, 200);
    assert_int_equal(totals.unplaced_ns, 0);
    fg_overdraw_costs_clear(costs);
    fg_overdraw_costs_totals(costs, &totals);
    assert_int_equal(totals.item_count + totals.fragment_count, 0);
    assert_int_equal(totals.clock, FG_OVERDRAW_CPU);
    assert_true(fg_overdraw_costs_weight(costs, 3) == 0.0f);
    fg_overdraw_costs_destroy(costs);
    assert_true(fg_overdraw_costs_weight(NULL, 3) == 0.0f);
    fg_overdraw_costs_cover(NULL, 1, 1);
    fg_overdraw_costs_destroy(NULL);
}

static void sums_stay_at_their_limits(void **state)
{
    struct fg_overdraw_cost_totals totals;
    struct fg_overdraw_costs *costs = NULL;
    static const struct fg_node_cost nodes[] = { { .id = UINT64_MAX, .self_ns = INT64_MAX },
                                                 { .id = UINT64_MAX, .self_ns = INT64_MAX } };
    const struct fg_detail_tree tree = { .nodes = nodes, .node_count = 2 };
    (void)state;
    assert_int_equal(fg_overdraw_costs_create(NULL, 4, &costs), FG_OK);
    for (int i = 0; i < 2; i++) {
        fg_overdraw_costs_add(costs, 1, FG_OVERDRAW_CPU, INT64_MAX);
        fg_overdraw_costs_add(costs, 2, FG_OVERDRAW_CPU, INT64_MAX - 1);
        fg_overdraw_costs_cover(costs, 1, UINT64_MAX);
        fg_overdraw_costs_cover(costs, 2, UINT64_MAX);
    }
    fg_overdraw_costs_add_tree(costs, &tree);
    assert_true(fg_overdraw_costs_weight(costs, 1) == 0.5f);
    fg_overdraw_costs_totals(costs, &totals);
    assert_int_equal(totals.placed_ns, INT64_MAX);
    assert_int_equal(totals.unplaced_ns, INT64_MAX);
    assert_true(totals.fragment_count == UINT64_MAX);
    fg_overdraw_costs_destroy(costs);
}

static void a_full_table_tells_what_it_lost_and_takes_no_memory(void **state)
{
    struct failing memory = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&memory);
    struct fg_overdraw_cost_totals totals;
    struct fg_overdraw_costs *costs = NULL;
    (void)state;
    for (int i = 0; i < 3; i++) {
        memory.countdown = i;
        assert_int_equal(fg_overdraw_costs_create(&allocator, 10, &costs), FG_ERR_NO_MEMORY);
        assert_int_equal(memory.alive, 0);
    }
    assert_int_equal(fg_overdraw_costs_create(&allocator, 1u << 25, &costs), FG_ERR_LIMIT);
    memory.countdown = -1;
    assert_int_equal(fg_overdraw_costs_create(&allocator, 10, &costs), FG_OK);
    memory.countdown = 0;
    memory.stays = true;
    memory.refused = false;
    for (uint64_t id = 0; id < 13; id++) {
        fg_overdraw_costs_cover(costs, id << 40, 10 + id);
        fg_overdraw_costs_add(costs, id << 40, FG_OVERDRAW_CPU, 100);
    }
    for (uint64_t id = 0; id < 13; id++) {
        const float expected = id < 10 ? 100.0f / (float)(10 + id) : 0.0f;
        assert_true(fg_overdraw_costs_weight(costs, id << 40) == expected);
    }
    fg_overdraw_costs_totals(costs, &totals);
    assert_int_equal(totals.item_count, 10);
    assert_int_equal(totals.lost_items, 6);
    assert_int_equal(totals.placed_ns, 1000);
    assert_int_equal(totals.unplaced_ns, 300);
    assert_false(memory.refused);
    fg_overdraw_costs_destroy(costs);
    assert_int_equal(memory.alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_are_those_of_brute_force),
        cmocka_unit_test(nothing_is_measured_as_nothing),
        cmocka_unit_test(colours_are_in_order_of_lightness_for_every_kind_of_sight),
        cmocka_unit_test(each_count_has_its_colour_and_what_is_over_the_top_the_last),
        cmocka_unit_test(costs_have_the_colours_for_what_there_is_of_them),
        cmocka_unit_test(costs_whose_least_is_not_known_have_three_decades),
        cmocka_unit_test(a_map_is_laid_over_what_is_there),
        cmocka_unit_test(the_legend_says_what_is_measured_and_whose_time_it_is),
        cmocka_unit_test(costs_of_the_gpu_go_before_those_of_the_cpu),
        cmocka_unit_test(any_top_has_a_legend_that_ends),
        cmocka_unit_test(sums_stay_at_their_limits),
        cmocka_unit_test(a_full_table_tells_what_it_lost_and_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
