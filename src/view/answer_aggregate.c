/* SPDX-License-Identifier: MIT */
/* AGGREGATE, HISTOGRAM, BUCKETS: figures over many spans. */
#include "view/view_priv.h"
#include <frameglass/trace_aggregate.h>

enum {
    BASE_AGGREGATE = 0x2100,
    TAG_BY = 0x2108,
    TAG_MEASURE = 0x2109,
    TAG_CLASSES = 0x210A,
    TAG_FIGURES = 0x210B,
    TAG_SORT = 0x210C,
    TAG_FIRST = 0x210D,
    TAG_LIMIT = 0x210E,
    TAG_ALL = 0x2140,
    TAG_COUNTS = 0x2141,
    TAG_CLIPPED = 0x2142,
    TAG_KEY = 0x2148,
    TAG_NAME = 0x2149,
    TAG_CLOCK = 0x214A,
    TAG_STATE = 0x214B,
    TAG_COUNT = 0x214C,
    TAG_ERRORS = 0x214D,
    TAG_UNFINISHED = 0x214E,
    TAG_SUM = 0x214F,
    TAG_MEAN = 0x2150,
    TAG_MIN = 0x2151,
    TAG_MAX = 0x2152,
    TAG_MEDIAN = 0x2153,
    TAG_P95 = 0x2154,
    TAG_LARGEST = 0x2155,
    TAG_DEVIATION = 0x2156,

    BASE_HISTOGRAM = 0x2200,
    TAG_OF = 0x2208,
    TAG_SCALE = 0x2209,
    TAG_BINS = 0x220A,
    TAG_DOMAIN = 0x220B,
    TAG_EDGES = 0x220C,
    TAG_BIN_FIRST = 0x2240,
    TAG_BIN_LAST = 0x2241,
    TAG_BIN_COUNT = 0x2242,
    TAG_OUT_DOMAIN = 0x2248,
    TAG_HISTOGRAM_COUNTS = 0x2249,
    TAG_HISTOGRAM_CLIPPED = 0x224A,

    BASE_BUCKETS = 0x2300,
    TAG_BUCKETS = 0x2308,
    TAG_OVER = 0x2309,
    TAG_RANGE = 0x2340,
    TAG_OUT_OVER = 0x2341,
    TAG_BUCKET_STARTS = 0x2348,
    TAG_BUCKET_COUNT = 0x2349,
    TAG_BUCKET_COVERED = 0x234A,
    TAG_BUCKET_SUM = 0x234B,
    TAG_BUCKET_CAPACITY = 0x234C,
    TAG_BUCKET_IDLE = 0x234D,
    TAG_BUCKET_PEAK = 0x234E,
    TAG_BUCKET_SATURATED = 0x234F,
};

enum { STATE_HAS_VALUES = 1, STATE_SATURATED = 2 };

static enum fg_result read_measure(struct fgi_ask *ask, uint16_t tag, uint32_t *out)
{
    *out = fgi_request_u32(ask->request, tag, FG_MEASURE_DURATION);
    return *out <= FG_MEASURE_DEPTH
               ? FG_OK
               : fgi_ask_fail(ask, FG_ERR_ARGUMENT,
                              "durations, parts of them, self times or depths are measured");
}

/* ---- groups ---------------------------------------------------------------------------------- */

static enum fg_result begin_aggregate(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fgi_request *request = ask->request;
    struct fg_aggregate_request from = {
        .by = fgi_request_u32(request, TAG_BY, FG_AGGREGATE_ALL),
        .class_mask = fgi_request_u32(request, TAG_CLASSES, 0),
        .figures = fgi_request_u32(request, TAG_FIGURES, 0),
        .order = fgi_request_u32(request, TAG_SORT, FG_ORDER_SUM),
    };
    if (from.by >= FG_AGGREGATE_BY_COUNT) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "there is no such dimension");
    }
    if (from.figures > (FG_FIGURES_PERCENTILES | FG_FIGURES_EMPTY | FG_FIGURES_DEVIATION) ||
        from.order > FG_ORDER_KEY) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "there are no such figures, or no such order");
    }
    enum fg_result result = read_measure(ask, TAG_MEASURE, &from.measure);
    if (result == FG_OK) {
        result = fgi_ask_selection(ask, BASE_AGGREGATE, &from.selection);
    }
    result = result == FG_OK ? request->result : result;
    return result == FG_OK ? fg_task_aggregate(job->query, &from, scheduling, &job->task) : result;
}

struct group_columns {
    uint32_t *key, *name, *clock, *largest;
    uint8_t *state;
    uint64_t *figures[10];
};

static void put_group(struct fgi_ask *ask, const struct group_columns *to, uint32_t at,
                      const struct fg_aggregate_row *row, uint32_t by)
{
    const uint64_t figures[10] = { row->count, row->errors,   row->unfinished, row->sum,
                                   row->mean,  row->min,      row->max,        row->median,
                                   row->p95,   row->deviation };
    to->key[at] = fgi_is_text_key(by) ? fgi_name(ask, row->key) : row->key;
    if (by == FG_AGGREGATE_PROCESS) {
        to->key[at] |= FGI_GROUP_PROCESS;
    }
    to->name[at] = fgi_name(ask, row->name);
    to->clock[at] = row->clock;
    to->state[at] = (uint8_t)((row->has_values ? STATE_HAS_VALUES : 0) |
                              (row->is_saturated ? STATE_SATURATED : 0));
    for (unsigned i = 0; i < 10; i++) {
        to->figures[i][at] = figures[i];
    }
    to->largest[at] = row->has_values ? row->largest : FG_NONE;
}

static enum fg_result put_aggregate(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_aggregate_reply answer;
    uint32_t by = fgi_request_u32(ask->request, TAG_BY, FG_AGGREGATE_ALL);
    struct fgi_page page = fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT);
    enum fg_result result = fg_task_result_aggregate(job->task, &answer);
    if (result != FG_OK) {
        return result;
    }
    page = fgi_page_of(ask, page, answer.count);
    fgi_reply_u32(ask->reply, TAG_ALL, answer.group_count);
    uint64_t *counts = fgi_u64s(ask, TAG_COUNTS, 2);
    fgi_reply_u8(ask->reply, TAG_CLIPPED, answer.is_clipped);
    struct group_columns to = {
        .key = fgi_u32s(ask, TAG_KEY, page.limit),
        .name = fgi_u32s(ask, TAG_NAME, page.limit),
        .clock = fgi_u32s(ask, TAG_CLOCK, page.limit),
        .state = fgi_u8s(ask, TAG_STATE, page.limit),
    };
    static const uint16_t tags[10] = {
        TAG_COUNT, TAG_ERRORS, TAG_UNFINISHED, TAG_SUM, TAG_MEAN,
        TAG_MIN,   TAG_MAX,    TAG_MEDIAN,     TAG_P95, TAG_DEVIATION
    };
    for (unsigned i = 0; i < 10; i++) {
        to.figures[i] = fgi_u64s(ask, tags[i], page.limit);
    }
    to.largest = fgi_u32s(ask, TAG_LARGEST, page.limit);
    if (ask->reply->result != FG_OK) {
        return ask->reply->result;
    }
    counts[0] = answer.selected;
    counts[1] = answer.keyless;
    for (uint32_t i = 0; i < page.limit; i++) {
        put_group(ask, &to, i, &answer.rows[page.first + i], by);
    }
    return ask->reply->result;
}

const struct fgi_job_ops fgi_aggregate_job = { .begin = begin_aggregate,
                                               .put = put_aggregate,
                                               .has_parts = true,
                                               .stages = { "totals", "percentiles" } };

enum fg_result fgi_answer_AGGREGATE(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_aggregate_job);
}

/* ---- histograms ------------------------------------------------------------------------------ */

static enum fg_result read_edges(struct fgi_ask *ask, struct fg_histogram_request *out)
{
    const struct fgi_section *edges = fgi_request_section(ask->request, TAG_EDGES, FGI_TYPE_U64);
    uint32_t count = edges == NULL ? 0 : edges->count;
    if (out->scale != FG_HISTOGRAM_EDGES || count == 0) {
        return FG_OK;
    }
    if (count > FG_HISTOGRAM_BINS_MAX + 1) {
        return fgi_ask_fail(ask, FG_ERR_LIMIT, "at most 65536 bins");
    }
    uint64_t *copy = fgi_arena_alloc(ask->arena, count, sizeof *copy);
    if (copy == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = fgi_section_u64(edges, i);
    }
    out->edges = copy;
    out->edge_count = count;
    return FG_OK;
}

static enum fg_result begin_histogram(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fgi_request *request = ask->request;
    const struct fgi_section *domain = fgi_request_exact(request, TAG_DOMAIN, FGI_TYPE_U64, 2);
    struct fg_histogram_request from = {
        .scale = fgi_request_u32(request, TAG_SCALE, FG_HISTOGRAM_LINEAR),
        .bins = fgi_request_u32(request, TAG_BINS, 0),
        .has_domain = domain != NULL,
        .low = domain == NULL ? 0 : fgi_section_u64(domain, 0),
        .high = domain == NULL ? 0 : fgi_section_u64(domain, 1),
    };
    if (from.scale > FG_HISTOGRAM_EDGES || from.low > from.high) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "there is no such scale or domain");
    }
    if (from.bins > FG_HISTOGRAM_BINS_MAX) {
        return fgi_ask_fail(ask, FG_ERR_LIMIT, "at most 65536 bins");
    }
    enum fg_result result = read_measure(ask, TAG_OF, &from.measure);
    if (result == FG_OK) {
        result = read_edges(ask, &from);
    }
    if (result == FG_OK) {
        result = fgi_ask_selection(ask, BASE_HISTOGRAM, &from.selection);
    }
    result = result == FG_OK ? request->result : result;
    return result == FG_OK ? fg_task_histogram(job->query, &from, scheduling, &job->task) : result;
}

static enum fg_result put_histogram(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_histogram_reply answer;
    enum fg_result result = fg_task_result_histogram(job->task, &answer);
    if (result != FG_OK) {
        return result;
    }
    uint64_t *first = fgi_u64s(ask, TAG_BIN_FIRST, answer.count);
    uint64_t *last = fgi_u64s(ask, TAG_BIN_LAST, answer.count);
    uint64_t *count = fgi_u64s(ask, TAG_BIN_COUNT, answer.count);
    uint64_t *domain = answer.has_domain ? fgi_u64s(ask, TAG_OUT_DOMAIN, 2) : NULL;
    uint64_t *counts = fgi_u64s(ask, TAG_HISTOGRAM_COUNTS, 4);
    fgi_reply_u8(ask->reply, TAG_HISTOGRAM_CLIPPED, answer.is_clipped);
    if (ask->reply->result != FG_OK) {
        return ask->reply->result;
    }
    for (uint32_t i = 0; i < answer.count; i++) {
        first[i] = answer.bins[i].first;
        last[i] = answer.bins[i].last;
        count[i] = answer.bins[i].count;
    }
    if (domain != NULL) {
        domain[0] = answer.low;
        domain[1] = answer.high;
    }
    counts[0] = answer.measured;
    counts[1] = answer.below;
    counts[2] = answer.above;
    counts[3] = answer.unfinished;
    return FG_OK;
}

const struct fgi_job_ops fgi_histogram_job = { .begin = begin_histogram,
                                               .put = put_histogram,
                                               .stages = { "bins" } };

enum fg_result fgi_answer_HISTOGRAM(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_histogram_job);
}

/* ---- time buckets ---------------------------------------------------------------------------- */

static enum fg_result begin_buckets(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fg_buckets_request from = {
        .count = fgi_request_u32(ask->request, TAG_BUCKETS, 0),
        .lanes = fgi_request_u32(ask->request, TAG_OVER, 0),
    };
    if (from.count > FG_BUCKETS_MAX) {
        return fgi_ask_fail(ask, FG_ERR_LIMIT, "at most 65536 buckets");
    }
    enum fg_result result = fgi_ask_selection(ask, BASE_BUCKETS, &from.selection);
    result = result == FG_OK ? ask->request->result : result;
    return result == FG_OK ? fg_task_buckets(job->query, &from, scheduling, &job->task) : result;
}

static enum fg_result put_buckets(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_buckets_reply answer;
    enum fg_result result = fg_task_result_buckets(job->task, &answer);
    if (result != FG_OK) {
        return result;
    }
    static const uint16_t tags[6] = { TAG_BUCKET_STARTS, TAG_BUCKET_COUNT,    TAG_BUCKET_COVERED,
                                      TAG_BUCKET_SUM,    TAG_BUCKET_CAPACITY, TAG_BUCKET_IDLE };
    uint64_t *figures[6];
    int64_t *range = fgi_i64s(ask, TAG_RANGE, 2);
    fgi_reply_u32(ask->reply, TAG_OUT_OVER, answer.lanes);
    for (unsigned i = 0; i < 6; i++) {
        figures[i] = fgi_u64s(ask, tags[i], answer.count);
    }
    uint32_t *peak = fgi_u32s(ask, TAG_BUCKET_PEAK, answer.count);
    uint8_t *is_saturated = fgi_u8s(ask, TAG_BUCKET_SATURATED, answer.count);
    if (ask->reply->result != FG_OK) {
        return ask->reply->result;
    }
    range[0] = answer.start_ns;
    range[1] = answer.end_ns;
    for (uint32_t i = 0; i < answer.count; i++) {
        const struct fg_bucket *from = &answer.buckets[i];
        const uint64_t values[6] = { from->starts, from->count,       from->covered_ns,
                                     from->sum_ns, from->capacity_ns, from->idle_ns };
        for (unsigned k = 0; k < 6; k++) {
            figures[k][i] = values[k];
        }
        peak[i] = from->peak;
        is_saturated[i] = from->is_saturated;
    }
    return FG_OK;
}

const struct fgi_job_ops fgi_buckets_job = { .begin = begin_buckets,
                                             .put = put_buckets,
                                             .stages = { "buckets" } };

enum fg_result fgi_answer_BUCKETS(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_buckets_job);
}
