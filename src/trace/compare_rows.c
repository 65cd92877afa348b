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

static struct label label_of_pair(const struct fgi_comparison *c,
                                  const struct fgi_compare_pair *pair)
{
    int side = pair->groups[FG_COMPARE_BASE] != FG_NONE ? FG_COMPARE_BASE : FG_COMPARE_NEW;
    return label_of(&c->sides[side], &c->sides[side].groups.items[pair->groups[side]]);
}

static enum fg_result pair_group(struct fgi_comparison *c, uint32_t index)
{
    const struct fgi_compare_side *side = &c->sides[c->which];
    struct label label = label_of(side, &side->groups.items[index]);
    uint64_t hash = hash_of(&label);
    uint32_t first = FG_NONE;
    if (!fgi_map64_get(&c->pair_of, hash, &first)) {
        first = FG_NONE;
    }
    for (uint32_t at = first; at != FG_NONE; at = c->pairs.items[at].next) {
        struct label other = label_of_pair(c, &c->pairs.items[at]);
        if (are_equal(&label, &other)) {
            c->pairs.items[at].groups[c->which] = index;
            return FG_OK;
        }
    }
    enum fg_result result =
        FGI_GROW(c->allocator, c->pairs.items, c->pairs.capacity, c->pairs.count + 1, FG_NONE - 1);
    if (result == FG_OK) {
        result = fgi_map64_put(&c->pair_of, hash, (uint32_t)c->pairs.count);
    }
    if (result == FG_OK) {
        struct fgi_compare_pair pair = { .groups = { FG_NONE, FG_NONE }, .next = first };
        pair.groups[c->which] = index;
        c->pairs.items[c->pairs.count++] = pair;
    }
    return result;
}

/* Groups that only frames around the compared ones have are of no row. */
enum fg_result fgi_compare_pair_up(struct fgi_comparison *c, struct fgi_compare_step *step)
{
    const struct fgi_compare_side *side = &c->sides[c->which];
    enum fg_result result = FG_OK;
    for (; c->at < side->groups.count && result == FG_OK && fgi_compare_take(step, 1) > 0;
         c->at++) {
        const struct fgi_compare_group *group = &side->groups.items[c->at];
        if (group->is_in_range || group->is_culled) {
            result = pair_group(c, (uint32_t)c->at);
        }
    }
    c->is_over = c->at == side->groups.count;
    return result == FG_OK ? step->result : result;
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

/* Sums of the group's cells, the good ones into c->values; returns their number. */
static uint32_t add_cells(struct fgi_comparison *c, int which, bool is_gpu, struct half *half,
                          struct fg_compare_figures *out, bool *out_is_open)
{
    const struct fgi_compare_side *side = &c->sides[which];
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
        c->values[values++] = (struct fgi_compare_value){ cell->frame, (double)cell->sum_ns };
        if (is_in) {
            half->presence = PRESENCE_THERE;
            out->frames += !is_told;
            out->total_ns = fgi_add_saturated(out->total_ns, cell->sum_ns);
        }
    }
    return values;
}

static enum fg_result measure(struct fgi_comparison *c, int which, bool is_gpu, struct half *half,
                              struct fg_compare_figures *out)
{
    const struct fgi_compare_side *side = &c->sides[which];
    const struct fgi_compare_group *group = half->group;
    bool is_open = false;
    *out = (struct fg_compare_figures){
        .longest = group ? group->longest : FG_NONE,
        .pass = group && side->by == FG_STATS_BY_PASS ? group->key : FG_NONE,
        .frames = side->told[is_gpu],
        .median_ns = -1,
        .work = -1,
    };
    enum fg_result result = FGI_GROW(side->allocator, c->values, c->value_capacity,
                                     (group ? group->cell_count : 0) + (size_t)1, FG_NONE);
    if (result != FG_OK) {
        return result;
    }
    uint32_t values = add_cells(c, which, is_gpu, half, out, &is_open);
    bool is_culled = group && group->is_culled && !half->has_spans;
    if (half->presence == PRESENCE_ABSENT && !is_culled && (is_open || out->frames == 0)) {
        half->presence = PRESENCE_NOT_KNOWN;
        out->mean_ns = -1;
    }
    if (half->presence != PRESENCE_THERE) {
        return FG_OK;
    }
    out->mean_ns = (double)out->total_ns / out->frames;
    result = fgi_compare_spread(side, c->values, values, out->frames, group->quantum_ns,
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
static const char *track_of(const struct fgi_comparison *c, const struct half halves[2])
{
    const char *text = NULL;
    for (int i = 0; i < 2; i++) {
        const struct fgi_compare_group *group = halves[i].group;
        if (halves[i].presence != PRESENCE_THERE) {
            continue;
        }
        const char *track =
            group->track != FG_NONE ? fg_trace_text(c->sides[i].trace, group->track) : "";
        text = !text || strcmp(text, track) == 0 ? track : "";
    }
    return text ? text : "";
}

static const char *keep(struct fgi_arena *arena, const char *text)
{
    return fgi_arena_text(arena, text, strlen(text));
}

/* What is there as one sum only tells nothing of its spread: nothing is claimed against it. */
static double noise_of(const struct fgi_comparison *c, const struct half halves[2])
{
    if (c->sides[0].is_frameless || c->sides[1].is_frameless) {
        return -1;
    }
    return fgi_compare_noise(halves[0].presence == PRESENCE_THERE ? &halves[0].spread : NULL,
                             halves[1].presence == PRESENCE_THERE ? &halves[1].spread : NULL);
}

/* *out_is_row false: no span of it is on either side. */
static enum fg_result make_row(struct fgi_comparison *c, struct fgi_arena *arena,
                               const struct fgi_compare_pair *pair, struct fg_compare_row *row,
                               bool *out_is_row)
{
    struct half halves[2] = { 0 };
    const struct fgi_compare_group *groups[2];
    struct label label = label_of_pair(c, pair);
    *row = (struct fg_compare_row){
        .ordinal = label.ordinal, .is_gpu = label.is_gpu, .work_unit = "", .noise_ns = -1
    };
    for (int i = 0; i < 2; i++) {
        groups[i] = pair->groups[i] != FG_NONE ? &c->sides[i].groups.items[pair->groups[i]] : NULL;
        halves[i].group = groups[i];
        enum fg_result result = measure(c, i, label.is_gpu, &halves[i], &row->sides[i]);
        if (result != FG_OK) {
            return result;
        }
    }
    *out_is_row = halves[0].has_spans || halves[1].has_spans;
    if (!*out_is_row) {
        return FG_OK;
    }
    row->name = keep(arena, label.name);
    row->scope = keep(arena, label.scope);
    row->track = keep(arena, track_of(c, halves));
    row->state = state_of(&halves[FG_COMPARE_BASE], &halves[FG_COMPARE_NEW]);
    if (halves[0].presence != PRESENCE_NOT_KNOWN && halves[1].presence != PRESENCE_NOT_KNOWN) {
        row->delta_ns = row->sides[FG_COMPARE_NEW].mean_ns - row->sides[FG_COMPARE_BASE].mean_ns;
        row->noise_ns = noise_of(c, halves);
    }
    fgi_compare_explain(c->sides, groups, row);
    return row->name && row->scope && row->track ? FG_OK : FG_ERR_NO_MEMORY;
}

static bool row_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_comparison *c = context;
    const struct fg_compare_row *x = &c->rows[a];
    const struct fg_compare_row *y = &c->rows[b];
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

static enum fg_result put_in_order(struct fgi_comparison *c, struct fgi_arena *arena)
{
    uint32_t count = c->row_count;
    uint32_t *order = fgi_arena_alloc(arena, (size_t)count + 1, sizeof *order);
    struct fg_compare_row *rows = fgi_arena_alloc(arena, (size_t)count + 1, sizeof *rows);
    if (!order || !rows) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    enum fg_result result = fgi_sort_u32(c->allocator, order, count, row_before, c);
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = c->rows[order[i]];
    }
    c->base.reply.rows = rows;
    c->base.reply.row_count = count;
    return result;
}

/* What making a row looks at: its groups' cells. */
static uint64_t work_of(const struct fgi_comparison *c, const struct fgi_compare_pair *pair)
{
    uint64_t cells = 1;
    for (int i = 0; i < 2; i++) {
        cells +=
            pair->groups[i] != FG_NONE ? c->sides[i].groups.items[pair->groups[i]].cell_count : 0;
    }
    return cells;
}

enum fg_result fgi_compare_rows(struct fgi_comparison *c, struct fgi_compare_step *step)
{
    struct fgi_arena *arena = step->question->arena;
    if (!c->rows) {
        c->rows = fgi_arena_alloc(arena, c->pairs.count + 1, sizeof *c->rows);
    }
    enum fg_result result = c->rows ? FG_OK : FG_ERR_NO_MEMORY;
    for (; c->at < c->pairs.count && result == FG_OK; c->at++) {
        const struct fgi_compare_pair *pair = &c->pairs.items[c->at];
        bool is_row = false;
        if (!fgi_compare_take_one(step, work_of(c, pair))) {
            return step->result;
        }
        result = make_row(c, arena, pair, &c->rows[c->row_count], &is_row);
        c->row_count += is_row;
    }
    c->is_over = true;
    return result == FG_OK ? put_in_order(c, arena) : result;
}
