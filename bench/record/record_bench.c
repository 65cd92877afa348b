/* SPDX-License-Identifier: MIT */
/*
 * What recording costs the program that is recorded. Nanoseconds per pass, draw and dispatch over
 * the bare stamps and clock reads, at each level; per frame at its end; and when nobody records.
 * JSON on standard output.
 */
#include "record/device.h"
#include "base/clock.h"
#include "base/rank.h"
#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>
#include <frameglass/graph.h>
#include <frameglass/session.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PASSES  200
#define CALLS   10 /* draws or dispatches per pass, where there are any */
#define FRAMES  60
#define REPEATS 9
#define WARM_UP 2

enum what { EMPTY_PASSES, DRAWS, DISPATCHES };

struct bench {
    struct fg_device *device;
    struct fg_session *session;
    struct fg_software_commands *native;
};

/* Medians of nanoseconds; `inside`: between begin and end of the command buffer. */
struct cost {
    int64_t inside_ns;
    int64_t frame_ns; /* begin, submit and end of the frame: absorbing, encoding, writing */
};

static int64_t median(int64_t *values, size_t count)
{
    return fgi_rank_ns(values, count, 50);
}

static enum fg_result forget_bytes(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return FG_OK;
}

static bool open_bench(struct bench *bench, enum fg_level level)
{
    const struct fg_sink sink = { .write = forget_bytes };
    struct fg_software_options options = { .flags = FG_SOFTWARE_REAL_TIME };
    return fg_software_device_create(&options, &bench->device) == FG_OK &&
           fg_software_commands_create(bench->device, &bench->native) == FG_OK &&
           fg_session_create(
               bench->device,
               FG_SESSION_OPTIONS(.level = level, .sink = &sink, .byte_budget = UINT64_MAX),
               &bench->session) == FG_OK &&
           fg_session_start(bench->session) == FG_OK;
}

static void close_bench(struct bench *bench)
{
    fg_software_commands_destroy(bench->native);
    fg_session_destroy(bench->session);
    fg_device_destroy(bench->device);
    *bench = (struct bench){ NULL, NULL, NULL };
}

static void record_calls(struct fg_commands *commands, enum what what)
{
    for (uint32_t i = 0; what == DRAWS && i < CALLS; i++) {
        fg_gpu_draw_indexed(commands, 300 + i, 1);
    }
    for (uint32_t i = 0; what == DISPATCHES && i < CALLS; i++) {
        fg_gpu_dispatch(commands, 30 + i, 20, 1);
    }
}

static int64_t record_passes(struct fg_commands *commands, enum what what)
{
    int64_t begin_ns = fgi_clock_monotonic_ns();
    for (uint32_t i = 0; i < PASSES; i++) {
        fg_commands_graph_pass_begin(commands, i, "a graph pass");
        fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "a pass of the frame",
                                                                .kind = FG_GPU_PASS_RENDER });
        record_calls(commands, what);
        fg_gpu_pass_end(commands);
        fg_commands_graph_pass_end(commands);
    }
    return fgi_clock_monotonic_ns() - begin_ns;
}

static void measure_frame(struct bench *bench, enum what what, struct cost *cost)
{
    static struct fg_graph_pass passes[PASSES];
    for (uint32_t i = 0; i < PASSES; i++) {
        passes[i].name = "a graph pass";
        passes[i].id = i;
    }
    fg_software_commands_reset(bench->native);
    int64_t begin_ns = fgi_clock_monotonic_ns();
    struct fg_frame *frame = fg_frame_begin(bench->device);
    fg_frame_set_graph(
        frame, &(struct fg_graph_desc){ .passes = passes, .pass_count = PASSES, .revision = 1 });
    struct fg_commands *commands =
        fg_commands_begin(frame, &(struct fg_commands_desc){ .native = bench->native });
    cost->inside_ns = record_passes(commands, what);
    fg_commands_end(commands);
    fg_frame_submit(frame, &(struct fg_submission){ .commands = &commands, .commands_count = 1 },
                    NULL);
    int64_t before_ns = fgi_clock_monotonic_ns();
    enum fg_result submitted = fg_software_submit(
        bench->device,
        &(struct fg_software_submission){ .commands = &bench->native, .commands_count = 1 });
    int64_t after_ns = fgi_clock_monotonic_ns();
    fg_frame_end(frame);
    cost->frame_ns = fgi_clock_monotonic_ns() - begin_ns - cost->inside_ns - (after_ns - before_ns);
    if (submitted != FG_OK) {
        abort();
    }
}

static struct cost measure(struct bench *bench, enum what what)
{
    int64_t inside[REPEATS];
    int64_t outside[REPEATS];
    for (int repeat = -WARM_UP; repeat < REPEATS; repeat++) {
        int64_t inside_of[FRAMES];
        int64_t outside_of[FRAMES];
        for (int frame = 0; frame < FRAMES; frame++) {
            struct cost cost;
            measure_frame(bench, what, &cost);
            inside_of[frame] = cost.inside_ns;
            outside_of[frame] = cost.frame_ns;
        }
        if (repeat >= 0) {
            inside[repeat] = median(inside_of, FRAMES);
            outside[repeat] = median(outside_of, FRAMES);
        }
    }
    return (struct cost){ median(inside, REPEATS), median(outside, REPEATS) };
}

/* The same stamps, and the two clock reads around each graph pass, without any recorder. */
static int64_t measure_bare(struct bench *bench)
{
    int64_t values[REPEATS * FRAMES];
    struct fgi_timer *timer = NULL;
    const struct fgi_device_ops *ops = bench->device->ops;
    if (ops->timer_create(bench->device, 0, PASSES, false, 0, &timer) != FG_OK) {
        abort();
    }
    volatile int64_t kept = 0;
    for (int repeat = 0; repeat < REPEATS * FRAMES; repeat++) {
        fg_software_commands_reset(bench->native);
        int64_t begin_ns = fgi_clock_monotonic_ns();
        for (uint32_t i = 0; i < PASSES; i++) {
            kept = ops->host_ns(bench->device);
            ops->slot_begin(bench->device, timer, bench->native, i, false);
            ops->slot_end(bench->device, timer, bench->native, i, false);
            kept = ops->host_ns(bench->device);
        }
        values[repeat] = fgi_clock_monotonic_ns() - begin_ns;
    }
    (void)kept;
    fg_software_commands_reset(bench->native);
    ops->timer_destroy(bench->device, timer);
    return median(values, REPEATS * FRAMES);
}

static int64_t measure_off(enum what what)
{
    int64_t values[REPEATS * FRAMES];
    for (int repeat = 0; repeat < REPEATS * FRAMES; repeat++) {
        values[repeat] = record_passes(NULL, what);
    }
    return median(values, REPEATS * FRAMES);
}

/* Thousandths of a nanosecond, as a number with three decimals. */
static void print_ns(const char *key, int64_t total_ns, int64_t count, const char *after)
{
    int64_t thousandths = total_ns * 1000 / count;
    printf("\"%s\": %s%" PRId64 ".%03" PRId64 "%s", key, thousandths < 0 ? "-" : "",
           (thousandths < 0 ? -thousandths : thousandths) / 1000,
           (thousandths < 0 ? -thousandths : thousandths) % 1000, after);
}

static bool measure_level(enum fg_level level, const char *name, const char *after)
{
    struct bench bench = { NULL, NULL, NULL };
    if (!open_bench(&bench, level)) {
        return false;
    }
    int64_t bare_ns = measure_bare(&bench);
    struct cost passes = measure(&bench, EMPTY_PASSES);
    struct cost draws = measure(&bench, DRAWS);
    struct cost dispatches = measure(&bench, DISPATCHES);
    printf("    { \"level\": \"%s\", ", name);
    print_ns("bare_ns_per_pass", bare_ns, PASSES, ", ");
    print_ns("ns_per_pass", passes.inside_ns - bare_ns, PASSES, ", ");
    print_ns("ns_per_draw", draws.inside_ns - passes.inside_ns, PASSES * CALLS, ", ");
    print_ns("ns_per_dispatch", dispatches.inside_ns - passes.inside_ns, PASSES * CALLS,
             ",\n      ");
    print_ns("frame_end_ns_per_pass", passes.frame_ns, PASSES, ", ");
    print_ns("frame_end_ns_per_draw", draws.frame_ns - passes.frame_ns, PASSES * CALLS, ", ");
    printf("\"frame_end_us\": %" PRId64 " }%s\n", draws.frame_ns / 1000, after);
    close_bench(&bench);
    return true;
}

int main(void)
{
    static const char *const names[] = { "timing", "structure", "workload", "verbose" };
    bool done = true;
    int64_t off_ns = measure_off(EMPTY_PASSES);
    printf("{ \"bench\": \"record\", \"commit\": \"%s\", \"frames\": %d, \"passes\": %d,\n"
           "  \"calls_per_pass\": %d, \"warm_up\": %d, \"repeats\": %d, \"statistic\": "
           "\"median\",\n  ",
           FG_COMMIT, FRAMES, PASSES, CALLS, WARM_UP, REPEATS);
    print_ns("off_ns_per_pass", off_ns, PASSES, ", ");
    print_ns("off_ns_per_draw", measure_off(DRAWS) - off_ns, PASSES * CALLS, ",\n");
    printf("  \"levels\": [\n");
    for (int i = 0; done && i < 4; i++) {
        done = measure_level((enum fg_level)(FG_LEVEL_TIMING + i), names[i], i < 3 ? "," : "");
    }
    printf("  ] }\n");
    return done ? 0 : 1;
}
