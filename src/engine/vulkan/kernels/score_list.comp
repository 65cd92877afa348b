/* SPDX-License-Identifier: MIT */
/*
 * Anomalies one by one. Of FG_SCORE_KEYS: their scores as keys that ascend from the highest one. Of
 * FG_SCORE_TOP: what is told of each, two quads: row, slot, baseline, error; duration, score.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "score_args.glsl"

/* struct list_push of gpu_numbers_scores.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_number_args numbers;
    fg_score_args scores;
    uint count;
    uint reserved;
    fg_column rows;
    fg_column target;
} args;

void main()
{
    uint at = fg_invocation_index();
    if (at >= args.count) {
        return;
    }
    uint row = fg_u32_at(args.rows, at);
    fg_scored scored = fg_score_row(args.trace, args.numbers, args.scores, row);
#ifdef FG_SCORE_KEYS
    fg_u64_put(args.target, at, u64_xor(scored.score, u64_all()));
#else
    fg_quad_put(args.target, at * 2u, uvec4(row, scored.slot, scored.baseline, scored.is_error));
    fg_quad_put(args.target, at * 2u + 1u, uvec4(u64_words(scored.duration), u64_words(scored.score)));
#endif
}
