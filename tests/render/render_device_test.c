/* SPDX-License-Identifier: MIT */
/* A device fills the pixels that the CPU fills: at every detail, zoom, theme and scale. */
#include "compute_bed.h"
#include "engine/cpu/engine_cpu.h"
#include "render/render_device.h"
#include "render_bed.h"
#include "support/cmocka_all.h"
#include "trace/engine.h"
#include <string.h>

static struct compute_bed bed;
static struct fg_compute_runner runner;
static struct fgi_render_device device;

static enum fg_result begin(void *context, VkCommandBuffer *out_commands)
{
    (void)context;
    compute_bed_begin(bed.commands);
    *out_commands = bed.commands;
    return FG_OK;
}

static enum fg_result submit(void *context)
{
    (void)context;
    compute_bed_end(bed.commands);
    compute_bed_submit(&bed, bed.commands);
    return FG_OK;
}

static enum fg_result wait_done(void *context)
{
    (void)context; /* submitting waits */
    return FG_OK;
}

static struct fgi_render *make(const struct fgi_render_options *options)
{
    struct fgi_render *render = NULL;
    assert_int_equal(fgi_render_create(options, &render), FG_OK);
    return render;
}

static void by_cpu(struct fgi_render *render, const struct fg_trace *trace)
{
    struct fg_engine *engine = NULL;
    struct fg_query *query = NULL;
    assert_int_equal(fgi_engine_cpu_create(NULL, (struct fg_trace *)trace, &engine), FG_OK);
    assert_int_equal(fg_query_create(engine, NULL, NULL, NULL, &query), FG_OK);
    assert_int_equal(fgi_render_on_cpu(render, query), FG_OK);
    fg_query_destroy(query);
    fgi_engine_destroy(engine);
}

/* The largest difference of any channel of any pixel. */
static int difference(const struct fgi_render *a, const struct fgi_render *b, size_t pixels)
{
    int largest = 0;
    for (size_t i = 0; i < pixels * 4; i++) {
        const int one = ((const uint8_t *)fgi_render_pixels(a))[i];
        const int other = ((const uint8_t *)fgi_render_pixels(b))[i];
        const int here = one > other ? one - other : other - one;
        largest = here > largest ? here : largest;
    }
    return largest;
}

static void check(const struct fgi_render_options *options, struct fgi_render_counts *out_counts)
{
    struct fgi_render *one = make(options);
    struct fgi_render *other = make(options);
    struct fg_diag diag = { .message = "" };
    by_cpu(one, options->trace);
    assert_int_equal(fgi_render_on_device(other, &device, &diag), FG_OK);
    *out_counts = fgi_render_get_counts(one);
    const struct fgi_render_counts found = fgi_render_get_counts(other);
    assert_true(found.spans == out_counts->spans);
    assert_true(found.bins == out_counts->bins);
    const int largest = difference(one, other, (size_t)options->width_px * options->height_px);
    if (largest > 1) {
        fail_msg("detail %u, from %lld to %lld: a difference of %d", options->detail,
                 (long long)options->start_ns, (long long)options->end_ns, largest);
    }
    fgi_render_destroy(one);
    fgi_render_destroy(other);
}

static void each_detail_of_a_window_has_the_same_pixels_as_by_the_cpu(void **state)
{
    struct fgi_render_options options = { .trace = *state, .width_px = 700, .height_px = 240 };
    struct fgi_render_counts all = { 0 };
    for (uint32_t detail = FG_DETAIL_AUTO; detail <= FG_DETAIL_DENSITY; detail++) {
        static const int64_t windows[][2] = { { -1000, RENDER_BED_NS },
                                              { RENDER_BED_NS * 7 / 8, RENDER_BED_NS + 50 } };
        struct fgi_render_counts counts;
        options.detail = detail;
        options.is_light = detail % 2 != 0;
        for (size_t i = 0; i < 2; i++) {
            options.start_ns = windows[i][0];
            options.end_ns = windows[i][1];
            check(&options, &counts);
            all.spans += counts.spans;
            all.bins += counts.bins;
        }
    }
    assert_true(all.spans > 100 && all.bins > 1000);
}

static void pictures_of_fine_dots_and_of_few_nanoseconds_are_the_same(void **state)
{
    struct fgi_render_counts counts;
    check(&(const struct fgi_render_options){ .trace = *state,
                                              .start_ns = 1000,
                                              .end_ns = 61000,
                                              .width_px = 801,
                                              .height_px = 100,
                                              .scale = 3 },
          &counts);
    assert_true(counts.left_out > 0);
    check(&(const struct fgi_render_options){ .trace = *state,
                                              .start_ns = 999000,
                                              .end_ns = 999013,
                                              .width_px = 777,
                                              .height_px = 100 },
          &counts);
    check(&(const struct fgi_render_options){ .trace = *state,
                                              .start_ns = INT64_MIN,
                                              .end_ns = INT64_MAX,
                                              .width_px = 300,
                                              .height_px = 100 },
          &counts);
}

static void the_validation_layer_has_nothing_to_say(void **state)
{
    (void)state;
    assert_int_equal(atomic_load(&bed.messages), 0);
}

static int open_bed(void **state)
{
    *state = render_bed_trace(3);
    if (*state == NULL || !compute_bed_create(&bed, 0)) {
        return -1;
    }
    runner = (struct fg_compute_runner){
        .compute = bed.compute, .begin = begin, .submit = submit, .wait = wait_done
    };
    device = (struct fgi_render_device){ .runner = &runner,
                                         .instance = bed.instance,
                                         .physical = bed.physical,
                                         .device = bed.device,
                                         .get_instance_proc_addr = vkGetInstanceProcAddr };
    return 0;
}

static int close_bed(void **state)
{
    compute_bed_destroy(&bed);
    fgi_trace_destroy(*state);
    return atomic_load(&bed.messages) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_detail_of_a_window_has_the_same_pixels_as_by_the_cpu),
        cmocka_unit_test(pictures_of_fine_dots_and_of_few_nanoseconds_are_the_same),
        cmocka_unit_test(the_validation_layer_has_nothing_to_say),
    };
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}
