/* SPDX-License-Identifier: MIT */
/* The HUD drawn by Vulkan is the HUD drawn into memory, in every kind of target. */
#include "cmocka_all.h"
#include "counting.h"
#include "hud_compare.h"
#include "hud_scene.h"
#include "vulkan_picture.h"
#include <frameglass/hud_vulkan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blending rounds once per layer, in another precision than memory does. */
#define TOLERANCE 2
#define WIDTH     400
#define HEIGHT    304

static struct bed bed;

/** Clear, draw the HUD, and copy out. */
static void record(struct fgt_picture *p, VkCommandBuffer commands, struct fg_hud_vulkan *renderer,
                   uint32_t slot, const struct fg_hud_list *list)
{
    bed_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    fgt_picture_begin(p, commands);
    fg_hud_vulkan_draw(renderer, commands, slot, list);
    fgt_picture_end(p, commands);
    bed_end(commands);
}

static struct fg_hud_vulkan_options options_of(const struct fgt_picture *p)
{
    return (struct fg_hud_vulkan_options){
        .instance = bed.instance,
        .physical_device = bed.physical,
        .device = bed.device,
        .get_instance_proc_addr = vkGetInstanceProcAddr,
        .color_format = p->kind.format,
        .samples = p->kind.samples,
        .render_pass = p->pass,
    };
}

static void draw_one(struct fgt_target kind)
{
    struct fgt_picture p;
    struct fg_hud_vulkan *renderer = NULL;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    const struct fg_hud_target target = { .width_px = WIDTH, .height_px = HEIGHT };
    fgt_picture_make(&p, &bed, kind, WIDTH, HEIGHT);
    const struct fg_hud_vulkan_options options = options_of(&p);
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_OK);
    assert_true(fg_hud_build(hud, &target, &list));
    const VkCommandBuffer commands = bed_commands(&bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    record(&p, commands, renderer, 0, &list);
    bed_submit(&bed, &commands, 1, VK_NULL_HANDLE);
    bed_wait_idle(&bed);
    uint8_t *expected = fgt_hud_expected(&list, fgt_is_linear(kind.format));
    uint8_t *seen = fgt_picture_read(&p);
    /* Two bits of alpha are not eight. */
    const int channels = kind.format == VK_FORMAT_A2B10G10R10_UNORM_PACK32 ? 3 : 4;
    const int difference = fgt_hud_difference(expected, seen, WIDTH, HEIGHT, channels, TOLERANCE);
    if (difference > TOLERANCE) {
        fail_msg("format %d, %d samples, %s: off by %d", (int)kind.format, (int)kind.samples,
                 kind.is_dynamic ? "dynamic rendering" : "render pass", difference);
    }
    free(expected);
    free(seen);
    fg_hud_vulkan_destroy(renderer);
    fgt_picture_destroy(&p);
    fg_hud_destroy(hud);
}

static void every_format_and_kind_of_rendering_gives_the_picture_of_memory(void **state)
{
    (void)state;
    static const VkFormat formats[] = {
        VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM,           VK_FORMAT_R8G8B8A8_SRGB,
        VK_FORMAT_B8G8R8A8_SRGB,  VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16G16B16A16_SFLOAT,
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        draw_one((struct fgt_target){ formats[i], VK_SAMPLE_COUNT_1_BIT, true });
        draw_one((struct fgt_target){ formats[i], VK_SAMPLE_COUNT_1_BIT, false });
    }
    assert_true(fgt_can_sample(&bed, formats[0], VK_SAMPLE_COUNT_4_BIT));
    draw_one((struct fgt_target){ formats[0], VK_SAMPLE_COUNT_4_BIT, true });
    draw_one((struct fgt_target){ formats[0], VK_SAMPLE_COUNT_4_BIT, false });
    draw_one((struct fgt_target){ formats[2], VK_SAMPLE_COUNT_4_BIT, true });
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/* Three frames, each with another list, none waited for: every slot keeps its own. */
static void frames_in_flight_do_not_share_their_quads(void **state)
{
    (void)state;
    enum { FRAMES = 3 };
    struct fgt_picture pictures[FRAMES];
    uint8_t *expected[FRAMES];
    VkCommandBuffer commands[FRAMES];
    struct fg_hud_vulkan *renderer = NULL;
    struct counting counting;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    counting_init(&counting);
    for (int i = 0; i < FRAMES; i++) {
        fgt_picture_make(
            &pictures[i], &bed,
            (struct fgt_target){ VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT, true }, WIDTH,
            HEIGHT);
        commands[i] = bed_commands(&bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    }
    struct fg_hud_vulkan_options options = options_of(&pictures[0]);
    options.allocator = &counting.allocator;
    options.callbacks = &counting.callbacks;
    options.slot_count = FRAMES;
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_OK);
    const long blocks = atomic_load(&counting.total_blocks);
    const long bytes = atomic_load(&counting.live_bytes);
    for (uint32_t i = 0; i < FRAMES; i++) {
        const struct fg_hud_target target = { .width_px = WIDTH,
                                              .height_px = HEIGHT,
                                              .offset_x_px = i };
        fg_hud_metric(hud, "zoom", (int64_t)i * 1111, FG_UNIT_BASIS_POINTS);
        assert_true(fg_hud_build(hud, &target, &list));
        expected[i] = fgt_hud_expected(&list, false);
        record(&pictures[i], commands[i], renderer, i, &list);
    }
    bed_submit(&bed, commands, FRAMES, VK_NULL_HANDLE);
    bed_wait_idle(&bed);
    for (int i = 0; i < FRAMES; i++) {
        uint8_t *seen = fgt_picture_read(&pictures[i]);
        assert_in_range(fgt_hud_difference(expected[i], seen, WIDTH, HEIGHT, 4, TOLERANCE), 0,
                        TOLERANCE);
        free(seen);
        free(expected[i]);
        fgt_picture_destroy(&pictures[i]);
    }
    /* Frames make no object and take no memory. */
    assert_int_equal(atomic_load(&counting.total_blocks), blocks);
    assert_int_equal(atomic_load(&counting.live_bytes), bytes);
    fg_hud_vulkan_destroy(renderer);
    assert_int_equal(atomic_load(&counting.live_blocks), 0);
    assert_int_equal(atomic_load(&counting.live_bytes), 0);
    assert_int_equal(atomic_load(&bed.messages), 0);
    fg_hud_destroy(hud);
}

static const char *missing;

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getter_without(VkInstance instance,
                                                               const char *name)
{
    return missing != NULL && strcmp(name, missing) == 0 ? NULL
                                                         : vkGetInstanceProcAddr(instance, name);
}

static void what_cannot_be_drawn_into_is_refused(void **state)
{
    (void)state;
    struct fgt_picture p = { .kind = { VK_FORMAT_R8G8B8A8_UINT, VK_SAMPLE_COUNT_1_BIT, true } };
    struct fg_hud_vulkan *renderer = NULL;
    struct fg_hud_vulkan_options options = options_of(&p);
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_ERR_UNSUPPORTED);
    options.color_format = VK_FORMAT_UNDEFINED;
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_ERR_ARGUMENT);
    options.color_format = VK_FORMAT_R8G8B8A8_UNORM;
    options.get_instance_proc_addr = getter_without;
    missing = "vkGetPhysicalDeviceFormatProperties";
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_ERR_UNSUPPORTED);
    missing = "vkGetDeviceProcAddr";
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_ERR_UNSUPPORTED);
    options.slot_count = 65;
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_ERR_ARGUMENT);
    assert_int_equal(fg_hud_vulkan_create(NULL, &renderer), FG_ERR_ARGUMENT);
    assert_null(renderer);
    fg_hud_vulkan_destroy(NULL);
    fg_hud_vulkan_draw(NULL, NULL, 0, NULL);
    assert_int_equal(atomic_load(&bed.messages), 0);
}

/* Drawing into memory and with Vulkan is told to the HUD, apart from the application's. */
static void a_draw_tells_the_hud_what_it_took(void **state)
{
    (void)state;
    struct fgt_picture p;
    struct fg_hud_vulkan *renderer = NULL;
    struct fgt_hud_clock clock;
    struct fg_hud_list list;
    struct fg_hud_statistics s;
    struct fg_hud *hud = fgt_hud_scene(&clock);
    const struct fg_hud_target target = { .width_px = WIDTH, .height_px = HEIGHT };
    fgt_picture_make(&p, &bed,
                     (struct fgt_target){ VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT, true },
                     WIDTH, HEIGHT);
    const struct fg_hud_vulkan_options options = options_of(&p);
    assert_int_equal(fg_hud_vulkan_create(&options, &renderer), FG_OK);
    assert_true(fg_hud_build(hud, &target, &list));
    const VkCommandBuffer commands = bed_commands(&bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    clock.step_ns = 1000;
    record(&p, commands, renderer, 3, &list);
    clock.step_ns = 0;
    fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = 5000, .cpu_ns = 10000000 });
    assert_int_equal(fg_hud_get_statistics(hud, &s), FG_OK);
    assert_int_equal(s.own_draw_count, 1);
    struct fg_hud_sample sample;
    assert_int_equal(fg_hud_get_samples(hud, &sample, 1), 1);
    assert_int_equal(sample.own_cpu_ns, 1000);
    assert_int_equal(sample.cpu_ns, 10000000 - 1000);
    int64_t used_bytes, budget_bytes;
    if (fg_hud_vulkan_get_memory(renderer, &used_bytes, &budget_bytes)) {
        assert_true(used_bytes >= 0 && budget_bytes > 0);
    } else {
        assert_true(used_bytes == -1 && budget_bytes == -1);
    }
    assert_false(fg_hud_vulkan_get_memory(NULL, &used_bytes, &budget_bytes));
    bed_wait_idle(&bed);
    fg_hud_vulkan_destroy(renderer);
    fgt_picture_destroy(&p);
    fg_hud_destroy(hud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_and_kind_of_rendering_gives_the_picture_of_memory),
        cmocka_unit_test(frames_in_flight_do_not_share_their_quads),
        cmocka_unit_test(what_cannot_be_drawn_into_is_refused),
        cmocka_unit_test(a_draw_tells_the_hud_what_it_took),
    };
    if (!bed_create(&bed, 0)) {
        return 77;
    }
    printf("%s, %s\n", bed.properties.deviceName,
           bed.validated ? "validated" : "without the validation layer");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    bed_destroy(&bed);
    return failed != 0 || atomic_load(&bed.messages) != 0;
}
