/* SPDX-License-Identifier: MIT */
/* Primitives against plain C: sort, reduction, counting, adjacency, ranges, searches. */
#include "prim_bed.h"

#include "base/wide.h"

#include <cmocka_all.h>
#include <stdlib.h>
#include <string.h>

static struct compute_bed bed;

static int setup(void **state)
{
    (void)state;
    return compute_bed_create(&bed, 0) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    compute_bed_destroy(&bed);
    return bed.messages == 0 ? 0 : -1;
}

static void *take(size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    assert_non_null(block);
    return block;
}

/** Numbers of so many bits; with few of them most are equal. */
static uint64_t *random_numbers(struct prim_case *test, uint32_t count, uint32_t bits)
{
    uint64_t *numbers = take(count, sizeof *numbers);
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = prim_random(&test->seed) >> (64 - bits);
    }
    return numbers;
}

/** As words of 4 or 8 bytes, in place. */
static void narrow(uint64_t *numbers, uint32_t count, uint32_t bytes)
{
    for (uint32_t i = 0; i < count && bytes == 4; i++) {
        ((uint32_t *)(void *)numbers)[i] = (uint32_t)numbers[i];
    }
}

/* Sort. */

struct pair {
    uint64_t key;
    uint32_t place;
    uint32_t payload;
};
static int compare_pairs(const void *a, const void *b)
{
    const struct pair *p = a;
    const struct pair *q = b;
    if (p->key != q->key) {
        return p->key < q->key ? -1 : 1;
    }
    return p->place < q->place ? -1 : p->place > q->place;
}

/** Scratch and results of one sort. */
struct sorted {
    struct fgi_gpu_column_memory keys, payload, out_keys, out_payload, spare[2], spare_payload,
        digits;
    struct fg_compute_memory sums, number;
    struct fgi_sort sort;
};

static void sort_begin(struct prim_case *test, struct sorted *sorted, const void *keys,
                       const uint32_t *payload, uint32_t key_bytes, uint32_t key_bits,
                       uint32_t known)
{
    const uint32_t rows = test->rows;
    const uint32_t digits = fgi_sort_digits(bed.compute, rows, key_bytes, key_bits);
    sorted->keys = prim_column(test, keys, rows, key_bytes);
    sorted->payload = prim_column(test, payload, rows, 4);
    sorted->out_keys = prim_column(test, NULL, rows, key_bytes);
    sorted->out_payload = prim_column(test, NULL, rows, 4);
    sorted->spare[0] = prim_column(test, NULL, rows, key_bytes);
    sorted->spare[1] = prim_column(test, NULL, rows, key_bytes);
    sorted->spare_payload = prim_column(test, NULL, rows, 4);
    sorted->digits = prim_column(test, NULL, digits, 4);
    sorted->sums = prim_view(test, fgi_scan_sums_bytes(bed.compute, digits));
    sorted->number = prim_number(test, known);
    sorted->sort = (struct fgi_sort){
        .key_bytes = key_bytes,
        .key_bits = key_bits,
        .keys = sorted->keys.column,
        .count = { .limit = rows, .device = sorted->number.view },
        .out_payload = sorted->out_payload.column,
        .spare_keys = { sorted->spare[0].column, sorted->spare[1].column },
        .spare_payload = sorted->spare_payload.column,
        .digits = sorted->digits.column,
        .sums = sorted->sums.view,
    };
}

static void sort_end(struct prim_case *test, struct sorted *sorted)
{
    prim_view_free(test, &sorted->number);
    prim_view_free(test, &sorted->sums);
    prim_free(test, &sorted->digits);
    prim_free(test, &sorted->spare_payload);
    prim_free(test, &sorted->spare[1]);
    prim_free(test, &sorted->spare[0]);
    prim_free(test, &sorted->out_payload);
    prim_free(test, &sorted->out_keys);
    prim_free(test, &sorted->payload);
    prim_free(test, &sorted->keys);
}

static void check_one_sort(struct prim_case *test, uint32_t key_bytes, uint32_t key_bits,
                           unsigned options)
{
    const bool wants_keys = (options & 1) != 0;
    const bool has_payload = (options & 2) != 0;
    const uint32_t rows = test->rows;
    const uint32_t known =
        (options & 4) != 0 ? rows : (uint32_t)(prim_random(&test->seed) % (rows + 1));
    uint64_t *numbers = random_numbers(test, rows, key_bits);
    uint64_t *payload = random_numbers(test, rows, 32);
    struct pair *expected = take(rows, sizeof *expected);
    const uint32_t highest =
        key_bytes == 4 && (options & 8) != 0 && known > 0 ? (uint32_t)numbers[0] : 0;
    narrow(payload, rows, 4);
    for (uint32_t i = 0; i < known; i++) {
        const uint64_t key = highest != 0 && numbers[i] > highest ? highest : numbers[i];
        expected[i] = (struct pair){ key, i, has_payload ? ((uint32_t *)(void *)payload)[i] : i };
    }
    qsort(expected, known, sizeof *expected, compare_pairs);
    narrow(numbers, rows, key_bytes);
    struct sorted sorted;
    sort_begin(test, &sorted, numbers, (uint32_t *)(void *)payload, key_bytes, key_bits, known);
    sorted.sort.highest = highest;
    if (wants_keys) {
        sorted.sort.out_keys = sorted.out_keys.column;
        sorted.sort.spare_keys[1] = (struct fgi_gpu_column){ 0 };
    }
    if (has_payload) {
        sorted.sort.payload = sorted.payload.column;
    }
    prim_begin(test);
    assert_int_equal(fgi_sort(&test->work, &sorted.sort), FG_OK);
    prim_run(test);
    uint32_t *got = prim_read(test, &sorted.out_payload, rows);
    void *keys = prim_read(test, &sorted.out_keys, rows);
    for (uint32_t i = 0; i < rows; i++) {
        const uint64_t key = key_bytes == 4 ? ((uint32_t *)keys)[i] : ((uint64_t *)keys)[i];
        if (i < known) {
            assert_int_equal(got[i], expected[i].payload);
        } else {
            assert_int_equal(got[i], UINT32_C(0xa5a5a5a5));
        }
        if (i < known && wants_keys) {
            assert_int_equal(key, expected[i].key);
        }
    }
    free(keys);
    free(got);
    sort_end(test, &sorted);
    free(expected);
    free(payload);
    free(numbers);
}

static void check_sorts(struct prim_case *test)
{
    const uint64_t random = prim_random(&test->seed);
    static const uint32_t bits[] = { 1, 3, 5, 8, 9, 17, 25, 32 };
    check_one_sort(test, 4, bits[random % 8], (unsigned)(random >> 8));
    check_one_sort(test, 8, bits[random / 8 % 8] + (uint32_t)(random >> 16 & 1) * 32,
                   (unsigned)(random >> 20));
}

static void a_sort_is_stable(void **state)
{
    (void)state;
    prim_each(&bed, check_sorts);
}

/* Reduction. */

static struct fgi_reduction expected_reduction(const uint64_t *values, const uint32_t *rows,
                                               const uint32_t *mask, uint32_t count)
{
    struct fgi_reduction result = { .least = UINT64_MAX,
                                    .least_row = UINT32_MAX,
                                    .greatest_row = UINT32_MAX };
    fgi_wide sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (mask != NULL && (mask[i / 32] >> i % 32 & 1) == 0) {
            continue;
        }
        const uint32_t row = rows != NULL ? rows[i] : i;
        sum += values[i];
        if (values[i] < result.least || (values[i] == result.least && row < result.least_row)) {
            result.least = values[i];
            result.least_row = row;
        }
        if (values[i] > result.greatest ||
            (values[i] == result.greatest && row < result.greatest_row)) {
            result.greatest = values[i];
            result.greatest_row = row;
        }
        result.count++;
    }
    for (unsigned limb = 0; limb < 4; limb++) {
        result.sum[limb] = (uint32_t)(sum >> limb * 32);
    }
    return result;
}

static void check_reduction(struct prim_case *test)
{
    const uint32_t rows = test->rows;
    const uint64_t random = prim_random(&test->seed);
    const uint32_t bytes = (random & 1) != 0 ? 8 : 4;
    /* Few bits make many equal ones; the most bits make sums of more than 64. */
    const uint32_t bits = (random & 2) != 0 ? 3 : bytes * 8;
    uint64_t *values = random_numbers(test, rows, bits);
    uint64_t *names = random_numbers(test, rows, 32);
    uint64_t *mask = random_numbers(test, fgi_mask_words(rows), 32);
    narrow(names, rows, 4);
    narrow(mask, fgi_mask_words(rows), 4);
    const struct fgi_reduction expected =
        expected_reduction(values, (random & 4) != 0 ? (uint32_t *)(void *)names : NULL,
                           (random & 8) != 0 ? (uint32_t *)(void *)mask : NULL, rows);
    narrow(values, rows, bytes);
    struct fgi_gpu_column_memory source = prim_column(test, values, rows, bytes);
    struct fgi_gpu_column_memory name_column = prim_column(test, names, rows, 4);
    struct fgi_gpu_column_memory mask_column = prim_column(test, mask, fgi_mask_words(rows), 4);
    struct fg_compute_memory result = prim_view(test, sizeof(struct fgi_reduction));
    struct fg_compute_memory parts = prim_view(test, fgi_reduce_parts_bytes(bed.compute, rows));
    struct fgi_reduce reduce = {
        .source = source.column, .count.limit = rows, .result = result.view, .parts = parts.view
    };
    if ((random & 4) != 0) {
        reduce.rows = name_column.column;
    }
    if ((random & 8) != 0) {
        reduce.mask = mask_column.column;
    }
    struct fgi_reduction got;
    prim_begin(test);
    assert_int_equal(fgi_reduce(&test->work, &reduce), FG_OK);
    prim_run(test);
    compute_bed_read(&bed, result.view, &got);
    assert_memory_equal(&got, &expected, sizeof got);
    prim_view_free(test, &parts);
    prim_view_free(test, &result);
    prim_free(test, &mask_column);
    prim_free(test, &name_column);
    prim_free(test, &source);
    free(mask);
    free(names);
    free(values);
}

static void sums_are_exact_and_ties_go_to_the_lowest_row(void **state)
{
    (void)state;
    prim_each(&bed, check_reduction);
}

/* Counting and adjacency. */

static void check_counts(struct prim_case *test)
{
    const uint32_t rows = test->rows;
    const uint64_t random = prim_random(&test->seed);
    const uint32_t key_count = (random & 1) != 0 ? 37 : 3000;
    uint64_t *keys = random_numbers(test, rows, (random & 2) != 0 ? 12 : 3);
    uint64_t *mask = random_numbers(test, fgi_mask_words(rows), 32);
    narrow(keys, rows, 4);
    narrow(mask, fgi_mask_words(rows), 4);
    const uint32_t *key_words = (uint32_t *)(void *)keys;
    const uint32_t *mask_words = (uint32_t *)(void *)mask;
    uint32_t *expected = take(key_count, sizeof *expected);
    uint32_t others = 0;
    for (uint32_t i = 0; i < rows; i++) {
        if ((random & 4) == 0 || (mask_words[i / 32] >> i % 32 & 1) != 0) {
            *(key_words[i] < key_count ? &expected[key_words[i]] : &others) += 1;
        }
    }
    struct fgi_gpu_column_memory key_column = prim_column(test, keys, rows, 4);
    struct fgi_gpu_column_memory mask_column = prim_column(test, mask, fgi_mask_words(rows), 4);
    struct fgi_gpu_column_memory counts = prim_column(test, NULL, key_count, 4);
    struct fg_compute_memory other = prim_view(test, 4);
    const struct fgi_count_keys counting = {
        .keys = key_column.column,
        .mask = (random & 4) != 0 ? mask_column.column : (struct fgi_gpu_column){ 0 },
        .count.limit = rows,
        .counts = counts.column,
        .key_count = key_count,
        .others = other.view,
    };
    uint32_t got_others = 0;
    prim_begin(test);
    assert_int_equal(fgi_count_keys(&test->work, &counting), FG_OK);
    prim_run(test);
    uint32_t *got = prim_read(test, &counts, key_count);
    compute_bed_read(&bed, other.view, &got_others);
    assert_memory_equal(got, expected, key_count * sizeof *got);
    assert_int_equal(got_others, others);
    free(got);
    free(expected);
    prim_view_free(test, &other);
    prim_free(test, &counts);
    prim_free(test, &mask_column);
    prim_free(test, &key_column);
    free(mask);
    free(keys);
}

static void every_row_is_counted_once(void **state)
{
    (void)state;
    prim_each(&bed, check_counts);
}

static void check_adjacency(struct prim_case *test)
{
    const uint32_t links = test->rows;
    const uint32_t rows = (uint32_t)(prim_random(&test->seed) % (links / 2 + 3)) + 1;
    uint32_t *ends = take(links, sizeof *ends);
    uint32_t *others = take(links, sizeof *others);
    uint32_t *offsets = take((size_t)rows + 1, sizeof *offsets);
    uint32_t *cursor = take((size_t)rows + 1, sizeof *cursor);
    uint32_t *expected = take(links, sizeof *expected);
    for (uint32_t i = 0; i < links; i++) {
        ends[i] = (uint32_t)(prim_random(&test->seed) % (rows + 2)); /* two of them are no rows */
        others[i] = (uint32_t)prim_random(&test->seed);
        if (ends[i] < rows) {
            offsets[ends[i] + 1]++;
        }
    }
    for (uint32_t row = 0; row < rows; row++) {
        offsets[row + 1] += offsets[row];
        cursor[row] = offsets[row];
    }
    for (uint32_t i = 0; i < links; i++) {
        if (ends[i] < rows) {
            expected[cursor[ends[i]]++] = i;
        }
    }
    const uint32_t digits = fgi_adjacency_digits(bed.compute, links, rows);
    struct fgi_gpu_column_memory columns[] = {
        prim_column(test, ends, links, 4),    prim_column(test, others, links, 4),
        prim_column(test, NULL, rows + 1, 4), prim_column(test, NULL, links, 4),
        prim_column(test, NULL, links, 4),    prim_column(test, NULL, links, 4),
        prim_column(test, NULL, links, 4),    prim_column(test, NULL, links, 4),
        prim_column(test, NULL, digits, 4),
    };
    struct fg_compute_memory sums =
        prim_view(test, fgi_adjacency_sums_bytes(bed.compute, links, rows));
    const struct fgi_adjacency adjacency = {
        .ends = columns[0].column,
        .others = columns[1].column,
        .link_count = links,
        .row_count = rows,
        .offsets = columns[2].column,
        .links = columns[3].column,
        .neighbours = columns[4].column,
        .spare_keys = { columns[5].column, columns[6].column },
        .spare_payload = columns[7].column,
        .digits = columns[8].column,
        .sums = sums.view,
    };
    prim_begin(test);
    assert_int_equal(fgi_adjacency(&test->work, &adjacency), FG_OK);
    prim_run(test);
    uint32_t *got_offsets = prim_read(test, &columns[2], rows + 1);
    uint32_t *got_links = prim_read(test, &columns[3], links);
    uint32_t *got_neighbours = prim_read(test, &columns[4], links);
    assert_memory_equal(got_offsets, offsets, ((size_t)rows + 1) * sizeof *offsets);
    assert_memory_equal(got_links, expected, offsets[rows] * sizeof *expected);
    for (uint32_t i = 0; i < offsets[rows]; i++) {
        assert_int_equal(got_neighbours[i], others[expected[i]]);
    }
    free(got_neighbours);
    free(got_links);
    free(got_offsets);
    prim_view_free(test, &sums);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        prim_free(test, &columns[i]);
    }
    free(expected);
    free(cursor);
    free(offsets);
    free(others);
    free(ends);
}

static void links_keep_their_order_at_each_row(void **state)
{
    (void)state;
    prim_each(&bed, check_adjacency);
}

/* The longest of a range. */

static void check_range_max(struct prim_case *test)
{
    enum { QUERIES = 300 };
    const uint32_t count = test->rows;
    const uint64_t random = prim_random(&test->seed);
    uint64_t *durations = random_numbers(test, count, (random & 1) != 0 ? 2 : 40);
    uint64_t *rows = random_numbers(test, count, 32);
    uint32_t ranges[QUERIES][2];
    narrow(rows, count, 4);
    for (size_t i = 0; i < QUERIES; i++) {
        ranges[i][0] = (uint32_t)(prim_random(&test->seed) % (count + 2));
        ranges[i][1] = i % 3 == 0 ? ranges[i][0] + (uint32_t)(prim_random(&test->seed) % 20)
                                  : (uint32_t)(prim_random(&test->seed) % (count + 2));
    }
    ranges[0][0] = 0;
    ranges[0][1] = count;
    struct fgi_gpu_column_memory duration_column = prim_column(test, durations, count, 8);
    struct fgi_gpu_column_memory row_column = prim_column(test, rows, count, 4);
    struct fgi_gpu_column_memory nodes = prim_column(test, NULL, fgi_range_max_nodes(count), 16);
    struct fgi_gpu_column_memory range_column = prim_column(test, ranges, QUERIES, 8);
    struct fgi_gpu_column_memory target = prim_column(test, NULL, QUERIES, 16);
    const struct fgi_range_max tree = { .durations = duration_column.column,
                                        .rows = row_column.column,
                                        .count = count,
                                        .nodes = nodes.column };
    prim_begin(test);
    assert_int_equal(fgi_range_max_build(&test->work, &tree), FG_OK);
    assert_int_equal(fgi_range_max_query(&test->work, &tree, &range_column.column,
                                         (struct fgi_count){ .limit = QUERIES }, &target.column),
                     FG_OK);
    prim_run(test);
    uint32_t(*got)[4] = prim_read(test, &target, QUERIES);
    free(prim_read(test, &nodes, fgi_range_max_nodes(count)));
    for (size_t i = 0; i < QUERIES; i++) {
        uint32_t best = UINT32_MAX;
        const uint32_t *names = (uint32_t *)(void *)rows;
        for (uint32_t k = ranges[i][0]; k < ranges[i][1] && k < count; k++) {
            if (best == UINT32_MAX || durations[k] > durations[best] ||
                (durations[k] == durations[best] && names[k] < names[best])) {
                best = k;
            }
        }
        assert_int_equal(got[i][3], best);
        assert_int_equal(got[i][2], best == UINT32_MAX ? UINT32_MAX : names[best]);
        assert_int_equal(got[i][0] | (uint64_t)got[i][1] << 32,
                         best == UINT32_MAX ? 0 : durations[best]);
    }
    free(got);
    prim_free(test, &target);
    prim_free(test, &range_column);
    prim_free(test, &nodes);
    prim_free(test, &row_column);
    prim_free(test, &duration_column);
    free(rows);
    free(durations);
}

static void the_longest_of_a_range_is_that_of_looking_at_all(void **state)
{
    (void)state;
    prim_each(&bed, check_range_max);
}

/* By row. */

static uint32_t bound_of(const uint64_t *sorted, uint32_t first, uint32_t last, uint64_t value,
                         bool upper)
{
    while (first < last && (sorted[first] < value || (upper && sorted[first] == value))) {
        first++;
    }
    return first;
}

static void check_rows(struct prim_case *test)
{
    enum { VALUES = 200 };
    const uint32_t rows = test->rows;
    const uint64_t random = prim_random(&test->seed);
    const uint32_t bytes = (random & 1) != 0 ? 8 : 4;
    const bool upper = (random & 2) != 0;
    const uint32_t bits = (random & 4) != 0 ? 6 : bytes * 8;
    uint64_t *sorted = random_numbers(test, rows, bits);
    uint64_t *values = random_numbers(test, VALUES, bits);
    uint64_t *order = random_numbers(test, rows, 32);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < rows; i++) {
        sum += sorted[i] / (rows + 1);
        sorted[i] = sum;
        order[i] = order[i] % 5 == 0 ? UINT32_MAX : order[i] % rows;
    }
    const uint32_t first = rows / 7;
    const uint32_t last = rows - rows / 9;
    uint32_t expected[VALUES];
    for (uint32_t i = 0; i < VALUES; i++) {
        if (i % 2 == 0 && rows > 0) {
            values[i] = sorted[values[i] % rows];
        }
        expected[i] = bound_of(sorted, first, last, values[i], upper);
    }
    narrow(order, rows, 4);
    uint64_t *gathered = take(rows, sizeof *gathered);
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t row = ((uint32_t *)(void *)order)[i];
        gathered[i] = row < rows ? sorted[row] : UINT64_C(0x700000007);
    }
    narrow(gathered, rows, bytes);
    narrow(sorted, rows, bytes);
    narrow(values, VALUES, bytes);
    struct fgi_gpu_column_memory column = prim_column(test, sorted, rows, bytes);
    struct fgi_gpu_column_memory value_column = prim_column(test, values, VALUES, bytes);
    struct fgi_gpu_column_memory order_column = prim_column(test, order, rows, 4);
    struct fgi_gpu_column_memory found = prim_column(test, NULL, VALUES, 4);
    struct fgi_gpu_column_memory target = prim_column(test, NULL, rows, bytes);
    struct fgi_gpu_column_memory copied = prim_column(test, NULL, rows, bytes);
    const struct fgi_search search = { .column = column.column,
                                       .first = first,
                                       .last = last,
                                       .upper = upper,
                                       .values = value_column.column,
                                       .count.limit = VALUES,
                                       .target = found.column };
    const struct fgi_count all = { .limit = rows };
    prim_begin(test);
    assert_int_equal(fgi_search(&test->work, &search), FG_OK);
    assert_int_equal(
        fgi_gather(&test->work, &column.column, rows, &order_column.column, all, 7, &target.column),
        FG_OK);
    assert_int_equal(fgi_gather(&test->work, &target.column, rows, NULL, all, 0, &copied.column),
                     FG_OK);
    prim_run(test);
    uint32_t *got_found = prim_read(test, &found, VALUES);
    void *got = prim_read(test, &target, rows);
    void *got_copy = prim_read(test, &copied, rows);
    assert_memory_equal(got_found, expected, sizeof expected);
    assert_memory_equal(got, gathered, (size_t)rows * bytes);
    assert_memory_equal(got_copy, gathered, (size_t)rows * bytes);
    free(got_copy);
    free(got);
    free(got_found);
    prim_free(test, &copied);
    prim_free(test, &target);
    prim_free(test, &found);
    prim_free(test, &order_column);
    prim_free(test, &value_column);
    prim_free(test, &column);
    free(gathered);
    free(order);
    free(values);
    free(sorted);
}

static void searches_and_gathers_are_those_of_the_host(void **state)
{
    (void)state;
    prim_each(&bed, check_rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sort_is_stable),
        cmocka_unit_test(sums_are_exact_and_ties_go_to_the_lowest_row),
        cmocka_unit_test(every_row_is_counted_once),
        cmocka_unit_test(links_keep_their_order_at_each_row),
        cmocka_unit_test(the_longest_of_a_range_is_that_of_looking_at_all),
        cmocka_unit_test(searches_and_gathers_are_those_of_the_host),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
