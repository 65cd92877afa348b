/* SPDX-License-Identifier: MIT */
/*
 * Two readers have a table each, which are joined after the first reading. The second reading puts
 * values where the first one has counted that they belong.
 */
#include "engine/cpu/groups.h"
#include "base/alloc.h"
#include "base/memory_hint.h"
#include "base/thread.h"
#include <string.h>

/* Up to so many (key, clock) pairs are looked up in a plain table. */
#define DENSE_GROUPS_MAX (UINT32_C(1) << 24)

/* ---- tables ---------------------------------------------------------------------------------- */

/* The group follows from the kind alone, and there are fewer kinds than spans. */
static bool has_kind_keys(const struct fgi_grouping *g)
{
    static const uint32_t by_kind = 1u << FG_AGGREGATE_ALL | 1u << FG_AGGREGATE_NAME |
                                    1u << FG_AGGREGATE_CATEGORY | 1u << FG_AGGREGATE_CLASSES |
                                    1u << FG_AGGREGATE_STATUS;
    return g->clocks == 1 && (by_kind >> g->rule.by & 1) &&
           g->cpu->engine.trace->store->kinds.count < g->chosen->candidates;
}

static enum fg_result make_kind_groups(struct fgi_grouping *g)
{
    g->kind_count = g->cpu->engine.trace->store->kinds.count;
    for (unsigned r = 0; r < FGI_READERS; r++) {
        struct fgi_kind_group **by_kind = &g->tables[r].by_kind;
        *by_kind = fgi_calloc(g->cpu->allocator, g->kind_count + 1, sizeof **by_kind);
        if (!*by_kind) {
            return FG_ERR_NO_MEMORY;
        }
    }
    return FG_OK;
}

enum fg_result fgi_grouping_begin(struct fgi_grouping *g, const struct fgi_grouping_rule *rule,
                                  const struct fgi_chosen *chosen)
{
    struct fgi_engine_cpu *cpu = chosen->cpu;
    const struct fg_trace *trace = cpu->engine.trace;
    *g = (struct fgi_grouping){
        .cpu = cpu,
        .rule = *rule,
        .chosen = chosen,
        .key_limit = fgi_group_key_limit(trace, rule->by),
        .clocks = trace->clocks.count > 0 ? trace->clocks.count : 1,
    };
    uint64_t slots = (uint64_t)g->key_limit * g->clocks;
    g->dense_count = slots <= DENSE_GROUPS_MAX ? (size_t)slots + 1 : 0;
    enum fg_result result = fgi_mutex_create(cpu->allocator, &g->memory);
    g->lane_clock = fgi_calloc(cpu->allocator, trace->lanes.count + 1, sizeof *g->lane_clock);
    result = result == FG_OK && !g->lane_clock ? FG_ERR_NO_MEMORY : result;
    for (unsigned r = 0; r < FGI_READERS && result == FG_OK; r++) {
        g->tables[r].map.allocator = cpu->allocator;
        if (g->dense_count > 0) {
            g->tables[r].dense = fgi_calloc(cpu->allocator, g->dense_count, sizeof(uint32_t));
            result = g->tables[r].dense ? FG_OK : FG_ERR_NO_MEMORY;
        }
    }
    if (result == FG_OK && has_kind_keys(g)) {
        result = make_kind_groups(g);
    }
    for (size_t i = 0; i < trace->lanes.count && result == FG_OK; i++) {
        g->lane_clock[i] = trace->tracks.items[trace->lanes.items[i].track].clock;
    }
    if (result == FG_OK && rule->measure == FG_MEASURE_SELF) {
        result = fgi_cover_make(cpu);
    }
    if (result != FG_OK) {
        fgi_grouping_finish(g);
    }
    return result;
}

void fgi_grouping_finish(struct fgi_grouping *g)
{
    if (!g->cpu) {
        return;
    }
    const struct fg_allocator *allocator = g->cpu->allocator;
    for (unsigned r = 0; r < FGI_READERS; r++) {
        struct fgi_group_table *t = &g->tables[r];
        fgi_free(allocator, g->next[r], (t->count + 1) * sizeof *g->next[r]);
        fgi_free(allocator, g->joined[r], (t->count + 1) * sizeof *g->joined[r]);
    }
    fgi_free(allocator, g->first, (g->tables[0].count + 1) * sizeof *g->first);
    for (unsigned r = 0; r < FGI_READERS; r++) {
        struct fgi_group_table *t = &g->tables[r];
        if (t->by_kind) {
            fgi_free(allocator, t->by_kind, (g->kind_count + 1) * sizeof *t->by_kind);
        }
        fgi_free(allocator, t->dense, g->dense_count * sizeof *t->dense);
        fgi_free(allocator, t->groups, t->capacity * sizeof *t->groups);
        fgi_map64_finish(&t->map);
    }
    fgi_free(allocator, g->values, (g->value_count + 1) * sizeof *g->values);
    fgi_free(allocator, g->intervals, (g->value_count + 1) * sizeof *g->intervals);
    fgi_free(allocator, g->lane_clock,
             (g->cpu->engine.trace->lanes.count + 1) * sizeof *g->lane_clock);
    fgi_mutex_destroy(g->memory);
    *g = (struct fgi_grouping){ 0 };
}

static uint32_t look_up(const struct fgi_group_table *t, size_t slot)
{
    uint32_t found = 0;
    if (t->dense) {
        return t->dense[slot] - 1; /* FG_NONE: not there */
    }
    return fgi_map64_get(&t->map, slot, &found) ? found : FG_NONE;
}

static enum fg_result add_group(struct fgi_grouping *g, struct fgi_group_table *t, size_t slot,
                                const struct fgi_group *group, uint32_t *out_group)
{
    fgi_mutex_lock(g->memory); /* the caller's allocator may not be for two threads */
    enum fg_result result =
        FGI_GROW(g->cpu->allocator, t->groups, t->capacity, t->count + 1, FG_NONE - 1);
    if (result == FG_OK && !t->dense) {
        result = fgi_map64_put(&t->map, slot, (uint32_t)t->count);
    }
    fgi_mutex_unlock(g->memory);
    if (result == FG_OK) {
        *out_group = (uint32_t)t->count;
        if (t->dense) {
            t->dense[slot] = *out_group + 1;
        }
        t->groups[t->count++] = *group;
    }
    return result;
}

static enum fg_result group_of(struct fgi_grouping *g, struct fgi_group_table *t, uint32_t key,
                               uint32_t lane, struct fgi_group **out_group)
{
    uint32_t clock = g->lane_clock[lane];
    size_t slot = (size_t)key * g->clocks + clock;
    uint32_t at = look_up(t, slot);
    if (at == FG_NONE) {
        enum fg_result result =
            add_group(g, t, slot,
                      &(struct fgi_group){
                          .key = key,
                          .clock = clock,
                          .track = g->cpu->engine.trace->lanes.items[lane].track,
                          .largest = FG_NONE,
                          .start_ns = INT64_MAX,
                          .end_ns = INT64_MIN,
                      },
                      &at);
        if (result != FG_OK) {
            return result;
        }
    }
    *out_group = &t->groups[at];
    return FG_OK;
}

/* ---- first reading --------------------------------------------------------------------------- */

static inline void add_value(struct fgi_group *group, uint64_t value, uint32_t row)
{
    if (group->measured == 0 || value > group->max ||
        (value == group->max && row < group->largest)) {
        group->max = value;
        group->largest = row;
    }
    group->min = group->measured == 0 || value < group->min ? value : group->min;
    group->measured++;
    fgi_sum_add(&group->sum, value);
}

/* What a span of a group adds to it. */
static inline void add_span(struct fgi_grouping *g, struct fgi_group *group,
                            const struct fgi_block *block, uint32_t i, uint8_t status)
{
    int64_t start = block->start_ns[i];
    int64_t end = block->end_ns[i];
    if (g->rule.has_spans && group->track != FG_NONE &&
        group->track != g->cpu->engine.trace->lanes.items[block->lane[i]].track) {
        group->track = FG_NONE;
    }
    if (fgi_is_unfinished(status)) {
        group->unfinished++;
        return;
    }
    if (g->rule.has_spans) {
        group->zeroes += start == end;
        group->start_ns = start < group->start_ns ? start : group->start_ns;
        group->end_ns = end > group->end_ns ? end : group->end_ns;
    }
    group->count++;
    group->errors += status == FG_SPAN_ERROR;
    uint64_t value = fgi_duration(start, end);
    if (g->rule.measure != FG_MEASURE_DURATION &&
        !fgi_measure(g->cpu, &g->rule, g->chosen, block, i, &value)) {
        return;
    }
    add_value(group, value, block->first_row + i);
    if (g->rule.has_self) {
        fgi_sum_add(&group->self, value - fgi_cover_of(g->cpu, block->first_row + i));
    }
}

/* The group of a span, made when it is the first; NULL: none. */
static enum fg_result find_group(struct fgi_grouping *g, struct fgi_group_table *t,
                                 const struct fgi_block *block, uint32_t i,
                                 struct fgi_group **out_group)
{
    uint32_t key = fgi_group_key(g->cpu, &g->rule, block, i);
    *out_group = NULL;
    return key < g->key_limit ? group_of(g, t, key, block->lane[i], out_group) : FG_OK;
}

/* All that is asked of a span's kind is learned once. */
static enum fg_result learn_kind(struct fgi_grouping *g, struct fgi_group_table *t,
                                 const struct fgi_block *block, uint32_t i,
                                 struct fgi_kind_group *out)
{
    struct fgi_group *group = NULL;
    enum fg_result result = find_group(g, t, block, i, &group);
    out->group = group ? (uint32_t)(group - t->groups) + 1 : FG_NONE;
    out->status = fgi_block_kind(block, i)->status;
    return result;
}

static enum fg_result add_by_kind(struct fgi_grouping *g, struct fgi_group_table *t,
                                  const struct fgi_batch *batch)
{
    const struct fgi_block *block = batch->block;
    for (uint32_t k = 0; k < batch->count; k++) {
        uint32_t i = batch->items[k];
        struct fgi_kind_group *known = &t->by_kind[block->kind[i]];
        if (known->group == 0) {
            enum fg_result result = learn_kind(g, t, block, i, known);
            if (result != FG_OK) {
                return result;
            }
        }
        if (known->group == FG_NONE) {
            t->keyless++;
        } else {
            add_span(g, &t->groups[known->group - 1], block, i, known->status);
        }
    }
    return FG_OK;
}

enum fg_result fgi_grouping_add(void *grouping, const struct fgi_batch *batch)
{
    struct fgi_grouping *g = grouping;
    struct fgi_group_table *t = &g->tables[batch->reader];
    const struct fgi_block *block = batch->block;
    t->selected += batch->count;
    if (t->by_kind) {
        return add_by_kind(g, t, batch);
    }
    for (uint32_t k = 0; k < batch->count; k++) {
        uint32_t i = batch->items[k];
        struct fgi_group *group = NULL;
        enum fg_result result = find_group(g, t, block, i, &group);
        if (result != FG_OK) {
            return result;
        }
        if (group) {
            add_span(g, group, block, i, fgi_block_status(block, i));
        } else {
            t->keyless++;
        }
    }
    return FG_OK;
}

enum fg_result fgi_grouping_add_empty(struct fgi_grouping *g)
{
    struct fgi_group_table *t = &g->tables[0];
    size_t bytes = ((size_t)g->key_limit / 64 + 1) * sizeof(uint64_t);
    uint64_t *seen = fgi_calloc(g->cpu->allocator, 1, bytes);
    enum fg_result result = seen ? FG_OK : FG_ERR_NO_MEMORY;
    for (unsigned r = 0; r < FGI_READERS && seen; r++) {
        for (size_t i = 0; i < g->tables[r].count; i++) {
            fgi_set_bit(seen, g->tables[r].groups[i].key);
        }
    }
    for (uint32_t key = 0; key < g->key_limit && result == FG_OK; key++) {
        if (fgi_has_bit(seen, key)) {
            continue;
        }
        result = FGI_GROW(g->cpu->allocator, t->groups, t->capacity, t->count + 1, FG_NONE - 1);
        if (result == FG_OK) { /* in no table of keys: nothing will look for it */
            t->groups[t->count++] =
                (struct fgi_group){ .key = key, .clock = FG_NONE, .largest = FG_NONE };
        }
    }
    fgi_free(g->cpu->allocator, seen, bytes);
    return result;
}

static void join_group(struct fgi_group *into, const struct fgi_group *from)
{
    if (from->measured > 0) {
        if (into->measured == 0 || from->max > into->max ||
            (from->max == into->max && from->largest < into->largest)) {
            into->max = from->max;
            into->largest = from->largest;
        }
        into->min = into->measured == 0 || from->min < into->min ? from->min : into->min;
    }
    into->track = into->track == from->track ? into->track : FG_NONE;
    into->count += from->count;
    into->errors += from->errors;
    into->unfinished += from->unfinished;
    into->measured += from->measured;
    into->zeroes += from->zeroes;
    into->start_ns = from->start_ns < into->start_ns ? from->start_ns : into->start_ns;
    into->end_ns = from->end_ns > into->end_ns ? from->end_ns : into->end_ns;
    fgi_sum_join(&into->sum, &from->sum);
    fgi_sum_join(&into->self, &from->self);
}

/* Where the values of each reader's groups go: after each other, by group, then reader. */
static enum fg_result lay_out(struct fgi_grouping *g, const uint64_t *own_measured)
{
    const struct fg_allocator *allocator = g->cpu->allocator;
    size_t groups = g->tables[0].count;
    g->first = fgi_malloc(allocator, (groups + 1) * sizeof *g->first);
    for (unsigned r = 0; r < FGI_READERS; r++) {
        g->next[r] = fgi_malloc(allocator, (g->tables[r].count + 1) * sizeof *g->next[r]);
    }
    if (!g->first || !g->next[0] || !g->next[1]) {
        return FG_ERR_NO_MEMORY;
    }
    uint64_t at = 0;
    for (size_t i = 0; i < groups; i++) {
        g->first[i] = at;
        g->next[0][i] = at;
        at += g->tables[0].groups[i].measured;
    }
    g->first[groups] = at;
    for (size_t i = 0; i < g->tables[1].count; i++) {
        uint32_t into = g->joined[1][i];
        g->next[1][i] = g->first[into] + own_measured[into];
    }
    return FG_OK;
}

enum fg_result fgi_grouping_join(struct fgi_grouping *g)
{
    struct fgi_group_table *into = &g->tables[0];
    struct fgi_group_table *from = &g->tables[1];
    const struct fg_allocator *allocator = g->cpu->allocator;
    size_t own_bytes = (into->count + from->count + 1) * sizeof(uint64_t);
    uint64_t *own_measured = fgi_calloc(allocator, 1, own_bytes); /* of the first reader */
    g->joined[1] = fgi_malloc(allocator, (from->count + 1) * sizeof(uint32_t));
    enum fg_result result = own_measured && g->joined[1] ? FG_OK : FG_ERR_NO_MEMORY;
    for (size_t i = 0; i < into->count && result == FG_OK; i++) {
        own_measured[i] = into->groups[i].measured;
    }
    for (size_t i = 0; i < from->count && result == FG_OK; i++) {
        const struct fgi_group *group = &from->groups[i];
        size_t slot = (size_t)group->key * g->clocks + group->clock;
        uint32_t at = look_up(into, slot);
        if (at == FG_NONE) {
            result = add_group(g, into, slot, group, &at);
        } else {
            join_group(&into->groups[at], group);
        }
        g->joined[1][i] = at;
    }
    into->keyless += from->keyless;
    into->selected += from->selected;
    if (result == FG_OK) {
        result = lay_out(g, own_measured);
    }
    fgi_free(allocator, own_measured, own_bytes);
    return result;
}

/* ---- second reading -------------------------------------------------------------------------- */

enum fg_result fgi_grouping_make_room(struct fgi_grouping *g, bool has_intervals)
{
    const struct fg_allocator *allocator = g->cpu->allocator;
    g->value_count = (size_t)g->first[g->tables[0].count];
    if (has_intervals) {
        g->intervals = fgi_malloc(allocator, (g->value_count + 1) * sizeof *g->intervals);
        fgi_memory_hint_large(g->intervals, (g->value_count + 1) * sizeof *g->intervals);
        return g->intervals ? FG_OK : FG_ERR_NO_MEMORY;
    }
    g->values = fgi_malloc(allocator, (g->value_count + 1) * sizeof *g->values);
    fgi_memory_hint_large(g->values, (g->value_count + 1) * sizeof *g->values);
    return g->values ? FG_OK : FG_ERR_NO_MEMORY;
}

/* Group of a span in the reader's table, which the first reading has made; FG_NONE: no value. */
static uint32_t known_group(const struct fgi_grouping *g, const struct fgi_group_table *t,
                            const struct fgi_block *block, uint32_t i)
{
    if (t->by_kind) {
        const struct fgi_kind_group *known = &t->by_kind[block->kind[i]];
        bool has_value = known->group != FG_NONE && !fgi_is_unfinished(known->status);
        return has_value ? known->group - 1 : FG_NONE;
    }
    uint32_t key = fgi_group_key(g->cpu, &g->rule, block, i);
    return key < g->key_limit && !fgi_is_unfinished(fgi_block_status(block, i))
               ? look_up(t, (size_t)key * g->clocks + g->lane_clock[block->lane[i]])
               : FG_NONE;
}

enum fg_result fgi_grouping_collect(void *grouping, const struct fgi_batch *batch)
{
    struct fgi_grouping *g = grouping;
    const struct fgi_group_table *t = &g->tables[batch->reader];
    const struct fgi_block *block = batch->block;
    uint64_t *next = g->next[batch->reader];
    for (uint32_t k = 0; k < batch->count; k++) {
        uint32_t i = batch->items[k];
        uint64_t value = 0;
        uint32_t at = known_group(g, t, block, i);
        if (at == FG_NONE) {
            continue;
        }
        if (g->intervals) {
            g->intervals[next[at]++] =
                (struct fgi_interval){ block->start_ns[i], block->end_ns[i] };
        } else if (fgi_measure(g->cpu, &g->rule, g->chosen, block, i, &value)) {
            g->values[next[at]++] = value;
        }
    }
    return FG_OK;
}
