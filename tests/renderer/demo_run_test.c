/* SPDX-License-Identifier: MIT */
/*
 * The demo renderer on the Vulkan driver that the environment names: clean under the validation
 * layer with synchronization validation, a real picture, a real frame graph.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <frameglass/overdraw.h>
#include <png.h>
#include <renderer.h>

static const char png_path[] = "demo_run_test.png";
static const char capture_path[] = "demo_run_test.sgpt";

struct picture {
    uint32_t width_px;
    uint32_t height_px;
    uint8_t *rgb;
};

static struct picture read_picture(const char *path)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    struct picture picture = { image.width, image.height, test_malloc(PNG_IMAGE_SIZE(image)) };
    assert_true(png_image_finish_read(&image, NULL, picture.rgb, 0, NULL));
    return picture;
}

/** How many of 64 brightness bins hold at least one pixel in a thousand. */
static int used_bins(const struct picture *picture)
{
    uint32_t bins[64] = { 0 };
    const uint32_t count = picture->width_px * picture->height_px;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *p = picture->rgb + (size_t)i * 3;
        bins[(p[0] + p[1] * 2 + p[2]) / 16]++;
    }
    int used = 0;
    for (int i = 0; i < 64; i++) {
        used += bins[i] * 1000 >= count;
    }
    return used;
}

/** The sum of red less the sum of blue over the rows [from, to), in hundredths of the height. */
static int64_t warmth(const struct picture *picture, uint32_t from, uint32_t to)
{
    int64_t sum = 0;
    for (uint32_t y = picture->height_px * from / 100; y < picture->height_px * to / 100; y++) {
        for (uint32_t x = 0; x < picture->width_px; x++) {
            const uint8_t *p = picture->rgb + ((size_t)y * picture->width_px + x) * 3;
            sum += p[0] - p[2];
        }
    }
    return sum;
}

/** Neighbouring pixels that differ by more than a gradient would. */
static uint32_t edges(const struct picture *picture)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < picture->width_px * picture->height_px; i++) {
        const int step = picture->rgb[(size_t)i * 3 + 1] - picture->rgb[(size_t)i * 3 - 2];
        count += step > 24 || step < -24;
    }
    return count;
}

static void frames_are_clean_under_synchronization_validation(void **state)
{
    (void)state;
    const struct rd_options options = {
        .frame_count = 6, .width_px = 160, .height_px = 90, .validate = true
    };
    struct rd_summary summary;
    assert_true(rd_run(&options, &summary));
    assert_string_equal(summary.error, "");
    assert_int_equal(summary.validation_message_count, 0);
    assert_int_equal(summary.frame_count, 6);
}

/** Every level puts other things into the command buffers: stamps, labels, statistics, copies. */
static void recorded_frames_are_clean_at_every_level(void **state)
{
    static const enum rd_level levels[] = { RD_LEVEL_TIMING, RD_LEVEL_STRUCTURE, RD_LEVEL_WORKLOAD,
                                            RD_LEVEL_VERBOSE };
    uint64_t bytes = 0;
    (void)state;
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        const struct rd_options options = { .frame_count = 5,
                                            .width_px = 96,
                                            .height_px = 54,
                                            .validate = true,
                                            .capture_path = capture_path,
                                            .level = levels[i] };
        struct rd_summary summary;
        assert_true(rd_run(&options, &summary));
        assert_int_equal(summary.validation_message_count, 0);
        assert_int_equal(summary.capture_frame_count, 5);
        assert_true(summary.capture_bytes > bytes);
        bytes = summary.capture_bytes;
    }
    (void)remove(capture_path);
}

static void a_frame_has_as_many_passes_as_it_should(void **state)
{
    (void)state;
    const struct rd_options options = { .frame_count = 6, .width_px = 96, .height_px = 54 };
    struct rd_summary summary;
    assert_true(rd_run(&options, &summary));
    assert_true(summary.graph_pass_count - summary.culled_pass_count >= 20);
    assert_true(summary.culled_pass_count >= 3);
    assert_true(summary.gpu_pass_count >= 40);
    /* All cascades, the near ones, and three of them. */
    assert_int_equal(summary.topology_count, 3);
    assert_true(summary.transient_bytes > 0);
    assert_true(summary.transient_bytes < summary.transient_unshared_bytes);
}

static void the_picture_shows_something(void **state)
{
    (void)state;
    const struct rd_options options = {
        .frame_count = 4, .width_px = 192, .height_px = 108, .png_path = png_path
    };
    struct rd_summary summary;
    assert_true(rd_run(&options, &summary));
    struct picture picture = read_picture(png_path);
    assert_int_equal(picture.width_px, 192);
    assert_int_equal(picture.height_px, 108);
    assert_true(used_bins(&picture) > 40);
    /* Tiles below are warmer than the sky above; columns, slabs and orbs have edges. */
    assert_true(warmth(&picture, 70, 100) > warmth(&picture, 0, 30));
    assert_true(edges(&picture) > 192 * 108 / 40);
    test_free(picture.rgb);
    (void)remove(png_path);
}

static void views_for_debugging_differ_from_the_picture(void **state)
{
    (void)state;
    int64_t sums[4];
    for (int view = RD_VIEW_FINAL; view <= RD_VIEW_CASCADES; view++) {
        const struct rd_options options = { .frame_count = 2,
                                            .width_px = 96,
                                            .height_px = 54,
                                            .png_path = png_path,
                                            .view = (enum rd_view)view };
        struct rd_summary summary;
        assert_true(rd_run(&options, &summary));
        struct picture picture = read_picture(png_path);
        sums[view] = warmth(&picture, 50, 100);
        test_free(picture.rgb);
        for (int other = RD_VIEW_FINAL; other < view; other++) {
            assert_true(sums[other] != sums[view]);
        }
    }
    (void)remove(png_path);
}

/** Pixels of the upper row that are drawn twice, by the colours of a map whose scale ends there. */
static uint32_t twice_drawn(const struct picture *picture, uint32_t width_px, float top)
{
    const struct fg_overdraw_scale scale = { .bottom = 1.0f, .top = top };
    const int index = fg_overdraw_index(&scale, 2.0f);
    uint8_t colors[FG_OVERDRAW_COLORS * 4];
    uint32_t count = 0;
    fg_overdraw_colors_write(colors);
    for (uint32_t x = 0; x < width_px; x++) {
        count += memcmp(&picture->rgb[(size_t)x * 3], &colors[index * 4], 3) == 0;
    }
    return count;
}

/* At the top is the sky, drawn once, and tone mapped; roofs and fireflies leave some of it. */
static void maps_of_the_frame_are_clean_and_show_it(void **state)
{
    static const char cost_path[] = "demo_run_test_cost.png";
    (void)state;
    for (int heat = RD_HEAT_OFF; heat <= RD_HEAT_COSTS; heat++) {
        const struct rd_options options = { .frame_count = 4,
                                            .width_px = 96,
                                            .height_px = 54,
                                            .validate = true,
                                            .heat = (enum rd_heat_view)heat,
                                            .overdraw_path = png_path,
                                            .cost_path = cost_path };
        struct rd_summary summary;
        assert_true(rd_run(&options, &summary));
        assert_int_equal(summary.validation_message_count, 0);
        struct picture picture = read_picture(png_path);
        assert_true(picture.width_px >= 96 && picture.height_px > 54);
        /* Where the scale ends is by the most draws of a pixel: whole steps, from 8 to 32. */
        uint32_t most = 0;
        for (int top = 8; top <= 32; top++) {
            const uint32_t count = twice_drawn(&picture, 96, (float)top);
            most = count > most ? count : most;
        }
        assert_true(most > 96 / 4);
        test_free(picture.rgb);
        picture = read_picture(cost_path);
        const uint8_t untouched[3] = { FG_OVERDRAW_UNTOUCHED_RED, FG_OVERDRAW_UNTOUCHED_GREEN,
                                       FG_OVERDRAW_UNTOUCHED_BLUE };
        assert_memory_not_equal(&picture.rgb[(size_t)48 * 3], untouched, 3);
        test_free(picture.rgb);
    }
    (void)remove(png_path);
    (void)remove(cost_path);
}

static void a_map_of_costs_needs_frames_before_it(void **state)
{
    (void)state;
    const struct rd_options options = { .frame_count = 2, .cost_path = png_path };
    struct rd_summary summary;
    assert_false(rd_run(&options, &summary));
    assert_non_null(strstr(summary.error, "third frame"));
}

static void a_device_that_is_not_there_is_refused_with_a_reason(void **state)
{
    (void)state;
    const struct rd_options options = { .frame_count = 1, .device_name = "no such device" };
    struct rd_summary summary;
    assert_false(rd_run(&options, &summary));
    assert_non_null(strstr(summary.error, "none of the Vulkan devices fits: 1 is "));
}

static void a_capture_that_cannot_be_written_is_refused_with_a_reason(void **state)
{
    (void)state;
    const struct rd_options options = {
        .frame_count = 1, .width_px = 64, .height_px = 36, .capture_path = "/nowhere/at/all.sgpt"
    };
    struct rd_summary summary;
    assert_false(rd_run(&options, &summary));
    assert_non_null(strstr(summary.error, "/nowhere/at/all.sgpt"));
}

static void sizes_out_of_range_are_refused(void **state)
{
    (void)state;
    const struct rd_options options = { .frame_count = 1, .width_px = 9000 };
    struct rd_summary summary;
    assert_false(rd_run(&options, &summary));
    assert_non_null(strstr(summary.error, "8192"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_clean_under_synchronization_validation),
        cmocka_unit_test(recorded_frames_are_clean_at_every_level),
        cmocka_unit_test(a_frame_has_as_many_passes_as_it_should),
        cmocka_unit_test(the_picture_shows_something),
        cmocka_unit_test(views_for_debugging_differ_from_the_picture),
        cmocka_unit_test(maps_of_the_frame_are_clean_and_show_it),
        cmocka_unit_test(a_map_of_costs_needs_frames_before_it),
        cmocka_unit_test(a_device_that_is_not_there_is_refused_with_a_reason),
        cmocka_unit_test(a_capture_that_cannot_be_written_is_refused_with_a_reason),
        cmocka_unit_test(sizes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
