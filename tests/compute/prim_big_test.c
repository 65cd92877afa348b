/* SPDX-License-Identifier: MIT */
/*
 * More rows than a dispatch of one dimension has groups for, and more than a chunk of 64 MiB holds:
 * 33 million bits and 20 million words. What is expected is known without doing the same again.
 */
#include "prim_bed.h"

#include <cmocka_all.h>
#include <stdlib.h>

enum { BITS = 33000017, WORDS = 20000003, EVERY = 4093 };

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

static void fill(struct fg_compute_graph *graph, const struct fgi_gpu_column *column, uint32_t word)
{
    for (uint32_t i = 0; i < column->chunk_count; i++) {
        assert_int_equal(
            fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "fill", .kind = FG_COMPUTE_FILL,
                                                        .target = column->chunks[i], .word = word)),
            FG_OK);
    }
}

static void compaction_of_33_million_rows_finds_every_one(void **state)
{
    (void)state;
    struct prim_case test = { .bed = &bed };
    const uint32_t words = fgi_mask_words(BITS);
    const uint32_t expected = (BITS + EVERY - 1) / EVERY;
    uint32_t *mask = calloc(words, sizeof *mask);
    assert_non_null(mask);
    for (uint32_t row = 0; row < BITS; row += EVERY) {
        mask[row / 32] |= 1u << row % 32;
    }
    struct fgi_gpu_column_memory mask_column = prim_column(&test, mask, words, 4);
    struct fgi_gpu_column_memory target = prim_column(&test, NULL, expected, 4);
    struct fg_compute_memory sums = prim_view(&test, fgi_compact_sums_bytes(bed.compute, BITS));
    struct fg_compute_memory total = prim_view(&test, sizeof(uint32_t));
    const struct fgi_compact compact = { .mask = mask_column.column,
                                         .count.limit = BITS,
                                         .target = target.column,
                                         .capacity = expected,
                                         .total = total.view,
                                         .sums = sums.view };
    prim_begin(&test);
    assert_int_equal(fgi_compact(&test.work, &compact), FG_OK);
    prim_run(&test);
    uint32_t got_total = 0;
    uint32_t *got = prim_read(&test, &target, expected);
    compute_bed_read(&bed, total.view, &got_total);
    assert_int_equal(got_total, expected);
    for (uint32_t i = 0; i < expected; i++) {
        assert_int_equal(got[i], i * EVERY);
    }
    free(got);
    free(mask);
    prim_view_free(&test, &total);
    prim_view_free(&test, &sums);
    prim_free(&test, &target);
    prim_free(&test, &mask_column);
}

static void a_scan_goes_over_chunks_and_more_groups_than_a_dimension_has(void **state)
{
    (void)state;
    /* Ones everywhere: each row becomes its number. Two chunks, and a limit that folds thrice. */
    struct prim_case test = { .bed = &bed };
    bed.options.group_limit = 100;
    compute_bed_renew(&bed);
    struct fgi_gpu_column_memory column;
    assert_int_equal(fgi_gpu_column_take(bed.compute, NULL, WORDS, 4, 0, &column), FG_OK);
    assert_int_equal(column.column.chunk_count, 2);
    struct fg_compute_memory sums = prim_view(&test, fgi_scan_sums_bytes(bed.compute, WORDS));
    struct fg_compute_memory total = prim_view(&test, sizeof(uint32_t));
    const struct fgi_scan scan = { .kind = FGI_SCAN_SUM_U32,
                                   .source = column.column,
                                   .target = column.column,
                                   .count.limit = WORDS,
                                   .total = total.view,
                                   .sums = sums.view };
    prim_begin(&test);
    fill(test.graph, &column.column, 1);
    assert_int_equal(fgi_scan(&test.work, &scan), FG_OK);
    prim_run(&test);
    uint32_t got_total = 0;
    compute_bed_read(&bed, total.view, &got_total);
    assert_int_equal(got_total, WORDS);
    uint64_t wrong = 0;
    uint32_t row = 0;
    for (uint32_t i = 0; i < column.column.chunk_count; i++) {
        const struct fg_compute_view chunk = column.column.chunks[i];
        uint32_t *got = malloc(chunk.size_bytes);
        assert_non_null(got);
        compute_bed_read(&bed, chunk, got);
        for (uint32_t k = 0; k < chunk.size_bytes / sizeof *got && row < WORDS; k++) {
            wrong += got[k] != row++;
        }
        free(got);
    }
    assert_int_equal(row, WORDS);
    assert_int_equal(wrong, 0);
    prim_view_free(&test, &total);
    prim_view_free(&test, &sums);
    prim_free(&test, &column);
    assert_int_equal(bed.messages, 0);
}

static void more_groups_than_65535_run(void **state)
{
    (void)state;
    /* 16,842,752 words in groups of 256: 257 groups more than a dimension has. */
    enum { MANY = 65792 * 256 };
    struct prim_case test = { .bed = &bed };
    bed.options.group_limit = 0;
    compute_bed_renew(&bed);
    assert_true(fg_compute_get_facts(bed.compute)->group_size <= 256);
    struct fgi_gpu_column_memory mask;
    assert_int_equal(fgi_gpu_column_take(bed.compute, NULL, MANY, 4, 0, &mask), FG_OK);
    uint32_t *ends = calloc(1, mask.views[mask.chunk_count - 1].size_bytes);
    assert_non_null(ends);
    prim_begin(&test);
    fill(test.graph, &mask.column, 5);
    assert_int_equal(fgi_mask_combine(&test.work, FGI_MASK_XOR, &mask.column, &mask.column,
                                      (uint32_t)MANY * 32, &mask.column),
                     FG_OK);
    prim_run(&test);
    const struct fg_compute_view last = mask.views[mask.chunk_count - 1];
    compute_bed_read(&bed, last, ends);
    for (size_t i = 0; i < last.size_bytes / sizeof *ends; i++) {
        assert_int_equal(ends[i], 0);
    }
    free(ends);
    prim_free(&test, &mask);
    assert_int_equal(bed.messages, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compaction_of_33_million_rows_finds_every_one),
        cmocka_unit_test(a_scan_goes_over_chunks_and_more_groups_than_a_dimension_has),
        cmocka_unit_test(more_groups_than_65535_run),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
