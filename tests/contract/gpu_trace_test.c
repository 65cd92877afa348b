/* SPDX-License-Identifier: MIT */
/*
 * A trace on the device, in the smallest chunks there are: what arrives, in parts; filters composed
 * with a mask that is made on the device; populations against plain loops; what is touched is made
 * again, and nothing else.
 */
#include "compute_bed.h"
#include "engine/vulkan/gpu_columns.h"
#include "plain_trace.h"
#include "support/cmocka_all.h"
#include "trace/model.h"
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 12, CHUNK_ROWS = 256 };

static struct compute_bed bed;
static struct plain_trace plain;

/** A trace on the device, and what brings it there. */
struct scene {
    struct fg_gpu_trace *gpu;
    struct fg_compute_ring *ring;
    struct fg_compute_graph *graph;
    struct fg_compute_sink sink;
    uint64_t serial;
    uint32_t rows;
};

static struct scene open_scene(uint64_t seed)
{
    struct scene s = { 0 };
    plain_make(&plain, seed);
    assert_int_equal(fg_gpu_trace_create(
                         FG_GPU_TRACE_OPTIONS(.compute = bed.compute, .trace = plain.trace,
                                              .chunk_rows = CHUNK_ROWS, .upload_rows = CHUNK_ROWS),
                         &s.gpu),
                     FG_OK);
    assert_int_equal(fg_compute_ring_create(bed.compute, FG_COMPUTE_UPLOAD, 1 << 16, &s.ring),
                     FG_OK);
    assert_int_equal(fg_compute_graph_create(bed.compute, NULL, &s.graph), FG_OK);
    s.sink = fg_compute_graph_sink(s.graph);
    s.rows = fgi_trace_rows(plain.trace);
    return s;
}

static void close_scene(struct scene *s)
{
    fg_compute_graph_destroy(s->graph);
    fg_compute_ring_destroy(s->ring);
    fg_gpu_trace_destroy(s->gpu);
    plain_finish(&plain);
}

static void run(struct scene *s)
{
    compute_bed_run(&bed, s->graph);
    fg_compute_graph_clear(s->graph);
}

/** One step of an upload; false when all is there. */
static bool upload(struct scene *s, uint64_t max_bytes)
{
    enum fg_result result = fg_gpu_trace_upload(s->gpu, &s->sink, s->ring, ++s->serial, max_bytes);
    if (result == FG_ERR_NOT_FOUND) {
        return false;
    }
    assert_int_equal(result, FG_OK);
    run(s);
    fg_compute_ring_complete(s->ring, s->serial);
    return true;
}

static void upload_all(struct scene *s)
{
    while (upload(s, 0)) {
    }
}

static void *read_column(const struct fgi_gpu_column *column, uint64_t rows)
{
    uint64_t left = rows * column->row_bytes;
    char *bytes = malloc((size_t)left + 1);
    assert_non_null(bytes);
    char *into = bytes;
    for (uint32_t i = 0; left > 0; i++) {
        struct fg_compute_view view = column->chunks[i];
        view.size_bytes = left < view.size_bytes ? left : view.size_bytes;
        compute_bed_read(&bed, view, into);
        into += view.size_bytes;
        left -= view.size_bytes;
    }
    return bytes;
}

static uint32_t read_word(struct fg_compute_view view, uint32_t at)
{
    uint32_t word = 0;
    compute_bed_read(&bed, fg_compute_view_part(view, at * sizeof word, sizeof word), &word);
    return word;
}

static uint32_t judge(struct scene *s, struct fg_gpu_filter *filter)
{
    assert_int_equal(fg_gpu_filter_judge(filter, &s->sink), FG_OK);
    run(s);
    return read_word(fg_gpu_filter_count(filter), 0);
}

/* ---- populations ----------------------------------------------------------------------------- */

static void check_batch(const struct fg_gpu_batch *batch, const uint32_t *rows, uint32_t count)
{
    struct fgi_cursor cursor = fgi_trace_cursor(plain.trace);
    struct fg_gpu_batch b = { .least_start_ns = INT64_MAX,
                              .greatest_end_ns = INT64_MIN,
                              .all_classes = UINT32_MAX,
                              .first_lane = UINT32_MAX };
    for (uint32_t i = 0; i < count; i++) {
        assert_true(fgi_cursor_at(&cursor, rows[i]));
        const uint32_t at = rows[i] - cursor.first_row;
        const int64_t start = cursor.block->start_ns[at];
        const int64_t end = cursor.block->end_ns[at];
        const struct fgi_kind *kind = fgi_block_kind(cursor.block, at);
        const uint32_t lane = cursor.block->lane[at];
        b.least_start_ns = start < b.least_start_ns ? start : b.least_start_ns;
        b.greatest_end_ns = end > b.greatest_end_ns ? end : b.greatest_end_ns;
        b.longest_ns =
            fgi_duration(start, end) > b.longest_ns ? fgi_duration(start, end) : b.longest_ns;
        b.any_classes |= kind->classes;
        b.all_classes &= kind->classes;
        b.first_lane = lane < b.first_lane ? lane : b.first_lane;
        b.end_lane = lane + 1 > b.end_lane ? lane + 1 : b.end_lane;
        b.statuses |= 1u << kind->status;
    }
    fgi_cursor_finish(&cursor);
    assert_memory_equal(batch, &b, sizeof b);
}

/** All columns of a population against its rows, which are given. */
static void check_population(struct scene *s, const struct fg_gpu_population *p,
                             const uint32_t *rows, uint32_t count)
{
    const struct fgi_gpu_column *columns = p->columns;
    uint32_t *got = read_column(&columns[FG_GPU_POPULATION_ROWS], count);
    int64_t *start = read_column(&columns[FG_GPU_POPULATION_START], count);
    int64_t *end = read_column(&columns[FG_GPU_POPULATION_END], count);
    uint64_t *prefix = read_column(&columns[FG_GPU_POPULATION_PREFIX], (uint64_t)count + 1);
    uint32_t lanes = s->gpu->counts.lanes;
    uint32_t *first = read_column(&columns[FG_GPU_POPULATION_LANE_FIRST], (uint64_t)lanes + 1);
    struct fg_gpu_batch *batches =
        read_column(&columns[FG_GPU_POPULATION_BATCHES], ((uint64_t)p->batch_count + 1) * 3 - 3);
    struct fgi_cursor cursor = fgi_trace_cursor(plain.trace);
    uint64_t sum = 0;
    uint32_t lane = 0;
    assert_int_equal(fg_gpu_population_count(p), count);
    assert_memory_equal(got, rows, count * sizeof *rows);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(fgi_cursor_at(&cursor, rows[i]));
        const uint32_t at = rows[i] - cursor.first_row;
        assert_true(start[i] == cursor.block->start_ns[at] && end[i] == cursor.block->end_ns[at]);
        assert_true(prefix[i] == sum);
        sum += fgi_duration(start[i], end[i]);
        for (; lane <= cursor.block->lane[at]; lane++) {
            assert_int_equal(first[lane], i);
        }
    }
    for (; lane <= lanes; lane++) {
        assert_int_equal(first[lane], count);
    }
    assert_true(prefix[count] == sum);
    for (uint32_t b = 0; b < p->batch_count; b++) {
        const uint32_t left = count - b * FG_GPU_BATCH_ROWS;
        check_batch(&batches[b], rows + (size_t)b * FG_GPU_BATCH_ROWS,
                    left < FG_GPU_BATCH_ROWS ? left : FG_GPU_BATCH_ROWS);
    }
    assert_int_equal(read_word(fg_gpu_population_state(p), 0), 0);
    fgi_cursor_finish(&cursor);
    void *all[] = { got, start, end, prefix, first, batches };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]);
    }
}

static void populations_are_the_rows_in_lane_order_with_sums_and_batches(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene s = open_scene(seed);
        struct fg_gpu_population *all = NULL;
        upload_all(&s);
        assert_true(s.gpu->counts.is_complete);
        assert_int_equal(fg_gpu_population_create(s.gpu, NULL, s.rows, 0, &all), FG_OK);
        assert_int_equal(fg_gpu_population_build(all, &s.sink), FG_OK);
        run(&s);
        check_population(&s, all, plain.trace->lane_rows, s.rows);
        fg_gpu_population_destroy(all);
        close_scene(&s);
    }
}

static void what_arrives_in_parts_is_there_at_once_and_nothing_else(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene s = open_scene(seed);
        struct fg_gpu_filter *filter = NULL;
        const struct fg_filter_terms none = { 0 };
        assert_int_equal(fg_gpu_filter_create(s.gpu, &none, NULL, &filter), FG_OK);
        uint32_t before = 0;
        while (upload(&s, 1)) {
            const uint32_t there = s.gpu->counts.resident_rows;
            assert_true(there >= before && there <= before + CHUNK_ROWS);
            assert_int_equal(judge(&s, filter), there);
            before = there;
        }
        assert_int_equal(before, s.rows);
        fg_gpu_filter_destroy(filter);
        close_scene(&s);
    }
}

static void a_mask_made_on_the_device_composes_with_the_terms(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene s = open_scene(seed);
        const uint32_t words = fgi_mask_words(s.rows) + 1;
        uint32_t *bits = calloc(words, sizeof *bits);
        uint32_t *rows = calloc((size_t)s.rows + 1, sizeof *rows);
        assert_true(bits && rows);
        for (uint32_t i = 0; i < words; i++) {
            bits[i] = (uint32_t)plain_random(&plain);
        }
        struct fg_compute_memory mask =
            compute_bed_memory(&bed, bits, (uint64_t)words * sizeof *bits);
        const struct fg_filter_terms terms = { .min_duration_ns = 2 };
        struct fg_gpu_filter *filter = NULL;
        struct fg_gpu_population *population = NULL;
        upload_all(&s);
        assert_int_equal(fg_gpu_filter_create(s.gpu, &terms, &mask.view, &filter), FG_OK);
        struct fgi_cursor cursor = fgi_trace_cursor(plain.trace);
        uint32_t count = 0;
        for (uint32_t i = 0; i < s.rows; i++) {
            const uint32_t row = plain.trace->lane_rows[i];
            assert_true(fgi_cursor_at(&cursor, row));
            const uint64_t duration =
                fgi_duration(fgi_cursor_start(&cursor, row), fgi_cursor_end(&cursor, row));
            if ((bits[row / 32] >> (row % 32) & 1) != 0 && duration >= 2) {
                rows[count++] = row;
            }
        }
        fgi_cursor_finish(&cursor);
        assert_int_equal(judge(&s, filter), count);
        assert_int_equal(fg_gpu_population_create(s.gpu, filter, count, 0, &population), FG_OK);
        assert_int_equal(fg_gpu_population_build(population, &s.sink), FG_OK);
        run(&s);
        check_population(&s, population, rows, count);
        fg_gpu_population_destroy(population);
        fg_gpu_filter_destroy(filter);
        fg_compute_memory_free(bed.compute, &mask);
        free(bits);
        free(rows);
        close_scene(&s);
    }
}

/** Work that was added before an upload does not see its rows, though both run together. */
static void rows_are_there_for_what_comes_behind_them_and_for_nothing_else(void **state)
{
    struct scene s = { 0 };
    const struct fg_filter_terms none = { 0 };
    struct fg_gpu_filter *first = NULL, *second = NULL;
    uint32_t there = 0;
    (void)state;
    for (uint64_t seed = 1; s.rows <= 2 * CHUNK_ROWS; seed++) {
        if (s.gpu) {
            close_scene(&s);
        }
        s = open_scene(seed);
    }
    assert_int_equal(fg_gpu_filter_create(s.gpu, &none, NULL, &first), FG_OK);
    assert_int_equal(fg_gpu_filter_create(s.gpu, &none, NULL, &second), FG_OK);
    while ((there = s.gpu->counts.resident_rows) == 0) {
        assert_true(upload(&s, 1));
    }
    assert_int_equal(fg_gpu_filter_judge(first, &s.sink), FG_OK);
    assert_int_equal(fg_gpu_trace_upload(s.gpu, &s.sink, s.ring, ++s.serial, 1), FG_OK);
    assert_int_equal(fg_gpu_filter_judge(second, &s.sink), FG_OK);
    run(&s);
    fg_compute_ring_complete(s.ring, s.serial);
    assert_int_equal(read_word(fg_gpu_filter_count(first), 0), there);
    assert_int_equal(read_word(fg_gpu_filter_count(second), 0), s.gpu->counts.resident_rows);
    assert_true(s.gpu->counts.resident_rows > there);
    fg_gpu_filter_destroy(second);
    fg_gpu_filter_destroy(first);
    close_scene(&s);
}

/** Batches of all levels that have rows of the pieces before this row. */
static uint32_t batches_of_rows_below(const uint32_t *rows, uint32_t count, uint32_t end_row)
{
    uint32_t level = (count + FG_GPU_BATCH_ROWS - 1) / FG_GPU_BATCH_ROWS;
    uint8_t *dirty = calloc((size_t)level + 1, 1);
    uint32_t made = 0;
    assert_non_null(dirty);
    for (uint32_t i = 0; i < count; i++) {
        dirty[i / FG_GPU_BATCH_ROWS] |= rows[i] < end_row;
    }
    for (;;) {
        for (uint32_t b = 0; b < level; b++) {
            made += dirty[b];
        }
        if (level <= 1) {
            free(dirty);
            return made;
        }
        for (uint32_t b = 0; b < level; b++) {
            const uint8_t is_dirty = dirty[b];
            dirty[b] = 0;
            dirty[b / FG_GPU_BATCH_FAN] |= is_dirty;
        }
        level = (level + FG_GPU_BATCH_FAN - 1) / FG_GPU_BATCH_FAN;
    }
}

/** Each of two refreshes makes what changed before it, though both run in one submission. */
static void refreshes_in_one_submission_have_pieces_of_their_own(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene s = open_scene(seed);
        struct fg_gpu_population *all = NULL;
        upload_all(&s);
        assert_int_equal(fg_gpu_population_create(s.gpu, NULL, s.rows, 0, &all), FG_OK);
        assert_int_equal(fg_gpu_population_build(all, &s.sink), FG_OK);
        run(&s);
        for (uint32_t i = 0; i < fg_gpu_population_chunk_count(all, FG_GPU_POPULATION_BATCHES);
             i++) {
            const struct fg_compute_view chunk =
                fg_gpu_population_chunk(all, FG_GPU_POPULATION_BATCHES, i);
            void *spoiled = calloc(1, (size_t)chunk.size_bytes);
            assert_non_null(spoiled);
            compute_bed_write(&bed, chunk, spoiled);
            free(spoiled);
        }
        const uint32_t half = s.rows / 2 / CHUNK_ROWS * CHUNK_ROWS;
        for (int part = 0; part < 2 && s.rows > 0; part++) {
            assert_int_equal(
                fg_gpu_trace_touch(s.gpu, part == 0 ? 0 : half, part == 0 ? half : s.rows - half),
                FG_OK);
            while (s.gpu->touched_count > 0) {
                assert_int_equal(fg_gpu_trace_upload(s.gpu, &s.sink, s.ring, ++s.serial, 0), FG_OK);
            }
            assert_int_equal(fg_gpu_population_refresh(all, &s.sink), FG_OK);
        }
        run(&s);
        fg_compute_ring_complete(s.ring, s.serial);
        check_population(&s, all, plain.trace->lane_rows, s.rows);
        fg_gpu_population_destroy(all);
        close_scene(&s);
    }
}

static void only_batches_of_rows_that_were_touched_are_made_again(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene s = open_scene(seed);
        struct fg_gpu_population *all = NULL;
        upload_all(&s);
        assert_int_equal(fg_gpu_population_create(s.gpu, NULL, s.rows, 0, &all), FG_OK);
        assert_int_equal(fg_gpu_population_build(all, &s.sink), FG_OK);
        run(&s);
        const uint64_t uploaded = s.gpu->counts.uploaded_bytes;
        assert_int_equal(fg_gpu_population_refresh(all, &s.sink), FG_OK);
        run(&s);
        assert_int_equal(read_word(fg_gpu_population_state(all), 1), 0);
        /* Bytes of the first piece are spoiled, and come back. */
        if (s.rows > 0) {
            const struct fg_compute_view chunk = fg_gpu_trace_chunk(s.gpu, FG_GPU_COLUMN_START, 0);
            void *spoiled = calloc(1, (size_t)chunk.size_bytes);
            assert_non_null(spoiled);
            compute_bed_write(&bed, chunk, spoiled);
            free(spoiled);
            assert_int_equal(fg_gpu_trace_touch(s.gpu, 0, 1), FG_OK);
            upload_all(&s);
            assert_true(s.gpu->counts.uploaded_bytes - uploaded <= CHUNK_ROWS * 40);
            assert_int_equal(fg_gpu_population_refresh(all, &s.sink), FG_OK);
            run(&s);
            assert_int_equal(read_word(fg_gpu_population_state(all), 1),
                             batches_of_rows_below(plain.trace->lane_rows, s.rows, CHUNK_ROWS));
        }
        check_population(&s, all, plain.trace->lane_rows, s.rows);
        fg_gpu_population_destroy(all);
        close_scene(&s);
    }
}

/** Through the public face alone. */
static void what_is_taken_is_told_before_and_masks_are_read_by_chunks(void **state)
{
    (void)state;
    struct scene s = open_scene(3);
    const struct fg_gpu_trace_options *options =
        FG_GPU_TRACE_OPTIONS(.compute = bed.compute, .trace = plain.trace,
                             .chunk_rows = CHUNK_ROWS);
    struct fg_gpu_trace_memory memory;
    struct fg_gpu_population *all = NULL;
    struct fg_gpu_filter *filter = NULL;
    uint64_t bytes = 0, passing = 0;
    upload_all(&s);
    assert_int_equal(fg_gpu_trace_preflight(options, &memory), FG_OK);
    for (uint32_t c = 0; c < FG_GPU_COLUMNS; c++) {
        const uint32_t chunks = fg_gpu_trace_chunk_count(s.gpu, (enum fg_gpu_column)c);
        for (uint32_t i = 0; i < chunks; i++) {
            bytes += fg_gpu_trace_chunk(s.gpu, (enum fg_gpu_column)c, i).size_bytes;
        }
    }
    assert_true(memory.columns_bytes >= bytes && memory.largest_bytes <= CHUNK_ROWS * 8);
    assert_int_equal(fg_gpu_population_create(s.gpu, NULL, s.rows, 0, &all), FG_OK);
    bytes = 0;
    /* Of all rows the first column is the trace's own. */
    for (uint32_t c = FG_GPU_POPULATION_START; c < FG_GPU_POPULATION_COLUMNS; c++) {
        const enum fg_gpu_population_column column = (enum fg_gpu_population_column)c;
        for (uint32_t i = 0; i < fg_gpu_population_chunk_count(all, column); i++) {
            bytes += fg_gpu_population_chunk(all, column, i).size_bytes;
        }
    }
    assert_true(memory.population_bytes >= bytes);
    const struct fg_filter_terms terms = { .min_duration_ns = 2 };
    assert_int_equal(fg_gpu_filter_create(s.gpu, &terms, NULL, &filter), FG_OK);
    const uint32_t count = judge(&s, filter);
    bytes = 0;
    for (uint32_t i = 0; i < fg_gpu_filter_chunk_count(filter); i++) {
        const struct fg_compute_view chunk = fg_gpu_filter_chunk(filter, i);
        for (uint32_t word = 0; word < chunk.size_bytes / 4; word++) {
            uint32_t bits = bytes / 4 + word < fgi_mask_words(s.rows) ? read_word(chunk, word) : 0;
            for (; bits != 0; bits &= bits - 1) {
                passing++;
            }
        }
        bytes += chunk.size_bytes;
    }
    assert_true(memory.mask_bytes >= fgi_mask_words(s.rows) * UINT64_C(4));
    assert_true(count > 0 && count < s.rows);
    assert_int_equal(passing, count);
    fg_gpu_filter_destroy(filter);
    fg_gpu_population_destroy(all);
    close_scene(&s);
}

static void a_wrong_order_is_told_and_hides_nothing(void **state)
{
    (void)state;
    struct scene s = open_scene(3);
    struct fg_gpu_population *all = NULL;
    upload_all(&s);
    assert_true(s.rows >= 2);
    uint32_t *rows = read_column(&s.gpu->lane_rows.column, s.rows < 256 ? s.rows : 256);
    rows[0] = UINT32_MAX;
    compute_bed_write(&bed, fg_compute_view_part(s.gpu->lane_rows.column.chunks[0], 0, 4), rows);
    assert_int_equal(fg_gpu_population_create(s.gpu, NULL, s.rows, 0, &all), FG_OK);
    assert_int_equal(fg_gpu_population_build(all, &s.sink), FG_OK);
    run(&s);
    struct fg_gpu_batch *batch = read_column(&all->columns[FG_GPU_POPULATION_BATCHES], 3);
    assert_true((read_word(fg_gpu_population_state(all), 0) & FG_GPU_BATCH_ROW) != 0);
    assert_true((batch->faults & FG_GPU_BATCH_ROW) != 0);
    assert_true(batch->least_start_ns == INT64_MIN && batch->greatest_end_ns == INT64_MAX);
    free(batch);
    free(rows);
    fg_gpu_population_destroy(all);
    close_scene(&s);
}

static int open_bed(void **state)
{
    (void)state;
    return compute_bed_create(&bed, 0) ? 0 : -1;
}

static int close_bed(void **state)
{
    (void)state;
    compute_bed_destroy(&bed);
    return bed.messages > 0 ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(populations_are_the_rows_in_lane_order_with_sums_and_batches),
        cmocka_unit_test(what_arrives_in_parts_is_there_at_once_and_nothing_else),
        cmocka_unit_test(a_mask_made_on_the_device_composes_with_the_terms),
        cmocka_unit_test(what_is_taken_is_told_before_and_masks_are_read_by_chunks),
        cmocka_unit_test(rows_are_there_for_what_comes_behind_them_and_for_nothing_else),
        cmocka_unit_test(only_batches_of_rows_that_were_touched_are_made_again),
        cmocka_unit_test(refreshes_in_one_submission_have_pieces_of_their_own),
        cmocka_unit_test(a_wrong_order_is_told_and_hides_nothing),
    };
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}
