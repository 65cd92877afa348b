/* SPDX-License-Identifier: MIT */
/*
 * What the HUD costs the program that shows it: nanoseconds of CPU per frame for feeding the
 * statistics, for laying the panel out, and for drawing it with each renderer that this machine can
 * run, beside a frame that does nothing but clear. The panel is a full one: every row, 12 passes,
 * four metrics, 120 bars, 1000 frames behind it. JSON on standard output. Software drivers of
 * OpenGL work on vertices in the thread that draws, so that their draw is more than a CPU's part of
 * it.
 */
#include "base/clock.h"
#include "base/rank.h"
#include "hud_feed.h"
#include "hud_gl.h"
#include "hud_vk.h"

#include <inttypes.h>
#include <stdio.h>

#define FRAMES  300 /* of one repeat */
#define REPEATS 9

struct sums {
    int64_t values[REPEATS][FRAMES];
};
static struct sums feeds, builds, gl_draws, gl_empties, vk_draws, vk_empties;

static int64_t median(struct sums *sums)
{
    return fgi_rank_ns(&sums->values[0][0], (size_t)REPEATS * FRAMES, 50);
}

static void print_renderer(const char *name, const char *device, int64_t draw_ns, int64_t empty_ns,
                           int64_t rest_ns)
{
    const int64_t total_ns = rest_ns + draw_ns;
    printf(",\n  \"%s\": { \"device\": \"%s\", \"draw_ns\": %" PRId64 ", \"total_ns\": %" PRId64
           ", \"empty_frame_ns\": %" PRId64 ", \"total_of_empty_frame_percent\": %" PRId64
           ", \"under_50_us\": %s }",
           name, device, draw_ns, total_ns, empty_ns, empty_ns > 0 ? total_ns * 100 / empty_ns : 0,
           total_ns < 50000 ? "true" : "false");
}

/** Of a disabled HUD, all of it: what is left in a program that does not show it. */
static int64_t measure_disabled(struct hud_feed *b)
{
    fg_hud_disable(b->hud);
    const int64_t begin_ns = fgi_clock_monotonic_ns();
    for (int i = 0; i < FRAMES * 10; i++) {
        hud_feed(b);
        (void)fg_hud_build(b->hud, &hud_feed_target, &b->list);
    }
    const int64_t spent_ns = fgi_clock_monotonic_ns() - begin_ns;
    return spent_ns / (FRAMES * 10);
}

int main(void)
{
    struct hud_feed b = { .present_ns = 1 };
    struct hud_gl *gl = hud_gl_open(hud_feed_target.width_px, hud_feed_target.height_px);
    struct hud_vk *vk = hud_vk_open();
    if (fg_hud_create(NULL, &b.hud) != FG_OK) {
        return 1;
    }
    for (int i = 0; i < 1100; i++) {
        hud_feed_frame(&b);
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        for (int i = 0; i < FRAMES; i++) {
            gl_empties.values[repeat][i] = hud_gl_frame(gl, NULL);
            vk_empties.values[repeat][i] = hud_vk_frame(vk, NULL);
            hud_feed_frame(&b);
            feeds.values[repeat][i] = b.feed_ns;
            builds.values[repeat][i] = b.build_ns;
            gl_draws.values[repeat][i] = hud_gl_frame(gl, &b.list);
            vk_draws.values[repeat][i] = hud_vk_frame(vk, &b.list);
        }
    }
    const int64_t feed_ns = median(&feeds);
    const int64_t build_ns = median(&builds);
    const uint32_t quads = b.list.quad_count;
    printf("{ \"bench\": \"hud\", \"commit\": \"%s\", \"frames\": %d, \"quads\": %u,\n"
           "  \"feed_ns\": %" PRId64 ", \"build_ns\": %" PRId64 ", \"disabled_ns\": %" PRId64,
           FG_COMMIT, REPEATS * FRAMES, quads, feed_ns, build_ns, measure_disabled(&b));
    if (gl != NULL) {
        print_renderer("opengl", hud_gl_device(gl), median(&gl_draws), median(&gl_empties),
                       feed_ns + build_ns);
    }
    if (vk != NULL) {
        print_renderer("vulkan", hud_vk_device(vk), median(&vk_draws), median(&vk_empties),
                       feed_ns + build_ns);
    }
    printf(" }\n");
    hud_vk_close(vk);
    hud_gl_close(gl);
    fg_hud_destroy(b.hud);
    return 0;
}
