/* SPDX-License-Identifier: MIT */
/*
 * Maps by OpenGL are what a scene comes to by brute force, pixel by pixel, in desktop and ES
 * contexts; the overlay is the picture in memory; and the context is as it was.
 */
#include "cmocka_all.h"
#include "failing_memory.h"
#include "hud/overdraw_opengl_priv.h"
#include "overdraw_gl_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Our own values against Khronos'. */
#define SAME(name, value) _Static_assert((unsigned)(value) == (unsigned)GL_##name, #name);
FGI_OVERDRAW_GL_ENUMS(SAME)
#undef SAME

enum { WIDTH = 161, HEIGHT = 97, PIXELS_MAX = 400 * 300, POLLS_MAX = 60000 };

static struct gl_bed bed;
static float truth[PIXELS_MAX];

/* ---- what the library calls, changed ------------------------------------------------------- */

static struct {
    const char *missing;
    bool is_lost, cannot_map;
    GLenum wait_result;       /**< 0 = the driver's own */
    uint64_t longest_wait_ns; /**< that was asked for */
    uint32_t early_results;   /**< of queries, asked for before they were there */
    bool is_available;
    bool is_newer; /**< the version says that there is a reset status */
} fake;
static PFNGLCLIENTWAITSYNCPROC real_wait;
static PFNGLMAPBUFFERRANGEPROC real_map;
static PFNGLGETQUERYOBJECTUIVPROC real_query;

static GLenum APIENTRY wait_sync(GLsync sync, GLbitfield flags, GLuint64 timeout_ns)
{
    fake.longest_wait_ns = timeout_ns > fake.longest_wait_ns ? timeout_ns : fake.longest_wait_ns;
    const GLenum result = real_wait(sync, flags, timeout_ns);
    return fake.wait_result != 0 ? fake.wait_result : result;
}

static void *APIENTRY map_buffer(GLenum target, GLintptr offset, GLsizeiptr size, GLbitfield access)
{
    return fake.cannot_map ? NULL : real_map(target, offset, size, access);
}

static void APIENTRY query_object(GLuint query, GLenum what, GLuint *value)
{
    real_query(query, what, value);
    if (what == GL_QUERY_RESULT_AVAILABLE) {
        fake.is_available = *value != 0;
    } else {
        fake.early_results += !fake.is_available;
    }
}

static GLenum APIENTRY reset_status(void)
{
    return fake.is_lost ? GL_GUILTY_CONTEXT_RESET : GL_NO_ERROR;
}

static const GLubyte *APIENTRY version_text(GLenum name)
{
    return name == GL_VERSION && fake.is_newer ? (const GLubyte *)"4.5"
                                               : bed.egl.gl.GetString(name);
}

static fg_opengl_function getter(const char *name)
{
    const struct {
        const char *name;
        fg_opengl_function function;
    } changed[] = {
        { "glClientWaitSync", (fg_opengl_function)wait_sync },
        { "glMapBufferRange", (fg_opengl_function)map_buffer },
        { "glGetQueryObjectuiv", (fg_opengl_function)query_object },
        { "glGetGraphicsResetStatus", (fg_opengl_function)reset_status },
        { "glGetString", (fg_opengl_function)version_text },
    };
    if (fake.missing != NULL && strcmp(name, fake.missing) == 0) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++) {
        if (strcmp(name, changed[i].name) == 0) {
            return changed[i].function;
        }
    }
    return bed.egl.get_proc_address(name);
}

static void open_bed(bool es)
{
    memset(&fake, 0, sizeof fake);
    gl_bed_open(&bed, es);
    real_wait = (PFNGLCLIENTWAITSYNCPROC)bed.egl.get_proc_address("glClientWaitSync");
    real_map = (PFNGLMAPBUFFERRANGEPROC)bed.egl.get_proc_address("glMapBufferRange");
    real_query = (PFNGLGETQUERYOBJECTUIVPROC)bed.egl.get_proc_address("glGetQueryObjectuiv");
}

/** NULL: this context has no such format. */
static struct fg_overdraw_opengl *make_maps(enum fg_overdraw_format format)
{
    struct fg_overdraw_opengl *maps = NULL;
    struct fg_diag diag = { .offset = 0 };
    const enum fg_result result = fg_overdraw_opengl_create(
        FG_OVERDRAW_OPENGL_OPTIONS(.get_proc_address = getter, .format = format), &maps, &diag);
    if (result != FG_ERR_UNSUPPORTED && result != FG_OK) {
        fail_msg("%s: %s", fg_result_name(result), diag.message);
    }
    assert_true(result == FG_OK || format != FG_OVERDRAW_FORMAT_BEST);
    return maps;
}

static void draw_map(struct fg_overdraw_opengl *maps, const struct scene *scene,
                     enum fg_overdraw_kind kind, uint32_t flags, struct fg_overdraw_costs *costs)
{
    const struct fg_overdraw_opengl_frame frame = {
        .width_px = scene->width_px,
        .height_px = scene->height_px,
        .kind = kind,
        .flags = flags | (scene->tests_depth ? FG_OVERDRAW_OPENGL_DEPTH : 0),
        .costs = costs,
        .number = 7,
    };
    assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_OK);
    scene_draw(scene, &bed, maps);
    fg_overdraw_opengl_end(maps);
}

/** A driver that shares the processor needs some of it. */
static bool is_busy(enum fg_result result, int polls)
{
    static const struct timespec one_ms = { .tv_nsec = 1000000 };
    if (result == FG_ERR_BUSY && polls > 0) {
        (void)nanosleep(&one_ms, NULL);
    }
    return result == FG_ERR_BUSY && polls < POLLS_MAX;
}

static void poll_map(struct fg_overdraw_opengl *maps, struct fg_overdraw_map *map)
{
    enum fg_result result = FG_ERR_BUSY;
    for (int i = 0; is_busy(result, i); i++) {
        result = fg_overdraw_opengl_poll(maps, map);
    }
    assert_int_equal(result, FG_OK);
}

static void poll_cover(struct fg_overdraw_opengl *maps)
{
    enum fg_result result = FG_ERR_BUSY;
    for (int i = 0; is_busy(result, i); i++) {
        result = fg_overdraw_opengl_poll_cover(maps);
    }
    assert_int_equal(result, FG_OK);
}

static void assert_map(const struct fg_overdraw_map *map, const struct scene *scene,
                       double tolerance)
{
    assert_int_equal(map->width_px, scene->width_px);
    assert_int_equal(map->height_px, scene->height_px);
    assert_int_equal(map->frame, 7);
    for (uint32_t i = 0; i < scene->width_px * scene->height_px; i++) {
        const double off = (double)map->values[i] - (double)truth[i];
        if (off > tolerance * (double)truth[i] || off < -tolerance * (double)truth[i]) {
            fail_msg("%s: pixel %u %u is %g, not %g", bed.egl.es ? "ES" : "GL", i % scene->width_px,
                     i / scene->width_px, (double)map->values[i], (double)truth[i]);
        }
    }
}

/* ---- counts and costs ---------------------------------------------------------------------- */

static void every_pixel_counts_what_is_drawn_there_in_every_context_and_format(void **state)
{
    static struct scene scene = { .width_px = WIDTH, .height_px = HEIGHT };
    (void)state;
    for (int es = 0; es < 2; es++) {
        open_bed(es != 0);
        for (int format = 0; format <= FG_OVERDRAW_FORMAT_R8; format++) {
            struct fg_overdraw_opengl *maps = make_maps((enum fg_overdraw_format)format);
            struct fg_overdraw_map map;
            for (uint32_t seed = 1; maps != NULL && seed <= 4; seed++) {
                scene.tests_depth = seed % 2 == 0;
                scene_make(&scene, seed, 100);
                scene_truth(&scene, NULL, truth, NULL);
                draw_map(maps, &scene, FG_OVERDRAW_COUNTS, 0, NULL);
                assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
                poll_map(maps, &map);
                assert_map(&map, &scene, 0);
                assert_true(map.limit == fg_overdraw_limit(fg_overdraw_opengl_get_format(maps)));
            }
            fg_overdraw_opengl_destroy(maps);
        }
        gl_bed_close(&bed);
    }
    assert_int_equal(fake.longest_wait_ns, 0);
}

/** One item in a corner, so often. */
static void draw_often(struct fg_overdraw_opengl *maps, uint32_t times, enum fg_overdraw_kind kind,
                       struct fg_overdraw_costs *costs)
{
    static struct scene scene = {
        .width_px = 8,
        .height_px = 4,
        .count = 1,
        .rectangles = { { 0, 0, 3, 2, { 0, 0, 8, 4 }, 0.5f, 5 } },
    };
    const struct fg_overdraw_opengl_frame frame = {
        .width_px = 8, .height_px = 4, .kind = kind, .costs = costs
    };
    assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_OK);
    for (uint32_t i = 0; i < times; i++) {
        scene_draw(&scene, &bed, maps);
    }
    fg_overdraw_opengl_end(maps);
    assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
}

static void a_count_stays_at_the_limit_of_its_format_and_that_is_told(void **state)
{
    static const enum fg_overdraw_format formats[] = { FG_OVERDRAW_FORMAT_R8,
                                                       FG_OVERDRAW_FORMAT_R16F };
    (void)state;
    for (int es = 0; es < 2; es++) {
        open_bed(es != 0);
        for (size_t i = 0; i < 2; i++) {
            struct fg_overdraw_opengl *maps = make_maps(formats[i]);
            if (maps == NULL) {
                continue;
            }
            const uint32_t limit = (uint32_t)fg_overdraw_limit(formats[i]);
            for (uint32_t times = limit - 1; times <= limit + 40; times += 41) {
                struct fg_overdraw_map map;
                struct fg_overdraw_statistics statistics;
                draw_often(maps, times, FG_OVERDRAW_COUNTS, NULL);
                poll_map(maps, &map);
                fg_overdraw_measure(&map, &statistics);
                assert_true(statistics.max == (float)(times < limit ? times : limit));
                assert_int_equal(statistics.saturated_count, times < limit ? 0 : 6);
                assert_int_equal(statistics.touched_count, 6);
            }
            fg_overdraw_opengl_destroy(maps);
        }
        gl_bed_close(&bed);
    }
}

static void costs_saturate_where_whole_numbers_do(void **state)
{
    struct fg_overdraw_costs *costs = NULL;
    struct fg_overdraw_map map;
    struct fg_overdraw_statistics statistics;
    (void)state;
    open_bed(false);
    struct fg_overdraw_opengl *maps = make_maps(FG_OVERDRAW_FORMAT_R32F);
    assert_int_equal(fg_overdraw_costs_create(NULL, 4, &costs), FG_OK);
    fg_overdraw_costs_add(costs, 5, FG_OVERDRAW_GPU, 8388608);
    fg_overdraw_costs_cover(costs, 5, 1);
    draw_often(maps, 1, FG_OVERDRAW_COSTS, costs);
    poll_map(maps, &map);
    fg_overdraw_measure(&map, &statistics);
    assert_int_equal(statistics.saturated_count, 0);
    assert_int_equal(map.clock, FG_OVERDRAW_GPU);
    draw_often(maps, 2, FG_OVERDRAW_COSTS, costs);
    poll_map(maps, &map);
    fg_overdraw_measure(&map, &statistics);
    assert_int_equal(statistics.saturated_count, 6);
    fg_overdraw_opengl_destroy(maps);
    maps = make_maps(FG_OVERDRAW_FORMAT_R8);
    const struct fg_overdraw_opengl_frame frame = { .width_px = 8,
                                                    .height_px = 4,
                                                    .kind = FG_OVERDRAW_COSTS };
    assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_ERR_UNSUPPORTED);
    fg_overdraw_opengl_destroy(maps);
    fg_overdraw_costs_destroy(costs);
    gl_bed_close(&bed);
}

static void costs_are_spread_over_the_fragments_that_were_counted(void **state)
{
    static struct scene scene = { .width_px = WIDTH, .height_px = HEIGHT };
    static uint64_t fragments[256];
    (void)state;
    open_bed(false);
    struct fg_overdraw_opengl *maps = make_maps(FG_OVERDRAW_FORMAT_BEST);
    assert_true(fg_overdraw_opengl_can_cover(maps));
    for (uint32_t seed = 11; seed < 15; seed++) {
        struct fg_overdraw_costs *costs = NULL;
        struct fg_overdraw_map map;
        struct fg_overdraw_statistics statistics;
        struct fg_overdraw_cost_totals totals;
        uint64_t sum = 0;
        assert_int_equal(fg_overdraw_costs_create(NULL, 0, &costs), FG_OK);
        scene.tests_depth = seed % 2 == 0;
        scene_make(&scene, seed, 60);
        scene_truth(&scene, NULL, truth, fragments);
        for (uint64_t id = 1; id <= 13; id++) { /* one of which is not drawn */
            fg_overdraw_costs_add(costs, id * 1000003u, FG_OVERDRAW_CPU, (int64_t)(id * 10007));
        }
        draw_map(maps, &scene, FG_OVERDRAW_COUNTS, FG_OVERDRAW_OPENGL_COVER, costs);
        poll_cover(maps);
        assert_int_equal(fg_overdraw_opengl_poll_cover(maps), FG_ERR_NOT_FOUND);
        for (uint32_t i = 0; i < scene.count; i++) {
            sum += fragments[i];
        }
        fg_overdraw_costs_totals(costs, &totals);
        assert_int_equal(totals.fragment_count, sum);
        assert_true(totals.unplaced_ns >= 13 * 10007);
        assert_int_equal(totals.placed_ns + totals.unplaced_ns, 91 * 10007);
        scene_truth(&scene, costs, truth, NULL);
        draw_map(maps, &scene, FG_OVERDRAW_COSTS, 0, costs);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
        poll_map(maps, &map);
        assert_map(&map, &scene, 1e-5);
        fg_overdraw_measure(&map, &statistics);
        const double off = statistics.sum / (double)totals.placed_ns - 1;
        assert_true(off < 1e-5 && off > -1e-5);
        assert_int_equal(map.clock, FG_OVERDRAW_CPU);
        fg_overdraw_costs_destroy(costs);
    }
    assert_int_equal(fake.early_results, 0);
    fg_overdraw_opengl_destroy(maps);
    gl_bed_close(&bed);
}

static void items_that_find_no_room_are_told(void **state)
{
    static struct scene scene = { .width_px = WIDTH, .height_px = HEIGHT };
    struct fg_overdraw_opengl *maps = NULL;
    struct fg_overdraw_costs *costs = NULL;
    enum fg_result result = FG_ERR_BUSY;
    (void)state;
    open_bed(false);
    assert_int_equal(fg_overdraw_costs_create(NULL, 0, &costs), FG_OK);
    assert_int_equal(
        fg_overdraw_opengl_create(
            FG_OVERDRAW_OPENGL_OPTIONS(.get_proc_address = getter, .item_max = 20), &maps, NULL),
        FG_OK);
    scene_make(&scene, 3, 60);
    draw_map(maps, &scene, FG_OVERDRAW_COUNTS, FG_OVERDRAW_OPENGL_COVER, costs);
    for (int i = 0; is_busy(result, i); i++) {
        result = fg_overdraw_opengl_poll_cover(maps);
    }
    assert_int_equal(result, FG_ERR_LIMIT);
    fg_overdraw_opengl_destroy(maps);
    fg_overdraw_costs_destroy(costs);
    gl_bed_close(&bed);
}

/* As where a shadow map is drawn in between, into a framebuffer of its own. */
static void a_map_goes_on_after_the_application_drew_into_something_else(void **state)
{
    static struct scene scene = { .width_px = WIDTH, .height_px = HEIGHT };
    const struct fg_overdraw_opengl_frame frame = { .width_px = WIDTH,
                                                    .height_px = HEIGHT,
                                                    .number = 7 };
    (void)state;
    scene_make(&scene, 9, 50);
    scene_truth(&scene, NULL, truth, NULL);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        truth[i] *= 2.0f;
    }
    for (int es = 0; es < 2; es++) {
        struct fg_overdraw_map map;
        GLint other, seen;
        open_bed(es != 0);
        struct fg_overdraw_opengl *maps = make_maps(FG_OVERDRAW_FORMAT_BEST);
        bed.gl.GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &other);
        fg_overdraw_opengl_bind(maps); /* none is open: it stays */
        bed.gl.GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &seen);
        assert_int_equal(seen, other);
        assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_OK);
        scene_draw(&scene, &bed, maps);
        bed.egl.gl.BindFramebuffer(GL_FRAMEBUFFER, (GLuint)other);
        bed.egl.gl.Viewport(1, 2, 3, 4);
        bed.egl.gl.Enable(GL_DEPTH_TEST);
        bed.gl.DepthFunc(GL_NEVER);
        bed.gl.Disable(GL_BLEND);
        bed.gl.BlendColor(0.5f, 0.25f, 0.0f, 0.0f);
        bed.gl.BlendFuncSeparate(GL_ZERO, GL_ONE, GL_ZERO, GL_ONE);
        bed.gl.BlendEquationSeparate(GL_FUNC_SUBTRACT, GL_FUNC_SUBTRACT);
        bed.gl.ColorMask(GL_FALSE, GL_TRUE, GL_TRUE, GL_TRUE);
        fg_overdraw_opengl_bind(maps);
        scene_draw(&scene, &bed, maps);
        fg_overdraw_opengl_end(maps);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
        poll_map(maps, &map);
        assert_map(&map, &scene, 0);
        fg_overdraw_opengl_destroy(maps);
        gl_bed_close(&bed);
    }
}

/* ---- sizes, read-backs ----------------------------------------------------------------------- */

static void a_map_of_another_size_is_made_anew_and_older_ones_still_come(void **state)
{
    static struct scene small = { .width_px = 33, .height_px = 70 };
    static struct scene large = { .width_px = 400, .height_px = 300 };
    struct fg_overdraw_map map;
    (void)state;
    for (int es = 0; es < 2; es++) {
        open_bed(es != 0);
        struct fg_overdraw_opengl *maps = make_maps(FG_OVERDRAW_FORMAT_BEST);
        small.tests_depth = large.tests_depth = true;
        scene_make(&small, 21, 50);
        scene_make(&large, 22, 50);
        draw_map(maps, &small, FG_OVERDRAW_COUNTS, 0, NULL);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
        draw_map(maps, &large, FG_OVERDRAW_COUNTS, 0, NULL);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
        draw_map(maps, &small, FG_OVERDRAW_COUNTS, 0, NULL);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_ERR_BUSY);
        for (int i = 0; i < 3; i++) {
            const struct scene *scene = i == 1 ? &large : &small;
            scene_truth(scene, NULL, truth, NULL);
            poll_map(maps, &map);
            assert_map(&map, scene, 0);
        }
        assert_int_equal(fg_overdraw_opengl_poll(maps, &map), FG_ERR_NOT_FOUND);
        fg_overdraw_opengl_destroy(maps);
        gl_bed_close(&bed);
    }
}

static void frames_after_the_first_take_no_memory(void **state)
{
    static struct scene scene = { .width_px = WIDTH, .height_px = HEIGHT };
    struct failing memory = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&memory);
    const struct fg_overdraw_opengl_options options = { .allocator = &allocator,
                                                        .get_proc_address = getter };
    struct fg_overdraw_opengl *maps = NULL;
    struct fg_overdraw_costs *costs = NULL;
    struct fg_overdraw_map map;
    (void)state;
    open_bed(false);
    memory.countdown = 0;
    assert_int_equal(fg_overdraw_opengl_create(&options, &maps, NULL), FG_ERR_NO_MEMORY);
    memory.countdown = -1;
    assert_int_equal(fg_overdraw_opengl_create(&options, &maps, NULL), FG_OK);
    assert_int_equal(fg_overdraw_costs_create(&allocator, 100, &costs), FG_OK);
    scene_make(&scene, 5, 30);
    const struct fg_overdraw_opengl_frame frame = {
        .width_px = WIDTH, .height_px = HEIGHT, .flags = FG_OVERDRAW_OPENGL_COVER, .costs = costs
    };
    for (int i = 0; i < 2; i++) {
        memory.countdown = 0; /* the first of two, then the other one */
        assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_ERR_NO_MEMORY);
    }
    for (int i = 0; i < 6; i++) {
        memory.countdown = i == 0 ? -1 : 0;
        memory.stays = i > 0;
        draw_map(maps, &scene, FG_OVERDRAW_COUNTS, FG_OVERDRAW_OPENGL_COVER, costs);
        poll_cover(maps);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
        poll_map(maps, &map);
    }
    fg_overdraw_opengl_destroy(maps);
    fg_overdraw_costs_destroy(costs);
    assert_int_equal(memory.alive, 0);
    gl_bed_close(&bed);
}

static void a_lost_context_is_told_and_nothing_hangs(void **state)
{
    static struct scene scene = { .width_px = WIDTH, .height_px = HEIGHT };
    struct fg_overdraw_costs *costs = NULL;
    struct fg_overdraw_map map;
    (void)state;
    open_bed(false);
    fake.is_newer = true;
    struct fg_overdraw_opengl *maps = make_maps(FG_OVERDRAW_FORMAT_BEST);
    assert_int_equal(fg_overdraw_costs_create(NULL, 0, &costs), FG_OK);
    scene_make(&scene, 6, 10);
    for (int how = 0; how < 3; how++) {
        draw_map(maps, &scene, FG_OVERDRAW_COUNTS, FG_OVERDRAW_OPENGL_COVER, costs);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
        fake.is_lost = how == 0;
        fake.wait_result = how == 1 ? GL_WAIT_FAILED : 0;
        fake.cannot_map = how == 2;
        enum fg_result result = FG_ERR_BUSY;
        for (int i = 0; is_busy(result, i); i++) {
            result = fg_overdraw_opengl_poll(maps, &map);
        }
        assert_int_equal(result, FG_ERR_DEVICE_LOST);
        assert_int_equal(fg_overdraw_opengl_poll(maps, &map), FG_ERR_NOT_FOUND);
        if (fake.is_lost) {
            const struct fg_overdraw_opengl_frame frame = { .width_px = 8, .height_px = 8 };
            assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_ERR_DEVICE_LOST);
            assert_int_equal(fg_overdraw_opengl_read(maps), FG_ERR_DEVICE_LOST);
            assert_int_equal(fg_overdraw_opengl_poll_cover(maps), FG_ERR_DEVICE_LOST);
            fake.is_lost = false;
        } else {
            poll_cover(maps);
        }
    }
    fake.wait_result = GL_TIMEOUT_EXPIRED;
    assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
    assert_int_equal(fg_overdraw_opengl_poll(maps, &map), FG_ERR_BUSY);
    fg_overdraw_opengl_destroy(maps);
    fg_overdraw_costs_destroy(costs);
    gl_bed_close(&bed);
}

static void what_cannot_be_is_refused(void **state)
{
    struct fg_overdraw_opengl *maps = NULL;
    struct fg_diag diag = { .offset = 0 };
    struct fg_overdraw_opengl_options options = { .get_proc_address = getter };
    struct fg_overdraw_opengl_frame frame = { .width_px = 8, .height_px = 8 };
    (void)state;
    open_bed(false);
    fake.missing = "glFenceSync";
    assert_int_equal(fg_overdraw_opengl_create(&options, &maps, &diag), FG_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.message, fake.missing));
    fake.missing = NULL;
    options.read_count = 17;
    assert_int_equal(fg_overdraw_opengl_create(&options, &maps, &diag), FG_ERR_ARGUMENT);
    options.read_count = 0;
    assert_null(maps);
    assert_int_equal(fg_overdraw_opengl_create(&options, &maps, &diag), FG_OK);
    assert_int_equal(fg_overdraw_opengl_read(maps), FG_ERR_STATE);
    assert_int_equal(fg_overdraw_opengl_begin(maps, NULL), FG_ERR_ARGUMENT);
    frame.width_px = 1u << 20;
    assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_ERR_LIMIT);
    frame.width_px = 8;
    assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_OK);
    assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_ERR_STATE);
    fg_overdraw_opengl_destroy(maps); /* open: it is ended */
    fg_overdraw_opengl_destroy(NULL);
    assert_int_equal(fg_overdraw_opengl_begin(NULL, &frame), FG_ERR_ARGUMENT);
    fg_overdraw_opengl_end(NULL);
    fg_overdraw_opengl_bind(NULL);
    fg_overdraw_opengl_item(NULL, 1);
    gl_bed_close(&bed);
}

/* ---- the overlay, and the state -------------------------------------------------------------- */

static GLuint make_picture(GLenum format, GLuint *renderbuffer)
{
    GLuint framebuffer = 0;
    bed.egl.gl.GenRenderbuffers(1, renderbuffer);
    bed.egl.gl.BindRenderbuffer(GL_RENDERBUFFER, *renderbuffer);
    bed.egl.gl.RenderbufferStorage(GL_RENDERBUFFER, format, WIDTH, HEIGHT);
    bed.egl.gl.GenFramebuffers(1, &framebuffer);
    bed.egl.gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    bed.egl.gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                       *renderbuffer);
    return framebuffer;
}

/** The largest difference of a channel between the framebuffer and what it must be. */
static int difference(const uint8_t *expected)
{
    static uint8_t seen[WIDTH * HEIGHT * 4];
    int largest = 0;
    bed.gl.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, seen);
    for (int y = 0; y < HEIGHT; y++) {
        for (int i = 0; i < WIDTH * 4; i++) {
            const int off =
                abs(expected[y * WIDTH * 4 + i] - seen[(HEIGHT - 1 - y) * WIDTH * 4 + i]);
            largest = off > largest ? off : largest;
        }
    }
    return largest;
}

static void the_overlay_is_the_picture_in_memory(void **state)
{
    static struct scene scene = { .width_px = WIDTH, .height_px = HEIGHT };
    static uint8_t expected[WIDTH * HEIGHT * 4];
    static const float grey[4] = { 0.2f, 0.4f, 0.8f, 1.0f };
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        const bool es = kind % 3 > 0, is_srgb = kind % 3 == 2, is_log = kind >= 3;
        struct fg_overdraw_opengl *maps = NULL;
        struct fg_overdraw_map map;
        GLuint renderbuffer = 0;
        open_bed(es);
        assert_int_equal(
            fg_overdraw_opengl_create(
                FG_OVERDRAW_OPENGL_OPTIONS(.get_proc_address = getter,
                                           .flags = is_srgb ? FG_OVERDRAW_OPENGL_LINEAR : 0),
                &maps, NULL),
            FG_OK);
        scene_make(&scene, 31, 40);
        draw_map(maps, &scene, FG_OVERDRAW_COUNTS, 0, NULL);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
        const GLuint framebuffer =
            make_picture(is_srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8, &renderbuffer);
        bed.gl.ClearBufferfv(GL_COLOR, 0, grey);
        bed.gl.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, expected);
        const struct fg_overdraw_scale scale = { .bottom = is_log ? 0.5f : 1.0f,
                                                 .top = 11.0f,
                                                 .is_log = is_log };
        const struct fg_hud_pixels pixels = {
            .pixels = expected, .width_px = WIDTH, .height_px = HEIGHT, .is_srgb = is_srgb
        };
        fg_overdraw_opengl_overlay(maps, &scale, 0.7f, WIDTH, HEIGHT);
        poll_map(maps, &map);
        fg_overdraw_memory_draw(&map, &scale, 0.7f, &pixels);
        /* A colour further, where a driver's logarithm is. */
        assert_in_range(difference(expected), 0, is_log ? 5 : 2);
        fg_overdraw_opengl_destroy(maps);
        bed.gl.DeleteFramebuffers(1, &framebuffer);
        bed.gl.DeleteRenderbuffers(1, &renderbuffer);
        gl_bed_close(&bed);
    }
}

/* It lives until another is made current: the map is not laid over the frame then. */
static void a_current_program_that_is_deleted_stays_current_and_alive(void **state)
{
    static struct scene scene = { .width_px = WIDTH, .height_px = HEIGHT };
    static const struct fg_overdraw_scale scale = { .bottom = 1.0f, .top = 11.0f };
    struct fg_overdraw_opengl *maps = NULL, *others = NULL;
    GLuint renderbuffer = 0;
    GLint current = 0, is_flagged = 0;
    (void)state;
    open_bed(false);
    scene_make(&scene, 31, 40);
    assert_int_equal(fg_overdraw_opengl_create(
                         FG_OVERDRAW_OPENGL_OPTIONS(.get_proc_address = getter), &maps, NULL),
                     FG_OK);
    draw_map(maps, &scene, FG_OVERDRAW_COUNTS, 0, NULL);
    const GLuint framebuffer = make_picture(GL_RGBA8, &renderbuffer);
    bed.egl.gl.UseProgram(bed.program);
    bed.gl.DeleteProgram(bed.program);
    assert_int_equal(fg_overdraw_opengl_create(
                         FG_OVERDRAW_OPENGL_OPTIONS(.get_proc_address = getter), &others, NULL),
                     FG_OK);
    fg_overdraw_opengl_overlay(maps, &scale, 0.7f, WIDTH, HEIGHT);
    bed.gl.GetIntegerv(GL_CURRENT_PROGRAM, &current);
    assert_int_equal(current, bed.program);
    bed.egl.gl.GetProgramiv(bed.program, GL_DELETE_STATUS, &is_flagged);
    assert_true(is_flagged);
    bed.egl.gl.UseProgram(0);
    fg_overdraw_opengl_destroy(maps);
    fg_overdraw_opengl_destroy(others);
    bed.gl.DeleteFramebuffers(1, &framebuffer);
    bed.gl.DeleteRenderbuffers(1, &renderbuffer);
    gl_bed_close(&bed);
}

/** What an application can see of what is touched. */
struct seen {
    GLint integers[32];
    GLfloat floats[8];
    GLboolean masks[5];
    GLboolean switches[6];
};

static void look(struct seen *s)
{
    static const GLenum names[] = {
        GL_DRAW_FRAMEBUFFER_BINDING,
        GL_READ_FRAMEBUFFER_BINDING,
        GL_RENDERBUFFER_BINDING,
        GL_CURRENT_PROGRAM,
        GL_VERTEX_ARRAY_BINDING,
        GL_ACTIVE_TEXTURE,
        GL_UNPACK_ALIGNMENT,
        GL_UNPACK_SKIP_ROWS,
        GL_UNPACK_SKIP_PIXELS,
        GL_PACK_ALIGNMENT,
        GL_PACK_ROW_LENGTH,
        GL_PACK_SKIP_ROWS,
        GL_PACK_SKIP_PIXELS,
        GL_PIXEL_PACK_BUFFER_BINDING,
        GL_PIXEL_UNPACK_BUFFER_BINDING,
        GL_BLEND_SRC_RGB,
        GL_BLEND_DST_RGB,
        GL_BLEND_SRC_ALPHA,
        GL_BLEND_DST_ALPHA,
        GL_BLEND_EQUATION_RGB,
        GL_BLEND_EQUATION_ALPHA,
    };
    static const GLenum switches[] = {
        GL_BLEND,         GL_DITHER, GL_DEPTH_TEST, GL_SCISSOR_TEST, GL_RASTERIZER_DISCARD,
        GL_COLOR_LOGIC_OP
    };
    int n = 0;
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bed.gl.GetIntegerv(names[i], &s->integers[n++]);
    }
    for (GLenum i = 0; i < 2; i++) {
        bed.gl.ActiveTexture(GL_TEXTURE0 + i);
        bed.gl.GetIntegerv(GL_TEXTURE_BINDING_2D, &s->integers[n++]);
        bed.gl.GetIntegerv(GL_SAMPLER_BINDING, &s->integers[n++]);
    }
    bed.gl.ActiveTexture((GLenum)s->integers[5]);
    bed.gl.GetFloatv(GL_BLEND_COLOR, s->floats);
    bed.gl.GetFloatv(GL_VIEWPORT, s->floats + 4);
    bed.gl.GetBooleanv(GL_COLOR_WRITEMASK, s->masks);
    bed.gl.GetBooleanv(GL_DEPTH_WRITEMASK, s->masks + 4);
    for (int i = 0; i < (bed.egl.es ? 5 : 6); i++) {
        s->switches[i] = bed.gl.IsEnabled(switches[i]);
    }
}

static void make_a_mess(void)
{
    GLuint names[6];
    bed.gl.GenTextures(2, names);
    bed.gl.GenSamplers(2, names + 2);
    bed.gl.GenBuffers(2, names + 4);
    for (GLuint i = 0; i < 2; i++) {
        bed.gl.ActiveTexture(GL_TEXTURE0 + i);
        bed.gl.BindTexture(GL_TEXTURE_2D, names[i]);
        bed.gl.BindSampler(i, names[2 + i]);
    }
    bed.gl.BindBuffer(GL_PIXEL_PACK_BUFFER, names[4]);
    bed.gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, names[5]);
    bed.gl.PixelStorei(GL_UNPACK_SKIP_ROWS, 3);
    bed.gl.PixelStorei(GL_UNPACK_SKIP_PIXELS, 5);
    bed.gl.PixelStorei(GL_PACK_ALIGNMENT, 8);
    bed.gl.PixelStorei(GL_PACK_ROW_LENGTH, 999);
    bed.gl.PixelStorei(GL_PACK_SKIP_ROWS, 2);
    bed.gl.PixelStorei(GL_PACK_SKIP_PIXELS, 4);
    bed.gl.Disable(GL_BLEND);
    bed.gl.BlendFuncSeparate(GL_ZERO, GL_ONE, GL_DST_COLOR, GL_ZERO);
    bed.gl.BlendEquationSeparate(GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT);
    bed.gl.BlendColor(0.1f, 0.2f, 0.3f, 0.4f);
    bed.gl.ColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_FALSE);
    bed.gl.DepthMask(GL_FALSE);
    bed.egl.gl.Viewport(3, 5, 7, 9);
    bed.gl.Scissor(1, 1, 1, 1);
    bed.egl.gl.Enable(GL_SCISSOR_TEST);
    bed.egl.gl.Enable(GL_DEPTH_TEST);
    if (!bed.egl.es) {
        bed.egl.gl.Enable(GL_COLOR_LOGIC_OP);
    }
}

static void whatever_was_left_the_map_is_right_and_the_state_is_as_it_was(void **state)
{
    static struct scene scene = { .width_px = WIDTH, .height_px = HEIGHT };
    static struct seen before, after;
    const struct fg_overdraw_scale scale = { .bottom = 1.0f, .top = 8.0f };
    struct fg_overdraw_map map;
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        open_bed(kind % 2 == 1);
        const uint32_t depth = kind < 2 ? 0 : FG_OVERDRAW_OPENGL_DEPTH;
        const struct fg_overdraw_opengl_frame frame = {
            .width_px = WIDTH, .height_px = HEIGHT, .flags = depth, .number = 7
        };
        scene_make(&scene, 41, 40);
        scene_truth(&scene, NULL, truth, NULL);
        make_a_mess();
        look(&before);
        struct fg_overdraw_opengl *maps = make_maps(FG_OVERDRAW_FORMAT_BEST);
        look(&after);
        assert_memory_equal(&before, &after, sizeof before);
        assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_OK);
        fg_overdraw_opengl_end(maps);
        look(&after);
        assert_memory_equal(&before, &after, sizeof before);
        fg_overdraw_opengl_overlay(maps, &scale, 0.5f, WIDTH, HEIGHT);
        look(&after);
        assert_memory_equal(&before, &after, sizeof before);
        /* llvmpipe with threads mixes up a target that was cleared only, read, and drawn into. */
        bed.egl.gl.Finish();
        assert_int_equal(fg_overdraw_opengl_begin(maps, &frame), FG_OK);
        bed.gl.Disable(GL_DEPTH_TEST);
        scene_draw(&scene, &bed, maps);
        fg_overdraw_opengl_end(maps);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
        poll_map(maps, &map);
        assert_map(&map, &scene, 0);
        make_a_mess();
        look(&before);
        assert_int_equal(fg_overdraw_opengl_read(maps), FG_OK);
        poll_map(maps, &map);
        assert_map(&map, &scene, 0);
        look(&after);
        assert_memory_equal(&before, &after, sizeof before);
        fg_overdraw_opengl_destroy(maps);
        gl_bed_close(&bed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pixel_counts_what_is_drawn_there_in_every_context_and_format),
        cmocka_unit_test(a_count_stays_at_the_limit_of_its_format_and_that_is_told),
        cmocka_unit_test(costs_saturate_where_whole_numbers_do),
        cmocka_unit_test(costs_are_spread_over_the_fragments_that_were_counted),
        cmocka_unit_test(items_that_find_no_room_are_told),
        cmocka_unit_test(a_map_goes_on_after_the_application_drew_into_something_else),
        cmocka_unit_test(a_map_of_another_size_is_made_anew_and_older_ones_still_come),
        cmocka_unit_test(frames_after_the_first_take_no_memory),
        cmocka_unit_test(a_lost_context_is_told_and_nothing_hangs),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(the_overlay_is_the_picture_in_memory),
        cmocka_unit_test(a_current_program_that_is_deleted_stays_current_and_alive),
        cmocka_unit_test(whatever_was_left_the_map_is_right_and_the_state_is_as_it_was),
    };
    if (!egl_bed_open(&bed.egl, false, false)) {
        return 77;
    }
    egl_bed_close(&bed.egl);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
