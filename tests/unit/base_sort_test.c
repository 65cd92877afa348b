/* SPDX-License-Identifier: MIT */
/* Sorting: order, stability, and what it costs when there is nothing to do. */
#include "base/sort.h"
#include "base/hash.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS_MAX = 300, ROUNDS = 200 };

struct item {
    uint16_t key;
    uint16_t place; /* where it was */
    char text[7];   /* so that its size is no power of two */
};

static bool item_before(void *context, uint32_t a, uint32_t b)
{
    const struct item *items = context;
    return items[a].key < items[b].key;
}

/* Few keys, in runs up and down: equal ones are common. */
static size_t fill(struct item *items, uint64_t round)
{
    size_t count = fgi_mix64(round) % (ITEMS_MAX + 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t random = fgi_mix64(round * 1000 + i / (1 + round % 5));
        items[i] = (struct item){ .key = (uint16_t)(random % (1 + round)), .place = (uint16_t)i };
        memset(items[i].text, (int)(i % 100), sizeof items[i].text);
    }
    return count;
}

static void tables_are_sorted_and_equal_items_stay_in_order(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct item items[ITEMS_MAX], before[ITEMS_MAX];
        size_t count = fill(items, round);
        memcpy(before, items, count * sizeof *items);
        assert_int_equal(fgi_sort_table(NULL, items, count, sizeof *items, item_before), FG_OK);
        for (size_t i = 0; i < count; i++) {
            assert_memory_equal(&items[i], &before[items[i].place], sizeof *items);
            assert_true(i == 0 || items[i - 1].key < items[i].key ||
                        (items[i - 1].key == items[i].key && items[i - 1].place < items[i].place));
        }
    }
}

static void *refuse(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
    }
    return NULL;
}

static void what_is_sorted_needs_no_memory_and_what_is_not_is_left_as_it_was(void **state)
{
    (void)state;
    const struct fg_allocator none = { refuse, NULL };
    struct item items[3] = { { .key = 1 }, { .key = 1, .place = 1 }, { .key = 4, .place = 2 } };
    assert_int_equal(fgi_sort_table(&none, items, 3, sizeof *items, item_before), FG_OK);
    assert_int_equal(fgi_sort_table(&none, NULL, 0, sizeof *items, item_before), FG_OK);
    assert_int_equal(fgi_reorder(&none, NULL, 0, sizeof *items, NULL), FG_OK);
    items[2].key = 0;
    assert_int_equal(fgi_sort_table(&none, items, 3, sizeof *items, item_before), FG_ERR_NO_MEMORY);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(items[i].place, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_sorted_and_equal_items_stay_in_order),
        cmocka_unit_test(what_is_sorted_needs_no_memory_and_what_is_not_is_left_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
