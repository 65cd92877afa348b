/* SPDX-License-Identifier: MIT */
/* Differences become counts, and cells records: struct fg_gpu_bucket of gpu_trace_numbers.h. One group. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "bucket_args.glsl"

/* struct bucket_push of gpu_numbers_buckets.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_number_args numbers;
    fg_bucket_args buckets;
} args;

shared uvec3 counts[FG_GROUP];

uint word_of(uint bucket, uint word)
{
    return fg_u32_at(args.buckets.cells, bucket * FG_BUCKET_WORDS + word);
}

void put(uint bucket, uvec3 here)
{
    u64 range_start = u64_of(args.buckets.start_ns);
    u64 begin = fg_u64_at(args.buckets.firsts, bucket);
    u64 end = fg_u64_at(args.buckets.firsts, bucket + 1u);
    u64 width = u64_sub(end, begin);
    u64 covered = u64_zero();
    u128 sum = u128_product(u64_from(here.y), width);
    sum = u128_add(sum, u128(word_of(bucket, FG_BUCKET_SUM), word_of(bucket, FG_BUCKET_SUM + 1u),
                             word_of(bucket, FG_BUCKET_SUM + 2u), 0u));
    if (here.z == 0u) {
        covered = u64_sub(width, u64_make(word_of(bucket, FG_BUCKET_GAP), word_of(bucket, FG_BUCKET_GAP + 1u)));
    }
    fg_quad_put(args.buckets.records, bucket * 3u,
                uvec4(u64_words(u64_add(range_start, begin)), u64_words(u64_add(range_start, end))));
    fg_quad_put(args.buckets.records, bucket * 3u + 1u, uvec4(u64_words(covered), sum.xy));
    fg_quad_put(args.buckets.records, bucket * 3u + 2u,
                uvec4(sum.z, here.x, word_of(bucket, FG_BUCKET_STARTS), word_of(bucket, FG_BUCKET_PEAK)));
}

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uvec3 before = uvec3(0u);
    if (fg_group_index() > 0u) {
        return;
    }
    for (uint first = 0u; first < args.buckets.count; first += FG_GROUP) {
        uint bucket = first + lane;
        uvec3 own = uvec3(0u);
        if (bucket < args.buckets.count) {
            own = uvec3(word_of(bucket, FG_BUCKET_MEETS), word_of(bucket, FG_BUCKET_WHOLE),
                        word_of(bucket, FG_BUCKET_GAPS));
        }
        counts[lane] = own;
        for (uint reach = 1u; reach < FG_GROUP; reach *= 2u) {
            barrier();
            uvec3 other = lane >= reach ? counts[lane - reach] : uvec3(0u);
            barrier();
            counts[lane] += other;
        }
        barrier();
        if (bucket < args.buckets.count) {
            put(bucket, before + counts[lane]);
        }
        before += counts[FG_GROUP - 1u];
        barrier();
    }
}
