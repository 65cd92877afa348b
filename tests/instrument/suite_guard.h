/* SPDX-License-Identifier: MIT */
/*
 * How the tests of the instrumentation are run. What it keeps belongs to the process, so each suite
 * runs twice: every test in a process of its own, where all is as it was at the start; and all
 * suites in one process, where each test finds what those before it left. There a guard stands
 * around every test: it sets the mode to the build's, and afterwards says what the test left
 * behind.
 *
 * A suite is one file, and one line in tests/instrument/<subject>.cmake:
 *
 *     static void a_counter_adds_up(void **state) { ... }
 *     static const struct CMUnitTest tests[] = { cmocka_unit_test(a_counter_adds_up) };
 *     FGT_INSTRUMENT_SUITE(metrics, tests)
 *
 *     fgi_instrument_suite(metrics SOURCES ${CMAKE_CURRENT_LIST_DIR}/metrics_test.c)
 *
 * So that a test passes both ways: names of metrics, labels and objects are its own
 * ("metrics/adds"), losses and frame numbers are compared with what they were before, and what it
 * makes, it ends. A test that cannot, since it configures or fills up what the process has once,
 * begins with fgt_needs_own_process(). Setup, teardown and state of a test work as ever; a group
 * has none.
 *
 * FG_LEVEL is the build's level. A test that needs more is left out (#if FG_LEVEL >= 2), or proves
 * that the lower level keeps nothing.
 */
#ifndef FGT_INSTRUMENT_GUARD_H
#define FGT_INSTRUMENT_GUARD_H
#include "../support/cmocka_all.h"
#include <frameglass/instrument.h>

/** Run the tests of one suite, in the way that main() was told. Returns how many failed. */
int fgt_instrument_run(const char *subject, const struct CMUnitTest *tests, size_t count);
/** True: other tests run in this process, before and after. */
bool fgt_in_one_process(void);

/** Skip the running test where it would spoil others, or they would spoil it. */
#define fgt_needs_own_process()                                                                    \
    do {                                                                                           \
        if (fgt_in_one_process()) {                                                                \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

/** The function that main() and the program of all suites call. */
#define FGT_INSTRUMENT_SUITE(subject, tests)                                                       \
    int fg_suite_##subject(void);                                                                  \
    int fg_suite_##subject(void)                                                                   \
    {                                                                                              \
        return fgt_instrument_run(#subject, tests, sizeof(tests) / sizeof((tests)[0]));            \
    }

#endif
