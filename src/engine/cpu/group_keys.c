/* SPDX-License-Identifier: MIT */
/* What a span is grouped by, and what is measured of it. */
#include "engine/cpu/groups.h"

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
    if (rule->scopes != FGI_SCOPES_ALL) {
        bool is_scope = (fgi_block_classes(block, i) & FG_CLASS_SCOPE) != 0;
        if (is_scope != (rule->scopes == FGI_SCOPES_ALONE)) {
            return FG_NONE;
        }
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
