/* SPDX-License-Identifier: MIT */
/* Recordings: places in the history, several at once, each with what is missing in it. */
#include "failing_memory.h"
#include "suite_guard.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 1024, MOST = FG_CNATRACE_EVENTS_MAX, PART = 512 };

static struct fg_cnatrace *stop(struct fg_recording *recording)
{
    struct fg_cnatrace *trace = NULL;
    assert_int_equal(fg_recording_stop(recording, &trace), FG_OK);
    assert_non_null(trace);
    assert_false(fg_recording_is_active(recording));
    return trace;
}

static void mark(int64_t value)
{
    fg_mark("recording/mark", FG_CATEGORY_APPLICATION, value);
}

static void mark_and_drain(int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        mark(i);
        if (i % PART == PART - 1) {
            fg_instrument_drain();
        }
    }
}

static void expect_values(const struct fg_cnatrace *trace, int64_t first, size_t count)
{
    assert_int_equal(trace->event_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(trace->events[i].value, first + (int64_t)i);
        assert_int_equal(trace->events[i].kind, FG_PROCESS_EVENT_MARKER);
    }
}

/* ---- one recording --------------------------------------------------------------------------- */

static void starting_needs_full_and_a_maximum(void **state)
{
    (void)state;
    struct fg_cnatrace *trace = NULL;
    struct fg_recording recording = fg_recording_start(0);
    assert_false(fg_recording_is_active(&recording));
    assert_int_equal(fg_recording_stop(&recording, &trace), FG_ERR_STATE);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_STATS));
    recording = fg_recording_start(5);
    assert_false(fg_recording_is_active(&recording));
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    recording = fg_recording_start(5);
    assert_false(fg_recording_is_active(&recording));
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
    recording = fg_recording_start(5);
    assert_true(fg_recording_is_active(&recording));
    fg_cnatrace_free(stop(&recording));
    assert_int_equal(fg_recording_stop(NULL, &trace), FG_ERR_ARGUMENT);
    assert_null(trace);
}

static void the_newest_are_kept_and_the_others_counted(void **state)
{
    (void)state;
    struct fg_recording recording = fg_recording_start(3);
    for (int64_t i = 0; i < 5; i++) {
        mark(i);
    }
    struct fg_cnatrace *trace = stop(&recording);
    expect_values(trace, 2, 3);
    assert_int_equal(trace->dropped_events, 2);
    assert_int_equal(trace->version, 1);
    assert_string_equal(fg_cnatrace_text(trace, trace->events[0].name), "recording/mark");
    fg_cnatrace_free(trace);
}

static void nothing_before_its_start_and_after_its_stop_is_in_it(void **state)
{
    (void)state;
    mark(1);
    struct fg_recording recording = fg_recording_start(100);
    struct fg_cnatrace *trace = stop(&recording);
    mark(2);
    assert_int_equal(trace->event_count, 0);
    assert_int_equal(trace->dropped_events, 0);
    fg_cnatrace_free(trace);
}

static void stopping_consumes_it(void **state)
{
    (void)state;
    struct fg_cnatrace *trace = NULL;
    struct fg_recording recording = fg_recording_start(8);
    const struct fg_recording stale = recording;
    struct fg_recording copy = stale;
    fg_cnatrace_free(stop(&recording));
    assert_int_equal(fg_recording_stop(&recording, &trace), FG_ERR_STATE);
    assert_int_equal(fg_recording_stop(&copy, &trace), FG_ERR_STATE);
    /* Not even when another one has its slot. */
    recording = fg_recording_start(8);
    assert_int_equal(recording.slot, stale.slot);
    copy = stale;
    assert_int_equal(fg_recording_stop(&copy, &trace), FG_ERR_STATE);
    fg_cnatrace_free(stop(&recording));
    copy = (struct fg_recording){ .slot = 100000, .serial = 1 };
    assert_int_equal(fg_recording_stop(&copy, &trace), FG_ERR_STATE);
    assert_null(trace);
}

static void a_change_of_the_mode_pauses_it(void **state)
{
    (void)state;
    struct fg_recording recording = fg_recording_start(10);
    mark(1);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_STATS));
    mark(2);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
    mark(3);
    struct fg_cnatrace *trace = stop(&recording);
    assert_int_equal(trace->event_count, 2);
    assert_int_equal(trace->events[0].value, 1);
    assert_int_equal(trace->events[1].value, 3);
    assert_int_equal(trace->dropped_events, 0);
    fg_cnatrace_free(trace);
}

static void it_may_be_stopped_below_full(void **state)
{
    (void)state;
    struct fg_recording recording = fg_recording_start(10);
    mark(1);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    struct fg_cnatrace *trace = stop(&recording);
    expect_values(trace, 1, 1);
    fg_cnatrace_free(trace);
}

static void every_registered_name_is_copied(void **state)
{
    (void)state;
    assert_true(fg_label_register("recording/never used", FG_CATEGORY_GPU) != 0);
    struct fg_recording recording = fg_recording_start(10);
    mark(1);
    struct fg_cnatrace *trace = stop(&recording);
    bool is_there = false;
    for (size_t i = 0; i < trace->name_count; i++) {
        const struct fg_cnatrace_name *name = &trace->names[i];
        is_there |= strcmp(name->text, "recording/never used") == 0;
        assert_string_equal(name->text, fg_instrument_name(name->id));
        assert_int_equal(name->size, strlen(name->text));
    }
    assert_true(is_there);
    fg_cnatrace_free(trace);
}

static void it_is_written_and_read_as_a_file(void **state)
{
    (void)state;
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct fg_memory_view view = { 0 };
    struct fg_recording recording = fg_recording_start(10);
    const struct fg_zone zone = fg_zone_begin("recording/zone", FG_CATEGORY_CONTENT);
    mark(-1);
    (void)fg_zone_end(zone);
    struct fg_cnatrace *trace = stop(&recording), *again = NULL;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_cnatrace_write(trace, &sink), FG_OK);
    view.bytes = fg_memory_sink_bytes(memory, &view.size);
    const struct fg_source source = fg_memory_source(&view);
    assert_int_equal(fg_cnatrace_read(&source, NULL, &again, NULL), FG_OK);
    assert_int_equal(again->event_count, 2);
    assert_memory_equal(again->events, trace->events, 2 * sizeof *trace->events);
    assert_string_equal(fg_cnatrace_text(again, again->events[1].name), "recording/zone");
    fg_cnatrace_free(again);
    fg_memory_sink_destroy(memory);
    fg_cnatrace_free(trace);
}

/* ---- several --------------------------------------------------------------------------------- */

static void two_run_at_once(void **state)
{
    (void)state;
    struct fg_recording first = fg_recording_start(10);
    mark(1);
    struct fg_recording second = fg_recording_start(2);
    mark(2);
    mark(3);
    struct fg_cnatrace *trace = stop(&first);
    expect_values(trace, 1, 3);
    fg_cnatrace_free(trace);
    mark(4);
    trace = stop(&second);
    expect_values(trace, 3, 2);
    assert_int_equal(trace->dropped_events, 1);
    fg_cnatrace_free(trace);
}

static void more_than_there_is_room_for_are_inactive(void **state)
{
    (void)state;
    enum { MANY = 70 };
    struct fg_recording recordings[MANY];
    size_t active = 0;
    for (size_t i = 0; i < MANY; i++) {
        recordings[i] = fg_recording_start(1);
        active += fg_recording_is_active(&recordings[i]);
    }
    assert_int_equal(active, 64);
    for (size_t i = 0; i < MANY; i++) {
        if (fg_recording_is_active(&recordings[i])) {
            fg_cnatrace_free(stop(&recordings[i]));
        }
    }
    recordings[0] = fg_recording_start(1);
    assert_true(fg_recording_is_active(&recordings[0]));
    fg_cnatrace_free(stop(&recordings[0]));
}

/* ---- limits and losses ----------------------------------------------------------------------- */

static void the_largest_keeps_every_drained_event_in_order(void **state)
{
    (void)state;
    struct fg_recording recording = fg_recording_start(UINT32_MAX);
    mark_and_drain(MOST);
    struct fg_cnatrace *trace = stop(&recording);
    expect_values(trace, 0, MOST);
    assert_int_equal(trace->dropped_events, 0);
    for (size_t i = 1; i < MOST; i++) {
        assert_true(trace->events[i].time_ns >= trace->events[i - 1].time_ns);
        assert_int_equal(trace->events[i].sequence, trace->events[i - 1].sequence + 1);
    }
    fg_cnatrace_free(trace);
}

static void what_the_history_overwrites_meanwhile_is_counted(void **state)
{
    (void)state;
    struct fg_recording recording = fg_recording_start(MOST);
    mark_and_drain(MOST + RING);
    struct fg_cnatrace *trace = stop(&recording);
    expect_values(trace, RING, MOST);
    assert_int_equal(trace->dropped_events, RING);
    fg_cnatrace_free(trace);
}

static void what_found_no_room_in_a_ring_is_counted(void **state)
{
    (void)state;
    fgt_needs_own_process();
    assert_int_equal(fg_instrument_configure(&(struct fg_instrument_options){
                         .ring_events = RING, .history_events = 2000 }),
                     FG_OK);
    struct fg_recording recording = fg_recording_start(MOST);
    for (int64_t i = 0; i < RING + 32; i++) {
        mark(i);
    }
    struct fg_cnatrace *trace = stop(&recording);
    expect_values(trace, 0, RING);
    assert_int_equal(trace->dropped_events, 32);
    fg_cnatrace_free(trace);
    /* Those before it are not its own. A smaller history keeps no more than it has. */
    recording = fg_recording_start(MOST);
    mark_and_drain(2500);
    trace = stop(&recording);
    expect_values(trace, 500, 2000);
    assert_int_equal(trace->dropped_events, 500);
    fg_cnatrace_free(trace);
}

static void every_refused_allocation_ends_it_and_leaves_nothing(void **state)
{
    (void)state;
    static struct failing failing = { .countdown = -1 };
    static struct fg_allocator allocator;
    allocator = failing_allocator(&failing);
    fgt_needs_own_process();
    assert_int_equal(
        fg_instrument_configure(&(struct fg_instrument_options){ .allocator = &allocator }), FG_OK);
    mark(0);
    fg_instrument_drain();
    const long alive = failing.alive;
    const uint64_t owned = fg_instrument_owned_bytes();
    enum fg_result result = FG_ERR_NO_MEMORY;
    long attempt = 0;
    for (; result != FG_OK && attempt < 100; attempt++) {
        struct fg_cnatrace *trace = NULL;
        struct fg_recording recording = fg_recording_start(10);
        mark(attempt);
        failing.countdown = attempt;
        result = fg_recording_stop(&recording, &trace);
        failing.countdown = -1;
        assert_false(fg_recording_is_active(&recording));
        assert_true(result == FG_OK || (result == FG_ERR_NO_MEMORY && trace == NULL));
        fg_cnatrace_free(trace);
        assert_int_equal(failing.alive, alive);
        assert_int_equal(fg_instrument_owned_bytes(), owned);
    }
    assert_int_equal(result, FG_OK);
    assert_true(attempt >= 4);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 4, MARKS = 64 };

static void *marks(void *context)
{
    const int64_t first = (int64_t)(intptr_t)context * MARKS;
    for (int64_t i = 0; i < MARKS; i++) {
        mark(first + i);
    }
    return NULL;
}

static void what_several_threads_write_is_all_in_it(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    bool seen[THREADS * MARKS] = { false };
    uint64_t last_of[THREADS] = { 0 };
    struct fg_recording recording = fg_recording_start(MOST);
    for (intptr_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, marks, (void *)i), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    struct fg_cnatrace *trace = stop(&recording);
    assert_int_equal(trace->event_count, THREADS * MARKS);
    assert_int_equal(trace->dropped_events, 0);
    for (size_t i = 0; i < trace->event_count; i++) {
        const int64_t value = trace->events[i].value;
        assert_true(value >= 0 && value < THREADS * MARKS && !seen[value]);
        seen[value] = true;
        assert_true(trace->events[i].time_ns >= last_of[value / MARKS]);
        last_of[value / MARKS] = trace->events[i].time_ns;
        assert_true(trace->events[i].thread != 0);
    }
    fg_cnatrace_free(trace);
}

static void *records(void *context)
{
    for (int i = 0; i < 50; i++) {
        struct fg_cnatrace *trace = NULL;
        struct fg_recording recording = fg_recording_start(100);
        mark(i);
        if (fg_recording_stop(&recording, &trace) != FG_OK || trace->event_count == 0) {
            *(bool *)context = false;
        }
        fg_cnatrace_free(trace);
    }
    return NULL;
}

static void several_threads_record_at_once(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    bool is_well[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        is_well[i] = true;
        assert_int_equal(pthread_create(&threads[i], NULL, records, &is_well[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(is_well[i]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(starting_needs_full_and_a_maximum),
    cmocka_unit_test(the_newest_are_kept_and_the_others_counted),
    cmocka_unit_test(nothing_before_its_start_and_after_its_stop_is_in_it),
    cmocka_unit_test(stopping_consumes_it),
    cmocka_unit_test(a_change_of_the_mode_pauses_it),
    cmocka_unit_test(it_may_be_stopped_below_full),
    cmocka_unit_test(every_registered_name_is_copied),
    cmocka_unit_test(it_is_written_and_read_as_a_file),
    cmocka_unit_test(two_run_at_once),
    cmocka_unit_test(more_than_there_is_room_for_are_inactive),
    cmocka_unit_test(the_largest_keeps_every_drained_event_in_order),
    cmocka_unit_test(what_the_history_overwrites_meanwhile_is_counted),
    cmocka_unit_test(what_found_no_room_in_a_ring_is_counted),
    cmocka_unit_test(every_refused_allocation_ends_it_and_leaves_nothing),
    cmocka_unit_test(what_several_threads_write_is_all_in_it),
    cmocka_unit_test(several_threads_record_at_once),
};
FGT_INSTRUMENT_SUITE(recording, tests)
