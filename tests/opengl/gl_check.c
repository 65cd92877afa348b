/* SPDX-License-Identifier: MIT */
/*
 * What a GL driver's times are like, for people: whether equal work measures equal, whether stamps
 * and elapsed queries agree, whether parts sum up to their whole, whether stamps run forward, what
 * it costs, how well the clock can be read. Exit status 1 when times cannot be believed; a software
 * driver's are not judged.
 *
 *   gl_check [--es] [--debug]
 *
 * --debug: in a context that tells what it hears; some drivers are others there.
 */
#include "base/rank.h"
#include "egl_bed.h"
#include "gl_order.h"
#include "record/device.h"
#include <frameglass/timing.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PASSES = 10,
    FRAMES = 15,
    PASS_NS = 1000000,
    TRIES = 5,
    EQUAL_PERCENT = 25, /* a pass may be off the median of all */
    AGREE_PERCENT = 20, /* stamps and elapsed queries */
    TWICE_PERCENT = 25, /* twice the work, off twice the time */
    WHOLE_PERCENT = 10, /* the sum of parts, off their whole */
    COST_FRAMES = 200,
    CALIBRATIONS = 400,
    DRIFT_NS = 2000000000,
};

static struct egl_bed bed;
static bool judged = true;
static int failures;

static void judge(bool good, const char *what)
{
    printf("  %-28s %s\n", what, good ? "good" : judged ? "BAD" : "bad, not judged");
    failures += !good && judged;
}

static struct fg_device *open_device(uint32_t flags)
{
    struct fg_device *device = NULL;
    enum fg_result result = fg_opengl_device_create(
        FG_OPENGL_OPTIONS(.flags = flags, .get_proc_address = bed.get_proc_address), &device);
    if (result != FG_OK) {
        fprintf(stderr, "fg_opengl_device_create: %s\n", fg_result_name(result));
        exit(1);
    }
    return device;
}

/* ---- what the device says ---- */

static void print_meta(void *context, const char *key, const char *value)
{
    (void)context;
    printf("  %-28s %s\n", key, value);
    if (strcmp(key, "adapter.kind") == 0 && strcmp(value, "cpu") == 0) {
        judged = false;
    }
}

static void print_feature(void *context, const char *name)
{
    (void)context;
    printf("  %-28s %s\n", "has", name);
}

static void describe(void)
{
    struct fg_device *device = open_device(0);
    struct fgi_memory_use use = { 0 };
    printf("device\n");
    device->ops->describe(device, print_meta, print_feature, NULL);
    printf("  %-28s %s\n", "clock",
           device->caps.calibrated ? "calibrated" : device->caps.nominal_reason);
    if (device->caps.memory) {
        int64_t begin_ns = egl_bed_now_ns();
        bool told = device->ops->memory(device, &use);
        int64_t taken_ns = egl_bed_now_ns() - begin_ns;
        printf("  %-28s %s, %" PRIu64 " of %" PRIu64 " MiB free; asking took %" PRId64 " ns\n",
               "memory", told ? "told" : "not told", use.free_bytes >> 20, use.total_bytes >> 20,
               taken_ns);
    } else {
        printf("  %-28s not told\n", "memory");
    }
    fg_device_destroy(device);
}

/* ---- times of frames, through the table that a program gets ---- */

struct table {
    int64_t ns[PASSES + 1]; /* -1: no time */
    uint32_t count;
    bool came;
};

static void keep_table(void *context, const struct fg_timing_table *given)
{
    struct table *table = context;
    table->count = given->row_count;
    table->came = true;
    for (uint32_t i = 0; i < given->row_count && i <= PASSES; i++) {
        table->ns[i] = given->rows[i].valid ? given->rows[i].duration_ns : -1;
    }
}

/** A frame of passes of `loops` (the last of `last_loops`), in a pass of their own if `nested`. */
static struct table measure_frame(struct fg_device *device, int loops, int last_loops, bool nested)
{
    struct table table = { .count = 0 };
    if (fg_device_arm_frames(device, 1, keep_table, &table) != FG_OK) {
        return table;
    }
    struct fg_frame *frame = fg_frame_begin(device);
    struct fg_commands *commands = fg_opengl_commands_begin(device, frame);
    if (nested) {
        fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "whole" });
    }
    for (int pass = 0; pass < PASSES; pass++) {
        fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "part" });
        egl_bed_draw(&bed, pass == PASSES - 1 ? last_loops : loops);
        fg_gpu_pass_end(commands);
    }
    if (nested) {
        fg_gpu_pass_end(commands);
    }
    fg_commands_end(commands);
    fg_frame_end(frame);
    bed.gl.Finish();
    for (int i = 0; i < 1000 && !table.came; i++) {
        struct timespec pause = { .tv_nsec = 1000000 };
        fg_device_poll(device);
        if (!table.came) {
            nanosleep(&pause, NULL);
        }
    }
    return table;
}

struct medians {
    int64_t ns[PASSES + 1];
    int64_t middle_ns;
    int worst_percent;
    unsigned missing;
};

static int percent_off(int64_t value, int64_t expected)
{
    return expected > 0 ? (int)(llabs(value - expected) * 100 / expected) : 100;
}

static struct medians measure(struct fg_device *device, int loops, int last_loops, bool nested)
{
    int64_t ns[PASSES + 1][FRAMES];
    struct medians medians = { .missing = 0 };
    uint32_t rows = PASSES + nested;
    (void)measure_frame(device, loops, last_loops, nested); /* to warm up */
    for (int frame = 0; frame < FRAMES; frame++) {
        struct table table = measure_frame(device, loops, last_loops, nested);
        for (uint32_t row = 0; row < rows; row++) {
            bool there = row < table.count && table.ns[row] >= 0;
            medians.missing += !there;
            ns[row][frame] = there ? table.ns[row] : 0;
        }
    }
    for (uint32_t row = 0; row < rows; row++) {
        medians.ns[row] = fgi_rank_ns(ns[row], FRAMES, 50);
    }
    int64_t parts[PASSES];
    memcpy(parts, medians.ns + nested, sizeof parts);
    medians.middle_ns = fgi_rank_ns(parts, PASSES, 50);
    for (int i = 0; i < PASSES; i++) {
        int off = percent_off(medians.ns[i + nested], medians.middle_ns);
        medians.worst_percent = off > medians.worst_percent ? off : medians.worst_percent;
    }
    return medians;
}

/** Other programs disturb a measurement, and none makes it better: the best of a few. */
static struct medians measure_best(struct fg_device *device, int loops)
{
    struct medians best = measure(device, loops, loops, false);
    for (int i = 1; i < TRIES && best.worst_percent > EQUAL_PERCENT; i++) {
        struct medians again = measure(device, loops, loops, false);
        best = again.worst_percent < best.worst_percent ? again : best;
    }
    return best;
}

static int loops_for(int64_t pass_ns)
{
    int loops = 16;
    for (; loops < 1 << 20; loops *= 2) {
        egl_bed_draw(&bed, loops);
        bed.gl.Finish();
        int64_t begin_ns = egl_bed_now_ns();
        egl_bed_draw(&bed, loops);
        bed.gl.Finish();
        if (egl_bed_now_ns() - begin_ns >= pass_ns) {
            break;
        }
    }
    return loops;
}

static void print_row(const char *what, const struct medians *medians, uint32_t first)
{
    printf("  %-28s", what);
    for (uint32_t i = first; i < first + PASSES; i++) {
        printf(" %" PRId64, medians->ns[i] / 1000);
    }
    printf(" us; worst %d %%, %u missing\n", medians->worst_percent, medians->missing);
}

static void check_one_way(struct fg_device *device, const char *name, int loops,
                          struct medians *out_equal)
{
    *out_equal = measure_best(device, loops);
    print_row(name, out_equal, 0);
    judge(out_equal->worst_percent <= EQUAL_PERCENT, "equal work, equal times");
    struct medians twice = measure(device, loops, 2 * loops, false);
    int64_t expected_ns = 2 * twice.middle_ns;
    printf("  %-28s %" PRId64 " us against %" PRId64 "\n", "twice the work",
           twice.ns[PASSES - 1] / 1000, twice.middle_ns / 1000);
    judge(percent_off(twice.ns[PASSES - 1], expected_ns) <= TWICE_PERCENT, "twice, about");
    struct medians nested = measure(device, loops, loops, true);
    int64_t sum_ns = 0;
    for (int i = 1; i <= PASSES; i++) {
        sum_ns += nested.ns[i];
    }
    printf("  %-28s %" PRId64 " us, its parts %" PRId64 "\n", "a pass with parts",
           nested.ns[0] / 1000, sum_ns / 1000);
    judge(percent_off(sum_ns, nested.ns[0]) <= WHOLE_PERCENT, "parts make the whole");
}

static void check_times(void)
{
    int loops = loops_for(PASS_NS);
    struct medians stamps = { .middle_ns = 0 };
    struct medians elapsed = { .middle_ns = 0 };
    printf("times: ten passes, medians of %d frames, %d loops\n", FRAMES, loops);
    struct fg_device *device = open_device(0);
    bool has_stamps = fg_opengl_get_timing(device) == FG_OPENGL_TIMING_STAMPS;
    if (has_stamps) {
        check_one_way(device, "stamps", loops, &stamps);
    }
    fg_device_destroy(device);
    device = open_device(FG_OPENGL_NO_TIMESTAMPS);
    bool has_elapsed = fg_opengl_get_timing(device) == FG_OPENGL_TIMING_ELAPSED;
    if (has_elapsed) {
        struct fg_opengl_counts counts;
        check_one_way(device, "elapsed queries", loops, &elapsed);
        fg_opengl_get_counts(device, &counts);
        printf("  %-28s %u\n", "impossible times", counts.passes_impossible);
    }
    fg_device_destroy(device);
    if (has_stamps && has_elapsed) {
        judge(percent_off(elapsed.middle_ns, stamps.middle_ns) <= AGREE_PERCENT,
              "stamps and elapsed agree");
    }
    judge(has_stamps || has_elapsed, "there are times");
}

/* ---- costs ---- */

/** CPU time of a frame with so many empty passes in it. */
static int64_t frame_cost_ns(struct fg_device *device, int passes)
{
    int64_t costs_ns[COST_FRAMES];
    for (int f = 0; f < COST_FRAMES; f++) {
        int64_t begin_ns = egl_bed_now_ns();
        struct fg_frame *frame = fg_frame_begin(device);
        struct fg_commands *commands = fg_opengl_commands_begin(device, frame);
        for (int pass = 0; pass < passes; pass++) {
            fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "empty" });
            fg_gpu_pass_end(commands);
        }
        fg_commands_end(commands);
        fg_frame_end(frame);
        costs_ns[f] = egl_bed_now_ns() - begin_ns;
        egl_bed_draw(&bed, 1);
        bed.gl.Finish();
    }
    return fgi_rank_ns(costs_ns, COST_FRAMES, 50);
}

static void print_costs(const char *what, uint32_t flags)
{
    struct fg_device *device = open_device(flags);
    struct fg_session *session = NULL;
    if (fg_session_create(device, NULL, &session) != FG_OK || fg_session_start(session) != FG_OK) {
        exit(1);
    }
    int64_t none_ns = frame_cost_ns(device, 0);
    int64_t one_ns = frame_cost_ns(device, 1);
    int64_t many_ns = frame_cost_ns(device, 101);
    printf("  %-28s %" PRId64 " ns without a pass, %" PRId64 " with one, %" PRId64
           " for each more\n",
           what, none_ns, one_ns, (many_ns - one_ns) / 100);
    fg_session_destroy(session);
    fg_device_destroy(device);
}

static void measure_costs(void)
{
    printf("CPU: medians of %d recorded frames\n", COST_FRAMES);
    print_costs("a frame, stamps", 0);
    print_costs("a frame, elapsed", FG_OPENGL_NO_TIMESTAMPS);
    struct fg_device *device = open_device(0);
    printf("  %-28s %" PRId64 " ns\n", "a frame, nobody records", frame_cost_ns(device, 1));
    fg_device_destroy(device);
}

/** The reading with the smallest deviation of many. */
static struct fgi_clock_pair best_reading(struct fg_device *device, int64_t *deviations_ns)
{
    struct fgi_clock_pair best = { .deviation_ns = INT64_MAX };
    for (int i = 0; i < CALIBRATIONS; i++) {
        struct fgi_clock_pair pair = { 0 };
        if (device->ops->calibrate(device, 0, &pair) != FG_OK) {
            exit(1);
        }
        deviations_ns[i] = pair.deviation_ns;
        best = pair.deviation_ns < best.deviation_ns ? pair : best;
    }
    return best;
}

/** Reading the clock must not wait for the work that is ahead of it. */
static void check_stall(struct fg_device *device, int64_t idle_ns)
{
    struct fgi_clock_pair pair;
    egl_bed_draw(&bed, 1);
    bed.gl.Finish();
    egl_bed_draw(&bed, loops_for(20 * (int64_t)PASS_NS));
    bed.gl.Flush();
    int64_t begin_ns = egl_bed_now_ns();
    (void)device->ops->calibrate(device, 0, &pair);
    int64_t busy_ns = egl_bed_now_ns() - begin_ns;
    bed.gl.Finish();
    int64_t work_ns = egl_bed_now_ns() - begin_ns;
    printf("  %-28s %" PRId64 " ns, idle %" PRId64 "; the work took %" PRId64 "\n",
           "a reading before 20 ms work", busy_ns, idle_ns, work_ns);
    judge(busy_ns < work_ns / 4, "readings do not wait");
}

static void measure_clock(void)
{
    struct fg_device *device = open_device(0);
    int64_t deviations_ns[CALIBRATIONS];
    printf("clock: %d readings\n", CALIBRATIONS);
    if (!device->caps.calibrated) {
        printf("  none: %s\n", device->caps.nominal_reason);
        fg_device_destroy(device);
        return;
    }
    int64_t begin_ns = egl_bed_now_ns();
    struct fgi_clock_pair first = best_reading(device, deviations_ns);
    int64_t reading_ns = (egl_bed_now_ns() - begin_ns) / CALIBRATIONS;
    printf("  %-28s %" PRId64 " ns\n", "CPU, per reading", reading_ns);
    printf("  %-28s", "bound min/50/95/max");
    printf(" %" PRId64, fgi_rank_ns(deviations_ns, CALIBRATIONS, 0));
    printf(" / %" PRId64, fgi_rank_ns(deviations_ns, CALIBRATIONS, 50));
    printf(" / %" PRId64, fgi_rank_ns(deviations_ns, CALIBRATIONS, 95));
    printf(" / %" PRId64 " ns\n", fgi_rank_ns(deviations_ns, CALIBRATIONS, 100));
    while (egl_bed_now_ns() - first.host_ns < DRIFT_NS) {
        struct timespec pause = { .tv_nsec = 50000000 };
        nanosleep(&pause, NULL);
    }
    struct fgi_clock_pair second = best_reading(device, deviations_ns);
    int64_t device_ns = (int64_t)(second.device_ticks - first.device_ticks);
    int64_t host_ns = second.host_ns - first.host_ns;
    printf("  %-28s %+" PRId64 " ns in %" PRId64 " ms (+/- %" PRId64 ")\n", "drift",
           device_ns - host_ns, host_ns / 1000000, first.deviation_ns + second.deviation_ns);
    check_stall(device, reading_ns);
    fg_device_destroy(device);
}

int main(int argc, char **argv)
{
    bool es = false;
    bool debug = false;
    for (int i = 1; i < argc; i++) {
        bool is_es = strcmp(argv[i], "--es") == 0;
        bool is_debug = strcmp(argv[i], "--debug") == 0;
        if (!is_es && !is_debug) {
            fprintf(stderr, "usage: gl_check [--es] [--debug]\n");
            return 2;
        }
        es |= is_es;
        debug |= is_debug;
    }
    if (!egl_bed_open(&bed, es, debug)) {
        return 1;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    describe();
    check_times();
    printf("order: stamps of frames, one after the other\n");
    judge(gl_order_check(&bed), "stamps run forward");
    measure_costs();
    measure_clock();
    if (bed.gl.GetError() != GL_NO_ERROR) {
        judge(false, "no GL error");
    }
    egl_bed_close(&bed);
    printf("%s\n", failures != 0 ? "bad: these times cannot be believed"
                   : judged      ? "good: equal work measures equal"
                                 : "a software driver: its times are not judged");
    return failures != 0;
}
