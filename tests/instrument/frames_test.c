/* SPDX-License-Identifier: MIT */
/* Frames: of the process and of further loops, ended right or wrong, and what is kept of them. */
#include "base/clock.h"
#include "base/thread.h"
#include "suite_guard.h"
#include "record/instrument/instrument_priv.h"

#include <stdio.h>
#include <string.h>

static struct fg_metric frame_counter(const char *name)
{
    return fg_metric_register(
        &(struct fg_metric_desc){ .name = name, .kind = FG_METRIC_FRAME_COUNTER });
}

static struct fg_snapshot *frames_now(void)
{
    struct fg_snapshot *snapshot = NULL;
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_METRICS | FG_SNAPSHOT_FRAMES, &snapshot), FG_OK);
    return snapshot;
}

/* The newest complete frame. */
static struct fg_loop_row last_frame(void)
{
    struct fg_snapshot *snapshot = frames_now();
    assert_int_not_equal(snapshot->frame_count, 0);
    const struct fg_loop_row row = snapshot->frames[snapshot->frame_count - 1];
    fg_snapshot_free(snapshot);
    return row;
}

static uint64_t last_number(void)
{
    struct fg_snapshot *snapshot = frames_now();
    const size_t count = snapshot->frame_count;
    const uint64_t number = count != 0 ? snapshot->frames[count - 1].number : 0;
    fg_snapshot_free(snapshot);
    return number;
}

/* Of a metric in a frame; -1 = it is not there. */
static int64_t value_in(const struct fg_loop_row *row, struct fg_metric metric)
{
    for (uint32_t i = 0; i < row->value_count; i++) {
        if (row->values[i].metric == metric.id) {
            return row->values[i].value;
        }
    }
    return -1;
}

static struct fg_metric_row metric_row(struct fg_metric metric)
{
    struct fg_metric_row row = { 0 };
    struct fg_snapshot *snapshot = frames_now();
    for (size_t i = 0; i < snapshot->metric_count; i++) {
        if (snapshot->metrics[i].id == metric.id) {
            row = snapshot->metrics[i];
        }
    }
    fg_snapshot_free(snapshot);
    assert_int_equal(row.id, metric.id);
    return row;
}

static uint64_t malformed_so_far(void)
{
    return __atomic_load_n(&fgi_losses.malformed_frames, __ATOMIC_RELAXED);
}

static void whole_frame(void)
{
    assert_true(fg_loop_begin(NULL));
    assert_true(fg_loop_end(NULL));
}

static void pass_time(int64_t duration_ns)
{
    const int64_t end_ns = fgi_clock_monotonic_ns() + duration_ns;
    while (fgi_clock_monotonic_ns() < end_ns) {
    }
}

/* ---- counters, numbers, durations ------------------------------------------------------------ */

static void a_frame_counter_begins_at_zero_with_every_frame(void **state)
{
    (void)state;
    const struct fg_metric counter = frame_counter("frames/draws");
    assert_false(metric_row(counter).is_published);
    assert_true(fg_loop_begin(NULL));
    fg_metric_add(counter, 4);
    fg_metric_add(counter, 5);
    /* Before the frame is complete there is no value to show. */
    assert_false(metric_row(counter).is_published);
    assert_true(fg_loop_end(NULL));
    const struct fg_loop_row first = last_frame();
    assert_int_equal(value_in(&first, counter), 9);
    assert_int_equal(metric_row(counter).value, 9);
    whole_frame();
    const struct fg_loop_row second = last_frame();
    assert_int_equal(value_in(&second, counter), 0);
    assert_true(metric_row(counter).is_published);
    assert_int_equal(metric_row(counter).value, 0);
    assert_true(second.number > first.number);
}

static void a_counter_that_nobody_used_is_not_shown_as_zero(void **state)
{
    (void)state;
    const struct fg_metric counter = frame_counter("frames/unused");
    whole_frame();
    const struct fg_loop_row row = last_frame();
    assert_int_equal(value_in(&row, counter), -1);
    assert_false(metric_row(counter).is_published);
}

static void what_is_counted_between_frames_belongs_to_the_next(void **state)
{
    (void)state;
    const struct fg_metric counter = frame_counter("frames/between");
    fg_metric_add(counter, 3);
    whole_frame();
    const struct fg_loop_row row = last_frame();
    assert_int_equal(value_in(&row, counter), 3);
}

static void begin_begin_end_end_is_one_frame_and_two_mistakes(void **state)
{
    (void)state;
    const uint64_t malformed = malformed_so_far(), number = last_number();
    assert_true(fg_loop_begin(NULL));
    assert_false(fg_loop_begin(NULL));
    assert_true(fg_loop_end(NULL));
    assert_false(fg_loop_end(NULL));
    assert_int_equal(malformed_so_far(), malformed + 2);
    assert_int_equal(last_number(), number + 1);
}

static void of_245_frames_the_newest_240_are_kept_in_order(void **state)
{
    (void)state;
    for (int i = 0; i < 245; i++) {
        whole_frame();
    }
    struct fg_snapshot *snapshot = frames_now();
    assert_int_equal(snapshot->frame_count, 240);
    for (size_t i = 0; i < 240; i++) {
        const struct fg_loop_row *row = &snapshot->frames[i];
        assert_int_equal(row->number, snapshot->frames[0].number + i);
        assert_true(row->duration_ns > 0);
        /* One quotient of two doubles, exactly. */
        assert_true(row->fps == 1e9 / (double)row->duration_ns);
        assert_true(i == 0 || row->begin_ns >= row[-1].begin_ns + row[-1].duration_ns);
    }
    fg_snapshot_free(snapshot);
}

static void waiting_is_part_of_the_duration_and_not_of_the_work(void **state)
{
    (void)state;
    fg_loop_waited(NULL, 1000000); /* no frame is open: nobody's */
    assert_true(fg_loop_begin(NULL));
    pass_time(2000000);
    fg_loop_waited(NULL, 400000);
    fg_loop_waited(NULL, 600000);
    fg_loop_waited(NULL, -5);
    assert_true(fg_loop_end(NULL));
    const struct fg_loop_row row = last_frame();
    assert_true(row.duration_ns >= 2000000);
    assert_true(row.work_ns == row.duration_ns - 1000000);
    assert_true(fg_loop_begin(NULL));
    fg_loop_waited(NULL, INT64_MAX);
    assert_true(fg_loop_end(NULL));
    assert_true(last_frame().work_ns == 0);
    whole_frame();
    const struct fg_loop_row next = last_frame();
    assert_true(next.work_ns == next.duration_ns);
}

static bool slow_source(void *context)
{
    (void)context;
    pass_time(2000000);
    return true;
}

static void a_slow_source_lengthens_its_frame_and_is_told_apart(void **state)
{
    (void)state;
    const uint32_t source = fg_metric_source_add(slow_source, NULL);
    whole_frame();
    fg_metric_source_remove(source);
    const struct fg_loop_row row = last_frame();
    assert_true(row.collection_ns >= 2000000);
    assert_true(row.duration_ns >= row.collection_ns);
    whole_frame();
    assert_true(last_frame().collection_ns < row.collection_ns);
}

static void frame_counters_beyond_64_are_live_and_counted_as_left_out(void **state)
{
    (void)state;
    fgt_needs_own_process();
    struct fg_metric counters[70];
    char name[32];
    for (uint32_t i = 0; i < 70; i++) {
        (void)snprintf(name, sizeof name, "frames/many %u", i);
        counters[i] = frame_counter(name);
    }
    assert_true(fg_loop_begin(NULL));
    for (uint32_t i = 0; i < 70; i++) {
        fg_metric_add(counters[i], 1 + (int64_t)i);
    }
    assert_true(fg_loop_end(NULL));
    const struct fg_loop_row row = last_frame();
    assert_int_equal(row.value_count, FG_HISTORY_FRAME_COUNTERS);
    for (uint32_t i = 0; i < 70; i++) {
        assert_int_equal(value_in(&row, counters[i]), i < 64 ? (int64_t)i + 1 : -1);
        assert_int_equal(metric_row(counters[i]).value, i + 1);
    }
    whole_frame();
    struct fg_snapshot *snapshot = frames_now();
    assert_int_equal(snapshot->losses.frame_counters_left_out, 12);
    fg_snapshot_free(snapshot);
}

/* ---- modes, suspension ----------------------------------------------------------------------- */

static void off_publishes_nothing_and_counts_no_mistakes(void **state)
{
    (void)state;
    const enum fg_instrument_mode before = fg_instrument_mode();
    const uint64_t malformed = malformed_so_far(), number = last_number();
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    assert_false(fg_loop_end(NULL));
    assert_false(fg_loop_begin(NULL));
    assert_false(fg_loop_begin(NULL));
    assert_false(fg_loop_end(NULL));
    assert_true(fg_instrument_set_mode(before));
    assert_int_equal(malformed_so_far(), malformed);
    assert_int_equal(last_number(), number);
}

static void a_frame_over_a_change_of_mode_is_no_mistake(void **state)
{
    (void)state;
    const enum fg_instrument_mode before = fg_instrument_mode();
    const struct fg_metric counter = frame_counter("frames/given up");
    const uint64_t malformed = malformed_so_far(), number = last_number();
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    assert_false(fg_loop_begin(NULL));
    assert_true(fg_instrument_set_mode(before));
    fg_metric_add(counter, 100);
    assert_false(fg_loop_end(NULL)); /* its beginning was not seen: it is no frame */
    assert_true(fg_loop_begin(NULL));
    fg_metric_add(counter, 1000);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    assert_false(fg_loop_end(NULL));
    assert_true(fg_instrument_set_mode(before));
    assert_int_equal(malformed_so_far(), malformed);
    assert_int_equal(last_number(), number);
    /* What the frames that were given up counted is not the next one's. */
    assert_true(fg_loop_begin(NULL));
    fg_metric_add(counter, 1);
    assert_true(fg_loop_end(NULL));
    const struct fg_loop_row row = last_frame();
    assert_int_equal(value_in(&row, counter), 1);
}

static void a_suspended_application_publishes_nothing(void **state)
{
    (void)state;
    whole_frame();
    const uint64_t number = last_number();
    for (int i = 0; i < 5; i++) {
        fg_loop_waited(NULL, 1000); /* events are polled, frames are not begun */
        fg_instrument_drain();
    }
    assert_int_equal(last_number(), number);
    whole_frame();
    assert_int_equal(last_number(), number + 1);
    assert_true(last_frame().work_ns == last_frame().duration_ns);
}

/* ---- who ends a frame ------------------------------------------------------------------------ */

static bool ends_and_begins(void *context)
{
    bool *was_refused = context;
    *was_refused = !fg_loop_end(NULL) && !fg_loop_begin(NULL);
    return true;
}

static void a_source_that_ends_its_frame_is_refused_and_not_stuck(void **state)
{
    (void)state;
    const uint64_t malformed = malformed_so_far(), number = last_number();
    bool was_refused = false;
    const uint32_t source = fg_metric_source_add(ends_and_begins, &was_refused);
    whole_frame();
    fg_metric_source_remove(source);
    assert_true(was_refused);
    assert_int_equal(malformed_so_far(), malformed + 2);
    assert_int_equal(last_number(), number + 1);
}

static bool does_everything(void *context)
{
    const struct fg_metric *counter = context;
    struct fg_snapshot *snapshot = NULL;
    struct fg_process_event_page page;
    fg_metric_add(frame_counter("frames/made by a source"), 1);
    fg_metric_add(*counter, 2);
    fg_instrument_drain();
    fg_instrument_read_events(0, NULL, 0, &page);
    const bool is_taken = fg_snapshot_take(0, &snapshot) == FG_OK;
    fg_snapshot_free(snapshot);
    return is_taken;
}

static void a_source_may_do_everything_else(void **state)
{
    (void)state;
    struct fg_metric counter = frame_counter("frames/in a source");
    const uint64_t failures = __atomic_load_n(&fgi_losses.source_failures, __ATOMIC_RELAXED);
    const uint32_t source = fg_metric_source_add(does_everything, &counter);
    whole_frame();
    fg_metric_source_remove(source);
    const struct fg_loop_row row = last_frame();
    assert_int_equal(value_in(&row, counter), 2);
    assert_int_equal(value_in(&row, frame_counter("frames/made by a source")), 1);
    assert_int_equal(__atomic_load_n(&fgi_losses.source_failures, __ATOMIC_RELAXED), failures);
}

static void a_scope_ends_its_own_frame_and_no_other(void **state)
{
    (void)state;
    const uint64_t malformed = malformed_so_far(), number = last_number();
    struct fg_loop_scope outer = fg_loop_scope_begin(NULL);
    struct fg_loop_scope inner = fg_loop_scope_begin(NULL); /* refused and counted */
    fg_loop_scope_end(&inner);
    assert_int_equal(last_number(), number); /* the outer one goes on */
    fg_loop_scope_end(&outer);
    fg_loop_scope_end(&outer);
    assert_int_equal(last_number(), number + 1);
    assert_int_equal(malformed_so_far(), malformed + 1);
    /* One whose frame was ended by somebody else is silent, also when another has begun. */
    outer = fg_loop_scope_begin(NULL);
    assert_true(fg_loop_end(NULL));
    assert_true(fg_loop_begin(NULL));
    fg_loop_scope_end(&outer);
    fg_loop_scope_end(NULL);
    assert_int_equal(last_number(), number + 2);
    assert_true(fg_loop_end(NULL));
    assert_int_equal(malformed_so_far(), malformed + 1);
}

static void frame_by_macro(const struct fg_metric *counter)
{
    FG_FRAME();
    fg_metric_add(*counter, 6);
}

static void a_block_is_a_frame(void **state)
{
    (void)state;
    const struct fg_metric counter = frame_counter("frames/block");
    const uint64_t number = last_number();
    frame_by_macro(&counter);
    const struct fg_loop_row row = last_frame();
    assert_int_equal(row.number, number + 1);
    assert_int_equal(value_in(&row, counter), 6);
}

/* ---- further loops --------------------------------------------------------------------------- */

static void further_loops_have_frames_of_their_own(void **state)
{
    (void)state;
    struct fg_loop *audio = NULL;
    const struct fg_metric counter = frame_counter("frames/not of audio");
    const uint64_t malformed = malformed_so_far();
    assert_int_equal(fg_loop_create("audio", NULL), FG_ERR_ARGUMENT);
    assert_int_equal(fg_loop_create("audio", &audio), FG_OK);
    assert_true(fg_loop_begin(NULL));
    const uint64_t number = last_number();
    fg_metric_add(counter, 5);
    for (int i = 0; i < 3; i++) {
        assert_true(fg_loop_begin(audio));
        assert_false(fg_loop_begin(audio));
        assert_true(fg_loop_end(audio));
        assert_false(fg_loop_end(audio));
    }
    assert_int_equal(malformed_so_far(), malformed + 6);
    assert_int_equal(last_number(), number);
    assert_true(fg_loop_end(NULL));
    const struct fg_loop_row row = last_frame();
    assert_int_equal(value_in(&row, counter), 5);
    fg_loop_destroy(audio);
    fg_loop_destroy(NULL);
}

static void eight_further_loops_fit_and_a_destroyed_one_makes_room(void **state)
{
    (void)state;
    struct fg_loop *loops[FG_LOOPS_MAX], *more = NULL;
    for (int i = 0; i < FG_LOOPS_MAX; i++) {
        assert_int_equal(fg_loop_create(i % 2 == 0 ? NULL : "frames/loop", &loops[i]), FG_OK);
    }
    assert_int_equal(fg_loop_create("frames/loop", &more), FG_ERR_LIMIT);
    assert_null(more);
    assert_true(fg_loop_begin(loops[3]));
    fg_loop_destroy(loops[3]); /* its open frame is given up */
    assert_int_equal(fg_loop_create("frames/again", &more), FG_OK);
    const uint64_t malformed = malformed_so_far();
    assert_true(fg_loop_begin(more));
    assert_true(fg_loop_end(more));
    assert_int_equal(malformed_so_far(), malformed);
    loops[3] = more;
    for (int i = 0; i < FG_LOOPS_MAX; i++) {
        fg_loop_destroy(loops[i]);
    }
}

/* ---- numbers of events ----------------------------------------------------------------------- */

static void an_event_has_the_number_of_the_frame_that_had_begun_last(void **state)
{
    (void)state;
    uint64_t ticks[1500], numbers[1500];
    const uint64_t before = fgi_ticks_now();
    const uint64_t first = last_number();
    for (int i = 0; i < 1500; i++) {
        assert_true(fg_loop_begin(NULL));
        ticks[i] = fgi_ticks_now();
        assert_true(fg_loop_end(NULL));
        numbers[i] = first + 1 + (uint64_t)i;
        assert_int_equal(fgi_frame_number_at(fgi_ticks_now()), numbers[i]);
    }
    for (int i = 1500 - 500; i < 1500; i++) {
        assert_int_equal(fgi_frame_number_at(ticks[i]), numbers[i]);
    }
    /* So far back only a bound is known. */
    assert_true(fgi_frame_number_at(before) >= first);
    assert_true(fgi_frame_number_at(before) < numbers[1000]);
    assert_int_equal(fgi_frame_number_at(UINT64_MAX), numbers[1499]);
}

#if FG_LEVEL >= 2
static void the_event_of_a_frame_follows_its_zones(void **state)
{
    (void)state;
    struct fg_process_event_page page;
    fg_instrument_read_events(UINT64_MAX, NULL, 0, &page);
    const uint64_t after = page.newest;
    assert_true(fg_loop_begin(NULL));
    struct fg_zone zone = fg_zone_begin("frames/zone", FG_CATEGORY_UPDATE);
    assert_true(fg_zone_end(zone));
    assert_true(fg_loop_end(NULL));
    struct fg_process_event events[8];
    fg_instrument_read_events(after, events, 8, &page);
    assert_int_equal(page.event_count, 2);
    const uint64_t number = last_number();
    assert_int_equal(events[0].kind, FG_PROCESS_EVENT_ZONE);
    assert_int_equal(events[0].frame, number);
    assert_int_equal(events[1].kind, FG_PROCESS_EVENT_FRAME);
    assert_int_equal(events[1].correlation, number);
    assert_int_equal(events[1].frame, number);
    assert_true(events[1].time_ns <= events[0].time_ns);
}
#endif

/* ---- many threads ---------------------------------------------------------------------------- */

enum { FRAMES = 400 };

struct crowd {
    struct fg_metric counter;
    bool is_over; /* atomic */
    struct fg_loop *loop;
    uint32_t refusals; /* of the loop's begins and ends; its thread's until it ended */
};

static bool is_over(struct crowd *crowd)
{
    return __atomic_load_n(&crowd->is_over, __ATOMIC_ACQUIRE);
}

static bool adds_two(void *context)
{
    const struct crowd *crowd = context;
    fg_metric_add(crowd->counter, 2);
    return true;
}

static void make_frames(void *context)
{
    struct crowd *crowd = context;
    for (int i = 0; i < FRAMES; i++) {
        if (fg_loop_begin(NULL)) {
            fg_metric_add(crowd->counter, 3);
            (void)fg_loop_end(NULL);
        }
    }
    __atomic_store_n(&crowd->is_over, true, __ATOMIC_RELEASE);
}

static bool does_nothing(void *context)
{
    (void)context;
    return true;
}

static void come_and_go(void *context)
{
    struct crowd *crowd = context;
    while (!is_over(crowd)) {
        fg_metric_source_remove(fg_metric_source_add(does_nothing, NULL));
        crowd->refusals += fg_loop_begin(crowd->loop) ? 0 : 1;
        crowd->refusals += fg_loop_end(crowd->loop) ? 0 : 1;
    }
}

static void snapshots_while_frames_end_are_whole_and_in_order(void **state)
{
    (void)state;
    struct crowd crowd = { .counter = frame_counter("frames/crowd") };
    struct fgi_thread *threads[2];
    const uint64_t number = last_number();
    assert_int_equal(fg_loop_create("frames/other", &crowd.loop), FG_OK);
    const uint32_t source = fg_metric_source_add(adds_two, &crowd);
    assert_int_equal(fgi_thread_create(NULL, make_frames, &crowd, &threads[0]), FG_OK);
    assert_int_equal(fgi_thread_create(NULL, come_and_go, &crowd, &threads[1]), FG_OK);
    bool is_last = false;
    while (!is_last) {
        is_last = is_over(&crowd);
        struct fg_snapshot *snapshot = frames_now();
        for (size_t i = 0; i < snapshot->frame_count; i++) {
            const struct fg_loop_row *row = &snapshot->frames[i];
            assert_int_equal(row->number, snapshot->frames[0].number + i);
            assert_true(row->collection_ns <= row->duration_ns);
            /* Each frame has exactly what its own thread and its source added. */
            assert_int_equal(value_in(row, crowd.counter), row->number > number ? 5 : -1);
        }
        fg_snapshot_free(snapshot);
    }
    fgi_thread_join(threads[0]);
    fgi_thread_join(threads[1]);
    fg_metric_source_remove(source);
    fg_loop_destroy(crowd.loop);
    assert_int_equal(crowd.refusals, 0);
    assert_int_equal(last_number(), number + FRAMES);
}

static void race_for_frames(void *context)
{
    uint64_t *ended = context;
    for (int i = 0; i < FRAMES; i++) {
        if (fg_loop_begin(NULL)) {
            *ended += fg_loop_end(NULL) ? 1 : 0;
        }
    }
}

static void threads_that_race_for_a_frame_have_each_frame_once(void **state)
{
    (void)state;
    struct fgi_thread *threads[4];
    uint64_t ended[4] = { 0 };
    const uint64_t number = last_number(), malformed = malformed_so_far();
    for (int i = 0; i < 4; i++) {
        assert_int_equal(fgi_thread_create(NULL, race_for_frames, &ended[i], &threads[i]), FG_OK);
    }
    for (int i = 0; i < 4; i++) {
        fgi_thread_join(threads[i]);
    }
    const uint64_t all = ended[0] + ended[1] + ended[2] + ended[3];
    assert_int_equal(last_number(), number + all);
    assert_int_equal(malformed_so_far() - malformed, 4 * FRAMES - all);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_frame_counter_begins_at_zero_with_every_frame),
    cmocka_unit_test(a_counter_that_nobody_used_is_not_shown_as_zero),
    cmocka_unit_test(what_is_counted_between_frames_belongs_to_the_next),
    cmocka_unit_test(begin_begin_end_end_is_one_frame_and_two_mistakes),
    cmocka_unit_test(of_245_frames_the_newest_240_are_kept_in_order),
    cmocka_unit_test(waiting_is_part_of_the_duration_and_not_of_the_work),
    cmocka_unit_test(a_slow_source_lengthens_its_frame_and_is_told_apart),
    cmocka_unit_test(frame_counters_beyond_64_are_live_and_counted_as_left_out),
    cmocka_unit_test(off_publishes_nothing_and_counts_no_mistakes),
    cmocka_unit_test(a_frame_over_a_change_of_mode_is_no_mistake),
    cmocka_unit_test(a_suspended_application_publishes_nothing),
    cmocka_unit_test(a_source_that_ends_its_frame_is_refused_and_not_stuck),
    cmocka_unit_test(a_source_may_do_everything_else),
    cmocka_unit_test(a_scope_ends_its_own_frame_and_no_other),
    cmocka_unit_test(a_block_is_a_frame),
    cmocka_unit_test(further_loops_have_frames_of_their_own),
    cmocka_unit_test(eight_further_loops_fit_and_a_destroyed_one_makes_room),
    cmocka_unit_test(an_event_has_the_number_of_the_frame_that_had_begun_last),
#if FG_LEVEL >= 2
    cmocka_unit_test(the_event_of_a_frame_follows_its_zones),
#endif
    cmocka_unit_test(snapshots_while_frames_end_are_whole_and_in_order),
    cmocka_unit_test(threads_that_race_for_a_frame_have_each_frame_once),
};
FGT_INSTRUMENT_SUITE(frames, tests)
