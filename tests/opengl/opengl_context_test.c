/* SPDX-License-Identifier: MIT */
/*
 * The OpenGL device over a real context, desktop and ES, with stamps and with elapsed queries:
 * structure, order and counts. Times are judged by gl_check, on a device that has some.
 */
#include "../unit/record_bed.h"
#include "base/thread.h"
#include "egl_bed.h"
#include <frameglass/draw_counter.h>
#include "../support/cmocka_all.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 8, LOOPS = 1 };

struct way {
    const char *name;
    bool es;
    uint32_t flags;
};
static const struct way ways[] = {
    { "desktop, stamps", false, 0 },
    { "desktop, elapsed", false, FG_OPENGL_NO_TIMESTAMPS },
    { "ES, stamps", true, 0 },
    { "ES, elapsed", true, FG_OPENGL_NO_TIMESTAMPS },
};

static struct egl_bed beds[2]; /* by `es` */

static int open_contexts(void **state)
{
    (void)state;
    for (int es = 0; es < 2; es++) {
        if (!egl_bed_open(&beds[es], es != 0, true)) {
            return 1;
        }
        egl_bed_make_current(&beds[es], false);
    }
    return 0;
}

static int close_contexts(void **state)
{
    (void)state;
    egl_bed_close(&beds[0]);
    egl_bed_close(&beds[1]);
    return 0;
}

static struct fg_device *open_device(struct egl_bed *bed, uint32_t flags)
{
    struct fg_opengl_options options = { .flags = flags,
                                         .get_proc_address = bed->get_proc_address,
                                         .native_context = bed->context.context };
    struct fg_device *device = NULL;
    egl_bed_make_current(bed, true);
    assert_int_equal(fg_opengl_device_create(&options, &device), FG_OK);
    return device;
}

static void close_device(struct egl_bed *bed, struct fg_device *device)
{
    struct fg_opengl_counts counts;
    fg_opengl_get_counts(device, &counts);
    fg_device_destroy(device);
    assert_int_equal(bed->gl.GetError(), GL_NO_ERROR);
    egl_bed_make_current(bed, false);
}

static void draw_pass(struct egl_bed *bed, struct fg_commands *commands, const char *label)
{
    fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = label,
                                                            .kind = FG_GPU_PASS_RENDER,
                                                            .statistics = true });
    egl_bed_draw(bed, LOOPS);
    fg_gpu_draw(commands, 3, 1);
}

static void draw_frame(struct egl_bed *bed, struct fg_device *device)
{
    struct fg_frame *frame = fg_frame_begin(device);
    struct fg_commands *commands = fg_opengl_commands_begin(device, frame);
    draw_pass(bed, commands, "first");
    fg_gpu_pass_end(commands);
    draw_pass(bed, commands, "outer");
    draw_pass(bed, commands, "inner");
    fg_gpu_pass_end(commands);
    egl_bed_draw(bed, LOOPS);
    fg_gpu_draw(commands, 3, 1);
    fg_gpu_pass_end(commands);
    fg_commands_end(commands);
    fg_frame_end(frame);
    bed->gl.Flush();
}

static void assert_frame(const struct seen_frame *frame, bool has_statistics)
{
    static const char *const labels[] = { "first", "outer", "inner" };
    static const int draws[] = { 1, 2, 1 };
    uint64_t begin = 0;
    assert_int_equal(frame->pass_count, 3);
    assert_int_equal(frame->dropped, 0);
    for (uint32_t i = 0; i < 3; i++) {
        const struct seen_pass *pass = &frame->passes[i];
        assert_string_equal(pass->label, labels[i]);
        assert_int_equal(pass->parent, i == 2 ? 1 : FG_CAP_NONE);
        assert_true(pass->has_span);
        /* An impossible first time is a driver's way; a missing one would be ours. */
        if (pass->span.status == FG_CAP_SPAN_REFUSED) {
            continue;
        }
        assert_int_equal(pass->span.status, FG_CAP_SPAN_OK);
        assert_true(pass->span.begin_ticks >= begin);
        begin = pass->span.begin_ticks;
        if (has_statistics && i != 2) { /* one at a time: the outer's count the inner draw, too */
            assert_int_equal(pass->statistics_mask, 0x7FF);
            assert_int_equal(pass->statistics[0], 3 * (i == 1 ? 3 : draws[i]));
        } else {
            assert_int_equal(pass->statistics_mask, 0);
        }
    }
}

/** Whether a pass has both its times in their order, or was refused; see assert_frame(). */
static bool is_plausible(const struct seen_pass *pass)
{
    return pass->has_span &&
           (pass->span.status == FG_CAP_SPAN_OK || pass->span.status == FG_CAP_SPAN_REFUSED);
}

/** What a driver is to be judged by when it gave out times that cannot be: all that came. */
static void print_times(const struct seen *seen, const struct fg_device *device)
{
    struct fg_opengl_counts counts;
    uint64_t last = 0;
    fg_opengl_get_counts(device, &counts);
    for (size_t f = 0; f < seen->frame_count; f++) {
        for (size_t p = 0; p < seen->frames[f].pass_count; p++) {
            const struct seen_pass *pass = &seen->frames[f].passes[p];
            printf("frame %zu, %-5s status %d, timer %u: %" PRIu64 " (%+" PRId64
                   " ticks since the pass before began) to %" PRIu64 " (%+" PRId64 ")\n",
                   f, pass->label, pass->has_span ? (int)pass->span.status : -1, pass->span.origin,
                   pass->span.begin_ticks, last != 0 ? (int64_t)(pass->span.begin_ticks - last) : 0,
                   pass->span.end_ticks, (int64_t)(pass->span.end_ticks - pass->span.begin_ticks));
            last = pass->span.begin_ticks;
        }
    }
    printf("queries %u, disjoint %u, impossible %u, in the way %u, from other threads %u\n",
           counts.queries, counts.disjoint, counts.passes_impossible, counts.passes_in_the_way,
           counts.other_threads);
}

static void print_implausible(const struct seen *seen, const struct fg_device *device)
{
    for (size_t f = 0; f < seen->frame_count; f++) {
        for (size_t p = 0; p < seen->frames[f].pass_count; p++) {
            if (!is_plausible(&seen->frames[f].passes[p])) {
                print_times(seen, device);
                return;
            }
        }
    }
}

static void frames_are_recorded_as_they_were_drawn(void **state)
{
    (void)state;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct egl_bed *bed = &beds[ways[w].es];
        struct fg_device *device = open_device(bed, ways[w].flags);
        struct fg_opengl_counts before, after;
        struct fg_session *session;
        struct seen seen;
        size_t refused = 0;
        assert_int_equal(fg_opengl_get_timing(device),
                         ways[w].flags == 0 ? FG_OPENGL_TIMING_STAMPS : FG_OPENGL_TIMING_ELAPSED);
        assert_int_equal(fg_session_create(device, NULL, &session), FG_OK);
        assert_int_equal(fg_session_start(session), FG_OK);
        for (int f = 0; f < FRAMES; f++) {
            draw_frame(bed, device);
            bed->gl.Finish(); /* as a program that is not ahead of its device */
            if (f == FRAMES / 2) {
                fg_opengl_get_counts(device, &before);
            }
        }
        fg_opengl_get_counts(device, &after);
        assert_int_equal(after.queries, before.queries);
        assert_int_equal(fg_session_finish(session, 20 * (int64_t)SECOND_NS), FG_OK);
        seen_session(&seen, session);
        assert_int_equal(seen.frame_count, FRAMES);
        print_implausible(&seen, device);
        bool has_statistics = false;
        for (size_t i = 0; i < seen.feature_count; i++) {
            has_statistics |= strcmp(seen.features[i], "pipeline-statistics") == 0;
        }
        for (size_t f = 0; f < FRAMES; f++) {
            assert_frame(&seen.frames[f], has_statistics);
            for (size_t p = 0; p < 3; p++) {
                refused += seen.frames[f].passes[p].span.status == FG_CAP_SPAN_REFUSED;
            }
        }
        fg_opengl_get_counts(device, &after);
        assert_true(refused <= 3); /* those of one frame */
        assert_int_equal(after.disjoint + after.passes_in_the_way + after.other_threads, 0);
        assert_int_equal(seen.clocks[1].domain, ways[w].flags == 0 ? 1 : 2);
        assert_true(ways[w].flags != 0 || seen.clocks[1].reading_count >= 2);
        seen_free(&seen);
        fg_session_destroy(session);
        close_device(bed, device);
    }
}

static char groups[256];
static int open_groups;

static void APIENTRY heard(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                           const GLchar *message, const void *user)
{
    (void)source;
    (void)id;
    (void)severity;
    (void)length;
    (void)user;
    if (type == GL_DEBUG_TYPE_PUSH_GROUP) {
        size_t used = strlen(groups);
        (void)snprintf(groups + used, sizeof groups - used, "%s ", message);
        open_groups++;
    } else if (type == GL_DEBUG_TYPE_POP_GROUP) {
        open_groups--;
    }
}

static void passes_are_groups_that_a_debugger_hears_of(void **state)
{
    struct egl_bed *bed = &beds[0];
    struct fg_device *device = open_device(bed, 0);
    struct fg_session *session;
    (void)state;
    bed->gl.Enable(GL_DEBUG_OUTPUT);
    bed->gl.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    bed->gl.DebugMessageCallback(heard, NULL);
    assert_int_equal(fg_session_create(device, NULL, &session), FG_OK);
    assert_int_equal(fg_session_start(session), FG_OK);
    draw_frame(bed, device);
    bed->gl.DebugMessageCallback(NULL, NULL);
    assert_string_equal(groups, "first outer inner ");
    assert_int_equal(open_groups, 0);
    fg_session_destroy(session);
    close_device(bed, device);
}

static void draws_are_counted_and_still_drawn(void **state)
{
    struct egl_bed *bed = &beds[0];
    PFNGLDRAWARRAYSPROC original = bed->gl.DrawArrays;
    const struct fg_draw_slot slot = { "glDrawArrays", (void **)(void *)&bed->gl.DrawArrays };
    struct fg_device *device = open_device(bed, 0);
    struct fg_draw_counter *counter;
    struct fg_draw_counts counts;
    struct fg_session *session;
    struct seen seen;
    (void)state;
    assert_int_equal(fg_draw_counter_create(NULL, &slot, 1, &counter), FG_OK);
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    assert_int_equal(fg_session_create(device, NULL, &session), FG_OK);
    assert_int_equal(fg_session_start(session), FG_OK);
    draw_frame(bed, device);
    fg_draw_counter_take(counter, &counts);
    assert_int_equal(counts.draws, 4);
    assert_int_equal(counts.vertices, 12);
    assert_int_equal(fg_session_finish(session, 20 * (int64_t)SECOND_NS), FG_OK);
    seen_session(&seen, session);
    assert_int_equal(seen.frames[0].passes[1].statistics[0], 9); /* the driver drew them */
    fg_draw_counter_destroy(counter);
    assert_true(bed->gl.DrawArrays == original);
    seen_free(&seen);
    fg_session_destroy(session);
    close_device(bed, device);
}

struct mover {
    struct egl_bed *bed;
    struct fg_device *device;
};

static void draw_elsewhere(void *context)
{
    struct mover *mover = context;
    egl_bed_make_current(mover->bed, true);
    fg_opengl_adopt(mover->device);
    draw_frame(mover->bed, mover->device);
    draw_frame(mover->bed, mover->device);
    egl_bed_make_current(mover->bed, false);
}

static void a_context_that_moves_takes_its_device_along(void **state)
{
    struct egl_bed *bed = &beds[0];
    struct mover mover = { bed, open_device(bed, 0) };
    struct fg_session *session;
    struct fgi_thread *thread;
    struct seen seen;
    (void)state;
    assert_int_equal(fg_session_create(mover.device, NULL, &session), FG_OK);
    assert_int_equal(fg_session_start(session), FG_OK);
    draw_frame(bed, mover.device);
    egl_bed_make_current(bed, false);
    assert_int_equal(fgi_thread_create(NULL, draw_elsewhere, &mover, &thread), FG_OK);
    fgi_thread_join(thread);
    egl_bed_make_current(bed, true);
    fg_opengl_adopt(mover.device);
    assert_int_equal(fg_session_finish(session, 20 * (int64_t)SECOND_NS), FG_OK);
    seen_session(&seen, session);
    assert_int_equal(seen.frame_count, 3);
    print_implausible(&seen, mover.device);
    for (size_t f = 0; f < 3; f++) {
        assert_frame(&seen.frames[f], true);
    }
    seen_free(&seen);
    fg_session_destroy(session);
    close_device(bed, mover.device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_recorded_as_they_were_drawn),
        cmocka_unit_test(passes_are_groups_that_a_debugger_hears_of),
        cmocka_unit_test(draws_are_counted_and_still_drawn),
        cmocka_unit_test(a_context_that_moves_takes_its_device_along),
    };
    return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
