/* SPDX-License-Identifier: MIT */
/* ANOMALIES: how unusual spans are against peers that the client names. */
#include "view/view_priv.h"
#include <frameglass/trace_anomaly.h>

enum {
    BASE_ANOMALIES = 0x2400,
    TAG_BY = 0x2408,
    TAG_CLASSES = 0x2409,
    TAG_RULE = 0x240A,
    TAG_TWO_SIDED = 0x240B,
    TAG_BASE_WINDOW = 0x240C,
    TAG_BASE_FRAMES = 0x240D,
    TAG_BASE_FILTER = 0x240E,
    TAG_BASE_TRACE = 0x240F,
    TAG_LIMIT = 0x2410,
    TAG_KEEP = 0x2411,
    TAG_BASELINE_KEY = 0x2418,
    TAG_BASELINE_MEAN = 0x2419,
    TAG_BASELINE_DEVIATION = 0x241A,
    TAG_BASELINE_ERRORS = 0x241B,
    TAG_SCORES = 0x2440,
    TAG_REASONS = 0x2441,
    TAG_ANOMALOUS = 0x2442,
    TAG_HIGHEST = 0x2443,
    TAG_ROW = 0x2448,
    TAG_NAME = 0x2449,
    TAG_TRACK = 0x244A,
    TAG_DURATION = 0x244B,
    TAG_SCORE = 0x244C,
    TAG_MEAN = 0x244D,
    TAG_DEVIATION = 0x244E,
    TAG_PEERS = 0x244F,
    TAG_IS_ERROR = 0x2450,
    TAG_START = 0x2451,
};

static uint32_t key_of(const struct fgi_ask *ask, uint32_t by, uint32_t key)
{
    if (fgi_is_text_key(by)) {
        return fgi_text_of_name(ask, key);
    }
    return by == FG_AGGREGATE_PROCESS ? key & ~FGI_GROUP_PROCESS : key;
}

/* Baselines that the client gives in numbers. */
static enum fg_result read_baselines(struct fgi_ask *ask, struct fg_anomaly_request *out)
{
    struct fgi_request *request = ask->request;
    const struct fgi_section *key = fgi_request_section(request, TAG_BASELINE_KEY, FGI_TYPE_U32);
    const struct fgi_section *mean = fgi_request_section(request, TAG_BASELINE_MEAN, FGI_TYPE_U64);
    const struct fgi_section *deviation =
        fgi_request_section(request, TAG_BASELINE_DEVIATION, FGI_TYPE_U64);
    const struct fgi_section *errors =
        fgi_request_section(request, TAG_BASELINE_ERRORS, FGI_TYPE_U32);
    uint32_t count = key == NULL ? 0 : key->count;
    if (count == 0 || request->result != FG_OK) {
        return request->result;
    }
    if (count > FGI_MAX_ROWS) {
        return fgi_ask_fail(ask, FG_ERR_LIMIT, "at most 65536 baselines");
    }
    if (mean == NULL || mean->count != count || deviation == NULL || deviation->count != count ||
        (errors != NULL && errors->count != count)) {
        return fgi_ask_fail(ask, FG_ERR_FORMAT, "the columns of the baselines must be of one size");
    }
    struct fg_baseline *baselines = fgi_arena_alloc(ask->arena, count, sizeof *baselines);
    if (baselines == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        baselines[i] = (struct fg_baseline){
            .key = key_of(ask, out->by, fgi_section_u32(key, i)),
            .clock = FG_NONE,
            .mean_ns = fgi_section_u64(mean, i),
            .deviation_ns = fgi_section_u64(deviation, i),
            .error_ppm = errors == NULL ? 0 : fgi_section_u32(errors, i),
        };
    }
    out->baselines = baselines;
    out->baseline_count = count;
    return FG_OK;
}

static enum fg_result read_base(struct fgi_ask *ask, struct fgi_job *job,
                                struct fg_anomaly_request *out)
{
    static const struct fgi_base_tags tags = { TAG_BASE_WINDOW, TAG_BASE_FRAMES, TAG_BASE_FILTER,
                                               TAG_BASE_TRACE };
    enum fg_result result = fgi_ask_base(ask, &tags, job, &out->baseline_selection, NULL);
    out->baseline_query = job->other;
    return result;
}

static enum fg_result read_rule(struct fgi_ask *ask, struct fg_score_rule *out)
{
    const struct fgi_section *rule = fgi_request_exact(ask->request, TAG_RULE, FGI_TYPE_U64, 5);
    *out = (struct fg_score_rule){
        .is_two_sided = fgi_request_u32(ask->request, TAG_TWO_SIDED, 0) != 0,
    };
    if (rule != NULL) {
        out->duration_weight_micro = fgi_section_u64(rule, 0);
        out->error_weight_micro = fgi_section_u64(rule, 1);
        out->threshold_micro = fgi_section_u64(rule, 2);
        out->min_deviation_ns = fgi_section_u64(rule, 3);
        out->min_count = fgi_section_u64(rule, 4);
    }
    return ask->request->result;
}

static enum fg_result begin(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fgi_request *request = ask->request;
    uint32_t limit = fgi_request_u32(request, TAG_LIMIT, 0);
    struct fg_anomaly_request from = {
        .by = fgi_request_u32(request, TAG_BY, FG_AGGREGATE_NAME),
        .class_mask = fgi_request_u32(request, TAG_CLASSES, 0),
        .limit = limit > FGI_MAX_PAGE ? FGI_MAX_PAGE : limit,
        .keep = fgi_request_u32(request, TAG_KEEP, 0) != 0,
    };
    if (from.by >= FG_AGGREGATE_BY_COUNT) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "there is no such dimension");
    }
    enum fg_result result = fgi_ask_selection(ask, BASE_ANOMALIES, &from.selection);
    if (result == FG_OK) {
        result = read_rule(ask, &from.rule);
    }
    if (result == FG_OK) {
        result = read_baselines(ask, &from);
    }
    if (result == FG_OK && from.baseline_count == 0) {
        result = read_base(ask, job, &from);
    }
    result = result == FG_OK ? request->result : result;
    return result == FG_OK ? fg_task_anomalies(job->query, &from, scheduling, &job->task) : result;
}

static enum fg_result put_rows(struct fgi_ask *ask, const struct fg_anomaly_reply *answer)
{
    uint32_t count = answer->count;
    uint32_t *row = fgi_u32s(ask, TAG_ROW, count);
    uint32_t *name = fgi_u32s(ask, TAG_NAME, count);
    uint32_t *track = fgi_u32s(ask, TAG_TRACK, count);
    uint64_t *duration = fgi_u64s(ask, TAG_DURATION, count);
    uint64_t *score = fgi_u64s(ask, TAG_SCORE, count);
    uint64_t *mean = fgi_u64s(ask, TAG_MEAN, count);
    uint64_t *deviation = fgi_u64s(ask, TAG_DEVIATION, count);
    uint64_t *peers = fgi_u64s(ask, TAG_PEERS, count);
    uint8_t *is_error = fgi_u8s(ask, TAG_IS_ERROR, count);
    int64_t *start = fgi_i64s(ask, TAG_START, count);
    enum fg_result result = ask->reply->result;
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        const struct fg_anomaly_row *from = &answer->rows[i];
        const struct fg_baseline *baseline = &answer->baselines[from->baseline];
        struct fg_trace_span span;
        result = fgi_span_at(ask, from->row, &span);
        if (result != FG_OK) {
            return result;
        }
        row[i] = from->row;
        name[i] = fgi_name(ask, span.name);
        track[i] = span.track;
        start[i] = span.start_ns;
        duration[i] = from->duration_ns;
        score[i] = from->score_micro;
        mean[i] = baseline->mean_ns;
        deviation[i] = baseline->deviation_ns;
        peers[i] = baseline->count;
        is_error[i] = from->is_error;
    }
    return result;
}

/* A number for scores that the engine keeps: the oldest of four goes. */
static uint32_t keep_scores(struct fgi_ask *ask, uint32_t engine_scores)
{
    uint32_t number = ++ask->entry->last_scores;
    struct fgi_view_scores *slot = &ask->entry->scores[number % FGI_MAX_SCORES];
    if (slot->number != 0) {
        (void)fg_query_scores_destroy(ask->query, slot->engine_scores);
    }
    *slot = (struct fgi_view_scores){ .number = number, .engine_scores = engine_scores };
    return number;
}

static enum fg_result put(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_anomaly_reply answer;
    enum fg_result result = fg_task_result_anomalies(job->task, &answer);
    if (result != FG_OK) {
        return result;
    }
    fgi_reply_u32(ask->reply, TAG_SCORES, answer.scores == 0 ? 0 : keep_scores(ask, answer.scores));
    uint64_t *reasons = fgi_u64s(ask, TAG_REASONS, FG_SCORE_REASONS);
    for (unsigned i = 0; reasons != NULL && i < FG_SCORE_REASONS; i++) {
        reasons[i] = answer.by_reason[i];
    }
    fgi_reply_u64(ask->reply, TAG_ANOMALOUS, answer.anomalous);
    fgi_reply_u32(ask->reply, TAG_HIGHEST, answer.highest);
    if (answer.count < answer.anomalous) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return put_rows(ask, &answer);
}

const struct fgi_job_ops fgi_anomalies_job = { .begin = begin,
                                               .put = put,
                                               .stages = { "baselines", "scores" } };

enum fg_result fgi_answer_ANOMALIES(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_anomalies_job);
}
