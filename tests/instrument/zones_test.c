/* SPDX-License-Identifier: MIT */
/* Zones and markers: what they leave, and everything that a program can do wrong with them. */
#include "suite_guard.h"
#include "record/instrument/instrument_priv.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { EVENTS = 256 };

static struct fg_process_event events[EVENTS];
static uint64_t cursor;

static void begin_looking(void)
{
    struct fg_process_event_page page;
    fg_instrument_read_events(UINT64_MAX, NULL, 0, &page);
    cursor = page.newest;
}

/* What happened since, in order. */
static size_t look(void)
{
    struct fg_process_event_page page;
    fg_instrument_read_events(cursor, events, EVENTS, &page);
    assert_int_equal(page.gap, 0);
    cursor = page.newest;
    return page.event_count;
}

static uint64_t malformed(void)
{
    return __atomic_load_n(&fgi_losses.malformed_zones, __ATOMIC_RELAXED);
}

static void expect(const struct fg_process_event *event, uint8_t kind, const char *name)
{
    assert_int_equal(event->kind, kind);
    assert_string_equal(fg_instrument_name(event->name), name);
}

static struct fg_zone begin(const char *name)
{
    return fg_zone_begin(name, FG_CATEGORY_APPLICATION);
}

/* ---- what is right --------------------------------------------------------------------------- */

static void a_zone_has_a_start_a_duration_and_its_place(void **state)
{
    (void)state;
    begin_looking();
    const uint64_t before_ns = (uint64_t)fgi_ticks_monotonic_ns(fgi_ticks_now());
    struct fg_zone outer = fg_zone_begin("zones/outer", FG_CATEGORY_UPDATE);
    struct fg_zone inner = fg_zone_begin("zones/inner", FG_CATEGORY_DRAW);
    assert_int_equal(inner.depth, outer.depth + 1);
    assert_true(fg_zone_end(inner));
    assert_true(fg_zone_end(outer));
    const uint64_t after_ns = (uint64_t)fgi_ticks_monotonic_ns(fgi_ticks_now());

    assert_int_equal(look(), 2);
    expect(&events[0], FG_PROCESS_EVENT_ZONE, "zones/inner");
    expect(&events[1], FG_PROCESS_EVENT_ZONE, "zones/outer");
    assert_int_equal(events[0].category, FG_CATEGORY_DRAW);
    assert_int_equal(events[1].category, FG_CATEGORY_UPDATE);
    assert_int_equal(events[0].flags, 0);
    assert_int_equal(events[0].parent, events[1].correlation);
    assert_int_equal(events[1].parent, 0);
    assert_true(events[0].correlation != events[1].correlation);
    assert_true(before_ns <= events[1].time_ns && events[1].time_ns <= events[0].time_ns);
    assert_true(events[0].time_ns + events[0].duration_ns <=
                events[1].time_ns + events[1].duration_ns);
    assert_true(events[1].time_ns + events[1].duration_ns <= after_ns);
}

static int leave_early(int how)
{
    FG_ZONE("zones/block");
    if (how == 1) {
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        FG_ZONE_IN(FG_CATEGORY_AUDIO, "zones/loop");
        if (i == 1) {
            break;
        }
    }
    return 0;
}

static void a_zone_of_a_block_ends_however_the_block_is_left(void **state)
{
    (void)state;
    begin_looking();
    assert_int_equal(leave_early(1), 1);
    assert_int_equal(leave_early(0), 0);
    assert_int_equal(look(), 4);
    static const char *const names[] = { "zones/block", "zones/loop", "zones/loop", "zones/block" };
    for (size_t i = 0; i < 4; i++) {
        expect(&events[i], FG_PROCESS_EVENT_ZONE, names[i]);
    }
    assert_int_equal(events[1].parent, events[3].correlation);
    assert_int_equal(events[1].category, FG_CATEGORY_AUDIO);
    assert_int_equal(events[0].category, FG_CATEGORY_APPLICATION);
}

static void a_zone_by_hand_ends_where_it_is_told(void **state)
{
    (void)state;
    begin_looking();
    FG_ZONE_BEGIN(first, "zones/first");
    FG_ZONE_BEGIN_IN(second, FG_CATEGORY_CONTENT, "zones/second");
    FG_EVENT("zones/marker", -7);
    FG_ZONE_END(second);
    FG_ZONE_END(first);
    assert_int_equal(look(), 3);
    expect(&events[0], FG_PROCESS_EVENT_MARKER, "zones/marker");
    assert_int_equal(events[0].value, -7);
    assert_int_equal(events[0].parent, events[1].correlation);
    expect(&events[1], FG_PROCESS_EVENT_ZONE, "zones/second");
    expect(&events[2], FG_PROCESS_EVENT_ZONE, "zones/first");
}

static void markers_carry_any_value(void **state)
{
    static const int64_t values[] = { 0, -1, INT64_MIN, INT64_MAX };
    (void)state;
    begin_looking();
    for (size_t i = 0; i < 4; i++) {
        FG_EVENT_IN(FG_CATEGORY_CORE, "zones/value", values[i]);
    }
    assert_int_equal(look(), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(events[i].value == values[i]);
        assert_int_equal(events[i].category, FG_CATEGORY_CORE);
    }
}

static void a_place_registers_its_name_once(void **state)
{
    (void)state;
    char name[] = "zones/once";
    const uint32_t before = fgi_name_count();
    for (int i = 0; i < 3; i++) {
        FG_ZONE_BEGIN(zone, name);
        name[0] = 'Z'; /* nobody looks at it again */
        FG_ZONE_END(zone);
    }
    assert_int_equal(fgi_name_count(), before + 1);
}

static void labels_are_for_bindings(void **state)
{
    (void)state;
    const uint32_t label = fg_label_register("zones/label", FG_CATEGORY_GPU);
    begin_looking();
    assert_true(label != 0);
    assert_int_equal(fg_label_register("zones/label", FG_CATEGORY_GPU), label);
    assert_true(fg_zone_end(fg_zone_begin_label(label)));
    fg_mark_label(label, 5);
    /* None of these is one. */
    assert_int_equal(fg_zone_begin_label(0).id, 0);
    assert_int_equal(fg_zone_begin_label(FG_CATEGORY_GPU).id, 0);
    assert_int_equal(fg_zone_begin_label(UINT32_MAX).id, 0);
    fg_mark_label(UINT32_MAX, 5);
    assert_int_equal(fg_label_register(NULL, FG_CATEGORY_GPU), 0);
    assert_int_equal(fg_label_register("", FG_CATEGORY_GPU), 0);
    assert_int_equal(fg_label_register("zones/label", (enum fg_category)8), 0);
    assert_int_equal(look(), 2);
    expect(&events[0], FG_PROCESS_EVENT_ZONE, "zones/label");
    assert_int_equal(events[0].category, FG_CATEGORY_GPU);
}

/* ---- what is wrong --------------------------------------------------------------------------- */

static void a_second_end_is_refused_and_counted(void **state)
{
    (void)state;
    const uint64_t before = malformed();
    begin_looking();
    struct fg_zone zone = begin("zones/double");
    assert_true(fg_zone_end(zone));
    assert_false(fg_zone_end(zone));
    assert_int_equal(malformed(), before + 1);
    assert_int_equal(look(), 2);
    expect(&events[0], FG_PROCESS_EVENT_ZONE, "zones/double");
    assert_int_equal(events[1].kind, FG_PROCESS_EVENT_MALFORMED);
}

static void an_end_that_was_long_ago_ends_nothing_else(void **state)
{
    (void)state;
    struct fg_zone old = begin("zones/old");
    assert_true(fg_zone_end(old));
    struct fg_zone present = begin("zones/present"); /* at the same depth */
    assert_int_equal(present.depth, old.depth);
    assert_false(fg_zone_end(old));
    begin_looking();
    assert_true(fg_zone_end(present));
    assert_int_equal(look(), 1);
    expect(&events[0], FG_PROCESS_EVENT_ZONE, "zones/present");
}

static void the_65th_level_is_refused(void **state)
{
    (void)state;
    struct fg_zone zones[FG_ZONE_DEPTH_MAX];
    const uint64_t before = malformed();
    for (uint32_t i = 0; i < FG_ZONE_DEPTH_MAX; i++) {
        zones[i] = begin("zones/deep");
        assert_int_equal(zones[i].depth, i);
        assert_true(zones[i].id != 0);
    }
    struct fg_zone refused = begin("zones/deep");
    assert_int_equal(refused.id, 0);
    {
        FG_ZONE("zones/too deep");
        assert_int_equal(malformed(), before + 2);
    }
    assert_true(fg_zone_end(refused)); /* nothing to do */
    begin_looking();
    for (uint32_t i = FG_ZONE_DEPTH_MAX; i-- > 0;) {
        assert_true(fg_zone_end(zones[i]));
    }
    assert_int_equal(look(), FG_ZONE_DEPTH_MAX);
    assert_int_equal(malformed(), before + 2);
}

static void ending_an_outer_zone_forces_the_inner_ones(void **state)
{
    (void)state;
    const uint64_t before = malformed();
    struct fg_zone root = begin("zones/root");
    struct fg_zone outer = begin("zones/outer");
    struct fg_zone middle = begin("zones/middle");
    struct fg_zone inner = begin("zones/inner");
    begin_looking();
    assert_false(fg_zone_end(outer));
    assert_int_equal(malformed(), before + 1);
    assert_int_equal(look(), 3);
    expect(&events[0], FG_PROCESS_EVENT_ZONE, "zones/inner");
    expect(&events[1], FG_PROCESS_EVENT_ZONE, "zones/middle");
    expect(&events[2], FG_PROCESS_EVENT_MALFORMED, "zones/outer");
    assert_int_equal(events[0].flags, 1);
    assert_int_equal(events[1].flags, 1);
    assert_int_equal(events[0].parent, events[1].correlation);
    assert_int_equal(events[1].parent, events[2].correlation);
    /* The one around it is whole, and the forced ones are over. */
    assert_false(fg_zone_end(inner));
    assert_false(fg_zone_end(middle));
    assert_int_equal(malformed(), before + 3);
    (void)look();
    assert_true(fg_zone_end(root));
    assert_int_equal(look(), 1);
    assert_int_equal(events[0].flags, 0);
    expect(&events[0], FG_PROCESS_EVENT_ZONE, "zones/root");
}

static void *end_it_here(void *context)
{
    struct fg_zone *zone = context;
    return (void *)(uintptr_t)fg_zone_end(*zone);
}

static bool end_on_another_thread(struct fg_zone *zone)
{
    pthread_t thread;
    void *ended = NULL;
    assert_int_equal(pthread_create(&thread, NULL, end_it_here, zone), 0);
    pthread_join(thread, &ended);
    return ended != NULL;
}

static void the_wrong_thread_is_refused_and_counted(void **state)
{
    (void)state;
    const uint64_t before = malformed();
    struct fg_zone zone = begin("zones/mine");
    begin_looking();
    assert_false(end_on_another_thread(&zone));
    assert_int_equal(malformed(), before + 1);
    assert_int_equal(look(), 1);
    assert_int_equal(events[0].kind, FG_PROCESS_EVENT_MALFORMED);
    assert_true(events[0].thread != zone.id >> 32);
    assert_true(fg_zone_end(zone)); /* it took no harm */
    assert_int_equal(look(), 1);
    expect(&events[0], FG_PROCESS_EVENT_ZONE, "zones/mine");
}

static void *leave_two_open(void *context)
{
    (void)context;
    (void)fg_zone_begin("zones/left outer", FG_CATEGORY_CORE);
    (void)fg_zone_begin("zones/left inner", FG_CATEGORY_CORE);
    return NULL;
}

static void zones_that_are_open_when_their_thread_ends_are_ended_by_force(void **state)
{
    (void)state;
    pthread_t thread;
    const uint64_t before = malformed();
    begin_looking();
    assert_int_equal(pthread_create(&thread, NULL, leave_two_open, NULL), 0);
    pthread_join(thread, NULL);
    assert_int_equal(malformed(), before + 2);
    assert_int_equal(look(), 2);
    expect(&events[0], FG_PROCESS_EVENT_ZONE, "zones/left inner");
    expect(&events[1], FG_PROCESS_EVENT_ZONE, "zones/left outer");
    assert_int_equal(events[0].flags, 1);
    assert_int_equal(events[1].flags, 1);
    assert_int_equal(events[0].parent, events[1].correlation);
}

/* ---- modes ----------------------------------------------------------------------------------- */

static void a_change_of_mode_gives_open_zones_up(void **state)
{
    static const enum fg_instrument_mode between[] = { FG_INSTRUMENT_STATS, FG_INSTRUMENT_OFF };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const uint64_t before = malformed();
        struct fg_zone outer = begin("zones/given up");
        struct fg_zone inner = begin("zones/given up");
        begin_looking();
        assert_true(fg_instrument_set_mode(between[i]));
        assert_true(fg_zone_end(inner)); /* below FULL: nothing is recorded */
        assert_true(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
        assert_true(fg_zone_end(outer)); /* of an older generation */
        struct fg_zone next = begin("zones/next");
        assert_int_equal(next.depth, 0);
        assert_true(fg_zone_end(outer));
        assert_true(fg_zone_end(inner));
        assert_true(fg_zone_end(next));
        assert_int_equal(malformed(), before);
        assert_int_equal(look(), 1);
        expect(&events[0], FG_PROCESS_EVENT_ZONE, "zones/next");
        assert_int_equal(events[0].parent, 0);
    }
}

static void the_same_mode_again_is_no_change(void **state)
{
    (void)state;
    struct fg_zone zone = begin("zones/kept");
    begin_looking();
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
    assert_true(fg_zone_end(zone));
    assert_int_equal(look(), 1);
}

struct waiting {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool has_begun, may_end;
    bool ended;
    uint32_t next_depth;
};

static void *wait_inside_a_zone(void *context)
{
    struct waiting *waiting = context;
    struct fg_zone zone = begin("zones/waiting");
    pthread_mutex_lock(&waiting->lock);
    waiting->has_begun = true;
    pthread_cond_broadcast(&waiting->changed);
    while (!waiting->may_end) {
        pthread_cond_wait(&waiting->changed, &waiting->lock);
    }
    pthread_mutex_unlock(&waiting->lock);
    waiting->ended = fg_zone_end(zone);
    struct fg_zone next = begin("zones/after");
    waiting->next_depth = next.depth;
    waiting->ended = fg_zone_end(next) && waiting->ended;
    return NULL;
}

static void a_worker_waits_across_five_changes_of_mode(void **state)
{
    static const enum fg_instrument_mode modes[] = { FG_INSTRUMENT_STATS, FG_INSTRUMENT_OFF,
                                                     FG_INSTRUMENT_FULL, FG_INSTRUMENT_OFF,
                                                     FG_INSTRUMENT_FULL };
    (void)state;
    struct waiting waiting = { .lock = PTHREAD_MUTEX_INITIALIZER,
                               .changed = PTHREAD_COND_INITIALIZER,
                               .next_depth = 99 };
    const uint64_t before = malformed();
    pthread_t thread;
    begin_looking();
    assert_int_equal(pthread_create(&thread, NULL, wait_inside_a_zone, &waiting), 0);
    pthread_mutex_lock(&waiting.lock);
    while (!waiting.has_begun) {
        pthread_cond_wait(&waiting.changed, &waiting.lock);
    }
    for (size_t i = 0; i < 5; i++) {
        assert_true(fg_instrument_set_mode(modes[i]));
    }
    waiting.may_end = true;
    pthread_cond_broadcast(&waiting.changed);
    pthread_mutex_unlock(&waiting.lock);
    pthread_join(thread, NULL);
    assert_true(waiting.ended);
    assert_int_equal(waiting.next_depth, 0);
    assert_int_equal(malformed(), before);
    assert_int_equal(look(), 1);
    expect(&events[0], FG_PROCESS_EVENT_ZONE, "zones/after");
}

static void modes_are_lowered_and_raised_up_to_the_build(void **state)
{
    (void)state;
    const uint32_t at_first = fg_instrument_state;
    assert_int_equal(fg_instrument_build_mode(), FG_INSTRUMENT_FULL);
    assert_false(fg_instrument_set_mode((enum fg_instrument_mode)3));
    assert_false(fg_instrument_set_mode((enum fg_instrument_mode) - 1));
    assert_int_equal(fg_instrument_state, at_first);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    assert_int_equal(fg_instrument_mode(), FG_INSTRUMENT_OFF);
    begin_looking();
    struct fg_zone zone = begin("zones/off");
    assert_int_equal(zone.id, 0);
    FG_EVENT("zones/off", 1);
    fg_mark("zones/off", FG_CATEGORY_CORE, 1);
    assert_true(fg_zone_end(zone));
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
    assert_int_equal(look(), 0);
    assert_int_equal(fg_instrument_state >> 2, (at_first >> 2) + 2);
}

/* ---- what can be called by hand, as other compilers do --------------------------------------- */

static void the_functions_behind_the_macros_do_the_same(void **state)
{
    (void)state;
    static struct fg_site zone_site, mark_site, counter_site, refused_site;
    begin_looking();
    for (int i = 0; i < 2; i++) {
        struct fg_zone zone = fg_zone_begin_at(&zone_site, "zones/called", FG_CATEGORY_DRAW);
        fg_mark_at(&mark_site, "zones/called mark", FG_CATEGORY_CORE, i);
        assert_true(fg_zone_end(zone));
        fg_counter_add_at(&counter_site, "zones/called counter", FG_METRIC_COUNTER, FG_UNIT_COUNT,
                          2);
        /* A refused name stays refused. */
        assert_int_equal(fg_zone_begin_at(&refused_site, "", FG_CATEGORY_CORE).id, 0);
        assert_int_equal(refused_site.label, UINT32_MAX);
    }
    assert_int_equal(look(), 4);
    expect(&events[0], FG_PROCESS_EVENT_MARKER, "zones/called mark");
    expect(&events[1], FG_PROCESS_EVENT_ZONE, "zones/called");
    struct fg_snapshot *snapshot = NULL;
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_METRICS, &snapshot), FG_OK);
    assert_int_equal(snapshot->metrics[counter_site.metric - 1].value, 4);
    fg_snapshot_free(snapshot);
}

static void a_refused_counter_is_refused_once(void **state)
{
    (void)state;
    FG_GAUGE_SET("zones/is a gauge", FG_UNIT_COUNT, 3);
    const uint64_t before = __atomic_load_n(&fgi_losses.refused_metrics, __ATOMIC_RELAXED);
    for (int i = 0; i < 5; i++) {
        FG_COUNTER_ADD("zones/is a gauge", FG_UNIT_COUNT, 1);
    }
    assert_int_equal(__atomic_load_n(&fgi_losses.refused_metrics, __ATOMIC_RELAXED), before + 1);
}

static void errno_stays_as_it_was(void **state)
{
    (void)state;
    fgt_needs_own_process(); /* so that everything is made here, at its first use */
    errno = ERANGE;
    FG_FRAME_BEGIN(frame);
    FG_ZONE_BEGIN(zone, "zones/errno");
    FG_EVENT("zones/errno event", 1);
    FG_COUNTER_ADD("zones/errno counter", FG_UNIT_COUNT, 1);
    FG_GAUGE_SET("zones/errno gauge", FG_UNIT_COUNT, 1);
    assert_int_equal(fg_label_register("", FG_CATEGORY_CORE), 0);
    assert_int_equal(fg_metric_register(NULL).id, 0);
    FG_ZONE_END(zone);
    assert_false(fg_zone_end((struct fg_zone){ .id = 1, .state = fg_instrument_state }));
    FG_FRAME_END(frame);
    assert_int_equal(errno, ERANGE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_zone_has_a_start_a_duration_and_its_place),
    cmocka_unit_test(a_zone_of_a_block_ends_however_the_block_is_left),
    cmocka_unit_test(a_zone_by_hand_ends_where_it_is_told),
    cmocka_unit_test(markers_carry_any_value),
    cmocka_unit_test(a_place_registers_its_name_once),
    cmocka_unit_test(labels_are_for_bindings),
    cmocka_unit_test(a_second_end_is_refused_and_counted),
    cmocka_unit_test(an_end_that_was_long_ago_ends_nothing_else),
    cmocka_unit_test(the_65th_level_is_refused),
    cmocka_unit_test(ending_an_outer_zone_forces_the_inner_ones),
    cmocka_unit_test(the_wrong_thread_is_refused_and_counted),
    cmocka_unit_test(zones_that_are_open_when_their_thread_ends_are_ended_by_force),
    cmocka_unit_test(a_change_of_mode_gives_open_zones_up),
    cmocka_unit_test(the_same_mode_again_is_no_change),
    cmocka_unit_test(a_worker_waits_across_five_changes_of_mode),
    cmocka_unit_test(modes_are_lowered_and_raised_up_to_the_build),
    cmocka_unit_test(the_functions_behind_the_macros_do_the_same),
    cmocka_unit_test(a_refused_counter_is_refused_once),
    cmocka_unit_test(errno_stays_as_it_was),
};
FGT_INSTRUMENT_SUITE(zones, tests)
