/* SPDX-License-Identifier: MIT */
/* Aggregates, histograms and time buckets against brute force. */
#include "contract_selection.h"
#include "support/cmocka_all.h"
#include <math.h>
#include <string.h>

static struct chosen chosen;
static uint64_t column[PLAIN_SPANS_MAX];
static uint64_t absent[PLAIN_SPANS_MAX / 64 + 1];

static bool value_of(const struct contract *c, const struct fg_aggregate_request *r, uint32_t row,
                     uint64_t *out)
{
    const struct plain_span *s = &c->plain->spans[row];
    int64_t a = s->start > chosen.start ? s->start : chosen.start;
    int64_t b = s->end < chosen.end ? s->end : chosen.end;
    switch (r->measure) {
    case FG_MEASURE_CLIPPED:
        *out = b > a ? (uint64_t)b - (uint64_t)a : 0;
        return true;
    case FG_MEASURE_SELF:
        *out = s->self;
        return true;
    case FG_MEASURE_DEPTH:
        *out = s->depth;
        return true;
    case FG_MEASURE_VALUES:
        *out = column[row];
        return row < r->values.count && !(absent[row / 64] >> (row % 64) & 1);
    default:
        *out = (uint64_t)s->end - (uint64_t)s->start;
        return true;
    }
}

static void random_column(struct contract *c, struct fg_measure_values *out)
{
    for (uint32_t i = 0; i < PLAIN_SPANS_MAX; i++) {
        column[i] = plain_random(c->plain) >> plain_below(c->plain, 64);
    }
    for (uint32_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        absent[i] = plain_random(c->plain) & plain_random(c->plain);
    }
    *out = (struct fg_measure_values){ column, absent, plain_below(c->plain, PLAIN_SPANS_MAX) };
}

/* ---- aggregates ------------------------------------------------------------------------------ */

static void check_percentiles(const struct fg_aggregate_row *row, uint64_t *values, uint32_t n,
                              uint32_t figures)
{
    long double mean = 0;
    long double variance = 0;
    for (uint32_t i = 0; i < n; i++) {
        mean += ((long double)values[i] - values[0]) / n; /* small numbers stay exact */
    }
    for (uint32_t i = 0; i < n; i++) {
        long double off = (long double)values[i] - values[0] - mean;
        variance += off * off / n;
    }
    contract_sort(values, n);
    if (figures & FG_FIGURES_PERCENTILES && n > 0) {
        assert_int_equal(row->median, values[(n + 1) / 2 - 1]);
        assert_int_equal(row->p95, values[(19 * n + 19) / 20 - 1]);
    }
    if (figures & FG_FIGURES_DEVIATION && n > 0 && row->deviation != UINT64_MAX) {
        long double root = sqrtl(variance);
        assert_true(fabsl((long double)row->deviation - root) <= 1 + root * 1e-9L);
    }
}

/* One row of the answer: all that it says. */
static void check_group(struct contract *c, const struct fg_aggregate_request *r,
                        const struct fg_aggregate_row *row)
{
    uint64_t values[PLAIN_SPANS_MAX];
    uint64_t count = 0, errors = 0, unfinished = 0;
    uint32_t n = 0;
    long double sum = 0;
    for (uint32_t i = 0; i < c->plain->span_count; i++) {
        const struct plain_span *s = &c->plain->spans[i];
        if (!chosen.has[i] || contract_key(c, &chosen, r->by, r->class_mask, i) != row->key ||
            c->plain->track_clock[s->track] != row->clock) {
            continue;
        }
        if (contract_is_open(s)) {
            unfinished++;
            continue;
        }
        count++;
        errors += s->status == FG_SPAN_ERROR;
        if (value_of(c, r, i, &values[n])) {
            sum += values[n++];
        }
    }
    assert_int_equal(row->count, count);
    assert_int_equal(row->errors, errors);
    assert_int_equal(row->unfinished, unfinished);
    assert_int_equal(row->unmeasured, count - n);
    assert_int_equal(row->has_values, n > 0);
    if (n == 0) {
        assert_int_equal(row->largest, FG_NONE);
        return;
    }
    assert_int_equal(row->is_saturated, sum > (long double)UINT64_MAX);
    check_percentiles(row, values, n, r->figures);
    assert_int_equal(row->min, values[0]);
    assert_int_equal(row->max, values[n - 1]);
    assert_true(fabsl((long double)row->mean - sum / n) <= 1 + sum / n * 1e-15L);
    if (!row->is_saturated) {
        uint64_t exact = 0;
        for (uint32_t i = 0; i < n; i++) {
            exact += values[i];
        }
        assert_int_equal(row->sum, exact);
        assert_int_equal(row->mean, exact / n);
    }
}

static void check_largest(struct contract *c, const struct fg_aggregate_request *r,
                          const struct fg_aggregate_row *row)
{
    for (uint32_t i = 0; row->has_values && i < c->plain->span_count; i++) {
        uint64_t value = 0;
        if (chosen.has[i] && !contract_is_open(&c->plain->spans[i]) &&
            contract_key(c, &chosen, r->by, r->class_mask, i) == row->key &&
            c->plain->track_clock[c->plain->spans[i].track] == row->clock &&
            value_of(c, r, i, &value) && value == row->max) {
            assert_int_equal(row->largest, i);
            return;
        }
    }
}

static void check_order(const struct fg_aggregate_request *r, const struct fg_aggregate_row *rows,
                        uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const struct fg_aggregate_row *a = &rows[i - 1];
        const struct fg_aggregate_row *b = &rows[i];
        bool by_key = a->key < b->key || (a->key == b->key && a->clock < b->clock);
        if (r->order == FG_ORDER_KEY) {
            assert_true(by_key);
        } else if (!a->is_saturated) {
            assert_true(
                a->sum > b->sum ||
                (a->sum == b->sum && (a->count > b->count || (a->count == b->count && by_key))));
        }
    }
}

static uint32_t count_groups(struct contract *c, const struct fg_aggregate_request *r,
                             uint64_t *out_keyless)
{
    uint32_t groups = 0;
    *out_keyless = 0;
    for (uint32_t i = 0; i < c->plain->span_count; i++) {
        uint32_t key = contract_key(c, &chosen, r->by, r->class_mask, i);
        bool is_new = chosen.has[i] && key != FG_NONE;
        *out_keyless += chosen.has[i] && key == FG_NONE;
        for (uint32_t k = 0; k < i && is_new; k++) {
            is_new = !(chosen.has[k] && contract_key(c, &chosen, r->by, r->class_mask, k) == key &&
                       c->plain->track_clock[c->plain->spans[k].track] ==
                           c->plain->track_clock[c->plain->spans[i].track]);
        }
        groups += is_new;
    }
    return groups;
}

static void check_aggregate(struct contract *c)
{
    struct plain_trace *p = c->plain;
    contract_choose(c, &chosen);
    struct fg_aggregate_request r = {
        .selection = chosen.selection,
        .by = plain_below(p, FG_AGGREGATE_BY_COUNT),
        .measure = plain_below(p, FG_MEASURE_VALUES + 1),
        .class_mask = plain_below(p, 2) ? 0 : FG_CLASS_GPU_PASS | FG_CLASS_SCOPE,
        .figures = (plain_below(p, 2) ? FG_FIGURES_PERCENTILES : 0u) |
                   (plain_below(p, 2) ? FG_FIGURES_DEVIATION : 0u),
        .order = plain_below(p, 2),
        .limit = plain_below(p, 3) ? 0 : 1 + plain_below(p, 5),
    };
    bool is_listed =
        r.by == FG_AGGREGATE_TRACK || r.by == FG_AGGREGATE_LANE || r.by == FG_AGGREGATE_STATUS;
    r.figures |= is_listed && plain_below(p, 2) ? FG_FIGURES_EMPTY : 0u;
    random_column(c, &r.values);
    struct fg_aggregate_reply reply;
    struct fg_task *task = NULL;
    if (plain_below(p, 2)) {
        assert_int_equal(fg_task_aggregate(c->query, &r, FG_TASK_BACKGROUND, &task), FG_OK);
        contract_run_task(c, task);
        assert_int_equal(fg_task_result_aggregate(task, &reply), FG_OK);
    } else {
        assert_int_equal(fg_query_aggregate(c->query, &r, &reply), FG_OK);
    }
    uint64_t keyless = 0;
    uint32_t groups = count_groups(c, &r, &keyless);
    uint32_t empty = 0;
    for (uint32_t i = 0; i < reply.count; i++) {
        check_group(c, &r, &reply.rows[i]);
        check_largest(c, &r, &reply.rows[i]);
        empty += reply.rows[i].clock == FG_NONE;
        assert_true(reply.rows[i].clock != FG_NONE || !reply.rows[i].has_values);
    }
    check_order(&r, reply.rows, reply.count);
    assert_int_equal(reply.selected, chosen.count);
    assert_int_equal(reply.keyless, keyless);
    assert_int_equal(reply.is_clipped, r.measure == FG_MEASURE_CLIPPED);
    if (r.limit == 0) {
        assert_int_equal(reply.count, groups + empty);
        assert_true(empty == 0 || (r.figures & FG_FIGURES_EMPTY));
    } else {
        assert_int_equal(reply.count, r.limit < reply.group_count ? r.limit : reply.group_count);
    }
    fg_task_destroy(task);
}

/* ---- histograms ------------------------------------------------------------------------------ */

static void random_histogram(struct contract *c, struct fg_histogram_request *r, uint64_t *edges)
{
    struct plain_trace *p = c->plain;
    r->scale = plain_below(p, FG_HISTOGRAM_EDGES + 1);
    r->bins = plain_below(p, 9);
    r->has_domain = plain_below(p, 2);
    r->low = plain_below(p, 50);
    r->high = r->low + plain_below(p, 400);
    edges[0] = plain_below(p, 20);
    r->edge_count = 2 + plain_below(p, 6);
    for (uint32_t i = 1; i < r->edge_count; i++) {
        edges[i] = edges[i - 1] + 1 + plain_below(p, 90);
    }
    r->edges = edges;
}

static void check_histogram(struct contract *c)
{
    uint64_t edges[8];
    struct fg_histogram_request r = { 0 };
    struct fg_histogram_reply reply;
    struct fg_task *task = NULL;
    contract_choose(c, &chosen);
    random_histogram(c, &r, edges);
    r.selection = chosen.selection;
    r.measure = plain_below(c->plain, FG_MEASURE_VALUES + 1);
    random_column(c, &r.values);
    assert_int_equal(fg_task_histogram(c->query, &r, FG_TASK_NORMAL, &task), FG_OK);
    contract_run_task(c, task);
    assert_int_equal(fg_task_result_histogram(task, &reply), FG_OK);
    const struct fg_aggregate_request as = { .measure = r.measure, .values = r.values };
    uint64_t inside = 0, below = 0, above = 0, unfinished = 0, unmeasured = 0, low = UINT64_MAX,
             high = 0;
    uint64_t counts[80] = { 0 };
    for (uint32_t i = 0; i < c->plain->span_count; i++) {
        uint64_t value = 0;
        bool is_open = contract_is_open(&c->plain->spans[i]);
        bool has = chosen.has[i] && !is_open && value_of(c, &as, i, &value);
        unfinished += chosen.has[i] && is_open;
        unmeasured += chosen.has[i] && !is_open && !has;
        if (has) {
            low = value < low ? value : low;
            high = value > high ? value : high;
            below += reply.has_domain && value < reply.low;
            above += reply.has_domain && value > reply.high;
            uint32_t found = 0;
            for (uint32_t b = 0; b < reply.count; b++) {
                bool is_in = value >= reply.bins[b].first && value <= reply.bins[b].last;
                counts[b] += is_in;
                found += is_in;
            }
            assert_int_equal(found, value >= reply.low && value <= reply.high);
            inside += found;
        }
    }
    for (uint32_t b = 0; b < reply.count; b++) {
        assert_int_equal(reply.bins[b].count, counts[b]);
        assert_true(reply.bins[b].first <= reply.bins[b].last);
        if (r.scale == FG_HISTOGRAM_LINEAR) { /* the rule itself, by another way */
            long double width = (long double)(reply.high - reply.low);
            uint32_t k = reply.count;
            long double at =
                width > 0 ? (long double)(reply.bins[b].first - reply.low) * k / width : 0;
            assert_true(floorl(at + 1e-9L) >= b || b + 1 == k || width == 0);
        }
    }
    if (r.scale == FG_HISTOGRAM_LINEAR && !r.has_domain && low <= high) {
        assert_true(reply.low == low && reply.high == high);
    }
    assert_int_equal(reply.measured, inside + below + above);
    assert_int_equal(reply.below, below);
    assert_int_equal(reply.above, above);
    assert_int_equal(reply.unfinished, unfinished);
    assert_int_equal(reply.unmeasured, unmeasured);
    fg_task_destroy(task);
}

/* ---- buckets --------------------------------------------------------------------------------- */

static void check_bucket(struct contract *c, const struct fg_bucket *bucket)
{
    int64_t intervals[PLAIN_SPANS_MAX][2];
    uint64_t starts = 0, count = 0, sum = 0;
    uint32_t n = 0, peak = 0;
    for (uint32_t i = 0; i < c->plain->span_count; i++) {
        const struct plain_span *s = &c->plain->spans[i];
        if (!chosen.has[i] || !contract_meets(s->start, s->end, bucket->start_ns, bucket->end_ns)) {
            continue;
        }
        int64_t a = s->start > bucket->start_ns ? s->start : bucket->start_ns;
        int64_t b = s->end < bucket->end_ns ? s->end : bucket->end_ns;
        count++;
        starts += s->start >= bucket->start_ns;
        if (s->start < s->end) {
            sum += (uint64_t)b - (uint64_t)a;
            intervals[n][0] = a;
            intervals[n++][1] = b;
        }
    }
    for (uint32_t i = 0; i < n; i++) { /* the most are open where one of them starts */
        uint32_t open = 0;
        for (uint32_t k = 0; k < n; k++) {
            open += intervals[k][0] <= intervals[i][0] && intervals[k][1] > intervals[i][0];
        }
        peak = open > peak ? open : peak;
    }
    assert_int_equal(bucket->starts, starts);
    assert_int_equal(bucket->count, count);
    assert_int_equal(bucket->peak, peak);
    if (!bucket->is_saturated) {
        assert_int_equal(bucket->sum_ns, sum);
    }
    assert_int_equal(bucket->covered_ns, contract_union((const int64_t(*)[2])intervals, n,
                                                        bucket->start_ns, bucket->end_ns));
}

static bool clocks_mix(const struct contract *c)
{
    uint32_t clock = FG_NONE;
    bool is_mixed = false, is_nominal = false;
    for (uint32_t i = 0; i < c->plain->span_count; i++) {
        const struct fg_selection *s = &chosen.selection;
        bool in_lane = s->lanes == NULL;
        for (uint32_t k = 0; k < s->lane_count; k++) {
            in_lane |= s->lanes[k] == chosen.lane[i];
        }
        bool in_track = s->tracks == NULL;
        for (uint32_t k = 0; k < s->track_count; k++) {
            in_track |= s->tracks[k] == c->plain->spans[i].track;
        }
        if (!in_lane || !in_track || !c->passes[i]) {
            continue;
        }
        uint32_t own = c->plain->track_clock[c->plain->spans[i].track];
        is_nominal |= c->plain->clock_kind[own] == FG_CLOCK_NOMINAL;
        is_mixed |= clock != FG_NONE && clock != own;
        clock = own;
    }
    return is_mixed && is_nominal;
}

static void check_buckets(struct contract *c)
{
    struct plain_trace *p = c->plain;
    struct fg_buckets_reply reply;
    struct fg_task *task = NULL;
    contract_choose(c, &chosen);
    struct fg_buckets_request r = {
        .selection = chosen.selection,
        .count = plain_below(p, 3) ? 1 + plain_below(p, 12) : 0,
        .lanes = plain_below(p, 3) ? 0 : 1 + plain_below(p, 3),
    };
    enum fg_result result = fg_task_buckets(c->query, &r, FG_TASK_INTERACTIVE, &task);
    if (clocks_mix(c)) {
        assert_int_equal(result, FG_ERR_CLOCK);
        return;
    }
    assert_int_equal(result, FG_OK);
    contract_run_task(c, task);
    assert_int_equal(fg_task_result_buckets(task, &reply), FG_OK);
    uint64_t starts = 0;
    for (uint32_t i = 0; i < reply.count; i++) {
        const struct fg_bucket *b = &reply.buckets[i];
        assert_true(b->start_ns < b->end_ns);
        assert_int_equal(b->start_ns, i == 0 ? reply.start_ns : reply.buckets[i - 1].end_ns);
        check_bucket(c, b);
        if (!b->is_saturated) {
            assert_int_equal(b->capacity_ns,
                             ((uint64_t)b->end_ns - (uint64_t)b->start_ns) * reply.lanes);
            assert_int_equal(b->idle_ns,
                             b->capacity_ns > b->sum_ns ? b->capacity_ns - b->sum_ns : 0);
        }
        starts += b->starts;
    }
    assert_int_equal(reply.buckets[reply.count - 1].end_ns, reply.end_ns);
    if (r.selection.start_ns == 0 && r.selection.end_ns == 0) {
        assert_int_equal(starts, chosen.count); /* every span starts in exactly one */
    }
    fg_task_destroy(task);
}

/* ---- a profile: all three, one after the other ----------------------------------------------- */

/* What a stage has given stays, and what has not come is empty. */
static void check_stages(const struct fg_profile_reply *found, struct fg_task *aggregate,
                         struct fg_task *histogram, struct fg_task *buckets)
{
    struct fg_aggregate_reply groups = { 0 };
    struct fg_histogram_reply bins = { 0 };
    struct fg_buckets_reply times = { 0 };
    if (found->stage >= FG_PROFILE_SUMMARY) {
        assert_int_equal(fg_task_result_aggregate(aggregate, &groups), FG_OK);
    }
    if (found->stage >= FG_PROFILE_HISTOGRAM) {
        assert_int_equal(fg_task_result_histogram(histogram, &bins), FG_OK);
    }
    if (found->stage >= FG_PROFILE_COMPLETE) {
        assert_int_equal(fg_task_result_buckets(buckets, &times), FG_OK);
    }
    assert_int_equal(found->aggregate.count, groups.count);
    assert_int_equal(found->aggregate.selected, groups.selected);
    for (uint32_t i = 0; i < groups.count; i++) {
        const struct fg_aggregate_row *a = &found->aggregate.rows[i], *b = &groups.rows[i];
        assert_true(a->key == b->key && a->clock == b->clock && a->count == b->count &&
                    a->sum == b->sum && a->p95 == b->p95 && a->largest == b->largest);
    }
    assert_int_equal(found->histogram.count, bins.count);
    assert_int_equal(found->histogram.measured, bins.measured);
    for (uint32_t i = 0; i < bins.count; i++) {
        assert_int_equal(found->histogram.bins[i].first, bins.bins[i].first);
        assert_int_equal(found->histogram.bins[i].count, bins.bins[i].count);
    }
    assert_int_equal(found->buckets.count, times.count);
    for (uint32_t i = 0; i < times.count; i++) {
        const struct fg_bucket *a = &found->buckets.buckets[i], *b = &times.buckets[i];
        assert_true(a->starts == b->starts && a->count == b->count && a->sum_ns == b->sum_ns &&
                    a->covered_ns == b->covered_ns && a->peak == b->peak);
    }
}

static void check_profile(struct contract *c)
{
    struct plain_trace *p = c->plain;
    struct fg_task *parts[3] = { NULL }, *task = NULL;
    uint64_t edges[8];
    contract_choose(c, &chosen);
    struct fg_profile_request r = {
        .aggregate = { .selection = chosen.selection,
                       .by = plain_below(p, FG_AGGREGATE_BY_COUNT),
                       .figures = plain_below(p, 2) ? FG_FIGURES_PERCENTILES : 0u },
        .buckets = { .selection = chosen.selection, .count = 1 + plain_below(p, 12) },
    };
    random_histogram(c, &r.histogram, edges);
    r.histogram.selection = chosen.selection;
    enum fg_result result = fg_task_profile(c->query, &r, FG_TASK_NORMAL, &task);
    if (clocks_mix(c)) {
        assert_int_equal(result, FG_ERR_CLOCK);
        return;
    }
    assert_int_equal(result, FG_OK);
    assert_int_equal(fg_task_aggregate(c->query, &r.aggregate, FG_TASK_NORMAL, &parts[0]), FG_OK);
    assert_int_equal(fg_task_histogram(c->query, &r.histogram, FG_TASK_NORMAL, &parts[1]), FG_OK);
    assert_int_equal(fg_task_buckets(c->query, &r.buckets, FG_TASK_NORMAL, &parts[2]), FG_OK);
    for (int i = 0; i < 3; i++) {
        contract_run_task(c, parts[i]);
    }
    struct fg_task_progress progress;
    struct fg_profile_reply reply;
    fg_task_progress(task, &progress);
    assert_int_equal(progress.stage_count, FG_PROFILE_COMPLETE);
    while (!progress.is_done) {
        assert_int_equal(fg_task_result_profile(task, &reply), FG_OK);
        assert_int_equal(reply.stage, progress.stage);
        check_stages(&reply, parts[0], parts[1], parts[2]);
        assert_int_equal(fg_task_step(task, 1 + plain_below(p, 90), &progress), FG_OK);
    }
    assert_int_equal(fg_task_result_profile(task, &reply), FG_OK);
    assert_int_equal(reply.stage, FG_PROFILE_COMPLETE);
    check_stages(&reply, parts[0], parts[1], parts[2]);
    for (int i = 0; i < 3; i++) {
        fg_task_destroy(parts[i]);
    }
    fg_task_destroy(task);
}

void contract_check_numbers(struct contract *c)
{
    check_aggregate(c);
    check_aggregate(c);
    check_histogram(c);
    check_buckets(c);
    check_profile(c);
}
