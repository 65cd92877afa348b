/* SPDX-License-Identifier: MIT */
/*
 * How unusual rows are: struct fgi_gpu_score_args of gpu_numbers_scores.c. The formula is that of
 * fg_score_span(); what an error or success adds to it, and why a baseline is of no use, is known before.
 */
#ifndef FG_SCORE_ARGS_GLSL
#define FG_SCORE_ARGS_GLSL
#include "number_args.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer fg_score_args {
    fg_column slots;     /* of each slot its baseline, or a reason with FG_SCORE_WITHOUT */
    fg_column baselines; /* three quads each: mean, deviation; what success and an error add; reason */
    fg_column reasons;   /* a byte for each row, four a word; none = nobody wants them */
    fg_column tints;     /* likewise */
    fg_column mask;      /* of anomalies, by row */
    fg_column parts;     /* a quad for each group: its highest */
    uvec2 totals;        /* FG_SCORE_TOTALS words */
    uvec2 weight;
    uvec2 threshold;
    uint is_two_sided;
    uint reserved[3];
};

const uint FG_SCORE_WITHOUT = 0x80000000u;
const uint FG_SCORE_SATURATED = 1u;
const uint FG_SCORE_NOT_SELECTED = 2u;
const uint FG_SCORE_UNFINISHED = 3u;
const uint FG_SCORE_NO_KEY = 4u;
const uint FG_SCORE_REASONS = 9u;
/* Words of totals: by reason, anomalies, and a quad of the highest. */
const uint FG_SCORE_ANOMALOUS = 9u;
const uint FG_SCORE_HIGHEST = 12u;

struct fg_scored {
    uint reason;
    uint slot;
    uint baseline;
    uint is_error;
    u64 duration;
    u64 score;
};

/** floor(a * b / c), all ones where that does not fit. */
u64 fg_scaled(u64 a, u64 b, u64 c)
{
    u128 product = u128_product(a, b);
    u64 high = u64_of(product.zw);
    u64 low = u64_of(product.xy);
    uint rounds = 64u;
    if (!u64_less(high, c)) {
        return u64_all();
    }
    if ((product.z | product.w) == 0u) {
#ifdef FG_INT64
        return low / c;
#else
        if ((product.x | product.y) == 0u) {
            return low;
        }
        rounds = product.y != 0u ? uint(findMSB(product.y)) + 33u : uint(findMSB(product.x)) + 1u;
        low = u64_shift_left(low, 64u - rounds);
#endif
    }
    /* Without a bit that leaves 64: twice the rest and one bit more is at least c if the rest and that bit are
     * at least what c is above the rest. */
    u64 quotient = u64_zero();
    for (uint i = 0u; i < rounds; i++) {
        u64 bit = u64_shift_right(low, 63u);
        u64 above = u64_sub(c, high);
        u64 rest = u64_add(high, bit);
        bool fits = !u64_less(rest, above);
        high = fits ? u64_sub(rest, above) : u64_add(rest, high);
        low = u64_shift_left(low, 1u);
        quotient = u64_or(u64_shift_left(quotient, 1u), u64_from(uint(fits)));
    }
    return quotient;
}

fg_scored fg_score_row(fg_trace_table trace, fg_number_args numbers, fg_score_args scores, uint row)
{
    u64 start = fg_u64_at(trace.start, row);
    u64 end = fg_u64_at(trace.end, row);
    fg_scored scored = fg_scored(FG_SCORE_NOT_SELECTED, 0u, 0u, 0u, u64_sub(end, start), u64_zero());
    uint lane = 0u;
    uvec2 lane_key = uvec2(0u);
    if ((numbers.flags & FG_NUMBER_LANES) != 0u) {
        lane = fg_u32_at(trace.lane, row);
        lane_key = fg_pair_at(numbers.lane_keys, lane);
    }
    if (!fg_is_chosen(trace, numbers, row, lane, start, end)) {
        return scored;
    }
    uvec2 kind = fg_pair_at(numbers.kinds, fg_u32_at(trace.kind, row));
    scored.reason = FG_SCORE_UNFINISHED;
    if ((kind.y & FG_KIND_OPEN) != 0u) {
        return scored;
    }
    uint key = kind.x == FG_NO_ROW ? kind.x : fg_number_key(trace, numbers, row, kind.x, lane_key.x);
    scored.reason = FG_SCORE_NO_KEY;
    if (key >= numbers.key_count) {
        return scored;
    }
    scored.slot = key * numbers.clocks + lane_key.y;
    scored.baseline = fg_u32_at(scores.slots, scored.slot);
    scored.reason = scored.baseline & ~FG_SCORE_WITHOUT;
    if ((scored.baseline & FG_SCORE_WITHOUT) != 0u) {
        return scored;
    }
    uvec4 usual = fg_quad_at(scores.baselines, scored.baseline * 3u);
    uvec4 adds = fg_quad_at(scores.baselines, scored.baseline * 3u + 1u);
    scored.reason = fg_quad_at(scores.baselines, scored.baseline * 3u + 2u).x;
    if (scored.reason != 0u) {
        return scored;
    }
    u64 mean = u64_of(usual.xy);
    u64 off = u64_sub_saturated(scored.duration, mean);
    if (scores.is_two_sided != 0u && u64_less(scored.duration, mean)) {
        off = u64_sub(mean, scored.duration);
    }
    scored.is_error = uint((kind.y & FG_KIND_FAILED) != 0u);
    scored.score = u64_add_saturated(fg_scaled(u64_of(scores.weight), off, u64_of(usual.zw)),
                                     u64_of(scored.is_error != 0u ? adds.zw : adds.xy));
    scored.reason = uint(u64_equal(scored.score, u64_all()));
    return scored;
}

/** The highest of the group's: low and high word of a score, its row; FG_NO_ROW where there is none. */
shared uvec4 fg_highest[FG_GROUP];
bool fg_is_higher(uvec4 a, uvec4 b)
{
    u64 x = u64_of(a.xy);
    u64 y = u64_of(b.xy);
    return u64_less(y, x) || (u64_equal(x, y) && a.z < b.z);
}
uvec4 fg_group_highest(uvec4 own)
{
    uint lane = gl_LocalInvocationIndex;
    fg_highest[lane] = own;
    for (uint half_size = FG_GROUP / 2u; half_size > 0u; half_size /= 2u) {
        barrier();
        if (lane < half_size && fg_is_higher(fg_highest[lane + half_size], fg_highest[lane])) {
            fg_highest[lane] = fg_highest[lane + half_size];
        }
    }
    barrier();
    return fg_highest[0];
}

#endif
