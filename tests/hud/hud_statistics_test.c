/* SPDX-License-Identifier: MIT */
/* What the HUD says of frames whose times are made up, and so known. */
#include "cmocka_all.h"
#include "failing_memory.h"
#include "hud_scene.h"

#include <stdio.h>
#include <string.h>

#define MS INT64_C(1000000)

struct bed {
    struct fg_hud *hud;
    struct fgt_hud_clock clock;
    uint64_t number;
    int64_t present_ns;
};

static void begin_with(struct bed *bed, struct fg_hud_options options)
{
    *bed = (struct bed){ .present_ns = 1000 * MS };
    options.now_ns = fgt_hud_clock_now;
    options.clock_context = &bed->clock;
    options.flags |= FG_HUD_NO_PROCESS_MEMORY;
    assert_int_equal(fg_hud_create(&options, &bed->hud), FG_OK);
}

static void begin(struct bed *bed)
{
    begin_with(bed, (struct fg_hud_options){ 0 });
}

static void end(struct bed *bed)
{
    fg_hud_destroy(bed->hud);
}

/** A frame `frame_ns` after the one before. */
static uint64_t tell(struct bed *bed, int64_t frame_ns, int64_t cpu_ns, int64_t wait_ns)
{
    bed->present_ns += frame_ns;
    bed->clock.now_ns = bed->present_ns;
    fg_hud_frame(bed->hud, &(const struct fg_hud_frame){ .number = ++bed->number,
                                                         .present_ns = bed->present_ns,
                                                         .cpu_ns = cpu_ns,
                                                         .present_wait_ns = wait_ns });
    return bed->number;
}

static struct fg_hud_statistics statistics(const struct bed *bed)
{
    struct fg_hud_statistics s;
    assert_int_equal(fg_hud_get_statistics(bed->hud, &s), FG_OK);
    return s;
}

static struct fg_hud_sample newest(const struct bed *bed)
{
    struct fg_hud_sample sample;
    assert_int_equal(fg_hud_get_samples(bed->hud, &sample, 1), 1);
    return sample;
}

/* Ten frames of 16.667 ms: the original said 66.7 FPS and a minimum of 0 (finding O5). */
static void the_first_frame_is_no_frame_time(void **state)
{
    (void)state;
    struct bed bed;
    begin(&bed);
    for (int i = 0; i < 10; i++) {
        tell(&bed, 16667000, 5 * MS, 0);
    }
    const struct fg_hud_statistics s = statistics(&bed);
    assert_int_equal(s.frame.count, 9);
    assert_int_equal(s.frame.min_ns, 16667000);
    assert_int_equal(s.frame.mean_ns, 16667000);
    assert_int_equal(s.frame.max_ns, 16667000);
    assert_true(s.fps > 59.99 && s.fps < 60.0);
    assert_int_equal(s.cpu.count, 9); /* of the same frames */
    assert_int_equal(s.cpu.mean_ns, 5 * MS);
    assert_int_equal(s.class_counts[FG_HUD_CLASS_UNKNOWN], 1);
    end(&bed);
}

/* 30 s idle, then one frame: the original said 3.75 FPS for two seconds (finding O6). */
static void idle_gaps_are_counted_and_in_no_other_number(void **state)
{
    (void)state;
    struct bed bed;
    begin(&bed);
    for (int i = 0; i < 10; i++) {
        tell(&bed, 16 * MS, MS, 0);
    }
    tell(&bed, 30000 * MS, MS, 0); /* over the limit of one second */
    assert_true(newest(&bed).is_after_gap);
    assert_int_equal(newest(&bed).frame_ns, -1);
    fg_hud_idle(bed.hud);
    tell(&bed, 200 * MS, MS, 0); /* under the limit, but it was said */
    tell(&bed, 16 * MS, MS, 0);
    tell(&bed, 900 * MS, MS, 0); /* a hitch is no gap */
    const struct fg_hud_statistics s = statistics(&bed);
    assert_int_equal(s.gap_count, 2);
    assert_int_equal(s.gap_ns, 30200 * MS);
    assert_int_equal(s.frame.count, 11);
    assert_int_equal(s.frame.max_ns, 900 * MS);
    assert_int_equal(s.frame.mean_ns, (10 * 16 + 900) * MS / 11);
    assert_int_equal(s.cpu.count, 11);
    end(&bed);
    begin_with(&bed, (struct fg_hud_options){ .gap_limit_ns = -1 });
    tell(&bed, MS, MS, 0);
    tell(&bed, 30000 * MS, MS, 0);
    assert_int_equal(statistics(&bed).frame.max_ns, 30000 * MS);
    assert_int_equal(statistics(&bed).gap_count, 0);
    end(&bed);
    begin_with(&bed, (struct fg_hud_options){ .gap_limit_ns = 100 * MS });
    tell(&bed, MS, MS, 0);
    tell(&bed, 101 * MS, MS, 0);
    tell(&bed, 5000 * MS, 4900 * MS, 0); /* the CPU worked all the time */
    tell(&bed, 101 * MS + 1, MS, 0);
    assert_int_equal(statistics(&bed).frame.count, 2);
    assert_int_equal(statistics(&bed).gap_count, 1);
    end(&bed);
}

/* One NaN spoiled the original's mean for 122 frames, and "NaN initially" was 0 (O4, O15). */
static void missing_gpu_times_spoil_no_mean_and_are_counted(void **state)
{
    (void)state;
    struct bed bed;
    begin(&bed);
    assert_int_equal(statistics(&bed).gpu.count, 0);
    assert_int_equal(statistics(&bed).gpu_newest_ns, -1);
    for (int i = 0; i < 3; i++) {
        fg_hud_gpu(bed.hud, tell(&bed, 16 * MS, MS, 0), -1);
    }
    assert_int_equal(statistics(&bed).gpu.count, 0);
    fg_hud_gpu(bed.hud, tell(&bed, 16 * MS, MS, 0), 7 * MS);
    struct fg_hud_statistics s = statistics(&bed);
    assert_int_equal(s.gpu.count, 1);
    assert_int_equal(s.gpu.mean_ns, 7 * MS);
    assert_int_equal(s.gpu_missing_count, 3);
    assert_int_equal(s.gpu_pending_count, 0);
    end(&bed);
}

/* The original took the last result again each frame until another came, and kept it through
 * disjoint periods (O7). */
static void a_gpu_time_is_of_one_frame_and_lands_there_however_late(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_hud_sample samples[FG_HUD_FRAMES];
    begin(&bed);
    for (int i = 0; i < 6; i++) {
        tell(&bed, 16 * MS, MS, 0);
    }
    fg_hud_gpu(bed.hud, 3, 5 * MS);
    struct fg_hud_statistics s = statistics(&bed);
    assert_int_equal(s.gpu.count, 1);
    assert_int_equal(s.gpu_pending_count, 5);
    assert_int_equal(s.gpu_newest_ns, 5 * MS);
    assert_int_equal(s.gpu_newest_age, 3);
    for (int i = 0; i < 8; i++) {
        tell(&bed, 16 * MS, MS, 0);
    }
    s = statistics(&bed);
    assert_int_equal(s.gpu.count, 1);
    assert_int_equal(s.gpu_newest_ns, -1); /* eleven frames old: not shown as if it were now's */
    assert_int_equal(s.gpu_missing_count, 5);
    assert_int_equal(s.gpu_pending_count, 8);
    fg_hud_gpu(bed.hud, 2, 4 * MS); /* given up, and then it comes */
    assert_int_equal(fg_hud_get_samples(bed.hud, samples, FG_HUD_FRAMES), 14);
    assert_int_equal(samples[1].number, 2);
    assert_int_equal(samples[1].gpu_ns, 4 * MS);
    assert_int_equal(samples[1].gpu_state, FG_HUD_GPU_MEASURED);
    assert_int_equal(samples[0].gpu_state, FG_HUD_GPU_MISSING);
    assert_int_equal(samples[0].gpu_ns, -1);
    fg_hud_gpu(bed.hud, 2, 6 * MS); /* told twice: the last one holds */
    assert_int_equal(statistics(&bed).gpu.max_ns, 6 * MS);
    assert_int_equal(statistics(&bed).gpu.count, 2);
    end(&bed);
}

static void gpu_times_may_come_before_their_frame_and_after_it_left(void **state)
{
    (void)state;
    struct bed bed;
    begin(&bed);
    fg_hud_gpu(bed.hud, 2, 3 * MS);
    fg_hud_own_gpu(bed.hud, 2, MS);
    fg_hud_gpu(bed.hud, 1, 2 * MS);
    tell(&bed, 16 * MS, MS, 0);
    assert_int_equal(newest(&bed).gpu_ns, 2 * MS);
    tell(&bed, 16 * MS, MS, 0);
    assert_int_equal(newest(&bed).gpu_ns, 2 * MS); /* less the HUD's own */
    assert_int_equal(newest(&bed).own_gpu_ns, MS);
    for (int i = 0; i < FG_HUD_FRAMES; i++) {
        tell(&bed, 16 * MS, MS, 0);
    }
    fg_hud_gpu(bed.hud, 2, MS);
    assert_int_equal(statistics(&bed).gpu_lost, 1);
    assert_int_equal(statistics(&bed).gpu.count, 0);
    for (uint64_t i = 0; i < 17; i++) { /* no more than 16 wait for their frames */
        fg_hud_gpu(bed.hud, bed.number + 100 + i, MS);
    }
    assert_int_equal(statistics(&bed).gpu_lost, 2);
    bed.number += 200; /* these frames were never told */
    tell(&bed, 16 * MS, MS, 0);
    assert_int_equal(statistics(&bed).gpu_lost, 18);
    end(&bed);
}

static void lows_are_nearest_ranks_of_the_long_window(void **state)
{
    (void)state;
    struct bed bed;
    begin(&bed);
    tell(&bed, 10 * MS, MS, 0);
    for (int i = 1; i <= 99; i++) {
        tell(&bed, (100 + i) * 100000, MS, 0); /* 10.1 .. 19.9 ms */
    }
    assert_true(statistics(&bed).low_1_percent_fps == 0.0);
    tell(&bed, 20 * MS, MS, 0);
    struct fg_hud_statistics s = statistics(&bed);
    assert_int_equal(s.long_count, 100);
    /* Position ceil(0.99 * 100) = 99 of 100: the second slowest. */
    assert_true(s.low_1_percent_fps == 1e9 / 19900000.0);
    assert_true(s.low_01_percent_fps == 0.0);
    tell(&bed, 5 * MS, MS, 0);
    /* Position ceil(0.99 * 101) = 100 of 101: the second slowest still. */
    assert_true(statistics(&bed).low_1_percent_fps == 1e9 / 19900000.0);
    for (int i = 1; i < 900; i++) {
        tell(&bed, i == 450 ? 50 * MS : i % 100 == 7 ? 30 * MS : 5 * MS, MS, 0);
    }
    s = statistics(&bed);
    assert_int_equal(s.long_count, 1000);
    /* Sorted from the top: 50, nine of 30, 20, ... Position 990 is the eleventh from the top. */
    assert_true(s.low_1_percent_fps == 1e9 / 20000000.0);
    assert_true(s.low_01_percent_fps == 1e9 / 30000000.0);
    assert_int_equal(s.window_count, 120);
    for (int i = 0; i < 1000; i++) { /* everything leaves again */
        tell(&bed, 4 * MS, MS, 0);
    }
    s = statistics(&bed);
    assert_int_equal(s.long_count, 1000);
    assert_true(s.low_1_percent_fps == 250.0 && s.low_01_percent_fps == 250.0 && s.fps == 250.0);
    end(&bed);
}

static void the_histogram_has_every_frame_time_of_the_long_window_once(void **state)
{
    (void)state;
    struct bed bed;
    begin_with(&bed, (struct fg_hud_options){ .budget_ns = 12 * MS }); /* bins of 1 ms */
    tell(&bed, MS, MS, 0);
    tell(&bed, MS - 1, MS, 0);
    tell(&bed, MS, MS, 0);
    tell(&bed, 12 * MS, MS, 0);
    tell(&bed, 35 * MS, MS, 0);
    tell(&bed, 400 * MS, MS, 0);
    struct fg_hud_statistics s = statistics(&bed);
    assert_int_equal(s.histogram[0], 1);
    assert_int_equal(s.histogram[1], 1);
    assert_int_equal(s.histogram[12], 1);
    assert_int_equal(s.histogram[35], 2);
    uint32_t sum = 0;
    for (int i = 0; i < FG_HUD_BINS; i++) {
        sum += s.histogram[i];
    }
    assert_int_equal(sum, s.long_count);
    end(&bed);
}

/* Colours went by CPU time with limits for 60 Hz; the budget is of frame time, and is set (O13). */
static void the_class_of_a_frame_is_by_its_frame_time_and_the_budget(void **state)
{
    (void)state;
    struct bed bed;
    begin_with(&bed, (struct fg_hud_options){ .budget_ns = 8 * MS });
    tell(&bed, MS, MS, 0);
    tell(&bed, 8400000, 100 * MS, 0); /* 5 % over is within, whatever the CPU did */
    assert_int_equal(newest(&bed).frame_class, FG_HUD_CLASS_WITHIN);
    tell(&bed, 8400001, MS, 0);
    assert_int_equal(newest(&bed).frame_class, FG_HUD_CLASS_OVER);
    tell(&bed, 16800000, MS, 0);
    assert_int_equal(newest(&bed).frame_class, FG_HUD_CLASS_OVER);
    tell(&bed, 16800001, MS, 0);
    assert_int_equal(newest(&bed).frame_class, FG_HUD_CLASS_FAR_OVER);
    fg_hud_set_budget(bed.hud, 0);
    assert_int_equal(statistics(&bed).budget_ns, 16666667);
    assert_int_equal(statistics(&bed).class_counts[FG_HUD_CLASS_WITHIN], 4);
    end(&bed);
}

static void tell_passes(struct bed *bed, const struct fg_hud_pass *passes, size_t count)
{
    bed->present_ns += 16 * MS;
    fg_hud_frame(bed->hud, &(const struct fg_hud_frame){ .number = ++bed->number,
                                                         .present_ns = bed->present_ns,
                                                         .passes = passes,
                                                         .pass_count = count });
}

/* By name alone the outer of two was lost, and what stopped never faded (O9). */
static void passes_are_told_apart_by_their_path_and_fade_when_they_stop(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_hud_pass_row rows[16];
    const struct fg_hud_pass passes[] = {
        { "frame", 0, 10 * MS },  { "draw", 1, 4 * MS }, { "draw", 2, 1 * MS },
        { "overlay", 1, 3 * MS }, { "draw", 2, 2 * MS }, { "draw", 1, 1 * MS },
        { "unknown", 1, -1 },
    };
    begin(&bed);
    for (int i = 0; i < 40; i++) {
        tell_passes(&bed, passes, 7);
    }
    assert_int_equal(fg_hud_get_passes(bed.hud, rows, 16), 6);
    assert_string_equal(rows[0].name, "frame");
    assert_string_equal(rows[1].name, "draw");
    assert_int_equal(rows[1].depth, 1);
    assert_int_equal(rows[1].mean_ns, 5 * MS); /* both times that it ran */
    assert_int_equal(rows[2].depth, 2);
    assert_int_equal(rows[2].mean_ns, 1 * MS);
    assert_string_equal(rows[3].name, "overlay");
    assert_int_equal(rows[4].mean_ns, 2 * MS);
    assert_int_equal(rows[5].last_ns, 0);
    for (int i = 0; i < 16; i++) {
        tell_passes(&bed, passes, 2);
    }
    assert_int_equal(fg_hud_get_passes(bed.hud, rows, 16), 6);
    assert_int_equal(rows[1].mean_ns, 4500000);
    assert_int_equal(rows[3].mean_ns, 1500000); /* half of the 32 frames were without */
    assert_int_equal(rows[3].last_ns, -1);
    for (int i = 0; i < 16; i++) {
        tell_passes(&bed, passes, 2);
    }
    assert_int_equal(fg_hud_get_passes(bed.hud, rows, 16), 2);
    assert_int_equal(rows[1].mean_ns, 4 * MS);
    end(&bed);
}

/* A begin without an end leaked (O10); nested ones of one name lost the outer (O9). */
static void begun_passes_nest_and_unclosed_ones_end_with_the_frame(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_hud_pass_row rows[8];
    begin(&bed);
    bed.clock.now_ns = 1000 * MS;
    fg_hud_pass_begin(bed.hud, "work");
    bed.clock.now_ns += MS;
    fg_hud_pass_begin(bed.hud, "work");
    bed.clock.now_ns += 2 * MS;
    fg_hud_pass_end(bed.hud);
    fg_hud_pass_begin(bed.hud, "open");
    bed.clock.now_ns += 4 * MS;
    fg_hud_frame(bed.hud, &(const struct fg_hud_frame){ .number = 1 });
    assert_int_equal(fg_hud_get_passes(bed.hud, rows, 8), 3);
    assert_int_equal(rows[0].mean_ns, 7 * MS);
    assert_int_equal(rows[1].mean_ns, 2 * MS);
    assert_int_equal(rows[1].depth, 1);
    assert_string_equal(rows[2].name, "open");
    assert_int_equal(rows[2].mean_ns, 4 * MS);
    assert_int_equal(statistics(&bed).unclosed_passes, 2);
    fg_hud_pass_end(bed.hud);
    assert_int_equal(statistics(&bed).unclosed_passes, 3);
    /* What is begun in the next frame changes nothing of what is shown until that frame is over:
     * the original set flush back to 0 at the frame's begin, before the HUD was drawn (O2). */
    fg_hud_pass_begin(bed.hud, "work");
    assert_int_equal(fg_hud_get_passes(bed.hud, rows, 8), 3);
    assert_int_equal(rows[0].last_ns, 7 * MS);
    end(&bed);
}

static void more_passes_than_there_is_room_for_are_refused_with_what_is_in_them(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_hud_pass_row rows[8];
    const struct fg_hud_pass passes[] = {
        { "a", 0, MS }, { "b", 0, MS }, { "c", 0, MS }, { "d", 1, MS }, { "a", 0, MS }
    };
    begin_with(&bed, (struct fg_hud_options){ .pass_max = 2 });
    tell_passes(&bed, passes, 5);
    assert_int_equal(fg_hud_get_passes(bed.hud, rows, 8), 2);
    assert_int_equal(rows[0].mean_ns, 2 * MS);
    assert_int_equal(statistics(&bed).refused_passes, 2);
    for (int i = 0; i < 40; i++) { /* begin deeper than there is a stack for, and end as often */
        fg_hud_pass_begin(bed.hud, "a");
    }
    for (int i = 0; i < 40; i++) {
        fg_hud_pass_end(bed.hud);
    }
    assert_int_equal(statistics(&bed).unclosed_passes, 0);
    /* A depth that is skipped is none. */
    const struct fg_hud_pass deep[] = { { "x", 7, MS } };
    for (int i = 0; i < FG_HUD_PASS_FRAMES; i++) {
        tell_passes(&bed, deep, 1);
    }
    assert_int_equal(fg_hud_get_passes(bed.hud, rows, 8), 1);
    assert_int_equal(rows[0].depth, 0);
    end(&bed);
}

/** Frames of one kind: the truth is known because they were made so. */
static enum fg_hud_verdict verdict_of(int64_t frame_ns, int64_t cpu_ns, int64_t gpu_ns,
                                      int64_t wait_ns, uint32_t *out_inferred)
{
    struct bed bed;
    begin(&bed);
    for (int i = 0; i < 60; i++) {
        const uint64_t number = tell(&bed, frame_ns, cpu_ns, wait_ns);
        if (gpu_ns != 0) {
            fg_hud_gpu(bed.hud, number, gpu_ns);
        }
    }
    const struct fg_hud_statistics s = statistics(&bed);
    *out_inferred = s.inferred_count;
    end(&bed);
    return s.verdict;
}

static void the_verdict_is_the_published_rules_and_inferred_without_gpu_times(void **state)
{
    (void)state;
    uint32_t inferred;
    assert_int_equal(verdict_of(20 * MS, 19 * MS, 5 * MS, 0, &inferred), FG_HUD_VERDICT_CPU);
    assert_int_equal(inferred, 0);
    assert_int_equal(verdict_of(20 * MS, 4 * MS, 19 * MS, 0, &inferred), FG_HUD_VERDICT_GPU);
    assert_int_equal(verdict_of(20 * MS, 19 * MS, 19 * MS, 0, &inferred), FG_HUD_VERDICT_BALANCED);
    assert_int_equal(verdict_of(20 * MS, 4 * MS, 5 * MS, 14 * MS, &inferred),
                     FG_HUD_VERDICT_PRESENT);
    /* Neither fills it, and nothing else was told: that is no guess either. */
    assert_int_equal(verdict_of(20 * MS, 4 * MS, 5 * MS, 0, &inferred), FG_HUD_VERDICT_UNKNOWN);
    assert_int_equal(inferred, 0);
    assert_int_equal(verdict_of(20 * MS, 19 * MS, 0, 0, &inferred), FG_HUD_VERDICT_CPU);
    /* 60 frames, of which the first has no time and the last eight may still get theirs. */
    assert_int_equal(inferred, 51);
    assert_int_equal(verdict_of(20 * MS, 4 * MS, 0, 0, &inferred), FG_HUD_VERDICT_GPU);
    assert_int_equal(verdict_of(20 * MS, 4 * MS, 0, 15 * MS, &inferred), FG_HUD_VERDICT_PRESENT);
    assert_int_equal(verdict_of(20 * MS, 0, 0, 0, &inferred), FG_HUD_VERDICT_UNKNOWN);
    assert_string_equal(fg_hud_verdict_name(FG_HUD_VERDICT_MIXED), "mixed");
    assert_null(fg_hud_verdict_name(FG_HUD_VERDICT_UNKNOWN));
}

static void a_window_that_alternates_is_mixed_and_says_of_what(void **state)
{
    (void)state;
    struct bed bed;
    begin(&bed);
    for (int i = 0; i < 121; i++) {
        const bool is_gpu = i % 2 == 0;
        const uint64_t number = tell(&bed, 20 * MS, is_gpu ? 4 * MS : 19 * MS, 0);
        fg_hud_gpu(bed.hud, number, is_gpu ? 19 * MS : 4 * MS);
        assert_int_equal(newest(&bed).verdict, i == 0   ? FG_HUD_VERDICT_UNKNOWN
                                               : is_gpu ? FG_HUD_VERDICT_GPU
                                                        : FG_HUD_VERDICT_CPU);
    }
    const struct fg_hud_statistics s = statistics(&bed);
    assert_int_equal(s.verdict, FG_HUD_VERDICT_MIXED);
    assert_int_equal(s.verdict_counts[FG_HUD_VERDICT_CPU], 60);
    assert_int_equal(s.verdict_counts[FG_HUD_VERDICT_GPU], 60);
    end(&bed);
}

/* The HUD's own draws were counted as the application's (O12). */
static void what_the_hud_itself_takes_is_taken_off_and_shown_apart(void **state)
{
    (void)state;
    struct bed bed;
    begin(&bed);
    tell(&bed, 16 * MS, 5 * MS, 0);
    fg_hud_own_cost(bed.hud, 40000, 1);
    fg_hud_own_cost(bed.hud, 10000, 1);
    const uint64_t number = tell(&bed, 16 * MS, 5 * MS, 0);
    fg_hud_gpu(bed.hud, number, 6 * MS);
    fg_hud_own_gpu(bed.hud, number, 200000);
    const struct fg_hud_sample sample = newest(&bed);
    assert_int_equal(sample.cpu_ns, 5 * MS - 50000);
    assert_int_equal(sample.own_cpu_ns, 50000);
    assert_int_equal(sample.gpu_ns, 6 * MS - 200000);
    const struct fg_hud_statistics s = statistics(&bed);
    assert_int_equal(s.own_draw_count, 2);
    assert_int_equal(s.own_gpu.mean_ns, 200000);
    assert_int_equal(s.own_cpu.max_ns, 50000);
    tell(&bed, 16 * MS, 5 * MS, 0);
    assert_int_equal(newest(&bed).cpu_ns, 5 * MS);
    assert_int_equal(statistics(&bed).own_draw_count, 0);
    bed.clock.step_ns = 700; /* between the two readings that a frame takes */
    fg_hud_own_cost(bed.hud, 60000, 1);
    tell(&bed, 16 * MS, 5 * MS, 0);
    assert_int_equal(newest(&bed).cpu_ns, 5 * MS - 60000);
    assert_int_equal(statistics(&bed).own_cpu.max_ns, 60000 + 700); /* feeding it counts, too */
    end(&bed);
    begin_with(&bed, (struct fg_hud_options){ .flags = FG_HUD_CPU_WITHOUT_HUD });
    fg_hud_own_cost(bed.hud, 50000, 1);
    tell(&bed, 16 * MS, 5 * MS, 0);
    assert_int_equal(newest(&bed).cpu_ns, 5 * MS);
    end(&bed);
}

/* Statistics of a hidden profiler were stale, and went into captures (O11). */
static void a_disabled_hud_knows_nothing_and_does_nothing(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_hud_statistics s;
    struct fg_hud_sample sample;
    struct fg_hud_list list;
    const struct fg_hud_target target = { .width_px = 800, .height_px = 600 };
    struct failing memory = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&memory);
    begin_with(&bed, (struct fg_hud_options){ .allocator = &allocator });
    for (int i = 0; i < 20; i++) {
        tell(&bed, 16 * MS, MS, 0);
    }
    fg_hud_metric(bed.hud, "stale", 7, FG_UNIT_COUNT);
    assert_true(fg_hud_build(bed.hud, &target, &list));
    fg_hud_disable(bed.hud);
    assert_false(fg_hud_is_enabled(bed.hud));
    const uint64_t reads = bed.clock.reads;
    memory.countdown = 0; /* whoever allocates from here on is refused, and seen */
    memory.stays = true;
    tell(&bed, 16 * MS, MS, 0);
    fg_hud_gpu(bed.hud, bed.number, MS);
    fg_hud_own_gpu(bed.hud, bed.number, MS);
    fg_hud_own_cost(bed.hud, MS, 1);
    fg_hud_pass_begin(bed.hud, "pass");
    fg_hud_pass_end(bed.hud);
    fg_hud_idle(bed.hud);
    fg_hud_metric(bed.hud, "m", 1, FG_UNIT_COUNT);
    fg_hud_gpu_memory(bed.hud, 1, 2);
    assert_false(fg_hud_build(bed.hud, &target, &list));
    assert_int_equal(list.quad_count, 0);
    fg_hud_memory_draw(&list, &(const struct fg_hud_pixels){ .pixels = (uint8_t *)&s });
    assert_int_equal(bed.clock.reads, reads);
    assert_false(memory.refused);
    assert_int_equal(fg_hud_get_statistics(bed.hud, &s), FG_ERR_STATE);
    assert_int_equal(s.frame.count, 0);
    assert_int_equal(s.frame_count, 0);
    assert_int_equal(fg_hud_get_samples(bed.hud, &sample, 1), 0);
    fg_hud_enable(bed.hud);
    s = statistics(&bed);
    assert_int_equal(s.frame_count, 0);
    /* What was told of frames before is not the time of the first frame after. */
    tell(&bed, 16 * MS, MS, 0);
    assert_int_equal(statistics(&bed).frame.count, 0);
    assert_int_equal(statistics(&bed).gap_count, 0);
    end(&bed);
    assert_int_equal(memory.alive, 0);
}

static void nothing_at_all_is_a_legal_hud(void **state)
{
    (void)state;
    struct fg_hud_statistics s;
    struct fg_hud_list list;
    struct fg_hud *hud = NULL;
    fg_hud_frame(NULL, &(const struct fg_hud_frame){ .number = 1 });
    fg_hud_gpu(NULL, 1, 1);
    fg_hud_own_gpu(NULL, 1, 1);
    fg_hud_own_cost(NULL, 1, 1);
    fg_hud_idle(NULL);
    fg_hud_enable(NULL);
    fg_hud_disable(NULL);
    fg_hud_set_budget(NULL, 1);
    fg_hud_metric(NULL, "x", 1, FG_UNIT_COUNT);
    fg_hud_gpu_memory(NULL, 1, 1);
    fg_hud_pass_begin(NULL, "x");
    fg_hud_pass_end(NULL);
    fg_hud_destroy(NULL);
    assert_false(fg_hud_is_enabled(NULL));
    assert_int_equal(fg_hud_get_statistics(NULL, &s), FG_ERR_STATE);
    assert_int_equal(fg_hud_get_samples(NULL, NULL, 1), 0);
    assert_int_equal(fg_hud_get_passes(NULL, NULL, 1), 0);
    assert_false(fg_hud_build(NULL, NULL, &list));
    assert_int_equal(fg_hud_create(FG_HUD_OPTIONS(.budget_ns = -1), &hud), FG_ERR_ARGUMENT);
    assert_int_equal(fg_hud_create(FG_HUD_OPTIONS(.metric_max = 65), &hud), FG_ERR_ARGUMENT);
    assert_int_equal(fg_hud_create(FG_HUD_OPTIONS(.flags = 1u << 20), &hud), FG_ERR_ARGUMENT);
    assert_null(hud);
}

static void hostile_numbers_overflow_nothing(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_hud_list list;
    const struct fg_hud_target target = { .width_px = 800, .height_px = 600 };
    const int64_t present[] = { INT64_MIN, INT64_MAX, 5, INT64_MAX, INT64_MIN, -1 };
    begin_with(&bed, (struct fg_hud_options){ .gap_limit_ns = -1, .budget_ns = INT64_MAX });
    for (uint64_t i = 0; i < 400; i++) {
        const struct fg_hud_pass pass = { NULL, UINT32_MAX, INT64_MAX };
        const struct fg_hud_frame frame = { .number = i,
                                            .present_ns = present[i % 6],
                                            .cpu_ns = INT64_MAX,
                                            .present_wait_ns = INT64_MAX,
                                            .has = UINT32_MAX,
                                            .item_count = UINT64_MAX,
                                            .culled_count = UINT64_MAX,
                                            .draw_count = UINT64_MAX,
                                            .texture_count = UINT64_MAX,
                                            .texture_bytes = UINT64_MAX,
                                            .cache = (enum fg_hud_cache)77,
                                            .passes = &pass,
                                            .pass_count = 1 };
        fg_hud_own_cost(bed.hud, INT64_MAX, UINT32_MAX);
        fg_hud_frame(bed.hud, &frame);
        fg_hud_gpu(bed.hud, i, INT64_MAX);
        fg_hud_own_gpu(bed.hud, i, INT64_MIN);
    }
    fg_hud_metric(bed.hud, "low", INT64_MIN + 1, FG_UNIT_NS);
    fg_hud_metric(bed.hud, "high", INT64_MAX, FG_UNIT_BASIS_POINTS);
    fg_hud_metric(bed.hud, "odd", INT64_MAX, (enum fg_unit)99);
    assert_true(fg_hud_build(bed.hud, &target, &list));
    const struct fg_hud_statistics s = statistics(&bed);
    assert_true(s.cpu.mean_ns >= 0 && s.gpu.mean_ns > 0 && s.frame.mean_ns > 0);
    end(&bed);
}

static void frames_whose_numbers_do_not_rise_are_refused_and_counted(void **state)
{
    (void)state;
    struct bed bed;
    begin(&bed);
    tell(&bed, 16 * MS, MS, 0);
    bed.number = 0;
    tell(&bed, 16 * MS, MS, 0);
    assert_int_equal(statistics(&bed).frame_count, 1);
    assert_int_equal(statistics(&bed).refused_frames, 1);
    /* One that was presented no later has no frame time. */
    bed.number = 5;
    bed.present_ns -= 64 * MS;
    tell(&bed, 16 * MS, MS, 0);
    assert_int_equal(newest(&bed).frame_ns, -1);
    assert_false(newest(&bed).is_after_gap);
    end(&bed);
}

/* A counter that wrapped, or of another number space: their frames never come. */
static void gpu_times_of_frames_that_never_come_make_room(void **state)
{
    (void)state;
    struct bed bed;
    begin(&bed);
    for (uint64_t i = 0; i < 40; i++) {
        fg_hud_gpu(bed.hud, UINT64_MAX - i, 5);
        fg_hud_own_gpu(bed.hud, UINT64_MAX - i, 5);
    }
    const uint64_t lost = statistics(&bed).gpu_lost;
    assert_true(lost >= 24);
    for (uint64_t i = 1; i < 100; i++) {
        fg_hud_gpu(bed.hud, i, 3 * MS);
        assert_int_equal(tell(&bed, 16 * MS, MS, 0), i);
        assert_int_equal(newest(&bed).gpu_ns, 3 * MS);
    }
    assert_true(statistics(&bed).gpu_lost <= lost + 16);
    end(&bed);
}

static void times_as_far_apart_as_they_can_be_are_the_longest(void **state)
{
    (void)state;
    const int64_t longest_ns = INT64_C(1) << 52;
    struct bed bed;
    struct fg_hud_pass_row row;
    begin(&bed);
    bed.clock.now_ns = INT64_MIN;
    fg_hud_pass_begin(bed.hud, "a");
    bed.clock.now_ns = INT64_MAX;
    fg_hud_pass_end(bed.hud);
    fg_hud_pass_begin(bed.hud, "b");
    bed.clock.now_ns = INT64_MIN;
    fg_hud_pass_end(bed.hud);
    fg_hud_frame(bed.hud, &(const struct fg_hud_frame){ .number = 1, .present_ns = 1 });
    assert_int_equal(fg_hud_get_passes(bed.hud, &row, 1), 1);
    assert_int_equal(row.last_ns, longest_ns);
    for (uint64_t i = 1; i < 3000; i++) {
        fg_hud_frame(bed.hud,
                     &(const struct fg_hud_frame){ .number = 2 * i, .present_ns = INT64_MIN });
        fg_hud_frame(bed.hud,
                     &(const struct fg_hud_frame){ .number = 2 * i + 1, .present_ns = INT64_MAX });
    }
    assert_int_equal(statistics(&bed).gap_ns, INT64_MAX);
    end(&bed);
}

static void the_presents_time_is_read_when_it_is_not_told(void **state)
{
    (void)state;
    struct bed bed;
    begin(&bed);
    for (uint64_t i = 1; i <= 3; i++) {
        bed.clock.now_ns += 12 * MS;
        fg_hud_frame(bed.hud, &(const struct fg_hud_frame){ .number = i });
    }
    assert_int_equal(statistics(&bed).frame.mean_ns, 12 * MS);
    assert_int_equal(statistics(&bed).cpu.count, 0); /* not told is not 0 */
    end(&bed);
}

/* Entries were added every frame and never cleared (O14). */
static void frames_allocate_nothing_and_names_find_an_end(void **state)
{
    (void)state;
    struct failing memory = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&memory);
    struct bed bed;
    struct fg_hud_list list;
    static uint8_t pixels[800 * 600 * 4];
    const struct fg_hud_target target = { .width_px = 800, .height_px = 600 };
    const struct fg_hud_pixels image = { .pixels = pixels, .width_px = 800, .height_px = 600 };
    begin_with(&bed, (struct fg_hud_options){ .allocator = &allocator });
    memory.countdown = 0; /* from here on every allocation is refused, and seen */
    memory.stays = true;
    for (int i = 0; i < 300; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "name %d", i);
        fg_hud_pass_begin(bed.hud, name);
        fg_hud_pass_end(bed.hud);
        fg_hud_metric(bed.hud, name, i, FG_UNIT_COUNT);
        fg_hud_gpu(bed.hud, tell(&bed, 16 * MS, MS, 0), MS);
        assert_true(fg_hud_build(bed.hud, &target, &list));
        fg_hud_memory_draw(&list, &image);
    }
    fg_hud_disable(bed.hud);
    fg_hud_enable(bed.hud);
    tell(&bed, 16 * MS, MS, 0);
    assert_false(memory.refused);
    end(&bed);
    assert_int_equal(memory.alive, 0);
}

static void every_refused_allocation_leaves_nothing_behind(void **state)
{
    (void)state;
    for (long i = 0; i < 100; i++) {
        struct failing memory = { .countdown = i };
        const struct fg_allocator allocator = failing_allocator(&memory);
        struct fg_hud *hud = NULL;
        const enum fg_result result = fg_hud_create(FG_HUD_OPTIONS(.allocator = &allocator), &hud);
        if (result == FG_OK) {
            assert_true(i > 0);
            fg_hud_destroy(hud);
            assert_int_equal(memory.alive, 0);
            return;
        }
        assert_int_equal(result, FG_ERR_NO_MEMORY);
        assert_null(hud);
        assert_int_equal(memory.alive, 0);
    }
    fail_msg("it never succeeded");
}

static void the_processs_memory_is_known_where_the_system_says_it(void **state)
{
    (void)state;
    struct fg_hud *hud = NULL;
    struct fg_hud_statistics s;
    assert_int_equal(fg_hud_create(NULL, &hud), FG_OK);
    assert_int_equal(fg_hud_get_statistics(hud, &s), FG_OK);
    assert_int_equal(s.process_bytes, -1);
    fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = 1 });
    assert_int_equal(fg_hud_get_statistics(hud, &s), FG_OK);
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        (void)fclose(file);
        assert_true(s.process_bytes > 100000);
    } else {
        assert_int_equal(s.process_bytes, -1);
    }
    fg_hud_destroy(hud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_frame_is_no_frame_time),
        cmocka_unit_test(idle_gaps_are_counted_and_in_no_other_number),
        cmocka_unit_test(missing_gpu_times_spoil_no_mean_and_are_counted),
        cmocka_unit_test(a_gpu_time_is_of_one_frame_and_lands_there_however_late),
        cmocka_unit_test(gpu_times_may_come_before_their_frame_and_after_it_left),
        cmocka_unit_test(lows_are_nearest_ranks_of_the_long_window),
        cmocka_unit_test(the_histogram_has_every_frame_time_of_the_long_window_once),
        cmocka_unit_test(the_class_of_a_frame_is_by_its_frame_time_and_the_budget),
        cmocka_unit_test(passes_are_told_apart_by_their_path_and_fade_when_they_stop),
        cmocka_unit_test(begun_passes_nest_and_unclosed_ones_end_with_the_frame),
        cmocka_unit_test(more_passes_than_there_is_room_for_are_refused_with_what_is_in_them),
        cmocka_unit_test(the_verdict_is_the_published_rules_and_inferred_without_gpu_times),
        cmocka_unit_test(a_window_that_alternates_is_mixed_and_says_of_what),
        cmocka_unit_test(what_the_hud_itself_takes_is_taken_off_and_shown_apart),
        cmocka_unit_test(a_disabled_hud_knows_nothing_and_does_nothing),
        cmocka_unit_test(nothing_at_all_is_a_legal_hud),
        cmocka_unit_test(hostile_numbers_overflow_nothing),
        cmocka_unit_test(frames_whose_numbers_do_not_rise_are_refused_and_counted),
        cmocka_unit_test(the_presents_time_is_read_when_it_is_not_told),
        cmocka_unit_test(gpu_times_of_frames_that_never_come_make_room),
        cmocka_unit_test(times_as_far_apart_as_they_can_be_are_the_longest),
        cmocka_unit_test(frames_allocate_nothing_and_names_find_an_end),
        cmocka_unit_test(every_refused_allocation_leaves_nothing_behind),
        cmocka_unit_test(the_processs_memory_is_known_where_the_system_says_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
