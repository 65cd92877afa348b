/* SPDX-License-Identifier: MIT */
/*
 * How many spans are open after each start, and where nothing is: an end at a start's time comes first. Before
 * the i-th start there is a gap if i spans have ended by then. Open where a bucket begins is who has started
 * less who has ended by then.
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

const uint FG_SWEEP_ROUNDS = 8u; /* as in gpu_numbers_buckets.c */

void raise_peak(uint bucket, uint peak)
{
    uint at = bucket * FG_BUCKET_WORDS + FG_BUCKET_PEAK;
    uvec2 chunk = fg_chunk(args.buckets.cells, at);
    at &= args.buckets.cells.row_mask;
    /* Most are no higher than what is there by now. */
    if (peak > fg_words(chunk).at[at]) {
        atomicMax(fg_words(chunk).at[at], peak);
    }
}

void add_part(uint bucket, u64 part)
{
    uvec2 words = u64_words(part);
    uint before = fg_bucket_add(args.buckets, bucket, FG_BUCKET_GAP, words.x);
    uint high = words.y + uint(before + words.x < words.x);
    if (high != 0u) {
        fg_bucket_add(args.buckets, bucket, FG_BUCKET_GAP + 1u, high);
    }
}

void add_gap(u64 from, u64 to)
{
    if (!u64_less(from, to)) {
        return;
    }
    uint first = fg_bucket_of(args.buckets, from);
    uint last = fg_bucket_of(args.buckets, u64_sub(to, u64_from(1u)));
    if (first == last) {
        add_part(first, u64_sub(to, from));
        return;
    }
    add_part(first, u64_sub(fg_u64_at(args.buckets.firsts, first + 1u), from));
    add_part(last, u64_sub(to, fg_u64_at(args.buckets.firsts, last)));
    if (last - first > 1u) {
        fg_bucket_add(args.buckets, first + 1u, FG_BUCKET_GAPS, 1u);
        fg_bucket_add(args.buckets, last, FG_BUCKET_GAPS, 0xffffffffu);
    }
}

void sweep(uint i, uint count, u64 width, inout uint bucket, inout uint peak)
{
    u64 at = fg_u64_at(args.buckets.in_order, i);
    uint ended = fg_bucket_upper(args.buckets.ends_in_order, i, at);
    uint own = fg_bucket_of(args.buckets, at);
    if (own != bucket && peak > 0u) {
        raise_peak(bucket, peak);
        peak = 0u;
    }
    bucket = own;
    peak = max(peak, i + 1u - ended);
    if (ended == i) {
        add_gap(i > 0u ? fg_u64_at(args.buckets.ends_in_order, i - 1u) : u64_zero(), at);
    }
    if (i == count - 1u) {
        add_gap(fg_u64_at(args.buckets.ends_in_order, i), width);
    }
}

void main()
{
    uint count = fg_words(args.buckets.totals).at[0];
    u64 width = u64_sub(u64_of(args.buckets.end_ns), u64_of(args.buckets.start_ns));
    uint first = fg_group_index() * FG_GROUP * FG_SWEEP_ROUNDS + gl_LocalInvocationIndex;
    uint bucket = 0u;
    uint peak = 0u;
    for (uint i = 0u; i < FG_SWEEP_ROUNDS; i++) {
        uint at = first + i * FG_GROUP;
        if (at < count) {
            sweep(at, count, width, bucket, peak);
        }
        if (at < args.buckets.count) {
            u64 begin = fg_u64_at(args.buckets.firsts, at);
            uint open = fg_bucket_upper(args.buckets.in_order, count, begin) -
                        fg_bucket_upper(args.buckets.ends_in_order, count, begin);
            raise_peak(at, open);
        }
    }
    if (peak > 0u) {
        raise_peak(bucket, peak);
    }
    if (count == 0u && first == 0u) {
        add_gap(u64_zero(), width);
    }
}
