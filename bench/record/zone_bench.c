/* SPDX-License-Identifier: MIT */
/*
 * What a zone, a marker and a counter cost: nanoseconds of one thread's processor time, medians of
 * 15, one thread and two threads pinned to two processors, all in one run, so that ratios hold on a
 * machine that others use too. The floor is what a zone cannot do without: the counter read twice
 * and 32 bytes stored. JSON on standard output, a table on standard error.
 *
 * Rings are emptied between the pieces of a loop, outside of what is measured.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/clock.h"
#include "zone_bench.h"
#include <frameglass/instrument.h>

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if FG_LEVEL != 2
#error "zones are measured in a build with FRAMEGLASS_LEVEL=FULL"
#endif

#define REPEATS     15
#define WARM_UP     2
#define PIECE       4000 /* operations: fewer than a ring has room for */
#define PIECES      25
#define FLOOR_BYTES (4096 * 32)
#define THREADS_MAX 2

#define NOTHING() __asm__ volatile("" ::: "memory")

/* ---- the loops ------------------------------------------------------------------------------- */

static void empty(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        NOTHING();
    }
}

static void two_reads(uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += fg_hot_ticks();
        NOTHING();
        sum += fg_hot_ticks();
        NOTHING();
    }
    __asm__ volatile("" ::"r"(sum));
}

static __thread struct fg_ring_event floor_ring[FLOOR_BYTES / sizeof(struct fg_ring_event)];
static __thread uint32_t floor_head;

static void two_reads_and_store(uint32_t count)
{
    uint32_t head = floor_head;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t begin = fg_hot_ticks();
        NOTHING();
        struct fg_ring_event *event =
            &floor_ring[head++ % (sizeof floor_ring / sizeof floor_ring[0])];
        *event = (struct fg_ring_event){ .value = begin, .label = 8, .serial = i };
        event->ticks = fg_hot_ticks();
        NOTHING();
    }
    floor_head = head;
}

static void clock_twice(uint32_t count)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += fgi_clock_monotonic_ns();
        NOTHING();
        sum += fgi_clock_monotonic_ns();
        NOTHING();
    }
    __asm__ volatile("" ::"r"(sum));
}

static void zone(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        FG_ZONE("zone");
        NOTHING();
    }
}

static void nested_zones(uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 4) {
        FG_ZONE("outer");
        NOTHING();
        for (int j = 0; j < 3; j++) {
            FG_ZONE("inner");
            NOTHING();
        }
    }
}

/*
 * The other way to write zones: an event when one begins and one when it ends, as small as they can
 * be, and no list of open zones. Everything else as in instrument_hot.h.
 */
struct half {
    uint64_t ticks;
    uint32_t label;
    uint32_t kind;
};
static __thread struct half halves[FLOOR_BYTES / sizeof(struct half)];
static __thread uint64_t half_head, half_limit;
static uint32_t half_label = 8;

static inline void write_half(uint32_t kind)
{
    const uint64_t head = half_head;
    if (__atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED) == fg_thread_context->zone_state &&
        __atomic_load_n(&half_label, __ATOMIC_RELAXED) != 0 && head != half_limit) {
        struct half *half = &halves[head % (sizeof halves / sizeof halves[0])];
        half->label = half_label;
        half->kind = kind;
        half->ticks = fg_hot_ticks();
        __atomic_store_n(&half_head, head + 1, __ATOMIC_RELEASE);
    }
}

static void two_events(uint32_t count)
{
    half_limit = half_head + sizeof halves / sizeof halves[0];
    for (uint32_t i = 0; i < count; i++) {
        write_half(1);
        NOTHING();
        write_half(2);
        NOTHING();
    }
}

static void marker(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        FG_EVENT("marker", i);
        NOTHING();
    }
}

static void counter(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        FG_COUNTER_ADD("bench/counter", FG_UNIT_COUNT, 1);
        NOTHING();
    }
}

static void gauge_set(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        FG_GAUGE_SET("bench/gauge", FG_UNIT_BYTES, i);
        NOTHING();
    }
}

static uint64_t shared;

static void shared_atomic(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        (void)__atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
        NOTHING();
    }
}

static const struct zone_case cases[] = {
    { "empty loop", empty, 0, NULL },
    { "two counter reads", two_reads, 0, NULL },
    { "floor: two reads, 32 bytes stored", two_reads_and_store, 0, NULL },
    { "CLOCK_MONOTONIC twice", clock_twice, 0, NULL },
    { "FG_ZONE", zone, 0, fg_instrument_drain },
    { "FG_ZONE, three in one", nested_zones, 0, fg_instrument_drain },
    { "zone by function calls", zone_calls_zone, 0, fg_instrument_drain },
    { "zone as two events of 16 bytes", two_events, 0, NULL },
    { "FG_EVENT", marker, 0, fg_instrument_drain },
    { "FG_COUNTER_ADD", counter, 0, NULL },
    { "counter by function call", zone_calls_counter, 0, NULL },
    { "FG_GAUGE_SET", gauge_set, 0, NULL },
    { "one shared atomic", shared_atomic, 0, NULL },
#ifdef FGB_SPALL
    { "Spall, begin and end", peer_spall_zone, 0, peer_spall_between },
#endif
#ifdef FGB_TRACY
    { "Tracy, ZoneScoped", peer_tracy_zone, 0, NULL },
    { "Tracy, TracyPlot", peer_tracy_plot, 0, NULL },
#endif
    { "off at run time: FG_ZONE", zone, 0, NULL },
    { "off at run time: FG_COUNTER_ADD", counter, 0, NULL },
};
enum { CASES = sizeof cases / sizeof cases[0], EMPTY = 0, FLOOR = 2, ZONE = 4, OFF_CASES = 2 };

/* ---- measuring ------------------------------------------------------------------------------- */

static int64_t thread_time_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Picoseconds of one operation. */
static int64_t measure(const struct zone_case *what)
{
    const uint32_t count = what->count != 0 ? what->count : PIECE;
    int64_t sum_ns = 0;
    for (int piece = 0; piece < PIECES; piece++) {
        const int64_t before_ns = thread_time_ns();
        what->run(count);
        sum_ns += thread_time_ns() - before_ns;
        if (what->between != NULL) {
            what->between();
        }
    }
    return sum_ns * 1000 / ((int64_t)count * PIECES);
}

struct worker {
    int processor; /* negative = any */
    pthread_barrier_t *barrier;
    int64_t picoseconds[CASES][REPEATS];
};

static void *work(void *context)
{
    struct worker *worker = context;
    if (worker->processor >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(worker->processor, &set);
        (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    }
    for (int repeat = -WARM_UP; repeat < REPEATS; repeat++) {
        for (int i = 0; i < CASES; i++) {
            /* All are at the same case, and one sets the mode. */
            if (pthread_barrier_wait(worker->barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
                (void)fg_instrument_set_mode(i < CASES - OFF_CASES ? FG_INSTRUMENT_FULL
                                                                   : FG_INSTRUMENT_OFF);
            }
            pthread_barrier_wait(worker->barrier);
            const int64_t took = measure(&cases[i]);
            if (repeat >= 0) {
                worker->picoseconds[i][repeat] = took;
            }
        }
    }
    return NULL;
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Medians of 15, of the slower thread. */
static bool run_threads(int threads, const int processors[THREADS_MAX], int64_t medians[CASES])
{
    static struct worker workers[THREADS_MAX];
    pthread_t handles[THREADS_MAX];
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        workers[i] = (struct worker){ .processor = processors[i], .barrier = &barrier };
        if (pthread_create(&handles[i], NULL, work, &workers[i]) != 0) {
            return false;
        }
    }
    memset(medians, 0, CASES * sizeof *medians);
    for (int i = 0; i < threads; i++) {
        pthread_join(handles[i], NULL);
        for (int c = 0; c < CASES; c++) {
            int64_t *values = workers[i].picoseconds[c];
            qsort(values, REPEATS, sizeof *values, compare);
            medians[c] = values[REPEATS / 2] > medians[c] ? values[REPEATS / 2] : medians[c];
        }
    }
    pthread_barrier_destroy(&barrier);
    return true;
}

/* ---- saying it ------------------------------------------------------------------------------- */

static void print_table(const int64_t one[CASES], const int64_t two[CASES], bool has_two)
{
    fprintf(stderr, "%-36s %10s %10s %10s %10s\n", "", "ns", "over loop", "to floor",
            has_two ? "2 threads" : "");
    for (int c = 0; c < CASES; c++) {
        fprintf(stderr, "%-36s %10.2f %10.2f %10.2f", cases[c].name, (double)one[c] / 1000,
                (double)(one[c] - one[EMPTY]) / 1000, (double)one[c] / (double)one[FLOOR]);
        if (has_two) {
            fprintf(stderr, " %10.2f", (double)two[c] / 1000);
        }
        fprintf(stderr, "\n");
    }
}

static void print_json(const int64_t one[CASES], const int64_t two[CASES], bool has_two)
{
    printf("{ \"bench\": \"zones\", \"commit\": \"%s\", \"operations\": %d, \"warm_up\": %d,\n"
           "  \"repeats\": %d, \"statistic\": \"median\", \"zone_to_floor\": %.3f,\n"
           "  \"cases\": [\n",
           FG_COMMIT, PIECE * PIECES, WARM_UP, REPEATS, (double)one[ZONE] / (double)one[FLOOR]);
    for (int c = 0; c < CASES; c++) {
        printf("    { \"name\": \"%s\", \"ns\": %.3f", cases[c].name, (double)one[c] / 1000);
        if (has_two) {
            printf(", \"ns_of_two_threads\": %.3f", (double)two[c] / 1000);
        }
        printf(" }%s\n", c + 1 < CASES ? "," : "");
    }
    printf("  ] }\n");
}

/* The first and the last that may be used: neighbours are often one core's. */
static bool choose_processors(int processors[THREADS_MAX])
{
    cpu_set_t set;
    CPU_ZERO(&set);
    (void)sched_getaffinity(0, sizeof set, &set);
    processors[0] = processors[1] = -1;
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &set)) {
            processors[0] = processors[0] < 0 ? i : processors[0];
            processors[1] = i;
        }
    }
    return processors[0] != processors[1];
}

int main(void)
{
    int64_t one[CASES], two[CASES] = { 0 };
    int processors[THREADS_MAX];
    const bool has_two = choose_processors(processors);
    if (!run_threads(1, processors, one) || (has_two && !run_threads(2, processors, two))) {
        return 1;
    }
    print_table(one, two, has_two);
    print_json(one, two, has_two);
    return 0;
}
