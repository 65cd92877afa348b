/* SPDX-License-Identifier: MIT */
/* What numbers over selected rows are asked: struct fgi_gpu_number_args of gpu_numbers.c. */
#ifndef FG_NUMBER_ARGS_GLSL
#define FG_NUMBER_ARGS_GLSL
#include "gpu_table.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer fg_number_args {
    fg_column mask;      /* of the filter, by row; none = all */
    fg_column lanes;     /* a bit each; none = all */
    fg_column kinds;     /* of each kind a pair: key (FG_NO_ROW = none), FG_KIND_... bits */
    fg_column lane_keys; /* of each lane a pair: key, clock */
    fg_column cells;     /* FG_CELL_WORDS of each slot, cleared before the first pass */
    fg_column firsts;    /* of histograms: first value of each bin */
    fg_column counts;    /* of histograms: by bin, cleared before */
    fg_column means;     /* of each slot, for the pass of squares */
    fg_column covered;   /* by children, by row; for own times only */
    fg_column more_mask; /* of the caller, by row; none = all */
    fg_column values;    /* of the caller, by row; for its values only, likewise below */
    fg_column absent_values; /* bits by row; none = none is absent */
    fg_column key_list;  /* key of each number; none = the number */
    fg_column flags_of_slots; /* whether there is a group */
    fg_column group_slots;    /* of those that there are */
    fg_column groups;         /* four quads each */
    uvec2 totals;        /* words; cleared before */
    uvec2 bin_totals;    /* likewise, of histograms */
    uvec2 candidates;    /* of groups of invocations, a word each: may the greatest of a slot be theirs? */
    uvec2 start_ns;
    uvec2 end_ns;
    uvec2 low; /* of histograms */
    uvec2 high;
    uint flags;
    uint first_frame;
    uint end_frame;
    uint source; /* of keys */
    uint measure;
    uint key_count;
    uint clocks;
    uint slots;   /* key * clocks + clock */
    uint replicas; /* log2 of how many tables a group has in its own memory; FG_NO_ROW = none */
    uint bins;
    uint is_log;
    uint nothing; /* a key that is none */
    uint absent;  /* key of rows where the column is absent */
    uint pass;    /* with FG_NUMBER_PASS: no other */
    uint value_count; /* rows behind have none */
};

const uint FG_NUMBER_RANGE = 1u;
const uint FG_NUMBER_FRAMES = 2u;
const uint FG_NUMBER_LANES = 4u; /* lanes are looked at */
const uint FG_NUMBER_SPANS = 8u; /* tracks, zeroes, starts and ends are wanted */
const uint FG_NUMBER_PASS = 16u;

const uint FG_KIND_OPEN = 1u;
const uint FG_KIND_FAILED = 2u;

const uint FG_SOURCE_KIND = 0u;
const uint FG_SOURCE_LANE = 1u;
const uint FG_SOURCE_FRAME = 2u;
const uint FG_SOURCE_PASS = 3u;
const uint FG_SOURCE_SCOPE = 4u;

const uint FG_MEASURE_CLIPPED = 1u;
const uint FG_MEASURE_SELF = 2u;
const uint FG_MEASURE_DEPTH = 3u;
const uint FG_MEASURE_VALUES = 4u;

/** Rows of an invocation, as in gpu_numbers.c. */
const uint FG_NUMBER_ROUNDS = 32u;

bool fg_is_chosen(fg_trace_table trace, fg_number_args numbers, uint row, uint lane, u64 start, u64 end)
{
    if ((fg_is_there(numbers.mask) && !fg_mask_bit(numbers.mask, row)) ||
        (fg_is_there(numbers.more_mask) && !fg_mask_bit(numbers.more_mask, row)) ||
        (fg_is_there(numbers.lanes) && !fg_mask_bit(numbers.lanes, lane))) {
        return false;
    }
    if ((numbers.flags & FG_NUMBER_FRAMES) != 0u) {
        uint frame = fg_optional_at(trace.frame, row);
        if (frame < numbers.first_frame || frame >= numbers.end_frame) {
            return false;
        }
    }
    if ((numbers.flags & FG_NUMBER_PASS) != 0u && fg_optional_at(trace.pass, row) != numbers.pass) {
        return false;
    }
    return (numbers.flags & FG_NUMBER_RANGE) == 0u ||
           fg_meets(start, end, u64_of(numbers.start_ns), u64_of(numbers.end_ns));
}

/** False: a caller's column has nothing for this row. */
bool fg_has_value(fg_number_args numbers, uint row)
{
    return numbers.measure != FG_MEASURE_VALUES ||
           (row < numbers.value_count &&
            !(fg_is_there(numbers.absent_values) && fg_mask_bit(numbers.absent_values, row)));
}

/** Of a row that has a value. */
u64 fg_measured(fg_trace_table trace, fg_number_args numbers, uint row, uint lane, u64 start, u64 end)
{
    if (numbers.measure == FG_MEASURE_DEPTH) {
        return u64_from(fg_quad_at(trace.lanes, lane).w);
    }
    if (numbers.measure == FG_MEASURE_VALUES) {
        return fg_u64_at(numbers.values, row);
    }
    if (numbers.measure == FG_MEASURE_CLIPPED) {
        start = u64_max_signed(start, u64_of(numbers.start_ns));
        end = u64_min_signed(end, u64_of(numbers.end_ns));
        if (!u64_less_signed(start, end)) {
            return u64_zero();
        }
    }
    u64 value = u64_sub(end, start);
    if (numbers.measure == FG_MEASURE_SELF) {
        value = u64_sub(value, fg_u64_at(numbers.covered, row));
    }
    return value;
}

uint fg_column_key(fg_number_args numbers, fg_column column, uint row)
{
    uint key = numbers.absent;
    if (fg_is_there(column)) {
        key = fg_u32_at(column, row);
    }
    return key;
}

/** Key of a row whose kind has one; one that is not below key_count is none. */
uint fg_number_key(fg_trace_table trace, fg_number_args numbers, uint row, uint kind_key, uint lane_key)
{
    uint key = kind_key;
    if (numbers.source == FG_SOURCE_LANE) {
        key = lane_key;
    } else if (numbers.source == FG_SOURCE_FRAME) {
        key = fg_column_key(numbers, trace.frame, row);
    } else if (numbers.source == FG_SOURCE_PASS) {
        key = fg_column_key(numbers, trace.pass, row);
    } else if (numbers.source == FG_SOURCE_SCOPE) {
        key = fg_column_key(numbers, trace.scope, row);
    }
    return key == numbers.nothing ? FG_NO_ROW : key;
}

#endif
