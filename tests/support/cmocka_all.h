/* SPDX-License-Identifier: MIT */
/* cmocka with the headers that it wants before it. */
#ifndef FGT_CMOCKA_ALL_H
#define FGT_CMOCKA_ALL_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A group's teardown that fails is printed by cmocka, but not counted: here it is a failure. */
static CMFixtureFunction fgt_teardown;
static int fgt_teardown_failed;
static inline int fgt_end_group(void **state)
{
    fgt_teardown_failed = 1; /* stays where the teardown is left by an assertion */
    const int result = fgt_teardown(state);
    fgt_teardown_failed = result != 0;
    return result;
}
static inline int fgt_run_group(const char *name, const struct CMUnitTest *tests, size_t count,
                                CMFixtureFunction setup, CMFixtureFunction teardown)
{
    fgt_teardown = teardown;
    return _cmocka_run_group_tests(name, tests, count, setup, teardown ? fgt_end_group : NULL) +
           fgt_teardown_failed;
}
#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    fgt_run_group(#tests, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#endif
