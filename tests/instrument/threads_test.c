/* SPDX-License-Identifier: MIT */
/* Threads that come and go: their contexts, what they leave, and what happens without memory. */
#include "base/thread.h"
#include "failing_memory.h"
#include "suite_guard.h"
#include "record/instrument/instrument_priv.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEQUENCE = 256, AT_ONCE = 64, MARKS = 64, RING = 1024 };

static uint64_t newest_event(struct fg_process_event_page *page)
{
    fg_instrument_read_events(UINT64_MAX, NULL, 0, page);
    return page->newest;
}

static struct fg_instrument_losses losses(void)
{
    struct fg_snapshot *snapshot = NULL;
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_METRICS, &snapshot), FG_OK);
    const struct fg_instrument_losses found = snapshot->losses;
    fg_snapshot_free(snapshot);
    return found;
}

/* ---- one after another ----------------------------------------------------------------------- */

static void *zone_and_count(void *context)
{
    FG_ZONE_BEGIN(zone, "threads/sequence");
    FG_COUNTER_ADD("threads/counter", FG_UNIT_COUNT, 3);
    *(uint32_t *)context = fg_thread_context->thread;
    FG_ZONE_END(zone);
    return NULL;
}

static void run_one(uint32_t *number)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, zone_and_count, number), 0);
    pthread_join(thread, NULL);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void expect_distinct(uint32_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    assert_true(numbers[0] != 0);
    for (size_t i = 1; i < count; i++) {
        assert_true(numbers[i] > numbers[i - 1]);
    }
}

static int64_t counter_value(void)
{
    struct fg_snapshot *snapshot = NULL;
    const struct fg_metric_desc desc = { .name = "threads/counter" };
    const uint32_t id = fg_metric_register(&desc).id;
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_METRICS, &snapshot), FG_OK);
    const int64_t value = snapshot->metrics[id - 1].value;
    fg_snapshot_free(snapshot);
    return value;
}

static void threads_in_sequence_leave_nothing_but_what_they_counted(void **state)
{
    (void)state;
    uint32_t numbers[SEQUENCE];
    run_one(&numbers[0]); /* names, the history and such are there after it */
    fg_instrument_drain();
    const uint64_t baseline = fg_instrument_owned_bytes();
    const int64_t counted = counter_value();
    for (size_t i = 0; i < SEQUENCE; i++) {
        run_one(&numbers[i]);
        assert_int_equal(fg_instrument_owned_bytes(), baseline);
    }
    expect_distinct(numbers, SEQUENCE);
    assert_int_equal(counter_value(), counted + 3 * SEQUENCE);
}

/* ---- at once --------------------------------------------------------------------------------- */

struct crowd {
    pthread_barrier_t all_here;
    uint32_t numbers[AT_ONCE];
    uint64_t written[AT_ONCE];
    bool may_end;
};
struct member {
    struct crowd *crowd;
    size_t index;
};

static void *be_there(void *context)
{
    const struct member *member = context;
    FG_ZONE("threads/crowd");
    FG_COUNTER_ADD("threads/counter", FG_UNIT_COUNT, 1);
    member->crowd->numbers[member->index] = fg_thread_context->thread;
    pthread_barrier_wait(&member->crowd->all_here);
    return NULL;
}

static void run_crowd(struct crowd *crowd, void *(*run)(void *), size_t count)
{
    pthread_t threads[AT_ONCE];
    struct member members[AT_ONCE];
    for (size_t i = 0; i < count; i++) {
        members[i] = (struct member){ .crowd = crowd, .index = i };
        assert_int_equal(pthread_create(&threads[i], NULL, run, &members[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void threads_at_once_have_numbers_of_their_own(void **state)
{
    (void)state;
    struct crowd crowd = { 0 };
    const int64_t counted = counter_value();
    const uint64_t dropped = losses().producer_drops;
    pthread_barrier_init(&crowd.all_here, NULL, AT_ONCE);
    run_crowd(&crowd, be_there, AT_ONCE);
    pthread_barrier_destroy(&crowd.all_here);
    expect_distinct(crowd.numbers, AT_ONCE);
    assert_int_equal(counter_value(), counted + AT_ONCE);
    assert_int_equal(losses().producer_drops, dropped);
}

static void *mark_some(void *context)
{
    const struct member *member = context;
    for (int64_t i = 0; i < MARKS; i++) {
        FG_EVENT("threads/marks", (int64_t)member->index * MARKS + i);
    }
    return NULL;
}

static void four_threads_lose_no_marker(void **state)
{
    (void)state;
    struct crowd crowd = { 0 };
    struct fg_cnatrace *trace = NULL;
    bool seen[4 * MARKS] = { false };
    struct fg_recording recording = fg_recording_start(4096);
    run_crowd(&crowd, mark_some, 4);
    assert_int_equal(fg_recording_stop(&recording, &trace), FG_OK);
    size_t found = 0;
    for (size_t i = 0; i < trace->event_count; i++) {
        const struct fg_process_event *event = &trace->events[i];
        if (strcmp(fg_instrument_name(event->name), "threads/marks") == 0) {
            assert_in_range(event->value, 0, 4 * MARKS - 1);
            assert_false(seen[event->value]);
            seen[event->value] = true;
            found++;
        }
    }
    assert_int_equal(found, 4 * MARKS);
    fg_cnatrace_free(trace);
}

/* All that write while modes change, rings are emptied and others look at open zones. */
static void *work_hard(void *context)
{
    const struct member *member = context;
    for (int i = 0; i < 400; i++) {
        FG_ZONE("threads/outer");
        FG_FRAME_COUNTER_ADD("threads/frame counter", FG_UNIT_COUNT, 1);
        {
            FG_ZONE("threads/inner");
            FG_EVENT("threads/event", i);
            FG_GAUGE_ADD("threads/gauge", FG_UNIT_COUNT, i % 2 == 0 ? 1 : -1);
        }
        if (i % 64 == (int)member->index) {
            fg_instrument_drain();
        }
        if (member->index == 0 && i % 100 == 0) {
            (void)fg_instrument_set_mode(i % 200 == 0 ? FG_INSTRUMENT_STATS : FG_INSTRUMENT_FULL);
        }
    }
    return NULL;
}

static void check_open_zones(void *context, struct fgi_producer *thread)
{
    struct fg_zone_slot open[FG_ZONE_DEPTH_MAX];
    const uint32_t depth = fgi_thread_open_zones(thread, open);
    (void)context;
    for (uint32_t i = 0; i < depth; i++) {
        assert_true(open[i].label >> 3 != 0 && open[i].label >> 3 < fgi_name_count());
        assert_true(open[i].serial != 0);
        assert_true(i == 0 || (int64_t)(open[i].begin_ticks - open[i - 1].begin_ticks) >= 0);
        assert_true(i == 0 || open[i].serial > open[i - 1].serial);
    }
}

static void sixty_four_threads_and_everybody_else_get_along(void **state)
{
    (void)state;
    static struct crowd crowd;
    pthread_t threads[AT_ONCE];
    static struct member members[AT_ONCE];
    assert_true(fgi_instrument_ready()); /* the locks are there, for what is called below */
    for (size_t i = 0; i < AT_ONCE; i++) {
        members[i] = (struct member){ .crowd = &crowd, .index = i };
        assert_int_equal(pthread_create(&threads[i], NULL, work_hard, &members[i]), 0);
    }
    for (int i = 0; i < 50; i++) {
        struct fg_snapshot *snapshot = NULL;
        struct fg_process_event_page page;
        fgi_threads_each(check_open_zones, NULL);
        assert_int_equal(fg_snapshot_take(0, &snapshot), FG_OK);
        fg_snapshot_free(snapshot);
        fg_instrument_read_events(0, NULL, 0, &page);
        /* Either may be refused, as the mode is at that moment. */
        (void)fg_loop_begin(NULL);
        (void)fg_loop_end(NULL);
    }
    for (size_t i = 0; i < AT_ONCE; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
    (void)fg_loop_end(NULL);
}

static void open_zones_are_seen_from_outside(void **state)
{
    (void)state;
    struct fg_zone_slot open[FG_ZONE_DEPTH_MAX];
    struct fg_zone outer = fg_zone_begin("threads/outer", FG_CATEGORY_CORE);
    struct fg_zone inner = fg_zone_begin("threads/inner", FG_CATEGORY_DRAW);
    const struct fgi_producer *self = fgi_thread_own();
    assert_int_equal(fgi_thread_open_zones(self, open), 2);
    assert_string_equal(fg_instrument_name(open[0].label >> 3), "threads/outer");
    assert_string_equal(fg_instrument_name(open[1].label >> 3), "threads/inner");
    assert_int_equal(open[1].label & 7, FG_CATEGORY_DRAW);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    assert_int_equal(fgi_thread_open_zones(self, open), 0);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
    assert_int_equal(fgi_thread_open_zones(self, open), 0);
    assert_true(fg_zone_end(inner) && fg_zone_end(outer));
}

/* ---- room ------------------------------------------------------------------------------------ */

static void a_full_ring_drops_the_newest_and_counts(void **state)
{
    (void)state;
    fgt_needs_own_process();
    const struct fg_instrument_options options = { .ring_events = RING };
    struct fg_process_event_page page;
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    assert_int_equal(fg_instrument_configure(&options), FG_ERR_STATE);
    for (int64_t i = 0; i < RING + 32; i++) {
        FG_EVENT("threads/full", i);
    }
    const struct fgi_producer *self = fgi_thread_own();
    assert_int_equal(__atomic_load_n(&self->dropped, __ATOMIC_RELAXED), 32);
    assert_int_equal(newest_event(&page), RING);
    assert_int_equal(page.producer_drops, 32);
    FG_EVENT("threads/full", -1); /* there is room again */
    assert_int_equal(newest_event(&page), RING + 1);
    assert_int_equal(page.producer_drops, 32);
}

static void a_thread_without_room_counts_what_it_loses(void **state)
{
    (void)state;
    fgt_needs_own_process();
    /* One context and a little: no ring, not even the least; and nothing for a second thread. */
    const struct fg_instrument_options options = { .memory_max_bytes =
                                                       sizeof(struct fgi_producer) + 4096 };
    struct fg_process_event_page page;
    uint32_t number = 99;
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    for (int i = 0; i < 3; i++) {
        FG_ZONE("threads/no ring");
        FG_COUNTER_ADD("threads/counter", FG_UNIT_COUNT, 1);
    }
    run_one(&number);
    assert_int_equal(number, 0); /* it has no context */
    assert_int_equal(newest_event(&page), 0);
    assert_int_equal(page.producer_drops, 4);
    struct fg_snapshot *snapshot = NULL;
    assert_int_equal(fg_snapshot_take(0, &snapshot), FG_OK);
    assert_int_equal(snapshot->metrics[0].value, 6); /* counters lose nothing */
    fg_snapshot_free(snapshot);
}

static void rings_get_smaller_before_there_is_none(void **state)
{
    (void)state;
    fgt_needs_own_process();
    const struct fg_instrument_options options = { .ring_events = 8192,
                                                   .memory_max_bytes =
                                                       sizeof(struct fgi_producer) + 2300 * 32 };
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    FG_EVENT("threads/small", 1);
    assert_int_equal(fg_thread_context->ring_mask + 1, 1024);
    assert_true(fg_instrument_owned_bytes() >= sizeof(struct fgi_producer) + RING * 32);
}

static void room_comes_back_with_the_end_of_a_thread(void **state)
{
    (void)state;
    fgt_needs_own_process();
    const struct fg_instrument_options options = { .ring_events = 256,
                                                   .memory_max_bytes =
                                                       sizeof(struct fgi_producer) + 256 * 32 };
    struct fg_process_event_page page;
    uint32_t numbers[3];
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    for (size_t i = 0; i < 3; i++) {
        run_one(&numbers[i]);
    }
    expect_distinct(numbers, 3);
    (void)newest_event(&page);
    assert_int_equal(page.producer_drops, 0);
    FG_EVENT("threads/mine now", 1);
    assert_true(fg_thread_context->thread > numbers[2]);
}

static void options_are_checked(void **state)
{
    (void)state;
    fgt_needs_own_process();
    struct fg_instrument_options options = { .ring_events = UINT32_MAX };
    assert_int_equal(fg_instrument_configure(NULL), FG_ERR_ARGUMENT);
    assert_int_equal(fg_instrument_configure(&options), FG_ERR_ARGUMENT);
    options = (struct fg_instrument_options){ .writer_period_ns = -1 };
    assert_int_equal(fg_instrument_configure(&options), FG_ERR_ARGUMENT);
    options = (struct fg_instrument_options){ .clock = (enum fg_instrument_clock)2 };
    assert_int_equal(fg_instrument_configure(&options), FG_ERR_ARGUMENT);
    options = (struct fg_instrument_options){ .ring_events = 300 };
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    assert_int_equal(fgi_instrument_options()->ring_events, 512);
    assert_int_equal(fgi_instrument_options()->history_events, 32768);
    assert_int_equal(fgi_instrument_options()->memory_max_bytes, 8 << 20);
}

/* A thread that fills the largest ring it can get, and is still there when all have. */
static void *fill_ring(void *context)
{
    const struct member *member = context;
    for (int i = 0; i < 5000; i++) {
        FG_EVENT("threads/fill", i);
    }
    pthread_barrier_wait(&member->crowd->all_here);
    pthread_barrier_wait(&member->crowd->all_here);
    return NULL;
}

static void by_default_less_than_12_mb_are_owned_however_much_is_written(void **state)
{
    (void)state;
    fgt_needs_own_process();
    static struct crowd crowd;
    pthread_t threads[AT_ONCE];
    static struct member members[AT_ONCE];
    pthread_barrier_init(&crowd.all_here, NULL, AT_ONCE + 1);
    for (size_t i = 0; i < AT_ONCE; i++) {
        members[i] = (struct member){ .crowd = &crowd, .index = i };
        assert_int_equal(pthread_create(&threads[i], NULL, fill_ring, &members[i]), 0);
    }
    pthread_barrier_wait(&crowd.all_here);
    fg_instrument_drain();
    const uint64_t owned_bytes = fg_instrument_owned_bytes();
    pthread_barrier_wait(&crowd.all_here);
    for (size_t i = 0; i < AT_ONCE; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&crowd.all_here);
    /* Rings to their limit, and the history: it is no bound that nothing comes near. */
    assert_in_range(owned_bytes, 9000000, 12000000);
}

/* ---- memory that is refused ------------------------------------------------------------------ */

/* All that allocates here. 0 = done, 1 = wrong, 2 = done and nothing was refused. */
static int use_it_all(long refuse)
{
    static struct failing failing;
    failing = (struct failing){ .countdown = refuse };
    static struct fg_allocator allocator;
    allocator = failing_allocator(&failing);
    const struct fg_instrument_options options = { .allocator = &allocator, .ring_events = 256 };
    const enum fg_result result = fg_instrument_configure(&options);
    if (result == FG_ERR_NO_MEMORY) {
        /* Nothing is left, and the next use begins anew. */
        if (failing.alive != 0 || fg_instrument_configure(&options) != FG_OK) {
            return 1;
        }
    } else if (result != FG_OK) {
        return 1;
    }
    for (int64_t i = 0; i < 3; i++) {
        uint32_t number = 0;
        pthread_t thread;
        FG_ZONE("threads/refused zone");
        FG_EVENT("threads/refused marker", i);
        FG_COUNTER_ADD("threads/refused counter", FG_UNIT_COUNT, 1);
        char name[32] = "threads/name x";
        name[13] = (char)('a' + i);
        (void)fg_zone_end(fg_zone_begin(name, FG_CATEGORY_CORE));
        if (pthread_create(&thread, NULL, zone_and_count, &number) != 0 ||
            pthread_join(thread, NULL) != 0) {
            return 1;
        }
        fg_instrument_drain();
    }
    /* With memory again, all works. */
    failing.countdown = -1;
    struct fg_process_event_page before, after;
    (void)newest_event(&before);
    (void)fg_zone_end(fg_zone_begin("threads/afterwards", FG_CATEGORY_CORE));
    (void)newest_event(&after);
    const bool went_on =
        after.newest == before.newest + 1 || after.producer_drops == before.producer_drops + 1;
    return !went_on ? 1 : failing.refused ? 0 : 2;
}

static void any_allocation_may_be_refused(void **state)
{
    (void)state;
    fgt_needs_own_process();
    long refuse = 0;
    int said = 0;
    for (; said == 0 && refuse < 500; refuse++) {
        /* Nothing of the diagnostics was used yet: the child is a process like any other. */
        const pid_t pid = fork();
        int status = -1;
        assert_true(pid >= 0);
        if (pid == 0) {
            _exit(use_it_all(refuse));
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        said = WEXITSTATUS(status);
    }
    assert_int_equal(said, 2);
    assert_true(refuse > 12); /* locks, names, contexts, rings, the history */
}

/* An application's allocator that is instrumented itself. */
static void *resize_and_count(void *context, void *block, size_t old_size, size_t size)
{
    (void)context;
    (void)old_size;
    FG_ZONE("threads/allocator");
    FG_COUNTER_ADD("threads/allocations", FG_UNIT_COUNT, 1);
    fg_mark(block == NULL ? "threads/new block" : "threads/old block", FG_CATEGORY_CORE, 1);
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

static void an_allocator_may_be_instrumented(void **state)
{
    (void)state;
    fgt_needs_own_process();
    static const struct fg_allocator allocator = { .resize = resize_and_count };
    const struct fg_instrument_options options = { .allocator = &allocator };
    uint32_t number = 0;
    struct fg_process_event_page page;
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    run_one(&number);
    (void)fg_zone_end(fg_zone_begin("threads/itself", FG_CATEGORY_CORE));
    assert_true(newest_event(&page) >= 2);
}

/* ---- fork, names ----------------------------------------------------------------------------- */

static int be_a_child(void)
{
    struct fg_process_event_page page;
    FG_ZONE("threads/child");
    FG_COUNTER_ADD("threads/counter", FG_UNIT_COUNT, 1);
    fg_mark("threads/child", FG_CATEGORY_CORE, 1);
    fg_thread_set_name("child");
    fg_instrument_drain();
    fg_instrument_read_events(0, NULL, 0, &page);
    return fg_instrument_mode() == FG_INSTRUMENT_OFF &&
                   !fg_instrument_set_mode(FG_INSTRUMENT_FULL) &&
                   fg_instrument_set_mode(FG_INSTRUMENT_OFF) && fgi_thread_own() == NULL &&
                   page.newest == 0
               ? 0
               : 1;
}

static void a_forks_child_does_not_record(void **state)
{
    (void)state;
    struct fg_zone zone = fg_zone_begin("threads/parent", FG_CATEGORY_CORE);
    const pid_t pid = fork();
    int status = -1;
    assert_true(pid >= 0);
    if (pid == 0) {
        const bool ended = fg_zone_end(zone); /* the parent's */
        _exit(ended ? be_a_child() : 2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(fg_instrument_mode(), FG_INSTRUMENT_FULL);
    assert_true(fg_zone_end(zone));
}

static void *be_named(void *context)
{
    char *name = context;
    fg_thread_set_name(name); /* before it has a context */
    FG_EVENT("threads/named", 1);
    memcpy(name, fgi_thread_own()->name, 64);
    return NULL;
}

static void a_thread_has_the_name_that_it_gives_itself(void **state)
{
    (void)state;
    char name[64] = "worker 1";
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, be_named, name), 0);
    pthread_join(thread, NULL);
    assert_string_equal(name, "worker 1");

    struct fgi_producer *self = fgi_thread_own();
    char system_name[64];
    fgi_thread_os_name(system_name, sizeof system_name);
    char long_name[100];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    fg_thread_set_name(long_name);
    assert_int_equal(strlen(self->name), 63);
    fg_thread_set_name(NULL);
    assert_string_equal(self->name, system_name);
    assert_true(self->os_id != 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(threads_in_sequence_leave_nothing_but_what_they_counted),
    cmocka_unit_test(threads_at_once_have_numbers_of_their_own),
    cmocka_unit_test(four_threads_lose_no_marker),
    cmocka_unit_test(sixty_four_threads_and_everybody_else_get_along),
    cmocka_unit_test(open_zones_are_seen_from_outside),
    cmocka_unit_test(a_full_ring_drops_the_newest_and_counts),
    cmocka_unit_test(a_thread_without_room_counts_what_it_loses),
    cmocka_unit_test(rings_get_smaller_before_there_is_none),
    cmocka_unit_test(room_comes_back_with_the_end_of_a_thread),
    cmocka_unit_test(by_default_less_than_12_mb_are_owned_however_much_is_written),
    cmocka_unit_test(options_are_checked),
    cmocka_unit_test(any_allocation_may_be_refused),
    cmocka_unit_test(an_allocator_may_be_instrumented),
    cmocka_unit_test(a_forks_child_does_not_record),
    cmocka_unit_test(a_thread_has_the_name_that_it_gives_itself),
};
FGT_INSTRUMENT_SUITE(threads, tests)
