/* SPDX-License-Identifier: MIT */
/* Sources: called at ends of frames, removed by anybody at any time, failing without harm. */
#include "base/thread.h"
#include "suite_guard.h"
#include "record/instrument/instrument_priv.h"

struct probe {
    uint32_t calls;
    bool result;
    uint32_t removes; /* a registration, from within the call */
    struct probe *adds;
    uint32_t added;
};

static bool call(void *context)
{
    struct probe *probe = context;
    probe->calls++;
    fg_metric_source_remove(probe->removes);
    if (probe->adds != NULL && probe->added == 0) {
        probe->added = fg_metric_source_add(call, probe->adds);
    }
    return probe->result;
}

static void frame(void)
{
    assert_true(fg_loop_begin(NULL));
    assert_true(fg_loop_end(NULL));
}

static uint64_t failures_so_far(void)
{
    return __atomic_load_n(&fgi_losses.source_failures, __ATOMIC_RELAXED);
}

static void a_source_is_called_once_at_each_valid_end_and_never_otherwise(void **state)
{
    (void)state;
    struct probe probe = { .result = true };
    const enum fg_instrument_mode before = fg_instrument_mode();
    const uint32_t source = fg_metric_source_add(call, &probe);
    assert_int_not_equal(source, 0);
    frame();
    assert_int_equal(probe.calls, 1);
    frame();
    assert_int_equal(probe.calls, 2);
    assert_false(fg_loop_end(NULL)); /* none is open */
    assert_int_equal(probe.calls, 2);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    (void)fg_loop_begin(NULL);
    (void)fg_loop_end(NULL);
    assert_true(fg_instrument_set_mode(before));
    assert_int_equal(probe.calls, 2);
    assert_true(fg_loop_begin(NULL));
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    (void)fg_loop_end(NULL); /* given up */
    assert_true(fg_instrument_set_mode(before));
    assert_int_equal(probe.calls, 2);
    struct fg_loop *loop = NULL;
    assert_int_equal(fg_loop_create("sources", &loop), FG_OK);
    assert_true(fg_loop_begin(loop));
    assert_true(fg_loop_end(loop)); /* not one of the process */
    fg_loop_destroy(loop);
    assert_int_equal(probe.calls, 2);
    fg_metric_source_remove(source);
    frame();
    assert_int_equal(probe.calls, 2);
}

static void a_source_that_fails_is_counted_and_the_frame_is_whole(void **state)
{
    (void)state;
    struct probe bad = { .result = false }, good = { .result = true };
    const uint64_t failures = failures_so_far();
    const uint32_t first = fg_metric_source_add(call, &bad);
    const uint32_t second = fg_metric_source_add(call, &good);
    frame();
    frame();
    fg_metric_source_remove(first);
    fg_metric_source_remove(second);
    assert_int_equal(failures_so_far(), failures + 2);
    assert_int_equal(good.calls, 2);
}

static void a_source_may_remove_itself_and_others_and_add_some(void **state)
{
    (void)state;
    struct probe third = { .result = true }, second = { .result = true };
    struct probe first = { .result = true, .adds = &third };
    const uint32_t one = fg_metric_source_add(call, &first);
    const uint32_t two = fg_metric_source_add(call, &second);
    first.removes = two;
    frame();
    assert_int_equal(first.calls, 1);
    assert_int_equal(second.calls, 0); /* removed before its turn */
    assert_int_equal(third.calls, 0);  /* added too late for this frame */
    first.removes = one;
    frame();
    assert_int_equal(first.calls, 2);
    assert_int_equal(third.calls, 1);
    frame();
    assert_int_equal(first.calls, 2); /* it was its last */
    assert_int_equal(third.calls, 2);
    fg_metric_source_remove(first.added);
}

static void sources_beyond_the_64th_are_refused_and_numbers_are_not_used_twice(void **state)
{
    (void)state;
    fgt_needs_own_process();
    struct probe probe = { .result = true };
    uint32_t last = 0;
    assert_int_equal(fg_metric_source_add(NULL, &probe), 0);
    for (int i = 0; i < FG_METRIC_SOURCES_MAX; i++) {
        const uint32_t source = fg_metric_source_add(call, &probe);
        assert_true(source > last);
        last = source;
    }
    assert_int_equal(fg_metric_source_add(call, &probe), 0);
    frame();
    assert_int_equal(probe.calls, FG_METRIC_SOURCES_MAX);
    fg_metric_source_remove(0);
    fg_metric_source_remove(last + 1);
    fg_metric_source_remove(1);
    assert_true(fg_metric_source_add(call, &probe) > last);
    fg_metric_source_remove(1);
    frame();
    assert_int_equal(probe.calls, 2 * FG_METRIC_SOURCES_MAX);
}

/* ---- many threads ---------------------------------------------------------------------------- */

enum { ROUNDS = 300 };

struct shared {
    uint32_t calls; /* atomic */
    bool is_over;   /* atomic */
};

static bool count(void *context)
{
    struct shared *shared = context;
    (void)__atomic_fetch_add(&shared->calls, 1, __ATOMIC_RELAXED);
    return true;
}

static void add_and_remove(void *context)
{
    struct shared *shared = context;
    while (!__atomic_load_n(&shared->is_over, __ATOMIC_ACQUIRE)) {
        fg_metric_source_remove(fg_metric_source_add(count, shared));
    }
}

static void sources_come_and_go_on_other_threads_while_frames_end(void **state)
{
    (void)state;
    struct shared stays = { 0 }, comes = { 0 };
    struct fgi_thread *threads[2];
    const uint32_t source = fg_metric_source_add(count, &stays);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fgi_thread_create(NULL, add_and_remove, &comes, &threads[i]), FG_OK);
    }
    for (int i = 0; i < ROUNDS; i++) {
        frame();
    }
    __atomic_store_n(&comes.is_over, true, __ATOMIC_RELEASE);
    fgi_thread_join(threads[0]);
    fgi_thread_join(threads[1]);
    fg_metric_source_remove(source);
    assert_int_equal(stays.calls, ROUNDS);
    const uint32_t calls = comes.calls;
    frame();
    assert_int_equal(comes.calls, calls);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_source_is_called_once_at_each_valid_end_and_never_otherwise),
    cmocka_unit_test(a_source_that_fails_is_counted_and_the_frame_is_whole),
    cmocka_unit_test(a_source_may_remove_itself_and_others_and_add_some),
    cmocka_unit_test(sources_beyond_the_64th_are_refused_and_numbers_are_not_used_twice),
    cmocka_unit_test(sources_come_and_go_on_other_threads_while_frames_end),
};
FGT_INSTRUMENT_SUITE(sources, tests)
