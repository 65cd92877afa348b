/* SPDX-License-Identifier: MIT */
/* Statistics by group: exact integers, nearest-rank percentiles, unions of intervals. */
#include "base/alloc.h"
#include "engine/cpu/engine_cpu_priv.h"
#include <string.h>

/* Up to so many (key, clock) pairs are looked up in a plain table. */
#define DENSE_GROUPS_MAX (UINT32_C(1) << 24)

struct grouping {
    struct fgi_engine_cpu *cpu;
    const struct fgi_question *question;
    const struct fg_stats_request *request;
    const struct fg_trace *trace;
    const uint64_t *filter;
    uint64_t *tracks; /* NULL: all */
    uint32_t *dense;  /* group + 1 by key * clocks + clock; NULL: map is used */
    size_t dense_count;
    struct fgi_map64 map;
    struct fg_stats_row *groups;
    size_t group_count, group_capacity;
    uint32_t *group_of; /* by row */
    uint32_t *rows;     /* complete rows by group */
    size_t row_count;
};

static uint32_t key_limit(const struct grouping *g)
{
    switch (g->request->by) {
    case FG_STATS_BY_PASS:
        return (uint32_t)g->trace->passes.count;
    case FG_STATS_BY_TRACK:
        return (uint32_t)g->trace->tracks.count;
    default:
        return fg_trace_text_count(g->trace);
    }
}

/* What a row counts for; FG_NONE: for nothing. */
static uint32_t key_of(const struct grouping *g, const struct fgi_block *block, uint32_t i,
                       uint32_t track)
{
    switch (g->request->by) {
    case FG_STATS_BY_PASS:
        return fgi_block_extra(block, FGI_COLUMN_PASS, i);
    case FG_STATS_BY_TRACK:
        return track;
    case FG_STATS_BY_SCOPE:
        return block->classes[i] & FG_CLASS_SCOPE ? fgi_block_extra(block, FGI_COLUMN_SCOPE, i)
                                                  : FG_NONE;
    default: /* a scope is the hull of passes that are counted already, often under its own name */
        return block->classes[i] & FG_CLASS_SCOPE ? FG_NONE : block->name[i];
    }
}

static uint32_t name_of_key(const struct grouping *g, uint32_t key)
{
    switch (g->request->by) {
    case FG_STATS_BY_PASS:
        return g->trace->passes.items[key].name;
    case FG_STATS_BY_TRACK:
        return g->trace->tracks.items[key].name;
    default:
        return key;
    }
}

static bool is_meant(const struct grouping *g, const struct fgi_block *block, uint32_t i,
                     uint32_t track)
{
    const struct fg_stats_request *r = g->request;
    if ((g->filter && !fgi_has_bit(g->filter, block->first_row + i)) ||
        (g->tracks && !fgi_has_bit(g->tracks, track))) {
        return false;
    }
    if (r->has_frames) {
        uint32_t frame = fgi_block_extra(block, FGI_COLUMN_FRAME, i);
        if (frame < r->first_frame || frame >= r->end_frame) {
            return false;
        }
    }
    return fgi_meets(block->start_ns[i], block->end_ns[i], r->start_ns, r->end_ns);
}

static enum fg_result find_group(struct grouping *g, uint32_t key, uint32_t track,
                                 uint32_t *out_group)
{
    uint32_t clock = g->trace->tracks.items[track].clock;
    size_t clocks = g->trace->clocks.count;
    size_t slot = (size_t)key * clocks + clock;
    uint32_t found = 0;
    if (g->dense) {
        found = g->dense[slot];
    } else if (fgi_map64_get(&g->map, slot, &found)) {
        found++;
    }
    if (found) {
        *out_group = found - 1;
        if (g->groups[found - 1].track != track) {
            g->groups[found - 1].track = FG_NONE;
        }
        return FG_OK;
    }
    if (!FGI_ANSWER_GROW(g->question->arena, g->groups, g->group_capacity, g->group_count + 1)) {
        return FG_ERR_NO_MEMORY;
    }
    *out_group = (uint32_t)g->group_count;
    g->groups[g->group_count++] = (struct fg_stats_row){
        .key = key,
        .name = name_of_key(g, key),
        .track = track,
        .clock = clock,
        .longest = FG_NONE,
    };
    if (g->dense) {
        g->dense[slot] = *out_group + 1;
        return FG_OK;
    }
    return fgi_map64_put(&g->map, slot, *out_group);
}

/* First look: which group each row belongs to, and how many each has. */
static enum fg_result assign_groups(struct grouping *g)
{
    struct fgi_cursor cursor = fgi_trace_cursor(g->trace);
    uint32_t limit = key_limit(g);
    enum fg_result result = FG_OK;
    for (uint32_t row = 0; row < fgi_trace_rows(g->trace) && result == FG_OK; row++) {
        if (row % 65536 == 0 && fgi_question_cancelled(g->question)) {
            result = FG_ERR_CANCELLED;
            break;
        }
        g->group_of[row] = FG_NONE;
        if (!fgi_cursor_at(&cursor, row)) {
            result = cursor.result;
            break;
        }
        const struct fgi_block *block = cursor.block;
        uint32_t i = row - cursor.first_row;
        uint32_t track = g->trace->lanes.items[block->lane[i]].track;
        uint32_t key = key_of(g, block, i, track);
        if (key >= limit || !is_meant(g, block, i, track)) {
            continue;
        }
        uint32_t group = 0;
        result = find_group(g, key, track, &group);
        if (result != FG_OK) {
            break;
        }
        if (fgi_is_unfinished(block->status[i])) {
            g->groups[group].unfinished++;
        } else {
            g->groups[group].count++;
            g->group_of[row] = group;
            g->row_count++;
        }
    }
    fgi_cursor_finish(&cursor);
    return result;
}

/* Rows by group, in stored order. */
static enum fg_result sort_by_group(struct grouping *g)
{
    g->rows = fgi_malloc(g->cpu->allocator, (g->row_count + 1) * sizeof *g->rows);
    uint64_t *next = fgi_malloc(g->cpu->allocator, (g->group_count + 1) * sizeof *next);
    if (!g->rows || !next) {
        fgi_free(g->cpu->allocator, next, (g->group_count + 1) * sizeof *next);
        return FG_ERR_NO_MEMORY;
    }
    uint64_t at = 0;
    for (size_t i = 0; i < g->group_count; i++) {
        next[i] = at;
        at += g->groups[i].count;
    }
    for (uint32_t row = 0; row < fgi_trace_rows(g->trace); row++) {
        if (g->group_of[row] != FG_NONE) {
            g->rows[next[g->group_of[row]]++] = row;
        }
    }
    fgi_free(g->cpu->allocator, next, (g->group_count + 1) * sizeof *next);
    return FG_OK;
}

/*
 * The value at `rank` (from 0) of the sorted values. Partitions in three, pivots by a fixed rule.
 */
static uint64_t select_rank(uint64_t *values, size_t count, size_t rank)
{
    size_t low = 0;
    size_t high = count;
    uint64_t seed = count;
    while (high - low > 1) {
        seed = fgi_mix64(seed);
        uint64_t pivot = values[low + (size_t)(seed % (high - low))];
        size_t less = low;
        size_t greater = high;
        for (size_t i = low; i < greater;) {
            uint64_t value = values[i];
            if (value < pivot) {
                values[i++] = values[less];
                values[less++] = value;
            } else if (value > pivot) {
                values[i] = values[--greater];
                values[greater] = value;
            } else {
                i++;
            }
        }
        if (rank < less) {
            high = less;
        } else if (rank >= greater) {
            low = greater;
        } else {
            return pivot;
        }
    }
    return values[low];
}

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

struct measuring {
    struct fgi_interval *intervals;
    uint64_t *durations;
};

static enum fg_result measure_group(struct grouping *g, struct fgi_cursor *cursor,
                                    struct fg_stats_row *row, const uint32_t *rows,
                                    const struct measuring *m)
{
    size_t count = (size_t)row->count;
    for (size_t i = 0; i < count; i++) {
        if (!fgi_cursor_at(cursor, rows[i])) {
            return cursor->result;
        }
        int64_t start = fgi_cursor_start(cursor, rows[i]);
        int64_t end = fgi_cursor_end(cursor, rows[i]);
        uint64_t duration = fgi_duration(start, end);
        m->intervals[i] = (struct fgi_interval){ start, end };
        m->durations[i] = duration;
        row->total_ns = add_saturated(row->total_ns, duration);
        row->self_ns = add_saturated(row->self_ns, duration - fgi_cover_of(g->cpu, rows[i]));
        row->zeroes += duration == 0;
        row->start_ns = i == 0 || start < row->start_ns ? start : row->start_ns;
        row->end_ns = i == 0 || end > row->end_ns ? end : row->end_ns;
        row->min_ns = i == 0 || duration < row->min_ns ? duration : row->min_ns;
        if (i == 0 || duration > row->max_ns) { /* rows ascend: the lowest of equals stays */
            row->max_ns = duration;
            row->longest = rows[i];
        }
    }
    if (count == 0) {
        return FG_OK;
    }
    row->median_ns = select_rank(m->durations, count, (count + 1) / 2 - 1);
    row->p95_ns = select_rank(m->durations, count, count - count / 20 - 1);
    enum fg_result result = fgi_sort_intervals(g->cpu->allocator, m->intervals, count);
    row->busy_ns = result == FG_OK ? fgi_union_length(m->intervals, count) : 0;
    return result;
}

static enum fg_result measure_groups(struct grouping *g)
{
    size_t most = 1;
    for (size_t i = 0; i < g->group_count; i++) {
        most = g->groups[i].count > most ? (size_t)g->groups[i].count : most;
    }
    struct measuring m = {
        .intervals = fgi_malloc(g->cpu->allocator, most * sizeof *m.intervals),
        .durations = fgi_malloc(g->cpu->allocator, most * sizeof *m.durations),
    };
    struct fgi_cursor cursor = fgi_trace_cursor(g->trace);
    enum fg_result result = m.intervals && m.durations ? FG_OK : FG_ERR_NO_MEMORY;
    const uint32_t *rows = g->rows;
    for (size_t i = 0; i < g->group_count && result == FG_OK; i++) {
        if (fgi_question_cancelled(g->question)) {
            result = FG_ERR_CANCELLED;
        } else {
            result = measure_group(g, &cursor, &g->groups[i], rows, &m);
            rows += g->groups[i].count;
        }
    }
    fgi_cursor_finish(&cursor);
    fgi_free(g->cpu->allocator, m.intervals, most * sizeof *m.intervals);
    fgi_free(g->cpu->allocator, m.durations, most * sizeof *m.durations);
    return result;
}

static bool group_before(void *context, uint32_t a, uint32_t b)
{
    const struct grouping *g = context;
    const struct fg_stats_row *x = &g->groups[a];
    const struct fg_stats_row *y = &g->groups[b];
    if (x->total_ns != y->total_ns) {
        return x->total_ns > y->total_ns;
    }
    int order = strcmp(fg_trace_text(g->trace, x->name), fg_trace_text(g->trace, y->name));
    if (order != 0) {
        return order < 0;
    }
    if (x->track != y->track) {
        return x->track < y->track;
    }
    return x->clock != y->clock ? x->clock < y->clock : x->key < y->key;
}

static enum fg_result put_in_order(struct grouping *g, struct fg_stats_reply *out_reply)
{
    size_t count = g->group_count;
    *out_reply = (struct fg_stats_reply){ .count = (uint32_t)count };
    if (count == 0) {
        return FG_OK;
    }
    uint32_t *order = fgi_arena_alloc(g->question->arena, count, sizeof *order);
    struct fg_stats_row *rows = fgi_arena_alloc(g->question->arena, count, sizeof *rows);
    if (!order || !rows) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    enum fg_result result = fgi_sort_u32(g->cpu->allocator, order, count, group_before, g);
    for (size_t i = 0; i < count; i++) {
        rows[i] = g->groups[order[i]];
        out_reply->sum_ns = add_saturated(out_reply->sum_ns, rows[i].total_ns);
    }
    out_reply->rows = rows;
    return result;
}

static enum fg_result prepare(struct grouping *g)
{
    const struct fg_stats_request *r = g->request;
    struct fgi_population *population;
    enum fg_result result = fgi_filter_find(g->cpu, r->filter, &population, &g->filter);
    if (result != FG_OK) {
        return result;
    }
    if (r->tracks) {
        g->tracks = fgi_arena_alloc(g->question->arena, g->trace->tracks.count / 64 + 1, 8);
        if (!g->tracks) {
            return FG_ERR_NO_MEMORY;
        }
        for (uint32_t i = 0; i < r->track_count; i++) {
            if (r->tracks[i] < g->trace->tracks.count) {
                fgi_set_bit(g->tracks, r->tracks[i]);
            }
        }
    }
    g->map.allocator = g->cpu->allocator;
    uint64_t slots = (uint64_t)key_limit(g) * g->trace->clocks.count;
    if (slots > 0 && slots <= DENSE_GROUPS_MAX) {
        g->dense_count = (size_t)slots;
        g->dense = fgi_calloc(g->cpu->allocator, g->dense_count, sizeof *g->dense);
        if (!g->dense) {
            return FG_ERR_NO_MEMORY;
        }
    }
    size_t rows = fgi_trace_rows(g->trace);
    g->group_of = fgi_malloc(g->cpu->allocator, (rows + 1) * sizeof *g->group_of);
    return g->group_of ? fgi_cover_make(g->cpu) : FG_ERR_NO_MEMORY;
}

enum fg_result fgi_cpu_stats(struct fg_engine *engine, const struct fgi_question *question,
                             const struct fg_stats_request *request,
                             struct fg_stats_reply *out_reply)
{
    struct grouping g = {
        .cpu = fgi_cpu(engine), .question = question, .request = request, .trace = engine->trace
    };
    enum fg_result result = prepare(&g);
    enum fg_result (*const steps[])(struct grouping *) = { assign_groups, sort_by_group,
                                                           measure_groups };
    for (size_t i = 0; i < sizeof steps / sizeof *steps && result == FG_OK; i++) {
        result = steps[i](&g);
    }
    if (result == FG_OK) {
        result = put_in_order(&g, out_reply);
    }
    fgi_free(g.cpu->allocator, g.dense, g.dense_count * sizeof *g.dense);
    fgi_map64_finish(&g.map);
    fgi_free(g.cpu->allocator, g.group_of,
             ((size_t)fgi_trace_rows(g.trace) + 1) * sizeof *g.group_of);
    fgi_free(g.cpu->allocator, g.rows, (g.row_count + 1) * sizeof *g.rows);
    return result;
}
