/* SPDX-License-Identifier: MIT */
/* Metrics: one per name, counted by many threads, in every mode what that mode promises. */
#include "base/thread.h"
#include "failing_memory.h"
#include "suite_guard.h"
#include "record/instrument/instrument_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fg_metric metric(const char *name, enum fg_metric_kind kind)
{
    return fg_metric_register(&(struct fg_metric_desc){ .name = name, .kind = kind });
}

static uint64_t refused_so_far(void)
{
    return __atomic_load_n(&fgi_losses.refused_metrics, __ATOMIC_RELAXED);
}

/* The row of a metric as a snapshot shows it; its name is not lent any more. */
static struct fg_metric_row row_of(struct fg_metric wanted)
{
    struct fg_metric_row row = { 0 };
    struct fg_snapshot *snapshot = NULL;
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_METRICS, &snapshot), FG_OK);
    for (size_t i = 0; i < snapshot->metric_count; i++) {
        if (snapshot->metrics[i].id == wanted.id) {
            row = snapshot->metrics[i];
        }
    }
    assert_int_equal(row.id, wanted.id);
    fg_snapshot_free(snapshot);
    return row;
}

static void a_counter_adds_up_and_a_gauge_keeps_its_last_value(void **state)
{
    (void)state;
    const struct fg_metric counter = metric("metrics/adds", FG_METRIC_COUNTER);
    const struct fg_metric gauge = metric("metrics/keeps", FG_METRIC_GAUGE);
    assert_int_not_equal(counter.id, 0);
    assert_false(row_of(counter).is_published);
    assert_false(row_of(gauge).is_published);
    fg_metric_add(counter, 2);
    fg_metric_add(counter, 5);
    fg_gauge_set(gauge, 11);
    fg_gauge_add(gauge, -3);
    assert_true(row_of(counter).is_published);
    assert_int_equal(row_of(counter).value, 7);
    assert_int_equal(row_of(gauge).value, 8);
}

static void what_was_set_to_zero_is_known_to_be_zero(void **state)
{
    (void)state;
    const struct fg_metric counter = metric("metrics/zero counter", FG_METRIC_COUNTER);
    const struct fg_metric gauge = metric("metrics/zero gauge", FG_METRIC_GAUGE);
    fg_metric_add(counter, 0);
    fg_gauge_set(gauge, 0);
    assert_true(row_of(counter).is_published);
    assert_true(row_of(gauge).is_published);
}

static void one_name_and_signature_is_one_metric_and_another_signature_is_refused(void **state)
{
    (void)state;
    const struct fg_metric_desc desc = { .name = "metrics/one",
                                         .kind = FG_METRIC_GAUGE,
                                         .unit = FG_UNIT_BYTES,
                                         .accuracy = FG_ACCURACY_ESTIMATED };
    const struct fg_metric first = fg_metric_register(&desc);
    const uint64_t refused = refused_so_far();
    assert_int_not_equal(first.id, 0);
    assert_int_equal(fg_metric_register(&desc).id, first.id);
    struct fg_metric_desc other = desc;
    other.kind = FG_METRIC_COUNTER;
    assert_int_equal(fg_metric_register(&other).id, 0);
    other = desc;
    other.unit = FG_UNIT_NS;
    assert_int_equal(fg_metric_register(&other).id, 0);
    other = desc;
    other.accuracy = FG_ACCURACY_EXACT;
    assert_int_equal(fg_metric_register(&other).id, 0);
    assert_int_equal(refused_so_far(), refused + 3);
    const struct fg_metric_row row = row_of(first);
    assert_int_equal(row.kind, FG_METRIC_GAUGE);
    assert_int_equal(row.unit, FG_UNIT_BYTES);
    assert_int_equal(row.accuracy, FG_ACCURACY_ESTIMATED);
}

static void what_is_no_description_is_refused_and_counted(void **state)
{
    (void)state;
    const uint64_t refused = refused_so_far();
    assert_int_equal(fg_metric_register(NULL).id, 0);
    assert_int_equal(metric(NULL, FG_METRIC_COUNTER).id, 0);
    assert_int_equal(metric("", FG_METRIC_COUNTER).id, 0);
    assert_int_equal(metric("metrics/kind", (enum fg_metric_kind)3).id, 0);
    assert_int_equal(fg_metric_register(&(struct fg_metric_desc){ .name = "metrics/unit",
                                                                  .unit = (enum fg_unit)5 })
                         .id,
                     0);
    assert_int_equal(
        fg_metric_register(&(struct fg_metric_desc){ .name = "metrics/accuracy",
                                                     .accuracy = (enum fg_accuracy) - 1 })
            .id,
        0);
    assert_int_equal(refused_so_far(), refused + 6);
}

/* A name of `size` bytes `byte`, for the caller to free. */
static char *long_name(size_t size, char byte)
{
    char *name = malloc(size + 1);
    assert_non_null(name);
    memset(name, byte, size);
    name[size] = '\0';
    return name;
}

static void the_longest_name_is_kept_and_a_longer_one_is_refused(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        char byte;
        bool is_kept;
    } cases[] = {
        { FG_METRIC_NAME_MAX, 'a', true },
        { FG_METRIC_NAME_MAX + 1, 'a', false },
        { 1 << 20, 'a', false },
        { FG_METRIC_NAME_MAX / 3, '\x80', true }, /* each becomes three bytes */
        { FG_METRIC_NAME_MAX / 3 + 1, '\x80', false },
        { FG_METRIC_NAME_MAX, '\x80', false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t refused = refused_so_far();
        char *name = long_name(cases[i].size, cases[i].byte);
        const struct fg_metric made = metric(name, FG_METRIC_COUNTER);
        free(name);
        assert_int_equal(made.id != 0, cases[i].is_kept);
        assert_int_equal(refused_so_far(), refused + (cases[i].is_kept ? 0 : 1));
    }
}

static void names_are_repaired(void **state)
{
    (void)state;
    static const struct {
        const char *given;
        const char *kept;
    } cases[] = {
        { "metrics/\x80", "metrics/\xef\xbf\xbd" },                 /* alone */
        { "metrics/cut \xe2\x82", "metrics/cut \xef\xbf\xbd" },     /* cut short */
        { "metrics/\xc0\xaf", "metrics/\xef\xbf\xbd\xef\xbf\xbd" }, /* overlong */
        { "metrics/\xed\xa0\x80.",
          "metrics/\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd." }, /* surrogate */
        { "metrics/\xf4\x90\x80\x80",
          "metrics/\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" }, /* over U+10FFFF */
        { "metrics/\xe2\x82\xac", "metrics/\xe2\x82\xac" },             /* nothing to repair */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fg_metric made = metric(cases[i].given, FG_METRIC_COUNTER);
        assert_int_not_equal(made.id, 0);
        assert_string_equal(row_of(made).name, cases[i].kept);
        /* What it was repaired to is its name. */
        assert_int_equal(metric(cases[i].kept, FG_METRIC_COUNTER).id, made.id);
    }
}

static void a_handle_of_nothing_or_of_another_kind_does_nothing(void **state)
{
    (void)state;
    const struct fg_metric counter = metric("metrics/not a gauge", FG_METRIC_COUNTER);
    const struct fg_metric gauge = metric("metrics/not a counter", FG_METRIC_GAUGE);
    const struct fg_metric none[] = { { 0 }, { FG_METRICS_MAX + 1 }, { UINT32_MAX } };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        fg_metric_add(none[i], 1);
        fg_gauge_set(none[i], 1);
        fg_gauge_add(none[i], 1);
    }
    fg_gauge_set(counter, 5);
    fg_gauge_add(counter, 5);
    fg_metric_add(gauge, 5);
    assert_false(row_of(counter).is_published);
    assert_false(row_of(gauge).is_published);
}

static void metrics_beyond_the_512th_are_inert_and_the_first_stay(void **state)
{
    (void)state;
    fgt_needs_own_process();
    char name[32];
    for (uint32_t i = 1; i <= FG_METRICS_MAX; i++) {
        (void)snprintf(name, sizeof name, "metrics/full %u", i);
        assert_int_equal(metric(name, FG_METRIC_COUNTER).id, i);
    }
    assert_int_equal(metric("metrics/one too many", FG_METRIC_COUNTER).id, 0);
    assert_int_equal(refused_so_far(), 1);
    assert_int_equal(metric("metrics/full 1", FG_METRIC_COUNTER).id, 1);
    fg_metric_add((struct fg_metric){ FG_METRICS_MAX }, 4);
    struct fg_snapshot *snapshot = NULL;
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_METRICS, &snapshot), FG_OK);
    assert_int_equal(snapshot->metric_count, FG_METRICS_MAX);
    for (uint32_t i = 0; i < FG_METRICS_MAX; i++) {
        assert_int_equal(snapshot->metrics[i].id, i + 1);
    }
    assert_int_equal(snapshot->metrics[FG_METRICS_MAX - 1].value, 4);
    assert_int_equal(snapshot->losses.refused_metrics, 1);
    fg_snapshot_free(snapshot);
}

static void updates_count_in_the_modes_that_count(void **state)
{
    (void)state;
    const struct fg_metric counter = metric("metrics/modes", FG_METRIC_COUNTER);
    const struct fg_metric gauge = metric("metrics/mode gauge", FG_METRIC_GAUGE);
    const enum fg_instrument_mode before = fg_instrument_mode();
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    fg_metric_add(counter, 11);
    fg_gauge_set(gauge, 11);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_STATS));
    assert_false(row_of(counter).is_published);
    assert_false(row_of(gauge).is_published);
    fg_metric_add(counter, 2);
#if FG_LEVEL >= 2
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
    fg_metric_add(counter, 3);
    assert_int_equal(row_of(counter).value, 5);
#else
    assert_false(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
    assert_int_equal(row_of(counter).value, 2);
#endif
    assert_true(fg_instrument_set_mode(before));
}

static void a_gauge_of_what_comes_and_goes_does_not_drift_while_off(void **state)
{
    (void)state;
    const enum fg_instrument_mode before = fg_instrument_mode();
    const struct fg_metric gauge = metric("metrics/voices", FG_METRIC_GAUGE);
    fg_gauge_add(gauge, 1); /* this one goes while off */
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    fg_gauge_add(gauge, -1);
    fg_gauge_add(gauge, 1); /* and this one comes */
    assert_true(fg_instrument_set_mode(before));
    assert_int_equal(row_of(gauge).value, 1);
    fg_gauge_add(gauge, -1);
    assert_int_equal(row_of(gauge).value, 0);
}

static void step_gauge(int64_t amount)
{
    FG_GAUGE_ADD("metrics/voices of a macro", FG_UNIT_COUNT, amount);
}

static void a_gauge_that_is_first_used_while_off_does_not_drift(void **state)
{
    (void)state;
    const enum fg_instrument_mode before = fg_instrument_mode();
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    step_gauge(1);
    assert_true(fg_instrument_set_mode(before));
    const struct fg_metric gauge = metric("metrics/voices of a macro", FG_METRIC_GAUGE);
    assert_int_not_equal(gauge.id, 0);
    assert_int_equal(row_of(gauge).value, 1);
    step_gauge(-1);
    assert_int_equal(row_of(gauge).value, 0);
}

static void count_by_macro(int64_t amount)
{
    FG_COUNTER_ADD("metrics/macro", FG_UNIT_BYTES, amount);
}

static void a_macro_publishes_at_its_first_use(void **state)
{
    (void)state;
    count_by_macro(0);
    const struct fg_metric counter = fg_metric_register(
        &(struct fg_metric_desc){ .name = "metrics/macro", .unit = FG_UNIT_BYTES });
    assert_true(row_of(counter).is_published);
    count_by_macro(3);
    count_by_macro(4);
    assert_int_equal(row_of(counter).value, 7);
}

static void a_sum_wraps_around(void **state)
{
    (void)state;
    const struct fg_metric counter = metric("metrics/wraps", FG_METRIC_COUNTER);
    const struct fg_metric gauge = metric("metrics/gauge wraps", FG_METRIC_GAUGE);
    fg_metric_add(counter, INT64_MAX);
    fg_metric_add(counter, 1);
    fg_gauge_set(gauge, INT64_MAX);
    fg_gauge_add(gauge, 1);
    assert_true(row_of(counter).value == INT64_MIN);
    assert_true(row_of(gauge).value == INT64_MIN);
}

/* ---- many threads ---------------------------------------------------------------------------- */

enum { THREADS = 64, ADDS = 500 };

struct crowd {
    struct fg_metric counter;
    uint32_t done; /* atomic: threads that have counted all */
};

static void count_up(void *context)
{
    struct crowd *crowd = context;
    for (int i = 0; i < ADDS; i++) {
        fg_metric_add(crowd->counter, 1);
        FG_COUNTER_ADD("metrics/threads by macro", FG_UNIT_COUNT, 2);
    }
    (void)__atomic_fetch_add(&crowd->done, 1, __ATOMIC_RELEASE);
}

static void run_counters(struct fg_metric counter)
{
    struct crowd crowd = { .counter = counter };
    struct fgi_thread *threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(fgi_thread_create(NULL, count_up, &crowd, &threads[i]), FG_OK);
    }
    /* What is read meanwhile only grows: nothing is missed or counted twice as threads end. */
    int64_t last = 0;
    while (__atomic_load_n(&crowd.done, __ATOMIC_ACQUIRE) < THREADS) {
        const int64_t now = row_of(counter).value;
        assert_true(now >= last && now <= (int64_t)THREADS * ADDS);
        last = now;
        fgi_sleep_ns(100000); /* the threads need the processors too */
    }
    for (int i = 0; i < THREADS; i++) {
        fgi_thread_join(threads[i]);
    }
}

static void what_64_threads_count_is_summed_exactly_while_they_come_and_go(void **state)
{
    (void)state;
    const struct fg_metric counter = metric("metrics/threads", FG_METRIC_COUNTER);
    const struct fg_metric by_macro = metric("metrics/threads by macro", FG_METRIC_COUNTER);
    run_counters(counter);
    assert_int_equal(row_of(counter).value, THREADS * ADDS);
    assert_int_equal(row_of(by_macro).value, 2 * THREADS * ADDS);
}

static void threads_that_find_no_room_are_counted_all_the_same(void **state)
{
    (void)state;
    fgt_needs_own_process();
    const struct fg_instrument_options options = { .memory_max_bytes = 1 };
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    const struct fg_metric counter = metric("metrics/no room", FG_METRIC_COUNTER);
    const struct fg_metric by_macro = metric("metrics/threads by macro", FG_METRIC_COUNTER);
    run_counters(counter);
    assert_int_equal(row_of(counter).value, THREADS * ADDS);
    assert_int_equal(row_of(by_macro).value, 2 * THREADS * ADDS);
}

struct adder {
    struct fg_metric gauge;
    int64_t step;
};

static void step_up_and_down(void *context)
{
    const struct adder *adder = context;
    for (int i = 0; i < ADDS; i++) {
        fg_gauge_add(adder->gauge, adder->step);
    }
}

static void gauge_steps_of_many_threads_cancel_out(void **state)
{
    (void)state;
    struct fgi_thread *threads[4];
    struct adder adders[4];
    const struct fg_metric gauge = metric("metrics/cancels", FG_METRIC_GAUGE);
    for (int i = 0; i < 4; i++) {
        adders[i] = (struct adder){ gauge, i % 2 == 0 ? 3 : -3 };
        assert_int_equal(fgi_thread_create(NULL, step_up_and_down, &adders[i], &threads[i]), FG_OK);
    }
    for (int i = 0; i < 4; i++) {
        fgi_thread_join(threads[i]);
    }
    assert_int_equal(row_of(gauge).value, 0);
}

static void register_all(void *context)
{
    uint32_t *ids = context;
    char name[32];
    for (uint32_t i = 0; i < 32; i++) {
        (void)snprintf(name, sizeof name, "metrics/race %u", i);
        ids[i] = metric(name, FG_METRIC_COUNTER).id;
        fg_metric_add((struct fg_metric){ ids[i] }, 1);
    }
}

static void threads_that_register_the_same_names_get_the_same_ids(void **state)
{
    (void)state;
    struct fgi_thread *threads[8];
    uint32_t ids[8][32] = { { 0 } };
    for (int i = 0; i < 8; i++) {
        assert_int_equal(fgi_thread_create(NULL, register_all, ids[i], &threads[i]), FG_OK);
    }
    for (int i = 0; i < 8; i++) {
        fgi_thread_join(threads[i]);
    }
    for (int i = 0; i < 8; i++) {
        assert_memory_equal(ids[i], ids[0], sizeof ids[0]);
    }
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_not_equal(ids[0][i], 0);
        assert_int_equal(row_of((struct fg_metric){ ids[0][i] }).value, 8);
    }
}

/* ---- memory, consumers ----------------------------------------------------------------------- */

static void a_registration_without_memory_is_inert_and_succeeds_later(void **state)
{
    (void)state;
    fgt_needs_own_process();
    static struct failing failing = { .countdown = -1 };
    static struct fg_allocator allocator;
    allocator = failing_allocator(&failing);
    const struct fg_instrument_options options = { .allocator = &allocator };
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    uint64_t refusals = 0;
    for (long fail_at = 0;; fail_at++) {
        failing = (struct failing){ .countdown = fail_at, .stays = true, .alive = failing.alive };
        const struct fg_metric made = metric("metrics/memory", FG_METRIC_COUNTER);
        fg_metric_add(made, 1);
        failing.countdown = -1;
        if (made.id != 0 && !failing.refused) {
            break;
        }
        refusals += made.id == 0 ? 1 : 0;
    }
    assert_true(refusals > 0);
    assert_int_equal(refused_so_far(), refusals);
    const struct fg_metric made = metric("metrics/memory", FG_METRIC_COUNTER);
    assert_int_equal(made.id, 1);
    assert_true(row_of(made).value > 0);
}

struct seen {
    uint32_t id;
    uint64_t change;
    size_t count;
    uint32_t last_id;
};

static void see(void *context, const struct fgi_metric_view *view)
{
    struct seen *seen = context;
    assert_true(view->row.id > seen->last_id);
    seen->last_id = view->row.id;
    if (view->row.id == seen->id) {
        seen->change = view->change;
        seen->count++;
    }
}

static uint64_t change_of(struct fg_metric wanted)
{
    struct seen seen = { .id = wanted.id };
    fgi_metrics_each(see, &seen);
    assert_int_equal(seen.count, 1);
    return seen.change;
}

static void a_consumer_sees_what_changed_since_its_last_look(void **state)
{
    (void)state;
    const struct fg_metric gauge = metric("metrics/changes", FG_METRIC_GAUGE);
    assert_int_equal(change_of(gauge), 0);
    fg_gauge_set(gauge, 0);
    assert_int_equal(change_of(gauge), 1);
    assert_int_equal(change_of(gauge), 1);
    fg_gauge_set(gauge, -1);
    assert_int_equal(change_of(gauge), 2);
    fg_gauge_set(gauge, -1);
    assert_int_equal(change_of(gauge), 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_counter_adds_up_and_a_gauge_keeps_its_last_value),
    cmocka_unit_test(what_was_set_to_zero_is_known_to_be_zero),
    cmocka_unit_test(one_name_and_signature_is_one_metric_and_another_signature_is_refused),
    cmocka_unit_test(what_is_no_description_is_refused_and_counted),
    cmocka_unit_test(the_longest_name_is_kept_and_a_longer_one_is_refused),
    cmocka_unit_test(names_are_repaired),
    cmocka_unit_test(a_handle_of_nothing_or_of_another_kind_does_nothing),
    cmocka_unit_test(metrics_beyond_the_512th_are_inert_and_the_first_stay),
    cmocka_unit_test(updates_count_in_the_modes_that_count),
    cmocka_unit_test(a_gauge_of_what_comes_and_goes_does_not_drift_while_off),
    cmocka_unit_test(a_gauge_that_is_first_used_while_off_does_not_drift),
    cmocka_unit_test(a_macro_publishes_at_its_first_use),
    cmocka_unit_test(a_sum_wraps_around),
    cmocka_unit_test(what_64_threads_count_is_summed_exactly_while_they_come_and_go),
    cmocka_unit_test(threads_that_find_no_room_are_counted_all_the_same),
    cmocka_unit_test(gauge_steps_of_many_threads_cancel_out),
    cmocka_unit_test(threads_that_register_the_same_names_get_the_same_ids),
    cmocka_unit_test(a_registration_without_memory_is_inert_and_succeeds_later),
    cmocka_unit_test(a_consumer_sees_what_changed_since_its_last_look),
};
FGT_INSTRUMENT_SUITE(metrics, tests)
