/* SPDX-License-Identifier: MIT */
/* Cases of budgets, aggregates, histograms, time buckets, comparisons and anomalies. */
#include "base/rank.h"
#include "cases.h"
#include "engine/cpu/engine_cpu.h"
#include "trace/build.h"
#include "trace/model.h"
#include <frameglass/trace_anomaly.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPANS_MAX = 64 };

/* ---- a trace of the case's spans: each on a track of its own, so that they may overlap ------- */

struct bed {
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_query *query;
    uint32_t filter; /* the case's mask; 0 = none */
    uint32_t rows;
};

static void bed_close(struct bed *bed)
{
    fg_query_destroy(bed->query);
    fgi_engine_destroy(bed->engine);
    fgi_trace_destroy(bed->trace);
    *bed = (struct bed){ 0 };
}

/* Spans that cannot be (NaN, negative) are none of a trace: they are refused before. */
static bool is_span(double start, double duration)
{
    return !isnan(start) && !isnan(duration) && duration >= 0;
}

static enum fg_result add_spans(struct fgi_builder *builder, const double (*spans)[4],
                                uint32_t count, uint64_t *mask, const uint64_t *wanted)
{
    uint32_t row = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_span(spans[i][0], spans[i][1])) {
            continue;
        }
        struct fg_trace_track track = { .process = (uint32_t)spans[i][2], .id = i };
        uint32_t index = fgi_builder_track(builder, &track, false);
        int64_t start = fgt_case_ns(spans[i][0]);
        struct fgi_span_in in = fgi_span_in_make(index, fgi_builder_text(builder, "span", 4), start,
                                                 start + fgt_case_ns(spans[i][1]));
        char category[16];
        (void)snprintf(category, sizeof category, "%u", (unsigned)spans[i][3]);
        in.category = fgi_builder_text(builder, category, strlen(category));
        (void)fgi_builder_span(builder, &in);
        mask[row / 64] |= (uint64_t)(!wanted || wanted[i] != 0) << (row % 64);
        row++;
    }
    return FG_OK;
}

/* Columns of a span: start, duration, process, group (its category). `wanted` NULL: all. */
static bool bed_open(struct bed *bed, const double (*spans)[4], uint32_t count,
                     const uint64_t *wanted)
{
    struct fgi_builder *builder = NULL;
    uint64_t mask[SPANS_MAX / 64 + 1] = { 0 };
    struct fg_trace_clock clock = { .kind = FG_CLOCK_HOST, .period_num = 1, .period_den = 1 };
    *bed = (struct bed){ 0 };
    enum fg_result result = fgi_builder_create(NULL, 0, &builder);
    if (result == FG_OK) {
        (void)fgi_builder_clock(builder, &clock);
        for (int i = 0; i < 4; i++) {
            (void)fgi_builder_process(builder, fgi_builder_text(builder, "process", 7), i);
        }
        result = add_spans(builder, spans, count, mask, wanted);
        result = result == FG_OK ? fgi_builder_finish(builder, &bed->trace) : result;
        fgi_builder_destroy(builder);
    }
    if (result == FG_OK) {
        result = fgi_engine_cpu_create(NULL, bed->trace, &bed->engine);
    }
    if (result == FG_OK) {
        result = fg_query_create(bed->engine, NULL, NULL, NULL, &bed->query);
    }
    if (result == FG_OK && wanted) {
        result = fg_query_filter_create(
            bed->query, &(struct fg_filter_terms){ .mask = mask, .mask_rows = SPANS_MAX },
            &bed->filter, &bed->rows);
    }
    if (result != FG_OK) {
        bed_close(bed);
    }
    return result == FG_OK;
}

/* The case's list of numbers, as naturals; NULL when it has none. */
static const uint64_t *read_mask(const json_t *list, uint64_t *numbers)
{
    for (size_t i = 0; i < json_array_size(list) && i < SPANS_MAX; i++) {
        numbers[i] = fgt_case_natural_at(list, i);
    }
    return list ? numbers : NULL;
}

/* ---- percentile ------------------------------------------------------------------------------ */

static bool try_percentile(const struct fgt_case *c)
{
    const json_t *samples = fgt_case_input(c, "samples");
    size_t count = json_array_size(samples);
    int64_t values[64];
    if (count == 0 || count > sizeof values / sizeof *values) {
        return fgt_case_differs(c, "%zu samples", count);
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = (int64_t)fgt_case_natural_at(samples, i);
    }
    uint64_t latest = (uint64_t)values[count - 1];
    uint64_t p50 = (uint64_t)fgi_rank_ns(values, count, 50);
    uint64_t p95 = (uint64_t)fgi_rank_ns(values, count, 95);
    if (latest != fgt_case_natural(fgt_case_expected(c, "latest")) ||
        p50 != fgt_case_natural(fgt_case_expected(c, "p50")) ||
        p95 != fgt_case_natural(fgt_case_expected(c, "p95"))) {
        return fgt_case_differs(c, "p50 %d, p95 %d", (int)p50, (int)p95);
    }
    return true;
}

/* ---- budgets: invocations are our rows; commands follow the same scale ----------------------- */

static bool try_budget(const struct fgt_case *c)
{
    const json_t *initial = fgt_case_input(c, "initialBudget");
    const json_t *observations = fgt_case_input(c, "observations");
    const json_t *steps = fgt_case_expected(c, "steps");
    struct fg_task_budget rows = {
        .rows = fgt_case_natural(json_object_get(initial, "maximumInvocationCount")),
    };
    for (size_t i = 0; i < json_array_size(observations); i++) {
        const json_t *seen = json_array_get(observations, i);
        const json_t *step = json_array_get(steps, i);
        const json_t *budget = json_object_get(step, "budget");
        fg_task_budget_adjust(
            &rows, fgt_case_natural(json_object_get(seen, "invocations")),
            (uint64_t)fgt_case_ns(fgt_case_real(json_object_get(seen, "milliseconds"))));
        struct fg_task_budget commands = rows;
        commands.rows = fgt_case_natural(json_object_get(initial, "maximumCommandCount"));
        double scale = rows.scale_q16 / 65536.0;
        if (!fgt_case_near(scale, fgt_case_real(json_object_get(step, "scale"))) ||
            fg_task_budget_rows(&rows) !=
                fgt_case_natural(json_object_get(budget, "maximumInvocationCount")) ||
            fg_task_budget_rows(&commands) !=
                fgt_case_natural(json_object_get(budget, "maximumCommandCount"))) {
            return fgt_case_differs(c, "step %zu: scale %g, rows %d, commands %d", i, scale,
                                    (int)fg_task_budget_rows(&rows),
                                    (int)fg_task_budget_rows(&commands));
        }
    }
    return true;
}

/* ---- aggregates ------------------------------------------------------------------------------ */

static bool try_aggregation(const struct fgt_case *c)
{
    double spans[SPANS_MAX][4] = { { 0 } };
    uint64_t numbers[SPANS_MAX] = { 0 };
    const json_t *items = fgt_case_input(c, "spans");
    const char *dimension = json_string_value(fgt_case_input(c, "dimension"));
    uint32_t count = (uint32_t)json_array_size(items);
    bool by_process = dimension && strcmp(dimension, "process") == 0;
    for (uint32_t i = 0; i < count; i++) {
        const json_t *span = json_array_get(items, i);
        for (int k = 0; k < 4; k++) {
            static const size_t columns[] = { 0, 1, 4, 3 };
            spans[i][k] = fgt_case_real_at(span, columns[k]);
        }
    }
    struct bed bed;
    struct fg_aggregate_reply reply;
    if (!bed_open(&bed, (const double(*)[4])spans, count,
                  read_mask(fgt_case_input(c, "selection"), numbers))) {
        return fgt_case_differs(c, "no trace");
    }
    enum fg_result result =
        fg_query_aggregate(bed.query,
                           &(struct fg_aggregate_request){
                               .selection = { .filter = bed.filter },
                               .by = by_process ? FG_AGGREGATE_PROCESS : FG_AGGREGATE_CATEGORY,
                           },
                           &reply);
    size_t groups = (size_t)fgt_case_natural(fgt_case_input(c, "groups"));
    double counts[SPANS_MAX] = { 0 };
    double sums[SPANS_MAX] = { 0 };
    for (uint32_t i = 0; result == FG_OK && i < reply.count; i++) {
        const struct fg_aggregate_row *row = &reply.rows[i];
        size_t key =
            by_process ? row->key : (size_t)strtoul(fg_trace_text(bed.trace, row->key), NULL, 10);
        if (key < groups) {
            counts[key] = (double)row->count;
            sums[key] = (double)row->sum / 1e6;
        }
    }
    bed_close(&bed);
    return result == FG_OK && fgt_case_agree(c, "counts", counts, groups) &&
           fgt_case_agree(c, "sums", sums, groups);
}

/* ---- histograms: values are a caller's column ------------------------------------------------ */

static uint64_t as_value(double real)
{
    return (uint64_t)fgt_case_ns(real);
}

/* What is no natural number has no value: it is counted apart, and in no bin. */
static uint32_t read_values(const json_t *items, uint64_t *values, uint64_t *absent)
{
    uint32_t count = (uint32_t)json_array_size(items);
    for (uint32_t i = 0; i < count && i < SPANS_MAX; i++) {
        double real = fgt_case_real_at(items, i);
        bool is_natural = !isnan(real) && real >= 0;
        values[i] = is_natural ? as_value(real) : 0;
        absent[i / 64] |= (uint64_t)!is_natural << (i % 64);
    }
    return count;
}

static bool try_histogram(const struct fgt_case *c)
{
    double spans[SPANS_MAX][4] = { { 0 } };
    uint64_t values[SPANS_MAX], edges[SPANS_MAX], numbers[SPANS_MAX] = { 0 };
    uint64_t absent[SPANS_MAX / 64 + 1] = { 0 };
    const json_t *domain = fgt_case_input(c, "domain");
    const json_t *edge_list = fgt_case_input(c, "edges");
    const json_t *bins = fgt_case_input(c, "bins");
    uint32_t count = read_values(fgt_case_input(c, "values"), values, absent);
    struct bed bed;
    struct fg_histogram_reply reply;
    if (!bed_open(&bed, (const double(*)[4])spans, count,
                  read_mask(fgt_case_input(c, "mask"), numbers))) {
        return fgt_case_differs(c, "no trace");
    }
    for (size_t i = 0; i < json_array_size(edge_list); i++) {
        edges[i] = as_value(fgt_case_real_at(edge_list, i));
    }
    struct fg_histogram_request r = {
        .selection = { .filter = bed.filter },
        .measure = FG_MEASURE_VALUES,
        .values = { values, absent, count },
        .scale = edge_list ? FG_HISTOGRAM_EDGES : FG_HISTOGRAM_LINEAR,
        .bins = (uint32_t)fgt_case_natural(bins ? bins : fgt_case_input(c, "binCount")),
        .has_domain = json_is_array(domain),
        .low = as_value(fgt_case_real_at(domain, 0)),
        .high = as_value(fgt_case_real_at(domain, 1)),
        .edges = edges,
        .edge_count = (uint32_t)json_array_size(edge_list),
    };
    enum fg_result result = fg_query_histogram(bed.query, &r, &reply);
    double counts[SPANS_MAX] = { 0 };
    for (uint32_t i = 0; result == FG_OK && i < reply.count; i++) {
        counts[i] = (double)reply.bins[i].count;
    }
    uint32_t found = result == FG_OK ? reply.count : 0;
    bed_close(&bed);
    return fgt_case_agree(c, "counts", counts, found);
}

/* ---- time buckets ---------------------------------------------------------------------------- */

static bool agree_with_buckets(const struct fgt_case *c, const struct fg_buckets_reply *reply)
{
    double columns[5][SPANS_MAX];
    for (uint32_t i = 0; i < reply->count && i < SPANS_MAX; i++) {
        const struct fg_bucket *b = &reply->buckets[i];
        double width = (double)(b->end_ns - b->start_ns);
        columns[0][i] = (double)b->count;
        columns[1][i] = (double)b->sum_ns / 1e6;
        columns[2][i] = (double)b->sum_ns / width;
        columns[3][i] = (double)b->sum_ns / (double)b->capacity_ns;
        columns[4][i] = (double)b->idle_ns / 1e6;
    }
    return fgt_case_agree(c, "counts", columns[0], reply->count) &&
           fgt_case_agree(c, "durations", columns[1], reply->count) &&
           fgt_case_agree(c, "concurrency", columns[2], reply->count) &&
           fgt_case_agree(c, "utilization", columns[3], reply->count) &&
           fgt_case_agree(c, "idleLaneTime", columns[4], reply->count) &&
           fgt_case_agree(c, "idle", columns[4], reply->count);
}

static bool try_buckets(const struct fgt_case *c)
{
    double spans[SPANS_MAX][4] = { { 0 } };
    uint64_t numbers[SPANS_MAX] = { 0 };
    const json_t *starts = fgt_case_input(c, "startTimes");
    const json_t *durations = fgt_case_input(c, "durations");
    const json_t *domain = fgt_case_input(c, "domain");
    const json_t *buckets = fgt_case_input(c, "buckets");
    uint32_t count = (uint32_t)json_array_size(starts);
    for (uint32_t i = 0; i < count; i++) {
        spans[i][0] = fgt_case_real_at(starts, i);
        spans[i][1] = fgt_case_real_at(durations, i);
    }
    struct bed bed;
    struct fg_buckets_reply reply;
    if (!bed_open(&bed, (const double(*)[4])spans, count,
                  read_mask(fgt_case_input(c, "selection"), numbers))) {
        return fgt_case_differs(c, "no trace");
    }
    struct fg_buckets_request r = {
        .selection = { .filter = bed.filter,
                       .start_ns = fgt_case_ns(fgt_case_real_at(domain, 0)),
                       .end_ns = fgt_case_ns(fgt_case_real_at(domain, 1)) },
        .count = (uint32_t)fgt_case_natural(buckets ? buckets : fgt_case_input(c, "bucketCount")),
        .lanes = (uint32_t)fgt_case_natural(fgt_case_input(c, "laneCount")),
    };
    bool agrees = fg_query_buckets(bed.query, &r, &reply) == FG_OK && agree_with_buckets(c, &reply);
    bed_close(&bed);
    return agrees;
}

/* ---- comparisons of groups ------------------------------------------------------------------- */

/* Means that are no durations belong to no group of ours: nothing is known of it. */
static void read_figures(const json_t *side, size_t i, struct fg_group_figures *out)
{
    double mean = fgt_case_real_at(json_object_get(side, "durationMeans"), i);
    *out = (struct fg_group_figures){
        .count = fgt_case_natural_at(json_object_get(side, "counts"), i),
        .mean_ns = mean >= 0 ? (uint64_t)fgt_case_ns(mean) : 0,
        .error_ppm =
            (uint32_t)llround(fgt_case_real_at(json_object_get(side, "errorRates"), i) * 1e6),
        .is_known = mean >= 0,
    };
}

static uint64_t micro(const struct fgt_case *c, const char *key)
{
    return (uint64_t)llround(fgt_case_real(fgt_case_input(c, key)) * 1e6);
}

static bool agree_with_summary(const struct fgt_case *c, double regressed, double highest,
                               double highest_at, double flags)
{
    const json_t *summary = fgt_case_expected(c, "summary");
    const char *const keys[] = { "regressedCount", "maximumScore", "maximumIndex", "flags" };
    const double ours[] = { regressed, highest, highest_at, flags };
    for (size_t i = 0; i < 4; i++) {
        const json_t *one = fgt_case_expected(c, keys[i]);
        if (one && !fgt_case_near(ours[i], fgt_case_real(one))) {
            return fgt_case_differs(c, "%s is %g", keys[i], ours[i]);
        }
        if (summary && i != 1 && !fgt_case_near(ours[i], fgt_case_real_at(summary, i))) {
            return fgt_case_differs(c, "%s of the summary is %g", keys[i], ours[i]);
        }
    }
    return true;
}

static bool try_comparison(const struct fgt_case *c)
{
    const json_t *sides[] = { fgt_case_input(c, "baseline"), fgt_case_input(c, "current") };
    size_t count = json_array_size(json_object_get(sides[0], "counts"));
    double columns[6][SPANS_MAX];
    double regressed = 0, highest = 0, highest_at = FG_NONE, flags = 0;
    uint32_t seen = 0;
    const struct fg_group_rule rule = {
        .duration_weight_micro = micro(c, "durationWeight"),
        .error_weight_micro = micro(c, "errorWeight"),
        .count_weight_micro = micro(c, "countWeight"),
        .threshold_micro = micro(c, "threshold"),
        .min_baseline_ns = 1000, /* 0.001 of a unit */
    };
    for (size_t i = 0; i < count && i < SPANS_MAX; i++) {
        struct fg_group_figures base, other;
        struct fg_group_score score;
        read_figures(sides[0], i, &base);
        read_figures(sides[1], i, &other);
        fg_score_group(&base, &other, &rule, &score);
        columns[0][i] = (double)score.count_delta;
        columns[1][i] = (double)score.mean_delta_ns / 1e6;
        columns[2][i] = (double)score.ratio_micro / 1e6;
        columns[3][i] = (double)score.error_delta_ppm / 1e6;
        columns[4][i] = (double)score.score_micro / 1e6;
        columns[5][i] = (score.flags & FG_GROUP_REGRESSION) != 0;
        regressed += columns[5][i];
        highest_at = columns[4][i] > highest ? (double)i : highest_at;
        highest = columns[4][i] > highest ? columns[4][i] : highest;
        seen |= score.flags;
    }
    flags = ((seen & (FG_GROUP_BAD_NEW | FG_GROUP_ONLY_BASE)) ? 1 : 0) +
            ((seen & (FG_GROUP_BAD_BASE | FG_GROUP_ONLY_NEW)) ? 2 : 0) +
            ((seen & FG_GROUP_SATURATED) ? 4 : 0);
    return fgt_case_agree(c, "countDeltas", columns[0], count) &&
           fgt_case_agree(c, "durationDeltas", columns[1], count) &&
           fgt_case_agree(c, "durationRatios", columns[2], count) &&
           fgt_case_agree(c, "errorRateDeltas", columns[3], count) &&
           fgt_case_agree(c, "scores", columns[4], count) &&
           fgt_case_agree(c, "regressionMask", columns[5], count) &&
           agree_with_summary(c, regressed, highest, highest_at, flags);
}

/* ---- anomalies ------------------------------------------------------------------------------- */

/* The original's flag of a row that has no score: 1 group, 2 duration, 4 baseline. */
static uint32_t score_row(const struct fgt_case *c, size_t i, const struct fg_score_rule *rule,
                          uint64_t *out_score)
{
    const json_t *means = fgt_case_input(c, "means");
    size_t group = (size_t)fgt_case_natural_at(fgt_case_input(c, "groups"), i);
    double duration = fgt_case_real_at(fgt_case_input(c, "durations"), i);
    *out_score = 0;
    if (group >= json_array_size(means)) {
        return 1;
    }
    double mean = fgt_case_real_at(means, group);
    double deviation = fgt_case_real_at(fgt_case_input(c, "sds"), group);
    double rate = fgt_case_real_at(fgt_case_input(c, "rates"), group);
    if (!is_span(0, duration)) {
        return 2;
    }
    if (!(mean >= 0) || !(deviation >= 0)) {
        return 4;
    }
    const struct fg_baseline baseline = { .mean_ns = (uint64_t)fgt_case_ns(mean),
                                          .deviation_ns = (uint64_t)fgt_case_ns(deviation),
                                          .error_ppm = (uint32_t)llround(rate * 1e6) };
    enum fg_score_reason reason =
        fg_score_span(&baseline, rule, (uint64_t)fgt_case_ns(duration),
                      fgt_case_natural_at(fgt_case_input(c, "errors"), i) != 0, out_score);
    return reason == FG_SCORE_BAD_BASELINE ? 4 : reason == FG_SCORE_SATURATED ? 8 : 0;
}

static bool try_anomaly(const struct fgt_case *c)
{
    size_t count = json_array_size(fgt_case_input(c, "durations"));
    struct fg_score_rule rule = {
        .duration_weight_micro = micro(c, "durationWeight"),
        .error_weight_micro = micro(c, "errorWeight"),
        .threshold_micro = fgt_case_input(c, "threshold") ? micro(c, "threshold") : 3 * FG_MICRO,
        .min_deviation_ns = 1000, /* 0.001 of a unit */
    };
    rule.duration_weight_micro += rule.duration_weight_micro == 0 ? FG_MICRO : 0;
    double scores[SPANS_MAX], mask[SPANS_MAX];
    double anomalous = 0, highest = 0, highest_at = FG_NONE;
    uint32_t flags = 0;
    for (size_t i = 0; i < count && i < SPANS_MAX; i++) {
        uint64_t score = 0;
        flags |= score_row(c, i, &rule, &score);
        scores[i] = (double)score / 1e6;
        mask[i] = score >= rule.threshold_micro;
        anomalous += mask[i];
        highest_at = scores[i] > highest ? (double)i : highest_at;
        highest = scores[i] > highest ? scores[i] : highest;
    }
    const json_t *mask_at = fgt_case_expected(c, "maskAt2");
    const json_t *flag = fgt_case_expected(c, "flagBitSet");
    if ((mask_at && mask[2] != fgt_case_real(mask_at)) ||
        (flag && !(flags & fgt_case_natural(flag)))) {
        return fgt_case_differs(c, "mask %g, flags %u", mask[2], flags);
    }
    return fgt_case_agree(c, "scores", scores, count) && fgt_case_agree(c, "mask", mask, count) &&
           agree_with_summary(c, anomalous, highest, highest_at, flags);
}

static const struct fgt_case_operation operations[] = {
    { "percentile", try_percentile },   { "budget-controller", try_budget },
    { "aggregation", try_aggregation }, { "histogram", try_histogram },
    { "time-buckets", try_buckets },    { "comparison", try_comparison },
    { "anomaly", try_anomaly },         { NULL, NULL },
};
static const struct fgt_case_yield yields[] = {
    { "test-067",
      "an automatic domain is that of the selected spans, and a bin is at least one number wide: "
      "what "
      "is not selected changes nothing",
      "{\"counts\": [1]}" },
    { "luma-010",
      "a span meets [a, b) if s < b and e > a, one of zero length if a <= s < b: one rule, so that "
      "the span from before the domain, whose time is summed, is counted as well",
      "{\"counts\": [2, 1, 1, 2]}" },
    { "luma-022",
      "where there is no score above 0 there is no highest one: its row is told as none",
      "{\"summary\": [0, 0, 4294967295, 3]}" },
    { "luma-024",
      "where there is no score above 0 there is no highest one: its row is told as none",
      "{\"summary\": [0, 0, 4294967295, 0]}" },
    { NULL, NULL, NULL },
};
const struct fgt_case_part fgt_cases_analysis = { "analysis", operations, yields };
