/* SPDX-License-Identifier: MIT */
#include "cost_timer.h"
#include "base/clock.h"
#include "base/rank.h"
#include <frameglass/session.h>

enum {
    FRAMES = 400,
    FIRST = 8, /* they make the timers that go around from then on */
};

static int64_t spent_ns;
static int64_t begun_ns;

static void resume(void)
{
    begun_ns = fgi_clock_monotonic_ns();
}

static void hold(void)
{
    spent_ns += fgi_clock_monotonic_ns() - begun_ns;
}

/** `is_timed`: with the pass around everything; else the frame alone is recorded. */
static int64_t draw_frame(struct timer_bed *bed, bool is_timed)
{
    spent_ns = 0;
    bed->prepare(bed);
    resume();
    struct fg_frame *frame = fg_frame_begin(bed->device);
    struct fg_commands *commands = is_timed ? bed->begin(bed, frame) : NULL;
    fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "frame" });
    hold();
    bed->work(bed);
    resume();
    fg_gpu_pass_end(commands);
    fg_commands_end(commands);
    if (bed->announces && is_timed) {
        fg_frame_submit(
            frame, &(struct fg_submission){ .commands = &commands, .commands_count = 1 }, NULL);
    }
    hold();
    bed->submit(bed);
    resume();
    fg_frame_end(frame);
    hold();
    return spent_ns;
}

static int64_t median_frame(struct timer_bed *bed, bool is_timed)
{
    static int64_t values_ns[FRAMES];
    for (int i = 0; i < FRAMES; i++) {
        values_ns[i] = draw_frame(bed, is_timed);
    }
    return fgi_rank_ns(values_ns, FRAMES, 50);
}

/** The session is started, and frames without the timer have been drawn. */
static void measure_on(struct timer_bed *bed, struct timer_costs *out)
{
    out->setup_ns = 0;
    for (int i = 0; i < FIRST; i++) {
        out->setup_ns += draw_frame(bed, true);
    }
    out->frame_ns = median_frame(bed, true);
    out->setup_ns -= FIRST * out->frame_ns;
}

static enum fg_result forget(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return FG_OK;
}

bool timer_measure(struct timer_bed *bed, struct timer_costs *out)
{
    const struct fg_sink sink = { .write = forget };
    struct fg_session *session = NULL;
    out->off_ns = median_frame(bed, true);
    const bool is_good =
        fg_session_create(bed->device, FG_SESSION_OPTIONS(.sink = &sink, .byte_budget = UINT64_MAX),
                          &session) == FG_OK &&
        fg_session_start(session) == FG_OK;
    if (is_good) {
        out->without_ns = median_frame(bed, false);
        measure_on(bed, out);
    }
    fg_session_destroy(session);
    return is_good;
}
