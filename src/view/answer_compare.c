/* SPDX-License-Identifier: MIT */
/* COMPARE: two frames or ranges of frames or time, of one trace or of two. Names go as texts: they
 * are of both. */
#include "view/view_priv.h"
#include <frameglass/trace_compare.h>

enum {
    TAG_BASE_FRAMES = 0x1701,
    TAG_NEW_FRAMES = 0x1702,
    TAG_NEW_TRACE = 0x1703,
    TAG_BY = 0x1704,
    TAG_FIRST = 0x1705,
    TAG_LIMIT = 0x1706,
    TAG_BASE_WINDOW = 0x1707,
    TAG_NEW_WINDOW = 0x1708,
    TAG_ALL = 0x1740,
    TAG_FRAMES = 0x1741,
    TAG_GPU = 0x1742,
    TAG_CPU = 0x1743,
    TAG_TOPOLOGY = 0x1744,
    TAG_SAME = 0x1745,
    TAG_LENGTH = 0x1746,
    TAG_NAME = 0x1748,
    TAG_SCOPE = 0x1749,
    TAG_TRACK = 0x174A,
    TAG_STATE = 0x174B,
    TAG_BASE_ROW = 0x174C,
    TAG_NEW_ROW = 0x174D,
    TAG_BASE_COUNT = 0x174E,
    TAG_NEW_COUNT = 0x174F,
    TAG_BASE_NS = 0x1750,
    TAG_NEW_NS = 0x1751,
    TAG_BASE_MEDIAN = 0x1752,
    TAG_NEW_MEDIAN = 0x1753,
    TAG_DELTA = 0x1754,
    TAG_NOISE = 0x1755,
    TAG_CAUSE = 0x1756,
    TAG_WORK_UNIT = 0x1757,
    TAG_BASE_WORK = 0x1758,
    TAG_NEW_WORK = 0x1759,
    TAG_BASE_IDENTITY = 0x175A,
    TAG_NEW_IDENTITY = 0x175B,
    TAG_SIDE = 0x175C,
    TAG_ORDINAL = 0x175D,
    TAG_RES_NAME = 0x1760,
    TAG_RES_STATE = 0x1761,
    TAG_RES_BASE_BYTES = 0x1762,
    TAG_RES_NEW_BYTES = 0x1763,
    TAG_RES_BASE_TEXT = 0x1764,
    TAG_RES_NEW_TEXT = 0x1765,
    TAG_COUNTER_NAME = 0x1768,
    TAG_COUNTER_UNIT = 0x1769,
    TAG_COUNTER_BASE = 0x176A,
    TAG_COUNTER_NEW = 0x176B,
};

enum { SIDE_CPU = 0, SIDE_GPU = 1 };

/* The engine of the trace that is compared with; `asking` is held, so it stays. */
static enum fg_result find_other(struct fgi_ask *ask, uint32_t number, struct fg_engine **out,
                                 const struct fg_trace **out_trace)
{
    struct fgi_view *view = ask->view;
    *out = ask->entry->engine;
    *out_trace = ask->trace;
    if (number == 0 || number == ask->request->trace) {
        return FG_OK;
    }
    fgi_mutex_lock(view->state);
    const struct fgi_view_trace *entry = fgi_view_find(view, number);
    uint8_t state = entry == NULL ? FGI_STATE_KNOWN : entry->state;
    *out = entry != NULL && state == FGI_STATE_LOADED ? entry->engine : NULL;
    *out_trace = entry != NULL ? entry->trace : NULL;
    fgi_mutex_unlock(view->state);
    if (entry == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND,
                            "there is no trace to compare with of this "
                            "number");
    }
    if (*out == NULL) {
        return fgi_ask_fail(ask, FG_ERR_STATE,
                            "the trace to compare with is not loaded: ask LOAD "
                            "first");
    }
    return FG_OK;
}

/* A column of texts: `of` gives the one of item i. */
static void put_texts(struct fgi_ask *ask, uint16_t tag, uint32_t count,
                      const char *(*of)(const void *items, uint32_t i), const void *items)
{
    const char **texts = fgi_arena_alloc(ask->arena, (size_t)count + 1, sizeof *texts);
    if (texts == NULL) {
        ask->reply->result = ask->reply->result == FG_OK ? FG_ERR_NO_MEMORY : ask->reply->result;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        texts[i] = of(items, i);
    }
    fgi_reply_texts(ask->reply, tag, texts, count);
}

#define TEXT_OF(function, type, member)                                                            \
    static const char *function(const void *items, uint32_t i)                                     \
    {                                                                                              \
        return ((const struct type *)items)[i].member;                                             \
    }
TEXT_OF(row_name, fg_compare_row, name)
TEXT_OF(row_scope, fg_compare_row, scope)
TEXT_OF(row_track, fg_compare_row, track)
TEXT_OF(row_work_unit, fg_compare_row, work_unit)
TEXT_OF(resource_name, fg_compare_resource, name)
TEXT_OF(resource_base, fg_compare_resource, text[FG_COMPARE_BASE])
TEXT_OF(resource_new, fg_compare_resource, text[FG_COMPARE_NEW])
TEXT_OF(counter_name, fg_compare_counter, name)
TEXT_OF(counter_unit, fg_compare_counter, unit)
#undef TEXT_OF

/* -1 also where it does not occur. */
static double time_of(const struct fg_compare_figures *figures)
{
    return figures->median_ns < 0 ? -1 : figures->mean_ns;
}

static void put_figures(struct fgi_ask *ask, const struct fg_compare_row *rows, uint32_t count,
                        int side)
{
    uint32_t *row = fgi_u32s(ask, side ? TAG_NEW_ROW : TAG_BASE_ROW, count);
    uint64_t *spans = fgi_u64s(ask, side ? TAG_NEW_COUNT : TAG_BASE_COUNT, count);
    double *mean = fgi_f64s(ask, side ? TAG_NEW_NS : TAG_BASE_NS, count);
    int64_t *median = fgi_i64s(ask, side ? TAG_NEW_MEDIAN : TAG_BASE_MEDIAN, count);
    double *work = fgi_f64s(ask, side ? TAG_NEW_WORK : TAG_BASE_WORK, count);
    uint32_t *identity = fgi_u32s(ask, side ? TAG_NEW_IDENTITY : TAG_BASE_IDENTITY, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_compare_figures *figures = &rows[i].sides[side];
        row[i] = figures->longest;
        spans[i] = figures->count;
        mean[i] = time_of(figures);
        median[i] = figures->median_ns;
        work[i] = figures->work;
        identity[i] = figures->pass;
    }
}

static void put_rows(struct fgi_ask *ask, const struct fg_compare_row *rows, uint32_t count)
{
    put_texts(ask, TAG_NAME, count, row_name, rows);
    put_texts(ask, TAG_SCOPE, count, row_scope, rows);
    put_texts(ask, TAG_TRACK, count, row_track, rows);
    put_texts(ask, TAG_WORK_UNIT, count, row_work_unit, rows);
    put_figures(ask, rows, count, FG_COMPARE_BASE);
    put_figures(ask, rows, count, FG_COMPARE_NEW);
    uint8_t *state = fgi_u8s(ask, TAG_STATE, count);
    double *delta = fgi_f64s(ask, TAG_DELTA, count);
    double *noise = fgi_f64s(ask, TAG_NOISE, count);
    uint8_t *cause = fgi_u8s(ask, TAG_CAUSE, count);
    uint8_t *side = fgi_u8s(ask, TAG_SIDE, count);
    uint32_t *ordinal = fgi_u32s(ask, TAG_ORDINAL, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        state[i] = rows[i].state;
        delta[i] = rows[i].delta_ns;
        noise[i] = rows[i].noise_ns;
        cause[i] = rows[i].cause;
        side[i] = rows[i].is_gpu ? SIDE_GPU : SIDE_CPU;
        ordinal[i] = rows[i].ordinal;
    }
}

static void put_resources(struct fgi_ask *ask, const struct fg_compare_reply *answer)
{
    const struct fg_compare_resource *items = answer->resources;
    uint32_t count = answer->resource_count;
    put_texts(ask, TAG_RES_NAME, count, resource_name, items);
    uint8_t *state = fgi_u8s(ask, TAG_RES_STATE, count);
    uint64_t *base = fgi_u64s(ask, TAG_RES_BASE_BYTES, count);
    uint64_t *other = fgi_u64s(ask, TAG_RES_NEW_BYTES, count);
    put_texts(ask, TAG_RES_BASE_TEXT, count, resource_base, items);
    put_texts(ask, TAG_RES_NEW_TEXT, count, resource_new, items);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        state[i] = items[i].state;
        base[i] = items[i].bytes[FG_COMPARE_BASE];
        other[i] = items[i].bytes[FG_COMPARE_NEW];
    }
}

static void put_counters(struct fgi_ask *ask, const struct fg_compare_reply *answer)
{
    const struct fg_compare_counter *items = answer->counters;
    uint32_t count = answer->counter_count;
    put_texts(ask, TAG_COUNTER_NAME, count, counter_name, items);
    put_texts(ask, TAG_COUNTER_UNIT, count, counter_unit, items);
    double *base = fgi_f64s(ask, TAG_COUNTER_BASE, count);
    double *other = fgi_f64s(ask, TAG_COUNTER_NEW, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        base[i] = items[i].mean[FG_COMPARE_BASE];
        other[i] = items[i].mean[FG_COMPARE_NEW];
    }
}

static void put_page_of_rows(struct fgi_ask *ask, const struct fg_compare_reply *answer)
{
    struct fgi_page page =
        fgi_page_of(ask, fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT), answer->row_count);
    fgi_reply_u32(ask->reply, TAG_ALL, answer->row_count);
    put_rows(ask, answer->rows + (page.limit == 0 ? 0 : page.first), page.limit);
}

/* Rows are told of when there are all of them: none yet is not that there are none. */
static enum fg_result put(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_compare_reply answer;
    struct fg_task_progress progress;
    enum fg_result result = fg_task_result_compare(job->task, &answer);
    if (result != FG_OK) {
        return result;
    }
    fg_task_progress(job->task, &progress);
    uint32_t *frames = fgi_u32s(ask, TAG_FRAMES, 2);
    double *gpu = fgi_f64s(ask, TAG_GPU, 2);
    double *cpu = fgi_f64s(ask, TAG_CPU, 2);
    uint32_t *topology = fgi_u32s(ask, TAG_TOPOLOGY, 2);
    int64_t *length = fgi_i64s(ask, TAG_LENGTH, 2);
    fgi_reply_u8(ask->reply, TAG_SAME, answer.same);
    for (int i = 0; ask->reply->result == FG_OK && i < 2; i++) {
        frames[i] = answer.frames[i];
        gpu[i] = answer.gpu.mean_ns[i];
        cpu[i] = answer.cpu.mean_ns[i];
        topology[i] = answer.topology[i];
        length[i] = answer.length_ns[i];
    }
    if (progress.is_done) {
        put_page_of_rows(ask, &answer);
    }
    put_resources(ask, &answer);
    put_counters(ask, &answer);
    return ask->reply->result;
}

static enum fg_result read_side(struct fgi_ask *ask, uint16_t frames_tag, uint16_t window_tag,
                                struct fg_compare_frames *out)
{
    struct fgi_frames frames;
    struct fgi_range range;
    enum fg_result result = fgi_ask_frames(ask, frames_tag, &frames);
    if (result == FG_OK) {
        result = fgi_ask_range(ask, window_tag, &range);
    }
    if (result != FG_OK) {
        return result;
    }
    if (frames.is_given && range.is_given) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT,
                            "a side is of frames or of a window, not of both");
    }
    out->has_frames = frames.is_given;
    out->first = frames.first;
    out->end = frames.end;
    out->has_range = range.is_given;
    out->start_ns = range.start_ns;
    out->end_ns = range.end_ns;
    return FG_OK;
}

/* By pass where a side has one: a trace of another tool has names. */
static uint32_t default_by(const struct fg_trace *base, const struct fg_trace *other)
{
    struct fg_trace_info infos[2];
    fg_trace_get_info(base, &infos[0]);
    fg_trace_get_info(other, &infos[1]);
    return infos[0].passes + infos[1].passes > 0 ? FG_STATS_BY_PASS : FG_STATS_BY_NAME;
}

static enum fg_result begin(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fg_compare_request from = { .sides = { { .query = job->query } } };
    const struct fg_trace *other_trace = NULL;
    uint32_t number = fgi_request_u32(ask->request, TAG_NEW_TRACE, 0);
    struct fg_engine *engine = NULL;
    enum fg_result result =
        read_side(ask, TAG_BASE_FRAMES, TAG_BASE_WINDOW, &from.sides[FG_COMPARE_BASE]);
    if (result == FG_OK) {
        result = read_side(ask, TAG_NEW_FRAMES, TAG_NEW_WINDOW, &from.sides[FG_COMPARE_NEW]);
    }
    result = result == FG_OK ? ask->request->result : result;
    if (result == FG_OK) {
        result = find_other(ask, number, &engine, &other_trace);
    }
    if (result == FG_OK) {
        from.by = fgi_request_u32(ask->request, TAG_BY, default_by(ask->trace, other_trace));
        result = ask->request->result;
    }
    if (result == FG_OK && from.by > FG_STATS_BY_CATEGORY) {
        result = fgi_ask_fail(ask, FG_ERR_ARGUMENT, "BY must be 0 to 4");
    }
    if (result == FG_OK) {
        result = fg_query_create(engine, ask->view->options.allocator, NULL, NULL, &job->other);
    }
    from.sides[FG_COMPARE_NEW].query = job->other;
    return result == FG_OK ? fg_task_compare(&from, scheduling, &job->task) : result;
}

const struct fgi_job_ops fgi_compare_job = {
    .begin = begin,
    .put = put,
    .has_parts = true,
    .stages = { "frames", "rows" },
    .too_much = "too much to compare at once: ask for fewer frames",
};

enum fg_result fgi_answer_COMPARE(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_compare_job);
}
