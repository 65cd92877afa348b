/* SPDX-License-Identifier: MIT */
/* Snapshots: owned, consistent while others register, and honest about what was lost. */
#include "base/thread.h"
#include "failing_memory.h"
#include "suite_guard.h"
#include <frameglass/object.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fg_snapshot *take(uint32_t parts)
{
    struct fg_snapshot *snapshot = NULL;
    assert_int_equal(fg_snapshot_take(parts, &snapshot), FG_OK);
    assert_non_null(snapshot);
    return snapshot;
}

static void a_snapshot_carries_the_modes(void **state)
{
    (void)state;
    struct fg_snapshot *snapshot = take(0);
    assert_int_equal(snapshot->build_mode, FG_LEVEL);
    assert_int_equal(snapshot->mode, fg_instrument_mode());
    fg_snapshot_free(snapshot);
    fg_snapshot_free(NULL);
    assert_int_equal(fg_snapshot_take(0, NULL), FG_ERR_ARGUMENT);
}

#if FG_LEVEL == 0
static bool never(void *context)
{
    (void)context;
    fail();
    return true;
}

static void without_a_level_everything_is_there_and_does_nothing(void **state)
{
    (void)state;
    const struct fg_metric metric =
        fg_metric_register(&(struct fg_metric_desc){ .name = "snapshot/off" });
    assert_int_equal(metric.id, 0);
    fg_metric_add((struct fg_metric){ 1 }, 1);
    fg_gauge_set((struct fg_metric){ 1 }, 1);
    fg_gauge_add((struct fg_metric){ 1 }, 1);
    assert_int_equal(fg_metric_source_add(never, NULL), 0);
    fg_metric_source_remove(1);
    assert_false(fg_loop_begin(NULL));
    fg_loop_waited(NULL, 1);
    assert_false(fg_loop_end(NULL));
    struct fg_loop *loop = NULL;
    assert_int_equal(fg_loop_create("snapshot/off", &loop), FG_ERR_UNSUPPORTED);
    fg_loop_destroy(loop);
    struct fg_loop_scope scope = fg_loop_scope_begin(NULL);
    fg_loop_scope_end(&scope);
    struct fg_object object = fg_object_create(&(struct fg_object_desc){ .size_bytes = 1 });
    assert_int_equal(object.id, 0);
    assert_false(fg_object_update(object, &(struct fg_object_desc){ .size_bytes = 2 }));
    assert_false(fg_object_destroy(&object));
    struct fg_snapshot *snapshot =
        take(FG_SNAPSHOT_METRICS | FG_SNAPSHOT_FRAMES | FG_SNAPSHOT_OBJECTS);
    const struct fg_snapshot nothing = { 0 };
    assert_memory_equal(snapshot, &nothing, sizeof nothing);
    fg_snapshot_free(snapshot);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_snapshot_carries_the_modes),
    cmocka_unit_test(without_a_level_everything_is_there_and_does_nothing),
};
#else
#include "record/instrument/instrument_priv.h"

static struct fg_object make(const char *name, uint64_t size_bytes)
{
    return fg_object_create(&(struct fg_object_desc){
        .type = FG_OBJECT_CUSTOM, .name = name, .size_bytes = size_bytes });
}

static void it_has_the_parts_that_were_asked_for(void **state)
{
    (void)state;
    const struct fg_metric gauge = fg_metric_register(
        &(struct fg_metric_desc){ .name = "snapshot/parts", .kind = FG_METRIC_GAUGE });
    assert_int_not_equal(gauge.id, 0);
    assert_true(fg_loop_begin(NULL));
    assert_true(fg_loop_end(NULL));
    struct fg_object object = make("snapshot/object", 3);
    for (uint32_t parts = 0; parts < 8; parts++) {
        struct fg_snapshot *snapshot = take(parts);
        const uint32_t given = parts != 0 ? parts : FG_SNAPSHOT_METRICS | FG_SNAPSHOT_FRAMES;
        assert_int_equal(snapshot->metric_count != 0, (given & FG_SNAPSHOT_METRICS) != 0);
        assert_int_equal(snapshot->frame_count != 0, (given & FG_SNAPSHOT_FRAMES) != 0);
        assert_int_equal(snapshot->object_row_count != 0, (given & FG_SNAPSHOT_OBJECTS) != 0);
        assert_true(snapshot->object_count >= 1); /* totals in any case */
        assert_true(snapshot->object_total_bytes >= 3);
        fg_snapshot_free(snapshot);
    }
    assert_true(fg_object_destroy(&object));
}

static void it_is_owned_and_stays_as_it_was(void **state)
{
    (void)state;
    const struct fg_metric gauge = fg_metric_register(
        &(struct fg_metric_desc){ .name = "snapshot/owned", .kind = FG_METRIC_GAUGE });
    fg_gauge_set(gauge, 1);
    struct fg_object object = make("snapshot/to be destroyed", 3);
    const uint64_t id = object.id;
    assert_true(fg_loop_begin(NULL));
    assert_true(fg_loop_end(NULL));
    struct fg_snapshot *snapshot =
        take(FG_SNAPSHOT_METRICS | FG_SNAPSHOT_FRAMES | FG_SNAPSHOT_OBJECTS);
    const uint64_t number = snapshot->frames[snapshot->frame_count - 1].number;
    fg_gauge_set(gauge, 2);
    assert_true(fg_object_destroy(&object));
    for (int i = 0; i < FG_HISTORY_FRAMES; i++) {
        assert_true(fg_loop_begin(NULL));
        assert_true(fg_loop_end(NULL));
    }
    assert_int_equal(snapshot->metrics[gauge.id - 1].value, 1);
    assert_string_equal(snapshot->metrics[gauge.id - 1].name, "snapshot/owned");
    assert_int_equal(snapshot->frames[snapshot->frame_count - 1].number, number);
    const struct fg_object_row *row = &snapshot->objects[snapshot->object_row_count - 1];
    assert_int_equal(row->id, id);
    assert_string_equal(row->name, "snapshot/to be destroyed");
    fg_snapshot_free(snapshot);
}

static bool fails(void *context)
{
    (void)context;
    return false;
}

static void it_says_what_was_lost(void **state)
{
    (void)state;
    struct fg_snapshot *before = take(0);
    const struct fg_instrument_losses was = before->losses;
    fg_snapshot_free(before);
    assert_int_equal(fg_metric_register(NULL).id, 0);
    assert_false(fg_loop_end(NULL));
    const uint32_t source = fg_metric_source_add(fails, NULL);
    assert_true(fg_loop_begin(NULL));
    assert_true(fg_loop_end(NULL));
    fg_metric_source_remove(source);
#if FG_LEVEL >= 2
    struct fg_zone zone = fg_zone_begin("snapshot/zone", FG_CATEGORY_CORE);
    assert_true(fg_zone_end(zone));
    assert_false(fg_zone_end(zone));
    const uint64_t malformed_zones = was.malformed_zones + 1;
    /* Events that found no room. */
    for (int i = 0; i < 8192; i++) {
        fg_mark("snapshot/mark", FG_CATEGORY_CORE, i);
    }
#else
    const uint64_t malformed_zones = was.malformed_zones;
#endif
    struct fg_snapshot *after = take(0);
    assert_int_equal(after->losses.refused_metrics, was.refused_metrics + 1);
    assert_int_equal(after->losses.malformed_frames, was.malformed_frames + 1);
    assert_int_equal(after->losses.source_failures, was.source_failures + 1);
    assert_int_equal(after->losses.malformed_zones, malformed_zones);
#if FG_LEVEL >= 2
    /* It drained first: what was lost until now is in it. */
    assert_true(after->losses.producer_drops > was.producer_drops);
#endif
    fg_snapshot_free(after);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void without_memory_it_fails_whole(void **state)
{
    (void)state;
    fgt_needs_own_process();
    static struct failing failing = { .countdown = -1 };
    static struct fg_allocator allocator;
    allocator = failing_allocator(&failing);
    const struct fg_instrument_options options = { .allocator = &allocator };
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    (void)fg_metric_register(&(struct fg_metric_desc){ .name = "snapshot/memory" });
    struct fg_object object = make("snapshot/memory", 1);
    assert_true(fg_loop_begin(NULL));
    assert_true(fg_loop_end(NULL));
    const uint32_t all = FG_SNAPSHOT_METRICS | FG_SNAPSHOT_FRAMES | FG_SNAPSHOT_OBJECTS;
    fg_snapshot_free(take(all));
    long fail_at = 0;
    for (;; fail_at++) {
        const long alive = failing.alive;
        struct fg_snapshot *snapshot = NULL;
        failing = (struct failing){ .countdown = fail_at, .alive = alive };
        const enum fg_result result = fg_snapshot_take(all, &snapshot);
        failing.countdown = -1;
        if (result == FG_OK) {
            assert_false(failing.refused);
            fg_snapshot_free(snapshot);
            assert_int_equal(failing.alive, alive);
            break;
        }
        assert_int_equal(result, FG_ERR_NO_MEMORY);
        assert_null(snapshot);
        assert_int_equal(failing.alive, alive);
    }
    assert_true(fail_at >= 4); /* itself, metrics, frames, objects */
    assert_true(fg_object_destroy(&object));
}

static void the_first_use_of_anything_without_memory_succeeds_later(void **state)
{
    (void)state;
    fgt_needs_own_process();
    static struct failing failing;
    static struct fg_allocator allocator;
    allocator = failing_allocator(&failing);
    const struct fg_instrument_options options = { .allocator = &allocator };
    enum fg_result result = FG_ERR_NO_MEMORY;
    for (long fail_at = 0; result == FG_ERR_NO_MEMORY; fail_at++) {
        failing = (struct failing){ .countdown = fail_at };
        result = fg_instrument_configure(&options);
        assert_true(result == FG_OK || failing.alive == 0);
    }
    assert_int_equal(result, FG_OK);
    failing.countdown = -1;
    fg_snapshot_free(take(0));
}

/* An allocator that has another thread do something before it gives memory. */
struct meddler {
    void (*meddle)(void *context);
    unsigned count;
};

static void *meddling_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct meddler *meddler = context;
    (void)old_size;
    void (*meddle)(void *) = meddler->meddle;
    if (meddle != NULL && size != 0) {
        struct fgi_thread *thread = NULL;
        meddler->meddle = NULL; /* what it allocates itself is given at once */
        assert_int_equal(fgi_thread_create(NULL, meddle, meddler, &thread), FG_OK);
        fgi_thread_join(thread);
        meddler->meddle = meddle;
    }
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

static void end_a_frame_and_make_an_object(void *context)
{
    struct meddler *meddler = context;
    struct fg_object object = make("snapshot/busy meanwhile", 1);
    if (fg_loop_begin(NULL) && fg_loop_end(NULL) && fg_object_destroy(&object)) {
        meddler->count++;
    }
}

static void frames_end_and_objects_come_while_a_snapshot_takes_its_time(void **state)
{
    (void)state;
    fgt_needs_own_process();
    static struct meddler meddler;
    static const struct fg_allocator allocator = { meddling_resize, &meddler };
    const struct fg_instrument_options options = { .allocator = &allocator };
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    struct fg_object object = make("snapshot/busy", 1);
    end_a_frame_and_make_an_object(&meddler); /* all that is made at a first use is made */
    fg_snapshot_free(take(FG_SNAPSHOT_FRAMES));
    meddler = (struct meddler){ .meddle = end_a_frame_and_make_an_object };
    struct fg_snapshot *snapshot =
        take(FG_SNAPSHOT_METRICS | FG_SNAPSHOT_FRAMES | FG_SNAPSHOT_OBJECTS);
    meddler.meddle = NULL;
    assert_int_equal(meddler.count, 4); /* itself, metrics, frames, objects */
    assert_int_equal(snapshot->object_count, 1);
    fg_snapshot_free(snapshot);
    assert_true(fg_object_destroy(&object));
}

/* A sink that counts what it is given. */
struct counting {
    uint64_t writes;
    struct fg_metric metric;
};

static enum fg_result counting_write(void *context, const void *bytes, size_t size)
{
    struct counting *counting = context;
    (void)bytes;
    (void)size;
    counting->writes++;
    fg_metric_add(counting->metric, 1);
    return FG_OK;
}

static void a_sink_may_count_what_it_is_given(void **state)
{
    (void)state;
    struct counting counting = { 0 };
    counting.metric = fg_metric_register(&(struct fg_metric_desc){ .name = "snapshot/sink" });
    const struct fg_sink sink = { .write = counting_write, .context = &counting };
    struct fg_session *session = NULL;
    assert_int_equal(fg_session_create(NULL, FG_SESSION_OPTIONS(.sink = &sink), &session), FG_OK);
    assert_int_equal(fg_session_start(session), FG_OK);
    for (int i = 0; i < 100; i++) {
        assert_true(fg_loop_begin(NULL));
        assert_true(fg_loop_end(NULL));
    }
    assert_int_equal(fg_session_finish(session, 0), FG_OK);
    fg_session_destroy(session);
    assert_true(counting.writes > 0);
    struct fg_snapshot *snapshot = take(FG_SNAPSHOT_METRICS);
    assert_int_equal(snapshot->metrics[counting.metric.id - 1].value, counting.writes);
    fg_snapshot_free(snapshot);
}

/* ---- threads --------------------------------------------------------------------------------- */

struct busy {
    bool is_over; /* atomic */
};

static void register_and_count(void *context)
{
    const struct busy *busy = context;
    struct fg_object kept[8] = { { 0 } };
    char name[48];
    const struct fg_metric gauge = fg_metric_register(
        &(struct fg_metric_desc){ .name = "snapshot/busy", .kind = FG_METRIC_GAUGE });
    for (uint32_t i = 0; !__atomic_load_n(&busy->is_over, __ATOMIC_ACQUIRE); i++) {
        (void)snprintf(name, sizeof name, "snapshot/busy %u", i % 100);
        (void)fg_object_destroy(&kept[i % 8]);
        kept[i % 8] = make(name, i % 1000);
        (void)fg_object_update(kept[(i + 3) % 8],
                               &(struct fg_object_desc){ .name = name, .size_bytes = i % 77 });
        fg_gauge_add(gauge, 1);
        (void)fg_metric_register(&(struct fg_metric_desc){ .name = name });
    }
    for (int i = 0; i < 8; i++) {
        (void)fg_object_destroy(&kept[i]);
    }
}

static void check(const struct fg_snapshot *snapshot)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < snapshot->object_row_count; i++) {
        const struct fg_object_row *row = &snapshot->objects[i];
        bytes += row->size_bytes;
        assert_true(i == 0 || row->id > row[-1].id);
        assert_true(strncmp(row->name, "snapshot/busy ", 14) == 0);
    }
    assert_int_equal(snapshot->object_count, snapshot->object_row_count);
    assert_int_equal(snapshot->object_total_bytes, bytes);
    for (size_t i = 0; i < snapshot->metric_count; i++) {
        assert_int_equal(snapshot->metrics[i].id, i + 1);
        assert_int_not_equal(snapshot->metrics[i].name[0], '\0');
    }
}

static void two_thousand_snapshots_while_others_register_are_consistent(void **state)
{
    (void)state;
    fgt_needs_own_process();
    struct busy busy = { false };
    struct fgi_thread *threads[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fgi_thread_create(NULL, register_and_count, &busy, &threads[i]), FG_OK);
    }
    int64_t last = 0;
    size_t metric_count = 0;
    for (int i = 0; i < 2000; i++) {
        struct fg_snapshot *snapshot = take(FG_SNAPSHOT_METRICS | FG_SNAPSHOT_OBJECTS);
        check(snapshot);
        /* What only grows never shrinks from one to the next. */
        assert_true(snapshot->metric_count >= metric_count);
        metric_count = snapshot->metric_count;
        if (metric_count != 0) {
            assert_true(snapshot->metrics[0].value >= last);
            last = snapshot->metrics[0].value;
        }
        fg_snapshot_free(snapshot);
    }
    __atomic_store_n(&busy.is_over, true, __ATOMIC_RELEASE);
    fgi_thread_join(threads[0]);
    fgi_thread_join(threads[1]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_snapshot_carries_the_modes),
    cmocka_unit_test(it_has_the_parts_that_were_asked_for),
    cmocka_unit_test(it_is_owned_and_stays_as_it_was),
    cmocka_unit_test(it_says_what_was_lost),
    cmocka_unit_test(without_memory_it_fails_whole),
    cmocka_unit_test(the_first_use_of_anything_without_memory_succeeds_later),
    cmocka_unit_test(frames_end_and_objects_come_while_a_snapshot_takes_its_time),
    cmocka_unit_test(a_sink_may_count_what_it_is_given),
    cmocka_unit_test(two_thousand_snapshots_while_others_register_are_consistent),
};
#endif
FGT_INSTRUMENT_SUITE(snapshot, tests)
