/* SPDX-License-Identifier: MIT */
/* What the canvas draws, on a device without a window: counts and pixels are as the truth says. */
#include "cmocka_all.h"

#include "canvas_frame.h"
#include "canvas_scenes.h"
#include "canvas_truth.h"

#include <string.h>

enum { WIDTH = 640, HEIGHT = 480 };

static struct cv_canvas canvas; /* large */
static uint8_t pixels[WIDTH * HEIGHT * 4];
static uint16_t overdraw[WIDTH * HEIGHT];

/* A count that owes nothing to the painter: a slot of the table, replaced by hand. */
static PFNGLDRAWARRAYSPROC real_draw_arrays;
static uint32_t draws_seen;

static void APIENTRY see_draw(GLenum mode, GLint first, GLsizei count)
{
    draws_seen++;
    real_draw_arrays(mode, first, count);
}

static void open_scene(const char *scene, int samples, bool is_bare)
{
    const struct cv_canvas_options options = {
        .platform = { .width_px = WIDTH, .height_px = HEIGHT, .is_headless = true },
        .scene = scene,
        .samples = samples,
        .is_bare = is_bare,
    };
    assert_true(cv_canvas_init(&canvas, &options));
    real_draw_arrays = canvas.gl.DrawArrays;
    canvas.gl.DrawArrays = see_draw;
}

static void close_scene(void)
{
    assert_int_equal(canvas.gl.GetError(), GL_NO_ERROR);
    assert_true(cv_canvas_finish(&canvas));
}

/** Make a frame, and compare its counts with the truth. */
static void check_frame(void)
{
    struct cv_truth truth;
    draws_seen = 0;
    assert_true(cv_canvas_frame(&canvas));
    cv_truth_tell(&canvas.document, &canvas.editor.view, canvas.editor.selected, canvas.is_bare,
                  NULL, &truth);
    assert_int_equal(canvas.facts.counts.node_count, truth.node_count);
    assert_int_equal(canvas.facts.counts.culled_count, truth.culled_count);
    assert_int_equal(canvas.facts.counts.draw_count, truth.scene_draws + truth.overlay_draws);
    assert_int_equal(draws_seen, truth.scene_draws + truth.overlay_draws);
}

static void send(enum cv_event_kind kind, float x, float y, float factor)
{
    cv_editor_handle(&canvas.editor,
                     &(const struct cv_event){ .kind = kind, .x = x, .y = y, .factor = factor });
}

static void counts_are_the_truth_wherever_the_view_is(void **state)
{
    (void)state;
    for (size_t i = 0; cv_scene_at(i) != NULL; i++) {
        open_scene(cv_scene_at(i)->name, 1, false);
        check_frame();
        for (int k = 0; k < 6; k++) {
            send(CV_EVENT_PAN, k % 2 == 0 ? -150 : 90, -70, 0);
            check_frame();
            assert_int_equal(canvas.facts.cache, CV_CACHE_HIT);
            send(CV_EVENT_ZOOM, 200, 100, k < 3 ? 1.7f : 0.4f);
            check_frame();
        }
        close_scene();
    }
}

static void culled_is_right_in_the_frame_that_records_the_picture(void **state)
{
    (void)state;
    open_scene("large", 1, true);
    check_frame();
    assert_int_equal(canvas.facts.cache, CV_CACHE_RECORD);
    assert_int_equal(canvas.facts.counts.culled_count, 10000 - 16 * 12);
    check_frame();
    assert_int_equal(canvas.facts.cache, CV_CACHE_HIT);
    assert_int_equal(canvas.facts.counts.culled_count, 10000 - 16 * 12);
    send(CV_EVENT_PRESS, 16, 16, 0); /* the first node begins to move, and leaves the view */
    send(CV_EVENT_MOVE, 20, 16, 0);
    check_frame();
    assert_int_equal(canvas.facts.cache, CV_CACHE_RECORD);
    assert_int_equal(canvas.facts.counts.node_count, 10000);
    assert_int_equal(canvas.facts.counts.culled_count, 10000 - 16 * 12);
    send(CV_EVENT_MOVE, -60, 16, 0);
    check_frame();
    assert_int_equal(canvas.facts.cache, CV_CACHE_VOLATILE);
    assert_int_equal(canvas.facts.counts.culled_count, 10000 - 16 * 12 + 1);
    send(CV_EVENT_RELEASE, 0, 0, 0);
    check_frame();
    assert_string_equal(canvas.facts.miss_reason, "a node came to rest");
    close_scene();
}

static void without_a_cache_the_picture_is_recorded_for_every_frame(void **state)
{
    (void)state;
    open_scene("nested", 1, false);
    canvas.cache.is_off = true;
    for (int i = 0; i < 3; i++) {
        check_frame();
        assert_int_equal(canvas.facts.cache, CV_CACHE_NONE);
    }
    close_scene();
}

/* ---- pixels ---------------------------------------------------------------------------------- */

/** The picture's triangles with one step of a channel each, added up: so pixels count. */
static void count_on_device(void)
{
    struct cv_mesh *mesh = &canvas.cache.picture.mesh;
    for (uint32_t i = 0; i < mesh->count; i++) {
        memset(mesh->vertices[i].rgba, 1, 4);
    }
    cv_painter_store(&canvas.painter, CV_STORE_PICTURE, mesh);
    cv_painter_begin(&canvas.painter, 0x000000ff);
    canvas.gl.BlendFunc(GL_ONE, GL_ONE);
    cv_painter_draw_picture(&canvas.painter, CV_STORE_PICTURE, &canvas.cache.picture,
                            &canvas.document, &canvas.editor.view, NULL);
    cv_painter_end(&canvas.painter);
    cv_targets_read(&canvas.painter.targets, pixels);
}

static void each_pixel_is_drawn_as_often_as_the_truth_says(void **state)
{
    static const char *const scenes[] = { "grid", "stack", "nested", "large" };
    (void)state;
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        struct cv_truth truth;
        open_scene(scenes[i], 1, true);
        send(CV_EVENT_PAN, i % 2 == 0 ? -37 : 21, -13, 0);
        check_frame();
        cv_truth_tell(&canvas.document, &canvas.editor.view, CV_NONE, true, overdraw, &truth);
        assert_true(truth.is_exact);
        count_on_device();
        for (int k = 0; k < WIDTH * HEIGHT; k++) {
            if (pixels[k * 4] != overdraw[k]) {
                fail_msg("%s: pixel %d %d is drawn %d times, not %d", scenes[i], k % WIDTH,
                         k / WIDTH, pixels[k * 4], overdraw[k]);
            }
        }
        close_scene();
    }
}

static uint32_t color_at(int x, int y)
{
    const uint8_t *pixel = &pixels[(y * WIDTH + x) * 4];
    return (uint32_t)pixel[0] << 24 | (uint32_t)pixel[1] << 16 | (uint32_t)pixel[2] << 8 | 0xff;
}

static void draw_and_read(const char *scene, int samples)
{
    open_scene(scene, samples, true);
    check_frame();
    check_frame();
    cv_targets_read(&canvas.painter.targets, pixels);
    close_scene();
}

static uint32_t grid_color(int x, int y)
{
    const int column = x / CV_GRID_STEP, row = y / CV_GRID_STEP;
    const bool is_in = x % CV_GRID_STEP < CV_GRID_SIZE && y % CV_GRID_STEP < CV_GRID_SIZE;
    return is_in ? cv_scene_color((uint32_t)(row * CV_GRID_COLUMNS + column)) : 0xe5e7ebff;
}

static uint32_t nested_color(int x, int y)
{
    uint32_t color = 0xe5e7ebff;
    for (int i = 0; i < CV_NESTED_FRAMES; i++) {
        const int inset = (i + 1) * CV_NESTED_INSET, right = WIDTH - inset;
        if (x < inset || x >= right || y < inset || y >= HEIGHT - inset) {
            break;
        }
        color = cv_scene_color((uint32_t)i);
        /* Eight pixels of the square that hangs out; the next frame leaves sixteen. */
        color = x >= right - 8 && y >= inset + 20 && y < inset + 36 ? 0xffffffff : color;
    }
    return color;
}

static void simple_scenes_are_right_to_the_pixel(void **state)
{
    (void)state;
    for (int samples = 1; samples <= 4; samples += 3) {
        draw_and_read("grid", samples);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            assert_int_equal(color_at(i % WIDTH, i / WIDTH), grid_color(i % WIDTH, i / WIDTH));
        }
        draw_and_read("nested", samples);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            assert_int_equal(color_at(i % WIDTH, i / WIDTH), nested_color(i % WIDTH, i / WIDTH));
        }
    }
}

static void effects_reach_as_far_as_they_say_and_no_further(void **state)
{
    (void)state;
    draw_and_read("effects", 1);
    assert_int_equal(color_at(100, 100), 0xffffffff); /* the rectangle over its shadow */
    assert_int_equal(color_at(40, 100), 0x2563ebff);  /* its stroke: one pixel on either side */
    assert_int_equal(color_at(39, 100), 0x2563ebff);
    assert_true(color_at(170, 120) < 0xe0000000);        /* the shadow, below to the right */
    assert_int_equal(color_at(20, 30), 0xe5e7ebff);      /* and not above to the left */
    assert_int_equal(color_at(280, 105), 0x16a34aff);    /* the middle of what is blurred */
    assert_int_not_equal(color_at(280, 56), 0xe5e7ebff); /* around its edge */
    assert_int_equal(color_at(280, 45), 0xe5e7ebff);     /* further than its radius */
    /* Half of a group, as one: where its circles overlap the upper one is seen alone. */
    assert_int_equal(color_at(288, 265), color_at(330, 265));
    assert_int_not_equal(color_at(288, 265), 0xdc2626ff);
}

static void a_blur_is_the_same_at_the_edge_of_the_screen(void **state)
{
    uint32_t middle[64];
    (void)state;
    open_scene("effects", 1, true);
    check_frame();
    cv_targets_read(&canvas.painter.targets, pixels);
    for (int i = 0; i < 64; i++) {
        middle[i] = color_at(280, 50 + i);
    }
    send(CV_EVENT_PAN, 0, -60, 0); /* its upper edge is the screen's */
    check_frame();
    cv_targets_read(&canvas.painter.targets, pixels);
    for (int i = 10; i < 64; i++) {
        assert_int_equal(color_at(280, i - 10), middle[i]);
    }
    close_scene();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_the_truth_wherever_the_view_is),
        cmocka_unit_test(culled_is_right_in_the_frame_that_records_the_picture),
        cmocka_unit_test(without_a_cache_the_picture_is_recorded_for_every_frame),
        cmocka_unit_test(each_pixel_is_drawn_as_often_as_the_truth_says),
        cmocka_unit_test(simple_scenes_are_right_to_the_pixel),
        cmocka_unit_test(effects_reach_as_far_as_they_say_and_no_further),
        cmocka_unit_test(a_blur_is_the_same_at_the_edge_of_the_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
