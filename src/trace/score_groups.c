/* SPDX-License-Identifier: MIT */
/* Groups of two traces, or of two ranges of one, side by side with scores. */
#include "base/alloc.h"
#include "trace/group_match.h"
#include "trace/model.h"
#include "trace/task.h"
#include <string.h>

/* A group of one side, and what it is in both traces. */
struct entry {
    const char *identity, *clock;
    const struct fg_aggregate_row *row;
    uint32_t side;
};
/* Figures of either side, one after the other; then groups are paired and scored. */
struct scoring {
    struct fgi_groups_work base;
    struct fg_groups_request request;
    const struct fg_allocator *allocator;
    struct fgi_arena *arena; /* the question's */
    const struct fg_trace *traces[2];
    struct fgi_aggregate_work *sides[2];
    uint32_t side; /* that is at work */
    struct entry *entries;
    uint32_t count;
    struct fg_groups_row *rows;
    uint32_t row_count;
};

static enum fg_result gather(struct scoring *s)
{
    const struct fg_aggregate_reply *replies[2] = { &s->sides[0]->reply, &s->sides[1]->reply };
    size_t most = (size_t)replies[0]->count + replies[1]->count + 1;
    s->entries = fgi_arena_alloc(s->arena, most, sizeof *s->entries);
    s->rows = fgi_arena_alloc(s->arena, most, sizeof *s->rows);
    if (!s->entries || !s->rows) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t side = 0; side < 2; side++) {
        const struct fg_trace *trace = s->traces[side];
        for (uint32_t i = 0; i < replies[side]->count; i++) {
            const struct fg_aggregate_row *row = &replies[side]->rows[i];
            struct entry *entry = &s->entries[s->count++];
            *entry = (struct entry){
                .identity = fgi_group_identity(trace, s->request.by, row->key, s->arena),
                .clock = fg_trace_text(trace, trace->clocks.items[row->clock].name),
                .row = row,
                .side = side,
            };
            if (!entry->identity) {
                return FG_ERR_NO_MEMORY;
            }
        }
    }
    return FG_OK;
}

static int compare_entries(const struct entry *a, const struct entry *b)
{
    int order = strcmp(a->identity, b->identity);
    return order != 0 ? order : strcmp(a->clock, b->clock);
}

static bool entry_before(void *context, uint32_t a, uint32_t b)
{
    const struct scoring *s = context;
    const struct entry *x = &s->entries[a];
    const struct entry *y = &s->entries[b];
    int order = compare_entries(x, y);
    return order != 0 ? order < 0 : x->side < y->side;
}

static void fill_row(struct scoring *s, const struct entry *const pair[2])
{
    struct fg_groups_row *row = &s->rows[s->row_count++];
    *row = (struct fg_groups_row){ .key = { FG_NONE, FG_NONE }, .clock = { FG_NONE, FG_NONE } };
    for (uint32_t side = 0; side < 2; side++) {
        if (!pair[side]) {
            continue;
        }
        const struct fg_aggregate_row *from = pair[side]->row;
        row->name = fgi_group_name(s->traces[side], s->request.by, from->key);
        row->key[side] = from->key;
        row->clock[side] = from->clock;
        row->figures[side] = (struct fg_group_figures){
            .count = from->count,
            .mean_ns = from->mean,
            .error_ppm = fgi_error_ppm(from->errors, from->count),
            .is_known = from->count > 0,
        };
    }
    fg_score_group(&row->figures[0], &row->figures[1], &s->request.rule, &row->score);
}

/* Entries that are the same come side by side: the n-th of the base with the n-th of the new. */
static enum fg_result pair_up(struct scoring *s)
{
    uint32_t *order = fgi_arena_alloc(s->arena, (size_t)s->count + 1, sizeof *order);
    if (!order) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        order[i] = i;
    }
    enum fg_result result = fgi_sort_u32(s->allocator, order, s->count, entry_before, s);
    for (uint32_t first = 0, end = 0; first < s->count && result == FG_OK; first = end) {
        uint32_t middle = first;
        while (end < s->count &&
               compare_entries(&s->entries[order[first]], &s->entries[order[end]]) == 0) {
            middle += s->entries[order[end]].side == 0;
            end++;
        }
        for (uint32_t i = 0; first + i < middle || middle + i < end; i++) {
            const struct entry *pair[2] = {
                first + i < middle ? &s->entries[order[first + i]] : NULL,
                middle + i < end ? &s->entries[order[middle + i]] : NULL,
            };
            fill_row(s, pair);
        }
    }
    return result;
}

static bool row_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_groups_row *x = (const struct fg_groups_row *)context + a;
    const struct fg_groups_row *y = (const struct fg_groups_row *)context + b;
    if (x->score.score_micro != y->score.score_micro) {
        return x->score.score_micro > y->score.score_micro;
    }
    int order = strcmp(x->name, y->name);
    if (order != 0) {
        return order < 0;
    }
    return x->key[0] != y->key[0] ? x->key[0] < y->key[0] : x->key[1] < y->key[1];
}

static enum fg_result answer(struct scoring *s, struct fg_groups_reply *reply)
{
    uint32_t *order = fgi_arena_alloc(s->arena, (size_t)s->row_count + 1, sizeof *order);
    struct fg_groups_row *rows = fgi_arena_alloc(s->arena, (size_t)s->row_count + 1, sizeof *rows);
    if (!order || !rows) {
        return FG_ERR_NO_MEMORY;
    }
    *reply = (struct fg_groups_reply){ .rows = rows, .group_count = s->row_count };
    for (uint32_t i = 0; i < s->row_count; i++) {
        uint32_t flags = s->rows[i].score.flags;
        order[i] = i;
        reply->regressed += (flags & FG_GROUP_REGRESSION) != 0;
        reply->only_base += (flags & FG_GROUP_ONLY_BASE) != 0;
        reply->only_new += (flags & FG_GROUP_ONLY_NEW) != 0;
        reply->invalid += (flags & (FG_GROUP_BAD_BASE | FG_GROUP_BAD_NEW)) != 0;
        reply->saturated += (flags & FG_GROUP_SATURATED) != 0;
    }
    enum fg_result result = fgi_sort_u32(s->allocator, order, s->row_count, row_before, s->rows);
    for (uint32_t i = 0; i < s->row_count; i++) {
        rows[i] = s->rows[order[i]];
    }
    uint32_t limit = s->request.limit;
    reply->count = limit > 0 && limit < s->row_count ? limit : s->row_count;
    reply->highest = s->row_count > 0 && rows[0].score.score_micro > 0 ? 0 : FG_NONE;
    return result;
}

/* ---- in steps -------------------------------------------------------------------------------- */

static void add_up(struct scoring *s)
{
    struct fgi_work *work = &s->base.work;
    work->done_rows = s->sides[0]->work.done_rows + s->sides[1]->work.done_rows;
    work->total_rows = s->sides[0]->work.total_rows + s->sides[1]->work.total_rows;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct scoring *s = (struct scoring *)work;
    struct fgi_work *part = &s->sides[s->side]->work;
    enum fg_result result = part->ops->step(part, question, max_rows);
    add_up(s);
    if (result != FG_OK || !part->is_done) {
        return result;
    }
    if (s->side++ == 0) {
        return FG_OK;
    }
    result = gather(s);
    if (result == FG_OK) {
        result = pair_up(s);
    }
    if (result == FG_OK) {
        result = answer(s, &s->base.reply);
    }
    work->is_done = result == FG_OK;
    work->stage = work->is_done;
    return result;
}

static void destroy(struct fgi_work *work)
{
    struct scoring *s = (struct scoring *)work;
    for (uint32_t side = 0; side < 2; side++) {
        fgi_work_destroy(s->sides[side] ? &s->sides[side]->work : NULL);
    }
    fgi_free(s->allocator, s, sizeof *s);
}

static const struct fgi_task_ops ops = { step, destroy };

static enum fg_result begin_side(struct scoring *s, const struct fgi_question *question,
                                 uint32_t side)
{
    struct fg_engine *engine = s->request.sides[side].query->engine;
    struct fg_aggregate_request r = {
        .selection = s->request.sides[side].selection,
        .by = s->request.by,
        .class_mask = s->request.class_mask,
        .order = FG_ORDER_KEY,
    };
    s->traces[side] = engine->trace;
    enum fg_result result = fgi_aggregate_check(&r);
    return result == FG_OK ? engine->ops->aggregate_begin(engine, question, &r, &s->sides[side])
                           : result;
}

static enum fg_result begin(const struct fg_groups_request *request, struct fg_query *owner,
                            const struct fgi_question *question, struct scoring **out)
{
    struct scoring *s = fgi_calloc(owner->allocator, 1, sizeof *s);
    if (!s) {
        return FG_ERR_NO_MEMORY;
    }
    s->request = *request;
    s->allocator = owner->allocator;
    s->arena = question->arena;
    s->base.work = (struct fgi_work){ .ops = &ops, .kind = FGI_WORK_GROUPS, .stage_count = 1 };
    enum fg_result result = begin_side(s, question, 0);
    if (result == FG_OK) {
        result = begin_side(s, question, 1);
    }
    if (result != FG_OK) {
        destroy(&s->base.work);
        return result;
    }
    add_up(s);
    *out = s;
    return FG_OK;
}

static bool is_legal(const struct fg_groups_request *request, const void *out)
{
    return request && out && request->sides[0].query && request->sides[1].query;
}

enum fg_result fg_score_groups(const struct fg_groups_request *request,
                               struct fg_groups_reply *out_reply)
{
    struct scoring *s = NULL;
    if (!is_legal(request, out_reply)) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_query *base = request->sides[0].query;
    enum fg_result result = begin(request, base, &base->question, &s);
    if (result == FG_OK) {
        result = fgi_work_run(&s->base.work, &base->question);
        if (result == FG_OK) {
            *out_reply = s->base.reply;
        }
        destroy(&s->base.work);
    }
    return result;
}

enum fg_result fg_task_groups(const struct fg_groups_request *request, uint32_t scheduling,
                              struct fg_task **out_task)
{
    struct scoring *s = NULL;
    struct fg_task *task = NULL;
    if (!is_legal(request, out_task)) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_query *owner = request->sides[1].query;
    enum fg_result result = fgi_task_create(owner, scheduling, &task);
    if (result != FG_OK) {
        return result;
    }
    result = begin(request, owner, fgi_task_question(task), &s);
    return fgi_task_set(task, result, s ? &s->base.work : NULL, out_task);
}

enum fg_result fg_task_result_groups(struct fg_task *task, struct fg_groups_reply *out_reply)
{
    const struct fgi_groups_work *work =
        (const struct fgi_groups_work *)fgi_task_work(task, FGI_WORK_GROUPS);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (!work->work.is_done) {
        return FG_ERR_STATE;
    }
    *out_reply = work->reply;
    return FG_OK;
}
