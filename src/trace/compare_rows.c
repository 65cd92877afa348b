/* SPDX-License-Identifier: MIT */
/* Groups of two sides become rows: aligned by what they are called, measured, put in order. */
#include "base/alloc.h"
#include "base/wide.h"
#include "trace/compare_priv.h"
#include <math.h>
#include <string.h>

enum presence {
    PRESENCE_ABSENT,    /* it did not occur */
    PRESENCE_THERE,     /* it did, and its time is known */
    PRESENCE_NOT_KNOWN, /* no time of it can be told */
};

/* One side of a row while it is made. */
struct half {
    const struct fgi_compare_group *group; /* or NULL */
    enum presence presence;
    bool has_spans;
    struct fgi_compare_spread spread; /* meant when it is there */
};
struct pairing {
    uint32_t groups[2]; /* or FG_NONE */
    uint32_t next;      /* of equal hash, or FG_NONE */
};
struct rows {
    struct fgi_compare_side *sides;
    uint32_t told[2][2]; /* frames of a side of which all CPU, GPU times are there */
    FGI_TABLE(struct pairing) pairs;
    struct fgi_map64 by_hash;
    struct fgi_compare_value *values; /* of one group at a time */
    size_t value_capacity;
    struct fg_compare_row *items;
};

struct label {
    const char *name, *scope;
    uint32_t ordinal;
    bool is_gpu;
};

static struct label label_of(const struct fgi_compare_side *side,
                             const struct fgi_compare_group *group)
{
    const struct fg_trace *trace = side->trace;
    struct label label = { .scope = "", .is_gpu = group->is_gpu };
    if (side->by == FG_STATS_BY_PASS) {
        const struct fg_trace_pass *pass = &trace->passes.items[group->key];
        label.name = fg_trace_text(trace, pass->name);
        label.scope = fg_trace_text(trace, pass->scope);
        label.ordinal = pass->ordinal;
    } else {
        label.name = fg_trace_text(trace, group->key);
        label.scope = side->by == FG_STATS_BY_SCOPE ? label.name : "";
    }
    return label;
}

static uint64_t hash_of(const struct label *label)
{
    uint64_t hash = fgi_hash64(label->ordinal, label->name, strlen(label->name));
    hash = fgi_hash64(hash, label->scope, strlen(label->scope));
    return fgi_mix64(hash + label->is_gpu);
}

static bool are_equal(const struct label *a, const struct label *b)
{
    return a->ordinal == b->ordinal && a->is_gpu == b->is_gpu && strcmp(a->name, b->name) == 0 &&
           strcmp(a->scope, b->scope) == 0;
}

static struct label label_of_pair(const struct rows *r, const struct pairing *pair)
{
    int side = pair->groups[FG_COMPARE_BASE] != FG_NONE ? FG_COMPARE_BASE : FG_COMPARE_NEW;
    return label_of(&r->sides[side], &r->sides[side].groups.items[pair->groups[side]]);
}

/* Groups that only frames around the compared ones have are of no row. */
static bool is_in_range(const struct fgi_compare_side *side, const struct fgi_compare_group *group)
{
    for (uint32_t i = 0; i < group->cell_count; i++) {
        uint32_t frame = side->cells.items[side->order[group->first_cell + i]].frame;
        if (frame >= side->first && frame < side->end) {
            return true;
        }
    }
    return group->is_culled;
}

static enum fg_result pair_group(struct rows *r, int side, uint32_t index)
{
    struct fgi_compare_group *group = &r->sides[side].groups.items[index];
    struct label label = label_of(&r->sides[side], group);
    uint64_t hash = hash_of(&label);
    uint32_t first = FG_NONE;
    if (!fgi_map64_get(&r->by_hash, hash, &first)) {
        first = FG_NONE;
    }
    for (uint32_t at = first; at != FG_NONE; at = r->pairs.items[at].next) {
        struct label other = label_of_pair(r, &r->pairs.items[at]);
        if (are_equal(&label, &other)) {
            r->pairs.items[at].groups[side] = index;
            return FG_OK;
        }
    }
    enum fg_result result = FGI_GROW(r->sides->allocator, r->pairs.items, r->pairs.capacity,
                                     r->pairs.count + 1, FG_NONE - 1);
    if (result == FG_OK) {
        result = fgi_map64_put(&r->by_hash, hash, (uint32_t)r->pairs.count);
    }
    if (result == FG_OK) {
        struct pairing pair = { .groups = { FG_NONE, FG_NONE }, .next = first };
        pair.groups[side] = index;
        r->pairs.items[r->pairs.count++] = pair;
    }
    return result;
}

static enum fg_result pair_groups(struct rows *r)
{
    enum fg_result result = FG_OK;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < r->sides[side].groups.count && result == FG_OK; i++) {
            if (is_in_range(&r->sides[side], &r->sides[side].groups.items[i])) {
                result = pair_group(r, side, i);
            }
        }
    }
    return result;
}

static int64_t clamp_ns(uint64_t ns)
{
    return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

static bool sum_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_compare_side *side = context;
    return side->cells.items[a].sum_ns < side->cells.items[b].sum_ns;
}

/* Median of the sums of a group's frames that are compared; nearest rank. */
static enum fg_result median_of(const struct fgi_compare_side *side,
                                const struct fgi_compare_group *group, int64_t *out_median)
{
    size_t bytes = ((size_t)group->cell_count + 1) * sizeof(uint32_t);
    uint32_t *cells = fgi_malloc(side->allocator, bytes);
    uint32_t count = 0;
    if (!cells) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < group->cell_count; i++) {
        uint32_t at = side->order[group->first_cell + i];
        const struct fgi_compare_cell *cell = &side->cells.items[at];
        if (!cell->is_open && cell->frame >= side->first && cell->frame < side->end) {
            cells[count++] = at;
        }
    }
    enum fg_result result =
        fgi_sort_u32(side->allocator, cells, count, sum_before, (void *)(uintptr_t)side);
    if (result == FG_OK && count > 0) {
        *out_median = clamp_ns(side->cells.items[cells[(count + 1) / 2 - 1]].sum_ns);
    }
    fgi_free(side->allocator, cells, bytes);
    return result;
}

/* Sums of the group's cells, the good ones into r->values; returns their number. */
static uint32_t add_cells(struct rows *r, int which, bool is_gpu, struct half *half,
                          struct fg_compare_figures *out, bool *out_is_open)
{
    const struct fgi_compare_side *side = &r->sides[which];
    const struct fgi_compare_group *group = half->group;
    uint32_t values = 0;
    for (uint32_t i = 0; group && i < group->cell_count; i++) {
        const struct fgi_compare_cell *cell =
            &side->cells.items[side->order[group->first_cell + i]];
        bool is_in = cell->frame >= side->first && cell->frame < side->end;
        bool is_told = fgi_compare_is_told(side, cell->frame, is_gpu);
        out->count += is_in ? cell->spans : 0;
        half->has_spans |= is_in;
        if (cell->is_open) {
            *out_is_open |= is_in;
            out->frames -= is_in && is_told;
            continue;
        }
        r->values[values++] = (struct fgi_compare_value){ cell->frame, (double)cell->sum_ns };
        if (is_in) {
            half->presence = PRESENCE_THERE;
            out->frames += !is_told;
            out->total_ns = fgi_add_saturated(out->total_ns, cell->sum_ns);
        }
    }
    return values;
}

static enum fg_result measure(struct rows *r, int which, bool is_gpu, struct half *half,
                              struct fg_compare_figures *out)
{
    const struct fgi_compare_side *side = &r->sides[which];
    const struct fgi_compare_group *group = half->group;
    bool is_open = false;
    *out = (struct fg_compare_figures){
        .longest = group ? group->longest : FG_NONE,
        .pass = group && side->by == FG_STATS_BY_PASS ? group->key : FG_NONE,
        .frames = r->told[which][is_gpu],
        .median_ns = -1,
        .work = -1,
    };
    enum fg_result result = FGI_GROW(side->allocator, r->values, r->value_capacity,
                                     (group ? group->cell_count : 0) + (size_t)1, FG_NONE);
    if (result != FG_OK) {
        return result;
    }
    uint32_t values = add_cells(r, which, is_gpu, half, out, &is_open);
    bool is_culled = group && group->is_culled && !half->has_spans;
    if (half->presence == PRESENCE_ABSENT && !is_culled && (is_open || out->frames == 0)) {
        half->presence = PRESENCE_NOT_KNOWN;
        out->mean_ns = -1;
    }
    if (half->presence != PRESENCE_THERE) {
        return FG_OK;
    }
    out->mean_ns = (double)out->total_ns / out->frames;
    result = fgi_compare_spread(side, r->values, values, out->frames, group->quantum_ns,
                                (double)out->count / out->frames, &half->spread);
    return result == FG_OK ? median_of(side, group, &out->median_ns) : result;
}

static uint8_t state_of(const struct half *base, const struct half *other)
{
    if (base->presence == other->presence || base->presence == PRESENCE_NOT_KNOWN ||
        other->presence == PRESENCE_NOT_KNOWN) {
        return FG_COMPARE_BOTH;
    }
    if (base->presence == PRESENCE_THERE) {
        return other->group && other->group->is_culled ? FG_COMPARE_CULLED : FG_COMPARE_REMOVED;
    }
    return base->group && base->group->is_culled ? FG_COMPARE_UNCULLED : FG_COMPARE_ADDED;
}

/* The one track that it is on; "" when there are several. */
static const char *track_of(const struct rows *r, const struct half halves[2])
{
    const char *text = NULL;
    for (int i = 0; i < 2; i++) {
        const struct fgi_compare_group *group = halves[i].group;
        if (halves[i].presence != PRESENCE_THERE) {
            continue;
        }
        const char *track =
            group->track != FG_NONE ? fg_trace_text(r->sides[i].trace, group->track) : "";
        text = !text || strcmp(text, track) == 0 ? track : "";
    }
    return text ? text : "";
}

static const char *keep(struct rows *r, const char *text)
{
    return fgi_arena_text(r->sides->question->arena, text, strlen(text));
}

/* *out_is_row false: no span of it is on either side. */
static enum fg_result make_row(struct rows *r, const struct pairing *pair,
                               struct fg_compare_row *row, bool *out_is_row)
{
    struct half halves[2] = { 0 };
    const struct fgi_compare_group *groups[2];
    struct label label = label_of_pair(r, pair);
    *row = (struct fg_compare_row){
        .ordinal = label.ordinal, .is_gpu = label.is_gpu, .work_unit = "", .noise_ns = -1
    };
    for (int i = 0; i < 2; i++) {
        groups[i] = pair->groups[i] != FG_NONE ? &r->sides[i].groups.items[pair->groups[i]] : NULL;
        halves[i].group = groups[i];
        enum fg_result result = measure(r, i, label.is_gpu, &halves[i], &row->sides[i]);
        if (result != FG_OK) {
            return result;
        }
    }
    *out_is_row = halves[0].has_spans || halves[1].has_spans;
    if (!*out_is_row) {
        return FG_OK;
    }
    row->name = keep(r, label.name);
    row->scope = keep(r, label.scope);
    row->track = keep(r, track_of(r, halves));
    row->state = state_of(&halves[FG_COMPARE_BASE], &halves[FG_COMPARE_NEW]);
    if (halves[0].presence != PRESENCE_NOT_KNOWN && halves[1].presence != PRESENCE_NOT_KNOWN) {
        row->delta_ns = row->sides[FG_COMPARE_NEW].mean_ns - row->sides[FG_COMPARE_BASE].mean_ns;
        row->noise_ns =
            fgi_compare_noise(halves[0].presence == PRESENCE_THERE ? &halves[0].spread : NULL,
                              halves[1].presence == PRESENCE_THERE ? &halves[1].spread : NULL);
    }
    fgi_compare_explain(r->sides, groups, row);
    return row->name && row->scope && row->track ? FG_OK : FG_ERR_NO_MEMORY;
}

static bool row_before(void *context, uint32_t a, uint32_t b)
{
    const struct rows *r = context;
    const struct fg_compare_row *x = &r->items[a];
    const struct fg_compare_row *y = &r->items[b];
    if (fabs(x->delta_ns) != fabs(y->delta_ns)) {
        return fabs(x->delta_ns) > fabs(y->delta_ns);
    }
    int order = strcmp(x->name, y->name);
    order = order != 0 ? order : strcmp(x->scope, y->scope);
    if (order != 0) {
        return order < 0;
    }
    return x->ordinal != y->ordinal ? x->ordinal < y->ordinal : x->is_gpu > y->is_gpu;
}

static enum fg_result put_in_order(struct rows *r, uint32_t count, struct fg_compare_reply *reply)
{
    struct fgi_arena *arena = r->sides->question->arena;
    uint32_t *order = fgi_arena_alloc(arena, (size_t)count + 1, sizeof *order);
    struct fg_compare_row *rows = fgi_arena_alloc(arena, (size_t)count + 1, sizeof *rows);
    if (!order || !rows) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    enum fg_result result = fgi_sort_u32(r->sides->allocator, order, count, row_before, r);
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = r->items[order[i]];
    }
    reply->rows = rows;
    reply->row_count = count;
    return result;
}

static enum fg_result make_rows(struct rows *r, struct fg_compare_reply *reply)
{
    uint32_t count = 0;
    r->items = fgi_arena_alloc(r->sides->question->arena, r->pairs.count + 1, sizeof *r->items);
    enum fg_result result = r->items ? FG_OK : FG_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < r->pairs.count && result == FG_OK; i++) {
        bool is_row = false;
        if (i % 1024 == 0 && fgi_question_cancelled(r->sides->question)) {
            result = FG_ERR_CANCELLED;
            break;
        }
        result = make_row(r, &r->pairs.items[i], &r->items[count], &is_row);
        count += is_row;
    }
    return result == FG_OK ? put_in_order(r, count, reply) : result;
}

enum fg_result fgi_compare_rows(struct fgi_compare_side sides[2], struct fg_compare_reply *reply)
{
    struct rows r = { .sides = sides, .by_hash = { .allocator = sides->allocator } };
    for (int side = 0; side < 2; side++) {
        for (uint32_t frame = sides[side].first; frame < sides[side].end; frame++) {
            r.told[side][0] += fgi_compare_is_told(&sides[side], frame, false);
            r.told[side][1] += fgi_compare_is_told(&sides[side], frame, true);
        }
    }
    enum fg_result result = pair_groups(&r);
    if (result == FG_OK) {
        result = make_rows(&r, reply);
    }
    fgi_map64_finish(&r.by_hash);
    fgi_free(sides->allocator, r.pairs.items, r.pairs.capacity * sizeof *r.pairs.items);
    fgi_free(sides->allocator, r.values, r.value_capacity * sizeof *r.values);
    return result;
}
