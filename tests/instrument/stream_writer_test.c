/* SPDX-License-Identifier: MIT */
/* The writer thread: rings are emptied without any frame, and frames are handed over to it. */
#include "stream_bed.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { THREADS = 4, EVENTS = 20000 };

static void configure(void)
{
    const struct fg_instrument_options options = { .writer_period_ns = 1000000 };
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
}

static void *write_marks(void *context)
{
    (void)context;
    for (int i = 0; i < EVENTS; i++) {
        fg_mark("writer/mark", FG_CATEGORY_CORE, i);
    }
    return NULL;
}

static void everything_is_stored_or_counted_without_a_frame(void **state)
{
    (void)state;
    static struct stream_bed bed;
    pthread_t threads[THREADS];
    fgt_needs_own_process();
    configure();
    stream_bed_start(&bed, 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, write_marks, NULL), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    stream_bed_read(&bed);
    const size_t stored = stream_bed_count(&bed, "writer/mark");
    assert_true(stored > 0);
    assert_int_equal(stored + bed.lost, THREADS * EVENTS);
    assert_int_equal(bed.drops[FG_CAP_DROP_RING_FULL], bed.lost);
    stream_bed_close(&bed);
}

/* Written by the thread alone: nobody drains, reads or stops before it is there. */
static void what_is_written_reaches_the_capture_within_a_period(void **state)
{
    (void)state;
    struct fg_session *session;
    struct fg_session_status before, now;
    fgt_needs_own_process();
    configure();
    assert_int_equal(fg_session_create(NULL, NULL, &session), FG_OK);
    assert_int_equal(fg_session_start(session), FG_OK);
    fg_session_get_status(session, &before);
    fg_mark("writer/alone", FG_CATEGORY_CORE, 0);
    do {
        const struct timespec step = { .tv_nsec = 1000000 };
        (void)nanosleep(&step, NULL);
        fg_session_get_status(session, &now);
    } while (now.bytes_written == before.bytes_written);
    assert_int_equal(fg_session_finish(session, 0), FG_OK);
    fg_session_destroy(session);
}

static void frames_are_handed_over_in_order(void **state)
{
    (void)state;
    static struct stream_bed bed;
    enum { FRAMES = 300 };
    fgt_needs_own_process();
    configure();
    bed.counter_name = "writer/number";
    stream_bed_start(&bed, 0);
    struct fg_metric metric = fg_metric_register(&(struct fg_metric_desc){
        .name = "writer/number", .kind = FG_METRIC_FRAME_COUNTER, .unit = FG_UNIT_COUNT });
    for (int i = 0; i < FRAMES; i++) {
        assert_true(fg_loop_begin(NULL));
        fg_metric_add(metric, i);
        assert_true(fg_loop_end(NULL));
    }
    stream_bed_read(&bed);
    assert_int_equal(bed.frame_count, FRAMES);
    assert_int_equal(bed.frame_counter, FRAMES * (FRAMES - 1) / 2);
    for (size_t i = 1; i < 64; i++) {
        assert_true(bed.frames[i].begin_ticks >= bed.frames[i - 1].end_ticks);
    }
    stream_bed_close(&bed);
}

static void the_thread_goes_and_comes_with_the_sessions(void **state)
{
    (void)state;
    static struct stream_bed first, second;
    fgt_needs_own_process();
    configure();
    for (int i = 0; i < 20; i++) {
        stream_bed_start(&first, 0);
        stream_bed_start(&second, 0);
        fg_mark("writer/round", FG_CATEGORY_CORE, i);
        stream_bed_read(&first);
        stream_bed_read(&second);
        assert_int_equal(stream_bed_count(&first, "writer/round"), 1);
        assert_int_equal(stream_bed_count(&second, "writer/round"), 1);
        stream_bed_close(&first);
        stream_bed_close(&second);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(everything_is_stored_or_counted_without_a_frame),
    cmocka_unit_test(what_is_written_reaches_the_capture_within_a_period),
    cmocka_unit_test(frames_are_handed_over_in_order),
    cmocka_unit_test(the_thread_goes_and_comes_with_the_sessions),
};
FGT_INSTRUMENT_SUITE(stream_writer, tests)
