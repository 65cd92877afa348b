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

uint64_t fgi_sum_divide(const struct fgi_sum *sum, uint64_t count)
{
    uint64_t rest = sum->high % count; /* of a mean of u64: the quotient fits */
    uint64_t quotient = 0;
    for (int bit = 63; bit >= 0; bit--) {
        uint64_t carry = rest >> 63;
        rest = rest << 1 | (sum->low >> bit & 1);
        if (carry || rest >= count) {
            rest -= count;
            quotient |= UINT64_C(1) << bit;
        }
    }
    return quotient;
}

/* ---- keys and values ------------------------------------------------------------------------- */

static uint32_t depth_limit(const struct fg_trace *trace)
{
    uint32_t limit = 1; /* parents may be on other tracks: depths of one need not begin at 0 */
    for (size_t i = 0; i < trace->lanes.count; i++) {
        limit = trace->lanes.items[i].depth >= limit ? trace->lanes.items[i].depth + 1 : limit;
    }
    return limit;
}

uint32_t fgi_group_key_limit(const struct fg_trace *trace, uint32_t by)
{
    switch (by) {
    case FG_AGGREGATE_ALL:
        return 1;
    case FG_AGGREGATE_NAME:
    case FG_AGGREGATE_CATEGORY:
    case FG_AGGREGATE_SCOPE:
        return fg_trace_text_count(trace);
    case FG_AGGREGATE_LANE:
        return (uint32_t)trace->lanes.count;
    case FG_AGGREGATE_DEPTH:
        return depth_limit(trace);
    case FG_AGGREGATE_TRACK:
        return (uint32_t)trace->tracks.count;
    case FG_AGGREGATE_PROCESS:
        return (uint32_t)trace->processes.count;
    case FG_AGGREGATE_STATUS:
        return FG_SPAN_FORCED + 1;
    case FG_AGGREGATE_FRAME:
        return (uint32_t)trace->frames.count;
    case FG_AGGREGATE_PASS:
        return (uint32_t)trace->passes.count;
    default: /* classification bits */
        return UINT32_C(1) << 16;
    }
}

uint32_t fgi_group_key(const struct fgi_engine_cpu *cpu, const struct fgi_grouping_rule *rule,
                       const struct fgi_block *block, uint32_t i)
{
    const struct fg_trace *trace = cpu->engine.trace;
    bool is_scope = (fgi_block_classes(block, i) & FG_CLASS_SCOPE) != 0;
    if (rule->scopes != FGI_SCOPES_ALL && is_scope != (rule->scopes == FGI_SCOPES_ALONE)) {
        return FG_NONE;
    }
    switch (rule->by) {
    case FG_AGGREGATE_NAME:
        return fgi_block_name(block, i);
    case FG_AGGREGATE_CATEGORY:
        return fgi_block_category(block, i);
    case FG_AGGREGATE_LANE:
        return block->lane[i];
    case FG_AGGREGATE_TRACK:
        return trace->lanes.items[block->lane[i]].track;
    case FG_AGGREGATE_PROCESS:
        return trace->tracks.items[trace->lanes.items[block->lane[i]].track].process;
    case FG_AGGREGATE_CLASSES:
        return fgi_block_classes(block, i) & rule->class_mask;
    case FG_AGGREGATE_STATUS:
        return fgi_block_status(block, i);
    case FG_AGGREGATE_FRAME:
        return fgi_block_extra(block, FGI_COLUMN_FRAME, i);
    case FG_AGGREGATE_PASS:
        return fgi_block_extra(block, FGI_COLUMN_PASS, i);
    case FG_AGGREGATE_SCOPE: {
        uint32_t scope = fgi_block_extra(block, FGI_COLUMN_SCOPE, i);
        return scope != 0 || rule->scopes == FGI_SCOPES_ALONE ? scope : FG_NONE;
    }
    case FG_AGGREGATE_DEPTH:
        return trace->lanes.items[block->lane[i]].depth;
    default:
        return 0;
    }
}

bool fgi_measure(const struct fgi_engine_cpu *cpu, const struct fgi_grouping_rule *rule,
                 const struct fgi_chosen *chosen, const struct fgi_block *block, uint32_t i,
                 uint64_t *out_value)
{
    const struct fg_measure_values *values = &rule->values;
    uint32_t row = block->first_row + i;
    int64_t start = block->start_ns[i];
    int64_t end = block->end_ns[i];
    switch (rule->measure) {
    case FG_MEASURE_CLIPPED:
        start = start > chosen->start_ns ? start : chosen->start_ns;
        end = end < chosen->end_ns ? end : chosen->end_ns;
        *out_value = end > start ? fgi_duration(start, end) : 0;
        return true;
    case FG_MEASURE_SELF:
        *out_value = fgi_duration(start, end) - fgi_cover_of(cpu, row);
        return true;
    case FG_MEASURE_DEPTH:
        *out_value = cpu->engine.trace->lanes.items[block->lane[i]].depth;
        return true;
    case FG_MEASURE_VALUES:
        if (row >= values->count || (values->absent && fgi_has_bit(values->absent, row))) {
            return false;
        }
        *out_value = values->items[row];
        return true;
    default:
        *out_value = fgi_duration(start, end);
        return true;
    }
}

/* Keys of a batch: dimensions of the largest tables without a look at the rule for each span. */
static void read_keys(const struct fgi_grouping *g, const struct fgi_batch *batch, uint32_t *keys)
{
    const struct fgi_block *block = batch->block;
    bool is_name = g->rule.by == FG_AGGREGATE_NAME;
    if (is_name && g->rule.scopes == FGI_SCOPES_NEVER) {
        for (uint32_t k = 0; k < batch->count; k++) {
            uint32_t i = batch->items[k];
            keys[k] =
                fgi_block_classes(block, i) & FG_CLASS_SCOPE ? FG_NONE : fgi_block_name(block, i);
        }
        return;
    }
    for (uint32_t k = 0; k < batch->count; k++) {
        keys[k] = fgi_group_key(g->cpu, &g->rule, block, batch->items[k]);
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

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
    for (size_t i = 0; i < trace->lanes.count && result == FG_OK; i++) {
        g->lane_clock[i] = trace->tracks.items[trace->lanes.items[i].track].clock;
    }
    if (result == FG_OK && (rule->has_self || rule->measure == FG_MEASURE_SELF)) {
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

static void add_span(struct fgi_grouping *g, struct fgi_group *group, const struct fgi_block *block,
                     uint32_t i)
{
    int64_t start = block->start_ns[i];
    int64_t end = block->end_ns[i];
    uint32_t track = g->cpu->engine.trace->lanes.items[block->lane[i]].track;
    group->track = group->track == track ? track : FG_NONE;
    if (fgi_is_unfinished(fgi_block_status(block, i))) {
        return;
    }
    group->zeroes += start == end;
    group->start_ns = start < group->start_ns ? start : group->start_ns;
    group->end_ns = end > group->end_ns ? end : group->end_ns;
}

enum fg_result fgi_grouping_add(void *grouping, const struct fgi_batch *batch)
{
    struct fgi_grouping *g = grouping;
    struct fgi_group_table *t = &g->tables[batch->reader];
    const struct fgi_block *block = batch->block;
    uint32_t keys[FGI_BATCH_SPANS];
    read_keys(g, batch, keys);
    t->selected += batch->count;
    for (uint32_t k = 0; k < batch->count; k++) {
        uint32_t i = batch->items[k];
        struct fgi_group *group = NULL;
        uint64_t value = 0;
        if (keys[k] >= g->key_limit) {
            t->keyless++;
            continue;
        }
        enum fg_result result = group_of(g, t, keys[k], block->lane[i], &group);
        if (result != FG_OK) {
            return result;
        }
        if (g->rule.has_spans) {
            add_span(g, group, block, i);
        }
        if (fgi_is_unfinished(fgi_block_status(block, i))) {
            group->unfinished++;
            continue;
        }
        group->count++;
        group->errors += fgi_block_status(block, i) == FG_SPAN_ERROR;
        if (fgi_measure(g->cpu, &g->rule, g->chosen, block, i, &value)) {
            add_value(group, value, block->first_row + i);
            if (g->rule.has_self) {
                fgi_sum_add(&group->self, value - fgi_cover_of(g->cpu, block->first_row + i));
            }
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

enum fg_result fgi_grouping_collect(void *grouping, const struct fgi_batch *batch)
{
    struct fgi_grouping *g = grouping;
    const struct fgi_group_table *t = &g->tables[batch->reader];
    const struct fgi_block *block = batch->block;
    uint64_t *next = g->next[batch->reader];
    uint32_t keys[FGI_BATCH_SPANS];
    read_keys(g, batch, keys);
    for (uint32_t k = 0; k < batch->count; k++) {
        uint32_t i = batch->items[k];
        uint64_t value = 0;
        if (keys[k] >= g->key_limit || fgi_is_unfinished(fgi_block_status(block, i))) {
            continue;
        }
        uint32_t at = look_up(t, (size_t)keys[k] * g->clocks + g->lane_clock[block->lane[i]]);
        if (g->intervals) {
            g->intervals[next[at]++] =
                (struct fgi_interval){ block->start_ns[i], block->end_ns[i] };
        } else if (fgi_measure(g->cpu, &g->rule, g->chosen, block, i, &value)) {
            g->values[next[at]++] = value;
        }
    }
    return FG_OK;
}
