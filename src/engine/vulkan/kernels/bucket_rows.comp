/* SPDX-License-Identifier: MIT */
/*
 * What selected rows add to their buckets, and from where to where each takes time. Few buckets are added up
 * in the memory of the group first.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "bucket_args.glsl"

/* struct bucket_push of gpu_numbers_buckets.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_number_args numbers;
    fg_bucket_args buckets;
} args;

const uint FG_LOCAL_BUCKETS = 512u;
const uint FG_LOCAL_WORDS = 6u; /* those up to the sum */

shared uint local_cells[FG_LOCAL_BUCKETS * FG_LOCAL_WORDS];
shared uint timed;

bool is_local() { return args.buckets.count < FG_LOCAL_BUCKETS; }

uint add(uint bucket, uint word, uint value)
{
    if (is_local()) {
        return atomicAdd(local_cells[bucket * FG_LOCAL_WORDS + word], value);
    }
    return fg_bucket_add(args.buckets, bucket, word, value);
}

void add_part(uint bucket, u64 part)
{
    uvec2 words = u64_words(part);
    uint before = add(bucket, FG_BUCKET_SUM, words.x);
    uint middle = words.y + uint(before + words.x < words.x);
    uint top = uint(middle < words.y);
    if (middle != 0u) {
        before = add(bucket, FG_BUCKET_SUM + 1u, middle);
        top += uint(before + middle < middle);
    }
    if (top != 0u) {
        add(bucket, FG_BUCKET_SUM + 2u, top);
    }
}

/** A span that takes time, in the range. */
void add_span(u64 from, u64 to, bool starts)
{
    uint first = fg_bucket_of(args.buckets, from);
    uint last = fg_bucket_of(args.buckets, u64_sub(to, u64_from(1u)));
    add(first, FG_BUCKET_MEETS, 1u);
    add(last + 1u, FG_BUCKET_MEETS, 0xffffffffu);
    if (starts) {
        add(first, FG_BUCKET_STARTS, 1u);
    }
    if (first == last) {
        add_part(first, u64_sub(to, from));
        return;
    }
    add_part(first, u64_sub(fg_u64_at(args.buckets.firsts, first + 1u), from));
    add_part(last, u64_sub(to, fg_u64_at(args.buckets.firsts, last)));
    if (last - first > 1u) {
        add(first + 1u, FG_BUCKET_WHOLE, 1u);
        add(last, FG_BUCKET_WHOLE, 0xffffffffu);
    }
}

void see(uint row)
{
    u64 start = fg_u64_at(args.trace.start, row);
    u64 end = fg_u64_at(args.trace.end, row);
    u64 range_start = u64_of(args.buckets.start_ns);
    u64 range_end = u64_of(args.buckets.end_ns);
    u64 from = u64_sub(range_end, range_start);
    u64 to = from;
    uint lane = 0u;
    if ((args.numbers.flags & FG_NUMBER_LANES) != 0u) {
        lane = fg_u32_at(args.trace.lane, row);
    }
    if (fg_is_chosen(args.trace, args.numbers, row, lane, start, end)) {
        bool starts = !u64_less_signed(start, range_start);
        if (u64_equal(start, end)) {
            uint bucket = fg_bucket_of(args.buckets, u64_sub(start, range_start));
            add(bucket, FG_BUCKET_MEETS, 1u);
            add(bucket + 1u, FG_BUCKET_MEETS, 0xffffffffu);
            add(bucket, FG_BUCKET_STARTS, 1u);
        } else {
            from = u64_sub(u64_max_signed(start, range_start), range_start);
            to = u64_sub(u64_min_signed(end, range_end), range_start);
            atomicAdd(timed, 1u);
            add_span(from, to, starts);
        }
    }
    fg_u64_put(args.buckets.starts, row, from);
    fg_u64_put(args.buckets.ends, row, to);
}

/** Adds with carries what the group's memory has. */
void give_local()
{
    for (uint bucket = gl_LocalInvocationIndex; bucket <= args.buckets.count; bucket += FG_GROUP) {
        uint at = bucket * FG_LOCAL_WORDS;
        uint carry = 0u;
        for (uint word = 0u; word < FG_LOCAL_WORDS; word++) {
            uint value = local_cells[at + word] + carry;
            carry = uint(value < carry);
            uint before = value != 0u ? fg_bucket_add(args.buckets, bucket, word, value) : 0u;
            if (word < FG_BUCKET_SUM) {
                carry = 0u;
            } else {
                carry += uint(value != 0u && before + value < value);
            }
        }
    }
}

void main()
{
    uint count = args.trace.row_count;
    uint group = fg_group_index();
    uint each = FG_GROUP * FG_NUMBER_ROUNDS;
    uint lane = gl_LocalInvocationIndex;
    if (group >= count / each + uint(count % each != 0u)) {
        return;
    }
    for (uint i = lane; is_local() && i < (args.buckets.count + 1u) * FG_LOCAL_WORDS; i += FG_GROUP) {
        local_cells[i] = 0u;
    }
    if (lane == 0u) {
        timed = 0u;
    }
    barrier();
    for (uint i = 0u; i < FG_NUMBER_ROUNDS; i++) {
        uint row = group * each + i * FG_GROUP + lane;
        if (row < count) {
            see(row);
        }
    }
    barrier();
    if (is_local()) {
        give_local();
    }
    if (lane == 0u && timed != 0u) {
        atomicAdd(fg_words(args.buckets.totals).at[0], timed);
    }
}
