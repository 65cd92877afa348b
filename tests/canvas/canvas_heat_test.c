/* SPDX-License-Identifier: MIT */
/* Heat maps of the canvas are what the truth says, pixel by pixel, and are free while off. */
#include "cmocka_all.h"

#include "canvas_frame.h"
#include "canvas_truth.h"

#include <frameglass/overdraw.h>

#include <string.h>
#include <time.h>

enum { WIDTH = 640, HEIGHT = 480, FRAMES_MAX = 10000 };

static struct cv_canvas canvas; /* large */
static uint16_t overdraw[WIDTH * HEIGHT];

static void open_scene(const char *scene, int samples, bool trusts_software)
{
    const struct cv_canvas_options options = {
        .platform = { .width_px = WIDTH, .height_px = HEIGHT, .is_headless = true },
        .scene = scene,
        .samples = samples,
        .is_bare = true,
        .trusts_software = trusts_software,
    };
    assert_true(cv_canvas_init(&canvas, &options));
}

static void close_scene(void)
{
    assert_int_equal(canvas.gl.GetError(), GL_NO_ERROR);
    assert_true(cv_canvas_finish(&canvas));
}

static void send(enum cv_event_kind kind, float x, float y, float factor)
{
    cv_editor_handle(&canvas.editor,
                     &(const struct cv_event){ .kind = kind, .x = x, .y = y, .factor = factor });
}

static void press_shift_o(void)
{
    cv_editor_handle(&canvas.editor, &(const struct cv_event){
                                         .kind = CV_EVENT_KEY, .key = 'O', .has_shift = true });
}

/** Frames, with the same counts as ever, until a map of the view has come. */
static const struct fg_overdraw_map *come(enum cv_heat_view view,
                                          struct fg_overdraw_cost_totals *totals)
{
    static const struct timespec one_ms = { .tv_nsec = 1000000 };
    struct cv_truth truth;
    cv_truth_tell(&canvas.document, &canvas.editor.view, CV_NONE, true, NULL, &truth);
    for (int i = 0; i < FRAMES_MAX && !cv_heat_has(canvas.heat, view); i++) {
        assert_true(cv_canvas_frame(&canvas));
        assert_int_equal(canvas.facts.counts.node_count, truth.node_count);
        assert_int_equal(canvas.facts.counts.culled_count, truth.culled_count);
        assert_int_equal(canvas.facts.counts.draw_count, truth.scene_draws);
        (void)nanosleep(&one_ms, NULL);
    }
    assert_true(cv_heat_has(canvas.heat, view));
    return cv_heat_get(canvas.heat, totals);
}

static void counts_are_the_truth_to_the_pixel_whatever_the_samples(void **state)
{
    static const char *const scenes[] = { "grid", "stack", "nested", "large" };
    (void)state;
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        struct cv_truth truth;
        struct fg_overdraw_statistics statistics;
        open_scene(scenes[i], i % 2 == 0 ? 1 : 4, false);
        send(CV_EVENT_PAN, i % 2 == 0 ? -37 : 21, -13, 0);
        press_shift_o();
        const struct fg_overdraw_map *map = come(CV_HEAT_COUNTS, NULL);
        cv_truth_tell(&canvas.document, &canvas.editor.view, CV_NONE, true, overdraw, &truth);
        assert_true(truth.is_exact);
        assert_int_equal(map->width_px * map->height_px, WIDTH * HEIGHT);
        for (int k = 0; k < WIDTH * HEIGHT; k++) {
            if (map->values[k] != (float)overdraw[k]) {
                fail_msg("%s: pixel %d %d is drawn %g times, not %d", scenes[i], k % WIDTH,
                         k / WIDTH, (double)map->values[k], overdraw[k]);
            }
        }
        fg_overdraw_measure(map, &statistics);
        assert_true(statistics.sum == (double)truth.fragment_count);
        assert_true(statistics.max == (float)truth.overdraw_max);
        assert_int_equal(statistics.saturated_count, 0);
        close_scene();
    }
}

static void what_makes_effects_counts_too(void **state)
{
    (void)state;
    open_scene("effects", 1, false);
    press_shift_o();
    const struct fg_overdraw_map *map = come(CV_HEAT_COUNTS, NULL);
    /* In the middle of what is blurred: the shape, two draws of blur, and one lays it down. */
    assert_true(map->values[105 * WIDTH + 280] >= 4.0f);
    assert_true(map->values[47 * WIDTH + 280] >= 1.0f); /* around it, as far as its radius */
    assert_true(map->values[0] == 0.0f);
    close_scene();
}

static void costs_are_all_that_was_measured_and_say_whose_time_they_are(void **state)
{
    (void)state;
    for (int trusts = 0; trusts < 2; trusts++) {
        struct fg_overdraw_cost_totals totals;
        struct fg_overdraw_statistics statistics;
        open_scene("nested", 1, trusts != 0);
        press_shift_o();
        press_shift_o();
        const struct fg_overdraw_map *map = come(CV_HEAT_COSTS, &totals);
        fg_overdraw_measure(map, &statistics);
        assert_int_equal(map->clock, trusts ? FG_OVERDRAW_GPU : FG_OVERDRAW_CPU);
        assert_int_equal(totals.clock, map->clock);
        cv_truth_tell(&canvas.document, &canvas.editor.view, CV_NONE, true, overdraw,
                      &(struct cv_truth){ .node_count = 0 });
        /* Where something is drawn, and nowhere else; and in all what the nodes cost. */
        for (int k = 0; trusts == 0 && k < WIDTH * HEIGHT; k++) {
            assert_int_equal(map->values[k] > 0.0f, overdraw[k] > 0);
        }
        const double off = statistics.sum - (double)totals.placed_ns;
        assert_true(off <= 1e-4 * statistics.sum && off >= -1e-4 * statistics.sum);
        assert_int_equal(totals.lost_items, 0);
        close_scene();
    }
}

static PFNGLDRAWARRAYSPROC real_draw_arrays;
static uint32_t draws_seen;

static void APIENTRY see_draw(GLenum mode, GLint first, GLsizei count)
{
    draws_seen++;
    real_draw_arrays(mode, first, count);
}

static void shift_o_goes_round_and_off_there_is_nothing_left(void **state)
{
    (void)state;
    open_scene("nested", 1, false);
    real_draw_arrays = canvas.gl.DrawArrays;
    canvas.gl.DrawArrays = see_draw;
    for (int i = 0; i < 2; i++) {
        draws_seen = 0;
        assert_true(cv_canvas_frame(&canvas));
        assert_int_equal(draws_seen, canvas.facts.counts.draw_count);
        assert_null(canvas.heat);
        assert_true(i > 0 || canvas.painter.programs.map_solid == 0);
        press_shift_o();
        assert_int_equal(canvas.editor.heat, CV_HEAT_COUNTS);
        draws_seen = 0;
        assert_true(cv_canvas_frame(&canvas));
        assert_int_equal(draws_seen, 2 * canvas.facts.counts.draw_count);
        press_shift_o();
        assert_int_equal(canvas.editor.heat, CV_HEAT_COSTS);
        assert_true(cv_canvas_frame(&canvas));
        press_shift_o();
        assert_int_equal(canvas.editor.heat, CV_HEAT_OFF);
    }
    canvas.gl.DrawArrays = real_draw_arrays;
    close_scene();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_the_truth_to_the_pixel_whatever_the_samples),
        cmocka_unit_test(what_makes_effects_counts_too),
        cmocka_unit_test(costs_are_all_that_was_measured_and_say_whose_time_they_are),
        cmocka_unit_test(shift_o_goes_round_and_off_there_is_nothing_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
