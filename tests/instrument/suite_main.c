/* SPDX-License-Identifier: MIT */
/*
 * main() of each suite of the instrumentation, and of the program that has all of them.
 *
 *     test_instrument_metrics                    every test in a process of its own
 *     test_instrument_metrics --together         all in this process, each between guards
 *     test_instrument_metrics --test SUBJECT/NAME    one test, here
 *
 * FGT_SUITES is FGT_ONE(subject) for each suite.
 */
#include "suite_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FGT_ONE(subject) int fg_suite_##subject(void);
FGT_SUITES
#undef FGT_ONE

enum way {
    WAY_SPAWN,
    WAY_TOGETHER,
    WAY_ONE,
};
static enum way way = WAY_SPAWN;
static const char *only; /* SUBJECT/NAME */
static size_t tests_run;

bool fgt_in_one_process(void)
{
    return way == WAY_TOGETHER;
}

/* ---- the guard ------------------------------------------------------------------------------- */

struct guard {
    const struct CMUnitTest *test;
    enum fg_instrument_mode mode;
    uint64_t owned_bytes, object_count, object_bytes;
};
static struct guard guard;

static void count_objects(uint64_t *count, uint64_t *bytes)
{
    struct fg_snapshot *snapshot = NULL;
    *count = *bytes = 0;
    /* Totals are there whichever parts were asked for. */
    if (fg_snapshot_take(FG_SNAPSHOT_METRICS, &snapshot) == FG_OK) {
        *count = snapshot->object_count;
        *bytes = snapshot->object_total_bytes;
    }
    fg_snapshot_free(snapshot);
}

/* How many zones are open around here; makes the context of this thread if it has none. */
static uint32_t open_zones(void)
{
    struct fg_zone zone = fg_zone_begin("guard", FG_CATEGORY_CORE);
    (void)fg_zone_end(zone);
    fg_instrument_drain();
    return zone.depth;
}

static int guard_setup(void **state)
{
    guard = (struct guard){ .test = *state, .mode = fg_instrument_mode() };
    (void)fg_instrument_set_mode(fg_instrument_build_mode());
    (void)open_zones();
    guard.owned_bytes = fg_instrument_owned_bytes();
    count_objects(&guard.object_count, &guard.object_bytes);
    *state = guard.test->initial_state;
    return guard.test->setup_func != NULL ? guard.test->setup_func(state) : 0;
}

static int left_behind(const char *what, uint64_t before, uint64_t after)
{
    print_error("%s left behind: %s: %llu before, %llu after\n", guard.test->name, what,
                (unsigned long long)before, (unsigned long long)after);
    return 1;
}

static int guard_teardown(void **state)
{
    int failed = guard.test->teardown_func != NULL ? guard.test->teardown_func(state) : 0;
    /* Names stay for good and are small; what a thread owns is its ring first of all. */
    const uint64_t slack = 4096 * sizeof(struct fg_ring_event);
    uint64_t count, bytes, owned = fg_instrument_owned_bytes();
    uint32_t depth;
    (void)fg_instrument_set_mode(fg_instrument_build_mode());
    depth = open_zones();
    if (depth != 0) {
        failed |= left_behind("open zones", 0, depth);
    }
    if (fg_loop_end(NULL)) {
        failed |= left_behind("an open frame", 0, 1);
    }
    if (owned >= guard.owned_bytes + slack) {
        failed |= left_behind("owned bytes", guard.owned_bytes, owned);
    }
    count_objects(&count, &bytes);
    if (count != guard.object_count) {
        failed |= left_behind("live objects", guard.object_count, count);
    }
    if (bytes != guard.object_bytes) {
        failed |= left_behind("bytes of live objects", guard.object_bytes, bytes);
    }
    (void)fg_instrument_set_mode(guard.mode);
    return failed;
}

/* ---- the three ways -------------------------------------------------------------------------- */

static int run_together(const char *subject, const struct CMUnitTest *tests, size_t count)
{
    struct CMUnitTest *guarded = calloc(count, sizeof(*guarded));
    int failed;
    if (guarded == NULL) {
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        guarded[i] = tests[i];
        guarded[i].setup_func = guard_setup;
        guarded[i].teardown_func = guard_teardown;
        guarded[i].initial_state = (void *)(uintptr_t)&tests[i];
    }
    failed = _cmocka_run_group_tests(subject, guarded, count, NULL, NULL);
    free(guarded);
    return failed;
}

static bool spawn(const char *subject, const char *name)
{
    char test[512];
    int status = -1;
    pid_t pid;
    if (snprintf(test, sizeof(test), "%s/%s", subject, name) >= (int)sizeof(test)) {
        return false;
    }
    (void)fflush(NULL);
    pid = fork();
    if (pid == 0) {
        (void)execl("/proc/self/exe", "instrument test", "--test", test, (char *)NULL);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        return false;
    }
    if (!WIFEXITED(status)) {
        /* It could not report itself. */
        printf("[  FAILED  ] 1 test, by signal %d: %s\n",
               WIFSIGNALED(status) ? WTERMSIG(status) : 0, test);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_chosen(const char *subject, const char *name)
{
    size_t size = strlen(subject);
    return strncmp(only, subject, size) == 0 && only[size] == '/' &&
           strcmp(only + size + 1, name) == 0;
}

int fgt_instrument_run(const char *subject, const struct CMUnitTest *tests, size_t count)
{
    int failed = 0;
    if (way == WAY_TOGETHER) {
        tests_run += count;
        return run_together(subject, tests, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (way == WAY_SPAWN) {
            failed += spawn(subject, tests[i].name) ? 0 : 1;
            tests_run++;
        } else if (is_chosen(subject, tests[i].name)) {
            failed += _cmocka_run_group_tests(subject, &tests[i], 1, NULL, NULL);
            tests_run++;
        }
    }
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    if (argc == 3 && strcmp(argv[1], "--test") == 0) {
        way = WAY_ONE;
        only = argv[2];
    } else if (argc == 2 && strcmp(argv[1], "--together") == 0) {
        way = WAY_TOGETHER;
    } else if (argc != 1) {
        fprintf(stderr, "usage: %s [--together | --test SUBJECT/NAME]\n", argv[0]);
        return 2;
    }
#define FGT_ONE(subject) failed += fg_suite_##subject();
    FGT_SUITES
#undef FGT_ONE
    if (tests_run == 0) {
        fprintf(stderr, "no such test\n");
        return 2;
    }
    return failed == 0 ? 0 : 1;
}
