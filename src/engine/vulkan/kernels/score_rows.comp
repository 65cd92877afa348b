/* SPDX-License-Identifier: MIT */
/*
 * Scores of rows: how many have which reason, which one is the highest, which ones are anomalies; reasons
 * and tints are kept where they are wanted.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "score_args.glsl"

const uint FG_SCORE_ROUNDS = 8u; /* rows of an invocation: as in gpu_numbers_scores.c */
const uint FG_TINT_STEPS = 127u; /* below the threshold, and above it */

/* struct score_push of gpu_numbers_scores.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_number_args numbers;
    fg_score_args scores;
    uint first_row; /* of the piece: a multiple of 256 */
    uint end_row;   /* likewise, or that of the trace */
    uint part_count;
} args;

shared uint reasons[FG_GROUP * FG_SCORE_ROUNDS / 4u];
shared uint tints[FG_GROUP * FG_SCORE_ROUNDS / 4u];
shared uint words[FG_GROUP * FG_SCORE_ROUNDS / 32u];
shared uint counts[FG_SCORE_ANOMALOUS + 1u];

/** floor(score * steps / threshold), at most all steps. */
uint tint_part(u64 score)
{
    u64 threshold = u64_of(args.scores.threshold);
    u128 scaled = u128_product(score, u64_from(FG_TINT_STEPS));
    uint part = 0u;
    for (uint bit = 64u; bit > 0u; bit /= 2u) {
        if (!u128_less(scaled, u128_product(threshold, u64_from(part | bit)))) {
            part |= bit;
        }
    }
    return part;
}
/** Of the words of a score. */
bool reaches_threshold(uvec2 score)
{
    uvec2 threshold = args.scores.threshold;
    return score.y > threshold.y || (score.y == threshold.y && score.x >= threshold.x);
}

/** fg_score_tint() */
uint tint_of(u64 score)
{
    return reaches_threshold(u64_words(score)) ? 128u + tint_part(u64_sub(score, u64_of(args.scores.threshold)))
                                               : 1u + tint_part(score);
}

/** One row; `at` is its place in the tile. */
void see(uint row, uint at, inout uvec4 highest)
{
    fg_scored scored = fg_score_row(args.trace, args.numbers, args.scores, row);
    uint shift = (at & 3u) * 8u;
    atomicAdd(counts[scored.reason], 1u);
    atomicOr(reasons[at >> 2], scored.reason << shift);
    if (scored.reason > FG_SCORE_SATURATED) {
        return;
    }
    if (fg_is_there(args.scores.tints)) {
        atomicOr(tints[at >> 2], tint_of(scored.score) << shift);
    }
    uvec4 own = uvec4(u64_words(scored.score), row, 0u);
    if (reaches_threshold(own.xy)) {
        atomicAdd(counts[FG_SCORE_ANOMALOUS], 1u);
        atomicOr(words[at >> 5], 1u << (at & 31u));
    }
    if ((own.x | own.y) != 0u && fg_is_higher(own, highest)) {
        highest = own;
    }
}

void put_tile(uint first, uint end)
{
    uint lane = gl_LocalInvocationIndex;
    bool keeps = fg_is_there(args.scores.tints);
    for (uint i = lane; keeps && i < FG_GROUP * FG_SCORE_ROUNDS / 4u; i += FG_GROUP) {
        uint row = first + i * 4u;
        if (row < end) {
            fg_u32_put(args.scores.reasons, row >> 2, reasons[i]);
            fg_u32_put(args.scores.tints, row >> 2, tints[i]);
        }
    }
    for (uint i = lane; i < FG_GROUP * FG_SCORE_ROUNDS / 32u; i += FG_GROUP) {
        uint row = first + i * 32u;
        if (row < end) {
            fg_u32_put(args.scores.mask, row >> 5, words[i]);
        }
    }
    for (uint i = lane; i <= FG_SCORE_ANOMALOUS; i += FG_GROUP) {
        if (counts[i] != 0u) {
            atomicAdd(fg_words(args.scores.totals).at[i], counts[i]);
        }
    }
}

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint group = fg_group_index();
    uint end = args.end_row;
    if (group >= args.part_count) {
        return;
    }
    uint first = args.first_row + group * FG_GROUP * FG_SCORE_ROUNDS;
    for (uint i = lane; i < FG_GROUP * FG_SCORE_ROUNDS / 4u; i += FG_GROUP) {
        reasons[i] = 0u;
        tints[i] = 0u;
    }
    for (uint i = lane; i < FG_GROUP * FG_SCORE_ROUNDS / 32u; i += FG_GROUP) {
        words[i] = 0u;
    }
    for (uint i = lane; i <= FG_SCORE_ANOMALOUS; i += FG_GROUP) {
        counts[i] = 0u;
    }
    barrier();
    uvec4 highest = uvec4(0u, 0u, FG_NO_ROW, 0u);
    for (uint i = 0u; i < FG_SCORE_ROUNDS; i++) {
        uint at = i * FG_GROUP + lane;
        if (first + at < end) {
            see(first + at, at, highest);
        }
    }
    highest = fg_group_highest(highest);
    put_tile(first, end);
    if (lane == 0u) {
        fg_quad_put(args.scores.parts, group, highest);
    }
}
