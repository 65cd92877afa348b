/* SPDX-License-Identifier: MIT */
/* Pictures by the CPU: the page's colours, spans where they are, nothing silently missing. */
#include "engine/cpu/engine_cpu.h"
#include "render/png_write.h"
#include "render/render_priv.h"
#include "render_bed.h"
#include "support/cmocka_all.h"
#include "support/failing_memory.h"
#include "trace/engine.h"
#include <png.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 200 };

static void names_have_the_hues_that_they_have_in_the_page(void **state)
{
    (void)state;
    /* Worked out by hueOf() of inspector/model/colour.js. */
    static const struct {
        const char *name;
        uint32_t hue;
    } known[] = {
        { "", 3 },          { "12", 7 },         { "cascade 0", 6 },
        { "Cascade 3", 6 }, { "g-buffer", 7 },   { "a[12]", 6 },
        { "x 1 2", 0 },     { "lighting", 6 },   { "shadow_map_07", 5 },
        { "draw(3) ", 9 },  { " mip-4 ", 4 },    { "\xCE\xB3 pass 3", 7 },
        { "::1", 0 },       { "frame #12]", 1 }, { "\xF0\x9F\x99\x82", 4 },
        { "Z", 4 },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(fgi_render_hue(known[i].name), known[i].hue);
    }
}

static struct fgi_render *draw(struct fg_trace *trace, const struct fgi_render_options *options)
{
    struct fgi_render *render = NULL;
    struct fg_engine *engine = NULL;
    struct fg_query *query = NULL;
    assert_int_equal(fgi_render_create(options, &render), FG_OK);
    assert_int_equal(fgi_engine_cpu_create(NULL, trace, &engine), FG_OK);
    assert_int_equal(fg_query_create(engine, NULL, NULL, NULL, &query), FG_OK);
    assert_int_equal(fgi_render_on_cpu(render, query), FG_OK);
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
    return render;
}

static struct fgi_render_options options_of(struct fg_trace *trace)
{
    return (struct fgi_render_options){ .trace = trace,
                                        .start_ns = 0,
                                        .end_ns = RENDER_BED_NS,
                                        .width_px = WIDTH,
                                        .height_px = HEIGHT };
}

/* The pixel of a lane, in the middle of it, below any text. */
static uint32_t pixel_at(const struct fgi_render *r, uint32_t slot, int64_t time_ns)
{
    const struct fgi_render_lane *lane = &r->lanes[slot];
    const uint32_t x = (uint32_t)(fgi_render_place(r, time_ns) >> FGI_RENDER_FRACTION);
    return r->pixels[(lane->y_px + lane->height_px - 1) * WIDTH + r->plot_x_px + x];
}

static void spans_are_drawn_where_they_are_and_nothing_is_between_them(void **state)
{
    (void)state;
    struct fgi_builder *b = NULL;
    struct fg_trace *trace = NULL;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_GPU_QUEUE }, false);
    render_bed_span(b, 0, "lighting", 100000, 400000, FG_SPAN_COMPLETE);
    render_bed_span(b, 0, "g-buffer", 600000, 600001, FG_SPAN_COMPLETE);
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    struct fgi_render_options options = options_of(trace);
    options.detail = FG_DETAIL_EXACT;
    struct fgi_render *r = draw(trace, &options);
    const uint32_t lighting = r->colors[6 * FGI_HUE_LEVELS];
    const uint32_t g_buffer = r->colors[7 * FGI_HUE_LEVELS];
    const int64_t pixel_ns = RENDER_BED_NS / r->plot_width_px + 1;
    assert_int_equal(pixel_at(r, 0, 100000 + pixel_ns), lighting);
    assert_int_equal(pixel_at(r, 0, 400000 - 3 * pixel_ns), lighting);
    assert_int_not_equal(pixel_at(r, 0, 400000 + pixel_ns), lighting);
    assert_int_not_equal(pixel_at(r, 0, 100000 - 2 * pixel_ns), lighting);
    /* Far below a pixel, and not lost. */
    bool is_found = false;
    for (int i = -2; i <= 2; i++) {
        is_found = is_found || pixel_at(r, 0, 600000 + i * pixel_ns / 2) == g_buffer;
    }
    assert_true(is_found);
    fgi_render_destroy(r);
    fgi_trace_destroy(trace);
}

static void lanes_without_room_are_counted_and_told_in_the_picture(void **state)
{
    struct fgi_render_options options = options_of(*state);
    struct fgi_render *whole = draw(*state, &options);
    const struct fgi_render_counts all = fgi_render_get_counts(whole);
    options.height_px = 64;
    struct fgi_render *low = draw(*state, &options);
    const struct fgi_render_counts some = fgi_render_get_counts(low);
    assert_int_equal(all.left_out, 0);
    assert_true(some.left_out > 0);
    assert_int_equal(some.lanes + some.left_out, all.lanes);
    bool is_told = false;
    for (size_t i = (size_t)(64 - low->head_px) * WIDTH; i < (size_t)64 * WIDTH; i++) {
        is_told = is_told || low->pixels[i] == low->theme->warn;
    }
    assert_true(is_told);
    fgi_render_destroy(low);
    fgi_render_destroy(whole);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void a_picture_is_read_back_by_another_library_as_it_was(void **state)
{
    const struct fgi_render_options options = options_of(*state);
    struct fgi_render *r = draw(*state, &options);
    struct fg_memory_sink *memory = NULL;
    struct fg_sink sink;
    size_t size = 0;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fgi_png_write(&sink, NULL, fgi_render_pixels(r), WIDTH, HEIGHT), FG_OK);
    const void *bytes = fg_memory_sink_bytes(memory, &size);
    assert_true(size < (size_t)WIDTH * HEIGHT); /* of three bytes a pixel */
    png_image image = { .version = PNG_IMAGE_VERSION };
    static uint32_t pixels[WIDTH * HEIGHT];
    assert_true(png_image_begin_read_from_memory(&image, bytes, size) != 0);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL) != 0);
    assert_memory_equal(pixels, fgi_render_pixels(r), sizeof pixels);
    fg_memory_sink_destroy(memory);
    fgi_render_destroy(r);
}

static void each_allocation_that_fails_ends_in_a_result(void **state)
{
    struct fgi_render_options options = options_of(*state);
    enum fg_result result = FG_ERR_NO_MEMORY;
    for (long n = 0; result != FG_OK; n++) {
        struct failing failing = { .countdown = n };
        const struct fg_allocator allocator = failing_allocator(&failing);
        struct fgi_render *render = NULL;
        options.allocator = &allocator;
        result = fgi_render_create(&options, &render);
        assert_true(result == FG_OK || result == FG_ERR_NO_MEMORY);
        assert_true(n < 100);
        fgi_render_destroy(render);
        assert_int_equal(failing.alive, 0);
    }
}

static void what_makes_no_picture_is_refused(void **state)
{
    struct fgi_render *render = NULL;
    struct fgi_render_options options = options_of(*state);
    options.end_ns = options.start_ns;
    assert_int_equal(fgi_render_create(&options, &render), FG_ERR_ARGUMENT);
    options = options_of(*state);
    options.width_px = FGI_RENDER_LEAST_PX - 1;
    assert_int_equal(fgi_render_create(&options, &render), FG_ERR_ARGUMENT);
    options = options_of(*state);
    options.scale = FGI_RENDER_MOST_SCALE + 1;
    assert_int_equal(fgi_render_create(&options, &render), FG_ERR_ARGUMENT);
    fgi_render_destroy(NULL);
}

static int open_trace(void **state)
{
    *state = render_bed_trace(3);
    return *state != NULL ? 0 : -1;
}

static int close_trace(void **state)
{
    fgi_trace_destroy(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_the_hues_that_they_have_in_the_page),
        cmocka_unit_test(spans_are_drawn_where_they_are_and_nothing_is_between_them),
        cmocka_unit_test(lanes_without_room_are_counted_and_told_in_the_picture),
        cmocka_unit_test(a_picture_is_read_back_by_another_library_as_it_was),
        cmocka_unit_test(each_allocation_that_fails_ends_in_a_result),
        cmocka_unit_test(what_makes_no_picture_is_refused),
    };
    return cmocka_run_group_tests(tests, open_trace, close_trace);
}
