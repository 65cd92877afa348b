/* SPDX-License-Identifier: MIT */
/*
 * The foreign renderer draws what a trace holds: spans where they are, gaps where none is, and with
 * its own mask those rows alone that the mask lets pass.
 */
#include "foreign_draws.h"
#include "support/cmocka_all.h"
#include "trace/build.h"
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 60, LANES = 3, RANGE = 10000, TRACKS = 2, SPANS_MAX = 600 };

struct span {
    int64_t start, end;
    int lane, parent; /**< parent: index, or -1 */
};
static struct span spans[SPANS_MAX];
static int span_count;

static void add(struct fgi_builder *b, int64_t start, int64_t end, int lane, int parent)
{
    static const char *const names[] = { "outer", "inner", "beside" };
    (void)fgi_builder_span(b, &(const struct fgi_span_in){ .track = lane == 2,
                                                           .start_ns = start,
                                                           .end_ns = end,
                                                           .name = fgi_builder_cstr(b, names[lane]),
                                                           .frame = FG_NONE,
                                                           .pass = FG_NONE,
                                                           .origin = FG_NONE,
                                                           .logical = FG_NONE });
    spans[span_count++] = (struct span){ start, end, lane, parent };
}

/* Two lanes of one track, one inside the other, and a second track with a clock of its own. */
static struct fg_trace *make_trace(void)
{
    struct fgi_builder *b = NULL;
    struct fg_trace *trace = NULL;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_process(b, 0, 1);
    for (uint32_t i = 0; i < TRACKS; i++) {
        const struct fg_trace_track track = { .kind = FG_TRACK_THREAD, .clock = i };
        (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
        (void)fgi_builder_track(b, &track, false);
    }
    span_count = 0;
    for (int64_t at = -500; at < RANGE + 500; at += 200) {
        const int outer = span_count;
        add(b, at, at + 150, 0, -1);
        add(b, at + 10, at + 20 + (at + 700) % 70, 1,
            outer); /* some take a quarter of it, others do not */
        add(b, at + 90, at + 140, 1, outer);
    }
    for (int64_t at = 0; at < RANGE; at += 130) {
        add(b, at + 40, at + 110, 2, -1);
    }
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    return trace;
}

static bool takes_a_quarter(const struct span *span)
{
    const struct span *parent = span->parent >= 0 ? &spans[span->parent] : NULL;
    return parent == NULL || span->end - span->start >= (parent->end - parent->start) / 4;
}

static bool meets(const struct span *span)
{
    return span->start < RANGE && span->end > 0;
}

/* What a lane has at a time, among those that pass; NULL: nothing. */
static const struct span *find(int lane, int64_t time, bool is_masked)
{
    for (int i = 0; i < span_count; i++) {
        if (spans[i].lane == lane && spans[i].start <= time && time < spans[i].end &&
            (!is_masked || takes_a_quarter(&spans[i]))) {
            return &spans[i];
        }
    }
    return NULL;
}

static uint32_t pixel(const struct foreign_draws_picture *picture, int x, int y)
{
    uint32_t rgba = 0;
    memcpy(&rgba, picture->pixels + ((size_t)y * WIDTH + (size_t)x) * 4, sizeof rgba);
    return rgba;
}

/* In the middle of each lane, wherever no edge is near. */
static void check_pixels(const struct foreign_draws_picture *picture, bool is_masked)
{
    const uint32_t ground = pixel(picture, 0, 0);
    uint32_t colors[LANES] = { 0 };
    int seen[2] = { 0 };
    for (int lane = 0; lane < LANES; lane++) {
        const int y = (2 * lane + 1) * HEIGHT / (2 * LANES);
        for (int x = 2; x < WIDTH - 2; x++) {
            const int64_t time = (int64_t)x * RANGE / WIDTH;
            const struct span *here = find(lane, time, is_masked);
            if (find(lane, time - 15, is_masked) != here ||
                find(lane, time + 25, is_masked) != here) {
                continue;
            }
            const uint32_t found = pixel(picture, x, y);
            seen[here != NULL]++;
            if (here == NULL) {
                assert_int_equal(found, ground);
                continue;
            }
            colors[lane] = colors[lane] != 0 ? colors[lane] : found;
            assert_int_equal(found, colors[lane]);
            assert_int_not_equal(found, ground);
        }
    }
    assert_true(seen[0] > 100 && seen[1] > 100);
    assert_int_not_equal(colors[0], colors[1]);
    assert_int_not_equal(colors[1], colors[2]);
}

static struct foreign_draws *draws;

static void draw(bool is_masked)
{
    const struct foreign_draws_window window = { .start_ns = 0,
                                                 .end_ns = RANGE,
                                                 .width_px = WIDTH,
                                                 .height_px = HEIGHT,
                                                 .is_masked = is_masked };
    struct foreign_draws_picture picture;
    uint32_t marked = 0, drawn = 0;
    uint64_t sum_ns = 0;
    assert_true(foreign_draws(draws, &window, &picture));
    for (int i = 0; i < span_count; i++) {
        marked += takes_a_quarter(&spans[i]);
        sum_ns += takes_a_quarter(&spans[i]) ? (uint64_t)(spans[i].end - spans[i].start) : 0;
        drawn += meets(&spans[i]) && (!is_masked || takes_a_quarter(&spans[i]));
    }
    assert_true(marked > 100 && marked < (uint32_t)span_count - 10);
    assert_int_equal(picture.marked, marked);
    assert_int_equal(picture.summed, marked);
    assert_true(picture.summed_ns == sum_ns);
    assert_int_equal(picture.drawn, drawn);
    check_pixels(&picture, is_masked);
    free(picture.pixels);
}

static void a_foreign_renderer_draws_spans_from_the_indirect_command(void **state)
{
    (void)state;
    draw(false);
}

static void a_mask_of_the_foreign_renderer_decides_what_is_drawn_and_summed_up(void **state)
{
    (void)state;
    draw(true);
}

/* Kernels are compiled once for all pictures of a device. */
static int open_draws(void **state)
{
    *state = make_trace();
    draws = foreign_draws_open(*state);
    return draws != NULL ? 0 : -1;
}

static int close_draws(void **state)
{
    foreign_draws_close(draws);
    fgi_trace_destroy(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_foreign_renderer_draws_spans_from_the_indirect_command),
        cmocka_unit_test(a_mask_of_the_foreign_renderer_decides_what_is_drawn_and_summed_up),
    };
    return cmocka_run_group_tests(tests, open_draws, close_draws);
}
