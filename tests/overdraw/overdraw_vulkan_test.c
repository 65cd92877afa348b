/* SPDX-License-Identifier: MIT */
/* Maps with Vulkan are what a brute count of every pixel gives, and are drawn as in memory. */
#include "cmocka_all.h"
#include "counting.h"
#include "failing_vulkan.h"
#include "hud_compare.h"
#include "overdraw_rectangles.h"
#include "vulkan_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH     200
#define HEIGHT    120
#define PIXELS    (WIDTH * HEIGHT)
#define TOLERANCE 2

/* Layers, holes, one that sticks out on every side, one that is out of sight. */
static const struct rectangle scene[] = {
    { -10, -10, 210, 130, 0.75f, 1 },  { 10, 10, 110, 110, 0.5f, 2 },
    { 20, 20, 60, 60, 0.25f, 3 },      { 20, 20, 60, 60, 0.25f, 3 },
    { 90, 5, 199, 60, 0.625f, 4 },     { 100, 15, 180, 119, 0.5f, 5 },
    { 150, 100, 260, 140, 0.125f, 6 }, { 300, 300, 400, 400, 0.5f, 7 },
    { 55, 55, 56, 56, 0.9375f, 8 },
};
#define SCENE_COUNT (sizeof scene / sizeof scene[0])

static struct bed bed;
static struct rectangles rectangles;

static struct fg_overdraw_vulkan_options device_options(void)
{
    return (struct fg_overdraw_vulkan_options){
        .common = { .instance = bed.instance,
                    .physical_device = bed.physical,
                    .device = bed.device,
                    .get_instance_proc_addr = failing_vulkan_instance,
                    .get_device_proc_addr = failing_vulkan_device },
        .item_max = bed.features.features.occlusionQueryPrecise ? 16 : 0,
    };
}

static struct fg_overdraw_vulkan *make_overdraw(const struct fg_overdraw_vulkan_options *options)
{
    struct fg_overdraw_vulkan *overdraw = NULL;
    assert_int_equal(fg_overdraw_vulkan_create(options, &overdraw), FG_OK);
    return overdraw;
}

static VkCommandBuffer begin_commands(void)
{
    const VkCommandBuffer commands = bed_commands(&bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    bed_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    return commands;
}

static void run(VkCommandBuffer commands)
{
    bed_end(commands);
    bed_submit(&bed, &commands, 1, VK_NULL_HANDLE);
    bed_wait_idle(&bed);
}

static void record_map(struct fg_overdraw_vulkan *overdraw, VkCommandBuffer commands, uint32_t slot,
                       const struct fg_overdraw_vulkan_pass *pass, VkPipeline twin,
                       const struct rectangle *some, size_t count)
{
    assert_int_equal(fg_overdraw_vulkan_begin(overdraw, commands, slot, pass), FG_OK);
    rectangles_draw(&rectangles, overdraw, commands, slot, twin, some, count, pass->width_px,
                    pass->height_px);
    fg_overdraw_vulkan_end(overdraw, commands, slot);
}

static void assert_same(const float *expected, const struct fg_overdraw_map *map, const char *what)
{
    for (uint32_t y = 0; y < map->height_px; y++) {
        for (uint32_t x = 0; x < map->width_px; x++) {
            const float seen = map->values[(size_t)y * map->width_px + x];
            const float wanted = expected[(size_t)y * map->width_px + x];
            if (seen != wanted) {
                fail_msg("%s: pixel %u, %u is %g, not %g", what, x, y, (double)seen,
                         (double)wanted);
            }
        }
    }
}

static const struct fg_overdraw_vulkan_pass counts_pass = {
    .width_px = WIDTH, .height_px = HEIGHT, .clear_depth = 1.0f, .reads_back = true, .frame = 77
};

/** Of one kind of map; with depth, cleared and then loaded. */
struct kind {
    enum fg_overdraw_format format;
    bool has_render_pass;
    bool has_depth;
    bool is_chequered;
    bool is_own; /**< the application makes the twin by itself */
};

/* An item's cost is so large that its weight tells its fragments. */
#define COST_NS (INT64_C(1) << 40)

static uint64_t fragments_of(const struct fg_overdraw_costs *costs, uint64_t id)
{
    const float weight = fg_overdraw_costs_weight(costs, id);
    return weight > 0.0f ? (uint64_t)llround((double)COST_NS / (double)weight) : 0;
}

/* Without and with what is discarded: which of the two a driver has counted is then told. */
struct covers {
    const struct rectangle *some;
    size_t count;
    uint64_t *fragments;
    uint64_t *undiscarded;
};

static uint64_t sum_of(const struct covers *covers, const uint64_t *fragments, uint64_t id)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < covers->count; i++) {
        sum += covers->some[i].id == id ? fragments[i] : 0;
    }
    return sum;
}

/* @return how many items have other fragments than they should; each is told */
static int check_covers(struct fg_overdraw_vulkan *overdraw, const struct covers *covers,
                        bool is_refusable, const char *what)
{
    struct fg_overdraw_costs *costs = NULL;
    uint64_t left_out = 5;
    int wrong = 0;
    if (!bed.features.features.occlusionQueryPrecise) {
        return 0;
    }
    assert_int_equal(fg_overdraw_costs_create(NULL, 0, &costs), FG_OK);
    for (uint64_t id = 1; id <= covers->count; id++) {
        fg_overdraw_costs_add(costs, id, FG_OVERDRAW_GPU, COST_NS);
    }
    if (!fg_overdraw_vulkan_cover(overdraw, 0, costs, &left_out)) {
        /* A driver that counts what is discarded is refused, and only that. */
        assert_true(is_refusable);
        assert_true(left_out > 0);
        print_message("%s: this driver counts what is discarded: refused\n", what);
        fg_overdraw_costs_destroy(costs);
        return 0;
    }
    assert_int_equal(left_out, 0);
    for (uint64_t id = 1; id <= covers->count; id++) {
        const uint64_t expected = sum_of(covers, covers->fragments, id);
        const uint64_t seen = fragments_of(costs, id);
        if (seen != expected) {
            print_error("%s: item %" PRIu64 " has %" PRIu64 " fragments, not %" PRIu64
                        " (with what is discarded %" PRIu64 ", twice %" PRIu64 ")\n",
                        what, id, seen, expected, sum_of(covers, covers->undiscarded, id),
                        2 * expected);
            wrong++;
        }
    }
    /* Once. */
    assert_false(fg_overdraw_vulkan_cover(overdraw, 0, costs, &left_out));
    fg_overdraw_costs_destroy(costs);
    return wrong;
}

static void reset_depth(float *depth)
{
    for (size_t i = 0; i < PIXELS; i++) {
        depth[i] = 1.0f;
    }
}

/* The last rectangle is as wide as the kind's number: fragments of another kind show. */
static int count_one(struct kind kind, int number)
{
    static float expected[PIXELS];
    static float depth[PIXELS];
    struct rectangle some[SCENE_COUNT + 1];
    uint64_t fragments[SCENE_COUNT + 1];
    uint64_t undiscarded[SCENE_COUNT + 1];
    char what[80];
    struct fg_overdraw_map map;
    struct fg_overdraw_vulkan_options options = device_options();
    struct fg_overdraw_vulkan_pass pass = counts_pass;
    struct rectangles_truth truth = { .scene = some,
                                      .count = SCENE_COUNT + 1,
                                      .width_px = WIDTH,
                                      .height_px = HEIGHT,
                                      .compare = VK_COMPARE_OP_LESS,
                                      .depth = kind.has_depth ? depth : NULL };
    const struct covers covers = { some, SCENE_COUNT + 1, fragments, undiscarded };
    (void)snprintf(what, sizeof what, "kind %d (format %d, %s%s%s%s)", number, (int)kind.format,
                   kind.has_render_pass ? "render pass" : "dynamic rendering",
                   kind.has_depth ? ", depth" : "", kind.is_chequered ? ", chequered" : "",
                   kind.is_own ? ", own twin" : "");
    memcpy(some, scene, sizeof scene);
    some[SCENE_COUNT] = (struct rectangle){ 0, 0, 2 * number + 2, 1, 0.03125f, SCENE_COUNT + 1 };
    options.format = kind.format;
    options.has_render_pass = kind.has_render_pass;
    if (kind.has_depth) {
        options.depth = FG_OVERDRAW_DEPTH_CLEAR;
        options.depth_format = VK_FORMAT_D32_SFLOAT;
        pass.depth_view = rectangles.depth_view;
    }
    struct fg_overdraw_vulkan *overdraw = make_overdraw(&options);
    assert_true(kind.format == FG_OVERDRAW_FORMAT_BEST ||
                fg_overdraw_vulkan_format(overdraw) == kind.format);
    assert_int_equal(fg_overdraw_vulkan_render_pass(overdraw) != VK_NULL_HANDLE,
                     kind.has_render_pass);
    const VkPipeline twin =
        kind.is_own ? rectangles_own_twin(&rectangles, overdraw, VK_COMPARE_OP_LESS, kind.has_depth)
                    : rectangles_twin(&rectangles, overdraw, VK_COMPARE_OP_LESS, kind.is_chequered);
    const VkCommandBuffer commands = begin_commands();
    rectangles_depth_barrier(&rectangles, commands, VK_IMAGE_LAYOUT_UNDEFINED,
                             VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
    record_map(overdraw, commands, 0, &pass, twin, some, SCENE_COUNT + 1);
    run(commands);
    reset_depth(depth);
    rectangles_truth(&truth, expected, undiscarded);
    reset_depth(depth);
    truth.is_chequered = kind.is_chequered;
    rectangles_truth(&truth, expected, fragments);
    assert_true(fg_overdraw_vulkan_read(overdraw, 0, &map));
    assert_int_equal(map.kind, FG_OVERDRAW_COUNTS);
    assert_int_equal(map.frame, 77);
    assert_int_equal(map.width_px, WIDTH);
    assert_int_equal(map.height_px, HEIGHT);
    assert_same(expected, &map, what);
    const int wrong = check_covers(overdraw, &covers, kind.is_chequered && !kind.has_depth, what);
    vkDestroyPipeline(bed.device, twin, NULL);
    fg_overdraw_vulkan_destroy(overdraw);
    return wrong;
}

static void every_pixel_is_counted_as_by_brute_force(void **state)
{
    int wrong = 0;
    (void)state;
    for (int i = 0; i < 24; i++) { /* the last eight with twins of the application's */
        wrong += count_one(
            (struct kind){ (i & 1) != 0 ? FG_OVERDRAW_FORMAT_R16F : FG_OVERDRAW_FORMAT_BEST,
                           (i & 2) != 0, (i & 4) != 0, (i & 8) != 0, (i & 16) != 0 },
            i);
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/* A first map leaves a depth; the second one is tested for being equal to it, and writes none. */
static void test_left_depth(bool has_render_pass, VkImageLayout layout)
{
    static float expected[PIXELS];
    static float depth[PIXELS];
    struct fg_overdraw_map map;
    struct fg_overdraw_vulkan_options options = device_options();
    struct fg_overdraw_vulkan_pass pass = counts_pass;
    struct rectangles_truth truth = { .scene = scene,
                                      .count = SCENE_COUNT,
                                      .width_px = WIDTH,
                                      .height_px = HEIGHT,
                                      .compare = VK_COMPARE_OP_LESS,
                                      .depth = depth };
    options.has_render_pass = has_render_pass;
    options.depth = FG_OVERDRAW_DEPTH_CLEAR;
    options.depth_format = VK_FORMAT_D32_SFLOAT;
    struct fg_overdraw_vulkan *first = make_overdraw(&options);
    options.depth = FG_OVERDRAW_DEPTH_LOAD;
    options.depth_layout = layout;
    struct fg_overdraw_vulkan *second = make_overdraw(&options);
    const VkPipeline twins[2] = {
        rectangles_twin(&rectangles, first, VK_COMPARE_OP_LESS, false),
        rectangles_twin(&rectangles, second, VK_COMPARE_OP_EQUAL, false),
    };
    pass.depth_view = rectangles.depth_view;
    const VkCommandBuffer commands = begin_commands();
    rectangles_depth_barrier(&rectangles, commands, VK_IMAGE_LAYOUT_UNDEFINED,
                             VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
    record_map(first, commands, 0, &pass, twins[0], scene, SCENE_COUNT);
    rectangles_depth_barrier(
        &rectangles, commands, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        layout != VK_IMAGE_LAYOUT_UNDEFINED ? layout
                                            : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
    record_map(second, commands, 0, &pass, twins[1], scene, SCENE_COUNT);
    run(commands);
    for (size_t i = 0; i < PIXELS; i++) {
        depth[i] = 1.0f;
    }
    rectangles_truth(&truth, expected, NULL);
    truth.compare = VK_COMPARE_OP_EQUAL;
    rectangles_truth(&truth, expected, NULL);
    assert_true(fg_overdraw_vulkan_read(second, 0, &map));
    assert_same(expected, &map, "what is equal to the depth");
    vkDestroyPipeline(bed.device, twins[0], NULL);
    vkDestroyPipeline(bed.device, twins[1], NULL);
    fg_overdraw_vulkan_destroy(first);
    fg_overdraw_vulkan_destroy(second);
}

static void draws_are_tested_against_the_depth_that_a_frame_left(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        test_left_depth(i != 0, VK_IMAGE_LAYOUT_UNDEFINED);
        test_left_depth(i != 0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
    }
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/* 2047 layers are told apart from 2048 in halves; more stay there, and are counted as such. */
static void a_count_at_the_formats_limit_stays_there_and_is_told(void **state)
{
    (void)state;
    enum { LAYERS = 2100, SIDE = 8 };
    static struct rectangle layers[LAYERS];
    struct fg_overdraw_map map;
    struct fg_overdraw_statistics statistics;
    for (int i = 0; i < LAYERS; i++) {
        const int width = i < 2047 ? 3 : i < 2048 ? 2 : 1;
        layers[i] = (struct rectangle){ 0, 0, width, 1, 0.5f, 1 };
    }
    for (int i = 0; i < 2; i++) {
        struct fg_overdraw_vulkan_options options = device_options();
        const struct fg_overdraw_vulkan_pass pass = { .width_px = SIDE,
                                                      .height_px = SIDE,
                                                      .reads_back = true };
        options.format = i == 0 ? FG_OVERDRAW_FORMAT_R16F : FG_OVERDRAW_FORMAT_BEST;
        struct fg_overdraw_vulkan *overdraw = make_overdraw(&options);
        const VkPipeline twin = rectangles_twin(&rectangles, overdraw, VK_COMPARE_OP_LESS, false);
        const VkCommandBuffer commands = begin_commands();
        record_map(overdraw, commands, 3, &pass, twin, layers, LAYERS);
        run(commands);
        assert_true(fg_overdraw_vulkan_read(overdraw, 3, &map));
        fg_overdraw_measure(&map, &statistics);
        const bool is_half = fg_overdraw_vulkan_format(overdraw) == FG_OVERDRAW_FORMAT_R16F;
        assert_true(map.limit == (is_half ? 2048.0f : 16777216.0f));
        assert_true(map.values[0] == (is_half ? 2048.0f : (float)LAYERS));
        assert_true(map.values[1] == 2048.0f);
        assert_true(map.values[2] == 2047.0f);
        assert_true(map.values[3] == 0.0f);
        assert_int_equal(statistics.saturated_count, is_half ? 2 : 0);
        vkDestroyPipeline(bed.device, twin, NULL);
        fg_overdraw_vulkan_destroy(overdraw);
    }
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/* Every item costs a power of two for each fragment: sums are exact. The last one has none. */
static void costs_are_spread_over_the_fragments_of_their_items(void **state)
{
    (void)state;
    static float expected[PIXELS];
    uint64_t fragments[SCENE_COUNT];
    struct fg_overdraw_map map;
    struct fg_overdraw_statistics statistics;
    struct fg_overdraw_cost_totals totals;
    struct fg_overdraw_costs *costs = NULL;
    const struct fg_overdraw_vulkan_options options = device_options();
    struct fg_overdraw_vulkan_pass pass = counts_pass;
    struct rectangles_truth truth = {
        .scene = scene, .count = SCENE_COUNT, .width_px = WIDTH, .height_px = HEIGHT
    };
    if (options.item_max == 0) {
        skip();
    }
    struct fg_overdraw_vulkan *overdraw = make_overdraw(&options);
    const VkPipeline twin = rectangles_twin(&rectangles, overdraw, VK_COMPARE_OP_LESS, false);
    assert_int_equal(fg_overdraw_costs_create(NULL, 0, &costs), FG_OK);
    rectangles_truth(&truth, expected, fragments);
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        /* One item is two rectangles. Without a fragment there is nowhere to put it. */
        const int64_t each_ns = INT64_C(1) << scene[i].id;
        fg_overdraw_costs_add(costs, scene[i].id, FG_OVERDRAW_GPU,
                              fragments[i] > 0 ? each_ns * (int64_t)fragments[i] : 1000);
    }
    VkCommandBuffer commands = begin_commands();
    record_map(overdraw, commands, 0, &pass, twin, scene, SCENE_COUNT);
    run(commands);
    assert_true(fg_overdraw_vulkan_cover(overdraw, 0, costs, NULL));
    assert_true(fg_overdraw_costs_weight(costs, 3) == 8.0f);

    pass.kind = FG_OVERDRAW_COSTS;
    pass.costs = costs;
    truth.costs = costs;
    rectangles_truth(&truth, expected, NULL);
    commands = begin_commands();
    record_map(overdraw, commands, 0, &pass, twin, scene, SCENE_COUNT);
    run(commands);
    assert_true(fg_overdraw_vulkan_read(overdraw, 0, &map));
    assert_int_equal(map.kind, FG_OVERDRAW_COSTS);
    assert_int_equal(map.clock, FG_OVERDRAW_GPU);
    assert_same(expected, &map, "costs");
    fg_overdraw_measure(&map, &statistics);
    fg_overdraw_costs_totals(costs, &totals);
    assert_true(statistics.sum == (double)totals.placed_ns);
    assert_int_equal(totals.unplaced_ns, 1000);
    /* A map of costs has no fragments to tell. */
    assert_false(fg_overdraw_vulkan_cover(overdraw, 0, costs, NULL));
    vkDestroyPipeline(bed.device, twin, NULL);
    fg_overdraw_vulkan_destroy(overdraw);
    fg_overdraw_costs_destroy(costs);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

static void items_beyond_the_maximum_are_counted_on_the_map_alone(void **state)
{
    (void)state;
    static float expected[PIXELS];
    uint64_t left_out = 0;
    struct fg_overdraw_map map;
    struct fg_overdraw_costs *costs = NULL;
    struct fg_overdraw_vulkan_options options = device_options();
    const struct rectangles_truth truth = {
        .scene = scene, .count = SCENE_COUNT, .width_px = WIDTH, .height_px = HEIGHT
    };
    if (options.item_max == 0) {
        skip();
    }
    options.item_max = 2;
    struct fg_overdraw_vulkan *overdraw = make_overdraw(&options);
    const VkPipeline twin = rectangles_twin(&rectangles, overdraw, VK_COMPARE_OP_LESS, false);
    assert_int_equal(fg_overdraw_costs_create(NULL, 0, &costs), FG_OK);
    const VkCommandBuffer commands = begin_commands();
    record_map(overdraw, commands, 0, &counts_pass, twin, scene, SCENE_COUNT);
    run(commands);
    rectangles_truth(&truth, expected, NULL);
    assert_true(fg_overdraw_vulkan_read(overdraw, 0, &map));
    assert_same(expected, &map, "with items left out");
    assert_true(fg_overdraw_vulkan_cover(overdraw, 0, costs, &left_out));
    assert_int_equal(left_out, SCENE_COUNT - 2);
    vkDestroyPipeline(bed.device, twin, NULL);
    fg_overdraw_vulkan_destroy(overdraw);
    fg_overdraw_costs_destroy(costs);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/* More fragments than are in the map, or a result that does not come: of nothing, any cost. */
static void fragments_that_cannot_be_are_refused_and_none_is_told(void **state)
{
    enum { COUNT = 200 };
    (void)state;
    struct rectangle some[COUNT];
    struct fg_overdraw_vulkan_options options = device_options();
    if (options.item_max == 0) {
        skip();
    }
    options.item_max = COUNT;
    for (int i = 0; i < COUNT; i++) {
        some[i] =
            (struct rectangle){ i % 50, i / 50, i % 50 + 2, i / 50 + 1, 0.5f, (uint64_t)i + 1 };
    }
    struct fg_overdraw_vulkan *overdraw = make_overdraw(&options);
    const VkPipeline twin = rectangles_twin(&rectangles, overdraw, VK_COMPARE_OP_LESS, false);
    for (int i = 0; i < 3; i++) {
        struct fg_overdraw_costs *costs = NULL;
        struct fg_overdraw_cost_totals totals;
        uint64_t left_out = 0;
        assert_int_equal(fg_overdraw_costs_create(NULL, 0, &costs), FG_OK);
        const VkCommandBuffer commands = begin_commands();
        record_map(overdraw, commands, 0, &counts_pass, twin, some, COUNT);
        run(commands);
        failing_vulkan.too_many = i == 1 ? 1 : 0;
        failing_vulkan.lost_query = i == 2 ? COUNT - 10 : 0;
        assert_int_equal(fg_overdraw_vulkan_cover(overdraw, 0, costs, &left_out), i == 0);
        fg_overdraw_costs_totals(costs, &totals);
        assert_int_equal(totals.fragment_count, i == 0 ? 2 * COUNT : 0);
        assert_int_equal(left_out, i == 1 ? COUNT : 0);
        fg_overdraw_costs_destroy(costs);
    }
    failing_vulkan.too_many = 0;
    failing_vulkan.lost_query = 0;
    vkDestroyPipeline(bed.device, twin, NULL);
    fg_overdraw_vulkan_destroy(overdraw);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/** The map over the clear colour in memory, each value so many pixels wide and high. */
static uint8_t *overlay_in_memory(const struct fg_overdraw_map *map,
                                  const struct fg_overdraw_scale *scale, float opacity,
                                  uint32_t times, bool is_srgb)
{
    const uint32_t width = map->width_px * times;
    const uint32_t height = map->height_px * times;
    uint8_t *pixels = malloc((size_t)width * height * 4);
    float *values = malloc((size_t)width * height * sizeof *values);
    struct fg_overdraw_map large = *map;
    assert_non_null(pixels);
    assert_non_null(values);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        memcpy(&pixels[i * 4], fgt_hud_clear, 4);
        values[i] = map->values[i / width / times * map->width_px + i % width / times];
    }
    large.width_px = width;
    large.height_px = height;
    large.values = values;
    fg_overdraw_memory_draw(
        &large, scale, opacity,
        &(const struct fg_hud_pixels){
            .pixels = pixels, .width_px = width, .height_px = height, .is_srgb = is_srgb });
    free(values);
    return pixels;
}

static void overlay_one(struct fgt_target kind, uint32_t times, bool is_log, float opacity)
{
    struct fgt_picture picture;
    struct fg_overdraw_map map;
    struct fg_overdraw_vulkan_options options = device_options();
    const struct fg_overdraw_scale scale = { .bottom = 1.0f, .top = 8.0f, .is_log = is_log };
    fgt_picture_make(&picture, &bed, kind, WIDTH * times, HEIGHT * times);
    options.common.color_format = kind.format;
    options.common.samples = kind.samples;
    options.common.render_pass = picture.pass;
    options.has_render_pass = !kind.is_dynamic;
    struct fg_overdraw_vulkan *overdraw = make_overdraw(&options);
    const VkPipeline twin = rectangles_twin(&rectangles, overdraw, VK_COMPARE_OP_LESS, true);
    const struct fg_overdraw_vulkan_overlay overlay = {
        .scale = &scale, .opacity = opacity, .width_px = WIDTH * times, .height_px = HEIGHT * times
    };
    const VkCommandBuffer commands = begin_commands();
    record_map(overdraw, commands, 1, &counts_pass, twin, scene, SCENE_COUNT);
    fgt_picture_begin(&picture, commands);
    fg_overdraw_vulkan_overlay(overdraw, commands, 1, &overlay);
    fgt_picture_end(&picture, commands);
    run(commands);
    assert_true(fg_overdraw_vulkan_read(overdraw, 1, &map));
    uint8_t *expected = overlay_in_memory(&map, &scale, opacity, times, fgt_is_linear(kind.format));
    uint8_t *seen = fgt_picture_read(&picture);
    /* Two bits of alpha are not eight. One step of colour is what a driver's log2 may be off. */
    const int channels = kind.format == VK_FORMAT_A2B10G10R10_UNORM_PACK32 ? 3 : 4;
    const int tolerance = is_log ? TOLERANCE + 3 : TOLERANCE;
    const int difference =
        fgt_hud_difference(expected, seen, WIDTH * times, HEIGHT * times, channels, tolerance);
    if (difference > tolerance) {
        fail_msg("format %d, %d samples, %s, %u times, %s: off by %d", (int)kind.format,
                 (int)kind.samples, kind.is_dynamic ? "dynamic rendering" : "render pass", times,
                 is_log ? "by ratios" : "in steps", difference);
    }
    free(expected);
    free(seen);
    vkDestroyPipeline(bed.device, twin, NULL);
    fg_overdraw_vulkan_destroy(overdraw);
    fgt_picture_destroy(&picture);
}

static void the_overlay_is_the_picture_of_memory_in_every_target(void **state)
{
    (void)state;
    static const VkFormat formats[] = {
        VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM,           VK_FORMAT_R8G8B8A8_SRGB,
        VK_FORMAT_B8G8R8A8_SRGB,  VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16G16B16A16_SFLOAT,
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const bool is_dynamic = i % 2 == 0;
        overlay_one((struct fgt_target){ formats[i], VK_SAMPLE_COUNT_1_BIT, is_dynamic }, 1, false,
                    1.0f);
        overlay_one((struct fgt_target){ formats[i], VK_SAMPLE_COUNT_1_BIT, !is_dynamic }, 1, false,
                    0.5f);
    }
    const struct fgt_target plain = { formats[0], VK_SAMPLE_COUNT_1_BIT, true };
    overlay_one(plain, 2, false, 0.75f);
    overlay_one(plain, 1, true, 1.0f);
    if (fgt_can_sample(&bed, formats[0], VK_SAMPLE_COUNT_4_BIT)) {
        overlay_one((struct fgt_target){ formats[0], VK_SAMPLE_COUNT_4_BIT, true }, 1, false, 0.5f);
        overlay_one((struct fgt_target){ formats[2], VK_SAMPLE_COUNT_4_BIT, false }, 1, false,
                    0.5f);
    }
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/* Three frames of different things in flight, twice; the second time makes nothing. */
static void maps_in_flight_do_not_share_anything(void **state)
{
    (void)state;
    enum { FRAMES = 3 };
    static float expected[PIXELS];
    struct counting counting;
    struct fg_overdraw_map map;
    struct fg_overdraw_vulkan_options options = device_options();
    VkCommandBuffer commands[FRAMES];
    long blocks = 0;
    counting_init(&counting);
    options.common.allocator = &counting.allocator;
    options.common.callbacks = &counting.callbacks;
    options.common.color_format = VK_FORMAT_R8G8B8A8_UNORM;
    options.common.slot_count = FRAMES;
    options.format = FG_OVERDRAW_FORMAT_R16F;
    struct fg_overdraw_vulkan *overdraw = make_overdraw(&options);
    const VkPipeline twin = rectangles_twin(&rectangles, overdraw, VK_COMPARE_OP_LESS, false);
    for (size_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < FRAMES; i++) {
            struct fg_overdraw_vulkan_pass pass = counts_pass;
            pass.frame = i;
            commands[i] = begin_commands();
            record_map(overdraw, commands[i], i, &pass, twin, scene + i + round,
                       SCENE_COUNT - i - round);
            bed_end(commands[i]);
        }
        bed_submit(&bed, commands, FRAMES, VK_NULL_HANDLE);
        bed_wait_idle(&bed);
        for (uint32_t i = 0; i < FRAMES; i++) {
            const struct rectangles_truth truth = { .scene = scene + i + round,
                                                    .count = SCENE_COUNT - i - round,
                                                    .width_px = WIDTH,
                                                    .height_px = HEIGHT };
            rectangles_truth(&truth, expected, NULL);
            assert_true(fg_overdraw_vulkan_read(overdraw, i, &map));
            assert_int_equal(map.frame, i);
            assert_same(expected, &map, "in flight");
        }
        assert_true(round == 0 || atomic_load(&counting.total_blocks) == blocks);
        blocks = atomic_load(&counting.total_blocks);
    }
    vkDestroyPipeline(bed.device, twin, &counting.callbacks);
    fg_overdraw_vulkan_destroy(overdraw);
    assert_int_equal(atomic_load(&counting.live_blocks), 0);
    assert_int_equal(atomic_load(&counting.live_bytes), 0);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

static void a_slot_follows_the_size_and_can_be_given_back(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = { { WIDTH, HEIGHT }, { 64, 48 }, { 1, 1 }, { 150, 120 } };
    static float expected[PIXELS];
    struct counting counting;
    struct fg_overdraw_map map;
    struct fg_overdraw_vulkan_options options = device_options();
    counting_init(&counting);
    options.common.allocator = &counting.allocator;
    options.common.callbacks = &counting.callbacks;
    options.has_render_pass = true;
    struct fg_overdraw_vulkan *overdraw = make_overdraw(&options);
    const VkPipeline twin = rectangles_twin(&rectangles, overdraw, VK_COMPARE_OP_LESS, false);
    const long blocks = atomic_load(&counting.live_blocks);
    const long bytes = atomic_load(&counting.live_bytes);
    for (size_t i = 0; i < 8; i++) {
        struct fg_overdraw_vulkan_pass pass = counts_pass;
        pass.width_px = sizes[i % 4][0];
        pass.height_px = sizes[i % 4][1];
        const struct rectangles_truth truth = { .scene = scene,
                                                .count = SCENE_COUNT,
                                                .width_px = pass.width_px,
                                                .height_px = pass.height_px };
        const VkCommandBuffer commands = begin_commands();
        record_map(overdraw, commands, 0, &pass, twin, scene, SCENE_COUNT);
        run(commands);
        rectangles_truth(&truth, expected, NULL);
        assert_true(fg_overdraw_vulkan_read(overdraw, 0, &map));
        assert_int_equal(map.width_px, pass.width_px);
        assert_int_equal(map.height_px, pass.height_px);
        assert_same(expected, &map, "resized");
        if (i == 3) {
            fg_overdraw_vulkan_trim(overdraw);
            assert_false(fg_overdraw_vulkan_read(overdraw, 0, &map));
            assert_int_equal(atomic_load(&counting.live_blocks), blocks);
            assert_int_equal(atomic_load(&counting.live_bytes), bytes);
        }
    }
    vkDestroyPipeline(bed.device, twin, &counting.callbacks);
    fg_overdraw_vulkan_destroy(overdraw);
    assert_int_equal(atomic_load(&counting.live_blocks), 0);
    assert_int_equal(atomic_load(&counting.live_bytes), 0);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/* Made, and never begun: no target, and what is called on no map does nothing. */
static void nothing_is_made_before_the_first_map(void **state)
{
    (void)state;
    struct fg_overdraw_map map;
    struct fg_overdraw_vulkan_options options = device_options();
    struct fg_overdraw_costs *costs = NULL;
    const struct fg_overdraw_scale scale = { .bottom = 1.0f, .top = 8.0f };
    const struct fg_overdraw_vulkan_overlay overlay = {
        .scale = &scale, .opacity = 1.0f, .width_px = WIDTH, .height_px = HEIGHT
    };
    options.common.color_format = VK_FORMAT_R8G8B8A8_UNORM;
    struct fg_overdraw_vulkan *overdraw = make_overdraw(&options);
    const long calls = failing_vulkan.call_count;
    const VkCommandBuffer commands = begin_commands();
    fg_overdraw_vulkan_overlay(overdraw, commands, 0, &overlay);
    fg_overdraw_vulkan_item(overdraw, commands, 0, 1);
    fg_overdraw_vulkan_end(overdraw, commands, 0);
    assert_false(fg_overdraw_vulkan_read(overdraw, 0, &map));
    assert_null(map.values);
    assert_false(fg_overdraw_vulkan_cover(overdraw, 0, costs, NULL));
    fg_overdraw_vulkan_overlay(NULL, commands, 0, &overlay);
    fg_overdraw_vulkan_item(NULL, commands, 0, 1);
    fg_overdraw_vulkan_end(NULL, commands, 0);
    assert_false(fg_overdraw_vulkan_read(NULL, 0, &map));
    assert_false(fg_overdraw_vulkan_cover(NULL, 0, costs, NULL));
    fg_overdraw_vulkan_trim(NULL);
    fg_overdraw_vulkan_destroy(NULL);
    assert_int_equal(fg_overdraw_vulkan_begin(NULL, commands, 0, &counts_pass), FG_ERR_ARGUMENT);
    assert_int_equal(failing_vulkan.call_count, calls);
    run(commands);
    fg_overdraw_vulkan_destroy(overdraw);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char *const functions[] = { "vkCmdSetBlendConstants", "vkCreateImage",
                                             "vkGetPhysicalDeviceFormatProperties" };
    struct fg_overdraw_vulkan_options options = device_options();
    struct fg_overdraw_vulkan *overdraw = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        failing_vulkan.missing = functions[i];
        assert_int_equal(fg_overdraw_vulkan_create(&options, &overdraw), FG_ERR_UNSUPPORTED);
    }
    failing_vulkan.missing = NULL;
    options.common.color_format = VK_FORMAT_R8G8B8A8_UINT;
    assert_int_equal(fg_overdraw_vulkan_create(&options, &overdraw), FG_ERR_UNSUPPORTED);
    options.common.color_format = VK_FORMAT_UNDEFINED;
    options.format = FG_OVERDRAW_FORMAT_R8;
    assert_int_equal(fg_overdraw_vulkan_create(&options, &overdraw), FG_ERR_ARGUMENT);
    options.format = FG_OVERDRAW_FORMAT_BEST;
    options.depth = FG_OVERDRAW_DEPTH_LOAD;
    assert_int_equal(fg_overdraw_vulkan_create(&options, &overdraw), FG_ERR_ARGUMENT);
    options.depth = FG_OVERDRAW_DEPTH_NONE;
    options.item_max = 65537;
    assert_int_equal(fg_overdraw_vulkan_create(&options, &overdraw), FG_ERR_ARGUMENT);
    assert_int_equal(fg_overdraw_vulkan_create(NULL, &overdraw), FG_ERR_ARGUMENT);
    assert_null(overdraw);
    assert_int_equal(fg_overdraw_vulkan_format(NULL), FG_OVERDRAW_FORMAT_BEST);

    options = device_options();
    options.depth = FG_OVERDRAW_DEPTH_CLEAR;
    options.depth_format = VK_FORMAT_D32_SFLOAT;
    overdraw = make_overdraw(&options);
    struct fg_overdraw_vulkan_pass pass = counts_pass;
    const VkCommandBuffer commands = begin_commands();
    assert_int_equal(fg_overdraw_vulkan_begin(overdraw, commands, 0, &pass), FG_ERR_ARGUMENT);
    pass.depth_view = rectangles.depth_view;
    assert_int_equal(fg_overdraw_vulkan_begin(overdraw, commands, 4, &pass), FG_ERR_ARGUMENT);
    pass.width_px = 0;
    assert_int_equal(fg_overdraw_vulkan_begin(overdraw, commands, 0, &pass), FG_ERR_ARGUMENT);
    pass.width_px = UINT32_MAX;
    assert_int_equal(fg_overdraw_vulkan_begin(overdraw, commands, 0, &pass), FG_ERR_LIMIT);
    pass.width_px = WIDTH;
    pass.kind = FG_OVERDRAW_COSTS;
    assert_int_equal(fg_overdraw_vulkan_begin(overdraw, commands, 0, &pass), FG_ERR_ARGUMENT);
    run(commands);
    fg_overdraw_vulkan_destroy(overdraw);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

static void a_device_that_cannot_add_up_in_floats_does_in_halves(void **state)
{
    (void)state;
    struct fg_overdraw_vulkan_options options = device_options();
    struct fg_overdraw_vulkan *overdraw = NULL;
    failing_vulkan.unblended = VK_FORMAT_R32_SFLOAT;
    overdraw = make_overdraw(&options);
    assert_int_equal(fg_overdraw_vulkan_format(overdraw), FG_OVERDRAW_FORMAT_R16F);
    assert_int_equal(fg_overdraw_vulkan_map_format(overdraw), VK_FORMAT_R16_SFLOAT);
    fg_overdraw_vulkan_destroy(overdraw);
    overdraw = NULL;
    options.format = FG_OVERDRAW_FORMAT_R32F;
    assert_int_equal(fg_overdraw_vulkan_create(&options, &overdraw), FG_ERR_UNSUPPORTED);
    assert_null(overdraw);
    failing_vulkan.unblended = VK_FORMAT_UNDEFINED;
}

/* Each call that takes memory is refused in turn, of a creation with its first map. */
static bool fail_at(long call, struct counting *counting)
{
    struct fg_overdraw_vulkan_options options = device_options();
    struct fg_overdraw_vulkan_pass pass = counts_pass;
    struct fg_overdraw_vulkan *overdraw = NULL;
    options.common.allocator = &counting->allocator;
    options.common.callbacks = &counting->callbacks;
    options.common.color_format = VK_FORMAT_R8G8B8A8_UNORM;
    options.has_render_pass = call % 2 == 0;
    options.depth = FG_OVERDRAW_DEPTH_CLEAR;
    options.depth_format = VK_FORMAT_D32_SFLOAT;
    pass.depth_view = rectangles.depth_view;
    failing_vulkan.countdown = call / 2;
    failing_vulkan.refused = false;
    enum fg_result result = fg_overdraw_vulkan_create(&options, &overdraw);
    assert_true(result == FG_OK || overdraw == NULL);
    if (result == FG_OK) {
        const VkCommandBuffer commands = begin_commands();
        rectangles_depth_barrier(&rectangles, commands, VK_IMAGE_LAYOUT_UNDEFINED,
                                 VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
        result = fg_overdraw_vulkan_begin(overdraw, commands, 0, &pass);
        fg_overdraw_vulkan_end(overdraw, commands, 0);
        failing_vulkan.countdown = -1;
        if (result != FG_OK) {
            /* The next one succeeds. */
            assert_int_equal(fg_overdraw_vulkan_begin(overdraw, commands, 0, &pass), FG_OK);
            fg_overdraw_vulkan_end(overdraw, commands, 0);
        }
        run(commands);
    }
    failing_vulkan.countdown = -1;
    assert_int_equal(result, failing_vulkan.refused ? FG_ERR_NO_MEMORY : FG_OK);
    fg_overdraw_vulkan_destroy(overdraw);
    assert_int_equal(atomic_load(&counting->live_blocks), 0);
    assert_int_equal(atomic_load(&counting->live_bytes), 0);
    return failing_vulkan.refused;
}

static void memory_that_is_refused_is_told_and_leaves_nothing(void **state)
{
    (void)state;
    struct counting counting;
    long call = 0;
    counting_init(&counting);
    while (fail_at(call, &counting) || call % 2 == 0) {
        call++;
    }
    assert_in_range(call / 2, 20, 60);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pixel_is_counted_as_by_brute_force),
        cmocka_unit_test(draws_are_tested_against_the_depth_that_a_frame_left),
        cmocka_unit_test(a_count_at_the_formats_limit_stays_there_and_is_told),
        cmocka_unit_test(costs_are_spread_over_the_fragments_of_their_items),
        cmocka_unit_test(fragments_that_cannot_be_are_refused_and_none_is_told),
        cmocka_unit_test(items_beyond_the_maximum_are_counted_on_the_map_alone),
        cmocka_unit_test(the_overlay_is_the_picture_of_memory_in_every_target),
        cmocka_unit_test(maps_in_flight_do_not_share_anything),
        cmocka_unit_test(a_slot_follows_the_size_and_can_be_given_back),
        cmocka_unit_test(nothing_is_made_before_the_first_map),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_device_that_cannot_add_up_in_floats_does_in_halves),
        cmocka_unit_test(memory_that_is_refused_is_told_and_leaves_nothing),
    };
    if (!bed_create(&bed, 0)) {
        return 77;
    }
    printf("%s, %s\n", bed.properties.deviceName,
           bed.validated ? "validated" : "without the validation layer");
    rectangles_init(&rectangles, &bed);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rectangles_finish(&rectangles);
    bed_destroy(&bed);
    return failed != 0 || atomic_load(&bed.messages) != 0;
}
