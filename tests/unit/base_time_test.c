/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/hitch.h"
#include "base/thread.h"
#include "base/verdict.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<sys/syscall.h>)
#include <sys/syscall.h>
#endif
#endif

static void ticks_convert_exactly_and_saturate(void **state)
{
    (void)state;
    assert_int_equal(fgi_ticks_to_ns(1000, (struct fgi_rational){ 1, 1 }), 1000);
    assert_int_equal(fgi_ticks_to_ns(3, (struct fgi_rational){ 1, 2 }),
                     2); /* ties away from zero */
    assert_int_equal(fgi_ticks_to_ns(-3, (struct fgi_rational){ 1, 2 }), -2);
    assert_int_equal(fgi_ticks_to_ns(1, (struct fgi_rational){ 1, 3 }), 0);
    assert_int_equal(fgi_ticks_to_ns(2, (struct fgi_rational){ 1, 3 }), 1);
    /* The product passes 2^64: 10^18 ticks of 625/12 ns would be 5.2 * 10^19. */
    assert_true(fgi_ticks_to_ns(1000000000000000000, (struct fgi_rational){ 625, 12 }) ==
                INT64_MAX);
    assert_true(fgi_ticks_to_ns(INT64_MIN, (struct fgi_rational){ 3, 1 }) == INT64_MIN);
    assert_true(fgi_ticks_to_ns(100000000000000000, (struct fgi_rational){ 625, 12 }) ==
                5208333333333333333);
    assert_true(fgi_ticks_to_ns(-100000000000000000, (struct fgi_rational){ 625, 12 }) ==
                -5208333333333333333);
    assert_true(fgi_ticks_to_ns(INT64_MAX, (struct fgi_rational){ UINT64_MAX - 1, UINT64_MAX }) ==
                INT64_MAX);
}

static void periods_become_small_rationals(void **state)
{
    (void)state;
    static const struct {
        float period;
        uint64_t num, den;
    } cases[] = {
        { 1.0f, 1, 1 },         { 52.083332f, 625, 12 }, { 10.0f, 10, 1 }, { 0.5f, 1, 2 },
        { 83.333336f, 250, 3 }, { 40.0f, 40, 1 },        { 0, 0, 0 },      { -1, 0, 0 },
        { 1.0f / 0.0f, 0, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fgi_rational period = fgi_rational_from_float(cases[i].period);
        assert_int_equal(period.num, cases[i].num);
        assert_int_equal(period.den, cases[i].den);
    }
}

static void wrapping_counters_give_signed_differences(void **state)
{
    (void)state;
    assert_int_equal(fgi_ticks_difference(5, 0xfffffffe, 32), 7);
    assert_int_equal(fgi_ticks_difference(0xfffffffe, 5, 32), -7);
    assert_true(fgi_ticks_difference(5, UINT64_MAX, 64) == 6);
    assert_true(fgi_ticks_difference(0, 1, 64) == -1);
    assert_int_equal(fgi_ticks_difference(0x123400000001, 0xffff00000000, 32), 1);
}

static void clocks_move_forward(void **state)
{
    (void)state;
    int64_t first = fgi_clock_monotonic_ns();
    fgi_sleep_ns(2000000);
    assert_true(fgi_clock_monotonic_ns() - first >= 2000000);
    assert_true(fgi_clock_wall_ns() > 1600000000ll * 1000000000);
}

static enum fgi_verdict verdict(int64_t frame, int64_t cpu, int64_t gpu, int64_t present)
{
    const struct fgi_verdict_input input = { frame, cpu, gpu, present };
    return fgi_verdict_of_frame(&input);
}

static void the_verdict_follows_the_published_rule(void **state)
{
    (void)state;
    assert_int_equal(verdict(16000, 15900, 4000, -1), FGI_VERDICT_CPU);
    assert_int_equal(verdict(16000, 4000, 15900, -1), FGI_VERDICT_GPU);
    assert_int_equal(verdict(16000, 15000, 15500, -1), FGI_VERDICT_BALANCED);
    assert_int_equal(verdict(16000, 4000, 5000, 9000), FGI_VERDICT_PRESENT);
    assert_int_equal(verdict(16000, 4000, 15900, 9000), FGI_VERDICT_GPU);
    assert_int_equal(verdict(16000, -1, 15900, -1), FGI_VERDICT_UNKNOWN);
    assert_int_equal(verdict(16000, 15000, -1, -1), FGI_VERDICT_UNKNOWN);
    assert_int_equal(verdict(0, 0, 0, -1), FGI_VERDICT_UNKNOWN);
    assert_null(fgi_verdict_name(FGI_VERDICT_UNKNOWN));
    assert_string_equal(fgi_verdict_name(FGI_VERDICT_GPU), "gpu");
    assert_int_equal(verdict(INT64_MAX, INT64_MAX, 0, -1), FGI_VERDICT_CPU);
}

/* t is 2400 of 16000 and 13600 fill it. */
static void what_cannot_fill_a_frame_even_one_after_the_other_does_not_bound_it(void **state)
{
    (void)state;
    assert_int_equal(verdict(16000, 2000, 3600, -1), FGI_VERDICT_UNKNOWN);
    assert_int_equal(verdict(16000, 3600, 2000, 0), FGI_VERDICT_UNKNOWN);
    assert_int_equal(verdict(16000, 500, 500, 0), FGI_VERDICT_UNKNOWN); /* nor is it balanced */
    assert_int_equal(verdict(16000, 0, 0, 0), FGI_VERDICT_UNKNOWN);
    /* At the border they do, whichever is longer. */
    assert_int_equal(verdict(16000, 4000, 9600, 0), FGI_VERDICT_GPU);
    assert_int_equal(verdict(16000, 4000, 9599, 0), FGI_VERDICT_UNKNOWN);
    assert_int_equal(verdict(16000, 9600, 4000, 0), FGI_VERDICT_CPU);
    assert_int_equal(verdict(16000, 9599, 4000, 0), FGI_VERDICT_UNKNOWN);
    assert_int_equal(verdict(16000, 6800, 6800, 0), FGI_VERDICT_BALANCED);
    assert_int_equal(verdict(16000, 6800, 6799, 0), FGI_VERDICT_UNKNOWN);
    assert_int_equal(verdict(16000, 0, 13600, 0), FGI_VERDICT_GPU);
    assert_int_equal(verdict(16000, 13600, 0, 0), FGI_VERDICT_CPU);
    /* A wait that was told explains it, once it is longer than t. */
    assert_int_equal(verdict(16000, 2000, 3600, 2400), FGI_VERDICT_UNKNOWN);
    assert_int_equal(verdict(16000, 2000, 3600, 2401), FGI_VERDICT_PRESENT);
    assert_int_equal(verdict(16000, 4000, 9600, 2400), FGI_VERDICT_GPU);
    /* No sum of these fits. */
    assert_int_equal(verdict(INT64_MAX, INT64_MAX / 10 * 8, INT64_MAX / 10 * 3, 0),
                     FGI_VERDICT_CPU);
    assert_int_equal(verdict(INT64_MAX, INT64_MAX / 10 * 4, INT64_MAX / 10 * 4, 0),
                     FGI_VERDICT_UNKNOWN);
    assert_int_equal(verdict(16000, 4000, INT64_MAX, 0), FGI_VERDICT_GPU);
}

static enum fgi_verdict inferred(int64_t frame, int64_t cpu, int64_t present)
{
    const struct fgi_verdict_input input = { frame, cpu, -1, present };
    return fgi_verdict_inferred(&input);
}

static void without_gpu_times_the_verdict_is_inferred_and_waits_for_present_are_left_out(
    void **state)
{
    (void)state;
    assert_int_equal(inferred(16000, 15900, -1), FGI_VERDICT_CPU);
    assert_int_equal(inferred(16000, 13600, 0), FGI_VERDICT_CPU); /* exactly t below */
    assert_int_equal(inferred(16000, 13599, 0), FGI_VERDICT_GPU);
    assert_int_equal(inferred(16000, 4000, 2400), FGI_VERDICT_GPU);
    assert_int_equal(inferred(16000, 4000, 11000), FGI_VERDICT_PRESENT);
    assert_int_equal(inferred(16000, 4000, 6000), FGI_VERDICT_GPU); /* 6000 are unexplained */
    assert_int_equal(inferred(16000, 14000, 2000), FGI_VERDICT_CPU);
    assert_int_equal(inferred(16000, -1, 2000), FGI_VERDICT_UNKNOWN);
    assert_int_equal(inferred(0, 10, 0), FGI_VERDICT_UNKNOWN);
    assert_int_equal(inferred(INT64_MAX, 0, INT64_MAX), FGI_VERDICT_PRESENT);
    assert_int_equal(inferred(1, 0, INT64_MAX), FGI_VERDICT_PRESENT);
}

static struct fgi_judgement judged(int64_t cpu, int64_t gpu, enum fgi_gpu_time gpu_time)
{
    const struct fgi_verdict_input input = { 16000, cpu, gpu, -1 };
    return fgi_verdict_judge(&input, gpu_time);
}

static void a_part_of_the_gpu_time_is_enough_only_to_be_bound_by_it(void **state)
{
    static const struct {
        int64_t cpu, gpu;
        enum fgi_gpu_time gpu_time;
        enum fgi_verdict verdict;
        bool is_inferred;
    } rows[] = {
        { 4000, 15900, FGI_GPU_TIME_WHOLE, FGI_VERDICT_GPU, false },
        { 7000, 8000, FGI_GPU_TIME_WHOLE, FGI_VERDICT_BALANCED, false },
        { 4000, 5000, FGI_GPU_TIME_WHOLE, FGI_VERDICT_UNKNOWN, false }, /* and is no guess */
        { 2000, 8000, FGI_GPU_TIME_WHOLE, FGI_VERDICT_UNKNOWN, false },
        { 2000, 8000, FGI_GPU_TIME_PART, FGI_VERDICT_GPU, true }, /* the rest may be GPU */
        { 4000, 15900, FGI_GPU_TIME_PART, FGI_VERDICT_GPU, false },
        { 15000, 4000, FGI_GPU_TIME_PART, FGI_VERDICT_CPU, true }, /* 15000 may be hidden */
        { 4000, 5000, FGI_GPU_TIME_PART, FGI_VERDICT_GPU, true },
        { 4000, -1, FGI_GPU_TIME_MISSING, FGI_VERDICT_GPU, true },
        { -1, -1, FGI_GPU_TIME_MISSING, FGI_VERDICT_UNKNOWN, false },
        { 4000, -1, FGI_GPU_TIME_PENDING, FGI_VERDICT_UNKNOWN, false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct fgi_judgement found = judged(rows[i].cpu, rows[i].gpu, rows[i].gpu_time);
        assert_int_equal(found.verdict, rows[i].verdict);
        assert_int_equal(found.is_inferred, rows[i].is_inferred);
    }
}

static void a_window_is_bound_by_what_bounds_most_of_it_or_is_mixed(void **state)
{
    (void)state;
    assert_int_equal(fgi_verdict_of_window((uint32_t[FGI_VERDICTS]){ 7 }), FGI_VERDICT_UNKNOWN);
    assert_int_equal(fgi_verdict_of_window((uint32_t[FGI_VERDICTS]){ 90, 2, 1 }), FGI_VERDICT_CPU);
    assert_int_equal(fgi_verdict_of_window((uint32_t[FGI_VERDICTS]){ 0, 60, 60 }),
                     FGI_VERDICT_MIXED);
    assert_int_equal(fgi_verdict_of_window((uint32_t[FGI_VERDICTS]){ 0, 1, 1, 1, 1 }),
                     FGI_VERDICT_MIXED);
    assert_int_equal(fgi_verdict_of_window((uint32_t[FGI_VERDICTS]){ 0, 0, 0, 0, 1, 9 }),
                     FGI_VERDICT_BALANCED);
    assert_string_equal(fgi_verdict_name(FGI_VERDICT_MIXED), "mixed");
}

struct sides {
    int64_t cpu[20], gpu[20];
};
static int64_t cpu_of(const void *context, size_t i)
{
    return ((const struct sides *)context)->cpu[i];
}
static int64_t gpu_of(const void *context, size_t i)
{
    return ((const struct sides *)context)->gpu[i];
}

static void a_hitch_is_long_for_its_side_and_noticed_in_the_frame(void **state)
{
    (void)state;
    static const fgi_hitch_time times[] = { cpu_of, gpu_of };
    static const uint8_t flags[] = { 1, 2 };
    struct sides sides;
    uint8_t marks[20] = { 128 };
    for (int i = 0; i < 20; i++) {
        sides.cpu[i] = 2000;
        sides.gpu[i] = 100000;
    }
    sides.cpu[3] = 12000;  /* six times the median, but no more than a tenth of the GPU's */
    sides.cpu[5] = 12001;  /* one more: it counts */
    sides.gpu[7] = 150000; /* 1.5 times is not over 1.5 times */
    sides.gpu[9] = 150001;
    sides.gpu[11] = -1; /* not known */
    sides.gpu[12] = sides.cpu[12] = 1000000;
    fgi_hitch_mark(times, &sides, 20, flags, marks);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(marks[i], i == 0 ? 128 : i == 5 ? 1 : i == 9 ? 2 : i == 12 ? 3 : 0);
    }
    memset(marks, 0, sizeof marks);
    for (int i = 1; i < 20; i++) {
        sides.cpu[i] = sides.gpu[i] = i < 4 ? 1 : -1;
    }
    fgi_hitch_mark(times, &sides, 20, flags, marks); /* four known ones are too few */
    for (int i = 0; i < 20; i++) {
        assert_int_equal(marks[i], 0);
    }
}

struct ring {
    struct fgi_mutex *mutex;
    int turns;
    uint32_t numbers[4];
    int next;
};

static void take_turns(void *context)
{
    struct ring *ring = context;
    fgi_mutex_lock(ring->mutex);
    ring->numbers[ring->next++] = fgi_thread_number();
    for (int i = 0; i < 1000; i++) {
        ring->turns++;
    }
    fgi_mutex_wake_all(ring->mutex);
    fgi_mutex_unlock(ring->mutex);
}

static void threads_run_with_numbers_of_their_own(void **state)
{
    (void)state;
    struct ring ring = { 0 };
    struct fgi_thread *threads[4];
    assert_int_equal(fgi_mutex_create(NULL, &ring.mutex), FG_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(fgi_thread_create(NULL, take_turns, &ring, &threads[i]), FG_OK);
    }
    fgi_mutex_lock(ring.mutex);
    while (ring.turns != 4000) {
        fgi_mutex_wait(ring.mutex, 1000000000);
    }
    fgi_mutex_unlock(ring.mutex);
    for (int i = 0; i < 4; i++) {
        fgi_thread_join(threads[i]);
        assert_int_not_equal(ring.numbers[i], 0);
        for (int j = 0; j < i; j++) {
            assert_int_not_equal(ring.numbers[i], ring.numbers[j]);
        }
    }
    fgi_mutex_destroy(ring.mutex);
    fgi_mutex_destroy(NULL);
    fgi_thread_join(NULL);
}

/* Batch systems and containers hand out some processors of many: this many threads are of use. */
static void only_processors_that_may_be_used_are_counted(void **state)
{
    (void)state;
    assert_true(fgi_processor_count() >= 1);
#if defined(SYS_sched_getaffinity) && defined(SYS_sched_setaffinity)
    uint64_t all[128] = { 0 }, one[128] = { 0 };
    unsigned count = 0;
    assert_true(syscall(SYS_sched_getaffinity, 0, sizeof all, all) > 0);
    for (unsigned i = 0; i < 64 * 128; i++) {
        if (all[i / 64] >> (i % 64) & 1) {
            one[i / 64] |= (uint64_t)(count == 0) << (i % 64);
            count++;
        }
    }
    assert_int_equal(fgi_processor_count(), count < 1024 ? count : 1024);
    assert_int_equal(syscall(SYS_sched_setaffinity, 0, sizeof one, one), 0);
    unsigned counted = fgi_processor_count();
    assert_int_equal(syscall(SYS_sched_setaffinity, 0, sizeof all, all), 0);
    assert_int_equal(counted, 1);
#endif
}

static void files_write_patch_and_read_back(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "base_file_%ld.tmp", (long)getpid());
    struct fg_file_sink *out = NULL;
    struct fg_sink sink;
    assert_int_equal(fg_file_sink_open(path, &out, &sink), FG_OK);
    assert_int_equal(sink.write(sink.context, "hello world", 11), FG_OK);
    assert_int_equal(sink.patch(sink.context, 0, "J", 1), FG_OK);
    assert_int_equal(sink.write(sink.context, "!", 1), FG_OK);
    assert_int_equal(fg_file_sink_close(out), FG_OK);
    struct fg_file_source *in = NULL;
    struct fg_source source;
    char bytes[32];
    size_t got = 0;
    uint64_t size = 0;
    assert_int_equal(fg_file_source_open(path, &in, &source), FG_OK);
    assert_int_equal(source.size(source.context, &size), FG_OK);
    assert_int_equal(size, 12);
    assert_int_equal(source.read_at(source.context, 0, bytes, sizeof bytes, &got), FG_OK);
    assert_int_equal(got, 12);
    assert_memory_equal(bytes, "Jello world!", 12);
    assert_int_equal(source.read_at(source.context, UINT64_MAX - 1, bytes, 32, &got), FG_OK);
    assert_int_equal(got, 0);
    fg_file_source_close(in);
    unlink(path);
    assert_int_equal(fg_file_source_open(path, &in, &source), FG_ERR_NOT_FOUND);
    assert_int_equal(fg_file_source_open("/", &in, &source), FG_ERR_UNSUPPORTED);
    assert_int_equal(fg_file_sink_open("/nowhere/at/all", &out, &sink), FG_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_convert_exactly_and_saturate),
        cmocka_unit_test(periods_become_small_rationals),
        cmocka_unit_test(wrapping_counters_give_signed_differences),
        cmocka_unit_test(clocks_move_forward),
        cmocka_unit_test(the_verdict_follows_the_published_rule),
        cmocka_unit_test(what_cannot_fill_a_frame_even_one_after_the_other_does_not_bound_it),
        cmocka_unit_test(
            without_gpu_times_the_verdict_is_inferred_and_waits_for_present_are_left_out),
        cmocka_unit_test(a_part_of_the_gpu_time_is_enough_only_to_be_bound_by_it),
        cmocka_unit_test(a_window_is_bound_by_what_bounds_most_of_it_or_is_mixed),
        cmocka_unit_test(a_hitch_is_long_for_its_side_and_noticed_in_the_frame),
        cmocka_unit_test(threads_run_with_numbers_of_their_own),
        cmocka_unit_test(only_processors_that_may_be_used_are_counted),
        cmocka_unit_test(files_write_patch_and_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
