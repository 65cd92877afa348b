/* SPDX-License-Identifier: MIT */
/* Primitives against the same in plain C: numbers, scans, masks, compaction. */
#include "prim_bed.h"

#include "base/wide.h"

#include <cmocka_all.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/u64_check.h"

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

static uint32_t *random_words(struct prim_case *test, uint32_t count, uint32_t mask)
{
    uint32_t *words = malloc(((size_t)count + 1) * sizeof *words);
    assert_non_null(words);
    for (uint32_t i = 0; i < count; i++) {
        words[i] = (uint32_t)prim_random(&test->seed) & mask;
    }
    return words;
}

/* Numbers. */

struct u64_push {
    struct fgi_gpu_column_push source, target;
    uint32_t count;
};
static const struct fg_compute_kernel u64_kernel = { "u64_check", FGI_CODE_u64_check,
                                                     sizeof(struct u64_push), 0 };
enum { U64_RESULTS = 32, U64_PAIRS = 1500 };

/** The same in C: 32 numbers. */
static void u64_expected(uint64_t a, uint64_t b, uint64_t *out)
{
    const unsigned bits = (unsigned)(b & 63);
    const fgi_wide product = (fgi_wide)a * b;
    const fgi_wide words = (fgi_wide)b << 64 | a;
    const fgi_wide sum = product + words;
    const bool negative = (int64_t)a < 0;
    const uint64_t all[U64_RESULTS] = {
        a + b,
        a - b,
        a << bits,
        a >> bits,
        negative ? ~(~a >> bits) : a >> bits,
        a * b,
        (uint64_t)product,
        (uint64_t)(product >> 64),
        a < b ? a : b,
        a < b ? b : a,
        (int64_t)a < (int64_t)b ? a : b,
        (int64_t)a < (int64_t)b ? b : a,
        fgi_add_saturated(a, b),
        a < b ? 0 : a - b,
        (uint64_t)(a < b) | (uint64_t)((int64_t)a < (int64_t)b) << 32,
        (uint64_t)(a == b) | (uint64_t)(product < words) << 32,
        (uint64_t)sum,
        (uint64_t)(sum >> 64),
        a,
        b,
        a & b,
        a | b,
        a ^ b,
        a ^ UINT64_C(1) << 63,
        (uint64_t)(uint32_t)a * (uint32_t)b,
        (uint32_t)a,
        a,
        b,
        a,
        0,
        (uint64_t)(uint32_t)a << 32 | b >> 32,
        UINT64_MAX,
    };
    memcpy(out, all, sizeof all);
}

static uint64_t edge_number(uint64_t *seed)
{
    static const uint64_t edges[] = { 0,          1,
                                      UINT32_MAX, UINT64_C(1) << 32,
                                      INT64_MAX,  UINT64_C(1) << 63,
                                      UINT64_MAX, UINT64_MAX - 1 };
    const uint64_t random = prim_random(seed);
    return random % 3 == 0 ? edges[random / 3 % 8] : prim_random(seed) >> random / 3 % 64;
}

static void check_u64(struct prim_case *test)
{
    if (test->rows != 1) {
        return;
    }
    uint64_t pairs[U64_PAIRS * 2];
    for (size_t i = 0; i < U64_PAIRS * 2; i++) {
        pairs[i] = edge_number(&test->seed);
    }
    struct fgi_gpu_column_memory source = prim_column(test, pairs, U64_PAIRS, 16);
    struct fgi_gpu_column_memory target = prim_column(test, NULL, U64_PAIRS * 16, 16);
    const struct u64_push push = { fgi_gpu_column_push(&source.column),
                                   fgi_gpu_column_push(&target.column), U64_PAIRS };
    const struct fg_compute_use uses[] = { { .view = source.views[0], .access = FG_COMPUTE_READ },
                                           { .view = target.views[0],
                                             .access = FG_COMPUTE_WRITE } };
    prim_begin(test);
    assert_int_equal(fg_compute_graph_add(
                         test->graph, FG_COMPUTE_NODE(.name = "u64", .program.kernel = &u64_kernel,
                                                      .group_count = U64_PAIRS / 32 + 1,
                                                      .push = &push, .uses = uses, .use_count = 2)),
                     FG_OK);
    prim_run(test);
    uint64_t *got = prim_read(test, &target, U64_PAIRS * 16);
    for (size_t i = 0; i < U64_PAIRS; i++) {
        uint64_t expected[U64_RESULTS];
        u64_expected(pairs[i * 2], pairs[i * 2 + 1], expected);
        for (size_t k = 0; k < U64_RESULTS; k++) {
            if (got[i * U64_RESULTS + k] != expected[k]) {
                print_message("result %zu of %#llx %#llx\n", k, (unsigned long long)pairs[i * 2],
                              (unsigned long long)pairs[i * 2 + 1]);
            }
            assert_int_equal(got[i * U64_RESULTS + k], expected[k]);
        }
    }
    free(got);
    prim_free(test, &target);
    prim_free(test, &source);
}

static void numbers_of_64_bits_are_those_of_the_host(void **state)
{
    (void)state;
    prim_each(&bed, check_u64);
}

/* Scans. */

static void expected_scan(enum fgi_scan_kind kind, bool inclusive, const void *source, void *target,
                          uint32_t count, uint64_t *out_total)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t value = kind == FGI_SCAN_SUM_U32 ? ((const uint32_t *)source)[i]
                                                        : ((const uint64_t *)source)[i];
        uint64_t after = before + value;
        if (kind == FGI_SCAN_MAX_U64) {
            after = value > before ? value : before;
        }
        if (kind == FGI_SCAN_SUM_U32) {
            after = (uint32_t)after;
            ((uint32_t *)target)[i] = (uint32_t)(inclusive ? after : before);
        } else {
            ((uint64_t *)target)[i] = inclusive ? after : before;
        }
        before = after;
    }
    *out_total = before;
}

/** One scan of `rows` rows, of which the device knows `known` (in place where `in_place`). */
static void check_one_scan(struct prim_case *test, enum fgi_scan_kind kind, bool inclusive,
                           bool in_place, uint32_t known)
{
    const uint32_t row_bytes = kind == FGI_SCAN_SUM_U32 ? 4 : 8;
    uint32_t *values = random_words(test, test->rows * 2, UINT32_MAX);
    uint64_t *expected = malloc(((size_t)test->rows + 1) * row_bytes);
    assert_non_null(expected);
    uint64_t total = 0;
    uint64_t got_total = 0;
    expected_scan(kind, inclusive, values, expected, known, &total);
    struct fgi_gpu_column_memory source = prim_column(test, values, test->rows, row_bytes);
    struct fgi_gpu_column_memory target = prim_column(test, values, test->rows, row_bytes);
    struct fg_compute_memory number = prim_number(test, known);
    struct fg_compute_memory sums = prim_view(test, fgi_scan_sums_bytes(bed.compute, test->rows));
    struct fg_compute_memory sum = prim_view(test, 8);
    const struct fgi_scan scan = {
        .kind = kind,
        .inclusive = inclusive,
        .source = in_place ? target.column : source.column,
        .target = target.column,
        .count = { .limit = test->rows,
                   .device = known == test->rows ? (struct fg_compute_view){ 0 } : number.view },
        .total = sum.view,
        .sums = sums.view,
    };
    prim_begin(test);
    assert_int_equal(fgi_scan(&test->work, &scan), FG_OK);
    prim_run(test);
    uint8_t *got = prim_read(test, &target, test->rows);
    assert_memory_equal(got, expected, (size_t)known * row_bytes);
    assert_memory_equal(got + (size_t)known * row_bytes,
                        (uint8_t *)values + (size_t)known * row_bytes,
                        (size_t)(test->rows - known) * row_bytes);
    compute_bed_read(&bed, fg_compute_view_part(sum.view, 0, row_bytes), &got_total);
    assert_int_equal(got_total, total);
    free(got);
    free(expected);
    free(values);
    prim_view_free(test, &sum);
    prim_view_free(test, &sums);
    prim_view_free(test, &number);
    prim_free(test, &target);
    prim_free(test, &source);
}

static void check_scans(struct prim_case *test)
{
    for (unsigned kind = FGI_SCAN_SUM_U32; kind <= FGI_SCAN_MAX_U64; kind++) {
        const uint64_t random = prim_random(&test->seed);
        check_one_scan(test, kind, (random & 1) != 0, (random & 2) != 0, test->rows);
        check_one_scan(test, kind, (random & 1) == 0, (random & 4) != 0,
                       (uint32_t)(random / 8 % (test->rows + 1)));
    }
}

static void scans_are_those_of_the_host(void **state)
{
    (void)state;
    prim_each(&bed, check_scans);
}

/* Masks and compaction. */

static bool bit_of(const uint32_t *mask, uint32_t row)
{
    return (mask[row / 32] >> row % 32 & 1) != 0;
}

/** Sparse, dense, empty or full. */
static uint32_t *random_flags(struct prim_case *test)
{
    const unsigned thinness = (unsigned)(prim_random(&test->seed) % 4);
    uint32_t *flags = random_words(test, test->rows, UINT32_MAX);
    for (uint32_t i = 0; i < test->rows; i++) {
        const uint32_t kinds[] = { flags[i] % 2, flags[i] % 97 == 0, 0, flags[i] | 1 };
        flags[i] = kinds[thinness];
    }
    return flags;
}

static void check_masks(struct prim_case *test)
{
    const uint32_t rows = test->rows;
    const uint32_t words = fgi_mask_words(rows);
    const struct fgi_count all = { .limit = rows };
    uint32_t *flags = random_flags(test);
    /* A permutation of the rows, and one name that is none. */
    uint32_t *order = malloc(((size_t)rows + 1) * sizeof *order);
    assert_non_null(order);
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t at = (uint32_t)(prim_random(&test->seed) % (i + 1));
        order[i] = order[at];
        order[at] = i;
    }
    uint32_t missing = UINT32_MAX;
    if (rows > 2) {
        missing = order[rows / 2];
        order[rows / 2] = UINT32_MAX;
    }
    struct fgi_gpu_column_memory flag_column = prim_column(test, flags, rows, 4);
    struct fgi_gpu_column_memory order_column = prim_column(test, order, rows, 4);
    struct fgi_gpu_column_memory mask = prim_column(test, NULL, words, 4);
    struct fgi_gpu_column_memory gathered = prim_column(test, NULL, words, 4);
    struct fgi_gpu_column_memory scattered = prim_column(test, NULL, words, 4);
    struct fgi_gpu_column_memory named = prim_column(test, NULL, words, 4);
    struct fgi_gpu_column_memory mixed[4];
    prim_begin(test);
    assert_int_equal(fgi_mask_of_flags(&test->work, &flag_column.column, all, &mask.column), FG_OK);
    assert_int_equal(fgi_mask_gather(&test->work, &mask.column, rows, &order_column.column, all,
                                     &gathered.column),
                     FG_OK);
    assert_int_equal(fgi_mask_scatter(&test->work, &gathered.column, &order_column.column, all,
                                      &scattered.column, rows),
                     FG_OK);
    assert_int_equal(
        fgi_mask_scatter(&test->work, NULL, &order_column.column, all, &named.column, rows), FG_OK);
    for (unsigned logic = 0; logic < 4; logic++) {
        mixed[logic] = prim_column(test, NULL, words, 4);
        assert_int_equal(fgi_mask_combine(&test->work, logic, &mask.column, &gathered.column, rows,
                                          &mixed[logic].column),
                         FG_OK);
    }
    prim_run(test);
    uint32_t *got = prim_read(test, &mask, words);
    uint32_t *got_gathered = prim_read(test, &gathered, words);
    uint32_t *got_scattered = prim_read(test, &scattered, words);
    uint32_t *got_named = prim_read(test, &named, words);
    for (uint32_t i = 0; i < words * 32; i++) {
        const bool flag = i < rows && flags[i] != 0;
        assert_int_equal(bit_of(got, i), flag);
        assert_int_equal(bit_of(got_gathered, i),
                         i < rows && order[i] != UINT32_MAX && flags[order[i]] != 0);
        assert_int_equal(bit_of(got_scattered, i), flag && i != missing);
        assert_int_equal(bit_of(got_named, i), i < rows && i != missing);
    }
    for (unsigned logic = 0; logic < 4; logic++) {
        uint32_t *got_mixed = prim_read(test, &mixed[logic], words);
        for (uint32_t i = 0; i < words; i++) {
            const uint32_t a = got[i];
            const uint32_t b = got_gathered[i];
            const uint32_t expected[] = { a & b, a | b, a & ~b, a ^ b };
            assert_int_equal(got_mixed[i], expected[logic]);
        }
        free(got_mixed);
        prim_free(test, &mixed[logic]);
    }
    free(got_named);
    free(got_scattered);
    free(got_gathered);
    free(got);
    prim_free(test, &named);
    prim_free(test, &scattered);
    prim_free(test, &gathered);
    prim_free(test, &mask);
    prim_free(test, &order_column);
    prim_free(test, &flag_column);
    free(order);
    free(flags);
}

static void masks_have_a_bit_for_each_row(void **state)
{
    (void)state;
    prim_each(&bed, check_masks);
}

static void check_planes(struct prim_case *test)
{
    const uint32_t rows = test->rows;
    const uint32_t plane_words = fgi_mask_words(rows) + 3;
    const uint32_t wanted = UINT32_C(0x80010405);
    uint32_t *words = random_words(test, rows, UINT32_MAX);
    struct fgi_gpu_column_memory source = prim_column(test, words, rows, 4);
    struct fgi_gpu_column_memory planes = prim_column(test, NULL, plane_words * 32, 4);
    prim_begin(test);
    assert_int_equal(
        fgi_mask_planes(&test->work, &source.column, rows, wanted, plane_words, &planes.column),
        FG_OK);
    prim_run(test);
    uint32_t *got = prim_read(test, &planes, plane_words * 32);
    for (uint32_t plane = 0; plane < 32; plane++) {
        const uint32_t *mask = got + (size_t)plane * plane_words;
        for (uint32_t i = 0; i < plane_words * 32; i++) {
            if ((wanted >> plane & 1) == 0 || i >= fgi_mask_words(rows) * 32) {
                assert_int_equal(mask[i / 32], UINT32_C(0xa5a5a5a5));
            } else {
                assert_int_equal(bit_of(mask, i), i < rows && (words[i] >> plane & 1) != 0);
            }
        }
    }
    free(got);
    free(words);
    prim_free(test, &planes);
    prim_free(test, &source);
}

static void a_plane_has_one_bit_of_each_word(void **state)
{
    (void)state;
    prim_each(&bed, check_planes);
}

static void check_compaction(struct prim_case *test)
{
    const uint32_t rows = test->rows;
    const uint32_t known = (uint32_t)(prim_random(&test->seed) % (rows + 1));
    const uint32_t words = fgi_mask_words(rows);
    const unsigned dense = (unsigned)(prim_random(&test->seed) % 3);
    uint32_t *mask = random_words(test, words, UINT32_MAX);
    for (uint32_t i = 0; i < words && dense == 0; i++) {
        mask[i] = mask[i] % 50 == 0 ? 1u << mask[i] % 31 : 0;
    }
    uint32_t *payload = random_words(test, rows, UINT32_MAX);
    uint32_t *expected = malloc(((size_t)rows + 1) * sizeof *expected);
    assert_non_null(expected);
    uint32_t total = 0;
    for (uint32_t i = 0; i < known; i++) {
        if (bit_of(mask, i)) {
            expected[total++] = dense == 1 ? payload[i] : i;
        }
    }
    /* Sometimes there is less room than rows. */
    const uint32_t capacity = dense == 2 ? total / 2 : total;
    struct fgi_gpu_column_memory mask_column = prim_column(test, mask, words, 4);
    struct fgi_gpu_column_memory payload_column = prim_column(test, payload, rows, 4);
    struct fgi_gpu_column_memory target = prim_column(test, NULL, capacity, 4);
    struct fg_compute_memory number = prim_number(test, known);
    struct fg_compute_memory sums = prim_view(test, fgi_compact_sums_bytes(bed.compute, rows));
    struct fg_compute_memory count = prim_view(test, 4);
    const struct fgi_compact compact = {
        .mask = mask_column.column,
        .count = { .limit = rows, .device = number.view },
        .payload = dense == 1 ? payload_column.column : (struct fgi_gpu_column){ 0 },
        .target = target.column,
        .capacity = capacity,
        .total = count.view,
        .sums = sums.view,
    };
    prim_begin(test);
    assert_int_equal(fgi_compact(&test->work, &compact), FG_OK);
    prim_run(test);
    uint32_t got_total = 0;
    uint32_t *got = prim_read(test, &target, capacity);
    compute_bed_read(&bed, count.view, &got_total);
    assert_int_equal(got_total, total);
    assert_memory_equal(got, expected, (size_t)capacity * sizeof *got);
    free(got);
    free(expected);
    free(payload);
    free(mask);
    prim_view_free(test, &count);
    prim_view_free(test, &sums);
    prim_view_free(test, &number);
    prim_free(test, &target);
    prim_free(test, &payload_column);
    prim_free(test, &mask_column);
}

static void compaction_keeps_the_order_and_counts_exactly(void **state)
{
    (void)state;
    prim_each(&bed, check_compaction);
}

static void indirect_arguments_are_folded(void **state)
{
    (void)state;
    static const uint32_t limits[] = { 0, 5, 100 };
    static const uint32_t counts[] = { 0, 1, 64, 65, 320, 321, 1599, 1600, 1601, 6000 };
    struct prim_case test = { .bed = &bed };
    for (size_t k = 0; k < 3; k++) {
        bed.options.flags = 0;
        bed.options.group_size = 0;
        bed.options.group_limit = limits[k];
        compute_bed_renew(&bed);
        const uint32_t limit = fg_compute_get_facts(bed.compute)->group_limit;
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            struct fg_compute_memory number = prim_number(&test, counts[i]);
            struct fg_compute_memory dispatch = prim_view(&test, sizeof(VkDispatchIndirectCommand));
            struct fg_compute_memory draw = prim_view(&test, sizeof(VkDrawIndirectCommand));
            const struct fgi_arguments arguments = { .count = { 5000, number.view },
                                                     .rows_of_group = 64,
                                                     .dispatch = dispatch.view,
                                                     .vertex_count = 6,
                                                     .draw = draw.view };
            VkDispatchIndirectCommand groups;
            VkDrawIndirectCommand instances;
            prim_begin(&test);
            assert_int_equal(fgi_arguments(&test.work, &arguments), FG_OK);
            prim_run(&test);
            compute_bed_read(&bed, dispatch.view, &groups);
            compute_bed_read(&bed, draw.view, &instances);
            const uint32_t count = counts[i] < 5000 ? counts[i] : 5000;
            const uint32_t wanted = (count + 63) / 64;
            assert_true(groups.x <= limit && groups.y <= limit && groups.z <= limit);
            assert_true(groups.x * groups.y * groups.z >= wanted);
            assert_true(wanted > 0 || groups.x == 0);
            assert_true(wanted > limit || (groups.x == wanted && groups.y == 1 && groups.z == 1));
            assert_int_equal(instances.vertexCount, 6);
            assert_int_equal(instances.instanceCount, count);
            assert_int_equal(instances.firstVertex, 0);
            assert_int_equal(instances.firstInstance, 0);
            prim_view_free(&test, &draw);
            prim_view_free(&test, &dispatch);
            prim_view_free(&test, &number);
        }
    }
    assert_int_equal(bed.messages, 0);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct prim_case test = { .bed = &bed, .shift = 8 };
    bed.options.group_limit = 0;
    compute_bed_renew(&bed);
    struct fgi_gpu_column_memory column = prim_column(&test, NULL, 512, 4);
    struct fg_compute_memory sums = prim_view(&test, 16);
    struct fgi_scan scan = { .kind = FGI_SCAN_SUM_U32,
                             .source = column.column,
                             .target = column.column,
                             .count.limit = 513,
                             .sums = sums.view };
    prim_begin(&test);
    assert_int_equal(fgi_scan(&test.work, &scan), FG_ERR_ARGUMENT);
    scan.count.limit = 512;
    scan.kind = FGI_SCAN_SUM_U64;
    assert_int_equal(fgi_scan(&test.work, &scan), FG_ERR_ARGUMENT);
    scan.kind = FGI_SCAN_SUM_U32;
    scan.sums.size_bytes = 0;
    assert_int_equal(fgi_scan(&test.work, &scan), FG_ERR_ARGUMENT);
    scan.sums = sums.view;
    assert_int_equal(fgi_scan(&test.work, &scan), FG_OK);
    prim_run(&test);
    prim_view_free(&test, &sums);
    prim_free(&test, &column);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_64_bits_are_those_of_the_host),
        cmocka_unit_test(scans_are_those_of_the_host),
        cmocka_unit_test(masks_have_a_bit_for_each_row),
        cmocka_unit_test(a_plane_has_one_bit_of_each_word),
        cmocka_unit_test(compaction_keeps_the_order_and_counts_exactly),
        cmocka_unit_test(indirect_arguments_are_folded),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
