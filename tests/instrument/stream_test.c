/* SPDX-License-Identifier: MIT */
/* What the process says of itself, read back from the captures of sessions value by value. */
#include "base/thread.h"
#include "failing_memory.h"
#include "stream_bed.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { RING = 4096, WORKERS = 64, WORKER_ROUNDS = 200 };

/* ---- zones and markers ----------------------------------------------------------------------- */

static void zones_and_markers_come_back_as_they_were(void **state)
{
    (void)state;
    static struct stream_bed bed;
    stream_bed_start(&bed, 0);
    struct fg_zone outer = fg_zone_begin("stream/outer", FG_CATEGORY_UPDATE);
    struct fg_zone inner = fg_zone_begin("stream/inner", FG_CATEGORY_AUDIO);
    fg_mark("stream/mark", FG_CATEGORY_CONTENT, INT64_MIN);
    assert_true(fg_zone_end(inner));
    assert_true(fg_zone_end(outer));
    fg_mark("stream/second mark", FG_CATEGORY_CORE, INT64_MAX);
    stream_bed_read(&bed);

    const struct seen_span *out = stream_bed_span(&bed, "stream/outer");
    const struct seen_span *in = stream_bed_span(&bed, "stream/inner");
    const struct seen_span *mark = stream_bed_span(&bed, "stream/mark");
    assert_string_equal(out->category, "update");
    assert_string_equal(in->category, "audio");
    assert_string_equal(mark->category, "content");
    assert_int_equal(out->span.depth, 0);
    assert_int_equal(in->span.depth, 1);
    assert_int_equal(mark->span.depth, 2);
    assert_true(out->span.begin_ticks <= in->span.begin_ticks);
    assert_true(in->span.begin_ticks <= mark->span.begin_ticks);
    assert_true(mark->span.begin_ticks <= in->span.end_ticks);
    assert_true(in->span.end_ticks <= out->span.end_ticks);
    assert_int_equal(mark->span.begin_ticks, mark->span.end_ticks);
    assert_int_equal(out->span.flags, 0);
    assert_int_equal(in->span.flags, 0);
    assert_int_equal(mark->span.flags, FG_CAP_BLOCK_SPAN_INSTANT);
    assert_true(mark->span.value == INT64_MIN);
    assert_true(stream_bed_span(&bed, "stream/second mark")->span.value == INT64_MAX);
    assert_int_equal(bed.drops[FG_CAP_DROP_RING_FULL], 0);
    stream_bed_close(&bed);
}

static void the_clock_of_zones_has_readings_from_begin_to_end(void **state)
{
    (void)state;
    static struct stream_bed bed;
    stream_bed_start(&bed, 0);
    assert_true(fg_zone_end(fg_zone_begin("stream/clocked", FG_CATEGORY_CORE)));
    stream_bed_read(&bed);
    assert_true(bed.has_ticks);
    if (bed.clock.kind == FG_CAP_CLOCK_TSC) {
        assert_int_equal(bed.clock.domain, FG_CAP_DOMAIN_CALIBRATED);
        assert_int_equal(bed.clock.host_clock, 0);
        assert_true(bed.reading_count >= 2);
        const uint64_t ticks = bed.readings[1].ticks - bed.readings[0].ticks;
        const uint64_t ns = bed.readings[1].host_ticks - bed.readings[0].host_ticks;
        const double by_period =
            (double)ticks * (double)bed.clock.period_num / (double)bed.clock.period_den;
        const double off = by_period - (double)ns;
        assert_true(off > -2e4 - (double)ns * 0.01 && off < 2e4 + (double)ns * 0.01);
    } else {
        assert_int_equal(bed.clock.domain, FG_CAP_DOMAIN_HOST);
    }
    const struct seen_span *zone = stream_bed_span(&bed, "stream/clocked");
    assert_true((uint64_t)zone->span.end_ticks <= bed.readings[1].ticks || bed.reading_count == 0);
    stream_bed_close(&bed);
}

static void a_clock_is_read_more_often_while_a_capture_is_young(void **state)
{
    (void)state;
    static struct stream_bed bed;
    stream_bed_start(&bed, 0);
    for (int i = 0; i < 6; i++) { /* some milliseconds, of which the readings know a part */
        assert_true(fg_zone_end(fg_zone_begin("stream/young", FG_CATEGORY_CORE)));
        fgi_sleep_ns(2000000);
        fg_instrument_drain();
    }
    stream_bed_read(&bed);
    if (bed.clock.kind == FG_CAP_CLOCK_TSC) {
        assert_true(bed.reading_count >= 4);
    }
    stream_bed_close(&bed);
}

static void what_is_wrong_with_a_zone_stays_with_it(void **state)
{
    (void)state;
    static struct stream_bed bed;
    stream_bed_start(&bed, 0);
    struct fg_zone outer = fg_zone_begin("stream/ends early", FG_CATEGORY_CORE);
    struct fg_zone inner = fg_zone_begin("stream/ends by force", FG_CATEGORY_CORE);
    assert_false(fg_zone_end(outer));
    assert_false(fg_zone_end(inner)); /* it has ended */
    stream_bed_read(&bed);
    assert_int_equal(stream_bed_span(&bed, "stream/ends by force")->span.flags,
                     FG_CAP_BLOCK_SPAN_FORCED);
    assert_int_equal(stream_bed_span(&bed, "stream/ends early")->span.flags,
                     FG_CAP_BLOCK_SPAN_MALFORMED);
    assert_int_equal(stream_bed_span(&bed, "")->span.flags,
                     FG_CAP_BLOCK_SPAN_MALFORMED | FG_CAP_BLOCK_SPAN_INSTANT);
    assert_int_equal(bed.drops[FG_CAP_DROP_MALFORMED_ZONE], 2);
    stream_bed_close(&bed);
}

/* ---- what is open at the stop ---------------------------------------------------------------- */

struct holder {
    pthread_barrier_t is_open, may_end;
};

static void *hold_open(void *context)
{
    struct holder *holder = context;
    fg_thread_set_name("stream holder");
    struct fg_zone outer = fg_zone_begin("stream/held", FG_CATEGORY_CORE);
    struct fg_zone inner = fg_zone_begin("stream/held inside", FG_CATEGORY_CORE);
    (void)pthread_barrier_wait(&holder->is_open);
    (void)pthread_barrier_wait(&holder->may_end);
    (void)fg_zone_end(inner);
    (void)fg_zone_end(outer);
    return NULL;
}

static void what_is_open_at_the_stop_is_kept_as_unfinished(void **state)
{
    (void)state;
    static struct stream_bed bed;
    struct holder holder;
    pthread_t thread;
    (void)pthread_barrier_init(&holder.is_open, NULL, 2);
    (void)pthread_barrier_init(&holder.may_end, NULL, 2);
    stream_bed_start(&bed, 0);
    struct fg_zone own = fg_zone_begin("stream/own", FG_CATEGORY_CORE);
    assert_int_equal(pthread_create(&thread, NULL, hold_open, &holder), 0);
    (void)pthread_barrier_wait(&holder.is_open);
    fg_session_stop(bed.session);
    (void)pthread_barrier_wait(&holder.may_end);
    (void)pthread_join(thread, NULL);
    assert_true(fg_zone_end(own));
    fg_mark("stream/too late", FG_CATEGORY_CORE, 1);
    stream_bed_read(&bed);
    const struct seen_span *held = stream_bed_span(&bed, "stream/held");
    const struct seen_span *inside = stream_bed_span(&bed, "stream/held inside");
    assert_int_equal(stream_bed_span(&bed, "stream/own")->span.flags, FG_CAP_BLOCK_SPAN_UNFINISHED);
    assert_int_equal(held->span.flags, FG_CAP_BLOCK_SPAN_UNFINISHED);
    assert_int_equal(inside->span.flags, FG_CAP_BLOCK_SPAN_UNFINISHED);
    assert_int_equal(inside->span.depth, 1);
    assert_int_equal(held->span.end_ticks, inside->span.end_ticks);
    assert_string_equal(held->track, "stream holder");
    assert_true(held->os_id != FG_CAP_UNKNOWN && held->os_id != 0);
    assert_int_equal(stream_bed_count(&bed, "stream/too late"), 0);
    stream_bed_close(&bed);
    (void)pthread_barrier_destroy(&holder.is_open);
    (void)pthread_barrier_destroy(&holder.may_end);
}

/* ---- losses -------------------------------------------------------------------------------- */

static void what_finds_no_room_is_marked_where_it_was_lost(void **state)
{
    (void)state;
    static struct stream_bed bed;
    enum { EMITTED = 3 * RING };
    stream_bed_start(&bed, 0);
    for (int i = 0; i < EMITTED; i++) {
        fg_mark("stream/flood", FG_CATEGORY_CORE, i);
    }
    fg_instrument_drain();
    fg_mark("stream/after the flood", FG_CATEGORY_CORE, 0);
    stream_bed_read(&bed);
    const size_t stored = stream_bed_count(&bed, "stream/flood");
    assert_true(bed.lost > 0);
    assert_int_equal(stored + bed.lost, EMITTED);
    assert_int_equal(bed.drops[FG_CAP_DROP_RING_FULL], bed.lost);
    int64_t loss_ticks = 0, last_stored = 0;
    for (size_t i = 0; i < bed.span_count; i++) {
        const struct seen_span *seen = &bed.spans[i];
        if ((seen->span.flags & FG_CAP_BLOCK_SPAN_LOSS) != 0) {
            loss_ticks = seen->span.begin_ticks;
            assert_int_equal(seen->span.flags, FG_CAP_BLOCK_SPAN_LOSS | FG_CAP_BLOCK_SPAN_INSTANT);
        } else if (strcmp(seen->name, "stream/flood") == 0) {
            last_stored = seen->span.begin_ticks;
        }
    }
    assert_true(last_stored < loss_ticks);
    assert_true(loss_ticks <= stream_bed_span(&bed, "stream/after the flood")->span.begin_ticks);
    stream_bed_close(&bed);
}

/* ---- metrics ------------------------------------------------------------------------------- */

static struct fg_metric metric_of(const char *name, enum fg_metric_kind kind, enum fg_unit unit,
                                  enum fg_accuracy accuracy)
{
    return fg_metric_register(&(struct fg_metric_desc){ name, kind, unit, accuracy });
}

static void metrics_have_their_kind_and_a_sample_for_each_change(void **state)
{
    (void)state;
    static struct stream_bed bed;
    stream_bed_start(&bed, 0);
    struct fg_metric gauge =
        metric_of("stream/gauge", FG_METRIC_GAUGE, FG_UNIT_BYTES, FG_ACCURACY_ESTIMATED);
    struct fg_metric counter =
        metric_of("stream/counter", FG_METRIC_COUNTER, FG_UNIT_NS, FG_ACCURACY_EXACT);
    (void)metric_of("stream/silent", FG_METRIC_GAUGE, FG_UNIT_PER_SECOND, FG_ACCURACY_UNAVAILABLE);
    for (int i = 0; i < 6; i++) {
        assert_true(fg_loop_begin(NULL));
        fg_gauge_set(gauge, -5 - i / 3);
        fg_metric_add(counter, 7);
        assert_true(fg_loop_end(NULL));
    }
    stream_bed_read(&bed);
    const struct seen_metric *seen = stream_bed_metric(&bed, "stream/gauge");
    assert_int_equal(seen->metric.kind, FG_CAP_METRIC_GAUGE);
    assert_int_equal(seen->metric.accuracy, FG_CAP_ACCURACY_ESTIMATED);
    assert_string_equal(seen->unit, "bytes");
    assert_int_equal(seen->sample_count, 2);
    assert_int_equal(seen->first, -5);
    assert_int_equal(seen->last, -6);
    seen = stream_bed_metric(&bed, "stream/counter");
    assert_int_equal(seen->metric.kind, FG_CAP_METRIC_COUNTER);
    assert_string_equal(seen->unit, "ns");
    assert_int_equal(seen->sample_count, 6);
    assert_int_equal(seen->last - seen->first, 35);
    seen = stream_bed_metric(&bed, "stream/silent");
    assert_int_equal(seen->metric.accuracy, FG_CAP_ACCURACY_UNAVAILABLE);
    assert_int_equal(seen->sample_count, 0);
    stream_bed_close(&bed);
}

/* ---- frames -------------------------------------------------------------------------------- */

static void without_a_device_the_frames_are_those_of_the_process(void **state)
{
    (void)state;
    static struct stream_bed bed;
    bed.counter_name = "stream/draws";
    stream_bed_start(&bed, 0);
    struct fg_metric draws =
        metric_of("stream/draws", FG_METRIC_FRAME_COUNTER, FG_UNIT_COUNT, FG_ACCURACY_EXACT);
    struct fg_loop *loop;
    assert_int_equal(fg_loop_create("stream/second loop", &loop), FG_OK);
    for (int i = 0; i < 5; i++) {
        assert_true(fg_loop_begin(NULL));
        assert_true(fg_loop_begin(loop));
        fg_metric_add(draws, 10 + i);
        fg_loop_waited(NULL, i == 0 ? 0 : 1);
        assert_true(fg_loop_end(loop));
        assert_true(fg_loop_end(NULL));
    }
    fg_loop_destroy(loop);
    stream_bed_read(&bed);
    assert_int_equal(bed.frame_count, 5);
    assert_int_equal(bed.frame_counter, 10 + 11 + 12 + 13 + 14);
    assert_true(bed.frames[0].wait_ticks == FG_CAP_UNKNOWN);
    assert_int_equal(bed.frames[1].wait_ticks, 1);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(bed.frames[i].frame, i);
        assert_int_equal(bed.frames[i].track, bed.frames[0].track);
        assert_true(bed.frames[i].end_ticks > bed.frames[i].begin_ticks);
        assert_true(i == 0 || bed.frames[i].begin_ticks >= bed.frames[i - 1].end_ticks);
    }
    assert_int_equal(stream_bed_metric(&bed, "stream/draws")->metric.kind, FG_CAP_METRIC_FRAME);
    assert_int_equal(stream_bed_metric(&bed, "stream/draws")->sample_count, 0);
    int64_t number = 0;
    for (size_t i = 0; i < bed.span_count; i++) {
        if (strcmp(bed.spans[i].track, "stream/second loop") == 0) {
            assert_string_equal(bed.spans[i].name, "frame");
            assert_int_equal(bed.spans[i].span.value, ++number);
        }
    }
    assert_int_equal(number, 5);
    stream_bed_close(&bed);
}

static void a_session_of_frames_ends_at_its_limit(void **state)
{
    (void)state;
    struct fg_session *session;
    struct fg_session_status status;
    assert_int_equal(fg_session_create(NULL, FG_SESSION_OPTIONS(.frame_limit = 3), &session),
                     FG_OK);
    assert_int_equal(fg_session_start(session), FG_OK);
    for (int i = 0; i < 5; i++) {
        assert_true(fg_loop_begin(NULL));
        assert_true(fg_loop_end(NULL));
    }
    fg_session_get_status(session, &status);
    assert_false(status.running);
    assert_int_equal(status.frames_written, 3);
    assert_int_equal(fg_session_finish(session, 0), FG_OK);
    fg_session_destroy(session);
}

/* ---- objects ------------------------------------------------------------------------------- */

static const struct seen_object *object_event(const struct stream_bed *bed, uint64_t id,
                                              uint32_t kind)
{
    for (size_t i = 0; i < bed->object_count; i++) {
        if (bed->objects[i].event.resource == id && bed->objects[i].event.kind == kind) {
            return &bed->objects[i];
        }
    }
    return NULL;
}

static void objects_come_with_what_lived_before(void **state)
{
    (void)state;
    static struct stream_bed bed;
    struct fg_object_desc desc = { .type = FG_OBJECT_TEXTURE_2D,
                                   .name = "stream atlas",
                                   .format = 37,
                                   .width = 16,
                                   .height = 8,
                                   .mip_count = 1,
                                   .layer_count = 1 };
    struct fg_object before = fg_object_create(&desc);
    stream_bed_start(&bed, 0);
    struct fg_object during = fg_object_create(&(struct fg_object_desc){
        .type = FG_OBJECT_AUDIO_VOICE, .name = "stream beep", .size_bytes = 12 });
    desc.width = 32;
    assert_true(fg_object_update(before, &desc));
    const uint64_t before_id = before.id, during_id = during.id;
    assert_true(fg_object_destroy(&during));
    assert_true(fg_object_destroy(&before));
    stream_bed_read(&bed);
    const struct seen_object *seen = object_event(&bed, before_id, FG_CAP_RESOURCE_LIVES);
    assert_non_null(seen);
    assert_string_equal(seen->name, "stream atlas");
    assert_string_equal(seen->type, "texture 2d");
    assert_int_equal(seen->event.size_bytes, 16 * 8 * 4);
    assert_int_equal(seen->detail.format, 37);
    assert_int_equal(seen->detail.width, 16);
    assert_int_equal(seen->detail.accuracy, FG_CAP_ACCURACY_ESTIMATED);
    seen = object_event(&bed, before_id, FG_CAP_RESOURCE_RESIZED);
    assert_non_null(seen);
    assert_int_equal(seen->event.size_bytes, 32 * 8 * 4);
    assert_null(object_event(&bed, before_id, FG_CAP_RESOURCE_CREATED));
    assert_non_null(object_event(&bed, before_id, FG_CAP_RESOURCE_DESTROYED));
    seen = object_event(&bed, during_id, FG_CAP_RESOURCE_CREATED);
    assert_non_null(seen);
    assert_string_equal(seen->name, "stream beep");
    assert_int_equal(seen->event.size_bytes, 12);
    assert_null(object_event(&bed, during_id, FG_CAP_RESOURCE_LIVES));
    assert_non_null(object_event(&bed, during_id, FG_CAP_RESOURCE_DESTROYED));
    stream_bed_close(&bed);
}

/* ---- several sessions, and none ------------------------------------------------------------ */

static void each_session_has_what_happened_while_it_ran(void **state)
{
    (void)state;
    static struct stream_bed first, second;
    fg_mark("stream/at 0", FG_CATEGORY_CORE, 0);
    stream_bed_start(&first, 0);
    fg_mark("stream/at 1", FG_CATEGORY_CORE, 1);
    stream_bed_start(&second, 0);
    fg_mark("stream/at 2", FG_CATEGORY_CORE, 2);
    fg_session_stop(first.session);
    fg_mark("stream/at 3", FG_CATEGORY_CORE, 3);
    stream_bed_read(&second);
    stream_bed_read(&first);
    static const bool expected[2][4] = { { false, true, true, false },
                                         { false, false, true, true } };
    for (int i = 0; i < 4; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "stream/at %d", i);
        assert_int_equal(stream_bed_count(&first, name), expected[0][i]);
        assert_int_equal(stream_bed_count(&second, name), expected[1][i]);
    }
    stream_bed_close(&first);
    stream_bed_close(&second);
}

static void a_session_that_wants_nothing_of_it_has_no_trace(void **state)
{
    (void)state;
    static struct stream_bed bed;
    stream_bed_start(&bed, FG_SESSION_NO_INSTRUMENT);
    assert_true(fg_zone_end(fg_zone_begin("stream/unseen", FG_CATEGORY_CORE)));
    assert_true(fg_loop_begin(NULL));
    assert_true(fg_loop_end(NULL));
    stream_bed_read(&bed);
    assert_int_equal(bed.span_count, 0);
    assert_int_equal(bed.frame_count, 0);
    assert_false(bed.has_ticks);
    assert_true(bed.drops[FG_CAP_DROP_RING_FULL] == FG_CAP_UNKNOWN);
    stream_bed_close(&bed);
}

/* ---- threads ------------------------------------------------------------------------------- */

struct worker {
    pthread_t thread;
    pthread_barrier_t *start;
    int64_t emitted;
};

static void *work(void *context)
{
    struct worker *worker = context;
    (void)pthread_barrier_wait(worker->start);
    for (int i = 0; i < WORKER_ROUNDS; i++) {
        struct fg_zone zone = fg_zone_begin("stream/work", FG_CATEGORY_CORE);
        fg_mark("stream/step", FG_CATEGORY_CORE, i);
        (void)fg_zone_end(zone);
        worker->emitted += 2;
        if (i % 64 == 0) {
            struct fg_object object = fg_object_create(
                &(struct fg_object_desc){ .type = FG_OBJECT_CUSTOM, .name = "stream object" });
            (void)fg_object_destroy(&object);
        }
    }
    return NULL;
}

static void many_threads_write_while_sessions_start_and_stop(void **state)
{
    (void)state;
    static struct stream_bed all, some;
    static struct worker workers[WORKERS];
    pthread_barrier_t start;
    int64_t emitted = 0;
    struct fg_snapshot *snapshot;
    (void)pthread_barrier_init(&start, NULL, WORKERS + 1);
    stream_bed_start(&all, 0);
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_METRICS, &snapshot), FG_OK);
    fg_snapshot_free(snapshot);
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (struct worker){ .start = &start };
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    (void)pthread_barrier_wait(&start);
    for (int i = 0; i < 20; i++) {
        stream_bed_start(&some, 0);
        assert_true(fg_loop_begin(NULL));
        assert_true(fg_loop_end(NULL));
        stream_bed_read(&some);
        stream_bed_close(&some);
    }
    for (int i = 0; i < WORKERS; i++) {
        (void)pthread_join(workers[i].thread, NULL);
        emitted += workers[i].emitted;
    }
    stream_bed_read(&all);
    /* A thread that found no room at all is in the sum of losses, and has no mark. */
    const int64_t stored =
        (int64_t)(stream_bed_count(&all, "stream/work") + stream_bed_count(&all, "stream/step"));
    const int64_t objects = WORKERS * 2 * ((WORKER_ROUNDS + 63) / 64);
    const int64_t dropped = (int64_t)all.drops[FG_CAP_DROP_RING_FULL];
    assert_true(stored + dropped >= emitted && stored + dropped <= emitted + objects);
    if (dropped == 0) {
        assert_int_equal(stored, emitted);
    }
    stream_bed_close(&all);
    (void)pthread_barrier_destroy(&start);
}

/* ---- memory -------------------------------------------------------------------------------- */

static void everything_that_a_session_asks_for_may_fail(void **state)
{
    (void)state;
    bool is_through = false;
    struct fg_object object = fg_object_create(
        &(struct fg_object_desc){ .type = FG_OBJECT_CUSTOM, .name = "stream lives" });
    for (long countdown = 0; !is_through; countdown++) {
        struct failing failing = { .countdown = countdown };
        const struct fg_allocator allocator = failing_allocator(&failing);
        struct fg_session *session = NULL;
        enum fg_result result =
            fg_session_create(NULL, FG_SESSION_OPTIONS(.allocator = &allocator), &session);
        if (result == FG_OK) {
            result = fg_session_start(session);
            struct fg_zone open = fg_zone_begin("stream/oom open", FG_CATEGORY_CORE);
            fg_mark("stream/oom", FG_CATEGORY_CORE, 1);
            assert_true(fg_loop_begin(NULL));
            assert_true(fg_loop_end(NULL));
            fg_session_stop(session);
            assert_true(fg_zone_end(open));
            result = result == FG_OK ? fg_session_finish(session, 0) : result;
            fg_session_destroy(session);
        }
        assert_true(result == FG_OK || result == FG_ERR_NO_MEMORY);
        assert_int_equal(failing.alive, 0);
        is_through = !failing.refused;
    }
    assert_true(fg_object_destroy(&object));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(zones_and_markers_come_back_as_they_were),
    cmocka_unit_test(the_clock_of_zones_has_readings_from_begin_to_end),
    cmocka_unit_test(a_clock_is_read_more_often_while_a_capture_is_young),
    cmocka_unit_test(what_is_wrong_with_a_zone_stays_with_it),
    cmocka_unit_test(what_is_open_at_the_stop_is_kept_as_unfinished),
    cmocka_unit_test(what_finds_no_room_is_marked_where_it_was_lost),
    cmocka_unit_test(metrics_have_their_kind_and_a_sample_for_each_change),
    cmocka_unit_test(without_a_device_the_frames_are_those_of_the_process),
    cmocka_unit_test(a_session_of_frames_ends_at_its_limit),
    cmocka_unit_test(objects_come_with_what_lived_before),
    cmocka_unit_test(each_session_has_what_happened_while_it_ran),
    cmocka_unit_test(a_session_that_wants_nothing_of_it_has_no_trace),
    cmocka_unit_test(many_threads_write_while_sessions_start_and_stop),
    cmocka_unit_test(everything_that_a_session_asks_for_may_fail),
};
FGT_INSTRUMENT_SUITE(stream, tests)
