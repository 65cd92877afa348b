/* SPDX-License-Identifier: MIT */
/* What the HUD looks like: read back from its draw list, and from the pixels it becomes. */
#include "cmocka_all.h"
#include "hud/hud_font.h"
#include "hud/hud_pen.h"
#include "hud_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)

static const struct fg_hud_target plain_target = { .width_px = 800, .height_px = 600 };

static struct fg_hud *make(struct fgt_hud_clock *clock)
{
    struct fg_hud *hud = NULL;
    *clock = (struct fgt_hud_clock){ .now_ns = 1000 * MS };
    assert_int_equal(
        fg_hud_create(FG_HUD_OPTIONS(.flags = FG_HUD_NO_PROCESS_MEMORY, .now_ns = fgt_hud_clock_now,
                                     .clock_context = clock),
                      &hud),
        FG_OK);
    return hud;
}

static bool is_glyph(const struct fg_hud_quad *quad)
{
    return quad->u_size != 0;
}

/** The text of all lines, from top to bottom, gaps as spaces; '?' for what is not ASCII. */
static const char *read_text(const struct fg_hud_list *list)
{
    static char text[16384];
    const int32_t cell = FGI_FONT_ADVANCE * (int32_t)list->scale;
    size_t size = 0;
    for (int32_t y = 0; y < (int32_t)list->panel_height_px; y++) {
        char line[128];
        int32_t end = 0;
        memset(line, ' ', sizeof line);
        for (uint32_t i = 0; i < list->quad_count; i++) {
            const struct fg_hud_quad *quad = &list->quads[i];
            if (is_glyph(quad) && quad->y_px == list->panel_y_px + y) {
                const uint32_t glyph =
                    quad->v / FGI_FONT_HEIGHT * (FG_HUD_ATLAS_WIDTH / FGI_FONT_ADVANCE) +
                    quad->u / FGI_FONT_ADVANCE;
                const int32_t column = (quad->x_px - list->panel_x_px) / cell;
                assert_in_range(column, 0, 126);
                line[column] = glyph < 95 ? (char)(' ' + glyph) : '?';
                end = column + 1 > end ? column + 1 : end;
            }
        }
        if (end > 0) {
            assert_true(size + (size_t)end + 2 < sizeof text);
            memcpy(text + size, line, (size_t)end);
            size += (size_t)end;
            text[size++] = '\n';
        }
    }
    text[size] = '\0';
    return text;
}

static void assert_shows(const struct fg_hud_list *list, const char *words)
{
    const char *text = read_text(list);
    if (strstr(text, words) == NULL) {
        fail_msg("'%s' is not in:\n%s", words, text);
    }
}

static void assert_shows_not(const struct fg_hud_list *list, const char *words)
{
    const char *text = read_text(list);
    if (strstr(text, words) != NULL) {
        fail_msg("'%s' is in:\n%s", words, text);
    }
}

/** No two glyphs share a pixel, and everything lies on the panel, which is the first quad. */
static void assert_tidy(const struct fg_hud_list *list, const struct fg_hud_target *target)
{
    static uint8_t taken[2048][2048];
    memset(taken, 0, sizeof taken);
    assert_int_equal(list->dropped_quads, 0);
    assert_true(list->quad_count > 0 && list->quad_count <= FG_HUD_QUADS_MAX);
    assert_true(list->panel_x_px >= 0 && list->panel_y_px >= 0);
    assert_true((uint32_t)list->panel_x_px + list->panel_width_px <= target->width_px);
    assert_true((uint32_t)list->panel_y_px + list->panel_height_px <= target->height_px);
    for (uint32_t i = 0; i < list->quad_count; i++) {
        const struct fg_hud_quad *q = &list->quads[i];
        assert_true(q->width_px > 0 && q->height_px > 0);
        assert_true(q->x_px >= list->panel_x_px && q->y_px >= list->panel_y_px);
        assert_true(q->x_px + q->width_px <= list->panel_x_px + (int32_t)list->panel_width_px);
        assert_true(q->y_px + q->height_px <= list->panel_y_px + (int32_t)list->panel_height_px);
        assert_true(q->u + q->u_size <= FG_HUD_ATLAS_WIDTH && q->v + q->v_size <= 64);
        for (int32_t y = q->y_px; is_glyph(q) && y < q->y_px + q->height_px; y++) {
            for (int32_t x = q->x_px; x < q->x_px + q->width_px; x++) {
                assert_true(y < 2048 && x < 2048);
                assert_int_equal(taken[y][x], 0);
                taken[y][x] = 1;
            }
        }
    }
}

static void every_character_has_a_shape_of_its_own(void **state)
{
    (void)state;
    static const char *const others = "…µ×°±–■";
    uint64_t shapes[128] = { 0 };
    uint32_t count = 0;
    const char *at = others;
    for (uint32_t c = '!'; c <= '~' || *at != '\0'; c++) {
        const uint32_t character = c <= '~' ? c : fgi_font_next(&at);
        const uint32_t glyph = fgi_font_glyph(character);
        uint16_t u, v;
        fgi_font_place(glyph, &u, &v);
        for (uint32_t dot = 0; dot < FGI_FONT_WIDTH * FGI_FONT_HEIGHT; dot++) {
            shapes[count] |=
                (uint64_t)fgi_font_texel(u + dot % FGI_FONT_WIDTH, v + dot / FGI_FONT_WIDTH) << dot;
        }
        assert_false(fgi_font_texel(u + FGI_FONT_WIDTH, v)); /* the column between two */
        assert_true(shapes[count] != 0);
        for (uint32_t i = 0; i < count; i++) {
            if (shapes[i] == shapes[count]) {
                fail_msg("U+%04X looks like another", (unsigned)character);
            }
        }
        count++;
    }
    assert_int_equal(count, 94 + 7);
    assert_int_equal(fgi_font_glyph(0x4E2D), fgi_font_glyph(0xFFFD));
    static uint8_t atlas[FG_HUD_ATLAS_WIDTH * FG_HUD_ATLAS_HEIGHT];
    fg_hud_atlas_write(atlas);
    for (uint32_t i = 0; i < sizeof atlas; i++) {
        assert_int_equal(atlas[i] != 0,
                         fgi_font_texel(i % FG_HUD_ATLAS_WIDTH, i / FG_HUD_ATLAS_WIDTH));
    }
}

static void ill_formed_text_is_shown_as_such_and_not_read_past(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t characters[4];
    } cases[] = {
        { "aµ", { 'a', 0xB5 } },      { "\xE2\x80", { 0xFFFD } },
        { "\x80z", { 0xFFFD, 'z' } }, { "\xC3z", { 0xFFFD, 'z' } },
        { "\xFF", { 0xFFFD } },       { "\xF0\x9F\x98\x80!", { 0x1F600, '!' } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *at = cases[i].text;
        for (size_t n = 0; *at != '\0'; n++) {
            assert_int_equal(fgi_font_next(&at), cases[i].characters[n]);
        }
        assert_ptr_equal(at, cases[i].text + strlen(cases[i].text));
    }
}

static void the_panel_says_what_is_known(void **state)
{
    (void)state;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    assert_non_null(hud);
    assert_true(fg_hud_build(hud, &plain_target, &list));
    assert_tidy(&list, &plain_target);
    assert_shows(&list, "FPS   58.8");
    assert_shows(&list, "1% low 48.8");
    assert_shows(&list, "0.1% low 48.8");
    assert_shows(&list, "CPU ");
    assert_shows(&list, "Items 12480  culled 9317");
    assert_shows(&list, "Cache HIT");
    assert_shows(&list, "Tex   86  412.0 MiB");
    assert_shows(&list, "VRAM  1.3 GiB of 8.0 GiB");
    assert_shows(&list, "GPU-bound (4 inferred):");
    assert_shows(&list, "zoom                 125.00 %");
    assert_shows(&list, "   drawPicture");
    assert_shows(&list, "HUD, not counted:");
    assert_shows(&list, "Idle 1?  30000 ms   No GPU time 4 of 120");
    fg_hud_destroy(hud);
}

/* Unknown is never zero, and not what was known once: culled counts stayed on cache hits (O16). */
static void what_is_not_known_is_not_there_or_says_so(void **state)
{
    (void)state;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = make(&clock);
    assert_true(fg_hud_build(hud, &plain_target, &list));
    assert_tidy(&list, &plain_target);
    assert_shows(&list, "FPS   n/a");
    assert_shows(&list, "CPU   n/a");
    assert_shows(&list, "GPU   n/a");
    assert_shows(&list, "bound by: n/a");
    assert_shows_not(&list, "Items");
    assert_shows_not(&list, "Draws");
    assert_shows_not(&list, "Cache");
    assert_shows_not(&list, "nan");
    fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = 1,
                                                    .has = FG_HUD_HAS_ITEMS | FG_HUD_HAS_CULLED |
                                                           FG_HUD_HAS_DRAWS,
                                                    .item_count = 0,
                                                    .culled_count = 7,
                                                    .cache = FG_HUD_CACHE_RECORDED,
                                                    .cache_reason = "first frame" });
    fg_hud_metric(hud, "load", INT64_MIN, FG_UNIT_BASIS_POINTS);
    assert_true(fg_hud_build(hud, &plain_target, &list));
    assert_shows(&list, "Items 0  culled 7");
    assert_shows(&list, "Draws 0");
    assert_shows(&list, "Cache MISS first frame");
    assert_shows(&list, "load                      n/a");
    clock.now_ns += 16 * MS;
    fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = 2,
                                                    .has = FG_HUD_HAS_ITEMS,
                                                    .item_count = 9,
                                                    .cache = FG_HUD_CACHE_HIT });
    assert_true(fg_hud_build(hud, &plain_target, &list));
    assert_shows(&list, "Items 9\n");
    assert_shows_not(&list, "culled");
    assert_shows_not(&list, "first frame");
    fg_hud_destroy(hud);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/** A number of any width. */
static uint64_t any_size(uint64_t *seed)
{
    return next_random(seed) >> (next_random(seed) % 64);
}

static void tell_anything(struct fg_hud *hud, uint64_t *seed, int64_t *present_ns, uint64_t number)
{
    static const char *const names[] = {
        "a",        "a name that is much longer than any column of the panel is wide",
        "größer",   "日本語のパス",
        "\xFF\xFE", "",
    };
    struct fg_hud_pass passes[24];
    for (int i = 0; i < 24; i++) {
        passes[i] =
            (struct fg_hud_pass){ names[next_random(seed) % 6], (uint32_t)(next_random(seed) % 5),
                                  (int64_t)(any_size(seed) % 100000000000) };
    }
    *present_ns += (int64_t)(any_size(seed) % 400000000000) + 1;
    const struct fg_hud_frame frame = {
        .number = number,
        .present_ns = *present_ns,
        .cpu_ns = (int64_t)(any_size(seed) >> 1),
        .present_wait_ns = (int64_t)(any_size(seed) >> 1),
        .has = (uint32_t)next_random(seed),
        .item_count = any_size(seed),
        .culled_count = any_size(seed),
        .draw_count = any_size(seed),
        .texture_count = any_size(seed),
        .texture_bytes = any_size(seed),
        .cache = (enum fg_hud_cache)(next_random(seed) % 5),
        .cache_reason = names[next_random(seed) % 6],
        .passes = passes,
        .pass_count = next_random(seed) % 25,
    };
    fg_hud_own_cost(hud, (int64_t)any_size(seed), (uint32_t)any_size(seed));
    fg_hud_frame(hud, &frame);
    fg_hud_gpu(hud, number, (int64_t)any_size(seed));
    fg_hud_own_gpu(hud, number, (int64_t)any_size(seed));
    fg_hud_gpu_memory(hud, (int64_t)any_size(seed), (int64_t)any_size(seed));
    fg_hud_metric(hud, names[next_random(seed) % 6], (int64_t)any_size(seed),
                  (enum fg_unit)(next_random(seed) % 5));
}

static void no_two_texts_meet_and_nothing_leaves_the_panel(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252;
    for (int round = 0; round < 40; round++) {
        struct fg_hud *hud = NULL;
        struct fg_hud_list list;
        int64_t present_ns = 1;
        const struct fg_hud_target target = { .width_px = 2048,
                                              .height_px = 2048,
                                              .scale = 1 + (uint32_t)round % 3,
                                              .corner = (enum fg_hud_corner)(round % 4),
                                              .pass_rows = (uint32_t)round % 14 };
        assert_int_equal(
            fg_hud_create(FG_HUD_OPTIONS(.gap_limit_ns = -1,
                                         .budget_ns = 1 + (int64_t)any_size(&seed) % 40000000000),
                          &hud),
            FG_OK);
        for (uint64_t n = 1; n <= 130; n++) {
            tell_anything(hud, &seed, &present_ns, n);
            if (n % 26 == 1) {
                assert_true(fg_hud_build(hud, &target, &list));
                assert_tidy(&list, &target);
            }
        }
        fg_hud_destroy(hud);
    }
}

static void the_fullest_panel_has_room_for_all_of_its_quads(void **state)
{
    (void)state;
    struct fg_hud *hud = NULL;
    struct fg_hud_list list;
    struct fg_hud_pass passes[80];
    char names[80][40];
    const struct fg_hud_target target = {
        .width_px = 4000, .height_px = 4000, .scale = 1, .pass_rows = 1000
    };
    assert_int_equal(
        fg_hud_create(FG_HUD_OPTIONS(.metric_max = 64, .pass_max = 80, .gap_limit_ns = 1), &hud),
        FG_OK);
    for (uint32_t i = 0; i < 80; i++) {
        (void)snprintf(names[i], sizeof names[i], "p%02uxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", i);
        passes[i] = (struct fg_hud_pass){ names[i], 0, i == 79 ? 90 * MS : 88 * MS };
        fg_hud_metric(hud, names[i] + 1, -88888 * MS, FG_UNIT_BYTES);
    }
    for (uint64_t n = 1; n < 200; n++) {
        fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = n,
                                                        .present_ns = (int64_t)n * 88 * MS,
                                                        .cpu_ns = 88 * MS,
                                                        .present_wait_ns = 88 * MS,
                                                        .passes = passes,
                                                        .pass_count = 80 });
        fg_hud_gpu(hud, n, 88 * MS);
    }
    assert_true(fg_hud_build(hud, &target, &list));
    assert_int_equal(list.dropped_quads, 0);
    assert_true(list.quad_count > 3000);
    assert_shows(&list, "+ 17 more"); /* 63 of 80, and the cell that says so */
    assert_shows(&list, "p79xxx");    /* the longest one, although it came last */
    assert_shows(&list, "p61xxx");
    assert_shows_not(&list, "p62xxx");
    fg_hud_destroy(hud);
}

/** The bar of the newest frame: the quad whose right end is the graph's. */
static const struct fg_hud_quad *find_bar(const struct fg_hud_list *list, bool from_below,
                                          int32_t top_px, int32_t height_px)
{
    const int32_t right_px = list->panel_x_px + 6 + 240;
    for (uint32_t i = 1; i < list->quad_count; i++) {
        const struct fg_hud_quad *q = &list->quads[i];
        if (!is_glyph(q) && q->width_px == 2 && q->x_px + 2 == right_px &&
            q->height_px == height_px &&
            (from_below ? q->y_px + q->height_px == top_px + 48 : q->y_px == top_px)) {
            return q;
        }
    }
    return NULL;
}

/* GPU bars lay over the CPU's; they were to hang from the top (O13). */
static void cpu_bars_stand_and_gpu_bars_hang_in_the_colour_of_the_frame(void **state)
{
    (void)state;
    static const struct {
        int64_t frame_ns;
        uint8_t red, green, blue;
    } cases[] = { { 16 * MS, 70, 200, 110 }, { 32 * MS, 242, 198, 56 }, { 48 * MS, 242, 82, 72 } };
    for (int i = 0; i < 3; i++) {
        struct fgt_hud_clock clock;
        struct fg_hud_list list;
        struct fg_hud *hud = make(&clock);
        int32_t top_px = 0;
        fg_hud_set_budget(hud, 16 * MS);
        fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = 1, .present_ns = MS });
        fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = 2,
                                                        .present_ns = MS + cases[i].frame_ns,
                                                        .cpu_ns = 10 * MS });
        fg_hud_gpu(hud, 2, 5 * MS);
        assert_true(fg_hud_build(hud, &plain_target, &list));
        for (uint32_t n = 1; n < list.quad_count; n++) { /* the line under the graph */
            if (list.quads[n].width_px == 240) {
                top_px = list.quads[n].y_px - 48;
            }
        }
        /* 48 pixels are three budgets of 16 ms: one is a millisecond. */
        const struct fg_hud_quad *cpu = find_bar(&list, true, top_px, 10);
        const struct fg_hud_quad *gpu = find_bar(&list, false, top_px, 5);
        assert_non_null(cpu);
        assert_non_null(gpu);
        const uint8_t color[3] = { cases[i].red, cases[i].green, cases[i].blue };
        assert_memory_equal(cpu->color, color, 3);
        assert_memory_equal(gpu->color, color, 3);
        assert_true(gpu->color[3] < cpu->color[3]); /* overlap can be seen */
        fg_hud_destroy(hud);
    }
}

/** Where lines as high as the graphs stand, from the left end of the histogram; how many. */
static uint32_t find_lines(const struct fg_hud_list *list, int32_t out_x[4])
{
    const int32_t width = FGI_HISTOGRAM_WIDTH;
    int32_t left_px = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->quad_count; i++) {
        left_px = list->quads[i].width_px == width ? list->quads[i].x_px : left_px;
    }
    for (uint32_t i = 0; i < list->quad_count && count < 4; i++) {
        const struct fg_hud_quad *q = &list->quads[i];
        if (q->width_px == 1 && q->height_px == FGI_GRAPH_HEIGHT && q->x_px >= left_px) {
            out_x[count++] = q->x_px - left_px;
        }
    }
    return count;
}

static void the_histogram_has_a_line_at_each_low(void **state)
{
    (void)state;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = make(&clock);
    int64_t present_ns = MS;
    int32_t at[4];
    fg_hud_set_budget(hud, 16 * MS);
    fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = 1, .present_ns = present_ns });
    for (uint64_t n = 0; n < 1000; n++) { /* two of 40 ms, twelve of 24 ms */
        present_ns += (n < 2 ? 40 : n < 14 ? 24 : 8) * MS;
        fg_hud_frame(hud,
                     &(const struct fg_hud_frame){ .number = n + 2, .present_ns = present_ns });
    }
    assert_true(fg_hud_build(hud, &plain_target, &list));
    assert_shows(&list, "1% low 41.7");
    assert_shows(&list, "0.1% low 25.0");
    assert_int_equal(find_lines(&list, at), 2);
    /* The histogram is as wide as three budgets of 16 ms: half of it, and five sixths. */
    assert_int_equal(at[0], (FGI_HISTOGRAM_WIDTH - 1) * 24 / 48);
    assert_int_equal(at[1], (FGI_HISTOGRAM_WIDTH - 1) * 40 / 48);
    fg_hud_destroy(hud);
}

static void the_panel_keeps_to_its_corner_and_clear_of_rulers(void **state)
{
    (void)state;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = make(&clock);
    struct fg_hud_target target = {
        .width_px = 1000, .height_px = 700, .offset_x_px = 20, .offset_y_px = 30
    };
    for (int corner = FG_HUD_TOP_LEFT; corner <= FG_HUD_BOTTOM_RIGHT; corner++) {
        target.corner = (enum fg_hud_corner)corner;
        assert_true(fg_hud_build(hud, &target, &list));
        assert_tidy(&list, &target);
        const bool right = corner == FG_HUD_TOP_RIGHT || corner == FG_HUD_BOTTOM_RIGHT;
        const bool bottom = corner == FG_HUD_BOTTOM_LEFT || corner == FG_HUD_BOTTOM_RIGHT;
        assert_int_equal(list.panel_x_px, right ? 1000 - 28 - (int32_t)list.panel_width_px : 28);
        assert_int_equal(list.panel_y_px, bottom ? 700 - 38 - (int32_t)list.panel_height_px : 38);
    }
    /* One that is too small for it shows the beginning. */
    const struct fg_hud_target small = {
        .width_px = 100, .height_px = 40, .scale = 9, .corner = FG_HUD_BOTTOM_RIGHT
    };
    static uint8_t pixels[100 * 40 * 4];
    assert_true(fg_hud_build(hud, &small, &list));
    assert_int_equal(list.scale, 1);
    assert_int_equal(list.panel_x_px, 0);
    fg_hud_memory_draw(
        &list, &(const struct fg_hud_pixels){ .pixels = pixels, .width_px = 100, .height_px = 40 });
    assert_int_equal(pixels[sizeof pixels - 1], 217);
    assert_false(fg_hud_build(hud, &(const struct fg_hud_target){ .width_px = 100 }, &list));
    assert_false(
        fg_hud_build(hud, &(const struct fg_hud_target){ 40000, 10, 0, 0, 0, 0, 0 }, &list));
    fg_hud_destroy(hud);
}

static uint8_t *draw(const struct fg_hud_list *list, bool is_srgb)
{
    uint8_t *pixels = calloc((size_t)list->width_px * list->height_px, 4);
    assert_non_null(pixels);
    fg_hud_memory_draw(list, &(const struct fg_hud_pixels){ .pixels = pixels,
                                                            .width_px = list->width_px,
                                                            .height_px = list->height_px,
                                                            .is_srgb = is_srgb });
    return pixels;
}

static void twice_the_scale_is_the_same_picture_with_dots_of_four_pixels(void **state)
{
    (void)state;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = make(&clock);
    fg_hud_metric(hud, "a metric", 12345, FG_UNIT_COUNT);
    const struct fg_hud_target one = { .width_px = 500, .height_px = 400, .scale = 1 };
    const struct fg_hud_target two = { .width_px = 1000, .height_px = 800, .scale = 2 };
    assert_true(fg_hud_build(hud, &one, &list));
    uint8_t *small = draw(&list, false);
    assert_true(fg_hud_build(hud, &two, &list));
    assert_int_equal(list.scale, 2);
    uint8_t *large = draw(&list, false);
    for (size_t y = 0; y < 800; y++) {
        for (size_t x = 0; x < 1000; x++) {
            assert_memory_equal(large + (y * 1000 + x) * 4, small + (y / 2 * 500 + x / 2) * 4, 4);
        }
    }
    free(small);
    free(large);
    /* Without being asked: by the target's height, as long as it fits. */
    const struct fg_hud_target high = { .width_px = 3840, .height_px = 2160 };
    assert_true(fg_hud_build(hud, &high, &list));
    assert_int_equal(list.scale, 3);
    const struct fg_hud_target narrow = { .width_px = 800, .height_px = 2160 };
    assert_true(fg_hud_build(hud, &narrow, &list));
    assert_int_equal(list.scale, 2);
    fg_hud_destroy(hud);
}

/* Two surfaces had a profiler each, and the one that was shown knew nothing of the scene (O3). */
static void one_frame_on_two_surfaces_is_one_hud(void **state)
{
    (void)state;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    static struct fg_hud_quad first[FG_HUD_QUADS_MAX];
    struct fg_hud *hud = fgt_hud_scene(&clock);
    const struct fg_hud_target other = { .width_px = 900, .height_px = 700, .offset_x_px = 11 };
    assert_true(fg_hud_build(hud, &plain_target, &list));
    const uint32_t count = list.quad_count;
    memcpy(first, list.quads, count * sizeof first[0]);
    assert_true(fg_hud_build(hud, &other, &list));
    assert_int_equal(list.quad_count, count);
    for (uint32_t i = 0; i < count; i++) {
        first[i].x_px = (int16_t)(first[i].x_px + 11);
    }
    assert_memory_equal(first, list.quads, count * sizeof first[0]);
    fg_hud_destroy(hud);
}

static void drawing_into_memory_blends_as_it_says(void **state)
{
    (void)state;
    const struct fg_hud_quad quads[] = {
        { -1, -1, 3, 2, 127, 63, 0, 0, { 255, 0, 100, 128 } },
        { 1, 1, 5, 5, 127, 63, 0, 0, { 0, 255, 0, 255 } },
    };
    const struct fg_hud_list list = {
        .quads = quads, .quad_count = 2, .width_px = 3, .height_px = 2
    };
    uint8_t pixels[2][4 * 4];
    for (int srgb = 0; srgb < 2; srgb++) {
        memset(pixels, 0, sizeof pixels);
        pixels[0][0] = pixels[0][1] = pixels[0][2] = pixels[0][3] = 200;
        fg_hud_memory_draw(&list, &(const struct fg_hud_pixels){ .pixels = pixels[0],
                                                                 .width_px = 3,
                                                                 .height_px = 2,
                                                                 .stride_bytes = 16,
                                                                 .is_srgb = srgb != 0 });
        /* 255 and 200, half and half: 228 as bytes; 229 as light. 0 and 200: 100, and 147. */
        const uint8_t encoded[4] = { 228, 100, 150, 228 };
        const uint8_t light[4] = { 230, 147, 160, 228 };
        for (int i = 0; i < 4; i++) {
            assert_in_range(pixels[0][i], (srgb ? light : encoded)[i] - 1,
                            (srgb ? light : encoded)[i] + 1);
        }
        assert_int_equal(pixels[0][8], 0);
        assert_int_equal(pixels[1][0], 0);
        assert_int_equal(pixels[1][5], 255);
        assert_int_equal(pixels[1][9], 255);
        assert_int_equal(pixels[1][13], 0); /* behind the row's end */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_has_a_shape_of_its_own),
        cmocka_unit_test(ill_formed_text_is_shown_as_such_and_not_read_past),
        cmocka_unit_test(the_panel_says_what_is_known),
        cmocka_unit_test(what_is_not_known_is_not_there_or_says_so),
        cmocka_unit_test(no_two_texts_meet_and_nothing_leaves_the_panel),
        cmocka_unit_test(the_fullest_panel_has_room_for_all_of_its_quads),
        cmocka_unit_test(cpu_bars_stand_and_gpu_bars_hang_in_the_colour_of_the_frame),
        cmocka_unit_test(the_histogram_has_a_line_at_each_low),
        cmocka_unit_test(the_panel_keeps_to_its_corner_and_clear_of_rulers),
        cmocka_unit_test(twice_the_scale_is_the_same_picture_with_dots_of_four_pixels),
        cmocka_unit_test(one_frame_on_two_surfaces_is_one_hud),
        cmocka_unit_test(drawing_into_memory_blends_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
