/* SPDX-License-Identifier: MIT */
/* The history of the process: what comes out of the rings, in which order, and what is lost. */
#include "base/thread.h"
#include "failing_memory.h"
#include "suite_guard.h"
#include "record/instrument/instrument_priv.h"
#include <frameglass/session.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 1024, HISTORY = 32768, PART = 512 };

static uint64_t newest(void)
{
    struct fg_process_event_page page;
    fg_instrument_read_events(UINT64_MAX, NULL, 0, &page);
    return page.newest;
}

/* The events after a cursor; all of them, there are few. */
static size_t events_after(uint64_t after, struct fg_process_event *events, size_t capacity)
{
    struct fg_process_event_page page;
    fg_instrument_read_events(after, events, capacity, &page);
    assert_int_equal(page.gap, 0);
    assert_true(page.event_count < capacity);
    return page.event_count;
}

/* Losses as a snapshot gives them. */
static struct fg_instrument_losses losses(void)
{
    struct fg_snapshot *snapshot = NULL;
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_METRICS, &snapshot), FG_OK);
    const struct fg_instrument_losses found = snapshot->losses;
    fg_snapshot_free(snapshot);
    return found;
}

static void configure(const struct fg_instrument_options *options)
{
    fgt_needs_own_process();
    assert_int_equal(fg_instrument_configure(options), FG_OK);
}

static void mark_many(const char *name, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        fg_mark(name, FG_CATEGORY_APPLICATION, i);
    }
}

/* In parts that fit a ring. */
static void mark_and_drain(const char *name, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        fg_mark(name, FG_CATEGORY_APPLICATION, i);
        if (i % PART == PART - 1) {
            fg_instrument_drain();
        }
    }
    fg_instrument_drain();
}

/* ---- what an event says ---------------------------------------------------------------------- */

static void zones_come_as_they_end_with_what_is_around_them(void **state)
{
    (void)state;
    struct fg_process_event events[8];
    const uint64_t before = newest();
    const struct fg_zone outer = fg_zone_begin("history/outer", FG_CATEGORY_UPDATE);
    fg_mark("history/mark", FG_CATEGORY_AUDIO, -7);
    const struct fg_zone inner = fg_zone_begin("history/inner", FG_CATEGORY_DRAW);
    fgi_sleep_ns(1000000);
    assert_true(fg_zone_end(inner));
    assert_true(fg_zone_end(outer));
    assert_int_equal(events_after(before, events, 8), 3);
    const struct fg_process_event *mark = &events[0], *in = &events[1], *out = &events[2];
    assert_int_equal(mark->kind, FG_PROCESS_EVENT_MARKER);
    assert_int_equal(mark->value, -7);
    assert_int_equal(mark->category, FG_CATEGORY_AUDIO);
    assert_string_equal(fg_instrument_name(mark->name), "history/mark");
    assert_string_equal(fg_instrument_name(in->name), "history/inner");
    assert_string_equal(fg_instrument_name(out->name), "history/outer");
    assert_int_equal(in->kind, FG_PROCESS_EVENT_ZONE);
    assert_int_equal(out->category, FG_CATEGORY_UPDATE);
    assert_int_equal(in->sequence, mark->sequence + 1);
    assert_int_equal(out->sequence, in->sequence + 1);
    assert_int_equal(in->parent, out->correlation);
    assert_int_equal(mark->parent, out->correlation);
    assert_int_equal(out->parent, 0);
    assert_true(mark->correlation != in->correlation && in->correlation != out->correlation);
    assert_true(in->thread == out->thread && in->thread == mark->thread && in->thread != 0);
    assert_true(in->duration_ns >= 1000000 && in->duration_ns < 60000000000);
    assert_true(out->time_ns <= mark->time_ns && mark->time_ns <= in->time_ns);
    assert_true(in->time_ns + in->duration_ns <= out->time_ns + out->duration_ns);
    assert_int_equal(in->flags | out->flags, 0);
}

static void events_have_the_number_of_their_frame(void **state)
{
    (void)state;
    struct fg_process_event events[8];
    const uint64_t before = newest();
    assert_true(fg_loop_begin(NULL));
    fg_mark("history/in a frame", FG_CATEGORY_CORE, 1);
    assert_true(fg_loop_end(NULL));
    assert_true(fg_loop_begin(NULL));
    fg_mark("history/in the next", FG_CATEGORY_CORE, 2);
    assert_true(fg_loop_end(NULL));
    const size_t count = events_after(before, events, 8);
    uint64_t frame_of[2] = { 0 }, marked[2] = { 0 };
    size_t frames = 0, marks = 0;
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == FG_PROCESS_EVENT_FRAME) {
            assert_true(frames < 2);
            assert_string_equal(fg_instrument_name(events[i].name), "Frame");
            assert_int_equal(events[i].correlation, events[i].frame);
            frame_of[frames++] = events[i].frame;
        } else {
            assert_true(marks < 2);
            marked[marks++] = events[i].frame;
        }
    }
    assert_true(frames == 2 && marks == 2);
    assert_int_equal(frame_of[1], frame_of[0] + 1);
    assert_memory_equal(frame_of, marked, sizeof marked);
}

static void frames_of_a_further_loop_are_zones_of_its_name(void **state)
{
    (void)state;
    struct fg_process_event events[8];
    struct fg_loop *loop = NULL;
    assert_int_equal(fg_loop_create("history/editor", &loop), FG_OK);
    const uint64_t before = newest();
    assert_true(fg_loop_begin(loop));
    assert_true(fg_loop_end(loop));
    assert_int_equal(events_after(before, events, 8), 1);
    assert_int_equal(events[0].kind, FG_PROCESS_EVENT_ZONE);
    assert_string_equal(fg_instrument_name(events[0].name), "history/editor");
    fg_loop_destroy(loop);
}

static void inner_zones_that_were_ended_by_force_say_so(void **state)
{
    (void)state;
    struct fg_process_event events[8];
    const uint64_t before = newest();
    const struct fg_zone outer = fg_zone_begin("history/hasty", FG_CATEGORY_CORE);
    const struct fg_zone inner = fg_zone_begin("history/forgotten", FG_CATEGORY_CORE);
    assert_false(fg_zone_end(outer));
    assert_false(fg_zone_end(inner));
    const size_t count = events_after(before, events, 8);
    assert_int_equal(count, 3);
    assert_int_equal(events[0].kind, FG_PROCESS_EVENT_ZONE);
    assert_string_equal(fg_instrument_name(events[0].name), "history/forgotten");
    assert_int_equal(events[0].flags, 1);
    assert_int_equal(events[1].kind, FG_PROCESS_EVENT_MALFORMED);
    assert_string_equal(fg_instrument_name(events[1].name), "history/hasty");
    assert_true(events[1].time_ns <= events[0].time_ns);
    assert_true(events[1].time_ns + events[1].duration_ns >=
                events[0].time_ns + events[0].duration_ns);
    assert_int_equal(events[2].kind, FG_PROCESS_EVENT_MALFORMED);
}

static void below_full_nothing_comes(void **state)
{
    (void)state;
    const uint64_t before = newest();
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_STATS));
    fg_mark("history/not at STATS", FG_CATEGORY_CORE, 1);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    fg_mark("history/not at OFF", FG_CATEGORY_CORE, 1);
    assert_int_equal(newest(), before);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
    fg_mark("history/at FULL", FG_CATEGORY_CORE, 1);
    assert_int_equal(newest(), before + 1);
}

/* ---- what is lost ---------------------------------------------------------------------------- */

static void a_full_ring_keeps_the_oldest_and_counts_the_rest(void **state)
{
    (void)state;
    configure(&(struct fg_instrument_options){ .ring_events = RING });
    struct fg_process_event *events = calloc(2 * RING, sizeof *events);
    mark_many("history/flood", RING + 32);
    assert_int_equal(events_after(0, events, 2 * RING), RING);
    for (int64_t i = 0; i < RING; i++) {
        assert_int_equal(events[i].value, i);
        assert_int_equal(events[i].sequence, i + 1);
    }
    assert_int_equal(losses().producer_drops, 32);
    mark_many("history/flood", 1);
    assert_int_equal(newest(), RING + 1);
    assert_int_equal(losses().producer_drops, 32);
    free(events);
}

static void the_history_overwrites_its_oldest_and_counts_them(void **state)
{
    (void)state;
    struct fg_process_event_page page;
    fgt_needs_own_process();
    mark_and_drain("history/long", HISTORY + RING);
    fg_instrument_read_events(UINT64_MAX, NULL, 0, &page);
    assert_int_equal(page.newest, HISTORY + RING);
    assert_int_equal(page.oldest, RING + 1);
    assert_int_equal(page.producer_drops, 0);
    assert_int_equal(losses().overwritten, RING);
}

static void what_somebody_has_read_is_no_loss_when_it_is_overwritten(void **state)
{
    (void)state;
    static struct fg_process_event events[HISTORY];
    struct fg_process_event_page page;
    fgt_needs_own_process();
    mark_and_drain("history/read", HISTORY);
    fg_instrument_read_events(0, events, HISTORY - 100, &page);
    assert_int_equal(page.event_count, HISTORY - 100);
    mark_and_drain("history/read", HISTORY);
    assert_int_equal(losses().overwritten, 100);
}

static void what_a_session_has_taken_is_no_loss_when_it_is_overwritten(void **state)
{
    (void)state;
    struct fg_session *session;
    fgt_needs_own_process();
    assert_int_equal(fg_session_create(NULL, NULL, &session), FG_OK);
    assert_int_equal(fg_session_start(session), FG_OK);
    mark_and_drain("history/taken", HISTORY + RING);
    assert_int_equal(losses().overwritten, 0);
    fg_session_stop(session);
    mark_and_drain("history/not taken", HISTORY + RING);
    assert_int_equal(losses().overwritten, RING);
    fg_session_destroy(session);
}

static void losses_before_the_oldest_event_are_told_apart(void **state)
{
    (void)state;
    configure(&(struct fg_instrument_options){ .ring_events = RING });
    mark_many("history/lossy", RING + 32);
    fg_instrument_drain();
    mark_and_drain("history/lossless", HISTORY - RING);
    assert_int_equal(losses().producer_drops, 32);
    assert_int_equal(losses().dropped_before_start, 0);
    mark_and_drain("history/lossless", RING - 1);
    assert_int_equal(losses().dropped_before_start, 0);
    mark_and_drain("history/lossless", 1);
    assert_int_equal(losses().dropped_before_start, 32);
    assert_int_equal(losses().producer_drops, 32);
}

/* A loss may be counted when the ring has been emptied already: it is not forgotten. */
static void losses_count_also_when_the_ring_is_empty(void **state)
{
    (void)state;
    fg_mark("history/makes a context", FG_CATEGORY_CORE, 0);
    fg_instrument_drain();
    const uint64_t before = losses().producer_drops;
    struct fgi_producer *own = fgi_thread_own();
    assert_non_null(own);
    __atomic_store_n(&own->dropped, own->dropped + 3, __ATOMIC_RELEASE);
    fgi_drain_thread(own);
    assert_int_equal(losses().producer_drops, before + 3);
}

static void *floods(void *context)
{
    (void)context;
    mark_many("history/last words", RING + 17);
    return NULL;
}

static void a_thread_that_ends_leaves_its_events_and_its_losses(void **state)
{
    (void)state;
    pthread_t thread;
    configure(&(struct fg_instrument_options){ .ring_events = RING });
    fg_mark("history/first", FG_CATEGORY_CORE, 0);
    const uint64_t before = newest(), drops = losses().producer_drops;
    assert_int_equal(pthread_create(&thread, NULL, floods, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    /* Not by a drain of ours: it was done before the thread was gone. */
    assert_int_equal(fgi_losses.producer_drops, drops + 17);
    assert_int_equal(newest(), before + RING);
}

/* ---- the cursor ------------------------------------------------------------------------------ */

static void a_cursor_past_the_newest_gets_nothing_and_no_gap(void **state)
{
    (void)state;
    struct fg_process_event event;
    struct fg_process_event_page page;
    fg_mark("history/something", FG_CATEGORY_CORE, 0);
    const uint64_t last = newest();
    const uint64_t cursors[] = { last, last + 1, last + 1000, UINT64_MAX };
    for (size_t i = 0; i < sizeof cursors / sizeof *cursors; i++) {
        fg_instrument_read_events(cursors[i], &event, 1, &page);
        assert_int_equal(page.event_count, 0);
        assert_int_equal(page.gap, 0);
        assert_int_equal(page.newest, last);
    }
    fg_instrument_read_events(last, NULL, 0, NULL);
}

static void pages_give_what_was_not_seen_in_order(void **state)
{
    (void)state;
    struct fg_process_event events[100];
    struct fg_process_event_page page;
    const uint64_t before = newest();
    uint64_t cursor = before;
    mark_many("history/pages", 950);
    for (size_t count = 0; count < 950; count += page.event_count) {
        fg_instrument_read_events(cursor, events, 100, &page);
        assert_int_equal(page.event_count, count < 900 ? 100 : 50);
        assert_int_equal(page.gap, 0);
        for (size_t i = 0; i < page.event_count; i++) {
            assert_int_equal(events[i].sequence, cursor + 1 + i);
            assert_int_equal(events[i].value, count + i);
        }
        cursor += page.event_count;
    }
    assert_int_equal(cursor, newest());
}

static void a_gap_is_exactly_what_was_overwritten_unseen(void **state)
{
    (void)state;
    struct fg_process_event events[2];
    struct fg_process_event_page page;
    configure(&(struct fg_instrument_options){ .history_events = 1000 });
    fg_instrument_read_events(0, events, 2, &page);
    assert_int_equal(page.gap + page.event_count + page.oldest + page.newest, 0);
    mark_and_drain("history/small", 1500);
    fg_instrument_read_events(100, events, 2, &page);
    assert_int_equal(page.oldest, 501);
    assert_int_equal(page.newest, 1500);
    assert_int_equal(page.gap, 400);
    assert_int_equal(page.event_count, 2);
    assert_int_equal(events[0].sequence, 501);
    assert_int_equal(events[0].value, 500);
    fg_instrument_read_events(500, events, 2, &page);
    assert_int_equal(page.gap, 0);
    fg_instrument_read_events(0, NULL, 0, &page);
    assert_int_equal(page.gap, 500);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void without_memory_events_are_counted_and_later_ones_kept(void **state)
{
    (void)state;
    static struct failing failing = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&failing);
    static struct fg_allocator kept;
    kept = allocator;
    configure(&(struct fg_instrument_options){ .allocator = &kept });
    fg_mark("history/context and ring", FG_CATEGORY_CORE, 1);
    failing.countdown = 0;
    failing.stays = true;
    fg_instrument_drain();
    assert_true(failing.refused);
    assert_int_equal(newest(), 1);
    assert_int_equal(fgi_losses.overwritten, 1);
    failing.countdown = -1;
    failing.refused = failing.stays = false;
    fg_mark("history/now there is room", FG_CATEGORY_CORE, 2);
    struct fg_process_event event[2];
    struct fg_process_event_page page;
    fg_instrument_read_events(0, event, 2, &page);
    assert_int_equal(page.gap, 1);
    assert_int_equal(page.event_count, 1);
    assert_int_equal(event[0].sequence, 2);
    assert_int_equal(event[0].value, 2);
}

/* ---- at once --------------------------------------------------------------------------------- */

enum { WRITERS = 4, WRITES = 20000 };

static void *writes(void *context)
{
    const int64_t first = (int64_t)(intptr_t)context * WRITES;
    for (int64_t i = 0; i < WRITES; i++) {
        const struct fg_zone zone = fg_zone_begin("history/busy", FG_CATEGORY_CORE);
        fg_mark("history/at once", FG_CATEGORY_CORE, first + i);
        (void)fg_zone_end(zone);
    }
    return NULL;
}

static bool stop_reading; /* atomic */

/* Sequences follow each other, and every gap is counted. */
static void *reads(void *context)
{
    static struct fg_process_event events[HISTORY];
    uint64_t cursor = *(uint64_t *)context;
    bool is_last = false;
    while (!is_last) {
        struct fg_process_event_page page;
        is_last = __atomic_load_n(&stop_reading, __ATOMIC_ACQUIRE);
        do {
            fg_instrument_read_events(cursor, events, HISTORY, &page);
            cursor += page.gap;
            for (size_t i = 0; i < page.event_count; i++) {
                if (events[i].sequence != cursor + 1) {
                    *(uint64_t *)context = UINT64_MAX;
                    return NULL;
                }
                cursor++;
            }
        } while (page.event_count != 0);
    }
    *(uint64_t *)context = cursor;
    return NULL;
}

static void readers_writers_and_frames_go_on_at_once(void **state)
{
    (void)state;
    pthread_t writers[WRITERS], reader;
    uint64_t first = newest(), cursor = first;
    const uint64_t drops = losses().producer_drops;
    uint64_t frames = 0;
    __atomic_store_n(&stop_reading, false, __ATOMIC_RELEASE);
    assert_int_equal(pthread_create(&reader, NULL, reads, &cursor), 0);
    for (intptr_t i = 0; i < WRITERS; i++) {
        assert_int_equal(pthread_create(&writers[i], NULL, writes, (void *)i), 0);
    }
    for (; frames < 300; frames++) {
        assert_true(fg_loop_begin(NULL));
        assert_true(fg_loop_end(NULL));
    }
    for (size_t i = 0; i < WRITERS; i++) {
        assert_int_equal(pthread_join(writers[i], NULL), 0);
    }
    __atomic_store_n(&stop_reading, true, __ATOMIC_RELEASE);
    assert_int_equal(pthread_join(reader, NULL), 0);
    assert_int_equal(cursor, newest());
    /* Each event that was written has a number, or is counted as lost. */
    const uint64_t written = (uint64_t)2 * WRITERS * WRITES + frames;
    assert_int_equal(cursor - first + losses().producer_drops - drops, written);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(zones_come_as_they_end_with_what_is_around_them),
    cmocka_unit_test(events_have_the_number_of_their_frame),
    cmocka_unit_test(frames_of_a_further_loop_are_zones_of_its_name),
    cmocka_unit_test(inner_zones_that_were_ended_by_force_say_so),
    cmocka_unit_test(below_full_nothing_comes),
    cmocka_unit_test(a_full_ring_keeps_the_oldest_and_counts_the_rest),
    cmocka_unit_test(the_history_overwrites_its_oldest_and_counts_them),
    cmocka_unit_test(what_somebody_has_read_is_no_loss_when_it_is_overwritten),
    cmocka_unit_test(what_a_session_has_taken_is_no_loss_when_it_is_overwritten),
    cmocka_unit_test(losses_before_the_oldest_event_are_told_apart),
    cmocka_unit_test(losses_count_also_when_the_ring_is_empty),
    cmocka_unit_test(a_thread_that_ends_leaves_its_events_and_its_losses),
    cmocka_unit_test(a_cursor_past_the_newest_gets_nothing_and_no_gap),
    cmocka_unit_test(pages_give_what_was_not_seen_in_order),
    cmocka_unit_test(a_gap_is_exactly_what_was_overwritten_unseen),
    cmocka_unit_test(without_memory_events_are_counted_and_later_ones_kept),
    cmocka_unit_test(readers_writers_and_frames_go_on_at_once),
};
FGT_INSTRUMENT_SUITE(history, tests)
