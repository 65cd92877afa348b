/* SPDX-License-Identifier: MIT */
/* Figures over many spans: STATS and SERIES. */
#include "trace/model.h"
#include "view/view_priv.h"
#include <string.h>

enum {
    TAG_BY = 0x0C01,
    TAG_TIME = 0x0C02,
    TAG_FRAMES = 0x0C03,
    TAG_TRACKS = 0x0C04,
    TAG_FILTER = 0x0C05,
    TAG_SORT = 0x0C06,
    TAG_FIRST = 0x0C07,
    TAG_LIMIT = 0x0C08,
    TAG_ALL = 0x0C40,
    TAG_SUM = 0x0C41,
    TAG_KEY = 0x0C42,
    TAG_NAME = 0x0C43,
    TAG_TRACK = 0x0C44,
    TAG_COUNT = 0x0C45,
    TAG_TOTAL = 0x0C46, /* then SELF, BUSY, MIN, MEDIAN, P95, MAX */
    TAG_START = 0x0C4D,
    TAG_END = 0x0C4E,
    TAG_UNFINISHED = 0x0C4F,
    TAG_ZEROES = 0x0C50,
    TAG_LONGEST = 0x0C51,
    TAG_CLOCK = 0x0C52,
    TAG_SCOPE = 0x0C53,
    TAG_CATEGORY = 0x0C54,
    TAG_FLAGS = 0x0C55,
    TAG_SERIES_ROW = 0x1501,
    TAG_SERIES_FRAMES = 0x1502,
    TAG_SERIES_FRAME = 0x1540,
    TAG_SERIES_NS = 0x1541,
    TAG_SERIES_COUNT = 0x1542,
    TAG_SERIES_SUMMARY = 0x1543,
};

enum stats_column {
    SORT_TOTAL = 0,
    SORT_SELF = 1,
    SORT_BUSY = 2,
    SORT_COUNT = 3,
    SORT_MIN = 4,
    SORT_MEDIAN = 5,
    SORT_P95 = 6,
    SORT_MAX = 7,
    SORT_NAME = 8,
};

struct order {
    const struct fg_trace *trace;
    const struct fg_stats_row *rows;
    uint32_t column;
    bool is_ascending;
};

static uint64_t column_of(const struct fg_stats_row *row, uint32_t column)
{
    switch (column) {
    case SORT_SELF:
        return row->self_ns;
    case SORT_BUSY:
        return row->busy_ns;
    case SORT_COUNT:
        return row->count;
    case SORT_MIN:
        return row->min_ns;
    case SORT_MEDIAN:
        return row->median_ns;
    case SORT_P95:
        return row->p95_ns;
    case SORT_MAX:
        return row->max_ns;
    default:
        return row->total_ns;
    }
}

/* The sort keeps the engine's order where neither comes first. */
static bool comes_before(void *context, uint32_t a, uint32_t b)
{
    const struct order *order = context;
    const struct fg_stats_row *left = &order->rows[a];
    const struct fg_stats_row *right = &order->rows[b];
    int by_name = 0;
    if (left->name != right->name) {
        by_name = strcmp(fg_trace_text(order->trace, left->name),
                         fg_trace_text(order->trace, right->name));
    }
    if (order->column == SORT_NAME) {
        return order->is_ascending ? by_name < 0 : by_name > 0;
    }
    uint64_t of_left = column_of(left, order->column);
    uint64_t of_right = column_of(right, order->column);
    if (of_left == of_right) {
        return by_name < 0;
    }
    return order->is_ascending ? of_left < of_right : of_left > of_right;
}

static enum fg_result read_stats(struct fgi_ask *ask, struct fg_stats_request *out)
{
    struct fgi_range range;
    struct fgi_frames frames;
    size_t tracks = 0;
    enum fg_result result = fgi_ask_range(ask, TAG_TIME, &range);
    if (result == FG_OK) {
        result = fgi_ask_frames(ask, TAG_FRAMES, &frames);
    }
    if (result != FG_OK) {
        return result;
    }
    *out = (struct fg_stats_request){
        .by = fgi_request_u32(ask->request, TAG_BY, FG_STATS_BY_NAME),
        .start_ns = range.start_ns,
        .end_ns = range.end_ns,
        .has_frames = frames.is_given,
        .first_frame = frames.first,
        .end_frame = frames.end,
        .tracks = fgi_request_u32s(ask->request, TAG_TRACKS, ask->arena, &tracks),
    };
    out->track_count = (uint32_t)tracks;
    if (out->by > FG_STATS_BY_SCOPE) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "statistics are by name, pass, track or scope");
    }
    result = fgi_ask_filter(ask, TAG_FILTER, &out->filter);
    return result == FG_OK ? ask->request->result : result;
}

static enum fg_result read_order(struct fgi_ask *ask, const struct fg_stats_reply *answer,
                                 struct order *out)
{
    const struct fgi_section *sort = fgi_request_exact(ask->request, TAG_SORT, FGI_TYPE_U32, 2);
    *out = (struct order){ .trace = ask->trace, .rows = answer->rows };
    if (sort == NULL) {
        return ask->request->result;
    }
    out->column = fgi_section_u32(sort, 0);
    out->is_ascending = fgi_section_u32(sort, 1) == 1;
    if (out->column > SORT_NAME || fgi_section_u32(sort, 1) > 1) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "there is no such column to sort by");
    }
    return FG_OK;
}

struct stats_columns {
    uint32_t *key, *name, *track, *longest, *clock, *scope, *category, *flags;
    uint64_t *count, *times[7], *unfinished, *zeroes;
    int64_t *start, *end;
};

static struct stats_columns make_columns(struct fgi_ask *ask, uint32_t count)
{
    struct stats_columns to = {
        .key = fgi_u32s(ask, TAG_KEY, count),
        .name = fgi_u32s(ask, TAG_NAME, count),
        .track = fgi_u32s(ask, TAG_TRACK, count),
        .count = fgi_u64s(ask, TAG_COUNT, count),
    };
    for (unsigned i = 0; i < 7; i++) {
        to.times[i] = fgi_u64s(ask, (uint16_t)(TAG_TOTAL + i), count);
    }
    to.start = fgi_i64s(ask, TAG_START, count);
    to.end = fgi_i64s(ask, TAG_END, count);
    to.unfinished = fgi_u64s(ask, TAG_UNFINISHED, count);
    to.zeroes = fgi_u64s(ask, TAG_ZEROES, count);
    to.longest = fgi_u32s(ask, TAG_LONGEST, count);
    to.clock = fgi_u32s(ask, TAG_CLOCK, count);
    to.scope = fgi_u32s(ask, TAG_SCOPE, count);
    to.category = fgi_u32s(ask, TAG_CATEGORY, count);
    to.flags = fgi_u32s(ask, TAG_FLAGS, count);
    return to;
}

static uint32_t scope_of(const struct fgi_ask *ask, uint32_t by, uint32_t key)
{
    if (by == FG_STATS_BY_SCOPE) {
        return key;
    }
    const struct fg_trace_pass *pass =
        by == FG_STATS_BY_PASS ? fg_trace_pass(ask->trace, key) : NULL;
    return pass == NULL ? 0 : pass->scope;
}

static enum fg_result put_row(struct fgi_ask *ask, const struct stats_columns *to, uint32_t at,
                              const struct fg_stats_row *row, uint32_t by)
{
    const uint64_t times[] = { row->total_ns,  row->self_ns, row->busy_ns, row->min_ns,
                               row->median_ns, row->p95_ns,  row->max_ns };
    to->key[at] = by == FG_STATS_BY_NAME ? fgi_name(ask, row->key) : row->key;
    to->name[at] = fgi_name(ask, row->name);
    to->track[at] = row->track;
    to->count[at] = row->count;
    for (unsigned i = 0; i < 7; i++) {
        to->times[i][at] = times[i];
    }
    to->start[at] = row->start_ns;
    to->end[at] = row->end_ns;
    to->unfinished[at] = row->unfinished;
    to->zeroes[at] = row->zeroes;
    to->longest[at] = row->longest;
    to->clock[at] = row->clock;
    to->scope[at] = fgi_name(ask, scope_of(ask, by, row->key));
    if (row->longest == FG_NONE) {
        return FG_OK;
    }
    struct fg_trace_span span;
    enum fg_result result = fgi_span_at(ask, row->longest, &span);
    if (result == FG_OK) {
        to->category[at] = fgi_name(ask, span.category);
        to->flags[at] = fgi_span_flags(ask, &span);
    }
    return result;
}

static enum fg_result begin_stats(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fg_stats_request from;
    enum fg_result result = read_stats(ask, &from);
    return result == FG_OK ? fg_task_stats(job->query, &from, scheduling, &job->task) : result;
}

static enum fg_result put_stats(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_stats_reply answer;
    struct order order;
    uint32_t by = fgi_request_u32(ask->request, TAG_BY, FG_STATS_BY_NAME);
    struct fgi_page page = fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT);
    enum fg_result result = fg_task_result_stats(job->task, &answer);
    if (result == FG_OK) {
        result = read_order(ask, &answer, &order);
    }
    if (result != FG_OK) {
        return result;
    }
    uint32_t *items = fgi_arena_alloc(ask->arena, (size_t)answer.count + 1, sizeof *items);
    if (items == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < answer.count; i++) {
        items[i] = i;
    }
    result = fgi_sort_u32(ask->view->options.allocator, items, answer.count, comes_before, &order);
    if (result != FG_OK) {
        return result;
    }
    page = fgi_page_of(ask, page, answer.count);
    fgi_reply_u32(ask->reply, TAG_ALL, answer.count);
    fgi_reply_u64(ask->reply, TAG_SUM, answer.sum_ns);
    struct stats_columns to = make_columns(ask, page.limit);
    result = ask->reply->result;
    for (uint32_t i = 0; result == FG_OK && i < page.limit; i++) {
        result = put_row(ask, &to, i, &answer.rows[items[page.first + i]], by);
    }
    return result;
}

const struct fgi_job_ops fgi_stats_job = {
    .begin = begin_stats, .put = put_stats, .has_parts = true, .stages = { "totals", "percentiles" }
};

enum fg_result fgi_answer_STATS(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_stats_job);
}

/* Nearest-rank figures of sums that are sorted here: shell sort, few thousand at most matter. */
static void put_summary(struct fgi_ask *ask, const uint64_t *sums, uint32_t count)
{
    uint64_t *sorted_sums = fgi_arena_alloc(ask->arena, (size_t)count + 1, sizeof *sorted_sums);
    uint64_t *summary = fgi_u64s(ask, TAG_SERIES_SUMMARY, 4);
    if (sorted_sums == NULL || summary == NULL || count == 0) {
        return;
    }
    memcpy(sorted_sums, sums, count * sizeof *sums);
    for (uint32_t gap = count / 2; gap > 0; gap /= 2) {
        for (uint32_t i = gap; i < count; i++) {
            uint64_t value = sorted_sums[i];
            uint32_t at = i;
            for (; at >= gap && sorted_sums[at - gap] > value; at -= gap) {
                sorted_sums[at] = sorted_sums[at - gap];
            }
            sorted_sums[at] = value;
        }
    }
    summary[0] = sorted_sums[0];
    summary[1] = sorted_sums[((uint64_t)count + 1) / 2 - 1];
    summary[2] = sorted_sums[((uint64_t)count * 95 + 99) / 100 - 1];
    summary[3] = sorted_sums[count - 1];
}

enum fg_result fgi_answer_SERIES(struct fgi_ask *ask)
{
    struct fgi_frames frames;
    const struct fg_series_item *items = NULL;
    uint32_t count = 0;
    uint32_t row = fgi_request_u32(ask->request, TAG_SERIES_ROW, FG_NONE);
    enum fg_result result = fgi_ask_frames(ask, TAG_SERIES_FRAMES, &frames);
    result = result == FG_OK ? ask->request->result : result;
    if (result == FG_OK) {
        result = fg_query_series(ask->query, row, frames.first, frames.end, &items, &count);
    }
    if (result != FG_OK) {
        return result;
    }
    uint32_t *frame = fgi_u32s(ask, TAG_SERIES_FRAME, count);
    uint64_t *sum = fgi_u64s(ask, TAG_SERIES_NS, count);
    uint32_t *spans = fgi_u32s(ask, TAG_SERIES_COUNT, count);
    if (ask->reply->result != FG_OK) {
        return ask->reply->result;
    }
    for (uint32_t i = 0; i < count; i++) {
        frame[i] = items[i].frame;
        sum[i] = items[i].total_ns;
        spans[i] = items[i].count;
    }
    put_summary(ask, sum, count);
    return FG_OK;
}
