/* SPDX-License-Identifier: MIT */
/*
 * Time buckets: struct fgi_gpu_bucket_args of gpu_numbers_buckets.c. Times are distances from where the
 * first one begins. What covers several buckets is added to the first and the last one; those in between are
 * counted by differences: one more from here on, one less from there on.
 */
#ifndef FG_BUCKET_ARGS_GLSL
#define FG_BUCKET_ARGS_GLSL
#include "number_args.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer fg_bucket_args {
    fg_column firsts;   /* where each bucket begins, and the last one ends */
    fg_column cells;    /* FG_BUCKET_WORDS of each, and of one more; cleared before */
    fg_column starts;   /* of spans that take time, by row: others are behind all of them */
    fg_column ends;
    fg_column in_order; /* starts, sorted */
    fg_column ends_in_order;
    fg_column records;  /* three quads each */
    uvec2 totals;       /* a word: spans that take time; cleared before */
    uvec2 start_ns;
    uvec2 end_ns;
    uint count;
    uint reserved;
};

const uint FG_BUCKET_WORDS = 16u; /* as in gpu_numbers_buckets.c */
const uint FG_BUCKET_STARTS = 0u;
const uint FG_BUCKET_MEETS = 1u; /* a difference */
const uint FG_BUCKET_WHOLE = 2u; /* a difference: spans that cover all of it */
const uint FG_BUCKET_SUM = 3u;   /* three words: of parts of it */
const uint FG_BUCKET_GAPS = 6u;  /* a difference: nothing is in all of it */
const uint FG_BUCKET_GAP = 7u;   /* two words: parts of it where nothing is */
const uint FG_BUCKET_PEAK = 9u;

/** The bucket of a distance. */
uint fg_bucket_of(fg_bucket_args buckets, u64 distance)
{
    uint low = 0u;
    uint high = buckets.count;
    while (high - low > 1u) {
        uint middle = low + (high - low) / 2u;
        if (u64_less(distance, fg_u64_at(buckets.firsts, middle))) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low;
}

uint fg_bucket_add(fg_bucket_args buckets, uint bucket, uint word, uint value)
{
    uint at = bucket * FG_BUCKET_WORDS + word;
    return atomicAdd(fg_words(fg_chunk(buckets.cells, at)).at[at & buckets.cells.row_mask], value);
}

/** How many of the first `count` numbers of a column that does not fall are not above a value. */
uint fg_bucket_upper(fg_column column, uint count, u64 value)
{
    uint low = 0u;
    uint high = count;
    while (low < high) {
        uint middle = low + (high - low) / 2u;
        if (u64_less(value, fg_u64_at(column, middle))) {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return low;
}

#endif
