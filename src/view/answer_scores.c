/* SPDX-License-Identifier: MIT */
/* GROUP_SCORES: how much more groups take than they did. ROW_SCORES: why rows have a score. */
#include "view/view_priv.h"
#include <frameglass/trace_anomaly.h>

enum {
    BASE_GROUPS = 0x2600,
    TAG_BY = 0x2608,
    TAG_CLASSES = 0x2609,
    TAG_RULE = 0x260A,
    TAG_TRACK_KINDS = 0x260B,
    TAG_BASE_WINDOW = 0x260C,
    TAG_BASE_FRAMES = 0x260D,
    TAG_BASE_FILTER = 0x260E,
    TAG_BASE_TRACE = 0x260F,
    TAG_FIRST = 0x2610,
    TAG_LIMIT = 0x2611,
    TAG_ALL = 0x2640,
    TAG_COUNTS = 0x2641,
    TAG_NAME = 0x2648,
    TAG_KEY = 0x2649,
    TAG_BASE_KEY = 0x264A,
    TAG_CLOCK = 0x264B,
    TAG_BASE_CLOCK = 0x264C,
    TAG_COUNT = 0x264D,
    TAG_BASE_COUNT = 0x264E,
    TAG_MEAN = 0x264F,
    TAG_BASE_MEAN = 0x2650,
    TAG_ERRORS = 0x2651,
    TAG_BASE_ERRORS = 0x2652,
    TAG_FLAGS = 0x2653,
    TAG_RATIO = 0x2654,
    TAG_SCORE = 0x2655,
    TAG_TINT = 0x2656,

    TAG_SCORES = 0x2701,
    TAG_ROWS = 0x2702,
    TAG_ROW_TINT = 0x2740,
    TAG_REASON = 0x2741,
};

enum { SIDE_BASE = 0, SIDE_NEW = 1 };
enum { KIND_CPU = 1, KIND_GPU = 2 };
enum {
    NOT_SCORED = FG_GROUP_ONLY_NEW | FG_GROUP_ONLY_BASE | FG_GROUP_BAD_NEW | FG_GROUP_BAD_BASE,
};

static enum fg_result read_rule(struct fgi_ask *ask, struct fg_group_rule *out)
{
    const struct fgi_section *rule = fgi_request_exact(ask->request, TAG_RULE, FGI_TYPE_U64, 5);
    *out = (struct fg_group_rule){ 0 };
    if (rule != NULL) {
        out->duration_weight_micro = fgi_section_u64(rule, 0);
        out->error_weight_micro = fgi_section_u64(rule, 1);
        out->count_weight_micro = fgi_section_u64(rule, 2);
        out->threshold_micro = fgi_section_u64(rule, 3);
        out->min_baseline_ns = fgi_section_u64(rule, 4);
    }
    return ask->request->result;
}

static bool is_given(const struct fg_selection *selection, uint32_t track)
{
    bool is_in = selection->tracks == NULL;
    for (uint32_t i = 0; !is_in && i < selection->track_count; i++) {
        is_in = selection->tracks[i] == track;
    }
    return is_in;
}

/* Of the selection's tracks those of some kinds. */
static enum fg_result keep_kinds(struct fgi_ask *ask, const struct fg_trace *trace, uint32_t kinds,
                                 struct fg_selection *selection)
{
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    uint32_t *tracks = fgi_arena_alloc(ask->arena, (size_t)info.tracks + 1, sizeof *tracks);
    uint32_t count = 0;
    if (tracks == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < (uint32_t)info.tracks; i++) {
        bool is_gpu = fg_trace_track(trace, i)->kind == FG_TRACK_GPU_QUEUE;
        if ((kinds & (is_gpu ? KIND_GPU : KIND_CPU)) != 0 && is_given(selection, i)) {
            tracks[count++] = i;
        }
    }
    selection->tracks = tracks;
    selection->track_count = count;
    return FG_OK;
}

static enum fg_result read_sides(struct fgi_ask *ask, struct fgi_job *job,
                                 struct fg_groups_request *out)
{
    static const struct fgi_base_tags tags = { TAG_BASE_WINDOW, TAG_BASE_FRAMES, TAG_BASE_FILTER,
                                               TAG_BASE_TRACE };
    uint32_t kinds = fgi_request_u32(ask->request, TAG_TRACK_KINDS, 0);
    const struct fg_trace *of_base = NULL;
    struct fg_group_side *base = &out->sides[SIDE_BASE], *next = &out->sides[SIDE_NEW];
    if (kinds > (KIND_CPU | KIND_GPU)) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "tracks are of the CPU, of a GPU, or both");
    }
    enum fg_result result = fgi_ask_selection(ask, BASE_GROUPS, &next->selection);
    if (result == FG_OK) {
        result = fgi_ask_base(ask, &tags, job, &base->selection, &of_base);
    }
    next->query = job->query;
    base->query = job->other != NULL ? job->other : job->query;
    if (result == FG_OK && kinds != 0) {
        result = keep_kinds(ask, ask->trace, kinds, &next->selection);
    }
    if (result == FG_OK && kinds != 0) {
        result = keep_kinds(ask, of_base, kinds, &base->selection);
    }
    return result;
}

static enum fg_result begin(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fg_groups_request from = {
        .by = fgi_request_u32(ask->request, TAG_BY, FG_AGGREGATE_NAME),
        .class_mask = fgi_request_u32(ask->request, TAG_CLASSES, 0),
    };
    if (from.by >= FG_AGGREGATE_BY_COUNT) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "there is no such dimension");
    }
    enum fg_result result = read_rule(ask, &from.rule);
    if (result == FG_OK) {
        result = read_sides(ask, job, &from);
    }
    result = result == FG_OK ? ask->request->result : result;
    return result == FG_OK ? fg_task_groups(&from, scheduling, &job->task) : result;
}

static uint32_t key_of(uint32_t by, uint32_t key)
{
    if (key == FG_NONE || fgi_is_text_key(by)) {
        return FG_NONE;
    }
    return by == FG_AGGREGATE_PROCESS ? key | FGI_GROUP_PROCESS : key;
}

static void put_side(struct fgi_ask *ask, const struct fg_groups_row *rows, uint32_t count,
                     unsigned side, uint32_t by)
{
    bool is_base = side == SIDE_BASE;
    uint32_t *key = fgi_u32s(ask, is_base ? TAG_BASE_KEY : TAG_KEY, count);
    uint32_t *clock = fgi_u32s(ask, is_base ? TAG_BASE_CLOCK : TAG_CLOCK, count);
    uint64_t *spans = fgi_u64s(ask, is_base ? TAG_BASE_COUNT : TAG_COUNT, count);
    uint64_t *mean = fgi_u64s(ask, is_base ? TAG_BASE_MEAN : TAG_MEAN, count);
    uint32_t *errors = fgi_u32s(ask, is_base ? TAG_BASE_ERRORS : TAG_ERRORS, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        key[i] = key_of(by, rows[i].key[side]);
        clock[i] = rows[i].clock[side];
        spans[i] = rows[i].figures[side].count;
        mean[i] = rows[i].figures[side].mean_ns;
        errors[i] = rows[i].figures[side].error_ppm;
    }
}

static void put_scores(struct fgi_ask *ask, const struct fg_groups_row *rows, uint32_t count)
{
    struct fg_group_rule rule;
    uint32_t *flags = fgi_u32s(ask, TAG_FLAGS, count);
    uint64_t *ratio = fgi_u64s(ask, TAG_RATIO, count);
    uint64_t *score = fgi_u64s(ask, TAG_SCORE, count);
    uint8_t *tint = fgi_u8s(ask, TAG_TINT, count);
    if (read_rule(ask, &rule) != FG_OK) {
        return;
    }
    uint64_t threshold = rule.threshold_micro != 0 ? rule.threshold_micro : FG_GROUP_THRESHOLD;
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_group_score *from = &rows[i].score;
        flags[i] = from->flags;
        ratio[i] = from->ratio_micro;
        score[i] = from->score_micro;
        tint[i] = (from->flags & NOT_SCORED) != 0 ? 0 : fg_score_tint(from->score_micro, threshold);
    }
}

static enum fg_result put(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_groups_reply answer;
    uint32_t by = fgi_request_u32(ask->request, TAG_BY, FG_AGGREGATE_NAME);
    enum fg_result result = fg_task_result_groups(job->task, &answer);
    if (result != FG_OK) {
        return result;
    }
    struct fgi_page page =
        fgi_page_of(ask, fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT), answer.group_count);
    const struct fg_groups_row *rows = answer.rows + (page.limit == 0 ? 0 : page.first);
    const uint32_t counts[5] = { answer.regressed, answer.only_base, answer.only_new,
                                 answer.invalid, answer.saturated };
    fgi_reply_u32(ask->reply, TAG_ALL, answer.group_count);
    uint32_t *to_counts = fgi_u32s(ask, TAG_COUNTS, 5);
    const char **names = fgi_arena_alloc(ask->arena, (size_t)page.limit + 1, sizeof *names);
    if (to_counts == NULL || names == NULL) {
        return ask->reply->result != FG_OK ? ask->reply->result : FG_ERR_NO_MEMORY;
    }
    for (unsigned i = 0; i < 5; i++) {
        to_counts[i] = counts[i];
    }
    for (uint32_t i = 0; i < page.limit; i++) {
        names[i] = rows[i].name;
    }
    fgi_reply_texts(ask->reply, TAG_NAME, names, page.limit);
    put_side(ask, rows, page.limit, SIDE_NEW, by);
    put_side(ask, rows, page.limit, SIDE_BASE, by);
    put_scores(ask, rows, page.limit);
    return ask->reply->result;
}

const struct fgi_job_ops fgi_groups_job = { .begin = begin, .put = put, .stages = { "groups" } };

enum fg_result fgi_answer_GROUP_SCORES(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_groups_job);
}

enum fg_result fgi_answer_ROW_SCORES(struct fgi_ask *ask)
{
    const uint32_t *rows = NULL;
    uint32_t count = 0, scores = 0;
    enum fg_result result = fgi_ask_rows(ask, TAG_ROWS, &rows, &count);
    if (result == FG_OK) {
        result = fgi_ask_scores(ask, TAG_SCORES, &scores);
    }
    result = result == FG_OK ? ask->request->result : result;
    if (result == FG_OK && scores == 0) {
        result = fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the number of the scores is missing");
    }
    uint8_t *tint = fgi_u8s(ask, TAG_ROW_TINT, count);
    uint8_t *reason = fgi_u8s(ask, TAG_REASON, count);
    if (result == FG_OK && ask->reply->result == FG_OK && count > 0) {
        result = fg_query_scores(ask->query, scores, rows, count, tint, reason);
    }
    return result;
}
