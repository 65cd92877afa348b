/* SPDX-License-Identifier: MIT */
/*
 * Numbers for callers of the library against plain loops: what the caller's own mask leaves counts,
 * in groups, histogram, buckets, scores and reductions, and stages are published in order.
 */
#include "compute_bed.h"
#include "support/cmocka_all.h"
#include "trace/build.h"
#include "trace/model.h"
#include <frameglass/gpu_trace_numbers.h>
#include <string.h>

enum { SPANS = 3000, TRACKS = 3, NAMES = 5, BUCKETS = 7, STAGES = 3 };

static struct compute_bed bed;

/** A row as loops see it. */
struct plain {
    int64_t start, end;
    uint32_t name;
    bool is_open, is_error, is_in_mask;
};
static struct plain rows[SPANS];
static uint32_t mask_bits[SPANS / 32 + 1];
static uint64_t values[SPANS];

struct scene {
    struct fg_trace *trace;
    struct fg_gpu_trace *gpu;
    struct fg_compute_graph *graph;
    struct fg_compute_sink sink;
    struct fg_compute_memory mask, values;
    const char *stages[STAGES];
    uint32_t stage_count;
};

static void add_spans(struct fgi_builder *b)
{
    static const char *const texts[NAMES] = { "a", "b", "c", "d", "e" };
    uint64_t seed = 7;
    for (uint32_t i = 0; i < SPANS; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1;
        const uint32_t name = fgi_builder_cstr(b, texts[(seed >> 33) % NAMES]);
        const int64_t start = (int64_t)i * 50 - 4000;
        struct fgi_span_in span =
            fgi_span_in_make(i % TRACKS, name, start, start + (int64_t)((seed >> 40) % 140));
        span.status = i % 11 == 0   ? FG_SPAN_ERROR
                      : i % 13 == 0 ? FG_SPAN_UNFINISHED
                                    : FG_SPAN_COMPLETE;
        (void)fgi_builder_span(b, &span);
    }
}

static struct fg_trace *make_trace(void)
{
    struct fgi_builder *b = NULL;
    struct fg_trace *trace = NULL;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    for (uint32_t i = 0; i < TRACKS; i++) {
        (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_THREAD }, false);
    }
    add_spans(b);
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    return trace;
}

static void read_rows(const struct fg_trace *trace)
{
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    memset(mask_bits, 0, sizeof mask_bits);
    for (uint32_t row = 0; row < SPANS; row++) {
        assert_true(fgi_cursor_at(&cursor, row));
        const uint32_t i = row - cursor.first_row;
        const uint32_t status = fgi_block_status(cursor.block, i);
        rows[row] = (struct plain){ .start = fgi_cursor_start(&cursor, row),
                                    .end = fgi_cursor_end(&cursor, row),
                                    .name = fgi_block_name(cursor.block, i),
                                    .is_open = status == FG_SPAN_UNFINISHED,
                                    .is_error = status == FG_SPAN_ERROR,
                                    .is_in_mask = row % 3 != 1 };
        mask_bits[row / 32] |= rows[row].is_in_mask ? UINT32_C(1) << (row % 32) : 0;
        values[row] = UINT64_C(0xfedcba9876543210) - (uint64_t)row * row;
    }
    fgi_cursor_finish(&cursor);
}

static void published(void *context, const char *name, uint64_t generation)
{
    struct scene *s = context;
    (void)generation;
    assert_in_range(s->stage_count, 0, STAGES - 1);
    s->stages[s->stage_count++] = name;
}

static void upload(struct scene *s)
{
    struct fg_compute_ring *ring = NULL;
    uint64_t serial = 1;
    assert_int_equal(fg_compute_ring_create(bed.compute, FG_COMPUTE_UPLOAD, 1 << 22, &ring), FG_OK);
    while (fg_gpu_trace_upload(s->gpu, &s->sink, ring, serial, 0) == FG_OK) {
        compute_bed_run(&bed, s->graph);
        fg_compute_graph_clear(s->graph);
        fg_compute_ring_complete(ring, serial++);
    }
    fg_compute_ring_destroy(ring);
}

static struct scene open_scene(void)
{
    struct scene s = { .trace = make_trace() };
    read_rows(s.trace);
    assert_int_equal(
        fg_gpu_trace_create(FG_GPU_TRACE_OPTIONS(.compute = bed.compute, .trace = s.trace), &s.gpu),
        FG_OK);
    assert_int_equal(fg_compute_graph_create(bed.compute, NULL, &s.graph), FG_OK);
    s.sink = fg_compute_graph_sink(s.graph);
    upload(&s);
    s.mask = compute_bed_memory(&bed, mask_bits, sizeof mask_bits);
    s.values = compute_bed_memory(&bed, values, sizeof values);
    return s;
}

static void close_scene(struct scene *s)
{
    fg_compute_graph_destroy(s->graph);
    fg_compute_memory_free(bed.compute, &s->mask);
    fg_compute_memory_free(bed.compute, &s->values);
    fg_gpu_trace_destroy(s->gpu);
    fgi_trace_destroy(s->trace);
}

static uint64_t duration(uint32_t row)
{
    return (uint64_t)(rows[row].end - rows[row].start);
}

/* ---- groups and bins ------------------------------------------------------------------------- */

static void check_group(const struct fg_gpu_group *group)
{
    struct fg_gpu_group wanted = { .key = group->key, .largest = FG_NONE };
    uint64_t sum = 0;
    for (uint32_t row = 0; row < SPANS; row++) {
        if (!rows[row].is_in_mask || rows[row].name != group->key) {
            continue;
        }
        wanted.unfinished += rows[row].is_open;
        if (rows[row].is_open) {
            continue;
        }
        const uint64_t value = duration(row);
        wanted.largest = wanted.count == 0 || value > wanted.max ? row : wanted.largest;
        wanted.max = value > wanted.max ? value : wanted.max;
        wanted.min = wanted.count == 0 || value < wanted.min ? value : wanted.min;
        wanted.count++;
        wanted.errors += rows[row].is_error;
        sum += value;
    }
    wanted.sum[0] = (uint32_t)sum;
    wanted.sum[1] = (uint32_t)(sum >> 32);
    assert_memory_equal(group, &wanted, sizeof wanted);
}

static void check_bins(const uint32_t *bins, const uint64_t *firsts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t end = i + 1 < count ? firsts[i + 1] : 101;
        uint32_t wanted = 0;
        for (uint32_t row = 0; row < SPANS; row++) {
            wanted += rows[row].is_in_mask && !rows[row].is_open && duration(row) >= firsts[i] &&
                      duration(row) < end;
        }
        assert_int_equal(bins[i], wanted);
    }
}

static void check_bucket(const struct fg_gpu_bucket *bucket)
{
    struct fg_gpu_bucket wanted = { .start_ns = bucket->start_ns, .end_ns = bucket->end_ns };
    uint64_t sum = 0;
    for (int64_t t = bucket->start_ns; t < bucket->end_ns; t++) { /* few rows are open at a time */
        uint32_t open = 0;
        const int64_t around = (t + 4000) / 50;
        for (int64_t row = around > 5 ? around - 5 : 0; row < around + 5 && row < SPANS; row++) {
            open += rows[row].is_in_mask && rows[row].start <= t && t < rows[row].end;
        }
        wanted.covered_ns += open > 0;
        wanted.peak = open > wanted.peak ? open : wanted.peak;
        sum += open;
    }
    for (uint32_t row = 0; row < SPANS; row++) {
        const struct plain *r = &rows[row];
        const bool starts = r->start >= bucket->start_ns && r->start < bucket->end_ns;
        const bool meets = r->start < bucket->end_ns && r->end > bucket->start_ns;
        wanted.starts += r->is_in_mask && starts;
        wanted.count += r->is_in_mask && (r->start == r->end ? starts : meets);
    }
    wanted.sum[0] = (uint32_t)sum;
    assert_memory_equal(bucket, &wanted, sizeof wanted);
}

static void a_callers_mask_composes_into_groups_histogram_and_buckets(void **state)
{
    static const uint64_t firsts[] = { 3, 17, 60 };
    struct scene s = open_scene();
    struct fg_gpu_numbers *numbers = NULL;
    struct fg_gpu_numbers_results results;
    uint32_t totals[4], bins[3], bin_totals[5];
    struct fg_gpu_group groups[NAMES];
    struct fg_gpu_bucket buckets[BUCKETS];
    const struct fg_selection selection = { .start_ns = -4500, .end_ns = 200000 };
    (void)state;
    assert_int_equal(
        fg_gpu_numbers_create(
            FG_GPU_NUMBERS_OPTIONS(.gpu = s.gpu, .mask = &s.mask.view, .selection = &selection,
                                   .by = FG_AGGREGATE_NAME, .bins = firsts, .bin_count = 3,
                                   .last_value = 100, .bucket_count = BUCKETS),
            &numbers),
        FG_OK);
    assert_int_equal(fg_gpu_numbers_add_groups(numbers, &s.sink), FG_OK);
    assert_int_equal(fg_gpu_numbers_add_histogram(numbers, &s.sink), FG_OK);
    assert_int_equal(fg_gpu_numbers_add_buckets(numbers, &s.sink), FG_OK);
    for (int again = 0; again < 2; again++) { /* encoded twice, the same comes out */
        compute_bed_run(&bed, s.graph);
        fg_gpu_numbers_get_results(numbers, &results);
        assert_true(results.group_chunks == 1 && results.bin_chunks == 1);
        compute_bed_read(&bed, fg_compute_view_part(results.totals, 0, sizeof totals), totals);
        assert_int_equal(totals[0], SPANS - SPANS / 3);
        assert_int_equal(totals[1], 0);
        assert_int_equal(totals[2], NAMES);
        compute_bed_read(
            &bed, fg_compute_view_part(fg_gpu_numbers_group_chunk(numbers, 0), 0, sizeof groups),
            groups);
        for (uint32_t i = 0; i < NAMES; i++) {
            check_group(&groups[i]);
        }
        compute_bed_read(
            &bed, fg_compute_view_part(fg_gpu_numbers_bin_chunk(numbers, 0), 0, sizeof bins), bins);
        compute_bed_read(&bed, fg_compute_view_part(results.bin_totals, 0, sizeof bin_totals),
                         bin_totals);
        check_bins(bins, firsts, 3);
        assert_int_equal(bin_totals[2],
                         bin_totals[0] + bin_totals[1] + bins[0] + bins[1] + bins[2]);
        compute_bed_read(
            &bed, fg_compute_view_part(fg_gpu_numbers_bucket_chunk(numbers, 0), 0, sizeof buckets),
            buckets);
        for (uint32_t i = 0; i < BUCKETS; i++) {
            check_bucket(&buckets[i]);
        }
    }
    fg_gpu_numbers_destroy(numbers);
    close_scene(&s);
}

/* ---- stages ---------------------------------------------------------------------------------- */

static void stages_are_published_in_order(void **state)
{
    struct scene s = open_scene();
    struct fg_gpu_numbers *numbers = NULL;
    struct fg_compute_graph *graph = NULL;
    struct fg_compute_plan *plan = NULL;
    const struct fg_compute_graph_options options = { .listener = { .published = published,
                                                                    .context = &s } };
    (void)state;
    assert_int_equal(fg_gpu_numbers_create(FG_GPU_NUMBERS_OPTIONS(.gpu = s.gpu, .bucket_count = 4,
                                                                  .measure = FG_MEASURE_VALUES,
                                                                  .values = &s.values.view),
                                           &numbers),
                     FG_OK);
    assert_int_equal(fg_compute_graph_create(bed.compute, &options, &graph), FG_OK);
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    assert_int_equal(fg_gpu_numbers_add_groups(numbers, &sink), FG_OK);
    assert_int_equal(fg_gpu_numbers_add_histogram(numbers, &sink), FG_OK);
    assert_int_equal(fg_gpu_numbers_add_buckets(numbers, &sink), FG_OK);
    assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
    struct fg_compute_run run;
    assert_int_equal(fg_compute_plan_create(graph, NULL, FG_COMPUTE_PROGRESSIVE, &plan), FG_OK);
    fg_compute_run_begin(plan, &run);
    const char *const wanted[STAGES] = { "summary", "histogram", "complete" };
    for (uint32_t i = 0; i < STAGES; i++) {
        compute_bed_begin(bed.commands);
        assert_int_equal(fg_compute_run_encode(&run, bed.commands), FG_OK);
        compute_bed_end(bed.commands);
        compute_bed_submit(&bed, bed.commands);
        assert_int_equal(fg_compute_run_complete(&run, i + 1), FG_OK);
        assert_int_equal(s.stage_count, i + 1);
        assert_string_equal(s.stages[i], wanted[i]);
    }
    assert_int_equal(fg_compute_run_encode(&run, bed.commands), FG_ERR_NOT_FOUND);
    fg_compute_plan_destroy(plan);
    fg_compute_graph_destroy(graph);
    fg_gpu_numbers_destroy(numbers);
    close_scene(&s);
}

/* ---- scores and reductions ------------------------------------------------------------------- */

/** What rows have, and how many of them are anomalies. */
static uint32_t check_scored_rows(const struct fg_gpu_scores *scores, uint32_t first, uint32_t end,
                                  const struct fg_baseline *baseline,
                                  const struct fg_score_rule *rule)
{
    static uint32_t mask[SPANS / 32 + 1], tints[SPANS / 4 + 1], reasons[SPANS / 4 + 1];
    uint32_t anomalous = 0;
    compute_bed_read(&bed,
                     fg_compute_view_part(fg_gpu_scores_reason_chunk(scores, 0), 0, sizeof reasons),
                     reasons);
    compute_bed_read(
        &bed, fg_compute_view_part(fg_gpu_scores_mask_chunk(scores, 0), 0, sizeof mask), mask);
    compute_bed_read(
        &bed, fg_compute_view_part(fg_gpu_scores_tint_chunk(scores, 0), 0, sizeof tints), tints);
    for (uint32_t row = first; row < end; row++) {
        const bool is_scored = rows[row].is_in_mask && !rows[row].is_open;
        const uint32_t reason = reasons[row / 4] >> (row % 4 * 8) & 0xff;
        uint64_t score = 0;
        if (is_scored) {
            assert_int_equal(
                reason, fg_score_span(baseline, rule, duration(row), rows[row].is_error, &score));
        } else if (!rows[row].is_in_mask) {
            assert_int_equal(reason, FG_SCORE_NOT_SELECTED);
        }
        const bool is_anomaly = is_scored && score >= rule->threshold_micro;
        assert_int_equal(mask[row / 32] >> (row % 32) & 1, is_anomaly);
        assert_int_equal(tints[row / 4] >> (row % 4 * 8) & 0xff,
                         is_scored ? fg_score_tint(score, rule->threshold_micro) : 0);
        anomalous += is_anomaly;
    }
    return anomalous;
}

static void check_scores(const struct fg_gpu_scores *scores, uint32_t first, uint32_t end,
                         const struct fg_baseline *baseline, const struct fg_score_rule *rule)
{
    struct fg_gpu_scores_results results;
    struct fg_gpu_score_totals totals;
    const uint32_t anomalous = check_scored_rows(scores, first, end, baseline, rule);
    fg_gpu_scores_get_results(scores, &results);
    compute_bed_read(&bed, fg_compute_view_part(results.totals, 0, sizeof totals), &totals);
    assert_int_equal(totals.anomalous, anomalous);
    assert_true(anomalous > 0 && anomalous < end - first);
}

static void scores_are_made_a_piece_at_a_time(void **state)
{
    const struct fg_baseline baseline = {
        .clock = FG_NONE, .count = 100, .mean_ns = 60, .deviation_ns = 9, .error_ppm = 20000
    };
    const struct fg_baseline twice[] = { baseline, baseline };
    const struct fg_score_rule rule = { .threshold_micro = 3 * FG_MICRO };
    struct scene s = open_scene();
    struct fg_gpu_numbers *numbers = NULL;
    struct fg_gpu_scores *scores = NULL;
    (void)state;
    assert_int_equal(
        fg_gpu_numbers_create(FG_GPU_NUMBERS_OPTIONS(.gpu = s.gpu, .mask = &s.mask.view), &numbers),
        FG_OK);
    assert_int_equal(fg_gpu_scores_create(numbers, &rule, twice, 2, &scores), FG_ERR_ARGUMENT);
    assert_int_equal(fg_gpu_scores_create(numbers, &rule, &baseline, 1, &scores), FG_OK);
    assert_int_equal(fg_gpu_scores_add(scores, &s.sink, 3, 512), FG_ERR_ARGUMENT);
    const uint32_t pieces[] = { 0, 512, 2816, SPANS };
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(fg_gpu_scores_add(scores, &s.sink, pieces[i], pieces[i + 1]), FG_OK);
        compute_bed_run(&bed, s.graph);
        fg_compute_graph_clear(s.graph);
        check_scores(scores, pieces[i], pieces[i + 1], &baseline, &rule);
    }
    fg_gpu_scores_destroy(scores);
    /* In one submission each of them has its own rows as well. */
    assert_int_equal(fg_gpu_scores_create(numbers, &rule, &baseline, 1, &scores), FG_OK);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(fg_gpu_scores_add(scores, &s.sink, pieces[i], pieces[i + 1]), FG_OK);
    }
    compute_bed_run(&bed, s.graph);
    fg_compute_graph_clear(s.graph);
    (void)check_scored_rows(scores, 0, pieces[2], &baseline, &rule);
    check_scores(scores, pieces[2], SPANS, &baseline, &rule);
    fg_gpu_scores_destroy(scores);
    fg_gpu_numbers_destroy(numbers);
    close_scene(&s);
}

static void a_column_is_reduced_under_a_mask(void **state)
{
    struct scene s = open_scene();
    struct fg_gpu_reduction found;
    const uint64_t scratch_bytes = fg_gpu_reduce_scratch_bytes(bed.compute, SPANS);
    struct fg_compute_memory scratch = compute_bed_memory(&bed, NULL, scratch_bytes);
    struct fg_compute_memory result = compute_bed_memory(&bed, NULL, sizeof found);
    struct fg_gpu_reduce reduce = { .compute = bed.compute,
                                    .rows = &s.values.view,
                                    .row_bytes = 8,
                                    .row_count = SPANS,
                                    .mask = &s.mask.view,
                                    .scratch = &scratch.view,
                                    .result = &result.view };
    uint64_t low = 0, high = 0;
    uint32_t count = 0;
    (void)state;
    assert_int_equal(fg_gpu_reduce_add(&reduce, &s.sink), FG_OK);
    reduce.row_bytes = 3;
    assert_int_equal(fg_gpu_reduce_add(&reduce, &s.sink), FG_ERR_ARGUMENT);
    compute_bed_run(&bed, s.graph);
    compute_bed_read(&bed, result.view, &found);
    for (uint32_t row = 0; row < SPANS; row++) {
        if (rows[row].is_in_mask) {
            low += values[row];
            high += low < values[row];
            count++;
        }
    }
    assert_int_equal(found.count, count);
    assert_int_equal((uint64_t)found.sum[1] << 32 | found.sum[0], low);
    assert_int_equal((uint64_t)found.sum[3] << 32 | found.sum[2], high);
    assert_int_equal(found.greatest_row, 0);
    assert_int_equal(found.least_row, SPANS - 1);
    fg_compute_memory_free(bed.compute, &scratch);
    fg_compute_memory_free(bed.compute, &result);
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
        cmocka_unit_test(a_callers_mask_composes_into_groups_histogram_and_buckets),
        cmocka_unit_test(stages_are_published_in_order),
        cmocka_unit_test(scores_are_made_a_piece_at_a_time),
        cmocka_unit_test(a_column_is_reduced_under_a_mask),
    };
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}
