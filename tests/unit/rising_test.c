/* SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "trace/rising.h"

#include "cmocka_all.h"

enum { COUNT = 5000 };

/* All numbers come back, and so does where each of them, and what is beside it, begins. */
static void check(const uint32_t *numbers, uint32_t count, uint32_t limit, uint32_t part)
{
    struct fgi_rising rising = { 0 };
    for (uint32_t done = 0; done < count; done += part) {
        uint32_t n = count - done < part ? count - done : part;
        assert_int_equal(fgi_rising_append(&rising, numbers + done, n), FG_OK);
    }
    assert_int_equal(fgi_rising_seal(&rising, limit), FG_OK);
    assert_int_equal(rising.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(fgi_rising_at(&rising, i), numbers[i]);
        uint32_t first = fgi_rising_find(&rising, numbers[i]);
        assert_true(first <= i && numbers[first] == numbers[i]);
        assert_true(first == 0 || numbers[first - 1] < numbers[i]);
        uint32_t after = fgi_rising_find(&rising, numbers[i] + 1);
        assert_true(after > i && (after == count || numbers[after] > numbers[i]));
    }
    fgi_rising_finish(&rising);
}

static void numbers_of_every_distance_come_back(void **state)
{
    static uint32_t numbers[COUNT];
    (void)state;
    uint64_t random = 1;
    for (unsigned bits = 0; bits < 19; bits++) {
        uint32_t last = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            random = fgi_mix64(random + 1);
            last += (uint32_t)(random & ((UINT64_C(1) << bits) - 1));
            numbers[i] = last;
        }
        for (uint32_t count = 1; count <= COUNT; count = count * 3 + 1) {
            check(numbers, count, numbers[count - 1] + 1, 1 + (uint32_t)(random >> 40) % 200);
        }
    }
}

static void the_largest_numbers_are_kept(void **state)
{
    const uint32_t numbers[] = { 0, 0, 1, UINT32_MAX - 3, UINT32_MAX - 3, UINT32_MAX - 2 };
    (void)state;
    check(numbers, 6, UINT32_MAX - 1, 1);
    check(numbers, 6, UINT32_MAX - 1, 6);
}

static void nothing_is_a_sequence(void **state)
{
    struct fgi_rising rising = { 0 };
    (void)state;
    assert_int_equal(fgi_rising_seal(&rising, 10), FG_OK);
    assert_int_equal(fgi_rising_find(&rising, 5), 0);
    fgi_rising_finish(&rising);
}

static void close_numbers_take_little_more_than_a_byte(void **state)
{
    struct fgi_rising rising = { 0 };
    (void)state;
    for (uint32_t i = 0; i < 64000; i++) {
        uint32_t number = i + i / 3;
        assert_int_equal(fgi_rising_append(&rising, &number, 1), FG_OK);
    }
    assert_int_equal(fgi_rising_seal(&rising, 100000), FG_OK);
    assert_true(fgi_rising_bytes(&rising) < 64000 * 5 / 4);
    fgi_rising_finish(&rising);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_every_distance_come_back),
        cmocka_unit_test(the_largest_numbers_are_kept),
        cmocka_unit_test(nothing_is_a_sequence),
        cmocka_unit_test(close_numbers_take_little_more_than_a_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
