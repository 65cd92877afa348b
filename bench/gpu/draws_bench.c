/* SPDX-License-Identifier: MIT */
/*
 * What counting costs a draw call: nanoseconds of one thread's processor time for each call through
 * a dispatch slot, medians of 15, all in one run. JSON on standard output.
 */
#include "base/clock.h"
#include "base/rank.h"
#include <frameglass/draw_counter.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPEATS 15
#define WARM_UP 2
#define CALLS   1000000

typedef void draw_arrays(unsigned mode, int first, int count);

static unsigned drawn;
static void draw(unsigned mode, int first, int count)
{
    drawn += mode + (unsigned)first + (unsigned)count;
}
static draw_arrays *volatile slot = draw;

static int64_t thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t measure_ps(void)
{
    int64_t ps[REPEATS];
    for (int repeat = -WARM_UP; repeat < REPEATS; repeat++) {
        int64_t begin_ns = thread_ns();
        for (int i = 0; i < CALLS; i++) {
            slot(4, i, 36);
        }
        if (repeat >= 0) {
            ps[repeat] = (thread_ns() - begin_ns) * 1000 / CALLS;
        }
    }
    return fgi_rank_ns(ps, REPEATS, 50);
}

static void print(const char *name, int64_t ps, const char *end)
{
    printf("  \"%s_ns\": %" PRId64 ".%03" PRId64 "%s\n", name, ps / 1000, ps % 1000, end);
}

int main(void)
{
    const struct fg_draw_slot slots[] = { { "glDrawArrays", (void **)(void *)&slot } };
    struct fg_draw_counter *counters[2];
    struct fg_draw_counts counts;
    int64_t direct_ps = measure_ps();
    for (int i = 0; i < 2; i++) {
        if (fg_draw_counter_create(NULL, slots, 1, &counters[i]) != FG_OK) {
            return EXIT_FAILURE;
        }
    }
    int64_t created_ps = measure_ps();
    if (fg_draw_counter_enable(counters[0]) != FG_OK) {
        return EXIT_FAILURE;
    }
    int64_t counted_ps = measure_ps();
    fg_draw_counter_pause(counters[0]);
    int64_t paused_ps = measure_ps();
    fg_draw_counter_resume(counters[0]);
    if (fg_draw_counter_enable(counters[1]) != FG_OK) {
        return EXIT_FAILURE;
    }
    int64_t twice_ps = measure_ps();
    int64_t begin_ns = thread_ns();
    for (int i = 0; i < 1000; i++) {
        fg_draw_counter_take(counters[0], &counts);
    }
    int64_t take_ps = thread_ns() - begin_ns;
    fg_draw_counter_destroy(counters[1]);
    fg_draw_counter_destroy(counters[0]);
    int64_t restored_ps = measure_ps();
    printf("{\n  \"bench\": \"draws\",\n  \"commit\": \"%s\",\n  \"calls\": %d,\n", FG_COMMIT,
           CALLS);
    print("direct", direct_ps, ",");
    print("counter_not_enabled", created_ps, ",");
    print("counted", counted_ps, ",");
    print("paused", paused_ps, ",");
    print("counted_twice", twice_ps, ",");
    print("restored", restored_ps, ",");
    print("take", take_ps, "");
    printf("}\n");
    return EXIT_SUCCESS;
}
