/* SPDX-License-Identifier: MIT */
/* Groups of two traces, or of two ranges of one, side by side with scores. */
#include "base/alloc.h"
#include "trace/group_match.h"
#include "trace/model.h"
#include <string.h>

/* A group of one side, and what it is in both traces. */
struct entry {
    const char *identity, *clock;
    const struct fg_aggregate_row *row;
    uint32_t side;
};
struct scoring {
    const struct fg_groups_request *request;
    struct fgi_arena *arena;
    const struct fg_allocator *allocator;
    struct entry *entries;
    uint32_t count;
    struct fg_groups_row *rows;
    uint32_t row_count;
};

static enum fg_result gather(struct scoring *s)
{
    struct fg_aggregate_reply replies[2];
    for (uint32_t side = 0; side < 2; side++) {
        enum fg_result result =
            fg_query_aggregate(s->request->sides[side].query,
                               &(struct fg_aggregate_request){
                                   .selection = s->request->sides[side].selection,
                                   .by = s->request->by,
                                   .class_mask = s->request->class_mask,
                                   .order = FG_ORDER_KEY,
                               },
                               &replies[side]);
        if (result != FG_OK) {
            return result;
        }
    }
    size_t most = (size_t)replies[0].count + replies[1].count + 1;
    s->entries = fgi_arena_alloc(s->arena, most, sizeof *s->entries);
    s->rows = fgi_arena_alloc(s->arena, most, sizeof *s->rows);
    if (!s->entries || !s->rows) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t side = 0; side < 2; side++) {
        const struct fg_trace *trace = s->request->sides[side].query->engine->trace;
        for (uint32_t i = 0; i < replies[side].count; i++) {
            const struct fg_aggregate_row *row = &replies[side].rows[i];
            struct entry *entry = &s->entries[s->count++];
            *entry = (struct entry){
                .identity = fgi_group_identity(trace, s->request->by, row->key, s->arena),
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
        row->name =
            fgi_group_name(s->request->sides[side].query->engine->trace, s->request->by, from->key);
        row->key[side] = from->key;
        row->clock[side] = from->clock;
        row->figures[side] = (struct fg_group_figures){
            .count = from->count,
            .mean_ns = from->mean,
            .error_ppm = fgi_error_ppm(from->errors, from->count),
            .is_known = from->count > 0,
        };
    }
    fg_score_group(&row->figures[0], &row->figures[1], &s->request->rule, &row->score);
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
    uint32_t limit = s->request->limit;
    reply->count = limit > 0 && limit < s->row_count ? limit : s->row_count;
    reply->highest = s->row_count > 0 && rows[0].score.score_micro > 0 ? 0 : FG_NONE;
    return result;
}

enum fg_result fg_score_groups(const struct fg_groups_request *request,
                               struct fg_groups_reply *out_reply)
{
    if (!request || !out_reply || !request->sides[0].query || !request->sides[1].query) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_query *base = request->sides[0].query;
    struct scoring s = { .request = request, .arena = &base->arena, .allocator = base->allocator };
    enum fg_result result = gather(&s);
    if (result == FG_OK) {
        result = pair_up(&s);
    }
    return result == FG_OK ? answer(&s, out_reply) : result;
}
