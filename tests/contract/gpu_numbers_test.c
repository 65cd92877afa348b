/* SPDX-License-Identifier: MIT */
/*
 * Numbers over spans by the device against the CPU engine, where tables are larger than the memory
 * of a group of invocations and than a block, and where sums and squares do not fit 64 and 128
 * bits.
 */
#include "compute_bed.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/vulkan/engine_vulkan.h"
#include "support/cmocka_all.h"
#include "trace/build.h"
#include "trace/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 1500, SPANS = 5000, TRACKS = 7, LONG_TRACKS = 40 };

static struct compute_bed bed;

/* ---- engines --------------------------------------------------------------------------------- */

static enum fg_result begin(void *context, VkCommandBuffer *out_commands)
{
    (void)context;
    compute_bed_begin(bed.commands);
    *out_commands = bed.commands;
    return FG_OK;
}
static enum fg_result submit(void *context)
{
    (void)context;
    compute_bed_end(bed.commands);
    compute_bed_submit(&bed, bed.commands);
    return FG_OK;
}
static enum fg_result wait(void *context)
{
    (void)context;
    return FG_OK;
}
static enum fg_result make_host(void *context, const struct fg_allocator *allocator,
                                const struct fg_trace *trace, struct fg_engine **out_engine)
{
    (void)context;
    return fgi_engine_cpu_create(allocator, trace, out_engine);
}

/** Two engines over one trace. */
struct pair {
    struct fg_trace *trace;
    struct fg_engine *engines[2];
    struct fg_query *queries[2];
};

static struct pair open_pair(struct fg_trace *trace)
{
    struct pair p = { .trace = trace };
    const struct fgi_engine_vulkan_options options = {
        .runner = { .compute = bed.compute, .begin = begin, .submit = submit, .wait = wait },
        .make_host = make_host,
    };
    assert_int_equal(fgi_engine_cpu_create(NULL, trace, &p.engines[0]), FG_OK);
    assert_int_equal(fgi_engine_vulkan_create(&options, trace, &p.engines[1]), FG_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fg_query_create(p.engines[i], NULL, NULL, NULL, &p.queries[i]), FG_OK);
    }
    return p;
}

static uint64_t own_questions(const struct pair *p)
{
    struct fg_engine_info info = { 0 };
    p->engines[1]->ops->about(p->engines[1], &info);
    assert_null(info.reason);
    return info.own_questions;
}

static void close_pair(struct pair *p)
{
    for (int i = 0; i < 2; i++) {
        fg_query_destroy(p->queries[i]);
        fgi_engine_destroy(p->engines[i]);
    }
    fgi_trace_destroy(p->trace);
}

/* ---- what is compared ------------------------------------------------------------------------ */

static void compare_aggregates(struct pair *p, const struct fg_aggregate_request *request)
{
    struct fg_aggregate_reply r[2];
    const uint64_t before = own_questions(p);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fg_query_aggregate(p->queries[i], request, &r[i]), FG_OK);
    }
    assert_int_equal(own_questions(p), before + 1);
    assert_int_equal(r[0].count, r[1].count);
    assert_int_equal(r[0].group_count, r[1].group_count);
    assert_int_equal(r[0].selected, r[1].selected);
    assert_int_equal(r[0].keyless, r[1].keyless);
    for (uint32_t i = 0; i < r[0].count; i++) {
        const struct fg_aggregate_row *a = &r[0].rows[i];
        const struct fg_aggregate_row *b = &r[1].rows[i];
        assert_int_equal(a->key, b->key);
        assert_int_equal(a->name, b->name);
        assert_int_equal(a->clock, b->clock);
        assert_int_equal(a->has_values, b->has_values);
        assert_int_equal(a->is_saturated, b->is_saturated);
        assert_int_equal(a->count, b->count);
        assert_int_equal(a->errors, b->errors);
        assert_int_equal(a->unfinished, b->unfinished);
        assert_int_equal(a->unmeasured, b->unmeasured);
        assert_int_equal(a->sum, b->sum);
        assert_int_equal(a->mean, b->mean);
        assert_int_equal(a->min, b->min);
        assert_int_equal(a->max, b->max);
        assert_int_equal(a->median, b->median);
        assert_int_equal(a->p95, b->p95);
        assert_int_equal(a->deviation, b->deviation);
        assert_int_equal(a->largest, b->largest);
    }
}

static void compare_stats(struct pair *p, uint32_t by, uint32_t figures)
{
    struct fg_stats_reply r[2];
    const struct fg_stats_request request = { .by = by, .figures = figures };
    const uint64_t before = own_questions(p);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fg_query_stats(p->queries[i], &request, &r[i]), FG_OK);
    }
    assert_int_equal(own_questions(p), before + 1);
    assert_int_equal(r[0].count, r[1].count);
    assert_int_equal(r[0].sum_ns, r[1].sum_ns);
    for (uint32_t i = 0; i < r[0].count; i++) {
        const struct fg_stats_row *a = &r[0].rows[i];
        const struct fg_stats_row *b = &r[1].rows[i];
        assert_int_equal(a->key, b->key);
        assert_int_equal(a->name, b->name);
        assert_int_equal(a->track, b->track);
        assert_int_equal(a->clock, b->clock);
        assert_int_equal(a->count, b->count);
        assert_int_equal(a->total_ns, b->total_ns);
        assert_int_equal(a->min_ns, b->min_ns);
        assert_int_equal(a->max_ns, b->max_ns);
        assert_int_equal(a->start_ns, b->start_ns);
        assert_int_equal(a->end_ns, b->end_ns);
        assert_int_equal(a->unfinished, b->unfinished);
        assert_int_equal(a->zeroes, b->zeroes);
        assert_int_equal(a->longest, b->longest);
        assert_int_equal(a->self_ns, b->self_ns);
        assert_int_equal(a->busy_ns, b->busy_ns);
        assert_int_equal(a->median_ns, b->median_ns);
        assert_int_equal(a->p95_ns, b->p95_ns);
    }
}

static void compare_histograms(struct pair *p, const struct fg_histogram_request *request)
{
    struct fg_histogram_reply r[2];
    const uint64_t before = own_questions(p);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fg_query_histogram(p->queries[i], request, &r[i]), FG_OK);
    }
    assert_int_equal(own_questions(p), before + 1);
    assert_int_equal(r[0].count, r[1].count);
    assert_int_equal(r[0].low, r[1].low);
    assert_int_equal(r[0].high, r[1].high);
    assert_int_equal(r[0].below, r[1].below);
    assert_int_equal(r[0].above, r[1].above);
    assert_int_equal(r[0].measured, r[1].measured);
    assert_int_equal(r[0].unfinished, r[1].unfinished);
    for (uint32_t i = 0; i < r[0].count; i++) {
        assert_int_equal(r[0].bins[i].first, r[1].bins[i].first);
        assert_int_equal(r[0].bins[i].last, r[1].bins[i].last);
        assert_int_equal(r[0].bins[i].count, r[1].bins[i].count);
    }
}

/** Scores of all rows and their tints, kept on either side. */
static void compare_kept(struct pair *p, const uint32_t scores[2])
{
    const struct fg_view_target targets[] = { { .kind = FG_VIEW_TRACK, .index = 0 },
                                              { .kind = FG_VIEW_LANE, .index = 1 } };
    const uint32_t rows = fgi_trace_rows(p->trace);
    struct fg_tints_reply tints[2];
    uint8_t tint[2], reason[2];
    for (uint32_t row = 0; row < rows; row++) {
        for (int i = 0; i < 2; i++) {
            assert_int_equal(
                fg_query_scores(p->queries[i], scores[i], &row, 1, &tint[i], &reason[i]), FG_OK);
        }
        assert_int_equal(tint[0], tint[1]);
        assert_int_equal(reason[0], reason[1]);
    }
    for (uint32_t width = 1; width < 3000; width = width * 11 + 1) {
        for (int i = 0; i < 2; i++) {
            const struct fg_tints_request request = { .scores = scores[i],
                                                      .start_ns = -700,
                                                      .end_ns = 2000 * SPANS / 3,
                                                      .width_px = width,
                                                      .targets = targets,
                                                      .target_count = 2 };
            assert_int_equal(fg_query_tints(p->queries[i], &request, &tints[i]), FG_OK);
        }
        assert_int_equal(tints[0].bin_count, tints[1].bin_count);
        assert_int_equal(tints[0].first_bin, tints[1].first_bin);
        assert_memory_equal(tints[0].tints, tints[1].tints, (size_t)tints[0].bin_count * 2);
    }
}

static void compare_anomalies(struct pair *p, const struct fg_anomaly_request *request)
{
    struct fg_anomaly_reply r[2];
    uint32_t scores[2];
    const uint64_t before = own_questions(p);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fg_query_anomalies(p->queries[i], request, &r[i]), FG_OK);
        scores[i] = r[i].scores;
    }
    assert_true(own_questions(p) > before);
    assert_int_equal(r[0].count, r[1].count);
    assert_int_equal(r[0].anomalous, r[1].anomalous);
    assert_int_equal(r[0].highest, r[1].highest);
    assert_int_equal(r[0].highest_micro, r[1].highest_micro);
    assert_memory_equal(r[0].by_reason, r[1].by_reason, sizeof r[0].by_reason);
    for (uint32_t i = 0; i < r[0].count; i++) {
        const struct fg_anomaly_row *a = &r[0].rows[i];
        const struct fg_anomaly_row *b = &r[1].rows[i];
        assert_int_equal(a->row, b->row);
        assert_int_equal(a->key, b->key);
        assert_int_equal(a->clock, b->clock);
        assert_int_equal(a->baseline, b->baseline);
        assert_int_equal(a->duration_ns, b->duration_ns);
        assert_int_equal(a->score_micro, b->score_micro);
        assert_int_equal(a->is_error, b->is_error);
        assert_int_equal(a->is_saturated, b->is_saturated);
    }
    if (request->keep) {
        compare_kept(p, scores);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(fg_query_scores_destroy(p->queries[i], scores[i]), FG_OK);
        }
    }
}

static void compare_scores(struct pair *p)
{
    const uint32_t peers[] = { FG_AGGREGATE_ALL, FG_AGGREGATE_TRACK, FG_AGGREGATE_STATUS };
    for (uint32_t i = 0; i < sizeof peers / sizeof *peers; i++) {
        /* Thresholds so that some, all and none are anomalies; weights that leave 64 bits. */
        const struct fg_score_rule rules[] = {
            { .threshold_micro = 1000000 },
            { .threshold_micro = 1, .is_two_sided = true, .error_weight_micro = 1 },
            { .duration_weight_micro = UINT64_MAX / 3, .threshold_micro = UINT64_MAX / 5 },
            { .duration_weight_micro = UINT64_MAX, .min_deviation_ns = UINT64_MAX - 1 },
            { .error_weight_micro = UINT64_MAX, .threshold_micro = UINT64_MAX },
        };
        for (uint32_t k = 0; k < sizeof rules / sizeof *rules; k++) {
            compare_anomalies(p, &(struct fg_anomaly_request){ .by = peers[i],
                                                               .rule = rules[k],
                                                               .limit = k == 1 ? 100000 : 7,
                                                               .keep = k % 2 == 0 });
        }
        fg_query_reset(p->queries[0]);
        fg_query_reset(p->queries[1]);
    }
}

static void compare_buckets(struct pair *p, const struct fg_buckets_request *request)
{
    struct fg_buckets_reply r[2];
    const uint64_t before = own_questions(p);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fg_query_buckets(p->queries[i], request, &r[i]), FG_OK);
    }
    assert_int_equal(own_questions(p), before + 1);
    assert_int_equal(r[0].count, r[1].count);
    assert_int_equal(r[0].lanes, r[1].lanes);
    for (uint32_t i = 0; i < r[0].count; i++) {
        const struct fg_bucket *a = &r[0].buckets[i];
        const struct fg_bucket *b = &r[1].buckets[i];
        assert_int_equal(a->start_ns, b->start_ns);
        assert_int_equal(a->end_ns, b->end_ns);
        assert_int_equal(a->starts, b->starts);
        assert_int_equal(a->count, b->count);
        assert_int_equal(a->covered_ns, b->covered_ns);
        assert_int_equal(a->sum_ns, b->sum_ns);
        assert_int_equal(a->capacity_ns, b->capacity_ns);
        assert_int_equal(a->idle_ns, b->idle_ns);
        assert_int_equal(a->peak, b->peak);
        assert_int_equal(a->is_saturated, b->is_saturated);
    }
}

static void compare_all_buckets(struct pair *p)
{
    const uint32_t tracks[] = { 0, 3 };
    const uint32_t counts[] = { 1, 32, 700, 4000 }; /* with and without the group's own memory */
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        compare_buckets(p, &(struct fg_buckets_request){ .count = counts[i] });
        compare_buckets(
            p, &(struct fg_buckets_request){
                   .count = counts[i], .selection = { .start_ns = 3, .end_ns = 1000 * SPANS } });
        compare_buckets(p, &(struct fg_buckets_request){ .count = counts[i],
                                                         .lanes = 9,
                                                         .selection = { .start_ns = 2001,
                                                                        .end_ns = 2100,
                                                                        .tracks = tracks,
                                                                        .track_count = 2 } });
    }
    fg_query_reset(p->queries[0]);
    fg_query_reset(p->queries[1]);
}

static void compare_all(struct pair *p)
{
    compare_all_buckets(p);
    compare_scores(p);
    const uint32_t figures = FG_FIGURES_PERCENTILES | FG_FIGURES_DEVIATION;
    for (uint32_t by = 0; by < FG_AGGREGATE_BY_COUNT; by++) {
        compare_aggregates(p, &(struct fg_aggregate_request){ .by = by, .figures = figures });
        compare_aggregates(p, &(struct fg_aggregate_request){
                                  .by = by, .measure = FG_MEASURE_SELF, .order = FG_ORDER_KEY });
        compare_stats(p, by, FG_STATS_TOTALS);
        compare_stats(p, by, FG_STATS_ALL);
        fg_query_reset(p->queries[0]);
        fg_query_reset(p->queries[1]);
    }
    compare_histograms(p, &(struct fg_histogram_request){ .scale = FG_HISTOGRAM_LOG2 });
    compare_histograms(p, &(struct fg_histogram_request){ .bins = 4000 });
    compare_histograms(p, &(struct fg_histogram_request){
                              .bins = 100, .has_domain = true, .low = 100, .high = 500 });
}

/* ---- traces ---------------------------------------------------------------------------------- */

static struct fgi_builder *begin_trace(uint32_t tracks)
{
    struct fgi_builder *b = NULL;
    assert_int_equal(fgi_builder_create(NULL, 0, &b), FG_OK);
    (void)fgi_builder_clock(b, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    (void)fgi_builder_process(b, 0, 1);
    for (uint32_t i = 0; i < tracks; i++) {
        (void)fgi_builder_track(b, &(struct fg_trace_track){ .kind = FG_TRACK_THREAD }, false);
    }
    return b;
}

static struct fg_trace *end_trace(struct fgi_builder *b)
{
    struct fg_trace *trace = NULL;
    assert_int_equal(fgi_builder_finish(b, &trace), FG_OK);
    fgi_builder_destroy(b);
    return trace;
}

static void groups_that_no_shared_memory_holds_are_the_same(void **state)
{
    struct fgi_builder *b = begin_trace(TRACKS);
    uint64_t seed = 1;
    (void)state;
    for (uint32_t i = 0; i < SPANS; i++) {
        char text[32];
        seed = seed * UINT64_C(6364136223846793005) + 1;
        const int size = snprintf(text, sizeof text, "Span %u", (unsigned)(seed >> 33) % NAMES);
        const uint32_t name = fgi_builder_text(b, text, (size_t)size);
        const int64_t start = (int64_t)i * 2000;
        struct fgi_span_in span =
            fgi_span_in_make(i % TRACKS, name, start, start + (int64_t)(seed >> 40) % 1009);
        span.status = i % 17 == 0   ? FG_SPAN_ERROR
                      : i % 23 == 0 ? FG_SPAN_UNFINISHED
                                    : FG_SPAN_COMPLETE;
        (void)fgi_builder_span(b, &span);
    }
    struct pair p = open_pair(end_trace(b));
    compare_all(&p);
    close_pair(&p);
}

static void sums_and_squares_beyond_their_bits_are_told_alike(void **state)
{
    struct fgi_builder *b = begin_trace(LONG_TRACKS);
    (void)state;
    const uint32_t names[2] = { fgi_builder_cstr(b, "long"), fgi_builder_cstr(b, "longer") };
    for (uint32_t i = 0; i < LONG_TRACKS; i++) {
        /* Some of the first name are short: squares of what they differ by do not fit. */
        const int64_t end = i % 4 == 0 ? 10 + i : (INT64_MAX / 2) + (int64_t)i;
        const int64_t start = i % 4 == 0 ? 0 : -(INT64_MAX / 2);
        const struct fgi_span_in span = fgi_span_in_make(i, names[i % 2], start, end);
        (void)fgi_builder_span(b, &span);
    }
    struct pair p = open_pair(end_trace(b));
    struct fg_aggregate_reply reply;
    const struct fg_aggregate_request request = { .by = FG_AGGREGATE_NAME,
                                                  .figures = FG_FIGURES_DEVIATION };
    assert_int_equal(fg_query_aggregate(p.queries[1], &request, &reply), FG_OK);
    assert_int_equal(reply.count, 2);
    assert_true(reply.rows[0].is_saturated && reply.rows[1].is_saturated);
    assert_true(reply.rows[0].deviation == UINT64_MAX || reply.rows[1].deviation == UINT64_MAX);
    compare_all(&p);
    close_pair(&p);
}

static int open_bed(void **state)
{
    (void)state;
    if (!compute_bed_create(&bed, 0)) {
        return -1;
    }
    bed.options.block_bytes = 1 << 16; /* tables have chunks */
    compute_bed_renew(&bed);
    return 0;
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
        cmocka_unit_test(groups_that_no_shared_memory_holds_are_the_same),
        cmocka_unit_test(sums_and_squares_beyond_their_bits_are_told_alike),
    };
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}
